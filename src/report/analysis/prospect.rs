//! What can happen next, as sections of a report.

use super::impact::impact_documents;
use super::modes::modes_document;
use super::plane::add_plane;
use super::rest::rest_document;
use super::space::add_space;
use crate::analysis::{Particular, StateOutcome, UnitsOutcome};
use crate::report::document::{Depth, Document};
use std::iter;

/// The sections of a state; none where nothing is said.
pub(super) fn prospect_document(state: &StateOutcome, units: Option<&UnitsOutcome>) -> Document {
    let (prospect, mut document) = (&state.prospect, Document::new());
    if prospect.is_silent() {
        return document;
    }
    document.section("modes", Depth::Usual, "What can happen next", modes_document(state));
    if let Some(rest) = &prospect.rest {
        let what = if rest.standing.is_some() { "Equilibrium" } else { "Rest" };
        let title = format!("{what} on several contacts");
        document.section("rest", Depth::Usual, title, rest_document(rest, units));
    }
    add_impacts(&mut document, state);
    match &prospect.particular {
        Particular::Plane(found) => add_plane(&mut document, state, found),
        Particular::Space(found) => add_space(&mut document, found),
    }
    document
}

fn add_impacts(document: &mut Document, state: &StateOutcome) {
    let prospect = &state.prospect;
    let ways = iter::once(&prospect.impact).chain(&prospect.other_impacts);
    let several = !prospect.other_impacts.is_empty();
    // of several ways each is told under its name
    let named = ways.zip(prospect.resolved.iter().filter(|_| several).map(Some).chain(iter::repeat(None)));
    for (impacts, way) in named.chain([(&prospect.impact_by_poisson, None)]) {
        for (name, impact) in &impacts.0 {
            let slip = state.contacts.get(name).map_or(&[][..], |contact| &contact.slip);
            for (title, content) in impact_documents(name, impact, slip) {
                let way = way.map_or(String::new(), |way| format!(", {way}"));
                document.section("impact", Depth::Usual, format!("{title}{way}"), content);
            }
        }
    }
}
