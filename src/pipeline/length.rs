//! The mechanism's own length: what a gap is small against when it has no other term to be compared with.
//!
//! The largest radius of gyration √(I/m) of its bodies; of point masses, the largest distance of one of them to a contact
//! point. Neither depends on units, on the origin or on the axes. 0 for a mechanism that is given by its energies alone.

use crate::expression::{Env, Expr};
use crate::format::{Body, Geometry, Inertia, Mechanism, Placed, ResolvedState, Round, Seen};

/// The length at a state, or 0.
pub(super) fn own_length(mechanism: &Mechanism, state: &ResolvedState) -> f64 {
    let ResolvedState { t, q, v, parameters, .. } = state;
    length_at(mechanism, Env { t: *t, q, v, parameters, definitions: &mechanism.definitions.values })
}

/// The same where these are the values of all symbols. Does not allocate.
pub(super) fn length_at(mechanism: &Mechanism, env: Env<'_, f64>) -> f64 {
    let place = StateValues { mechanism, env };
    let gyration = largest(mechanism.bodies.iter().map(|body| place.gyration(body)));
    if gyration > 0.0 {
        return gyration;
    }
    let points = || mechanism.contacts.iter().filter_map(|c| contact_point(&c.geometry));
    let distance = |body: &Body| {
        let centre = place.seen().pose(&body.pose).origin;
        largest(points().map(|point| {
            let point = place.seen().point(point);
            norm(point.iter().zip(&centre).map(|(x, c)| x - c))
        }))
    };
    largest(mechanism.bodies.iter().map(distance))
}

/// Whether the length follows from the parameters alone, at whatever state.
pub(super) fn is_of_parameters(mechanism: &Mechanism, parameters: &[f64]) -> bool {
    let env = Env { t: f64::NAN, q: &[], v: &[], parameters, definitions: &[] };
    let place = StateValues { mechanism, env };
    largest(mechanism.bodies.iter().map(|body| place.gyration(body))) > 0.0
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
struct StateValues<'s> {
    mechanism: &'s Mechanism,
    env: Env<'s, f64>,
}

impl StateValues<'_> {
    fn seen(&self) -> Seen<'_, f64> {
        Seen { mechanism: self.mechanism, env: self.env }
    }

    fn value(&self, expr: &Expr) -> f64 {
        expr.eval(&self.env)
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
