//! The approach to p = 0 in the time τ of dt = p dτ   [CV16 (32)-(34)]: where it ends, and how the force grows.
//!
//! In that time the motion is regular: p' = α₁ p, b' = α₂ p + β b near p = b = 0. A jam is reached as τ → ∞, while the real time
//! that is left, ∫p dτ = p/|α₁|, vanishes; it is summed up backwards from there, so that it keeps its digits.

use super::mechanics::Mechanics;
use super::watch::gain_terms;
use crate::analysis::ContactView;
use crate::analysis::PlanarModel;
use crate::analysis::planar::{JamCoefficients, JamKind, Point};
use crate::contact::Slip;
use crate::model::Block;
use crate::num::Tol;
use crate::simulate::trajectory::JamDetail;

/// p over its terms below which the time of a jam is used, and above which it is left again.
pub(super) const NEAR: f64 = 0.1;
pub(super) const FAR: f64 = 0.2;
/// What is left of both in space.
pub(super) const TURNING: f64 = 1.0 / 16.0;
/// p over its terms at which the limit is taken: below, it has too few digits left to be followed.
const REACHED: f64 = 1.0 / 8388608.0;
/// Relative error of p that is allowed in a step of this time.
pub(super) const DIGITS: f64 = 1.0 / 1073741824.0;
/// Rounding of a direction, over that of its components.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Looks back from where p falls through zero, each at half the distance of the one before.
pub(super) const HALVINGS: i32 = 16;
/// Remaining times, relative to that at the begin of the approach, between which the exponent of the force is fitted.
const FITTED: [f64; 2] = [1.0 / 67108864.0, 1.0 / 512.0];

/// The approach as it was seen, step by step.
#[derive(Clone, Debug, Default)]
pub(super) struct Approach {
    /// Real time of each step.
    spans: Vec<f64>,
    /// ln λ_N at its end.
    forces: Vec<f64>,
}

impl Approach {
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.forces.clear();
    }

    /// Adds a step of real time `span` that ended at p and b.
    pub(super) fn add(&mut self, span: f64, p: f64, b: f64) {
        self.spans.push(span);
        self.forces.push((-b / p).abs().ln());
    }

    /// Whether it takes more steps than any approach to a limit does.
    pub(super) fn is_endless(&self) -> bool {
        self.spans.len() > STEPS
    }

    /// e of λ_N ~ (t* − t)^e: slope of ln λ_N over ln(t* − t), `left` being the real time that was left at the end.
    pub(super) fn exponent(&self, left: f64) -> f64 {
        slope(&self.points(left))
    }

    /// e of λ_N = c (t* − t)^e + d, e < 0: beside what grows without bounds there is −K, which a plain slope does not tell from it.
    pub(super) fn growth(&self, left: f64) -> f64 {
        let points: Vec<(f64, f64)> = self.points(left).into_iter().map(|(x, y)| (x, y.exp())).collect();
        if points.len() < 4 {
            return f64::NAN;
        }
        let (mut low, mut high) = (STEEPEST, -f64::EPSILON.sqrt());
        for _ in 0..f64::MANTISSA_DIGITS {
            let (one, two) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if misfit(one, &points) <= misfit(two, &points) { high = two } else { low = one }
        }
        0.5 * (low + high)
    }

    /// ln(t* − t) and ln λ_N of the steps that are fitted.
    fn points(&self, left: f64) -> Vec<(f64, f64)> {
        let mut remaining = left;
        let mut points = Vec::new();
        for (span, force) in self.spans.iter().zip(&self.forces).rev() {
            points.push((remaining.ln(), *force));
            remaining += span;
        }
        let whole = remaining.ln();
        points.retain(|&(x, _)| FITTED[0].ln() <= x - whole && x - whole <= FITTED[1].ln());
        points
    }
}

/// Steps of an approach at most; one to a limit takes some hundred.
const STEPS: usize = 20_000;
/// The steepest growth that is sought.
const STEEPEST: f64 = -1.5;

