//! Disagreements that are known: what is to be emptied. A new one fails, and so does one that is gone.

use std::collections::BTreeMap;

pub(crate) struct Known {
    /// A family of states, or the state of a mechanism.
    family: &'static str,
    kind: &'static str,
    /// The share of its states, about.
    share: f64,
}

const fn known(family: &'static str, kind: &'static str, share: f64) -> Known {
    Known { family, kind, share }
}

#[rustfmt::skip]
const KNOWN: &[Known] = &[
];

/// What contradicts the list.
pub(crate) fn faults(
    rows: &BTreeMap<(String, String), usize>,
    compared: &BTreeMap<String, usize>,
) -> Vec<String> {
    let listed = if std::env::var("MECHAN_KNOWN").is_ok_and(|answer| answer == "no") { &[] } else { KNOWN };
    let find =
        |kind: &str, family: &str| listed.iter().find(|known| known.kind == kind && known.family == family);
    let new = rows.iter().filter_map(|((kind, family), &count)| {
        let of = compared[family] as f64;
        let Some(known) = find(kind, family) else { return Some(format!("new: {family}: {kind}: {count}")) };
        // a few states say nothing of shares: four deviations more
        let most = known.share * of + 4.0 * (known.share * of).sqrt() + 1.0;
        (count as f64 > most).then(|| format!("more than {most:.0}: {family}: {kind}: {count}"))
    });
    let gone = listed.iter().filter(|known| {
        let (of, found) =
            (compared.get(known.family), rows.get(&(known.kind.to_string(), known.family.to_string())));
        // that none is found where six were expected happens once in four hundred times
        found.is_none()
            && of.is_some_and(|&of| known.share * of as f64 >= if known.share < 1.0 { 6.0 } else { 1.0 })
    });
    new.chain(gone.map(|known| format!("gone: {}: {}", known.family, known.kind))).collect()
}
