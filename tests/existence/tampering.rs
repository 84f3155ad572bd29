//! Certificates that were changed do not pass, refutations stand, and the report says what was found.

use mechan::enumerate::Limits;
use mechan::existence::{
    Assumption, Certificate, Claim, Conclusion, ExistenceOutcome, Kinematics, Refutation, Rows, assess,
    refute,
};
use mechan::num::{Dyadic, ScaledVector};
use num_rational::BigRational;

use crate::ac11_painleve::bar;
use crate::solvers::random_problem;

fn one() -> Dyadic {
    Dyadic::from_f64(1.0).unwrap()
}

/// The certificate with its number k changed by about one unit of its last place, or sign.
fn tampered(certificate: &Certificate, k: usize, change: &Dyadic) -> Certificate {
    let vector = |v: &ScaledVector| {
        let mut v = v.clone();
        let k = k % v.numerators.len();
        v.numerators[k] = &v.numerators[k] + change;
        v
    };
    let multiplier = |r: &Vec<Dyadic>| {
        let mut r = r.clone();
        let k = k % r.len();
        r[k] = &r[k] + change;
        r
    };
    match certificate {
        Certificate::Velocity(v) => Certificate::Velocity(vector(v)),
        Certificate::Direction(d) => Certificate::Direction(vector(d)),
        Certificate::Limit { base, direction } => {
            Certificate::Limit { base: base.clone(), direction: vector(direction) }
        }
        Certificate::Multiplier(r) => Certificate::Multiplier(multiplier(r)),
        Certificate::Chain { face, separator } => {
            Certificate::Chain { face: multiplier(face), separator: separator.clone() }
        }
    }
}

