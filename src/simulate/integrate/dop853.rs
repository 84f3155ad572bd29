//! Steps of DOP853, an explicit Runge-Kutta method of order 8 with a continuous extension of order 7.
//!
//! `ode_solvers` has the same method and is kept for what it serves; it allocates in every stage and runs to an end of its
//! own, where events need single steps that can be looked into, cut at a root and started again from there.

use super::dop853_tableau::{COARSE, ERROR, EXTENSION, EXTENSION_STAGES, Row, STAGES, STEP, TIMES};

/// What is integrated.
pub trait Flow {
    /// Why there is no rate.
    type Error;

    /// The rate of y at a time.
    ///
    /// # Errors
    /// Whatever keeps the flow from having one.
    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Self::Error>;

    /// Called after [`Flow::rate`] at the stages of [`Dop853::LOOKS`], so that a step can be watched at no cost.
    fn look(&mut self, _at: usize) {}
}

/// A step and its memory.
#[derive(Clone, Debug)]
pub struct Dop853 {
    n: usize,
    /// Length of the step tried last.
    h: f64,
    y: Vec<f64>,
    end: Vec<f64>,
    stage: Vec<f64>,
    /// Mean rate of the step, and another weighted sum of rates.
    slope: Vec<f64>,
    sum: Vec<f64>,
    /// Rates at the stages, one after the other.
    k: Vec<f64>,
    /// Coefficients of the continuous extension, by degree.
    dense: Vec<f64>,
}

/// Steps shrink and grow by at most these factors, and are somewhat shorter than the error asks for: Hairer's choice.
const SHRINK: f64 = 0.333;
const GROW: f64 = 6.0;
const SAFETY: f64 = 0.9;

impl Dop853 {
    /// Places within the step that [`Flow::look`] is called for; the values there are of lower order.
    pub const LOOKS: [f64; 3] = [0.25, 0.6, 6.0 / 7.0];
    /// The stages of these places.
    const LOOK_STAGES: [usize; 3] = [6, 9, 10];

    /// For n unknowns.
    pub fn new(n: usize) -> Self {
        let zeros = |m: usize| vec![0.0; m];
        Self {
            n,
            h: 0.0,
            y: zeros(n),
            end: zeros(n),
            stage: zeros(n),
            slope: zeros(n),
            sum: zeros(n),
            k: zeros(16 * n),
            dense: zeros(8 * n),
        }
    }

    /// Begins at a point.
    ///
    /// # Errors
    /// As [`Flow::rate`].
    ///
    /// # Panics
    /// If y has another length.
    pub fn start<F: Flow>(&mut self, flow: &mut F, t: f64, y: &[f64]) -> Result<(), F::Error> {
        self.y.copy_from_slice(y);
        flow.rate(t, &self.y, &mut self.k[..self.n])
    }

    /// y at the begin of the step.
    pub fn begin(&self) -> &[f64] {
        &self.y
    }

    /// The same, for numbers on which no rate depends.
    pub fn begin_mut(&mut self) -> &mut [f64] {
        &mut self.y
    }

    /// The rate there.
    pub fn begin_rate(&self) -> &[f64] {
        &self.k[..self.n]
    }

    /// y at the end of the step.
    pub fn end(&self) -> &[f64] {
        &self.end
    }

    /// The same, to be corrected before [`Dop853::arrive`] is called again.
    pub fn end_mut(&mut self) -> &mut [f64] {
        &mut self.end
    }

    /// The rate there, after [`Dop853::arrive`].
    pub fn end_rate(&self) -> &[f64] {
        &self.k[12 * self.n..13 * self.n]
    }

    /// Tries a step of length h; its error in units of `scale`, which is 1 at most for a good one.
    ///
    /// # Errors
    /// As [`Flow::rate`].
    pub fn attempt<F: Flow>(&mut self, flow: &mut F, t: f64, h: f64, scale: &[f64]) -> Result<f64, F::Error> {
        self.h = h;
        for (i, row) in STAGES.iter().enumerate() {
            let stage = i + 1;
            self.fill_stage(row);
            self.rate(flow, t + TIMES[stage] * h, stage)?;
            if let Some(at) = Self::LOOK_STAGES.iter().position(|&s| s == stage) {
                flow.look(at);
            }
        }
        combine(STEP, &self.k, &mut self.slope);
        for ((end, y), slope) in self.end.iter_mut().zip(&self.y).zip(&self.slope) {
            *end = y + h * slope;
        }
        Ok(self.error(scale))
    }

