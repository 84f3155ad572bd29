//! One word: its forces and accelerations, whether every contact's law holds, and why   [CV16 Table 1].
//!
//! With independent rows the equations of the word have one solution, K y = −c; where K is singular although the rows are
//! independent, a gain such as p vanishes and no finite force is defined. Dependent rows leave forces open: see [`spread`].

use super::contacts::Contacts;
use super::search::{Excluded, Search};
use super::spread::{Forces, Spread, spread};
use super::word::{Choice, held_rows};
use crate::analysis::planar::{Acceleration, Consistency, Force, Reason};
use crate::contact::{Scaled, Sign};
use crate::num::Tol;
use nalgebra::{DMatrix, DVector};

/// Why a word is judged as it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// What a contact does under the forces.
    Contact {
        /// Which.
        contact: usize,
        /// What.
        reason: Reason,
    },
    /// A friction force at the edge of the cone, or outside it, against its bound.
    Cone {
        /// Which contact.
        contact: usize,
        /// λ_T.
        lambda_T: f64,
        /// μ|λ_N|.
        bound: f64,
    },
    /// All of them hold.
    Holds,
    /// The rows of this contact follow from others, and their accelerations do not.
    Contradicts {
        /// Which contact.
        contact: usize,
        /// What is left of the acceleration.
        acceleration: f64,
    },
    /// No forces inside the cones satisfy the equations, which do not determine them.
    NoForces,
    /// An acceleration that should be positive is zero under all forces: another word has this motion.
    Still {
        /// Of which contact.
        contact: usize,
    },
    /// It holds with an equality, and has the motion of another word, which holds without.
    Repeats {
        /// That word.
        word: Vec<Choice>,
    },
    /// On the border of a cone for all forces.
    Edge,
    /// The equations are singular: forces without bound.
    Singular,
    /// The linear program could not be confirmed.
    Unknown,
}

/// A judged word. Forces and accelerations are those of the mechanism, N and T of each contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The choices.
    pub word: Vec<Choice>,
    /// Whether the laws hold; `Marginal`: with an equality.
    pub consistency: Consistency,
    /// Whether the program of its forces could not be decided.
    pub open: bool,
    /// Forces, NaN where none are defined.
    pub forces: Vec<Scaled>,
    /// Accelerations under them.
    pub accelerations: Vec<Scaled>,
    /// Range of each force, if they are not unique.
    pub ranges: Option<Vec<[f64; 2]>>,
    /// Rows whose acceleration depends on the choice of forces, with its range.
    pub moving: Vec<(usize, [f64; 2])>,
    /// Why.
    pub why: Why,
}

/// The columns of a word: contact and force per unit.
type Column = (usize, [f64; 2]);

impl Contacts {
    /// Judges a word.
    pub fn judge(&self, word: &[Choice], tol: &Tol) -> Judged {
        self.judge_after(None, word, tol)
    }

    /// Judges a word, one with forces that are not unique only if a search does not exclude it.
    pub(super) fn judge_after(&self, search: Option<&Search<'_>>, word: &[Choice], tol: &Tol) -> Judged {
        let held = held_rows(word);
        let basis = self.basis(&held, tol.dependent);
        if basis.others.is_empty() {
            return self.determined(word, &held, tol);
        }
        for (row, alpha) in &basis.others {
            let terms = basis.rows.iter().zip(alpha);
            // a coefficient that is zero but for rounding is rounded as the largest is
            let largest = alpha.iter().fold(1.0_f64, |size, a| size.max(a.abs()));
            let (left, size) = terms.fold((self.c[*row], self.sizes[*row]), |(sum, size), (&i, a)| {
                (sum - a * self.c[i], size + largest * self.sizes[i])
            });
            if left.abs() > tol.marginal * size {
                let why = Why::Contradicts { contact: row / 2, acceleration: left * self.unit[*row] };
                return self.without_forces(word, Consistency::No, why);
            }
        }
        let spread = match search.and_then(|search| search.excludes(word)) {
            Some(Excluded::NoForces) => Spread::Empty,
            Some(Excluded::Still(row)) => Spread::Still(row),
            None => spread(self, word, &basis),
        };
        match spread {
            Spread::Inside(forces) => {
                self.underdetermined(word, Consistency::Yes, (&forces, Why::Holds), tol)
            }
            Spread::Edge(forces) => {
                self.underdetermined(word, Consistency::Marginal, (&forces, Why::Edge), tol)
            }
            Spread::Still(row) => {
                let why = Why::Still { contact: row / 2 };
                self.without_forces(word, Consistency::No, why)
            }
            Spread::Empty => self.without_forces(word, Consistency::No, Why::NoForces),
            Spread::Unknown => {
                Judged { open: true, ..self.without_forces(word, Consistency::Marginal, Why::Unknown) }
            }
        }
    }

    fn without_forces(&self, word: &[Choice], consistency: Consistency, why: Why) -> Judged {
        let none = vec![Scaled { value: f64::NAN, scale: 0.0 }; self.c.len()];
        Judged {
            word: word.to_vec(),
            consistency,
            open: false,
            forces: none.clone(),
            accelerations: none,
            ranges: None,
            moving: Vec::new(),
            why,
        }
    }

