//! The library as a caller meets it: three ways to equations, questions at the root, and failures that can be matched on.

#![allow(non_snake_case, reason = "the papers' letters")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

use mechan::model::{MODEL_SCHEMA, ModelFileError};
use mechan::pipeline::Positive;
use mechan::{
    AnalyzeOptions, Derived, Deriver, Failure, FileFault, ModeName, Output, SolveOptions, SolverName,
    StepOptions, Timing, Underived, Usage, Verdict, load, load_bytes, solve_step,
};

const PENCIL: &str = "examples/falling_pencil.model.json";

fn pencil() -> Derived {
    load(PENCIL).unwrap().derive(&Deriver::nobody()).unwrap()
}

#[test]
fn a_verdict_has_its_modes_and_numbers() {
    let analysis = pencil().analyze(&AnalyzeOptions::of_state("inconsistent")).unwrap();
    let state = analysis.state("inconsistent").unwrap();
    assert_eq!(state.prospect.verdict, Some(Verdict::Inconsistent));
    let prospect = &state.prospect;
    let modes: Vec<ModeName> = prospect.modes.iter().map(|mode| mode.mode.0[0].1).collect();
    assert_eq!(modes, [ModeName::FREE, ModeName::SLIP_POS]);
    // the force that slip would need pulls
    assert!(prospect.modes[1].forces.get("tip").unwrap().normal.value < 0.0);
    assert!(analysis.state("upside down").is_none());
}

/// The energy of the pencil at a state by hand: I = m l²/3, the centre at (x - l sin(theta), y + l cos(theta)).
#[test]
fn a_state_is_evaluated_by_a_kernel() {
    let pencil = pencil();
    let state = pencil.state("slipping", &["x=3".to_string(), "dot(theta)=0.5".to_string()]).unwrap();
    assert_eq!((state.q[0], state.v[2]), (3.0, 0.5));
    let kernel = pencil.model().kernel(&[Output::KineticEnergy]);
    let mut values = kernel.values::<f64>();
    kernel.evaluate(&state.inputs(), &mut values);
    let (m, l, theta) = (state.parameters[0], state.parameters[1], state.q[2]);
    let v = [state.v[0] - l * theta.cos() * 0.5, state.v[1] - l * theta.sin() * 0.5];
    let T = 0.5 * m * (v[0] * v[0] + v[1] * v[1]) + 0.5 * (m * l * l / 3.0) * 0.25;
    let found = kernel.block(&values, Output::KineticEnergy)[0];
    assert!((found - T).abs() < 1e-12 * T.abs(), "{found} {T}");
    let off = pencil.state("impact", &["y=1".to_string()]).unwrap_err();
    assert_eq!(off.code(), "M308", "{off}");
}

/// I = m l²/3 unless it is given itself.
#[test]
fn parameters_follow_those_that_are_given() {
    let pencil = pencil();
    let names: Vec<&str> = pencil.mechanism().parameters.iter().map(|p| p.name.as_str()).collect();
    let place = |name: &str| names.iter().position(|known| *known == name).unwrap();
    let inertia = |given: &[(&str, f64)]| {
        let mut values = vec![None; names.len()];
        given.iter().for_each(|(name, x)| values[place(name)] = Some(*x));
        pencil.parameters(&values)[place("I")]
    };
    for (given, expected) in [
        (&[][..], 1.0 / 3.0),
        (&[("l", 2.0)], 4.0 / 3.0),
        (&[("m", 3.0), ("l", 2.0)], 4.0),
        (&[("l", 2.0), ("I", 5.0)], 5.0),
    ] {
        assert!((inertia(given) - expected).abs() < 1e-15, "{given:?}");
    }
    assert_eq!(pencil.parameters(&[]).len(), names.len());
}

#[test]
fn a_step_is_solved_by_any_solver_to_the_same_velocities() {
    let step = pencil().next_step("slipping", 1e-3).unwrap();
    let automatic = solve_step(step.clone(), &SolveOptions::default()).unwrap().outcome();
    for solver in [SolverName::Lemke, SolverName::GaussSeidel, SolverName::FixedPoint] {
        let options = SolveOptions { solver: Some(solver), ..SolveOptions::default() };
        let found = solve_step(step.clone(), &options).unwrap().outcome();
        let near = found.v.iter().zip(&automatic.v).all(|(a, b)| (a.0 - b.0).abs() < 1e-7);
        assert!(near && found.status == automatic.status, "{solver}: {found:?}");
    }
    assert!(automatic.time_seconds.0 >= 0.0);
    let timed = SolveOptions { timing: Timing::Median, ..SolveOptions::default() };
    assert_eq!(solve_step(step, &timed).unwrap().outcome().v, automatic.v);
}

