//! At single states `prove` and `analyze` say the same: two routes to p₊, p₋, a, b, verdicts and effective restitution.

use super::{answer, library, texts};
use mechan::analysis::LocalOutcome;
use mechan::pipeline::{LIBRARY, ProveOptions};
use mechan::{AnalyzeOptions, Derived, Verdict};

/// A claim at a state: its first parameter varies by a hair, since without a box the file's domain would vary.
fn held(mechanism: &Derived, claim: &str, state: &str) -> ProveOptions {
    let name = &mechanism.mechanism().parameters[0].name;
    let value = mechanism.state(state, &[]).unwrap().parameters[0];
    let range = format!("{name}={value:e}:{:e}", value + 1e-13 * (1.0 + value.abs()));
    ProveOptions {
        claims: texts(&[claim]),
        boxes: vec![range],
        state: Some(state.to_string()),
        ..ProveOptions::default()
    }
}

/// States with one closed contact in the plane, by library.
fn each_state(mut visit: impl FnMut(&Derived, &str, &mechan::StateOutcome)) {
    let mut seen = 0;
    for shipped in LIBRARY {
        let mechanism = library(shipped.name);
        let alone = mechanism.mechanism().contacts.len() == 1;
        if !alone || mechanism.model().layout().tangents != 1 {
            continue;
        }
        let analysis = mechanism.analyze(&AnalyzeOptions::default()).unwrap();
        for state in analysis.states.iter().filter_map(|state| state.outcome()) {
            let at_rest = state.contacts.0.iter().all(|(_, contact)| contact.gap_rate.shown == 0.0);
            if state.prospect.verdict.is_some() && at_rest {
                visit(&mechanism, &state.state, state);
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

/// p₊, p₋, a and b lie where `analyze` has them.
#[test]
fn numbers_are_those_of_analyze() {
    each_state(|mechanism, name, state| {
        for (_, contact) in &state.contacts.0 {
            let LocalOutcome::Plane { p_plus, p_minus, a, b, .. } = &contact.local else { continue };
            for (word, number) in [("p_plus", p_plus), ("p_minus", p_minus), ("a", a), ("b", b)] {
                let slack = 1e-9 * (1.0 + number.value.abs());
                for claim in [
                    format!("{word} > {:e}", number.value - slack),
                    format!("{word} < {:e}", number.value + slack),
                ] {
                    let found = answer(mechanism, &held(mechanism, &claim, name));
                    assert!(
                        ["proven", "vacuous"].contains(&found.answer()),
                        "{name}: {claim}: {}",
                        found.answer()
                    );
                }
            }
        }
    });
}

/// Where a state slips, its verdict is proven of the state, and no other is.
#[test]
fn verdicts_are_those_of_analyze() {
    each_state(|mechanism, name, state| {
        let slips = state.contacts.0.iter().any(|(_, contact)| contact.p_slip.value.is_finite());
        let Some(verdict) = state.prospect.verdict.filter(|_| slips) else { return };
        if verdict == Verdict::Marginal {
            return;
        }
        for word in ["consistent", "inconsistent", "indeterminate"] {
            let found = answer(mechanism, &held(mechanism, &format!("verdict({word})"), name));
            let expected = if word == verdict.name() { "proven" } else { "refuted" };
            let is = found.answer();
            assert!(is == expected || is == "vacuous" || is == "undecided", "{name}: {word}: {is}");
        }
    });
}
