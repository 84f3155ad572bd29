//! One motion by small friction: of contacts a motion of which is known, whether all others have its accelerations, however many contacts
//! there are and whether or not their forces are unique.
//!
//! Of a motion (λ, u̇, v̇) and another one (λ′, u̇′, v̇′) let δ be the difference, and s a vector of length at most one at each contact with
//! λ_T = −μ λ_N s, along u̇ where that is not zero. Complementarity gives δλ_N δv̇ ≤ 0, and Coulomb's law at rest
//!
//!   δλ_T·δu̇ = −μ (λ_N s − λ′_N s′)·(u̇ − u̇′) ≤ −μ δλ_N s·δu̇,
//!
//! as λ_N (‖u̇′‖ − s·u̇′) and λ′_N (‖u̇′‖ − s·u̇′ + ‖u̇‖ − s′·u̇) less what cancels are not negative; of a contact that slips already the two are equal.
//! The sum over all contacts is δλᵀ(1 + K) D δλ ≤ 0, where K couples N to T by μ s. If the symmetric part of this form is positive where
//! D δλ ≠ 0, then D δλ = 0. Without friction that is δλᵀD δλ ≥ 0; what is shown is that friction does not spoil it. Of a body that begins to
//! slide without turning on any number of feet it asks, roughly, for μ h < 2 ρ, with its height h over them and its radius of gyration ρ,
//! on slopes of any steepness; where forces that are not unique accelerate differently it fails, as it has to.

use super::contacts::{Basis, Contacts, Motion, independent};
use super::directions::Boxes;
use super::judge::Judgement;
use super::leaving::Known;
use super::mode::Mode;
use super::verdict::Consistency;
use crate::contact::{Friction, Scaled, Sign};
use crate::num::{Interval, Tol, bracketed_root};
use nalgebra::{Cholesky, DMatrix};

/// Half of the angle about the directions that a solver finds in which those of slip out of rest are sought, and boxes of such angles.
const NEAR: f64 = 1.0 / 1024.0;
const BOXES: usize = 64;

/// An unknown force: its parts by row, and those of the form that it is multiplied by.
struct Column {
    force: Vec<(usize, f64)>,
    against: Vec<(usize, f64)>,
}

impl Contacts {
    /// A motion that has the only accelerations, as far as small friction shows: one that is known, or a slide of contacts that leave rest.
    pub(super) fn only_motion(
        &self,
        known: Option<&Judgement>,
        options: &[Vec<Mode>],
        tol: &Tol,
    ) -> Option<Judgement> {
        let slide = || if known.is_none() { self.slide_out_of_rest(options, tol) } else { None };
        let motion = known.cloned().or_else(slide)?;
        let only = |shares: &[[f64; 2]]| self.is_only_by_small_friction(&motion, shares, tol);
        let shares: Vec<[f64; 2]> =
            (0..self.len()).map(|i| self.share_of_friction(i, &motion, tol)).collect();
        let found = only(&shares) || self.even_shares(&motion, tol).is_some_and(|shares| only(&shares));
        found.then_some(motion)
    }

    /// s of the same rest, whose forces are not unique, if all are inclined alike against the slide without friction: under the least friction that holds
    /// it so.
    fn even_shares(&self, rest: &Judgement, tol: &Tol) -> Option<Vec<[f64; 2]>> {
        let frictions: Vec<f64> = (0..self.len()).map(|i| self.friction(i).mu()).collect();
        let least = frictions.iter().copied().fold(f64::INFINITY, f64::min);
        if !rest.stays() || rest.ranges.is_none() || !self.is_at_rest() || !least.is_finite() {
            return None;
        }
        let frictionless = self.sliding(0.0, &vec![Motion::Resting; self.len()], tol);
        let along: Vec<[f64; 2]> =
            frictionless.modes.iter().map(|mode| mode.direction()).collect::<Option<_>>()?;
        let motions: Vec<Motion> = along.iter().map(|&along| Motion::Slipping(along)).collect();
        let gains_speed = |mu: f64| {
            let found = self.sliding(mu, &motions, tol);
            let of = |(i, along): (usize, &[f64; 2])| {
                let rows = &found.accelerations[self.normal(i) + 1..self.normal(i) + self.dim()];
                rows.iter().zip(along).map(|(u, along)| u.value * along).sum::<f64>()
            };
            along.iter().enumerate().map(of).sum::<f64>()
        };
        let mu = bracketed_root((0.0, least), 0.0, gains_speed);
        let found = self.sliding(mu, &motions, tol);
        let stays = |x: &Scaled| x.value.abs() <= tol.marginal * x.scale;
        let holds = found.is_consistent() && found.accelerations.iter().all(stays);
        holds.then(|| along.iter().zip(&frictions).map(|(along, own)| along.map(|x| x * mu / own)).collect())
    }

