//! The verdict about an equilibrium on two contacts, and the two functions that decide it.

use super::doubt::Doubt;
use super::follow::Motions;
use super::nearby::{Nearby, NoParticle, Vector, dot};
use super::orbit::Orbit;
use super::pieces::Returned;
use super::reason::LyapunovReason;
use crate::equilibrium::{Condition, RestingForces};
use crate::num::Tol;
use crate::predict::{Contacts, Decision, ModeStability};
use serde::{Deserialize, Serialize};

/// Whether small pushes stay small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LyapunovVerdict {
    /// They do.
    Stable,
    /// Some grow.
    Unstable,
    /// It is not said, and why.
    Undecided,
}

impl LyapunovVerdict {
    /// As in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Unstable => "unstable",
            Self::Undecided => "undecided",
        }
    }
}

/// What is known of the stability of an equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Lyapunov {
    /// The verdict.
    pub verdict: LyapunovVerdict,
    /// Why.
    pub reason: LyapunovReason,
    /// Bounds of the largest mean factor of the speed from one return to the next: of a periodic direction that was found (0: none), and
    /// of all motions (0: all end at rest); none if the map was not made.
    pub growth: Option<[f64; 2]>,
    /// The periodic direction with the largest growth.
    pub orbit: Option<Orbit>,
}

/// The return map at an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReturnPoint {
    /// The contact that rests on its surface, the other one closing: 0 or 1.
    pub rests: usize,
    /// The angle, 0 and π being slip on both.
    pub angle: f64,
    /// Which contact rests at the return, the angle and the factor of the speed; none if the motion ends at rest or its end is not
    /// decided.
    pub to: Option<(usize, f64, f64)>,
    /// Whether it ends at rest.
    pub ends: bool,
}

/// The two functions, by pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReturnMap {
    /// Points of each piece in order.
    pub pieces: Vec<Vec<ReturnPoint>>,
}

impl Contacts {
    /// Stability in the sense of Lyapunov of an equilibrium of two contacts without restitution.
    pub fn lyapunov(
        &self,
        (decision, stability): (&Decision, &[Option<ModeStability>]),
        rest: &RestingForces,
        tol: &Tol,
    ) -> Lyapunov {
        let undecided =
            |reason| Lyapunov { verdict: LyapunovVerdict::Undecided, reason, growth: None, orbit: None };
        match (rest.weak, rest.strong) {
            (Condition::Holds, Condition::Holds) => {}
            (Condition::Holds, Condition::Fails) => return self.ambiguous(decision, stability, rest),
            _ => return undecided(LyapunovReason::Border),
        }
        match self.motions(tol) {
            Ok(motions) => judged(self, &motions, tol),
            Err(reason) => undecided(reason),
        }
    }

    /// A consistent mode with the same velocities that lasts under compliance leaves the equilibrium  \[OR08\].
    fn ambiguous(
        &self,
        decision: &Decision,
        stability: &[Option<ModeStability>],
        rest: &RestingForces,
    ) -> Lyapunov {
        let lasts = |modes: &&Vec<_>| {
            let found = decision.modes.iter().position(|judged| judged.modes == **modes);
            found.and_then(|k| stability.get(k)?.as_ref()).is_some_and(ModeStability::lasts)
        };
        let (verdict, reason) = match rest.others.iter().find(lasts) {
            Some(modes) => (LyapunovVerdict::Unstable, LyapunovReason::Ambiguous { modes: modes.clone() }),
            None => (LyapunovVerdict::Undecided, LyapunovReason::Upset),
        };
        Lyapunov { verdict, reason, growth: None, orbit: None }
    }

    /// The two functions at so many angles of each piece; none where they are not defined.
    pub fn return_map(&self, points: usize, tol: &Tol) -> Option<ReturnMap> {
        let motions = self.motions(tol).ok()?;
        let pieces = [0, 1].into_iter().flat_map(|rests| motions.pieces(rests));
        let of = |piece: super::pieces::Piece| {
            let share = |k: usize| k as f64 / (points.max(2) - 1) as f64;
            let angle = |k: usize| piece.low + share(k) * (piece.high - piece.low);
            (0..points.max(2)).map(|k| point(&motions, piece.rests, angle(k))).collect()
        };
        Some(ReturnMap { pieces: pieces.map(of).collect() })
    }

