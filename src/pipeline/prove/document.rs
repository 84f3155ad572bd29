//! Claims and their answers as a report.

use super::outcome::ProvedClaim;
use crate::prove::{Exact, Verdict};
use crate::report::{Document, not_compared, significant};

/// A report of answers.
pub fn proof_document(mechanism: &str, claims: &[ProvedClaim]) -> Document {
    let mut document = Document::new();
    document.heading(1, format!("{mechanism}: claims about all states"));
    for claim in claims {
        document.heading(2, claim.claim.clone());
        document.paragraph(meant(claim));
        match &claim.proof.verdict {
            Verdict::Proven => {
                document.paragraph(format!("Proven, in {}.", parts(claim)));
                if !claim.proof.inhabited {
                    document.note(UNINHABITED.to_string());
                }
            }
            Verdict::Refuted(_) => document.paragraph(refuted(claim)),
            Verdict::Vacuous => document.warning(
                "Vacuous: it is proven that no state of the box is meant, so that nothing is said of the mechanism. Where numbers are held that \
                 gaps or constraints would determine, give them a range.",
            ),
            Verdict::Undecided => undecided(claim, &mut document),
        }
        not_compared(&mut document, &claim.uncompared);
        if let Err(why) = &claim.certificate {
            document.warning(format!("There is no certificate: {why}."));
        }
    }
    document
}

/// Of what is proven, and may be about nothing.
const UNINHABITED: &str = "No state of the box that is meant was found, nor shown that there is none. Where numbers are held that equations would \
                           determine, give them a range.";

/// Which states the claim is about.
fn meant(claim: &ProvedClaim) -> String {
    let range = |(name, lo, hi): &(String, Exact, Exact)| format!("{name} in [{lo}, {hi}]");
    let ranges: Vec<String> = claim.ranges.iter().map(range).collect();
    let mut text = match ranges.is_empty() {
        true => "At the one choice of numbers below".to_string(),
        false => format!("For all {}", ranges.join(", ")),
    };
    if !claim.open.is_empty() {
        text += &format!(", all {} that gaps and constraints allow", claim.open.join(", "));
    }
    if !claim.closed.is_empty() {
        text += &format!(", wherever {} closed", are(&claim.closed));
    }
    if let Some(meant) = claim.meant {
        text += &format!(", {meant}");
    }
    if claim.physical {
        text += ", wherever no mass, inertia or friction is negative";
    }
    if !claim.given.is_empty() {
        text += &format!(", given {}", claim.given.join(", "));
    }
    let texts = claim.texts.iter().map(|(name, text)| format!("{name} = {text}"));
    let held: Vec<String> = texts.chain(claim.held.iter().map(|(name, x)| format!("{name} = {x}"))).collect();
    if !held.is_empty() {
        text += &format!("; with {}", held.join(", "));
    }
    if !claim.follows.is_empty() {
        text += &format!("; {} from the gaps and constraints", follow(&claim.follows));
    }
    text + "."
}

fn are(names: &[String]) -> String {
    format!("{} {}", names.join(", "), if names.len() == 1 { "is" } else { "are" })
}

fn follow(names: &[String]) -> String {
    format!("{} {}", names.join(", "), if names.len() == 1 { "follows" } else { "follow" })
}

fn parts(claim: &ProvedClaim) -> String {
    let parts = claim.proof.parts;
    if parts == 1 { "one part".to_string() } else { format!("{parts} parts") }
}

fn refuted(claim: &ProvedClaim) -> String {
    let place = |(name, lo, hi): (&str, &Exact, Option<&Exact>)| match hi {
        None => format!("{name} = {lo}"),
        Some(hi) => format!(
            "{name} between {} and {} (to the last digit in the certificate)",
            significant(lo.enclosed().lo),
            significant(hi.enclosed().hi)
        ),
    };
    let found: Vec<String> = claim.counterexample().into_iter().flatten().map(place).collect();
    if found.is_empty() {
        return "Refuted: it fails there.".to_string();
    }
    format!("Refuted: it fails at {}.", found.join(", "))
}

fn undecided(claim: &ProvedClaim, document: &mut Document) {
    let share = significant(claim.proof.open);
    document.warning(format!("Undecided: a share {share} of the box stays open after {}.", parts(claim)));
    let span =
        |(name, lo, hi): (&str, f64, f64)| format!("{name} from {} to {}", significant(lo), significant(hi));
    if let Some(looked_for) = claim.sufficient {
        document.note(format!(
            "What is looked for: {looked_for}. It is enough for the claim, and not necessary. That it is not found refutes nothing."
        ));
        return;
    }
    let left: Vec<String> = claim.left().into_iter().map(span).collect();
    if !left.is_empty() {
        document.note(format!(
            "What stays open lies within {}. Where a bound is attained no number of parts is enough: leave a small margin, or cut \
             this corner off by --box or --given; otherwise allow more by --boxes.",
            left.join(", ")
        ));
    }
}
