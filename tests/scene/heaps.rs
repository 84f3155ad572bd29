//! Heaps: rest, balances, order, angle of repose.

use crate::shared::{row, run, scene, simulation};
use mechan::scene::{Options, Simulation};

const PYRAMID: &str = "gravity: [0, -10]\nfriction: 0.5\nstep: 0.002\nsteps: 1\nsurfaces: {trough: {box: {from: [-0.1, 0], to: [0.5, 1], open: [y+]}}}\ngroups:\n";

/// Three discs side by side between two walls, two on them, one on top: they stay, and ground and walls carry their weight.
#[test]
fn a_pile_at_rest_stays_at_rest_and_the_ground_carries_it() {
    let high = 0.1 * 3.0_f64.sqrt();
    let mut places = Vec::new();
    for level in 0..3 {
        for k in 0..3 - level {
            places.push(format!(
                "[{}, {}]",
                0.2 * f64::from(k) + 0.1 * f64::from(level),
                0.1 + f64::from(level) * high
            ));
        }
    }
    let lines = format!("{PYRAMID}  discs: {{disc: 0.1, mass: 2, place: {{at: [{}]}}}}\n", places.join(", "));
    let mut simulation = simulation(&scene("plane", &lines));
    let before: Vec<_> = simulation.bodies().iter().map(|b| b.centre).collect();
    let rows = run(&mut simulation, 500);
    for (body, centre) in simulation.bodies().iter().zip(before) {
        let moved = (body.centre[0] - centre[0]).hypot(body.centre[1] - centre[1]);
        // some contacts close after a step of free fall
        assert!(moved < 3e-4, "{moved} {body:?}");
    }
    assert!(rows.last().unwrap().energy_kinetic < 1e-10, "{:?}", rows.last());
    let weight = 6.0 * 2.0 * 10.0 * 0.002;
    for _ in 0..50 {
        let carried = upward(&mut simulation);
        assert!((carried / weight - 1.0).abs() < 1e-6, "{carried} {weight}");
    }
}

/// Two discs side by side and one on them, on the ground without walls. Forces that hold a lower disc act at two points, so that they have one
/// line, 15 degrees from the normal of each: rest needs mu ≥ tan 15° = 0.2679, above it the pile stays, below it the discs roll apart.
#[test]
fn three_discs_without_walls_stay_from_the_friction_of_the_closed_form_on() {
    let least = (std::f64::consts::PI / 12.0).tan();
    for (mu, stays) in [(0.96 * least, false), (1.04 * least, true), (0.6, true)] {
        let lines = format!(
            "gravity: [0, -10]\nfriction: {mu}\nstep: 0.002\nsteps: 1\nsurfaces: {{ground: {{plane: {{point: [0, 0], normal: [0, 1]}}}}}}\ngroups:\n  discs: {{disc: 0.1, mass: 2, place: {{at: [[0, 0.1], [0.2, 0.1], [0.1, {}]]}}}}\n",
            0.1 + 0.1 * 3.0_f64.sqrt()
        );
        let mut simulation = simulation(&scene("plane", &lines));
        run(&mut simulation, 300);
        let top = simulation.bodies()[2].centre[1];
        assert_eq!(top > 0.27, stays, "{mu}: {top}");
        let still = simulation.bodies().iter().all(|body| body.kinetic() < 1e-12);
        assert_eq!(still, stays, "{mu}");
    }
}

/// The upward impulse of walls and ground in a step; the tangent of a normal (n_x, n_y) is (n_y, −n_x).
fn upward(simulation: &mut Simulation) -> f64 {
    simulation.advance().unwrap();
    let Some(solution) = simulation.solution() else { return 0.0 };
    let contacts = simulation.touches().iter().zip(solution.r.chunks(2));
    let outside = contacts.filter(|(t, _)| matches!(t.other, mechan::scene::Other::Piece(_)));
    outside.map(|(t, r)| t.normal[1] * r[0] - t.normal[0] * r[1]).sum()
}

