//! What stands, what slides and what tips: the ladder, the grasp and the stack of bricks against closed forms.

use super::{Mover, assert_near, assert_sound, kinds, last, times};
use mechan::Verdict;
use mechan::pipeline::{AnalyzeOptions, Loaded, analyze, load_bytes};
use mechan::simulate::trajectory::EventKind::{End, LiftOff};
use serde_json::Value;
use std::f64::consts::PI;

const G: f64 = 9.81;

fn mover(name: &str) -> Mover {
    Mover::of(&format!("tests/simulate/models/{name}.json"))
}

/// The report of a state.
fn report(name: &str, state: &str, set: &[String]) -> Value {
    let text = std::fs::read(format!("tests/simulate/models/{name}.json")).unwrap();
    let loaded: Loaded = load_bytes("model", text).unwrap();
    let options = AnalyzeOptions {
        states: vec![state.to_string()],
        set: set.to_vec(),
        without_next_step: true,
        ..AnalyzeOptions::default()
    };
    let found =
        serde_json::to_value(analyze(&loaded, loaded.model.as_ref().unwrap(), &options).unwrap()).unwrap();
    found["states"][0].clone()
}

/// (1 − s) μ² + μ tan θ = s where both ends are about to slide.
fn least_friction(s: f64, theta: f64) -> f64 {
    let t = theta.tan();
    if s < 1.0 { ((t * t + 4.0 * s * (1.0 - s)).sqrt() - t) / (2.0 * (1.0 - s)) } else { s / t }
}

#[test]
fn a_ladder_stands_down_to_its_least_friction() {
    assert_near(least_friction(0.5, PI / 3.0), (PI / 12.0).tan(), 1e-15);
    for s in [0.5, 0.9, 0.2] {
        let least = least_friction(s, PI / 3.0);
        for (share, stands) in [(1.0 + 1e-6, true), (1.0 - 1e-6, false)] {
            let set = [format!("s={s}"), format!("mu={}", least * share)];
            let asked: Vec<&str> = set.iter().map(String::as_str).collect();
            let motion = mover("ladder").run("standing", &asked, 0.1);
            assert_sound(&motion);
            let mode: Vec<_> = motion.phases[0].mode.0.iter().map(|(_, word)| word.to_string()).collect();
            assert_eq!(mode, [if stands { "stick" } else { "slip+" }; 2], "{s} {share}");
            assert_eq!(motion.phases[0].forces.is_some(), stands);
            assert_eq!(report("ladder", "standing", &set)["verdict"], "consistent");
        }
    }
}

/// The wall's force from the moments about the foot, N l sin θ + T l cos θ = W s l cos θ with |T| ≤ μ N, the floor's from balance.
#[test]
fn the_forces_on_a_ladder_range_between_the_edges_of_the_walls_cone() {
    let found = report("ladder", "standing", &[]);
    let mode = found["modes"].as_array().unwrap().iter().find(|mode| mode["consistent"] == true).unwrap();
    let range =
        |contact: &str, part: &str| [0, 1].map(|i| mode["hyperstatic"][contact][part][i].as_f64().unwrap());
    let (half, tan, mu) = (0.5 * G, (PI / 3.0).tan(), 0.5);
    let wall = [half / (tan + mu), half / (tan - mu)];
    for (i, force) in wall.into_iter().enumerate() {
        assert_near(range("head", "N")[i], force, 1e-12 * G);
        assert_near(range("foot", "T")[1 - i], -force, 1e-12 * G);
    }
    // t of the wall points down: the ladder is held up by −T
    assert_near(range("foot", "N")[0], G - mu * wall[0], 1e-12 * G);
    assert_near(range("foot", "N")[1], G + mu * wall[1], 1e-12 * G);
}

/// Without friction ω² = 3 g (sin θ₀ − sin θ)/l until the wall lets go at sin θ = (2/3) sin θ₀.
#[test]
fn a_smooth_ladder_leaves_the_wall_at_two_thirds_of_its_height() {
    let motion = mover("ladder").run("standing", &["mu=0"], 1.1);
    let lift = motion.events.iter().find(|event| event.kind == LiftOff).unwrap();
    assert_eq!(lift.contact.as_deref(), Some("head"));
    let (theta, omega) = (lift.q.0[2].1.0, lift.v.0[2].1.0);
    let top = (PI / 3.0).sin();
    assert_near(theta.sin(), 2.0 / 3.0 * top, 1e-9);
    assert_near(omega, -(3.0 * G / 3.0 * top / 3.0).sqrt(), 1e-8);
    assert_near(motion.energy.defect.0, 0.0, 1e-8);
}

