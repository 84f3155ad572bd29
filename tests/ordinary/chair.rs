//! A chair that is thrown at stairs: ten points, three treads and two risers, each only as wide as it is.

use mechan::Derived;
use mechan::pipeline::{Deriver, SimulateOptions, load};
use mechan::simulate::trajectory::{Status, Trajectory};

const STATES: [&str; 6] = ["s0", "s2", "s5", "s10", "s13", "s14"];

fn chair() -> Derived {
    let loaded = load("tests/ordinary/models/chair_on_stairs.json").unwrap();
    loaded.derive(&Deriver::nobody()).unwrap()
}

fn thrown(chair: &Derived, options: &SimulateOptions) -> Trajectory {
    let motion = chair.simulate(options).unwrap();
    assert_eq!(motion.status, Status::End, "{:?}: {:?}", options.state, motion.reason);
    motion
}

/// The last state as numbers that are set.
fn last(motion: &Trajectory) -> Vec<String> {
    let row = motion.rows.last().unwrap();
    motion
        .columns
        .iter()
        .zip(row)
        .skip(1)
        .take(14)
        .map(|(name, value)| format!("{name}={:?}", value.0))
        .collect()
}

#[test]
fn a_chair_that_is_thrown_down_stairs_comes_to_rest_on_them() {
    let chair = chair();
    for state in STATES {
        let options = SimulateOptions { state: Some(state.into()), t_end: 3.0, ..SimulateOptions::default() };
        let motion = thrown(&chair, &options);
        assert!(motion.drift.gap < 1e-9, "{state}: {:?}", motion.drift);
        let lost = motion.energy.initial.0 - motion.energy.last.0;
        assert!(motion.energy.defect.0.abs() <= 1e-8 * lost, "{state}: {:?}", motion.energy);
        let row = motion.rows.last().unwrap();
        assert!(row[8..15].iter().all(|rate| rate.0.abs() < 1e-9), "{state}: {row:?}");
        // where it rests it rests in time-stepping too
        let moreau = SimulateOptions {
            scheme: "moreau".parse().unwrap(),
            step: Some(1e-3),
            set: last(&motion),
            t_end: 0.2,
            ..options
        };
        let after = thrown(&chair, &moreau);
        let moved = |k: usize| (after.rows.last().unwrap()[k].0 - row[k].0).abs();
        assert!((1..8).all(|k| moved(k) < 1e-6), "{state}: {:?}", (1..8).map(moved).collect::<Vec<_>>());
    }
}
