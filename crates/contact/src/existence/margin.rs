//! The program (4.39) of \[AC11\]: max s with (H v + w − s c_e)ⁱ ∈ K_{1/μⁱ} and s ≤ cap, a linear program in the plane
//! and a second-order cone program in space. The velocities stay variables, so that the data are as sparse as H.
//! Its dual is min w·r + cap·t over r ∈ Ker-Hᵀ ∩ L with Σ rᴺ + t = 1, t ≥ 0. What comes back are candidates: nothing
//! here is believed before `verify` has seen it.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

use super::candidate::Candidate;
use super::interior::{Contacts, Model, Point};
use super::kinematics::Kinematics;
use super::scaling::Vector;
use super::{gradient, interior};
use crate::num::{Tol, halt};

/// The conic data A x + z = b, z ∈ cones, x = (v, s).
struct Conic {
    triplets: Vec<(usize, usize, f64)>,
    b: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
    /// For each contact its first conic row.
    first: Vec<usize>,
}

impl Conic {
    fn new() -> Self {
        Self { triplets: Vec::new(), b: Vec::new(), cones: Vec::new(), first: Vec::new() }
    }

    /// Appends z = offset + Σ x over a row given as (column, factor) of z's linear part.
    fn push(&mut self, row: impl Iterator<Item = (usize, f64)>, offset: f64) {
        let i = self.b.len();
        self.triplets.extend(row.map(|(j, a)| (i, j, -a)));
        self.b.push(offset);
    }

    /// Says that the last row is ≥ 0; neighbours share one cone.
    fn push_nonnegative(&mut self) {
        match self.cones.last_mut() {
            Some(SupportedConeT::NonnegativeConeT(n)) => *n += 1,
            _ => self.cones.push(SupportedConeT::NonnegativeConeT(1)),
        }
    }
}

/// How a candidate is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The program as it stands, to the solver's full precision; of large problems, until the margin is known to a few
    /// percent.
    Plain,
    /// With w moved by a small fixed pattern of separating velocities, and less precisely: multipliers become vertices,
    /// which act on few contacts, where the plain program gives the mean of all of them.
    Tilted,
    /// The tilted program without friction: its multipliers are normal, serve with friction too, and are cheap in space.
    Frictionless,
    /// First-order steps towards a direction that opens all contacts whatever w is; finds nothing else.
    Opening,
    /// The same by interior points, until such a direction is found or seems not to exist.
    Parting,
    /// First-order steps towards a velocity that separates all contacts; finds nothing else.
    Separating,
}

/// A cap that only a problem with (5.1) can reach: with clearance above max(wᴺ + μ‖wᵀ‖), Hv = u − w is itself inside
/// the cones.
#[must_use]
pub fn cap(problem: &Kinematics) -> f64 {
    let opposite: Vec<f64> = problem.w.iter().map(|w| -w).collect();
    let reach = (0..problem.contacts()).map(|i| -problem.clearance(&opposite, i)).fold(0.0, f64::max);
    if reach > 0.0 { 2.0 * reach } else { 1.0 }
}

/// Solves (4.39) approximately with s ≤ `cap` > 0, in units where `cap` is one: the cones do not mind.
#[must_use]
pub fn solve(problem: &Kinematics, cap: f64, method: Method) -> Option<Candidate> {
    if halt::is_over() {
        return None;
    }
    let found = by(problem, cap, method);
    halt::spend(found.as_ref().map_or(1, |found| found.iterations as usize));
    found
}

fn by(problem: &Kinematics, cap: f64, method: Method) -> Option<Candidate> {
    match method {
        Method::Opening => gradient::separate(&problem.homogeneous(), 1.0),
        Method::Parting => interior_point(&problem.homogeneous(), 1.0, method),
        // Without w it is the opening again.
        Method::Separating if problem.speed_scale() > 0.0 => {
            gradient::separate(problem, cap * Tol::default().tilt)
        }
        Method::Separating => None,
        Method::Plain | Method::Tilted => interior_point(problem, cap, method),
        Method::Frictionless => interior_point(&problem.frictionless(), cap, Method::Tilted),
    }
}

/// Squared numbers of columns, summed over the contacts, up to which a problem is sparse enough for [`interior`].
const COUPLINGS: usize = 20_000_000;

fn interior_point(problem: &Kinematics, cap: f64, method: Method) -> Option<Candidate> {
    let contacts = (problem.contacts() >= LARGE).then(|| Contacts::of(problem));
    match contacts.filter(|contacts| contacts.couplings() <= COUPLINGS) {
        Some(contacts) => Some(by_bodies(problem, contacts, cap, method))
            .filter(|found| is_within_reach(problem, &found.v, cap))
            .or_else(|| general(problem, cap, method)),
        None => general(problem, cap, method),
    }
}

