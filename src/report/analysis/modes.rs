//! The verdict about a state and its modes one by one, in the plane and in space.

use super::overview::{alternatives, is_impact, nothing, tone};
use super::several::several_document;
use super::space::onset_words;
use super::why::sentences;
use crate::analysis::{ForceOutcome, ModeOutcome, Prospect, Quantity, StateOutcome};
use crate::predict::{ModeName, Stability, Verdict};
use crate::report::document::{Block, Cell, Depth, Document, Table, Tone};
use crate::report::number::{angle, beside, significant};

/// The verdict, why, and the modes one by one.
pub(super) fn modes_document(state: &StateOutcome) -> Document {
    let (prospect, mut document) = (&state.prospect, Document::new());
    document.blocks.push(sentence(prospect));
    let sentences = sentences(state);
    let mut why = Document::new();
    if !sentences.is_empty() {
        why.paragraph(sentences.join(" "));
    }
    document.section("why", Depth::Usual, "", why);
    // of several contacts in the plane the forces are told with the modes
    let listed = !prospect.modes.is_empty() && (prospect.several.is_none() || prospect.plane().is_none());
    if listed {
        document.table(reason_table(&prospect.modes));
    }
    if let Some(several) = &prospect.several {
        document.append(several_document(prospect, several));
    }
    for (name, onset) in prospect.space().iter().flat_map(|space| &space.onset.0) {
        document.paragraph(onset_words(name, onset));
    }
    if listed {
        let mut forces = Document::new();
        forces.table(force_table(&prospect.modes));
        document.section("modes", Depth::Full, "Forces and accelerations of the modes", forces);
    }
    document
}

/// What a verdict means.
fn meaning(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Consistent) => "exactly one motion is possible",
        Some(Verdict::Inconsistent) => "no motion of the rigid mechanism satisfies the contact law",
        Some(Verdict::Indeterminate) => "several motions satisfy the contact law",
        Some(Verdict::Marginal) => "the state lies on a boundary between different answers",
        Some(Verdict::Undecided) => "it is not proven which motions there are",
        None => "this is not a state of the rigid mechanism",
    }
}

/// The verdict, what it means, and what follows.
fn sentence(prospect: &Prospect) -> Block {
    let Prospect { verdict, resolved, .. } = prospect;
    let block = |rest: String| Block::Verdict {
        tone: verdict.map_or(Tone::Open, tone),
        word: verdict.map_or("none", Verdict::name).to_string(),
        rest,
    };
    if is_impact(resolved) {
        return block(": a contact approaches, an impact takes place.".to_string());
    }
    let has_newtons_law = prospect.impact.0.iter().any(|(_, impact)| impact.law == "newton");
    let follows = match (&resolved[..], verdict) {
        ([], Some(Verdict::Inconsistent)) if has_newtons_law => {
            "nothing; Newton's restitution law has no impact without collision, as -e times a gap rate of 0 is 0"
                .to_string()
        }
        ([], _) => nothing(*verdict).to_string(),
        (words, _) => alternatives(words),
    };
    let cell =
        prospect.table.map(|c| format!(" (cell {}({}) of Tables 2 and 3)", c.column.name(), c.row.name()));
    block(format!(
        ": {}{}. After normal stability and impact without collision: {follows}.",
        meaning(*verdict),
        cell.unwrap_or_default()
    ))
}

/// The modes of the contacts with their directions of slip.
pub(super) fn word(mode: &ModeOutcome) -> String {
    let one = |(name, word): &(String, ModeName)| match mode.direction.get(name) {
        Some(phi) => format!("{} at {}", word.name(), angle(phi.0)),
        None => word.name().to_string(),
    };
    match mode.mode.is_empty() {
        true => "free".to_string(),
        false => mode.mode.0.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

/// Whether a mode satisfies the contact laws, in a word.
pub(super) fn consistent(mode: &ModeOutcome) -> &'static str {
    match (mode.consistent, mode.marginal) {
        (_, true) => "marginal",
        (true, false) => "yes",
        (false, false) => "no",
    }
}

pub(super) fn stability(found: Option<Stability>) -> String {
    found.map_or("-", Stability::name).to_string()
}

/// λ_T, 0 where it is the rounding of λ_N.
pub(super) fn tangential(force: &ForceOutcome) -> Vec<Quantity> {
    let shown = |x: &Quantity| Quantity { shown: beside(x.shown, [force.normal.shown]), ..*x };
    force.tangential.iter().map(shown).collect()
}

/// A number in the plane, a pair in space.
pub(super) fn along(x: &[Quantity]) -> String {
    let all = x.iter().map(|x| significant(x.shown)).collect::<Vec<_>>().join(", ");
    if x.len() == 1 { all } else { format!("({all})") }
}

/// Whether each mode is consistent, whether it lasts under compliance, and why.
fn reason_table(modes: &[ModeOutcome]) -> Table {
    let row = |mode: &ModeOutcome| {
        let words =
            [word(mode), consistent(mode).to_string(), stability(mode.normal_stability), mode.reason.clone()];
        words.map(Cell::Text).to_vec()
    };
    let header = ["mode", "consistent", "normal stability", "why"].map(String::from).to_vec();
    Table { header, rows: modes.iter().map(row).collect() }
}

/// The forces and accelerations of the modes.
fn force_table(modes: &[ModeOutcome]) -> Table {
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
    let asked = modes.iter().any(|mode| mode.tangential_stability.is_some());
    let header = header.iter().take(7 + usize::from(asked)).map(ToString::to_string);
    Table { header: header.collect(), rows: modes.iter().map(force_row).collect() }
}

fn force_row(mode: &ModeOutcome) -> Vec<Cell> {
    let forces = || mode.forces.0.iter().map(|(_, force)| force);
    let accelerations = || mode.accelerations.0.iter().map(|(_, acceleration)| acceleration);
    // in the plane these are the modes of one contact
    let in_plane = mode.tangential_stability.is_none();
    let cell = |each: Vec<Vec<Quantity>>| match &each[..] {
        [] if !in_plane => Cell::Text("-".to_string()),
        each if in_plane => Cell::Number(each.iter().flatten().next().map_or(f64::NAN, |x| x.shown)),
        each => Cell::Text(each.iter().map(|x| along(x)).collect::<Vec<_>>().join("; ")),
    };
    let mut cells = vec![
        Cell::Text(word(mode)),
        Cell::Text(consistent(mode).to_string()),
        cell(forces().map(|f| vec![f.normal]).collect()),
        cell(forces().map(tangential).collect()),
        cell(accelerations().map(|a| a.u.as_slice().to_vec()).collect()),
        cell(accelerations().map(|a| vec![a.v]).collect()),
        Cell::Text(stability(mode.normal_stability)),
    ];
    cells.extend(mode.tangential_stability.map(|found| Cell::Text(stability(found))));
    cells
}
