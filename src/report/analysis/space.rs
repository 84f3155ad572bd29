//! What can happen next at contacts in space, as a section of a report.

use super::impact::without_collision;
use super::judged::{self, Judged, add_forces, add_why, reason_table};
use super::prospect::prospect_document;
use super::space_several::{rest_document, several_document};
use super::units::with_unit;
use super::why::space_sentences;
use crate::analysis::space::{
    Crossing, DirectionOutcome, LeastGainOutcome, OnsetOutcome, SpaceImpactOutcome, SpaceMode, SpaceProspect,
    SpaceVelocity,
};
use crate::analysis::{Number, Outlook, Quantity, StateOutcome, UnitsOutcome};
use crate::contact::space::SpatialPhase;
use crate::predict::Stability;
use crate::report::document::{Block, Cell, Depth, Document, Table};
use crate::report::number::{angle, beside, significant};

type Field = (String, String, String);

/// The sections of a state that say what can happen next.
pub(super) fn outlook_document(state: &StateOutcome, units: Option<&UnitsOutcome>) -> Document {
    match &state.prospect {
        Outlook::Plane(plane) => prospect_document(state, plane, units),
        Outlook::Space(space) => space_document(state, space),
    }
}

/// The slip directions with p < 0, and the least p, as fields of a contact.
pub(super) fn direction_fields(
    forbidden: &[[Number; 2]],
    least: &LeastGainOutcome,
    mobility: Option<&str>,
) -> Vec<Field> {
    let place = match least.phi.0 {
        phi if phi.is_nan() => "in every direction of slip".to_string(),
        phi => format!("over the directions of slip, at phi = {}", angle(phi)),
    };
    let mut fields = vec![("p_min".to_string(), with_unit(significant(least.value.shown), mobility), place)];
    let arcs: Vec<String> =
        forbidden.iter().map(|[from, to]| format!("({}, {})", angle(from.0), angle(to.0))).collect();
    let remark = "slip directions with p < 0, from the first tangent".to_string();
    let shown = if arcs.is_empty() { "none".to_string() } else { arcs.join(", ") };
    fields.push(("forbidden".to_string(), shown, remark));
    fields
}

fn space_document(state: &StateOutcome, prospect: &SpaceProspect) -> Document {
    let mut document = Document::new();
    if prospect.verdict.is_none() && prospect.modes.is_empty() {
        return document;
    }
    document.section("modes", Depth::Usual, "What can happen next", modes_document(state, prospect));
    if let Some(rest) = prospect.several.as_ref().and_then(|several| several.rest.as_ref()) {
        document.section("rest", Depth::Usual, "Rest on several contacts", rest_document(rest));
    }
    for (name, impact) in prospect.impact.0.iter().chain(&prospect.impact_by_poisson.0) {
        for (title, content) in impact_documents(name, impact) {
            document.section("impact", Depth::Usual, title, content);
        }
    }
    let near = |crossing: &Crossing| crossing.distance.0 <= crate::num::Tol::default().near_jam;
    for (name, crossing) in prospect.crossing.0.iter().filter(|(_, crossing)| near(crossing)) {
        let title = format!("Slip direction and p at {name}");
        document.section("jam", Depth::Usual, title, crossing_document(crossing));
    }
    document
}

/// The verdict, and the modes one by one.
fn modes_document(state: &StateOutcome, prospect: &SpaceProspect) -> Document {
    let mut document = Document::new();
    document.blocks.push(sentence(prospect));
    let sentences = space_sentences(state, prospect);
    add_why(&mut document, &sentences);
    if !prospect.modes.is_empty() {
        document.table(reason_table(prospect.modes.iter().map(judged)));
    }
    document.append(several_document(prospect));
    for (name, onset) in &prospect.onset.0 {
        document.paragraph(onset_words(name, onset));
    }
    if !prospect.modes.is_empty() {
        add_forces(&mut document, mode_table(&prospect.modes));
    }
    document
}