/// Relative velocities, in units of the cap, of which the parts must not cancel to more than this: columns of H that
/// depend on each other let v grow without doing anything, until rounding is all there is.
const LOST: f64 = 1e8;

/// Whether velocities are still velocities.
fn is_within_reach(problem: &Kinematics, v: &[f64], cap: f64) -> bool {
    let H = problem.H.value.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
    v.iter().all(|v| (v * H).abs() <= LOST * cap)
}

/// The program by [`interior`].
fn by_bodies(problem: &Kinematics, contacts: Contacts, cap: f64, method: Method) -> Candidate {
    let h = offsets(problem, 1.0 / cap, method);
    let point = interior::solve(&Model::new(contacts), &h, |point| is_enough(point, method));
    let share = if is_open(point.s) { 0.0 } else { 1.0 };
    let block = |(r, &mu): (&Vector, &f64)| [r[0], mu * r[1], mu * r[2]].map(|r| share * r);
    let blocks = point.r.iter().zip(&problem.mu).map(block);
    Candidate {
        v: point.v.iter().map(|x| cap * x).collect(),
        r: blocks.flat_map(|r| r.into_iter().take(problem.dim)).collect(),
        status: SolverStatus::Solved,
        iterations: point.steps,
    }
}

/// How near its value the program without w is when a value of one has become unlikely.
const HOPELESS: f64 = 0.3;

/// Whether s, in units of the cap, is above half of it: then (5.1) holds and there is no multiplier; what the iterate has in
/// its place are numbers that tend to zero.
fn is_open(s: f64) -> bool {
    s > 0.5 + Tol::default().tilt
}

/// Whether the iterate will do.
fn is_enough(point: &Point, method: Method) -> bool {
    let tol = Tol::default();
    let missing = point.gap.abs() + point.residual;
    match method {
        // Without w the value is zero or the cap, one.
        Method::Parting => point.s > 0.0 || missing <= HOPELESS,
        Method::Plain => missing <= tol.tilted_program.max(tol.large_margin * point.s.abs()),
        Method::Tilted | Method::Frictionless | Method::Opening | Method::Separating => {
            missing <= tol.tilted_program || is_open(point.s)
        }
    }
}

/// (w_N, μ w_T) of each contact in units of the cap, tilted if asked.
fn offsets(problem: &Kinematics, unit: f64, method: Method) -> Vec<Vector> {
    let tilt = if method == Method::Tilted { Tol::default().tilt } else { 0.0 };
    let offset = |i: usize| {
        let mut h = [0.0; 3];
        let w = &problem.w[i * problem.dim..(i + 1) * problem.dim];
        let mu = problem.mu[i];
        w.iter().enumerate().for_each(|(k, w)| h[k] = unit * w * if k == 0 { 1.0 } else { mu });
        h[0] += tilt * pattern(2 * i);
        if mu > 0.0 {
            // Inside the cone: half the least normal part would leave it.
            h[1] += 0.5 * tilt * pattern(2 * i) * pattern(2 * i + 1);
        }
        h
    };
    (0..problem.contacts()).map(offset).collect()
}

fn general(problem: &Kinematics, cap: f64, method: Method) -> Option<Candidate> {
    let m = problem.velocities();
    let conic = conic(problem, 1.0 / cap, method);
    let A = csc(&conic, m + 1);
    let mut q = vec![0.0; m + 1];
    q[m] = -1.0;
    let P = CscMatrix::zeros((m + 1, m + 1));
    let mut solver =
        DefaultSolver::new(&P, &q, &A, &conic.b, &conic.cones, settings(method, problem.contacts())).ok()?;
    solver.solve();
    let solution = &solver.solution;
    if solution.x.iter().chain(&solution.z).any(|x| !x.is_finite()) {
        return None;
    }
    let r = match is_open(solution.x[m]) {
        true => vec![0.0; problem.w.len()],
        false => multiplier(problem, &conic, &solution.z),
    };
    Some(Candidate {
        v: solution.x[..m].iter().map(|x| cap * x).collect(),
        r,
        status: solution.status,
        iterations: solution.iterations,
    })
}

/// Contacts from which the verdicts are looked for at lower accuracy and by bodies: they are proven afterwards in any case.
pub(super) const LARGE: usize = 200;

/// The settings of the solver, within the limit of this thread.
pub(super) fn limited() -> DefaultSettings<f64> {
    let usual = DefaultSettings { verbose: false, max_threads: 1, ..DefaultSettings::default() };
    let (time, steps) = halt::left();
    let steps = steps.and_then(|steps| u32::try_from(steps).ok()).unwrap_or(u32::MAX);
    DefaultSettings {
        max_iter: usual.max_iter.min(steps),
        time_limit: time.map_or(usual.time_limit, |time| time.as_secs_f64()),
        ..usual
    }
}

