//! The least friction at which dynamic jam attracts an open set of states: a one-parameter search of \[GB99\] for any
//! planar contact. At each configuration θ of a family, p = 0 fixes μ = C/|B|, b = 0 fixes the angular rate ω, and
//! the eigenvalues say whether that G-spot is of kind G1 (α₁ < β < 0). The least μ over the G1 set is sought by a
//! scan, and the ends of the set by bisection: what is found is attained, that there is no less is not proven.

use crate::analysis::local::PlanarModel;
use crate::analysis::planar::{JamCoefficients, Point, gap_acceleration};
use crate::contact::{Friction, Slip};
use crate::model::Singular;
use crate::num::Tol;
use serde::{Deserialize, Serialize};

/// Slipping states of a mechanism, by configuration and rate.
pub trait SlipFamily {
    /// The contact.
    type Model: PlanarModel;

    /// The mechanism.
    fn model(&self) -> &Self::Model;

    /// (q, q̇) in contact at configuration `theta` with rate `omega`; q̇ is affine in `omega`. None if there is none.
    fn state(&self, theta: f64, omega: f64) -> Option<(Vec<f64>, Vec<f64>)>;

    /// q̇ with the slip direction `slip` and the same rates otherwise; none if that cannot be chosen.
    fn sliding(&self, q: &[f64], v: &[f64], slip: Slip) -> Option<Vec<f64>>;
}

/// A G-spot of kind G1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JamPoint {
    /// Friction coefficient at which p vanishes there.
    pub mu: f64,
    /// Direction of slip.
    pub slip: Slip,
    /// Configuration.
    pub theta: f64,
    /// Rate at which b vanishes.
    pub omega: f64,
}

/// Least friction with a G1 spot for θ in `range`; `None` if there is none.
///
/// # Errors
/// [`Singular`] if M cannot be factored somewhere.
pub fn jam_friction<F: SlipFamily>(
    family: &F,
    range: (f64, f64),
    tol: &Tol,
) -> Result<Option<JamPoint>, Singular> {
    let mut best = None;
    for branch in [Branch::Lower, Branch::Upper] {
        let spot = |theta: f64| g1_spot(family, theta, branch, tol);
        let nodes = tol.scan_points;
        let at = |i: usize| range.0 + (range.1 - range.0) * (i as f64 + 0.5) / nodes as f64;
        let mut before = spot(at(0))?;
        consider(&mut best, before);
        for i in 1..nodes {
            let here = spot(at(i))?;
            consider(&mut best, here);
            match (before.is_some(), here.is_some()) {
                (true, false) => consider(&mut best, edge(&spot, at(i - 1), at(i))?),
                (false, true) => consider(&mut best, edge(&spot, at(i), at(i - 1))?),
                (true, true) | (false, false) => {}
            }
            before = here;
        }
        if let Some(found) = best {
            let step = (range.1 - range.0) / nodes as f64;
            consider(&mut best, valley(&spot, found.theta - step, found.theta + step)?);
        }
    }
    Ok(best)
}

fn consider(best: &mut Option<JamPoint>, candidate: Option<JamPoint>) {
    let better = |candidate: &JamPoint| best.is_none_or(|best| candidate.mu < best.mu);
    if let Some(candidate) = candidate.filter(better) {
        *best = Some(candidate);
    }
}

/// The last point of the G1 set between `inside` and `outside`.
fn edge<S: Fn(f64) -> Result<Option<JamPoint>, Singular>>(
    spot: &S,
    mut inside: f64,
    mut outside: f64,
) -> Result<Option<JamPoint>, Singular> {
    loop {
        let middle = 0.5 * (inside + outside);
        if middle <= inside.min(outside) || middle >= inside.max(outside) {
            return spot(inside);
        }
        if spot(middle)?.is_some() { inside = middle } else { outside = middle }
    }
}

/// A local minimum of μ inside the G1 set, by trisection; points outside the set count as infinite.
fn valley<S: Fn(f64) -> Result<Option<JamPoint>, Singular>>(
    spot: &S,
    mut lo: f64,
    mut hi: f64,
) -> Result<Option<JamPoint>, Singular> {
    let mu = |theta: f64| spot(theta).map(|found| found.map_or(f64::INFINITY, |point| point.mu));
    while hi - lo > f64::EPSILON.sqrt() * (1.0 + lo.abs()) {
        let (left, right) = (lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0);
        if mu(left)? <= mu(right)? { hi = right } else { lo = left }
    }
    spot(0.5 * (lo + hi))
}

#[derive(Clone, Copy, Debug)]
enum Branch {
    Lower,
    Upper,
}

fn g1_spot<F: SlipFamily>(
    family: &F,
    theta: f64,
    branch: Branch,
    tol: &Tol,
) -> Result<Option<JamPoint>, Singular> {
    let model = family.model();
    let Some(omega) = critical_rate(family, theta, branch)? else { return Ok(None) };
    let Some((q, v)) = family.state(theta, omega) else { return Ok(None) };
    let local = model.local(0.0, &q, &v)?;
    if local.B.abs() <= tol.marginal * local.C {
        return Ok(None);
    }
    let slip = if local.B > 0.0 { Slip::Pos } else { Slip::Neg };
    let Some(v) = family.sliding(&q, &v, slip) else { return Ok(None) };
    let local = model.local(0.0, &q, &v)?;
    let mu = local.C / local.B.abs(); // p = C − s μ B = 0
    let Ok(friction) = Friction::new(mu) else { return Ok(None) };
    let JamCoefficients { alpha1, beta, .. } =
        JamCoefficients::at(model, friction, slip, Point { t: 0.0, q: &q, v: &v }, &local)?;
    let is_g1 = alpha1 < beta && beta < 0.0;
    Ok(is_g1.then_some(JamPoint { mu, slip, theta, omega }))
}

/// The rate ω at which b = 0: a root of the parabola through three values, then Newton's method.
fn critical_rate<F: SlipFamily>(family: &F, theta: f64, branch: Branch) -> Result<Option<f64>, Singular> {
    let b = |omega: f64| {
        let state = family.state(theta, omega);
        state.map(|(q, v)| family.model().local(0.0, &q, &v).map(|local| local.b)).transpose()
    };
    let (Some(minus), Some(zero), Some(plus)) = (b(-1.0)?, b(0.0)?, b(1.0)?) else { return Ok(None) };
    let (linear, square) = (0.5 * (plus - minus), 0.5 * (plus + minus) - zero);
    let discriminant = linear * linear - 4.0 * square * zero;
    if discriminant < 0.0 || square.abs() <= 0.0 {
        return Ok(None);
    }
    let root = match branch {
        Branch::Lower => -discriminant.sqrt(),
        Branch::Upper => discriminant.sqrt(),
    };
    polish(family, theta, (root - linear) / (2.0 * square))
}

fn polish<F: SlipFamily>(family: &F, theta: f64, mut omega: f64) -> Result<Option<f64>, Singular> {
    for _ in 0..4 {
        let (Some((q, v)), Some((_, next))) = (family.state(theta, omega), family.state(theta, omega + 1.0))
        else {
            return Ok(None);
        };
        let rate: Vec<f64> = next.iter().zip(&v).map(|(next, v)| next - v).collect();
        let b = gap_acceleration(family.model(), Point { t: 0.0, q: &q, v: &v }, &rate)?;
        omega -= b.re / b.eps;
    }
    Ok(Some(omega))
}
