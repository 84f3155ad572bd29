//! One contact by hand.

use mechan::answer::solve;
use mechan::coulomb::{ContactRows, Form, Outcome, Problem, Request, Solution, Status, residual};
use mechan::enumerate::{Limits, enumerate};
use mechan::linear::Sparse;

pub(crate) fn local(dim: usize, mu: &[f64], W: &[Vec<f64>], q: &[f64]) -> Problem {
    let W = Sparse::from_dense("W", W, q.len()).unwrap();
    Problem::local(dim, mu.to_vec(), &W, q.to_vec()).unwrap()
}

fn solved(problem: &Problem) -> Solution {
    let s = solve(problem, &Request::default()).unwrap();
    assert_eq!(s.outcome, Outcome::Solved);
    s
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
}

fn identity(n: usize) -> Vec<Vec<f64>> {
    (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect()
}

#[test]
fn separating_contact_takes_no_force() {
    let p = local(3, &[0.5], &identity(3), &[2.0, 1.0, -1.0]);
    let s = solved(&p);
    assert_eq!(s.r, [0.0; 3]);
    assert_eq!(s.u, [2.0, 1.0, -1.0]);
    assert_eq!(s.statuses, [Status::TakeOff]);
}

#[test]
fn point_mass_sticks_inside_the_cone_and_slips_outside() {
    // unit mass: r_N = 1 stops the approach; friction stops a sliding speed up to μ
    let p = local(3, &[0.5], &identity(3), &[-1.0, 0.3, 0.4]);
    let s = solved(&p);
    assert!(close(&s.r, &[1.0, -0.3, -0.4]) && close(&s.u, &[0.0; 3]), "{s:?}");
    assert_eq!(s.statuses, [Status::Stick]);
    let p = local(3, &[0.5], &identity(3), &[-1.0, 3.0, 4.0]);
    let s = solved(&p);
    assert!(close(&s.r, &[1.0, -0.3, -0.4]) && close(&s.u, &[0.0, 2.7, 3.6]), "{s:?}");
    assert_eq!(s.statuses, [Status::Slip]);
}

#[test]
fn planar_slip_follows_the_hand_calculation() {
    // u_N = (w_NN ∓ μ w_NT) r_N + q_N = 0 in ± slip
    let (w, mu) = ([[2.0, 0.5], [0.5, 1.0]], 0.4);
    for (q_T, sigma) in [(3.0, 1.0), (-3.0, -1.0)] {
        let p = local(2, &[mu], &w.map(|r| r.to_vec()), &[-1.0, q_T]);
        let s = solved(&p);
        let normal = 1.0 / (w[0][0] - sigma * mu * w[0][1]);
        assert!(close(&s.r, &[normal, -sigma * mu * normal]), "{s:?}");
        assert!(sigma * s.u[1] > 0.0);
    }
}

#[test]
fn block_on_an_incline_slips_beyond_the_angle_of_friction() {
    // M v = h m g (−sin χ, −cos χ) + Hᵀ r, m = 2, h = 0.1; tan χ = μ divides stick from slip
    let (m, h, g, mu) = (2.0, 0.1, 9.81, 0.5_f64);
    for (factor, expected) in [(0.9, Status::Stick), (1.1, Status::Slip)] {
        let angle = mu.atan() * factor;
        let f = vec![h * m * g * angle.sin(), h * m * g * angle.cos()];
        let H = vec![vec![0.0, 1.0], vec![1.0, 0.0]];
        let M = vec![vec![m, 0.0], vec![0.0, m]];
        let p = Problem::from_dense(vec![mu], &M, f, &H, vec![0.0, 0.0]).unwrap();
        let s = solved(&p);
        assert_eq!(s.statuses, [expected]);
        let excess = h * g * (angle.sin() - mu * angle.cos());
        assert!((s.v[0] + excess.max(0.0)).abs() < 1e-14, "{s:?}");
        assert!((s.r[0] - h * m * g * angle.cos()).abs() < 1e-13);
    }
}

#[test]
fn the_same_problem_from_an_inverse_and_from_turned_frames() {
    let M = vec![vec![2.0, 0.3, 0.0], vec![0.3, 1.5, 0.1], vec![0.0, 0.1, 1.0]];
    let f = vec![0.5, 2.0, -0.2];
    let (c, s) = (0.6, 0.8);
    let world = vec![vec![1.0, 0.2, 0.0], vec![0.0, 1.0, 0.5]];
    let frame = vec![vec![-s, c], vec![c, s]];
    let contact =
        ContactRows { jacobian: world.clone(), frame: frame.clone(), velocity: vec![0.1, -0.4], mu: 0.3 };
    let turned = Problem::from_contacts(2, &M, f.clone(), &[contact]).unwrap();
    let H: Vec<Vec<f64>> =
        frame.iter().map(|e| (0..3).map(|j| e[0] * world[0][j] + e[1] * world[1][j]).collect()).collect();
    let w: Vec<f64> = frame.iter().map(|e| e[0] * 0.1 - e[1] * 0.4).collect();
    let direct = Problem::from_dense(vec![0.3], &M, f.clone(), &H, w.clone()).unwrap();
    assert!(close(&solved(&turned).r, &solved(&direct).r));
    let inverse = nalgebra::Matrix3::from_fn(|i, j| M[i][j]).try_inverse().unwrap();
    let inverse: Vec<Vec<f64>> = (0..3).map(|i| (0..3).map(|j| inverse[(i, j)]).collect()).collect();
    let local = Problem::from_dense_inverse(vec![0.3], &inverse, &f, &H, &w).unwrap();
    assert!(matches!(local.form(), Form::Local(_)));
    assert!(close(&solved(&local).r, &solved(&direct).r));
}

#[test]
fn no_contacts_is_free_motion() {
    let p = Problem::from_dense(vec![], &identity(2), vec![1.0, -2.0], &[], vec![]).unwrap();
    let s = solved(&p);
    assert_eq!(s.v, [-1.0, 2.0]);
    assert!(s.r.is_empty());
    assert!(solved(&local(3, &[], &[], &[])).u.is_empty());
}

#[test]
fn duplicate_contacts_share_the_force() {
    // the same contact twice: W is singular, the forces are not unique, their sum is
    let row = |scale: f64| vec![scale, 0.0, 0.0, scale, 0.0, 0.0];
    let mut W: Vec<Vec<f64>> = Vec::new();
    for i in 0..6 {
        W.push(row(1.0).into_iter().cycle().skip(3 - i % 3).take(6).collect());
    }
    let q = [-1.0, 3.0, 4.0, -1.0, 3.0, 4.0];
    let p = local(3, &[0.5, 0.5], &W, &q);
    let s = solved(&p);
    let sum: Vec<f64> = (0..3).map(|a| s.r[a] + s.r[a + 3]).collect();
    assert!(close(&s.u[..3], &[0.0, 2.7, 3.6]) && close(&sum, &[1.0, -0.3, -0.4]), "{s:?}");
}

/// The same at the critical friction, p+ = 0, with a small load: the defect 5e-4 of a force of 1e5 is a residual of 5e-9.
#[test]
fn a_force_that_grows_without_bound_is_no_solution_of_the_critical_case() {
    let p = local(2, &[1.0], &[vec![1.0, 1.0], vec![1.0, 1.0]], &[-5e-4, 1.0]);
    let s = solve(&p, &Request::default()).unwrap();
    assert_eq!(s.outcome, Outcome::NotConverged, "{s:?}");
    let all = enumerate(&p, Limits::default()).unwrap();
    assert!(all.complete && all.families.is_empty());
    // beside it, p+ = 1e-3 > 0, the large force is the answer
    let p = local(2, &[0.999], &[vec![1.0, 1.0], vec![1.0, 1.0]], &[-5e-4, 1.0]);
    let s = solve(&p, &Request::default()).unwrap();
    assert_eq!(s.outcome, Outcome::Solved, "{s:?}");
    assert!((s.r[0] - 0.5).abs() < 1e-4, "{s:?}");
}

#[test]
fn painleve_paradox_is_not_called_solved() {
    // W = (1, 2)(1, 2)ᵀ: u_N = x − 1, u_T = 2x + 1 with x = r_N + 2 r_T, and no mode fits; p+ = 1 − 2μ < 0
    let p = local(2, &[1.0], &[vec![1.0, 2.0], vec![2.0, 4.0]], &[-1.0, 1.0]);
    let s = solve(&p, &Request::default()).unwrap();
    assert_eq!(s.outcome, Outcome::NotConverged);
    let (again, _) = residual(&p, &s.v, &s.r);
    assert_eq!(again, s.residual);
    // a force growing along the null space of W makes the relative residual as small as one likes
    assert!(s.residual.absolute > 0.1, "{s:?}");
}
