//! Roots between two places, by few values of the function.

/// Places between which a function falls to zero: narrowed by the inverse parabola through the three that were asked about last
/// where that is safe, by halving where it is not   [Chandrupatla, Adv. Eng. Softw. 28 (1997) 145].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// The end that was asked about last, and the other one, each with its value.
    newest: (f64, f64),
    across: (f64, f64),
    /// The place that was an end before.
    before: Option<(f64, f64)>,
    trials: usize,
}

/// From so many trials on every other one halves the bracket, whatever the function is.
const TRUSTED: usize = 32;

impl Bracket {
    /// Between a place where the function is not negative and a later one where it is not positive.
    pub fn new(low: (f64, f64), high: (f64, f64)) -> Self {
        Self { newest: high, across: low, before: None, trials: 0 }
    }

    /// The upper end, where the function is not positive.
    pub fn high(&self) -> f64 {
        self.newest.0.max(self.across.0)
    }

    fn is_high(&self) -> bool {
        self.newest.0 > self.across.0
    }

    /// Its ends in order.
    fn ends(&self) -> [(f64, f64); 2] {
        if self.is_high() { [self.across, self.newest] } else { [self.newest, self.across] }
    }

    /// The place to ask about next; none where the upper end is the root, or the ends are `width` or two neighbouring numbers apart.
    pub fn trial(&self, width: f64) -> Option<f64> {
        let [(low, _), (high, at_high)] = self.ends();
        // what is closer than that to an end may be on its other side
        let least = width.max(f64::EPSILON * high);
        if !(high - low > least && at_high < 0.0) {
            return None;
        }
        let middle = low + 0.5 * (high - low);
        let place = self.interpolated().unwrap_or_else(|| Self::half(low, high));
        let place = place.max(middle.min(low + least)).min(middle.max(high - least));
        (low < place && place < high).then_some(place)
    }

    /// The middle of two places, of their magnitudes if these differ.
    pub fn half(low: f64, high: f64) -> f64 {
        if low > 0.0 && high > 4.0 * low { (low * high).sqrt() } else { low + 0.5 * (high - low) }
    }

    /// Where the straight line or the inverse parabola through what is known has its root, if that can be trusted: not as long as the function is
    /// not seen to be positive.
    fn interpolated(&self) -> Option<f64> {
        let [(x, f), (y, g)] = [self.newest, self.across];
        if self.ends()[0].1 <= 0.0 {
            return None;
        }
        let Some((z, h)) = self.before else { return Some(x + (y - x) * f / (f - g)) };
        let (part, rise) = ((x - y) / (z - y), (f - g) / (h - g));
        let is_safe = rise * rise < part && (1.0 - rise) * (1.0 - rise) < 1.0 - part;
        let is_late = self.trials > TRUSTED && self.trials % 2 == 1;
        let share = f / (g - f) * (h / (g - h)) + (z - x) / (y - x) * (f / (h - f)) * (g / (h - g));
        (is_safe && !is_late).then_some(x + share * (y - x))
    }

    /// Takes the value at a place between its ends.
    pub fn narrow(&mut self, place: f64, value: f64) {
        let falls = value <= 0.0;
        if falls == self.is_high() {
            self.before = Some(self.newest);
        } else {
            (self.before, self.across) = (Some(self.across), self.newest);
        }
        self.newest = (place, value);
        self.trials += 1;
    }
}

/// Where a function falls to zero between `lo`, where it is not negative, and `hi`, where it is not positive: the bracket
/// is closed to rounding or to `width`, and its upper end returned.
pub fn bracketed_root((lo, hi): (f64, f64), width: f64, mut function: impl FnMut(f64) -> f64) -> f64 {
    let mut bracket = Bracket::new((lo, function(lo)), (hi, function(hi)));
    while let Some(place) = bracket.trial(width) {
        bracket.narrow(place, function(place));
    }
    bracket.high()
}

#[cfg(test)]
mod tests {
    use super::{Bracket, bracketed_root};

    #[test]
    fn a_root_is_found_on_steep_and_flat_functions() {
        let steep = |x: f64| 1.0 - (40.0 * (x - 0.3)).exp();
        assert!((bracketed_root((0.0, 1.0), 0.0, steep) - 0.3).abs() < 1e-15);
        let flat = |x: f64| -(x - 0.3) * (x - 0.3) * (x - 0.3);
        assert!((bracketed_root((0.0, 1.0), 1e-9, flat) - 0.3).abs() < 1e-8);
    }

    #[test]
    fn few_values_are_asked_for() {
        let functions: [fn(f64) -> f64; 4] =
            [|x| 1.0 - 3.0 * x * x, |x| (0.7 - x).tan(), |x| 1e-9 - x.powi(5), |x| 2.0 - (9.0 * x).exp()];
        for function in functions {
            let mut bracket = Bracket::new((0.0, function(0.0)), (1.0, function(1.0)));
            let mut asked = 0;
            while let Some(place) = bracket.trial(0.0) {
                bracket.narrow(place, function(place));
                asked += 1;
            }
            assert!(asked <= 16, "{asked}");
            assert!(function(bracket.high()) <= 0.0 && function(bracket.high() * (1.0 - 1e-15)) >= 0.0);
        }
    }

    #[test]
    fn rounding_at_the_begin_is_no_root() {
        for begin in [0.0, -1e-17] {
            let bow = |x: f64| if x > 0.0 { x * (0.7 - x) } else { begin };
            assert!((bracketed_root((0.0, 1.0), 0.0, bow) - 0.7).abs() < 1e-15);
        }
    }

    #[test]
    fn a_hop_from_zero_that_is_a_small_part_is_followed_to_its_end() {
        let hop = |x: f64| 1e-9 * x - x * x;
        let root = bracketed_root((1e-12, 1.0), 0.0, hop);
        assert!((root - 1e-9).abs() < 1e-23, "{root}");
    }
}
