//! One rigid body at rest on point feet in space, from its geometry.

use mechan::analysis::space::several::{System, Ways};

/// A foot: where it is from the centre of mass, the normal of its surface, a first tangent, its friction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    pub(crate) at: [f64; 3],
    pub(crate) normal: [f64; 3],
    pub(crate) tangent: [f64; 3],
    pub(crate) mu: f64,
}

impl Foot {
    /// On a floor with the normal z.
    pub(crate) fn on_floor(at: [f64; 3], mu: f64) -> Self {
        Self { at, normal: [0.0, 0.0, 1.0], tangent: [1.0, 0.0, 0.0], mu }
    }
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

/// A body of mass 1 with these principal moments under a force at its centre of mass and a torque.
pub(crate) fn standing(feet: &[Foot], inertia: [f64; 3], force: [f64; 3], torque: [f64; 3]) -> System {
    let rows: Vec<([f64; 3], [f64; 3])> = feet
        .iter()
        .flat_map(|foot| {
            let directions = [foot.normal, foot.tangent, cross(foot.normal, foot.tangent)];
            directions.map(|d| (d, cross(foot.at, d)))
        })
        .collect();
    let turned = |x: [f64; 3]| [0, 1, 2].map(|k| x[k] / inertia[k]);
    let gain = |a: &([f64; 3], [f64; 3]), b: &([f64; 3], [f64; 3])| dot(a.0, b.0) + dot(a.1, turned(b.1));
    let load = |a: &([f64; 3], [f64; 3])| dot(a.0, force) + dot(a.1, turned(torque));
    let size = |a: &([f64; 3], [f64; 3])| {
        let terms = (0..3).map(|k| (a.0[k] * force[k]).abs() + (a.1[k] * turned(torque)[k]).abs());
        terms.sum::<f64>()
    };
    System {
        D: rows.iter().map(|a| rows.iter().map(|b| gain(a, b)).collect()).collect(),
        free: rows.iter().map(load).collect(),
        sizes: rows.iter().map(size).collect(),
        mu: feet.iter().map(|foot| foot.mu).collect(),
        ways: vec![Ways::Unilateral; feet.len()],
        along: vec![None; feet.len()],
        parting: vec![false; feet.len()],
        assumed: vec![false; feet.len()],
    }
}

/// Feet at the corners of a regular polygon, below the centre of mass.
pub(crate) fn stool(feet: usize, radius: f64, height: f64, mu: f64) -> Vec<Foot> {
    let angle = |k: usize| std::f64::consts::TAU * (k as f64 + 0.2) / feet as f64;
    let at = |k: usize| [radius * angle(k).cos(), radius * angle(k).sin(), -height];
    (0..feet).map(|k| Foot::on_floor(at(k), mu)).collect()
}

/// Gravity 1 on a floor inclined by chi, downhill along the direction phi.
pub(crate) fn gravity(chi: f64, phi: f64) -> [f64; 3] {
    [chi.sin() * phi.cos(), chi.sin() * phi.sin(), -chi.cos()]
}
