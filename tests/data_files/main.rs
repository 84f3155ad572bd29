//! Data files: read back by other readers, complete at every moment, and faults that say what to do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

mod csv;
#[cfg(feature = "parquet")]
mod parquet;

use mechan::report::{DataCell, DataColumn};

/// Columns of each kind.
fn columns() -> Vec<DataColumn> {
    vec![DataColumn::integer("run"), DataColumn::text("status, in words"), DataColumn::real("dot(x)")]
}

/// Numbers that are hard to write.
const NUMBERS: [f64; 7] = [0.1, -1.0 / 3.0, f64::MAX, 5e-324, f64::NAN, f64::INFINITY, 6.02214076e23];

const TEXTS: [&str; 4] = ["end", "a \"quoted\", one", "two\nlines", "µ ≥ 0"];

/// Rows with everything that a cell can be.
fn row(i: usize) -> Vec<DataCell> {
    let text = DataCell::Text(TEXTS[i % TEXTS.len()].to_owned());
    let number = DataCell::Real(NUMBERS[i % NUMBERS.len()]);
    vec![DataCell::Integer(i as i64 - 1), if i % 5 == 4 { DataCell::Empty } else { text }, number]
}