    fn underdetermined(
        &self,
        word: &[Choice],
        consistency: Consistency,
        (forces, why): (&Forces, Why),
        tol: &Tol,
    ) -> Judged {
        // what is small against the largest force is its rounding
        let largest = forces.shown.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let sizes = vec![largest; forces.shown.len()];
        let mut judged = self.under(word, &forces.shown, &sizes);
        let unit = |row: usize| self.unit[row];
        let wide = |[low, high]: &[f64; 2]| high - low > tol.marginal * largest;
        let unique = !forces.ranges.iter().any(wide);
        let ranges = forces.ranges.iter().enumerate().map(|(i, range)| range.map(|x| x / unit(i))).collect();
        judged.ranges = (!unique).then_some(ranges);
        judged.moving = forces.moving.iter().map(|&(i, range)| (i, range.map(|x| x * unit(i)))).collect();
        Judged { consistency, why, ..judged }
    }

    /// A word under forces, in the mechanism's units; what the word sets to zero is zero.
    fn under(&self, word: &[Choice], forces: &[f64], force_sizes: &[f64]) -> Judged {
        let (mut values, sizes) = self.accelerations(forces, force_sizes);
        held_rows(word).into_iter().for_each(|row| values[row] = 0.0);
        let scaled = |x: f64, size: f64, unit: f64| Scaled { value: x * unit, scale: size * unit };
        let rows = || self.unit.iter().enumerate();
        Judged {
            word: word.to_vec(),
            consistency: Consistency::Yes,
            open: false,
            forces: rows().map(|(i, unit)| scaled(forces[i], force_sizes[i], 1.0 / unit)).collect(),
            accelerations: rows().map(|(i, unit)| scaled(values[i], sizes[i], *unit)).collect(),
            ranges: None,
            moving: Vec::new(),
            why: Why::Holds,
        }
    }

    /// The columns of a word's unknowns: the weight of a slip's ray, N and T of a sticking contact.
    fn unknowns(&self, word: &[Choice]) -> Vec<Column> {
        let mut columns = Vec::with_capacity(2 * word.len());
        for (contact, &choice) in word.iter().enumerate() {
            match choice {
                Choice::Free => {}
                Choice::Slip { .. } => {
                    columns.extend(self.rays(contact, choice).iter().map(|ray| (contact, [ray.N, ray.T])));
                }
                Choice::Stick { .. } => columns.extend([(contact, [1.0, 0.0]), (contact, [0.0, 1.0])]),
            }
        }
        columns
    }

    /// K: what the unknowns do to the rows that are held.
    fn system(&self, held: &[usize], columns: &[Column]) -> DMatrix<f64> {
        DMatrix::from_fn(held.len(), columns.len(), |i, k| {
            let (contact, [N, T]) = columns[k];
            self.D[(held[i], 2 * contact)] * N + self.D[(held[i], 2 * contact + 1)] * T
        })
    }

    /// The sign of det K with pulls counted as negative pushes; none if it is zero within the tolerance.
    pub(super) fn orientation(&self, word: &[Choice], tol: &Tol) -> Option<Sign> {
        let held = held_rows(word);
        let K = self.system(&held, &self.unknowns(word));
        let inverse = K.clone().try_inverse()?;
        let pulls =
            word.iter().filter(|choice| matches!(choice, Choice::Slip { pull, .. } if *pull < 0.0)).count();
        let positive = (K.determinant() > 0.0) == pulls.is_multiple_of(2);
        (largest(&inverse) * tol.marginal < 1.0).then_some(if positive {
            Sign::Positive
        } else {
            Sign::Negative
        })
    }

    fn determined(&self, word: &[Choice], held: &[usize], tol: &Tol) -> Judged {
        let columns = self.unknowns(word);
        let K = self.system(held, &columns);
        let inverse = match K.clone().try_inverse() {
            Some(inverse) if largest(&inverse) * tol.marginal < 1.0 => inverse,
            _ => return self.singular(word, &columns, &K, tol),
        };
        let (mut forces, mut sizes) = (vec![0.0; self.c.len()], vec![0.0; self.c.len()]);
        for (k, &(contact, parts)) in columns.iter().enumerate() {
            let (y, size) = held.iter().enumerate().fold((0.0, 0.0), |(y, size), (i, &row)| {
                (y - inverse[(k, i)] * self.c[row], size + (inverse[(k, i)] * self.sizes[row]).abs())
            });
            for (j, part) in parts.iter().enumerate() {
                forces[2 * contact + j] += part * y;
                sizes[2 * contact + j] += (part * size).abs();
            }
        }
        let mut judged = self.under(word, &forces, &sizes);
        (judged.consistency, judged.why) = self.laws(&judged, tol);
        judged
    }

