//! The stages of a step by simplified Newton iterations: with Z = (T ⊗ I) W they fall into a real system with γ/h − J and a
//! complex one with (α + iβ)/h − J   [HW96 (IV.8.10)-(IV.8.13)].

use super::tableau::{RADAU_5, STAGES, row};
use super::{Control, System, rms};
use crate::simulate::integrate::lu;
use nalgebra::Complex;

/// How the iterations ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Solved {
    Converged { iterations: usize },
    Diverged,
}

/// Where a step begins, and its length.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) t: f64,
    pub(super) y: &'a [f64],
    pub(super) h: f64,
}

/// J, the factored matrices and the memory of the iterations.
#[derive(Clone, Debug)]
pub(super) struct Newton {
    jacobian: Vec<f64>,
    age: Age,
    /// Step length of the factored matrices, if they belong to the Jacobian.
    factored: Option<f64>,
    real: Vec<f64>,
    real_pivots: Vec<usize>,
    pair: Vec<Complex<f64>>,
    pair_pivots: Vec<usize>,
    /// Sizes that components are measured in within the factored systems.
    units: Vec<f64>,
    transformed: [Vec<f64>; STAGES],
    rates: [Vec<f64>; STAGES],
    complex: Vec<Complex<f64>>,
    trial: Vec<f64>,
    change: Vec<f64>,
    convergence: f64,
    /// Carried from step to step: how far the last iteration was from the end   [HW96 (IV.8.16)].
    eta: f64,
}

/// Whether J belongs to the start of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Age {
    None,
    Old,
    Fresh,
}

