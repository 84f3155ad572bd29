//! Faults that motions are known to have: kinds of complaints, in which families, in how many motions of a hundred of these at most.

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

#[rustfmt::skip]
const KNOWN: [Known; 11] = [
    // states of a point mass, which has no length against which a gap is rounding
    known("its own state is refused", &["ball in space"], 0.03),
    // contacts between what sticks and what slips, and hops that are more or fewer
    known("events depend on", &[], 0.01),
    // joint impacts in space: in corners narrow for their friction Moreau's rule has no solution, which is not proven
    known("undecided: no impulses were found", &["ball in space"], 0.03),
    known("undecided: directions in which", &["rod in space"], 0.03),
    // impacts of two contacts in turn that do not get weaker, or leave what is closed without forces of its own
    known("undecided: events follow each other", &[], 0.02),
    known("undecided: impacts follow each other", &["disc in a corner"], 0.03),
    known("undecided: the forces of", &["held side"], 0.03),
    // slip that creeps, and impacts of several contacts whose series is not summed up
    known("budget: ", &["rod in space", "rocking block"], 0.01),
    known("failed: ", &[], 0.01),
    known("energy is not accounted for", &["rocking block"], 0.02),
    known("not as retraced", &["chain", "pendulum among stops"], 0.05),
];

/// The known fault that a complaint about a motion is.
pub(crate) fn find(kind: &str, case: &Case) -> Option<usize> {
    if std::env::var("MECHAN_KNOWN").is_ok_and(|answer| answer == "no") {
        return None;
    }
    KNOWN.iter().position(|known| {
        kind.starts_with(known.kind) && (known.families.is_empty() || known.families.contains(&case.family))
    })
}

/// Known faults that more motions have than are known to, of as many in each family: those that were found, by number.
pub(crate) fn exceeded(counts: &std::collections::BTreeMap<usize, usize>, of_a_family: f64) -> Vec<String> {
    let over = |(&i, &count): (&usize, &usize)| {
        let families =
            if KNOWN[i].families.is_empty() { super::FAMILIES.len() } else { KNOWN[i].families.len() };
        // a few motions say nothing of shares
        let most = KNOWN[i].most * of_a_family * families as f64 + 2.0;
        (count as f64 > most).then(|| format!("{}: {count} instead of at most {most:.0}", KNOWN[i].kind))
    };
    counts.iter().filter_map(over).collect()
}
