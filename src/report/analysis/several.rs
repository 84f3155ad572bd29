//! Several contacts: how they were decided, the modes with the forces of each contact, ranges where these are not unique, impacts
//! without collision, and why the other modes are none.

use super::modes::{consistent, stability, tangential, word};
use crate::analysis::{
    ByName, DirectionSearch, FlipsAt, ForceRange, IwcOutcome, ModeOutcome, Prospect, Quantity, SeveralOutcome,
};
use crate::num::Number;
use crate::predict::{ModeName, Possible, TwoContacts};
use crate::report::document::{Cell, Depth, Document, Table};
use crate::report::number::{beside, significant};

/// Modes that are not consistent up to which each is told with its reason.
const TOLD: usize = 16;
/// Undecided combinations up to which each is told.
const LISTED: usize = 12;

/// What is said of several contacts.
pub(super) fn several_document(prospect: &Prospect, several: &SeveralOutcome) -> Document {
    match &several.directions {
        None => in_plane(prospect, several),
        Some(directions) => in_space(prospect, several, directions),
    }
}

fn in_plane(prospect: &Prospect, several: &SeveralOutcome) -> Document {
    let mut document = Document::new();
    let (possible, others): (Vec<_>, Vec<_>) =
        prospect.modes.iter().partition(|mode| mode.consistent || mode.marginal);
    document.paragraph(counts(several, possible.len()));
    if !possible.is_empty() {
        document.table(force_table(&possible));
    }
    for mode in &possible {
        document.paragraph(format!("{}: {}.", word(mode), mode.reason));
    }
    for mode in possible.iter().filter(|mode| !mode.hyperstatic.is_empty()) {
        document.paragraph(format!("Forces of {} are not unique; the range of each is", word(mode)));
        document.table(range_table(mode));
    }
    for mode in possible.iter().filter(|mode| mode.accelerations_range.is_some()) {
        document.paragraph(format!("The motion of {} depends on them; accelerations are within", word(mode)));
        document.table(acceleration_table(mode));
    }
    for (mode, flips) in possible.iter().filter_map(|mode| Some((mode, mode.flips_at.as_ref()?))) {
        document.paragraph(flip_words(mode, flips));
    }
    if let Some(two) = &prospect.two_contacts {
        document.paragraph(class_words(two));
    }
    add_without_collision(&mut document, prospect);
    let mut refuted = Document::new();
    if others.len() <= TOLD {
        others.iter().for_each(|mode| refuted.paragraph(format!("{}: no; {}.", word(mode), mode.reason)));
    } else {
        refuted.paragraph(format!(
            "{} other modes are not consistent; the machine-readable report has the reason of each.",
            others.len()
        ));
    }
    document.section("modes", Depth::Full, "Why the other modes are none", refuted);
    document
}

fn in_space(prospect: &Prospect, several: &SeveralOutcome, directions: &DirectionSearch) -> Document {
    let mut document = Document::new();
    document.paragraph(counts_in_space(several, directions));
    if (1..=LISTED).contains(&directions.undecided.len()) {
        let combination = |words: &ByName<ModeName>| {
            words.0.iter().map(|(_, word)| word.name()).collect::<Vec<_>>().join(",")
        };
        let words: Vec<String> = directions.undecided.iter().map(combination).collect();
        document.paragraph(format!("Neither found nor refuted: {}.", words.join("; ")));
    }
    add_without_collision(&mut document, prospect);
    for mode in prospect.modes.iter().filter(|mode| !mode.hyperstatic.is_empty()) {
        document.paragraph(format!("Forces of {}: not unique. Proven bounds of each:", word(mode)));
        document.table(bound_table(mode));
    }
    document
}

/// That impacts without collision can start; at a contact that is the only one nothing is said of others.
fn add_without_collision(document: &mut Document, prospect: &Prospect) {
    let is_alone = prospect.modes.iter().any(|mode| mode.mode.0.len() == 1);
    for iwc in &prospect.impacts_without_collision {
        document.paragraph(iwc_words(iwc, is_alone));
    }
}

fn iwc_words(iwc: &IwcOutcome, is_alone: bool) -> String {
    let place = iwc.contacts.join(" and ");
    let told = iwc.others.iter().flat_map(|others| &others.0);
    let parts: Vec<String> = told.map(|(name, word)| format!("{name}: {}", word.name())).collect();
    let others = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    match iwc.possible {
        Possible::Yes if is_alone => format!("An impact without collision can start at {place}."),
        Possible::Yes => {
            format!("An impact without collision can start at {place}, the other contacts lifting off.")
        }
        Possible::Necessary => format!(
            "The necessary conditions of an impact without collision at {place} hold{others}; whether it starts depends on the compliance."
        ),
        Possible::Marginal => {
            format!("Whether an impact without collision can start at {place} is marginal{others}.")
        }
    }
}

/// Where normal stability changes with the compliance of the contacts.
fn flip_words(mode: &ModeOutcome, flips: &FlipsAt) -> String {
    let list = |x: &[Number]| x.iter().map(|x| significant(x.0)).collect::<Vec<_>>().join(", ");
    let mut places = Vec::new();
    if !flips.damping.is_empty() {
        places.push(format!("all dampings are multiplied by {}", list(&flips.damping)));
    }
    for (name, factors) in flips.stiffness.0.iter().filter(|(_, factors)| !factors.is_empty()) {
        places.push(format!("the stiffness of {name} is multiplied by {}", list(factors)));
    }
    let flip = match places.is_empty() {
        true => "no factor of 10^-4 to 10^4 on one of them changes that".to_string(),
        false => format!("that flips where {}", places.join(", or ")),
    };
    format!(
        "Normal stability of {} depends on the compliance (mode coupling): {} with that of the file; {flip}.",
        word(mode),
        flips.here.name()
    )
}

