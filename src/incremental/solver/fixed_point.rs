//! The fixed point s = F(s) of convex programs [ACLM11 §3.3]: with the sliding speeds s given, the problem is
//! min ½vᵀM v + fᵀv, H v + w + E s ∈ L* [ACLM11 (3.15)], or its dual min ½rᵀW r + (q + E s)ᵀr, r ∈ L [ACLM11 (4.7)];
//! F gives back the sliding speeds of the solution. Clarabel takes the quadratic objective as it is, and from one s to
//! the next only the linear data are replaced.
//!
//! Global problems keep v as the variable, so that the data stay as sparse as M and H. For an unsymmetric W the
//! objective has its symmetric part, and the rest acts at the last r: at the fixed point the problem is the given one.
//! Where r is not unique the speeds still are, for the inner programs; the outer iteration need not converge.

use std::collections::BTreeMap;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};

use super::super::residual::norm;
use super::super::{Form, Global, Local, Problem, Sparse, local_residual, residual};
use super::{Options, Solver, Task};
use crate::num::Tol;

/// The cones of the inner programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cones {
    /// Coulomb's, exactly: second-order in space, polyhedral in the plane.
    SecondOrder,
    /// In space a pyramid with this many edges, at least 3, inside Coulomb's cone: for comparison, it makes friction
    /// depend on the direction [ACLM11 §6 (iv)]. In the plane nothing changes.
    Faceted(usize),
}

/// What turns F into the next s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceleration {
    /// s ← F(s).
    Plain,
    /// Anderson's mixing of this many earlier steps, dropped whenever it made |F(s) − s| grow.
    Anderson(usize),
}

/// The fixed-point solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedPoint {
    /// Inner cones.
    pub cones: Cones,
    /// Outer iteration.
    pub acceleration: Acceleration,
}

impl Default for FixedPoint {
    fn default() -> Self {
        Self { cones: Cones::SecondOrder, acceleration: Acceleration::Anderson(4) }
    }
}

/// What an outer iteration left behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The best forces found.
    pub r: Vec<f64>,
    /// The velocities v that belong to them (global form; else empty).
    pub v: Vec<f64>,
    /// Inner programs solved.
    pub programs: usize,
    /// max |F(s) − s| after each of them.
    pub changes: Vec<f64>,
}

impl Solver for FixedPoint {
    fn name(&self) -> &'static str {
        match self.cones {
            Cones::SecondOrder => "fixed-point",
            Cones::Faceted(_) => "fixed-point-faceted",
        }
    }

    fn solve(&self, task: &Task<'_>, options: &Options, r: &mut [f64]) -> usize {
        let mut u = vec![0.0; r.len()];
        let before = local_residual(task.local, task.mu, r, &mut u).relative;
        let Some(mut inner) = Inner::force(task, self.cones) else { return 0 };
        let measure =
            |_: &[f64], r: &[f64]| local_residual(task.local, task.mu, r, &mut vec![0.0; r.len()]).relative;
        let path = self.iterate(&mut inner, options, speeds(self.cones, task, r), &measure);
        if measure(&[], &path.r) < before {
            r.copy_from_slice(&path.r);
        }
        path.programs
    }
}

impl FixedPoint {
    /// Solves a problem in the form in which it is given, from s = 0; none if Clarabel refuses the data.
    #[must_use]
    pub fn solve_problem(&self, problem: &Problem, options: &Options) -> Option<Path> {
        let mut inner = match problem.form() {
            Form::Global(global) => Inner::velocity(problem, global, self.cones)?,
            Form::Local(local) => Inner::force(&Task { local, mu: problem.mu() }, self.cones)?,
        };
        let measure = |v: &[f64], r: &[f64]| residual(problem, v, r).0.relative;
        Some(self.iterate(&mut inner, options, vec![0.0; problem.contacts()], &measure))
    }

    fn iterate(
        &self,
        inner: &mut Inner,
        options: &Options,
        mut s: Vec<f64>,
        measure: &dyn Fn(&[f64], &[f64]) -> f64,
    ) -> Path {
        let mut path = Path {
            r: vec![0.0; inner.rows()],
            v: vec![0.0; inner.velocities],
            programs: 0,
            changes: Vec::new(),
        };
        let (mut best, mut mixing) = (measure(&path.v, &path.r), Mixing::default());
        while path.programs < options.iterations && best > options.tolerance {
            let Some((v, r, u)) = inner.solve(&s) else { break };
            path.programs += 1;
            let relative = measure(&v, &r);
            if relative < best {
                best = relative;
                (path.r, path.v) = (r, v);
            }
            let f: Vec<f64> = inner.speeds(&u);
            path.changes.push(s.iter().zip(&f).fold(0.0, |m, (a, b)| f64::max(m, (a - b).abs())));
            s = match self.acceleration {
                Acceleration::Plain => f,
                Acceleration::Anderson(depth) => mixing.next(s, f, depth),
            };
        }
        path
    }
}

