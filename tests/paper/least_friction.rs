//! The least friction with a paradox, over configurations: published values, and agreement with plain sampling.

use mechan::analysis::search::{GlobalLeast, Mobility, global_least_friction};
use mechan::contact::Slip;
use mechan::model::Singular;
use mechan::num::{Interval, Real, Tol};
use std::f64::consts::{FRAC_PI_2, PI};

/// Mobility with W = W₀ − κ e eᵀ·.. given in closed form.
struct ClosedForm<F>(F);

trait Form {
    fn at<T: Real>(&self, x: &[T]) -> [T; 3];
}

impl<F: Form> Mobility for ClosedForm<F> {
    fn mobility<T: Real>(&self, x: &[T]) -> Result<[T; 3], Singular> {
        Ok(self.0.at(x))
    }
}

fn search<F: Form>(form: F, domain: &[(f64, f64)]) -> GlobalLeast {
    let sides: Vec<Interval> = domain.iter().map(|&(lo, hi)| Interval::new(lo, hi)).collect();
    let found = global_least_friction(&ClosedForm(form), &sides, &Tol::default()).unwrap().unwrap();
    assert!(
        found.certified_lower <= found.mu && found.mu - found.certified_lower < 2e-9 * found.mu,
        "{found:?}"
    );
    found
}

/// Rod: A = 1 + α s², B = α s c, C = 1 + α c²; a box on an incline has α = 3 as well.
struct Rod(f64);

impl Form for Rod {
    fn at<T: Real>(&self, x: &[T]) -> [T; 3] {
        let (s, c) = x[0].sin_cos();
        let (one, alpha) = (T::from_f64(1.0), T::from_f64(self.0));
        [one + alpha * s * s, alpha * s * c, one + alpha * c * c]
    }
}

#[test]
fn uniform_rod_and_box_need_four_thirds() {
    // [CV16 section 2.1]: μ_min = 4/3 at tan²θ = 4; [UCD] states the same number; box: [CV16 section 2.3]
    let found = search(Rod(3.0), &[(0.0, FRAC_PI_2)]);
    assert!((found.mu - 4.0 / 3.0).abs() < 1e-14, "{found:?}");
    assert!((found.at[0] - 2_f64.atan()).abs() < 1e-8 && found.slip == Slip::Pos);
    assert!(found.certified_lower <= 4.0 / 3.0);
    let leaning_back = search(Rod(3.0), &[(FRAC_PI_2, PI)]);
    assert!((leaning_back.mu - 4.0 / 3.0).abs() < 1e-14 && leaning_back.slip == Slip::Neg);
}

#[test]
fn rod_with_mass_near_its_centre_needs_little() {
    // μ_min = 2√(1 + α)/α at tan²θ = 1 + α
    for alpha in [0.2, 1.0, 10.0, 1000.0] {
        let found = search(Rod(alpha), &[(0.0, FRAC_PI_2)]);
        assert!((found.mu - 2.0 * (1.0_f64 + alpha).sqrt() / alpha).abs() < 1e-13 * found.mu);
        assert!((found.at[0].tan().powi(2) - (1.0 + alpha)).abs() < 1e-6 * (1.0 + alpha));
    }
}

#[test]
fn rod_of_unknown_inertia_attains_its_least_at_the_edge() {
    // over (θ, α) ∈ box the least friction is at the largest α
    struct Both;
    impl Form for Both {
        fn at<T: Real>(&self, x: &[T]) -> [T; 3] {
            let (s, c) = x[0].sin_cos();
            let one = T::from_f64(1.0);
            [one + x[1] * s * s, x[1] * s * c, one + x[1] * c * c]
        }
    }
    let found = search(Both, &[(0.1, 1.5), (1.0, 8.0)]);
    assert!((found.mu - 2.0 * 9_f64.sqrt() / 8.0).abs() < 1e-14 && (found.at[1] - 8.0).abs() < 1e-15);
}

/// Mobility (1/M)(I + κ/(1−κ) n nᵀ), n = (sin θ, cos θ).
struct Slider(f64);

impl Form for Slider {
    fn at<T: Real>(&self, x: &[T]) -> [T; 3] {
        let (s, c) = x[0].sin_cos();
        let (one, gain) = (T::from_f64(1.0), T::from_f64(self.0 / (1.0 - self.0)));
        [one + gain * s * s, gain * s * c, one + gain * c * c]
    }
}

