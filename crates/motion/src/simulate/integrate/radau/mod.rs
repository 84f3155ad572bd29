//! Radau IIA of order 5 for stiff motions: steps by error per component, simplified Newton iterations on one real and one
//! complex system, the collocation polynomial as dense output   [HW96 (IV.8)].
//!
//! The crates at hand allocate in every step, or find events with errors of 1e-5, or cannot take a tolerance of each component's
//! own; events of contacts need a step that can be looked at, cut short and only then taken. So: [`Radau::attempt`]
//! computes a step that meets the tolerances, [`Radau::dense`] shows it, [`Radau::shorten`] replaces it by a shorter one, and
//! [`Radau::accept`] takes it. Nothing allocates after [`Radau::new`].
//!
//! Tolerances are absolute and given for each component before each step, so that what they are relative to is the
//! caller's business. Systems are factored in components divided by their tolerances: results do not depend on units.

mod newton;
mod tableau;

use newton::{Newton, Solved};
use tableau::{RADAU_5, STAGES};

/// What is integrated: y′ = f(t, y).
pub trait System {
    /// Why f has no value.
    type Error;

    /// f(t, y).
    ///
    /// # Errors
    /// Where it has no value.
    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Self::Error>;

    /// ∂f/∂y by rows.
    ///
    /// # Errors
    /// Where it has no value.
    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Result<(), Self::Error>;
}

/// Why there is no step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StepError<E> {
    /// f has no value where the step begins, or near it however short the step is.
    System(E),
    /// However short the step is, it does not meet the tolerances.
    TooShort,
}

/// Numbers of the step size control   [HW96 (IV.8)].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Newton's method stops at this part of the tolerance.
    pub newton: f64,
    /// Most of its iterations.
    pub iterations: usize,
    /// Rate of convergence up to which the Jacobian is kept.
    pub keep: f64,
    /// Share of the step that the error would allow.
    pub safety: f64,
    /// Smallest and largest factor from one step to the next.
    pub factors: [f64; 2],
    /// Factors between which a step is kept, with its factored matrices.
    pub unchanged: [f64; 2],
    /// Most rejections in a row.
    pub rejections: usize,
}

impl Control {
    /// What the estimate of a step's error, which is of lower order than the error itself, is to be measured by for a
    /// result that is good to `rtol`   [HW96 (IV.8), RADAU5].
    pub fn estimated(rtol: f64) -> f64 {
        0.1 * rtol.cbrt().powi(2)
    }

    /// The usual numbers for tolerances of `estimate` of their components' sizes.
    pub fn at(estimate: f64) -> Self {
        let newton = (10.0 * f64::EPSILON / estimate).max(estimate.sqrt().min(0.03));
        Self {
            newton,
            iterations: 7,
            keep: 0.001,
            safety: 0.9,
            factors: [0.2, 8.0],
            unchanged: [1.0, 1.2],
            rejections: 100,
        }
    }
}

/// The integrator with its memory.
#[derive(Clone, Debug)]
pub struct Radau {
    control: Control,
    t: f64,
    y: Vec<f64>,
    /// f at the start of the step.
    rate: Vec<f64>,
    /// Length of the computed step, and of the next one to be tried.
    h: f64,
    next: f64,
    newton: Newton,
    /// zᵢ = y(t + cᵢh) − y(t) of the step, and of the accepted one before it, for starting values.
    stages: [Vec<f64>; STAGES],
    before: Option<f64>,
    last: [Vec<f64>; STAGES],
    error: Vec<f64>,
    trial: Vec<f64>,
    /// Length and error of the accepted step before.
    accepted: Option<(f64, f64)>,
    size: f64,
    attempts: usize,
}

impl Radau {
    /// Memory for n components.
    pub fn new(n: usize, control: Control) -> Self {
        let zeros = || vec![0.0; n];
        let stages = || std::array::from_fn(|_| zeros());
        Self {
            control,
            t: 0.0,
            y: zeros(),
            rate: zeros(),
            h: 0.0,
            next: 0.0,
            newton: Newton::new(n),
            stages: stages(),
            before: None,
            last: stages(),
            error: zeros(),
            trial: zeros(),
            accepted: None,
            size: 0.0,
            attempts: 0,
        }
    }

