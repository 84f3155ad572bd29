//! Whether two say the same of a state, and in which way they do not.

use crate::followed::Followed;
use crate::said::Said;
use mechan::predict::Verdict;
use mechan::simulate::trajectory::Status;
use std::collections::BTreeSet;

/// The kind of a disagreement between the analysis and the motion, if there is one.
pub(crate) fn disagreement(said: &Said, followed: &Followed) -> Option<String> {
    let undecided = said.verdict == Some(Verdict::Undecided);
    match (said.verdict, followed.over) {
        (_, Some(Status::Failed | Status::Budget)) => Some("the motion fails".to_string()),
        (None, Some(Status::Undecided)) => None,
        (None, _) => Some("not analysed, and followed".to_string()),
        (Some(Verdict::Undecided), Some(Status::Undecided)) => reasons(said, followed),
        (Some(Verdict::Marginal), Some(Status::Undecided)) => None,
        (Some(_), Some(Status::Undecided)) if said.doubts(followed) => None,
        (Some(verdict), Some(Status::Undecided)) => {
            let what = short(followed.reason.as_deref().unwrap_or_default());
            Some(format!("{} for the analysis, undecided for the motion: {what}", verdict.name()))
        }
        (Some(_), _) if undecided => {
            let what =
                if said.names == followed.names { "the same is followed" } else { "something is followed" };
            Some(format!("undecided for the analysis, {what}"))
        }
        (Some(_), _) => names(said, followed),
    }
}

/// Whether both are undecided for the same reason.
fn reasons(said: &Said, followed: &Followed) -> Option<String> {
    let same = followed.reason.as_ref().is_some_and(|reason| said.warnings.contains(reason));
    let same = same || said.doubts(followed);
    (!same).then(|| "undecided for different reasons".to_string())
}

/// Whether the sets of names are the same.
fn names(said: &Said, followed: &Followed) -> Option<String> {
    let (a, b) = (&said.names, &followed.names);
    if a == b {
        return None;
    }
    let plain = |name: &String| name.replace(" pulled", "");
    if *a == b.iter().map(plain).collect::<BTreeSet<_>>() {
        return Some("the pulled side is told by the motion alone".to_string());
    }
    let has = |name: &String| b.iter().any(|other| is_alike(name, other));
    let is_had = |name: &String| a.iter().any(|other| is_alike(other, name));
    if a.iter().all(has) && b.iter().all(is_had) {
        return Some("another name for a contact without friction at rest".to_string());
    }
    let (only_a, only_b): (Vec<&String>, Vec<&String>) =
        (a.difference(b).collect(), b.difference(a).collect());
    let manifold = if said.manifold { ", forces decide accelerations" } else { "" };
    let omitted = only_b.is_empty() && followed.complete && !b.is_empty();
    let whole = if omitted { ", which is said to be all" } else { "" };
    if only_b.is_empty() && !b.is_empty() && only_a.iter().all(|name| said.is_marginal(name)) {
        return Some("at a border the motion takes fewer".to_string());
    }
    let kinds = |names: &[&String]| {
        let all: BTreeSet<String> = names.iter().map(|name| kind(said, name)).collect();
        if all.is_empty() { "nothing".to_string() } else { all.into_iter().collect::<Vec<_>>().join(" and ") }
    };
    Some(format!(
        "the analysis alone: {}, the motion alone: {}{manifold}{whole}",
        kinds(&only_a),
        kinds(&only_b)
    ))
}

/// Whether a name of the analysis is one of the motion but for contacts that slip without a direction for the motion.
fn is_alike(a: &str, b: &str) -> bool {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split(',').collect(), b.split(',').collect());
    let same = |(a, b): (&&str, &&str)| a == b || (*b == "slip" && matches!(*a, "stick" | "slip+" | "slip-"));
    a.len() == b.len() && a.iter().zip(&b).all(same)
}

/// What a name stands for.
fn kind(said: &Said, name: &str) -> String {
    let plain = name.replace(" pulled", "");
    let what = if name.starts_with("iwc") {
        "impact without collision"
    } else if name.starts_with("impact") {
        if name.contains('(') { "one of several impacts" } else { "impact" }
    } else if said.is_unstable(&plain) {
        "unstable mode"
    } else if said.is_marginal(&plain) {
        "mode at a border"
    } else if said.modes.contains_key(&plain) {
        "mode"
    } else {
        "mode that the analysis has not"
    };
    what.to_string()
}

/// The beginning of a reason, without names and numbers.
fn short(reason: &str) -> String {
    let plain = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    reason.split(' ').filter(plain).take(8).collect::<Vec<_>>().join(" ")
}
