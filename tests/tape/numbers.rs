//! Sine and cosine, dual numbers, Cholesky.

use mechan::num::{Dual, Real, SIN_COS_LIMIT, Tol, dense, sin_cos};
use proptest::prelude::{ProptestConfig, prop, prop_assert, proptest};

/// π/2 in three parts of about 53 bits each.
const PIO2: [f64; 3] = [std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17, -1.497_384_904_859_17e-33];

/// An unevaluated sum of two numbers, about 106 bits.
#[derive(Clone, Copy)]
struct Pair(f64, f64);

fn two_sum(a: f64, b: f64) -> Pair {
    let s = a + b;
    let t = s - a;
    Pair(s, (a - (s - t)) + (b - t))
}

fn two_product(a: f64, b: f64) -> Pair {
    let p = a * b;
    Pair(p, a.mul_add(b, -p))
}

impl Pair {
    fn plus(self, o: Pair) -> Pair {
        let s = two_sum(self.0, o.0);
        let t = two_sum(self.1, o.1);
        let u = two_sum(s.0, s.1 + t.0);
        two_sum(u.0, u.1 + t.1)
    }
    fn times(self, o: Pair) -> Pair {
        let p = two_product(self.0, o.0);
        two_sum(p.0, p.1 + (self.0 * o.1 + self.1 * o.0))
    }
    fn over(self, k: f64) -> Pair {
        let q = self.0 / k;
        let p = two_product(q, k);
        two_sum(q, ((self.0 - p.0) - p.1 + self.1) / k)
    }
}

/// (sin x, cos x) to about 100 bits: exact reduction, then Taylor series in double-double arithmetic.
fn reference(x: f64) -> (Pair, Pair) {
    let n = (x * std::f64::consts::FRAC_2_PI).round();
    let r = PIO2.iter().fold(Pair(x, 0.0), |r, &p| r.plus(two_product(-n, p)));
    let square = r.times(r);
    let series = |first: Pair, from: u32| {
        let (mut term, mut sum) = (first, first);
        for k in 0..15 {
            let d = f64::from(from + 2 * k);
            term = term.times(square).over(-(d * (d + 1.0)));
            sum = sum.plus(term);
        }
        sum
    };
    let (s, c) = (series(r, 2), series(Pair(1.0, 0.0), 1));
    let minus = |p: Pair| Pair(-p.0, -p.1);
    match (n as i64).rem_euclid(4) {
        0 => (s, c),
        1 => (c, minus(s)),
        2 => (minus(s), minus(c)),
        _ => (minus(c), s),
    }
}

/// Distance in units in the last place of the exact value.
fn ulps(found: f64, exact: Pair) -> f64 {
    let ulp = (exact.0.abs().next_up() - exact.0.abs()).max(f64::MIN_POSITIVE);
    (((found - exact.0) - exact.1) / ulp).abs()
}

fn worst(points: impl Iterator<Item = f64>) -> f64 {
    points.fold(0.0, |worst: f64, x| {
        let ((s, c), (exact_s, exact_c)) = (sin_cos(x), reference(x));
        worst.max(ulps(s, exact_s)).max(ulps(c, exact_c))
    })
}

#[test]
fn sine_and_cosine_are_within_an_ulp() {
    let near = (0..200_000).map(|k| -8.0 + f64::from(k) * 8.000_123_1e-5);
    let far = (0..200_000).map(|k| f64::from(k) * 0.655_357_91 - 0.5 * SIN_COS_LIMIT);
    assert!(worst(near) < 0.85, "near zero");
    assert!(worst(far) < 0.85, "up to the limit");
}

#[test]
fn sine_and_cosine_survive_cancellation() {
    // the doubles next to multiples of π/2, where the reduction loses most
    let multiples = (0..80_000).map(|n| f64::from(n) * std::f64::consts::FRAC_PI_2);
    let around = multiples.flat_map(|x| [x.next_down(), x, x.next_up()]).filter(|x| x.abs() > 0.1);
    assert!(worst(around) < 0.85);
}

#[test]
fn sine_and_cosine_have_their_special_values() {
    assert_eq!(sin_cos(0.0), (0.0, 1.0));
    assert_eq!(sin_cos(f64::from_bits(1)), (f64::from_bits(1), 1.0));
    assert!(sin_cos(f64::INFINITY).0.is_nan() && sin_cos(f64::NAN).1.is_nan());
    let beyond = SIN_COS_LIMIT.next_up();
    assert_eq!(sin_cos(beyond), beyond.sin_cos());
    let (s, c) = sin_cos(1e300);
    assert!((s * s + c * c - 1.0).abs() < 1e-15);
}

/// Central differences of step 2h and h, extrapolated.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-3 * (1.0 + x.abs());
    let central = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
    let (a, b, c) = (central(h), central(h / 2.0), central(h / 4.0));
    let (ab, bc) = ((4.0 * b - a) / 3.0, (4.0 * c - b) / 3.0);
    (16.0 * bc - ab) / 15.0
}

