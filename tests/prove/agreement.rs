//! At single states `prove` and `analyze` say the same: two routes to p₊, p₋, a, b, verdicts and effective restitution.

use super::{answer, around, library, texts};
use mechan::analysis::LocalOutcome;
use mechan::num::random::Stream;
use mechan::pipeline::{LIBRARY, ProveOptions};
use mechan::{AnalyzeOptions, Derived, Verdict};

/// A claim at a state: its coordinates and velocities vary by a hair around it.
fn held(mechanism: &Derived, claim: &str, state: &str) -> ProveOptions {
    around(mechanism, claim, state, HAIR, true)
}

/// Share by which coordinates and velocities vary, and what numbers may differ by.
const HAIR: f64 = 1e-10;
const SLACK: f64 = 1e-5;

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
                let slack = SLACK * (1.0 + number.value.abs());
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
            assert_eq!(found.answer(), expected, "{name}: {word}");
        }
    });
}

/// Effective restitution of a rod that is pulled at random, by impacts that are followed [CV16 section 3.3], is at most 1 where
/// `no-reverse-chatter` is proven, and more where it is refuted.
#[test]
fn bounces_that_grow() {
    let rod = library("painleve_rod");
    let mut random = Stream(0x5eed);
    let (mut growing, mut fading) = (0, 0);
    for _ in 0..150 {
        let [mu, e, theta, pull] = [(0.05, 1.3), (0.5, 1.0), (0.2, 1.5), (-8.0, 8.0)]
            .map(|(lo, hi): (f64, f64)| lo + (hi - lo) * random.draw());
        let set = [format!("mu={mu}"), format!("e={e}"), format!("theta={theta}"), format!("F_x={pull}")];
        let options = AnalyzeOptions { set: set.to_vec(), ..AnalyzeOptions::of_state("reverse_chatter") };
        let analysis = rod.analyze(&options).unwrap();
        let Some(state) = analysis.state("reverse_chatter") else { continue };
        let Some(impact) = state.prospect.impact.get("tip") else { continue };
        let effective = impact.effective_restitution.0;
        if !effective.is_finite() || (effective - 1.0).abs() < 1e-3 {
            continue;
        }
        let range = format!("theta={:e}:{:e}", theta - HAIR, theta + HAIR);
        let options = ProveOptions {
            claims: texts(&["no-reverse-chatter(tip)"]),
            boxes: vec![range],
            set: set.to_vec(),
            state: Some("reverse_chatter".to_string()),
            ..ProveOptions::default()
        };
        match answer(&rod, &options).answer() {
            // what slips on at every impact cannot stick
            "vacuous" => {}
            "proven" => {
                assert!(effective < 1.0, "{set:?}: {effective}");
                fading += 1;
            }
            "refuted" => {
                assert!(effective > 1.0, "{set:?}: {effective}");
                growing += 1;
            }
            other => panic!("{set:?}: {other}, {effective}"),
        }
    }
    assert!(fading > 20 && growing > 3, "{fading} {growing}");
}
