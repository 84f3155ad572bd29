//! Orders, stiff problems with published solutions, dense output.

use super::{Control, Radau, System};
use std::convert::Infallible;

/// A system of two functions.
struct Of<F, J>(F, J);

impl<F: FnMut(f64, &[f64], &mut [f64]), J: FnMut(f64, &[f64], &mut [f64])> System for Of<F, J> {
    type Error = Infallible;
    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Infallible> {
        (self.0)(t, y, rate);
        Ok(())
    }
    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Result<(), Infallible> {
        (self.1)(t, y, jacobian);
        Ok(())
    }
}

/// y(end) with tolerances relative to y or to floors; the number of attempts too.
fn integrate(
    system: &mut impl System<Error = Infallible>,
    start: &[f64],
    end: f64,
    (rtol, floors): (f64, &[f64]),
) -> (Vec<f64>, usize) {
    let estimate = Control::estimated(rtol);
    let mut radau = Radau::new(start.len(), Control::at(estimate));
    radau.start(0.0, start, 1e-6 * end.min(1.0));
    while radau.time() < end {
        let tolerances: Vec<f64> =
            radau.state().iter().zip(floors).map(|(y, floor)| estimate * y.abs().max(*floor)).collect();
        radau.attempt(system, end - radau.time(), &tolerances).unwrap();
        radau.accept();
    }
    (radau.state().to_vec(), radau.attempts())
}

fn assert_close(found: &[f64], expected: &[f64], relative: f64) {
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() <= relative * y.abs(), "{found:?} {expected:?}");
    }
}

#[test]
fn van_der_pol_with_a_small_parameter_has_its_published_solution() {
    let eps = 1e-6;
    let mut system = Of(
        |_, y: &[f64], f: &mut [f64]| {
            f[0] = y[1];
            f[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / eps;
        },
        |_, y: &[f64], J: &mut [f64]| {
            J[..2].copy_from_slice(&[0.0, 1.0]);
            J[2] = (-2.0 * y[0] * y[1] - 1.0) / eps;
            J[3] = (1.0 - y[0] * y[0]) / eps;
        },
    );
    // test set for initial value problems, VDPOL: t = 2, from (2, 0)
    let reference = [1.706_167_732_170_483, -0.892_809_701_024_797_5];
    let (y, steps) = integrate(&mut system, &[2.0, 0.0], 2.0, (1e-11, &[1e-3, 1e-3]));
    assert_close(&y, &reference, 1e-9);
    let (y, few) = integrate(&mut system, &[2.0, 0.0], 2.0, (1e-6, &[1e-3, 1e-3]));
    assert_close(&y, &reference, 1e-4);
    assert!(few < 700 && steps < 6000, "{few} {steps}");
}

#[test]
fn robertsons_reaction_has_its_published_solution_over_eleven_decades() {
    let mut system = Of(
        |_, y: &[f64], f: &mut [f64]| {
            f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
            f[2] = 3e7 * y[1] * y[1];
            f[1] = -f[0] - f[2];
        },
        |_, y: &[f64], J: &mut [f64]| {
            J[..3].copy_from_slice(&[-0.04, 1e4 * y[2], 1e4 * y[1]]);
            J[6..].copy_from_slice(&[0.0, 6e7 * y[1], 0.0]);
            (3..6).for_each(|k| J[k] = -J[k - 3] - J[k + 3]);
        },
    );
    let start = [1.0, 0.0, 0.0];
    let floors = [1e-8, 1e-13, 1e-8];
    let (y, _) = integrate(&mut system, &start, 40.0, (1e-10, &floors));
    assert_close(&y, &[0.715_827_068_719_4, 9.185_534_764_558e-6, 0.284_163_745_745_9], 1e-9);
    let (y, steps) = integrate(&mut system, &start, 1e11, (1e-9, &floors));
    assert_close(&y, &[0.208_334_014_970_125_5e-7, 0.833_336_077_033_471_3e-13, 0.999_999_979_166_505], 1e-6);
    assert!(steps < 1000, "{steps}");
}

/// y′ = y cos t, y = exp(sin t).
fn growing() -> impl System<Error = Infallible> {
    Of(
        |t: f64, y: &[f64], f: &mut [f64]| f[0] = y[0] * t.cos(),
        |t: f64, _: &[f64], J: &mut [f64]| J[0] = t.cos(),
    )
}

/// Error at t = 2 after so many equal steps, and the largest of the dense output.
fn errors(steps: usize) -> [f64; 2] {
    let (mut system, h) = (growing(), 2.0 / steps as f64);
    let mut radau = Radau::new(1, Control { newton: 1e-12, iterations: 20, ..Control::at(1e-2) });
    radau.start(0.0, &[1.0], h);
    let mut dense: f64 = 0.0;
    for _ in 0..steps {
        assert!(radau.shorten(&mut system, h, &[1.0]));
        for k in 1..10 {
            let (theta, mut y) = (f64::from(k) / 10.0, [0.0]);
            radau.dense(theta, &mut y);
            dense = dense.max((y[0] - (radau.time() + theta * h).sin().exp()).abs());
        }
        radau.accept();
    }
    [(radau.state()[0] - 2f64.sin().exp()).abs(), dense]
}

#[test]
fn the_order_is_five_at_the_ends_of_steps_and_four_between_them() {
    let (coarse, fine) = (errors(20), errors(40));
    let order = |k: usize| (coarse[k] / fine[k]).log2();
    assert!((order(0) - 5.0).abs() < 0.15, "{}", order(0));
    assert!((order(1) - 4.0).abs() < 0.3, "{}", order(1));
}

#[test]
fn errors_follow_the_tolerance() {
    let exact = 10f64.sin().exp();
    let error =
        |rtol: f64| (integrate(&mut growing(), &[1.0], 10.0, (rtol, &[1.0])).0[0] - exact).abs() / rtol;
    for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
        assert!(error(rtol) < 10.0, "{rtol}: {}", error(rtol));
    }
}

#[test]
fn tolerances_in_other_units_change_nothing_but_the_units() {
    let oscillator = |unit: f64| {
        Of(
            move |_, y: &[f64], f: &mut [f64]| {
                f[0] = y[1] / unit;
                f[1] = -1e4 * y[0] * unit - 50.0 * y[1];
            },
            move |_, _: &[f64], J: &mut [f64]| {
                J.copy_from_slice(&[0.0, 1.0 / unit, -1e4 * unit, -50.0]);
            },
        )
    };
    // a power of two: the same bits
    let unit = 2f64.powi(30);
    let (y, _) = integrate(&mut oscillator(1.0), &[1.0, 0.0], 1.0, (1e-8, &[1e-6, 1e-4]));
    let (z, _) = integrate(&mut oscillator(unit), &[1.0, 0.0], 1.0, (1e-8, &[1e-6, 1e-4 * unit]));
    assert_eq!([y[0], y[1]].map(f64::to_bits), [z[0], z[1] / unit].map(f64::to_bits));
}

#[test]
fn a_quadrature_over_a_step_has_the_order_of_the_method() {
    let values = [0, 1, 2].map(|k| Radau::nodes()[k + 1].powi(4));
    assert!((Radau::mean(values) - 0.2).abs() < 1e-15);
}
