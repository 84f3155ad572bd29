//! The impact of a contact whose velocities are tied to each other, as in a mechanism of one degree of freedom: u changes by B/C of what v
//! does, and where the surface or a pivot moves, the slip does not turn where the gap rate does.
//!
//! Like every impact of the plane it has two straight pieces at most ([`Impact`](super::Impact)), here on one line: with slip s the gap rate
//! gains C − sμB per normal impulse. If the friction of the other direction is more than what drives the slip away from zero, the contact is
//! wedged there: nothing moves any more, whatever the impulse.

use crate::contact::{Friction, Restitution};
use crate::num::Tol;

/// Why there may be no such impact.
pub const WEDGED: &str = "the contact point cannot move out of the way of its impulse";

/// B and C of the contact point, A being B²/C, and its friction.
#[derive(Clone, Copy, Debug)]
pub struct Tied {
    /// B.
    pub B: f64,
    /// C.
    pub C: f64,
    /// Its friction, which is finite.
    pub friction: Friction,
}

/// A piece of the impact.
#[derive(Clone, Copy)]
struct Piece {
    /// Change of the gap rate per normal impulse.
    gain: f64,
    /// Tangential impulse per normal one.
    ratio: f64,
    /// Gap rate at which it ends.
    end: f64,
}

/// An impact on a line: (v, u) and (N, T).
#[derive(Clone, Copy, Debug)]
pub struct TiedImpact {
    /// Velocities after it.
    pub after: [f64; 2],
    /// Impulses.
    pub impulse: [f64; 2],
    /// Kinetic energy lost.
    pub energy_loss: f64,
}

impl Tied {
    /// The impact from velocities (v, u), of finite friction.
    ///
    /// None if no impulse ends it, as where the contact is wedged while it still approaches.
    pub fn impact(&self, law: Restitution, [v, u]: [f64; 2], tol: &Tol) -> Option<TiedImpact> {
        let pieces = self.pieces([v, u], tol)?;
        let (mut at, mut total, mut work) = (v, [0.0; 2], 0.0);
        let add = |[N, T]: [f64; 2], piece: &Piece, more: f64| [N + more, T + piece.ratio * more];
        for piece in &pieces {
            let end = piece.end.min(0.0);
            if at < end {
                if piece.gain <= 0.0 {
                    return None;
                }
                let N = (end - at) / piece.gain;
                work += 0.5 * (at + end) * N;
                total = add(total, piece, N);
                at = end;
            }
        }
        let compression = total[0];
        let (mut impulse, mut energy) = (law.coefficient() * compression, -law.coefficient().powi(2) * work);
        for piece in &pieces {
            if at >= piece.end {
                continue;
            }
            let N = match law {
                Restitution::Newton(e) if piece.gain > 0.0 => (-e * v - at) / piece.gain,
                // wedged: no impulse makes more of the gap rate
                Restitution::Newton(_) => 0.0,
                Restitution::Poisson(_) => impulse,
                Restitution::Energetic(_) => {
                    let root = (at * at + 2.0 * piece.gain * energy).sqrt();
                    if at + root > 0.0 { 2.0 * energy / (at + root) } else { 0.0 }
                }
            };
            let N = if piece.gain > 0.0 { N.min((piece.end - at) / piece.gain) } else { N };
            let N = N.max(0.0);
            let after = at + piece.gain * N;
            (impulse, energy) = (impulse - N, energy - 0.5 * (at + after) * N);
            (total, at) = (add(total, piece, N), after);
        }
        let after = [at, u + self.B / self.C * (at - v)];
        let work = total[0] * (v + after[0]) + total[1] * (u + after[1]);
        Some(TiedImpact { after, impulse: total, energy_loss: -0.5 * work })
    }

    /// Up to where slip ends and from there on; none if the point does not move out of the way, or is pressed against it.
    fn pieces(&self, [v, u]: [f64; 2], tol: &Tol) -> Option<Vec<Piece>> {
        let (B, C, mu) = (self.B, self.C, self.friction.mu());
        if C <= 0.0 {
            return None;
        }
        // where the gap rate rises the slip goes the way of B
        let away = if B > 0.0 {
            1.0
        } else if B < 0.0 {
            -1.0
        } else {
            0.0
        };
        let slip = if u > 0.0 {
            1.0
        } else if u < 0.0 {
            -1.0
        } else {
            away
        };
        let piece = |slip: f64, end: f64| Piece { gain: C - slip * mu * B, ratio: -slip * mu, end };
        if slip * away >= 0.0 {
            let only = piece(slip, f64::INFINITY);
            return (only.gain > 0.0).then(|| vec![only]);
        }
        // of a surface at rest u is B/C of v, and vanishes with it
        let change = u * C / B;
        let turn = if (v - change).abs() > tol.noise * change.abs() { v - change } else { 0.0 };
        let mut second = piece(away, f64::INFINITY);
        if second.gain <= 0.0 {
            second = Piece { gain: 0.0, ratio: -C / B, ..second };
        }
        Some(vec![piece(slip, turn), second])
    }
}

#[cfg(test)]
mod tests;
