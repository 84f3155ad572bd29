//! Rest of all contacts in space: whether it is possible, and what proves that it is the only motion.
//!
//! If normal forces N* alone keep all contacts without acceleration, every solution (λ, v̇) of the acceleration problem has v̇ = 0: with
//! v̇ᵀM v̇ = Σ (λ − λ*)·(u̇, v̇) over the contacts, λ·(u̇, v̇) = −μ λ_N ‖u̇‖ ≤ 0 by the contact laws at rest, and λ*·(u̇, v̇) = N* v̇ ≥ 0, so that
//! v̇ᵀM v̇ ≤ 0. This holds whether or not the forces are unique, and for any friction. Where friction is needed, all other motions are
//! refuted one after the other (`refute`): strong stability in the sense of Pang and Trinkle.

use super::contacts::{Contacts, Motion};
use super::decide::Decision;
use super::forces::frictionless;
use super::judge::Judgement;
use super::mode::Mode;
use super::reason::JointReason;
use super::refute::Unrefuted;
use super::verdict::Consistency;
use crate::contact::Scaled;
use crate::coulomb::{Outcome, Problem, Request, Status};
use crate::num::Tol;

/// The velocity of what slips, by which the incremental solvers are asked for accelerations of one.
const BEGUN: f64 = 1024.0;

/// What is known of rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// Whether forces in the cones hold it, as far as that is known.
    pub possible: Option<Consistency>,
    /// Whether it is the only motion, as far as that is known.
    pub only: Option<bool>,
    /// What proves that it is.
    pub proof: Option<RestProof>,
}

/// Why rest is the only motion.
#[derive(Clone, Debug, PartialEq)]
pub enum RestProof {
    /// Normal forces alone hold it: λ of all rows.
    NormalForces(Vec<f64>),
    /// All motions that leave it are refuted by multipliers.
    Refutation,
    /// All combinations are decided, and no other has a motion.
    Enumeration,
}

impl Contacts {
    /// Normal forces that prove rest to be the only motion, of contacts that are held on any of their sides.
    pub(super) fn only_rest(&self, tol: &Tol) -> Option<Vec<f64>> {
        let held: Vec<usize> = (0..self.len()).filter(|&i| !self.is_unilateral(i)).collect();
        (0..1_usize << held.len()).find_map(|number| {
            let mut sides = vec![1.0; self.len()];
            held.iter().enumerate().filter(|(k, _)| number >> k & 1 == 1).for_each(|(_, &i)| sides[i] = -1.0);
            frictionless(self, &sides, tol)
        })
    }

    /// That no contact moves under forces that prove it to be the only motion: whatever the search left open has no other.
    pub(super) fn rest_by(&self, forces: &[f64], found: &mut Decision, tol: &Tol) {
        found.open.clear();
        found.undecided = None;
        let holds = |judged: &Judgement| judged.consistency == Consistency::Yes && judged.stays();
        if found.modes.iter().any(holds) {
            found.modes.retain(holds);
            return;
        }
        let mode = |i: usize| {
            let side = if forces[self.normal(i)] < 0.0 { -1.0 } else { 1.0 };
            if self.friction(i).is_zero() {
                Mode::Slip { along: [0.0; 2], side }
            } else {
                Mode::Stick { side }
            }
        };
        let modes: Vec<Mode> = (0..self.len()).map(mode).collect();
        let scaled: Vec<f64> = forces.iter().zip(&self.unit).map(|(x, unit)| x * unit).collect();
        let sizes: Vec<f64> = scaled.iter().map(|x| x.abs()).collect();
        let still = vec![Scaled { value: 0.0, scale: self.load }; forces.len()];
        let unbounded = [f64::NEG_INFINITY, f64::INFINITY];
        let unique = self.basis(&self.held_rows(&modes), tol.dependent).others.is_empty();
        // a contact that only touches may as well lift off
        let touches = (0..self.len()).any(|i| scaled[self.normal(i)].abs() <= tol.marginal * self.load);
        found.modes = vec![Judgement {
            consistency: if touches { Consistency::Marginal } else { Consistency::Yes },
            why: if touches { JointReason::Edge } else { JointReason::Holds },
            accelerations: still,
            ranges: (!unique).then(|| vec![unbounded; forces.len()]),
            ..self.under(&modes, &scaled, &sizes)
        }];
    }

