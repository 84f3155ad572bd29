//! Refutation by multipliers. For a combination c = Σ yⱼ eⱼ + Σ zₖ hₖ + σ m of the rows of a node, zₖ ≥ 0, σ > 0, every motion has c·y ≥ σ (of the
//! acceleration problem, without m: c·y ≥ 0). With y = D λ + τ q
//!
//!   c·y = Σ (D c)ᵢ·λᵢ + τ c·q,
//!
//! so that there is none if −(D c)ᵢ lies inside the dual of each cone of forces and c·q < 0: D c is a virtual motion against which every force of the node
//! would do negative work. The multipliers are found by a cone program that makes the least clearance as large as possible, which always has a
//! solution; what counts is the clearance evaluated with outward rounding, for all D and q within `Tol::marginal` of the given ones.

use super::node::{Cone, Node, Row};
use crate::analysis::space::several::System;
use crate::num::{Interval, Real, Tol};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};

/// The rows of a node as functionals, with the effect of each: D c and c·q.
struct Program<'a> {
    system: &'a System,
    rows: Vec<Row>,
    /// How many of them are equations, whose multipliers have any sign.
    equations: usize,
    cones: Vec<Cone>,
    /// Whether the last row is the measure of the motion, whose size is divided out.
    measured: bool,
}

/// Whether multipliers prove that a node has no motion.
pub(super) fn is_refuted(system: &System, node: &Node, tol: &Tol) -> bool {
    let program = Program::new(system, node, tol);
    program.multipliers(tol).is_some_and(|x| program.proves(&x, tol))
}

/// A x + s = b, s in cones, built row by row.
#[derive(Default)]
struct Conic {
    triplets: (Vec<usize>, Vec<usize>, Vec<f64>),
    b: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

impl Conic {
    /// Says that offset − Σ a x is the next component of a cone.
    fn push(&mut self, entries: impl Iterator<Item = f64>, offset: f64) {
        for (j, a) in entries.enumerate().filter(|(_, a)| a.abs() > 0.0) {
            self.triplets.0.push(self.b.len());
            self.triplets.1.push(j);
            self.triplets.2.push(a);
        }
        self.b.push(offset);
    }
}

impl<'a> Program<'a> {
    fn new(system: &'a System, node: &Node, tol: &Tol) -> Self {
        let held = system.span(&node.held(), tol);
        let equations = held.len();
        let unit = |row: usize| vec![(row, Interval::from_f64(1.0))];
        let measure = node.measure();
        let measured = measure.is_some();
        let rows = held.into_iter().map(unit).chain(node.above(system)).chain(measure).collect();
        Self { system, rows, equations, cones: node.cones(system), measured }
    }

    /// D c of a row at row k, and c·q.
    fn effect(&self, row: &Row, k: usize) -> f64 {
        row.iter().map(|(i, x)| self.system.D[k][*i] * x.value()).sum()
    }

    fn load(&self, row: &Row) -> f64 {
        row.iter().map(|(i, x)| self.system.free[*i] * x.value()).sum()
    }

    /// Multipliers of the largest least clearance, if it is positive: max ε with all clearances at least ε and multipliers at most 1.
    fn multipliers(&self, tol: &Tol) -> Option<Vec<f64>> {
        let n = self.rows.len();
        let mut data = Conic::default();
        self.push_cones(&mut data);
        // −c·q ≥ ε, σ ≥ ε where there is one
        data.push(self.rows.iter().map(|row| self.load(row)).chain([1.0]), 0.0);
        if self.measured {
            data.push((0..n).map(|k| if k + 1 == n { -1.0 } else { 0.0 }).chain([1.0]), 0.0);
        }
        for k in 0..n {
            let only = |sign: f64| (0..n).map(move |j| if j == k { sign } else { 0.0 });
            data.push(only(1.0), 1.0);
            data.push(only(-1.0), if k < self.equations { 1.0 } else { 0.0 });
        }
        let linear = data.b.len() - 3 * data.cones.len();
        data.cones.push(SupportedConeT::NonnegativeConeT(linear));
        let objective: Vec<f64> = (0..=n).map(|k| if k == n { -1.0 } else { 0.0 }).collect();
        let (rows, cols, vals) = data.triplets;
        let A = CscMatrix::new_from_triplets(data.b.len(), n + 1, rows, cols, vals);
        let settings = DefaultSettings {
            verbose: false,
            max_threads: 1,
            tol_gap_abs: tol.tilted_program,
            tol_gap_rel: tol.tilted_program,
            ..DefaultSettings::default()
        };
        let P = CscMatrix::zeros((n + 1, n + 1));
        let mut solver = DefaultSolver::new(&P, &objective, &A, &data.b, &data.cones, settings).ok()?;
        solver.solve();
        let mut x = solver.solution.x.clone();
        let clearance = x.pop()?;
        (clearance > 0.0 && x.iter().all(|x| x.is_finite())).then_some(x)
    }