fn speeds(cones: Cones, task: &Task<'_>, r: &[f64]) -> Vec<f64> {
    let mut u = vec![0.0; r.len()];
    task.local.W.apply(r, &task.local.q, &mut u);
    u.chunks(task.local.W.block_size()).map(|u| speed(cones, &u[1..])).collect()
}

/// ‖u_T‖, or for a pyramid the largest component along its edges (then u_N = 0 in sliding).
fn speed(cones: Cones, tangent: &[f64]) -> f64 {
    match (cones, tangent) {
        (Cones::Faceted(n), [x, y]) => edges(n).map(|[c, s]| c * x + s * y).fold(0.0, f64::max),
        (Cones::Faceted(_) | Cones::SecondOrder, _) => norm(tangent),
    }
}

fn edges(n: usize) -> impl Iterator<Item = [f64; 2]> {
    (0..n).map(move |k| {
        let (s, c) = (k as f64 * std::f64::consts::TAU / n as f64).sin_cos();
        [c, s]
    })
}

/// A contact's map G: ũ ∈ K* exactly if G ũ is in the standard cone, and r = Gᵀ y for its dual variable y.
struct Gauge {
    rows: Vec<Vec<f64>>,
    second_order: bool,
}

impl Gauge {
    fn new(dim: usize, mu: f64, cones: Cones) -> Self {
        let along = |tangent: &[f64]| std::iter::once(1.0).chain(tangent.iter().map(|t| mu * t)).collect();
        let normal = || vec![(0..dim).map(|k| if k == 0 { 1.0 } else { 0.0 }).collect()];
        match (dim, cones) {
            _ if mu <= 0.0 => Self { rows: normal(), second_order: false },
            (2, _) => Self { rows: vec![along(&[1.0]), along(&[-1.0])], second_order: false },
            (_, Cones::Faceted(n)) => {
                Self { rows: edges(n.max(3)).map(|d| along(&d)).collect(), second_order: false }
            }
            (_, Cones::SecondOrder) => Self { rows: diagonal(dim, mu), second_order: true },
        }
    }
}

fn diagonal(dim: usize, mu: f64) -> Vec<Vec<f64>> {
    let entry = |k: usize, j: usize| match (k == j, k) {
        (false, _) => 0.0,
        (true, 0) => 1.0,
        (true, _) => mu,
    };
    (0..dim).map(|k| (0..dim).map(|j| entry(k, j)).collect()).collect()
}

/// The inner program with s to be set.
struct Inner<'a> {
    solver: DefaultSolver<f64>,
    gauges: Vec<Gauge>,
    mu: &'a [f64],
    cones: Cones,
    dim: usize,
    velocities: usize,
    units: Units,
    data: Data<'a>,
}

/// Velocities and forces in which the inner program's numbers are near one: stiff bodies weigh 1e9, steps last 1e-6.
#[derive(Clone, Copy)]
struct Units {
    velocity: f64,
    force: f64,
}

