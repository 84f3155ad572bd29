//! The bouncing ball, whose motion is known [A09 (10)].

use crate::{Asked, assert_near, column, last};
use mechan::simulate::trajectory::{EventKind, Trajectory};
use mechan::stepping::SchemeName;

fn ball(scheme: SchemeName, step: f64, t_end: f64) -> Trajectory {
    let file = "benches/models/bouncing_ball.json";
    Asked { file, state: "dropped", set: &[], scheme, step, t_end, theta: 0.5 }.run()
}

/// q of the exact motion: on [3 − 2^{1−n}, 3 − 2^{−n}) −(t − 3)² − (3/2ⁿ)(t − 3) − 2^{1−2n}.
fn exact(t: f64) -> f64 {
    if t >= 3.0 {
        return 0.0;
    }
    if t < 1.0 {
        return 1.0 - t * t;
    }
    let n = (0..200).find(|n| t < 3.0 - 0.5_f64.powi(*n)).unwrap();
    let half = 0.5_f64.powi(n);
    -(t - 3.0).powi(2) - 3.0 * half * (t - 3.0) - 2.0 * half * half
}

/// The grid norm of the error of q [A09 (21)].
fn mean_error(motion: &Trajectory) -> f64 {
    let (t, q) = (column(motion, "t"), column(motion, "q"));
    let errors: Vec<f64> = t.iter().zip(&q).map(|(t, q)| (q - exact(*t)).abs()).collect();
    t.windows(2).zip(errors.windows(2)).map(|(t, e)| 0.5 * (t[1] - t[0]) * (e[0] + e[1])).sum()
}

#[test]
fn free_flight_is_exact_with_forces_in_the_middle_of_the_step() {
    for scheme in [
        SchemeName::Moreau,
        SchemeName::MoreauProjected,
        SchemeName::MoreauAdaptive,
        SchemeName::SchatzmanPaoli,
    ] {
        let motion = ball(scheme, 1e-2, 0.9);
        for (t, q) in column(&motion, "t").iter().zip(column(&motion, "q")) {
            assert_near(q, 1.0 - t * t, 1e-13, scheme.word());
        }
        let lag = if scheme == SchemeName::SchatzmanPaoli { 1e-2 } else { 0.0 };
        // the velocity of Schatzman and Paoli's scheme is that of one step ago [A09 (22b)]
        assert_near(last(&motion, "dot(q)"), -2.0 * (0.9 - lag), 1e-12, scheme.word());
    }
}

#[test]
fn the_error_is_of_first_order_in_the_mean() {
    for scheme in [SchemeName::Moreau, SchemeName::MoreauProjected, SchemeName::SchatzmanPaoli] {
        // steps that no impact time is a multiple of
        let steps = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4].map(|h: f64| h * 0.987_654_321);
        let errors = steps.map(|h| mean_error(&ball(scheme, h, 5.0)));
        let slope = fitted(&steps, &errors);
        assert!((slope - 1.0).abs() < 0.2, "{scheme}: {slope} from {errors:?}");
    }
}

/// Slope of log e over log h.
fn fitted(h: &[f64], e: &[f64]) -> f64 {
    let mean = |x: &[f64]| x.iter().map(|x| x.ln()).sum::<f64>() / x.len() as f64;
    let (hm, em) = (mean(h), mean(e));
    let products = h.iter().zip(e).map(|(h, e)| (h.ln() - hm) * (e.ln() - em));
    products.sum::<f64>() / h.iter().map(|h| (h.ln() - hm).powi(2)).sum::<f64>()
}

#[test]
fn adapted_steps_take_fewer_for_the_same_error() {
    let run = |rtol: f64| {
        let file = "benches/models/bouncing_ball.json";
        let scheme = SchemeName::MoreauAdaptive;
        let asked = Asked { file, state: "dropped", set: &[], scheme, step: 1e-3, t_end: 5.0, theta: 0.5 };
        let options = mechan::pipeline::SimulateOptions { rtol: Some(rtol), ..asked.options() };
        crate::try_run(file, &options).unwrap()
    };
    let [coarse, fine] = [1e-4, 1e-6].map(run);
    let [large, small] = [&coarse, &fine].map(mean_error);
    assert!(small < 0.1 * large, "{small:e} after {large:e}");
    // equal steps with as many evaluations
    let evaluations = fine.work.evaluations;
    let equal = ball(SchemeName::Moreau, 5.0 / (evaluations as f64 / 2.0), 5.0);
    assert!(small < 0.5 * mean_error(&equal), "{small:e}, with equal steps {:e}", mean_error(&equal));
}

#[test]
fn every_scheme_brings_it_to_rest() {
    for scheme in [SchemeName::Moreau, SchemeName::MoreauProjected, SchemeName::SchatzmanPaoli] {
        for h in [1e-2, 1e-3] {
            let motion = ball(scheme, h, 4.0);
            assert!(last(&motion, "q").abs() < h, "{scheme} {h}");
            assert!(last(&motion, "dot(q)").abs() < 3.0 * h, "{scheme} {h}");
        }
    }
}

