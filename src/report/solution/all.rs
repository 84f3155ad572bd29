//! All solutions of a planar problem as a report: each in full, families by their extreme points and rays.

use super::{SHOWN, SolvedView};
use crate::answer::rests_on_rounding;
use crate::enumerate::{Enumeration, Family, Mode, Point};
use crate::num::Tol;
use crate::report::document::{Cell, Document, Table};

/// Every solution of a planar problem; families by their dimension, extreme points and rays.
pub(super) fn enumeration_document(all: &Enumeration, view: &SolvedView<'_>) -> Document {
    let mut document = Document::new();
    let cut = if all.complete { "" } else { " found, search cut short" };
    let border = match all.border.len() {
        0 => String::new(),
        n => format!(" exactly, {n} within the tolerance"),
    };
    document.heading(2, format!("All solutions: {}{border}{cut}", all.families.len()));
    document.paragraph(checked(all));
    for (index, family) in all.families.iter().take(SHOWN).enumerate() {
        document.heading(3, format!("Solution {}", index + 1));
        document.paragraph(match all.families.as_slice() {
            _ if family.rests_on_last_digits(&Tol::default()) => LAST_DIGITS.to_string(),
            [one] if all.complete && all.border.is_empty() && one.dimension == 0 => {
                "The only one.".to_string()
            }
            _ => extent(family),
        });
        let centre = family.centre();
        if rests_on_rounding(view.problem, &centre.u, &centre.r) {
            document.paragraph(
                "It holds to rounding only: numbers that differ by a rounding may have none near it.",
            );
        }
        if view.problem.contacts() > 0 {
            document.table(modes_table(&family.modes, &family.centre(), view));
        }
        if family.dimension > 0 {
            document.paragraph("Extreme points and rays of the forces:");
            document.table(extreme_table(family, view));
        }
    }
    if all.families.len() > SHOWN {
        document.paragraph(format!("{} more solutions.", all.families.len() - SHOWN));
    }
    for (index, border) in all.border.iter().take(SHOWN).enumerate() {
        document.heading(3, format!("Solution {}, a border case", all.families.len() + index + 1));
        document.paragraph(
            "It solves the problem within the tolerance; the numbers exactly as they stand have no solution near it.",
        );
        document.table(modes_table(&border.modes, &border.point, view));
    }
    document
}

/// Said of forces that are so large that the last digits of W make the velocities.
const LAST_DIGITS: &str = "It holds to rounding only: W is singular but for its last digits, and numbers that differ by a rounding, as those in other \
     units do, may have no such solution.";

/// What the word "all" rests on.
fn checked(all: &Enumeration) -> String {
    let branches = all.proof.branches();
    match all.complete {
        true => format!(
            "The numbers exactly as they stand have no {}: the record of the search ({branches} branches) was checked in exact \
             arithmetic.",
            if all.families.is_empty() { "solution" } else { "others" }
        ),
        false => format!(
            "There may be more: the search was cut short after {} branches (--branches allows others).",
            all.branches
        ),
    }
}

fn extent(family: &Family) -> String {
    let motion = match family.motion_dimension {
        0 => "The motion is unique".to_string(),
        n => format!("The velocities form a set of dimension {n}"),
    };
    match (family.dimension, family.rays.is_empty()) {
        (0, _) => "Isolated: motion and forces are unique nearby.".to_string(),
        (n, true) => format!("{motion}; the forces form a polytope of dimension {n}, its centre is shown."),
        (n, false) => {
            format!("{motion}; the forces form an unbounded set of dimension {n}, one of them is shown.")
        }
    }
}

fn modes_table(modes: &[Mode], point: &Point, view: &SolvedView<'_>) -> Table {
    let header = ["contact", "mode", "u_N", "u_T", "r_N", "r_T"].map(String::from).to_vec();
    let row = |(i, mode): (usize, &Mode)| {
        let mut cells = vec![Cell::Text(view.label(i)), Cell::Text(mode.word().to_string())];
        let block = 2 * i..2 * (i + 1);
        cells.extend(point.u[block.clone()].iter().chain(&point.r[block]).map(|&x| Cell::Number(x)));
        cells
    };
    Table { header, rows: modes.iter().enumerate().map(row).collect() }
}

fn extreme_table(family: &Family, view: &SolvedView<'_>) -> Table {
    let mut header = vec![String::new()];
    header.extend(
        (0..family.modes.len()).flat_map(|i| ["r_N", "r_T"].map(|r| format!("{r} {}", view.label(i)))),
    );
    let row = |word: &str, point: &Point| {
        let mut cells = vec![Cell::Text(word.to_string())];
        cells.extend(point.r.iter().map(|&x| Cell::Number(x)));
        cells
    };
    let vertices = family.vertices.iter().map(|p| row("point", p));
    let rows = vertices.chain(family.rays.iter().map(|p| row("ray", p))).take(SHOWN).collect();
    Table { header, rows }
}
