//! Forces that are not unique in the plane. Whether forces inside the cones exist is a linear program in the weights of the cones' rays;
//! so are the range of each force, and whether the motion depends on the choice.
//!
//! Rows count as dependent within a tolerance, so that rounding makes no force unique and no combination impossible; what
//! depends is left out, and the rest is decided without rounding.

use super::simplex::{Feasible, Found, Most, Peak, Program};
use super::{ForceSet, Forces};
use crate::num::Tol;
use crate::predict::contacts::{Basis, Contacts};
use crate::predict::mode::{Mode, Ray};
use nalgebra::{DMatrix, DVector};

/// The program of a combination: weights of rays, then slacks of the accelerations that must be positive, then the margin and
/// its slack.
struct Setting<'a> {
    contacts: &'a Contacts,
    rays: Vec<Ray>,
    /// Rows with signs.
    rises: Vec<(usize, f64)>,
}

/// Decides a combination with these independent rows.
pub(super) fn force_set(contacts: &Contacts, modes: &[Mode], basis: &Basis) -> ForceSet {
    let each = || modes.iter().enumerate();
    let setting = Setting {
        contacts,
        rays: each().flat_map(|(i, &mode)| contacts.rays(i, mode)).collect(),
        rises: each().filter_map(|(i, &mode)| contacts.rise(i, mode)?.terms().next()).collect(),
    };
    if contacts.load <= 0.0 {
        return setting.without_load();
    }
    let program = Program::new(&setting.equations(&basis.rows));
    let mut feasible = match program.solve() {
        Found::Feasible(feasible) => feasible,
        Found::Empty => return ForceSet::Empty,
        Found::Unknown => return ForceSet::Unknown,
    };
    let mut objective = vec![0.0; setting.columns()];
    objective[setting.margin()] = 1.0;
    match feasible.maximise(&objective) {
        Most::At(peak) if peak.exceeds(Tol::default().marginal) => {
            // inside of all cones forces that are more than their equations are not unique
            let is_bounded = contacts.bounds_forces || basis.rows.len() >= setting.rays.len();
            let found = setting.forces(&mut feasible, (&peak, is_bounded), basis);
            found.map_or(ForceSet::Unknown, ForceSet::Inside)
        }
        Most::At(peak) => match setting.still(&mut feasible) {
            Some(row) => ForceSet::Still(row),
            None => {
                setting.forces(&mut feasible, (&peak, true), basis).map_or(ForceSet::Unknown, ForceSet::Edge)
            }
        },
        Most::Unbounded | Most::Unknown => ForceSet::Unknown,
    }
}

