//! Claims beside contacts that are held from both sides. A rod whose head runs on a rail: as such a contact, and with a constraint in its place, which is
//! another route to p₊, p₋, a and b where the rail has no friction; what `analyze` says of states at random, with friction and without; and the guides of
//! Painlevé and Klein, whose answers are known in closed form.

use super::{answer, ask, library, texts};
use mechan::analysis::LocalOutcome;
use mechan::equilibrium::Condition;
use mechan::num::random::Stream;
use mechan::pipeline::{ProveOptions, ProvedClaim, load};
use mechan::{AnalyzeOptions, Derived, Deriver, StateOutcome, Verdict};

/// What an angle varies by, and what numbers may differ by.
const HAIR: f64 = 1e-9;
const SLACK: f64 = 1e-5;

/// A mechanism of `models`, which were derived once, with `mechan derive FILE --format model`; their text stands in them.
fn model(name: &str) -> Derived {
    load(&format!("tests/prove/models/{name}.json")).unwrap().derive(&Deriver::nobody()).unwrap()
}

fn state(mechanism: &Derived, name: &str, set: &[String]) -> StateOutcome {
    let options = AnalyzeOptions { set: set.to_vec(), ..AnalyzeOptions::of_state(name) };
    mechanism.analyze(&options).unwrap().state(name).unwrap().clone()
}

/// A claim at a state of the rod, whose angle varies by a hair.
fn at(claim: &str, name: &str, set: &[String], theta: f64) -> ProveOptions {
    let range = format!("theta={:e}:{:e}", theta - HAIR, theta + HAIR);
    ProveOptions { state: Some(name.to_string()), set: set.to_vec(), ..ask(claim, &[&range]) }
}

/// Numbers of the rod at random: its angle, and the settings, the rail's friction last.
fn drawn(random: &mut Stream, rail: f64) -> (f64, Vec<String>) {
    let ranges = [(0.3, 1.4), (0.0, 3.0), (-4.0, 4.0), (-30.0, 30.0), (0.0, 0.6)];
    let [theta, mu, rate, push, phi] = ranges.map(|(lo, hi): (f64, f64)| lo + (hi - lo) * random.draw());
    let named = [("theta", theta), ("mu", mu), ("dot(theta)", rate), ("F", push), ("phi", phi)];
    let set = named.iter().map(|(name, value)| format!("{name}={value}"));
    (theta, set.chain([format!("mu_r={rail}")]).collect())
}

/// Along a rail p₊, p₋, a and b are those of the rod with a constraint.
#[test]
fn forces_of_rails_follow_as_those_of_constraints() {
    let (rod, constrained) = (model("rail_rod"), model("rail_rod_constrained"));
    let mut random = Stream(0xbe51de);
    for _ in 0..12 {
        let (theta, set) = drawn(&mut random, 0.0);
        let other = state(&constrained, "sliding", &set[..5]);
        let LocalOutcome::Plane { p_plus, p_minus, a, b, .. } = &other.contacts.get("foot").unwrap().local
        else {
            panic!("it is in the plane")
        };
        for (word, number) in [("p_plus", p_plus), ("p_minus", p_minus), ("a", a), ("b", b)] {
            let slack = SLACK * (1.0 + number.value.abs());
            let above = format!("{word} > {:e}", number.value - slack);
            let claims = [above, format!("{word} < {:e}", number.value + slack)];
            for (claim, expected) in claims.iter().map(|claim| (claim.as_str(), "proven")) {
                assert_eq!(
                    answer(&rod, &at(claim, "sliding", &set, theta)).answer(),
                    expected,
                    "{set:?} {claim}"
                );
            }
            let beyond = format!("{word} > {:e}", number.value + slack);
            assert_eq!(
                answer(&rod, &at(&beyond, "sliding", &set, theta)).answer(),
                "refuted",
                "{set:?} {beyond}"
            );
        }
    }
}

/// Verdicts and combinations of modes at random states, of a rail with friction and without, are those of `analyze`, and no others.
#[test]
fn verdicts_beside_rails_are_those_of_analyze() {
    let rod = model("rail_rod");
    let mut random = Stream(0x4a11);
    let mut seen = std::collections::BTreeMap::new();
    for round in 0..60 {
        let rail = if round % 3 == 0 { 0.0 } else { 1.5 * random.draw() };
        let (theta, set) = drawn(&mut random, rail);
        let found = state(&rod, "sliding", &set).prospect;
        let verdict = found.verdict.unwrap();
        if verdict == Verdict::Marginal {
            continue;
        }
        for word in ["consistent", "inconsistent", "indeterminate"] {
            let expected = if word == verdict.name() { "proven" } else { "refuted" };
            let claim = format!("verdict({word})");
            assert_eq!(
                answer(&rod, &at(&claim, "sliding", &set, theta)).answer(),
                expected,
                "{set:?} {claim}"
            );
        }
        let word = |mode: &mechan::analysis::ModeOutcome| {
            ["foot", "rail"].map(|name| mode.mode.get(name).unwrap().name()).join(",")
        };
        let mut words: Vec<String> = found.modes.iter().filter(|mode| mode.consistent).map(word).collect();
        words.dedup();
        let claim = format!("modes({})", words.join(";"));
        assert_eq!(answer(&rod, &at(&claim, "sliding", &set, theta)).answer(), "proven", "{set:?} {claim}");
        *seen.entry((verdict.name(), rail > 0.0)).or_insert(0) += 1;
    }
    assert!(seen.len() == 6, "{seen:?}");
}

