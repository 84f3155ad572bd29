//! Impacts of one contact in space: with collision, without, and in the limit of a chatter.

use super::modes::Contact;
use crate::analysis::contact_status::ContactStatus;
use crate::analysis::impact::{DirectionOutcome, ImpactOutcome, ImpulseOutcome, VelocityOutcome};
use crate::contact::space::{Approach, SpatialImpact, SpatialPhase, no_impact};
use crate::contact::{Hold, Laws, Sign};
use crate::num::{Tol, dense};
use crate::predict::ModeName;

/// What impact does at a contact with this relative velocity; `jams` if the slip is about to turn into p < 0.
pub(super) fn impact_outcome(
    contact: &Contact,
    laws: &Laws,
    (slip, rate): ([f64; 2], f64),
    jams: bool,
    tol: &Tol,
) -> ImpactOutcome {
    let unilateral = laws.hold == Hold::Unilateral;
    let from = |slip: [f64; 2], approach: Approach| {
        contact.numbers.impact(laws.friction, laws.restitution, slip, approach, tol)
    };
    let collision = (unilateral && contact.stands == ContactStatus::Approaching)
        .then(|| from(slip, Approach::Rate(rate)))
        .flatten();
    let iwc = match contact.stands.direction().filter(|_| unilateral) {
        Some(_) if jams => from(slip, Approach::Jam),
        Some(along) if gain_sign(contact, along, tol) == Sign::Negative => from(slip, Approach::Rate(0.0)),
        _ => None,
    };
    let chatter = if unilateral { chatter_ratio(contact, laws, tol) } else { None };
    let pre = VelocityOutcome { u: slip.into(), v: rate.into() };
    let whole = collision.as_ref().map(|hit| -hit.rebound / hit.approach);
    ImpactOutcome {
        pre: collision.as_ref().map(|_| pre),
        post: collision.as_ref().map(post),
        impulse: collision.as_ref().map(impulse),
        energy_loss: collision.as_ref().map(|hit| hit.energy_loss).into(),
        phases: collision.iter().flat_map(|hit| &hit.phases).map(phase).collect(),
        compressions: collision.as_ref().map(|hit| hit.compressions),
        invariant_directions: Some(invariant(contact, tol)),
        iwc_possible: iwc.is_some(),
        iwc_post: iwc.as_ref().map(post),
        iwc_impulse: iwc.as_ref().map(impulse),
        effective_restitution: whole.or(chatter).into(),
        reverse_chatter: chatter.is_some_and(|ratio| ratio > 1.0 + tol.marginal),
        ..ImpactOutcome::unknown(laws.restitution.name(), laws.restitution.coefficient(), 2)
    }
}

/// Why the impact of a contact that approaches is not known; none if it is.
pub(crate) fn unknown_impact(laws: &Laws, impact: &ImpactOutcome) -> Option<&'static str> {
    match laws.hold {
        Hold::Bilateral => Some("a bilateral contact approaches"),
        Hold::Unilateral => impact.post.is_none().then(|| no_impact(laws.friction)),
    }
}

fn phase(phase: &SpatialPhase) -> ModeName {
    match phase {
        SpatialPhase::Slip => ModeName::SLIP,
        SpatialPhase::Stick => ModeName::STICK,
    }
}

fn gain_sign(contact: &Contact, along: [f64; 2], tol: &Tol) -> Sign {
    contact.numbers.normal_gain(contact.friction, along).sign(tol.marginal)
}

fn post(hit: &SpatialImpact) -> VelocityOutcome {
    VelocityOutcome { u: hit.slip.into(), v: hit.rebound.into() }
}

fn impulse(hit: &SpatialImpact) -> ImpulseOutcome {
    ImpulseOutcome { normal: hit.normal.into(), tangential: hit.tangential.into() }
}

/// The directions that slip keeps during an impact.
fn invariant(contact: &Contact, tol: &Tol) -> Vec<DirectionOutcome> {
    let found = contact.numbers.invariant_directions(contact.friction, tol);
    let direction = |d: &crate::contact::space::Direction| DirectionOutcome {
        phi: d.phi.into(),
        p: d.gain.value.into(),
        // per unit λ_N, whatever the sign of the λ_N = 1/p that b = −1 stands for
        away: d.along.value * d.gain.value > 0.0,
        attracts: d.turning * d.gain.value < 0.0,
    };
    found.list.iter().map(direction).collect()
}

/// The ratio of successive gap rates of a chatter whose impacts end in stick: flights take 2 v⁺/|b|, so that the slip before the next impact
/// is 2 a/|b| per gap rate, as in the plane   [CV16 (28), (29)].
fn chatter_ratio(contact: &Contact, laws: &Laws, tol: &Tol) -> Option<f64> {
    let numbers = &contact.numbers;
    if numbers.b >= -tol.marginal * numbers.b_scale {
        return None;
    }
    let slip = numbers.a.map(|a| 2.0 * a / -numbers.b);
    let hit = numbers.impact(laws.friction, laws.restitution, slip, Approach::Rate(-1.0), tol)?;
    (dense::norm(&hit.slip) <= tol.rest * (1.0 + dense::norm(&slip))).then_some(hit.rebound)
}
