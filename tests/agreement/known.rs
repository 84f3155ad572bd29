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
    // One motion with two names: a contact of the plane without friction is `stick`, `slip+` and `slip-` for the analysis and `slip` for the motion.
    known("another name for a contact without friction at rest", "block_on_feet resting mu_a=0 mu_b=0", 1.0),
    known("another name for a contact without friction at rest", "block_on_three_feet resting mu_a=0 mu_b=0 mu_c=0", 1.0),
    known("another name for a contact without friction at rest", "bouncing_ball at_rest", 1.0),
    known("another name for a contact without friction at rest", "tripod standing mu=0", 1.0),
    known("another name for a contact without friction at rest", "*, space", 0.0061),
    known("another name for a contact without friction at rest", "frictionless, plane", 0.076),
    // The analysis keeps every mode that holds with an equality, the motion looks a short time ahead; a rail passes for a contact that can move where its determinant is rounding.
    known("at a border the motion takes fewer", "disc_in_wedge touching", 1.0),
    known("at a border the motion takes fewer", "loose_plane s", 1.0),
    known("at a border the motion takes fewer", "shovel resting", 1.0),
    known("at a border the motion takes fewer", "*, plane", 0.0031),
    known("at a border the motion takes fewer", "*, space", 0.0039),
    // Impacts of several contacts with infinite friction: no impulses are found, and the analysis calls it `consistent` all the same.
    known("consistent for the analysis, undecided for the motion: an impact meets contact of infinite friction", "infinite friction, space", 0.1),
    // The one mode is unstable, and an impact without collision at two contacts may start: the analysis leaves nothing without saying that it is undecided.
    known("consistent for the analysis, undecided for the motion: an impact without collision at first and second", "two_point_body micro_sprag_slip", 1.0),
    known("consistent for the analysis, undecided for the motion: an impact without collision at and at once", "*, plane", 0.00045),
    // Slip of several contacts in space from rest: the motion does not search it.
    known("consistent for the analysis, undecided for the motion: directions in which one of several contacts in", "sledge sliding_off", 1.0),
    known("consistent for the analysis, undecided for the motion: directions in which one of several contacts in", "tripod sliding_off", 1.0),
    known("consistent for the analysis, undecided for the motion: directions in which one of several contacts in", "all but still, space", 0.39),
    known("consistent for the analysis, undecided for the motion: directions in which one of several contacts in", "feet, space", 0.31),
    known("consistent for the analysis, undecided for the motion: directions in which one of several contacts in", "frictionless, space", 0.12),
    known("consistent for the analysis, undecided for the motion: directions in which one of several contacts in", "held, space", 0.27),
    known("consistent for the analysis, undecided for the motion: directions in which one of several contacts in", "infinite friction, space", 0.08),
    known("consistent for the analysis, undecided for the motion: directions in which one of several contacts in", "rail, space", 0.085),
    known("consistent for the analysis, undecided for the motion: directions in which one of several contacts in", "two contacts, space", 0.32),
    // No impulses are found, and the analysis calls it `consistent` with an impact.
    known("consistent for the analysis, undecided for the motion: no impulses were found that satisfy the impact", "*, space", 0.0056),
    // An impact in space with infinite friction that is not followed to its end.
    known("consistent for the analysis, undecided for the motion: the impact in space does not end", "*, space", 0.0039),
    // Nothing but an impact without collision at two contacts at once: its conditions are only necessary.
    known("inconsistent for the analysis, undecided for the motion: an impact without collision at and at once", "*, plane", 0.00089),
    // Slip of several contacts in space from rest again.
    known("inconsistent for the analysis, undecided for the motion: directions in which one of several contacts in", "*, space", 0.0078),
    // And again.
    known("indeterminate for the analysis, undecided for the motion: directions in which one of several contacts in", "*, space", 0.0017),
    // Rails: the analysis wants contact points that can move in every direction, even of a contact that is open.
    known("not analysed, and followed", "moved_pendulum swinging", 1.0),
    known("not analysed, and followed", "ramp up", 1.0),
    known("not analysed, and followed", "swinging_bar dragged", 1.0),
    known("not analysed, and followed", "swinging_bar hinge_at_rest", 1.0),
    known("not analysed, and followed", "swinging_bar jammed", 1.0),
    known("not analysed, and followed", "swinging_bar pulled_back", 1.0),
    known("not analysed, and followed", "swinging_bar reversed_gravity", 1.0),
    known("not analysed, and followed", "rail, plane", 0.26),
    known("not analysed, and followed", "rail, space", 0.33),
    // The motion has no impact without collision at one of several contacts in space.
    known("the analysis alone: impact without collision, the motion alone: nothing", "*, space", 0.0011),
    // Rates that are rounding: the analysis does not measure them against the mechanism's own speed, and strikes.
    known("the analysis alone: impact, the motion alone: mode that the analysis has not", "block_on_three_feet resting dot(y)=-1e-20", 1.0),
    known("the analysis alone: impact, the motion alone: mode that the analysis has not", "all but still, plane", 0.53),
    known("the analysis alone: impact, the motion alone: mode that the analysis has not", "all but still, space", 0.39),
    // A mode at a border that the motion does not find.
    known("the analysis alone: mode at a border, the motion alone: nothing", "*, space", 0.00056),
    // A contact without friction at the border of lift-off: another name and fewer modes.
    known("the analysis alone: mode at a border, the motion alone: mode that the analysis has not", "linear_oscillator resting", 1.0),
    // Rates that are rounding again, by which the analysis lets contacts part; contacts that nothing can move, free for the one and sticking for the other.
    known("the analysis alone: mode, the motion alone: mode that the analysis has not", "loose_space s", 1.0),
    known("the analysis alone: mode, the motion alone: mode that the analysis has not", "*, space", 0.0026),
    known("the analysis alone: mode, the motion alone: mode that the analysis has not", "all but still, plane", 0.14),
    known("the analysis alone: mode, the motion alone: mode that the analysis has not", "all but still, space", 0.13),
    // Forces that are not unique and decide accelerations: the analysis keeps the mode, the motion the ends of its range.
    known("the analysis alone: mode, the motion alone: nothing, forces decide accelerations", "block_on_three_feet sliding chi=0.3 mu_a=0.2 mu_b=0.3 mu_c=0.5 dot(x)=-1", 1.0),
    known("the analysis alone: mode, the motion alone: nothing, forces decide accelerations", "block_on_three_feet sliding chi=0.75 mu_a=0.2 mu_b=0.3 mu_c=0.5 dot(x)=-1", 1.0),
    known("the analysis alone: mode, the motion alone: nothing, forces decide accelerations", "feet, plane", 0.071),
    // Slip from rest in space that is not searched where something else was found, and is not said to be left out.
    known("the analysis alone: mode, the motion alone: nothing, which is said to be all", "*, space", 0.0097),
    known("the analysis alone: mode, the motion alone: nothing, which is said to be all", "held, space", 0.071),
    known("the analysis alone: mode, the motion alone: nothing, which is said to be all", "infinite friction, space", 0.098),
    // A contact without friction in space: the motion tries the direction of the free acceleration, not that of the motion; or slip from rest.
    known("the analysis alone: mode, the motion alone: nothing", "*, space", 0.0028),
    // Slip from rest in space is not searched, and what is unstable is kept.
    known("the analysis alone: mode, the motion alone: unstable mode", "*, space", 0.00056),
    // Infinite friction in space: an impact without collision where the analysis has none.
    known("the analysis alone: nothing, the motion alone: impact without collision", "*, space", 0.0011),
    // Slip with infinite friction whose forces have the wrong sign: they carry nothing, and only their size is looked at; slip from rest of a held contact along directions of its other side.
    known("the analysis alone: nothing, the motion alone: mode that the analysis has not", "*, space", 0.00064),
    known("the analysis alone: nothing, the motion alone: mode that the analysis has not", "infinite friction, plane", 0.41),
    known("the analysis alone: nothing, the motion alone: mode that the analysis has not", "infinite friction, space", 0.13),
    // Several contacts in space: the motion does not ask whether a mode is stable.
    known("the analysis alone: nothing, the motion alone: unstable mode", "*, space", 0.0039),
    // The motion tells on which side a held contact is pressed, the analysis does not.
    known("the pulled side is told by the motion alone", "painleve_klein two_solutions", 1.0),
    known("the pulled side is told by the motion alone", "held, plane", 0.28),
    // Both are undecided, and give different reasons.
    known("undecided for different reasons", "table sliding_off", 1.0),
    known("undecided for different reasons", "*, space", 0.015),
    // The proof of the analysis is not finished, and the motion takes what it finds.
    known("undecided for the analysis, something is followed", "*, space", 0.0033),
    known("undecided for the analysis, the same is followed", "*, space", 0.0078),
    // Capturing takes the first solution that its solver finds, unstable ones included, and what is left where forces that are not unique are not followed.
    known("capturing takes a mode that does not last", "captured: *, plane", 0.022),
    known("capturing takes a mode that does not last", "captured: *, space", 0.0089),
    known("capturing takes a mode that does not last", "captured: all but still, plane", 0.14),
    known("capturing takes a mode that does not last", "captured: all but still, space", 0.18),
    known("capturing takes a mode that does not last", "captured: four contacts, plane", 0.2),
    known("capturing takes a mode that does not last", "captured: frictionless, plane", 0.071),
    known("capturing takes a mode that does not last", "captured: held, plane", 0.085),
    known("capturing takes a mode that does not last", "captured: infinite friction, plane", 0.18),
    known("capturing takes a mode that does not last", "captured: infinite friction, space", 0.18),
    known("capturing takes a mode that does not last", "captured: rail, plane", 0.16),
    known("capturing takes a mode that does not last", "captured: three contacts, plane", 0.14),
    // Rates that are rounding, and impacts with infinite friction.
    known("where an impact follows, capturing: goes on", "captured: all but still, plane", 0.52),
    known("where an impact follows, capturing: goes on", "captured: all but still, space", 0.63),
    known("where an impact follows, capturing: undecided", "captured: *, plane", 0.00089),
    known("where an impact follows, capturing: undecided", "captured: *, space", 0.012),
    known("where an impact follows, capturing: inconsistent", "captured: *, plane", 0.00045),
    known("where an impact follows, capturing: inconsistent", "captured: *, space", 0.0011),
    // Capturing goes on with impulses that do not satisfy the impact law, or by unstable modes, or does not see what is inconsistent.
    known("where nothing lasts, capturing: goes on", "captured: *, plane", 0.018),
    known("where nothing lasts, capturing: goes on", "captured: infinite friction, plane", 0.071),
    known("where nothing lasts, capturing: goes on", "captured: struck, plane", 0.3),
    known("where nothing lasts, capturing: goes on", "captured: infinite friction, space", 0.12),
    known("where nothing lasts, capturing: undecided", "captured: *, plane", 0.0058),
    known("where nothing lasts, capturing: undecided", "captured: *, space", 0.0022),
    // Capturing does not follow forces that are not unique, rails, infinite friction, slip of several contacts in space from rest.
    known("where one motion lasts, capturing: budget", "captured: rail, plane", 0.14),
    known("where one motion lasts, capturing: inconsistent", "captured: *, space", 0.0067),
    known("where one motion lasts, capturing: inconsistent", "captured: infinite friction, plane", 0.067),
    known("where one motion lasts, capturing: undecided", "captured: *, plane", 0.0089),
    known("where one motion lasts, capturing: undecided", "captured: *, space", 0.018),
    known("where one motion lasts, capturing: undecided", "captured: held, space", 0.13),
    known("where one motion lasts, capturing: undecided", "captured: rail, space", 0.12),
    known("where one motion lasts, capturing: indeterminate", "captured: *, plane", 0.0054),
    // The same where several motions last.
    known("where several motions last, capturing: inconsistent", "captured: *, space", 0.0011),
    known("where several motions last, capturing: undecided", "captured: *, space", 0.0089),
    known("where several motions last, capturing: budget", "captured: *, plane", 0.00045),
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
