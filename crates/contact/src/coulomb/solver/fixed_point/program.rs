//! The inner program for given sliding speeds s, with Clarabel: built once, and from one s to the next only its linear
//! data are replaced.
//!
//! For the local form the last force is tried first: Newton steps from it mostly solve the next program too, and where
//! they do not, they bring Clarabel's answer to the last digits.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};

use super::gauges::{Chart, Gauge, Kind};
use super::matrices::{csc, reduced, skew, upper};
use super::polish::Polish;
use crate::coulomb::problem::{Global, Local, Problem};
use crate::coulomb::pyramid::Cones;
use crate::coulomb::solver::Task;
use crate::linear::Sparse;
use crate::num::Tol;

/// The inner program with s to be set.
pub(super) struct Inner<'a> {
    solver: DefaultSolver<f64>,
    mu: &'a [f64],
    dim: usize,
    /// Programs that Clarabel solved.
    pub(super) conic: usize,
    data: Data<'a>,
}

/// What the linear data are made of.
enum Data<'a> {
    /// Variable v; the constraint's offset is G (w + E s).
    Velocity { global: &'a Global, gauges: Vec<Gauge>, units: Units },
    /// Variable y with r = Bᵀ y; the objective's slope is B (q + E s + ½(W − Wᵀ) r).
    Force {
        local: &'a Local,
        charts: Vec<Chart>,
        units: Units,
        skew: Option<Sparse>,
        last: Vec<f64>,
        polish: Box<Polish<'a>>,
    },
}

/// v, r and u of an inner program.
pub(super) struct Answer {
    pub(super) v: Vec<f64>,
    pub(super) r: Vec<f64>,
    pub(super) u: Vec<f64>,
}

/// Velocities and forces in which the inner program's numbers are near one: stiff bodies weigh 1e9, steps last 1e-6,
/// and at rest only rounding errors are left of q.
#[derive(Clone, Copy)]
struct Units {
    velocity: f64,
    force: f64,
}

impl Units {
    /// From the largest offset velocity, the largest load and the largest entry of the mass matrix.
    fn new(offset: f64, load: f64, mass: f64) -> Self {
        let force = or_one(load);
        let velocity = or_one(offset.max(force / or_one(mass)));
        Self { velocity, force }
    }

    /// From the largest offset and the largest entry of W.
    fn local(offset: f64, inverse_mass: f64) -> Self {
        let velocity = or_one(offset);
        Self { velocity, force: velocity / or_one(inverse_mass) }
    }
}

