//! Captured motions against the motion from event to event, and what is refused.

use super::Kept;
use mechan::pipeline::{ConvergeOptions, Scheme, SimulateOptions, simulate};
use mechan::simulate::trajectory::{EventKind, Status, Trajectory};

fn kinds(trajectory: &Trajectory) -> Vec<(EventKind, Option<String>)> {
    trajectory.events.iter().map(|event| (event.kind, event.contact.clone())).collect()
}

/// The first things that happen; what a chatter ends with has another name, and no counterpart.
const FIRST: usize = 8;

/// The same events at the same times, and the same end, in the plane and in space, with slip, stick and impact.
#[test]
fn captured_motions_are_those_from_event_to_event() {
    let cases = [
        ("tests/converge/models/box_on_incline.json", "sliding", 1.5),
        ("tests/converge/models/double_pendulum_wall.json", "released", 2.0),
        ("benches/models/falling_pencil.json", "falling", 0.4),
        ("tests/simulate/models/mass_on_belt.json", "", 3.0),
        ("tests/simulate/models/ball_on_table.json", "", 1.0),
        ("benches/models/frictional_impact_oscillator.json", "", 0.5),
    ];
    for (path, state, t_end) in cases {
        let kept = Kept::at(path);
        let known = kept.loaded.mechanism.states.iter().any(|s| s.name == state);
        let state = if known { state } else { &kept.loaded.mechanism.states[0].name };
        let event = kept.run("event", state, 1.0, t_end);
        for scheme in ["radau-5", "herk-6"] {
            let captured = kept.run(scheme, state, t_end / 397.0, t_end);
            assert_eq!(captured.status, Status::End, "{path} {scheme}: {:?}", captured.reason);
            let (found, expected) = (kinds(&captured), kinds(&event));
            let same = found.iter().zip(&expected).take(FIRST).all(|(a, b)| a == b);
            assert!(same, "{path} {scheme}: {found:?} {expected:?}");
            let chatters = expected.iter().any(|(kind, _)| *kind == EventKind::ChatterEnd);
            assert!(chatters || found.len() == expected.len(), "{path} {scheme}: {found:?} {expected:?}");
            for (a, b) in captured.events.iter().zip(&event.events).take(FIRST) {
                assert!((a.t.0 - b.t.0).abs() < 1e-8, "{path} {scheme}: {} {}", a.t.0, b.t.0);
            }
            let (a, b) = (captured.rows.last().unwrap(), event.rows.last().unwrap());
            let n = kept.derived.model().layout().coordinates;
            for i in 0..=2 * n {
                assert!(
                    (a[i].0 - b[i].0).abs() < 1e-8 * (1.0 + b[i].0.abs()),
                    "{path} {scheme}: {a:?} {b:?}"
                );
            }
            assert_eq!(captured.rows.len(), 398);
            assert!(
                captured.energy.defect.0.abs() < 1e-8 * (1.0 + captured.energy.initial.0.abs()),
                "{path}"
            );
        }
    }
}

/// Infinitely many impacts end with the ball at rest, whatever the step.
#[test]
fn an_accumulation_of_impacts_ends_at_rest() {
    let ball = Kept::ball();
    for steps in [7.0, 31.0, 127.0] {
        for scheme in ["lobatto-2", "herk-4", "radau-5", "lobatto-6"] {
            let found = ball.run(scheme, "dropped", 5.0 / steps, 5.0);
            assert_eq!(found.status, Status::End, "{scheme}: {:?}", found.reason);
            let last = found.rows.last().unwrap();
            assert!(last[1].0.abs() < 1e-2 && last[3].0.abs() < 1e-13, "{scheme} {steps}: {last:?}");
            let impacts = found.events.iter().filter(|event| event.kind == EventKind::Impact).count();
            assert!((3..200).contains(&impacts), "{scheme} {steps}: {impacts} impacts");
        }
    }
}

#[test]
fn questions_that_make_no_sense_are_refused_with_what_is_wrong() {
    let ball = Kept::ball();
    let ask = |schemes: &[&str], steps: &[f64], t_end: f64| {
        let options = ConvergeOptions {
            schemes: schemes.iter().map(ToString::to_string).collect(),
            steps: steps.to_vec(),
            t_end: Some(t_end),
            ..ConvergeOptions::default()
        };
        let failure = ball.try_study(&options).unwrap_err();
        (failure.exit_status(), failure.to_string())
    };
    let cases: [(&[&str], &[f64], f64, &str); 5] = [
        (&["radau-4"], &[], 1.0, "there is no scheme `radau-4`"),
        (&["radau-3"], &[0.0], 1.0, "0"),
        (&["radau-3"], &[-0.1], 1.0, "-0.1"),
        (&["radau-3"], &[2.0], 1.0, "longer than"),
        (&["radau-3"], &[0.1], -1.0, "--t-end is -1"),
    ];
    for (schemes, steps, t_end, expected) in cases {
        let (status, message) = ask(schemes, steps, t_end);
        assert_eq!(status, 2, "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let options = |scheme: &str, step: Option<f64>| SimulateOptions {
        scheme: scheme.parse::<Scheme>().unwrap(),
        t_end: 1.0,
        step,
        ..SimulateOptions::default()
    };
    for (step, expected) in
        [(None, "needs its step"), (Some(0.0), "> 0"), (Some(f64::NAN), "> 0"), (Some(3.0), "longer")]
    {
        let failure = simulate(&ball.loaded, ball.derived.model(), &options("herk-3", step)).unwrap_err();
        assert!(failure.to_string().contains(expected), "{failure}");
    }
}