    /// The motion of the contacts if all slip and have this friction.
    fn sliding(&self, mu: f64, motions: &[Motion], tol: &Tol) -> Judgement {
        let mut sliding = self.clone().without_force_bounds();
        for (contact, &motion) in sliding.contacts.iter_mut().zip(motions) {
            contact.motion = motion;
            contact.laws.friction = Friction::new(mu).unwrap_or(Friction::ZERO);
        }
        let mode = |motion: &Motion| match *motion {
            Motion::Slipping(along) => Mode::Slip { along, side: 1.0 },
            Motion::Resting | Motion::Parting => Mode::SOME_SLIP,
        };
        sliding.judge(&motions.iter().map(mode).collect::<Vec<Mode>>(), tol)
    }

    /// A motion in which contacts begin to slip, near that which the incremental solvers find.
    fn slide_out_of_rest(&self, options: &[Vec<Mode>], tol: &Tol) -> Option<Judgement> {
        let leaves = |i: usize| options[i].iter().any(|&mode| self.leaves(i, mode));
        if !(0..self.len()).any(leaves) {
            return None;
        }
        let near = self.solved_step(tol)?;
        let begins = |i: usize| self.rests(i) && matches!(near.modes[i], Mode::Slip { .. });
        let modes = near.modes.iter().enumerate();
        let modes: Vec<Mode> =
            modes.map(|(i, &mode)| if begins(i) { Mode::SOME_SLIP } else { mode }).collect();
        let about = |i: usize| {
            let [c, s] = near.modes[i].direction().unwrap_or_default();
            let phi = s.atan2(c);
            Interval::new(phi - NEAR, phi + NEAR)
        };
        let from = vec![self.leaving(&modes).into_iter().map(about).collect()];
        match self.known(&modes, Boxes { from, budget: &mut { BOXES } }, tol) {
            Known::Solutions(found, _) => {
                found.into_iter().find(|judged| judged.consistency == Consistency::Yes)
            }
            Known::Pruned | Known::Undecided => None,
        }
    }

    /// Whether every motion has the accelerations of this one, with these s, as far as small friction shows.
    fn is_only_by_small_friction(&self, known: &Judgement, shares: &[[f64; 2]], tol: &Tol) -> bool {
        if !known.moving.is_empty() || !known.has_forces() {
            return false;
        }
        let Some(columns) = self.columns_about(shares) else { return false };
        let of_forces = self.form(&columns, |column| &column.force);
        let Basis { rows, others } =
            independent(|i, j| of_forces[(i, j)], columns.len(), tol.dependent * self.cancellation);
        let form = self.form(&columns, |column| &column.against);
        let part =
            |of: &DMatrix<f64>| DMatrix::from_fn(rows.len(), rows.len(), |i, j| of[(rows[i], rows[j])]);
        // what moves nothing does no work either
        let largest = form.amax();
        let works = |(own, multipliers): &(usize, Vec<f64>)| {
            rows.iter().any(|&j| {
                let (left, size) =
                    rows.iter().zip(multipliers).fold((form[(*own, j)], largest), |(left, size), (&i, a)| {
                        (left - a * form[(i, j)], size + a.abs() * largest)
                    });
                left.abs() > tol.marginal * size
            })
        };
        !others.iter().any(works) && is_positive(&part(&form), part(&of_forces), tol)
    }

    /// Σ of the parts of columns with the forces of columns.
    fn form(&self, columns: &[Column], left: impl Fn(&Column) -> &Vec<(usize, f64)>) -> DMatrix<f64> {
        let entry = |one: &[(usize, f64)], other: &[(usize, f64)]| -> f64 {
            one.iter().flat_map(|&(i, x)| other.iter().map(move |&(j, y)| x * y * self.D[(i, j)])).sum()
        };
        let n = columns.len();
        DMatrix::from_fn(n, n, |i, j| entry(left(&columns[i]), &columns[j].force))
    }

    /// The forces that may differ; none if one has a law of which the argument says nothing.
    fn columns_about(&self, shares: &[[f64; 2]]) -> Option<Vec<Column>> {
        let mut columns = Vec::new();
        for contact in (0..self.len()).filter(|&i| self.motion(i) != Motion::Parting) {
            let normal = self.normal(contact);
            let [n, mu] = self.slope(contact);
            let alone = |row: usize| vec![(row, 1.0)];
            if self.friction(contact).is_zero() {
                columns.push(Column { force: alone(normal), against: alone(normal) });
                continue;
            }
            if !self.is_unilateral(contact) || n <= 0.0 {
                return None;
            }
            let tangents = || normal + 1..normal + self.dim();
            let along = |s: [f64; 2], factor: f64| {
                std::iter::once((normal, 1.0)).chain(tangents().zip(s.map(|x| factor * x))).collect()
            };
            if let Motion::Slipping(s) = self.motion(contact) {
                columns.push(Column { force: along(s, -mu), against: alone(normal) });
                continue;
            }
            columns.push(Column { force: alone(normal), against: along(shares[contact], mu) });
            columns.extend(tangents().map(|row| Column { force: alone(row), against: alone(row) }));
        }
        Some(columns)
    }

