//! How runs end, and what they do not depend on: bad input, budgets, stops, units, allocations.

use super::linear::Linear;
use super::{Subject, column, laws};
use allocation_counter::measure;
use mechan::simulate::compliant::{CompliantError, Options};
use mechan::simulate::trajectory::{EventKind, Status};

fn ball() -> Linear {
    Linear {
        masses: vec![1.0; 2],
        stiffness: vec![0.0; 2],
        forces: vec![0.0, -10.0],
        contacts: vec![vec![vec![0.0, 1.0], vec![1.0, 0.0]]],
    }
}

fn bouncing() -> Subject {
    ball().subject(&[0.0, 0.2], &[0.3, 0.0], laws(0.5, 1.0, 0.6), &[])
}

#[test]
fn budgets_end_a_run_with_what_it_has() {
    let subject = bouncing();
    let motion = subject.run(&Options { events: 5, ..Options::new(1e-6, 1.0) });
    assert_eq!((motion.trajectory.status, motion.trajectory.events.len()), (Status::Budget, 5));
    let motion = subject.run(&Options { steps: 60, ..Options::new(1e-6, 1.0) });
    assert_eq!(motion.trajectory.status, Status::Budget);
    assert!(motion.trajectory.work.steps < 90 && !motion.trajectory.rows.is_empty());
    assert!(motion.trajectory.energy.defect.0.abs() < 1e-8);
    assert!(motion.trajectory.reason.unwrap().contains("steps"));
}

#[test]
fn a_stop_ends_the_run_where_its_function_falls_through_zero() {
    let stop = |row: &[f64]| row[2] - 0.15;
    let motion = bouncing().run(&Options { stop: Some(&stop), ..Options::new(1e-6, 1.0) });
    assert_eq!(motion.trajectory.status, Status::Stopped);
    let last = motion.trajectory.events.last().unwrap();
    assert_eq!(last.kind, EventKind::Stop);
    assert!((last.t.0 - 0.1).abs() < 1e-11, "{}", last.t.0);
    assert!((motion.trajectory.rows.last().unwrap()[0].0 - 0.1).abs() < 1e-11);
    // contact columns too: the first force
    let force = |row: &[f64]| 1.0 - row[7];
    let motion = bouncing().run(&Options { stop: Some(&force), ..Options::new(1e-6, 1.0) });
    assert!((motion.trajectory.events.last().unwrap().t.0 - 0.2).abs() < 1e-6);
}

#[test]
fn what_cannot_be_run_says_so() {
    let end = |subject: &Subject, end: f64| {
        let motion = subject.run(&Options::new(1e-6, end));
        (motion.trajectory.status, motion.trajectory.reason.unwrap_or_default())
    };
    let (status, reason) = end(&bouncing(), -1.0);
    assert!(status == Status::Failed && reason.contains("before the start"), "{reason}");
    let (status, reason) = end(&ball().subject(&[0.0, -0.2], &[0.0; 2], laws(0.5, 1.0, 0.6), &[]), 1.0);
    assert!(status == Status::Failed && reason.contains("gap of c0"), "{reason}");
    let mut fallen = bouncing();
    fallen.state.q[1] = f64::NAN;
    assert_eq!(end(&fallen, 1.0).0, Status::Failed);
    let refused = |options: &Options<'_>| {
        bouncing().ask(|compliant, question| compliant.run(question, options).unwrap_err())
    };
    assert_eq!(refused(&Options::new(-1.0, 1.0)), CompliantError::Eps(-1.0));
    let lax = Options { rtol: 2.0, ..Options::new(1e-6, 1.0) };
    assert_eq!(refused(&lax), CompliantError::Tolerance(2.0));
}

#[test]
fn a_contact_that_moves_apart_is_open() {
    let subject = ball().subject(&[0.0; 2], &[0.0, 1.0], laws(0.5, 1.0, 0.6), &[0]);
    let motion = subject.run(&Options::new(1e-6, 0.1));
    assert_eq!(motion.trajectory.phases[0].mode.0[0].1, "free");
    assert!((motion.trajectory.rows[199][2].0 - 0.05).abs() < 1e-9);
}

