//! Trigonometric polynomials of degree 2 on the circle, and all their zeros: none is missed, because arcs are left out only
//! where an enclosure with outward rounding excludes zero, and counted only where the function is proven to be monotone.

use super::{Interval, Real};
use std::f64::consts::{PI, TAU};

/// f(φ) = c₀ + c₁ cos φ + s₁ sin φ + c₂ cos 2φ + s₂ sin 2φ, as [c₀, c₁, s₁, c₂, s₂].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Harmonics<T>(pub [T; 5]);

impl<T: Real> Harmonics<T> {
    /// f(φ).
    pub fn at(&self, phi: T) -> T {
        let [c0, c1, s1, c2, s2] = self.0;
        let (s, c) = phi.sin_cos();
        let (double_s, double_c) = (phi + phi).sin_cos();
        c0 + c1 * c + s1 * s + c2 * double_c + s2 * double_s
    }

    /// f′.
    #[must_use]
    pub fn derivative(&self) -> Self {
        let [_, c1, s1, c2, s2] = self.0;
        Self([T::from_f64(0.0), s1, -c1, s2 + s2, -(c2 + c2)])
    }
}

/// All zeros of a function on the circle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Zeros {
    /// Angles in (−π, π], ascending, at each of which the function is proven to change its sign, once.
    pub simple: Vec<f64>,
    /// Places where the enclosures decide nothing: a double zero, or one that rounding makes or unmakes.
    pub unresolved: Vec<f64>,
    /// Arcs that were examined.
    pub arcs: usize,
}

impl Zeros {
    /// Whether the list of simple zeros is complete: proven, for every function within the enclosure.
    pub fn is_complete(&self) -> bool {
        self.unresolved.is_empty()
    }
}

/// Arcs into which the circle is cut first.
const ARCS: usize = 48;
/// Where the first begins: no angle that a mechanism is likely to have.
const SEAM: f64 = -2.915_727_364;
/// How often an arc is halved at most: their length is then a few 1e-9.
const HALVINGS: usize = 25;
/// Arcs that are examined at most: ten times what a function needs that is not zero to rounding everywhere.
const BUDGET: usize = 20_000;

/// The zeros of the functions whose coefficients lie in the given intervals.
pub fn zeros(f: &Harmonics<Interval>) -> Zeros {
    let mut search = Search { f: *f, slope: f.derivative(), found: Zeros::default(), doubtful: Vec::new() };
    let node = |i: usize| SEAM + TAU * i as f64 / ARCS as f64;
    for i in 0..ARCS {
        search.examine(Interval::new(node(i), node(i + 1)), 0);
    }
    search.settle();
    let mut found = search.found;
    found.simple.iter_mut().chain(&mut found.unresolved).for_each(|phi| *phi = principal(*phi));
    found.simple.sort_by(f64::total_cmp);
    found
}

/// The same angle in (−π, π].
pub fn principal(phi: f64) -> f64 {
    let turned = phi - TAU * (phi / TAU).round();
    if turned <= -PI { turned + TAU } else { turned }
}

struct Search {
    f: Harmonics<Interval>,
    slope: Harmonics<Interval>,
    found: Zeros,
    /// Short arcs that are not decided, neighbours joined.
    doubtful: Vec<Interval>,
}

/// What is known of an arc.
enum Known {
    NoZero,
    OneZero,
    Nothing,
}

impl Search {
    fn examine(&mut self, arc: Interval, depth: usize) {
        self.found.arcs += 1;
        match self.known(arc) {
            Known::NoZero => {}
            Known::OneZero => self.found.simple.push(self.refined(arc)),
            Known::Nothing if depth < HALVINGS && self.found.arcs < BUDGET => {
                let middle = arc.middle();
                self.examine(Interval::new(arc.lo, middle), depth + 1);
                self.examine(Interval::new(middle, arc.hi), depth + 1);
            }
            Known::Nothing => self.doubt(arc),
        }
    }

    fn known(&self, arc: Interval) -> Known {
        let slope = self.slope.at(arc);
        let middle = Interval::from_f64(arc.middle());
        // mean value form: its excess shrinks with the square of the length
        let value = (self.f.at(middle) + slope * (arc - middle)).intersect(self.f.at(arc));
        if !value.contains(0.0) {
            return Known::NoZero;
        }
        if slope.contains(0.0) {
            return Known::Nothing;
        }
        let ends = [arc.lo, arc.hi].map(|phi| self.f.at(Interval::from_f64(phi)));
        match ends.map(sign) {
            [Some(one), Some(other)] if one == other => Known::NoZero,
            [Some(_), Some(_)] => Known::OneZero,
            _ => Known::Nothing,
        }
    }

    fn doubt(&mut self, arc: Interval) {
        match self.doubtful.last_mut() {
            Some(last) if last.hi >= arc.lo => last.hi = arc.hi,
            _ => self.doubtful.push(arc),
        }
    }