impl Setting<'_> {
    fn margin(&self) -> usize {
        self.rays.len() + self.rises.len()
    }

    fn columns(&self) -> usize {
        self.margin() + 2
    }

    /// Acceleration of a row per unit weight of a ray.
    fn gain(&self, row: usize, ray: &Ray) -> f64 {
        let first = self.contacts.normal(ray.contact);
        (0..2).map(|k| self.contacts.D[(row, first + k)] * ray.force[k]).sum()
    }

    /// The row of the program for an acceleration: weights w = w' + t, all in units of the load.
    fn equation(&self, row: usize, sign: f64) -> Vec<f64> {
        let mut line = vec![0.0; self.columns() + 1];
        for (k, ray) in self.rays.iter().enumerate() {
            line[k] = sign * self.gain(row, ray);
        }
        line[self.margin()] = line[..self.rays.len()].iter().sum();
        line[self.columns()] = -sign * self.contacts.c[row] / self.contacts.load;
        line
    }

    fn equations(&self, independent: &[usize]) -> Vec<Vec<f64>> {
        let mut rows: Vec<Vec<f64>> = independent.iter().map(|&row| self.equation(row, 1.0)).collect();
        for (k, &(row, sign)) in self.rises.iter().enumerate() {
            let mut line = self.equation(row, sign);
            line[self.rays.len() + k] = -1.0;
            line[self.margin()] -= 1.0;
            rows.push(line);
        }
        let mut cap = vec![0.0; self.columns() + 1];
        cap[self.margin()] = 1.0;
        cap[self.margin() + 1] = 1.0;
        cap[self.columns()] = 1.0;
        rows.push(cap);
        rows
    }

    /// Forces by row of a point of the program.
    fn by_row(&self, peak: &Peak<'_>) -> Option<Vec<f64>> {
        let weights = |point: &[f64]| -> Vec<f64> {
            point[..self.rays.len()].iter().map(|weight| weight + point[self.margin()]).collect()
        };
        // sums of rounded numbers of which both ends have the same need no exact ones
        let [low, high] = peak.within().map(|point| weights(&point));
        let weights = if low == high { low } else { weights(&peak.point()?) };
        let mut forces = vec![0.0; self.contacts.c.len()];
        for (weight, ray) in weights.iter().zip(&self.rays) {
            let weight = weight * self.contacts.load;
            (0..2).for_each(|i| forces[2 * ray.contact + i] += weight * ray.force[i]);
        }
        Some(forces)
    }

    /// The contact of the first acceleration that ought to be positive and never is.
    fn still(&self, feasible: &mut Feasible<'_>) -> Option<usize> {
        (0..self.rises.len())
            .find(|k| {
                let mut objective = vec![0.0; self.columns()];
                objective[self.rays.len() + k] = 1.0;
                objective[self.margin()] = 1.0;
                matches!(feasible.maximise(&objective), Most::At(most) if !most.exceeds(Tol::default().marginal))
            })
            .map(|k| self.rises[k].0 / 2)
    }

    /// The range of a linear function of the weights, in units of the load.
    fn range(&self, feasible: &mut Feasible<'_>, coefficient: impl Fn(&Ray) -> f64) -> Option<[f64; 2]> {
        let mut found = [0.0; 2];
        for (end, sign) in found.iter_mut().zip([-1.0, 1.0]) {
            let mut objective = vec![0.0; self.columns()];
            for (k, ray) in self.rays.iter().enumerate() {
                objective[k] = sign * coefficient(ray);
            }
            objective[self.margin()] = objective[..self.rays.len()].iter().sum();
            *end = sign * feasible.bound(&objective)?;
        }
        // of what is unique rounding may take the ends for each other
        found.sort_by(f64::total_cmp);
        Some(found)
    }

    /// The same by the signs of the rays alone.
    fn signs(&self, coefficient: impl Fn(&Ray) -> f64) -> [f64; 2] {
        let has = |sign: f64| self.rays.iter().any(|ray| sign * coefficient(ray) > 0.0);
        [-1.0, 1.0].map(|sign| if has(sign) { sign * f64::INFINITY } else { 0.0 })
    }

    fn forces(
        &self,
        feasible: &mut Feasible<'_>,
        (middle, is_bounded): (&Peak<'_>, bool),
        basis: &Basis,
    ) -> Option<Forces> {
        let (m, load) = (self.contacts.c.len(), self.contacts.load);
        let mut ranges = vec![[0.0; 2]; m];
        for (row, range) in ranges.iter_mut().enumerate() {
            if self.rays.iter().any(|ray| ray.contact == row / 2) {
                let part = |ray: &Ray| if ray.contact == row / 2 { ray.force[row % 2] } else { 0.0 };
                let found = if is_bounded { self.range(feasible, part)? } else { self.signs(part) };
                *range = found.map(|x| if x.abs() <= Tol::default().noise { 0.0 } else { x * load });
            }
        }
        let held: Vec<usize> = basis.rows.iter().copied().chain(basis.others.iter().map(|o| o.0)).collect();
        let mut moving = Vec::new();
        for row in (0..m).filter(|row| !held.contains(row)) {
            let [low, high] = self.range(feasible, |ray| self.gain(row, ray))?;
            if high - low > Tol::default().marginal {
                moving.push((row, [low, high].map(|x| x * load + self.contacts.c[row])));
            }
        }
        let shown = match self.least(basis).filter(|forces| self.is_inside(forces, &ranges)) {
            Some(least) => least,
            None => self.by_row(middle)?,
        };
        Some(Forces { shown, ranges, moving })
    }

    /// The forces with the least sum of squares that satisfy the equations: Kᵀ(K Kᵀ)⁻¹(−c), K in the rays and their
    /// negatives, not looking at the cones.
    fn least(&self, basis: &Basis) -> Option<Vec<f64>> {
        // λ in newtons is the least, not λ√D
        let columns = self.span();
        let entry = |i: usize, k: usize| {
            let [N, T] = columns[k].1;
            let at = 2 * columns[k].0;
            self.contacts.D[(basis.rows[i], at)] * N + self.contacts.D[(basis.rows[i], at + 1)] * T
        };
        let K = DMatrix::from_fn(basis.rows.len(), columns.len(), entry);
        let right = DVector::from_fn(basis.rows.len(), |i, _| -self.contacts.c[basis.rows[i]]);
        let y = K.transpose() * (&K * K.transpose()).cholesky()?.solve(&right);
        let mut forces = vec![0.0; self.contacts.c.len()];
        for (k, &(contact, [N, T])) in columns.iter().enumerate() {
            forces[2 * contact] += y[k] * N;
            forces[2 * contact + 1] += y[k] * T;
        }
        Some(forces)
    }

    /// One direction for a contact that slips, two for one that sticks, of length one in newtons.
    fn span(&self) -> Vec<(usize, [f64; 2])> {
        let unit = &self.contacts.unit;
        let mut found: Vec<(usize, [f64; 2])> = Vec::new();
        for ray in &self.rays {
            let several = self.rays.iter().filter(|other| other.contact == ray.contact).count() > 1;
            let at = 2 * ray.contact;
            if found.iter().any(|(contact, _)| *contact == ray.contact) {
                continue;
            }
            if several {
                found.push((ray.contact, [unit[at], 0.0]));
                found.push((ray.contact, [0.0, unit[at + 1]]));
            } else {
                let [N, T, _] = ray.force;
                let length = (N / unit[at]).hypot(T / unit[at + 1]);
                found.push((ray.contact, [N / length, T / length]));
            }
        }
        found
    }

    /// Whether forces lie in all cones and their accelerations are positive where they must be.
    fn is_inside(&self, forces: &[f64], ranges: &[[f64; 2]]) -> bool {
        let size = forces.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let slack = Tol::default().marginal * size;
        let within = |(x, [low, high]): (&f64, &[f64; 2])| *x >= low - slack && *x <= high + slack;
        let cone = |contact: usize| {
            let (n, t) = self.contacts.friction(contact).parts();
            let unit = &self.contacts.unit;
            let (N, T) =
                (forces[2 * contact] / unit[2 * contact], forces[2 * contact + 1] / unit[2 * contact + 1]);
            n * T.abs() <= t * N.abs() * (1.0 + Tol::default().marginal) + slack / unit[2 * contact + 1]
        };
        let rises = |&(row, sign): &(usize, f64)| {
            let driven: f64 = forces.iter().enumerate().map(|(j, x)| self.contacts.D[(row, j)] * x).sum();
            sign * (self.contacts.c[row] + driven) > 0.0
        };
        forces.iter().zip(ranges).all(within)
            && (0..self.contacts.len()).all(cone)
            && self.rises.iter().all(rises)
    }

    /// Nothing presses: no force is needed, and none but zero is told.
    fn without_load(&self) -> ForceSet {
        let rows = self.contacts.c.len();
        match self.rises.first() {
            Some(&(row, _)) => ForceSet::Still(row / 2),
            None => ForceSet::Edge(Forces {
                shown: vec![0.0; rows],
                ranges: vec![[0.0; 2]; rows],
                moving: Vec::new(),
            }),
        }
    }
}
