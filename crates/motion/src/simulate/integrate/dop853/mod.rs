//! Steps of DOP853, an explicit Runge-Kutta method of order 8 with a continuous extension of order 7.
//!
//! `ode_solvers` has the same method and is kept for what it serves; it allocates in every stage and runs to an end of its
//! own, where events need single steps that can be looked into, cut at a root and started again from there.

mod extension;
mod tableau;

use tableau::{COARSE, ERROR, KUTTA, KUTTA_STAGES, Row, STAGES, STEP, TIMES};

use crate::num::lanes::{Arch, NullaryFnOnce};

/// What is integrated.
pub trait Flow {
    /// Why there is no rate.
    type Error;

    /// The rate of y at a time.
    ///
    /// # Errors
    /// Whatever keeps the flow from having one.
    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Self::Error>;

    /// The same within a step, where nothing is read but the rate and what [`Flow::look`] looks at.
    ///
    /// # Errors
    /// As [`Flow::rate`].
    fn rate_within(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Self::Error> {
        self.rate(t, y, rate)
    }

    /// Called after [`Flow::rate_within`] at the stages of [`Dop853::LOOKS`], so that a step can be watched at no cost.
    fn look(&mut self, _at: usize) {}
}

/// Numbers that are worked on together: their sums stay in registers.
const LANES: usize = 4;
type Lanes = [f64; LANES];

/// A step and its memory. Vectors are cut into lanes of four numbers; what the last of them has beyond n numbers stays zero.
#[derive(Clone, Debug)]
pub struct Dop853 {
    arch: Arch,
    n: usize,
    /// Length of the step tried last.
    h: f64,
    y: Vec<Lanes>,
    end: Vec<Lanes>,
    stage: Vec<Lanes>,
    /// Mean rate of the step.
    slope: Vec<Lanes>,
    /// Rates at the stages, one after the other.
    k: Vec<Lanes>,
    /// Coefficients of the continuous extension, by degree.
    dense: Vec<Lanes>,
    /// Of a step that another method made: two places within it, and y there.
    within: Option<[f64; 2]>,
    inner: [Vec<Lanes>; 2],
}

/// Steps shrink and grow by at most these factors, and are somewhat shorter than the error asks for: Hairer's choice.
const SHRINK: f64 = 0.333;
const GROW: f64 = 6.0;
const SAFETY: f64 = 0.9;

/// Share of what is allowed up to which two places are the same.
const TOLD_APART: f64 = 1.0 / 1024.0;

impl Dop853 {
    /// Places within the step that [`Flow::look`] is called for; the values there are of lower order.
    pub const LOOKS: [f64; 3] = [0.25, 0.6, 6.0 / 7.0];
    /// The stages of these places.
    const LOOK_STAGES: [usize; 3] = [6, 9, 10];