    /// The rate at the end of the step, the first of the next.
    ///
    /// # Errors
    /// As [`Flow::rate`].
    pub fn arrive<F: Flow>(&mut self, flow: &mut F, t: f64) -> Result<(), F::Error> {
        let (k, end) = (&mut self.k[12 * self.n..13 * self.n], &self.end);
        flow.rate(t + self.h, end, k)
    }

    /// The next step begins at the end of this one.
    pub fn accept(&mut self) {
        self.y.copy_from_slice(&self.end);
        self.k.copy_within(12 * self.n..13 * self.n, 0);
    }

    /// Prepares [`Dop853::at`] for the step that arrived.
    ///
    /// # Errors
    /// As [`Flow::rate`].
    pub fn extend<F: Flow>(&mut self, flow: &mut F, t: f64) -> Result<(), F::Error> {
        for (i, row) in EXTENSION_STAGES.iter().enumerate() {
            let stage = 13 + i;
            self.fill_stage(row);
            self.rate(flow, t + TIMES[stage] * self.h, stage)?;
        }
        let (n, h) = (self.n, self.h);
        for i in 0..n {
            let (rise, first, last) = (self.end[i] - self.y[i], h * self.k[i], h * self.k[12 * n + i]);
            let bend = first - rise;
            let low = [self.y[i], rise, bend, rise - last - bend];
            low.iter().enumerate().for_each(|(d, &x)| self.dense[d * n + i] = x);
        }
        for (d, row) in EXTENSION.iter().enumerate() {
            let high = &mut self.dense[(4 + d) * n..(5 + d) * n];
            combine(row, &self.k, high);
            high.iter_mut().for_each(|x| *x *= h);
        }
        Ok(())
    }

    /// y at a share of the step.
    pub fn at(&self, share: f64, y: &mut [f64]) {
        let (s, r) = (share, 1.0 - share);
        for (i, y) in y.iter_mut().enumerate().take(self.n) {
            let c = |d: usize| self.dense[d * self.n + i];
            *y =
                c(0) + s * (c(1) + r * (c(2) + s * (c(3) + r * (c(4) + s * (c(5) + r * (c(6) + s * c(7)))))));
        }
    }

    /// The length to try next after an error.
    pub fn next_length(h: f64, error: f64) -> f64 {
        let factor = SAFETY * error.powf(-0.125);
        h * if factor.is_finite() {
            factor.clamp(SHRINK, GROW)
        } else if error > 0.0 {
            SHRINK
        } else {
            GROW
        }
    }

    fn fill_stage(&mut self, row: Row) {
        combine(row, &self.k, &mut self.stage);
        for (stage, y) in self.stage.iter_mut().zip(&self.y) {
            *stage = y + self.h * *stage;
        }
    }

    fn rate<F: Flow>(&mut self, flow: &mut F, t: f64, stage: usize) -> Result<(), F::Error> {
        flow.rate(t, &self.stage, &mut self.k[stage * self.n..(stage + 1) * self.n])
    }

    /// The norm of Hairer's code: the estimate of order 5, corrected by that of order 3.
    fn error(&mut self, scale: &[f64]) -> f64 {
        let relative = |x: f64, scale: f64| if scale > 0.0 { x / scale } else { 0.0 };
        combine(ERROR, &self.k, &mut self.sum);
        let fine = self.sum.iter().zip(scale).map(|(&x, &scale)| relative(x, scale));
        let fifth: f64 = fine.map(|x| x * x).sum();
        combine(COARSE, &self.k, &mut self.sum);
        let coarse = self.slope.iter().zip(&self.sum).zip(scale);
        let third: f64 = coarse.map(|((slope, x), &scale)| relative(slope - x, scale)).map(|x| x * x).sum();
        let both = fifth + 0.01 * third;
        if both > 0.0 {
            self.h.abs() * fifth / (both * self.n as f64).sqrt()
        } else if both.is_nan() {
            f64::INFINITY
        } else {
            0.0
        }
    }
}

/// The weighted sum of rates.
#[inline]
fn combine(row: Row, k: &[f64], sum: &mut [f64]) {
    let n = sum.len();
    sum.fill(0.0);
    for &(stage, weight) in row {
        let rates = &k[stage * n..(stage + 1) * n];
        sum.iter_mut().zip(rates).for_each(|(sum, k)| *sum += weight * k);
    }
}

#[cfg(test)]
mod tests {
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
    fn a_step_of_length_zero_has_no_error() {
        let mut step = Dop853::new(2);
        let Ok(()) = step.start(&mut Oscillator, 0.0, &[0.0, 1.0]);
        let Ok(error) = step.attempt(&mut Oscillator, 0.0, 0.0, &[1.0, 1.0]);
        assert!(error == 0.0 && step.end() == step.begin());
    }
}
