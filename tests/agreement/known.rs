//! Disagreements that are known: what is to be emptied. A new one fails, and so does one that is gone.

use std::collections::BTreeMap;

struct Known {
    kind: &'static str,
    /// A family of states, the state of a mechanism, or how the names of families begin and end, with `*` between.
    place: &'static str,
    /// The share of the states there, about.
    share: f64,
}

const fn known(kind: &'static str, place: &'static str, share: f64) -> Known {
    Known { kind, place, share }
}

#[rustfmt::skip]
const KNOWN: &[Known] = &[
    // The proof of the analysis is not finished, and the motion takes what it finds and says that it may not be all.
    known("undecided for the analysis, the same is followed", "*, space", 0.0094),
    known("undecided for different reasons", "infinite friction, space", 0.04),
    known("undecided for different reasons", "*, space", 0.0015),
    // A direction in which slip with infinite friction sets in, and from which it turns away at once: no step of the motion begins in it.
    known("the analysis alone: mode, the motion alone: mode that the analysis has not", "infinite friction, space", 0.038),
    // The motion that sets in fails at once: slips out of rest whose directions drift apart, hops within rounding of time.
    known("the analysis alone: mode, the motion alone: mode that the analysis has not", "*, space", 0.007),
    known("the analysis alone: impact without collision, the motion alone: impact without collision", "rail, plane", 0.006),
    // Where slips set in, implicit stages of steps of this length are not found: capturing asks for shorter ones.
    known("where one motion lasts, capturing: failed", "captured: *, space", 0.003),
];

/// The entry about a kind of disagreement in a family.
fn find(kind: Option<&str>, family: &str) -> Vec<usize> {
    let of = |known: &&Known| kind.is_none_or(|kind| known.kind == kind);
    let here = |known: &Known| match known.place.split_once('*') {
        Some((begin, end)) => {
            family.starts_with(begin) && family.ends_with(end) && family.contains(':') == begin.contains(':')
        }
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
