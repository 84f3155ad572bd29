//! Certificates that were changed do not pass, refutations stand, and the report says what was found.

use mechan::incremental::enumerate::Limits;
use mechan::incremental::existence::{
    Assumption, Certificate, Claim, Conclusion, Dyadic, Kinematics, Refutation, Rows, ScaledVector, assess,
    refute, to_json,
};
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

#[test]
fn the_report_has_the_stable_keys() {
    let report = to_json(&assess(&Kinematics::of(&bar(-1.0, 1.0, 0.5, 1.0))));
    assert_eq!(report["strong"], false);
    assert_eq!(report["weak"], false);
    assert_eq!(report["non_penetration"], true);
    assert_eq!(report["conclusion"], "open");
    assert_eq!(report["certificate"]["kind"], "multiplier");
    // u = (v/2, v + 1) and μ = 1: v/2 − |v + 1| is largest at v = −1, and the multiplier (2, −1)/2 proves that bound.
    assert_eq!(report["margin_bound"], -0.5);
    let margin = report["margin"].as_f64().unwrap();
    assert!(margin <= -0.5 && margin > -0.5 - 1e-8, "{margin}");
    let free = to_json(&assess(&Kinematics::of(&bar(-1.0, 1.0, 2.0, 1.0))));
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

/// The definitions once more, in fractions: whether the certificate proves the claim.
fn proves(problem: &Kinematics, certificate: &Certificate, claim: Claim) -> bool {
    use Assumption::{KlarbringPang, NoWedging, NonPenetration, Strong, Weak};
    let real = |x: f64| BigRational::from_float(x).unwrap();
    let zero = || BigRational::from_integer(0.into());
    let fractions = |x: &[Dyadic]| x.iter().map(Dyadic::to_rational).collect::<Vec<_>>();
    let dot = |a: &[BigRational], b: &[BigRational]| a.iter().zip(b).map(|(a, b)| a * b).sum::<BigRational>();
    let (rows, columns) = (problem.w.len(), problem.velocities());
    let mut H = vec![vec![zero(); columns]; rows];
    (0..rows).for_each(|i| problem.H.row(i).for_each(|(j, a)| H[i][j] = real(a)));
    let w: Vec<BigRational> = problem.w.iter().map(|&w| real(w)).collect();
    let mu: Vec<BigRational> = problem.mu.iter().map(|&mu| real(mu)).collect();
    let moved = |v: &ScaledVector, share: i32| {
        let v: Vec<_> = fractions(&v.numerators).iter().map(|x| x / v.denominator.to_rational()).collect();
        let share = BigRational::from_integer(share.into());
        H.iter().zip(&w).map(|(row, w)| dot(row, &v) + w * &share).collect::<Vec<_>>()
    };
    let each = |x: &[BigRational], test: &dyn Fn(&[BigRational], &BigRational) -> bool| {
        x.chunks(problem.dim).zip(&mu).all(|(x, mu)| test(x, mu))
    };
    // (normal)² − μ² (tangent)² of velocities, μ² (normal)² − (tangent)² of forces
    let opens = |u: &[BigRational], mu: &BigRational| &u[0] * &u[0] - mu * mu * dot(&u[1..], &u[1..]);
    let holds = |r: &[BigRational], mu: &BigRational| {
        r[0] >= zero() && mu * mu * &r[0] * &r[0] >= dot(&r[1..], &r[1..])
    };
    let balanced = |r: &[BigRational]| {
        (0..columns).all(|j| (0..rows).map(|i| &H[i][j] * &r[i]).sum::<BigRational>() == zero())
    };
    let sized = |v: &ScaledVector| v.numerators.len() == columns && v.denominator.is_positive();
    match (certificate, claim) {
        (Certificate::Velocity(v), Claim::Holds(assumption)) if sized(v) => {
            each(&moved(v, 1), &|u, mu| match assumption {
                Strong => u[0] > zero() && opens(u, mu) > zero(),
                Weak | KlarbringPang => u[0] >= zero() && opens(u, mu) >= zero(),
                NonPenetration => u[0] >= zero(),
                NoWedging => false,
            })
        }
        (Certificate::Direction(d), Claim::Holds(_)) if sized(d) => {
            each(&moved(d, 0), &|u, mu| u[0] > zero() && opens(u, mu) > zero())
        }
        (Certificate::Limit { base, direction }, Claim::Holds(KlarbringPang))
            if sized(base) && sized(direction) =>
        {
            // the clearance u_N − μ ‖u_T‖ of base + λ direction: a bound from below that does not fall as λ grows
            let (u, d) = (moved(base, 1), moved(direction, 0));
            u.chunks(problem.dim).zip(d.chunks(problem.dim)).zip(&mu).all(|((u, d), mu)| {
                let along = &u[0] * &d[0] - mu * mu * dot(&u[1..], &d[1..]);
                let inside = d[0] > zero() && opens(d, mu) > zero();
                let border = d[0] > zero() && opens(d, mu) == zero() && along >= zero();
                let still = d.iter().all(|x| *x == zero()) && u[0] >= zero() && opens(u, mu) >= zero();
                inside || border || still
            })
        }
        (Certificate::Multiplier(r), Claim::Fails(assumption)) if r.len() == rows => {
            let r = fractions(r);
            let (power, some) = (dot(&w, &r), r.iter().any(|x| *x != zero()));
            let normal = || r.chunks(problem.dim).all(|r| r[1..].iter().all(|x| *x == zero()));
            each(&r, &holds)
                && balanced(&r)
                && match assumption {
                    NoWedging => some,
                    Strong => power < zero() || (power == zero() && some),
                    Weak | KlarbringPang => power < zero(),
                    NonPenetration => power < zero() && normal(),
                }
        }
        (Certificate::Chain { face, separator }, Claim::Fails(Weak))
            if face.len() == rows && separator.len() == rows =>
        {
            let (f, s) = (fractions(face), fractions(separator));
            let on_face = f.chunks(problem.dim).zip(s.chunks(problem.dim)).zip(&mu).all(|((f, s), mu)| {
                let limit = mu * mu * &f[0] * &f[0] - dot(&f[1..], &f[1..]);
                let along = mu * mu * &f[0] * &s[0] - dot(&f[1..], &s[1..]);
                match f[0] == zero() {
                    true => holds(s, mu),
                    false => limit > zero() || along >= zero(),
                }
            });
            each(&f, &holds)
                && balanced(&f)
                && balanced(&s)
                && dot(&w, &f) == zero()
                && on_face
                && dot(&w, &s) < zero()
        }
        _ => false,
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
        let e = assess(&problem);
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
            assert!(proof.verify(&problem, claim).is_ok() && proves(&problem, proof, claim), "{proof:?}");
            kinds[kind(proof)] += 1;
            for x in changes(&numbers(proof)) {
                let changed = with(proof, &x);
                let verdict = changed.verify(&problem, claim);
                assert_eq!(
                    verdict.is_ok(),
                    proves(&problem, &changed, claim),
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
