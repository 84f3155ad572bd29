//! A line a state: its verdict, what follows, and the one thing to know.

use super::Illustrations;
use super::why::Decisive;
use crate::analysis::planar::{Fate, Jam};
use crate::analysis::several::RestOutcome;
use crate::analysis::{Analysis, Particular, PlaneOutcome, Prospect, StateAnswer, StateOutcome, Tangential};
use crate::equilibrium::{Condition, Equilibrium, LyapunovVerdict};
use crate::num::Tol;
use crate::predict::Verdict;
use crate::report::document::{Cell, Table, Tone};
use crate::report::number::digits;
use std::borrow::Cow;

/// The table at the beginning of a report.
pub(super) fn overview_table(analysis: &Analysis, shown: &Illustrations) -> Table {
    let pictured = shown.states.iter().any(|(_, figures)| figures.thumbnail.is_some());
    let rows = analysis.states.iter().map(|answer| {
        let (name, cells) = match answer {
            StateAnswer::Outcome(state) => (&state.state, line(state)),
            StateAnswer::Failure(failure) => (
                &failure.state,
                [Cell::Verdict(Tone::Open, "no answer".into()), text("-"), text(failure.message())],
            ),
        };
        let thumbnail = shown.of(name).and_then(|figures| figures.thumbnail.clone());
        let picture = pictured.then(|| Cell::Picture(thumbnail.unwrap_or_default()));
        picture.into_iter().chain([Cell::Link(state_title(name), name.clone())]).chain(cells).collect()
    });
    let header = ["state", "verdict", "what follows", "what to know"];
    let header = pictured.then_some("").into_iter().chain(header).map(String::from);
    Table { header: header.collect(), rows: rows.collect() }
}

/// The heading of a state.
pub(super) fn state_title(name: &str) -> String {
    format!("State {name}")
}

fn line(state: &StateOutcome) -> [Cell; 3] {
    let (tone, word) = verdict(state);
    [Cell::Verdict(tone, word), text(follows(state)), text(to_know(state))]
}

fn text(words: impl Into<String>) -> Cell {
    Cell::Text(words.into())
}

/// The verdict's word, and what it is like.
fn verdict(state: &StateOutcome) -> (Tone, String) {
    match state.prospect.verdict {
        Some(verdict) => (tone(verdict), verdict.name().to_string()),
        None if state.closed.is_empty() => (Tone::Good, "free".to_string()),
        None => (Tone::Open, "no verdict".to_string()),
    }
}

/// What a verdict is like.
pub(super) fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Consistent => Tone::Good,
        Verdict::Inconsistent => Tone::Bad,
        Verdict::Indeterminate => Tone::Several,
        Verdict::Marginal | Verdict::Undecided => Tone::Open,
    }
}

/// What can follow, in words.
fn follows(state: &StateOutcome) -> String {
    match &state.prospect.resolved[..] {
        [] if state.closed.is_empty() => "free motion".to_string(),
        [] => nothing(state.prospect.verdict).to_string(),
        words => alternatives(words),
    }
}

/// That nothing can follow: there is no motion, or none that compliance lets last; of a state that was not judged nothing is said.
pub(super) fn nothing(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Inconsistent) => "nothing",
        Some(_) => "nothing that lasts",
        None => "-",
    }
}