fn class_words(two: &TwoContacts) -> String {
    let [[a, b], [c, d]] = two.response.map(|row| row.map(|x| significant(x.shown)));
    let [first, second] = two.b.map(|x| significant(x.shown));
    let place = match (&two.subclass, &two.class) {
        (Some(subclass), _) => format!("subclass {subclass} of Table 4"),
        (None, Some(class)) => format!("class {class} of Table 4, on a border between subclasses"),
        (None, None) => "on a border between classes of Table 4".to_string(),
    };
    format!("Two sliding contacts: P = [{a}, {b}; {c}, {d}], b = ({first}, {second}): {place}.")
}

fn counts(several: &SeveralOutcome, possible: usize) -> String {
    let examined = several.modes_examined;
    let pruned = match several.modes_pruned {
        Some(0) => String::new(),
        Some(pruned) => format!(", {pruned} were excluded together with others"),
        None => ", all others were excluded together".to_string(),
    };
    let were = if examined == 1 { "was" } else { "were" };
    let satisfy = if possible == 1 { "satisfies" } else { "satisfy" };
    format!(
        "Modes: {examined} {were} judged one by one{pruned}; {possible} {satisfy} the contact laws, equalities included."
    )
}

fn counts_in_space(several: &SeveralOutcome, directions: &DirectionSearch) -> String {
    let SeveralOutcome { modes_examined, modes_pruned, .. } = several;
    let DirectionSearch { boxes, partial_decisions, .. } = directions;
    let pruned = modes_pruned.unwrap_or_default();
    let mut text = format!("Combinations of modes: {modes_examined} were judged, {pruned} refuted together");
    if *partial_decisions > 0 {
        text += &format!(" ({partial_decisions} partial decisions)");
    }
    if *boxes > 0 {
        text += &format!("; {boxes} boxes of slip directions");
    }
    text + "."
}

/// One row for each contact of a mode.
fn force_table(modes: &[&ModeOutcome]) -> Table {
    let header = [
        "mode",
        "consistent",
        "contact",
        "lambda_N",
        "lambda_T",
        "slip acc.",
        "gap acc.",
        "normal stability",
    ];
    let rows = modes.iter().flat_map(|mode| {
        let contacts = mode.forces.0.iter().zip(&mode.accelerations.0).enumerate();
        contacts.map(|(i, ((name, force), (_, acceleration)))| {
            let first = |text: String| Cell::Text(if i == 0 { text } else { String::new() });
            let number = |x: Quantity| Cell::Number(x.shown);
            let first_number = |x: &[Quantity]| Cell::Number(x.first().map_or(f64::NAN, |x| x.shown));
            vec![
                first(word(mode)),
                first(consistent(mode).to_string()),
                Cell::Text(name.clone()),
                number(force.normal),
                first_number(&tangential(force)),
                first_number(acceleration.u.as_slice()),
                number(acceleration.v),
                first(stability(mode.normal_stability)),
            ]
        })
    });
    Table { header: header.map(String::from).to_vec(), rows: rows.collect() }
}

fn range_table(mode: &ModeOutcome) -> Table {
    let header = ["contact", "lambda_N from", "to", "lambda_T from", "to"];
    let ranges = |range: &ForceRange| [&[range.normal], range.tangential.as_slice()].concat();
    let rows = mode.hyperstatic.0.iter().map(|(name, range)| row(name, &ranges(range)));
    Table { header: header.map(String::from).to_vec(), rows: rows.collect() }
}

fn bound_table(mode: &ModeOutcome) -> Table {
    let header = ["contact", "lambda_N", "lambda_T1", "lambda_T2"].map(String::from).to_vec();
    let ranges = |range: &ForceRange| [&[range.normal], range.tangential.as_slice()].concat();
    let all = mode.hyperstatic.0.iter().flat_map(|(_, range)| ranges(range)).flatten();
    let finite: Vec<f64> = all.map(|x| x.0).filter(|x| x.is_finite()).collect();
    let row = |(name, range): &(String, ForceRange)| {
        let end = |x: Number| significant(beside(x.0, finite.iter().copied()));
        let bounds = ranges(range).into_iter().map(|[low, high]| format!("{} to {}", end(low), end(high)));
        std::iter::once(name.clone()).chain(bounds).map(Cell::Text).collect()
    };
    Table { header, rows: mode.hyperstatic.0.iter().map(row).collect() }
}

fn acceleration_table(mode: &ModeOutcome) -> Table {
    let header = ["contact", "slip acc. from", "to", "gap acc. from", "to"];
    let ranges = mode.accelerations_range.iter().flat_map(|ranges| &ranges.0);
    let rows = ranges.map(|(name, range)| row(name, &[range.u, range.v]));
    Table { header: header.map(String::from).to_vec(), rows: rows.collect() }
}

fn row(name: &str, ranges: &[[Number; 2]]) -> Vec<Cell> {
    let ends = ranges.iter().flatten().map(|x| Cell::Text(significant(x.0)));
    std::iter::once(Cell::Text(name.to_string())).chain(ends).collect()
}
