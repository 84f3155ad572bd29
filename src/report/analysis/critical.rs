//! The critical friction over a domain in words: what is attained, what is proven, over what, and what was held fixed.

use super::units::{Field, field};
use crate::analysis::search::CriticalOutcome;
use crate::analysis::{Analysis, ByName, CriticalFriction, JamFriction, Number, SlipOutcome};
use crate::report::document::Document;
use crate::report::number::{self, significant};

/// Where in the domain a paradox first appears as friction grows, and where dynamic jam first attracts.
pub(super) fn critical_document(analysis: &Analysis) -> Document {
    let mut document = Document::new();
    for (name, least) in &analysis.critical_friction.0 {
        document.fields(least_fields(name, least));
        document.paragraph(statement(name, least));
    }
    for (name, jam) in &analysis.jam_friction.0 {
        document.append(jam_document(name, jam));
    }
    document
}

fn least_fields(name: &str, least: &CriticalFriction) -> Vec<Field> {
    let attained = match (least.outcome, &least.slip) {
        (CriticalOutcome::Paradox, Some(slip)) => {
            let at = ByName(least.at.0.iter().map(|(name, x)| (name.clone(), x.shown.into())).collect());
            format!("attained in {} at {}", direction(slip), places(&at))
        }
        _ => String::new(),
    };
    let label = if least.complete { "certified" } else { "lower bound" };
    vec![
        field(format!("mu_min at {name}"), significant(least.mu.0), attained),
        field(label, significant(least.certified_lower.0), bound_words(least)),
    ]
}

fn bound_words(least: &CriticalFriction) -> &'static str {
    match (least.outcome, least.complete) {
        (CriticalOutcome::Paradox | CriticalOutcome::NoParadox, true) => "no paradox below this friction",
        (CriticalOutcome::NoContact, _) => "no paradox at any friction",
        (CriticalOutcome::Needs, _) => "nothing is proven: friction is never negative",
        _ if least.certified_lower.0 > 0.0 => {
            "no paradox below this friction: proven before the budget was used up"
        }
        _ => "nothing is proven: the budget was used up, friction is never negative",
    }
}

/// What was found, over what, with what held.
fn statement(name: &str, least: &CriticalFriction) -> String {
    let found = match (least.outcome, least.complete) {
        (CriticalOutcome::Paradox, true) => "The least friction with a paradox, proven".to_string(),
        (CriticalOutcome::Paradox, false) => format!(
            "Undecided: the budget of boxes was used up ({}; --boxes allows more). {}",
            least.boxes,
            if least.certified_lower.0 > 0.0 {
                "The least friction with a paradox lies between the two, the lower one proven"
            } else {
                "A paradox is attained at this friction; that there is none below is not proven"
            }
        ),
        (CriticalOutcome::NoParadox, _) if least.certified_lower.0.is_infinite() => {
            "Normal and tangent are not coupled (B = 0): no paradox is possible, proven".to_string()
        }
        (CriticalOutcome::NoParadox, _) => "No friction in use makes a paradox, proven".to_string(),
        (CriticalOutcome::NoContact, _) => {
            "The contact is closed in no configuration of the domain: no paradox is possible, proven"
                .to_string()
        }
        (CriticalOutcome::Undecided, _) => {
            format!(
                "Undecided: no paradox was found with the budget of {} boxes (--boxes allows more); the bound is proven",
                least.boxes
            )
        }
        (CriticalOutcome::Needs, _) => {
            return format!(
                "The answer depends on {}, which neither the domain nor {name} and the constraints fix: name {} under \
                 `domain`, with a range.",
                least.needs.join(", "),
                if least.needs.len() == 1 { "it" } else { "them" }
            );
        }
    };
    format!("{found} {}{}.{}", covered(name, least), held(least), below(least))
}

/// What the least friction is not, if it is attained where another contact is violated.
fn below(least: &CriticalFriction) -> String {
    let gaps: Vec<String> =
        least.below.0.iter().map(|(name, gap)| format!("{name} (gap {})", significant(gap.0))).collect();
    match gaps.is_empty() {
        true => String::new(),
        false => format!(
            " It is attained below the surface of {}, at which the search does not look: without penetration the least friction may be \
             higher.",
            gaps.join(", ")
        ),
    }
}

/// What the search ran over.
fn covered(name: &str, least: &CriticalFriction) -> String {
    let names = least.at.0.iter().map(|(name, _)| name.as_str());
    let varied: Vec<&str> = names.filter(|name| !least.following.iter().any(|f| f == name)).collect();
    let over = match varied[..] {
        [] => "in every configuration".to_string(),
        _ => format!("over {} of the domain", varied.join(", ")),
    };
    let beside = match least.held_closed[..] {
        [] => String::new(),
        _ => format!(", {} held closed", least.held_closed.join(", ")),
    };
    let follows = match least.following[..] {
        [] => String::new(),
        [ref one] => format!(" ({one} follows)"),
        _ => format!(" ({} follow)", least.following.join(", ")),
    };
    format!("{over} with {name} closed and the constraints fulfilled{follows}{beside}")
}

/// The held values that matter.
fn held(least: &CriticalFriction) -> String {
    let value = |name: &String| least.held.get(name).map(|x| format!("{name} = {}", significant(x.0)));
    let values: Vec<String> = least.decisive.iter().filter_map(value).collect();
    if values.is_empty() { String::new() } else { format!(", for {}", values.join(", ")) }
}

fn direction(slip: &SlipOutcome) -> String {
    match slip {
        SlipOutcome::Word(word) => (*word).to_string(),
        SlipOutcome::Angle(angle) => format!("slip at the angle {}", number::angle(angle.0)),
    }
}

fn places(values: &ByName<Number>) -> String {
    let all: Vec<String> =
        values.0.iter().map(|(name, x)| format!("{name} = {}", significant(x.0))).collect();
    if all.is_empty() { "every configuration".to_string() } else { all.join(", ") }
}

fn jam_document(name: &str, jam: &JamFriction) -> Document {
    let mut document = Document::new();
    let place = format!("G1 in {} at {}, rate {}", jam.slip, places(&jam.at), significant(jam.rate.0));
    document.fields(vec![(format!("mu of dynamic jam at {name}"), significant(jam.mu.0), place)]);
    let held = match jam.held.is_empty() {
        true => String::new(),
        false => format!(", with {}", places(&jam.held)),
    };
    document.paragraph(format!(
        "Found by a scan of {} values with {name} closed and the constraints fulfilled{held}; that there is no less is not \
         proven.",
        jam.scanned
    ));
    document
}
