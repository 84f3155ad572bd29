//! Maps, ensembles and event capturing, against the analysis of the same states and the motions from them.

use crate::families::{Judgement, campaign};
use crate::followed::Followed;
use crate::loose::{Bench, Loose};
use crate::said::Said;
use crate::shipped::{LIMITS, SHORT, library};
use crate::table::Table;
use mechan::Derived;
use mechan::analysis::map::Cell;
use mechan::pipeline::{
    AnalyzeOptions, EnsembleOptions, EnsembleStudy, MapOptions, MapStudy, SimulateOptions,
};
use mechan::predict::Verdict;
use mechan::simulate::ensemble::{EnsembleRow, RunStatus};
use mechan::simulate::trajectory::{EventKind, Status};

/// What event capturing decides, against what lasts for the analysis: one of these, if there is one, and otherwise nothing.
fn captured(said: &Said, found: &Followed) -> Option<String> {
    let lasting: Vec<&String> = said.names.iter().filter(|name| !name.starts_with("iwc")).collect();
    let status = found.over.map_or("goes on", Status::name);
    let decided = !matches!(said.verdict, None | Some(Verdict::Undecided | Verdict::Marginal));
    if !decided {
        return None;
    }
    let one_of = |name: &String| {
        let plain = name.replace(" pulled", "");
        lasting.iter().any(|lasts| {
            *lasts == name || **lasts == plain || (plain == "impact" && lasts.starts_with("impact"))
        })
    };
    match (&lasting[..], found.over) {
        (_, None) if !found.names.is_empty() && found.names.iter().all(one_of) => None,
        ([], Some(Status::Inconsistent)) => None,
        // impacts without collision are ways on that it does not take
        (_, Some(Status::Indeterminate)) if said.names.len() > 1 => None,
        ([], Some(Status::Undecided)) if said.doubts(found) => None,
        ([], _) => Some(format!("where nothing lasts, capturing: {status}")),
        ([first, ..], _) if first.starts_with("impact") => {
            Some(format!("where an impact follows, capturing: {status}"))
        }
        (_, None) => Some("capturing takes a mode that does not last".to_string()),
        ([_], _) => Some(format!("where one motion lasts, capturing: {status}")),
        _ => Some(format!("where several motions last, capturing: {status}")),
    }
}

#[test]
fn capturing_decides_for_what_lasts_in_the_plane() {
    capturing(1, "captured states in the plane");
}

#[test]
fn capturing_decides_for_what_lasts_in_space() {
    capturing(2, "captured states in space");
}

fn capturing(tangents: usize, what: &str) {
    let judge = |bench: &Bench, loose: &Loose| {
        let (closed, said) = bench.said(loose);
        let found = bench.captured(loose, &closed);
        let sort = if found.over.is_none() { "goes on" } else { "ends" };
        Judgement { text: format!("{said:?}\n    {found:?}"), kind: captured(&said, &found), sort }
    };
    campaign(tangents, "captured: ", judge, what);
}

/// Two parameters of a state that are not zero, with ranges from their value to a tenth more.
fn ranges(derived: &Derived, state: &str) -> Option<[(String, [f64; 2]); 2]> {
    let at = derived.state(state, &[]).ok()?;
    let named = derived.mechanism().parameters.iter().zip(&at.parameters).filter(|(_, value)| **value != 0.0);
    // friction first, if there is any
    let mut named: Vec<(String, f64)> =
        named.map(|(parameter, value)| (parameter.name.clone(), *value)).collect();
    named.sort_by_key(|(name, _)| !name.starts_with("mu"));
    let range = |(name, value): &(String, f64)| {
        let (one, other) = (*value, 1.1 * value);
        (name.clone(), [one.min(other), one.max(other)])
    };
    Some([range(named.first()?), range(named.get(1)?)])
}