#[test]
fn a_model_file_made_by_a_caller_is_read_back() {
    let pencil = pencil();
    let text = pencil.model_file().write().unwrap();
    assert_eq!(text, std::fs::read_to_string(PENCIL).unwrap());
    let again = load_bytes("again", text.into_bytes()).unwrap().derive(&Deriver::nobody()).unwrap();
    assert_eq!(again.model(), pencil.model());
    assert_eq!(again.mechanism(), pencil.mechanism());
}

#[test]
fn without_anybody_to_ask_a_mechanism_has_no_equations() {
    let failure = load("mechanisms/painleve_rod.yaml").unwrap().derive(&Deriver::nobody()).unwrap_err();
    let Failure::Derivation(Underived::Nobody { mechanism, file }) = &failure else { panic!("{failure}") };
    assert_eq!((mechanism.as_str(), file.as_str()), ("painleve_rod", "mechanisms/painleve_rod.yaml"));
    assert!(failure.to_string().contains("--format model"), "{failure}");
    assert_eq!((failure.code(), failure.exit_status()), ("derivation", 3));
    if cfg!(not(feature = "derive")) {
        let rod = load("mechanisms/painleve_rod.yaml").unwrap();
        let failure = rod.derive(&Deriver::this_process()).unwrap_err();
        assert!(failure.to_string().contains("build it with the feature `derive`"), "{failure}");
    }
}

#[test]
fn equations_of_another_mechanism_are_refused() {
    let rod = load("mechanisms/painleve_rod.yaml").unwrap();
    let failure = Derived::new(rod, pencil().model().clone()).unwrap_err();
    assert!(matches!(&failure, Failure::File { fault: FileFault::ForeignModel, .. }), "{failure}");
}

#[test]
fn model_files_that_cannot_be_used_say_why() {
    let text = std::fs::read_to_string(PENCIL).unwrap();
    let refused = |text: String| match load_bytes("m.json", text.into_bytes()).unwrap_err() {
        Failure::File { fault: FileFault::ModelFile(error), .. } => error,
        other => panic!("{other}"),
    };
    let newer = refused(text.replace(MODEL_SCHEMA, "mechan.model/2").replace("\"layout\"", "\"shape\""));
    assert!(matches!(&newer, ModelFileError::Schema(found) if found == "mechan.model/2"), "{newer}");
    assert!(newer.to_string().contains(MODEL_SCHEMA), "{newer}");
    assert!(matches!(refused(text.replace("\"layout\"", "\"shape\"")), ModelFileError::Json(_)));
    assert!(matches!(refused(text.replace("I + m*l^2", "I + m*l")), ModelFileError::Changed));
}

#[test]
fn questions_that_make_no_sense_are_typed() {
    let pencil = pencil();
    let usage = |failure: Failure| match failure {
        Failure::Usage(usage) => usage,
        other => panic!("{other}"),
    };
    let state = usage(pencil.analyze(&AnalyzeOptions::of_state("flying")).unwrap_err());
    let Usage::State { name, states, .. } = &state else { panic!("{state}") };
    assert!(name == "flying" && states.contains(&"falling".to_string()));
    let set = AnalyzeOptions { set: vec!["nu=1".to_string()], ..AnalyzeOptions::default() };
    let wrong = usage(pencil.analyze(&set).unwrap_err());
    assert!(matches!(&wrong, Usage::Override { fault, .. } if fault.code == "M305"), "{wrong:?}");
    for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let steps = StepOptions { step: Some(h), ..StepOptions::default() };
        let step = usage(pencil.next_steps(&steps).unwrap_err());
        assert!(matches!(step, Usage::Positive { what: Positive::Step, .. }), "{step}");
        let step = pencil.next_step("falling", 1e-3).unwrap();
        let tolerance = SolveOptions { tolerance: Some(h), ..SolveOptions::default() };
        let refused = usage(solve_step(step, &tolerance).unwrap_err());
        assert!(matches!(refused, Usage::Positive { what: Positive::Tolerance, .. }), "{refused}");
    }
    assert!("gauss".parse::<SolverName>().unwrap_err().to_string().contains("gauss-seidel"));
}
