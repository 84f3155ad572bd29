//! The value at a point of the ranges: the state's expressions evaluated anew with what varies, the state placed and analysed, or its motion followed.

use super::outcome::OutcomeField;
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
use crate::simulate::event::Memory;

/// A quantity as a function of two numbers.
pub(super) struct Field<'l> {
    pub(super) loaded: &'l Loaded,
    pub(super) spec: &'l StateSpec,
    /// What is set everywhere.
    pub(super) set: Vec<Override>,
    /// What varies, with its name.
    pub(super) targets: [(Symbol, String); 2],
    pub(super) tol: Tol,
    pub(super) sought: Sought<'l>,
}

/// What it is a quantity of.
pub(super) enum Sought<'l> {
    /// The state.
    Said(Box<Said<'l>>),
    /// The motion from it.
    Outcome(Box<OutcomeField<'l>>),
}

/// What is said of a state.
pub(super) struct Said<'l> {
    pub(super) kernel: Kernel,
    pub(super) quantity: Quantity,
    pub(super) contact: Option<String>,
    /// Where one contact decides.
    pub(super) quick: Option<Quick<'l>>,
}

/// What one thread works with.
pub(super) struct FieldWork {
    /// Beginning with what is set everywhere.
    overrides: Vec<Override>,
    quick: Option<QuickWork>,
    memory: Memory,
}

impl Field<'_> {
    pub(super) fn work(&self) -> FieldWork {
        let quick = match &self.sought {
            Sought::Said(said) => said.quick.as_ref().map(Quick::work),
            Sought::Outcome(_) => None,
        };
        FieldWork { overrides: self.set.clone(), quick, memory: Memory::default() }
    }

    /// The contact whose number it is, if it is one's.
    pub(super) fn contact(&self) -> Option<&String> {
        match &self.sought {
            Sought::Said(said) => said.contact.as_ref(),
            Sought::Outcome(_) => None,
        }
    }

    /// The value at a point. A state that cannot be analysed there, or from which the motion has no such number, has none.
    ///
    /// # Errors
    /// Those that are the same everywhere.
    pub(super) fn value(&self, work: &mut FieldWork, point: Point) -> Result<Cell, Failure> {
        let said = match &self.sought {
            Sought::Said(said) => said,
            Sought::Outcome(outcome) => {
                self.placed(work, point);
                return Ok(outcome.value(&work.overrides, &mut work.memory)?.0);
            }
        };
        if let (Some(quick), Some(memory)) = (&said.quick, &mut work.quick)
            && let Some(cell) = quick.cell(&said.quantity, point, memory)
        {
            return Ok(cell);
        }
        match self.slow(said, work, point) {
            Ok(cell) => Ok(cell),
            Err(Failure::Input { .. } | Failure::File { .. }) => Ok(Cell::Undefined),
            Err(other) => Err(other),
        }
    }

    /// Why there is no value at a point, if it is not that there is no such number of the state.
    pub(super) fn reason(&self, point: Point) -> Option<String> {
        let mut work = self.work();
        match &self.sought {
            Sought::Said(said) => self.slow(said, &mut work, point).err().map(|failure| failure.message()),
            Sought::Outcome(outcome) => {
                self.placed(&mut work, point);
                outcome.value(&work.overrides, &mut work.memory).ok()?.1
            }
        }
    }

    /// Sets what varies.
    fn placed(&self, work: &mut FieldWork, point: Point) {
        let (overrides, varied) = (&mut work.overrides, self.targets.iter().zip(point));
        overrides.truncate(self.set.len());
        overrides.extend(varied.map(|((symbol, name), x)| Override::number((*symbol, name), x)));
    }

    /// The value in all that a report says of the state.
    ///
    /// # Errors
    /// What `analyze` says of it.
    fn slow(&self, said: &Said<'_>, work: &mut FieldWork, point: Point) -> Result<Cell, Failure> {
        self.placed(work, point);
        let (loaded, Said { kernel, quantity, contact, .. }, tol) = (self.loaded, said, &self.tol);
        let Evaluated { placed, values, sizes } =
            placed_state(loaded, kernel, self.spec, &work.overrides, tol)?;
        let input = StateInput {
            name: &self.spec.name,
            description: None,
            names: names_of(&loaded.mechanism),
            state: &placed.state,
            sizes: &sizes,
            gravity: None,
            rest: quantity.depth(),
            laws: planar_laws(loaded, &placed.resolved.laws)?,
            closed: &placed.closed,
            step: None,
            tol: *tol,
            ahead: None,
        };
        let brief = || read_decided(quantity, &decided(kernel, &values, &input)?);
        if let Some(cell) = is_decided(quantity).then(brief).flatten() {
            return Ok(cell);
        }
        let refused = |fault| Failure::Input { source: loaded.source.clone(), diagnostics: vec![fault] };
        let outcome = state_outcome(kernel, &values, &input)
            .map_err(|s| refused(singular_fault(loaded, self.spec, (kernel, &values), &placed, &s)))?;
        match undefined_outcome(loaded, self.spec, &placed.resolved, &outcome) {
            Some(fault) => Err(refused(fault)),
            None => Ok(read(quantity, &outcome, &placed.state, contact.as_deref())),
        }
    }
}
