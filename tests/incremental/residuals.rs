//! The residual must see everything, and nothing that does not matter.

use mechan::answer::solve;
use mechan::coulomb::{Request, Residual, residual};

use crate::files::load;

#[test]
fn not_a_number_is_an_infinite_residual() {
    let problem = load("Rover4516");
    let good = solve(&problem, &Request::default()).unwrap();
    for k in 0..good.r.len() {
        for poison in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut r = good.r.clone();
            r[k] = poison;
            assert_eq!(residual(&problem, &[], &r).0, Residual::INFINITE);
        }
    }
    assert_eq!(residual(&problem, &[], &good.r[1..]).0, Residual::INFINITE);
}

#[test]
fn velocities_do_not_matter_in_the_local_form_and_do_in_the_global() {
    let problem = load("Rover4516");
    let good = solve(&problem, &Request::default()).unwrap();
    assert_eq!(residual(&problem, &[f64::NAN; 12], &good.r).0, good.residual);
    let problem = load("GFC3D_OneContact");
    let good = solve(&problem, &Request::default()).unwrap();
    for k in 0..good.v.len() {
        let mut v = good.v.clone();
        v[k] += 0.1;
        assert!(residual(&problem, &v, &good.r).0.relative > 1e-6, "coordinate {k}");
        v[k] = f64::NAN;
        assert_eq!(residual(&problem, &v, &good.r).0, Residual::INFINITE);
    }
}

#[test]
fn every_component_of_the_force_is_seen() {
    let problem = load("Rover1040");
    let good = solve(&problem, &Request::default()).unwrap();
    for k in 0..good.r.len() {
        let mut r = good.r.clone();
        r[k] += 0.01 * r.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!(residual(&problem, &[], &r).0.relative > 1e-6, "component {k}");
    }
}

#[test]
fn velocities_returned_belong_to_the_force() {
    let problem = load("GFC3D_Example1");
    let s = solve(&problem, &Request::default()).unwrap();
    let (again, u) = residual(&problem, &s.v, &s.r);
    assert_eq!((again, u), (s.residual, s.u));
}

#[test]
fn a_frictionless_contact_that_separates_has_no_residual_and_one_that_penetrates_has() {
    for dim in [2, 3] {
        let W: Vec<Vec<f64>> =
            (0..dim).map(|i| (0..dim).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        for (normal, expected) in [(0.5, 0.0), (0.0, 0.0), (-0.5, 0.5)] {
            // Exactly no sliding: u = (u_N, 0).
            let mut q = vec![0.0; dim];
            q[0] = normal;
            let problem = crate::analytic::local(dim, &[0.0], &W, &q);
            let found = residual(&problem, &[], &vec![0.0; dim]).0.absolute;
            assert!((found - expected).abs() < 1e-15, "{dim} {normal}: {found}");
        }
    }
}
