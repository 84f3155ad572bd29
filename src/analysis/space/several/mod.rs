//! Several closed contacts in space: the accelerations that satisfy all contact laws at once.
//!
//! A word says of each contact whether it lifts off, slips or sticks. What slips already keeps its direction, so that a word without slip from
//! rest is a linear system; slip from rest adds an angle for each contact, and the boxes of angles are searched with outward rounding
//! until each is empty or has exactly one solution. A word whose forces are not unique is decided by a cone program. What is decided by neither
//! is undecided, and the verdict says so.
//!
//! | file | what it owns |
//! |---|---|
//! | `system` | the numbers of all contacts, and the forces and accelerations of a word |
//! | `reduced`, `elimination` | rows that are held or eliminated; linear systems of any number type |
//! | `judge` | the signs that decide, and words without slip from rest |
//! | `boxes` | words with slip from rest |
//! | `conic` | data of cone programs |
//! | `forces` | words whose forces are not unique: cone programs with verified bounds |
//! | `rough` | the same where contacts have infinite friction |
//! | `decide` | one word, by whichever of these applies |
//! | `proof` | words and motions that are refuted by multipliers |
//! | `scale` | units in which all numbers are of order one |
//! | `rest` | what is known of rest |
//! | `stability` | normal stability |
//! | `iwc` | impact without collision at one of them |
//! | `step` | what the incremental solvers find |
//! | `answer` | all words, and the verdict |

mod answer;
mod boxes;
mod conic;
mod decide;
mod elimination;
mod forces;
mod iwc;
mod judge;
mod proof;
mod reduced;
mod rest;
mod rough;
mod scale;
mod stability;
mod step;
mod system;

pub use answer::{Answer, Decided, answer};
pub use decide::Decision;
pub use forces::{ForceRange, Ranges, ranges};
pub use iwc::{SpaceIwc, SpaceIwcs, impacts_without_collision};
pub use judge::Solved;
pub use rest::{Rest, RestProof};
pub(super) use system::independent;
pub use system::{System, Ways};
