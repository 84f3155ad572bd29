//! Bodies that are thrown at more than a floor: a chair at stairs, ten points on three treads and two risers that are only as wide as they are; a box
//! onto another one that lies, or falls with it.

use mechan::Derived;
use mechan::pipeline::{Deriver, SimulateOptions, load};
use mechan::simulate::trajectory::{Status, Trajectory};

fn derived(model: &str) -> Derived {
    let loaded = load(&format!("tests/ordinary/models/{model}.json")).unwrap();
    loaded.derive(&Deriver::nobody()).unwrap()
}

/// A motion that comes to the end of its time.
fn thrown(body: &Derived, options: &SimulateOptions) -> Trajectory {
    let motion = body.simulate(options).unwrap();
    assert_eq!(motion.status, Status::End, "{:?}: {:?}", options.state, motion.reason);
    motion
}

/// The same, above all surfaces and with its energy accounted for.
fn sound(body: &Derived, state: &str, t_end: f64) -> (SimulateOptions, Trajectory) {
    let options = SimulateOptions { state: Some(state.into()), t_end, ..SimulateOptions::default() };
    let motion = thrown(body, &options);
    assert!(motion.drift.gap < 1e-9, "{state}: {:?}", motion.drift);
    let lost = motion.energy.initial.0 - motion.energy.last.0;
    assert!(motion.energy.defect.0.abs() <= 1e-8 * lost, "{state}: {:?}", motion.energy);
    (options, motion)
}

/// The last state as numbers that are set.
fn last(motion: &Trajectory, coordinates: usize) -> Vec<String> {
    let numbers = motion.columns.iter().zip(motion.rows.last().unwrap()).skip(1).take(2 * coordinates);
    numbers.map(|(name, value)| format!("{name}={:?}", value.0)).collect()
}

#[test]
fn a_chair_that_is_thrown_down_stairs_comes_to_rest_on_them() {
    let chair = derived("chair_on_stairs");
    for state in ["s0", "s2", "s5", "s8", "s10", "s13", "s14", "s40", "s42", "s48", "s56"] {
        let (options, motion) = sound(&chair, state, 3.0);
        let row = motion.rows.last().unwrap();
        assert!(row[8..15].iter().all(|rate| rate.0.abs() < 1e-9), "{state}: {row:?}");
        // where it rests it rests in time-stepping too
        let moreau = SimulateOptions {
            scheme: "moreau".parse().unwrap(),
            step: Some(1e-3),
            set: last(&motion, 7),
            t_end: 0.2,
            ..options
        };
        let after = thrown(&chair, &moreau);
        let moved = |k: usize| (after.rows.last().unwrap()[k].0 - row[k].0).abs();
        assert!((1..8).all(|k| moved(k) < 1e-6), "{state}: {:?}", (1..8).map(moved).collect::<Vec<_>>());
    }
}

#[test]
fn a_box_that_is_thrown_onto_another_one_comes_to_the_end_of_its_time() {
    let boxes = derived("box_on_box");
    for state in ["s12", "s19", "s26", "s36"] {
        let (_, motion) = sound(&boxes, state, 2.0);
        assert!(motion.events.len() > 20, "{state}: {}", motion.events.len());
    }
}
