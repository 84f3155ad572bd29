//! `converge`: orders of accuracy of schemes on a motion of a mechanism.

mod ask;
mod ladder;
mod reference;
mod run;

pub use ask::{ConvergeOptions, DEFAULT_SPAN, converge};
