//! Phases that explicit steps follow only by steps that are far too short for what happens: a slip that is slow beside others turns at once to where
//! friction leaves it. They are followed by implicit steps, from where that shows to the end of the phase.

use super::mechanics::Mechanics;
use crate::simulate::integrate::{Control, Dop853, Flow, Radau, System};
use crate::simulate::smooth::{ContactMotion, SmoothError};

/// |h λ| beyond which a step is as long as stability permits, not accuracy; so many of those in a row, and so many others that make them
/// forgotten   [HW96 (IV.2), DOP853].
const UNSTABLE: f64 = 6.1;
const IN_A_ROW: usize = 15;
const OTHERS: usize = 6;
/// Shares by which implicit steps shrink and grow, and what is left of what their errors ask for.
const SHRINK: f64 = 0.2;
const GROW: f64 = 8.0;
const SAFETY: f64 = 0.9;
/// Share of the usual errors of estimates that is allowed: where stiffness lowers the order, the works add up what is left.
const CAREFUL: f64 = 1.0 / 16.0;

/// Whether a phase is stiff, and the memory of its steps.
#[derive(Clone, Debug)]
pub(super) struct Stiff {
    /// Few motions need it: none before the first implicit step.
    implicit: Option<Box<Implicit>>,
    rtol: f64,
    /// What contacts do in the phase.
    motions: Vec<ContactMotion>,
    found: usize,
    others: usize,
}

/// Implicit steps and their memory.
#[derive(Clone, Debug)]
struct Implicit {
    radau: Radau,
    /// What errors of estimates are measured by, over those of results.
    looser: f64,
    tolerances: Vec<f64>,
    states: [Vec<f64>; 3],
}

impl Implicit {
    fn new(numbers: usize, rtol: f64) -> Self {
        let estimated = CAREFUL * Control::estimated(rtol);
        Self {
            radau: Radau::new(numbers, Control::at(estimated)),
            looser: estimated / rtol,
            tolerances: vec![0.0; numbers],
            states: std::array::from_fn(|_| vec![0.0; numbers]),
        }
    }
}

impl Stiff {
    /// Of numbers whose errors are relative to this.
    pub(super) fn new(rtol: f64) -> Self {
        Self { implicit: None, rtol, motions: Vec::new(), found: 0, others: 0 }
    }

    /// A phase begins; one in which contacts do what they did is as stiff as it was.
    pub(super) fn begin(&mut self, motions: &[ContactMotion]) {
        if self.motions != motions {
            (self.found, self.others) = (0, 0);
            motions.clone_into(&mut self.motions);
        }
    }

    /// Whether steps are implicit.
    pub(super) fn is_found(&self) -> bool {
        self.found >= IN_A_ROW
    }

    /// Notes |h λ| of an explicit step.
    pub(super) fn note(&mut self, stiffness: f64) {
        if stiffness > UNSTABLE {
            (self.found, self.others) = (self.found + 1, 0);
        } else {
            self.others += 1;
            if self.others >= OTHERS {
                self.found = 0;
            }
        }
    }

    /// The length to try next after an error of an implicit step.
    pub(super) fn next_length(h: f64, error: f64) -> f64 {
        let factor = SAFETY / error.sqrt().sqrt();
        h * if factor.is_nan() { SHRINK } else { factor.clamp(SHRINK, GROW) }
    }

    /// An implicit step of length h in place of an explicit one; its error in units of `scale`.
    pub(super) fn attempt(
        &mut self,
        step: &mut Dop853,
        mechanics: &mut Mechanics<'_>,
        h: f64,
        scale: &[f64],
    ) -> Result<f64, SmoothError> {
        let Self { implicit, rtol, .. } = self;
        let implicit = implicit.get_or_insert_with(|| Box::new(Implicit::new(scale.len(), *rtol)));
        let Implicit { radau, tolerances, states, looser } = &mut **implicit;
        tolerances.iter_mut().zip(scale).for_each(|(own, scale)| *own = *looser * scale);
        let mut rates = Rates { mechanics, scale, rtol: *rtol, h };
        let error = radau.once(&mut rates, (0.0, step.begin()), h, tolerances)?;
        let Some(error) = error else { return Ok(f64::INFINITY) };
        let [_, first, second, last] = Radau::nodes();
        for (state, share) in states.iter_mut().zip([first, second, last]) {
            radau.dense(share, state);
        }
        let [one, other, end] = &*states;
        step.adopt(h, end, [(first, one), (second, other)]);
        let [state, rate, _] = states;
        for (at, share) in Dop853::LOOKS.into_iter().enumerate() {
            radau.dense(share, state);
            rates.mechanics.rate(0.0, state, rate)?;
            rates.mechanics.look(at);
        }
        Ok(if error.is_nan() { f64::INFINITY } else { error })
    }
}

/// The flow with its derivatives, by differences.
struct Rates<'s, 'm, 'k> {
    mechanics: &'s mut Mechanics<'k>,
    scale: &'m [f64],
    rtol: f64,
    h: f64,
}

impl System for Rates<'_, '_, '_> {
    type Error = SmoothError;

    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), SmoothError> {
        self.mechanics.rate(t, y, rate)
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Result<(), SmoothError> {
        let (size, n) = (y.len(), self.mechanics.layout().coordinates);
        let (mut moved, mut here, mut there) = (y.to_vec(), vec![0.0; size], vec![0.0; size]);
        self.mechanics.rate(t, y, &mut here)?;
        jacobian.fill(0.0);
        let share = DIGITS.max(f64::EPSILON / self.rtol);
        // nothing depends on the works; surfaces that move turn slow slips in time
        for k in 0..=2 * n {
            let own = if k < 2 * n { self.scale[k].max(self.rtol * y[k].abs()) } else { self.h };
            moved[k] = y[k] + share * own;
            let by = moved[k] - y[k];
            self.mechanics.rate(t, &moved, &mut there)?;
            moved[k] = y[k];
            (0..size).filter(|_| by > 0.0).for_each(|i| jacobian[i * size + k] = (there[i] - here[i]) / by);
        }
        Ok(())
    }
}

/// Differences over the errors that are allowed: slips that end are as slow as these.
const DIGITS: f64 = 1.0 / 1024.0;
