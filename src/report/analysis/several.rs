//! What several contacts can do next: the forces of each mode contact by contact, their ranges where they are not unique, and
//! why the other modes are none.

use super::prospect::{condition_word, consistent, tangential, word};
use super::standing::{lyapunov_document, lyapunov_field, robustness_document};
use crate::analysis::planar::{Condition, ModeOutcome, Prospect};
use crate::analysis::several::{FlipsAt, ForcePair, RestOutcome, TwoContacts};
use crate::analysis::{ByName, Quantity, UnitsOutcome};
use crate::num::Number;
use crate::predict::{Possible, Stability};
use crate::report::document::{Cell, Depth, Document, Table};
use crate::report::number::{beside, significant};

/// Modes that are not consistent up to which each is told with its reason.
const TOLD: usize = 16;

/// The modes of several closed contacts.
pub(super) fn several_document(prospect: &Prospect) -> Document {
    let mut document = Document::new();
    let (possible, others): (Vec<_>, Vec<_>) =
        prospect.modes.iter().partition(|mode| mode.consistent || mode.marginal);
    document.paragraph(counts(prospect, possible.len()));
    if !possible.is_empty() {
        document.table(force_table(&possible));
    }
    for mode in &possible {
        document.paragraph(format!("{}: {}.", word(mode), mode.reason));
    }
    for mode in possible.iter().filter(|mode| mode.hyperstatic.is_some()) {
        document.paragraph(format!("Forces of {} are not unique; the range of each is", word(mode)));
        document.table(range_table(mode));
    }
    for mode in possible.iter().filter(|mode| mode.accelerations_range.is_some()) {
        document.paragraph(format!("The motion of {} depends on them; accelerations are within", word(mode)));
        document.table(acceleration_table(mode));
    }
    for mode in &possible {
        if let Some(flips) = &mode.flips_at {
            document.paragraph(flip_words(mode, flips));
        }
    }
    if let Some(two) = &prospect.two_contacts {
        document.paragraph(class_words(two));
    }
    for iwc in &prospect.impacts_without_collision {
        let place = iwc.contacts.join(" and ");
        document.paragraph(match iwc.possible {
            Possible::Yes => can_start(&place, prospect.modes.iter().any(|mode| mode.mode.0.len() == 1)),
            Possible::Necessary => format!(
                "The necessary conditions of an impact without collision at {place} hold; whether it starts depends on the compliance."
            ),
            Possible::Marginal => format!("Whether an impact without collision can start at {place} is marginal."),
        });
    }
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

/// That an impact without collision can start; at a contact that is the only one nothing is said of others.
pub(super) fn can_start(place: &str, is_alone: bool) -> String {
    let others = if is_alone { "" } else { ", the other contacts lifting off" };
    format!("An impact without collision can start at {place}{others}.")
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

/// Weak and strong stability, and the forces that hold an equilibrium.
pub(super) fn rest_document(rest: &RestOutcome, units: Option<&UnitsOutcome>) -> Document {
    let mut document = Document::new();
    document.paragraph(standing_words(rest.weak, rest.strong, &rest.ambiguous_with));
    let ambiguous = match rest.ambiguous_with.is_empty() {
        true => "no".to_string(),
        false => rest.ambiguous_with.join(" or "),
    };
    let field = |label: &str, value: String, remark: &str| (label.to_string(), value, remark.to_string());
    document.fields(vec![
        field(
            "weakly stable",
            condition_word(rest.weak).to_string(),
            "sticking is consistent (Pang, Trinkle)",
        ),
        field("strongly stable", condition_word(rest.strong).to_string(), "and no other mode is"),
        field("ambiguous with", ambiguous, "other consistent modes"),
        field(
            "freedom of the forces",
            rest.dimension.to_string(),
            "dimension of the set that balances the load",
        ),
        lyapunov_field(&rest.lyapunov),
    ]);
    document.append(lyapunov_document(&rest.lyapunov));
    if let Some(robustness) = &rest.robustness {
        document.append(robustness_document(robustness, units));
    }
    let ends = |ends: &Option<Vec<ByName<ForcePair>>>| ends.as_ref().map_or(0, Vec::len);
    if rest.dimension > 0 && (1..=TOLD).contains(&ends(&rest.force_corners)) {
        document.paragraph("Forces inside the friction cones that hold it: the hull of these points");
        document.table(corner_table(rest.force_corners.iter().flatten()));
        if ends(&rest.force_rays) > 0 {
            document.paragraph("and, without end, of these directions");
            document.table(corner_table(rest.force_rays.iter().flatten()));
        }
    }
    document
}

/// Whether a state must rest, may rest, or cannot.
pub(super) fn standing_words(weak: Condition, strong: Condition, others: &[String]) -> String {
    match (weak, strong) {
        (Condition::Fails, _) => "No forces inside the friction cones hold it at rest.".to_string(),
        (_, Condition::Holds) => "It rests, and nothing else can happen.".to_string(),
        (Condition::Holds, Condition::Fails) => {
            format!("It can rest, but need not: {} satisfies the contact laws too.", others.join(" or "))
        }
        _ => "Whether it rests, or must, is not decided.".to_string(),
    }
}

fn corner_table<'a>(corners: impl Iterator<Item = &'a ByName<ForcePair>>) -> Table {
    let corners: Vec<_> = corners.collect();
    let header = corners
        .iter()
        .take(1)
        .flat_map(|corner| &corner.0)
        .flat_map(|(name, _)| [format!("{name}: lambda_N"), "lambda_T".to_string()]);
    let pair = |(_, force): &(String, ForcePair)| [force.normal.0, force.tangential.0];
    let row = |corner: &&ByName<ForcePair>| {
        let all: Vec<f64> = corner.0.iter().flat_map(pair).collect();
        all.iter().map(|&x| Cell::Number(beside(x, all.iter().copied()))).collect()
    };
    Table { header: header.collect(), rows: corners.iter().map(row).collect() }
}

fn counts(prospect: &Prospect, possible: usize) -> String {
    let examined = prospect.modes_examined.unwrap_or(0);
    let pruned = match prospect.modes_pruned {
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
            vec![
                first(word(mode)),
                first(consistent(mode).to_string()),
                Cell::Text(name.clone()),
                number(force.normal),
                Cell::Number(tangential(force)),
                number(acceleration.u),
                number(acceleration.v),
                first(mode.normal_stability.map_or("-", Stability::name).to_string()),
            ]
        })
    });
    Table { header: header.map(String::from).to_vec(), rows: rows.collect() }
}

fn range_table(mode: &ModeOutcome) -> Table {
    let header = ["contact", "lambda_N from", "to", "lambda_T from", "to"];
    let ranges = mode.hyperstatic.iter().flat_map(|ranges| &ranges.0);
    let rows = ranges.map(|(name, range)| row(name, [range.normal, range.tangential]));
    Table { header: header.map(String::from).to_vec(), rows: rows.collect() }
}

fn acceleration_table(mode: &ModeOutcome) -> Table {
    let header = ["contact", "slip acc. from", "to", "gap acc. from", "to"];
    let ranges = mode.accelerations_range.iter().flat_map(|ranges| &ranges.0);
    let rows = ranges.map(|(name, range)| row(name, [range.u, range.v]));
    Table { header: header.map(String::from).to_vec(), rows: rows.collect() }
}

fn row(name: &str, ranges: [[Number; 2]; 2]) -> Vec<Cell> {
    let ends = ranges.into_iter().flatten().map(|x| Cell::Text(significant(x.0)));
    std::iter::once(Cell::Text(name.to_string())).chain(ends).collect()
}
