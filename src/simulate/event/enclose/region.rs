//! A box of states that a motion is known to stay in for some time.

use crate::num::Interval;

/// A part of a motion, from a state to a state.
#[derive(Clone, Copy)]
pub(in crate::simulate) struct Stretch<'s> {
    /// When it begins.
    pub(in crate::simulate) t: f64,
    /// How long it is.
    pub(in crate::simulate) h: f64,
    /// (q, v) at its ends.
    pub(in crate::simulate) states: [&'s [f64]; 2],
    /// Their rates.
    pub(in crate::simulate) rates: [&'s [f64]; 2],
    /// Sizes of the accelerations.
    pub(in crate::simulate) driven: &'s [f64],
    /// The watches there.
    pub(in crate::simulate) values: [&'s [f64]; 2],
    /// Of each watch that starts at zero, how many of its lowest derivatives are not negative there, itself included; empty if none does.
    pub(in crate::simulate) leads: &'s [usize],
    /// Where it ends at an event, up to which value each watch is zero there.
    pub(in crate::simulate) bands: Option<&'s [f64]>,
    /// The watch at whose fall through zero it ends.
    pub(in crate::simulate) landing: Option<usize>,
}

/// The box, and the accelerations in it.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) t: Interval,
    pub(super) q: Vec<Interval>,
    pub(super) v: Vec<Interval>,
    pub(super) vdot: Vec<Interval>,
    guess: Vec<Interval>,
    known: bool,
}

/// Rounds in which accelerations are guessed and enclosed.
const ROUNDS: usize = 3;
/// How much wider than what is seen of the accelerations the first guess is: shares of their range and of their size, and of the sizes of
/// their terms; and how much wider than what was enclosed the next one is.
const RANGE: f64 = 0.5;
const SIZE: f64 = 0.125;
const TERMS: f64 = 1e-9;
const WIDER: f64 = 0.125;

impl Region {
    pub(super) fn new(n: usize) -> Self {
        let none = || vec![Interval::WHOLE; n];
        Self { t: Interval::WHOLE, q: none(), v: none(), vdot: none(), guess: none(), known: false }
    }

    pub(super) fn forget(&mut self) {
        self.known = false;
    }

    /// Whether a motion from the begin of a stretch stays in the box to its end.
    pub(super) fn keeps(&self, stretch: &Stretch<'_>) -> bool {
        if !self.known || stretch.t < self.t.lo || stretch.t + stretch.h > self.t.hi {
            return false;
        }
        let (n, span, state) = (self.q.len(), Interval::new(0.0, stretch.h), stretch.states[0]);
        (0..n).all(|i| {
            let [q, v] = [state[i], state[n + i]].map(|x| Interval::new(x, x));
            is_within(v + span * self.vdot[i], self.v[i]) && is_within(q + span * self.v[i], self.q[i])
        })
    }

    /// Finds a box for a motion from the begin of a stretch and the time `length`: accelerations are guessed, the states that they
    /// lead to are enclosed, and at these the accelerations, which have to lie within the guess.
    pub(super) fn find(
        &mut self,
        stretch: &Stretch<'_>,
        length: f64,
        mut accelerations: impl FnMut((Interval, &[Interval], &[Interval]), &mut [Interval]) -> bool,
    ) -> bool {
        let n = self.q.len();
        self.known = false;
        self.guess(stretch, length);
        let (span, state) = (Interval::new(0.0, length), stretch.states[0]);
        self.t = Interval::new(stretch.t, stretch.t) + span;
        for _ in 0..ROUNDS {
            for i in 0..n {
                let [q, v] = [state[i], state[n + i]].map(|x| Interval::new(x, x));
                self.v[i] = v + span * self.guess[i];
                self.q[i] = q + span * self.v[i];
            }
            if !accelerations((self.t, &self.q, &self.v), &mut self.vdot) {
                return false;
            }
            self.known = (0..n).all(|i| is_within(self.vdot[i], self.guess[i]));
            if self.known {
                return true;
            }
            for (guess, vdot) in self.guess.iter_mut().zip(&self.vdot) {
                *guess = wider(*vdot, WIDER * vdot.width());
            }
        }
        false
    }

    /// Accelerations by what is seen of them at the ends.
    fn guess(&mut self, stretch: &Stretch<'_>, length: f64) {
        let (n, [begin, end], [first, last]) = (self.q.len(), stretch.states, stretch.rates);
        let far = RANGE * length / stretch.h;
        for i in 0..n {
            let mean = (end[n + i] - begin[n + i]) / stretch.h;
            let [lo, hi] = [
                first[n + i].min(last[n + i]).min(mean),
                first[n + i].max(last[n + i]).max(mean),
            ];
            let more = far * (hi - lo) + SIZE * lo.abs().max(hi.abs()) + TERMS * stretch.driven[i];
            self.guess[i] = wider(Interval::new(lo, hi), more);
        }
    }
}

fn wider(x: Interval, by: f64) -> Interval {
    Interval::new(x.lo - by, x.hi + by)
}

fn is_within(inner: Interval, outer: Interval) -> bool {
    outer.lo <= inner.lo && inner.hi <= outer.hi
}
