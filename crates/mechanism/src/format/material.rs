//! Which points belong to a body: those that keep their place in it whatever the coordinates and the time are.

use super::geometry::Geometry;
use super::mechanism::{Body, Contact, Mechanism};
use super::placement::Placed;
use super::pose::{Axes, Seen};
use crate::diag::Diagnostic;
use crate::expression::Env;

/// Configurations in which a point must keep its place to belong.
const TRIALS: usize = 4;

/// Where a point is as others see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kept {
    /// Always at this place.
    At([f64; 3]),
    /// It moves.
    No,
    /// It or they are nowhere in all configurations that were tried.
    Unknown,
}

impl Mechanism {
    /// The place of a point in a body's axes, about a configuration (t, q) with these parameters.
    pub fn kept(&self, body: &Body, point: &Placed, (t, q, parameters): (f64, &[f64], &[f64])) -> Kept {
        self.kept_by(|seen| Some(seen.pose(&body.pose)), point, (t, q, parameters))
    }

    /// The inertial place of a point that never moves.
    pub fn stands(&self, point: &Placed, at: (f64, &[f64], &[f64])) -> Kept {
        self.kept_by(|_| None, point, at)
    }

    fn kept_by(
        &self,
        carrier: impl Fn(&Seen<'_, f64>) -> Option<Axes<f64>>,
        point: &Placed,
        (t, q, parameters): (f64, &[f64], &[f64]),
    ) -> Kept {
        // place in the carrier, and the size of what it is the difference of
        let look = |t: f64, q: &[f64]| {
            let env = Env { t, q, v: &[], parameters, definitions: &self.definitions.values };
            let seen = Seen { mechanism: self, env };
            let axes = carrier(&seen).unwrap_or_else(Axes::inertial);
            let outside = seen.point(point);
            (axes.inside(outside), norm(outside) + norm(axes.origin))
        };
        let (here, _) = look(t, q);
        let mut first = here.iter().all(|x| x.is_finite()).then_some(here);
        let mut seen = false;
        for trial in 1..=TRIALS {
            let moved: Vec<f64> = q.iter().enumerate().map(|(i, q)| q + offset(i, trial)).collect();
            let (there, size) = look(t + offset(q.len(), trial), &moved);
            if !there.iter().all(|x| x.is_finite()) {
                continue;
            }
            seen = true;
            let known = *first.get_or_insert(there);
            let apart = norm(std::array::from_fn(|k| there[k] - known[k]));
            if apart > f64::EPSILON.sqrt() * (norm(known) + size) {
                return Kept::No;
            }
        }
        match first {
            Some(place) if seen => Kept::At(place),
            _ => Kept::Unknown,
        }
    }
}

/// An offset unlike any other: the fractional parts of the multiples of the golden ratio.
fn offset(i: usize, trial: usize) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    ((i * TRIALS + trial) as f64 * golden).fract() - 0.5
}

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Contacts whose point belongs to nothing that the file describes, as warnings: friction acts on a point that moves as its expressions
/// say, as at the lowest point of a wheel that is given by the place of its centre.
pub(super) fn drifting(mechanism: &Mechanism) -> Vec<Diagnostic> {
    let Ok(parameters) = mechanism.default_parameters() else { return Vec::new() };
    // a kinetic energy may be that of bodies that are not described
    if mechanism.bodies.is_empty() || mechanism.energy.kinetic.is_some() {
        return Vec::new();
    }
    mechanism.contacts.iter().filter_map(|contact| drifts(mechanism, contact, &parameters)).collect()
}

fn drifts(mechanism: &Mechanism, contact: &Contact, parameters: &[f64]) -> Option<Diagnostic> {
    let Geometry::Point { point, .. } = &contact.geometry else { return None };
    if point.carrier.is_some() {
        return None;
    }
    let origin = vec![0.0; mechanism.coordinates.len()];
    let about = (0.0, &origin[..], parameters);
    let moves = |kept: Kept| kept == Kept::No;
    let bodies = mechanism.bodies.iter().map(|body| &body.pose);
    let frames = mechanism.frames.iter().map(|frame| &frame.pose);
    let by = |pose| moves(mechanism.kept_by(|seen| Some(seen.pose(pose)), point, about));
    if !moves(mechanism.kept_by(|_| None, point, about)) || !bodies.chain(frames).all(by) {
        return None;
    }
    let span = point.components.iter().map(|x| x.span).reduce(|a, b| a.join(b))?;
    let message = format!(
        "the point of contact `{}` keeps its place on no body: friction acts on a point that moves as its expressions say, \
         and not on the material of a body that turns",
        contact.name
    );
    let found = Diagnostic::warning("M219", message).with_span(span);
    let found = found.with_path(format!("contacts.{}.point", contact.name));
    Some(found.with_hint("of a wheel or ball write `disc: {body: NAME, radius: R}`; of a point of a body `point: {body: NAME, at: [..]}`"))
}