#[test]
fn three_fingers_hold_a_disc_and_its_twist_only_with_friction() {
    for state in ["held", "twisted"] {
        let motion = mover("three_finger_grasp").run(state, &[], 1.0);
        assert_sound(&motion);
        assert!(motion.phases.len() == 1 && motion.phases[0].forces.is_some());
        assert_near(last(&motion, "theta")[0], 0.0, 1e-12);
        let mode = &report("three_finger_grasp", state, &[])["modes"];
        let held = mode.as_array().unwrap().iter().find(|mode| mode["consistent"] == true).unwrap().clone();
        for finger in ["below", "right", "left"] {
            assert_eq!(held["hyperstatic"][finger]["N"][1], "inf", "{finger} squeezes as hard as it likes");
        }
    }
    // smooth: m R²/2 θ¨ = T
    let motion = mover("three_finger_grasp").run("smooth", &[], 0.1);
    let spin = 0.02 / (0.5 * 0.2 * 0.05 * 0.05);
    assert_near(last(&motion, "theta")[0], 0.5 * spin * 0.01, 1e-9);
}

#[test]
fn bricks_stand_up_to_the_harmonic_overhangs() {
    let overhangs =
        |share: f64| ["o_1=0.1", "o_2=0.05", "o_3=0.1/3"].map(|text| format!("{text}*{share}")).to_vec();
    let set = overhangs(0.999);
    let asked: Vec<&str> = set.iter().map(String::as_str).collect();
    let motion = Mover::of("src/pipeline/models/brick_stack.json").run("standing", &asked, 0.5);
    assert_sound(&motion);
    assert_eq!(kinds(&motion), [End]);
    assert!(motion.phases[0].forces.is_some() && last(&motion, "theta_1")[0].abs() < 1e-12);
    // the lowest a little too far, its load behind its own edge: all tip about the table's edge as one body
    let (a, h, shift) = (0.1, 0.03, 0.08);
    let set = ["o_1=0.05", "o_2=0.02", "o_3=0.08"];
    let (x3, x2) = (shift - a, shift - a + 0.02);
    let centres = [[x2 + 0.05, 5.0 * h], [x2, 3.0 * h], [x3, h]];
    let moment: f64 = centres.iter().map(|c| c[0] * G).sum();
    let own = (a * a + h * h) / 3.0;
    let inertia: f64 = centres.iter().map(|c| own + c[0] * c[0] + c[1] * c[1]).sum();
    assert!(moment > 0.0);
    let time = 1e-4;
    let tips = Mover::of("src/pipeline/models/brick_stack.json").run("standing", &set, time);
    assert_near(last(&tips, "theta_3")[1], -moment / inertia * time, 1e-6 * moment / inertia * time);
    assert!(times(&tips, LiftOff).len() <= 1, "{:?}", kinds(&tips));
}

/// The report says what the motion does: the stack stands, whatever its forces; rows of its joints follow from others but for rounding.
#[test]
fn the_stack_stands_by_its_modes_too() {
    let stack = Mover::of("src/pipeline/models/brick_stack.json");
    let analysis = stack.derived().analyze(&AnalyzeOptions::of_state("standing")).unwrap();
    let outcome = analysis.states[0].outcome().unwrap();
    assert_eq!(outcome.prospect.verdict, Some(Verdict::Consistent));
}

/// Fingers that stick leave the disc no motion: what is left of P is rounding, and nothing is there to be unstable.
#[test]
fn a_grasp_without_motion_is_stable() {
    let grasp = Mover::of("src/pipeline/models/three_finger_grasp.json");
    let analysis = grasp.derived().analyze(&AnalyzeOptions::of_state("held")).unwrap();
    let outcome = analysis.states[0].outcome().unwrap();
    assert_eq!(outcome.prospect.resolved, ["stick,stick,stick"]);
}
