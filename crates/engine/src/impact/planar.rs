//! Impact of one planar contact, exactly, along straight lines in the impulse plane [CV16 section 3.2].
//!
//! The normal impulse P is the time of the impact. In slip s: u' = −s k_s, v' = p_s. At u = 0 the contact sticks if
//! |B| ≤ μA (v' = Δ/A), else the slip reverses: to + if B > μA, to − if B < −μA. With v_s the gap rate at u = 0:
//!
//! * Newton ends at v⁺ = −e v⁻, Poisson at P = (1 + e) P_c, the energetic law at W = (1 − e²) W_c, where P_c and
//!   W_c = ½∫v dP are impulse and work of compression.
//!
//! An impact has at most two phases. Infinite friction is the limit in which the slip ends within zero normal
//! impulse. Derivation and region numbers: Fig. 10 of \[CV16\], whose numbering the text fixes only in part (1, 2 no
//! transition; 5, 6 those that allow v⁻ = 0; 7 to 10 reversal; odd for u⁻ > 0): the rest is reconstructed.

use super::line::{End, Line};
use super::phase::{Impulse, Phase, Velocity};
use crate::contact::{Friction, Mode, Planar, Restitution, Sign, Slip};
use crate::num::Tol;
use serde::{Deserialize, Serialize};

/// An impact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Impact {
    /// The law and its coefficient.
    pub restitution: Restitution,
    /// Velocity before.
    pub pre: Velocity,
    /// Velocity after.
    pub post: Velocity,
    /// Total impulse.
    pub impulse: Impulse,
    /// Normal impulse of compression P_c.
    pub compression: f64,
    /// First phase.
    pub first: Phase,
    /// Second phase, if the slip ended or reversed on the way.
    pub second: Option<Phase>,
    /// Region of Fig. 10; none if u⁻ = 0 and the contact sticks (the boundary of 5 and 6).
    pub region: Option<u8>,
    /// Kinetic energy lost; negative if gained.
    pub energy_loss: f64,
    /// Whether the energy gained exceeds rounding: Newton's law can do so, no other.
    pub gains_energy: bool,
}

impl Impact {
    /// −v⁺/v⁻ of the whole impact; `None` if v⁻ = 0.
    pub fn effective_restitution(&self) -> Option<f64> {
        (self.pre.v < 0.0).then(|| -self.post.v / self.pre.v)
    }
}

/// The impact of a contact that approaches: v < 0. `None` if it does not.
pub fn impact(
    planar: &Planar,
    friction: Friction,
    law: Restitution,
    pre: Velocity,
    tol: &Tol,
) -> Option<Impact> {
    (pre.v < 0.0).then(|| collide(planar, friction, law, pre, tol))
}

/// Impact without collision: v⁻ = 0, in slip with p < 0 [CV16 section 3.2]. `None` where it cannot start, and with
/// Newton's law, for which v⁺ = −e·0 = 0 says nothing.
pub fn impact_without_collision(
    planar: &Planar,
    friction: Friction,
    law: Restitution,
    u: f64,
    tol: &Tol,
) -> Option<Impact> {
    let slip = if u > 0.0 { Slip::Pos } else { Slip::Neg };
    let gain = planar.gains(friction).p(slip).sign(tol.marginal);
    let paradoxical = gain == Sign::Negative && u.abs() > 0.0;
    let bounces = !matches!(law, Restitution::Newton(_));
    (paradoxical && bounces).then(|| collide(planar, friction, law, Velocity { u, v: 0.0 }, tol))
}

/// Its limit as p rises to 0 with a slip u, at a dynamic jam: the slip ends under an impulse that leaves the gap rate zero,
/// and what the law gives back of that impulse follows. `None` where it cannot start.
pub fn impact_at_jam(
    planar: &Planar,
    friction: Friction,
    law: Restitution,
    u: f64,
    tol: &Tol,
) -> Option<Impact> {
    let bounces = !matches!(law, Restitution::Newton(_));
    let line = Line::new(planar, friction, Velocity { u, v: 0.0 });
    (bounces && line.slip_ends()).then(|| {
        let line = line.without_gain();
        let end = line.end_after_compression(law);
        path(planar, law, &line, &end, tol)
    })
}

fn collide(planar: &Planar, friction: Friction, law: Restitution, pre: Velocity, tol: &Tol) -> Impact {
    let line = Line::new(planar, friction, pre);
    let end = line.end(law);
    path(planar, law, &line, &end, tol)
}

fn path(planar: &Planar, law: Restitution, line: &Line, end: &End, tol: &Tol) -> Impact {
    let pre = line.pre();
    let first_length = end.first_impulse(line);
    let first = line.first_phase(first_length, end);
    let second = end.second_impulse().map(|P| line.second_phase(P, end));
    let phases = [Some(first), second].into_iter().flatten();
    let impulse = phases.fold(Impulse::default(), |sum, phase| Impulse {
        N: sum.N + phase.impulse.N,
        T: sum.T + phase.impulse.T,
    });
    let post = second.map_or(first.end, |phase| phase.end);
    let (before, after) = (kinetic_energy(planar, pre), kinetic_energy(planar, post));
    Impact {
        restitution: law,
        pre,
        post,
        impulse,
        compression: end.compression(),
        first,
        second,
        region: region(line, end),
        energy_loss: before - after,
        gains_energy: after - before > tol.marginal * energy_scale(planar, pre, post),
    }
}

/// T = (C u² − 2B u v + A v²) / (2Δ): kinetic energy of the relative motion at the contact.
pub fn kinetic_energy(planar: &Planar, w: Velocity) -> f64 {
    let (u, v) = (w.u, w.v);
    (planar.C * u * u - 2.0 * planar.B * u * v + planar.A * v * v) / (2.0 * planar.determinant())
}

fn energy_scale(planar: &Planar, pre: Velocity, post: Velocity) -> f64 {
    let size = |w: Velocity| planar.C * w.u * w.u + planar.A * w.v * w.v;
    (size(pre) + size(post)) / planar.determinant()
}

/// 1, 2 no transition; 3, 4 stick and 7, 8 reversal in restitution; 5, 6 stick and 9, 10 reversal in compression.
fn region(line: &Line, end: &End) -> Option<u8> {
    let odd = match (end, line.kind()) {
        (End::Single { .. }, _) => 1,
        (End::InRestitution { .. }, _) if line.sticks() => 3,
        (End::InRestitution { .. }, _) => 7,
        (End::InCompression { .. }, _) if line.sticks() => 5,
        (End::InCompression { .. }, _) => 9,
    };
    match line.kind() {
        Mode::SlipPos => Some(odd),
        Mode::SlipNeg => Some(odd + 1),
        Mode::Free | Mode::Stick => None,
    }
}

#[cfg(test)]
mod tests;
