//! The fast motion of one contact in one mode: Y″ = −p (kY + dY′) while the contact presses, N = −(kY + dY′) > 0, in closed form.

use crate::contact::Compliance;

/// Gain and compliance; time is t/ε.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Oscillator {
    pub(super) p: f64,
    pub(super) compliance: Compliance,
}

impl Oscillator {
    /// N.
    pub(super) fn force(self, [y, v]: [f64; 2]) -> f64 {
        -(self.compliance.stiffness * y + self.compliance.damping * v)
    }

    /// Half the trace, and the discriminant: λ = α ± √D.
    fn shape(self) -> (f64, f64) {
        let half = -0.5 * self.p * self.compliance.damping;
        (half, half * half - self.p * self.compliance.stiffness)
    }

    /// A solution x of x″ = 2αx′ − (α² − D)x from x and x′ at 0, which Y, Y′ and N all are.
    fn solution(self, [x, rate]: [f64; 2], time: f64) -> f64 {
        let (alpha, D) = self.shape();
        let omega = D.abs().sqrt();
        let (even, odd) = if D < 0.0 {
            ((omega * time).cos(), (omega * time).sin())
        } else {
            ((omega * time).cosh(), (omega * time).sinh())
        };
        let odd = if omega > 0.0 { odd / omega } else { time };
        (alpha * time).exp() * (even * x + odd * (rate - alpha * x))
    }

    /// (Y, Y′) after a time.
    pub(super) fn at(self, [y, v]: [f64; 2], time: f64) -> [f64; 2] {
        let rate = self.p * self.force([y, v]);
        [self.solution([y, v], time), self.solution([v, rate], time)]
    }

    /// When the force of a contact that presses vanishes first; none if never.
    pub(super) fn release(self, start: [f64; 2]) -> Option<f64> {
        let (alpha, D) = self.shape();
        let force = self.force(start);
        let rate = -self.compliance.stiffness * start[1] - self.compliance.damping * self.p * force;
        let slope = rate - alpha * force;
        // e^{αt} (N cosh ωt + slope sinh(ωt)/ω), trigonometric where D < 0
        let omega = D.abs().sqrt();
        let time = if D < 0.0 {
            let angle = (force * omega).atan2(-slope);
            if angle > 0.0 { angle / omega } else { (angle + std::f64::consts::PI) / omega }
        } else if omega > 0.0 {
            let ratio = -force * omega / slope;
            ratio.atanh() / omega
        } else {
            -force / slope
        };
        (time >= 0.0 && time.is_finite()).then_some(time)
    }
}

#[cfg(test)]
mod tests {
    use super::Oscillator;
    use crate::contact::Compliance;

    fn oscillator(p: f64, damping: f64) -> Oscillator {
        Oscillator { p, compliance: Compliance::new(2.0, damping).unwrap() }
    }

    #[test]
    fn the_closed_form_solves_its_equation() {
        for (p, damping) in [(1.0, 0.5), (1.0, 20.0), (-0.7, 0.5), (2.0, 2.0), (0.0, 1.0)] {
            let (oscillator, h) = (oscillator(p, damping), 1e-4);
            let [from, at, to] = [0.3 - h, 0.3, 0.3 + h].map(|t| oscillator.at([-0.2, -0.5], t));
            assert!(((to[0] - from[0]) / (2.0 * h) - at[1]).abs() < 1e-6);
            assert!(((to[1] - from[1]) / (2.0 * h) - p * oscillator.force(at)).abs() < 1e-5, "{p} {damping}");
            let [y, v] = oscillator.at([-0.2, -0.5], 0.0);
            assert!((y + 0.2).abs() + (v + 0.5).abs() < 1e-16);
        }
    }

    #[test]
    fn a_pressed_contact_is_released_where_its_force_vanishes_first() {
        for (p, damping) in [(1.0, 0.5), (1.0, 20.0), (2.0, 2.0), (0.4, 1e-3)] {
            let (oscillator, start) = (oscillator(p, damping), [-0.2, -0.5]);
            let Some(time) = oscillator.release(start) else {
                // an overdamped contact may never get off
                assert!(damping > 10.0);
                continue;
            };
            assert!(oscillator.force(oscillator.at(start, time)).abs() < 1e-14, "{p} {damping}");
            for k in 0..1000 {
                let part = oscillator.at(start, time * f64::from(k) / 1000.0);
                assert!(oscillator.force(part) > 0.0, "{p} {damping} {k}");
            }
        }
        assert_eq!(oscillator(-1.0, 0.5).release([-0.2, -0.5]), None);
    }
}
