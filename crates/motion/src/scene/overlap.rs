//! Overlaps that last are taken back. Moreau's scheme finds contacts where bodies overlap already, by up to (1 − θ)h times the speed of
//! their approach, and would leave them so. After a step bodies, not their velocities, are moved by the least displacement in the kinetic metric
//! that opens the overlaps of contacts that neither open nor close: of round bodies, and of boxes that rest,
//!
//! min ½ δᵀMδ with g + H_N δ = −s where a contact bears, ≥ −s where it does not,
//!
//! the projection of \[A09 (19)\], s being an overlap that keeps contacts closed. A few sweeps of Gauss and Seidel over its multipliers
//! suffice: what one step leaves the next one takes, and of a displacement that would open a contact that bears only so much is taken that it
//! does not. What is lifted had sunk as far in an impact that took more energy. Others are let be: only in them do bounces die, and a box
//! that turns about a contact would be lifted step by step. Mechanisms are not moved; free bodies that rest on them are.

use super::body::{Body, Solid};
use super::detect::Other;
use super::incremental::Given;
use super::simulation::Simulation;
use super::vector::{Vector, along, dot, times};
use crate::num::Tol;

/// Sweeps a step.
const SWEEPS: usize = 10;

/// Memory that stays from step to step.
#[derive(Debug, Default)]
pub(super) struct Overlaps {
    rows: Vec<Row>,
    shifts: Vec<(Vector, Vector)>,
}

/// The normal of a contact as a row of H.
#[derive(Clone, Copy, Debug)]
struct Row {
    sides: [Option<Side>; 2],
    /// 1 / (H_N M⁻¹ H_Nᵀ).
    stiffness: f64,
    /// By how much it is to be opened; negative where it may still close.
    depth: f64,
    /// By how much it may be opened at most.
    most: f64,
    /// Whether it bears.
    bears: bool,
    /// What is let be.
    slack: f64,
    multiplier: f64,
}

/// The part of a row that belongs to a body.
#[derive(Clone, Copy, Debug)]
struct Side {
    body: usize,
    row: (Vector, Vector),
    /// M⁻¹ times that.
    moved: (Vector, Vector),
}

impl Overlaps {
    /// How the bodies of a scene are to be moved after a step of length h.
    pub(super) fn take_back(&mut self, simulation: &Simulation, h: f64) -> &[(Vector, Vector)] {
        self.shifts.clear();
        self.rows.clear();
        self.rows.extend(rows(simulation, h));
        if self.rows.iter().all(|row| row.depth <= 0.0) {
            return &self.shifts;
        }
        self.shifts.resize(simulation.bodies().len(), Default::default());
        for _ in 0..SWEEPS {
            let mut done = true;
            for row in &mut self.rows {
                let left = row.depth - row.opened(&self.shifts);
                let pressed = row.multiplier + left * row.stiffness;
                let multiplier = if row.bears { pressed } else { pressed.max(0.0) };
                row.push(multiplier - row.multiplier, &mut self.shifts);
                row.multiplier = multiplier;
                done &= left.abs() <= row.slack || !row.bears && left < 0.0;
            }
            if done {
                break;
            }
        }
        let share = self.rows.iter().filter(|row| row.bears).fold(1.0, |share: f64, row| {
            let opened = row.opened(&self.shifts);
            if share * opened > row.most { row.most / opened } else { share }
        });
        self.shifts.iter_mut().for_each(|shift| *shift = (times(shift.0, share), times(shift.1, share)));
        &self.shifts
    }
}

impl Row {
    fn opened(&self, shifts: &[(Vector, Vector)]) -> f64 {
        self.sides.iter().flatten().map(|side| product(side.row, shifts[side.body])).sum()
    }

    fn push(&self, by: f64, shifts: &mut [(Vector, Vector)]) {
        for side in self.sides.iter().flatten() {
            let (shift, moved) = (&mut shifts[side.body], side.moved);
            *shift = (along(shift.0, by, moved.0), along(shift.1, by, moved.1));
        }
    }
}

fn product(a: (Vector, Vector), b: (Vector, Vector)) -> f64 {
    dot(a.0, b.0) + dot(a.1, b.1)
}

/// The rows of the contacts of the step that was taken; what lasts or not, does so at the velocities after it.
fn rows(simulation: &Simulation, h: f64) -> impl Iterator<Item = Row> + '_ {
    let (given, bodies) = (simulation.given(), simulation.bodies());
    let (free, dim) = (simulation.free_bodies(), simulation.scene().space.dimension());
    let forces = simulation.solution().map_or(&[][..], |solution| &solution.r);
    simulation.touches().iter().zip(forces.chunks_exact(dim)).filter_map(move |(touch, force)| {
        let other = match touch.other {
            Other::Body(other) => Some(other),
            Other::Piece(_) => None,
            Other::Declared(_) => return None,
        };
        let both = [Some((touch.body, touch.arms[0], 1.0)), other.map(|other| (other, touch.arms[1], -1.0))];
        let movable =
            |(body, arm, sign)| (body < free).then(|| side(&given, body, (touch.normal, arm), sign));
        let sides = both.map(|side| side.and_then(movable));
        let touching = || both.iter().flatten().map(|(body, ..)| &bodies[*body]);
        let slack = Tol::default().overlap * touching().map(|b| b.solid.core()).fold(f64::INFINITY, f64::min);
        let depth = -touch.gap - slack;
        let parts = || sides.iter().flatten();
        let flexibility: f64 = parts().map(|side| product(side.row, side.moved)).sum();
        let carried = match touch.other {
            Other::Piece(piece) => dot(touch.normal, given.surface_velocity(piece, touch.arms[1])),
            Other::Body(_) | Other::Declared(_) => 0.0,
        };
        let rate_of = |side: &Side| product(side.row, (bodies[side.body].velocity, bodies[side.body].spin));
        let rate = parts().map(rate_of).sum::<f64>() - carried;
        let calm = |body: usize| {
            let round = body < free && matches!(bodies[body].solid, Solid::Round(_));
            round || h * bodies[body].fastest() <= slack
        };
        let lasts = h * rate.abs() <= slack && both.iter().flatten().all(|(body, ..)| calm(*body));
        sides.iter().any(Option::is_some).then(|| Row {
            sides,
            stiffness: 1.0 / flexibility,
            depth: if lasts { depth } else { depth.min(0.0) },
            most: (depth + 0.5 * slack).max(0.0),
            bears: force[0] > 0.0 && lasts,
            slack,
            multiplier: 0.0,
        })
    })
}

fn side(given: &Given<'_>, body: usize, (normal, arm): (Vector, Vector), sign: f64) -> Side {
    let Body { mass, inertia, .. } = given.bodies[body];
    let scaled = |x: Vector| x.map(|x| sign * x);
    let row = (scaled(normal), scaled(given.turning(body, normal, arm)));
    // in the plane nothing turns about the first two axes
    let turned = std::array::from_fn(|k| if row.1[k].abs() > 0.0 { row.1[k] / inertia[k] } else { 0.0 });
    Side { body, row, moved: (row.0.map(|x| x / mass), turned) }
}
