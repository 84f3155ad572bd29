//! The contact problem of a step by its contacts' modes, in space as long as none slips: those of the step before are tried first (of a new contact
//! that of its slip), then those that their failure points to. A system of linear equations each, and what satisfies the law is a solution; whatever this does not find is
//! left to the solvers.

use super::StepOutcome;
use crate::num::{Tol, dense};
use crate::stepping::dense::DenseProblem;

/// The mode of a contact in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// No impulse.
    Free,
    /// No slip.
    #[default]
    Stick,
    /// Slip in the positive direction.
    SlipPos,
    /// Slip in the negative direction.
    SlipNeg,
}

impl Mode {
    /// The sign of the slip.
    fn sign(self) -> f64 {
        match self {
            Self::SlipPos => 1.0,
            Self::SlipNeg => -1.0,
            Self::Free | Self::Stick => 0.0,
        }
    }

    /// That of a contact that is closed now and slips so.
    pub(super) fn going(slip: f64) -> Self {
        if slip > 0.0 {
            Self::SlipPos
        } else if slip < 0.0 {
            Self::SlipNeg
        } else {
            Self::Stick
        }
    }

    /// The same, if impulse and velocity satisfy its law, else the one that they point to; `size` is what rounding leaves of a velocity.
    #[inline]
    fn corrected(self, mu: f64, [N, T]: [f64; 2], [u_N, u_T]: [f64; 2], size: impl Fn(usize) -> f64) -> Self {
        let slips = if u_T < 0.0 { Self::SlipNeg } else { Self::SlipPos };
        match self {
            Self::Free if u_N < -size(0) && mu > 0.0 => Self::Stick,
            Self::Free if u_N < -size(0) => slips,
            Self::Free => Self::Free,
            _ if N < 0.0 => Self::Free,
            Self::Stick if mu <= 0.0 => slips,
            Self::Stick if T > mu * N => Self::SlipNeg,
            Self::Stick if -T > mu * N => Self::SlipPos,
            Self::Stick => Self::Stick,
            Self::SlipPos | Self::SlipNeg if mu <= 0.0 => slips,
            Self::SlipPos if u_T < -size(1) => Self::Stick,
            Self::SlipNeg if u_T > size(1) => Self::Stick,
            Self::SlipPos | Self::SlipNeg => self,
        }
    }

    /// Whether another one is not the same; without friction the direction of slip is a name.
    #[inline]
    fn differs(self, other: Self, mu: f64) -> bool {
        other != self && !(mu <= 0.0 && other.sign() * self.sign() < 0.0)
    }

    /// The impulse of a contact in the plane that is alone and has one unknown, and U; none if it is not so. W by rows.
    #[inline]
    fn force_alone(self, mu: f64, [nn, nt, tn, tt]: [f64; 4], free: [f64; 2]) -> Option<[[f64; 2]; 2]> {
        if self == Self::Stick && mu > 0.0 {
            return None;
        }
        let friction = -self.sign() * mu;
        let gain = if friction.abs() > 0.0 { nn + friction * nt } else { nn };
        if self != Self::Free && gain.abs() <= 0.0 {
            return None;
        }
        let N = if self == Self::Free { 0.0 } else { -free[0] / gain };
        let T = if friction.abs() > 0.0 { friction * N } else { 0.0 };
        Some([[N, T], [free[0] + (nn * N + nt * T), free[1] + (tn * N + tt * T)]])
    }

    /// The mode and the impulse of a contact in the plane that is alone, as [`Direct`] finds them from this mode; none if it has to.
    #[inline]
    pub(super) fn alone(
        mut self,
        mu: f64,
        W: [f64; 4],
        (free, sizes): ([f64; 2], [f64; 2]),
    ) -> Option<(Self, [f64; 2])> {
        for _ in 0..TRIALS {
            let [r, u] = self.force_alone(mu, W, free)?;
            let size = |i: usize| {
                let terms = (W[2 * i] * r[0]).abs() + (W[2 * i + 1] * r[1]).abs();
                Tol::default().noise * (sizes[i] + terms)
            };
            let next = self.corrected(mu, r, u, size);
            let differs = self.differs(next, mu);
            self = next;
            if !differs {
                return Some((self, r));
            }
        }
        None
    }

    pub(super) fn doing(self) -> StepOutcome {
        match self {
            Self::Free => StepOutcome::TakesOff,
            Self::Stick => StepOutcome::Sticks,
            Self::SlipPos | Self::SlipNeg => StepOutcome::Slips,
        }
    }