/// The verdict of a map at the corners of its ranges is that of the analysis there.
#[test]
fn maps_have_the_verdicts_of_the_analysis() {
    let mut table = Table::default();
    for (name, derived) in library() {
        for state in &derived.mechanism().states {
            let Some([x, y]) = ranges(&derived, &state.name) else { continue };
            let text = |(name, [low, high]): &(String, [f64; 2])| format!("{name}={low:?}:{high:?}:2");
            let options = MapOptions {
                state: Some(state.name.clone()),
                x: text(&x),
                y: text(&y),
                quantity: "verdict".to_string(),
                threads: Some(1),
                ..MapOptions::default()
            };
            let found = MapStudy::new(derived.loaded(), derived.model(), &options)
                .and_then(|map| map.collect(|_| {}));
            let place = format!("{name} {}", state.name);
            let Ok(found) = found else {
                table.enter("maps", &place, Some(("no map".to_string(), String::new())));
                continue;
            };
            for (i, row) in found.cells.iter().enumerate() {
                for (j, cell) in row.iter().enumerate() {
                    let set = [(&x, j), (&y, i)].map(|((name, range), k)| format!("{name}={:?}", range[k]));
                    let verdict = verdict(&derived, &state.name, &set);
                    let same = match (cell, verdict) {
                        (Cell::Word(word), Some(verdict)) => *word == verdict.name(),
                        (Cell::Undefined, None) => true,
                        _ => false,
                    };
                    let told = (!same)
                        .then(|| ("another verdict".to_string(), format!("{cell:?} {verdict:?} {set:?}")));
                    table.enter("maps", &place, told);
                }
            }
        }
    }
    table.conclude("cells of maps");
}

fn verdict(derived: &Derived, state: &str, set: &[String]) -> Option<Verdict> {
    let options = AnalyzeOptions {
        set: set.to_vec(),
        without_next_step: true,
        without_no_slip: true,
        ..AnalyzeOptions::of_state(state)
    };
    derived.analyze(&options).unwrap().states[0].outcome().and_then(|outcome| outcome.prospect.verdict)
}

/// The rows of an ensemble tell the events of the motions by themselves, and how these end.
#[test]
fn ensembles_have_the_events_of_the_motions() {
    let mut table = Table::default();
    for (name, derived) in library() {
        for state in &derived.mechanism().states {
            let Some([(parameter, [low, high]), _]) = ranges(&derived, &state.name) else { continue };
            let t = derived.state(&state.name, &[]).unwrap().t;
            let motion = SimulateOptions {
                state: Some(state.name.clone()),
                t_end: t + SHORT,
                limits: LIMITS,
                ..SimulateOptions::default()
            };
            let options = EnsembleOptions {
                motion: motion.clone(),
                grid: vec![format!("{parameter}={low:?}:{high:?}:2")],
                threads: Some(1),
                ..EnsembleOptions::default()
            };
            let study = EnsembleStudy::new(derived.loaded(), derived.model(), &options).unwrap();
            let mut rows: Vec<EnsembleRow> = Vec::new();
            study
                .follow(study.range(), |row| {
                    rows.push(row);
                    Ok(())
                })
                .unwrap();
            for row in &rows {
                let set = vec![format!("{parameter}={:?}", row.drawn[0])];
                let alone = derived.simulate(&SimulateOptions { set, ..motion.clone() });
                let same = match &alone {
                    Err(_) => row.status == RunStatus::Refused,
                    Ok(motion) => {
                        let count = |kind: EventKind| {
                            motion.events.iter().filter(|event| event.kind == kind).count() as u64
                        };
                        row.status == RunStatus::Ended(motion.status)
                            && row.counts == EventKind::ALL.map(count)
                    }
                };
                let told = || {
                    ("other events".to_string(), format!("{row:?} {:?}", alone.map(|motion| motion.events)))
                };
                table.enter("ensembles", &format!("{name} {}", state.name), (!same).then(told));
            }
        }
    }
    table.conclude("rows of ensembles");
}
