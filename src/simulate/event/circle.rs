//! Where a function of a direction changes its sign.

use std::f64::consts::TAU;

/// Directions that are scanned.
const DIRECTIONS: usize = 360;

/// Angles at which a function on the circle changes sign, between neighbours of a scan and by bisection; where it has a pole, too.
pub(super) fn sign_changes(f: impl Fn(f64) -> f64, steps: usize) -> Vec<f64> {
    let step = TAU / DIRECTIONS as f64;
    let values: Vec<f64> = (0..DIRECTIONS).map(|i| f(i as f64 * step)).collect();
    let mut found = Vec::new();
    for (i, &first) in values.iter().enumerate() {
        // the last one's neighbour is the first itself: f(2π) rounds to another sign than f(0), and a zero there would be lost
        let last = values[(i + 1) % DIRECTIONS];
        if first == 0.0 || first * last > 0.0 {
            continue;
        }
        let (mut low, mut high) = (i as f64 * step, (i + 1) as f64 * step);
        for _ in 0..steps {
            let middle = 0.5 * (low + high);
            if f(middle) * first > 0.0 { low = middle } else { high = middle }
        }
        found.push(high);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two zeros of sin(φ − φ₀), wherever φ₀ lies: at the seam, at a node, beside both.
    #[test]
    fn no_zero_is_lost_at_the_seam() {
        for place in [0.0, 1e-17, -1e-17, 1e-9, -1e-9, TAU / 4.0, TAU / 2.0, TAU, 0.3, TAU / 360.0] {
            let found = sign_changes(|angle| angle.sin() * place.cos() - angle.cos() * place.sin(), 64);
            assert_eq!(found.len(), 2, "{place}: {found:?}");
            assert!(found.iter().all(|angle| (angle - place).sin().abs() < 1e-12), "{place}: {found:?}");
        }
    }

    #[test]
    fn a_function_that_is_zero_has_no_sign_to_change() {
        assert!(sign_changes(|_| 0.0, 64).is_empty());
    }
}