impl Newton {
    pub(super) fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        let complex = Complex::new(0.0, 0.0);
        Self {
            jacobian: vec![0.0; n * n],
            age: Age::None,
            factored: None,
            real: vec![0.0; n * n],
            real_pivots: vec![0; n],
            pair: vec![complex; n * n],
            pair_pivots: vec![0; n],
            units: zeros(),
            transformed: std::array::from_fn(|_| zeros()),
            rates: std::array::from_fn(|_| zeros()),
            complex: vec![complex; n],
            trial: zeros(),
            change: zeros(),
            convergence: 0.0,
            eta: 1.0,
        }
    }

    pub(super) fn forget(&mut self) {
        self.age = Age::None;
        self.eta = 1.0;
    }

    /// The step is taken: J stays if the iterations converged quickly with it.
    pub(super) fn grow_old(&mut self) {
        self.age = Age::Old;
    }

    /// Rate of convergence of the last iterations.
    pub(super) fn convergence(&self) -> f64 {
        self.convergence
    }

    /// Replaces x by (γ/h − J)⁻¹ x.
    pub(super) fn apply_real(&mut self, x: &mut [f64]) {
        x.iter_mut().zip(&self.units).for_each(|(x, unit)| *x /= unit);
        lu::solve(&self.real, &self.real_pivots, x);
        x.iter_mut().zip(&self.units).for_each(|(x, unit)| *x *= unit);
    }

    /// Improves the stages until they solve the equations of the step; an old Jacobian that does not serve is
    /// replaced.
    pub(super) fn solve<S: System>(
        &mut self,
        system: &mut S,
        start: Start<'_>,
        tolerances: &[f64],
        control: &Control,
        stages: &mut [Vec<f64>; STAGES],
    ) -> Result<Solved, S::Error> {
        if self.age == Age::None || self.convergence > control.keep && self.age == Age::Old {
            self.differentiate(system, start)?;
        }
        loop {
            if self.factored != Some(start.h) && !self.factor(start.h, tolerances) {
                return Ok(Solved::Diverged);
            }
            let solved = self.iterate(system, start, tolerances, control, stages)?;
            if solved != Solved::Diverged || self.age == Age::Fresh {
                return Ok(solved);
            }
            self.differentiate(system, start)?;
            stages.iter_mut().for_each(|z| z.fill(0.0));
        }
    }

    fn differentiate<S: System>(&mut self, system: &mut S, start: Start<'_>) -> Result<(), S::Error> {
        self.age = Age::None;
        system.jacobian(start.t, start.y, &mut self.jacobian)?;
        (self.age, self.factored) = (Age::Fresh, None);
        Ok(())
    }

    fn factor(&mut self, h: f64, tolerances: &[f64]) -> bool {
        let n = self.units.len();
        let unit = |x: f64| if x > 0.0 && x.is_finite() { x } else { 1.0 };
        self.units.iter_mut().zip(tolerances).for_each(|(u, &x)| *u = unit(x));
        let ([alpha, beta], zero) = (RADAU_5.pair, Complex::new(0.0, 0.0));
        for i in 0..n {
            for j in 0..n {
                let entry = -self.jacobian[i * n + j] * (self.units[j] / self.units[i]);
                let diagonal = i == j;
                self.real[i * n + j] = entry + if diagonal { RADAU_5.real / h } else { 0.0 };
                let shift = if diagonal { Complex::new(alpha, beta) / h } else { zero };
                self.pair[i * n + j] = shift + entry;
            }
        }
        let done = lu::factor(&mut self.real, &mut self.real_pivots)
            && lu::factor(&mut self.pair, &mut self.pair_pivots);
        self.factored = done.then_some(h);
        done
    }

    fn iterate<S: System>(
        &mut self,
        system: &mut S,
        start: Start<'_>,
        tolerances: &[f64],
        control: &Control,
        stages: &mut [Vec<f64>; STAGES],
    ) -> Result<Solved, S::Error> {
        transform(&RADAU_5.backward, stages, &mut self.transformed);
        let (mut before, mut eta) = (0.0, self.eta.max(f64::EPSILON).powf(0.8));
        self.convergence = control.keep;
        for iteration in 1..=control.iterations {
            let size = self.improve(system, start, tolerances, stages)?;
            if !size.is_finite() {
                return Ok(Solved::Diverged);
            }
            if iteration > 1 {
                let theta = size / before;
                self.convergence = if iteration == 2 { theta } else { (theta * self.convergence).sqrt() };
                let left = (control.iterations - iteration) as i32;
                let hopeless = self.convergence.powi(left) * size > control.newton * (1.0 - self.convergence);
                if self.convergence >= 1.0 || hopeless {
                    return Ok(Solved::Diverged);
                }
                eta = self.convergence / (1.0 - self.convergence);
            }
            before = size;
            if eta * size <= control.newton {
                self.eta = eta;
                return Ok(Solved::Converged { iterations: iteration });
            }
        }
        Ok(Solved::Diverged)
    }

    /// One iteration; the size of its change over the tolerances.
    fn improve<S: System>(
        &mut self,
        system: &mut S,
        start: Start<'_>,
        tolerances: &[f64],
        stages: &mut [Vec<f64>; STAGES],
    ) -> Result<f64, S::Error> {
        for k in 0..STAGES {
            let trial = self.trial.iter_mut().zip(start.y.iter().zip(&stages[k]));
            trial.for_each(|(x, (y, z))| *x = y + z);
            system.rate(start.t + RADAU_5.nodes[k] * start.h, &self.trial, &mut self.rates[k])?;
        }
        self.correct(start.h);
        let mut sum = 0.0;
        for k in 0..STAGES {
            for i in 0..self.units.len() {
                let w = [self.transformed[0][i], self.transformed[1][i], self.transformed[2][i]];
                let z = row(&RADAU_5.forward, k, w);
                self.change[i] = z - stages[k][i];
                stages[k][i] = z;
            }
            sum += rms(&self.change, tolerances).powi(2);
        }
        Ok((sum / STAGES as f64).sqrt())
    }

    /// W += (h⁻¹Λ ⊗ I − I ⊗ J)⁻¹ ((T⁻¹ ⊗ I) F − h⁻¹(Λ ⊗ I) W).
    fn correct(&mut self, h: f64) {
        let ([alpha, beta], n) = (RADAU_5.pair, self.units.len());
        for i in 0..n {
            let f = [self.rates[0][i], self.rates[1][i], self.rates[2][i]];
            let w = [self.transformed[0][i], self.transformed[1][i], self.transformed[2][i]];
            let unit = self.units[i];
            self.change[i] = (row(&RADAU_5.backward, 0, f) - RADAU_5.real / h * w[0]) / unit;
            let second = row(&RADAU_5.backward, 1, f) - (alpha * w[1] - beta * w[2]) / h;
            let third = row(&RADAU_5.backward, 2, f) - (beta * w[1] + alpha * w[2]) / h;
            self.complex[i] = Complex::new(second, third) / unit;
        }
        lu::solve(&self.real, &self.real_pivots, &mut self.change);
        lu::solve(&self.pair, &self.pair_pivots, &mut self.complex);
        for i in 0..n {
            let unit = self.units[i];
            self.transformed[0][i] += unit * self.change[i];
            self.transformed[1][i] += unit * self.complex[i].re;
            self.transformed[2][i] += unit * self.complex[i].im;
        }
    }
}

/// (T⁻¹ ⊗ I) or (T ⊗ I) of three vectors.
fn transform(matrix: &[[f64; STAGES]; STAGES], from: &[Vec<f64>; STAGES], to: &mut [Vec<f64>; STAGES]) {
    for i in 0..from[0].len() {
        let x = [from[0][i], from[1][i], from[2][i]];
        (0..STAGES).for_each(|k| to[k][i] = row(matrix, k, x));
    }
}
