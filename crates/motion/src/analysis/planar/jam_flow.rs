//! Curves of p' = α₁ p, b' = α₂ p + β b [CV16 (33), (34)], the linear system around a G-spot, in closed form.

use super::jam::JamCoefficients;

/// Fastest growth along a curve between two of its points.
const STEP: f64 = 0.04;

/// Points of a curve at most.
const MOST: usize = 600;

impl JamCoefficients {
    /// (p, b) after a time τ: p = p₀ e^{α₁τ}, b = b₀ e^{βτ} + α₂ p₀ (e^{α₁τ} − e^{βτ})/(α₁ − β).
    pub fn after(&self, [p, b]: [f64; 2], tau: f64) -> [f64; 2] {
        let Self { alpha1, alpha2, beta } = *self;
        let (first, second) = ((alpha1 * tau).exp(), (beta * tau).exp());
        let gap = (alpha1 - beta) * tau;
        // (e^x − 1)/x is 1 at 0
        let share = if gap.abs() > f64::EPSILON { gap.exp_m1() / gap } else { 1.0 };
        [p * first, b * second + alpha2 * p * tau * second * share]
    }

    /// The curve from a point while it is `inside`, forwards for `way` = 1 and backwards for −1.
    pub fn curve(&self, start: [f64; 2], way: f64, inside: impl Fn([f64; 2]) -> bool) -> Vec<[f64; 2]> {
        let rate = self.alpha1.abs().max(self.beta.abs());
        let scale = start[0].abs().max(start[1].abs());
        let drift = self.alpha2.abs() * start[0].abs() / scale.max(f64::MIN_POSITIVE);
        let step = STEP * way / rate.max(drift).max(f64::MIN_POSITIVE);
        let mut points = vec![start];
        for k in 1..MOST {
            let next = self.after(start, step * k as f64);
            points.push(next);
            if !inside(next) {
                break;
            }
        }
        points
    }

    /// Where the curve from a pressed slip, p > 0 and b < 0, reaches b = 0; none if it does not.
    pub fn lift_off(&self, [p, b]: [f64; 2]) -> Option<[f64; 2]> {
        let Self { alpha1, alpha2, beta } = *self;
        // e^{(α₁ − β)τ} = 1 − (α₁ − β) b/(α₂ p)
        let gap = alpha1 - beta;
        let ratio = -b / (alpha2 * p);
        let tau = if gap.abs() > 0.0 { (gap * ratio).ln_1p() / gap } else { ratio };
        (tau > 0.0 && tau.is_finite()).then(|| [self.after([p, b], tau)[0], 0.0])
    }
}

#[cfg(test)]
mod tests {
    use super::JamCoefficients;

    /// One step of the classical Runge-Kutta method.
    fn step(c: &JamCoefficients, x: [f64; 2], h: f64) -> [f64; 2] {
        let f = |[p, b]: [f64; 2]| [c.alpha1 * p, c.alpha2 * p + c.beta * b];
        let on = |k: [f64; 2], s: f64| [x[0] + s * k[0], x[1] + s * k[1]];
        let k1 = f(x);
        let k2 = f(on(k1, 0.5 * h));
        let k3 = f(on(k2, 0.5 * h));
        let k4 = f(on(k3, h));
        [0, 1].map(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    }

    #[test]
    fn curves_are_those_of_a_numerical_integration() {
        for (alpha1, alpha2, beta) in [
            (-2.0, 1.0, -0.7),
            (-0.7, -1.0, -2.0),
            (-1.0, 1.0, 0.8),
            (0.8, -0.3, -1.0),
            (-1.0, 2.0, -1.0),
            (0.0, 1.0, -1.0),
        ] {
            let c = JamCoefficients { alpha1, alpha2, beta };
            let start = [0.6, -0.9];
            let curve = c.curve(start, 1.0, |[p, b]| p < 3.0 && b > -3.0 && b < 0.0);
            assert!(curve.len() > 10);
            let rate = alpha1.abs().max(beta.abs()).max(alpha2.abs() * 0.6 / 0.9);
            let (mut x, parts) = (start, 50);
            for point in &curve[1..] {
                for _ in 0..parts {
                    x = step(&c, x, 0.04 / rate / f64::from(parts));
                }
                assert!(
                    (x[0] - point[0]).abs() < 1e-9 && (x[1] - point[1]).abs() < 1e-9,
                    "{c:?} {x:?} {point:?}"
                );
            }
        }
    }

    #[test]
    fn the_lift_off_is_where_the_curve_crosses() {
        let c = JamCoefficients { alpha1: -2.0, alpha2: 1.0, beta: -0.7 };
        let [p, b] = c.lift_off([1.0, -0.3]).unwrap();
        assert!(b.abs() <= 0.0);
        let curve = c.curve([1.0, -0.3], 1.0, |[_, b]| b < 0.0);
        let (last, before) = (curve[curve.len() - 1], curve[curve.len() - 2]);
        assert!(last[1] >= 0.0 && before[1] < 0.0 && last[0] <= p && p <= before[0]);
        // below the line b = Kp, K = −10/13, it jams
        assert_eq!(c.lift_off([1.0, -0.9]), None);
    }
}
