//! What follows a dynamic jam (docs/studies/beyond_jam.md): the scaled equation of the regularised contact by two routes, and
//! runs of the rod through G1 and G2 with ε → 0.

use super::{Subject, laws};
use mechan::simulate::compliant::{Options, Preload};
use mechan::simulate::trajectory::EventKind;

/// F of χ ≤ 1 and its first two derivatives: ∫₀^∞ z^{k−χ} exp(sz − z³/3) dz / Γ(1 − χ), z = x⁴, by the trapezoidal rule.
fn integral(s: f64, chi: f64, k: i32) -> f64 {
    let (n, last) = (4000, 1.9);
    let h = last / f64::from(n);
    let term = |x: f64| {
        let z = x.powi(4);
        z.powf(f64::from(k) - chi) * (s * z - z.powi(3) / 3.0).exp() * 4.0 * x.powi(3)
    };
    h * (1..n).map(|i| term(h * f64::from(i))).sum::<f64>() / gamma(1.0 - chi)
}

/// Γ by Stirling's series after shifts to large arguments.
fn gamma(x: f64) -> f64 {
    if x < 12.0 {
        return gamma(x + 1.0) / x;
    }
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    ((x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series).exp()
}

/// F of any χ by its recursion F_χ = F″_{χ−1} − s F_{χ−1}, F′_χ = (1 − χ) F_{χ−1}.
fn by_integrals(s: f64, chi: f64) -> f64 {
    let at = |chi: f64| [0, 1, 2].map(|k| integral(s, chi, k));
    let mut below = chi;
    while below > 1.0 {
        below -= 1.0;
    }
    // F, F′, F″, each recursion step by the equation F‴ = sF′ + (1 − χ)F
    let [mut f, mut d, mut dd] = at(below);
    while below + 0.5 < chi {
        below += 1.0;
        let scale = 1.0 - below;
        (f, d, dd) = (dd - s * f, scale * f, scale * d);
    }
    f
}

/// F by Runge-Kutta steps of F‴ = sF′ + (1 − χ)F from its algebraic expansion at s = −14.
fn by_steps(end: f64, chi: f64) -> f64 {
    let start = -14.0f64;
    let mut state = [0.0; 3];
    let (mut factor, mut power) = (1.0, chi - 1.0);
    for k in 1..8 {
        let r = -start;
        state[0] += factor * r.powf(power);
        state[1] -= factor * power * r.powf(power - 1.0);
        state[2] += factor * power * (power - 1.0) * r.powf(power - 2.0);
        // r ξ' terms: −f‴(r) with f = r^m gives m(m−1)(m−2) r^{m−3} against 3k r^{m−3} of the next
        factor *= -power * (power - 1.0) * (power - 2.0) / (-3.0 * f64::from(k));
        power -= 3.0;
    }
    let n = 40_000;
    let h = (end - start) / f64::from(n);
    let rate = |s: f64, [f, d, dd]: [f64; 3]| [d, dd, s * d + (1.0 - chi) * f];
    let moved = |x: [f64; 3], k: [f64; 3], h: f64| std::array::from_fn(|i| x[i] + h * k[i]);
    for i in 0..n {
        let s = start + h * f64::from(i);
        let k1 = rate(s, state);
        let k2 = rate(s + 0.5 * h, moved(state, k1, 0.5 * h));
        let k3 = rate(s + 0.5 * h, moved(state, k2, 0.5 * h));
        let k4 = rate(s + h, moved(state, k3, h));
        state = std::array::from_fn(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    state[0]
}

/// The jam of the rod at a friction under a torque, with its coefficients.
struct Jam {
    mu: f64,
    torque: f64,
    theta: f64,
    alpha_1: f64,
    alpha_2: f64,
    beta: f64,
}

impl Jam {
    fn new(mu: f64, torque: f64) -> Self {
        let theta = (0.5 * (3.0 * mu - (9.0 * mu * mu - 16.0).sqrt())).atan();
        let (s, c) = theta.sin_cos();
        let omega = ((1.0 + 3.0 * c * torque) / s).sqrt();
        Self {
            mu,
            torque,
            theta,
            alpha_1: -3.0 * ((2.0 * theta).sin() + mu * (2.0 * theta).cos()) * omega,
            alpha_2: omega.powi(3) * c + 9.0 * omega * s * torque,
            beta: 6.0 * omega * s * (c - mu * s),
        }
    }

    fn chi(&self) -> f64 {
        self.beta / self.alpha_1
    }

    /// The friction below the critical one at which χ has a value above 1.
    fn with_chi(chi: f64, torque: f64) -> Self {
        let (mut lo, mut hi) = (4.0 / 3.0 + 1e-9, 1.539_600_7);
        for _ in 0..60 {
            let middle = 0.5 * (lo + hi);
            if Self::new(middle, torque).chi() > chi { lo = middle } else { hi = middle }
        }
        Self::new(lo, torque)
    }

    /// Slip towards it, `before` it in θ, with b = (1 + δ)Kp.
    fn approach(&self, before: f64, delta: f64) -> (Subject, f64, f64) {
        let theta = self.theta - before;
        let (s, c) = theta.sin_cos();
        let p = 1.0 + 3.0 * c * c - 3.0 * self.mu * s * c;
        let K = self.alpha_2 / (self.alpha_1 - self.beta);
        let b = K * p * (1.0 + delta);
        let omega = ((1.0 + b + 3.0 * c * self.torque) / s).sqrt();
        let mut rod = Subject::rod(theta, (1.0, 0.0, omega), laws(self.mu, 1.0, 0.5));
        rod.state.parameters[9] = self.torque;
        (rod, p, -b / p)
    }
}

/// Whether the contact lifts off before the impact without collision.
fn lifts(jam: &Jam, before: f64, delta: f64, eps: f64) -> (bool, f64) {
    let (rod, _, force) = jam.approach(before, delta);
    let preload = [Preload { contact: 0, Y: -force, V: 0.0 }];
    let options = Options { preload: &preload, rtol: 1e-10, ..Options::new(eps, 3.0 * before + 0.05) };
    let motion = rod.run(&options);
    let first = &motion.trajectory.events[0];
    assert!(matches!(first.kind, EventKind::LiftOff | EventKind::Stick), "{first:?}");
    (first.kind == EventKind::LiftOff, first.q.0[2].1.0 - jam.theta)
}

#[test]
fn the_scaled_equation_has_the_same_solution_by_two_routes() {
    for chi in [0.3, 0.5, 1.5, 2.5, 3.5] {
        for s in [-5.0, 0.0, 3.0, 5.0] {
            let (one, two) = (by_integrals(s, chi), by_steps(s, chi));
            assert!((one - two).abs() < 1e-6 * one.abs(), "{chi} {s}: {one} {two}");
        }
        // far ahead the sign of 1/Γ(1 − χ): it changes as χ passes integers, and is positive below the first
        assert_eq!(by_steps(6.0, chi) > 0.0, gamma(1.0 - chi) > 0.0, "{chi}");
        assert_eq!(by_steps(6.0, chi) > 0.0, chi.floor() as i32 % 2 == 0, "{chi}");
    }
}

#[test]
fn after_g1_an_impact_without_collision_follows_and_no_lift_off() {
    for mu in [1.6, 2.0] {
        let jam = Jam::new(mu, 0.0);
        assert!(jam.chi() > 0.0 && jam.chi() < 1.0);
        // b < Kp, K < 0: the states that reach the jam
        for delta in [0.3, 1.0, 4.0] {
            for eps in [1e-5, 1e-7] {
                assert!(!lifts(&jam, 0.01, delta, eps).0, "{mu} {delta} {eps}");
            }
        }
        // the others lift off before it
        let (lifts, angle) = lifts(&jam, 0.01, -0.8, 1e-7);
        assert!(lifts && angle < 0.0);
    }
}

#[test]
fn after_g2_the_sides_of_the_canard_change_as_the_exponent_passes_integers() {
    for chi in [1.5, 2.5, 3.5] {
        let jam = Jam::with_chi(chi, -0.2);
        assert!((jam.chi() - chi).abs() < 1e-9 && jam.alpha_2 < 0.0);
        for delta in [-0.5, 0.5] {
            let (found, _) = lifts(&jam, 0.0025, delta, 1e-8);
            // λ_N = −K (1 + δ..F): it falls to zero where δ F → −∞
            let falls = delta * gamma(1.0 - chi) < 0.0;
            assert_eq!(found, falls, "{chi} {delta}");
        }
    }
}

/// b/(Kp) − 1 at which neither happens.
fn canard(jam: &Jam, before: f64, eps: f64) -> f64 {
    let (mut lo, mut hi) = (-0.9, 0.9);
    let side = lifts(jam, before, hi, eps).0;
    for _ in 0..8 {
        let middle = 0.5 * (lo + hi);
        if lifts(jam, before, middle, eps).0 == side { hi = middle } else { lo = middle }
    }
    0.5 * (lo + hi)
}

#[test]
fn the_canard_is_tangent_to_the_line_of_the_linear_system() {
    let jam = Jam::with_chi(1.5, -0.2);
    let [far, near] = [0.005, 0.0025].map(|before| canard(&jam, before, 1e-8));
    assert!(near.abs() < 0.08 && (far / near - 2.0).abs() < 0.25, "{far} {near}");
}

#[test]
fn the_time_of_the_lift_off_is_that_of_the_scaled_equation() {
    let jam = Jam::with_chi(1.5, -0.2);
    let (s, c) = jam.theta.sin_cos();
    let omega = ((1.0 + 3.0 * c * jam.torque) / s).sqrt();
    for eps in [1e-8f64, 1e-9] {
        let sigma = (eps * eps / jam.alpha_1.abs()).cbrt();
        let (_, p, _) = jam.approach(0.0025, 0.5);
        let start = p / (jam.alpha_1.abs() * sigma);
        // −K + cF = 0 with c = −Kδ/(−s₀)^{χ−1}
        let level = -start.sqrt() / 0.5;
        let (mut lo, mut hi) = (0.0, 9.0);
        for _ in 0..40 {
            let middle = 0.5 * (lo + hi);
            if by_integrals(middle, 1.5) > level { lo = middle } else { hi = middle }
        }
        let (lifted, angle) = lifts(&jam, 0.0025, 0.5, eps);
        let found = angle / omega / sigma;
        assert!(lifted && (found / lo - 1.0).abs() < 0.03, "{eps}: {found} {lo}");
    }
}
