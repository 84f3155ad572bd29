//! A multiplier well inside its cones: any r with Hᵀ r = 0, r ∈ L, Σ rᴺ = 1 and the wanted power w·r. The margin program
//! gives extreme ones, on the border of curved cones, where rounding throws them out; with no objective an interior
//! point method ends near the analytic centre instead.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSolver, IPSolver, SupportedConeT};

use super::candidate::Candidate;
use super::kinematics::Kinematics;
use super::margin::limited;
use crate::num::halt;

/// What the power w·r of the multiplier must be, for Σ rᴺ = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    /// Anything.
    Free,
    /// Zero.
    Zero,
    /// At most this.
    AtMost(f64),
}

/// Rows of A x + z = b under construction, x = r.
#[derive(Default)]
struct Program {
    entries: (Vec<usize>, Vec<usize>, Vec<f64>),
    b: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

impl Program {
    fn row(&mut self, terms: impl Iterator<Item = (usize, f64)>, b: f64) {
        for (j, a) in terms {
            self.entries.0.push(self.b.len());
            self.entries.1.push(j);
            self.entries.2.push(a);
        }
        self.b.push(b);
    }
}

/// A candidate without velocity, none if the solver found none.
pub(super) fn centred(problem: &Kinematics, bound: Bound) -> Option<Candidate> {
    if halt::is_over() {
        return None;
    }
    let n = problem.w.len();
    let program = program(problem, bound);
    let (rows, cols, vals) = program.entries;
    let A = CscMatrix::new_from_triplets(program.b.len(), n, rows, cols, vals);
    let P = CscMatrix::zeros((n, n));
    let mut solver = DefaultSolver::new(&P, &vec![0.0; n], &A, &program.b, &program.cones, limited()).ok()?;
    solver.solve();
    let solution = &solver.solution;
    halt::spend(solution.iterations as usize);
    let r = solution.x.clone();
    let finite = r.iter().all(|x| x.is_finite());
    let v = vec![0.0; problem.velocities()];
    finite.then_some(Candidate { v, r, status: solution.status, iterations: solution.iterations })
}

fn program(problem: &Kinematics, bound: Bound) -> Program {
    let mut program = Program::default();
    push_equations(problem, bound, &mut program);
    if let Bound::AtMost(power) = bound {
        program.row(problem.w.iter().copied().enumerate(), power);
        program.cones.push(SupportedConeT::NonnegativeConeT(1));
    }
    for (i, &mu) in problem.mu.iter().enumerate() {
        let normal = i * problem.dim;
        program.row(std::iter::once((normal, if mu > 0.0 { -mu } else { -1.0 })), 0.0);
        if mu > 0.0 {
            (normal + 1..normal + problem.dim).for_each(|k| program.row(std::iter::once((k, -1.0)), 0.0));
        }
        program.cones.push(match mu > 0.0 {
            true => SupportedConeT::SecondOrderConeT(problem.dim),
            false => SupportedConeT::NonnegativeConeT(1),
        });
    }
    program
}

/// Hᵀ r = 0, Σ rᴺ = 1, rᵀ = 0 without friction, and w·r = 0 if asked.
fn push_equations(problem: &Kinematics, bound: Bound, program: &mut Program) {
    let mut columns = vec![Vec::new(); problem.velocities()];
    (0..problem.w.len()).for_each(|k| problem.H.row(k).for_each(|(j, a)| columns[j].push((k, a))));
    columns.into_iter().filter(|c| !c.is_empty()).for_each(|c| program.row(c.into_iter(), 0.0));
    program.row((0..problem.contacts()).map(|i| (i * problem.dim, 1.0)), 1.0);
    for (i, _) in problem.mu.iter().enumerate().filter(|(_, mu)| **mu <= 0.0) {
        (1..problem.dim).for_each(|t| program.row(std::iter::once((i * problem.dim + t, 1.0)), 0.0));
    }
    if bound == Bound::Zero {
        program.row(problem.w.iter().copied().enumerate(), 0.0);
    }
    program.cones.push(SupportedConeT::ZeroConeT(program.b.len()));
}
