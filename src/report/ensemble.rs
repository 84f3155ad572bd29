//! An ensemble as a report, and its rows as those of a data file.

use super::data_file::{DataCell, DataColumn};
use super::document::{Cell, Document, Table};
use crate::num::Number;
use crate::simulate::ensemble::{ColumnKind, EnsembleCell, EnsembleColumn, Summary};

/// The columns of a data file.
pub fn data_columns(columns: &[EnsembleColumn]) -> Vec<DataColumn> {
    let column = |column: &EnsembleColumn| match column.kind {
        ColumnKind::Count => DataColumn::integer(&column.name),
        ColumnKind::Real => DataColumn::real(&column.name),
        ColumnKind::Word => DataColumn::text(&column.name),
    };
    columns.iter().map(column).collect()
}

/// A row of a data file.
pub fn data_cells(cells: &[EnsembleCell]) -> Vec<DataCell> {
    let cell = |cell: &EnsembleCell| match cell {
        // more runs than that cannot be counted in a lifetime
        EnsembleCell::Count(count) => i64::try_from(*count).map_or(DataCell::Empty, DataCell::Integer),
        EnsembleCell::Real(x) => DataCell::Real(x.0),
        EnsembleCell::Word(word) => DataCell::Text(word.to_string()),
    };
    cells.iter().map(cell).collect()
}

/// The row of an ensemble that a row of a data file is; none where a cell holds something else.
pub fn ensemble_cells(cells: &[DataCell]) -> Option<Vec<EnsembleCell>> {
    let cell = |cell: &DataCell| match cell {
        DataCell::Integer(count) => u64::try_from(*count).ok().map(EnsembleCell::Count),
        DataCell::Real(x) => Some(EnsembleCell::Real(Number(*x))),
        DataCell::Empty => Some(EnsembleCell::Real(Number::UNDEFINED)),
        DataCell::Text(word) => Some(EnsembleCell::Word(word.clone().into())),
    };
    cells.iter().map(cell).collect()
}

/// A report of many motions: how many ended how, what happened in them, the ends of every number.
pub fn ensemble_document([mechanism, state]: [&str; 2], summary: &Summary) -> Document {
    let mut document = Document::new();
    document.heading(1, format!("{mechanism}: {} motions from {state}", summary.runs()));
    document.heading(2, "How they ended");
    let statuses = summary.statuses.iter().map(|(word, &runs)| (word.clone(), runs));
    document.table(table(["status", "runs"], statuses.map(|(word, runs)| (word, vec![runs as f64]))));
    document.heading(2, "What happened");
    let events = summary.events().into_iter().map(|count| {
        let kind = count.name.trim_start_matches("n_").to_string();
        (kind, vec![count.runs as f64, count.events as f64])
    });
    document.table(table(["event", "in runs", "in all"], events));
    document.heading(2, "Ranges");
    document
        .paragraph("A coordinate or velocity that varies stands here twice: at the start, then at the end.");
    let ranges = summary.ranges().into_iter().map(|range| (range.name, vec![range.lo, range.hi]));
    document.table(table(["number", "least", "largest"], ranges));
    document
}

fn table<const N: usize>(header: [&str; N], rows: impl Iterator<Item = (String, Vec<f64>)>) -> Table {
    let row = |(word, numbers): (String, Vec<f64>)| {
        std::iter::once(Cell::Text(word)).chain(numbers.into_iter().map(Cell::Number)).collect()
    };
    Table { header: header.map(String::from).to_vec(), rows: rows.map(row).collect() }
}