    /// What the incremental solvers find for contacts at rest, where its combination is not decided: a motion, and how near to it all
    /// others of that combination are.
    pub(super) fn add_solution(&self, remains: Option<&Unrefuted>, found: &mut Decision, tol: &Tol) {
        if !found.is_open() || !self.is_at_rest() {
            return;
        }
        let Some(solved) = self.solved_step(tol) else { return };
        let alike = |judged: &Judgement| {
            judged.consistency == Consistency::Yes && judged.has_motion_of(&solved, tol)
                || judged.modes.iter().zip(&solved.modes).all(|(a, b)| a.is_alike(*b))
        };
        let known = found.modes.iter().find(|judged| alike(judged)).map(|judged| judged.modes.clone());
        let modes = known.as_ref().unwrap_or(&solved.modes);
        if let [only] = &found.open[..]
            && only.iter().zip(modes).all(|(a, b)| a.is_alike(*b))
        {
            found.spread = remains.map(|remains| remains.spread(only, modes));
        }
        if known.is_none() {
            found.modes.push(solved);
        }
    }

    /// The acceleration problem by the incremental solvers, whose next step it is from velocities that are zero, or so large that they keep
    /// their directions; none if they do not solve it.
    pub(super) fn solved_step(&self, tol: &Tol) -> Option<Judgement> {
        let plain = |i: usize| self.is_unilateral(i) && !self.friction(i).is_infinite();
        if !(0..self.len()).all(plain) {
            return None;
        }
        let rows = self.c.len();
        let unit = |i: usize| (0..rows).map(|j| if i == j { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        let identity: Vec<Vec<f64>> = (0..rows).map(unit).collect();
        let D: Vec<Vec<f64>> = (0..rows).map(|i| (0..rows).map(|j| self.D[(i, j)]).collect()).collect();
        let mu = (0..self.len()).map(|i| self.slope(i)[1]).collect();
        let c: Vec<f64> =
            (0..rows).map(|row| self.c[row] / self.load.max(f64::MIN_POSITIVE) + self.speed(row)).collect();
        // u = D r + q as u = H v + w with H = 1, M⁻¹ = D
        let problem = Problem::from_dense_inverse(mu, &D, &vec![0.0; rows], &identity, &c);
        let found = crate::answer::solve(&problem.ok()?, &Request::default()).ok()?;
        if found.outcome != Outcome::Solved {
            return None;
        }
        let mode = |(i, status): (usize, &Status)| match (status, self.motion(i)) {
            (Status::TakeOff, _) | (_, Motion::Parting) => Mode::Free,
            (_, Motion::Slipping(along)) => Mode::Slip { along, side: 1.0 },
            (Status::Stick, Motion::Resting) if self.friction(i).is_zero() => Mode::SOME_SLIP,
            (Status::Stick, Motion::Resting) => Mode::STICK,
            (Status::Slip, Motion::Resting) => {
                let [u, w] = [1, 2].map(|k| found.u[self.normal(i) + k]);
                let speed = u.hypot(w);
                Mode::Slip { along: [u / speed, w / speed], side: 1.0 }
            }
        };
        let modes: Vec<Mode> = found.statuses.iter().enumerate().map(mode).collect();
        if !self.is_at_rest() {
            // by the velocities that are asked for
            let judged = self.judge(&modes, tol);
            return (judged.consistency != Consistency::No && judged.has_forces()).then_some(judged);
        }
        let forces: Vec<f64> = found.r.iter().map(|r| r * self.load).collect();
        // forces that are rounding against the load are zero, and what is at a border is shown by what follows
        let judged = self.under(&modes, &forces, &vec![self.load; rows]);
        let consistency = match self.laws(&judged, tol).0 {
            Consistency::Yes => Consistency::Yes,
            Consistency::Marginal | Consistency::No => Consistency::Marginal,
        };
        Some(Judgement { why: JointReason::Solver, consistency, ..judged })
    }

    /// The velocity of a row of a contact that slips, against accelerations of one: its direction stays what it is.
    fn speed(&self, row: usize) -> f64 {
        match (self.motion(self.contact_of(row)), row % self.dim()) {
            (Motion::Parting, 0) => BEGUN,
            (Motion::Slipping(along), k @ 1..) => BEGUN * along[k - 1],
            _ => 0.0,
        }
    }
}

impl Decision {
    /// What is said about rest, with the proof that nothing else can happen if there is one.
    pub(super) fn rest_from(&self, proof: Option<RestProof>) -> Rest {
        let sticks = |modes: &Vec<Mode>| modes.iter().all(|mode| matches!(mode, Mode::Stick { .. }));
        let unknown = self.open.iter().any(sticks);
        let refuted = (!unknown && self.undecided.is_none()).then_some(Consistency::No);
        let possible =
            self.modes.iter().find(|judged| judged.stays()).map(|judged| judged.consistency).or(refuted);
        let others = self.modes.iter().filter(|judged| !judged.stays());
        let moves = others.clone().any(|judged| judged.consistency == Consistency::Yes);
        let listed = possible == Some(Consistency::Yes) && others.count() == 0 && !self.is_open();
        let proof = proof.or(listed.then_some(RestProof::Enumeration));
        let only = match proof {
            Some(_) => Some(true),
            None => (moves || possible == Some(Consistency::No)).then_some(false),
        };
        Rest { possible, only, proof }
    }
}
