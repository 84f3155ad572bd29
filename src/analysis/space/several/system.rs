//! The accelerations of the closed contacts, D λ + q with rows N, T1, T2 each, and the unknown forces of a word.

use super::elimination::{eliminate, precondition};
use crate::analysis::space::SpaceWord;
use crate::num::{Interval, Real, Tol};

/// Bilateral contacts, or contacts of infinite friction, whose sides or fates are tried in all combinations.
const MOST: usize = 6;

/// What keeps the gap of a contact closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// It pushes only.
    Unilateral,
    /// It pushes and pulls.
    Bilateral,
    /// It pushes only, and is assumed to stay closed.
    Pressing,
    /// It is assumed to lift off.
    Lifting,
    /// It is assumed to slip.
    Slipping,
    /// It is assumed to stick, its tangential forces being eliminated.
    Sticking,
}

/// Closed contacts in space.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// W M⁻¹ Wᵀ, 3k rows of 3k.
    pub D: Vec<Vec<f64>>,
    /// Accelerations without contact forces.
    pub free: Vec<f64>,
    /// Sizes of their terms.
    pub sizes: Vec<f64>,
    /// Friction of each contact. If it is infinite, slip has λ_N = 0 and a finite friction: the limit of large friction.
    pub mu: Vec<f64>,
    /// What keeps each of them closed.
    pub ways: Vec<Ways>,
    /// The direction in which each contact slips already.
    pub along: Vec<Option<[f64; 2]>>,
    /// Whether each contact is parting: it takes no force, whatever its acceleration is.
    pub parting: Vec<bool>,
    /// Whether `along` is where a contact at rest is assumed to slip to: its slip acceleration must then point there.
    pub assumed: Vec<bool>,
}

/// Forces and accelerations of a word, 3 a contact.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Response<T> {
    pub(super) forces: Vec<T>,
    pub(super) accelerations: Vec<T>,
}

