//! Existence step by step: reasons, certificates that are checked by another route, and steps that have no solution.

use crate::shared::{run, scene};
use mechan::coulomb::Form;
use mechan::existence::{Certificate, Conclusion};
use mechan::pipeline::{RunOptions, SceneRun, load_scene};
use mechan::report::{render_text, run_document};
use mechan::scene::{Options, Simulation, StepProof, StepReason, certify_step};
use std::sync::atomic::AtomicBool;

fn simulation(space: &str, lines: &str) -> Simulation {
    let options = Options { tolerance: Some(1e-6), ..Options::default() };
    Simulation::new(&scene(space, lines), &options).unwrap_or_else(|e| panic!("{e:?}"))
}

/// A disc between two planes whose normals are `angle` above the horizontal and which move along them.
fn wedge(angle: f64, mu: f64, speed: f64) -> Simulation {
    let (s, c) = angle.sin_cos();
    let plane = |side: f64| {
        let (n, far) = ([side * c, s], 0.1 + 1e-4);
        format!(
            "{{plane: {{point: [{}, {}], normal: [{}, {}]}}, motion: {{velocity: [{}, {}]}}}}",
            -far * n[0],
            -far * n[1],
            n[0],
            n[1],
            speed * n[0],
            speed * n[1]
        )
    };
    let lines = format!(
        "gravity: [0, -10]\nfriction: {mu}\nstep: 0.001\nsteps: 1\ngroups:\n  disc: {{disc: 0.1, mass: 1, place: {{at: [[0, 0]]}}}}\nsurfaces: {{left: {}, right: {}}}\n",
        plane(1.0),
        plane(-1.0)
    );
    let mut simulation = simulation("plane", &lines);
    run(&mut simulation, 1);
    assert_eq!(simulation.touches().len(), 2);
    simulation
}

/// v = (0, y) has u_N = y sin α − V and u_T = y cos α at both planes: inside the cones for a large y just if tan α > μ, and no v does
/// better, as the planes are alike. Beyond that the disc jams: no force gets it out.
#[test]
fn a_wedge_that_closes_jams_just_where_friction_holds_the_disc() {
    for (angle, mu, free) in [(0.3_f64, 0.9, true), (0.3, 1.1, false), (0.8, 0.97, true), (0.8, 1.03, false)]
    {
        let mu = mu * angle.tan();
        let StepProof::Assessed { conclusion, existence } = certify_step(&wedge(angle, mu, 0.5)) else {
            panic!("planes that close are no rigid body");
        };
        assert_eq!(existence.weak.holds(), free, "{angle} {mu}");
        assert_eq!(existence.weak.fails(), !free, "{angle} {mu}");
        let expected = if free { Conclusion::Stable } else { Conclusion::Impossible };
        assert_eq!(conclusion, expected, "{angle} {mu}");
    }
}

#[test]
fn a_wedge_at_rest_or_that_opens_has_a_solution() {
    let mut still = wedge(0.3, 0.9, 0.5);
    assert!(still.reason().is_none());
    let lines = "gravity: [0, -10]\nfriction: 2\nstep: 0.001\nsteps: 1\ngroups:\n  disc: {disc: 0.1, mass: 1, place: {at: [[0, 0.1]]}}\nsurfaces: {left: {plane: {point: [0, 0], normal: [0, 1]}}, right: {plane: {point: [0.1, 0], normal: [-1, 0]}}}\n";
    let mut resting = simulation("plane", lines);
    run(&mut resting, 10);
    assert_eq!(certify_step(&resting), StepProof::Reason(StepReason::Motionless));
    let opening = lines
        .replace("normal: [0, 1]}}", "normal: [0, 1]}, motion: {velocity: [0, 0.1]}}")
        .replace("normal: [-1, 0]}}", "normal: [-1, 0]}, motion: {velocity: [0, 0.1]}}");
    let mut together = simulation("plane", &opening);
    run(&mut together, 10);
    assert_eq!(certify_step(&together), StepProof::Reason(StepReason::OneRigidBody));
    run(&mut still, 1);
}

