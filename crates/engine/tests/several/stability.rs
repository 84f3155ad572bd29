//! Normal stability of several contacts, against closed forms and against eigenvalues at many compliances.

use crate::body::contacts;
use mechan_contact::contact::Compliance;
use mechan_engine::predict::{
    Mode, ModeStability, Motion, Response, Stability, stability_of_response, with_response,
};
use mechan_num::Tol;
use mechan_num::random::Stream;
use nalgebra::Matrix2;

const SLIP: Mode = Mode::Slip { along: [1.0, 0.0], side: 1.0 };

fn both_slip(P: [[f64; 2]; 2], compliance: &[Compliance]) -> ModeStability {
    let tol = Tol::default();
    stability_of_response(
        &with_response(P, [-1.0, -1.0]).response(&[SLIP, SLIP], &tol).unwrap(),
        compliance,
        &tol,
    )
}

/// Routh and Hurwitz on det(s² + s P d + P k).
fn stable(P: &[[f64; 2]; 2], k: &[f64], d: &[f64]) -> bool {
    let det = P[0][0] * P[1][1] - P[0][1] * P[1][0];
    let trace = |x: &[f64]| P[0][0] * x[0] + P[1][1] * x[1];
    let [a3, a2] = [trace(d), trace(k) + det * d[0] * d[1]];
    let [a1, a0] = [det * (k[0] * d[1] + k[1] * d[0]), det * k[0] * k[1]];
    [a3, a2, a1, a0].iter().all(|a| *a > 0.0) && a3 * a2 * a1 > a1 * a1 + a3 * a3 * a0
}

#[test]
fn the_response_is_the_one_it_was_made_from() {
    let P = [[0.3, -0.7], [0.2, 1.4]];
    let tol = Tol::default();
    let found = with_response(P, [-1.0, -1.0]).response(&[SLIP, SLIP], &tol).unwrap();
    assert!((0..4).all(|k| (found.P[(k / 2, k % 2)] - P[k / 2][k % 2]).abs() < 1e-14));
}

/// Equal contacts, eigenvalues ρ of P complex: stable iff d² Re ρ |ρ|² > k (Im ρ)².
#[test]
fn equal_contacts_flip_where_the_closed_form_says() {
    for (P, k, d) in [([[1.0, -0.8], [0.5, 1.1]], 2.0, 0.3), ([[0.4, 1.0], [-1.3, 0.2]], 1.0, 1.0)] {
        let found = both_slip(P, &[Compliance::new(k, d).unwrap(); 2]);
        assert_eq!(found.stability, Stability::Conditional);
        let rho = Matrix2::from_row_slice(&P.concat()).complex_eigenvalues()[0];
        let factor = (k * rho.im * rho.im / (rho.re * rho.norm_sqr())).sqrt() / d;
        let flips = found.flips.unwrap();
        assert!(
            flips.damping.len() == 1 && (flips.damping[0] / factor - 1.0).abs() < 1e-9,
            "{flips:?} {factor}"
        );
        assert_eq!(found.here == Stability::Stable, factor < 1.0);
    }
}

#[test]
fn claims_hold_for_every_compliance_that_is_tried() {
    let (mut random, mut seen) = (Stream(2), [0; 3]);
    for case in 0..300 {
        let mut number = || random.within(-1.0, 1.0);
        let mut P = [[number(), number()], [number(), number()]];
        if case % 3 == 0 {
            P[1][0] = P[0][1].signum() * P[1][0].abs();
        }
        let claim = both_slip(P, &[Compliance::new(1.0, 1.0).unwrap(); 2]).stability;
        // where both contacts alone would swing alike, almost without damping, coupling shows
        let alike = [1.0 / P[0][0].abs(), 1.0 / P[1][1].abs()];
        let mut trials = vec![stable(&P, &alike, &[1e-9; 2])];
        trials.extend((0..400).map(|_| {
            let x: Vec<f64> = (0..4).map(|_| 10.0_f64.powf(random.within(-3.0, 3.0))).collect();
            stable(&P, &x[..2], &x[2..])
        }));
        match claim {
            Stability::Stable => assert!(trials.iter().all(|x| *x), "{P:?}"),
            Stability::Unstable => assert!(trials.iter().all(|x| !*x), "{P:?}"),
            Stability::Conditional => assert!(trials.iter().any(|x| *x != trials[0]), "{P:?}"),
            Stability::Undecided => panic!("two contacts off all borders: {P:?}"),
        }
        seen[claim as usize] += 1;
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}

/// A block on three feet: sticking is stable whatever the compliance, though its normal forces are not unique.
#[test]
fn dependent_gaps_have_no_motion_of_their_own() {
    let tol = Tol::default();
    let rows: Vec<[f64; 3]> =
        [-1.0, 0.2, 1.0].iter().flat_map(|&x| [[0.0, 1.0, x], [1.0, 0.0, 0.5]]).collect();
    let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let D: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(move |b| dot(a, b))).collect();
    let c: Vec<f64> = rows.iter().map(|row| -row[1]).collect();
    let block = contacts(&[(0.5, Motion::Resting); 3], &D, &c);
    let response: Response = block.response(&[Mode::STICK; 3], &tol).unwrap();
    let unit = vec![Compliance::new(1.0, 1.0).unwrap(); 3];
    let found = stability_of_response(&response, &unit, &tol);
    assert_eq!(
        (found.stability, found.here, found.eigenvalues.len()),
        (Stability::Stable, Stability::Stable, 4)
    );
}
