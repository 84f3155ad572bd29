//! The row of a point of a motion by steps.

use crate::stepping::{Mechanics, Point, StepRecord};

/// Fills the row of a point where the mechanics looked; forces are means over the step that led there in so much time.
pub(super) fn fill(
    row: &mut [f64],
    mechanics: &Mechanics<'_>,
    point: &Point,
    taken: Option<(&StepRecord, f64)>,
) {
    let mut cells = row.iter_mut();
    let mut put = |x: f64| {
        if let Some(cell) = cells.next() {
            *cell = x;
        }
    };
    put(point.t);
    point.q.iter().chain(&point.v).for_each(|x| put(*x));
    let dim = 1 + mechanics.layout().tangents;
    let velocities = mechanics.contact_velocities();
    for (contact, gap) in mechanics.gaps().iter().enumerate() {
        let rows = contact * dim..(contact + 1) * dim;
        put(*gap);
        velocities[rows.clone()][1..].iter().for_each(|slip| put(*slip));
        match taken {
            Some((taken, since)) => taken.impulses[rows].iter().for_each(|impulse| put(impulse / since)),
            None => (0..dim).for_each(|_| put(f64::NAN)),
        }
    }
    for constraint in 0..mechanics.layout().constraints {
        put(taken.map_or(f64::NAN, |(taken, since)| taken.reactions[constraint] / since));
    }
}