#[test]
fn pendulum_on_a_slider() {
    // [OR12] inverted pendulum on a slider: μ_min = 2√(1 − κ)/κ
    for kappa in [0.3, 0.75, 0.95] {
        let found = search(Slider(kappa), &[(0.05, 1.5)]);
        assert!((found.mu - 2.0 * (1.0_f64 - kappa).sqrt() / kappa).abs() < 1e-13 * found.mu);
    }
}

/// Two-mass oscillator: W = I/m₁ − m₂/(m₁(m₁ + m₂)) e eᵀ, e = (cos θ, −sin θ).
struct Oscillator(f64);

impl Form for Oscillator {
    fn at<T: Real>(&self, x: &[T]) -> [T; 3] {
        let (s, c) = x[0].sin_cos();
        // m₂ = 1, m₁ = r
        let (one, share) = (T::from_f64(1.0), T::from_f64(1.0 / (self.0 + 1.0)));
        [one - share * c * c, share * s * c, one - share * s * s]
    }
}

#[test]
fn frictional_impact_oscillator() {
    // [LBN02]: p+ < 0 ⇔ μ > (r + cos²θ)/(sin θ cos θ), least 2√(r + r²), r = m₁/m₂
    for r in [0.01, 0.5, 2.0] {
        let found = search(Oscillator(r), &[(0.01, 1.56)]);
        assert!((found.mu - 2.0 * (r + r * r).sqrt()).abs() < 1e-12, "{found:?}");
        let theta = found.at[0];
        assert!((found.mu - (r + theta.cos().powi(2)) / (theta.sin() * theta.cos())).abs() < 1e-12);
    }
}

/// Planar two-link arm of unit links with point masses at the joint and the tip, absolute angles from the vertical.
struct TwoLink;

impl Form for TwoLink {
    fn at<T: Real>(&self, x: &[T]) -> [T; 3] {
        let ((s1, c1), (s2, c2)) = (x[0].sin_cos(), x[1].sin_cos());
        let (one, third) = (T::from_f64(1.0), T::from_f64(1.0 / 3.0));
        let coupling = T::from_f64(0.5) * (c1 * c2 + s1 * s2);
        // uniform links m = l = 1: M = [[4/3, coupling], [coupling, 1/3]]
        let (m11, m22) = (one + third, third);
        let det = m11 * m22 - coupling * coupling;
        let form = |a: [T; 2], b: [T; 2]| {
            (m22 * a[0] * b[0] - coupling * (a[0] * b[1] + a[1] * b[0]) + m11 * a[1] * b[1]) / det
        };
        // tip (sin θ₁ + sin θ₂, −cos θ₁ − cos θ₂)
        let (tangent, normal) = ([c1, c2], [s1, s2]);
        [form(tangent, tangent), form(tangent, normal), form(normal, normal)]
    }
}

#[test]
fn two_link_manipulator_agrees_with_dense_sampling() {
    let domain = [(0.1, 0.9), (-0.9, 0.6)];
    let found = search(TwoLink, &domain);
    let mut least = f64::INFINITY;
    let n = 800;
    for i in 0..=n {
        for j in 0..=n {
            let place =
                |k: usize, i: i32| domain[k].0 + (domain[k].1 - domain[k].0) * f64::from(i) / f64::from(n);
            let [_, B, C] = TwoLink.at(&[place(0, i), place(1, j)]);
            least = least.min(C / f64::abs(B));
        }
    }
    assert!(found.mu <= least && least - found.mu < 1e-3 * least, "{found:?} {least}");
}

#[test]
fn narrow_valley_is_not_missed() {
    // a dip of width 1e-4 that a scan of a thousand points would step over
    struct Dip;
    impl Form for Dip {
        fn at<T: Real>(&self, x: &[T]) -> [T; 3] {
            let (one, d) = (T::from_f64(1.0), (x[0] - T::from_f64(0.123_456_78)) * T::from_f64(1e4));
            let B = T::from_f64(0.1) + T::from_f64(0.8) / (one + d * d);
            [one, B, one]
        }
    }
    let found = search(Dip, &[(0.0, 1.0)]);
    assert!((found.mu - 1.0 / 0.9).abs() < 1e-12 && (found.at[0] - 0.123_456_78).abs() < 1e-9);
}

#[test]
fn uncoupled_contact_has_no_paradox() {
    struct Block;
    impl Form for Block {
        fn at<T: Real>(&self, _x: &[T]) -> [T; 3] {
            [T::from_f64(1.0), T::from_f64(0.0), T::from_f64(1.0)]
        }
    }
    let found =
        global_least_friction(&ClosedForm(Block), &[Interval::new(0.0, 1.0)], &Tol::default()).unwrap();
    assert_eq!(found, None);
}
