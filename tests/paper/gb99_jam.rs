//! Dynamic jam of the rod: Génot and Brogliato's critical friction, and the coefficients of [CV16 (33), (34)].

use crate::rod::Rod;
use mechan::analysis::PlanarModel;
use mechan::analysis::planar::{Fate, Jam, JamKind, Point, jam};
use mechan::analysis::search::{SlipFamily, jam_friction};
use mechan::contact::{Friction, Slip};
use mechan::num::Tol;

struct Falling(Rod);

impl SlipFamily for Falling {
    type Model = Rod;

    fn model(&self) -> &Rod {
        &self.0
    }

    fn state(&self, theta: f64, omega: f64) -> Option<(Vec<f64>, Vec<f64>)> {
        let (q, v) = self.0.slipping(theta, 1.0, omega);
        Some((q.to_vec(), v.to_vec()))
    }

    /// The slip is u = ẋ − l sin θ θ̇.
    fn sliding(&self, q: &[f64], v: &[f64], slip: Slip) -> Option<Vec<f64>> {
        Some(vec![slip.sign() + self.0.l * q[2].sin() * v[2], v[1], v[2]])
    }
}

fn critical(rod: Rod) -> f64 {
    let quarter = std::f64::consts::FRAC_PI_2;
    jam_friction(&Falling(rod), (0.0, quarter), &Tol::default()).unwrap().unwrap().mu
}

#[test]
fn critical_friction_of_the_uniform_rod_is_8_over_3_root_3() {
    // [GB99]: 8/(3√3)
    assert!((critical(Rod::UNIFORM) - 8.0 / (3.0 * 3_f64.sqrt())).abs() < 1e-10);
}

#[test]
fn critical_friction_of_other_rods_is_4_root_1_plus_alpha_over_root_3_alpha() {
    for alpha in [0.5, 1.0, 7.0, 30.0] {
        let rod = Rod { I: 1.0 / alpha, ..Rod::UNIFORM };
        let expected = 4.0 * (1.0_f64 + alpha).sqrt() / (3_f64.sqrt() * alpha);
        assert!((critical(rod) - expected).abs() < 1e-9 * expected, "{alpha}");
    }
}

fn analysed(rod: &Rod, mu: f64, theta: f64, omega: f64) -> Jam {
    let (q, v) = rod.slipping(theta, 0.3, omega);
    let local = rod.local(0.0, &q, &v).unwrap();
    let point = Point { t: 0.0, q: &q, v: &v };
    jam(rod, Friction::new(mu).unwrap(), point, &local, &Tol::default()).unwrap()
}

#[test]
fn coefficients_are_those_of_the_rod() {
    // [CV16 section 5.1] for the uniform rod, α = 3:
    // α₁ = −α(sin 2θ + μ cos 2θ)θ̇, α₂ = θ̇³ cos θ + 3αθ̇ sin θ T_θ, β = 2αθ̇ sin θ (cos θ − μ sin θ)
    for (theta, omega, mu, torque) in [(0.7, 1.1, 1.6, 0.0), (1.2, -0.4, 2.0, 0.3), (0.2, 2.0, 0.5, -0.2)] {
        let rod = Rod { torque, ..Rod::UNIFORM };
        let found = analysed(&rod, mu, theta, omega).coefficients;
        let (s, c) = f64::sin_cos(theta);
        let close = |x: f64, y: f64| assert!((x - y).abs() < 1e-12, "{x} {y}");
        close(found.alpha1, -3.0 * ((2.0 * theta).sin() + mu * (2.0 * theta).cos()) * omega);
        close(found.alpha2, omega.powi(3) * c + 9.0 * omega * s * torque);
        close(found.beta, 6.0 * omega * s * (c - mu * s));
    }
}

