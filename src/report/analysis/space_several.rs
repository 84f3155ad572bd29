//! Several contacts in space, as a section of a report: how they were decided, rest, forces that are not unique, impacts without collision.

use super::prospect::condition_word;
use super::several::{can_start, standing_words};
use super::space::word;
use crate::analysis::planar::Condition;
use crate::analysis::space::{
    ForceRangeOutcome, RestBy, SeveralOutcome, SpaceIwcOutcome, SpaceMode, SpaceProspect, SpaceRestOutcome,
};
use crate::analysis::{ByName, Number};
use crate::predict::{ModeName, Possible};
use crate::report::document::{Cell, Document, Table};
use crate::report::number::{beside, significant};

/// Words that are listed one by one.
const TOLD: usize = 12;

/// What is said of several contacts; nothing of one.
pub(super) fn several_document(prospect: &SpaceProspect) -> Document {
    let mut document = Document::new();
    let Some(several) = &prospect.several else { return document };
    document.paragraph(counts(several));
    if (1..=TOLD).contains(&several.undecided.len()) {
        let words: Vec<String> = several.undecided.iter().map(combination).collect();
        document.paragraph(format!("Neither found nor refuted: {}.", words.join("; ")));
    }
    let is_alone = prospect.modes.iter().any(|mode| mode.mode.0.len() == 1);
    for iwc in &prospect.impacts_without_collision {
        document.paragraph(iwc_words(iwc, is_alone));
    }
    for mode in prospect.modes.iter().filter(|mode| !mode.hyperstatic.is_empty()) {
        document.paragraph(format!("Forces of {}: not unique. Proven bounds of each:", word(mode)));
        document.table(range_table(mode));
    }
    document
}

fn counts(several: &SeveralOutcome) -> String {
    let SeveralOutcome { modes_examined, modes_pruned, boxes, partial_decisions, .. } = several;
    let mut text =
        format!("Combinations of modes: {modes_examined} were judged, {modes_pruned} refuted together");
    if *partial_decisions > 0 {
        text += &format!(" ({partial_decisions} partial decisions)");
    }
    if *boxes > 0 {
        text += &format!("; {boxes} boxes of slip directions");
    }
    text + "."
}

fn combination(words: &ByName<ModeName>) -> String {
    words.0.iter().map(|(_, word)| word.name()).collect::<Vec<_>>().join(",")
}

fn iwc_words(iwc: &SpaceIwcOutcome, is_alone: bool) -> String {
    let place = iwc.contacts.join(" and ");
    let parts: Vec<String> =
        iwc.others.0.iter().map(|(name, word)| format!("{name}: {}", word.name())).collect();
    let others = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    match iwc.possible {
        Possible::Yes => can_start(&place, is_alone),
        Possible::Necessary => format!(
            "The necessary conditions of an impact without collision at {place} hold{others}; whether it starts depends on the compliance."
        ),
        Possible::Marginal => {
            format!("Whether an impact without collision can start at {place} is marginal{others}.")
        }
    }
}

fn range_table(mode: &SpaceMode) -> Table {
    let header = ["contact", "lambda_N", "lambda_T1", "lambda_T2"].map(String::from).to_vec();
    let each = mode
        .hyperstatic
        .0
        .iter()
        .flat_map(|(_, range)| [range.normal, range.tangential[0], range.tangential[1]]);
    let finite: Vec<f64> = each.flatten().map(|x| x.0).filter(|x| x.is_finite()).collect();
    let row = |(name, range): &(String, ForceRangeOutcome)| {
        let [one, two] = range.tangential;
        let end = |x: Number| significant(beside(x.0, finite.iter().copied()));
        let ends =
            [range.normal, one, two].map(|[low, high]| Cell::Text(format!("{} to {}", end(low), end(high))));
        std::iter::once(Cell::Text(name.clone())).chain(ends).collect()
    };
    Table { header, rows: mode.hyperstatic.0.iter().map(row).collect() }
}

/// Weak and strong stability.
pub(super) fn rest_document(rest: &SpaceRestOutcome) -> Document {
    let mut document = Document::new();
    document.paragraph(standing_words(rest.weak, rest.strong, &rest.ambiguous_with));
    let field =
        |label: &str, value: &str, remark: &str| (label.to_string(), value.to_string(), remark.to_string());
    let proof = match (rest.strong, rest.by) {
        (_, Some(RestBy::NormalForces)) => "nothing else can happen: normal forces alone hold it",
        (_, Some(RestBy::Refutation)) => "nothing else can happen: every motion that leaves it is refuted",
        (_, Some(RestBy::Enumeration)) => "nothing else can happen: every combination of modes is decided",
        (Condition::Fails, None) => "something else can happen",
        (_, None) => "whether something else can happen is not decided",
    };
    let mut fields = vec![
        field("weakly stable", condition_word(rest.weak), "forces in the cones hold it (Pang, Trinkle)"),
        field("strongly stable", condition_word(rest.strong), proof),
    ];
    if !rest.ambiguous_with.is_empty() {
        fields.push(field("ambiguous with", &rest.ambiguous_with.join(" or "), "other consistent modes"));
    }
    document.fields(fields);
    document
}