#[test]
fn a_multiplier_with_one_number_changed_leaves_the_kernel() {
    let mut seen = 0;
    for seed in 0..120 {
        let problem = Kinematics::of(&random_problem(seed, 2 + seed as usize % 2, 2 + seed as usize % 3, 2));
        let existence = assess(&problem);
        let Some(proof) = existence.no_wedging.certificate().filter(|_| existence.no_wedging.fails()) else {
            continue;
        };
        let claim = Claim::Fails(Assumption::NoWedging);
        assert_eq!(proof.verify(&problem, claim), Ok(()));
        for k in 0..problem.w.len() {
            // A row of H without entries does not act: its force is free, but not outside the cone.
            let acts = problem.H.row(k).next().is_some();
            assert!(!acts || tampered(proof, k, &one()).verify(&problem, claim).is_err(), "seed {seed}");
        }
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn a_verdict_proves_neither_its_opposite_nor_the_same_of_another_problem() {
    // Each with a change of u0 and μ that turns the verdict of Lemma 1 around.
    for ((u0, mu), (other_u0, other_mu)) in
        [((1.0, 1.0), (-1.0, 1.0)), ((-1.0, 1.0), (1.0, 1.0)), ((1.0, 0.25), (1.0, 1.0))]
    {
        let problem = Kinematics::of(&bar(-1.0, u0, 0.5, mu));
        let weak = assess(&problem).weak;
        let proof = weak.certificate().unwrap();
        let (claim, opposite) = match weak.holds() {
            true => (Claim::Holds(Assumption::Weak), Claim::Fails(Assumption::Weak)),
            false => (Claim::Fails(Assumption::Weak), Claim::Holds(Assumption::Weak)),
        };
        assert_eq!(proof.verify(&problem, claim), Ok(()));
        assert!(proof.verify(&problem, opposite).is_err());
        let other = Kinematics::of(&bar(-1.0, other_u0, 0.5, other_mu));
        assert!(proof.verify(&other, claim).is_err(), "u0 = {u0}, mu = {mu}");
    }
}

#[test]
fn a_velocity_pushed_out_of_the_cone_is_seen() {
    let problem = Kinematics::of(&bar(-1.0, -1.0, 0.5, 1.0));
    let existence = assess(&problem);
    let proof = existence.strong.certificate().unwrap();
    let claim = Claim::Holds(Assumption::Strong);
    assert_eq!(proof.verify(&problem, claim), Ok(()));
    for factor in [1e3, -1e3] {
        assert!(tampered(proof, 0, &Dyadic::from_f64(factor).unwrap()).verify(&problem, claim).is_err());
    }
    let Certificate::Velocity(v) = proof else { panic!("{proof:?}") };
    let flipped = ScaledVector { denominator: -&v.denominator, ..v.clone() };
    assert!(Certificate::Velocity(flipped).verify(&problem, claim).is_err());
    let short = ScaledVector { numerators: Vec::new(), ..v.clone() };
    assert!(Certificate::Velocity(short).verify(&problem, claim).is_err());
}

#[test]
fn the_bar_that_cannot_move_is_refuted_by_its_modes() {
    let problem = bar(-1.0, 1.0, 0.5, 1.0);
    let existence = assess(&Kinematics::of(&problem));
    assert_eq!(existence.conclusion(), Conclusion::Open);
    let refutation = refute(&problem, &existence, Limits::default()).unwrap();
    assert!(matches!(refutation, Refutation::NoMode { .. }));
    assert!(refutation.verify(&problem));
    // The same proof for gravity upwards, where solutions exist, is refused.
    let solvable = bar(1.0, 1.0, 0.5, 1.0);
    assert!(!refutation.verify(&solvable));
    assert!(refute(&solvable, &assess(&Kinematics::of(&solvable)), Limits::default()).is_none());
}

/// The section of the report as it is written.
fn section(problem: &mechan::coulomb::Problem) -> serde_json::Value {
    serde_json::to_value(ExistenceOutcome::from(&assess(&Kinematics::of(problem)))).unwrap()
}

#[test]
fn the_report_has_the_stable_keys() {
    let report = section(&bar(-1.0, 1.0, 0.5, 1.0));
    assert_eq!(report["strong"], false);
    assert_eq!(report["weak"], false);
    assert_eq!(report["non_penetration"], true);
    assert_eq!(report["conclusion"], "open");
    assert_eq!(report["certificate"]["kind"], "multiplier");
    // u = (v/2, v + 1) and μ = 1: v/2 − |v + 1| is largest at v = −1, and the multiplier (2, −1)/2 proves that bound.
    assert_eq!(report["margin_bound"], -0.5);
    let margin = report["margin"].as_f64().unwrap();
    assert!(margin <= -0.5 && margin > -0.5 - 1e-8, "{margin}");
    let free = section(&bar(-1.0, 1.0, 2.0, 1.0));
    assert_eq!(free["margin"], "inf");
    assert_eq!(free["certificate"]["kind"], "direction");
    assert_eq!(free["certificate"]["assumption"], "no-wedging");
}

/// Every vector of a certificate: how many numbers they have together, and the certificate with number k replaced.
fn numbers(certificate: &Certificate) -> Vec<Dyadic> {
    match certificate {
        Certificate::Velocity(v) | Certificate::Direction(v) => v.numerators.clone(),
        Certificate::Limit { base, direction } => [&base.numerators[..], &direction.numerators].concat(),
        Certificate::Multiplier(r) => r.clone(),
        Certificate::Chain { face, separator } => [&face[..], separator].concat(),
    }
}

fn with(certificate: &Certificate, x: &[Dyadic]) -> Certificate {
    let vector = |v: &ScaledVector, x: &[Dyadic]| ScaledVector { numerators: x.to_vec(), ..v.clone() };
    match certificate {
        Certificate::Velocity(v) => Certificate::Velocity(vector(v, x)),
        Certificate::Direction(v) => Certificate::Direction(vector(v, x)),
        Certificate::Limit { base, direction } => {
            let (b, d) = x.split_at(base.numerators.len());
            Certificate::Limit { base: vector(base, b), direction: vector(direction, d) }
        }
        Certificate::Multiplier(_) => Certificate::Multiplier(x.to_vec()),
        Certificate::Chain { face, .. } => {
            let (face, separator) = x.split_at(face.len());
            Certificate::Chain { face: face.to_vec(), separator: separator.to_vec() }
        }
    }
}

/// The wall that the tip of [ACLM11 (4.4)] tends to: H = (1, 0, 1)ᵀ, μ = 1, w = (0, w1, 0).
fn not_attained(w1: f64) -> Kinematics {
    let H = Rows::from_dense(&[vec![1.0], vec![0.0], vec![1.0]], 1);
    Kinematics { dim: 3, H, w: vec![0.0, w1, 0.0], mu: vec![1.0] }
}

/// A problem in fractions, for the definitions once more.
struct Fractions<'a> {
    problem: &'a Kinematics,
    H: Vec<Vec<BigRational>>,
    w: Vec<BigRational>,
    mu: Vec<BigRational>,
}

fn zero() -> BigRational {
    BigRational::from_integer(0.into())
}

fn dot(a: &[BigRational], b: &[BigRational]) -> BigRational {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn fractions(x: &[Dyadic]) -> Vec<BigRational> {
    x.iter().map(Dyadic::to_rational).collect()
}

/// μ² (normal)² − (tangent)² of forces, if the normal part is not negative.
fn holds(r: &[BigRational], mu: &BigRational) -> bool {
    r[0] >= zero() && mu * mu * &r[0] * &r[0] >= dot(&r[1..], &r[1..])
}

/// (normal)² − μ² (tangent)² of velocities.
fn opens(u: &[BigRational], mu: &BigRational) -> BigRational {
    &u[0] * &u[0] - mu * mu * dot(&u[1..], &u[1..])
}

impl<'a> Fractions<'a> {
    fn new(problem: &'a Kinematics) -> Self {
        let real = |x: f64| BigRational::from_float(x).unwrap();
        let mut H = vec![vec![zero(); problem.velocities()]; problem.w.len()];
        (0..H.len()).for_each(|i| problem.H.row(i).for_each(|(j, a)| H[i][j] = real(a)));
        let all = |x: &[f64]| x.iter().map(|&x| real(x)).collect();
        Self { problem, H, w: all(&problem.w), mu: all(&problem.mu) }
    }

    /// H v + w, or H v without `moving`.
    fn moved(&self, v: &ScaledVector, moving: i32) -> Option<Vec<BigRational>> {
        let sized = v.numerators.len() == self.problem.velocities() && v.denominator.is_positive();
        let v: Vec<_> = fractions(&v.numerators).iter().map(|x| x / v.denominator.to_rational()).collect();
        let share = BigRational::from_integer(moving.into());
        sized.then(|| self.H.iter().zip(&self.w).map(|(row, w)| dot(row, &v) + w * &share).collect())
    }

    fn each(&self, x: &[BigRational], test: impl Fn(&[BigRational], &BigRational) -> bool) -> bool {
        x.chunks(self.problem.dim).zip(&self.mu).all(|(x, mu)| test(x, mu))
    }

    fn balanced(&self, r: &[BigRational]) -> bool {
        let force = |j: usize| self.H.iter().zip(r).map(|(row, r)| &row[j] * r).sum::<BigRational>();
        r.len() == self.w.len() && (0..self.problem.velocities()).all(|j| force(j) == zero())
    }

    fn multiplier(&self, r: &[BigRational], assumption: Assumption) -> bool {
        let (power, some) = (dot(&self.w, r), r.iter().any(|x| *x != zero()));
        let normal = || r.chunks(self.problem.dim).all(|r| r[1..].iter().all(|x| *x == zero()));
        let refutes = match assumption {
            Assumption::NoWedging => some,
            Assumption::Strong => power < zero() || (power == zero() && some),
            Assumption::Weak | Assumption::KlarbringPang => power < zero(),
            Assumption::NonPenetration => power < zero() && normal(),
        };
        self.balanced(r) && self.each(r, holds) && refutes
    }

    fn chain(&self, f: &[BigRational], s: &[BigRational]) -> bool {
        let blocks = f.chunks(self.problem.dim).zip(s.chunks(self.problem.dim)).zip(&self.mu);
        let mut on_face = blocks.map(|((f, s), mu)| {
            let limit = mu * mu * &f[0] * &f[0] - dot(&f[1..], &f[1..]);
            let along = mu * mu * &f[0] * &s[0] - dot(&f[1..], &s[1..]);
            if f[0] == zero() { holds(s, mu) } else { limit > zero() || along >= zero() }
        });
        let balanced = self.balanced(f) && self.balanced(s) && self.each(f, holds);
        balanced && dot(&self.w, f) == zero() && on_face.all(|on| on) && dot(&self.w, s) < zero()
    }

    /// The clearance u_N − μ ‖u_T‖ of base + λ direction: a bound from below that does not fall as λ grows.
    fn limit(&self, base: &ScaledVector, direction: &ScaledVector) -> bool {
        let (Some(u), Some(d)) = (self.moved(base, 1), self.moved(direction, 0)) else { return false };
        u.chunks(self.problem.dim).zip(d.chunks(self.problem.dim)).zip(&self.mu).all(|((u, d), mu)| {
            let along = &u[0] * &d[0] - mu * mu * dot(&u[1..], &d[1..]);
            let inside = d[0] > zero() && opens(d, mu) > zero();
            let border = d[0] > zero() && opens(d, mu) == zero() && along >= zero();
            let still = d.iter().all(|x| *x == zero()) && u[0] >= zero() && opens(u, mu) >= zero();
            inside || border || still
        })
    }

    fn proves(&self, certificate: &Certificate, claim: Claim) -> bool {
        use Assumption::{KlarbringPang, NoWedging, NonPenetration, Strong, Weak};
        let inside = |u: &[BigRational], mu: &BigRational| u[0] > zero() && opens(u, mu) > zero();
        match (certificate, claim) {
            (Certificate::Velocity(v), Claim::Holds(assumption)) => self.moved(v, 1).is_some_and(|u| {
                self.each(&u, |u, mu| match assumption {
                    Strong => inside(u, mu),
                    Weak | KlarbringPang => u[0] >= zero() && opens(u, mu) >= zero(),
                    NonPenetration => u[0] >= zero(),
                    NoWedging => false,
                })
            }),
            (Certificate::Direction(d), Claim::Holds(_)) => {
                self.moved(d, 0).is_some_and(|u| self.each(&u, inside))
            }
            (Certificate::Limit { base, direction }, Claim::Holds(KlarbringPang)) => {
                self.limit(base, direction)
            }
            (Certificate::Multiplier(r), Claim::Fails(assumption)) => {
                self.multiplier(&fractions(r), assumption)
            }
            (Certificate::Chain { face, separator }, Claim::Fails(Weak)) => {
                self.chain(&fractions(face), &fractions(separator))
            }
            _ => false,
        }
    }
}

/// Every number of every certificate moved by its last digit, by one and by a thousand to both sides, negated, set to zero
/// and exchanged with its neighbour: what is left is accepted exactly where it is still a proof.
#[test]
fn a_changed_certificate_is_accepted_exactly_where_it_is_still_a_proof() {
    let random = (0..60).map(|seed| {
        Kinematics::of(&random_problem(
            seed + 500,
            2 + seed as usize % 2,
            1 + seed as usize % 3,
            1 + seed as usize % 4,
        ))
    });
    let (mut kinds, mut rejected, mut accepted) = ([0; 5], 0, 0);
    for problem in random.chain([not_attained(1.0), not_attained(-0.5)]) {
        let (e, exact) = (assess(&problem), Fractions::new(&problem));
        let verdicts = [
            (Assumption::NoWedging, &e.no_wedging),
            (Assumption::Strong, &e.strong),
            (Assumption::Weak, &e.weak),
            (Assumption::KlarbringPang, &e.klarbring_pang),
            (Assumption::NonPenetration, &e.non_penetration),
        ];
        for (assumption, verdict) in verdicts {
            let Some(proof) = verdict.certificate() else { continue };
            let claim = if verdict.holds() { Claim::Holds(assumption) } else { Claim::Fails(assumption) };
            assert!(proof.verify(&problem, claim).is_ok() && exact.proves(proof, claim), "{proof:?}");
            kinds[kind(proof)] += 1;
            for x in changes(&numbers(proof)) {
                let changed = with(proof, &x);
                let verdict = changed.verify(&problem, claim);
                assert_eq!(
                    verdict.is_ok(),
                    exact.proves(&changed, claim),
                    "{problem:?} {changed:?} {verdict:?}"
                );
                rejected += usize::from(verdict.is_err());
                accepted += usize::from(verdict.is_ok());
            }
        }
    }
    assert!(
        kinds.iter().all(|n| *n > 0) && rejected > 1000 && accepted > 200,
        "{kinds:?} {rejected} {accepted}"
    );
}

fn kind(certificate: &Certificate) -> usize {
    match certificate {
        Certificate::Velocity(_) => 0,
        Certificate::Direction(_) => 1,
        Certificate::Limit { .. } => 2,
        Certificate::Multiplier(_) => 3,
        Certificate::Chain { .. } => 4,
    }
}

fn changes(original: &[Dyadic]) -> Vec<Vec<Dyadic>> {
    let n = original.len();
    let of_number = |k: usize| {
        let x = &original[k];
        let last = x.scaled(-52);
        let units = [1.0, -1.0, 1e3, -1e3].map(|d| x + &Dyadic::from_f64(d).unwrap());
        let others = [x + &last, x - &last, -x, Dyadic::zero(), original[(k + 1) % n].clone()];
        units
            .into_iter()
            .chain(others)
            .map(move |x| {
                let mut changed = original.to_vec();
                changed[k] = x;
                changed
            })
            .collect::<Vec<_>>()
    };
    (0..n).flat_map(of_number).collect()
}
