//! The pivots that tell a positive definite matrix: dᵢ > `singular` · |diagonal entry|, as in
//! [`dense::cholesky`](crate::num::dense::cholesky). Pivots that are positive constants need no look.

use crate::num::{Tol, dense::packed_len};
use crate::tape::{Builder, Value};

/// M, or the constraints' J M⁻¹ Jᵀ, cannot be factored.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Singular {
    /// M is not positive definite.
    #[error("M is not positive definite: pivot {pivot} at coordinate {coordinate}")]
    MassMatrix {
        /// Index of the coordinate at which the factorisation stopped.
        coordinate: usize,
        /// The pivot there; positive in a positive definite matrix.
        pivot: f64,
    },
    /// The bilateral constraints are not independent.
    #[error("the constraints are dependent: pivot {pivot} at constraint {constraint}")]
    Constraints {
        /// Index of the constraint at which the factorisation stopped.
        constraint: usize,
        /// The pivot there.
        pivot: f64,
    },
}

/// Which matrix is factored.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage {
    MassMatrix,
    Constraints,
}

/// A pivot and the diagonal entry it is left of.
#[derive(Clone, Copy, Debug)]
struct Pivot<X> {
    stage: Stage,
    index: usize,
    pivot: X,
    diagonal: X,
}

/// The pivots in the order of the elimination: as values while the tape is built, as its outputs afterwards.
#[derive(Clone, Debug)]
pub(super) struct Pivots {
    singular: f64,
    values: Vec<Pivot<Value>>,
    places: Vec<Pivot<usize>>,
}

impl Default for Pivots {
    fn default() -> Self {
        Pivots { singular: Tol::default().singular, values: Vec::new(), places: Vec::new() }
    }
}

impl Pivots {
    pub(super) fn set_tolerance(&mut self, singular: f64) {
        self.singular = singular;
    }

    /// Takes the pivots of a packed matrix into account.
    pub(super) fn watch(&mut self, stage: Stage, pivots: &[Value], packed: &[Value]) {
        let watched = pivots.iter().enumerate().map(|(index, &pivot)| {
            let diagonal = packed[packed_len(index) + index];
            Pivot { stage, index, pivot, diagonal }
        });
        self.values.extend(watched);
    }

    /// Appends to a tape's outputs what [`Pivots::check`] will look at.
    pub(super) fn place(&mut self, builder: &Builder, outputs: &mut Vec<Value>) {
        let mut place = |value: Value| {
            outputs.iter().position(|&v| v == value).unwrap_or_else(|| {
                outputs.push(value);
                outputs.len() - 1
            })
        };
        for p in std::mem::take(&mut self.values) {
            let constant = |v| builder.as_constant(v);
            let safe = constant(p.pivot)
                .zip(constant(p.diagonal))
                .is_some_and(|(pivot, diagonal)| is_positive(pivot, diagonal, self.singular));
            if !safe {
                let (pivot, diagonal) = (place(p.pivot), place(p.diagonal));
                self.places.push(Pivot { stage: p.stage, index: p.index, pivot, diagonal });
            }
        }
    }

    /// The first pivot that is not positive, if there is one.
    #[inline]
    pub(super) fn check(&self, output: impl Fn(usize) -> f64) -> Result<(), Singular> {
        let fails = |p: &&Pivot<usize>| !is_positive(output(p.pivot), output(p.diagonal), self.singular);
        match self.places.iter().find(fails) {
            None => Ok(()),
            Some(p) => Err(p.singular(output(p.pivot))),
        }
    }
}

impl Pivots {
    /// Each constraint whose pivot is not constant, its pivot and its diagonal entry.
    #[inline]
    pub(super) fn of_constraints(
        &self,
        output: impl Fn(usize) -> f64,
    ) -> impl Iterator<Item = (usize, f64, f64)> {
        let constraints = self.places.iter().filter(|p| matches!(p.stage, Stage::Constraints));
        constraints.map(move |p| (p.index, output(p.pivot), output(p.diagonal)))
    }
}

impl Pivot<usize> {
    #[cold]
    fn singular(&self, pivot: f64) -> Singular {
        match self.stage {
            Stage::MassMatrix => Singular::MassMatrix { coordinate: self.index, pivot },
            Stage::Constraints => Singular::Constraints { constraint: self.index, pivot },
        }
    }
}

/// False for what is not a finite number.
#[inline]
fn is_positive(pivot: f64, diagonal: f64, singular: f64) -> bool {
    pivot > singular * diagonal.abs() && pivot < f64::INFINITY
}
