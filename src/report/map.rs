//! A map as a report: what each region has, and where boundaries lie.

use super::document::{Cell, Document, Table};
use super::number::significant;
use crate::analysis::map::{
    Certified, CertifiedRegion, Interrupted, Level, MapAxis, MapMotion, MapOutcome, Tally,
};

/// Shares of words or ends of numbers, and the boundaries.
pub fn map_document(map: &MapOutcome) -> Document {
    let mut document = Document::new();
    document.heading(1, format!("{}, state {}: {}", map.mechanism, map.state, map.quantity));
    if let Some(Interrupted { rows, of }) = map.interrupted {
        document.paragraph(format!("Interrupted: {rows} of {of} rows."));
    }
    let Tally { points, words, ends, .. } = &map.tally;
    document.paragraph(format!(
        "{points} points, {} to the right and {} upwards.",
        axis(&map.x),
        axis(&map.y)
    ));
    if let Some(MapMotion { scheme, t_end, stop }) = &map.motion {
        let stop =
            stop.as_ref().map(|stop| format!(" or where {stop} falls through zero")).unwrap_or_default();
        let t_end = significant(t_end.0);
        document.paragraph(format!("Of the motion from each, by scheme {scheme} to t = {t_end}{stop}."));
    }
    if map.missing.count > 0 {
        let reason = map.missing.reason.as_ref().map(|why| format!("; the first: {why}")).unwrap_or_default();
        let counts = map.missing.reasons.iter().map(|(word, count)| format!("{count} {word}"));
        let counts = counts.collect::<Vec<_>>().join(", ");
        let counts = if counts.is_empty() { counts } else { format!(" ({counts})") };
        document.paragraph(format!("At {} of them nothing is said{counts}{reason}.", map.missing.count));
    }
    if let Some([lo, hi]) = *ends {
        document.paragraph(format!("From {} to {}.", significant(lo), significant(hi)));
    }
    if !words.is_empty() {
        let row =
            |(word, count): (&&str, &u64)| vec![Cell::Text(word.to_string()), Cell::Number(*count as f64)];
        let header = [map.quantity.as_str(), "points"].map(String::from).to_vec();
        document.table(Table { header, rows: words.iter().map(row).collect() });
    }
    boundaries(&mut document, map);
    map.certified.iter().for_each(|certified| proven(&mut document, certified));
    document
}

fn axis(axis: &MapAxis) -> String {
    let ends = [axis.values.first(), axis.values.last()].map(|x| x.map_or(f64::NAN, |x| x.0));
    let ratios = axis.scale.map(|_| " at equal ratios").unwrap_or_default();
    format!("{} from {} to {}{ratios}", axis.name, significant(ends[0]), significant(ends[1]))
}

/// Of what is proven: equations that were derived once only, if there are any.
pub fn not_compared(document: &mut Document, blocks: &[&str]) {
    if !blocks.is_empty() {
        document.note(format!(
            "This is so of the equations as they were derived: a second derivation from the file could not be compared in {}.",
            blocks.join(", ")
        ));
    }
}

/// What is proven, and what stays open.
fn proven(document: &mut Document, certified: &Certified) {
    document.heading(2, "Proven");
    let Certified {
        regions, undecided, thin, boxes, held, not_compared: blocks, points, contradicted, ..
    } = certified;
    let held: Vec<String> = held.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let held = if held.is_empty() { String::new() } else { format!("; with {}", held.join(", ")) };
    let (where_it_lies, more) = match thin {
        true => (", along the boundaries,", ""),
        false => (
            "",
            ": the search ended before only strips along boundaries were left, and more --boxes leave less",
        ),
    };
    document.paragraph(format!(
        "At all points of a region, between those of the grid too{held}. Nothing is proven of a share {} of the area{where_it_lies} after {boxes} boxes{more}.",
        significant(undecided.0)
    ));
    let row = |region: &CertifiedRegion| vec![Cell::Text(region.claim.clone()), Cell::Number(region.area.0)];
    let header = ["claim", "share of the area"].map(String::from).to_vec();
    document.table(Table { header, rows: regions.iter().map(row).collect() });
    document.paragraph(format!(
        "The {points} points of the grid in these regions were analysed one by one, too."
    ));
    not_compared(document, blocks);
    if *contradicted > 0 {
        document.warning(format!(
            "At {contradicted} of them the analysis finds another class than what is proven: one of both is wrong. Please report it."
        ));
    }
}

fn boundaries(document: &mut Document, map: &MapOutcome) {
    if map.boundaries.is_empty() {
        document.paragraph("No boundary crosses an edge of the grid.");
        return;
    }
    document.heading(2, "Boundaries");
    let row = |boundary: &crate::analysis::map::Boundary| {
        let level = match &boundary.level {
            Level::Number(x) => significant(x.0),
            Level::Words(words) => words.map(|word| word.unwrap_or("nothing")).join(" and "),
            Level::Edge => "a jump, or the end of what is defined".to_string(),
        };
        let ends = |k: usize| {
            let all = || boundary.lines.iter().flatten().map(move |point| point[k].0);
            let (lo, hi) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
            format!("{} to {}", significant(lo), significant(hi))
        };
        let points: usize = boundary.lines.iter().map(Vec::len).sum();
        vec![
            Cell::Text(level),
            Cell::Number(boundary.lines.len() as f64),
            Cell::Number(points as f64),
            Cell::Text(ends(0)),
            Cell::Text(ends(1)),
        ]
    };
    let header = ["between", "lines", "points", &map.x.name, &map.y.name].map(String::from).to_vec();
    document.table(Table { header, rows: map.boundaries.iter().map(row).collect() });
}
