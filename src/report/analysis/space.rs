//! What is said of contacts in space alone: the directions of slip with p < 0, those in which slip leaves rest, and slip that turns.

use super::units::{Field, field, with_unit};
use crate::analysis::space::{Crossing, LeastGainOutcome, OnsetOutcome};
use crate::analysis::{Number, SpaceOutcome};
use crate::num::Tol;
use crate::report::document::{Depth, Document};
use crate::report::number::{angle, significant};

/// The slip directions with p < 0, and the least p, as fields of a contact.
pub(super) fn direction_fields(
    forbidden: &[[Number; 2]],
    least: &LeastGainOutcome,
    mobility: Option<&str>,
) -> Vec<Field> {
    let place = match least.phi.0 {
        phi if phi.is_nan() => "in every direction of slip".to_string(),
        phi => format!("over the directions of slip, at phi = {}", angle(phi)),
    };
    let arcs: Vec<String> =
        forbidden.iter().map(|[from, to]| format!("({}, {})", angle(from.0), angle(to.0))).collect();
    let shown = if arcs.is_empty() { "none".to_string() } else { arcs.join(", ") };
    vec![
        field("p_min", with_unit(significant(least.value.shown), mobility), place),
        field("forbidden", shown, "slip directions with p < 0, from the first tangent"),
    ]
}

/// Slip that is about to turn into the directions with p < 0.
pub(super) fn add_space(document: &mut Document, found: &SpaceOutcome) {
    let near = |crossing: &Crossing| crossing.distance.0 <= Tol::default().near_jam;
    for (name, crossing) in found.crossing.0.iter().filter(|(_, crossing)| near(crossing)) {
        let title = format!("Slip direction and p at {name}");
        document.section("jam", Depth::Usual, title, crossing_document(crossing));
    }
}

/// How completely the directions in which slip can leave rest are known.
pub(super) fn onset_words(name: &str, onset: &OnsetOutcome) -> String {
    let proof = if onset.complete {
        format!("proven on {} arcs of the circle with outward rounding", onset.arcs)
    } else {
        "not proven to be all: two of them meet within rounding".to_string()
    };
    let count = match onset.directions {
        0 => "no direction".to_string(),
        1 => "1 direction".to_string(),
        n => format!("{n} directions"),
    };
    format!("Slip from rest at {name}: {count} with the slip acceleration parallel to the slip, {proof}.")
}

fn crossing_document(crossing: &Crossing) -> Document {
    let mut document = Document::new();
    let shown = if crossing.distance.0 <= Tol::default().noise { 0.0 } else { crossing.p.0 };
    let mut fields = vec![
        field("p", significant(shown), "in the direction of slip"),
        field("limit of p p'", significant(crossing.rate.0), "as p tends to 0 in this direction"),
    ];
    if crossing.crosses {
        fields.push(field("time to p = 0", significant(crossing.time.0), "s, to leading order in p"));
    }
    document.fields(fields);
    document.paragraph(if crossing.crosses {
        "The slip turns into the forbidden directions: p falls through 0 transversally, with lambda_N ~ (t* - t)^(-1/2), and an \
         impact without collision follows."
    } else {
        "The slip turns away from the forbidden directions where p is small."
    });
    document
}
