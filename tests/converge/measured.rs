//! Errors of motions whose errors are known by hand.

use mechan::simulate::capture::{Path, Point};
use mechan::simulate::converge::{Node, Piece, Reference, ReferenceKind, Sample, Table, measure};

/// A velocity of −1 before t = 1 and of 1 after it.
fn bounce() -> Reference {
    let piece = |from: f64, to: f64, v: f64| {
        let node = |t: f64| Node { t, at: Sample { q: vec![(t - 1.0).abs()], v: vec![v] } };
        Piece::Table(
            Table::new((0..=8).map(|k| node(from + (to - from) * f64::from(k) / 8.0)).collect()).unwrap(),
        )
    };
    Reference::new(ReferenceKind::Exact, 0.0, vec![piece(0.0, 1.0, -1.0), piece(1.0, 2.0, 1.0)])
}

fn path(points: &[(f64, f64, f64)], joined: bool) -> Path {
    let point = |&(t, q, v): &(f64, f64, f64)| Point { t, q: vec![q], v: vec![v], joined, on_grid: true };
    Path { points: points.iter().map(point).collect(), evaluations: 0 }
}

#[test]
fn the_motion_itself_has_no_error() {
    let exact = path(&[(0.0, 1.0, -1.0), (0.4, 0.6, -1.0), (1.3, 0.3, 1.0), (2.0, 1.0, 1.0)], false);
    for errors in measure(&exact, &bounce()) {
        assert!(errors.l1.0 < 1e-15 && errors.l2.0 < 1e-15 && errors.uniform.0 < 1e-15, "{errors:?}");
    }
    // of positions: the corner is not between the points, which are not joined
    let [q, v] = measure(&exact, &bounce());
    assert!((q.hausdorff.0 - 0.15).abs() < 0.16 && v.hausdorff.0 <= 0.6, "{q:?} {v:?}");
}

/// A jump that comes later by δ is as far away as that, however large it is, and wrong by 2 at the points between.
#[test]
fn a_late_jump_is_as_far_as_it_is_late() {
    let (delta, h) = (0.1, 0.01);
    let steps = 200;
    let late: Vec<(f64, f64, f64)> = (0..=steps)
        .map(|k| {
            let t = f64::from(k) * h;
            let v = if t < 1.0 + delta - 1e-9 { -1.0 } else { 1.0 };
            (t, (t - 1.0).abs(), v)
        })
        .collect();
    let [q, v] = measure(&path(&late, true), &bounce());
    assert!((v.hausdorff.0 - delta).abs() < 1e-3, "{v:?}");
    assert!((v.uniform.0 - 2.0).abs() < 1e-12);
    // ten points of the grid are wrong by 2
    assert!((v.l1.0 - 10.0 * h * 2.0).abs() < 1e-12, "{v:?}");
    assert!((v.l2.0 - (10.0 * h * 4.0).sqrt()).abs() < 1e-12);
    assert!(q.uniform.0 < 1e-12 && q.hausdorff.0 < 1e-12, "{q:?}");
}

/// |x − y| and |t − s| count alike: a line shifted upwards by δ is δ/2 away from one of slope 1.
#[test]
fn a_slope_brings_graphs_nearer() {
    let shifted: Vec<(f64, f64, f64)> = (0..100)
        .map(|k| {
            let t = f64::from(k) * 0.01;
            (t, (t - 1.0).abs() + 0.02, -1.0)
        })
        .collect();
    let [q, v] = measure(&path(&shifted, true), &bounce());
    // the first point would be nearest to what came before it
    assert!((0.0099..=0.0201).contains(&q.hausdorff.0), "{q:?}");
    assert!((q.uniform.0 - 0.02).abs() < 1e-12 && (q.l1.0 - 0.02).abs() < 1e-12, "{q:?}");
    assert!(v.l1.0 < 1e-12);
}