/// No sample of the closed forms is of kind G1 below the friction that the search finds.
#[test]
fn dense_sampling_finds_no_jam_below_the_critical_friction() {
    let (alpha, found) = (3.0, critical(Rod::UNIFORM));
    let mut least = f64::INFINITY;
    for i in 1..200_000 {
        let theta = std::f64::consts::FRAC_PI_2 * f64::from(i) / 200_000.0;
        let (s, c) = theta.sin_cos();
        let mu = (1.0 + alpha * c * c) / (alpha * s * c); // [CV16 (5)]
        for omega in [s.sqrt().recip(), -s.sqrt().recip()] {
            let alpha1 = -alpha * ((2.0 * theta).sin() + mu * (2.0 * theta).cos()) * omega;
            let beta = 2.0 * alpha * omega * s * (c - mu * s);
            if alpha1 < beta && beta < 0.0 {
                least = least.min(mu);
            }
        }
    }
    assert!(least >= found - 1e-12 && least - found < 1e-4, "{least} {found}");
}

#[test]
fn rod_above_the_critical_friction_jams_from_a_wedge() {
    // smaller root of p+ = 0: tan θ₁ = [μα − √(μ²α² − 4(1 + α))]/2, approached with θ̇ > 0
    let before_spot = |mu: f64| (0.5 * (3.0 * mu - (9.0 * mu * mu - 16.0).sqrt())).atan() - 1e-3;
    let theta = before_spot(2.0);
    let at_spot = (1.0 / theta.sin()).sqrt();
    let deep = analysed(&Rod::UNIFORM, 2.0, theta, at_spot * 0.99);
    assert_eq!((deep.kind, deep.fate), (Some(JamKind::G1), Fate::Jams(JamKind::G1)));
    let shallow = analysed(&Rod::UNIFORM, 2.0, theta, at_spot * (1.0 - 1e-7));
    assert_eq!(shallow.fate, Fate::LiftsOff);
    let theta = before_spot(1.4);
    let below = analysed(&Rod::UNIFORM, 1.4, theta, 0.99 * (1.0 / theta.sin()).sqrt());
    assert_eq!((below.kind, below.fate), (None, Fate::LiftsOff));
}

/// Slip of the uniform rod with all its nonlinearity, in the time τ of [CV16 (32)]: θ' = p θ̇, θ̇' = 3b(cos θ − μ sin θ).
fn slides_to(mu: f64, theta: f64, omega: f64) -> Fate {
    let rate = |[theta, omega]: [f64; 2]| {
        let (s, c) = theta.sin_cos();
        let (p, b) = (1.0 + 3.0 * c * c - 3.0 * mu * s * c, omega * omega * s - 1.0);
        ([p * omega, 3.0 * b * (c - mu * s)], p, b)
    };
    let (mut x, h) = ([theta, omega], 2e-3);
    let mut force = 0.0;
    for _ in 0..40_000 {
        let (k1, p, b) = rate(x);
        if b > 0.0 {
            return Fate::LiftsOff;
        }
        if p < 1e-7 {
            return Fate::Jams(JamKind::G1);
        }
        assert!(-b / p >= 0.0);
        force = -b / p;
        let add = |k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
        let (k2, ..) = rate(add(k1, 0.5 * h));
        let (k3, ..) = rate(add(k2, 0.5 * h));
        let (k4, ..) = rate(add(k3, h));
        let mean = |i: usize| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0;
        x = [x[0] + h * mean(0), x[1] + h * mean(1)];
    }
    panic!("neither lift-off nor jam: {x:?}, force {force}");
}

#[test]
fn fates_are_those_of_the_sliding_rod() {
    for mu in [1.8, 2.0, 3.0] {
        let spot = (0.5 * (3.0 * mu - f64::sqrt(9.0 * mu * mu - 16.0))).atan();
        let theta = spot - 2e-3;
        let line = analysed(&Rod::UNIFORM, mu, theta, (1.0 / theta.sin()).sqrt() * (1.0 - 1e-9));
        // b = Kp is the edge of the wedge; states well above lift off, states well below jam
        for (factor, expected) in [(0.4, Fate::LiftsOff), (2.5, Fate::Jams(JamKind::G1))] {
            let b = factor * line.slope.0 * line.p;
            let omega = ((1.0 + b) / theta.sin()).sqrt();
            assert_eq!(analysed(&Rod::UNIFORM, mu, theta, omega).fate, expected, "{mu} {factor}");
            assert_eq!(slides_to(mu, theta, omega), expected, "{mu} {factor}");
        }
    }
}
