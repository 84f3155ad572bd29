//! The least friction with a paradox over a box of variables, for a contact whose A, B, C are given in closed form and
//! whose configurations are all in contact.

use super::branch::{climb, floor};
use super::landscape::Landscape;
use super::least_of;
use crate::contact::Slip;
use crate::model::Singular;
use crate::num::{Dual, Interval, Real, Tol};
use serde::{Deserialize, Serialize};

/// A, B, C of a contact as a function of the searched variables.
pub trait Mobility {
    /// A, B, C at a point (or over a box).
    ///
    /// # Errors
    /// [`Singular`] if M cannot be factored.
    fn mobility<T: Real>(&self, x: &[T]) -> Result<[T; 3], Singular>;
}

/// The least friction over a box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GlobalLeast {
    /// μ at which p first vanishes, attained at `at`.
    pub mu: f64,
    /// Direction of slip there.
    pub slip: Slip,
    /// The configuration.
    pub at: Vec<f64>,
    /// No configuration of the box has a paradox below this friction: proven with outward rounding.
    pub certified_lower: f64,
    /// Boxes examined.
    pub boxes: usize,
}

/// The least friction over a box of variables; `None` if there is none up to the
/// highest friction that is asked about.
///
/// # Errors
/// [`Singular`] if M cannot be factored where the optimum was found.
pub fn global_least_friction<M: Mobility>(
    model: &M,
    domain: &[Interval],
    tol: &Tol,
) -> Result<Option<GlobalLeast>, Singular> {
    let mut landscape = ClosedForm { model, sides: domain.to_vec() };
    let summit = climb(&mut landscape, domain, tol);
    let (Some((height, at)), Some(bound)) = (summit.best, summit.bound) else { return Ok(None) };
    if height <= floor(tol) {
        return Ok(None);
    }
    let [_, B, C] = model.mobility(&at)?;
    let slip = if B > 0.0 { Slip::Pos } else { Slip::Neg };
    Ok(Some(GlobalLeast { mu: C / B.abs(), slip, at, certified_lower: least_of(bound), boxes: summit.boxes }))
}

/// φ = (B/C)², its derivatives by dual numbers.
struct ClosedForm<'m, M> {
    model: &'m M,
    sides: Vec<Interval>,
}

impl<M: Mobility> ClosedForm<'_, M> {
    /// ∂φ/∂xⱼ over the box.
    fn slope(&self, j: usize) -> Interval {
        let rate = |i: usize| Interval::from_f64(if i == j { 1.0 } else { 0.0 });
        let moving = |(i, &side): (usize, &Interval)| Dual::new(side, rate(i));
        let x: Vec<Dual<Interval>> = self.sides.iter().enumerate().map(moving).collect();
        self.model.mobility(&x).map_or(Interval::WHOLE, |[_, B, C]| {
            let ratio = B / C;
            if C.re.lo > 0.0 { (ratio * ratio).eps } else { Interval::WHOLE }
        })
    }
}

impl<M: Mobility> Landscape for ClosedForm<'_, M> {
    fn equations(&self) -> usize {
        0
    }

    fn enclose(&mut self, sides: &[Interval]) {
        self.sides = sides.to_vec();
    }

    fn height(&self) -> Interval {
        self.model
            .mobility(&self.sides)
            .map_or(Interval::WHOLE, |[_, B, C]| if C.lo > 0.0 { (B / C).square() } else { Interval::WHOLE })
    }

    fn equation(&self, _i: usize) -> Interval {
        Interval::from_f64(0.0)
    }

    fn slopes(&mut self, weights: &[f64]) -> Vec<Interval> {
        let weight = Interval::from_f64(weights[0]);
        (0..self.sides.len()).map(|j| weight * self.slope(j)).collect()
    }

    fn admits(&self, x: &[f64]) -> bool {
        self.model.mobility(x).is_ok()
    }
}
