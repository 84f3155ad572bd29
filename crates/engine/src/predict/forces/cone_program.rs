//! Cone programs as the solver takes them: min c·x with A x + s = b and s in cones, built row by row.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

/// A program without its objective.
#[derive(Default)]
pub(crate) struct ConeProgram {
    triplets: (Vec<usize>, Vec<usize>, Vec<f64>),
    b: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

/// Where the solver ended.
pub(crate) struct Optimum {
    /// Whether x is one; otherwise the multipliers prove that there is none.
    pub(crate) feasible: bool,
    pub(crate) x: Vec<f64>,
    /// Of the Lagrangian c·x + z·(A x − b).
    pub(crate) z: Vec<f64>,
}

impl ConeProgram {
    /// Says that offset − Σ a x is the next component of a cone.
    pub(crate) fn push(&mut self, entries: impl Iterator<Item = (usize, f64)>, offset: f64) {
        for (j, a) in entries.filter(|(_, a)| a.abs() > 0.0) {
            self.triplets.0.push(self.b.len());
            self.triplets.1.push(j);
            self.triplets.2.push(a);
        }
        self.b.push(offset);
    }

    /// Says in which cone the components are that were pushed since the last one.
    pub(crate) fn close(&mut self, cone: fn(usize) -> SupportedConeT<f64>) {
        let size = |cone: &SupportedConeT<f64>| match cone {
            SupportedConeT::ZeroConeT(n)
            | SupportedConeT::NonnegativeConeT(n)
            | SupportedConeT::SecondOrderConeT(n) => *n,
            _ => 0,
        };
        let open = self.b.len() - self.cones.iter().map(size).sum::<usize>();
        if open > 0 {
            self.cones.push(cone(open));
        }
    }

    /// The least c·x to an accuracy; none where the solver fails.
    pub(crate) fn minimise(self, objective: &[f64], accuracy: f64) -> Option<Optimum> {
        let n = objective.len();
        let (rows, columns, values) = self.triplets;
        let A = CscMatrix::new_from_triplets(self.b.len(), n, rows, columns, values);
        let settings = DefaultSettings {
            verbose: false,
            max_threads: 1,
            tol_gap_abs: accuracy,
            tol_gap_rel: accuracy,
            tol_feas: accuracy,
            ..DefaultSettings::default()
        };
        let P = CscMatrix::zeros((n, n));
        let mut solver = DefaultSolver::new(&P, objective, &A, &self.b, &self.cones, settings).ok()?;
        solver.solve();
        let solution = &solver.solution;
        let feasible = match solution.status {
            SolverStatus::Solved | SolverStatus::AlmostSolved | SolverStatus::InsufficientProgress => true,
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => false,
            _ => return None,
        };
        let finite = solution.x.iter().chain(&solution.z).all(|x| x.is_finite());
        finite.then(|| Optimum { feasible, x: solution.x.clone(), z: solution.z.clone() })
    }
}
