//! Certificates that were changed do not pass, refutations stand, and the report says what was found.

use mechan::incremental::enumerate::Limits;
use mechan::incremental::existence::{
    Assumption, Certificate, Claim, Conclusion, Dyadic, Kinematics, Refutation, ScaledVector, assess, refute,
    to_json,
};

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
    assert!(refutation.verify(&problem, Limits::default()));
    // The same proof for gravity upwards, where solutions exist, is refused.
    let solvable = bar(1.0, 1.0, 0.5, 1.0);
    assert!(!refutation.verify(&solvable, Limits::default()));
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
    assert!((report["margin"].as_f64().unwrap() + 1.0).abs() < 1.0);
    let free = to_json(&assess(&Kinematics::of(&bar(-1.0, 1.0, 2.0, 1.0))));
    assert_eq!(free["margin"], "inf");
    assert_eq!(free["certificate"]["kind"], "direction");
    assert_eq!(free["certificate"]["assumption"], "no-wedging");
}