type Named = (&'static str, fn(Dual) -> Dual, f64, f64);

#[rustfmt::skip]
const FUNCTIONS: [Named; 20] = [
    ("sin",    |x| x.sin_cos().0,                 -3.0, 3.0),
    ("cos",    |x| x.sin_cos().1,                 -3.0, 3.0),
    ("tan",    |x| x.tan(),                       -1.2, 1.2),
    ("asin",   |x| x.asin(),                      -0.9, 0.9),
    ("acos",   |x| x.acos(),                      -0.9, 0.9),
    ("atan",   |x| x.atan(),                      -3.0, 3.0),
    ("atan2",  |x| (x * x).atan2(x - Dual::fixed(4.0)), -3.0, 3.0),
    ("sinh",   |x| x.sinh(),                      -2.0, 2.0),
    ("cosh",   |x| x.cosh(),                      -2.0, 2.0),
    ("tanh",   |x| x.tanh(),                      -2.0, 2.0),
    ("sqrt",   |x| x.sqrt(),                       0.5, 9.0),
    ("exp",    |x| x.exp(),                       -2.0, 2.0),
    ("ln",     |x| x.ln(),                         0.5, 9.0),
    ("abs",    |x| x.abs(),                        0.1, 9.0),
    ("signum", |x| x.signum(),                     0.1, 9.0),
    ("powi",   |x| Real::powi(x, 5),              -2.0, 2.0),
    ("powi<0", |x| Real::powi(x, -3),              0.5, 2.0),
    ("powf",   |x| x.powf(Dual::fixed(2.5)),       0.5, 3.0),
    ("powf x", |x| Dual::fixed(1.5).powf(x),      -2.0, 2.0),
    ("x / (2 - x)", |x| x / (Dual::fixed(2.0) - x) - -x, -1.0, 1.0),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn dual_numbers_are_finite_differences(at in 0.0..1.0) {
        for (name, f, low, high) in FUNCTIONS {
            let x = low + at * (high - low);
            let exact = f(Dual::new(x, 1.0)).eps;
            let approximate = slope(|x| f(Dual::fixed(x)).re, x);
            prop_assert!((exact - approximate).abs() < 1e-8 * (1.0 + exact.abs()), "{} at {}: {} {}", name, x, exact, approximate);
        }
    }

    #[test]
    fn cholesky_solves(n in 1usize..9, seed in prop::collection::vec(-1.0f64..1.0, 64 + 8)) {
        let g = |i: usize, j: usize| seed[8 * i + j] + if i == j { 2.0 } else { 0.0 };
        let entry = |i: usize, j: usize| (0..n).map(|k| g(i, k) * g(j, k)).sum::<f64>() + if i == j { 0.1 } else { 0.0 };
        let mut m: Vec<f64> = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect();
        let mut b: Vec<f64> = [0.5, 2.0].iter().flat_map(|s| (0..n).map(move |i| (i, s))).map(|(i, s)| s * seed[64 + i]).collect();
        dense::cholesky(&mut m, n, Tol::default().singular).unwrap();
        dense::solve_many(&m, n, &mut b);
        for i in 0..n {
            let back: f64 = (0..n).map(|j| entry(i, j) * b[j]).sum();
            prop_assert!((back - 0.5 * seed[64 + i]).abs() < 1e-11);
            prop_assert!((b[n + i] - 4.0 * b[i]).abs() < 1e-11 * (1.0 + b[i].abs()));
        }
    }
}

#[test]
fn fixed_exponents_of_bases_that_are_not_positive_have_derivatives() {
    let p = Dual::new(-2.0, 1.0).powf(Dual::fixed(3.0));
    assert_eq!((p.re, p.eps), (-8.0, 12.0));
}

#[test]
fn second_derivatives_by_nested_duals() {
    let x = Dual::new(Dual::new(0.7, 1.0), Dual::new(1.0, 0.0));
    let y = x.sin_cos().0 * x.exp();
    let exact = 2.0 * 0.7_f64.cos() * 0.7_f64.exp();
    assert!((y.eps.eps - exact).abs() < 1e-14);
}

#[test]
fn indefinite_and_singular_matrices_name_the_pivot() {
    let factor = |m: [f64; 6]| dense::cholesky(&mut m.clone(), 3, Tol::default().singular);
    assert_eq!(factor([4.0, 2.0, 5.0, 2.0, 3.0, 6.0]), Ok(()));
    let singular = factor([1.0, 1.0, 1.0, 0.0, 0.0, 1.0]).unwrap_err();
    assert_eq!((singular.index, singular.pivot), (1, 0.0));
    let indefinite = factor([1.0, 0.0, 1.0, 2.0, 0.0, 1.0]).unwrap_err();
    assert_eq!((indefinite.index, indefinite.pivot), (2, -3.0));
    assert_eq!(factor([f64::NAN; 6]).unwrap_err().index, 0);
    // 1/3·(1, 1; 1, 1)·3 in rounded arithmetic: a positive pivot of rounding alone
    let third = 1.0 / 3.0;
    assert!(factor([third, third, (third).next_up(), 0.0, 0.0, 1.0]).is_err());
}

#[test]
fn eigenvalues_are_sorted() {
    let values = dense::symmetric_eigenvalues(&[2.0, 1.0, 2.0], 2);
    assert!((values[0] - 1.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
}