    /// Begins anew at y(t), with a first step to be tried.
    ///
    /// # Panics
    /// If `y` has another length than the memory.
    pub fn start(&mut self, t: f64, y: &[f64], h: f64) {
        self.y.copy_from_slice(y);
        (self.t, self.h, self.next) = (t, 0.0, h);
        (self.before, self.accepted) = (None, None);
        self.newton.forget();
    }

    /// Where the step begins.
    pub fn time(&self) -> f64 {
        self.t
    }

    /// y where the step begins.
    pub fn state(&self) -> &[f64] {
        &self.y
    }

    /// Length of the computed step.
    pub fn length(&self) -> f64 {
        self.h
    }

    /// Length of the step that will be tried next.
    pub fn proposed(&self) -> f64 {
        self.next
    }

    /// Steps computed so far, rejected ones included.
    pub fn attempts(&self) -> usize {
        self.attempts
    }

    /// Computes a step of at most `longest` that meets the absolute tolerances.
    ///
    /// # Errors
    /// [`StepError`] if there is none.
    ///
    /// # Panics
    /// If there is another number of tolerances than of components.
    pub fn attempt<S: System>(
        &mut self,
        system: &mut S,
        longest: f64,
        tolerances: &[f64],
    ) -> Result<(), StepError<S::Error>> {
        system.rate(self.t, &self.y, &mut self.rate).map_err(StepError::System)?;
        let mut failure = StepError::TooShort;
        let mut rejected = self.accepted.is_none();
        for _ in 0..self.control.rejections {
            let h = self.next.min(longest);
            match self.compute(system, h, tolerances) {
                Ok(Solved::Converged { iterations }) => {
                    self.size = self.estimate(system, tolerances, rejected);
                    let factor = self.factor(iterations);
                    let good = self.size < 1.0;
                    self.next =
                        if good { h * self.kept(factor) } else { h * factor.min(self.control.safety) };
                    if good {
                        return Ok(());
                    }
                }
                Ok(Solved::Diverged) => self.next = 0.5 * h,
                Err(error) => {
                    failure = StepError::System(error);
                    self.next = 0.5 * h;
                }
            }
            rejected = true;
        }
        Err(failure)
    }

    /// Computes one step of a length from y(t), and the size of its error over the tolerances; none if the iterations do not converge.
    ///
    /// # Errors
    /// Where f has no value.
    pub fn once<S: System>(
        &mut self,
        system: &mut S,
        (t, y): (f64, &[f64]),
        h: f64,
        tolerances: &[f64],
    ) -> Result<Option<f64>, S::Error> {
        self.start(t, y, h);
        system.rate(t, &self.y, &mut self.rate)?;
        let solved = self.compute(system, h, tolerances)?;
        Ok(matches!(solved, Solved::Converged { .. }).then(|| self.estimate(system, tolerances, true)))
    }

    /// Replaces the computed step by one of another, shorter length from the same start; false if it does not converge.
    pub fn shorten<S: System>(&mut self, system: &mut S, h: f64, tolerances: &[f64]) -> bool {
        matches!(self.compute(system, h, tolerances), Ok(Solved::Converged { .. }))
    }

    /// Takes the computed step.
    pub fn accept(&mut self) {
        self.t += self.h;
        let end = &self.stages[STAGES - 1];
        self.y.iter_mut().zip(end).for_each(|(y, z)| *y += z);
        std::mem::swap(&mut self.stages, &mut self.last);
        self.before = Some(self.h);
        self.accepted = Some((self.h, self.size));
        self.newton.grow_old();
    }

    /// Changes the state at the start of the next step a little, as a projection does.
    pub fn correct(&mut self, change: impl FnOnce(&mut [f64])) {
        change(&mut self.y);
    }

    /// y(t + θh) of the computed step by its collocation polynomial.
    pub fn dense(&self, theta: f64, y: &mut [f64]) {
        for (i, y) in y.iter_mut().enumerate() {
            *y = self.y[i] + polynomial(&self.stages, i, theta);
        }
    }

    /// The nodes of the method with those of the start: where [`Radau::dense`] is a cubic through numbers of the step.
    pub fn nodes() -> [f64; STAGES + 1] {
        let [first, second, third] = RADAU_5.nodes;
        [0.0, first, second, third]
    }

    /// ∫ over the computed step of what has these values at the nodes of the method, per unit length.
    pub fn mean(values: [f64; STAGES]) -> f64 {
        RADAU_5.weights.iter().zip(values).map(|(weight, value)| weight * value).sum()
    }