/// Lengths in other units, a power of two, change nothing but the units.
#[test]
fn results_do_not_depend_on_units() {
    let run = |unit: f64| {
        let foot = |side: f64| vec![vec![0.0, 1.0, side * unit], vec![1.0, 0.0, 0.2 * unit]];
        let block = Linear {
            masses: vec![1.0, 1.0, 0.5 * unit * unit],
            stiffness: vec![0.0; 3],
            forces: vec![0.0, -10.0 * unit, 0.0],
            contacts: vec![foot(-0.5), foot(0.5)],
        };
        let start = [0.0, 0.1 * unit, 0.05];
        block.subject(&start, &[unit, 0.0, 0.0], laws(0.3, 1.0, 0.5), &[]).run(&Options::new(1e-6, 0.4))
    };
    let (metre, other) = (run(1.0).trajectory, run(1024.0).trajectory);
    assert_eq!(metre.events.len(), other.events.len());
    assert!(metre.events.len() > 6, "{:?}", metre.events);
    for (one, two) in metre.events.iter().zip(&other.events) {
        assert_eq!(one.kind, two.kind);
        assert!((one.t.0 - two.t.0).abs() < 1e-12);
    }
    for name in ["q0", "c0.N", "c1.T"] {
        for (one, two) in column(&metre, name).into_iter().zip(column(&other, name)) {
            assert!((one - two / 1024.0).abs() <= 1e-9 * one.abs(), "{name} {one} {two}");
        }
    }
}

/// Memory is taken for the run and for its events, not for its steps.
#[test]
fn steps_allocate_nothing() {
    let rod = Subject::rod(1.0, (1.0, 0.0, 0.0), laws(0.5, 1.0, 0.5));
    let run = |rtol: f64| {
        let (mut steps, mut events) = (0, 0);
        let count = measure(|| {
            let motion = rod.run(&Options { rtol, ..Options::new(1e-6, 0.5) });
            (steps, events) = (motion.trajectory.work.steps, motion.trajectory.events.len());
        });
        (count.count_total, steps, events)
    };
    let ((few, coarse, one), (many, fine, two)) = (run(1e-6), run(1e-11));
    assert!(fine > 3 * coarse && one == two, "{coarse} {fine}");
    assert_eq!(few, many);
}

/// At the deepest point of a soft impact the spring holds what the ball had.
#[test]
fn what_a_spring_holds_counts() {
    let subject = ball().subject(&[0.0, 0.2], &[0.0; 2], laws(0.5, 1.0, 0.02), &[]);
    let stop = |row: &[f64]| -row[4];
    let options = Options { stop: Some(&stop), ..Options::new(1e-2, 1.0) };
    let motion = subject.run(&options);
    let energy = motion.trajectory.energy;
    assert_eq!(motion.trajectory.status, Status::Stopped);
    let last = motion.trajectory.rows.last().unwrap();
    let (height, push) = (last[2].0, last[7].0);
    assert!(last[4].0.abs() < 1e-9 && height < -0.015);
    // ½ λ_N²ε²/k beside the weight
    let held = 0.5 * push * push * 1e-4;
    assert!((energy.last.0 - (10.0 * height + held)).abs() < 1e-9, "{energy:?} {held}");
    assert!(-0.1 < energy.impacts.0 && energy.impacts.0 < -0.001 && held > 1.9, "{energy:?}");
    assert!(energy.defect.0.abs() < 1e-8);
}

/// Where steps end, q is on the gap that is carried beside it.
#[test]
fn coordinates_stay_on_their_gaps() {
    let rod = Subject::rod(1.2, (0.0, 0.0, 0.0), laws(0.5, 1.0, 0.5));
    let motion = rod.run(&Options { rtol: 1e-6, ..Options::new(1e-6, 1.0) });
    let last = motion.trajectory.rows.last().unwrap();
    let miss = last[2].0 - last[3].0.sin() - last[7].0;
    assert!(miss.abs() < 1e-10, "{miss:e}");
}
