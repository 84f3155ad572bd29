//! Directions in which a spatial contact leaves rest.

use super::doing::Doing;
use super::mechanics::Mechanics;
use super::modes::Instant;
use super::watch::cone_room;
use crate::model::Block;
use crate::simulate::smooth::SmoothError;

/// Directions of slip that are scanned where a spatial contact leaves rest.
const DIRECTIONS: usize = 180;

/// Directions û in which a spatial contact at rest can begin to slip: u̇ = a + (B − μ A û) λ_N parallel to û, λ_N = −b/p(û)
/// [CV16 (39)].
pub(super) fn onset_directions(
    contact: usize,
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
) -> Result<Vec<[f64; 2]>, SmoothError> {
    let step = std::f64::consts::TAU / DIRECTIONS as f64;
    let mut found = Vec::new();
    // at the edge of the cone slip sets in against the force that held, with u̇ = 0
    found.extend(against_the_held_force(contact, instant, mechanics)?);
    let across = |angle: f64| across(contact, angle, mechanics);
    for i in 0..DIRECTIONS {
        let (mut low, mut high) = (i as f64 * step, (i + 1) as f64 * step);
        let (first, last) = (across(low).0, across(high).0);
        if first * last > 0.0 || first == 0.0 {
            continue;
        }
        for _ in 0..instant.tol.root_steps {
            let middle = 0.5 * (low + high);
            if across(middle).0 * first > 0.0 { low = middle } else { high = middle }
        }
        let (sin, cos) = high.sin_cos();
        // a pole of p changes the sign, too
        if across(high).1 > 0.0 && across(high).0.abs() <= instant.tol.closed.sqrt() * across(high).1 {
            found.push([cos, sin]);
        }
    }
    Ok(found)
}

/// u̇ of slip that sets in in a direction: across and along it.
fn across(contact: usize, angle: f64, mechanics: &Mechanics<'_>) -> (f64, f64) {
    let (sin, cos) = angle.sin_cos();
    let [one, two] = onset_acceleration(contact, [cos, sin], mechanics);
    (cos * two - sin * one, cos * one + sin * two)
}

/// The direction against the friction force that held, if that force is at the edge of its cone.
fn against_the_held_force(
    contact: usize,
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
) -> Result<Option<[f64; 2]>, SmoothError> {
    let mut doing = vec![Doing::Free; mechanics.layout().contacts];
    doing[contact] = Doing::Stick;
    mechanics.set(&doing);
    mechanics.solve(instant.t, instant.q, instant.v)?;
    let row = mechanics.row(contact);
    let (room, forces) = (cone_room(mechanics, contact), mechanics.work.forces());
    let (one, two) = (forces[row + 1], forces[row + 2]);
    let held = one.hypot(two);
    let (n, _) = mechanics.laws[contact].friction.parts();
    let at_edge = room.abs() <= instant.tol.marginal * n * held && held > 0.0;
    Ok(at_edge.then(|| [-one / held, -two / held]))
}

fn onset_acceleration(contact: usize, along: [f64; 2], mechanics: &Mechanics<'_>) -> [f64; 2] {
    let row = mechanics.row(contact);
    let (n, t) = mechanics.laws[contact].friction.parts();
    let force = [n, -t * along[0], -t * along[1]];
    let driven = |i: usize| (0..3).map(|k| mechanics.delassus(row + i, row + k) * force[k]).sum::<f64>();
    let free = &mechanics.block(Block::FreeContactAcceleration)[row..row + 3];
    let size = -free[0] / driven(0);
    [free[1] + driven(1) * size, free[2] + driven(2) * size]
}
