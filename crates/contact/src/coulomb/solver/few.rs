//! The opening of the usual plan for few contacts, Gauss-Seidel sweeps and then the Newton steps of Alart and Curnier
//! ([`super::newton`]), in arrays on the stack, by the widest vector instructions, and without what a search needs. The sweeps solve
//! a contact that slips in space by a few steps only: the Newton steps that follow do the rest.

use crate::num::lanes::{Arch, NullaryFnOnce};

use super::alart_curnier::{REGULARISATION, SHORT};
use super::gauss_seidel::others;
use super::newton::{History, alart_curnier, maps, rho, scale};
use super::one_contact::Contact;
use super::{AlartCurnier, Solver, Task};
use crate::coulomb::backward::Rho;
use crate::coulomb::pyramid::Cones;
use crate::coulomb::residual::residual_at;
use crate::coulomb::tolerance::METHODS;
use crate::linear::reduced::{Maps, reduce};

/// Most contacts of such a problem.
pub(crate) const FEW: usize = 8;
/// Their rows, in groups for vector instructions.
const LANES: usize = 4;
const GROUPS: usize = FEW * 3 / LANES;
const ROWS: usize = LANES * GROUPS;

/// Sweeps before the Newton steps, and most of these.
const SWEEPS: usize = 2;
const STEPS: usize = 16;
/// Newton steps on the slip of one contact in a sweep.
const SLIP_STEPS: usize = 2;

/// Improves `r`; the solver and its iterations, none if they did not suffice.
pub(crate) fn solve_few<const D: usize, const DD: usize>(
    task: &Task<'_>,
    tolerance: f64,
    r: &mut [[f64; D]],
) -> Option<(&'static str, usize)> {
    let steps = Arch::new().dispatch(Run::<D, DD> { task, tolerance, r })?;
    Some((AlartCurnier.name(), SWEEPS + steps))
}

struct Run<'a, const D: usize, const DD: usize> {
    task: &'a Task<'a>,
    tolerance: f64,
    r: &'a mut [[f64; D]],
}

impl<const D: usize, const DD: usize> NullaryFnOnce for Run<'_, D, DD> {
    type Output = Option<usize>;

    #[inline(always)]
    fn call(self) -> Option<usize> {
        let Self { task, tolerance, r } = self;
        let mut few = Few::<D, DD>::new(task, tolerance);
        (0..SWEEPS).for_each(|_| few.sweep(r));
        few.u = few.velocity(r);
        few.steps(r)
    }
}

/// A problem of at most [`FEW`] contacts, and the velocities of a force.
struct Few<'a, const D: usize, const DD: usize> {
    task: &'a Task<'a>,
    tolerance: f64,
    contacts: [Contact<D, DD>; FEW],
    ratio: [f64; FEW],
    steps: [Rho; FEW],
    alpha: f64,
    /// W by columns, of which the first `groups` groups are in use.
    columns: [[[f64; LANES]; GROUPS]; ROWS],
    groups: usize,
    system: System,
    u: [[f64; D]; FEW],
}

impl<'a, const D: usize, const DD: usize> Few<'a, D, DD> {
    #[inline(always)]
    fn new(task: &'a Task<'a>, tolerance: f64) -> Self {
        let (W, nc) = (&task.local.W, task.mu.len());
        let blocks = W.chunks::<DD>();
        let mut out = Self {
            task,
            tolerance,
            contacts: [Contact::NONE; FEW],
            ratio: [0.0; FEW],
            steps: [[1.0; 2]; FEW],
            alpha: REGULARISATION * scale::<D, DD>(task),
            columns: [[[0.0; LANES]; GROUPS]; ROWS],
            groups: (nc * D).div_ceil(LANES),
            system: System::NONE,
            u: [[0.0; D]; FEW],
        };
        for (i, mu) in task.mu.iter().enumerate() {
            out.contacts[i] = Contact::new(&blocks[W.diagonal(i)], *mu);
            for k in W.row(i) {
                for b in 0..D {
                    let column = out.columns[W.column(k) * D + b].as_flattened_mut();
                    (0..D).for_each(|a| column[i * D + a] = blocks[k][a * D + b]);
                }
            }
        }
        out.steps.iter_mut().zip(rho::<D, DD>(task, 1.0)).for_each(|(step, rho)| *step = rho);
        out
    }

