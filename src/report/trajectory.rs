//! A motion as a report: how it ended, what happened, where the energy went.

use super::document::{Cell, Document, Table};
use super::number::{beside, significant};
use crate::num::Number;
use crate::simulate::trajectory::{
    Effort, EnergyBalance, Event, EventDetail, Futures, ImpactDetail, JamDetail, NotUnique, Pair,
    Penetration, PhaseForces, PhaseSpan, Trajectory,
};

/// Events that a report lists at most, half from either end.
const LISTED: usize = 60;

/// A report of a motion; its samples are for files and pictures.
pub fn trajectory_document(trajectory: &Trajectory) -> Document {
    let mut document = Document::new();
    document.heading(1, format!("{}: motion from {}", trajectory.mechanism, trajectory.state));
    document.paragraph(ending(trajectory));
    for warning in &trajectory.warnings {
        document.warning(warning.clone());
    }
    document.heading(2, "Events");
    events(&trajectory.events, &mut document);
    document.heading(2, "Phases");
    phases(trajectory, &mut document);
    document.heading(2, "Energy");
    energy(&trajectory.energy, &mut document);
    if let Some(Penetration { contact, depth, t }) = &trajectory.penetration {
        let (depth, t) = (number(*depth), number(*t));
        document
            .paragraph(format!("Greatest penetration: {contact} is {depth} below its surface at t = {t}."));
    }
    if let Some(NotUnique { time, spread }) = &trajectory.hyperstatic {
        let (time, spread) = (number(*time), by_how_much(*spread));
        document.paragraph(format!(
            "For {time} s accelerations depended on forces that are not unique, which might have changed them {spread}: they were those that the stiffnesses of the contacts give in the limit of rigidity."
        ));
    }
    let drift = trajectory.drift;
    document.paragraph(format!(
        "Closed contacts and constraints were kept within {} in position and {} in velocity. {} steps, {} evaluations.",
        significant(drift.gap),
        significant(drift.rate),
        trajectory.work.steps,
        trajectory.work.evaluations
    ));
    overlooked(&trajectory.work, &mut document);
    document
}

/// In how many steps it was shown that no event was overlooked; nothing of schemes that do not look for events.
fn overlooked(work: &Effort, document: &mut Document) {
    let (shown, sampled) = (work.shown, work.sampled.total());
    if shown + sampled == 0 {
        return;
    }
    let pieces =
        if work.subdivided > 0 { format!(" ({} in pieces)", work.subdivided) } else { String::new() };
    let mut text = format!("That no event was overlooked is shown of {shown} steps{pieces}");
    let reasons = work.sampled.named().into_iter().filter(|(_, count)| *count > 0);
    let reasons: Vec<String> = reasons.map(|(why, count)| format!("{count} {why}")).collect();
    if sampled > 0 {
        text.push_str(&format!("; others were only looked at in places: {}", reasons.join(", ")));
    }
    document.paragraph(text + ".");
}

/// A report of every motion that may follow.
pub fn futures_document(futures: &Futures) -> Document {
    let mut document = Document::new();
    let name = futures.nodes.first().map_or("", |node| node.trajectory.mechanism.as_str());
    document.heading(1, format!("{name}: every motion that may follow"));
    document.paragraph(if futures.complete {
        "Every fork was followed."
    } else {
        "Not every fork was followed to an end that is known."
    });
    for warning in futures.nodes.iter().take(1).flat_map(|root| &root.trajectory.warnings) {
        document.warning(warning.clone());
    }
    let header = ["motion", "after", "takes", "from t", "to t", "ends"].map(String::from).to_vec();
    let rows = futures.nodes.iter().map(|node| {
        let span = |pick: fn(&Trajectory) -> Option<f64>| {
            pick(&node.trajectory).map_or(Cell::Text(String::new()), Cell::Number)
        };
        vec![
            Cell::Text(node.id.to_string()),
            Cell::Text(node.parent.map(|parent| parent.to_string()).unwrap_or_default()),
            Cell::Text(node.choice.clone().unwrap_or_default()),
            span(|t| t.rows.first()?.first().map(|x| x.0)),
            span(|t| t.rows.last()?.first().map(|x| x.0)),
            Cell::Text(format!("{}: {}", node.trajectory.status.name(), node.reason)),
        ]
    });
    document.table(Table { header, rows: rows.collect() });
    for node in &futures.nodes {
        document.heading(2, format!("Motion {}", node.id));
        events(&node.trajectory.events, &mut document);
    }
    document
}

fn ending(trajectory: &Trajectory) -> String {
    let last = trajectory.events.last().map(|event| event.t.0);
    let end =
        trajectory.phases.last().map(|phase| phase.t1.0).into_iter().chain(last).fold(f64::NAN, f64::max);
    let at = if end.is_nan() { String::new() } else { format!(" at t = {}", significant(end)) };
    let reason = trajectory.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("Scheme {}. It ended{at} with status {}{reason}.", trajectory.scheme, trajectory.status.name())
}

