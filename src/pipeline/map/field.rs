//! The value at a point of the ranges: the state's expressions evaluated anew with what varies, the state placed and analysed.

use super::quantity::Quantity;
use super::reading::read;
use crate::analysis::map::{Cell, Point};
use crate::analysis::{StateInput, state_outcome};
use crate::expression::Symbol;
use crate::format::{Override, StateSpec};
use crate::model::Kernel;
use crate::num::Tol;
use crate::pipeline::analyze::{names_of, planar_laws};
use crate::pipeline::states::{Evaluated, placed_state};
use crate::pipeline::{Failure, Loaded};

/// A quantity as a function of two numbers.
pub(super) struct Field<'l> {
    pub(super) loaded: &'l Loaded,
    pub(super) kernel: Kernel,
    pub(super) spec: &'l StateSpec,
    /// What is set everywhere.
    pub(super) set: Vec<Override>,
    /// What varies, with its name.
    pub(super) targets: [(Symbol, String); 2],
    pub(super) quantity: Quantity,
    pub(super) contact: Option<String>,
    pub(super) tol: Tol,
}

/// A value, and why there is none.
pub(super) type Found = (Cell, Option<String>);

impl Field<'_> {
    /// The value at a point; `overrides` begins with what is set everywhere. A state that cannot be analysed there has none.
    pub(super) fn value(&self, overrides: &mut Vec<Override>, point: Point) -> Result<Found, Failure> {
        overrides.truncate(self.set.len());
        let varied = self.targets.iter().zip(point);
        overrides.extend(varied.map(|((symbol, name), x)| Override::number((*symbol, name), x)));
        match self.analysed(overrides) {
            Ok(cell) => Ok((cell, None)),
            Err(failure @ (Failure::Input { .. } | Failure::File { .. })) => {
                Ok((Cell::Undefined, Some(failure.message())))
            }
            Err(other) => Err(other),
        }
    }

    fn analysed(&self, overrides: &[Override]) -> Result<Cell, Failure> {
        let (loaded, kernel, tol) = (self.loaded, &self.kernel, &self.tol);
        let Evaluated { placed, values, sizes } = placed_state(loaded, kernel, self.spec, overrides, tol)?;
        let input = StateInput {
            name: &self.spec.name,
            description: None,
            names: names_of(&loaded.mechanism),
            state: &placed.state,
            sizes: &sizes,
            gravity: None,
            rest: self.quantity.depth(),
            laws: planar_laws(loaded, &placed.resolved.laws)?,
            closed: &placed.closed,
            step: None,
            tol: *tol,
        };
        let contact = self.contact.as_deref();
        Ok(match state_outcome(kernel, &values, &input) {
            Ok(outcome) => read(&self.quantity, &outcome, &placed.state, contact),
            // M cannot be factored there
            Err(_) => Cell::Undefined,
        })
    }
}
