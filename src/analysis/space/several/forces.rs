//! Words without slip from rest whose forces are not unique: whether forces in the cones hold them, and the range of each.
//!
//! The unknowns are λ_N of a slipping contact, λ_N, λ_T of a sticking one, all in cones K; E x = g says that the held rows have no acceleration, and
//! H x ≥ d that the free contacts do not close. The range of c·x is found by a cone program, and its outer bounds are verified: for any y and z ≥ 0,
//!
//!   c·x ≥ g·y + d·z − Σ δᵢ λ_Nᵢ,   where δᵢ is what c − Eᵀy − Hᵀz lacks to lie in the dual cone at contact i,
//!
//! with outward rounding, and Σ λ_N has such a bound of its own. What the solver says is thus believed nowhere.

use super::conic::Conic;
use super::rough::of_rough;
use super::system::{System, Ways, independent};
use crate::analysis::space::SpaceWord;
use crate::num::{Interval, Real, Tol};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

/// Bounds of a force component: every force that holds the word lies within `low` and `high`, which are reached within `gap` of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceRange {
    /// Verified lower bound; −∞ if none is proven.
    pub low: f64,
    /// Verified upper bound; ∞ if none is proven.
    pub high: f64,
}

/// What the cone programs say about a word.
#[derive(Clone, Debug, PartialEq)]
pub enum Ranges {
    /// Forces hold it with this much room to the boundary of the cones, relative to their sum; the range of each component, and an example.
    Held {
        /// Least room over the contacts, relative to the sum of the normal forces.
        room: f64,
        /// Of each component, 3 a contact.
        ranges: Vec<ForceRange>,
        /// Forces that hold it.
        example: Vec<f64>,
        /// Whether there are others: no friction, no force along the surface, and what presses may be unique although rows are not.
        unique: bool,
    },
    /// No forces do: proven.
    Impossible,
    /// Neither was found.
    Undecided,
}

/// A program over the forces of a word.
pub(super) struct Program<'a> {
    system: &'a System,
    /// Unknowns as (contact, is a sticking one), in the order of the columns.
    blocks: Vec<(usize, bool)>,
    /// Rows without acceleration.
    held: Vec<usize>,
    /// [E | g], then [H | d].
    equal: Vec<(Vec<f64>, f64)>,
    above: Vec<(Vec<f64>, f64)>,
    columns: usize,
}

/// Optimal x with the multipliers y, z.
struct Optimum {
    /// Whether x is one; otherwise y and z prove that there is none.
    feasible: bool,
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
}

/// The ranges of all forces of a word.
pub fn ranges(system: &System, word: &[SpaceWord], tol: &Tol) -> Ranges {
    let rough: Vec<usize> =
        (0..word.len()).filter(|&i| word[i] == SpaceWord::Stick && system.mu[i].is_infinite()).collect();
    if rough.is_empty() { of_cones(system, word, tol) } else { of_rough(system, word, &rough, tol) }
}

pub(super) fn of_cones(system: &System, word: &[SpaceWord], tol: &Tol) -> Ranges {
    let program = Program::new(system, word, tol);
    if program.columns == 0 {
        return Ranges::Undecided;
    }
    let refuted = || if program.refuted(tol) { Ranges::Impossible } else { Ranges::Undecided };
    let Some(centre) = program.centre() else { return refuted() };
    let forces = program.forces(&centre.0);
    let total: f64 = program.blocks.iter().map(|&(i, _)| forces[3 * i]).sum();
    let room = centre.1 / total.abs().max(f64::MIN_POSITIVE);
    if room < -tol.marginal.sqrt() {
        return refuted();
    }
    if !program.holds(&forces, tol) {
        return Ranges::Undecided;
    }
    let most = program.total();
    let each = |row: usize| match program.unit(row) {
        None => ForceRange { low: 0.0, high: 0.0 },
        Some(c) => {
            let opposite: Vec<f64> = c.iter().map(|x| -x).collect();
            let (low, high) = (program.bound(&c, most), -program.bound(&opposite, most));
            // contacts do not pull
            ForceRange { low: if row.is_multiple_of(3) { low.max(0.0) } else { low }, high }
        }
    };
    let ranges = (0..3 * system.contacts()).map(each).collect();
    Ranges::Held { room, ranges, example: forces, unique: program.is_determined(tol) }
}

