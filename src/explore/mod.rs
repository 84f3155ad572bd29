//! The explorer: a page on which a mechanism is touched, and the engine behind it, which answers in JSON what the page asks. The page
//! computes no mechanics; the engine is the library, so that the page's numbers are those of every other command.
//!
//! | file | subject |
//! |---|---|
//! | `question` | what is asked, and where the mechanism is |
//! | `engine` | a mechanism that is asked |
//! | `about` | what a page has to know of it: names, units, ranges |
//! | `ranges` | how far its numbers go |
//! | `picture` | a state with its picture, sentences and panels |
//! | `drag` | a body that follows the hand, along contacts and constraints |
//! | `ways` | numbers that may be moved, and what depends on them |
//! | `motion` | motions with all their futures |
//! | `shade` | the verdict over two ranges, coarse to fine |
//! | `text` | the mechanism's file: diagnostics, and a state added to it |
//! | `page` | one file of all this |
//! | `pack` | bytes as text in it |
//! | `far` | what deflate is too short-sighted for |
//! | `serve` | the same on the loopback address, with derivation |

mod about;
mod drag;
mod engine;
#[cfg(feature = "explore")]
mod far;
mod motion;
#[cfg(feature = "explore")]
mod pack;
#[cfg(feature = "explore")]
mod page;
mod picture;
mod question;
mod ranges;
#[cfg(feature = "explore")]
mod serve;
mod shade;
mod text;
mod ways;

pub use engine::Engine;
#[cfg(feature = "explore")]
pub use page::{CoreModule, NoCore, Page};
pub use question::{Question, Situation};
#[cfg(feature = "explore")]
pub use serve::{Derives, Served, serve};
