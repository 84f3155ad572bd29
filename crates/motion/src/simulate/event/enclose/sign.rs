//! Whether a watch keeps its sign over a span of time: from its values at the ends and enclosures of its derivatives.
//!
//! With W⁽ᵏ⁾ ∈ [lᵏ, uᵏ] over a span h,
//!
//! W(t) ≥ l⁰, W(t) ≥ W(0) + l¹ t, W(t) ≥ W(h) − u¹ (h − t), W(t) ≥ the chord − ½ t (h − t) u²,
//!
//! and a watch that starts at zero with W′(0), .. ≥ 0 is positive if lᵏ > 0: the sign of W/tᵏ. One that begins within rounding of zero, and does
//! not leave it downwards, is none that falls.

use crate::num::Interval;

/// Most derivatives that are known of a watch.
pub(super) const MOST: usize = 4;

/// A watch and its derivatives by time over a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ladder {
    rungs: [Interval; MOST],
    known: usize,
}

/// A watch over a span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// Its length; none where rates are those of another time, and only their signs count.
    pub(super) h: Option<f64>,
    /// The watch where it begins.
    pub(super) begin: f64,
    /// Up to which value it is zero to rounding.
    pub(super) band: f64,
    /// Where it starts at zero: how many of its lowest derivatives, the watch itself among them, are known not to be negative there.
    pub(super) leads: usize,
    /// The watch where the span ends; none where it ends at the watch's own fall through zero.
    pub(super) end: Option<f64>,
}

impl Ladder {
    const NONE: Self = Self { rungs: [Interval::WHOLE; MOST], known: 0 };

    /// From enclosures, the watch first.
    pub(super) fn new(rungs: impl Iterator<Item = Interval>) -> Self {
        let mut ladder = Self::NONE;
        for rung in rungs.take(MOST) {
            ladder.rungs[ladder.known] = rung;
            ladder.known += 1;
        }
        ladder
    }

    fn rung(&self, order: usize) -> Interval {
        if order < self.known { self.rungs[order] } else { Interval::WHOLE }
    }

    /// Whether the watch has bounds.
    pub(super) fn is_bounded(&self) -> bool {
        self.rung(0).is_bounded()
    }

    /// Whether the watch does not fall, or is not positive at all.
    pub(super) fn rises(&self) -> bool {
        self.rung(0).hi <= 0.0 || self.rung(1).lo >= 0.0
    }

    /// Whether the watch is positive within the span, its ends excepted.
    pub(super) fn is_positive(&self, span: &Span) -> bool {
        let Span { h, begin, band, leads, end } = *span;
        let [value, rate, bend] = [0, 1, 2].map(|order| self.rung(order));
        if value.lo > 0.0 || (begin <= band && value.lo >= -band) {
            return true;
        }
        // between ends that are not negative what bends down is positive
        let arches = bend.hi < 0.0 && (leads > 0 || begin > 0.0) && end.is_none_or(|end| end > 0.0);
        if leads > 0 {
            // [0, leads) are not negative at the begin, and the next one decides
            return arches || (1..=leads).any(|order| self.rung(order).lo > 0.0);
        }
        let Some(end) = end else { return arches || (begin > 0.0 && rate.hi < 0.0) };
        if !(begin > 0.0 && end > 0.0) {
            return false;
        }
        let bounded =
            |h: f64| above_both_lines([begin, end], rate, h) || above_the_chord([begin, end], bend.hi, h);
        rate.lo >= 0.0 || rate.hi <= 0.0 || h.is_some_and(bounded)
    }
}

/// Whether the lines through the ends with the extreme slopes meet above zero.
fn above_both_lines([begin, end]: [f64; 2], rate: Interval, h: f64) -> bool {
    let meet = (begin - end + rate.hi * h) / (rate.hi - rate.lo);
    begin + rate.lo * meet.clamp(0.0, h) > 0.0
}

/// Whether the parabola through the ends with the greatest second derivative stays above zero.
fn above_the_chord([begin, end]: [f64; 2], bend: f64, h: f64) -> bool {
    let (rise, sag) = (end - begin, 0.5 * h * h * bend);
    if sag <= 0.0 {
        return true;
    }
    // begin + rise s − sag s (1 − s)
    let lowest = ((sag - rise) / (2.0 * sag)).clamp(0.0, 1.0);
    begin + lowest * (rise - sag * (1.0 - lowest)) > 0.0
}

#[cfg(test)]
mod tests {
    use super::{Ladder, Span};
    use crate::num::Interval;
    use crate::num::random::uniform;

    fn ladder(rungs: &[(f64, f64)]) -> Ladder {
        Ladder::new(rungs.iter().map(|&(lo, hi)| Interval::new(lo, hi)))
    }

