//! Faults that motions are known to have, narrowly: kinds of complaints, in families.

use super::case::Case;

/// Begin of the complaint, families (empty: all), and what is wrong.
const KNOWN: [(&str, &[&str], &str); 0] = [];

/// Whether a complaint about a motion is one of these.
pub(crate) fn is_known(kind: &str, case: &Case) -> bool {
    let counts = std::env::var("MECHAN_KNOWN").map_or(true, |answer| answer != "no");
    let covers = |(begin, families, _): &(&str, &[&str], &str)| {
        kind.starts_with(begin) && (families.is_empty() || families.contains(&case.family))
    };
    counts && KNOWN.iter().any(covers)
}
