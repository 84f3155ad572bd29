//! Claims about all closed contacts together, at single states and over sets: two routes to what can follow, to equilibria, to wedging.

use super::{answer, around, ask, library, texts};
use mechan::num::random::Stream;
use mechan::pipeline::{LIBRARY, ProveOptions};
use mechan::prove::Budget;
use mechan::{AnalyzeOptions, Derived, StateOutcome, Verdict};

/// Share by which coordinates and velocities vary around a state.
const HAIR: f64 = 1e-6;

/// A claim at a state: what it gives varies by a hair, rest stays rest.
fn at(mechanism: &Derived, claim: &str, state: &str) -> ProveOptions {
    let moves = mechanism.state(state, &[]).unwrap().v.iter().any(|v| *v != 0.0);
    let options = around(mechanism, claim, state, HAIR, moves);
    ProveOptions { budget: Budget { parts: 2_000, threads: 2, ..Budget::default() }, ..options }
}

/// All states of the library in the plane, as `analyze` has them.
fn each_state(mut visit: impl FnMut(&Derived, &StateOutcome)) {
    for shipped in LIBRARY {
        let mechanism = library(shipped.name);
        let analysis = mechanism.analyze(&AnalyzeOptions::default()).unwrap();
        if mechanism.model().layout().tangents == 1 {
            analysis
                .states
                .iter()
                .filter_map(|state| state.outcome())
                .for_each(|state| visit(&mechanism, state));
        }
    }
}

/// The combinations that `analyze` finds are proven to be those that there are, and any others are refuted.
#[test]
fn combinations_are_those_of_analyze() {
    let (mut proven, mut two, mut refuted, mut open) = (0, 0, 0, Vec::new());
    each_state(|mechanism, state| {
        let certain = matches!(
            state.prospect.verdict,
            Some(Verdict::Consistent | Verdict::Inconsistent | Verdict::Indeterminate)
        );
        let approaches = state.contacts.0.iter().any(|(_, contact)| contact.gap_rate.shown != 0.0);
        // a contact that rests while the mechanism moves is not what is meant
        let moves = state.v.0.iter().any(|(_, v)| v.0 != 0.0);
        let rests = state.contacts.0.iter().any(|(_, contact)| contact.slip.iter().all(|u| u.shown == 0.0));
        if !certain || approaches || state.closed.is_empty() || moves && rests {
            return;
        }
        let marginal = state.prospect.modes.iter().any(|mode| mode.marginal);
        let word = |mode: &mechan::analysis::ModeOutcome| {
            let words: Vec<&str> =
                state.closed.iter().filter_map(|name| mode.mode.get(name)).map(|m| m.name()).collect();
            words.join(",")
        };
        let consistent = state.prospect.modes.iter().filter(|mode| mode.consistent).map(word);
        let words = consistent.collect::<Vec<_>>().join(";");
        let Ok(found) = mechanism.prove(&at(mechanism, &format!("modes({words})"), &state.state)) else {
            return;
        };
        if marginal {
            return;
        }
        let place = format!("{} {}: {words}", mechanism.mechanism().name, state.state);
        // where both ends are alike, slip of both in opposite directions does not begin, and is on the border
        if found[0].answer() == "undecided" {
            open.push(place);
            return;
        }
        assert_eq!(found[0].answer(), "proven", "{place}");
        super::checked::passes(&found[0]);
        proven += 1;
        two += usize::from(state.closed.len() == 2);
        let others = if words.is_empty() {
            let is_held =
                |name: &String| mechanism.mechanism().contacts.iter().any(|c| c.name == *name && c.bilateral);
            let word = |name| if is_held(name) { "slip+" } else { "free" };
            state.closed.iter().map(word).collect::<Vec<_>>().join(",")
        } else {
            String::new()
        };
        let found = answer(mechanism, &at(mechanism, &format!("modes({others})"), &state.state));
        assert_ne!(found.answer(), "proven", "{place}");
        refuted += usize::from(found.answer() == "refuted");
    });
    let counts = format!("{proven} proven, {two} on two contacts, {refuted} refuted, open: {open:?}");
    assert!(proven > 25 && two > 8 && refuted + 4 > proven && open.len() < 8, "{counts}");
}

/// Equilibria on one and two contacts.
#[test]
fn equilibria_are_those_of_analyze() {
    let (mut holding, mut failing) = (0, 0);
    each_state(|mechanism, state| {
        let Some(rest) = &state.prospect.rest else { return };
        let claims = [("weak", rest.weak), ("strong", rest.strong)];
        for (word, condition) in claims {
            let claim = format!("equilibrium({word})");
            let Ok(found) = mechanism.prove(&at(mechanism, &claim, &state.state)) else { continue };
            let place = format!("{} {}: {claim}", mechanism.mechanism().name, state.state);
            let (contrary, counted) = match condition {
                mechan::equilibrium::Condition::Holds => ("refuted", &mut holding),
                mechan::equilibrium::Condition::Fails => ("proven", &mut failing),
                _ => continue,
            };
            assert_ne!(found[0].answer(), contrary, "{place}");
            *counted += usize::from(found[0].answer() != "undecided");
            super::checked::passes(&found[0]);
        }
    });
    assert!(holding > 8 && failing > 0, "{holding} {failing}");
}

