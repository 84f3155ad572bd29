//! The study of beads in a box.

use crate::shared::run;
use mechan::coulomb::solver::fixed_point::{Cones, ConvexMethod, Stopping, Successive};
use mechan::coulomb::{Condensed, Form};
use mechan::pipeline::run_granular;
use mechan::scene::granular::{Beads, GranularMethod, GranularOptions, beads};
use mechan::scene::{Options, Simulation};
use std::sync::atomic::AtomicBool;

fn options(methods: &[&str]) -> GranularOptions {
    GranularOptions {
        beads: vec![24],
        steps: Some(100),
        methods: methods.iter().map(|name| name.parse().unwrap()).collect(),
        tolerance: 1e-4,
        friction: None,
        seed: 1,
    }
}

/// Projected gradient, interior points in velocities, and the usual solver: three ways to one motion of the next step.
#[test]
fn the_papers_programs_find_the_velocities_of_the_usual_solver() {
    let scene = beads(&Beads::new(24, 0.3, 1), 110, 1e-11);
    let mut simulation = Simulation::new(&scene, &Options::default()).unwrap();
    run(&mut simulation, 110);
    let problem = simulation.problem();
    let Form::Global(global) = problem.form() else { panic!("a scene's problem is global") };
    let local = Condensed::new(3, global).unwrap().local;
    let velocity = |r: &[f64]| {
        let mut u = vec![0.0; r.len()];
        local.W.apply(r, &local.q, &mut u);
        u
    };
    let known = velocity(&simulation.solution().unwrap().r);
    let size = known.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let stopping = Stopping { epsilon: 1e-9, programs: 60, gradient: 1e-13, steps: 20_000 };
    // interior points end at half of the digits
    for (inside, near) in [(ConvexMethod::Gradient, 1e-5), (ConvexMethod::Interior(Cones::SecondOrder), 2e-4)]
    {
        let start = vec![0.0; problem.rows()];
        let found = Successive { inside, stopping }.solve(problem, &local, start).unwrap();
        assert!(problem.contacts() > 12 && found.criteria.len() > 2, "{}", problem.contacts());
        let u = velocity(&found.r);
        let off = u.iter().zip(&known).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(off < near * size.max(1.0), "{inside:?}: {off} of {size}");
    }
}

#[test]
fn runs_count_programs_and_the_last_criterion_is_met() {
    let study =
        run_granular(&options(&["gradient", "facets", "automatic"]), &AtomicBool::new(false), &mut |_| {})
            .unwrap();
    assert!(study.complete && study.friction.is_none());
    let [gradient, facets, automatic] = &study.runs[..] else { panic!("{}", study.runs.len()) };
    assert!(automatic.programs.is_none() && automatic.backward_error <= 1e-4);
    for run in [gradient, facets] {
        assert!(run.steps.len() == 100 && run.unmet.is_some_and(|unmet| unmet < 3), "{:?}", run.unmet);
        let touched: Vec<_> = run.steps.iter().filter(|step| step.contacts > 0).collect();
        assert!(touched.len() > 5 && touched.iter().all(|step| (1..=20).contains(&step.programs)));
        assert!(touched.iter().all(|step| step.criterion <= 0.01 || step.programs == 20), "{touched:?}");
        let mean = touched.iter().map(|step| step.programs as f64).sum::<f64>() / touched.len() as f64;
        assert!((run.programs.unwrap() - mean).abs() < 1e-12);
    }
    assert_eq!(study.printed.len(), 6);
}

/// [ACLM11 6]: the fixed point needs more programs with more friction.
#[test]
fn the_fixed_point_is_slower_with_more_friction() {
    let mut told = 0;
    let options = GranularOptions { beads: Vec::new(), friction: Some(24), steps: Some(90), ..options(&[]) };
    let study = run_granular(&options, &AtomicBool::new(false), &mut |_| told += 1).unwrap();
    let logs = study.friction.unwrap().logs;
    assert_eq!((logs.len(), told), (9, 9));
    let rate = |log: usize| logs[log].rate().unwrap();
    assert!(logs[0].programs.unwrap() < logs[8].criteria.len(), "{logs:?}");
    assert!(rate(0) < 0.5 * rate(8) && rate(8) < 1.0, "{} {}", rate(0), rate(8));
}

#[test]
fn what_is_asked_to_stop_says_that_it_is_not_complete() {
    let study = run_granular(&options(&["automatic"]), &AtomicBool::new(true), &mut |_| {}).unwrap();
    assert!(!study.complete && study.runs.is_empty());
}

#[test]
fn senseless_questions_are_refused() {
    let never = AtomicBool::new(false);
    let none = GranularOptions { beads: vec![0], ..options(&["automatic"]) };
    assert_eq!(run_granular(&none, &never, &mut |_| {}).unwrap_err().exit_status(), 2);
    let still = GranularOptions { steps: Some(0), ..options(&["automatic"]) };
    assert_eq!(run_granular(&still, &never, &mut |_| {}).unwrap_err().exit_status(), 2);
    assert!("newton".parse::<GranularMethod>().unwrap_err().contains("gradient-cold"));
    assert!(GranularMethod::all().zip(GranularMethod::names()).all(|(method, name)| method.name() == name));
}