/// Momentum of beads that meet without surfaces is kept, their energy never grows, and forces are solved.
#[test]
fn a_cloud_of_beads_keeps_its_momentum_and_loses_energy() {
    let lines = "friction: 0.3\nrestitution: 0.5\nseed: 3\nstep: 0.005\nsteps: 1\ngroups:\n  left: {sphere: {uniform: [0.08, 0.12]}, count: 27, density: 1000, velocity: [1, 0, 0], place: {grid: {from: [0, 0, 0], to: [0.8, 0.8, 0.8], jitter: 1}}}\n  right: {sphere: 0.1, count: 27, density: 1000, velocity: [-1, 0.2, 0], place: {grid: {from: [0.9, 0, 0], to: [1.7, 0.8, 0.8], jitter: 1}}}\n";
    let mut simulation = simulation(&scene("space", lines));
    let momentum = |simulation: &Simulation| -> [f64; 3] {
        std::array::from_fn(|k| simulation.bodies().iter().map(|b| b.mass * b.velocity[k]).sum())
    };
    let about = |simulation: &Simulation| -> [f64; 3] {
        simulation.bodies().iter().fold([0.0; 3], |sum, b| {
            let (x, v) = (b.centre, b.velocity);
            let own = [x[1] * v[2] - x[2] * v[1], x[2] * v[0] - x[0] * v[2], x[0] * v[1] - x[1] * v[0]];
            std::array::from_fn(|k| sum[k] + b.mass * own[k] + b.inertia[k] * b.spin[k])
        })
    };
    let (before, turning) = (momentum(&simulation), about(&simulation));
    let rows = run(&mut simulation, 80);
    let size: f64 = simulation.bodies().iter().map(|b| b.mass).sum();
    let after = momentum(&simulation);
    (0..3).for_each(|k| assert!((after[k] - before[k]).abs() < 1e-9 * size, "{before:?} {after:?}"));
    assert!(rows.iter().any(|r| r.contacts > 5));
    assert!(rows.windows(2).all(|pair| pair[1].energy_kinetic <= pair[0].energy_kinetic * (1.0 + 1e-9)));
    // arms end at the surfaces of bodies that overlap, so that the angular momentum is kept up to the overlaps
    let (deep, after) = (rows.iter().map(|r| r.penetration).fold(0.0, f64::max), about(&simulation));
    (0..3).for_each(|k| {
        assert!((after[k] - turning[k]).abs() < 2.0 * deep * size, "{turning:?} {after:?} {deep}")
    });
}

/// The same beads in another order: the same first contacts, and statistics of the end that agree.
#[test]
fn the_order_of_bodies_does_not_matter() {
    let places: Vec<String> = (0..24)
        .map(|k| {
            format!(
                "[{}, {}, {}]",
                0.21 * f64::from(k % 3),
                0.3 * f64::from(k / 3 % 2) + 0.02 * f64::from(k % 5),
                0.1 + 0.21 * f64::from(k / 6)
            )
        })
        .collect();
    let heap = |places: &[String]| {
        let lines = format!(
            "gravity: [0, 0, -10]\nfriction: 0.3\nrestitution: 0.2\nstep: 0.005\nsteps: 1\ngroups:\n  beads: {{sphere: 0.1, mass: 1, place: {{at: [{}]}}}}\nsurfaces: {{ground: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}\n",
            places.join(", ")
        );
        let mut simulation = simulation(&scene("space", &lines));
        let rows = run(&mut simulation, 60);
        let energy = rows.iter().map(|r| r.energy_kinetic).collect::<Vec<_>>();
        (rows.iter().map(|r| r.contacts).collect::<Vec<_>>(), energy)
    };
    let (contacts, energy) = heap(&places);
    let mut turned = places.clone();
    turned.reverse();
    turned.swap(3, 17);
    let (others, other_energy) = heap(&turned);
    // until impulses that are not unique make a difference
    let early = 12;
    assert_eq!(contacts[..early], others[..early]);
    (0..early).for_each(|k| assert!((energy[k] - other_energy[k]).abs() < 1e-6 * (1.0 + energy[k]), "{k}"));
    let all = |contacts: &[usize]| contacts.iter().sum::<usize>() as f64;
    assert!((all(&contacts) / all(&others) - 1.0).abs() < 0.1, "{contacts:?} {others:?}");
}

