//! One body, two, a few: closed forms.

use crate::shared::{run, scene, simulation};

const GROUND: &str = "surfaces: {ground: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n";

/// A bead that falls from rest: v = −g t exactly, and positions of the midpoint rule are those of the parabola.
#[test]
fn free_flight_is_the_parabola_and_keeps_its_energy() {
    let scene = scene(
        "space",
        "gravity: [0, 0, -9.81]\nfriction: 0\nstep: 0.01\nsteps: 50\ngroups:\n  bead: {sphere: 0.1, mass: 2, velocity: [1, 0, 3], place: {at: [[0, 0, 1]]}}\n",
    );
    let mut simulation = simulation(&scene);
    let rows = run(&mut simulation, 50);
    let (t, body) = (0.5, &simulation.bodies()[0]);
    assert!((body.centre[2] - (1.0 + 3.0 * t - 0.5 * 9.81 * t * t)).abs() < 1e-13);
    assert!((body.velocity[2] - (3.0 - 9.81 * t)).abs() < 1e-13 && (body.centre[0] - t).abs() < 1e-13);
    let energy = |row: &mechan::scene::Record| row.energy_kinetic + row.energy_potential;
    assert!(rows.iter().all(|row| (energy(row) - energy(&rows[0])).abs() < 1e-12 && row.contacts == 0));
}

/// The velocity after an impact is −e times that before it; the height of the next flight follows.
#[test]
fn a_bead_bounces_with_newtons_coefficient() {
    for e in [0.0, 0.5, 1.0] {
        let lines = format!(
            "gravity: [0, 0, 0]\nfriction: 0.3\nrestitution: {e}\nstep: 0.001\nsteps: 1\ngroups:\n  bead: {{sphere: 0.1, mass: 2, velocity: [0, 0, -1], place: {{at: [[0, 0, 0.15]]}}}}\n{GROUND}"
        );
        let mut simulation = simulation(&scene("space", &lines));
        run(&mut simulation, 120);
        assert!((simulation.bodies()[0].velocity[2] - e).abs() < 1e-9, "{e}: {:?}", simulation.bodies()[0]);
    }
}

/// A sphere that is thrown along rough ground slides with a = −μg, spins up with 5μg/(2R), and rolls from 2v/(7μg) on at 5v/7.
#[test]
fn a_sliding_sphere_slows_down_by_friction_and_rolls_at_five_sevenths() {
    let lines = format!(
        "gravity: [0, 0, -10]\nfriction: 0.2\nstep: 0.001\nsteps: 1\ngroups:\n  bead: {{sphere: 0.1, mass: 3, velocity: [1.4, 0, 0], place: {{at: [[0, 0, 0.1]]}}}}\n{GROUND}"
    );
    let mut simulation = simulation(&scene("space", &lines));
    run(&mut simulation, 101);
    // the first step finds no contact: it has not fallen yet
    let body = simulation.bodies()[0];
    assert!((body.velocity[0] - (1.4 - 2.0 * 0.1)).abs() < 3e-3, "{body:?}");
    assert!((body.spin[1] - 2.5 * 2.0 * 0.1 / 0.1).abs() < 6e-2, "{body:?}");
    run(&mut simulation, 400);
    let body = simulation.bodies()[0];
    assert!((body.velocity[0] - 1.0).abs() < 1e-6 && (body.spin[1] - 10.0).abs() < 1e-5, "{body:?}");
}

/// A disc on an incline rolls with 2/3 g sin α where tan α < 3μ, and slides with g(sin α − μ cos α) beyond; a box stays for μ > tan α.
#[test]
fn discs_and_boxes_on_an_incline_roll_slide_and_stay() {
    let (sin, cos) = (0.6, 0.8);
    let start = |height: f64| [-height * sin, height * cos];
    for (mu, expected) in [(0.5, 10.0 * sin * 2.0 / 3.0), (0.1, 10.0 * (sin - 0.1 * cos))] {
        let [x, y] = start(0.1);
        let lines = format!(
            "gravity: [0, -10]\nfriction: {mu}\nstep: 0.001\nsteps: 1\nsurfaces: {{slope: {{plane: {{point: [0, 0], normal: [-{sin}, {cos}]}}}}}}\ngroups:\n  disc: {{disc: 0.1, mass: 1, place: {{at: [[{x}, {y}]]}}}}\n"
        );
        let mut simulation = simulation(&scene("plane", &lines));
        run(&mut simulation, 300);
        let v = simulation.bodies()[0].velocity;
        assert!((v[0].hypot(v[1]) / 0.3 - expected).abs() < 0.02 * expected, "{mu}: {v:?} {expected}");
    }
    for (mu, slides) in [(0.8, false), (0.7, true)] {
        let [x, y] = start(0.05);
        let turn = sin.atan2(cos);
        let lines = format!(
            "gravity: [0, -10]\nfriction: {mu}\nstep: 0.001\nsteps: 1\nsurfaces: {{slope: {{plane: {{point: [0, 0], normal: [-{sin}, {cos}]}}}}}}\ngroups:\n  block: {{box: [0.4, 0.1], mass: 1, turn: {turn}, place: {{at: [[{x}, {y}]]}}}}\n"
        );
        let mut simulation = simulation(&scene("plane", &lines));
        run(&mut simulation, 200);
        let v = simulation.bodies()[0].velocity;
        let expected = if slides { 10.0 * (sin - mu * cos) * 0.2 } else { 0.0 };
        assert!((v[0].hypot(v[1]) - expected).abs() < 0.02, "{mu}: {v:?} {expected}");
    }
}

