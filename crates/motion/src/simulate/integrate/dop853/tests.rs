use super::{Dop853, Flow};
use std::convert::Infallible;

/// The harmonic oscillator.
struct Oscillator;

impl Flow for Oscillator {
    type Error = Infallible;
    fn rate(&mut self, _: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Infallible> {
        (rate[0], rate[1]) = (y[1], -y[0]);
        Ok(())
    }
}

fn misses(h: f64) -> [f64; 2] {
    let mut step = Dop853::new(2);
    let Ok(()) = step.start(&mut Oscillator, 0.0, &[0.0, 1.0]);
    let Ok(_) = step.attempt(&mut Oscillator, 0.0, h, &[1.0, 1.0]);
    let Ok(()) = step.arrive(&mut Oscillator, 0.0);
    let Ok(()) = step.extend(&mut Oscillator, 0.0);
    let mut inside = [0.0; 2];
    step.at(0.37, &mut inside);
    [(step.end()[0] - h.sin()).abs(), (inside[0] - (0.37 * h).sin()).abs()]
}

#[test]
fn a_step_is_of_order_8_and_its_inside_of_order_7() {
    let (coarse, fine) = (misses(1.0), misses(0.5));
    let orders = [0, 1].map(|i| (coarse[i] / fine[i]).log2());
    assert!(orders[0] > 8.5 && orders[1] > 7.5, "{orders:?}");
}

#[test]
fn a_short_step_is_of_order_4_and_a_nudge_of_order_1() {
    let misses = |h: f64| {
        let mut step = Dop853::new(2);
        let Ok(()) = step.start(&mut Oscillator, 0.0, &[0.0, 1.0]);
        let Ok(()) = step.probe(&mut Oscillator, 0.0, h);
        let Ok(()) = step.arrive(&mut Oscillator, 0.0);
        let miss = (step.end()[0] - h.sin()).abs();
        step.nudge(1e-3 * h);
        [miss, (step.end()[0] - (1.001 * h).sin()).abs()]
    };
    let (coarse, fine) = (misses(0.5), misses(0.25));
    assert!((coarse[0] / fine[0]).log2() > 4.5, "{coarse:?} {fine:?}");
    let bend = 0.5 * (0.5e-3_f64).powi(2) * 0.5_f64.sin();
    assert!(coarse[1] < coarse[0] + 2.0 * bend + 1e-3 * coarse[0], "{coarse:?}");
}

/// A rate that grows beyond all numbers within a few stages.
struct Blast;

impl Flow for Blast {
    type Error = Infallible;
    fn rate(&mut self, _: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Infallible> {
        rate[0] = y[0] * y[0];
        Ok(())
    }
}

#[test]
fn an_error_that_is_no_number_is_not_allowed() {
    for decades in 0..300 {
        let (mut step, y) = (Dop853::new(1), 10.0_f64.powi(decades));
        let Ok(()) = step.start(&mut Blast, 0.0, &[y]);
        let Ok(error) = step.attempt(&mut Blast, 0.0, 1.0, &[1e-9]);
        assert!(error > 1.0, "{y}: {error}");
    }
}

#[test]
fn a_step_of_length_zero_has_no_error() {
    let mut step = Dop853::new(2);
    let Ok(()) = step.start(&mut Oscillator, 0.0, &[0.0, 1.0]);
    let Ok(error) = step.attempt(&mut Oscillator, 0.0, 0.0, &[1.0, 1.0]);
    assert!(error == 0.0 && step.end() == step.begin());
}

/// What dies out at a rate of its own.
struct Decay(f64);

impl Flow for Decay {
    type Error = Infallible;
    fn rate(&mut self, _: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Infallible> {
        rate[0] = -self.0 * y[0];
        Ok(())
    }
}

#[test]
fn stiffness_is_the_rate_of_decay_times_the_step() {
    for h in [0.5, 1.0, 6.0] {
        let (mut step, mut flow) = (Dop853::new(1), Decay(1.25));
        let Ok(()) = step.start(&mut flow, 0.0, &[1.0]);
        let Ok(_) = step.attempt(&mut flow, 0.0, h, &[1.0]);
        let Ok(()) = step.arrive(&mut flow, 0.0);
        let found = step.stiffness(&[1e-9]);
        assert!((found / (1.25 * h) - 1.0).abs() < 1e-6, "{h}: {found}");
        // what is allowed hides where its last stage stands
        assert!(step.stiffness(&[1e9]) == 0.0);
    }
}

/// How far the inside of a step of the oscillator is off that another method made, at a place and at the two that it gave.
fn misses_of_adopted(h: f64) -> [f64; 3] {
    let at = |share: f64| [(share * h).sin(), (share * h).cos()];
    let (first, second) = (0.155, 0.645);
    let mut step = Dop853::new(2);
    let Ok(()) = step.start(&mut Oscillator, 0.0, &[0.0, 1.0]);
    step.adopt(h, &at(1.0), [(first, &at(first)), (second, &at(second))]);
    let Ok(()) = step.arrive(&mut Oscillator, 0.0);
    let Ok(()) = step.extend(&mut Oscillator, 0.0);
    [0.37, first, second].map(|share| {
        let mut y = [0.0; 2];
        step.at(share, &mut y);
        (y[0] - at(share)[0]).abs()
    })
}

#[test]
fn a_step_of_another_method_has_an_inside_of_order_6_through_its_places() {
    let (coarse, fine) = (misses_of_adopted(1.0), misses_of_adopted(0.5));
    assert!((coarse[0] / fine[0]).log2() > 5.5, "{coarse:?} {fine:?}");
    assert!(
        coarse[1..].iter().chain(&fine[1..]).all(|&miss| miss < 4.0 * f64::EPSILON),
        "{coarse:?} {fine:?}"
    );
}