    /// No finite force: forces grow without bound along the null vector of K as the state is approached. If that violates a law
    /// either way, the word is not consistent nearby.
    fn singular(&self, word: &[Choice], columns: &[Column], K: &DMatrix<f64>, tol: &Tol) -> Judged {
        let Some(V) = K.clone().svd(false, true).v_t else {
            return Judged { open: true, ..self.without_forces(word, Consistency::Marginal, Why::Unknown) };
        };
        let null: DVector<f64> = V.row(V.nrows() - 1).transpose();
        let direction = |sign: f64| {
            let mut forces = vec![0.0; self.c.len()];
            for (k, &(contact, parts)) in columns.iter().enumerate() {
                forces[2 * contact] += sign * null[k] * parts[0];
                forces[2 * contact + 1] += sign * null[k] * parts[1];
            }
            let free = Self { c: vec![0.0; self.c.len()], sizes: vec![0.0; self.c.len()], ..self.clone() };
            let sizes: Vec<f64> = forces.iter().map(|x| x.abs()).collect();
            let judged = free.under(word, &forces, &sizes);
            free.laws(&judged, tol).0
        };
        let possible = [1.0, -1.0].into_iter().any(|sign| direction(sign) != Consistency::No);
        let consistency = if possible { Consistency::Marginal } else { Consistency::No };
        self.without_forces(word, consistency, Why::Singular)
    }

    /// Every condition of a word under its forces; the first that fails, or else the first that is zero, says why.
    fn laws(&self, judged: &Judged, tol: &Tol) -> (Consistency, Why) {
        let mut worst = (Consistency::Yes, Why::Holds);
        for contact in 0..judged.word.len() {
            for (condition, asked) in self.conditions(judged, contact).into_iter().flatten() {
                match condition.sign(tol.marginal) {
                    Sign::Positive => {}
                    Sign::Negative => {
                        return (Consistency::No, self.told(judged, contact, asked, Consistency::No));
                    }
                    Sign::Marginal if worst.0 == Consistency::Yes => {
                        let why = self.told(judged, contact, asked, Consistency::Marginal);
                        worst = (Consistency::Marginal, why);
                    }
                    Sign::Marginal => {}
                }
            }
        }
        worst
    }

    /// What must be positive at a contact.
    fn conditions(&self, judged: &Judged, contact: usize) -> [Option<(Scaled, Asked)>; 2] {
        let choice = judged.word[contact];
        let [normal, tangent] = [0, 1].map(|k| judged.forces[2 * contact + k]);
        let friction = self.touches[contact].laws.friction;
        let (n, t) = friction.parts();
        let pressed = |pull: f64| Scaled { value: pull * normal.value, scale: normal.scale };
        let rise = self.rise(contact, choice).map(|(row, sign)| {
            let acceleration = judged.accelerations[row];
            (Scaled { value: sign * acceleration.value, scale: acceleration.scale }, Asked::Law)
        });
        match choice {
            Choice::Free => [None, rise],
            // with infinite friction λ_N is 0 and the friction force tells
            Choice::Slip { way, .. } if friction.is_infinite() => {
                let opposing = Scaled { value: -way.sign() * tangent.value, scale: tangent.scale };
                [Some((opposing, Asked::Law)), rise]
            }
            Choice::Slip { pull, .. } => [Some((pressed(pull), Asked::Law)), rise],
            Choice::Stick { pull } => {
                let room = Scaled {
                    value: t * pull * normal.value - n * tangent.value.abs(),
                    scale: t * normal.scale + n * tangent.scale,
                };
                let room = (!friction.is_infinite()).then_some((room, Asked::Cone));
                [Some((pressed(pull), Asked::Law)), room]
            }
        }
    }

    fn told(&self, judged: &Judged, contact: usize, asked: Asked, consistency: Consistency) -> Why {
        // what is zero by the law of its sign is told as zero
        let told = |x: Scaled| if x.sign(Tol::default().marginal) == Sign::Marginal { 0.0 } else { x.value };
        let [N, T] = [0, 1].map(|k| told(judged.forces[2 * contact + k]));
        let [v, u] = [0, 1].map(|k| told(judged.accelerations[2 * contact + k]));
        let friction = self.touches[contact].laws.friction;
        let (choice, mu) = (judged.word[contact], friction.mu());
        match asked {
            Asked::Cone => Why::Cone { contact, lambda_T: T, bound: mu * N.abs() },
            Asked::Law => {
                let force = Force { N: N * choice.pull(), T };
                let reason =
                    Reason::of(choice.mode(), consistency, friction, force, Acceleration { u, v }, false);
                Why::Contact { contact, reason }
            }
        }
    }
}

/// Which condition of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    /// Its normal force or its acceleration.
    Law,
    /// Its friction cone.
    Cone,
}

fn largest(x: &DMatrix<f64>) -> f64 {
    x.iter().fold(0.0, |size, x| if x.is_nan() { f64::INFINITY } else { size.max(x.abs()) })
}

impl Judged {
    /// Whether its forces are defined.
    pub fn has_forces(&self) -> bool {
        self.forces.iter().all(|force| !force.value.is_nan())
    }
}