impl System {
    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.mu.len()
    }

    /// The words that the velocities permit.
    pub(super) fn options(&self, contact: usize) -> &'static [SpaceWord] {
        let slips = self.along[contact].is_some();
        match self.ways[contact] {
            _ if self.parting[contact] => &[SpaceWord::Free],
            Ways::Lifting => &[SpaceWord::Free],
            Ways::Sticking => &[SpaceWord::Stick],
            Ways::Slipping => &[SpaceWord::Slip],
            Ways::Pressing | Ways::Bilateral if slips => &[SpaceWord::Slip],
            Ways::Pressing | Ways::Bilateral => &[SpaceWord::Slip, SpaceWord::Stick],
            Ways::Unilateral if slips => &[SpaceWord::Free, SpaceWord::Slip],
            Ways::Unilateral => &[SpaceWord::Free, SpaceWord::Slip, SpaceWord::Stick],
        }
    }

    /// n and t of the ray λ_N = n, λ_T = −t û of slip: 1 and μ, or 0 and 1.
    pub(super) fn ray(&self, contact: usize) -> (f64, f64) {
        if self.mu[contact].is_infinite() { (0.0, 1.0) } else { (1.0, self.mu[contact]) }
    }

    /// How many words each contact has.
    pub(super) fn words(&self) -> impl Iterator<Item = usize> {
        (0..self.contacts()).map(|i| self.options(i).len())
    }

    /// Whether no contact slips or parts.
    pub fn is_at_rest(&self) -> bool {
        self.along.iter().all(Option::is_none) && !self.parting.contains(&true)
    }

    /// Whether all contacts are at rest, push only and have finite friction.
    pub(super) fn is_plain(&self) -> bool {
        let plain = |i: usize| self.ways[i] == Ways::Unilateral && self.mu[i].is_finite();
        self.is_at_rest() && (0..self.contacts()).all(plain)
    }

    /// The contacts of a word that slip from rest.
    pub(super) fn leaving(&self, word: &[SpaceWord]) -> Vec<usize> {
        let leaves = |&i: &usize| word[i] == SpaceWord::Slip && self.along[i].is_none();
        (0..self.contacts()).filter(leaves).collect()
    }

    /// Why there are more combinations than are tried.
    pub fn too_much(&self) -> Option<String> {
        let held = self.ways.iter().filter(|ways| **ways == Ways::Bilateral).count();
        let rough = self.mu.iter().filter(|mu| mu.is_infinite()).count();
        let more = |count: usize, what: &str| (count > MOST).then(|| format!("more than {MOST} {what}"));
        more(held, "contacts are bilateral").or_else(|| more(rough, "contacts have infinite friction"))
    }

    /// The contacts that are turned over on the side of a number.
    pub(super) fn turned_on(&self, side: usize) -> Vec<usize> {
        let held = (0..self.contacts()).filter(|&i| self.ways[i] == Ways::Bilateral);
        held.enumerate().filter(|(k, _)| side >> k & 1 == 1).map(|(_, i)| i).collect()
    }

    /// The same contacts with those that are held pressed against either side of their surface: all combinations.
    pub(super) fn sides(&self) -> Vec<Self> {
        let held = self.ways.iter().filter(|ways| **ways == Ways::Bilateral).count();
        (0..1_usize << held).map(|side| self.turned(&self.turned_on(side))).collect()
    }

    /// The same with some normals turned round.
    fn turned(&self, contacts: &[usize]) -> Self {
        let sign = |row: usize| {
            if row.is_multiple_of(3) && contacts.contains(&(row / 3)) { -1.0 } else { 1.0 }
        };
        let row = |(i, row): (usize, &Vec<f64>)| {
            row.iter().enumerate().map(|(j, d)| sign(i) * sign(j) * d).collect::<Vec<f64>>()
        };
        let pressing = |ways: &Ways| if *ways == Ways::Bilateral { Ways::Pressing } else { *ways };
        Self {
            D: self.D.iter().enumerate().map(row).collect(),
            free: self.free.iter().enumerate().map(|(i, x)| sign(i) * x).collect(),
            ways: self.ways.iter().map(pressing).collect(),
            ..self.clone()
        }
    }

    /// The rows in which a word asks for no acceleration.
    pub(super) fn held_rows(word: &[SpaceWord]) -> Vec<usize> {
        let rows = |(i, word): (usize, &SpaceWord)| match word {
            SpaceWord::Free => 0..0,
            SpaceWord::Slip => 3 * i..3 * i + 1,
            SpaceWord::Stick => 3 * i..3 * i + 3,
        };
        word.iter().enumerate().flat_map(rows).collect()
    }

    /// Each unknown force of a word as (row, factor) pairs; `angles` are those of the contacts that leave rest.
    fn columns<T: Real>(&self, word: &[SpaceWord], angles: &[T]) -> Vec<Vec<(usize, T)>> {
        let one = T::from_f64(1.0);
        let mut next = angles.iter();
        let mut columns = Vec::new();
        for (i, word) in word.iter().enumerate() {
            match word {
                SpaceWord::Free => {}
                SpaceWord::Stick => columns.extend((3 * i..3 * i + 3).map(|row| vec![(row, one)])),
                SpaceWord::Slip => {
                    let [c, s] = match self.along[i] {
                        Some(along) => along.map(T::from_f64),
                        None => {
                            let (s, c) = next.next().map_or((T::from_f64(0.0), one), |phi| phi.sin_cos());
                            [c, s]
                        }
                    };
                    // λ_T = −μ λ_N û   [CV16 (37)]
                    let (n, t) = self.ray(i);
                    let (n, t) = (T::from_f64(n), T::from_f64(-t));
                    columns.push(vec![(3 * i, n), (3 * i + 1, t * c), (3 * i + 2, t * s)]);
                }
            }
        }
        columns
    }

    /// Forces and accelerations of a word; undefined numbers where its forces are not.
    pub(super) fn respond<T: Real>(&self, word: &[SpaceWord], angles: &[T]) -> Response<T> {
        let (rows, columns) = (Self::held_rows(word), self.columns(word, angles));
        let (mut matrix, mut unknown) = self.equations(&rows, &columns);
        precondition(&mut matrix, &mut unknown);
        eliminate(&mut matrix, &mut unknown);
        self.response(&rows, &columns, &unknown, T::from_f64(1.0))
    }

    /// The same divided by the normal force of a pressed contact, which stays defined where forces tend to infinity; and one over that force.
    pub(super) fn respond_per_force<T: Real>(
        &self,
        word: &[SpaceWord],
        angles: &[T],
        contact: usize,
    ) -> (Response<T>, T) {
        let (rows, columns) = (Self::held_rows(word), self.columns(word, angles));
        let (mut matrix, mut unknown) = self.equations(&rows, &columns);
        let normal = columns.iter().position(|column| column[0].0 == 3 * contact).unwrap_or_default();
        // P x = −q t with x of that force 1: t takes its column
        for (row, right) in matrix.iter_mut().zip(&mut unknown) {
            let free = -*right;
            *right = -row[normal];
            row[normal] = free;
        }
        precondition(&mut matrix, &mut unknown);
        eliminate(&mut matrix, &mut unknown);
        let t = std::mem::replace(&mut unknown[normal], T::from_f64(1.0));
        (self.response(&rows, &columns, &unknown, t), t)
    }

    /// Whether some t ≥ 0 within the given bounds can satisfy every held row, P x + q t = 0, with forces in their cones, the normal force of one contact 1 and no other
    /// larger: row by row.
    pub(super) fn permits(
        &self,
        word: &[SpaceWord],
        angles: &[Interval],
        largest: usize,
        t: Interval,
    ) -> bool {
        let (rows, columns) = (Self::held_rows(word), self.columns(word, angles));
        let (matrix, right) = self.equations(&rows, &columns);
        let range = |column: &Vec<(usize, Interval)>| {
            let (contact, tangential) = (column[0].0 / 3, !column[0].0.is_multiple_of(3));
            match (tangential, contact == largest) {
                (true, _) => Interval::new(-self.mu[contact], self.mu[contact]),
                (false, true) => Interval::from_f64(1.0),
                (false, false) => Interval::new(0.0, 1.0),
            }
        };
        let ranges: Vec<Interval> = columns.iter().map(range).collect();
        let Some(mut t) = t.meet(Interval::new(0.0, f64::INFINITY)) else { return false };
        for (row, right) in matrix.iter().zip(right) {
            let driven = row.iter().zip(&ranges).fold(Interval::from_f64(0.0), |sum, (&p, &x)| sum + p * x);
            if right.contains(0.0) {
                continue;
            }
            match t.meet(driven / right) {
                Some(less) => t = less,
                None => return false,
            }
        }
        true
    }

    /// P and −q of the held rows.
    fn equations<T: Real>(&self, rows: &[usize], columns: &[Vec<(usize, T)>]) -> (Vec<Vec<T>>, Vec<T>) {
        let gain = |row: usize, column: &[(usize, T)]| {
            column
                .iter()
                .fold(T::from_f64(0.0), |sum, &(j, factor)| sum + T::from_f64(self.D[row][j]) * factor)
        };
        let matrix =
            rows.iter().map(|&row| columns.iter().map(|column| gain(row, column)).collect()).collect();
        (matrix, rows.iter().map(|&row| T::from_f64(-self.free[row])).collect())
    }

    /// Forces, and D λ + q t.
    fn response<T: Real>(
        &self,
        rows: &[usize],
        columns: &[Vec<(usize, T)>],
        unknown: &[T],
        t: T,
    ) -> Response<T> {
        let zero = || T::from_f64(0.0);
        let mut forces = vec![zero(); self.free.len()];
        for (column, &x) in columns.iter().zip(unknown) {
            for &(row, factor) in column {
                forces[row] = forces[row] + factor * x;
            }
        }
        let acceleration = |row: usize| {
            if rows.contains(&row) {
                return zero();
            }
            let driven = forces.iter().enumerate().map(|(j, &x)| T::from_f64(self.D[row][j]) * x);
            driven.fold(T::from_f64(self.free[row]) * t, |sum, x| sum + x)
        };
        let accelerations = (0..self.free.len()).map(acceleration).collect();
        Response { forces, accelerations }
    }

    /// Whether no row of a word follows from the others: its forces are then unique, except at special directions.
    pub(super) fn is_regular(&self, word: &[SpaceWord], tol: &Tol) -> bool {
        let rows = Self::held_rows(word);
        self.span(&rows, tol).len() == rows.len()
    }

    /// Rows among these that are independent.
    pub(super) fn span(&self, rows: &[usize], tol: &Tol) -> Vec<usize> {
        independent(rows, |i, j| self.D[i][j], tol)
    }
}

/// Rows among these that are independent, by Cholesky factors of D.
pub(in crate::analysis::space) fn independent(
    rows: &[usize],
    D: impl Fn(usize, usize) -> f64,
    tol: &Tol,
) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    let mut factors: Vec<Vec<f64>> = Vec::new();
    for &row in rows {
        let mut line: Vec<f64> = Vec::new();
        for (k, &other) in kept.iter().enumerate() {
            let done: f64 = (0..k).map(|j| line[j] * factors[k][j]).sum();
            line.push((D(row, other) - done) / factors[k][k]);
        }
        let pivot = D(row, row) - line.iter().map(|x| x * x).sum::<f64>();
        if pivot > tol.dependent * D(row, row) {
            line.push(pivot.sqrt());
            factors.push(line);
            kept.push(row);
        }
    }
    kept
}

impl System {
    /// The same contacts with those that leave rest assumed to slip forth or back.
    pub(super) fn assuming(&self, leaving: &[usize], along: &[[f64; 2]], sign: f64) -> Self {
        let mut system = self.clone();
        for (&i, along) in leaving.iter().zip(along) {
            system.along[i] = Some(along.map(|x| sign * x));
            system.assumed[i] = true;
        }
        system
    }
}
