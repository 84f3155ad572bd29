//! The Painlevé-like bar of [AC11 4.5.2-4.5.3, 4.5.7]: m = l = h = 1, v0 = 0,
//! M = 1, f = −g sin θ, H = (sin θ, cos θ)ᵀ normal first, w = (0, u0).

use mechan::coulomb::Problem;
use mechan::existence::{Assumption, Claim, Conclusion, Kinematics, assess};

/// [AC11 (4.30)] with m = l = h = 1 and v0 = 0; tan θ = tangent exactly, by scaling H.
pub(crate) fn bar(gravity: f64, u0: f64, tangent: f64, mu: f64) -> Problem {
    let theta = tangent.atan();
    let f = -gravity * theta.sin();
    // H is scaled by 1/cos θ and M by its square: u is the same for v·cos θ, and tan θ = μ is then exact.
    let scale = 1.0 / theta.cos();
    let H = [vec![tangent], vec![1.0]];
    Problem::from_dense(vec![mu], &[vec![scale * scale]], vec![f * scale], &H, vec![0.0, u0]).unwrap()
}

#[test]
fn ac11_lemma_1_is_what_the_weak_assumption_says() {
    for u0 in [-1.5, -1e-9, 0.0, 1e-9, 1.5] {
        for (tangent, mu) in
            [(0.5, 0.25), (0.5, 0.5), (0.5, 1.0), (3.0, 0.0), (1.0, 1.0 + 1e-12), (1.0 + 1e-12, 1.0)]
        {
            let kinematics = Kinematics::of(&bar(-1.0, u0, tangent, mu));
            let existence = assess(&kinematics);
            let expected = u0 <= 0.0 || tangent > mu;
            let case = format!("u0 = {u0}, tan = {tangent}, mu = {mu}: {existence:?}");
            assert_eq!(existence.weak.holds(), expected, "{case}");
            assert_eq!(existence.weak.fails(), !expected, "{case}");
            assert_eq!(existence.klarbring_pang.holds(), expected, "{case}");
            assert!(existence.non_penetration.holds(), "{case}");
            assert_eq!(existence.no_wedging.holds(), tangent > mu, "{case}");
            assert_eq!(existence.no_wedging.fails(), tangent <= mu, "{case}");
            let strong = tangent > mu || u0 < 0.0;
            assert_eq!(existence.strong.holds(), strong, "{case}");
            assert_eq!(existence.strong.fails(), !strong, "{case}");
            let conclusion = match (strong, expected) {
                (true, _) => Conclusion::Stable,
                (false, true) => Conclusion::Exists,
                (false, false) => Conclusion::Open,
            };
            assert_eq!(existence.conclusion(), conclusion, "{case}");
            let proof = existence.weak.certificate().unwrap();
            let claim =
                if expected { Claim::Holds(Assumption::Weak) } else { Claim::Fails(Assumption::Weak) };
            assert_eq!(proof.verify(&kinematics, claim), Ok(()));
        }
    }
}

mod enumeration {
    use super::bar;
    use mechan::enumerate::{Limits, Mode, enumerate};

    const SPEEDS: [f64; 5] = [-1.5, -1e-9, 0.0, 1e-9, 1.5];
    const CASES: [(f64, f64); 8] = [
        (0.5, 0.25),
        (0.5, 0.5),
        (0.5, 1.0),
        (3.0, 0.0),
        (1.0, 1.0),
        (1.0, 1.0 + 1e-12),
        (1.0 + 1e-12, 1.0),
        (0.25, 4.0),
    ];

    #[test]
    fn ac11_lemma_1_gravity_downwards() {
        for u0 in SPEEDS {
            for (tangent, mu) in CASES {
                let all = enumerate(&bar(-1.0, u0, tangent, mu), Limits::default()).unwrap();
                assert!(all.complete);
                let solvable = u0 <= 0.0 || tangent > mu;
                assert_eq!(!all.families.is_empty(), solvable, "u0 = {u0}, tan = {tangent}, mu = {mu}");
                for family in &all.families {
                    let expected = if u0 > 0.0 {
                        Mode::SlipPos
                    } else if u0 < 0.0 {
                        Mode::SlipNeg
                    } else {
                        Mode::Stick
                    };
                    assert_eq!(family.modes, [expected]);
                    // [AC11 (4.33), (4.34)]: r_y = tan θ / (tan θ ± μ).
                    if u0 != 0.0 {
                        let normal = tangent / (tangent - u0.signum() * mu);
                        let found = family.vertices[0].r[0];
                        assert!((found - normal).abs() <= 1e-3 * normal, "{found} {normal}");
                    }
                }
            }
        }
    }

    #[test]
    fn ac11_4_5_7_gravity_upwards_has_one_or_two_solutions() {
        for (tangent, mu) in CASES {
            let all = enumerate(&bar(1.0, 1.0, tangent, mu), Limits::default()).unwrap();
            let words: Vec<_> = all.families.iter().map(|family| family.modes[0]).collect();
            // One at tan θ = μ as well: the sliding system is singular there; the paper's "two otherwise" includes it.
            let expected =
                if tangent < mu { vec![Mode::TakeOff, Mode::SlipPos] } else { vec![Mode::TakeOff] };
            assert_eq!(words, expected, "tan = {tangent}, mu = {mu}");
            assert!(all.complete);
        }
    }
}