impl Units {
    /// From the largest offset velocity, the largest load and the largest entry of the mass matrix.
    fn new(offset: f64, load: f64, mass: f64) -> Self {
        let or_one = |x: f64| if x > 0.0 { x } else { 1.0 };
        let force = or_one(load);
        let velocity = or_one(offset.max(force / or_one(mass)));
        Self { velocity, force }
    }
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// What the linear data are made of.
enum Data<'a> {
    /// Variable v; the constraint's offset is G (w + E s).
    Velocity(&'a Global),
    /// Variable y with r = Gᵀ y; the objective's slope is G (q + E s + ½(W − Wᵀ) r).
    Force { local: &'a Local, skew: Option<Sparse>, last: Vec<f64> },
}

impl<'a> Inner<'a> {
    fn velocity(problem: &'a Problem, global: &'a Global, cones: Cones) -> Option<Self> {
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
        let solver = conic(&P, &load, &csc(row, n, entries), &gauges)?;
        Some(Self { solver, gauges, mu, cones, dim, velocities: n, units, data: Data::Velocity(global) })
    }

    fn force(task: &Task<'a>, cones: Cones) -> Option<Self> {
        let (dim, mu, local) = (task.local.W.block_size(), task.mu, task.local);
        let gauges: Vec<_> = mu.iter().map(|&mu| Gauge::new(dim, mu, cones)).collect();
        let n = gauges.iter().map(|g| g.rows.len()).sum();
        let W = local.W.to_sparse();
        // The data of a Delassus matrix have no scale of their own that would help: measured.
        let units = Units { velocity: 1.0, force: 1.0 };
        let P = upper(n, gauged(&W, dim, &gauges).into_iter());
        let A = csc(n, n, (0..n).map(|k| (k, k, -1.0)).collect());
        let solver = conic(&P, &vec![0.0; n], &A, &gauges)?;
        let skew = skew(&W);
        let last = vec![0.0; local.q.len()];
        Some(Self {
            solver,
            gauges,
            mu,
            cones,
            dim,
            velocities: 0,
            units,
            data: Data::Force { local, skew, last },
        })
    }

    fn rows(&self) -> usize {
        self.dim * self.mu.len()
    }

    fn speeds(&self, u: &[f64]) -> Vec<f64> {
        u.chunks(self.dim).map(|u| speed(self.cones, &u[1..])).collect()
    }

    /// (v, r, u) for the given s; none if the solver failed.
    fn solve(&mut self, s: &[f64]) -> Option<(Vec<f64>, Vec<f64>, Vec<f64>)> {
        let offset = self.lifted(s);
        match &self.data {
            Data::Velocity(_) => self.solver.update_b(&offset).ok()?,
            Data::Force { .. } => self.solver.update_q(&offset).ok()?,
        }
        self.solver.solve();
        let solution = &self.solver.solution;
        if solution.x.iter().chain(&solution.z).any(|x| !x.is_finite()) {
            return None;
        }
        let (v, y) = match &self.data {
            Data::Velocity(_) => (solution.x.iter().map(|x| x * self.units.velocity).collect(), &solution.z),
            Data::Force { .. } => (Vec::new(), &solution.x),
        };
        let r = self.forces(y);
        let mut u = vec![0.0; r.len()];
        match &mut self.data {
            Data::Velocity(global) => {
                u.copy_from_slice(&global.w);
                global.Ht.transpose_mul_add(&v, &mut u);
            }
            Data::Force { local, last, .. } => {
                local.W.apply(&r, &local.q, &mut u);
                last.copy_from_slice(&r);
            }
        }
        Some((v, r, u))
    }

    /// G (w + E s) or G (q + E s + skew part).
    fn lifted(&self, s: &[f64]) -> Vec<f64> {
        let mut base = match &self.data {
            Data::Velocity(global) => global.w.clone(),
            Data::Force { local, skew, last } => {
                let mut base = local.q.clone();
                skew.iter().for_each(|skew| skew.mul_add(last, &mut base));
                base
            }
        };
        let lift = base.iter_mut().step_by(self.dim).zip(self.mu).zip(s);
        lift.for_each(|((normal, mu), s)| *normal += mu * s);
        base.iter_mut().for_each(|x| *x /= self.units.velocity);
        let blocks = self.gauges.iter().zip(base.chunks(self.dim));
        blocks
            .flat_map(|(gauge, x)| gauge.rows.iter().map(move |g| g.iter().zip(x).map(|(g, x)| g * x).sum()))
            .collect()
    }

    /// r = Gᵀ y.
    fn forces(&self, y: &[f64]) -> Vec<f64> {
        let mut r = vec![0.0; self.rows()];
        let mut k = 0;
        for (gauge, r) in self.gauges.iter().zip(r.chunks_mut(self.dim)) {
            for g in &gauge.rows {
                r.iter_mut().zip(g).for_each(|(r, g)| *r += self.units.force * g * y[k]);
                k += 1;
            }
        }
        r
    }
}

/// Clarabel for min ½xᵀP x + qᵀx, −A x in the gauges' standard cones, ready for new q and b.
fn conic(P: &CscMatrix<f64>, q: &[f64], A: &CscMatrix<f64>, gauges: &[Gauge]) -> Option<DefaultSolver<f64>> {
    let cone = |gauge: &Gauge| match gauge.second_order {
        true => SupportedConeT::SecondOrderConeT(gauge.rows.len()),
        false => SupportedConeT::NonnegativeConeT(gauge.rows.len()),
    };
    let cones: Vec<_> = gauges.iter().map(cone).collect();
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

/// Upper triangle of the symmetric part of a square matrix.
fn upper(n: usize, entries: impl Iterator<Item = (usize, usize, f64)>) -> CscMatrix<f64> {
    let half = |(i, j, x): (usize, usize, f64)| (i.min(j), i.max(j), if i == j { x } else { 0.5 * x });
    csc(n, n, entries.map(half).collect())
}

fn csc(m: usize, n: usize, entries: Vec<(usize, usize, f64)>) -> CscMatrix<f64> {
    let (mut rows, mut cols, mut vals) = (Vec::new(), Vec::new(), Vec::new());
    for (i, j, x) in entries {
        rows.push(i);
        cols.push(j);
        vals.push(x);
    }
    CscMatrix::new_from_triplets(m, n, rows, cols, vals)
}

/// The entries of G W Gᵀ.
fn gauged(W: &Sparse, dim: usize, gauges: &[Gauge]) -> Vec<(usize, usize, f64)> {
    let mut first = vec![0];
    gauges.iter().for_each(|g| first.push(first[first.len() - 1] + g.rows.len()));
    let mut entries = Vec::new();
    for (i, j, w) in W.coordinates() {
        for (a, left) in gauges[i / dim].rows.iter().enumerate() {
            for (b, right) in gauges[j / dim].rows.iter().enumerate() {
                entries.push((first[i / dim] + a, first[j / dim] + b, left[i % dim] * w * right[j % dim]));
            }
        }
    }
    entries
}

/// ½(W − Wᵀ), none if W is symmetric to the last bit.
fn skew(W: &Sparse) -> Option<Sparse> {
    let mut parts: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (i, j, w) in W.coordinates() {
        *parts.entry((i, j)).or_default() += 0.5 * w;
        *parts.entry((j, i)).or_default() -= 0.5 * w;
    }
    parts.retain(|_, x| x.abs() > 0.0);
    let (places, vals): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let (rows, cols): (Vec<_>, Vec<_>) = places.into_iter().unzip();
    (!vals.is_empty())
        .then(|| Sparse::from_coordinates("W", (W.nrows(), W.ncols()), &rows, &cols, &vals).ok())?
}

/// Anderson's mixing: the next s is the combination of the last F(s) that would make the combined F(s) − s least.
#[derive(Default)]
struct Mixing {
    /// Earlier (F(s), F(s) − s).
    history: Vec<(Vec<f64>, Vec<f64>)>,
    last: f64,
}

impl Mixing {
    fn next(&mut self, s: Vec<f64>, f: Vec<f64>, depth: usize) -> Vec<f64> {
        let g: Vec<f64> = f.iter().zip(&s).map(|(f, s)| f - s).collect();
        let size = norm(&g);
        if size > 2.0 * self.last {
            self.history.clear();
        }
        self.last = size;
        self.history.push((f.clone(), g));
        if self.history.len() > depth + 1 {
            self.history.remove(0);
        }
        self.mixed().unwrap_or(f)
    }

    /// F_k − Σ γ_j (F_k − F_j) with γ from least squares on g_k − Σ γ_j (g_k − g_j), clipped to s ≥ 0.
    fn mixed(&self) -> Option<Vec<f64>> {
        let (latest, earlier) = self.history.split_last()?;
        if earlier.is_empty() {
            return None;
        }
        let columns: Vec<Vec<f64>> = earlier.iter().map(|e| minus(&latest.1, &e.1)).collect();
        let n = latest.1.len();
        let A = nalgebra::DMatrix::from_fn(n, columns.len(), |i, j| columns[j][i]);
        let g = nalgebra::DVector::from_column_slice(&latest.1);
        let gamma =
            A.svd(true, true).solve(&g, latest.1.len() as f64 * f64::EPSILON * norm(&latest.1)).ok()?;
        let mut s = latest.0.clone();
        for (e, gamma) in earlier.iter().zip(gamma.iter()) {
            s.iter_mut().zip(&latest.0).zip(&e.0).for_each(|((s, a), b)| *s -= gamma * (a - b));
        }
        s.iter_mut().for_each(|s| *s = s.max(0.0));
        s.iter().all(|s| s.is_finite()).then_some(s)
    }
}

fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
