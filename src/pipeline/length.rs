//! The mechanism's own length: what a gap is small against when it has no other term to be compared with.
//!
//! The largest radius of gyration √(I/m) of its bodies; of point masses, the largest distance of one of them to a contact
//! point. Neither depends on units, on the origin or on the axes. 0 for a mechanism that is given by its energies alone.

use crate::expression::{Env, Expr};
use crate::format::{Body, Geometry, Inertia, Mechanism, Placed, ResolvedState, Round, Seen};

/// The length at a state, or 0.
pub(super) fn own_length(mechanism: &Mechanism, state: &ResolvedState) -> f64 {
    let place = Place { mechanism, state };
    let gyration = mechanism.bodies.iter().map(|body| place.gyration(body));
    let gyration = largest(gyration);
    if gyration > 0.0 {
        return gyration;
    }
    let points: Vec<Vec<f64>> = mechanism
        .contacts
        .iter()
        .filter_map(|c| contact_point(&c.geometry))
        .map(|p| place.seen().point(p).to_vec())
        .collect();
    let distance = |body: &Body| {
        let centre = place.seen().pose(&body.pose).origin;
        largest(points.iter().map(|p| norm(p.iter().zip(&centre).map(|(x, c)| x - c))))
    };
    largest(mechanism.bodies.iter().map(distance))
}

/// The point that a contact is at, if it is given by one.
fn contact_point(geometry: &Geometry) -> Option<&Placed> {
    match geometry {
        Geometry::Point { point, .. } => Some(point),
        Geometry::Round { round: Round { centre, .. }, .. }
        | Geometry::RoundPair { round: Round { centre, .. }, .. } => centre.as_ref(),
        Geometry::Direct { .. } => None,
    }
}

/// The largest finite number, or 0.
fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.filter(|x| x.is_finite()).fold(0.0, f64::max)
}

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|x| x * x).sum::<f64>().sqrt()
}

/// A state as expressions see it.
struct Place<'s> {
    mechanism: &'s Mechanism,
    state: &'s ResolvedState,
}

impl Place<'_> {
    fn seen(&self) -> Seen<'_, f64> {
        let ResolvedState { t, q, v, parameters, .. } = self.state;
        let definitions = &self.mechanism.definitions.values;
        Seen { mechanism: self.mechanism, env: Env { t: *t, q, v, parameters, definitions } }
    }

    fn value(&self, expr: &Expr) -> f64 {
        expr.eval(&self.seen().env)
    }

    /// √(I/m), with half the trace of I in space.
    fn gyration(&self, body: &Body) -> f64 {
        let inertia = match &body.inertia {
            Inertia::Scalar(x) => self.value(x),
            Inertia::Diagonal(moments) => 0.5 * moments.iter().map(|x| self.value(x)).sum::<f64>(),
            Inertia::Full(rows) => 0.5 * (0..3).map(|i| self.value(&rows[i][i])).sum::<f64>(),
        };
        (inertia / self.value(&body.mass)).sqrt()
    }
}
