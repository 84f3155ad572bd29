//! Impacts at a contact, impacts without collision, and how impacts go on, as sections of a report.

use super::modes::along;
use super::units::{Field, field};
use crate::analysis::{DirectionOutcome, ImpactOutcome, ImpulseOutcome, Quantity, VelocityOutcome};
use crate::equilibrium::{Sequence, Trigger};
use crate::predict::ModeName;
use crate::report::document::Document;
use crate::report::number::{angle, beside, significant};

/// An impact, an impact without collision, and how impacts go on, each under its title.
/// `slip` is that of the contact before.
pub(super) fn impact_documents(
    name: &str,
    impact: &ImpactOutcome,
    slip: &[Quantity],
) -> Vec<(String, Document)> {
    let mut documents = Vec::new();
    let law = format!("{} restitution, e = {}", impact.law, significant(impact.restitution.0));
    if let (Some(pre), Some(post)) = (&impact.pre, &impact.post) {
        let mut collision = Document::new();
        if !impact.phases.is_empty() {
            collision.paragraph(phase_words(impact));
        }
        collision.fields(collision_fields(impact, pre, post));
        documents.push((format!("Impact at {name}: {law}"), collision));
    }
    if let Some(post) = &impact.iwc_post {
        let mut without = Document::new();
        without.paragraph(without_words(slip, post));
        without.fields(vec![field("after", velocity(post), "")]);
        documents.push((format!("Impact without collision at {name}: {law}"), without));
    }
    let is_followed = !impact.phases.is_empty() || impact.iwc_post.is_some();
    if let (Some(directions), Some((_, last)), true) =
        (&impact.invariant_directions, documents.last_mut(), is_followed)
    {
        let directions: Vec<String> = directions.iter().map(direction_words).collect();
        let shown = if directions.is_empty() { "none".to_string() } else { directions.join("; ") };
        last.paragraph(format!("Directions that slip keeps during an impact: {shown}."));
    }
    let mut on = Document::new();
    if let Some(sequence) = impact.chatter.as_ref().and_then(Option::as_ref) {
        on.paragraph(sequence_words(sequence));
    }
    if impact.reverse_chatter {
        on.paragraph(reverse_words(impact));
    }
    if !on.blocks.is_empty() {
        documents.push((format!("Repeated impacts at {name}"), on));
    }
    documents
}

/// What an impact without collision does to slip and gap.
fn without_words(before: &[Quantity], post: &VelocityOutcome) -> String {
    let after = post.u.as_slice();
    let before = if before.is_empty() { String::new() } else { format!(" of {}", along(before)) };
    let slip = match after.iter().all(|u| significant(u.shown) == "0") {
        true => format!("the slip{before} ends at once"),
        false => format!("the slip{before} jumps to {}", along(after)),
    };
    let gap = match significant(post.v.shown).as_str() {
        "0" => "the contact stays closed".to_string(),
        rate => format!("the contact opens at a rate of {rate}"),
    };
    format!("Without an approach the contact force grows beyond bounds: {slip}, and {gap}.")
}

pub(super) fn velocity(v: &VelocityOutcome) -> String {
    format!("slip {}, gap rate {}", along(v.u.as_slice()), significant(v.v.shown))
}

fn direction_words(direction: &DirectionOutcome) -> String {
    format!(
        "phi = {} ({} rest, {})",
        angle(direction.phi.0),
        if direction.away { "away from" } else { "towards" },
        if direction.attracts { "attracts" } else { "repels" }
    )
}

/// What a contact does during an impact, in words.
fn phase_words(impact: &ImpactOutcome) -> String {
    let word = |phase: &ModeName| match *phase {
        ModeName::SLIP_POS => "slips forwards",
        ModeName::SLIP_NEG => "slips backwards",
        ModeName::SLIP => "slips",
        _ => "sticks",
    };
    let words = impact.phases.iter().map(word).collect::<Vec<_>>().join(", then ");
    let back = match impact.effective_restitution.0 {
        e if e.is_nan() => String::new(),
        e => format!(" and leaves with {} of the speed of its approach", significant(e)),
    };
    format!("Meanwhile the contact {words}{back}.")
}

