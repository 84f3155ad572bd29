//! Motions: from event to event with rigid contacts, with compliant ones, and what is asked about them.
#![allow(non_snake_case)]

mod beginning;
pub mod capture;
mod centre;
pub mod compliant;
pub mod converge;
pub mod cycle;
mod drive;
pub mod ensemble;
pub mod event;
pub mod integrate;
pub mod log;
mod no_slip;
pub mod progress;
mod smooth;
pub mod stepped;
pub mod trajectory;

pub use beginning::Beginning;
pub use no_slip::{NoSlip, Span, StickError, StickMotion, Sticking};
pub use smooth::{ContactMotion, SmoothError, SmoothMotion, SmoothWork};
