//! The heuristic rule alone [A09 5.2, Figure 4], over the paper's T = 5: what it reaches depends on whether it foresees impacts.

use super::Kept;
use mechan::pipeline::ConvergeOptions;
use mechan::simulate::converge::SchemeStudy;

const END: f64 = 5.0;

pub(crate) fn asked(schemes: &[&str], counts: &[u32], [theta, gamma]: [f64; 2]) -> ConvergeOptions {
    ConvergeOptions {
        t_end: Some(END),
        schemes: schemes.iter().map(ToString::to_string).collect(),
        steps: counts.iter().map(|&n| END / f64::from(n)).collect(),
        theta: Some(theta),
        gamma: Some(gamma),
        ..ConvergeOptions::default()
    }
}

fn study(kept: &Kept, scheme: &str, counts: &[u32], numbers: [f64; 2]) -> SchemeStudy {
    kept.try_study(&asked(&[scheme], counts, numbers)).unwrap().studies.remove(0)
}

/// Evaluations and mean error of positions.
fn work(study: &SchemeStudy) -> Vec<(usize, f64)> {
    study.runs.iter().map(|run| (run.evaluations, run.errors.q.l1.0)).collect()
}

/// As the paper says of its figure: reasonable accuracy without a huge effort, where gaps are predicted to the end of the step.
#[test]
fn with_impacts_foreseen_adapted_steps_need_a_tenth_of_the_work() {
    for (name, kept) in [("ball", Kept::ball()), ("oscillator", Kept::oscillator())] {
        let adapted = study(&kept, "moreau-heuristic", &[], [0.5, 1.0]);
        assert!(adapted.slopes.q.l1.0 > 2.0, "{name}: {:?}", adapted.slopes.q);
        let (evaluations, error) = *work(&adapted).last().unwrap();
        assert!(error < 5e-5 && evaluations < 3000, "{name}: {error:e} with {evaluations}");
        let (equal, least) = work(&study(&kept, "moreau", &[12799], [0.5, 1.0]))[0];
        let reached = work(&adapted).into_iter().find(|(_, error)| *error <= least).unwrap().0;
        assert!(
            10 * reached < equal,
            "{name}: {reached} evaluations for {least:e}, with equal steps {equal}"
        );
    }
}

/// Between steps that are exact in flight and foresee nothing there is no difference: the estimate (67) is 0 whatever the error is.
#[test]
fn with_gaps_predicted_to_the_middle_the_error_of_a_ball_is_not_controlled() {
    let adapted = study(&Kept::ball(), "moreau-heuristic", &[], [0.5, 0.5]);
    assert!(adapted.runs.len() >= 6, "{:?}", adapted.failed);
    for (_, error) in work(&adapted) {
        assert!(error > 5e-3, "{:?}", work(&adapted));
    }
}

/// With forces at the end of the step flight errs by h², which the rule sees: it takes equal steps h ~ √rtol at three evaluations each, half of
/// which fail as α = 1, so that the error is that of equal steps with about a fifth of the evaluations.
#[test]
fn with_forces_at_the_end_the_steps_are_equal_and_nothing_is_gained() {
    let ball = Kept::ball();
    let adapted = study(&ball, "moreau-heuristic", &[], [1.0, 0.5]);
    let found = work(&adapted);
    assert!((adapted.slopes.q.l1.0 - 1.0).abs() < 0.2, "{:?}", adapted.slopes.q);
    for pair in found[2..].windows(2) {
        let growth = pair[1].0 as f64 / pair[0].0 as f64;
        assert!((growth / 10f64.sqrt() - 1.0).abs() < 0.25, "{found:?}");
    }
    // the steps that the closed form of the estimate asks for: |q_half − q_whole| = h²/2 in free flight, sizes of 1
    let h: f64 = adapted.runs[4].h.0;
    assert!(h < (2.0 * 1e-6_f64).sqrt() * 1.5 && h > (2.0 * 1e-6_f64).sqrt() / 1.5, "{h}");
    let (equal, error) = work(&study(&ball, "moreau", &[4519], [1.0, 0.5]))[0];
    let near = found.iter().find(|(evaluations, _)| *evaluations > equal).unwrap();
    assert!(near.1 > error, "{near:?} with adapted steps, {error:e} with {equal} equal ones");
}