    /// W r.
    #[inline(always)]
    fn product(&self, r: &[[f64; D]]) -> [[f64; D]; FEW] {
        let mut sums = [[0.0; LANES]; GROUPS];
        for group in 0..self.groups {
            let mut sum = [0.0; LANES];
            for (column, r) in self.columns.iter().zip(r.as_flattened()) {
                (0..LANES).for_each(|a| sum[a] += column[group][a] * r);
            }
            sums[group] = sum;
        }
        let mut out = [[0.0; D]; FEW];
        out.as_flattened_mut().iter_mut().zip(sums.as_flattened()).for_each(|(out, sum)| *out = *sum);
        out
    }

    /// W r + q.
    #[inline(always)]
    fn velocity(&self, r: &[[f64; D]]) -> [[f64; D]; FEW] {
        let mut u = self.product(r);
        u.as_flattened_mut().iter_mut().zip(&self.task.local.q).for_each(|(u, q)| *u += q);
        u
    }

    /// Whether a force is good enough whose velocities are known.
    fn is_solved(&self, r: &[[f64; D]]) -> bool {
        let (Task { local, mu }, u) = (self.task, &self.u[..r.len()]);
        let residual = residual_at(Cones::SecondOrder, local, mu, r.as_flattened(), u.as_flattened());
        residual.relative <= self.tolerance
    }

    /// One contact after the other; one that has no solution alone stays as it is.
    #[inline(always)]
    fn sweep(&mut self, r: &mut [[f64; D]]) {
        let free = self.task.local.q.as_chunks::<D>().0;
        for i in 0..r.len() {
            let q = others::<D, DD>(&self.task.local.W, i, r, &free[i]);
            if let Some(force) = self.contacts[i].solve_within(&q, &mut self.ratio[i], SLIP_STEPS) {
                r[i] = force;
            }
        }
    }

    /// Newton steps with line search, and a sweep after a short one, as [`AlartCurnier`] takes them.
    #[inline(always)]
    fn steps(&mut self, r: &mut [[f64; D]]) -> Option<usize> {
        let mut history = History::new();
        for step in 1..=STEPS {
            let dr = self.step(r)?;
            let du = self.product(&dr[..r.len()]);
            let merit = |tau: f64| self.merit(r, (&du, &dr), tau);
            history.push(merit(0.0));
            let (tau, merit) = history.search(merit);
            for i in 0..r.len() {
                for a in 0..D {
                    r[i][a] += tau * dr[i][a];
                    self.u[i][a] += tau * du[i][a];
                }
            }
            let size: f64 = r.as_flattened().iter().map(|r| r * r).sum();
            if 2.0 * merit <= METHODS.far * size || size <= 0.0 {
                self.u = self.velocity(r);
                if self.is_solved(r) {
                    return Some(step);
                }
            }
            if tau < SHORT {
                self.sweep(r);
                self.u = self.velocity(r);
            }
        }
        None
    }

    /// The Newton step, as [`super::newton::Newton::step`]; none where the system is singular.
    #[inline(always)]
    fn step(&mut self, r: &[[f64; D]]) -> Option<[[f64; D]; FEW]> {
        let Self { task: Task { local, mu }, steps, alpha, system, .. } = self;
        let (q, blocks) = (local.q.as_chunks::<D>().0, local.W.chunks::<DD>());
        let (mut known, mut offsets, mut n) = ([Maps::<D>::NONE; FEW], [0; FEW], 0);
        for i in 0..r.len() {
            known[i] = maps(&self.u[i], &r[i], mu[i], &steps[i]);
            offsets[i] = n;
            n += known[i].size;
        }
        system.clear(n);
        for (i, map) in known.iter().enumerate().take(r.len()).filter(|(_, map)| map.size > 0) {
            for k in local.W.row(i) {
                let j = local.W.column(k);
                if known[j].size > 0 {
                    let block = reduce::<D, DD>(&blocks[k], map, &known[j]);
                    for (row, values) in block.iter().enumerate().take(map.size) {
                        let to = &mut system.row(offsets[i] + row)[offsets[j]..];
                        to.iter_mut().zip(values).take(known[j].size).for_each(|(to, x)| *to = *x);
                    }
                }
            }
            for row in 0..map.size {
                let to = system.row(offsets[i] + row);
                (0..map.size).for_each(|column| to[offsets[i] + column] += map.own[row][column]);
                to[offsets[i] + row] += *alpha;
                *system.right(offsets[i] + row) = *alpha * map.row(row, &r[i]) - map.row(row, &q[i]);
            }
        }
        let x = system.solve()?;
        let mut dr = [[0.0; D]; FEW];
        for i in 0..r.len() {
            let force = known[i].force(&x[offsets[i]..]);
            (0..D).for_each(|a| dr[i][a] = force[a] - r[i][a]);
        }
        Some(dr)
    }