fn judged(mode: &SpaceMode) -> Judged<'_> {
    Judged {
        word: word(mode),
        consistent: consistent(mode),
        stability: mode.normal_stability,
        reason: &mode.reason,
    }
}

fn sentence(prospect: &SpaceProspect) -> Block {
    let newton = prospect.impact.0.iter().any(|(_, impact)| impact.law == "newton");
    judged::sentence(prospect.verdict, &prospect.resolved, newton, "")
}

pub(super) fn word(mode: &SpaceMode) -> String {
    let one = |(name, word): &(String, crate::predict::ModeName)| match mode.direction.get(name) {
        Some(phi) => format!("{} at {}", word.name(), angle(phi.0)),
        None => word.name().to_string(),
    };
    if mode.mode.is_empty() {
        "free motion".to_string()
    } else {
        mode.mode.0.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

fn mode_table(modes: &[SpaceMode]) -> Table {
    let header = [
        "mode",
        "consistent",
        "lambda_N",
        "lambda_T",
        "slip acc.",
        "gap acc.",
        "normal stability",
        "tangential",
    ];
    Table { header: header.map(String::from).to_vec(), rows: modes.iter().map(mode_row).collect() }
}

fn consistent(mode: &SpaceMode) -> &'static str {
    judged::consistent(mode.consistent, mode.marginal)
}

fn mode_row(mode: &SpaceMode) -> Vec<Cell> {
    let forces = || mode.forces.0.iter().map(|(_, force)| force);
    let accelerations = || mode.accelerations.0.iter().map(|(_, acceleration)| acceleration);
    let each =
        |texts: Vec<String>| Cell::Text(if texts.is_empty() { "-".to_string() } else { texts.join("; ") });
    let one = |x: &Quantity| significant(x.shown);
    let stability = |s: Option<Stability>| Cell::Text(s.map_or("-", Stability::name).to_string());
    vec![
        Cell::Text(word(mode)),
        Cell::Text(consistent(mode).to_string()),
        each(forces().map(|f| one(&f.normal)).collect()),
        each(forces().map(|f| pair(&f.tangential)).collect()),
        each(accelerations().map(|a| pair(&a.u)).collect()),
        each(accelerations().map(|a| one(&a.v)).collect()),
        stability(mode.normal_stability),
        stability(mode.tangential_stability),
    ]
}

fn pair(x: &[Quantity]) -> String {
    format!("({})", x.iter().map(|x| significant(x.shown)).collect::<Vec<_>>().join(", "))
}

fn onset_words(name: &str, onset: &OnsetOutcome) -> String {
    let proof = if onset.complete {
        format!("proven on {} arcs of the circle with outward rounding", onset.arcs)
    } else {
        "not proven to be all: two of them meet within rounding".to_string()
    };
    let count = match onset.directions {
        0 => "no direction".to_string(),
        1 => "1 direction".to_string(),
        n => format!("{n} directions"),
    };
    format!("Slip from rest at {name}: {count} with the slip acceleration parallel to the slip, {proof}.")
}

/// What an impact without collision does to slip and gap.
fn without_words(post: &SpaceVelocity) -> String {
    let slip = match post.u.iter().all(|u| significant(u.shown) == "0") {
        true => "the slip ends at once".to_string(),
        false => format!("the slip jumps to {}", pair(&post.u)),
    };
    without_collision(&slip, post.v.shown)
}

fn velocity(v: &SpaceVelocity) -> String {
    format!("slip {}, gap rate {}", pair(&v.u), significant(v.v.shown))
}

/// An impact, an impact without collision, and what slip does meanwhile, each under its title.
fn impact_documents(name: &str, impact: &SpaceImpactOutcome) -> Vec<(String, Document)> {
    let mut documents = Vec::new();
    let law = format!("{} restitution, e = {}", impact.law, significant(impact.restitution.0));
    let field = |label: &str, value: String, remark: &str| (label.to_string(), value, remark.to_string());
    if let (Some(pre), Some(post)) = (&impact.pre, &impact.post) {
        let mut collision = Document::new();
        collision.fields(collision_fields(impact, pre, post));
        documents.push((format!("Impact at {name}: {law}"), collision));
    }
    if let Some(post) = &impact.iwc_post {
        let mut without = Document::new();
        without.paragraph(without_words(post));
        without.fields(vec![field("after", velocity(post), "")]);
        documents.push((format!("Impact without collision at {name}: {law}"), without));
    }
    let mut on = Document::new();
    let followed = !impact.phases.is_empty() || impact.iwc_post.is_some();
    if followed {
        let directions: Vec<String> = impact.invariant_directions.iter().map(direction_words).collect();
        let shown = if directions.is_empty() { "none".to_string() } else { directions.join("; ") };
        on.paragraph(format!("Directions that slip keeps during an impact: {shown}."));
    }
    if impact.reverse_chatter {
        on.paragraph(format!(
            "Reverse chatter: bounces grow by {} per impact.",
            significant(impact.effective_restitution.0)
        ));
    }
    match documents.last_mut() {
        Some((_, last)) => last.append(on),
        None if !on.blocks.is_empty() => documents.push((format!("Repeated impacts at {name}"), on)),
        None => {}
    }
    documents
}

fn collision_fields(impact: &SpaceImpactOutcome, pre: &SpaceVelocity, post: &SpaceVelocity) -> Vec<Field> {
    let field = |label: &str, value: String, remark: &str| (label.to_string(), value, remark.to_string());
    let impulse = impact
        .impulse
        .map(|p| {
            let along = p.tangential.map(|x| Quantity { shown: beside(x.shown, [p.normal.value]), ..x });
            format!("N {}, T {}", significant(p.normal.shown), pair(&along))
        })
        .unwrap_or_default();
    let phases = impact.phases.iter().map(|phase| match phase {
        SpatialPhase::Slip => "slip",
        SpatialPhase::Stick => "stick",
    });
    let again = match impact.compressions {
        Some(n) if n > 1 => format!("pressed together {n} times: p < 0 on the way out"),
        _ => String::new(),
    };
    let mut fields = vec![
        field("before", velocity(pre), ""),
        field("after", velocity(post), ""),
        field("impulse", impulse, ""),
    ];
    // contacts that are struck together are not followed through the impact
    if !impact.phases.is_empty() {
        fields.push(field("phases", phases.collect::<Vec<_>>().join(", then "), &again));
    }
    fields.extend([
        field("energy loss", significant(impact.energy_loss.0), ""),
        field("effective restitution", significant(impact.effective_restitution.0), "of the whole impact"),
    ]);
    fields
}

fn direction_words(direction: &DirectionOutcome) -> String {
    format!(
        "phi = {} ({} rest, {})",
        angle(direction.phi.0),
        if direction.away { "away from" } else { "towards" },
        if direction.attracts { "attracts" } else { "repels" }
    )
}

fn crossing_document(crossing: &Crossing) -> Document {
    let mut document = Document::new();
    let field = |label: &str, value: String, remark: &str| (label.to_string(), value, remark.to_string());
    let shown = if crossing.distance.0 <= crate::num::Tol::default().noise { 0.0 } else { crossing.p.0 };
    let mut fields = vec![
        field("p", significant(shown), "in the direction of slip"),
        field("limit of p p'", significant(crossing.rate.0), "as p tends to 0 in this direction"),
    ];
    if crossing.crosses {
        fields.push(field("time to p = 0", significant(crossing.time.0), "s, to leading order in p"));
    }
    document.fields(fields);
    document.paragraph(if crossing.crosses {
        "The slip turns into the forbidden directions: p falls through 0 transversally, with lambda_N ~ (t* - t)^(-1/2), and an \
         impact without collision follows."
    } else {
        "The slip turns away from the forbidden directions where p is small."
    });
    document
}
