use super::*;

/// An entry (i, j, a), i ≥ j.
type Entry = (u32, u32, f64);

/// A = Σ b bᵀ over the edges of a square grid with `size`² nodes and a term on each node.
fn grid(size: usize) -> (Vec<Vec<u32>>, Vec<Entry>) {
    let node = |x: usize, y: usize| (x * size + y) as u32;
    let (mut cliques, mut entries) = (Vec::new(), Vec::new());
    for x in 0..size {
        for y in 0..size {
            entries.push((node(x, y), node(x, y), 0.01 + 0.001 * (x as f64)));
            for (a, b) in [(x + 1, y), (x, y + 1), (x + 1, y + 1)] {
                if a < size && b < size {
                    let weight = 1.0 + ((x * 7 + y * 3) % 5) as f64;
                    let (i, j) = (node(a, b), node(x, y));
                    cliques.push(vec![i, j]);
                    entries.extend([(i, i, weight), (j, j, weight), (i.max(j), i.min(j), -weight)]);
                }
            }
        }
    }
    (cliques, entries)
}

fn values(symbolic: &Symbolic, entries: &[Entry]) -> Vec<f64> {
    let mut values = vec![0.0; symbolic.lower.rows.len()];
    for &(i, j, a) in entries {
        let (i, j) = (symbolic.place[i as usize], symbolic.place[j as usize]);
        values[symbolic.lower.position(i.max(j), i.min(j))] += a;
    }
    values
}

fn product(n: usize, entries: &[Entry], x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; n];
    for &(i, j, a) in entries {
        let (i, j) = (i as usize, j as usize);
        y[i] += a * x[j];
        if i != j {
            y[j] += a * x[i];
        }
    }
    y
}

#[test]
fn a_grid_is_solved_at_every_size() {
    for size in [1, 2, 3, 7, 20, 60] {
        let (cliques, entries) = grid(size);
        let cliques: Vec<&[u32]> = cliques.iter().map(Vec::as_slice).collect();
        let n = size * size;
        let symbolic = Symbolic::new(n, &cliques);
        let factor = Cholesky::new(&symbolic, &values(&symbolic, &entries), 1e-15);
        let exact: Vec<f64> = (0..n).map(|k| (k as f64 * 0.7).sin()).collect();
        let mut x = product(n, &entries, &exact);
        factor.solve(&symbolic, &mut x);
        let error = x.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 1e-9, "{size}: {error}");
    }
}

#[test]
fn the_order_keeps_the_work_of_a_grid_low() {
    let (cliques, _) = grid(60);
    let cliques: Vec<&[u32]> = cliques.iter().map(Vec::as_slice).collect();
    let banded = 0.5 * 3600.0 * 61.0 * 61.0;
    assert!(Symbolic::new(3600, &cliques).work() < 0.35 * banded);
}

#[test]
fn every_row_is_eliminated_once_and_children_come_first() {
    let (cliques, _) = grid(20);
    let cliques: Vec<&[u32]> = cliques.iter().map(Vec::as_slice).collect();
    let symbolic = Symbolic::new(400, &cliques);
    let mut next = 0;
    for (s, node) in symbolic.supernodes.iter().enumerate() {
        assert_eq!(node.first, next);
        assert!(node.rows.is_sorted() && node.children.iter().all(|&c| c < s));
        next += node.width;
    }
    assert_eq!(next, 400);
}

#[test]
fn an_unknown_that_nothing_determines_stays_zero() {
    // x0 + x1 is determined, their difference and x2 are not.
    let cliques: [&[u32]; 1] = [&[0, 1]];
    let symbolic = Symbolic::new(3, &cliques);
    let entries = [(0, 0, 1.0), (1, 0, 1.0), (1, 1, 1.0)];
    let factor = Cholesky::new(&symbolic, &values(&symbolic, &entries), 1e-15);
    let mut x = [2.0, 2.0, 0.0];
    factor.solve(&symbolic, &mut x);
    assert!((x[0] + x[1] - 2.0).abs() < 1e-12 && x[2].abs() < 1e-12, "{x:?}");
}
