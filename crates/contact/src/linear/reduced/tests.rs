//! The ways to solve a reduced system beside each other.

use super::super::sparse::Sparse;
use super::{Alike, BlockMatrix, ByPatches, Dense, Maps, Multifrontal, Shape, SparseBlocks, order, reduce};

/// Every contact with its neighbours on a torus of `side`² contacts, unsymmetric, diagonally dominant.
fn torus(side: usize) -> BlockMatrix {
    let n = side * side;
    let (mut rows, mut cols, mut vals) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..n {
        let (x, y) = (i % side, i / side);
        let near = |dx: usize, dy: usize| (x + dx) % side + (y + dy) % side * side;
        for j in [i, near(1, 0), near(side - 1, 0), near(0, 1), near(0, side - 1)] {
            for (a, b) in (0..9).map(|e| (e / 3, e % 3)) {
                rows.push(3 * i + a);
                cols.push(3 * j + b);
                let own = if i == j && a == b { 20.0 } else { 0.0 };
                vals.push(own + ((7 * i + 3 * j + 5 * a + 11 * b) % 17) as f64 / 17.0);
            }
        }
    }
    let W = Sparse::from_coordinates("W", (3 * n, 3 * n), &rows, &cols, &vals);
    BlockMatrix::from_sparse(3, &W.unwrap_or_else(|e| panic!("{e}")))
}

/// 0 to 3 unknowns per contact, rows and columns those of the coordinates.
fn some_maps(n: usize) -> Vec<Maps<3>> {
    (0..n)
        .map(|i| {
            let mut map = Maps::NONE;
            map.size = [3, 1, 2, 0, 3][i % 5];
            for k in 0..map.size {
                map.rows[k][k] = 1.0;
                map.columns[k][k] = 1.0;
                map.own[k][k] = 0.1 * i as f64;
            }
            map
        })
        .collect()
}

/// What is known of rows and columns saves products and changes nothing else.
#[test]
fn known_shapes_reduce_to_the_same_bits() {
    let w: [f64; 9] = std::array::from_fn(|k| (1.3 * k as f64 + 0.2).sin());
    let mut slip = Maps::<3>::NONE;
    (slip.shape, slip.size) = (Shape::Slip, 2);
    (slip.rows[0], slip.columns[0]) = ([1.0, 0.0, 0.0], [1.0, 0.3, -0.4]);
    (slip.rows[1], slip.columns[1]) = ([0.0, 0.8, 0.6], [0.0, 0.8, 0.6]);
    let any = |map: &Maps<3>| Maps { shape: Shape::Any, ..*map };
    let maps = [slip, Maps::unit(3, 0.0), any(&Maps::unit(2, 0.5))];
    for (left, right) in maps.iter().flat_map(|left| maps.iter().map(move |right| (left, right))) {
        let known = reduce::<3, 9>(&w, left, right);
        assert_eq!(known, reduce::<3, 9>(&w, &any(left), &any(right)), "{left:?} {right:?}");
    }
    let flat: [f64; 4] = std::array::from_fn(|k| w[k]);
    let mut slip = Maps::<2>::NONE;
    (slip.shape, slip.size, slip.rows[0], slip.columns[0]) = (Shape::Slip, 1, [1.0, 0.0], [1.0, 0.7]);
    let any = Maps { shape: Shape::Any, ..slip };
    assert_eq!(reduce::<2, 4>(&flat, &slip, &slip), reduce::<2, 4>(&flat, &any, &any));
}

#[test]
fn dense_rows_and_fronts_agree() {
    let W = torus(7);
    let (maps, shift) = (some_maps(W.blocks()), 1e-3);
    let start: Vec<[f64; 3]> = (0..W.blocks()).map(|i| [i as f64, 1.0, -0.5 * i as f64]).collect();
    let (mut a, mut b, mut c) = (start.clone(), start.clone(), start);
    let mut dense = Dense::new(3 * W.blocks());
    let mut rows = SparseBlocks::<3, 9>::new(order(W.pattern()).0);
    let mut fronts = Multifrontal::<3, 9>::new(&W, order(W.pattern()).0);
    assert!(dense.factor::<3, 9>(&W, &maps, shift));
    assert!(rows.factor(&W, &maps, shift) && fronts.factor(&W, &maps, shift));
    dense.solve(&maps, &mut a);
    rows.solve(&maps, &mut b);
    fronts.solve(&maps, &mut c);
    for (i, map) in maps.iter().enumerate() {
        for k in 0..map.size {
            assert!((a[i][k] - b[i][k]).abs() < 1e-9 * (1.0 + a[i][k].abs()), "rows, contact {i}");
            assert!((a[i][k] - c[i][k]).abs() < 1e-9 * (1.0 + a[i][k].abs()), "fronts, contact {i}");
        }
    }
}

#[test]
fn a_matrix_of_zeros_is_refused() {
    let W = torus(5);
    let mut maps = some_maps(W.blocks());
    maps[7].rows = [[0.0; 3]; 3];
    maps[7].own = [[0.0; 3]; 3];
    assert!(maps[7].size > 0);
    assert!(!Multifrontal::<3, 9>::new(&W, order(W.pattern()).0).factor(&W, &maps, 0.0));
    assert!(!SparseBlocks::<3, 9>::new(order(W.pattern()).0).factor(&W, &maps, 0.0));
}

/// A number in −1 to 1 without pattern.
fn number(k: usize) -> f64 {
    (1.3 * k as f64 + 0.7).sin()
}

