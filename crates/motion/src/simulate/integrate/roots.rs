//! Events on the dense output of a step: a function of θ in [0, 1] that falls to zero.
//!
//! A cubic through four samples shows where the function may dip below zero between them: for a component of the dense output
//! of three stages it is the function itself, so that no root is missed, two in one step included.

/// A cubic in Newton's form over the samples it was made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubic {
    nodes: [f64; 4],
    differences: [f64; 4],
    values: [f64; 4],
}

impl Cubic {
    /// Through four samples at rising nodes.
    pub fn through(nodes: [f64; 4], values: [f64; 4]) -> Self {
        let mut differences = values;
        for order in 1..4 {
            for i in (order..4).rev() {
                differences[i] = (differences[i] - differences[i - 1]) / (nodes[i] - nodes[i - order]);
            }
        }
        Self { nodes, differences, values }
    }

    /// Its value.
    pub fn at(&self, x: f64) -> f64 {
        let [a, b, c, d] = self.differences;
        a + (x - self.nodes[0]) * (b + (x - self.nodes[1]) * (c + (x - self.nodes[2]) * d))
    }

    /// Its slope.
    pub fn slope(&self, x: f64) -> f64 {
        let [_, b, c, d] = self.differences;
        let [p, q, r, _] = self.nodes;
        b + c * (2.0 * x - p - q) + d * (x * (3.0 * x - 2.0 * (p + q + r)) + p * q + p * r + q * r)
    }

    /// Where its slope vanishes between its outer nodes, in order.
    fn stationary(&self) -> [Option<f64>; 2] {
        let [_, b, c, d] = self.differences;
        let [p, q, r, _] = self.nodes;
        // slope = b + c (2x − p − q) + d (3x² − 2 (p + q + r) x + pq + pr + qr)
        let (square, linear) = (3.0 * d, 2.0 * (c - d * (p + q + r)));
        let constant = b - c * (p + q) + d * (p * q + p * r + q * r);
        let inside = |x: f64| (self.nodes[0] < x && x < self.nodes[3]).then_some(x);
        let discriminant = linear * linear - 4.0 * square * constant;
        if discriminant < 0.0 {
            return [None, None];
        }
        let half = -0.5 * (linear + discriminant.sqrt().copysign(linear));
        let (x, y) = (half / square, constant / half);
        [inside(x.min(y)), inside(x.max(y))]
    }

    /// Nodes and points of vanishing slope, in order, each with the cubic's value: between two of them it is monotonic.
    fn turns(&self) -> impl Iterator<Item = (f64, f64)> {
        let mut points = [(f64::NAN, 0.0); 6];
        let mut count = 0;
        let mut add = |point| {
            points[count] = point;
            count += 1;
        };
        let mut stationary = self.stationary().into_iter().flatten().peekable();
        for (node, value) in self.nodes.into_iter().zip(self.values) {
            while let Some(x) = stationary.next_if(|x| *x < node) {
                add((x, self.at(x)));
            }
            add((node, value));
        }
        points.into_iter().take(count)
    }

    /// The first interval in which it falls to zero or below. A start within `noise` of zero, relative to the largest
    /// sample, may be the event that began the step: it counts only if the function falls from there farther than that.
    pub fn falls(&self, noise: f64) -> Option<(f64, f64)> {
        let noise = noise * self.values.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        let mut turns = self.turns();
        let (start, value) = turns.next()?;
        let (mut from, mut armed, mut begun) = (start, value > noise, value.abs() <= noise);
        for (x, value) in turns {
            if armed && value <= 0.0 || begun && value < -noise {
                return Some((from, x));
            }
            armed = armed || value > noise;
            begun = begun && !armed;
            if armed {
                from = x;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Cubic;
    use crate::num::bracketed_root;

    const NOISE: f64 = 1e-10;
    const NODES: [f64; 4] = [0.0, 0.2, 0.6, 1.0];

    fn sampled(function: impl Fn(f64) -> f64) -> Cubic {
        Cubic::through(NODES, NODES.map(function))
    }

    #[test]
    fn a_dip_between_two_samples_is_found() {
        // below zero in (0.4, 0.41) only
        let function = |x: f64| (x - 0.4) * (x - 0.41) * (x + 2.0);
        let (lo, hi) = sampled(function).falls(NOISE).unwrap();
        assert!(function(lo) > 0.0 && function(hi) < 0.0);
        assert!((bracketed_root((lo, hi), 0.0, function) - 0.4).abs() < 1e-15);
        assert_eq!(sampled(|x| (x - 0.4) * (x - 0.4) + 1e-9).falls(NOISE), None);
    }

    #[test]
    fn a_root_at_the_start_counts_only_if_the_function_does_not_rise_from_it() {
        assert_eq!(sampled(|x| x).falls(NOISE), None);
        let (_, hi) = sampled(|x| x * (0.5 - x)).falls(NOISE).unwrap();
        assert!((0.5..=0.6).contains(&hi));
        assert_eq!(sampled(|x| -x).falls(NOISE).map(|(lo, _)| lo), Some(0.0));
        // rounding at the start
        assert_eq!(sampled(|x| x * x - 1e-13 * x - 1e-17).falls(NOISE), None);
        assert_eq!(sampled(|x| x - 0.5).falls(NOISE), None);
    }
}
