//! Motions: smooth ones between events, with each contact free, sticking or slipping, and what is asked about them.
#![allow(non_snake_case)]

mod no_slip;
mod smooth;
pub mod trajectory;

pub use no_slip::{NoSlip, Span, StickError, StickMotion, Sticking};
pub use smooth::{ContactMotion, SmoothError, SmoothMotion, SmoothWork};