/// `side`² bodies with six velocities and a mass matrix that is not quite symmetric, each held to the next in both
/// directions by `count` contacts: W = H M⁻¹ Hᵀ.
fn wall(side: usize, count: usize) -> BlockMatrix {
    let body = |x: usize, y: usize| x * side + y;
    let pairs = (0..side * side).flat_map(|k| {
        let (x, y) = (k / side, k % side);
        let right = (x + 1 < side).then(|| (k, body(x + 1, y)));
        right.into_iter().chain((y + 1 < side).then(|| (k, body(x, y + 1))))
    });
    // row by row of H: the velocity of a point of one body less that of the other
    let mut H: Vec<Vec<f64>> = Vec::new();
    for (a, b) in pairs {
        for contact in 0..count {
            let at = [0, 1, 2].map(|k| number(31 * H.len() + 7 * contact + k));
            for axis in 0..3 {
                let mut row = vec![0.0; 6 * side * side];
                for (body, sign) in [(a, 1.0), (b, -1.0)] {
                    row[6 * body + axis] = sign;
                    row[6 * body + 3 + (axis + 1) % 3] = sign * at[(axis + 2) % 3];
                    row[6 * body + 3 + (axis + 2) % 3] = -sign * at[(axis + 1) % 3];
                }
                H.push(row);
            }
        }
    }
    let inverse = |i: usize, j: usize| match (i == j, i / 6 == j / 6) {
        (true, _) => 1.0 + 0.3 * number(i),
        (false, true) => 0.01 * number(7 * i + j),
        (false, false) => 0.0,
    };
    let coupled = |a: &[f64], b: &[f64]| -> f64 {
        let used = (0..a.len()).filter(|&i| a[i].abs() > 0.0);
        used.flat_map(|i| (i / 6 * 6..i / 6 * 6 + 6).map(move |j| a[i] * inverse(i, j) * b[j])).sum()
    };
    let W: Vec<Vec<f64>> = H.iter().map(|a| H.iter().map(|b| coupled(a, b)).collect()).collect();
    let W = Sparse::from_dense("W", &W, H.len());
    BlockMatrix::from_sparse(3, &W.unwrap_or_else(|e| panic!("{e}")))
}

/// Contacts that stick, slip along various directions, and take off.
fn modes(n: usize, sticking: usize) -> Vec<Maps<3>> {
    let slips = |i: usize| {
        let (c, s) = (number(i), (1.0 - number(i).powi(2)).sqrt());
        let mut map = Maps { size: 2, ..Maps::NONE };
        map.rows[..2].copy_from_slice(&[[1.0, 0.0, 0.0], [0.0, -s, c]]);
        map.columns[..2].copy_from_slice(&[[1.0, 0.3 * c, 0.3 * s], [0.0, -s, c]]);
        map.own[1][1] = 0.4;
        map
    };
    let mode = |i: usize| match i % sticking {
        0 if sticking > 1 => Maps::NONE,
        1 | 2 => slips(i),
        _ => Maps::unit(3, 0.0),
    };
    (0..n).map(mode).collect()
}

fn patches(W: &BlockMatrix) -> Option<ByPatches<3, 9>> {
    ByPatches::new(W, Alike::of(W))
}

fn assert_patches_solve(patches: &mut ByPatches<3, 9>, W: &BlockMatrix, maps: &[Maps<3>], shift: f64) {
    let start: Vec<[f64; 3]> = (0..W.blocks()).map(|i| [1.0, number(i), number(i + 1)]).collect();
    let (mut a, mut b) = (start.clone(), start);
    let mut dense = Dense::new(3 * W.blocks());
    assert!(dense.factor::<3, 9>(W, maps, shift) && patches.factor(maps, shift));
    dense.solve(maps, &mut a);
    patches.solve(maps, &mut b);
    let size = a.as_flattened().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (i, map) in maps.iter().enumerate() {
        for k in 0..map.size {
            assert!((a[i][k] - b[i][k]).abs() < 1e-9 * size, "contact {i}: {:?} {:?}", a[i], b[i]);
        }
    }
}

#[test]
fn contacts_between_the_same_bodies_are_solved_by_their_components() {
    for count in [3, 5] {
        let W = wall(3, count);
        let mut patches = patches(&W).unwrap_or_else(|| panic!("{count} contacts make a patch"));
        for (sticking, shift) in [(1, 1.0), (1, 1e-3), (3, 1.0), (4, 1e-3), (7, 1e-2)] {
            assert_patches_solve(&mut patches, &W, &modes(W.blocks(), sticking), shift);
        }
    }
}

#[test]
fn patches_follow_the_numbers_of_the_matrix() {
    let (first, mut second) = (wall(3, 4), wall(3, 4));
    second.scale(|i, j| (i % 3) as i32 + (j % 3) as i32);
    let mut patches = patches(&first).unwrap_or_else(|| panic!("patches"));
    assert!(patches.renew(&second));
    assert_patches_solve(&mut patches, &second, &modes(second.blocks(), 4), 1e-2);
}

#[test]
fn a_matrix_that_only_looks_like_one_of_patches_has_none() {
    let mut W = wall(3, 4);
    let (mut found, off) = (patches(&W), W.row(0).end - 1);
    assert!(found.is_some());
    W.block_mut(off)[4] += 1e-6;
    assert!(patches(&W).is_none());
    assert!(found.as_mut().is_some_and(|p| !p.renew(&W)));
}

#[test]
fn more_sticking_contacts_than_components_need_a_shift() {
    let W = wall(3, 4);
    let mut patches = patches(&W).unwrap_or_else(|| panic!("patches"));
    assert!(!patches.factor(&modes(W.blocks(), 1), 0.0));
}
