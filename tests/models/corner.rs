//! Impacts of a point mass between planes in space by Moreau's rule, by a search that shares nothing with the engine's.
//!
//! Of what stays closed the gap rates after the impact are known. At two planes the velocity along the edge is left, and with the directions g₁, g₂ of the impulses
//! at the slips that follow from it v⁺ − v⁻ = N₁ g₁ + N₂ g₂: a determinant of one variable, whose zeros a scan finds. At three planes nothing is left. Where it could stick
//! to one plane while another one is closed, nothing is told.

use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

/// Distance to the border of a law, in units of the speed, below which nothing is told.
const CLOSE: f64 = 1e-6;
/// Places of the scan.
const NODES: usize = 4000;

/// A point of mass 1 in space before planes: normals, velocities of their surfaces, friction and restitution of each, and its own velocity.
pub(crate) struct Corner {
    pub(crate) n: Vec<Vector3<f64>>,
    pub(crate) s: Vec<Vector3<f64>>,
    pub(crate) mu: Vec<f64>,
    pub(crate) e: Vec<f64>,
    pub(crate) v: Vector3<f64>,
}

impl Corner {
    /// Velocities after every impact of planes one of which is approached; none if one is too close to a border to tell.
    pub(crate) fn impacts(&self) -> Option<Vec<Vector3<f64>>> {
        let m = self.n.len();
        let mut found = Vec::new();
        for chosen in 1..1_usize << m {
            let closed: Vec<usize> = (0..m).filter(|i| chosen >> i & 1 == 1).collect();
            let candidates = match closed[..] {
                [i] => vec![self.at_one(i)],
                [i, j] => self.at_two(i, j)?,
                _ => vec![self.at_three()?],
            };
            for (after, pressed) in candidates {
                let open = (0..m).filter(|i| !closed.contains(i)).map(|i| self.rate(i, &after));
                let least = open.chain(pressed).fold(f64::INFINITY, f64::min);
                if least.abs() < self.close() {
                    return None;
                }
                if least > 0.0 {
                    found.push(after);
                }
            }
        }
        Some(found)
    }

    fn speed(&self) -> f64 {
        self.s.iter().map(|s| (self.v - s).norm()).fold(0.0, f64::max)
    }

    fn close(&self) -> f64 {
        CLOSE * self.speed()
    }

    /// v⁺ + e v⁻ across a plane.
    fn rate(&self, i: usize, after: &Vector3<f64>) -> f64 {
        let across = |v: &Vector3<f64>| self.n[i].dot(&(v - self.s[i]));
        across(after) + self.e[i] * across(&self.v).min(0.0)
    }

    fn slip(&self, i: usize, v: &Vector3<f64>) -> Vector3<f64> {
        let u = v - self.s[i];
        u - self.n[i] * self.n[i].dot(&u)
    }

    /// The impulse per normal impulse of a plane along which the point slips after it.
    fn ray(&self, i: usize, after: &Vector3<f64>) -> Vector3<f64> {
        self.n[i] - self.slip(i, after).normalize() * self.mu[i]
    }

    /// One plane: friction is opposed to the slip before it, or ends it.
    fn at_one(&self, i: usize) -> (Vector3<f64>, Vec<f64>) {
        let (N, slip) = (-self.rate(i, &self.v), self.slip(i, &self.v));
        let friction = (self.mu[i] * N / slip.norm()).min(1.0);
        (self.v + self.n[i] * N - slip * friction, vec![N])
    }

    /// Velocities with these rates across three directions.
    fn across(&self, directions: [Vector3<f64>; 3], rates: [f64; 3]) -> Option<Vector3<f64>> {
        let A = Matrix3::from_rows(&directions.map(|n| n.transpose()));
        A.lu().solve(&Vector3::from(rates))
    }

    fn at_three(&self) -> Option<(Vector3<f64>, Vec<f64>)> {
        let rates = [0, 1, 2].map(|i| -self.rate(i, &Vector3::zeros()));
        let after = self.across([self.n[0], self.n[1], self.n[2]], rates)?;
        if (0..3).any(|i| self.slip(i, &after).norm() < self.close()) {
            return None;
        }
        let rays = Matrix3::from_columns(&[0, 1, 2].map(|i| self.ray(i, &after)));
        let pressed = rays.lu().solve(&(after - self.v))?;
        Some((after, pressed.as_slice().to_vec()))
    }

    fn at_two(&self, i: usize, j: usize) -> Option<Vec<(Vector3<f64>, Vec<f64>)>> {
        let edge = self.n[i].cross(&self.n[j]).normalize();
        let [a, b] = [i, j].map(|i| -self.rate(i, &Vector3::zeros()));
        let base = self.across([self.n[i], self.n[j], edge], [a, b, edge.dot(&self.v)])?;
        // nowhere along the edge it may stick to one of them
        let least = |i: usize| {
            let slip = self.slip(i, &base);
            (slip - edge * edge.dot(&slip)).norm()
        };
        if least(i).min(least(j)) < self.close() {
            return None;
        }
        let at = |phi: f64| base + edge * (self.speed() * phi.tan());
        let determinant = |phi: f64| {
            let after = at(phi);
            self.ray(i, &after).cross(&self.ray(j, &after)).dot(&(after - self.v).normalize())
        };
        let zeros = zeros(determinant)?;
        Some(zeros.into_iter().map(|phi| (at(phi), self.pressed([i, j], &at(phi)))).collect())
    }

    /// N₁ and N₂ of v⁺ − v⁻ = N₁ g₁ + N₂ g₂, in the plane across the edge.
    fn pressed(&self, both: [usize; 2], after: &Vector3<f64>) -> Vec<f64> {
        let across = |x: Vector3<f64>| both.map(|i| x.dot(&self.n[i]));
        let [[a, c], [b, d]] = both.map(|i| across(self.ray(i, after)));
        let [p, q] = across(after - self.v);
        vec![(p * d - q * b) / (a * d - b * c), (q * a - p * c) / (a * d - b * c)]
    }
}

/// The zeros of a function of an angle from −π/2 to π/2; none if one that is touched cannot be told from none.
fn zeros(f: impl Fn(f64) -> f64) -> Option<Vec<f64>> {
    let place = |k: usize| PI * ((k as f64 + 0.5) / NODES as f64 - 0.5);
    let values: Vec<f64> = (0..NODES).map(|k| f(place(k))).collect();
    let mut found = Vec::new();
    for k in 1..NODES {
        let [one, two] = [values[k - 1], values[k]];
        if one * two > 0.0 {
            let next = values.get(k + 1).copied().unwrap_or(two);
            let least = two.abs() < one.abs() && two.abs() < next.abs() && two * next > 0.0;
            if least && two.abs() < 1e-3 {
                return None;
            }
            continue;
        }
        let (mut low, mut high) = (place(k - 1), place(k));
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if f(middle) * one > 0.0 { low = middle } else { high = middle }
        }
        found.push(low);
    }
    Some(found)
}