/// −½ Λ·(v⁻ + v⁺), 0 where its terms cancel but for rounding.
pub(super) fn energy_loss(impact: &ImpactOutcome) -> f64 {
    let (Some(pre), Some(post), Some(impulse)) = (&impact.pre, &impact.post, &impact.impulse) else {
        return impact.energy_loss.0;
    };
    let speeds = || [pre, post].into_iter().flat_map(|v| v.u.as_slice().iter().chain([&v.v]));
    // of velocities that are nothing but rounding nothing else comes
    if speeds().all(|velocity| velocity.shown == 0.0) {
        return 0.0;
    }
    let impulses = impulse.tangential.as_slice().iter().chain([&impulse.normal]).cycle();
    let works = speeds().zip(impulses).map(|(velocity, impulse)| impulse.value * velocity.value);
    beside(impact.energy_loss.0, works)
}

fn collision_fields(impact: &ImpactOutcome, pre: &VelocityOutcome, post: &VelocityOutcome) -> Vec<Field> {
    let phases: Vec<&str> = impact.phases.iter().map(|phase| phase.name()).collect();
    let again = match impact.compressions {
        Some(n) if n > 1 => format!("pressed together {n} times: p < 0 on the way out"),
        _ => String::new(),
    };
    let mut fields = vec![
        field("before", velocity(pre), ""),
        field("after", velocity(post), ""),
        field("impulse", impact.impulse.as_ref().map(impulse_words).unwrap_or_default(), ""),
    ];
    // contacts that are struck together are not followed through the impact
    if !phases.is_empty() || impact.region.is_some() {
        fields.push(field("phases", phases.join(", then "), again));
    }
    fields.push(field("energy loss", significant(energy_loss(impact)), ""));
    if let Some(region) = impact.region {
        let region = region.map_or("-".to_string(), |region| region.to_string());
        fields.push(field("region", region, "of Fig. 10 (reconstructed)"));
    }
    let restitution = significant(impact.effective_restitution.0);
    fields.push(field("effective restitution", restitution, "of the whole impact"));
    fields
}

fn impulse_words(impulse: &ImpulseOutcome) -> String {
    let normal = impulse.normal;
    let shown = |x: &Quantity| Quantity { shown: beside(x.shown, [normal.value]), ..*x };
    let tangential: Vec<Quantity> = impulse.tangential.as_slice().iter().map(shown).collect();
    format!("N {}, T {}", significant(normal.shown), along(&tangential))
}

fn sequence_words(sequence: &Sequence) -> String {
    match sequence {
        Sequence::Zeno { time, slip, ratio } => format!(
            "Chatter: the impacts accumulate after {} s (ratio {}); contact is then established with slip {}.",
            significant(*time),
            significant(*ratio),
            significant(*slip)
        ),
        Sequence::Immediate { slip } => {
            format!("The first impact establishes contact, with slip {}.", significant(*slip))
        }
        Sequence::Persistent { ratio } => {
            format!("The impacts do not die out: ratio {} of successive gap rates.", significant(*ratio))
        }
        Sequence::Unsettled { impacts } => format!("The impacts have not settled after {impacts}."),
    }
}

fn reverse_words(impact: &ImpactOutcome) -> String {
    let trigger = impact.reverse_chatter_trigger.map_or("", |trigger| match trigger {
        Some(Trigger::Possible) => {
            "; it can be triggered when slip turns into stick (necessary conditions hold)"
        }
        Some(Trigger::Marginal) => "; whether it can be triggered at stick is marginal",
        Some(Trigger::NoStick | Trigger::Excluded) | None => "; no slip ends in stick here to trigger it",
    });
    format!(
        "Reverse chatter: bounces grow by {} per impact{trigger}.",
        significant(impact.effective_restitution.0)
    )
}