fn settings(method: Method, contacts: usize) -> DefaultSettings<f64> {
    let fine = limited();
    match method {
        Method::Plain if contacts < LARGE => fine,
        Method::Plain
        | Method::Opening
        | Method::Parting
        | Method::Separating
        | Method::Tilted
        | Method::Frictionless => {
            let coarse = Tol::default().tilted_program;
            DefaultSettings { tol_gap_abs: coarse, tol_gap_rel: coarse, tol_feas: coarse, ..fine }
        }
    }
}

/// A fixed sequence in [0, 1) without visible pattern: fractional parts of multiples of the golden ratio's square.
fn pattern(i: usize) -> f64 {
    (i as f64 * 0.381_966_011_250_105_1).fract()
}

fn conic(problem: &Kinematics, unit: f64, method: Method) -> Conic {
    let mut conic = Conic::new();
    for i in 0..problem.contacts() {
        conic.first.push(conic.b.len());
        match (problem.dim, problem.mu[i] > 0.0) {
            (_, false) => push_half_space(problem, i, 0.0, &mut conic),
            (2, true) => {
                [1.0, -1.0].into_iter().for_each(|sign| push_half_space(problem, i, sign, &mut conic))
            }
            _ => push_cone(problem, i, &mut conic),
        }
    }
    conic.push(std::iter::once((problem.velocities(), -1.0)), 1.0);
    conic.push_nonnegative();
    conic.b.iter_mut().rev().skip(1).for_each(|b| *b *= unit);
    if method == Method::Tilted {
        // Towards the inside of each cone: only normal components, all rows of a half-space.
        let rows: Vec<usize> = match problem.dim {
            2 => (0..conic.b.len() - 1).collect(),
            _ => conic.first.clone(),
        };
        rows.into_iter().for_each(|k| conic.b[k] += Tol::default().tilt * pattern(k));
    }
    conic
}

/// uᴺ − s + sign·μ uᵀ ≥ 0.
fn push_half_space(problem: &Kinematics, i: usize, sign: f64, conic: &mut Conic) {
    let (normal, factor) = (i * problem.dim, sign * problem.mu[i]);
    let tangent = problem.H.row(normal + 1).map(|(j, a)| (j, factor * a)).filter(|t| t.1 != 0.0);
    let row = problem.H.row(normal).chain(tangent).chain([(problem.velocities(), -1.0)]);
    let offset = match factor == 0.0 {
        true => problem.w[normal],
        false => problem.w[normal] + factor * problem.w[normal + 1],
    };
    conic.push(row, offset);
    conic.push_nonnegative();
}

/// (uᴺ − s, μ uᵀ) in the second-order cone.
fn push_cone(problem: &Kinematics, i: usize, conic: &mut Conic) {
    let normal = i * problem.dim;
    conic.push(problem.H.row(normal).chain([(problem.velocities(), -1.0)]), problem.w[normal]);
    for k in normal + 1..normal + problem.dim {
        conic.push(problem.H.row(k).map(|(j, a)| (j, problem.mu[i] * a)), problem.mu[i] * problem.w[k]);
    }
    conic.cones.push(SupportedConeT::SecondOrderConeT(problem.dim));
}

fn csc(conic: &Conic, columns: usize) -> CscMatrix<f64> {
    let (mut rows, mut cols, mut vals) = (Vec::new(), Vec::new(), Vec::new());
    for &(i, j, a) in &conic.triplets {
        rows.push(i);
        cols.push(j);
        vals.push(a);
    }
    CscMatrix::new_from_triplets(conic.b.len(), columns, rows, cols, vals)
}

/// r from the duals of the conic rows: the transpose of the maps above.
fn multiplier(problem: &Kinematics, conic: &Conic, dual: &[f64]) -> Vec<f64> {
    let mut r = vec![0.0; problem.w.len()];
    for (i, &k) in conic.first.iter().enumerate() {
        let block = &mut r[i * problem.dim..(i + 1) * problem.dim];
        match (problem.dim, problem.mu[i] > 0.0) {
            (_, false) => block[0] = dual[k],
            (2, true) => {
                block[0] = dual[k] + dual[k + 1];
                block[1] = problem.mu[i] * (dual[k] - dual[k + 1]);
            }
            _ => {
                block[0] = dual[k];
                (1..problem.dim).for_each(|t| block[t] = problem.mu[i] * dual[k + t]);
            }
        }
    }
    r
}

#[cfg(test)]
mod tests;
