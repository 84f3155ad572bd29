//! What is known of a watch in a step at no cost: its values at the ends and at three stages within, and the polynomial through
//! them.

use crate::simulate::integrate::Dop853;

/// Parts of the step at whose ends the polynomial is looked at.
const POINTS: usize = 16;
/// A dip counts as one that could reach zero if its lowest value is below this share of its depth.
pub(super) const MARGIN: f64 = 0.1;

/// Places of the five values: the ends of the step and its looks.
pub(super) const NODES: [f64; 5] = [0.0, Dop853::LOOKS[0], Dop853::LOOKS[1], Dop853::LOOKS[2], 1.0];

/// Whether a watch with these values at [`NODES`] may come near zero between them.
pub(super) fn suspect(values: [f64; 5]) -> bool {
    near_zero(&NODES, &mut values.clone())
}

/// The same for a watch that starts at zero: by what it is over the share of the step.
pub(super) fn fresh_suspect(values: [f64; 5]) -> bool {
    let mut slopes = [1, 2, 3, 4].map(|i| values[i] / NODES[i]);
    near_zero(&NODES[1..], &mut slopes)
}

/// Whether the polynomial through some values comes near zero within the step; values that are none are suspicious.
fn near_zero(nodes: &[f64], values: &mut [f64]) -> bool {
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if values.iter().any(|x| x.is_nan()) || lowest <= 0.0 {
        return true;
    }
    let spread = highest - lowest;
    if lowest > spread {
        return false;
    }
    let (first, slope) = (values[0], values[values.len() - 1] - values[0]);
    divide(nodes, values);
    let mut bend: f64 = 0.0;
    let mut least = lowest;
    for i in 1..POINTS {
        let x = i as f64 / POINTS as f64;
        let value = newton(nodes, values, x);
        least = least.min(value);
        let chord = first + slope * (x - nodes[0]) / (1.0 - nodes[0]);
        bend = bend.max((value - chord).abs());
    }
    least <= MARGIN * bend
}

/// Divided differences in place.
fn divide(nodes: &[f64], values: &mut [f64]) {
    for order in 1..nodes.len() {
        for i in (order..nodes.len()).rev() {
            values[i] = (values[i] - values[i - 1]) / (nodes[i] - nodes[i - order]);
        }
    }
}

/// Newton's form of the polynomial.
fn newton(nodes: &[f64], differences: &[f64], x: f64) -> f64 {
    let last = differences.len() - 1;
    (0..last).rev().fold(differences[last], |sum, i| sum * (x - nodes[i]) + differences[i])
}

/// Where and how steeply the polynomial falls through zero, if it does so plainly: once, and without a dip before. A dip that it
/// does not show is one that would not be suspected either where there is no fall.
pub(super) fn plain_fall(values: [f64; 5]) -> Option<Fall> {
    if values.iter().any(|x| x.is_nan()) || values[0] <= 0.0 {
        return None;
    }
    let mut differences = values;
    divide(&NODES, &mut differences);
    let at = |x: f64| newton(&NODES, &differences, x);
    let place = |i: usize| i as f64 / POINTS as f64;
    let (mut before, mut falls) = (values[0], false);
    for i in 1..=POINTS {
        let value = at(place(i));
        if falls && value > before {
            return None;
        }
        falls |= value < before;
        if value <= 0.0 {
            let share = place(i) - value / (value - before) / POINTS as f64;
            return Some(Fall {
                between: [place(i.saturating_sub(2)), place((i + 1).min(POINTS))],
                share,
                slope: (value - before) * POINTS as f64,
            });
        }
        before = value;
    }
    None
}

/// A fall through zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fall {
    /// Shares of the step between which it is.
    pub(super) between: [f64; 2],
    /// About where.
    pub(super) share: f64,
    /// How steep it is there.
    pub(super) slope: f64,
}

#[cfg(test)]
mod tests {
    use super::{NODES, fresh_suspect, plain_fall, suspect};

    fn values(f: impl Fn(f64) -> f64) -> [f64; 5] {
        NODES.map(f)
    }

    #[test]
    fn two_roots_between_the_looks_are_suspected() {
        assert!(suspect(values(|x| (x - 0.42) * (x - 0.44))));
        assert!(suspect(values(|x| (x - 0.1) * (x - 0.12))));
        assert!(fresh_suspect(values(|x| x * (x - 0.42) * (x - 0.44))));
        assert!(fresh_suspect(values(|x| x * (0.01 - x))));
    }

    #[test]
    fn what_stays_away_from_zero_is_not() {
        assert!(!suspect(values(|x| 1.0 + 0.1 * x)));
        assert!(!suspect(values(|x| 1.0 - 0.9 * x)));
        assert!(!suspect(values(|x| (x - 0.5) * (x - 0.5) + 0.2)));
        assert!(!fresh_suspect(values(|x| x * (2.0 - x))));
    }

    #[test]
    fn a_fall_is_plain_where_nothing_dips_before() {
        let fall = plain_fall(values(|x| (0.7 - x) * (1.0 + x))).unwrap();
        assert!((fall.share - 0.7).abs() < 1e-3 && (fall.slope + 1.7).abs() < 0.1, "{fall:?}");
        // rises first
        assert!(plain_fall(values(|x| (0.7 - x) * (0.2 + x))).is_some());
        // dips to 0.01 before it falls, or falls twice
        assert_eq!(plain_fall(values(|x| (0.9 - x) * ((x - 0.4) * (x - 0.4) + 0.01))), None);
        assert_eq!(plain_fall(values(|x| 1.0 - 0.5 * x)), None);
        assert_eq!(plain_fall(values(|x| x * (0.5 - x))), None);
    }
}
