//! One step of a heap of discs or spheres under gravity, as an incremental problem: M v + f = Hᵀ r, u = H v + w.

use super::packing::{Ball, Packing, SceneContact};
use super::random::Random;
use mechan::coulomb::{Global, Problem};
use mechan::linear::Sparse;

/// What a heap is made of, beside its packing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grains {
    /// Friction of a contact, uniform in this range.
    pub(crate) friction: [f64; 2],
    /// Density of a body, any factor between equally likely: wide ranges make wide mass ratios.
    pub(crate) density: [f64; 2],
    /// Size of the random part of every velocity before the step, relative to the one that gravity adds in it.
    pub(crate) noise: f64,
}

const GRAVITY: f64 = 9.81;
const STEP: f64 = 1e-3;

/// The problem of a heap; `seed` decides everything that is left open.
pub(crate) fn heap(packing: &Packing, grains: &Grains, seed: u64) -> Problem {
    let mut random = Random::new(seed);
    let (balls, touches) = packing.settle(&mut random);
    let size = if packing.dim == 2 { 3 } else { 6 };
    let (mut mass, mut f) = (Vec::new(), Vec::new());
    for ball in &balls {
        let inertia = body_inertia(packing.dim, ball, random.factor(grains.density));
        let before = |random: &mut Random| grains.noise * GRAVITY * STEP * random.between([-1.0, 1.0]);
        for (k, m) in inertia.iter().enumerate() {
            let falls = if k == packing.dim - 1 { -GRAVITY * STEP } else { 0.0 };
            // turning is as fast as moving at the surface
            let speed = before(&mut random) / if k < packing.dim { 1.0 } else { ball.radius };
            f.push(-m * (speed + falls));
            mass.push(*m);
        }
    }
    let mu: Vec<f64> = touches.iter().map(|_| random.between(grains.friction)).collect();
    let H = jacobian(packing.dim, size, &balls, &touches);
    let places: Vec<usize> = (0..mass.len()).collect();
    let M = Sparse::from_coordinates("M", (mass.len(), mass.len()), &places, &places, &mass).unwrap();
    let w = vec![0.0; packing.dim * touches.len()];
    Problem::global(packing.dim, mu, Global { M, Ht: H, f, w }).unwrap()
}

/// Masses, then moments of inertia, of a disc of unit thickness or a ball.
fn body_inertia(dim: usize, ball: &Ball, density: f64) -> Vec<f64> {
    let r = ball.radius;
    if dim == 2 {
        let m = density * std::f64::consts::PI * r * r;
        vec![m, m, 0.5 * m * r * r]
    } else {
        let m = density * 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
        [[m; 3], [0.4 * m * r * r; 3]].concat()
    }
}

/// Hᵀ: the velocity of the body's surface less that of its partner's, along normal and tangents.
fn jacobian(dim: usize, size: usize, balls: &[Ball], touches: &[SceneContact]) -> Sparse {
    let (mut rows, mut cols, mut vals) = (Vec::new(), Vec::new(), Vec::new());
    for (contact, touch) in touches.iter().enumerate() {
        let sides = [Some((touch.body, 1.0)), touch.partner.map(|partner| (partner, -1.0))];
        for (k, e) in frame(dim, touch.normal).iter().enumerate() {
            for (body, sign) in sides.into_iter().flatten() {
                // The arm points against the normal in the body and along it in the partner: e·(Ω × arm) = Ω·(arm × e).
                let arm = touch.normal.map(|n| -sign * balls[body].radius * n);
                let moment = cross(arm, *e);
                let entries = if dim == 2 { vec![e[0], e[1], moment[2]] } else { [*e, moment].concat() };
                for (j, x) in entries.into_iter().enumerate().filter(|(_, x)| x.abs() > 0.0) {
                    rows.push(size * body + j);
                    cols.push(dim * contact + k);
                    vals.push(sign * x);
                }
            }
        }
    }
    Sparse::from_coordinates("H", (size * balls.len(), dim * touches.len()), &rows, &cols, &vals).unwrap()
}

/// Normal and tangents, orthonormal.
fn frame(dim: usize, n: [f64; 3]) -> Vec<[f64; 3]> {
    if dim == 2 {
        return vec![n, [n[1], -n[0], 0.0]];
    }
    let least = (0..3).min_by(|&i, &j| n[i].abs().total_cmp(&n[j].abs())).unwrap();
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let along: f64 = n[least];
    let mut t: [f64; 3] = std::array::from_fn(|k| axis[k] - along * n[k]);
    let length = t.iter().map(|x| x * x).sum::<f64>().sqrt();
    t.iter_mut().for_each(|x| *x /= length);
    vec![n, t, cross(n, t)]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
