//! Contacts that cannot wedge, over sets of states: impulses z for which D z opens every gap faster than μ times its slip.
//!
//! If one exists, no forces in the friction cones cancel each other (ker Hᵀ ∩ L = {0}), and every step of time has a solution,
//! whatever its data  [ACLM11 (4.1), (5.1)]. At a sample of states the z that has most room is the shortest sum of the cones'
//! edges in the metric of D; each state of the set has to be served by one of them. This is enough, and not necessary.
#![allow(non_snake_case)]

use super::terms::{Beyond, Stand, Terms};
use crate::num::dense::norm;
use crate::prove::Formula;
use crate::tape::{Tape, Value};

/// Steps in search of the shortest sum.
const STEPS: usize = 400;

impl Terms<'_> {
    /// That one of some impulses opens all gaps.
    pub(super) fn opened(&mut self, contacts: &[usize], stand: &Stand) -> Result<Formula, Beyond> {
        if contacts.iter().any(|&c| self.is_clamp(c)) {
            return Err(
                "a contact with friction is held closed from both sides, of which the theory of existence says nothing: hold its friction at 0",
            );
        }
        let contacts: Vec<usize> = contacts.iter().copied().filter(|&c| !self.is_rail(c)).collect();
        if contacts.is_empty() {
            return Err("no contact is closed");
        }
        let dim = 1 + self.quantities.layout().tangents;
        let rows: Vec<usize> = contacts.iter().flat_map(|&c| self.row(c)..self.row(c) + dim).collect();
        let D: Vec<Vec<Value>> =
            rows.iter().map(|&i| rows.iter().map(|&j| self.quantities.mobility(i, j)).collect()).collect();
        let mu: Vec<Value> = contacts.iter().map(|&c| self.friction(c)).collect();
        let all: Vec<Value> = D.iter().flatten().chain(&mu).copied().collect();
        let tape = self.quantities.builder().clone().finish(&all);
        let mut ways = Vec::new();
        let mut known: Vec<Vec<f64>> = Vec::new();
        for sample in &stand.samples {
            let Some(z) = Numbers::at(&tape, sample, dim, contacts.len()).shortest() else { continue };
            if !known.contains(&z) {
                ways.push(self.opens(&D, &mu, &z));
                known.push(z);
            }
        }
        Ok(Formula::Any(ways))
    }

    /// u = D z has u_N > μ ‖u_T‖ at each contact.
    fn opens(&mut self, D: &[Vec<Value>], mu: &[Value], z: &[f64]) -> Formula {
        let builder = self.quantities.builder();
        let z: Vec<Value> = z.iter().map(|&x| builder.constant(x)).collect();
        let u: Vec<Value> = D.iter().map(|row| builder.dot(row, &z)).collect();
        let dim = u.len() / mu.len();
        let mut all = Vec::new();
        for (u, &mu) in u.chunks_exact(dim).zip(mu) {
            let builder = self.quantities.builder();
            let across: Vec<Value> = u[1..].iter().map(|&x| builder.mul(mu, x)).collect();
            if let [across] = across[..] {
                let (more, less) = (builder.add(u[0], across), builder.sub(u[0], across));
                all.extend([self.positive(more), self.positive(less)]);
            } else {
                let (square, slip) = (builder.mul(u[0], u[0]), builder.dot(&across, &across));
                let rest = builder.sub(square, slip);
                all.extend([self.positive(u[0]), self.positive(rest)]);
            }
        }
        Formula::All(all)
    }
}

/// D and μ at a state.
struct Numbers {
    D: Vec<f64>,
    mu: Vec<f64>,
    dim: usize,
}

impl Numbers {
    fn at(tape: &Tape, inputs: &[f64], dim: usize, contacts: usize) -> Self {
        let mut D = vec![0.0; tape.outputs()];
        tape.eval(inputs, &mut D, &mut tape.scratch());
        let mu = D.split_off(D.len() - contacts);
        Numbers { D, mu, dim }
    }

    /// The shortest sum of edges with weights that add up to one, by Gilbert's method; none where it has no length.
    fn shortest(&self) -> Option<Vec<f64>> {
        let rows = self.mu.len() * self.dim;
        let mut z: Vec<f64> = (0..rows).map(|i| if i % self.dim == 0 { 1.0 } else { 0.0 }).collect();
        z.iter_mut().for_each(|x| *x /= self.mu.len() as f64);
        for _ in 0..STEPS {
            let edge = self.edge(&self.times(&z));
            let way: Vec<f64> = edge.iter().zip(&z).map(|(e, z)| e - z).collect();
            let against = self.times(&way);
            let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let (gained, length) = (-product(&against, &z), product(&against, &way));
            if gained <= 0.0 || length <= 0.0 {
                break;
            }
            let share = (gained / length).min(1.0);
            z.iter_mut().zip(&way).for_each(|(z, way)| *z += share * way);
        }
        // a few digits are enough
        let z: Vec<f64> = z.iter().map(|x| f64::from(*x as f32)).collect();
        let u = self.times(&z);
        let open = u.chunks_exact(self.dim).zip(&self.mu).all(|(u, mu)| u[0] > mu * norm(&u[1..]));
        open.then_some(z)
    }

    fn times(&self, z: &[f64]) -> Vec<f64> {
        self.D.chunks_exact(z.len()).map(|row| row.iter().zip(z).map(|(a, b)| a * b).sum()).collect()
    }

    /// The edge of all cones, with N = 1, along which u rises least.
    fn edge(&self, u: &[f64]) -> Vec<f64> {
        let rise = |(u, mu): (&[f64], &f64)| u[0] - mu * norm(&u[1..]);
        let rises = u.chunks_exact(self.dim).zip(&self.mu).map(rise).enumerate();
        let least = rises.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(contact, _)| contact);
        let first = least * self.dim;
        let slip = &u[first + 1..first + self.dim];
        let size = norm(slip);
        let mut edge = vec![0.0; u.len()];
        edge[first] = 1.0;
        for (k, x) in slip.iter().enumerate() {
            edge[first + 1 + k] = if size > 0.0 { -self.mu[least] * x / size } else { 0.0 };
        }
        edge
    }
}