/// No wedging is proven only where the theory's certificates say so, and at single states wherever they do with some margin.
#[test]
fn wedging_is_that_of_the_existence_theory() {
    let (mut proven, mut open) = (0, 0);
    each_state(|mechanism, state| {
        let Some(step) = &state.existence else { return };
        let claim = at(mechanism, "step-exists(1e-3)", &state.state);
        let Ok(found) = mechanism.prove(&claim) else { return };
        let place = format!("{} {}", mechanism.mechanism().name, state.state);
        match found[0].answer() {
            "proven" => {
                assert_eq!(step.existence.strong, Some(true), "{place}");
                assert_eq!(step.existence.no_wedging, Some(true), "{place}");
                super::checked::passes(&found[0]);
                proven += 1;
            }
            "undecided" => {
                assert_ne!(step.existence.no_wedging, Some(true), "{place}");
                open += 1;
            }
            other => panic!("{place}: {other}"),
        }
    });
    assert!(proven > 20 && open > 0, "{proven} {open}");
}

/// Forces that cancel each other are found where the theory's multipliers are, and nowhere else.
#[test]
fn what_wedges_is_refuted() {
    let (mut refuted, mut proven) = (0, 0);
    each_state(|mechanism, state| {
        let Some(step) = &state.existence else { return };
        let Ok(found) = mechanism.prove(&at(mechanism, "no-wedging", &state.state)) else { return };
        let place = format!("{} {}", mechanism.mechanism().name, state.state);
        match found[0].answer() {
            "refuted" => {
                assert_ne!(step.existence.no_wedging, Some(true), "{place}");
                super::checked::passes(&found[0]);
                refuted += 1;
            }
            "proven" => proven += 1,
            _ => {}
        }
    });
    assert!(proven > 20 && refuted > 0, "{proven} {refuted}");
}

/// A ladder on floor and wall. It stays where it is for (1 - s) mu^2 + mu tan(theta) >= s, and its feet cannot wedge below mu = 1, since the
/// line between them is then outside one of the two cones at any angle.
#[test]
fn a_ladder_at_all_angles() {
    let ladder = library("ladder");
    let standing = |claim: &str, boxes: &[&str], given: &[&str]| {
        let options =
            ProveOptions { state: Some("standing".to_string()), given: texts(given), ..ask(claim, boxes) };
        answer(&ladder, &options).answer()
    };
    let all = ["theta=pi/12:5*pi/12", "mu=0.1:0.9", "s=0.3:0.7"];
    for (given, expected) in [("> s + 0.1", "proven"), ("> s - 0.1", "refuted"), ("< s", "refuted")] {
        let given = format!("(1 - s)*mu^2 + mu*tan(theta) {given}");
        assert_eq!(standing("equilibrium(weak)", &all, &[&given]), expected, "{given}");
    }
    for (mu, expected) in [("0.05:0.95", "proven"), ("0.05:1.05", "refuted")] {
        let mu = format!("mu={mu}");
        assert_eq!(standing("no-wedging", &["theta=pi/12:5*pi/12", &mu], &[]), expected, "{mu}");
    }
}

/// The block under its overhang can fall or hang, for mu > tan(delta), and falls only for less.
#[test]
fn a_block_under_its_overhang() {
    let block = library("overhang_block");
    for (boxes, claim, expected) in [
        (&["mu=0.2:0.6"][..], "equilibrium(weak)", "proven"),
        (&["mu=0.2:0.6"], "equilibrium(strong)", "refuted"),
        (&["mu=0.05:0.17"], "equilibrium(weak)", "refuted"),
        (&["mu=0.05:0.17", "theta=-0.01:0.01", "x=-0.2:0.2", "y=-0.2:0.2"], "modes(free,free)", "proven"),
    ] {
        let options = ProveOptions { state: Some("wedged".to_string()), ..ask(claim, boxes) };
        assert_eq!(answer(&block, &options).answer(), expected, "{boxes:?} {claim}");
    }
}

/// What cannot be asked says why.
#[test]
fn claims_about_all_contacts_that_make_no_sense() {
    let fault =
        |name: &str, claim: &str| library(name).prove(&ask(claim, &["mu=0.1:0.2"])).unwrap_err().to_string();
    for (name, claim, word) in [
        ("ladder", "modes(stand)", "expected"),
        ("ladder", "modes(free)", "one word per closed contact"),
        ("ladder", "modes(stick,stick)", "one word per closed contact"),
        ("ladder", "equilibrium(weak)", "--state"),
        ("ladder", "equilibrium(perhaps)", "equilibrium(weak|strong)"),
        ("ladder", "step-exists(-1)", "step-exists(H)"),
        ("ladder", "step-exists", "step-exists(H)"),
        ("falling_pencil", "region(tip, 11)", "region("),
        ("falling_pencil", "region(tip)", "region("),
        ("rod_3d", "modes(free)", "in the plane only"),
    ] {
        let found = fault(name, claim);
        assert!(found.contains(word), "{claim}: {found}");
    }
}

