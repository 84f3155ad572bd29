//! What small motions near an equilibrium on several contacts do, and what it stands.

use super::units::{Field, field, unit_in, with_unit};
use crate::analysis::UnitsOutcome;
use crate::analysis::several::{
    ChatterSearchOutcome, LyapunovOutcome, OnsetOutcome, OrbitOutcome, RobustnessOutcome,
    StrongRobustnessOutcome,
};
use crate::contact::Mode;
use crate::equilibrium::LyapunovVerdict;
use crate::num::Number;
use crate::report::document::{Cell, Document, Table};
use crate::report::number::{beside, significant};

/// One line: the verdict and its reason.
pub(super) fn lyapunov_field(found: &LyapunovOutcome) -> Field {
    let word = match found.verdict {
        LyapunovVerdict::Stable => "holds",
        LyapunovVerdict::Unstable => "fails",
        LyapunovVerdict::Undecided => "not decided",
    };
    field("Lyapunov stable", word, found.reason.clone())
}

/// How fast small motions grow or decay, the motion that grows most, and what a search found.
pub(super) fn lyapunov_document(found: &LyapunovOutcome) -> Document {
    let mut document = Document::new();
    if let Some(bound) = found.growth_bound {
        document.paragraph(format!("{} {SAMPLED}", growth_words(found.growth, bound)));
    }
    if let Some(orbit) = &found.orbit {
        document.paragraph(orbit_words(orbit));
        document.table(phase_table(orbit));
    }
    if let Some(search) = &found.search {
        document.paragraph(search_words(search));
    }
    document
}

/// A bound with three decimals, upwards: its other digits are those of a search.
fn upwards(bound: Number) -> String {
    significant((bound.0 * 1000.0).ceil() / 1000.0)
}

/// What the bound of the growth rests on.
const SAMPLED: &str = "This bound rests on the return map at five angles of each of its cells, taken to bend no more between them than they show: careful numerics, no proof.";

fn growth_words(growth: Option<Number>, bound: Number) -> String {
    let begin = "Small motions come back to states with both gaps closed, one of them at rest; from one such impact to the next";
    match growth {
        _ if bound.0 <= 0.0 => {
            "Small motions in all cells of the return map come to rest after finitely many impacts with both gaps closed.".to_string()
        }
        None => format!("{begin} their speed is multiplied by at most {} in the long run, as far as the cells of the return map tell.", upwards(bound)),
        Some(growth) => format!(
            "{begin} their speed is multiplied by {} on average along the motion below, and by at most {} in the long run along any other, as far as the cells of the return map tell.",
            significant(growth.0),
            upwards(bound)
        ),
    }
}

fn orbit_words(orbit: &OrbitOutcome) -> String {
    let start = |(name, v): &(String, Number)| format!("dot({name}) = {}", significant(v.0));
    let start = orbit.start.0.iter().map(start).collect::<Vec<_>>().join(", ");
    format!(
        "The direction repeats itself after {} returns, {} times as fast; from the equilibrium with {start} the first period, of {} s, is",
        orbit.returns,
        significant(orbit.growth.0),
        significant(orbit.period.0)
    )
}

fn phase_table(orbit: &OrbitOutcome) -> Table {
    let names = orbit.phases.first().map(|phase| &phase.mode.0);
    let names = names.into_iter().flatten().map(|(name, _)| name.clone());
    let header = ["begins with".to_string()].into_iter().chain(names).chain(["duration".to_string()]);
    let word = |mode: &Mode| if *mode == Mode::Free { "open" } else { mode.name() };
    let rows = orbit.phases.iter().map(|phase| {
        let begins = phase.struck.as_ref().map_or("-".to_string(), |name| format!("impact at {name}"));
        let modes = phase.mode.0.iter().map(|(_, mode)| Cell::Text(word(mode).to_string()));
        [Cell::Text(begins)].into_iter().chain(modes).chain([Cell::Number(phase.duration.0)]).collect()
    });
    Table { header: header.collect(), rows: rows.collect() }
}

