use super::{Moving, System};
use crate::num::random::uniform;
use crate::num::{Ball, Dual, Real, Strip};

/// Solutions of random systems within the radii of their entries, and their rates, lie in what is enclosed.
#[test]
fn solutions_of_all_systems_within_are_enclosed() {
    let n = 3;
    for run in 0..300 {
        let draw = |name: String| 2.0 * uniform(3, run, &name) - 1.0;
        let ball = |name: String, more: f64| Ball::new(draw(name) + more, 0.02);
        let entry = |i: usize, j: usize| {
            let more = if i == j { 2.5 } else { 0.0 };
            Dual::new(ball(format!("{i},{j}"), more), ball(format!("{i},{j}'"), 0.0))
        };
        let side = |i: usize| Dual::new(ball(format!("{i}"), 0.0), ball(format!("{i}'"), 0.0));
        let mut system = System::<Moving>::with_size(n);
        assert!(system.take(n, entry));
        system.solve(side);
        let found = system.right;
        for k in 0..20 {
            let at = |x: Ball, name: String| x.mid + x.rad * (2.0 * uniform(k, run, &name) - 1.0);
            let matrix = nalgebra::Matrix3::from_fn(|i, j| at(entry(i, j).re, format!("{i}/{j}")));
            let rates = nalgebra::Matrix3::from_fn(|i, j| at(entry(i, j).eps, format!("{i}/{j}'")));
            let rhs = nalgebra::Vector3::from_fn(|i, _| at(side(i).re, format!("{i}/")));
            let pace = nalgebra::Vector3::from_fn(|i, _| at(side(i).eps, format!("{i}/'")));
            let x = matrix.lu().solve(&rhs).unwrap();
            let xdot = matrix.lu().solve(&(pace - rates * x)).unwrap();
            for (i, found) in found.iter().enumerate() {
                assert!(found.re.range().contains(x[i]), "{run} {x} {found:?}");
                assert!(found.eps.range().contains(xdot[i]), "{run} {xdot} {found:?}");
                assert!(found.re.rad < 0.5, "{found:?}");
            }
        }
    }
}

fn still(mid: f64, rad: f64) -> Dual<Ball> {
    Dual::fixed(Ball::new(mid, rad))
}

#[test]
fn what_may_be_singular_has_no_bounds() {
    for (diagonal, bounded) in
        [(still(1.0, 0.6), false), (still(1.0, f64::INFINITY), false), (still(1.0, 0.1), true)]
    {
        let mut system = System::<Moving>::with_size(2);
        assert!(system.take(2, |i, j| if i == j { diagonal } else { still(0.0, 0.6) }));
        system.solve(|_| still(1.0, 0.0));
        let x = system.right;
        assert_eq!(x.iter().all(|x| x.re.range().is_bounded()), bounded, "{x:?}");
    }
    assert!(!System::<Moving>::with_size(2).take(2, |_, _| still(1.0, 0.0)));
}

/// Three equations of two unknowns, one of which says nothing: what is solved is the part with the largest pivots.
#[test]
fn the_part_of_the_largest_pivots_is_solved() {
    let mut system = System::<Moving>::with_size(2);
    let rows = [[1e-3, 1.0], [0.0, 0.0], [1.0, 1.0]];
    let entry = |i: usize, j: usize| still(rows[i][j], 0.0);
    assert!(!system.take_part([3, 2], 1, entry, |_| 1.0));
    assert!(system.take_part([3, 2], 2, entry, |_| 1.0));
    system.solve(|i| still(rows[i][0] * 4.0 + rows[i][1] * 6.0, 0.1));
    for (column, x) in system.unknowns() {
        assert!(x.re.range().contains([4.0, 6.0][column]) && x.re.rad < 0.3, "{x:?}");
    }
    // two feet side by side: one of them is solved
    assert!(system.take_part([1, 2], 1, |_, _| still(1.0, 0.0), |_| 1.0));
    assert_eq!(system.columns().len(), 1);
}

/// Solutions along curves lie in what is enclosed of them, at every s, and closer the shorter the curves are.
#[test]
fn solutions_along_curves_are_enclosed() {
    let (n, mut widths) = (3, [0.0_f64; 2]);
    for run in 0..100 {
        for (k, bend) in [0.2, 0.1].into_iter().enumerate() {
            let draw = |name: String| 2.0 * uniform(5, run, &name) - 1.0;
            let strip = |name: String, more: f64| {
                let mut curve = [0, 1, 2, 3].map(|k| f64::powi(bend, k) * draw(format!("{name} {k}")));
                curve[0] += more;
                Strip { curve, rad: 0.0 }
            };
            let entry = |i: usize, j: usize| strip(format!("{i},{j}"), if i == j { 2.5 } else { 0.0 });
            let side = |i: usize| strip(format!("{i}"), 0.0);
            let mut system = System::<Strip>::with_size(n);
            assert!(system.take(n, entry));
            system.solve(side);
            let found = system.right;
            for s in [-1.0, -0.7, -0.3, 0.0, 0.4, 0.8, 1.0] {
                let at = |x: Strip| x.curve.iter().rev().fold(0.0, |sum, c| sum * s + c);
                let matrix = nalgebra::Matrix3::from_fn(|i, j| at(entry(i, j)));
                let x = matrix.lu().solve(&nalgebra::Vector3::from_fn(|i, _| at(side(i)))).unwrap();
                for (x, found) in x.iter().zip(&found) {
                    assert!((x - at(*found)).abs() <= found.rad + 1e-12, "{run} {s}: {x} {found:?}");
                    widths[k] = widths[k].max(found.rad);
                }
            }
        }
    }
    assert!(widths[0] < 0.25 && widths[1] < widths[0] / 8.0, "{widths:?}");
}

/// 1/(1 + s/2): of lines nothing is beyond degree 3 but what the solution has there.
#[test]
fn what_a_solution_has_beyond_the_degrees_is_in_its_radius() {
    let mut system = System::<Strip>::with_size(1);
    assert!(system.take(1, |_, _| Strip { curve: [1.0, 0.5, 0.0, 0.0], rad: 0.0 }));
    system.solve(|_| Strip::from_f64(1.0));
    let x = system.right[0];
    for s in [-1.0, -0.5, 0.5, 1.0] {
        let middle = x.curve.iter().rev().fold(0.0, |sum, c| sum * s + c);
        assert!((middle - 1.0 / (1.0 + 0.5 * s)).abs() <= x.rad, "{s}: {x:?}");
    }
    assert!(x.rad < 0.2, "{x:?}");
}

/// Of a matrix that is the same at every s the solution is as wide as the right-hand side makes it, also where it is taken again.
#[test]
fn a_matrix_that_is_fixed_widens_nothing() {
    let mut system = System::<Strip>::with_size(2);
    let side = Strip { curve: [1.0, 0.5, 0.2, 0.1], rad: 0.25 };
    for half in [2.0, 4.0, 4.0] {
        let entry = |i: usize, j: usize| Strip::from_f64(if i == j { half } else { 0.0 });
        assert!(system.take_part([2, 2], 2, entry, |_| 1.0));
        system.solve(|_| side);
        for (_, x) in system.unknowns() {
            assert!((x.rad - side.rad / half).abs() < 1e-15, "{half}: {x:?}");
            assert!((x.curve[3] - side.curve[3] / half).abs() < 1e-15, "{half}: {x:?}");
        }
    }
}