impl<'a> Program<'a> {
    pub(super) fn new(system: &'a System, word: &[SpaceWord], tol: &Tol) -> Self {
        let mut blocks = Vec::new();
        for (i, word) in word.iter().enumerate() {
            match word {
                SpaceWord::Free => {}
                SpaceWord::Slip => blocks.push((i, false)),
                // without friction, or without tangential rows, there are no tangential forces to be found
                SpaceWord::Stick => {
                    blocks.push((i, system.mu[i] > 0.0 && system.ways[i] != Ways::Sticking));
                }
            }
        }
        let columns = blocks.iter().map(|&(_, sticks)| if sticks { 3 } else { 1 }).sum();
        let eliminated = |row: &usize| !row.is_multiple_of(3) && system.ways[row / 3] == Ways::Sticking;
        let held = System::held_rows(word).into_iter().filter(|row| !eliminated(row)).collect();
        let mut program = Self { system, blocks, held, equal: Vec::new(), above: Vec::new(), columns };
        // rows that follow from the others say the same, or are rounding
        let held = system.span(&System::held_rows(word), tol);
        program.equal = held.iter().map(|&row| (program.row(row), -system.free[row])).collect();
        let free =
            (0..word.len()).filter(|&i| word[i] == SpaceWord::Free && !system.parting[i]).map(|i| 3 * i);
        program.above = free.map(|row| (program.row(row), -system.free[row])).collect();
        for i in (0..word.len()).filter(|&i| word[i] == SpaceWord::Slip && system.assumed[i]) {
            let ([c, s], [one, two]) = (system.along[i].unwrap_or_default(), [3 * i + 1, 3 * i + 2]);
            let row = program.row(one).iter().zip(program.row(two)).map(|(x, y)| c * x + s * y).collect();
            program.above.push((row, -c * system.free[one] - s * system.free[two]));
        }
        program
    }

    /// A row of D times the unknown forces.
    fn row(&self, row: usize) -> Vec<f64> {
        let D = &self.system.D[row];
        let mut out = Vec::with_capacity(self.columns);
        for &(i, sticks) in &self.blocks {
            if sticks {
                out.extend_from_slice(&D[3 * i..3 * i + 3]);
            } else {
                let ([c, s], (n, t)) = (self.system.along[i].unwrap_or_default(), self.system.ray(i));
                out.push(n * D[3 * i] - t * (c * D[3 * i + 1] + s * D[3 * i + 2]));
            }
        }
        out
    }