    /// s of a contact at rest.
    fn share_of_friction(&self, contact: usize, known: &Judgement, tol: &Tol) -> [f64; 2] {
        let row = self.normal(contact);
        let rows = row + 1..row + self.dim();
        let parts = |of: &[Scaled]| {
            let mut found = [0.0; 2];
            found.iter_mut().zip(&of[rows.clone()]).for_each(|(x, part)| *x = part.value);
            found
        };
        match known.modes[contact] {
            Mode::Slip { along, .. } => along,
            Mode::Stick { .. } => {
                let normal = known.forces[row];
                let over = -1.0 / (self.friction(contact).mu() * normal.value);
                if normal.sign(tol.marginal) == Sign::Positive {
                    parts(&known.forces).map(|x| over * x)
                } else {
                    [0.0; 2]
                }
            }
            Mode::Free => match Motion::along(&parts(&known.accelerations)) {
                Motion::Slipping(along) if along.iter().all(|x| x.is_finite()) => along,
                _ => [0.0; 2],
            },
        }
    }
}

/// Whether the symmetric part of a form is positive in the measure of another one, by more than the rounding of its entries makes of it.
fn is_positive(form: &DMatrix<f64>, measure: DMatrix<f64>, tol: &Tol) -> bool {
    let Some(inverse) = Cholesky::new(measure).and_then(|factor| factor.l().try_inverse()) else {
        return false;
    };
    let rounded = tol.marginal * form.amax() * inverse.norm_squared();
    let own = &inverse * (form + form.transpose()) * inverse.transpose() * 0.5;
    own.is_empty() || own.symmetric_eigenvalues().min() > rounded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Laws;
    use crate::num::random::Stream;
    use crate::predict::{ClosedContact, Motion, Sized, Verdict};

    fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
    }

    /// A body on feet on a floor, of which some slip already.
    fn body(numbers: &mut Stream) -> Contacts {
        let mut between = |low: f64, high: f64| low + (high - low) * numbers.draw();
        let (feet, height) = (2 + between(0.0, 3.0) as usize, between(0.1, 1.5));
        let inertia = [0; 3].map(|_| between(0.1, 0.6));
        let tilt = between(0.0, 0.9);
        let load = [tilt, between(-0.1, 0.1), -1.0];
        let mobility = |d: [f64; 3], at: [f64; 3]| {
            let turn = cross(at, d);
            [d[0], d[1], d[2], turn[0], turn[1], turn[2]]
        };
        let (friction, alike) = (between(0.0, 1.5), between(0.0, 1.0) < 0.5);
        let (slides, mut closed, mut rows) = (between(0.0, 1.0) < 0.3, Vec::new(), Vec::new());
        for _ in 0..feet {
            let at = [between(-1.0, 1.0), between(-1.0, 1.0), -height];
            rows.extend([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(|d| mobility(d, at)));
            let mu = if alike { friction } else { between(0.0, 1.5) };
            let laws = Laws { friction: Friction::new(mu).unwrap(), ..Laws::default() };
            let motion =
                if slides { Motion::along(&[1.0 - 0.7 * at[1], 0.7 * at[0]]) } else { Motion::Resting };
            closed.push(ClosedContact { laws, motion });
        }
        let weight = |k: usize| if k < 3 { 1.0 } else { 1.0 / inertia[k - 3] };
        let gain = |a: &[f64; 6], b: &[f64; 6]| (0..6).map(|k| a[k] * b[k] * weight(k)).sum::<f64>();
        let D: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(move |b| gain(a, b))).collect();
        let c: Vec<f64> = rows.iter().map(|row| (0..3).map(|k| row[k] * load[k]).sum()).collect();
        let sizes = vec![1.0; c.len()];
        Contacts::new(closed, Sized { values: &D, sizes: &[] }, Sized { values: &c, sizes: &sizes })
    }

    /// What small friction calls the only motion is the only one that refutation and the search of directions leave.
    #[test]
    fn what_small_friction_shows_is_what_refutation_leaves() {
        let (mut numbers, tol, mut counts) = (Stream(20_261_129), Tol::default(), [0; 4]);
        for case in 0..CASES {
            let contacts = body(&mut numbers);
            let options: Vec<Vec<Mode>> = (0..contacts.len()).map(|i| contacts.modes(i)).collect();
            let first = contacts.first(&options, &tol);
            let only = contacts.only_motion(first.motion.as_ref(), &options, &tol);
            let other = contacts.decide_by_refutation(&options, first, &tol);
            match (&only, other.verdict) {
                (Some(_), Verdict::Inconsistent | Verdict::Indeterminate) => panic!("{case}: {other:?}"),
                (Some(only), Verdict::Consistent) => {
                    let same = |judged: &Judgement| judged.has_motion_of(only, &tol);
                    assert!(other.modes.iter().all(same), "{case}: {only:?}, {other:?}");
                    counts[0] += 1;
                }
                (Some(_), _) => counts[1] += 1,
                (None, Verdict::Consistent) => counts[2] += 1,
                (None, _) => counts[3] += 1,
            }
        }
        assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    }

    const CASES: usize = 100;
}
