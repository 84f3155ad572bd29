//! Refutation by multipliers. For a combination c = Σ yⱼ eⱼ + Σ zₖ hₖ + σ m of the rows of a node, zₖ ≥ 0, σ > 0, every motion has c·y ≥ σ (of the
//! acceleration problem, without m: c·y ≥ 0). With y = D λ + τ c
//!
//!   c·y = Σ (D c)ᵢ·λᵢ + τ c·q,
//!
//! so that there is none if −(D c)ᵢ lies inside the dual of each cone of forces and c·q < 0: D c is a virtual motion against which every force of the node
//! would do negative work. The multipliers are found by a cone program that makes the least clearance as large as possible, which always has a
//! solution; what counts is the clearance evaluated with outward rounding, for all D and q within `Tol::marginal` of the given ones.

use super::node::{Cone, Node, Options, Row};
use crate::num::{Interval, Real, Tol};
use crate::predict::contacts::Contacts;
use crate::predict::forces::ConeProgram;
use clarabel::solver::SupportedConeT;

/// The rows of a node as functionals, with the effect of each: D c and c·q.
struct Program<'a> {
    contacts: &'a Contacts,
    /// Accelerations without forces in units of the load, and the sizes of their terms.
    free: Vec<f64>,
    sizes: Vec<f64>,
    rows: Vec<Row>,
    /// How many of them are equations, whose multipliers have any sign.
    equations: usize,
    cones: Vec<Cone>,
    /// Whether the last row is the measure of the motion, whose size is divided out.
    measured: bool,
}

/// Whether multipliers prove that a node has no motion.
pub(super) fn is_refuted(options: &Options<'_>, node: &Node, tol: &Tol) -> bool {
    let program = Program::new(options, node, tol);
    program.multipliers(tol).is_some_and(|x| program.proves(&x, tol))
}

impl<'a> Program<'a> {
    fn new(options: &Options<'a>, node: &Node, tol: &Tol) -> Self {
        let contacts = options.contacts;
        let held = contacts.basis(&node.held(), tol.dependent).rows;
        let equations = held.len();
        let unit = |row: usize| vec![(row, Interval::from_f64(1.0))];
        let measure = node.measure();
        let measured = measure.is_some();
        let rows = held.into_iter().map(unit).chain(node.above(options)).chain(measure).collect();
        let load = contacts.load.max(f64::MIN_POSITIVE);
        let over = |x: &[f64]| x.iter().map(|x| x / load).collect();
        let (free, sizes) = (over(&contacts.c), over(&contacts.sizes));
        Self { contacts, free, sizes, rows, equations, cones: node.cones(options), measured }
    }

    /// D c of a row at row k, and c·q.
    fn effect(&self, row: &Row, k: usize) -> f64 {
        row.iter().map(|(i, x)| self.contacts.D[(k, *i)] * x.value()).sum()
    }

    fn load(&self, row: &Row) -> f64 {
        row.iter().map(|(i, x)| self.free[*i] * x.value()).sum()
    }

    /// Multipliers of the largest least clearance, if it is positive: max ε with all clearances at least ε and multipliers at most 1.
    fn multipliers(&self, tol: &Tol) -> Option<Vec<f64>> {
        let n = self.rows.len();
        let mut data = ConeProgram::default();
        let dense = |entries: Vec<f64>| entries.into_iter().enumerate();
        self.push_cones(&mut data);
        // −c·q ≥ ε, σ ≥ ε where there is one
        data.push(dense(self.rows.iter().map(|row| self.load(row)).chain([1.0]).collect()), 0.0);
        if self.measured {
            data.push([(n - 1, -1.0), (n, 1.0)].into_iter(), 0.0);
        }
        for k in 0..n {
            data.push([(k, 1.0)].into_iter(), 1.0);
            data.push([(k, -1.0)].into_iter(), if k < self.equations { 1.0 } else { 0.0 });
        }
        data.close(SupportedConeT::NonnegativeConeT);
        let objective: Vec<f64> = (0..=n).map(|k| if k == n { -1.0 } else { 0.0 }).collect();
        let mut x = data.minimise(&objective, tol.tilted_program)?.x;
        let clearance = x.pop()?;
        (clearance > 0.0).then_some(x)
    }

