//! Disagreements that are known: what is to be emptied. A new one fails, and so does one that is gone.

use std::collections::BTreeMap;

struct Known {
    kind: &'static str,
    /// A family of states, the state of a mechanism, or `*` and how the names of families end.
    place: &'static str,
    /// The share of the states there, about.
    share: f64,
}

const fn known(kind: &'static str, place: &'static str, share: f64) -> Known {
    Known { kind, place, share }
}

#[rustfmt::skip]
const KNOWN: &[Known] = &[
];

/// The entry about a kind of disagreement in a family.
fn find(kind: Option<&str>, family: &str) -> Vec<usize> {
    let of = |known: &&Known| kind.is_none_or(|kind| known.kind == kind);
    let here = |known: &Known| match known.place.strip_prefix('*') {
        Some(end) => family.ends_with(end),
        None => known.place == family,
    };
    let all = (0..KNOWN.len()).filter(|&i| of(&&KNOWN[i]) && here(&KNOWN[i]));
    // an entry of its own before that of several families
    let own = |i: &usize| KNOWN[*i].place == family;
    let rank = |i: &usize| (KNOWN[*i].kind, !own(i));
    let mut all: Vec<usize> = all.collect();
    all.sort_by_key(rank);
    all.dedup_by_key(|i| KNOWN[*i].kind);
    all
}

/// What contradicts the list.
pub(crate) fn faults(
    rows: &BTreeMap<(String, String), usize>,
    compared: &BTreeMap<String, usize>,
) -> Vec<String> {
    let nothing_is_known = std::env::var("MECHAN_KNOWN").is_ok_and(|answer| answer == "no");
    let mut faults = Vec::new();
    let (mut found, mut of) = (vec![0_usize; KNOWN.len()], vec![0_usize; KNOWN.len()]);
    for ((kind, family), count) in rows {
        match find(Some(kind), family).first().filter(|_| !nothing_is_known) {
            Some(&i) => found[i] += count,
            None => faults.push(format!("new: {family}: {kind}: {count}")),
        }
    }
    for (family, count) in compared {
        find(None, family).into_iter().for_each(|i| of[i] += count);
    }
    for (i, known) in KNOWN.iter().enumerate().filter(|_| !nothing_is_known) {
        let expected = known.share * of[i] as f64;
        // a few states say nothing of shares: five deviations more, and that none is found where eight are expected does not happen
        let most = expected + 5.0 * expected.sqrt() + 2.0;
        if found[i] as f64 > most {
            faults
                .push(format!("{} instead of at most {most:.0}: {}: {}", found[i], known.place, known.kind));
        }
        if found[i] == 0 && expected >= if known.share < 1.0 { 8.0 } else { 1.0 } {
            faults.push(format!("gone: {}: {}", known.place, known.kind));
        }
    }
    faults
}
