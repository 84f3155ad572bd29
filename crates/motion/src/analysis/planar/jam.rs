//! Dynamic jam: slip near the G-spot p = b = 0 [CV16 section 5.1].
//!
//! In slip s with λ_N = −b/p, the time dt = p dτ (32) makes p' = α₁ p (33), b' = α₂ p + β b (34), where
//! α₁ = ṗ and α₂ = ḃ along the motion without contact force, and β = −∇_q̇ b · W with W = M⁻¹(d − sμc). The
//! coefficients are exact directional derivatives (dual numbers). The matrix [[α₁, 0], [α₂, β]] has eigenvalues α₁
//! with eigenvector (α₁ − β, α₂), of slope K = α₂/(α₁ − β), and β with (0, 1).
//!
//! From p > 0, b < 0 the G-spot is reached in the finite time p/|α₁|
//! * G1, α₁ < β < 0: from b < Kp, with λ_N → ∞;
//! * G2, β < α₁ < 0 and α₂ < 0: from everywhere, with λ_N → −K.

use crate::analysis::local::{Local, PlanarModel};
use crate::contact::{Friction, Scaled, Sign, Slip};
use crate::model::Singular;
use crate::num::{Dual, Number, Tol};
use serde::{Deserialize, Serialize};

/// A point of the state space.
#[derive(Clone, Copy, Debug)]
pub struct Point<'s> {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: &'s [f64],
    /// Velocities.
    pub v: &'s [f64],
}

/// The coefficients of (33), (34).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JamCoefficients {
    /// α₁: rate of p.
    pub alpha1: f64,
    /// α₂: rate of b in free motion.
    pub alpha2: f64,
    /// β: minus the change of b per unit λ_N.
    pub beta: f64,
}

/// Order of the eigenvalues α₁, β and zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Order {
    #[serde(rename = "alpha1 < beta < 0")]
    Alpha1BetaZero,
    #[serde(rename = "beta < alpha1 < 0")]
    BetaAlpha1Zero,
    #[serde(rename = "alpha1 < 0 < beta")]
    Alpha1ZeroBeta,
    #[serde(rename = "beta < 0 < alpha1")]
    BetaZeroAlpha1,
    #[serde(rename = "0 < alpha1 < beta")]
    ZeroAlpha1Beta,
    #[serde(rename = "0 < beta < alpha1")]
    ZeroBetaAlpha1,
}

/// One of the 12 classes of (33), (34): order of the eigenvalues and sign of α₂.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JamClass {
    /// Order of α₁, β, 0.
    pub order: Order,
    /// Whether α₂ > 0.
    pub drift: Drift,
}

/// Sign of α₂.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drift {
    /// α₂ > 0: b grows in free motion.
    Lifting,
    /// α₂ < 0.
    Pressing,
}

/// The two ways into the G-spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JamKind {
    /// λ_N → ∞.
    G1,
    /// λ_N → −K.
    G2,
}

/// What the linear system does with a state p > 0, b < 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Reaches the G-spot.
    Jams(JamKind),
    /// Crosses b = 0.
    LiftsOff,
    /// Leaves the neighbourhood in contact.
    SlipsAway,
    /// On a separating line within the tolerance.
    Marginal,
    /// Two of α₁, β, 0 coincide, or α₂ vanishes: no class, and nothing follows.
    Degenerate,
    /// Not a pressed slip outside the paradox: p ≤ 0 or b ≥ 0.
    NotApplicable,
}

/// Slip near the G-spot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Jam {
    /// Direction of slip.
    pub slip: Slip,
    /// p of that direction; distance to the Painlevé boundary.
    pub p: f64,
    /// |p| relative to its terms.
    pub p_distance: f64,
    /// b.
    pub b: f64,
    /// |b| relative to its terms.
    pub b_distance: f64,
    /// α₁, α₂, β at this state.
    pub coefficients: JamCoefficients,
    /// K = α₂/(α₁ − β): slope of the eigenvector of α₁ in the (p, b)-plane; that of β is the b-axis.
    pub slope: Number,
    /// The class; none if two of α₁, β, 0 or α₂ and 0 coincide within the tolerance.
    pub class: Option<JamClass>,
    /// G1, G2, or neither: whether this class attracts an open set of states.
    pub kind: Option<JamKind>,
    /// Panel of Fig. 13. Only that (c), (e), (i) are the attracting ones is printed; the assignment is ours.
    pub panel: Option<char>,
    /// What the linear system does with this state; meaningful near the G-spot only.
    pub fate: Fate,
    /// Time to the G-spot, p/|α₁|, if the fate is to jam.
    pub time: Option<f64>,
}

impl Jam {
    /// Whether the linear system around p = b = 0 has a class, and the state is near enough for it to matter.
    pub fn says_something(&self, tol: &Tol) -> bool {
        self.class.is_some() && self.p_distance.max(self.b_distance) <= tol.near_jam
    }
}

