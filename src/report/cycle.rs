//! A periodic motion as a report.

use super::document::{Cell, Document, Table};
use super::number::significant;
use super::trajectory::trajectory_document;
use crate::simulate::cycle::Cycle;

/// A report of a periodic motion, with what happens in one period.
pub fn cycle_document(cycle: &Cycle) -> Document {
    let mut document = Document::new();
    document.heading(1, format!("{}: a periodic motion near {}", cycle.mechanism, cycle.state));
    let largest = cycle.multipliers.first().map_or(0.0, |m| m[0].0.hypot(m[1].0));
    document.paragraph(format!(
        "{} {}, {}: the largest multiplier has the modulus {}. The return misses by {} of the sizes of its numbers.",
        if cycle.step { "Modulo the symmetry, a step of" } else { "Period" },
        significant(cycle.period.0),
        if largest < 1.0 { "attracting" } else { "not attracting" },
        significant(largest),
        significant(cycle.residual.0)
    ));
    document.heading(2, "Multipliers");
    let header = ["real", "imaginary", "modulus"].map(String::from).to_vec();
    let rows =
        cycle.multipliers.iter().map(|[re, im]| [re.0, im.0, re.0.hypot(im.0)].map(Cell::Number).to_vec());
    document.table(Table { header, rows: rows.collect() });
    document.heading(2, "On the section");
    let header = ["coordinate", "value", "velocity"].map(String::from).to_vec();
    let rows = cycle
        .q
        .0
        .iter()
        .zip(&cycle.v.0)
        .map(|((name, q), (_, v))| vec![Cell::Text(name.clone()), Cell::Number(q.0), Cell::Number(v.0)]);
    document.table(Table { header, rows: rows.collect() });
    document.blocks.extend(trajectory_document(&cycle.trajectory).blocks.into_iter().skip(1));
    document
}
