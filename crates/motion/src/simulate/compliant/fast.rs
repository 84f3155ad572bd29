//! The limit ε → 0 of one compliant contact in closed form: impacts with any damping, those without collision too, and the line
//! that divides lift-off from impact at an indeterminate state   [HK17].
//!
//! During an impact b and a do not count, and with y = εY and the time t/ε the contact is an [`Oscillator`] in each mode:
//! v′ = p N, u′ = −s k N, so that v and u move along straight lines in the impulse, as in a rigid impact; what the
//! compliance decides is where on the second line the force vanishes. Without collision (v⁻ = 0, p < 0) the motion
//! leaves along the unstable direction of the saddle, Y = v/Λ, Λ = ½(−pd + √(p²d² − 4pk)) > 0.

use super::oscillator::Oscillator;
use crate::contact::{Compliance, Friction, Mode, Planar, Slip};
use crate::impact::Velocity;
use crate::num::bracketed_root;
use crate::predict::eigenvalues;

/// An impact of a compliant contact in the limit of infinite stiffness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FastImpact {
    /// Velocity after it.
    pub post: Velocity,
    /// What the contact does when its force vanishes.
    pub last: Mode,
    /// Gap rate where the slip ended, if it did.
    pub rest: Option<f64>,
    /// Largest scaled penetration −Y; it counts from the end of slip on where that is none, without collision.
    pub penetration: f64,
}

/// The impact at a velocity with v < 0, or v = 0 without collision. None where there is none.
pub fn fast_impact(
    planar: &Planar,
    friction: Friction,
    compliance: Compliance,
    pre: Velocity,
) -> Option<FastImpact> {
    let slip = if pre.u > 0.0 { Slip::Pos } else { Slip::Neg };
    let moving = pre.u.abs() > 0.0;
    let p = planar.normal_gain(friction, slip);
    let collides = pre.v < 0.0;
    let leaves = pre.v <= 0.0 && moving && p < 0.0;
    if !(collides || leaves) {
        return None;
    }
    if !moving {
        return Some(after_rest(planar, friction, compliance, [0.0, pre.v]));
    }
    match slip_phase(planar, friction, Oscillator { p, compliance }, (slip, pre)) {
        End::Released([y, v], u) => {
            let last = if u > 0.0 { Mode::SlipPos } else { Mode::SlipNeg };
            Some(FastImpact { post: Velocity { u, v }, last, rest: None, penetration: -y })
        }
        End::Rest(point) => {
            Some(FastImpact { rest: Some(point[1]), ..after_rest(planar, friction, compliance, point) })
        }
    }
}

/// How the first phase ends: released with its slip, or at rest.
enum End {
    Released([f64; 2], f64),
    Rest([f64; 2]),
}

/// v_s = v⁻ + p P_s at P_s = |u⁻|/k, unless the force vanishes before.
fn slip_phase(
    planar: &Planar,
    friction: Friction,
    oscillator: Oscillator,
    (slip, pre): (Slip, Velocity),
) -> End {
    let gains = planar.gains(friction);
    let (p, k) = (gains.p(slip).value, gains.k(slip).value);
    // infinite friction ends the slip at once; otherwise n/n = 1
    let v = pre.v + p / k * pre.u.abs();
    if friction.is_infinite() {
        return End::Rest([0.0, v]);
    }
    if pre.v >= 0.0 {
        let unstable = eigenvalues(oscillator.p, oscillator.compliance)[0].re;
        return End::Rest([v / unstable, v]);
    }
    let start = [0.0, pre.v];
    let released = oscillator.release(start);
    if let Some(time) = released {
        let [y, last] = oscillator.at(start, time);
        // P by the change of v
        let left = pre.u.abs() - k * (last - pre.v) / p;
        if left > 0.0 || k <= 0.0 {
            return End::Released([y, last], slip.sign() * left);
        }
    }
    // v is monotonic while the contact presses
    let passed = |time: f64| (v - oscillator.at(start, time)[1]) * p.signum();
    let mut last = released.unwrap_or(1.0 / oscillator.force(start).abs());
    while passed(last) > 0.0 && last.is_finite() && released.is_none() {
        last *= 2.0;
    }
    let time = bracketed_root((0.0, last), 0.0, passed);
    End::Rest([oscillator.at(start, time)[0], v])
}

/// From (Y, v) at u = 0 on: stick, or slip the other way   [CV16 section 3.2].
fn after_rest(planar: &Planar, friction: Friction, compliance: Compliance, point: [f64; 2]) -> FastImpact {
    let gains = planar.gains(friction);
    let reversed = [Slip::Pos, Slip::Neg].into_iter().find(|&slip| gains.k(slip).value < 0.0);
    let (p, last) = match reversed {
        None => (planar.stick_gain(), Mode::Stick),
        Some(slip) => (planar.normal_gain(friction, slip), slip.into()),
    };
    let oscillator = Oscillator { p, compliance };
    // never released: all of the velocity is lost
    let [y, v] = oscillator.release(point).map_or([0.0, 0.0], |time| oscillator.at(point, time));
    let u = reversed.map_or(0.0, |slip| -slip.sign() * planar.slip_gain(friction, slip) * (v - point[1]) / p);
    let penetration = -point[0].min(y);
    FastImpact { post: Velocity { u, v }, last, rest: Some(point[1]), penetration }
}

/// Where a motion that starts near an indeterminate state goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The contact lifts off.
    LiftOff,
    /// An impact without collision follows.
    Impact,
}

/// The saddle of a paradoxical slip (p < 0 < b) in (Y, V), y = ε²Y, ẏ = εV, and its stable manifold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divide {
    /// Y at the saddle, where V = 0.
    pub equilibrium: f64,
    /// Eigenvalues on the time t/ε: Λ > 0, and the slope of the dividing line, < 0.
    pub eigenvalues: [f64; 2],
    b: f64,
}

/// The divide of a slip; none unless p < 0 < b.
pub fn divide(planar: &Planar, friction: Friction, slip: Slip, compliance: Compliance) -> Option<Divide> {
    let p = planar.normal_gain(friction, slip);
    if !(p < 0.0 && planar.b > 0.0 && p.is_finite()) {
        return None;
    }
    let [unstable, stable] = eigenvalues(p, compliance).map(|x| x.re);
    let equilibrium = planar.b / (p * compliance.stiffness);
    Some(Divide { equilibrium, eigenvalues: [unstable, stable], b: planar.b })
}

impl Divide {
    /// The scaled approach velocity at touch beyond which an impact follows: where the line meets Y = 0.
    pub fn approach(&self) -> f64 {
        -self.eigenvalues[1] * self.equilibrium
    }

    /// V − Λ₂ (Y − Y*), the coordinate along the unstable direction: positive above the line.
    pub fn above(&self, [Y, V]: [f64; 2]) -> f64 {
        V - self.eigenvalues[1] * (Y - self.equilibrium)
    }

    /// Where a motion from (Y, V) goes. Above Y = 0 it flies first, V′ = b, and counts from where it touches; below, the
    /// contact must press there.
    pub fn side(&self, point: [f64; 2]) -> Side {
        let [Y, V] = point;
        let touch = V * V - 2.0 * self.b * Y;
        let above = if Y > 0.0 {
            V >= 0.0 || touch <= 0.0 || self.above([0.0, -touch.sqrt()]) > 0.0
        } else {
            self.above(point) > 0.0
        };
        if above { Side::LiftOff } else { Side::Impact }
    }
}

#[cfg(test)]
mod tests;
