//! An analysis as a report: a line a state first, then each state from its verdict to all its numbers.

mod contacts;
mod critical;
mod impact;
mod modes;
mod next_step;
mod overview;
mod place;
mod plane;
mod prospect;
mod rest;
mod several;
mod space;
mod standing;
mod units;
mod why;

use super::document::{Block, Depth, Document, Equations, Figure, Section};
use crate::analysis::{Analysis, StateAnswer, StateFailure, StateOutcome, UnitsOutcome};
use contacts::{contact_documents, contact_table, contact_words, delassus_document};
use critical::critical_document;
use next_step::next_step_document;
use overview::overview_table;
use place::{model_document, place_fields};
use prospect::prospect_document;
use units::units_document;
pub(crate) use why::why;

/// What a page shows beside the numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Illustrations {
    /// The equations of motion in print.
    pub equations: Option<Equations>,
    /// The pictures of the states, by their names.
    pub states: Vec<(String, StateFigures)>,
}

/// The pictures of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateFigures {
    /// Small, for the table at the beginning.
    pub thumbnail: Option<String>,
    /// In reading order, the mechanism first.
    pub figures: Vec<Figure>,
}

impl Illustrations {
    fn of(&self, state: &str) -> Option<&StateFigures> {
        self.states.iter().find(|(name, _)| name == state).map(|(_, figures)| figures)
    }
}

/// The whole report of an analysis; [`Document::chosen`] takes what is wanted of it.
pub fn analysis_document(analysis: &Analysis) -> Document {
    illustrated_document(analysis, &Illustrations::default())
}

/// The same with equations and pictures.
pub fn illustrated_document(analysis: &Analysis, shown: &Illustrations) -> Document {
    let mut document = Document::new();
    document.heading(1, title(analysis));
    untitled(&mut document, "description", Depth::Usual, description(analysis));
    let mut overview = Document::new();
    overview.table(overview_table(analysis, shown));
    untitled(&mut document, "overview", Depth::Brief, overview);
    if !analysis.critical_friction.is_empty() {
        let title = "Critical friction over the domain";
        part(&mut document, ("domain", Depth::Usual), title, critical_document(analysis));
    }
    for answer in &analysis.states {
        let (name, content) = match answer {
            StateAnswer::Outcome(state) => {
                (&state.state, state_document(state, analysis.units.as_ref(), shown.of(&state.state)))
            }
            StateAnswer::Failure(failure) => (&failure.state, failure_document(failure)),
        };
        part(&mut document, ("", Depth::Brief), &overview::state_title(name), content);
    }
    if let Some(equations) = &shown.equations {
        let mut printed = Document::new();
        printed.blocks.push(Block::Equations(equations.clone()));
        part(&mut document, ("equations", Depth::Full), "Equations of motion in symbols", printed);
    }
    document
}

/// Adds a part with a heading of level 2.
fn part(document: &mut Document, (name, depth): (&'static str, Depth), title: &str, content: Document) {
    document.blocks.push(Block::Section(Section {
        name,
        depth,
        level: 2,
        title: title.to_string(),
        content,
    }));
}

/// Adds a part without a heading; nothing if it says nothing.
fn untitled(document: &mut Document, name: &'static str, depth: Depth, content: Document) {
    document.section(name, depth, "", content);
}

fn title(analysis: &Analysis) -> String {
    match &analysis.title {
        Some(title) => format!("{}: {title}", analysis.mechanism),
        None => analysis.mechanism.clone(),
    }
}

fn description(analysis: &Analysis) -> Document {
    let mut document = Document::new();
    if let Some(description) = &analysis.description {
        document.quote(description.trim());
    }
    if analysis.library {
        document.paragraph("This is the mechanism of mechan's library; there is no file of that name here.");
    }
    document.append(units_document(analysis));
    document
}

/// Why nothing is said about a state.
fn failure_document(failure: &StateFailure) -> Document {
    let mut faults = Document::new();
    for fault in &failure.faults {
        faults.warning(format!("no analysis: {} [{}]", fault.message, fault.code));
    }
    let mut document = Document::new();
    untitled(&mut document, "why", Depth::Usual, faults);
    document
}

/// A state from its verdict to all its numbers.
fn state_document(
    state: &StateOutcome,
    units: Option<&UnitsOutcome>,
    shown: Option<&StateFigures>,
) -> Document {
    let mut document = Document::new();
    let mut described = Document::new();
    if let Some(description) = &state.description {
        described.quote(description.trim());
    }
    untitled(&mut document, "description", Depth::Usual, described);
    let figures = shown.map_or(&[][..], |shown| &shown.figures[..]);
    let (first, others) = figures.split_at(figures.len().min(1));
    untitled(&mut document, "pictures", Depth::Usual, pictures(first));
    let mut place = Document::new();
    place.fields(place_fields(state, units));
    untitled(&mut document, "state", Depth::Usual, place);
    let mut warnings = Document::new();
    state.warnings.iter().for_each(|warning| warnings.warning(warning.clone()));
    untitled(&mut document, "why", Depth::Usual, warnings);
    document.append(prospect_document(state, units));
    untitled(&mut document, "pictures", Depth::Usual, pictures(others));
    let mut contacts = Document::new();
    if !state.contacts.is_empty() {
        contacts.paragraph(contact_words(state));
        contacts.table(contact_table(state, units));
    }
    document.section("contacts", Depth::Usual, "Contacts", contacts);
    if let Some(next) = &state.existence {
        next_step_document(&mut document, next);
    }
    for (title, content) in contact_documents(state, units) {
        document.section("contacts", Depth::Full, title, content);
    }
    let title = "Equations of motion: M v' + h = W_N^T lambda_N + W_T^T lambda_T";
    document.section("equations", Depth::Full, title, model_document(state, units));
    if state.delassus.len() > 2 {
        let title = "Delassus matrix of the closed contacts";
        document.section("delassus", Depth::Full, title, delassus_document(state));
    }
    document
}

fn pictures(figures: &[Figure]) -> Document {
    let mut document = Document::new();
    if !figures.is_empty() {
        document.blocks.push(Block::Pictures(figures.to_vec()));
    }
    document
}