/// Between planes that close a disc is crushed whatever the friction: u_N ≥ 0 at both asks for −2V ≥ 0.
#[test]
fn a_disc_between_planes_that_close_has_no_solution_and_the_run_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("crushed.yaml");
    let text = "scene: 1\nname: crushed\nspace: plane\nfriction: 0.1\nstep: 0.001\nsteps: 4\ngroups:\n  disc: {disc: 0.1, mass: 1, place: {at: [[0, 0]]}}\nsurfaces:\n  left: {plane: {point: [-0.1012, 0], normal: [1, 0]}, motion: {velocity: [1, 0]}}\n  right: {plane: {point: [0.1012, 0], normal: [-1, 0]}, motion: {velocity: [-1, 0]}}\n";
    std::fs::write(&file, text).unwrap();
    let options = RunOptions { certify: true, ..RunOptions::default() };
    let mut run = SceneRun::new(&load_scene(file.to_str().unwrap()).unwrap(), options).unwrap();
    let (outcome, end) = run.collect(&AtomicBool::new(false), &mut |_, _| {}).unwrap();
    let place = outcome.columns.iter().position(|name| name == "existence").unwrap();
    let words: Vec<&str> = outcome.rows.iter().map(|row| row[place].as_str().unwrap()).collect();
    assert_eq!(words, ["no-contact", "impossible", "impossible", "impossible"]);
    // the relative velocity cannot be better than half of how fast the planes close
    let margin = outcome.rows[1][place + 1].as_f64().unwrap();
    assert!((margin + 1.0).abs() < 1e-6, "{margin}");
    let proofs = end.proofs.unwrap();
    assert_eq!((proofs.reason, proofs.impossible, proofs.first_impossible), (1, 3, Some(2)));
    assert_eq!(end.unsolved, 3);
    // a run of no step has the same columns
    let options = RunOptions { steps: Some(0), certify: true, ..RunOptions::default() };
    let mut none = SceneRun::new(&load_scene(file.to_str().unwrap()).unwrap(), options).unwrap();
    let (nothing, end) = none.collect(&AtomicBool::new(false), &mut |_, _| {}).unwrap();
    assert_eq!((nothing.columns, end.taken), (outcome.columns, 0));
    assert!(render_text(&run_document(&end)).contains("No step was taken"));
}

/// Beads that rebound in a box: no reason without computing, so every step with contacts has a certificate, and its velocity, in plain
/// numbers, brings the relative velocity of every contact into the inside of its cone.
#[test]
fn certificates_of_rebounding_beads_are_velocities_inside_the_cones() {
    let lines = "gravity: [0, 0, -10]\nfriction: 0.3\nrestitution: 0.2\nseed: 2\nstep: 0.01\nsteps: 1\ngroups:\n  beads: {sphere: 0.1, count: 20, density: 2500, place: {grid: {from: [0, 0, 0], to: [0.65, 0.65, 2], jitter: 1}}}\nsurfaces: {walls: {box: {from: [0, 0, 0], to: [0.65, 0.65, 2], open: [z+]}}}\n";
    let mut simulation = simulation("space", lines);
    let mut checked = 0;
    for _ in 0..60 {
        simulation.advance().unwrap();
        if simulation.touches().is_empty() {
            assert_eq!(certify_step(&simulation), StepProof::Reason(StepReason::NoContact));
            continue;
        }
        let proof = certify_step(&simulation);
        let StepProof::Assessed { conclusion, existence } = &proof else { panic!("{proof:?}") };
        assert_eq!(*conclusion, Conclusion::Stable);
        let (_, verdict) = existence.strongest().unwrap();
        let problem = simulation.problem();
        let Form::Global(global) = problem.form() else { panic!("a scene's problem is global") };
        let (v, mut u) = match verdict.certificate().unwrap() {
            Certificate::Velocity(v) => (v.to_f64(), global.w.clone()),
            Certificate::Direction(d) => (d.to_f64(), vec![0.0; problem.rows()]),
            other => panic!("{other:?}"),
        };
        global.Ht.transpose_mul_add(&v, &mut u);
        for (u, mu) in u.chunks(3).zip(problem.mu()) {
            assert!(u[0] > mu * u[1].hypot(u[2]), "{u:?}");
        }
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}
