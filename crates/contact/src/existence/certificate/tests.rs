use super::*;
use crate::existence::kinematics::Rows;

/// The bar of [AC11 (4.36)]: u = (v, c v + u0), tangent second, with tan θ = 1/c.
fn bar(c: f64, u0: f64, mu: f64) -> Kinematics {
    Kinematics { dim: 2, H: Rows::from_dense(&[vec![1.0], vec![c]], 1), w: vec![0.0, u0], mu: vec![mu] }
}

fn velocity(v: &[f64]) -> ScaledVector {
    ScaledVector::from_f64(v).unwrap()
}

fn exact(r: &[f64]) -> Vec<Dyadic> {
    r.iter().map(|&x| Dyadic::from_f64(x).unwrap()).collect()
}

const HOLDS: fn(Assumption) -> Claim = Claim::Holds;
const FAILS: fn(Assumption) -> Claim = Claim::Fails;

#[test]
fn a_velocity_on_the_border_proves_the_closed_assumption_only() {
    // u = (1, 2 − 1): on the border of K_{1/μ} for μ = 1.
    let problem = bar(-1.0, 2.0, 1.0);
    let proof = Certificate::Velocity(velocity(&[1.0]));
    assert_eq!(proof.verify(&problem, HOLDS(Assumption::Weak)), Ok(()));
    assert_eq!(proof.verify(&problem, HOLDS(Assumption::KlarbringPang)), Ok(()));
    assert_eq!(proof.verify(&problem, HOLDS(Assumption::NonPenetration)), Ok(()));
    assert_eq!(proof.verify(&problem, HOLDS(Assumption::Strong)), Err(Flaw::VelocityOutside(0)));
    assert_eq!(proof.verify(&problem, HOLDS(Assumption::NoWedging)), Err(Flaw::Irrelevant));
}

#[test]
fn one_rounding_unit_outside_is_outside() {
    let problem = bar(-1.0, 2.0, 1.0);
    let below = Certificate::Velocity(velocity(&[1.0 - f64::EPSILON / 2.0]));
    assert_eq!(below.verify(&problem, HOLDS(Assumption::Weak)), Err(Flaw::VelocityOutside(0)));
    let above = Certificate::Velocity(velocity(&[1.0 + f64::EPSILON]));
    assert_eq!(above.verify(&problem, HOLDS(Assumption::Strong)), Ok(()));
}

#[test]
fn a_multiplier_must_be_in_the_kernel_in_the_cones_and_lose_power() {
    // Hᵀr = r_N + c r_T with c = 2: r = (2, −1) is in the kernel, in K_μ for μ ≥ 1/2; w·r = −u0.
    let problem = bar(2.0, 1.0, 1.0);
    let fails = FAILS(Assumption::Weak);
    assert_eq!(Certificate::Multiplier(exact(&[2.0, -1.0])).verify(&problem, fails), Ok(()));
    assert_eq!(
        Certificate::Multiplier(exact(&[2.0, -1.0 - f64::EPSILON])).verify(&problem, fails),
        Err(Flaw::NotInKernel(0))
    );
    assert_eq!(
        Certificate::Multiplier(exact(&[-2.0, 1.0])).verify(&problem, fails),
        Err(Flaw::MultiplierOutside(0))
    );
    let rough = Certificate::Multiplier(exact(&[2.0, -1.0]));
    assert_eq!(rough.verify(&bar(2.0, -1.0, 1.0), fails), Err(Flaw::Power));
    assert_eq!(rough.verify(&bar(2.0, 1.0, 0.25), fails), Err(Flaw::MultiplierOutside(0)));
    assert_eq!(rough.verify(&problem, FAILS(Assumption::NonPenetration)), Err(Flaw::MultiplierOutside(0)));
    assert_eq!(Certificate::Multiplier(exact(&[0.0, 0.0])).verify(&problem, fails), Err(Flaw::Power));
    assert_eq!(
        Certificate::Multiplier(exact(&[0.0, 0.0])).verify(&problem, FAILS(Assumption::NoWedging)),
        Err(Flaw::Zero)
    );
    assert_eq!(Certificate::Multiplier(exact(&[2.0])).verify(&problem, fails), Err(Flaw::Shape));
}

#[test]
fn zero_power_refutes_the_open_assumption_only() {
    let problem = bar(2.0, 0.0, 1.0);
    let proof = Certificate::Multiplier(exact(&[2.0, -1.0]));
    assert_eq!(proof.verify(&problem, FAILS(Assumption::Strong)), Ok(()));
    assert_eq!(proof.verify(&problem, FAILS(Assumption::NoWedging)), Ok(()));
    assert_eq!(proof.verify(&problem, FAILS(Assumption::Weak)), Err(Flaw::Power));
    assert_eq!(proof.verify(&problem, HOLDS(Assumption::Weak)), Err(Flaw::Irrelevant));
}

/// H = (1, 0, 1)ᵀ, μ = 1, w = (0, 1, 0): the margin 0 is approached and not attained.
fn not_attained(w1: f64) -> Kinematics {
    let H = Rows::from_dense(&[vec![1.0], vec![0.0], vec![1.0]], 1);
    Kinematics { dim: 3, H, w: vec![0.0, w1, 0.0], mu: vec![1.0] }
}

#[test]
fn the_limit_proves_the_closure_and_the_chain_refutes_the_set() {
    let problem = not_attained(1.0);
    let limit = Certificate::Limit { base: velocity(&[0.0]), direction: velocity(&[1.0]) };
    assert_eq!(limit.verify(&problem, HOLDS(Assumption::KlarbringPang)), Ok(()));
    assert_eq!(limit.verify(&problem, HOLDS(Assumption::Weak)), Err(Flaw::Irrelevant));
    let face = exact(&[1.0, 0.0, -1.0]);
    let chain = Certificate::Chain { face: face.clone(), separator: exact(&[0.0, -1.0, 0.0]) };
    assert_eq!(chain.verify(&problem, FAILS(Assumption::Weak)), Ok(()));
    let wrong = Certificate::Chain { face, separator: exact(&[0.0, 1.0, 0.0]) };
    assert_eq!(wrong.verify(&problem, FAILS(Assumption::Weak)), Err(Flaw::Power));
    assert_eq!(chain.verify(&not_attained(0.0), FAILS(Assumption::Weak)), Err(Flaw::Power));
}

#[test]
fn numbers_that_are_none_are_refused() {
    let mut problem = bar(2.0, 1.0, 1.0);
    problem.w[1] = f64::NAN;
    let proof = Certificate::Velocity(velocity(&[1.0]));
    assert_eq!(proof.verify(&problem, HOLDS(Assumption::Weak)), Err(Flaw::NotFinite));
    let direction = Certificate::Direction(velocity(&[1.0]));
    assert_eq!(direction.verify(&bar(0.5, 1.0, 1.0), HOLDS(Assumption::NoWedging)), Ok(()));
    assert_eq!(
        direction.verify(&bar(1.0, 1.0, 1.0), HOLDS(Assumption::NoWedging)),
        Err(Flaw::VelocityOutside(0))
    );
}
