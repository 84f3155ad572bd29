//! Silos, funnels, drums: what walls carry, and balances of the shipped scenes.

use crate::shared::{run, scene};
use mechan::coulomb::Form;
use mechan::diag::Source;
use mechan::format::scene::read_scene;
use mechan::scene::{Options, Other, Simulation};

/// Discs between two walls on a bottom that sinks slowly; the shares of the weight that walls and bottom carry, a mean over steps.
fn shares(mu: f64, count: usize) -> [f64; 2] {
    let lines = format!(
        "gravity: [0, -10]\nfriction: {mu}\nseed: 3\nstep: 0.005\nsteps: 1\ngroups:\n  discs: {{disc: {{uniform: [0.045, 0.055]}}, count: {count}, mass: 1, place: {{grid: {{from: [0.005, 0.005], to: [0.345, 9], jitter: 0.8}}}}}}\nsurfaces:\n  walls: {{walls: [[0, 9], [0, -1]]}}\n  other: {{walls: [[0.35, 9], [0.35, -1]]}}\n  bottom: {{plane: {{point: [0, 0], normal: [0, 1]}}, motion: {{velocity: [0, -0.05]}}}}\n"
    );
    let options = Options { tolerance: Some(1e-4), ..Options::default() };
    let mut simulation = Simulation::new(&scene("plane", &lines), &options).unwrap();
    run(&mut simulation, 160);
    let momentum =
        |simulation: &Simulation| simulation.bodies().iter().map(|b| b.mass * b.velocity[1]).sum::<f64>();
    let (before, steps) = (momentum(&simulation), 60);
    let mut carried = [0.0; 2];
    for _ in 0..steps {
        simulation.advance().unwrap();
        let Some(solution) = simulation.solution() else { continue };
        for (touch, r) in simulation.touches().iter().zip(solution.r.chunks(2)) {
            if let Other::Piece(piece) = touch.other {
                let bottom = simulation.obstacles()[piece].surface == 2;
                // the tangent of a normal (n_x, n_y) is (n_y, −n_x)
                carried[usize::from(bottom)] += touch.normal[1] * r[0] - touch.normal[0] * r[1];
            }
        }
    }
    let weight = count as f64 * 10.0 * 0.005 * f64::from(steps);
    let gained = momentum(&simulation) - before;
    assert!(
        (carried[0] + carried[1] - weight - gained).abs() < 1e-2 * weight,
        "{carried:?} {weight} {gained}"
    );
    carried.map(|c| c / weight)
}

/// Janssen: with friction the walls carry ever more of the weight, so that the load of the bottom saturates; without it the bottom carries all.
#[test]
fn the_load_of_a_silos_bottom_saturates_with_friction_alone() {
    let [low, high] = [16, 32].map(|count| shares(0.0, count));
    for [walls, bottom] in [low, high] {
        assert!(walls.abs() < 1e-9 && (bottom - 1.0).abs() < 0.03, "{walls} {bottom}");
    }
    let [low, high] = [16, 32].map(|count| shares(0.9, count));
    // twice the filling
    let grown = 2.0 * high[1] / low[1];
    assert!(low[1] < 0.9 && high[1] < 0.7 && grown < 1.5, "{low:?} {high:?} {grown}");
}

/// In every step of the shipped scenes the momentum changes by gravity and by the impulses of the surfaces alone; where no surface moves the
/// energy never grows.
#[test]
fn balances_of_the_shipped_scenes_hold() {
    for name in ["funnel", "silo", "drum"] {
        let path = format!("{}/scenes/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        let source = Source::new(path.clone(), std::fs::read_to_string(&path).unwrap());
        let scene = read_scene(&source).unwrap().scene;
        let options = Options { tolerance: Some(1e-6), ..Options::default() };
        let mut simulation = Simulation::new(&scene, &options).unwrap();
        let (dim, own) = (scene.space.dimension(), if scene.space.dimension() == 2 { 3 } else { 6 });
        let momentum = |simulation: &Simulation| -> [f64; 3] {
            std::array::from_fn(|k| simulation.bodies().iter().map(|b| b.mass * b.velocity[k]).sum())
        };
        let mass: f64 = simulation.bodies().iter().map(|b| b.mass).sum();
        let (mut last, mut energy, mut touched) = (momentum(&simulation), f64::INFINITY, 0);
        let mut steps = 0;
        while touched < 200 && steps < 400 {
            steps += 1;
            let record = simulation.advance().unwrap();
            assert!(record.solved, "{name} {record:?}");
            let mut impulse = scene.gravity.map(|g| g * mass * scene.course.step);
            if let Some(solution) = simulation.solution() {
                let Form::Global(global) = simulation.problem().form() else { panic!("global") };
                for (contact, touch) in simulation.touches().iter().enumerate() {
                    if matches!(touch.other, Other::Body(_)) {
                        continue;
                    }
                    touched += 1;
                    for row in dim * contact..dim * (contact + 1) {
                        for (place, entry) in global.Ht.column(row).filter(|(place, _)| place % own < dim) {
                            impulse[place % own] += entry * solution.r[row];
                        }
                    }
                }
            }
            let now = momentum(&simulation);
            let size = mass * 10.0 * scene.course.step + now.iter().map(|x| x.abs()).sum::<f64>();
            for k in 0..3 {
                assert!(
                    (now[k] - last[k] - impulse[k]).abs() < 1e-6 * size,
                    "{name} {k}: {now:?} {last:?} {impulse:?}"
                );
            }
            last = now;
            let total = record.energy_kinetic + record.energy_potential;
            // overlaps that are taken back lift what had sunk before
            assert!(name == "drum" || total <= energy + 1e-5 * total.abs(), "{name}: {total} after {energy}");
            energy = total;
        }
        assert!(touched >= 200, "{name}: {touched}");
    }
}