/// Regions of impacts: those that are followed have the number that is proven.
#[test]
fn regions_are_those_of_impacts() {
    let rod = library("painleve_rod");
    let mut random = Stream(0x1a1);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..200 {
        let [mu, e, theta, slip, fall] = [(0.05, 2.5), (0.1, 0.9), (0.2, 1.4), (-2.0, 2.0), (0.1, 1.0)]
            .map(|(lo, hi): (f64, f64)| lo + (hi - lo) * random.draw());
        let set =
            [format!("mu={mu}"), format!("e={e}"), format!("theta={theta}"), format!("dot(y)={}", -fall)];
        let set = [&set[..], &[format!("dot(x)={slip}"), "dot(theta)=0".to_string()]].concat();
        let options = AnalyzeOptions { set: set.clone(), ..AnalyzeOptions::of_state("reverse_chatter") };
        let analysis = rod.analyze(&options).unwrap();
        let Some(state) = analysis.state("reverse_chatter") else { continue };
        let Some(Some(Some(region))) = state.prospect.impact.get("tip").map(|impact| impact.region) else {
            continue;
        };
        let range = format!("theta={:e}:{:e}", theta - HAIR, theta + HAIR);
        for number in [region, if region < 9 { region + 2 } else { region - 2 }] {
            let options = ProveOptions {
                claims: texts(&[&format!("region(tip, {number})")]),
                boxes: vec![range.clone()],
                set: set.clone(),
                state: Some("reverse_chatter".to_string()),
                ..ProveOptions::default()
            };
            let expected = if number == region { "proven" } else { "refuted" };
            assert_eq!(answer(&rod, &options).answer(), expected, "{set:?}: {number} of {region}");
        }
        seen.insert(region);
    }
    assert!(seen.len() >= 8, "{seen:?}");
}

/// Half the length of the bricks of the stack, in metres.
const HALF: f64 = 0.1;

/// Whether a stack of bricks with these overhangs, from the top down, stands: the centre of what lies above each edge is behind it.
fn stands(overhangs: [f64; 3]) -> bool {
    let mut reach = 0.0;
    overhangs.iter().enumerate().all(|(above, overhang)| {
        // the centre of the bricks above, from the centre of the lowest of them
        let centre = reach;
        reach = (reach + overhang) * (above as f64 + 1.0) / (above as f64 + 2.0);
        centre + overhang < HALF
    })
}

/// Bricks over the edge of a table, in six contacts: whether they stand is decided by centres of mass, over boxes of overhangs.
#[test]
fn stacks_stand_as_their_centres_say() {
    let stack = library("brick_stack");
    let mut random = Stream(20_261_128);
    let mut found = [0, 0];
    for _ in 0..24 {
        let overhangs: [f64; 3] =
            std::array::from_fn(|k| HALF / (k as f64 + 1.0) * (0.55 + 0.6 * random.draw()));
        let boxes =
            overhangs.iter().enumerate().map(|(k, o)| format!("o_{}={}:{}", k + 1, o - 1e-4, o + 1e-4));
        let ends = [-1e-4, 1e-4].map(|hair| stands(overhangs.map(|o| o + hair)));
        if ends[0] != ends[1] {
            continue;
        }
        let options = ProveOptions {
            state: Some("standing".to_string()),
            boxes: boxes.chain(["mu=0.4:0.6", "m=0.9:1.1"].map(String::from)).collect(),
            ..ask("equilibrium(weak)", &[])
        };
        let answered = answer(&stack, &options);
        let expected = if ends[0] { "proven" } else { "refuted" };
        assert_eq!(answered.answer(), expected, "{overhangs:?}");
        found[usize::from(ends[0])] += 1;
    }
    assert!(found.iter().all(|count| *count > 4), "{found:?}");
}

/// Coordinates that would be held at the state's values follow their text where it names what varies.
#[test]
fn coordinates_follow_what_the_state_computes() {
    let stack = library("brick_stack");
    let asked =
        |claim: &str| ProveOptions { state: Some("standing".to_string()), ..ask(claim, &["o_1=0.08:0.09"]) };
    let holds = answer(&stack, &asked("x_1 - x_2 <= 0.09 and x_1 - x_2 >= 0.08"));
    assert_eq!((holds.answer(), holds.texts.len()), ("proven", 1));
    assert_eq!(answer(&stack, &asked("x_1 - x_2 < 0.085")).answer(), "refuted");
}
