//! Motions that cannot go on, and questions that make no sense: a named status or message, with what was computed so far.

use super::{Mover, asked, assert_near};
use mechan::pipeline::{Failure, SimulateOptions};
use mechan::simulate::event::Limits;
use mechan::simulate::trajectory::Status;

/// x = 1/(1 − t).
#[test]
fn a_blow_up_in_finite_time_ends_there() {
    let trajectory = Mover::kept("growing").run("grows", &[], 2.0);
    assert_eq!(trajectory.status, Status::Failed);
    assert!(trajectory.reason.as_ref().unwrap().contains("t = 1.0000"), "{:?}", trajectory.reason);
    let before = trajectory.rows.iter().rfind(|row| row[0].0 < 0.99).unwrap();
    assert_near(before[1].0 * (1.0 - before[0].0), 1.0, 1e-8);
}

/// ẏ² = 1 + 2 (1 − √(1 − y)) reaches y = 1 at ∫dy/√(3 − 2√(1 − y)) = 0.797434948471488.
#[test]
fn an_expression_that_leaves_its_domain_ends_the_motion() {
    let trajectory = Mover::kept("growing").run("leaves", &[], 2.0);
    assert_eq!(trajectory.status, Status::Failed);
    let place = trajectory.rows.last().unwrap();
    assert_near(place[0].0, 0.797_434_948_471_488, 1e-6);
    assert_near(place[2].0, 1.0, 1e-6);
    assert!(trajectory.rows.iter().all(|row| row.iter().all(|x| x.0.is_finite())));
}

#[test]
fn budgets_end_a_motion_with_what_there_is() {
    let ball = Mover::kept("bouncing_ball");
    let limited = |limits: Limits| {
        let options = SimulateOptions { limits, ..asked("dropped", &["rho=1"], 1e4) };
        ball.try_run(&options).unwrap()
    };
    let events = limited(Limits { events: 50, ..Limits::default() });
    assert_eq!((events.status, events.events.len()), (Status::Budget, 50));
    assert_near(events.events[49].t.0, 99.0, 1e-9);
    let told = "50 events, the last at floor, whose impacts lose nothing and have no end";
    assert_eq!(events.reason.as_deref(), Some(told));
    let steps = limited(Limits { steps: 20, ..Limits::default() });
    assert_eq!((steps.status, steps.reason.as_deref()), (Status::Budget, Some("20 steps")));
    assert!(!steps.rows.is_empty());
}

#[test]
fn closed_contacts_that_move_apart_are_refused() {
    let refused = Mover::kept("point").try_run(&asked("on_the_floor", &["dot(y)=1"], 3.0));
    let Err(Failure::Input { diagnostics, .. }) = refused else { panic!("{refused:?}") };
    assert!(diagnostics[0].message.contains("separates"), "{diagnostics:?}");
}

#[test]
fn questions_without_sense_are_refused_by_name() {
    let rod = Mover::kept("painleve_rod");
    let usage = |options: &SimulateOptions| match rod.try_run(options) {
        Err(Failure::Usage(usage)) => usage.to_string(),
        other => panic!("{other:?}"),
    };
    let usual = || asked("slipping", &[], 1.0);
    let message = |options: SimulateOptions| usage(&options);
    for t_end in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
        assert!(message(SimulateOptions { t_end, ..usual() }).contains("--t-end"));
    }
    assert!(message(asked("nowhere", &[], 1.0)).contains("`nowhere`"));
    assert!(message(SimulateOptions { rtol: Some(0.0), ..usual() }).contains("--rtol"));
    assert!(message(SimulateOptions { stop: Some("heel.N".into()), ..usual() }).contains("--stop"));
    let unknown = message(SimulateOptions { futures: vec!["slide".into()], ..usual() });
    assert!(unknown.contains("--future slide"), "{unknown}");
    assert!(rod.try_run(&SimulateOptions { futures: vec!["iwc".into()], ..usual() }).is_ok());
}

#[test]
fn a_state_off_its_constraints_is_refused() {
    let refused = Mover::kept("pushed_chalk").try_run(&asked("pushed", &["y=0.05"], 1.0));
    let Err(Failure::Input { diagnostics, .. }) = refused else { panic!("{refused:?}") };
    assert!(diagnostics.iter().any(|d| d.message.contains("`hand`")), "{diagnostics:?}");
}

/// What cannot be reached in the digits of doubles is refused beforehand.
#[test]
fn steps_that_cannot_be_as_good_as_asked_are_refused() {
    let rod = Mover::kept("painleve_rod");
    let refused =
        rod.try_run(&SimulateOptions { rtol: Some(1e-300), ..asked("slipping", &[], 1.0) }).unwrap_err();
    assert_eq!(refused.exit_status(), 2);
    assert!(refused.to_string().contains("--rtol is 1e-300, finer than doubles are"), "{refused}");
}