    /// A zero at the end of an arc leaves both neighbours undecided; together, and a little longer, they are decided.
    fn settle(&mut self) {
        if let [first, .., last] = &self.doubtful[..]
            && last.hi >= first.lo + TAU
        {
            let joined = Interval::new(last.lo - TAU, first.hi);
            self.doubtful[0] = joined;
            self.doubtful.pop();
        }
        for arc in std::mem::take(&mut self.doubtful) {
            let longer = Interval::new(arc.lo - arc.width(), arc.hi + arc.width());
            match self.known(longer) {
                Known::NoZero => {}
                Known::OneZero => self.found.simple.push(self.refined(longer)),
                Known::Nothing => self.found.unresolved.push(arc.middle()),
            }
        }
    }

    /// The one zero of an arc, of the function with the middle coefficients, by bisection to the last bit.
    fn refined(&self, arc: Interval) -> f64 {
        let f = Harmonics(self.f.0.map(Interval::middle));
        let (mut low, mut high) = (arc.lo, arc.hi);
        let rises = f.at(high) > 0.0;
        loop {
            let middle = 0.5 * (low + high);
            if !(low < middle && middle < high) {
                return middle;
            }
            if (f.at(middle) > 0.0) == rises { high = middle } else { low = middle }
        }
    }
}

/// Whether an interval is positive; none if it is neither that nor negative.
fn sign(x: Interval) -> Option<bool> {
    if x.lo > 0.0 {
        Some(true)
    } else if x.hi < 0.0 {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(coefficients: [f64; 5]) -> Zeros {
        zeros(&Harmonics(coefficients.map(Interval::from_f64)))
    }

    /// Π sin((φ − φᵢ)/2) over four angles is a trigonometric polynomial of degree 2.
    fn with_zeros(at: [f64; 4]) -> [f64; 5] {
        let value = |phi: f64| at.iter().map(|zero| (0.5 * (phi - zero)).sin()).product::<f64>();
        let nodes: Vec<f64> = (0..16).map(|i| TAU * f64::from(i) / 16.0).collect();
        let mean =
            |weight: fn(f64) -> f64| nodes.iter().map(|&phi| value(phi) * weight(phi)).sum::<f64>() / 8.0;
        [
            0.5 * mean(|_| 1.0),
            mean(f64::cos),
            mean(f64::sin),
            mean(|phi| (2.0 * phi).cos()),
            mean(|phi| (2.0 * phi).sin()),
        ]
    }

    #[test]
    fn four_zeros_are_found_wherever_they_lie() {
        for at in [[-2.0, -0.5, 0.25, 3.0], [SEAM, 0.0, 1e-3, PI], [-1.5, -1.49, 1.0, 2.0]] {
            let found = of(with_zeros(at));
            assert!(found.is_complete(), "{found:?}");
            assert_eq!(found.simple.len(), 4, "{found:?}");
            let mut expected = at.map(principal);
            expected.sort_by(f64::total_cmp);
            assert!(found.simple.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-11), "{found:?}");
        }
    }

    /// Two zeros of sin(φ − φ₀), wherever φ₀ lies: at the seam, at a node, beside both.
    #[test]
    fn no_zero_is_lost_at_a_node() {
        for place in [0.0, 1e-17, SEAM, SEAM + PI, SEAM + TAU / 48.0, SEAM + 1e-9, SEAM - 1e-9, 0.3] {
            let found = of([0.0, -f64::sin(place), f64::cos(place), 0.0, 0.0]);
            assert_eq!((found.simple.len(), found.unresolved.len()), (2, 0), "{place}: {found:?}");
            assert!(found.simple.iter().all(|phi| (phi - place).sin().abs() < 1e-15), "{place}: {found:?}");
        }
    }

    #[test]
    fn a_double_zero_is_named_and_not_guessed() {
        let double = of([1.0, -1.0, 0.0, 0.0, 0.0]);
        assert!(double.simple.is_empty() && !double.is_complete());
        assert!(double.unresolved.iter().all(|phi| phi.abs() < 1e-6), "{double:?}");
        let apart = of([1.0 + 1e-14, -1.0, 0.0, 0.0, 0.0]);
        assert!(apart.simple.is_empty() && apart.is_complete(), "{apart:?}");
        let two = of([1.0 - 1e-12, -1.0, 0.0, 0.0, 0.0]);
        assert!(two.is_complete() && two.simple.len() == 2, "{two:?}");
    }

    #[test]
    fn coefficients_that_are_not_known_are_no_proof() {
        let exactly = Interval::from_f64;
        let coefficients = [Interval::new(0.9, 1.1), exactly(-1.0), exactly(0.0), exactly(0.0), exactly(0.0)];
        let wide = zeros(&Harmonics(coefficients));
        assert!(!wide.is_complete());
    }
}
