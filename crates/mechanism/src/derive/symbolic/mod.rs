//! Lagrange's equations with Symbolica. The formulas stand where they are used: `lagrange` has M, B, G and F, `motion` the
//! bodies, `contact` gaps and slips, `terms` the shape in which sums over bodies are kept. What leaves is plain data: a
//! [`Model`] (numbers, from the compact form) and [`Equations`] (for people, simplified).

mod adjugate;
mod algebra;
mod calculus;
mod contact;
mod difference;
mod emit;
mod exact;
mod frames;
mod function;
mod inertial_axes;
mod joint;
mod label;
mod lagrange;
mod load;
mod motion;
mod named;
mod own_axes;
mod print;
mod quaternion;
mod readable;
mod reference;
mod simplify;
mod slopes;
mod system;
mod terms;
mod tree;
mod values;
mod writer;

use super::{DeriveError, Equations, Wording};
use crate::format::Mechanism;
use crate::model::Model;
use algebra::FrameForm;
use readable::{is_readable, is_writable};
use system::System;
use writer::Writer;

/// The model of a mechanism: all outputs of its layout on one tape.
///
/// Calls Symbolica on this thread; without a licence no other thread of the machine may do so at this time or,
/// within this process, ever. Use [`Worker`](super::Worker) unless you know that.
///
/// # Errors
/// [`DeriveError`] if a vector has the wrong length or an expression has no instruction.
pub fn derive(mechanism: &Mechanism) -> Result<Model, DeriveError> {
    System::new(mechanism, FrameForm::Kept)?.model()
}

/// The equations of a mechanism in print.
///
/// Calls Symbolica on this thread, as [`derive()`] does.
///
/// # Errors
/// As [`derive()`].
pub fn equations(mechanism: &Mechanism, wording: Wording) -> Result<Equations, DeriveError> {
    let way = match wording {
        Wording::Short if !is_readable(mechanism) => FrameForm::Kept,
        Wording::Expanded if !is_writable(mechanism) => {
            return Err(DeriveError::Unreadable { what: "the frames follow each other too long" });
        }
        Wording::Short | Wording::Expanded => FrameForm::Expanded,
    };
    let system = System::new(mechanism, way)?;
    let named = system.named_tape(mechanism)?;
    Writer::new(&system, &named, wording, mechanism).equations(mechanism)
}