    /// −(D c)ᵢ in the dual cone, with ε to spare: friction cones first.
    fn push_cones(&self, data: &mut ConeProgram) {
        let n = self.rows.len();
        let at = |k: usize, factor: f64| -> Vec<f64> {
            self.rows.iter().map(|row| factor * self.effect(row, k)).collect()
        };
        let with = |entries: Vec<f64>, room: f64| entries.into_iter().chain([room]).enumerate();
        for cone in &self.cones {
            if let Cone::Friction(i, side) = cone {
                let [_, mu] = self.contacts.slope(*i);
                data.push(with(at(3 * i, *side), 1.0), 0.0);
                data.push(with(at(3 * i + 1, mu), 0.0), 0.0);
                data.push(with(at(3 * i + 2, mu), 0.0), 0.0);
                data.close(SupportedConeT::SecondOrderConeT);
            }
        }
        for cone in &self.cones {
            if let Cone::Rays(i, side, points) = cone {
                let [normal, t] = self.contacts.slope(*i);
                for [c, s] in points.iter().map(|p| p.map(Real::value)) {
                    let [N, T1, T2] =
                        [(0, side * normal), (1, -t * c), (2, -t * s)].map(|(k, x)| at(3 * i + k, x));
                    data.push(with((0..n).map(|j| N[j] + T1[j] + T2[j]).collect(), 1.0), 0.0);
                }
            }
        }
    }

    /// Whether the multipliers prove it: every clearance with outward rounding.
    fn proves(&self, multipliers: &[f64], tol: &Tol) -> bool {
        let exact = Interval::from_f64;
        let zero = exact(0.0);
        let mut c = vec![zero; self.free.len()];
        for (k, (row, &x)) in self.rows.iter().zip(multipliers).enumerate() {
            let x = exact(if k < self.equations { x } else { x.max(0.0) });
            row.iter().for_each(|(i, a)| c[*i] = c[*i] + x * *a);
        }
        let about = |x: f64, size: f64| exact(x) + exact(size) * Interval::new(-tol.marginal, tol.marginal);
        let D = &self.contacts.D;
        let moved = |k: usize| {
            let entry = |j: usize| about(D[(k, j)], (D[(k, k)] * D[(j, j)]).sqrt()) * c[j];
            (0..c.len()).map(entry).fold(zero, |sum, x| sum + x)
        };
        let load =
            (0..c.len()).map(|k| about(self.free[k], self.sizes[k]) * c[k]).fold(zero, |sum, x| sum + x);
        let is_inside = |cone: &Cone| match cone {
            Cone::Friction(i, side) => {
                let [N, T1, T2] = [0, 1, 2].map(|k| moved(3 * i + k));
                let [_, mu] = self.contacts.slope(*i);
                (-exact(*side) * N - exact(mu) * (T1.square() + T2.square()).sqrt()).lo > 0.0
            }
            Cone::Rays(i, side, points) => {
                let [N, T1, T2] = [0, 1, 2].map(|k| moved(3 * i + k));
                let [n, t] = self.contacts.slope(*i);
                let (n, t) = (exact(side * n), exact(t));
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
    use crate::contact::{Friction, Laws};
    use crate::predict::refute::node::Slot;
    use crate::predict::{ClosedContact, Mode, Motion, Sized};

    /// A point of mass 1 on a plane inclined by tan χ = `slope`, with friction ½.
    fn point(slope: f64) -> Contacts {
        let laws = Laws { friction: Friction::new(0.5).unwrap(), ..Laws::default() };
        let D: Vec<f64> = (0..9).map(|k| f64::from(u8::from(k % 4 == 0))).collect();
        let sized = |values| Sized { values, sizes: &[] };
        let c = Sized { values: &[-1.0, slope, 0.0], sizes: &[1.0; 3] };
        Contacts::new(vec![ClosedContact { laws, motion: Motion::Resting }], sized(&D), c)
    }

    /// Multipliers prove what they were made for, and neither their opposites nor those of another slope prove anything.
    #[test]
    fn only_true_multipliers_prove() {
        let (tol, stands, slides) = (Tol::default(), point(0.2), point(0.8));
        let modes = vec![stands.modes(0)];
        let [stands, slides] = [&stands, &slides].map(|contacts| Options { contacts, modes: &modes });
        let mut refuted = 0;
        for node in Node::beside(&stands, &[Mode::STICK], &tol) {
            let own = Program::new(&stands, &node, &tol);
            let Some(found) = own.multipliers(&tol) else { continue };
            refuted += 1;
            assert!(own.proves(&found, &tol));
            let opposite: Vec<f64> = found.iter().map(|x| -x).collect();
            assert!(!own.proves(&opposite, &tol) && !own.proves(&vec![0.0; found.len()], &tol));
            // the arc that looks down the slope has a motion on the steeper one
            let down = matches!(node.slots[0], Slot::Leaves(arc, _) if arc.contains(0.0));
            if down {
                assert!(!Program::new(&slides, &node, &tol).proves(&found, &tol));
                assert!(Program::new(&slides, &node, &tol).multipliers(&tol).is_none());
            }
        }
        assert!(refuted == 5, "four arcs and lifting off: {refuted}");
    }
}
