//! What cannot be stepped, and what is said about it.

use crate::{Asked, column, last, try_run};
use mechan::pipeline::{Deriver, Scheme, SimulateOptions, futures};
use mechan::simulate::trajectory::{EventKind, Status};
use mechan::stepping::SchemeName;

const BALL: &str = "benches/models/bouncing_ball.json";
const VISE: &str = "tests/stepping/models/vise.json";

fn asked(file: &'static str, state: &'static str) -> Asked<'static> {
    Asked { file, state, set: &[], scheme: SchemeName::Moreau, step: 1e-2, t_end: 2.0, theta: 0.5 }
}

/// What is said about options.
fn refusal(change: impl Fn(&mut SimulateOptions)) -> String {
    let mut options = asked(BALL, "dropped").options();
    change(&mut options);
    let failure = try_run(BALL, &options).unwrap_err();
    assert_eq!(failure.exit_status(), 2);
    failure.message()
}

#[test]
fn numbers_without_sense_are_refused() {
    let said = [
        refusal(|options| options.step = None),
        refusal(|options| options.step = Some(0.0)),
        refusal(|options| options.step = Some(-1e-3)),
        refusal(|options| options.step = Some(f64::NAN)),
        refusal(|options| options.step = Some(3.0)),
        refusal(|options| options.theta = Some(1.5)),
        refusal(|options| options.gamma = Some(-0.1)),
        refusal(|options| adaptive(options).rtol = Some(1e-17)),
        refusal(|options| adaptive(options).atol = Some(-1.0)),
    ];
    let expected = [
        "needs its step",
        "--step is 0",
        "--step is -0.001",
        "--step is NaN",
        "longer than the 2 s",
        "--theta is 1.5",
        "--gamma is -0.1",
        "--rtol is 0.00000000000000001",
        "--atol is -1",
    ];
    for (said, expected) in said.iter().zip(expected) {
        assert!(said.contains(expected), "{said} without {expected}");
    }
}

#[test]
fn a_step_without_a_solution_ends_the_motion_with_its_proof() {
    for scheme in [SchemeName::Moreau, SchemeName::MoreauProjected, SchemeName::SchatzmanPaoli] {
        let motion = Asked { scheme, ..asked(VISE, "between") }.run();
        assert_eq!(motion.status, Status::Inconsistent, "{scheme}: {:?}", motion.reason);
        let reason = motion.reason.as_ref().unwrap();
        assert!(reason.contains("no solution") && reason.contains("certified"), "{scheme}: {reason}");
        // the walls meet at t = 1: the motion up to there is kept
        let t = *column(&motion, "t").last().unwrap();
        assert!((t - 1.0).abs() < 0.03, "{scheme}: {t}");
        assert_eq!(motion.events.last().unwrap().kind, EventKind::Inconsistent);
    }
}

#[test]
fn a_budget_ends_the_motion() {
    let options = SimulateOptions {
        limits: mechan::simulate::event::Limits { steps: 10, events: 100 },
        ..asked(BALL, "dropped").options()
    };
    let motion = try_run(BALL, &options).unwrap();
    assert_eq!((motion.status, motion.rows.len()), (Status::Budget, 11));
}

#[test]
fn a_motion_that_leaves_every_bound_fails_in_words() {
    // x = 1/(1 - t)
    let motion = asked("benches/models/growing.json", "grows").run();
    assert_eq!(motion.status, Status::Failed);
    assert!(motion.rows.len() > 50, "{} rows", motion.rows.len());
    assert!(column(&motion, "t").len() < 150 && last(&motion, "x").is_finite(), "{}", last(&motion, "x"));
    assert!(motion.reason.is_some());
}

#[test]
fn the_motion_stops_where_it_is_told_to() {
    let options = SimulateOptions { stop: Some("q - 1/2".to_string()), ..asked(BALL, "dropped").options() };
    let motion = try_run(BALL, &options).unwrap();
    assert_eq!(motion.status, Status::Stopped);
    let q = column(&motion, "q");
    assert!(q[q.len() - 2] > 0.5 && q[q.len() - 1] <= 0.5);
}

#[test]
fn other_restitution_is_said_to_be_newtons() {
    let motion = asked("benches/models/point.json", "above").run();
    assert!(motion.warnings.iter().any(|warning| warning.contains("poisson")), "{:?}", motion.warnings);
    assert!(asked(BALL, "dropped").run().warnings.is_empty());
}

#[test]
fn all_futures_are_for_motions_from_event_to_event() {
    let loaded = mechan::load(BALL).unwrap();
    let model = loaded.clone().derive(&Deriver::nobody()).unwrap().model().clone();
    for scheme in ["moreau", "herk-4", "compliant"] {
        let options =
            SimulateOptions { scheme: scheme.parse::<Scheme>().unwrap(), ..asked(BALL, "dropped").options() };
        let failure = futures(&loaded, &model, &options, 4).unwrap_err();
        assert_eq!(failure.exit_status(), 2);
        let said = failure.message();
        assert!(said.contains(scheme) && said.contains("mechan solve FILE"), "{said}");
    }
}

/// The scheme that chooses its steps by tolerances.
fn adaptive(options: &mut SimulateOptions) -> &mut SimulateOptions {
    (options.scheme, options.step) = ("moreau-adaptive".parse::<Scheme>().unwrap(), None);
    options
}

/// What `event` does not have of a file's laws stands in its result, and not where nothing is struck.
#[test]
fn restitution_of_the_slip_that_is_not_used_is_named() {
    let run = |set: &[&str], t_end: f64, scheme: &str| {
        let stepped = asked(VISE, "between").options();
        let options = SimulateOptions {
            set: set.iter().map(ToString::to_string).collect(),
            scheme: scheme.parse::<Scheme>().unwrap(),
            step: stepped.step.filter(|_| scheme != "event"),
            theta: stepped.theta.filter(|_| scheme != "event"),
            t_end,
            ..stepped
        };
        try_run(VISE, &options).unwrap()
    };
    let with = ["e=1", "e_T=0.5", "mu=10", "dot(x)=4", "dot(y)=1"];
    let motion = run(&with, 0.3, "event");
    assert!(motion.events.iter().any(|event| event.kind == EventKind::Impact));
    // the wall sticks to what it strikes: no -1/2, as Moreau's rule has it
    assert!(last(&motion, "dot(y)").abs() < 1e-12, "{}", last(&motion, "dot(y)"));
    let [warning] = &motion.warnings[..] else { panic!("{:?}", motion.warnings) };
    for expected in ["restitution.tangential of right is not used", "`newton`", "--scheme moreau"] {
        assert!(warning.contains(expected), "{warning}");
    }
    assert!(run(&with, 0.1, "event").warnings.is_empty(), "nothing is struck before t = 0.2");
    assert!(run(&["e=1", "mu=10", "dot(x)=4", "dot(y)=1"], 0.3, "event").warnings.is_empty());
    assert!(run(&with, 0.3, "moreau").warnings.is_empty());
}

#[test]
fn a_matrix_of_a_step_that_cannot_be_factored_is_told_from_other_faults() {
    use mechan::num::dense::PivotError;
    use mechan::stepping::StepError;
    let pivot = PivotError { index: 0, pivot: -1.0, diagonal: 1.0 };
    assert!(StepError::Matrix(pivot).is_of_matrix());
    assert!(!StepError::Newton { residual: 1.0 }.is_of_matrix());
}