    fn compute<S: System>(&mut self, system: &mut S, h: f64, tolerances: &[f64]) -> Result<Solved, S::Error> {
        self.attempts += 1;
        self.h = h;
        self.guess();
        let start = newton::Start { t: self.t, y: &self.y, h };
        self.newton.solve(system, start, tolerances, &self.control, &mut self.stages)
    }

    /// Starting values of the stages: the polynomial of the step before, continued.
    fn guess(&mut self) {
        let Some(before) = self.before else {
            self.stages.iter_mut().for_each(|z| z.fill(0.0));
            return;
        };
        for (k, z) in self.stages.iter_mut().enumerate() {
            let theta = 1.0 + RADAU_5.nodes[k] * self.h / before;
            for (i, z) in z.iter_mut().enumerate() {
                *z = polynomial(&self.last, i, theta) - self.last[STAGES - 1][i];
            }
        }
    }

    /// Size of the embedded formula's difference over the tolerances, root mean square   [HW96 (IV.8.19)]; after a rejection
    /// once more filtered, so that stiff components do not count for nothing   [HW96 (IV.8.20)].
    fn estimate<S: System>(&mut self, system: &mut S, tolerances: &[f64], again: bool) -> f64 {
        let size = self.filtered(tolerances);
        if size < 1.0 || !again {
            return size;
        }
        self.trial.iter_mut().zip(self.y.iter().zip(&self.error)).for_each(|(x, (y, e))| *x = y + e);
        if system.rate(self.t, &self.trial, &mut self.error).is_err() {
            return size;
        }
        std::mem::swap(&mut self.rate, &mut self.error);
        let size = self.filtered(tolerances);
        // f of the start is needed again if the step is rejected
        if system.rate(self.t, &self.y, &mut self.rate).is_err() { f64::INFINITY } else { size }
    }

    fn filtered(&mut self, tolerances: &[f64]) -> f64 {
        let [first, second, third] = &self.stages;
        for (i, error) in self.error.iter_mut().enumerate() {
            let z = [first[i], second[i], third[i]];
            let sum: f64 = RADAU_5.error.iter().zip(z).map(|(e, z)| e * z).sum();
            *error = self.rate[i] + sum / self.h;
        }
        self.newton.apply_real(&mut self.error);
        rms(&self.error, tolerances)
    }

    /// The factor that the errors of this step and of the one before propose for the next   [HW96 (IV.8.25)].
    fn factor(&self, iterations: usize) -> f64 {
        let Control { safety, factors: [least, most], iterations: allowed, .. } = self.control;
        let allowed = allowed as f64;
        let safety = safety * (2.0 * allowed + 1.0) / (2.0 * allowed + iterations as f64);
        let root = |x: f64| x.sqrt().sqrt();
        let size = self.size.max(f64::EPSILON);
        let plain = safety / root(size);
        let predicted = self.accepted.map_or(plain, |(h, before)| {
            let before = before.max(f64::EPSILON.sqrt());
            safety * (self.h / h) * root(before / size) / root(size)
        });
        plain.min(if size < 1.0 { predicted } else { plain }).clamp(least, most)
    }

    /// 1 for a factor that is not worth factoring matrices again.
    fn kept(&self, factor: f64) -> f64 {
        let [low, high] = self.control.unchanged;
        let quick = self.newton.convergence() <= self.control.keep;
        if quick && low <= factor && factor <= high { 1.0 } else { factor }
    }
}

/// Component i of the collocation polynomial, less the start, in Lagrange's form over the nodes (0, c₁, c₂, c₃).
fn polynomial(stages: &[Vec<f64>; STAGES], i: usize, theta: f64) -> f64 {
    let c = RADAU_5.nodes;
    let term = |k: usize, l: usize, m: usize| {
        let weight = theta * (theta - c[l]) * (theta - c[m]);
        stages[k][i] * weight / (c[k] * (c[k] - c[l]) * (c[k] - c[m]))
    };
    term(0, 1, 2) + term(1, 0, 2) + term(2, 0, 1)
}

/// Root mean square of a vector over its tolerances; a component that is exactly 0 needs no tolerance.
fn rms(x: &[f64], tolerances: &[f64]) -> f64 {
    assert_eq!(x.len(), tolerances.len(), "a tolerance of each component");
    let part = |(x, tolerance): (&f64, &f64)| if x.abs() > 0.0 { (x / tolerance).powi(2) } else { x.abs() };
    (x.iter().zip(tolerances).map(part).sum::<f64>() / x.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests;