    /// ½ Σ ‖F‖² at (u + τ du, r + τ dr) of the problem that is regularised at r.
    #[inline(always)]
    fn merit(&self, r: &[[f64; D]], (du, dr): (&[[f64; D]; FEW], &[[f64; D]; FEW]), tau: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..r.len() {
            let force: [f64; D] = std::array::from_fn(|a| r[i][a] + tau * dr[i][a]);
            let u: [f64; D] =
                std::array::from_fn(|a| self.u[i][a] + tau * du[i][a] + self.alpha * (tau * dr[i][a]));
            let defect = alart_curnier(&u, &force, self.task.mu[i], &self.steps[i]);
            sum += defect.iter().map(|x| x * x).sum::<f64>();
        }
        0.5 * sum
    }
}

/// A dense linear system by rows, the right-hand side behind the last group of each.
struct System {
    n: usize,
    rows: [[[f64; LANES]; GROUPS + 1]; ROWS],
}

impl System {
    const NONE: Self = Self { n: 0, rows: [[[0.0; LANES]; GROUPS + 1]; ROWS] };

    /// Zeros, for n unknowns.
    #[inline(always)]
    fn clear(&mut self, n: usize) {
        self.n = n;
        let last = n.div_ceil(LANES);
        self.rows[..n].iter_mut().for_each(|row| row[..=last].fill([0.0; LANES]));
    }

    #[inline(always)]
    fn row(&mut self, k: usize) -> &mut [f64] {
        self.rows[k].as_flattened_mut()
    }

    #[inline(always)]
    fn right(&mut self, k: usize) -> &mut f64 {
        &mut self.rows[k][self.n.div_ceil(LANES)][0]
    }

    /// The solution, by elimination with exchanges of rows; none where a pivot vanishes.
    #[inline(always)]
    fn solve(&mut self) -> Option<[f64; ROWS]> {
        let (n, last) = (self.n, self.n.div_ceil(LANES));
        let mut inverses = [0.0; ROWS];
        for k in 0..n {
            let (group, lane) = (k / LANES, k % LANES);
            let (mut best, mut size) = (k, self.rows[k][group][lane].abs());
            for row in k + 1..n {
                let other = self.rows[row][group][lane].abs();
                // without a branch, which would be guessed wrongly every other time
                let larger = other > size;
                best = if larger { row } else { best };
                size = if larger { other } else { size };
            }
            if size.is_nan() || size <= f64::MIN_POSITIVE {
                return None;
            }
            let (upper, below) = self.rows[..n].split_at_mut(k + 1);
            let top = &mut upper[k];
            if best != k {
                top[group..=last].swap_with_slice(&mut below[best - k - 1][group..=last]);
            }
            inverses[k] = 1.0 / top[group][lane];
            for row in below {
                let l = row[group][lane] * inverses[k];
                for (x, t) in row[group..=last].iter_mut().zip(&top[group..=last]) {
                    (0..LANES).for_each(|a| x[a] -= l * t[a]);
                }
            }
        }
        self.back(&inverses)
    }

    /// The unknowns, last to first, once the matrix is triangular.
    #[inline(always)]
    fn back(&self, inverses: &[f64; ROWS]) -> Option<[f64; ROWS]> {
        let (last, mut x) = (self.n.div_ceil(LANES), [0.0; ROWS]);
        for k in (0..self.n).rev() {
            let row = &self.rows[k];
            // entries before the diagonal meet unknowns that are still 0
            let mut sums = [0.0; LANES];
            for (row, x) in row[k / LANES..last].iter().zip(&x.as_chunks::<LANES>().0[k / LANES..last]) {
                (0..LANES).for_each(|a| sums[a] += row[a] * x[a]);
            }
            let known = (sums[0] + sums[2]) + (sums[1] + sums[3]);
            x[k] = (row[last][0] - known) * inverses[k];
        }
        x[..self.n].iter().all(|x| x.is_finite()).then_some(x)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GaussSeidel, Options, Solver, Task, Workspace};
    use super::{System, solve_few};
    use crate::coulomb::problem::Local;
    use crate::coulomb::residual::local_residual;
    use crate::linear::{BlockMatrix, MatrixError, Sparse};
    use nalgebra::{DMatrix, DVector};

