//! The value at a point of the ranges: the state's expressions evaluated anew with what varies, the state placed and analysed.

use super::quantity::Quantity;
use super::quick::{Quick, QuickWork};
use super::reading::{is_decided, read, read_decided};
use crate::analysis::map::{Cell, Point};
use crate::analysis::{StateInput, decided, state_outcome};
use crate::expression::Symbol;
use crate::format::{Override, StateSpec};
use crate::model::Kernel;
use crate::num::Tol;
use crate::pipeline::analyze::{names_of, planar_laws};
use crate::pipeline::finite::undefined_outcome;
use crate::pipeline::singular::singular_fault;
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
    /// Where one contact decides.
    pub(super) quick: Option<Quick<'l>>,
}

/// What one thread works with.
pub(super) struct FieldWork {
    /// Beginning with what is set everywhere.
    overrides: Vec<Override>,
    quick: Option<QuickWork>,
}

impl Field<'_> {
    pub(super) fn work(&self) -> FieldWork {
        FieldWork { overrides: self.set.clone(), quick: self.quick.as_ref().map(Quick::work) }
    }

    /// The value at a point. A state that cannot be analysed there has none.
    ///
    /// # Errors
    /// Those that are the same everywhere.
    pub(super) fn value(&self, work: &mut FieldWork, point: Point) -> Result<Cell, Failure> {
        if let (Some(quick), Some(memory)) = (&self.quick, &mut work.quick)
            && let Some(cell) = quick.cell(&self.quantity, point, memory)
        {
            return Ok(cell);
        }
        match self.slow(work, point) {
            Ok(cell) => Ok(cell),
            Err(Failure::Input { .. } | Failure::File { .. }) => Ok(Cell::Undefined),
            Err(other) => Err(other),
        }
    }

    /// Why there is no value at a point, if the state cannot be analysed there.
    pub(super) fn reason(&self, point: Point) -> Option<String> {
        self.slow(&mut self.work(), point).err().map(|failure| failure.message())
    }

    /// The value in all that a report says of the state.
    ///
    /// # Errors
    /// What `analyze` says of it.
    pub(super) fn slow(&self, work: &mut FieldWork, point: Point) -> Result<Cell, Failure> {
        let (overrides, varied) = (&mut work.overrides, self.targets.iter().zip(point));
        overrides.truncate(self.set.len());
        overrides.extend(varied.map(|((symbol, name), x)| Override::number((*symbol, name), x)));
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
            ahead: None,
        };
        let brief = || read_decided(&self.quantity, &decided(kernel, &values, &input)?);
        if let Some(cell) = is_decided(&self.quantity).then(brief).flatten() {
            return Ok(cell);
        }
        let refused = |fault| Failure::Input { source: loaded.source.clone(), diagnostics: vec![fault] };
        let outcome = state_outcome(kernel, &values, &input)
            .map_err(|s| refused(singular_fault(loaded, self.spec, (kernel, &values), &placed, &s)))?;
        match undefined_outcome(loaded, self.spec, &placed.resolved, &outcome) {
            Some(fault) => Err(refused(fault)),
            None => Ok(read(&self.quantity, &outcome, &placed.state, self.contact.as_deref())),
        }
    }
}