fn or_one(x: f64) -> f64 {
    if x > 0.0 { x } else { 1.0 }
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

impl<'a> Inner<'a> {
    pub(super) fn velocity(problem: &'a Problem, global: &'a Global, cones: Cones) -> Option<Self> {
        let (dim, mu, n) = (problem.dim(), problem.mu(), global.f.len());
        let gauges: Vec<_> = mu.iter().map(|&mu| Gauge::new(dim, mu, cones)).collect();
        let mut entries = Vec::new();
        let mut row = 0;
        for (i, gauge) in gauges.iter().enumerate() {
            for g in &gauge.rows {
                for (k, factor) in g.iter().enumerate().filter(|(_, g)| g.abs() > 0.0) {
                    entries.extend(global.Ht.column(i * dim + k).map(|(j, h)| (row, j, -factor * h)));
                }
                row += 1;
            }
        }
        let units = Units::new(largest(&global.w), largest(&global.f), global.M.max_abs());
        let (scale, load) =
            (units.velocity / units.force, global.f.iter().map(|f| f / units.force).collect::<Vec<_>>());
        let P = upper(n, global.M.coordinates().map(|(i, j, x)| (i, j, scale * x)));
        let kinds = gauges.iter().map(|g| (g.kind, g.rows.len()));
        let solver = conic(&P, &load, &csc(row, n, entries), kinds)?;
        Some(Self { solver, mu, dim, conic: 0, data: Data::Velocity { global, gauges, units } })
    }

    pub(super) fn force(task: &Task<'a>, cones: Cones) -> Option<Self> {
        let (dim, mu, local) = (task.local.W.block_size(), task.mu, task.local);
        let charts: Vec<_> = mu.iter().map(|&mu| Chart::new(dim, mu, cones)).collect();
        let W = local.W.to_sparse();
        let n = charts.iter().map(|c| c.basis.len()).sum();
        let units = Units::local(largest(&local.q), W.max_abs());
        let scale = units.force / units.velocity;
        let P = upper(n, reduced(&W, dim, &charts).into_iter().map(|(i, j, x)| (i, j, scale * x)));
        let kinds = charts.iter().map(|c| (c.kind, c.rows.len()));
        let solver = conic(&P, &vec![0.0; n], &constraints(n, &charts), kinds)?;
        let (skew, last, polish) = (skew(&W), Vec::new(), Box::new(Polish::new(task, cones)));
        Some(Self {
            solver,
            mu,
            dim,
            conic: 0,
            data: Data::Force { local, charts, units, skew, last, polish },
        })
    }

    /// Number of generalized velocities among the variables.
    pub(super) fn velocities(&self) -> usize {
        match &self.data {
            Data::Velocity { global, .. } => global.f.len(),
            Data::Force { .. } => 0,
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.dim * self.mu.len()
    }

    /// The answer for the given s; none if the solver failed.
    pub(super) fn solve(&mut self, s: &[f64]) -> Option<Answer> {
        if let Some(r) = self.continued(s) {
            return Some(self.answer(Vec::new(), r));
        }
        self.conic += 1;
        match &self.data {
            Data::Velocity { .. } => self.solver.update_b(&self.offset(s)).ok()?,
            Data::Force { .. } => self.solver.update_q(&self.offset(s)).ok()?,
        }
        self.solver.solve();
        let solution = &self.solver.solution;
        if solution.x.iter().chain(&solution.z).any(|x| !x.is_finite()) {
            return None;
        }
        let (v, r) = match &mut self.data {
            Data::Velocity { gauges, units, .. } => {
                let rows = gauges.iter().map(|g| &g.rows);
                let r = combined(rows, self.dim, solution.z.iter().map(|z| units.force * z));
                (solution.x.iter().map(|x| x * units.velocity).collect(), r)
            }
            Data::Force { charts, units, polish, .. } => {
                let rows = charts.iter().map(|c| &c.basis);
                let mut r = combined(rows, self.dim, solution.x.iter().map(|x| units.force * x));
                polish.improve(s, &mut r);
                (Vec::new(), r)
            }
        };
        Some(self.answer(v, r))
    }

    /// The last force, brought to the new s by Newton's method; none if that does not get there.
    fn continued(&mut self, s: &[f64]) -> Option<Vec<f64>> {
        match &mut self.data {
            Data::Force { last, polish, .. } if !last.is_empty() => {
                let mut r = last.clone();
                (polish.improve(s, &mut r) <= Tol::default().continued).then_some(r)
            }
            Data::Velocity { .. } | Data::Force { .. } => None,
        }
    }

    fn answer(&mut self, v: Vec<f64>, r: Vec<f64>) -> Answer {
        let mut u = vec![0.0; r.len()];
        match &mut self.data {
            Data::Velocity { global, .. } => {
                u.copy_from_slice(&global.w);
                global.Ht.transpose_mul_add(&v, &mut u);
            }
            Data::Force { local, last, .. } => {
                local.W.apply(&r, &local.q, &mut u);
                last.clone_from(&r);
            }
        }
        Answer { v, r, u }
    }

    /// G (w + E s) or B (q + E s + skew part).
    fn offset(&self, s: &[f64]) -> Vec<f64> {
        match &self.data {
            Data::Velocity { global, gauges, units } => {
                let mut base = global.w.clone();
                self.lift(&mut base, s);
                base.iter_mut().for_each(|x| *x /= units.velocity);
                products(gauges.iter().map(|g| &g.rows), self.dim, &base)
            }
            Data::Force { local, charts, units, skew, last, .. } => {
                let mut base = local.q.clone();
                skew.iter().filter(|_| !last.is_empty()).for_each(|skew| skew.mul_add(last, &mut base));
                self.lift(&mut base, s);
                base.iter_mut().for_each(|x| *x /= units.velocity);
                products(charts.iter().map(|c| &c.basis), self.dim, &base)
            }
        }
    }

    /// Adds E s.
    fn lift(&self, base: &mut [f64], s: &[f64]) {
        let normal = base.iter_mut().step_by(self.dim).zip(self.mu).zip(s);
        normal.for_each(|((normal, mu), s)| *normal += mu * s);
    }
}

/// Each contact's rows times its block of x.
fn products<'g>(rows: impl Iterator<Item = &'g Vec<Vec<f64>>>, dim: usize, x: &[f64]) -> Vec<f64> {
    let dot = |g: &[f64], x: &[f64]| g.iter().zip(x).map(|(g, x)| g * x).sum::<f64>();
    rows.zip(x.chunks(dim)).flat_map(|(rows, x)| rows.iter().map(move |g| dot(g, x))).collect()
}

/// Each contact's rows, weighted by y.
fn combined<'g>(
    rows: impl Iterator<Item = &'g Vec<Vec<f64>>>,
    dim: usize,
    mut y: impl Iterator<Item = f64>,
) -> Vec<f64> {
    let mut r = Vec::new();
    for rows in rows {
        let mut block = vec![0.0; dim];
        for (g, y) in rows.iter().zip(&mut y) {
            block.iter_mut().zip(g).for_each(|(r, g)| *r += g * y);
        }
        r.extend(block);
    }
    r
}

/// The rows of the charts, negated.
fn constraints(n: usize, charts: &[Chart]) -> CscMatrix<f64> {
    let (mut entries, mut row, mut first) = (Vec::new(), 0, 0);
    for chart in charts {
        for g in &chart.rows {
            let present = g.iter().enumerate().filter(|(_, g)| g.abs() > 0.0);
            entries.extend(present.map(|(k, g)| (row, first + k, -g)));
            row += 1;
        }
        first += chart.basis.len();
    }
    csc(row, n, entries)
}

/// Clarabel for min ½xᵀP x + qᵀx, −A x in the standard cones, ready for new q and b.
fn conic(
    P: &CscMatrix<f64>,
    q: &[f64],
    A: &CscMatrix<f64>,
    kinds: impl Iterator<Item = (Kind, usize)>,
) -> Option<DefaultSolver<f64>> {
    let cone = |(kind, rows)| match kind {
        Kind::SecondOrder => SupportedConeT::SecondOrderConeT(rows),
        Kind::Nonnegative => SupportedConeT::NonnegativeConeT(rows),
    };
    let cones: Vec<_> = kinds.map(cone).collect();
    let accuracy = Tol::default().inner_program;
    let settings = DefaultSettings {
        verbose: false,
        max_threads: 1,
        presolve_enable: false,
        tol_feas: accuracy,
        tol_gap_abs: accuracy,
        tol_gap_rel: accuracy,
        ..DefaultSettings::default()
    };
    DefaultSolver::new(P, q, A, &vec![0.0; A.m], &cones, settings).ok()
}