/// Least sum of the squared relative residuals of y = c exp(e x) + d.
fn misfit(e: f64, points: &[(f64, f64)]) -> f64 {
    // 1 = c f + d g with f = exp(e x)/y, g = 1/y
    let terms = |&(x, y): &(f64, f64)| ((e * x).exp() / y, 1.0 / y);
    let sum = |pick: fn(f64, f64) -> f64| points.iter().map(|p| pick(terms(p).0, terms(p).1)).sum::<f64>();
    let [ff, fg, gg] = [sum(|f, _| f * f), sum(|f, g| f * g), sum(|_, g| g * g)];
    let (f1, g1) = (sum(|f, _| f), sum(|_, g| g));
    let det = ff * gg - fg * fg;
    let (c, d) = ((f1 * gg - g1 * fg) / det, (g1 * ff - f1 * fg) / det);
    points.iter().map(terms).map(|(f, g)| (1.0 - c * f - d * g) * (1.0 - c * f - d * g)).sum()
}

/// Least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sums = points.iter().map(|p| ((p.0 - x) * (p.1 - y), (p.0 - x) * (p.0 - x)));
    let (xy, xx) = sums.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
    if points.len() < 3 { f64::NAN } else { xy / xx }
}

/// p and b of the one contact that slips, and p over its terms, b over its own.
pub(super) fn near(contact: usize, mechanics: &Mechanics<'_>) -> ([f64; 2], [f64; 2]) {
    let [own, coupled] = gain_terms(mechanics, contact);
    let row = mechanics.row(contact);
    let (p, b) = (own - coupled, mechanics.block(Block::FreeContactAcceleration)[row]);
    ([p, b], [p / (own + coupled.abs()), b / mechanics.acceleration_size(row)])
}

/// Rounding of p in space, where it depends on the direction of the slip, whose rounding is that of its velocity.
pub(super) fn rounding(contact: usize, mechanics: &Mechanics<'_>, v: &[f64]) -> f64 {
    let tangents = mechanics.layout().tangents;
    if tangents == 1 {
        return 0.0;
    }
    let row = mechanics.row(contact);
    let size = (row + 1..=row + tangents).map(|row| mechanics.speed_size(row, v)).fold(0.0, f64::max);
    let [own, coupled] = gain_terms(mechanics, contact);
    ROUNDING * (own + coupled.abs()) * size / mechanics.slip_speed(contact)
}

/// Whether p is so near zero that the limit is to be taken.
pub(super) fn is_reached([p, b]: [f64; 2]) -> bool {
    p <= REACHED && b < 0.0
}

/// The numbers of a jam in the plane at a state; none if the linear system there does not attract.
pub(super) fn detail(
    contact: usize,
    slip: Slip,
    point: Point<'_>,
    parameters: &[f64],
    (approach, left): (&Approach, f64),
    (mechanics, tol): (&Mechanics<'_>, &Tol),
) -> Option<JamDetail> {
    let view = ContactView { kernel: mechanics.motion.kernel(), parameters, contact };
    let local = view.local(point.t, point.q, point.v).ok()?;
    let friction = mechanics.laws[contact].friction;
    let coefficients = JamCoefficients::at(&view, friction, slip, point, &local).ok()?;
    let kind = coefficients.class(tol)?.kind()?;
    let p = local.planar().gains(friction).p(slip).value;
    let JamCoefficients { alpha1, alpha2, beta } = coefficients;
    let theory = match kind {
        JamKind::G1 => beta / alpha1 - 1.0,
        JamKind::G2 => 0.0,
    };
    let class = match kind {
        JamKind::G1 => "G1",
        JamKind::G2 => "G2",
    };
    Some(JamDetail {
        p: p.into(),
        b: local.b.into(),
        class: class.into(),
        force_exponent: match kind {
            JamKind::G1 => approach.growth(left).into(),
            JamKind::G2 => approach.exponent(left).into(),
        },
        force_exponent_theory: theory.into(),
        coefficients: Some([alpha1.into(), alpha2.into(), beta.into()]),
    })
}

#[cfg(test)]
mod tests {
    use super::Approach;

    #[test]
    fn growth_is_told_from_what_stays() {
        for (e, d) in [(-0.2, -0.3), (-0.7, 2.0)] {
            let mut approach = Approach::default();
            let at = |i: i32| 0.7_f64.powi(i);
            for i in 1..80 {
                approach.add(at(i - 1) - at(i), 1.0, -(at(i).powf(e) + d));
            }
            let fitted = approach.growth(at(79));
            assert!((fitted - e).abs() < 1e-6, "{fitted} {e}");
        }
    }
}