impl JamCoefficients {
    /// The coefficients from exact directional derivatives at a state in slip.
    ///
    /// # Errors
    /// [`Singular`] if M cannot be factored.
    pub fn at<M: PlanarModel>(
        model: &M,
        friction: Friction,
        slip: Slip,
        point: Point<'_>,
        local: &Local<f64>,
    ) -> Result<Self, Singular> {
        // α₁ = d/dh p(t + h, q + h q̇), α₂ = d/dh b(t + h, q + h q̇, q̇ + h M⁻¹f)
        let free = along(model, point, Direction { t: 1.0, q: point.v, v: &local.free })?;
        // β = −d/dh b(q, q̇ + h W)
        let response = local.slip_response(friction, slip);
        let still = vec![0.0; point.q.len()];
        let pushed = along(model, point, Direction { t: 0.0, q: &still, v: &response })?;
        let alpha1 = free.normal_gain(friction, slip).eps;
        Ok(Self { alpha1, alpha2: free.b.eps, beta: -pushed.b.eps })
    }

    /// K.
    pub fn slope(&self) -> f64 {
        self.alpha2 / (self.alpha1 - self.beta)
    }

    /// The class, unless two of the numbers coincide within the tolerance.
    pub fn class(&self, tol: &Tol) -> Option<JamClass> {
        let scale = self.alpha1.abs() + self.beta.abs();
        let sign = |value: f64| Scaled { value, scale }.sign(tol.marginal);
        let order = match (sign(self.alpha1), sign(self.beta), sign(self.alpha1 - self.beta)) {
            (Sign::Negative, Sign::Negative, Sign::Negative) => Order::Alpha1BetaZero,
            (Sign::Negative, Sign::Negative, Sign::Positive) => Order::BetaAlpha1Zero,
            (Sign::Negative, Sign::Positive, _) => Order::Alpha1ZeroBeta,
            (Sign::Positive, Sign::Negative, _) => Order::BetaZeroAlpha1,
            (Sign::Positive, Sign::Positive, Sign::Negative) => Order::ZeroAlpha1Beta,
            (Sign::Positive, Sign::Positive, Sign::Positive) => Order::ZeroBetaAlpha1,
            _ => return None,
        };
        match Scaled::exact(self.alpha2).sign(tol.marginal) {
            Sign::Positive => Some(JamClass { order, drift: Drift::Lifting }),
            Sign::Negative => Some(JamClass { order, drift: Drift::Pressing }),
            Sign::Marginal => None,
        }
    }
}

struct Direction<'d> {
    t: f64,
    q: &'d [f64],
    v: &'d [f64],
}

/// The local problem at a state that moves along a direction.
fn along<M: PlanarModel>(
    model: &M,
    point: Point<'_>,
    direction: Direction<'_>,
) -> Result<Local<Dual<f64>>, Singular> {
    let duals = |x: &[f64], rate: &[f64]| -> Vec<Dual<f64>> {
        x.iter().zip(rate).map(|(&x, &rate)| Dual::new(x, rate)).collect()
    };
    let t = Dual::new(point.t, direction.t);
    model.local(t, &duals(point.q, direction.q), &duals(point.v, direction.v))
}

impl JamClass {
    /// G1, G2 or neither.
    pub fn kind(self) -> Option<JamKind> {
        match (self.order, self.drift) {
            (Order::Alpha1BetaZero, _) => Some(JamKind::G1),
            (Order::BetaAlpha1Zero, Drift::Pressing) => Some(JamKind::G2),
            _ => None,
        }
    }

    /// A letter for each kind of portrait in the quadrant p > 0, b < 0. \[CV16\] prints only that (c), (e), (i)
    /// attract; the rest of the assignment is reconstructed: nine kinds, the six with α₁ < 0 and three with α₁ > 0.
    pub fn panel(self) -> char {
        match (self.order, self.drift) {
            (Order::BetaZeroAlpha1 | Order::ZeroBetaAlpha1, Drift::Lifting) => 'a',
            (Order::BetaZeroAlpha1 | Order::ZeroBetaAlpha1 | Order::ZeroAlpha1Beta, Drift::Pressing) => 'b',
            (Order::Alpha1BetaZero, Drift::Pressing) => 'c',
            (Order::ZeroAlpha1Beta, Drift::Lifting) => 'd',
            (Order::Alpha1BetaZero, Drift::Lifting) => 'e',
            (Order::Alpha1ZeroBeta, Drift::Lifting) => 'f',
            (Order::Alpha1ZeroBeta, Drift::Pressing) => 'g',
            (Order::BetaAlpha1Zero, Drift::Lifting) => 'h',
            (Order::BetaAlpha1Zero, Drift::Pressing) => 'i',
        }
    }