/// Two spheres, one at rest: momentum is kept, and the relative velocity is reversed by e.
#[test]
fn two_beads_exchange_momentum() {
    for (e, m) in [(1.0, 1.0), (0.5, 3.0), (0.0, 0.5)] {
        let lines = format!(
            "friction: 0.4\nrestitution: {e}\nstep: 0.001\nsteps: 1\ngroups:\n  a: {{sphere: 0.1, mass: 1, velocity: [1, 0, 0], place: {{at: [[0, 0, 0]]}}}}\n  b: {{sphere: 0.1, mass: {m}, place: {{at: [[0.25, 0, 0]]}}}}\n"
        );
        let mut simulation = simulation(&scene("space", &lines));
        run(&mut simulation, 150);
        let [a, b] = [0, 1].map(|k| simulation.bodies()[k].velocity[0]);
        assert!((a + m * b - 1.0).abs() < 1e-9, "{a} {b}");
        assert!((b - a - e).abs() < 1e-9, "{e}: {a} {b}");
    }
}

/// A row of three touching beads that is struck at one end, all at once with e = 1: the law of Newton at every contact with impulses
/// p₁ (struck) and p₂: −2 p₁ + p₂ = −2, p₁ − 2 p₂ = 0, so p₁ = 4/3, p₂ = 2/3 and the velocities −1/3, 2/3, 2/3. A little apart the
/// impacts follow each other and the last one takes it all.
#[test]
fn a_row_of_beads_passes_on_what_strikes_it() {
    let row = |gap: f64| {
        let places: Vec<String> = (0..3).map(|k| format!("[{}, 0, 0]", f64::from(k) * (0.2 + gap))).collect();
        let lines = format!(
            "friction: 0\nrestitution: 1\nstep: 0.001\nsteps: 1\ngroups:\n  a: {{sphere: 0.1, mass: 1, velocity: [1, 0, 0], place: {{at: [{}]}}}}\n  b: {{sphere: 0.1, mass: 1, place: {{at: [{}, {}]}}}}\n",
            places[0], places[1], places[2]
        );
        let mut simulation = simulation(&scene("space", &lines));
        run(&mut simulation, 60);
        [0, 1, 2].map(|k| simulation.bodies()[k].velocity[0])
    };
    let apart = row(0.005);
    let expected = [0.0, 0.0, 1.0];
    assert!(apart.iter().zip(expected).all(|(v, w)| (v - w).abs() < 1e-9), "{apart:?}");
    let touching = row(0.0);
    let expected = [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0];
    assert!(touching.iter().zip(expected).all(|(v, w)| (v - w).abs() < 1e-8), "{touching:?}");
}

/// A plate that is carried up and down takes a bead along while g + ẍ > 0: 2 a ω² beyond g throws it.
#[test]
fn a_shaken_plane_throws_a_bead_when_it_falls_faster_than_the_bead() {
    for (rate, thrown) in [(8.0, false), (12.0, true)] {
        // 0.1 ω² is 6.4 and 14.4, gravity is 10
        let lines = format!(
            "gravity: [0, 0, -10]\nfriction: 0\nstep: 0.001\nsteps: 1\ngroups:\n  bead: {{sphere: 0.1, mass: 1, place: {{at: [[0, 0, 0.1]]}}}}\nsurfaces:\n  table: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}, motion: {{displacement: [0, 0, 0.1*(1 - cos({rate}*t))]}}}}\n"
        );
        let mut simulation = simulation(&scene("space", &lines));
        let mut highest = 0.0_f64;
        for step in 1..=500 {
            simulation.advance().unwrap();
            let table = 0.1 * (1.0 - (rate * simulation.time(step)).cos());
            highest = highest.max(simulation.bodies()[0].centre[2] - 0.1 - table);
        }
        assert_eq!(highest > 5e-3, thrown, "{rate}: {highest}");
    }
}

/// Ground that moves like a belt carries a bead along, which rolls on it: contact velocity v + Rω = u.
#[test]
fn a_moving_surface_drags_what_lies_on_it() {
    let lines = "gravity: [0, 0, -10]\nfriction: 0.5\nstep: 0.001\nsteps: 1\ngroups:\n  bead: {sphere: 0.1, mass: 1, place: {at: [[0, 0, 0.1]]}}\nsurfaces:\n  belt: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, motion: {velocity: [0.7, 0, 0]}}\n";
    let mut simulation = simulation(&scene("space", lines));
    run(&mut simulation, 200);
    // from rest: friction gives m v = P and 2/5 m R² ω = −P R, so v = 2/7 of the belt's speed
    let body = simulation.bodies()[0];
    assert!((body.velocity[0] - 0.2).abs() < 1e-6 && (body.spin[1] + 5.0).abs() < 1e-5, "{body:?}");
}
