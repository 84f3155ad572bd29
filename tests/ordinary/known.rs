//! Faults that motions are known to have: kinds of complaints, in which families, in how many motions of these at most.

use super::case::Case;

pub(crate) struct Known {
    /// How the complaint begins.
    kind: &'static str,
    /// In which families; empty: in all.
    families: &'static [&'static str],
    /// The largest share of motions.
    most: f64,
}

const fn known(kind: &'static str, families: &'static [&'static str], most: f64) -> Known {
    Known { kind, families, most }
}

/// At most the shares of 10^5 motions and of the ends of 10^4, with some room.
#[rustfmt::skip]
const KNOWN: [Known; 14] = [
    // a foot that is held by another one without room to move
    known("undecided: the forces of", &["held side"], 0.001),
    // two contacts of which the one leaves as the other one meets, within what can be told
    known("undecided: events follow each other", &[], 1e-4),
    // boxes that lie on each other and hop from edge to edge, whose series has no one ratio either: they are followed as far as a test has time.
    // One of 300 of them is, and others after 14,000 steps are not
    known("budget: ", &["box onto a box"], 0.03),
    // hops of two contacts in turn, whose series has no one ratio and is not summed up: more or fewer of them are followed, their
    // friction adds up otherwise, or they are too many
    known("events depend on", &[], 4e-4),
    known("budget: ", &[], 1e-3),
    known("energy is not accounted for", &[], 3e-4),
    // the same within a step that is longer than many hops: the motion says so
    known("failed: ", &[], 2e-4),
    // spherical angles near their pole
    known("not ", &["rod in space", "rod in a corner", "ball in space"], 1e-3),
    // three contacts that come to rest with forces that are not unique: the judge does not have all of their ways on
    known("indeterminate: ", &["rod in a corner", "disc in a corner"], 1e-3),
    // Newton's method of Moreau's steps where forces are not unique
    known("no time-stepping goes on", &[], 8e-4),
    // hops of one body on another that moves, which nobody could see by the sizes of both, and by those of one
    known("law of an impact", &["box onto a box"], 0.05),
    // one motion is found on eight contacts of two bodies, and not shown to be the only one; all that are found are unstable; stiffnesses
    // choose among forces that are not unique
    known("undecided: of  contacts one motion", &["box onto a box"], 0.02),
    known("inconsistent: every mode", &["box onto a box"], 0.02),
    known("not as retraced", &["box onto a box"], 0.02),
];

/// Motions drawn afresh that may have faults of kinds that are not listed, as a share of all: none among the usual ones, and none of what
/// would make a motion worthless.
const OTHERS: f64 = 2e-4;
const NEVER: [&str; 4] = ["missed impact", "a sample", "a panic", "a closed gap is open"];

/// The probability with which motions that have faults in just these shares are refused all the same.
const FALSE_ALARM: f64 = 1e-7;

/// The known fault that a complaint about a motion is.
pub(crate) fn find(kind: &str, case: &Case) -> Option<usize> {
    if std::env::var("MECHAN_KNOWN").is_ok_and(|answer| answer == "no") {
        return None;
    }
    KNOWN.iter().position(|known| {
        kind.starts_with(known.kind) && (known.families.is_empty() || known.families.contains(&case.family))
    })
}

/// Known faults that more motions have than their shares explain, of as many motions in each family: those that were found, by number.
pub(crate) fn exceeded(
    counts: &std::collections::BTreeMap<usize, usize>,
    families: &std::collections::BTreeMap<&'static str, usize>,
) -> Vec<String> {
    let over = |(&i, &count): (&usize, &usize)| {
        let known = &KNOWN[i];
        let of = families.iter().filter(|(f, _)| known.families.is_empty() || known.families.contains(f));
        let most = likely(of.map(|(_, count)| count).sum(), known.most);
        (count > most).then(|| format!("{}: {count} instead of at most {most}", known.kind))
    };
    counts.iter().filter_map(over).collect()
}

/// How many of as many motions may have faults that are not listed.
pub(crate) fn others(motions: usize, seed: u64) -> usize {
    if seed == super::SEED { 0 } else { likely(motions, OTHERS) }
}

/// Whether a complaint is one that no motion may have.
pub(crate) fn is_grave(kind: &str) -> bool {
    NEVER.iter().any(|grave| kind.starts_with(grave))
}

/// The least number that as many trials with a probability exceed with a probability below [`FALSE_ALARM`].
fn likely(trials: usize, probability: f64) -> usize {
    let (n, odds) = (trials as f64, probability / (1.0 - probability));
    // log of the probability of k successes, from one to the next
    let mut term = n * (-probability).ln_1p();
    let mut left = 1.0 - term.exp();
    for k in 0..trials {
        if left < FALSE_ALARM {
            return k;
        }
        term += ((n - k as f64) / (k as f64 + 1.0) * odds).ln();
        left -= term.exp();
    }
    trials
}

#[test]
fn likely_numbers_are_those_of_the_binomial_distribution() {
    // P(more than 1 of 2) = 1/4, more than 2 never; and the mean with a little more than five standard deviations
    assert_eq!(likely(2, 0.5), 2);
    assert_eq!(likely(0, 0.1), 0);
    let (n, p) = (10_000, 0.01);
    let deviations = (likely(n, p) as f64 - 100.0) / 99.0_f64.sqrt();
    assert!((5.2..5.9).contains(&deviations), "{deviations}");
    // of a thousand motions with a share of 1e-4 a few
    assert!((3..6).contains(&likely(1000, 1e-4)));
}