    /// The fate of a state p > 0, b < 0, given the sign of b − Kp (above or below the eigenline).
    fn fate(self, above: Sign) -> Fate {
        let by_side = |above_line: Fate, below_line: Fate| match above {
            Sign::Positive => above_line,
            Sign::Negative => below_line,
            Sign::Marginal => Fate::Marginal,
        };
        match (self.order, self.drift) {
            (Order::Alpha1BetaZero, _) => by_side(Fate::LiftsOff, Fate::Jams(JamKind::G1)),
            (Order::BetaAlpha1Zero, Drift::Pressing) => Fate::Jams(JamKind::G2),
            (Order::BetaZeroAlpha1 | Order::ZeroBetaAlpha1, Drift::Pressing) => Fate::SlipsAway,
            (Order::BetaAlpha1Zero | Order::BetaZeroAlpha1 | Order::ZeroBetaAlpha1, Drift::Lifting) => {
                Fate::LiftsOff
            }
            (Order::Alpha1ZeroBeta | Order::ZeroAlpha1Beta, _) => by_side(Fate::LiftsOff, Fate::SlipsAway),
        }
    }
}

/// The jam analysis of a slipping contact.
///
/// # Errors
/// [`Singular`] if M cannot be factored.
pub fn jam<M: PlanarModel>(
    model: &M,
    friction: Friction,
    point: Point<'_>,
    local: &Local<f64>,
    tol: &Tol,
) -> Result<Jam, Singular> {
    let slip = if local.u < 0.0 { Slip::Neg } else { Slip::Pos };
    let coefficients = JamCoefficients::at(model, friction, slip, point, local)?;
    let p = local.planar().gains(friction).p(slip);
    let b = Scaled { value: local.b, scale: local.scales.b };
    let (class, slope) = (coefficients.class(tol), coefficients.slope());
    let pressed = p.sign(tol.marginal) == Sign::Positive && b.sign(tol.marginal) == Sign::Negative;
    let above = Scaled { value: b.value - slope * p.value, scale: b.value.abs() + (slope * p.value).abs() };
    let fate = match class {
        _ if !pressed => Fate::NotApplicable,
        None => Fate::Degenerate,
        Some(class) => class.fate(above.sign(tol.marginal)),
    };
    Ok(Jam {
        slip,
        p: p.value,
        p_distance: p.distance(),
        b: b.value,
        b_distance: b.distance(),
        coefficients,
        slope: slope.into(),
        class,
        kind: class.and_then(JamClass::kind),
        panel: class.map(JamClass::panel),
        fate,
        time: matches!(fate, Fate::Jams(_)).then(|| p.value / coefficients.alpha1.abs()),
    })
}

/// Value of a number and of its derivative, for callers that differentiate b themselves.
pub(crate) fn gap_acceleration<M: PlanarModel>(
    model: &M,
    point: Point<'_>,
    rate: &[f64],
) -> Result<Dual<f64>, Singular> {
    let still = vec![0.0; point.q.len()];
    Ok(along(model, point, Direction { t: 0.0, q: &still, v: rate })?.b)
}

#[cfg(test)]
mod tests {
    use super::{Drift, Fate, JamClass, JamKind, Order};
    use crate::contact::Sign;

    const ORDERS: [(Order, f64, f64); 6] = [
        (Order::Alpha1BetaZero, -2.0, -0.7),
        (Order::BetaAlpha1Zero, -0.7, -2.0),
        (Order::Alpha1ZeroBeta, -1.0, 0.8),
        (Order::BetaZeroAlpha1, 0.8, -1.0),
        (Order::ZeroAlpha1Beta, 0.6, 1.5),
        (Order::ZeroBetaAlpha1, 1.5, 0.6),
    ];

    /// Integrates p' = α₁ p, b' = α₂ p + β b by small steps.
    fn follow(alpha1: f64, alpha2: f64, beta: f64, mut p: f64, mut b: f64) -> Fate {
        let dt = 1e-3;
        for _ in 0..60_000 {
            let middle = (p + 0.5 * dt * alpha1 * p, b + 0.5 * dt * (alpha2 * p + beta * b));
            p += dt * alpha1 * middle.0;
            b += dt * (alpha2 * middle.0 + beta * middle.1);
            if b > 0.0 {
                return Fate::LiftsOff;
            }
            if p.abs() + b.abs() > 1e3 {
                return Fate::SlipsAway;
            }
        }
        Fate::Jams(if b / p < -1e3 { JamKind::G1 } else { JamKind::G2 })
    }

    #[test]
    fn every_class_has_the_fate_of_its_linear_system() {
        for (order, alpha1, beta) in ORDERS {
            for (drift, alpha2) in [(Drift::Lifting, 1.0), (Drift::Pressing, -1.0)] {
                let slope = alpha2 / (alpha1 - beta);
                for b in [-0.05, -0.4, -3.0, -20.0] {
                    let above = if b > slope { Sign::Positive } else { Sign::Negative };
                    let found = JamClass { order, drift }.fate(above);
                    assert_eq!(found, follow(alpha1, alpha2, beta, 1.0, b), "{order:?} {drift:?} {b}");
                }
            }
        }
    }

    #[test]
    fn attracting_panels_are_c_e_i() {
        let classes = ORDERS.iter().flat_map(|&(order, ..)| {
            [Drift::Lifting, Drift::Pressing].map(|drift| JamClass { order, drift })
        });
        let mut attracting: Vec<char> =
            classes.filter(|class| class.kind().is_some()).map(JamClass::panel).collect();
        attracting.sort_unstable();
        assert_eq!(attracting, ['c', 'e', 'i']);
    }
}