    /// That of a solver's solution.
    pub(super) fn of(doing: StepOutcome, slip: f64) -> Self {
        match doing {
            StepOutcome::Open | StepOutcome::TakesOff => Self::Free,
            StepOutcome::Sticks => Self::Stick,
            StepOutcome::Slips if slip < 0.0 => Self::SlipNeg,
            StepOutcome::Slips => Self::SlipPos,
        }
    }
}

/// Modes that are tried.
const TRIALS: usize = 8;

/// Memory of the search; its solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Direct {
    /// Rows of a contact.
    dim: usize,
    /// Modes of the contacts of the problem; where the search begins, and its solution.
    pub(super) modes: Vec<Mode>,
    /// Impulses by contact rows.
    pub(super) r: Vec<f64>,
    /// x.
    pub(super) x: Vec<f64>,
    factor: Vec<f64>,
    /// M⁻¹Hᵀ, one row for each contact row.
    responses: Vec<f64>,
    /// W by rows, and u without impulses.
    pub(super) delassus: Vec<f64>,
    pub(super) free: Vec<f64>,
    /// What that is the sum of: where it cancels, rounding is all that is left of it.
    pub(super) free_size: Vec<f64>,
    u: Vec<f64>,
    matrix: Vec<f64>,
    solution: Vec<f64>,
}

impl Direct {
    /// Looks for a solution from the modes; whether there is one.
    pub(super) fn solve(&mut self, problem: &DenseProblem) -> bool {
        let found = self.condense(problem) && self.search(problem.dim, &problem.mu);
        if found {
            self.finish(problem);
        }
        found
    }

    /// Forgets W and u without impulses, for others to be put down.
    pub(super) fn clear(&mut self) {
        self.delassus.clear();
        self.free.clear();
        self.free_size.clear();
    }

    /// Looks for a solution of the problem that is put down in W and in u without impulses.
    pub(super) fn search(&mut self, dim: usize, mu: &[f64]) -> bool {
        self.dim = dim;
        if dim == 3 {
            // slip has no sign there
            self.modes.iter_mut().filter(|mode| mode.sign().abs() > 0.0).for_each(|mode| *mode = Mode::Stick);
        }
        for _ in 0..TRIALS {
            if !(self.force_one(mu) || self.force(mu)) {
                return false;
            }
            match self.correct(mu) {
                Some(true) => {}
                found => return found.is_some(),
            }
        }
        false
    }

    /// The impulses of the mode of one contact in the plane that has one unknown, and u; false if it is not so.
    fn force_one(&mut self, mu: &[f64]) -> bool {
        let Self { dim: 2, modes, r, delassus, free, u, .. } = self else { return false };
        let (&[mode], &[mu], &[free_N, free_T], &[nn, nt, tn, tt]) =
            (&modes[..], mu, &free[..], &delassus[..])
        else {
            return false;
        };
        let Some([impulse, velocity]) = mode.force_alone(mu, [nn, nt, tn, tt], [free_N, free_T]) else {
            return false;
        };
        r.clear();
        r.extend(impulse);
        u.clear();
        u.extend(velocity);
        true
    }

    fn condense(&mut self, problem: &DenseProblem) -> bool {
        let (n, rows) = (problem.f.len(), problem.w.len());
        let Self { factor, responses, delassus, free, free_size, x, .. } = self;
        factor.clear();
        problem.M.rows().enumerate().for_each(|(i, row)| factor.extend_from_slice(&row[..=i]));
        if dense::cholesky(factor, n, Tol::default().singular).is_err() {
            return false;
        }
        x.clear();
        x.extend(problem.f.iter().map(|f| -f));
        dense::solve(factor, x);
        responses.clear();
        problem.H.rows().for_each(|row| responses.extend_from_slice(row));
        dense::solve_many(factor, n, responses);
        delassus.clear();
        free.clear();
        free_size.clear();
        for (row, w) in problem.H.rows().zip(&problem.w) {
            delassus.extend(responses.chunks_exact(n).map(|z| dense::dot(row, z)));
            free.push(dense::dot(row, x) + w);
            free_size.push(row.iter().zip(&*x).map(|(h, x)| (h * x).abs()).sum::<f64>() + w.abs());
        }
        delassus.len() == rows * rows && delassus.iter().chain(&*free).all(|x| x.is_finite())
    }