    fn number(k: usize) -> f64 {
        (1.7 * k as f64 + 0.3).sin()
    }

    /// n contacts on one body each, coupled with their neighbours, unsymmetric.
    fn row(d: usize, n: usize, seed: usize) -> Result<(Local, Vec<f64>), MatrixError> {
        let entry = |i: usize, j: usize| match (i == j, (i / d).abs_diff(j / d)) {
            (true, _) => 3.0 + number(seed + i),
            (false, 0 | 1) => 0.4 * number(seed + 7 * i + 3 * j),
            (false, _) => 0.0,
        };
        let rows: Vec<Vec<f64>> = (0..d * n).map(|i| (0..d * n).map(|j| entry(i, j)).collect()).collect();
        let W = BlockMatrix::from_sparse(d, &Sparse::from_dense("W", &rows, d * n)?);
        let free = |i: usize| if i.is_multiple_of(d) { number(seed + i) - 0.7 } else { number(seed + 5 * i) };
        let mu = (0..n).map(|i| if (i + seed).is_multiple_of(5) { 0.0 } else { 0.15 * i as f64 }).collect();
        Ok((Local { W, q: (0..d * n).map(free).collect() }, mu))
    }

    fn agrees<const D: usize, const DD: usize>(n: usize, seed: usize) -> Result<bool, MatrixError> {
        let (local, mu) = row(D, n, seed)?;
        let task = Task { local: &local, mu: &mu };
        let (mut r, mut other) = (vec![[0.0; D]; n], vec![0.0; D * n]);
        let Some((_, iterations)) = solve_few::<D, DD>(&task, 1e-10, &mut r) else { return Ok(false) };
        let mut workspace = Workspace::default();
        GaussSeidel.solve(&task, &Options::new(1e-12, 5000), &mut workspace, &mut other);
        let r = r.as_flattened();
        assert!(local_residual(&local, &mu, r, &mut vec![0.0; D * n]).relative <= 1e-10, "{n} {seed}");
        assert!(
            r.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-8),
            "{n} {seed} ({iterations}): {r:?} {other:?}"
        );
        Ok(true)
    }

    /// The solution is the one that sweeps find; hardly ever is none found.
    #[test]
    fn steps_end_where_sweeps_do() -> Result<(), MatrixError> {
        let mut found = [0; 2];
        for (n, seed) in (1..=8).flat_map(|n| (0..12).map(move |seed| (n, 100 * seed + n))) {
            found[0] += usize::from(agrees::<2, 4>(n, seed)?);
            found[1] += usize::from(agrees::<3, 9>(n, seed)?);
        }
        assert!(found[0] >= 90 && found[1] >= 90, "{found:?} of 96");
        Ok(())
    }

    /// Rows are exchanged where the diagonal is zero; beside nalgebra's elimination.
    #[test]
    fn systems_of_all_sizes_are_solved() {
        for n in 1..=24 {
            let entry = |i: usize, j: usize| if i == j { 0.0 } else { number(31 * i + 17 * j + n) };
            let corner = |i: usize, j: usize| if n % 2 == 1 && i == 0 && j == 0 { 2.0 } else { entry(i, j) };
            let matrix = DMatrix::from_fn(n, n, corner);
            let b = DVector::from_fn(n, |i, _| number(5 * i));
            let mut system = System::NONE;
            // what another system left behind does not count
            system.clear(24);
            (0..24).for_each(|i| system.row(i).fill(f64::NAN));
            system.clear(n);
            for i in 0..n {
                (0..n).for_each(|j| system.row(i)[j] = matrix[(i, j)]);
                *system.right(i) = b[i];
            }
            let (found, expected) = (system.solve(), matrix.clone().lu().solve(&b));
            let (Some(found), Some(expected)) = (found, expected) else { panic!("{n} is regular") };
            assert!((0..n).all(|i| (found[i] - expected[i]).abs() < 1e-9 * expected.amax()), "{n}");
        }
    }

    #[test]
    fn a_singular_system_has_no_solution() {
        let mut system = System::NONE;
        system.clear(2);
        for i in 0..2 {
            system.row(i)[..2].copy_from_slice(&[1.0, 2.0]);
        }
        assert!(system.solve().is_none());
    }
}