fn events(events: &[Event], document: &mut Document) {
    if events.is_empty() {
        document.paragraph("None.");
        return;
    }
    let row = |event: &Event| {
        vec![
            Cell::Number(event.t.0),
            Cell::Text(event.kind.name().to_string()),
            Cell::Text(event.contact.clone().unwrap_or_default()),
            Cell::Text(detail(&event.detail)),
        ]
    };
    let header = ["t", "event", "contact", "numbers"].map(String::from).to_vec();
    list(("events", events), header, row, document);
}

/// A table of a row for each of some things. Of many the first and the last are shown, and between them a row that says how many are not.
fn list<T>(
    (name, all): (&str, &[T]),
    header: Vec<String>,
    row: impl Fn(&T) -> Vec<Cell>,
    document: &mut Document,
) {
    let more = all.len().saturating_sub(LISTED);
    let (first, rest) = all.split_at(if more > 0 { LISTED / 2 } else { all.len() });
    let mut rows: Vec<Vec<Cell>> = first.iter().map(&row).collect();
    if more > 0 {
        let words = ["...".to_string(), format!("{more} more")].into_iter();
        rows.push(words.chain(std::iter::repeat(String::new())).take(header.len()).map(Cell::Text).collect());
    }
    rows.extend(rest.iter().skip(more).map(&row));
    document.table(Table { header, rows });
    if more > 0 {
        document
            .note(format!("{more} of {} {name} are left out here: --format json has them all", all.len()));
    }
}

/// How far accelerations depend on forces that are not unique.
fn by_how_much(spread: Number) -> String {
    if spread.0.is_finite() {
        format!("by up to {} of the largest", number(spread))
    } else {
        "without a bound that is known".to_string()
    }
}

fn detail(detail: &EventDetail) -> String {
    match detail {
        EventDetail::Impact(impact) => impact_words(impact),
        EventDetail::Jam(jam) => jam_words(jam),
        EventDetail::Chatter { ratio, impacts } => {
            format!("infinitely many impacts, ratio {}; {impacts} were followed", number(*ratio))
        }
        EventDetail::NotUnique { rule, spread } => format!(
            "accelerations depend on forces that are not unique, {}; from here by {rule}",
            by_how_much(*spread)
        ),
        EventDetail::Futures { reason, .. } => reason.clone(),
        EventDetail::Rest { reverse_chatter: true } => "a reverse chatter may start at any time".to_string(),
        EventDetail::Rest { reverse_chatter: false } | EventDetail::None {} => String::new(),
    }
}

fn impact_words(impact: &ImpactDetail) -> String {
    let rates = [impact.pre.v.0, impact.post.v.0].into_iter();
    let all: Vec<f64> = rates.chain(components(impact.pre.u)).chain(components(impact.post.u)).collect();
    let speed = |x: Number| significant(beside(x.0, all.iter().copied()));
    let slip = |slip: Pair| match slip {
        Pair::One(x) => speed(x),
        Pair::Two([x, y]) => format!("({}, {})", speed(x), speed(y)),
    };
    format!(
        "{}: v {} to {}, u {} to {}, impulse N {}",
        impact.law,
        speed(impact.pre.v),
        speed(impact.post.v),
        slip(impact.pre.u),
        slip(impact.post.u),
        number(impact.impulse.normal)
    )
}

fn components(pair: Pair) -> Vec<f64> {
    match pair {
        Pair::One(x) => vec![x.0],
        Pair::Two(both) => both.map(|x| x.0).to_vec(),
    }
}

fn jam_words(jam: &JamDetail) -> String {
    format!(
        "{}: force ~ (t* - t)^{}, by the theory {}",
        jam.class,
        number(jam.force_exponent),
        number(jam.force_exponent_theory)
    )
}

fn number(x: Number) -> String {
    significant(x.0)
}

fn phases(trajectory: &Trajectory, document: &mut Document) {
    let names = trajectory.phases.first().map(|phase| phase.mode.0.iter().map(|(name, _)| name.clone()));
    let Some(names) = names else {
        document.paragraph("None.");
        return;
    };
    let open = trajectory.phases.iter().any(|phase| phase.forces.is_some());
    let last = open.then(|| "forces".to_string());
    let header = ["from t".to_string(), "to t".to_string()].into_iter().chain(names).chain(last).collect();
    let row = |phase: &PhaseSpan| {
        let words = phase.mode.0.iter().map(|(_, word)| Cell::Text(word.to_string()));
        let forces = open.then(|| Cell::Text(phase.forces.map_or("unique", PhaseForces::name).to_string()));
        [Cell::Number(phase.t0.0), Cell::Number(phase.t1.0)].into_iter().chain(words).chain(forces).collect()
    };
    list(("phases", &trajectory.phases), header, row, document);
}

fn energy(energy: &EnergyBalance, document: &mut Document) {
    let all = [energy.initial, energy.last, energy.work, energy.friction, energy.impacts].map(|x| x.0);
    let field = |label: &str, x: Number, remark: &str| {
        (label.to_string(), significant(beside(x.0, all)), remark.to_string())
    };
    document.fields(vec![
        field("at the start", energy.initial, "kinetic and potential"),
        field("at the end", energy.last, ""),
        field("work", energy.work, "of applied forces and prescribed motion"),
        field("friction", energy.friction, ""),
        field("impacts", energy.impacts, ""),
        field("not accounted for", energy.defect, "rounding and discretisation"),
    ]);
}
