//! The survey's tables.

use super::document::{Cell, Document, Table};
use crate::analysis::planar;

/// A table of the survey.
pub fn survey_table_document(table: &planar::Table) -> Document {
    let mut document = Document::new();
    document.heading(1, table.title.clone());
    let cells = |row: &Vec<String>| row.iter().map(|c| Cell::Text(c.clone())).collect();
    document.table(Table { header: table.head.clone(), rows: table.rows.iter().map(cells).collect() });
    document
}