    /// −(D c)ᵢ in the dual cone, with ε to spare: friction cones first.
    fn push_cones(&self, data: &mut Conic) {
        let at = |k: usize, factor: f64| self.rows.iter().map(move |row| factor * self.effect(row, k));
        for cone in &self.cones {
            if let Cone::Friction(i) = cone {
                let mu = self.system.mu[*i];
                data.push(at(3 * i, 1.0).chain([1.0]), 0.0);
                data.push(at(3 * i + 1, mu).chain([0.0]), 0.0);
                data.push(at(3 * i + 2, mu).chain([0.0]), 0.0);
                data.cones.push(SupportedConeT::SecondOrderConeT(3));
            }
        }
        for cone in &self.cones {
            if let Cone::Rays(i, points) = cone {
                let (n, t) = self.system.ray(*i);
                for [c, s] in points.iter().map(|p| p.map(Real::value)) {
                    let tangent = at(3 * i + 1, -t * c).zip(at(3 * i + 2, -t * s)).map(|(x, y)| x + y);
                    let ray = at(3 * i, n).zip(tangent).map(|(x, y)| x + y);
                    data.push(ray.chain([1.0]), 0.0);
                }
            }
        }
    }

    /// Whether the multipliers prove it: every clearance with outward rounding.
    fn proves(&self, multipliers: &[f64], tol: &Tol) -> bool {
        let exact = Interval::from_f64;
        let zero = exact(0.0);
        let mut c = vec![zero; self.system.free.len()];
        for (k, (row, &x)) in self.rows.iter().zip(multipliers).enumerate() {
            let x = exact(if k < self.equations { x } else { x.max(0.0) });
            row.iter().for_each(|(i, a)| c[*i] = c[*i] + x * *a);
        }
        let about = |x: f64, size: f64| exact(x) + exact(size) * Interval::new(-tol.marginal, tol.marginal);
        let D = &self.system.D;
        let moved = |k: usize| {
            let entry = |j: usize| about(D[k][j], (D[k][k] * D[j][j]).sqrt()) * c[j];
            (0..c.len()).map(entry).fold(zero, |sum, x| sum + x)
        };
        let load = (0..c.len())
            .map(|k| about(self.system.free[k], self.system.sizes[k]) * c[k])
            .fold(zero, |sum, x| sum + x);
        let is_inside = |cone: &Cone| match cone {
            Cone::Friction(i) => {
                let [N, T1, T2] = [0, 1, 2].map(|k| moved(3 * i + k));
                (-N - exact(self.system.mu[*i]) * (T1.square() + T2.square()).sqrt()).lo > 0.0
            }
            Cone::Rays(i, points) => {
                let [N, T1, T2] = [0, 1, 2].map(|k| moved(3 * i + k));
                let (n, t) = self.system.ray(*i);
                let (n, t) = (exact(n), exact(t));
                points.iter().all(|[c, s]| (t * (*c * T1 + *s * T2) - n * N).lo > 0.0)
            }
        };
        let measured = !self.measured || multipliers.last().is_some_and(|sigma| *sigma > 0.0);
        measured && load.hi < 0.0 && self.cones.iter().all(is_inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::space::several::Ways;
    use crate::analysis::space::several::proof::node::Slot;

    /// A point of mass 1 on a plane inclined by tan χ = `slope`, with friction ½.
    fn point(slope: f64) -> System {
        let unit = |i: usize| (0..3).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
        System {
            D: (0..3).map(unit).collect(),
            free: vec![-1.0, slope, 0.0],
            sizes: vec![1.0; 3],
            mu: vec![0.5],
            ways: vec![Ways::Unilateral],
            along: vec![None],
            parting: vec![false],
            assumed: vec![false],
        }
    }

    /// Multipliers prove what they were made for, and neither their opposites nor those of another slope prove anything.
    #[test]
    fn only_true_multipliers_prove() {
        let (tol, stands, slides) = (Tol::default(), point(0.2), point(0.8));
        let mut refuted = 0;
        for node in Node::leaders(&stands) {
            let own = Program::new(&stands, &node, &tol);
            let Some(found) = own.multipliers(&tol) else { continue };
            refuted += 1;
            assert!(own.proves(&found, &tol));
            let opposite: Vec<f64> = found.iter().map(|x| -x).collect();
            assert!(!own.proves(&opposite, &tol) && !own.proves(&vec![0.0; found.len()], &tol));
            // the arc that looks down the slope has a motion on the steeper one
            let down = matches!(node.slots[0], Slot::Slip(arc) if arc.contains(0.0));
            if down {
                assert!(!Program::new(&slides, &node, &tol).proves(&found, &tol));
                assert!(Program::new(&slides, &node, &tol).multipliers(&tol).is_none());
            }
        }
        assert!(refuted == 5, "four arcs and lifting off: {refuted}");
    }
}
