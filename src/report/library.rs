//! The mechanisms that travel with the program, as a report.

use super::Cell;
use super::document::{Document, Table};
use serde::Serialize;
use std::borrow::Cow;

/// What is said about the mechanisms of the library.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LibraryOutcome {
    /// `mechan.library/1`.
    pub schema: Cow<'static, str>,
    /// One line each, topic by topic.
    pub mechanisms: Vec<LibraryLine>,
}

/// A mechanism of the library in one line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LibraryLine {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub topic: Cow<'static, str>,
    /// Its title.
    pub title: String,
    /// `plane` or `space`.
    pub space: Cow<'static, str>,
    /// Its states.
    pub states: Vec<String>,
}

/// The library topic by topic.
pub fn library_document(outcome: &LibraryOutcome) -> Document {
    let mut document = Document::new();
    document.heading(1, "The mechanisms of mechan's library");
    let lines = &outcome.mechanisms;
    for topic in lines.chunk_by(|a, b| a.topic == b.topic) {
        document.heading(2, topic[0].topic.clone());
        let row = |line: &LibraryLine| {
            [line.name.clone(), line.title.clone(), line.states.join(", ")].map(Cell::Text).to_vec()
        };
        let header = ["name", "what it is", "states"].map(String::from).to_vec();
        document.table(Table { header, rows: topic.iter().map(row).collect() });
    }
    document.paragraph("`mechan analyze NAME` asks about one, `mechan show NAME` prints its file, `mechan new MINE --from NAME` starts from it.");
    document
}
