use super::super::{Control, Radau, System};
use super::{Exact, FixedStep, TABLEAUX};
use crate::simulate::integrate::Flow;
use std::convert::Infallible;

/// A pendulum with damping, and the time.
struct Pendulum;

impl Flow for Pendulum {
    type Error = Infallible;
    fn rate(&mut self, _: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Infallible> {
        (rate[0], rate[1], rate[2]) = (y[1], -y[0].sin() - 0.1 * y[1] + 0.3 * y[2].cos(), 1.0);
        Ok(())
    }
}

impl System for Pendulum {
    type Error = Infallible;
    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Infallible> {
        Flow::rate(self, t, y, rate)
    }
    fn jacobian(&mut self, _: f64, y: &[f64], jacobian: &mut [f64]) -> Result<(), Infallible> {
        jacobian.copy_from_slice(&[0.0, 1.0, 0.0, -y[0].cos(), -0.1, -0.3 * y[2].sin(), 0.0, 0.0, 0.0]);
        Ok(())
    }
}

fn run(name: &str, steps: usize, t_end: f64) -> [f64; 2] {
    let mut step = FixedStep::new(Exact::named(name).unwrap().rounded(), 3, 2);
    let (mut y, mut end) = (vec![1.0, 0.5, 0.0], vec![0.0; 3]);
    let h = t_end / steps as f64;
    for _ in 0..steps {
        let Ok(()) = step.start(&mut Pendulum, 0.0, &y);
        step.step(&mut Pendulum, (0.0, &y), h, &mut end).unwrap();
        y.copy_from_slice(&end);
    }
    [y[0], y[1]]
}

#[test]
fn every_method_has_its_global_order_on_a_nonlinear_flow() {
    let exact = run("lobatto-6", 4000, 4.0);
    for method in TABLEAUX {
        let error = |steps: usize| {
            let [x, v] = run(method.name, steps, 4.0);
            (x - exact[0]).hypot(v - exact[1])
        };
        // as fine as rounding allows
        let steps = if method.order > 4 { 20 } else { 80 };
        let order = (error(steps) / error(2 * steps)).log2();
        assert!((order - f64::from(method.order)).abs() < 0.35, "{}: {order}", method.name);
    }
}

#[test]
fn radau_5_is_the_step_of_the_integrator_for_stiff_motions() {
    let y = [1.0, 0.5, 0.2];
    let tolerances = [1e-15; 3];
    let mut radau = Radau::new(3, Control { newton: 1e-2, ..Control::at(1e-10) });
    radau.start(0.0, &y, 0.3);
    assert!(radau.attempt(&mut Pendulum, 0.3, &[1.0; 3]).is_ok());
    assert!(radau.shorten(&mut Pendulum, 0.2, &tolerances));
    radau.accept();
    let mut step = FixedStep::new(Exact::named("radau-5").unwrap().rounded(), 3, 2);
    let mut end = [0.0; 3];
    let Ok(()) = step.start(&mut Pendulum, 0.0, &y);
    step.step(&mut Pendulum, (0.0, &y), 0.2, &mut end).unwrap();
    for (a, b) in radau.state().iter().zip(end) {
        assert!((a - b).abs() < 1e-14, "{a} {b}");
    }
}
