//! Impacts at a contact in the plane, impacts without collision, and how impacts go on, as sections of a report.

use crate::analysis::planar::{ImpactOutcome, PhaseKind, Sequence, Trigger, VelocityOutcome};
use crate::analysis::{Number, StateOutcome};
use crate::report::document::Document;
use crate::report::number::{beside, significant};

/// An impact, an impact without collision, and how impacts go on, each under its title.
/// `slip` is that of the contact before.
pub(super) fn impact_documents(
    name: &str,
    impact: &ImpactOutcome,
    slip: Option<f64>,
) -> Vec<(String, Document)> {
    let mut documents = Vec::new();
    let law = format!("{} restitution, e = {}", impact.law, significant(impact.restitution.0));
    if let (Some(pre), Some(post)) = (&impact.pre, &impact.post) {
        let mut collision = Document::new();
        if let (Some(words), e) = (phase_words(&impact.phases), impact.effective_restitution.0) {
            let back = if e.is_nan() {
                String::new()
            } else {
                format!(" and leaves with {} of the speed of its approach", significant(e))
            };
            collision.paragraph(format!("Meanwhile the contact {words}{back}."));
        }
        collision.fields(collision_fields(impact, pre, post));
        documents.push((format!("Impact at {name}: {law}"), collision));
    }
    if let Some(post) = &impact.iwc_post {
        let mut without = Document::new();
        without.paragraph(without_words(slip, post));
        without.fields(vec![("after".to_string(), velocity(post), String::new())]);
        documents.push((format!("Impact without collision at {name}: {law}"), without));
    }
    let mut on = Document::new();
    if let Some(sequence) = &impact.chatter {
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

/// The slip of a contact in the plane.
pub(super) fn slip_at(state: &StateOutcome, contact: &str) -> Option<f64> {
    match state.contacts.get(contact)?.slip[..] {
        [slip] => Some(slip.shown),
        _ => None,
    }
}

/// What an impact without collision does to slip and gap.
fn without_words(slip: Option<f64>, post: &VelocityOutcome) -> String {
    let u = significant(post.u.shown);
    let slipped = slip.map_or(String::new(), |slip| format!(" of {}", significant(slip)));
    let slip = match u.as_str() {
        "0" => format!("the slip{slipped} ends at once"),
        u => format!("the slip{slipped} jumps to {u}"),
    };
    without_collision(&slip, post.v.shown)
}

/// The same, of what happens to the slip and of the rate at which the gap opens then.
pub(super) fn without_collision(slip: &str, rate: f64) -> String {
    let gap = match significant(rate).as_str() {
        "0" => "the contact stays closed".to_string(),
        rate => format!("the contact opens at a rate of {rate}"),
    };
    format!("Without an approach the contact force grows beyond bounds: {slip}, and {gap}.")
}

fn velocity(v: &VelocityOutcome) -> String {
    format!("slip {}, gap rate {}", significant(v.u.shown), significant(v.v.shown))
}

/// What a contact does during an impact, in words.
fn phase_words(phases: &[PhaseKind]) -> Option<String> {
    let word = |phase: &PhaseKind| match phase {
        PhaseKind::SlipPos => "slips forwards",
        PhaseKind::SlipNeg => "slips backwards",
        PhaseKind::Stick => "sticks",
    };
    (!phases.is_empty()).then(|| phases.iter().map(word).collect::<Vec<_>>().join(", then "))
}

/// −½ Λ·(v⁻ + v⁺), 0 where its terms cancel but for rounding.
pub(super) fn energy_loss(impact: &ImpactOutcome) -> f64 {
    let (Some(pre), Some(post), Some(impulse)) = (&impact.pre, &impact.post, &impact.impulse) else {
        return impact.energy_loss.0;
    };
    // of velocities that are nothing but rounding nothing else comes
    if [pre.u, pre.v, post.u, post.v].iter().all(|velocity| velocity.shown == 0.0) {
        return 0.0;
    }
    let normal = [pre.v, post.v].map(|v| impulse.normal.value * v.value);
    let tangential = [pre.u, post.u].map(|u| impulse.tangential.value * u.value);
    beside(impact.energy_loss.0, normal.into_iter().chain(tangential))
}

fn collision_fields(
    impact: &ImpactOutcome,
    pre: &VelocityOutcome,
    post: &VelocityOutcome,
) -> Vec<(String, String, String)> {
    let field = |label: &str, value: String, remark: &str| (label.to_string(), value, remark.to_string());
    let number = |x: Number| significant(x.0);
    let impulse = impact
        .impulse
        .map(|p| format!("N {}, T {}", significant(p.normal.shown), significant(p.tangential.shown)));
    let phases: Vec<&str> = impact.phases.iter().map(|phase| phase.name()).collect();
    vec![
        field("before", velocity(pre), ""),
        field("after", velocity(post), ""),
        field("impulse", impulse.unwrap_or_default(), ""),
        field("phases", phases.join(", then "), ""),
        field("energy loss", significant(energy_loss(impact)), ""),
        field(
            "region",
            impact.region.map_or("-".to_string(), |r| r.to_string()),
            "of Fig. 10 (reconstructed)",
        ),
        field("effective restitution", number(impact.effective_restitution), "of the whole impact"),
    ]
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
    let trigger = match impact.reverse_chatter_trigger {
        Some(Trigger::Possible) => {
            "it can be triggered when slip turns into stick (necessary conditions hold)"
        }
        Some(Trigger::Marginal) => "whether it can be triggered at stick is marginal",
        Some(Trigger::NoStick | Trigger::Excluded) | None => "no slip ends in stick here to trigger it",
    };
    format!(
        "Reverse chatter: bounces grow by {} per impact; {trigger}.",
        significant(impact.effective_restitution.0)
    )
}
