//! Directions in which a spatial contact leaves rest.

use super::doing::Doing;
use super::mechanics::Mechanics;
use super::modes::Instant;
use super::watch::cone_room;
use crate::simulate::smooth::SmoothError;

/// Directions û in which a spatial contact at rest can begin to slip: u̇ parallel to û   [CV16 (39)].
pub(super) fn onset_directions(
    contact: usize,
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
) -> Result<Vec<[f64; 2]>, SmoothError> {
    let mut found = Vec::new();
    // at the edge of the cone slip sets in against the force that held, with u̇ = 0
    found.extend(against_the_held_force(contact, instant, mechanics)?);
    let onset = mechanics.spatial(contact).onset(mechanics.laws[contact].friction, instant.tol);
    let leading_away = onset.list.iter().filter(|direction| direction.along.value > 0.0);
    found.extend(leading_away.map(|direction| [direction.phi.cos(), direction.phi.sin()]));
    Ok(found)
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
