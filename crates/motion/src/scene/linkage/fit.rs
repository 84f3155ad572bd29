//! What of a mechanism a scene can carry, and which of its links have a shape that meets something.

use super::SceneMechanism;
use crate::diag::Diagnostic;
use crate::expression::Expr;
use crate::format::scene::{MechanismUse, Scene};
use crate::format::{Mechanism, Outline, Shape, Space};
use crate::scene::body::Solid;

/// What the scene cannot carry.
pub(super) fn unfit(scene: &Scene, named: &MechanismUse, given: &SceneMechanism) -> Option<Diagnostic> {
    let SceneMechanism { mechanism, .. } = given;
    let bilateral = mechanism.contacts.iter().find(|contact| contact.bilateral);
    let what = match bilateral {
        _ if mechanism.space != scene.space => {
            let [own, other] = [mechanism.space, scene.space].map(|space| match space {
                Space::Plane => "the plane",
                Space::Space => "space",
            });
            format!("it is one of {own}, and the scene is in {other}")
        }
        _ if mechanism.bodies.is_empty() => "it has no bodies that could meet anything".to_owned(),
        Some(contact) => {
            format!("its contact `{}` is bilateral, and a step of a scene has unilateral ones", contact.name)
        }
        None => return None,
    };
    let found = Diagnostic::error("M606", format!("a scene cannot carry mechanism `{}`: {what}", named.name));
    Some(found.with_span(named.span).with_path(format!("mechanisms.{}", named.name)))
}

/// A shape that scenes know, in numbers of the mechanism.
enum Known<'m> {
    Round(&'m Expr),
    Box(&'m [Expr]),
}

/// The shape of a link about its centre of mass: its own, or what its contacts say where it has none.
fn known(mechanism: &Mechanism, link: usize) -> Option<Known<'_>> {
    match &mechanism.bodies[link].shape {
        Some(Shape::Round(radius)) => Some(Known::Round(radius)),
        Some(Shape::Box(edges)) => Some(Known::Box(edges)),
        Some(Shape::Segment(_) | Shape::Polyline(_) | Shape::Polygon(_)) => None,
        None => mechanism.rounds().find_map(|round| {
            let own = round.body == Some(link) && round.centre.is_none();
            match &round.outline {
                Outline::Ball(radius) if own => Some(Known::Round(radius)),
                Outline::Ball(_) | Outline::Rim { .. } | Outline::Ellipsoid(_) => None,
            }
        }),
    }
}

/// The solid of a link, if scenes know its shape.
pub(super) fn solid(mechanism: &Mechanism, link: usize, parameters: &[f64]) -> Option<Solid> {
    Some(match known(mechanism, link)? {
        Known::Round(radius) => Solid::Round(radius.eval_parametric(parameters)),
        Known::Box(edges) => {
            let half = |k: usize| edges.get(k).map_or(0.0, |edge| 0.5 * edge.eval_parametric(parameters));
            Solid::Box([half(0), half(1), half(2)])
        }
    })
}

/// That links pass through everything, since a scene has no solid of their shape.
pub fn passing(named: &MechanismUse, mechanism: &Mechanism) -> Option<Diagnostic> {
    let none = |link: &usize| known(mechanism, *link).is_none();
    let names: Vec<&str> =
        (0..mechanism.bodies.len()).filter(none).map(|link| mechanism.bodies[link].name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    let message = format!(
        "of mechanism `{}` these bodies meet nothing by their shape: {}",
        named.name,
        names.join(", ")
    );
    let found = Diagnostic::warning("M607", message).with_span(named.span);
    Some(
        found
            .with_path(format!("mechanisms.{}", named.name))
            .with_hint("a scene knows the shapes `disc`, `ball` and `box`"),
    )
}
