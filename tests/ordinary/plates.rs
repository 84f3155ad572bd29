//! Plates that lie on twenty points: forces are never unique, and motions are those of closed forms as long as nothing turns.

use super::case::Case;
use super::families::plate;
use mechan::pipeline::SimulateOptions;
use mechan::simulate::trajectory::{EventKind, Status, Trajectory};

const GRAVITY: f64 = 10.0;
const FRICTION: f64 = 0.3;

fn lying(numbers: &[(&str, f64)], t_end: f64) -> Case {
    let mut case = plate();
    for (name, value) in [("g", GRAVITY), ("mu", FRICTION), ("e", 0.0)].iter().chain(numbers) {
        case.put(name, *value);
    }
    Case { t_end, ..case }
}

fn followed(case: &Case) -> Trajectory {
    let motion = case.derived().simulate(&case.options()).unwrap();
    assert_eq!(motion.status, Status::End, "{:?}\n{}", motion.reason, case.line());
    assert!(motion.drift.gap < 1e-12, "{}", case.line());
    motion
}

/// How far it went along x.
fn way(motion: &Trajectory) -> f64 {
    motion.rows.last().unwrap()[1].0 - motion.rows[0][1].0
}

fn times(motion: &Trajectory, kind: EventKind) -> Vec<f64> {
    motion.events.iter().filter(|event| event.kind == kind).map(|event| event.t.0).collect()
}

#[test]
fn a_plate_slides_to_its_end() {
    let motion = followed(&lying(&[("dot(x)", 1.5)], 2.0));
    let (end, distance) = (1.5 / (FRICTION * GRAVITY), 1.5 * 1.5 / (2.0 * FRICTION * GRAVITY));
    let stops = times(&motion, EventKind::Stick);
    assert_eq!(stops.len(), 20);
    assert!(stops.iter().all(|t| (t - end).abs() < 1e-9), "{stops:?}");
    assert!((way(&motion) - distance).abs() < 1e-9, "{}", way(&motion));
}

#[test]
fn a_plate_slides_down_a_slope_that_is_steep_and_rests_on_others() {
    for (chi, steep) in [(FRICTION.atan() + 1e-3, true), (FRICTION.atan() - 0.1, false)] {
        let (sin, cos) = f64::sin_cos(chi);
        let acceleration = if steep { GRAVITY * (sin - FRICTION * cos) } else { 0.0 };
        let motion = followed(&lying(&[("chi", chi)], 2.0));
        assert!((way(&motion) - 2.0 * acceleration).abs() < 1e-9, "{chi}: {}", way(&motion));
    }
}

#[test]
fn a_plate_that_turns_slides_by_the_forces_of_its_points_and_as_time_stepping_has_it_about() {
    let case = lying(&[("dot(x)", 1.0), ("dot(y)", 0.3), ("dot(e3)", 1.0)], 1.0);
    let motion = followed(&case);
    assert!(motion.hyperstatic.is_some(), "accelerations depend on forces that are not unique");
    let stops = times(&motion, EventKind::Stick);
    assert!(stops.len() == 20 && stops[19] - stops[0] < 1e-9, "translation and spin end together: {stops:?}");
    let options = SimulateOptions { scheme: "moreau".parse().unwrap(), step: Some(1e-4), ..case.options() };
    let other = case.derived().simulate(&options).unwrap();
    // of forces that are not unique the scheme takes others
    assert!((way(&motion) - way(&other)).abs() < 0.05 * way(&other), "{} {}", way(&motion), way(&other));
}
