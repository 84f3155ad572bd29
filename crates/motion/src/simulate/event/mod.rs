//! Motion from event to event: smooth phases in which every contact is free, sticks or slips, and what happens between them.
//!
//! | file | subject |
//! |---|---|
//! | `mechanics`, `sizes` | the mechanism of a phase, and what its numbers are made of |
//! | `flow`, `power` | its rates, in real time or in that of a jam, and the power of forces |
//! | `flight` | the rates of a motion without closed contacts |
//! | `cone_margin` | forces that are not unique: whether some lie inside all friction cones, and which are shown |
//! | `springs` | the same where accelerations depend on them: those of the contacts' stiffnesses |
//! | `watch` | the numbers that end a phase |
//! | `profile`, `search` | where in a step they fall through zero, by what is known of it, and by looking into it |
//! | `enclose`, `clear` | what is shown of a step: that nothing was overlooked in it |
//! | `project` | closed contacts and constraints are kept |
//! | `sampling` | the states of samples |
//! | `below` | whether the closing of a contact was overlooked |
//! | `modes`, `ahead` | what closed contacts do next, as the engine has it; what holds with an equality is followed for a short time |
//! | `impacts`, `fork` | impacts, alone, together, without collision, and where they may go several ways |
//! | `along`, `flat` | impacts of contacts that move along a line, and in a plane |
//! | `chatter`, `jam` | infinitely many impacts, infinite forces |
//! | `stand` | where each contact stands at an instant |
//! | `settle`, `limit` | what happens then, and where p vanishes |
//! | `phase`, `pace`, `landing` | one phase, how long its steps are, and the step to the event that ends it |
//! | `reach`, `sound`, `stuck` | speeds against which others are rounding, what a step keeps beside its error, and why there is none |
//! | `pole` | coordinates that lose their inertia on the way |
//! | `memory` | what one motion leaves the next |
//! | `options`, `run` | what is asked of a motion, and the motion, phase by phase |

mod ahead;
mod below;
mod chatter;
mod clear;
mod cone_margin;
pub(in crate::simulate) mod enclose;
mod end_of_slip;
mod flat;
mod flight;
mod flow;
mod fork;
pub(in crate::simulate) mod impacts;
mod jam;
mod landing;
mod limit;
pub(in crate::simulate) mod mechanics;
mod memory;
pub(in crate::simulate) mod modes;
mod options;
mod pace;
mod phase;
mod pole;
mod power;
mod profile;
mod project;
mod reach;
pub(in crate::simulate) mod record;
mod run;
mod sampling;
mod search;
mod settle;
mod sizes;
mod sound;
mod springs;
mod stand;
mod stiff;
mod stuck;
mod warn;
pub(in crate::simulate) mod watch;

pub use mechanics::EventDriven;
pub use memory::Memory;
pub use options::{DEFAULT_RTOL, DEFAULT_SAMPLES, Hyperstatic, Limits, Options};
pub use run::{Ending, Future};