/// Of a tall narrow heap of discs that is let go: the steeper, the rougher.
#[test]
fn a_rougher_heap_stays_steeper() {
    let spread = |mu: f64| {
        let lines = format!(
            "gravity: [0, -10]\nfriction: {mu}\nseed: 5\nstep: 0.005\nsteps: 1\ngroups:\n  discs: {{disc: {{uniform: [0.09, 0.11]}}, count: 30, density: 100, place: {{grid: {{from: [0, 0], to: [1.2, 3], jitter: 0.3}}}}}}\nsurfaces: {{ground: {{plane: {{point: [0, 0], normal: [0, 1]}}}}}}\n"
        );
        let options = Options { tolerance: Some(1e-5), ..Options::default() };
        let mut simulation = Simulation::new(&scene("plane", &lines), &options).unwrap();
        run(&mut simulation, 200);
        let heights: f64 = simulation.bodies().iter().map(|b| b.centre[1]).sum();
        heights / simulation.bodies().len() as f64
    };
    let [smooth, rough] = [0.02, 0.8].map(spread);
    assert!(rough > 1.15 * smooth, "{smooth} {rough}");
}

/// A run that goes on from a state in another session has the same rows to the last bit.
#[test]
fn a_resumed_run_has_the_same_rows() {
    let lines = "gravity: [0, 0, -10]\nfriction: 0.3\nrestitution: 0.2\nseed: 2\nstep: 0.01\nsteps: 1\ngroups:\n  beads: {sphere: 0.1, count: 30, density: 2500, place: {grid: {from: [0, 0, 0], to: [0.65, 0.65, 2], jitter: 1}}}\nsurfaces: {walls: {box: {from: [0, 0, 0], to: [0.65, 0.65, 2], open: [z+]}}}\n";
    let scene = scene("space", lines);
    let mut whole = simulation(&scene);
    run(&mut whole, 25);
    let state = whole.state();
    let text = serde_json::to_string(&state).unwrap();
    let mut second = simulation(&scene);
    second.resume(&serde_json::from_str(&text).unwrap()).unwrap();
    let (first, second) = (run(&mut whole, 25), run(&mut second, 25));
    assert!(first.iter().any(|r| r.warm > 20 && r.contacts > 30), "{:?}", first.last());
    assert_eq!(first.iter().map(row).collect::<Vec<_>>(), second.iter().map(row).collect::<Vec<_>>());
}

/// Beads in a drum stay in it, are carried up on the side that rises, and nothing passes through the wall.
#[test]
fn a_rotating_drum_carries_its_beads_up() {
    let lines = "gravity: [0, 0, -10]\nfriction: 0.6\nseed: 1\nstep: 0.005\nsteps: 1\ngroups:\n  beads: {sphere: 0.06, count: 30, density: 1000, place: {grid: {from: [-0.33, -0.2, -0.33], to: [0.33, 0.2, 0.33], jitter: 0.5}}}\nsurfaces:\n  drum: {drum: {centre: [0, 0, 0], axis: [0, 1, 0], radius: 0.5, length: 0.44}, motion: {axis: [0, 1, 0], rate: 2}}\n";
    let options = Options { tolerance: Some(1e-5), ..Options::default() };
    let mut simulation = Simulation::new(&scene("space", lines), &options).unwrap();
    run(&mut simulation, 200);
    let mean: f64 = simulation.bodies().iter().map(|b| b.centre[0]).sum::<f64>() / 30.0;
    // about the second axis the lowest point moves to −x
    assert!(mean < -0.05, "{mean}");
    let farthest = simulation.bodies().iter().map(|b| b.centre[0].hypot(b.centre[2])).fold(0.0, f64::max);
    assert!(farthest < 0.45, "{farthest}");
}

/// A lattice of beads that touch each other, enough for the sweeps to be cut into slabs: the same rows and the same forces on one thread,
/// two and three, to the last bit.
#[test]
fn rows_are_the_same_on_any_number_of_threads() {
    let lines = "gravity: [1, 0, -10]\nfriction: 0.3\nstep: 0.01\nsteps: 3\ntolerance: 1e-5\ngroups:\n  beads: {sphere: 0.5, count: 900, mass: 1, place: {grid: {from: [0, 0, 0], to: [10, 10, 9], spacing: 1}}}\nsurfaces: {ground: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n";
    let scene = scene("space", lines);
    let run = |threads| {
        let options = Options { threads: Some(threads), ..Options::default() };
        let mut simulation = Simulation::new(&scene, &options).unwrap();
        let rows: Vec<_> = (0..2).map(|_| row(&simulation.advance().unwrap())).collect();
        let forces: Vec<_> = simulation.solution().unwrap().r.iter().map(|x| x.to_bits()).collect();
        (rows, forces)
    };
    let one = run(1);
    // the lattice comes apart: most contacts are those of the first step
    assert!(one.0[0].1 > 2000 && one.0[0].2 > 10, "{:?}", one.0);
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}
