use super::*;
use crate::existence::kinematics::Rows;

/// Numbers in [−1, 1) without pattern.
fn number(seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A ring of bodies, each in contact with the next; every third contact without friction.
fn ring(seed: u64, dim: usize, bodies: usize) -> Kinematics {
    let (mut seed, size) = (seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, 3 * (dim - 1));
    let mut triplets = Vec::new();
    for i in 0..bodies {
        for k in 0..dim {
            for body in [i, (i + 1) % bodies] {
                triplets.extend((0..size).map(|j| (i * dim + k, body * size + j, number(&mut seed))));
            }
        }
    }
    let w = (0..bodies * dim).map(|_| number(&mut seed)).collect();
    let mu = (0..bodies).map(|i| if i % 3 == 0 { 0.0 } else { 1.5 + number(&mut seed) }).collect();
    // Fewer velocities than contact directions, so that not every problem is free of wedging.
    let columns = bodies * size / if dim == 2 { 4 } else { 5 };
    let few = triplets.into_iter().map(|(i, j, a)| (i, j % columns, a)).collect::<Vec<_>>();
    Kinematics { dim, H: Rows::from_triplets(bodies * dim, columns, &few), w, mu }
}

#[test]
fn both_interior_point_methods_find_the_same_margin() {
    let mut bounded = 0;
    for seed in 0..40 {
        let problem = ring(seed, 2 + seed as usize % 2, 3 + seed as usize % 9);
        let cap = cap(&problem);
        let by_bodies =
            by_bodies(&problem, Contacts::of(&problem), cap, Method::Plain).clearance(&problem).min(cap);
        let general = general(&problem, cap, Method::Plain).unwrap().clearance(&problem).min(cap);
        // The one by bodies stops a few percent short.
        let allowed = Tol::default().large_margin * general.abs() + 1e-5 * cap;
        assert!((by_bodies - general).abs() <= 2.0 * allowed, "seed {seed}: {by_bodies} {general}");
        bounded += usize::from(general < 0.9 * cap);
    }
    assert!(bounded > 15, "{bounded}");
}

#[test]
fn multipliers_of_both_are_the_same_vertex_when_tilted() {
    // Two bars that wedge, the second worse: w·r / Σ rᴺ is −1/2 and −3/2.
    let rows: Vec<Vec<f64>> = vec![vec![1.0, 0.0], vec![2.0, 0.0], vec![0.0, 1.0], vec![0.0, 2.0]];
    let H = Rows::from_dense(&rows, 2);
    let problem = Kinematics { dim: 2, H, w: vec![0.0, 1.0, 0.0, 3.0], mu: vec![1.0, 1.0] };
    let both = [
        by_bodies(&problem, Contacts::of(&problem), cap(&problem), Method::Tilted),
        general(&problem, cap(&problem), Method::Tilted).unwrap(),
    ];
    for found in both {
        assert!(found.r[..2].iter().all(|x| x.abs() < 1e-4), "{found:?}");
        assert!((found.r[2] + 2.0 * found.r[3]).abs() < 1e-4 && (found.r[2] - 1.0).abs() < 1e-3, "{found:?}");
    }
}