    fn span(begin: f64, end: f64) -> Span {
        Span { h: Some(1.0), begin, band: 1e-12, leads: 0, end: Some(end) }
    }

    #[test]
    fn each_bound_shows_what_it_can() {
        // (1 − t)² + 0.01 and its like: by value, by slope, by both lines, by the parabola
        assert!(ladder(&[(0.1, 2.0)]).is_positive(&span(1.0, 1.0)));
        assert!(ladder(&[(-1.0, 2.0), (-3.0, 0.0)]).is_positive(&span(1.0, 0.01)));
        assert!(ladder(&[(-1.0, 2.0), (-1.0, 1.0)]).is_positive(&span(1.0, 0.9)));
        assert!(!ladder(&[(-1.0, 2.0), (-3.0, 3.0)]).is_positive(&span(1.0, 0.9)));
        assert!(ladder(&[(-1.0, 2.0), (-3.0, 3.0), (-9.0, 1.0)]).is_positive(&span(1.0, 0.9)));
        assert!(!ladder(&[(-1.0, 2.0), (-3.0, 3.0), (-9.0, 9.0)]).is_positive(&span(1.0, 0.9)));
    }

    /// Rates without bounds show nothing.
    #[test]
    fn what_is_not_bounded_is_not_called_positive() {
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        for rate in [(-1.0, f64::INFINITY), (f64::NEG_INFINITY, 1.0), all] {
            for bend in [(-1.0, 50.0), all] {
                assert!(
                    !ladder(&[(-1.0, 2.0), rate, bend]).is_positive(&span(1.0, 0.9)),
                    "{rate:?} {bend:?}"
                );
            }
        }
    }

    #[test]
    fn what_starts_at_zero_is_judged_by_its_first_derivative_that_is_not() {
        let fresh = |leads: usize| Span { h: Some(1.0), begin: 0.0, band: 1e-12, leads, end: Some(1.0) };
        assert!(ladder(&[(-1.0, 2.0), (0.5, 2.0)]).is_positive(&fresh(1)));
        assert!(!ladder(&[(-1.0, 2.0), (-0.5, 2.0)]).is_positive(&fresh(1)));
        assert!(ladder(&[(-1.0, 2.0), (-0.5, 2.0), (1.0, 2.0)]).is_positive(&fresh(2)));
        // its rate at the begin may be negative
        assert!(!ladder(&[(-1.0, 2.0), (-0.5, 2.0), (1.0, 2.0)]).is_positive(&fresh(1)));
    }

    #[test]
    fn before_its_own_root_a_watch_has_to_fall() {
        let landing = Span { h: Some(1.0), begin: 1.0, band: 1e-12, leads: 0, end: None };
        assert!(ladder(&[(-0.1, 1.0), (-2.0, -0.5)]).is_positive(&landing));
        assert!(!ladder(&[(-0.1, 1.0), (-2.0, 0.5)]).is_positive(&landing));
        // or to bend down
        assert!(ladder(&[(-0.1, 1.0), (-2.0, 0.5), (-3.0, -1.0)]).is_positive(&landing));
        let hop = Span { begin: 0.0, leads: 1, ..landing };
        assert!(ladder(&[(-0.1, 1.0), (-2.0, 0.5), (-3.0, -1.0)]).is_positive(&hop));
        assert!(!ladder(&[(-0.1, 1.0), (-2.0, 0.5), (-3.0, 1.0)]).is_positive(&hop));
    }

    /// Cubics with random coefficients: what is called positive is so on a fine grid, with the exact ranges of its derivatives.
    #[test]
    fn nothing_that_dips_is_called_positive() {
        let mut shown = 0;
        for run in 0..20_000 {
            let c = ["1", "t", "t²", "t³"].map(|name| 2.0 * uniform(7, run, name) - 1.0);
            let at = |t: f64| c[0] + t * (c[1] + t * (c[2] + t * c[3]));
            let range = |f: &dyn Fn(f64) -> f64| {
                let values = (0..=200).map(|i| f(f64::from(i) / 200.0));
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)))
            };
            let first = range(&|t| c[1] + t * (2.0 * c[2] + 3.0 * t * c[3]));
            let second = range(&|t| 2.0 * c[2] + 6.0 * t * c[3]);
            let ladder = ladder(&[(-9.0, 9.0), first, second]);
            if ladder.is_positive(&span(at(0.0), at(1.0))) {
                shown += 1;
                assert!(range(&at).0 > -1e-3, "{c:?}");
            }
        }
        assert!(shown > 2000, "{shown}");
    }
}
