//! Problems of one contact whose solutions are known by hand.

use super::{Grip, solve};
use crate::contact::Friction;
use crate::num::Tol;

fn grip(mu: f64, bilateral: bool, along: Option<[f64; 2]>) -> Grip {
    Grip { friction: Friction::new(mu).unwrap(), bilateral, along }
}

fn found(grip: Grip, q: [f64; 2]) -> Result<(Vec<f64>, Vec<f64>), String> {
    let W = [[2.0, 1.0], [1.0, 2.0]];
    solve(&[grip], &q, |i, j| W[i][j], &Tol::default())
}

fn assert_near(found: &[f64], expected: [f64; 2]) {
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
}

#[test]
fn what_is_held_on_both_sides_pulls_or_pushes() {
    for sign in [1.0, -1.0] {
        // without friction r_N = −q_N/2
        let (r, u) = found(grip(0.0, true, None), [3.0 * sign, 1.0]).unwrap();
        assert_near(&r, [-1.5 * sign, 0.0]);
        assert_near(&u, [0.0, 1.0 - 1.5 * sign]);
        // with enough of it both rows rest: r = −W⁻¹ q
        let (r, u) = found(grip(10.0, true, None), [3.0 * sign, 3.0 * sign]).unwrap();
        assert_near(&r, [-sign, -sign]);
        assert_near(&u, [0.0, 0.0]);
    }
}

#[test]
fn friction_of_a_contact_that_pulls_is_bounded_by_the_size_of_its_force() {
    // it slips forwards: r_T = −|r_N|/2 and 2 r_N + r_T = −3; r_N < 0
    let (r, u) = found(grip(0.5, true, None), [3.0, 9.0]).unwrap();
    assert_near(&r, [-1.2, -0.6]);
    assert!(u[1] > 0.0);
    // the same by its slip
    let (slid, _) = found(grip(0.5, true, Some([1.0, 0.0])), [3.0, 9.0]).unwrap();
    assert!((slid[0] - r[0]).abs() < 1e-12);
}

#[test]
fn infinite_friction_holds_or_lets_go() {
    let (r, u) = found(grip(f64::INFINITY, false, None), [-1.0, 3.0]).unwrap();
    assert_near(&r, [5.0 / 3.0, -7.0 / 3.0]);
    assert_near(&u, [0.0, 0.0]);
    // holding would pull
    let (r, u) = found(grip(f64::INFINITY, false, None), [1.0, -3.0]).unwrap();
    assert_near(&r, [0.0, 0.0]);
    assert_near(&u, [1.0, -3.0]);
    // holding would pull and letting go would penetrate
    assert!(found(grip(f64::INFINITY, false, None), [-1.0, -3.0]).is_err());
}
