//! A rim that lies flat on its surface touches it everywhere: it has no contact point there.

use super::Loaded;
use crate::diag::Diagnostic;
use crate::expression::Env;
use crate::format::{Contact, Geometry, Outline, ResolvedState, Seen, StateSpec};
use crate::num::Tol;
use crate::scene::vector::{cross, length};

/// That a rim lies flat at a state.
pub(super) fn flat_rim(loaded: &Loaded, spec: &StateSpec, resolved: &ResolvedState) -> Option<Diagnostic> {
    let mechanism = &loaded.mechanism;
    let ResolvedState { t, q, v, parameters, .. } = resolved;
    let env = Env { t: *t, q, v, parameters, definitions: &mechanism.definitions.values };
    let seen = Seen { mechanism, env };
    let lies = |contact: &&Contact| {
        let Geometry::Round { round, surface } = &contact.geometry else { return false };
        let (Outline::Rim { axis, .. }, Some(body)) = (&round.outline, round.body) else { return false };
        let across = seen.pose(&mechanism.bodies[body].pose).axes[*axis];
        let normal = seen.direction(&surface.normal);
        length(cross(across, normal)) <= Tol::default().closed * length(normal)
    };
    let contact = mechanism.contacts.iter().find(lies)?;
    let message = format!(
        "the rim of contact `{}` lies flat in state `{}`, where it touches everywhere and at no point",
        contact.name, spec.name
    );
    let found = Diagnostic::error("M401", message).with_span(spec.span);
    let found = found.with_path(format!("states.{}", spec.name));
    Some(
        found.with_hint(
            "tilt the disc a little; one that stays flat stands on three or more `point` contacts",
        ),
    )
}