fn search_words(search: &ChatterSearchOutcome) -> String {
    let ChatterSearchOutcome { tried, grew, settled, seed, .. } = search;
    let begin = format!(
        "Of {tried} small random motions (seed {seed}), followed to leading order, {settled} lost all but a hundredth of their speed"
    );
    match grew {
        0 => format!("{begin} and none grew a hundredfold, which proves nothing."),
        _ => format!(
            "{begin} and {grew} grew a hundredfold: divergent reverse chatter where the impact laws allow it."
        ),
    }
}

/// What breaks the equilibrium.
pub(super) fn robustness_document(found: &RobustnessOutcome, units: Option<&UnitsOutcome>) -> Document {
    let mut document = Document::new();
    document.paragraph("No forces hold the equilibrium any more beyond");
    let mut fields = Vec::new();
    if let Some(factor) = found.friction_factor {
        let value = significant(factor.0);
        fields.push(field("friction times", value, "least factor on all coefficients of friction"));
    }
    for (name, mu) in found.least_friction.0.iter().filter(|(_, mu)| !mu.0.is_nan()) {
        fields.push(field(
            format!("friction of {name}"),
            significant(mu.0),
            "least coefficient, the others keeping theirs",
        ));
    }
    fields.push(field(
        "push",
        significant(beside(found.push.0, [1.0])),
        "least push of any direction, as a share of the load in the metric of kinetic energy",
    ));
    for (name, [forwards, backwards]) in &found.push_along.0 {
        let unit = force_unit(name, units);
        let value = format!("{} or {}", significant(forwards.0), significant(-backwards.0));
        fields.push(field(
            format!("force in {name}"),
            with_unit(value, unit.as_deref()),
            "largest generalised force that is held",
        ));
    }
    if let Some([clockwise, counter]) = found.tilt {
        let value = format!("{} or {}", significant(counter.0), significant(-clockwise.0));
        fields.push(field("turn of gravity", value, "rad, counter-clockwise or clockwise"));
    }
    document.fields(fields);
    if let Some(strong) = &found.strong {
        document.append(strong_document(strong, units));
    }
    document
}

/// Of the generalised force of a coordinate: what makes energy of its change.
fn force_unit(coordinate: &str, units: Option<&UnitsOutcome>) -> Option<String> {
    let (own, energy) = (unit_in(units, |units| &units.coordinates, coordinate)?, &units?.energy);
    Some(if own == "1" { energy.clone() } else { format!("{energy}/{own}") })
}

/// What makes another mode consistent.
fn strong_document(found: &StrongRobustnessOutcome, units: Option<&UnitsOutcome>) -> Document {
    let mut document = Document::new();
    document.paragraph("It is strongly stable up to the following; from there on another mode is consistent, too, or instead");
    let mut rows = Vec::new();
    let mut add = |what: &str, sign: f64, onset: &Option<OnsetOutcome>| {
        if let Some(OnsetOutcome { at, mode }) = onset {
            rows.push(vec![
                Cell::Text(what.to_string()),
                Cell::Number(sign * at.0),
                Cell::Text(mode.clone()),
            ]);
        }
    };
    found.friction_factor.iter().for_each(|onset| add("friction of all times", 1.0, onset));
    for (name, pair) in &found.friction.0 {
        pair.iter().for_each(|onset| add(&format!("friction of {name}"), 1.0, onset));
    }
    let push = found.push.as_ref().map(|OnsetOutcome { at, mode }| OnsetOutcome {
        at: Number(beside(at.0, [1.0])),
        mode: mode.clone(),
    });
    add("push, share of the load", 1.0, &push);
    for (name, [forwards, backwards]) in &found.push_along.0 {
        let unit = force_unit(name, units).map_or(String::new(), |unit| format!(", {unit}"));
        add(&format!("force in {name}{unit}"), 1.0, forwards);
        add(&format!("force in {name}{unit}"), -1.0, backwards);
    }
    if let Some([clockwise, counter]) = &found.tilt {
        add("turn of gravity, rad", 1.0, counter);
        add("turn of gravity, rad", -1.0, clockwise);
    }
    let header = ["what", "up to", "mode from there"].map(String::from).to_vec();
    document.table(Table { header, rows });
    document
}