    /// The impulses of the modes, and u; false if the modes do not determine them.
    fn force(&mut self, mu: &[f64]) -> bool {
        let Self { dim, modes, r, delassus, free, u, matrix, solution, .. } = self;
        let (rows, dim) = (free.len(), *dim);
        // the row of an equation, and the impulse of an unknown: N with its friction, or T
        let unknowns = || {
            modes.iter().enumerate().flat_map(|(k, mode)| {
                let normal = (*mode != Mode::Free).then_some((dim * k, -mode.sign() * mu[k]));
                let tangents = if *mode == Mode::Stick && mu[k] > 0.0 { 1..dim } else { 1..1 };
                normal.into_iter().chain(tangents.map(move |t| (dim * k + t, 0.0)))
            })
        };
        let size = unknowns().count();
        matrix.clear();
        solution.clear();
        for (row, _) in unknowns() {
            solution.push(-free[row]);
            matrix.extend(unknowns().map(|(place, friction)| {
                let entry = delassus[row * rows + place];
                if friction.abs() > 0.0 { entry + friction * delassus[row * rows + place + 1] } else { entry }
            }));
        }
        if !eliminate(matrix, solution, size) {
            return false;
        }
        r.clear();
        r.resize(rows, 0.0);
        for ((place, friction), size) in unknowns().zip(&*solution) {
            r[place] += size;
            if friction.abs() > 0.0 {
                r[place + 1] += friction * size;
            }
        }
        u.clear();
        u.extend((0..rows).map(|i| free[i] + dense::dot(&delassus[i * rows..(i + 1) * rows], r)));
        true
    }

    /// Changes the modes of contacts whose law is not satisfied; whether there were any, none if a contact slips in space.
    fn correct(&mut self, mu: &[f64]) -> Option<bool> {
        let Self { dim, modes, r, delassus, free_size, u, .. } = self;
        let dim = *dim;
        let (rows, noise) = (free_size.len(), Tol::default().noise);
        let mut changed = false;
        for (k, mode) in modes.iter_mut().enumerate() {
            let size = |i: usize| {
                let terms = delassus[i * rows..(i + 1) * rows].iter().zip(&*r).map(|(w, r)| (w * r).abs());
                noise * (free_size[i] + terms.sum::<f64>())
            };
            let (normal, tangent) = (dim * k, dim * k + 1);
            if dim == 3 && *mode == Mode::Stick && mu[k] > 0.0 {
                let friction = r[tangent].hypot(r[tangent + 1]);
                let rounding = (tangent..tangent + 2).map(|i| size(i) / delassus[i * rows + i]).sum::<f64>();
                if r[normal] >= 0.0 && friction > mu[k] * r[normal] + rounding {
                    return None;
                }
            }
            let next = match *mode {
                Mode::Stick if dim == 3 && r[normal] >= 0.0 => Mode::Stick,
                _ => {
                    let at = |x: &[f64]| [x[normal], x[tangent]];
                    mode.corrected(mu[k], at(r), at(u), |i| size(normal + i))
                }
            };
            changed |= mode.differs(next, mu[k]);
            *mode = next;
        }
        Some(changed)
    }

    fn finish(&mut self, problem: &DenseProblem) {
        let Self { x, r, responses, .. } = self;
        for (z, r) in responses.chunks_exact(problem.f.len()).zip(&*r) {
            x.iter_mut().zip(z).for_each(|(x, z)| *x += r * z);
        }
    }
}

/// Solves A y = b with pivoting by rows; false if A is singular to rounding.
fn eliminate(a: &mut [f64], b: &mut [f64], size: usize) -> bool {
    let largest = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for k in 0..size {
        let column = |i: &usize| a[i * size + k].abs();
        let Some(pivot) = (k..size).max_by(|i, j| column(i).total_cmp(&column(j))) else { return false };
        if a[pivot * size + k].abs() <= Tol::default().noise * largest {
            return false;
        }
        (0..size).for_each(|j| a.swap(k * size + j, pivot * size + j));
        b.swap(k, pivot);
        for i in k + 1..size {
            let factor = a[i * size + k] / a[k * size + k];
            if factor.abs() > 0.0 {
                (k..size).for_each(|j| a[i * size + j] -= factor * a[k * size + j]);
                b[i] -= factor * b[k];
            }
        }
    }
    for k in (0..size).rev() {
        let known: f64 = (k + 1..size).map(|j| a[k * size + j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k * size + k];
    }
    true
}
