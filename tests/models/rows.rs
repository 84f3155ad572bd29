//! Tables of bodies and contacts as they stand in a file.

use std::collections::BTreeMap;
use std::path::Path;

/// A row by the names of its columns.
pub(super) type Row = BTreeMap<String, String>;

pub(super) fn rows(path: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<String>>());
    let names = lines.next().unwrap();
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
}

pub(super) fn number(row: &Row, name: &str) -> f64 {
    row[name].parse().unwrap_or_else(|_| panic!("{name}: {row:?}"))
}