/// What can follow, one or another, in words.
pub(super) fn alternatives(words: &[Cow<'static, str>]) -> String {
    words.iter().map(|word| plain(word)).collect::<Vec<_>>().join(" or ")
}

/// Whether what follows is an impact, as a contact approaches.
pub(super) fn is_impact(resolved: &[Cow<'static, str>]) -> bool {
    resolved == ["impact"]
}

/// A word of the machine-readable report for a reader.
fn plain(word: &str) -> String {
    match word {
        "iwc" => "impact without collision".to_string(),
        "free" => "lift-off".to_string(),
        other => {
            let within = |before: &str| other.strip_prefix(before).and_then(|rest| rest.strip_suffix(')'));
            match (within("iwc("), within("impact(")) {
                (Some(place), _) => format!("impact without collision at {place}"),
                (_, Some(word)) => format!("impact, then {}", word.replace(',', ", ")),
                _ => other.replace(',', ", "),
            }
        }
    }
}

/// A number with four digits, for a line.
fn short(x: f64) -> String {
    digits(x, 4)
}

/// The one thing to know about a state: what is lost first, or how far the next verdict is.
fn to_know(state: &StateOutcome) -> String {
    let prospect = &state.prospect;
    let found = prospect.rest.as_ref().map(standing).or_else(|| moves_on(state));
    let found = found.or_else(|| match &prospect.particular {
        Particular::Plane(found) => plane(state, found),
        Particular::Space(_) => space(state),
    });
    let is_unexplained = is_impact(&prospect.resolved) && prospect.impact.is_empty();
    let warning = || if is_unexplained { state.warnings.last() } else { state.warnings.first() }.cloned();
    found.or_else(warning).or_else(|| leaving(state)).unwrap_or_default()
}

/// What a state does of which there is nothing to judge.
fn leaving(state: &StateOutcome) -> Option<String> {
    let [name] = &state.closed[..] else {
        return state.closed.is_empty().then(|| "no contact is closed".to_string());
    };
    let rate = state.contacts.get(name)?.gap_rate.shown;
    (rate > 0.0).then(|| format!("the gap opens at the rate {}", short(rate)))
}

/// Of contacts that only stick in a mechanism that is no equilibrium: that it moves, or begins to.
fn moves_on(state: &StateOutcome) -> Option<String> {
    let [only] = &state.prospect.resolved[..] else { return None };
    let stick = state.closed.len() > 1 && only.split(',').all(|word| word == "stick");
    stick.then(|| "the contact points stay, while the mechanism moves".to_string())
}

/// How many combinations of modes of several contacts satisfy the laws.
fn combinations(prospect: &Prospect) -> Option<String> {
    prospect.several.as_ref()?;
    Some(match prospect.modes.iter().filter(|mode| mode.consistent || mode.marginal).count() {
        0 => "no combination of modes satisfies the contact laws".to_string(),
        1 => "the only combination of modes that satisfies the contact laws".to_string(),
        n => format!("{n} combinations of modes satisfy the contact laws"),
    })
}

fn plane(state: &StateOutcome, found: &PlaneOutcome) -> Option<String> {
    let prospect = &state.prospect;
    if let Some((_, jam)) = found.jam.0.iter().find(|(_, jam)| near_jam(jam)) {
        let time = jam.time.map_or(String::new(), |time| format!(" after {} s", short(time)));
        return Some(format!("close to dynamic jam: the linear system reaches p = b = 0{time}"));
    }
    if let Some(equilibrium) = &found.equilibrium {
        return Some(balance(equilibrium));
    }
    if let (Some(words), Some(Verdict::Consistent | Verdict::Inconsistent | Verdict::Indeterminate)) =
        (combinations(prospect), prospect.verdict)
    {
        return Some(words);
    }
    let decisive = Decisive::of(state)?;
    if let Some(words) = impact(prospect) {
        return Some(words);
    }
    if let Some(gain) = decisive.gain() {
        let p = format!("{} = {}", gain.name, short(gain.p.shown));
        return Some(match gain.least {
            Some(mu) => format!("{p}, 0 at mu = {} (it is {})", short(mu), short(decisive.friction())),
            None => format!("{p}, positive at any friction"),
        });
    }
    match decisive.sticking() {
        Some([normal, tangential]) if normal > 0.0 => {
            let needed = short(tangential.abs() / normal);
            Some(format!("sticking needs mu >= {needed} (it is {})", short(decisive.friction())))
        }
        Some([normal, _]) => Some(format!("sticking would take lambda_N = {}", short(normal))),
        None => None,
    }
}

/// What the first impact makes of slip, of which a number is told, and gap; and whether it gains energy.
fn impact(prospect: &Prospect) -> Option<String> {
    let impact = prospect.impact.0.iter().map(|(_, impact)| impact).find(|impact| impact.post.is_some())?;
    let post = impact.post?;
    let slip = match post.u {
        Tangential::Plane(u) => format!("slip {}, ", short(u.shown)),
        Tangential::Space(_) => String::new(),
    };
    let gains = if impact.gains_energy(&Tol::default()) { " (it gains energy)" } else { "" };
    Some(format!("impact to {slip}gap rate {}{gains}", short(post.v.shown)))
}

/// An equilibrium on one contact.
fn balance(equilibrium: &Equilibrium) -> String {
    let conditions = [
        (equilibrium.potential_minimum, "no potential minimum"),
        (equilibrium.unambiguous, "ambiguous"),
        (equilibrium.chatter_decays, "chatter grows"),
    ];
    let failing = conditions.iter().filter(|(condition, _)| *condition == Condition::Fails);
    let why: Vec<&str> = failing.map(|(_, why)| *why).collect();
    match equilibrium.lyapunov_stable {
        Condition::Holds => "equilibrium, Lyapunov stable".to_string(),
        Condition::Fails => format!("equilibrium, not Lyapunov stable: {}", why.join(", ")),
        Condition::Marginal | Condition::Unknown => {
            "equilibrium; Lyapunov stability is not decided".to_string()
        }
    }
}

/// What an equilibrium on several contacts stands.
fn standing(rest: &RestOutcome) -> String {
    let mut words = match (rest.weak, rest.strong) {
        (Condition::Fails, _) => "no forces hold it".to_string(),
        (_, Condition::Holds) if rest.by.is_some() => {
            "rests, and nothing else can happen (proven)".to_string()
        }
        (_, Condition::Holds) => "rests, and nothing else can happen".to_string(),
        (Condition::Holds, Condition::Fails) => {
            format!("can rest, or {}", rest.ambiguous_with.join(" or "))
        }
        _ => "whether it must rest is not decided".to_string(),
    };
    let Some(standing) = &rest.standing else { return words };
    if standing.dimension > 0 && rest.weak == Condition::Holds {
        words += "; forces not unique";
    }
    match standing.lyapunov.verdict {
        LyapunovVerdict::Stable => words += "; Lyapunov stable",
        LyapunovVerdict::Unstable => words += "; not Lyapunov stable",
        LyapunovVerdict::Undecided => {}
    }
    words
}

fn near_jam(jam: &Jam) -> bool {
    jam.says_something(&Tol::default()) && matches!(jam.fate, Fate::Jams(_))
}

fn space(state: &StateOutcome) -> Option<String> {
    if let Some(words) = impact(&state.prospect) {
        return Some(words);
    }
    let [name] = &state.closed[..] else { return None };
    let contact = state.contacts.get(name)?;
    let known = |x: f64| !x.is_nan();
    match (contact.p_slip.shown, contact.mu_min.shown) {
        (p, mu) if known(p) && known(mu) => {
            Some(format!("p = {} in the direction of slip; some p is 0 at mu = {}", short(p), short(mu)))
        }
        (p, _) if known(p) => Some(format!("p = {} in the direction of slip", short(p))),
        (_, mu) if known(mu) => {
            Some(format!("some p is 0 at mu = {} (it is {})", short(mu), short(contact.friction.0)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn words_for_readers() {
        for (word, expected) in [
            ("iwc", "impact without collision"),
            ("iwc(left)", "impact without collision at left"),
            ("free", "lift-off"),
            ("slip+,stick", "slip+, stick"),
            ("impact", "impact"),
        ] {
            assert_eq!(plain(word), expected);
        }
    }
}