    /// λ of all contacts.
    fn forces(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.system.free.len()];
        let mut at = 0;
        for &(i, sticks) in &self.blocks {
            out[3 * i] = x[at];
            if sticks {
                out[3 * i + 1..3 * i + 3].copy_from_slice(&x[at + 1..at + 3]);
                at += 3;
            } else {
                let ([c, s], (n, t)) = (self.system.along[i].unwrap_or_default(), self.system.ray(i));
                out[3 * i] = n * x[at];
                (out[3 * i + 1], out[3 * i + 2]) = (-t * c * x[at], -t * s * x[at]);
                at += 1;
            }
        }
        out
    }

    /// A functional of λ, as one of the unknowns.
    pub(super) fn functional(&self, factor: &[f64]) -> Vec<f64> {
        let mut c = vec![0.0; self.columns];
        for (row, factor) in factor.iter().enumerate().filter(|(_, factor)| factor.abs() > 0.0) {
            if let Some(unit) = self.unit(row) {
                c.iter_mut().zip(unit).for_each(|(c, x)| *c += factor * x);
            }
        }
        c
    }

    /// Whether different forces make different accelerations: the columns of D that the unknowns are independent.
    fn is_determined(&self, tol: &Tol) -> bool {
        let unit = |k: usize| (0..self.columns).map(|j| f64::from(u8::from(j == k))).collect::<Vec<_>>();
        let forces: Vec<Vec<f64>> = (0..self.columns).map(|k| self.forces(&unit(k))).collect();
        let under = |j: usize| {
            let row = |row: &Vec<f64>| row.iter().zip(&forces[j]).map(|(d, x)| d * x).sum::<f64>();
            self.system.D.iter().map(row).collect::<Vec<_>>()
        };
        let driven: Vec<Vec<f64>> = (0..self.columns).map(under).collect();
        let gain = |i: usize, j: usize| forces[i].iter().zip(&driven[j]).map(|(x, y)| x * y).sum::<f64>();
        let all: Vec<usize> = (0..self.columns).collect();
        independent(&all, gain, tol).len() == self.columns
    }

    /// The functional that is a component of λ; none where no force acts.
    fn unit(&self, row: usize) -> Option<Vec<f64>> {
        let mut c = vec![0.0; self.columns];
        let mut at = 0;
        for &(i, sticks) in &self.blocks {
            let width = if sticks { 3 } else { 1 };
            if i == row / 3 {
                let ([cos, sin], (n, t)) = (self.system.along[i].unwrap_or_default(), self.system.ray(i));
                match (sticks, row % 3) {
                    (true, k) => c[at + k] = 1.0,
                    (false, 0) => c[at] = n,
                    (false, 1) => c[at] = -t * cos,
                    (false, _) => c[at] = -t * sin,
                }
                return Some(c);
            }
            at += width;
        }
        None
    }

    /// E x = g and H x ≥ d as conic data.
    fn equations(&self) -> Conic {
        let mut data = Conic::default();
        let dense = |row: &[f64], sign: f64| -> Vec<(usize, f64)> {
            row.iter().enumerate().map(|(j, a)| (j, sign * a)).collect()
        };
        self.equal.iter().for_each(|(row, g)| data.push(&dense(row, 1.0), *g));
        self.above.iter().for_each(|(row, d)| data.push(&dense(row, -1.0), -d));
        data.cones.push(SupportedConeT::ZeroConeT(self.equal.len()));
        if !self.above.is_empty() {
            data.cones.push(SupportedConeT::NonnegativeConeT(self.above.len()));
        }
        data
    }

    /// Minimises c·x − t, where each contact keeps the distance t ≤ 1 from the boundary of its cone if `with_room`: contacts that squeeze
    /// a body could keep any.
    fn solve(&self, c: &[f64], with_room: bool) -> Option<Optimum> {
        let n = self.columns + usize::from(with_room);
        let mut objective = c.to_vec();
        if with_room {
            objective.push(-1.0);
        }
        let mut data = self.equations();
        data.append_cones(&self.blocks, &self.system.mu, with_room.then_some(n - 1));
        if with_room {
            data.push(&[(n - 1, 1.0)], 1.0);
            data.cones.push(SupportedConeT::NonnegativeConeT(1));
        }
        let (A, b, cones) = (data.matrix(n), data.b, data.cones);
        // as well as it can: what it says is checked in any case
        let best = Tol::default().inner_program;
        let settings = DefaultSettings {
            verbose: false,
            max_threads: 1,
            tol_gap_abs: best,
            tol_gap_rel: best,
            tol_feas: best,
            ..DefaultSettings::default()
        };
        let P = CscMatrix::zeros((n, n));
        let mut solver = DefaultSolver::new(&P, &objective, &A, &b, &cones, settings).ok()?;
        solver.solve();
        let solution = &solver.solution;
        let feasible = match solution.status {
            SolverStatus::Solved | SolverStatus::AlmostSolved | SolverStatus::InsufficientProgress => true,
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => false,
            _ => return None,
        };
        let finite = solution.x.iter().chain(&solution.z).all(|x| x.is_finite());
        let (equal, above) = (self.equal.len(), self.above.len());
        finite.then(|| Optimum {
            feasible,
            x: solution.x.clone(),
            // the solver's Lagrangian is c·x + z·(A x − b)
            y: solution.z[..equal].iter().map(|y| -y).collect(),
            z: solution.z[equal..equal + above].to_vec(),
        })
    }

    /// Forces with the most room, against a small price of their sum so that they stay finite, and the room.
    fn centre(&self) -> Option<(Vec<f64>, f64)> {
        let price = Tol::default().tilt;
        let sum: Vec<f64> = self.normal().iter().map(|x| price * x).collect();
        let Optimum { mut x, .. } = self.solve(&sum, true).filter(|optimum| optimum.feasible)?;
        let room = x.pop()?;
        Some((x, room))
    }

    /// Σ λ_N, of slip without normal force the friction.
    fn normal(&self) -> Vec<f64> {
        self.blocks
            .iter()
            .flat_map(|&(_, sticks)| if sticks { vec![1.0, 0.0, 0.0] } else { vec![1.0] })
            .collect()
    }

    /// Whether forces hold the word to the tolerance: accelerations against the sizes of their terms.
    fn holds(&self, forces: &[f64], tol: &Tol) -> bool {
        let system = self.system;
        let small = |row: usize| {
            let terms = forces.iter().enumerate().map(|(j, x)| system.D[row][j] * x);
            let (sum, size) =
                terms.fold((system.free[row], system.sizes[row]), |(s, z), x| (s + x, z + x.abs()));
            (sum, tol.solved * size)
        };
        self.held.iter().all(|&row| {
            let (sum, band) = small(row);
            sum.abs() <= band
        })
    }

    /// c·x ≥ g·y + d·z − Σ δᵢ λ_Nᵢ: the first part, and the δ of each contact.
    fn weak_duality(&self, c: &[f64], optimum: &Optimum) -> (f64, Vec<f64>) {
        let exact = Interval::from_f64;
        let mut left: Vec<Interval> = c.iter().map(|&x| exact(x)).collect();
        let mut value = exact(0.0);
        let multipliers = optimum.y.iter().copied().chain(optimum.z.iter().map(|z| z.max(0.0)));
        for ((row, offset), y) in self.equal.iter().chain(&self.above).zip(multipliers) {
            value = value + exact(y) * exact(*offset);
            left.iter_mut().zip(row).for_each(|(left, &a)| *left = *left - exact(y) * exact(a));
        }
        let mut at = 0;
        let lack = |&(i, sticks): &(usize, bool)| {
            let lacking = if sticks {
                let [N, T1, T2] = [0, 1, 2].map(|k| left[at + k]);
                at += 3;
                exact(self.system.mu[i]) * (T1.square() + T2.square()).sqrt() - N
            } else {
                at += 1;
                -left[at - 1]
            };
            lacking.hi.max(0.0)
        };
        (value.lo, self.blocks.iter().map(lack).collect())
    }

    /// A verified upper bound of Σ λ_N; ∞ if there is none.
    pub(super) fn total(&self) -> f64 {
        let opposite: Vec<f64> = self.normal().iter().map(|x| -x).collect();
        let Some(optimum) = self.solve(&opposite, false).filter(|o| o.feasible) else { return f64::INFINITY };
        let (value, lacking) = self.weak_duality(&opposite, &optimum);
        let worst = lacking.into_iter().fold(0.0, f64::max);
        // −S ≥ value − worst S
        if worst < 0.5 {
            (-value).max(0.0) / (1.0 - worst) * (1.0 + 4.0 * f64::EPSILON)
        } else {
            f64::INFINITY
        }
    }

    /// A verified lower bound of c·x, where Σ λ_N ≤ `most`.
    pub(super) fn bound(&self, c: &[f64], most: f64) -> f64 {
        let Some(optimum) = self.solve(c, false).filter(|o| o.feasible) else { return f64::NEG_INFINITY };
        let (value, lacking) = self.weak_duality(c, &optimum);
        let worst = lacking.into_iter().fold(0.0, f64::max);
        if worst <= 0.0 { value } else { (value - worst * most).next_down() }
    }

    /// Whether it is proven that no forces hold the word: y, z with Eᵀy + Hᵀz ∈ −K* and g·y + d·z > 0 for all forces up to a bound that
    /// is a thousand times what acts.
    fn refuted(&self, tol: &Tol) -> bool {
        let Some(optimum) = self.phase_one() else { return false };
        let (value, lacking) = self.weak_duality(&vec![0.0; self.columns], &optimum);
        let acting: f64 =
            self.blocks.iter().map(|&(i, _)| self.system.sizes[3 * i] / self.system.D[3 * i][3 * i]).sum();
        let worst = lacking.into_iter().fold(0.0, f64::max);
        value - worst * acting / tol.marginal.sqrt() > 0.0
    }

    /// The multipliers of the program with room: where its optimum is negative they separate.
    fn phase_one(&self) -> Option<Optimum> {
        self.solve(&vec![0.0; self.columns], true)
    }
}

/// Normal forces alone that keep all contacts without acceleration, to the tolerance.
pub(super) fn frictionless(system: &System, tol: &Tol) -> Option<Vec<f64>> {
    let k = system.contacts();
    let smooth = System { mu: vec![0.0; k], along: vec![Some([1.0, 0.0]); k], ..system.clone() };
    let mut program = Program::new(&smooth, &vec![SpaceWord::Slip; k], tol);
    program.held = (0..3 * k).collect();
    let independent = smooth.span(&program.held, tol);
    program.equal = independent.iter().map(|&row| (program.row(row), -smooth.free[row])).collect();
    let (x, _) = program.centre()?;
    let pressed: Vec<f64> = x.iter().map(|x| x.max(0.0)).collect();
    let forces = program.forces(&pressed);
    program.holds(&forces, tol).then_some(forces)
}