#[test]
fn energy_is_accounted_for() {
    let motion = ball(SchemeName::Moreau, 1e-3, 4.0);
    assert_near(motion.energy.defect.0, 0.0, 1e-12, "Moreau");
    assert_near(motion.energy.impacts.0, -2.0, 1e-3, "impacts");
    // what projections lift is of the order of the step
    for h in [4e-3, 1e-3] {
        let motion = ball(SchemeName::MoreauProjected, h, 4.0);
        assert!(motion.energy.defect.0.abs() < 5.0 * h, "{}", motion.energy.defect.0);
        let motion = ball(SchemeName::SchatzmanPaoli, h, 4.0);
        assert!(motion.energy.defect.0.abs() < 5.0 * h, "{}", motion.energy.defect.0);
    }
}

#[test]
fn impacts_are_where_they_are() {
    let h = 1e-3;
    let motion = ball(SchemeName::Moreau, h, 4.0);
    let impacts: Vec<f64> =
        motion.events.iter().filter(|event| event.kind == EventKind::Impact).map(|event| event.t.0).collect();
    for (n, t) in impacts.iter().take(5).enumerate() {
        // each impact may be a step late, and delays the next ones by its own delay, restitution aside
        assert_near(*t, 3.0 - 2.0 * 0.5_f64.powi(n as i32), 4.0 * h, "impact");
    }
    assert!(impacts.len() >= 7);
    assert_eq!(motion.events.iter().filter(|event| event.kind == EventKind::Touch).count(), 1);
}

#[test]
fn each_scheme_is_a_projection() {
    // [A09 (26)]: v' + e v = max(0, (1 + e) v + h f) where the floor is near; [A09 (27)]:
    // q'' + e q = max(0, 2 q' - (1 - e) q + h^2 f)
    // no impact time is a multiple of the step, so that rounding decides nothing
    let (h, e, f) = (9.87e-3, 0.5, -2.0);
    let motion = ball(SchemeName::Moreau, h, 4.0);
    let (q, v) = (column(&motion, "q"), column(&motion, "dot(q)"));
    for k in 0..q.len() - 1 {
        let free = (1.0 + e) * v[k] + h * f;
        let projected = if q[k] + 0.5 * h * v[k] <= 0.0 { free.max(0.0) } else { free };
        assert_near(v[k + 1] + e * v[k], projected, 1e-13, "(26)");
    }
    let motion = ball(SchemeName::SchatzmanPaoli, h, 4.0);
    let q = column(&motion, "q");
    for k in 1..q.len() - 1 {
        let free = 2.0 * q[k] - (1.0 - e) * q[k - 1] + h * h * f;
        assert_near(q[k + 1] + e * q[k - 1], free.max(0.0), 1e-13, "(27)");
    }
}

#[test]
fn samples_lie_between_the_steps() {
    let file = "benches/models/bouncing_ball.json";
    let scheme = SchemeName::Moreau;
    let asked = Asked { file, state: "dropped", set: &[], scheme, step: 3e-3, t_end: 0.9, theta: 0.5 };
    let options = mechan::pipeline::SimulateOptions { samples: Some(11), ..asked.options() };
    let motion = crate::try_run(file, &options).unwrap();
    let t = column(&motion, "t");
    assert_eq!(t.len(), 11);
    for (k, (t, q)) in t.iter().zip(column(&motion, "q")).enumerate() {
        assert_near(*t, 0.09 * k as f64, 1e-14, "t");
        assert_near(q, 1.0 - t * t, 3e-6, "q, interpolated");
    }
}

/// [A09 (16)] with forces at both ends is the same where h is affine, and is stepped in the same way. Every step is put into the equation of both ends.
#[test]
fn forces_at_both_ends_are_those_of_the_middle_where_they_are_affine() {
    let file = "tests/converge/models/linear_oscillator.json";
    let run = |scheme| {
        Asked { file, state: "stretched", set: &[], scheme, step: 1e-2, t_end: 5.0, theta: 0.3 }.run()
    };
    let [middle, ends] = [SchemeName::Moreau, SchemeName::MoreauJean].map(run);
    assert_eq!(middle.rows, ends.rows);
    let [q, v, force] = ["q", "dot(q)", "stop.N"].map(|name| column(&ends, name));
    let mut free = 0;
    for k in 0..q.len() - 1 {
        let impulse = 1e-2 * force[k + 1];
        free += usize::from(impulse.abs() <= 0.0);
        // m = 1, c = 0.2, k = 1
        let spring = |k: usize| 0.2 * v[k] + q[k];
        let left = v[k + 1] - v[k] + 1e-2 * (0.3 * spring(k + 1) + 0.7 * spring(k)) - impulse;
        assert!(left.abs() < 1e-13, "step {k}: {left:e}");
    }
    assert!(free > 400 && free < q.len() - 1, "{free} steps without impulse");
}