    /// For n unknowns.
    pub fn new(n: usize) -> Self {
        let zeros = |vectors: usize| vec![[0.0; LANES]; vectors * n.div_ceil(LANES)];
        Self {
            arch: Arch::new(),
            n,
            h: 0.0,
            y: zeros(1),
            end: zeros(1),
            stage: zeros(1),
            slope: zeros(1),
            k: zeros(16),
            dense: zeros(8),
            within: None,
            inner: [zeros(1), zeros(1)],
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
        self.y.as_flattened_mut()[..self.n].copy_from_slice(y);
        let n = self.n;
        flow.rate(t, &self.y.as_flattened()[..n], &mut self.k.as_flattened_mut()[..n])
    }

    /// y at the begin of the step.
    pub fn begin(&self) -> &[f64] {
        &self.y.as_flattened()[..self.n]
    }

    /// The same, for numbers on which no rate depends.
    pub fn begin_mut(&mut self) -> &mut [f64] {
        &mut self.y.as_flattened_mut()[..self.n]
    }

    /// The rate there.
    pub fn begin_rate(&self) -> &[f64] {
        &self.k.as_flattened()[..self.n]
    }

    /// y at the end of the step.
    pub fn end(&self) -> &[f64] {
        &self.end.as_flattened()[..self.n]
    }

    /// The same, to be corrected before [`Dop853::arrive`] is called again.
    pub fn end_mut(&mut self) -> &mut [f64] {
        &mut self.end.as_flattened_mut()[..self.n]
    }

    /// The rate there, after [`Dop853::arrive`].
    pub fn end_rate(&self) -> &[f64] {
        &self.k[self.stage_place(12)..].as_flattened()[..self.n]
    }

    /// Tries a step of length h; its error in units of `scale`, which is 1 at most for a good one.
    ///
    /// # Errors
    /// As [`Flow::rate`].
    pub fn attempt<F: Flow>(&mut self, flow: &mut F, t: f64, h: f64, scale: &[f64]) -> Result<f64, F::Error> {
        (self.h, self.within) = (h, None);
        for (i, row) in STAGES.iter().enumerate() {
            let stage = i + 1;
            self.fill_stage(row);
            self.rate_within(flow, t + TIMES[stage] * h, stage)?;
            if let Some(at) = Self::LOOK_STAGES.iter().position(|&s| s == stage) {
                flow.look(at);
            }
        }
        for place in 0..self.y.len() {
            let slope = self.combined(STEP, place);
            self.slope[place] = slope;
            self.end[place] = ahead(self.y[place], h, slope);
        }
        Ok(self.error(scale))
    }

    /// How stiff the flow is along the step of this method that arrived: |h λ| of its fastest part, beyond about six of which no step is
    /// stable   [HNW93 (II.10), DOP853; HW96 (IV.2.19)]. The last stage stands where the step ends.
    pub fn stiffness(&self, scale: &[f64]) -> f64 {
        let (last, end) = (self.stage_place(11), self.stage_place(12));
        let apart = |a: &[Lanes], b: &[Lanes]| {
            let pairs = a.as_flattened().iter().zip(b.as_flattened()).zip(scale);
            pairs.map(|((a, b), scale)| ((a - b) / scale).powi(2)).filter(|x| x.is_finite()).sum::<f64>()
        };
        let (rates, places) = (apart(&self.k[end..], &self.k[last..]), apart(&self.end, &self.stage));
        let apart = places > TOLD_APART * TOLD_APART * self.n as f64;
        if apart { self.h.abs() * (rates / places).sqrt() } else { 0.0 }
    }

    /// A step so short that Kutta's rule of order 4 is exact to rounding.
    ///
    /// # Errors
    /// As [`Flow::rate`].
    pub fn probe<F: Flow>(&mut self, flow: &mut F, t: f64, h: f64) -> Result<(), F::Error> {
        (self.h, self.within) = (h, None);
        for (i, row) in KUTTA_STAGES.iter().enumerate() {
            self.fill_stage(row);
            self.rate_within(flow, t + row[0].1 * h, i + 1)?;
        }
        for place in 0..self.y.len() {
            self.end[place] = ahead(self.y[place], h, self.combined(KUTTA, place));
        }
        Ok(())
    }

    /// The rate at the end of the step, the first of the next.
    ///
    /// # Errors
    /// As [`Flow::rate`].
    pub fn arrive<F: Flow>(&mut self, flow: &mut F, t: f64) -> Result<(), F::Error> {
        let (n, place) = (self.n, self.stage_place(12));
        let (k, end) = (&mut self.k[place..].as_flattened_mut()[..n], &self.end.as_flattened()[..n]);
        flow.rate(t + self.h, end, k)
    }

    /// Moves the end of a step that arrived by a time in which the rate there does not change to the last digit.
    pub fn nudge(&mut self, dt: f64) {
        let place = self.stage_place(12);
        self.h += dt;
        for (end, rate) in self.end.iter_mut().zip(&self.k[place..]) {
            *end = ahead(*end, dt, *rate);
        }
    }

    /// The next step begins at the end of this one.
    pub fn accept(&mut self) {
        let (last, place) = (self.y.len(), self.stage_place(12));
        self.y.copy_from_slice(&self.end);
        self.k.copy_within(place..place + last, 0);
    }

    /// The length to try next after an error.
    pub fn next_length(h: f64, error: f64) -> f64 {
        let factor = SAFETY / error.sqrt().sqrt().sqrt();
        h * if factor.is_finite() {
            factor.clamp(SHRINK, GROW)
        } else if error > 0.0 {
            SHRINK
        } else {
            GROW
        }
    }

    /// Where the rates of a stage begin.
    fn stage_place(&self, stage: usize) -> usize {
        stage * self.y.len()
    }

    /// The weighted sum of rates, of the numbers at a place.
    #[inline]
    fn combined(&self, row: Row, place: usize) -> Lanes {
        let width = self.y.len();
        let mut sum = [0.0; LANES];
        for &(stage, weight) in row {
            let rates = &self.k[stage * width + place];
            sum.iter_mut().zip(rates).for_each(|(sum, k)| *sum += weight * k);
        }
        sum
    }

    fn fill_stage(&mut self, row: Row) {
        match self.y.len() {
            2 => self.fill_stage_of::<2>(row),
            3 => self.fill_stage_of::<3>(row),
            4 => self.fill_stage_of::<4>(row),
            _ => {
                for place in 0..self.y.len() {
                    self.stage[place] = ahead(self.y[place], self.h, self.combined(row, place));
                }
            }
        }
    }

    /// The same where the sums of all numbers fit into registers.
    #[inline]
    fn fill_stage_of<const WIDTH: usize>(&mut self, row: Row) {
        let Self { arch, h, y, stage, k, .. } = self;
        arch.dispatch(Fill::<WIDTH> { h: *h, y, k, row, stage });
    }

    fn rate_within<F: Flow>(&mut self, flow: &mut F, t: f64, stage: usize) -> Result<(), F::Error> {
        let (n, place) = (self.n, self.stage_place(stage));
        flow.rate_within(t, &self.stage.as_flattened()[..n], &mut self.k[place..].as_flattened_mut()[..n])
    }

    /// The number whose error in the attempted step is largest, in units of `scale`.
    pub fn worst(&self, scale: &[f64]) -> usize {
        let fine = |i: usize| self.combined(ERROR, i / LANES)[i % LANES].abs() / scale[i];
        (0..self.n).max_by(|&i, &j| fine(i).total_cmp(&fine(j))).unwrap_or(0)
    }

    /// The error of the attempted step, by the norm of Hairer's code: the estimate of order 5, corrected by that of order 3.
    pub fn error(&self, scale: &[f64]) -> f64 {
        let relative = |x: f64, scale: f64| if scale > 0.0 { x / scale } else { 0.0 };
        let (mut fifth, mut third) = (0.0, 0.0);
        for (place, scale) in scale[..self.n].chunks(LANES).enumerate() {
            let (fine, coarse) = (self.combined(ERROR, place), self.combined(COARSE, place));
            for (i, &scale) in scale.iter().enumerate() {
                let (fine, coarse) =
                    (relative(fine[i], scale), relative(self.slope[place][i] - coarse[i], scale));
                fifth += fine * fine;
                third += coarse * coarse;
            }
        }
        let both = fifth + 0.01 * third;
        if !both.is_finite() {
            f64::INFINITY
        } else if both > 0.0 {
            self.h.abs() * fifth / (both * self.n as f64).sqrt()
        } else {
            0.0
        }
    }
}

/// A stage in the vector instructions of the machine.
struct Fill<'a, const WIDTH: usize> {
    h: f64,
    y: &'a [Lanes],
    k: &'a [Lanes],
    row: Row,
    stage: &'a mut [Lanes],
}

impl<const WIDTH: usize> NullaryFnOnce for Fill<'_, WIDTH> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let (stages, _) = self.k.as_chunks::<WIDTH>();
        let mut sums = [[0.0; LANES]; WIDTH];
        for &(stage, weight) in self.row {
            for (sum, rates) in sums.iter_mut().zip(&stages[stage]) {
                sum.iter_mut().zip(rates).for_each(|(sum, k)| *sum += weight * k);
            }
        }
        for ((stage, y), sum) in self.stage.iter_mut().zip(self.y).zip(sums) {
            *stage = ahead(*y, self.h, sum);
        }
    }
}

/// y + h times a rate.
#[inline(always)]
fn ahead(y: Lanes, h: f64, rate: Lanes) -> Lanes {
    std::array::from_fn(|i| y[i] + h * rate[i])
}

#[cfg(test)]
mod tests;
