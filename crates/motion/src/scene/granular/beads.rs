//! Beads that fall into a box.

use crate::diag::Span;
use crate::format::Space;
use crate::format::scene::{
    BodyShape, Group, Law, Matter, Overlapping, Placement, Scene, Sizes, StepPlan, Surface, SurfaceShape,
};
use serde::Serialize;

/// What the scene of some beads is made of. The paper tells number, friction, restitution and step; the rest is ours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Beads {
    /// How many.
    pub beads: usize,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Newton's coefficient.
    pub restitution: f64,
    /// Length of a step, s.
    pub step: f64,
    /// Radius, m: ours.
    pub radius: f64,
    /// Mass, kg: ours. The paper's criteria add forces to velocities, so that it matters to them.
    pub mass: f64,
    /// Side of the square between the walls, m: ours, one diameter times the root of the number.
    pub side: f64,
    /// What the first places depend on.
    pub seed: u64,
}

impl Beads {
    /// Those of the paper, with some friction.
    #[must_use]
    pub fn new(beads: usize, friction: f64, seed: u64) -> Self {
        let radius = 0.5;
        let side = 2.0 * radius * (beads as f64).sqrt();
        Self { beads, friction, restitution: 0.2, step: 0.02, radius, mass: 1.0, side, seed }
    }
}

/// The scene of some beads, some steps long.
#[must_use]
pub fn beads(of: &Beads, steps: u64, tolerance: f64) -> Scene {
    let Beads { beads: count, friction, restitution, step, radius, mass, side, seed } = *of;
    let nowhere = Span::default();
    let group = Group {
        name: "beads".to_owned(),
        span: nowhere,
        shape: BodyShape::Round(Sizes::Constant(radius)),
        count,
        matter: Matter::Mass(mass),
        place: Placement::Grid {
            from: [0.0; 3],
            to: [side, side, height(of)],
            spacing: Some(cell(of)),
            jitter: 1.0,
        },
        velocity: [0.0; 3],
        spin: [0.0; 3],
        turn: [0.0; 3],
    };
    let wall = |axis: usize, at: f64, sign: f64| {
        let along = |x: f64| std::array::from_fn(|k| if k == axis { x } else { 0.0 });
        (along(at), along(sign))
    };
    let inside = vec![
        wall(2, 0.0, 1.0),
        wall(0, 0.0, 1.0),
        wall(0, side, -1.0),
        wall(1, 0.0, 1.0),
        wall(1, side, -1.0),
    ];
    let walls = Surface {
        name: "walls".to_owned(),
        span: nowhere,
        shape: SurfaceShape::Inside(inside),
        motion: None,
    };
    Scene {
        name: format!("beads_{count}"),
        title: Some(format!("{count} beads that fall into a box")),
        description: None,
        space: Space::Space,
        gravity: [0.0, 0.0, -9.81],
        seed,
        parameters: Vec::new(),
        groups: vec![group],
        mechanisms: Vec::new(),
        surfaces: vec![walls],
        law: Law { friction, restitution },
        pairs: Vec::new(),
        course: StepPlan {
            step,
            steps,
            theta: 0.5,
            solver: None,
            tolerance: Some(tolerance),
            overlaps: Overlapping::Keep,
        },
    }
}

/// Sides of the cells in which the beads begin, two and a quarter diameters, so that layers do not arrive at once; less for a few beads in
/// a narrow box.
fn cell(of: &Beads) -> f64 {
    (4.5 * of.radius).min(of.side)
}

/// Enough for all layers.
fn height(of: &Beads) -> f64 {
    let across = (of.side / cell(of)).floor().max(1.0);
    cell(of) * (2.0 + of.beads as f64 / (across * across))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Options, Simulation};

    #[test]
    fn any_number_of_beads_finds_room() {
        for count in [1, 2, 7, 40, 150, 301] {
            let scene = beads(&Beads::new(count, 0.3, 1), 1, 1e-3);
            let placed = Simulation::new(&scene, &Options::default()).unwrap_or_else(|e| panic!("{e:?}"));
            assert_eq!(placed.bodies().len(), count);
        }
    }
}