    fn motions(&self, tol: &Tol) -> Result<Motions, LyapunovReason> {
        if self.len() != 2 {
            return Err(LyapunovReason::Contacts);
        }
        if (0..2).any(|i| !self.is_unilateral(i)) {
            return Err(LyapunovReason::Bilateral);
        }
        if (0..2).any(|i| self.laws_of(i).restitution.coefficient() > 0.0) {
            return Err(LyapunovReason::Restitution);
        }
        let mu = [0, 1].map(|i| self.friction(i).mu() * self.unit[2 * i + 1] / self.unit[2 * i]);
        let c = [0, 1, 2, 3].map(|i| self.c[i]);
        let nearby = Nearby::new(|i, j| self.D[(i, j)], &c, mu, tol.dependent * self.cancellation);
        let nearby = nearby.map_err(|no| match no {
            NoParticle::Independent => LyapunovReason::Independent,
            NoParticle::Degenerate => LyapunovReason::Degenerate,
            NoParticle::Infinite => LyapunovReason::Infinite,
        })?;
        Motions::new(nearby, *tol).map_err(LyapunovReason::Doubt)
    }

    /// D x = w for velocities w of the closed contacts that a motion of the mechanism has, x having entries in independent rows only.
    pub fn impulses_for(&self, w: &[f64; 4], tol: &Tol) -> Option<Vec<f64>> {
        let basis = self.basis(&[0, 1, 2, 3], tol.dependent).rows;
        let block = nalgebra::DMatrix::from_fn(basis.len(), basis.len(), |i, j| self.D[(basis[i], basis[j])]);
        let known = nalgebra::DVector::from_iterator(basis.len(), basis.iter().map(|&i| w[i] / self.unit[i]));
        let found = block.cholesky()?.solve(&known);
        let mut x = vec![0.0; 4];
        basis.iter().zip(found.iter()).for_each(|(&i, value)| x[i] = value / self.unit[i]);
        Some(x)
    }

    /// Contact velocities of a particle's velocity, in the mechanism's units.
    pub(super) fn contact_velocity(&self, nearby: &Nearby, z: &Vector) -> [f64; 4] {
        let rows = [nearby.N[0], nearby.T[0], nearby.N[1], nearby.T[1]];
        [0, 1, 2, 3].map(|i| self.unit[i] * dot(&rows[i], z))
    }

    /// |a₀| of the particle in the mechanism's units.
    pub(super) fn particle_load(&self, nearby: &Nearby) -> f64 {
        let rows = [nearby.N[0], nearby.T[0], nearby.N[1], nearby.T[1]];
        let along = |i: usize| dot(&rows[i], &nearby.free);
        let best = (0..4).max_by(|&i, &j| along(i).abs().total_cmp(&along(j).abs())).unwrap_or(0);
        self.c[best] / along(best)
    }
}

fn judged(contacts: &Contacts, motions: &Motions, tol: &Tol) -> Lyapunov {
    let pieces = [motions.pieces(0), motions.pieces(1)].concat();
    let found = motions.growth(&pieces);
    let below = found.orbit.as_ref().map_or(f64::NEG_INFINITY, |orbit| orbit.mean());
    let growth = Some([below.exp(), found.above.exp()]);
    let orbit = found.orbit.as_ref().map(|periodic| Orbit::new(contacts, motions, periodic));
    let (verdict, reason) = match found.doubt {
        _ if below > tol.growth => (LyapunovVerdict::Unstable, LyapunovReason::Grows),
        Some((doubt, _)) => (LyapunovVerdict::Undecided, LyapunovReason::Doubt(doubt)),
        None if found.above == f64::NEG_INFINITY => (LyapunovVerdict::Stable, LyapunovReason::Ends),
        None if found.above < -tol.growth => (LyapunovVerdict::Stable, LyapunovReason::Decays),
        None => (LyapunovVerdict::Undecided, LyapunovReason::Doubt(Doubt::Gap)),
    };
    Lyapunov { verdict, reason, growth, orbit }
}

fn point(motions: &Motions, rests: usize, angle: f64) -> ReturnPoint {
    let (to, ends) = match motions.returned(rests, angle) {
        Returned::To { rests, angle, growth, .. } => (Some((rests, angle, growth.exp())), false),
        Returned::Rests => (None, true),
        Returned::Doubtful(_) => (None, false),
    };
    ReturnPoint { rests, angle, to, ends }
}
