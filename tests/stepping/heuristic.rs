//! Steps of adapted length by the heuristic rule alone [A09 5.2, Figure 4], beside the same rule written out for the bouncing ball, whose steps
//! are known in closed form.

use crate::{Asked, column, try_run};
use mechan::pipeline::SimulateOptions;
use mechan::simulate::trajectory::{EventKind, Trajectory};
use mechan::stepping::SchemeName;

const FILE: &str = "benches/models/bouncing_ball.json";
const END: f64 = 5.0;
/// The force and the restitution of [A09 Example 1].
const F: f64 = -2.0;
const E: f64 = 0.5;

#[derive(Clone, Copy)]
struct Rule {
    theta: f64,
    gamma: f64,
    rtol: f64,
}

impl Rule {
    fn simulated(self, scheme: SchemeName) -> Trajectory {
        let asked = Asked {
            file: FILE,
            state: "dropped",
            set: &[],
            scheme,
            step: 5e-3,
            t_end: END,
            theta: self.theta,
        };
        let options = SimulateOptions { gamma: Some(self.gamma), rtol: Some(self.rtol), ..asked.options() };
        try_run(FILE, &options).unwrap()
    }

    /// [A09 (16)] of a ball in its prox form [A09 (26)].
    fn step(self, [q, v]: [f64; 2], h: f64) -> [f64; 2] {
        let free = v + h * F;
        let after = if q + self.gamma * h * v <= 0.0 { free.max(-E * v) } else { free };
        [q + h * ((1.0 - self.theta) * v + self.theta * after), after]
    }

    /// The lengths that [A09 (64)-(67)] with alpha = 1, alpha_min = 1/2, alpha_max = 5 and p = 0 accept, and all evaluations.
    fn lengths(self) -> (Vec<f64>, usize) {
        let (mut t, mut x, mut next, mut size) = (0.0, [1.0, 0.0], 5e-3_f64, 1.0_f64);
        let (mut lengths, mut evaluations) = (Vec::new(), 0);
        while END - t > 1e-12 {
            let h = next.min(END - t);
            let whole = self.step(x, h);
            let halves = self.step(self.step(x, 0.5 * h), 0.5 * h);
            evaluations += 3;
            size = size.max(halves[0].abs());
            let error = (halves[0] - whole[0]).abs() / (self.rtol * size);
            next = h * (1.0 / error).clamp(0.5, 5.0);
            if error <= 1.0 {
                (t, x) = (t + h, halves);
                lengths.push(h);
            }
        }
        (lengths, evaluations)
    }
}

#[test]
fn the_lengths_are_those_of_the_papers_rule() {
    for (theta, gamma) in [(1.0, 0.5), (1.0, 1.0), (0.5, 1.0), (0.5, 0.5), (0.0, 1.0)] {
        for rtol in [1e-2, 1e-3, 1e-4] {
            let rule = Rule { theta, gamma, rtol };
            let motion = rule.simulated(SchemeName::MoreauHeuristic);
            let found: Vec<f64> = column(&motion, "t").windows(2).map(|t| t[1] - t[0]).collect();
            let (expected, evaluations) = rule.lengths();
            assert_eq!(found.len(), expected.len(), "{theta} {gamma} {rtol}");
            // with alpha = 1 the length that is tried after a failure has an error of 1, where rounding decides
            let spread = motion.work.evaluations.abs_diff(evaluations);
            assert!(20 * spread <= evaluations, "{theta} {gamma} {rtol}: {spread} of {evaluations}");
            for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{theta} {gamma} {rtol} step {k}: {found:e} {expected:e}"
                );
            }
        }
    }
}

/// [A09 (67)] compares two ways that both fly through the floor if neither foresees it: the first impact, at t = 1, is late by what the
/// step is too long, at any tolerance. Gaps predicted to the end of the step leave out only what gravity adds within it.
#[test]
fn an_impact_that_neither_way_foresees_is_late_at_any_tolerance() {
    let first = |gamma: f64, rtol: f64| {
        let motion = Rule { theta: 0.5, gamma, rtol }.simulated(SchemeName::MoreauHeuristic);
        motion.events.iter().find(|event| event.kind == EventKind::Impact).unwrap().t.0
    };
    for rtol in [1e-3, 1e-5, 1e-7] {
        assert!(first(0.5, rtol) > 1.005, "{rtol:e}: {}", first(0.5, rtol));
        let late = first(1.0, rtol) - 1.0;
        assert!(late.abs() < 2.0 * rtol, "{rtol:e}: {late:e}");
    }
}
