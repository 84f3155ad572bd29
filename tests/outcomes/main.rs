//! Outcomes are stored and read back: what is read equals what was written, and is written again to the same bytes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

use mechan::analysis::{Analysis, StateAnswer, planar};
use mechan::coulomb::read_file;
use mechan::pipeline::{
    AnalyzeOptions, Derived, Deriver, Extent, SolveOptions, Solved, load, load_bytes, solve_problem,
    solve_step,
};
use mechan::report::SolutionOutcome;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// Equal values, and equal text: the comparison of values counts −0 as 0, that of texts sees the last bit.
fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(outcome: &T) -> String {
    let text = serde_json::to_string(outcome).unwrap();
    let back: T =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {}", &text[..200.min(text.len())]));
    assert!(back == *outcome, "{}", first_difference(&format!("{back:?}"), &format!("{outcome:?}")));
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    text
}

/// Where two texts part but for the sign of a zero, with some of what is around.
fn first_difference(left: &str, right: &str) -> String {
    let (left, right) = (left.replace("-0.0,", "0.0,"), right.replace("-0.0,", "0.0,"));
    let equal = left.chars().zip(right.chars()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| text.chars().skip(equal.saturating_sub(120)).take(200).collect::<String>();
    format!("read    {}\nwritten {}", around(&left), around(&right))
}

fn both_ways(derived: &Derived, options: &AnalyzeOptions) -> Analysis {
    let analysis = derived.analyze(options).unwrap();
    comes_back(&analysis);
    analysis
}

fn steps_come_back(derived: &Derived) -> usize {
    let mut seen = 0;
    for state in &derived.mechanism().states {
        let Ok(step) = derived.next_step(&state.name, 1e-3) else { continue };
        for extent in [Extent::One, Extent::All] {
            let options = SolveOptions { extent, ..SolveOptions::default() };
            // all solutions are for the plane
            let Ok(solved) = solve_step(step.clone(), &options) else { continue };
            comes_back(&solved.outcome());
            seen += 1;
        }
    }
    seen
}

fn rod() -> Derived {
    load("tests/cli/painleve_rod.model.json").unwrap().derive(&Deriver::nobody()).unwrap()
}

#[test]
fn an_analysis_and_its_steps_come_back() {
    let rod = rod();
    let analysis = both_ways(&rod, &AnalyzeOptions { jam: true, ..AnalyzeOptions::default() });
    assert!(analysis.states.len() >= 3 && !analysis.critical_friction.is_empty());
    assert!(steps_come_back(&rod) >= 6);
}

#[cfg(all(feature = "derive", feature = "program"))]
#[test]
fn the_reports_of_all_shipped_mechanisms_come_back() {
    use mechan::{model::Cache, num::Tol};
    let cache = Cache::at(concat!(env!("CARGO_TARGET_TMPDIR"), "/cache").as_ref());
    let deriver = Deriver::program(env!("CARGO_BIN_EXE_mechan")).with_cache(cache);
    let briefly = Tol { search_boxes: 300, ..Tol::default() };
    let (mut reports, mut steps) = (0, 0);
    for entry in std::fs::read_dir("mechanisms").unwrap() {
        let path = entry.unwrap().path();
        let derived = load(path.to_str().unwrap()).unwrap().derive(&deriver).unwrap();
        both_ways(&derived, &AnalyzeOptions { jam: true, tolerances: briefly, ..AnalyzeOptions::default() });
        steps += steps_come_back(&derived);
        reports += 1;
    }
    assert!(reports >= 24 && steps >= 60, "{reports} reports, {steps} steps");
}

#[test]
fn a_state_that_cannot_be_analysed_comes_back_with_its_faults() {
    let options = AnalyzeOptions { set: vec!["y=-1".to_string()], ..AnalyzeOptions::default() };
    let analysis = both_ways(&rod(), &options);
    let failures: Vec<_> = analysis.failures().collect();
    assert!(!failures.is_empty());
    for failure in failures {
        let StateAnswer::Failure(back) =
            serde_json::from_str(&serde_json::to_string(failure).unwrap()).unwrap()
        else {
            panic!("a failure is read as an outcome")
        };
        assert_eq!(back, *failure);
        assert!(back.faults.iter().all(|fault| fault.span.is_some() && fault.code.starts_with('M')));
    }
}

#[test]
fn solutions_of_problems_come_back_with_their_proofs() {
    let mut proofs = 0;
    for entry in std::fs::read_dir("problems").unwrap() {
        let problem = read_file(&entry.unwrap().path()).unwrap();
        for extent in [Extent::One, Extent::All] {
            let options = SolveOptions { extent, ..SolveOptions::default() };
            let solved: Solved = match solve_problem(problem.clone(), &options) {
                Ok(solved) => solved,
                Err(_) if extent == Extent::All => continue,
                Err(error) => panic!("{error}"),
            };
            let outcome = solved.outcome();
            proofs += usize::from(outcome.proof.is_some() || outcome.refutation.is_some());
            comes_back(&outcome);
        }
    }
    assert!(proofs >= 3, "{proofs}");
}

#[test]
fn tables_come_back() {
    for table in [planar::mode_table(), planar::consistency_table(), planar::resolution_table()] {
        comes_back(&table);
    }
}

#[test]
fn another_version_of_a_document_is_refused_by_its_name() {
    let analysis = comes_back(&rod().analyze(&AnalyzeOptions::default()).unwrap());
    let newer = analysis.replace("mechan.analysis/1", "mechan.analysis/2");
    let error = serde_json::from_str::<Analysis>(&newer).unwrap_err().to_string();
    assert!(error.contains("`mechan.analysis/2`") && error.contains("`mechan.analysis/1`"), "{error}");
    let error = serde_json::from_str::<SolutionOutcome>(r#"{"schema": "x"}"#).unwrap_err().to_string();
    assert!(error.contains("the schema is `x`"), "{error}");
    // what is no document of ours at all, and a model file with another mechanism in it
    assert!(serde_json::from_str::<Analysis>("{}").is_err());
    let text = std::fs::read_to_string("tests/cli/painleve_rod.model.json").unwrap();
    let foreign = load_bytes("m", text.replace("theta: 0.9", "theta: 0.8").into_bytes()).unwrap_err();
    assert!(foreign.to_string().contains("not the one that was derived"), "{foreign}");
}