/// Equilibria of the rod on its rail at random, likewise.
#[test]
fn equilibria_beside_rails_are_those_of_analyze() {
    let rod = model("rail_rod");
    let mut random = Stream(0xe9);
    let mut counts = [0; 4];
    for round in 0..40 {
        let rail = if round % 2 == 0 { 0.0 } else { random.draw() };
        let (theta, mut set) = drawn(&mut random, rail);
        set.retain(|text| !text.starts_with("dot"));
        let found = state(&rod, "standing", &set).prospect;
        let rest = found.rest.map(|rest| [rest.weak, rest.strong]);
        // where forces do not balance nothing is said of rest
        let [weak, strong] = rest.unwrap_or([Condition::Fails; 2]);
        for (k, (word, condition)) in [("weak", weak), ("strong", strong)].into_iter().enumerate() {
            let claim = format!("equilibrium({word})");
            let found = answer(&rod, &at(&claim, "standing", &set, theta));
            let expected = if condition == Condition::Holds { "proven" } else { "refuted" };
            assert_eq!(found.answer(), expected, "{set:?} {claim}");
            counts[2 * k + usize::from(expected == "proven")] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 4), "{counts:?}");
}

/// Over ranges: the least friction with a paradox is that of the rod with a constraint, and not that of the rod without its rail, which is 4/3.
#[test]
fn least_friction_along_a_rail() {
    let (rod, constrained) = (model("rail_rod"), model("rail_rod_constrained"));
    let [own, other] = [&rod, &constrained].map(|mechanism| {
        let found = mechanism.analyze(&AnalyzeOptions::default()).unwrap();
        let least = &found.critical_friction.get("foot").unwrap();
        (least.mu.0, least.certified_lower.0)
    });
    assert!((own.0 - other.0).abs() < SLACK && (own.1 - other.1).abs() < SLACK, "{own:?} {other:?}");
    assert!((own.0 - 1.634_412_5).abs() < SLACK);
    let answers = |claim: &str, boxes: &[&str]| {
        let found = rod.prove(&ask(claim, &[&["theta=pi/12:5*pi/12"], boxes].concat())).unwrap();
        found.iter().map(ProvedClaim::answer).collect::<Vec<_>>()
    };
    assert_eq!(answers("critical-friction(foot)", &[]), ["proven", "refuted"]);
    assert_eq!(answers("no-paradox(foot)", &["mu=0:1.63"]), ["proven"]);
    assert_eq!(answers("no-paradox(foot)", &["mu=0:1.64"]), ["refuted"]);
    assert_eq!(answers("step-exists(0.01)", &["mu=0:1.3"]), ["proven"]);
}

/// The guides of Painlevé and Klein: no forces, or two choices of them, for (mu_1 - mu_2) tan(theta) > 2, by the sign of the torque; else one.
#[test]
fn the_guides_of_painleve_and_klein() {
    let guides = library("painleve_klein");
    let found = |verdict: &str, given: &str, set: &[&str]| {
        let options = ProveOptions {
            state: Some("sliding".to_string()),
            given: texts(&[given]),
            set: texts(set),
            ..ask(&format!("verdict({verdict})"), &["theta_0=0.1:1.4", "mu_1=0:4"])
        };
        answer(&guides, &options).answer()
    };
    let (below, above) = ("(mu_1 - mu_2)*tan(theta_0) < 1.99", "(mu_1 - mu_2)*tan(theta_0) > 2.01");
    for (torque, beyond) in [("T=-1", "inconsistent"), ("T=1", "indeterminate")] {
        assert_eq!(found("consistent", below, &[torque]), "proven", "{torque}");
        assert_eq!(found(beyond, above, &[torque]), "proven", "{torque}");
        assert_eq!(found("consistent", above, &[torque]), "refuted", "{torque}");
        assert_eq!(found(beyond, below, &[torque]), "refuted", "{torque}");
    }
}

/// Without a load the rod is on the border of its laws: neither is it proven that nothing can follow, nor that something does.
#[test]
fn on_the_border_nothing_is_impossible() {
    let set = ["g=0", "dot(theta)=0"];
    for claim in ["modes()", "modes(free)"] {
        let state = Some("slipping".to_string());
        let options = ProveOptions { state, set: texts(&set), ..ask(claim, &["theta=0.5:1"]) };
        assert_ne!(answer(&library("falling_pencil"), &options).answer(), "proven", "{claim}");
    }
}

/// What is not known beside them says what would work.
#[test]
fn what_cannot_be_asked_beside_rails() {
    let rod = model("rail_rod");
    let fault = |claim: &str, set: &str| {
        let options = ProveOptions { set: texts(&[set]), ..ask(claim, &["theta=0.5:1"]) };
        rod.prove(&options).unwrap_err().to_string()
    };
    for (claim, set, word) in [
        ("no-paradox(foot)", "mu_r=0.1", "Ask for verdict(..) or modes(..)"),
        ("p(foot) > 0", "mu_r=0.1", "hold its friction at 0"),
        ("critical-friction(foot)", "mu_r=0.1", "the side on which that one presses"),
        ("p_plus > 0", "mu_r=0.1", "with one contact"),
        ("step-exists(0.1)", "mu_r=0.1", "hold its friction at 0"),
        ("p(rail) > 0", "mu_r=0", "nothing hangs on its sign"),
        ("region(foot, 1)", "mu_r=0", "under `constraints`"),
        ("no-reverse-chatter(foot)", "mu_r=0", "under `constraints`"),
        ("modes(free)", "mu_r=0", "one word per closed contact"),
    ] {
        let found = fault(claim, set);
        assert!(found.contains(word), "{claim}: {found}");
    }
    // a range of its friction is friction
    let ranged = rod.prove(&ask("no-paradox(foot)", &["theta=0.5:1", "mu_r=0:0.1"]));
    assert!(ranged.unwrap_err().to_string().contains("acts beside it"));
}
