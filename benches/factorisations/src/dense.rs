//! The dense kernel: what our fronts do in a second beside a product of matrices of faer and of nalgebra.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use nalgebra::DMatrix;
use pulp::Arch;

use super::linear::reduced::front::{LANES, eliminate};
use super::shortest;

pub(crate) fn compare() {
    for n in [32, 64, 128, 256, 512] {
        let flops = 2.0 * (n as f64).powi(3);
        let entry =
            |i: usize, j: usize| ((7 * i + 13 * j) % 31) as f64 / 31.0 + if i == j { n as f64 } else { 0.0 };
        let (a, b) = (Mat::from_fn(n, n, entry), Mat::from_fn(n, n, entry));
        let mut c = Mat::<f64>::zeros(n, n);
        let theirs = shortest(|| matmul(&mut c, Accum::Add, &a, &b, -1.0, Par::Seq));
        let (a, b, mut c) =
            (DMatrix::from_fn(n, n, entry), DMatrix::from_fn(n, n, entry), DMatrix::zeros(n, n));
        let nalgebras = shortest(|| c.gemm(-1.0, &a, &b, 1.0));
        // a front of which half is eliminated
        let (width, pivots) = (n / LANES, n / 2);
        let front: Vec<[f64; LANES]> = (0..n * width)
            .map(|k| std::array::from_fn(|l| entry(k / width, k % width * LANES + l)))
            .collect();
        let (mut work, mut swaps) = (front.clone(), vec![0; pivots]);
        let copying = shortest(|| work.copy_from_slice(&front));
        let ours = shortest(|| {
            work.copy_from_slice(&front);
            eliminate(Arch::new(), &mut work, width, &mut swaps)
        }) - copying;
        let of_front: f64 = (0..pivots).map(|k| 2.0 * ((n - k - 1) as f64).powi(2)).sum();
        println!(
            "# dense {n}: faer {:.1}, nalgebra {:.1}, our front {:.1} GFLOP/s",
            flops / theirs * 1e-3,
            flops / nalgebras * 1e-3,
            of_front / ours * 1e-3
        );
    }
}
