//! Against the dense factorisation of W.

use super::super::super::sparse::Sparse;
use super::super::{BlockMatrix, Dense, Maps, Shape};
use super::{Bodies, Origin};
use crate::linear::MatrixError;
use nalgebra::DMatrix;

/// Bodies in a ring, of which the last has fewer coordinates, with contacts between neighbours and with the ground; M couples
/// the coordinates of a body and, where `coupled`, those of two.
struct Ring {
    M: DMatrix<f64>,
    Ht: DMatrix<f64>,
    dim: usize,
}

impl Ring {
    fn new(dim: usize, coupled: bool) -> Self {
        let size = super::super::super::origin::coordinates(dim);
        let (bodies, contacts) = (7, 15);
        let n = bodies * size - 1;
        let number = |k: usize| (1.3 * k as f64 + 0.4).sin();
        let M = DMatrix::from_fn(n, n, |i, j| match (i == j, i.abs_diff(j)) {
            (true, _) => 3.0 + 0.1 * i as f64,
            (false, 1) if coupled || i / size == j / size => 0.5,
            (false, _) => 0.0,
        });
        let touches = |body: usize, contact: usize| {
            body == contact % bodies || contact < 12 && body == (contact + 1 + contact / 8) % bodies
        };
        let Ht = DMatrix::from_fn(n, contacts * dim, |k, row| {
            if touches(k / size, row / dim) { number(7 * k + 11 * row) } else { 0.0 }
        });
        Self { M, Ht, dim }
    }

    fn matrix(&self, order: &[usize]) -> Result<BlockMatrix, MatrixError> {
        let dim = self.dim;
        let Ht = DMatrix::from_fn(self.Ht.nrows(), order.len() * dim, |k, row| {
            self.Ht[(k, order[row / dim] * dim + row % dim)]
        });
        let inverse = self.M.clone().try_inverse().unwrap_or_default();
        let W = Ht.transpose() * inverse * &Ht;
        let mut W = BlockMatrix::from_sparse(dim, &sparse(&W)?);
        W.keep_origin(&sparse(&Ht)?, &sparse(&self.M)?);
        Ok(W)
    }
}

fn sparse(m: &DMatrix<f64>) -> Result<Sparse, MatrixError> {
    let rows: Vec<Vec<f64>> = m.row_iter().map(|row| row.iter().copied().collect()).collect();
    Sparse::from_dense("matrix", &rows, m.ncols())
}

/// None to D unknowns, with rows, columns and own blocks of all kinds.
fn maps<const D: usize>(count: usize) -> Vec<Maps<D>> {
    let number = |k: usize| (0.7 * k as f64 + 0.2).cos();
    let map = |i: usize| {
        let mut map = Maps { shape: Shape::Any, ..Maps::unit(i % (D + 1), 0.0) };
        for k in 0..map.size {
            for a in 0..D {
                map.rows[k][a] += 0.3 * number(i + 5 * a + k);
                map.columns[k][a] += 0.3 * number(2 * i + a + 3 * k);
            }
            (0..map.size).for_each(|l| map.own[k][l] = 0.2 * number(i + l + 4 * k));
            map.own[k][k] += 1.0;
        }
        map
    };
    (0..count).map(map).collect()
}

fn agree<const D: usize, const DD: usize>(W: &BlockMatrix, bodies: &mut Bodies<D>, origin: &Origin) {
    let (maps, shift) = (maps::<D>(W.blocks()), 1e-2);
    let mut expected: Vec<[f64; D]> = (0..W.blocks()).map(|i| [(i as f64).sin() + 0.1; D]).collect();
    let mut found = expected.clone();
    let mut dense = Dense::new(D * W.blocks());
    assert!(dense.factor::<D, DD>(W, &maps, shift) && bodies.factor(origin, &maps, shift));
    dense.solve(&maps, &mut expected);
    bodies.solve(origin, &maps, &mut found);
    for (i, map) in maps.iter().enumerate() {
        for k in 0..map.size {
            assert!((expected[i][k] - found[i][k]).abs() < 1e-9, "{i} {k}: {expected:?} {found:?}");
        }
    }
}

/// In both dimensions, with M by bodies and across them, in other units, and with the contacts in another order; one after the
/// other in the same memory.
#[test]
fn bodies_and_contacts_agree() -> Result<(), MatrixError> {
    for (dim, coupled) in [(2, false), (2, true), (3, false), (3, true)] {
        let ring = Ring::new(dim, coupled);
        let order: Vec<usize> = (0..15).collect();
        let other: Vec<usize> = (0..15).map(|i| (4 * i + 3) % 15).collect();
        let W = ring.matrix(&order)?;
        let mut scaled = W.clone();
        scaled.scale(|i, j| (i % 3 + j % 3) as i32 - 2);
        scaled.scale_origin(|i| (i % 3) as i32, 2);
        for W in [W.clone(), scaled, W.permuted(&other), ring.matrix(&other)?] {
            let Some(origin) = W.origin() else { panic!("no contact moves more than two bodies") };
            match dim {
                2 => agree::<2, 4>(&W, &mut Bodies::new(origin), origin),
                _ => agree::<3, 9>(&W, &mut Bodies::new(origin), origin),
            }
        }
        assert_eq!(
            W.permuted(&other).origin().map(Origin::pattern),
            ring.matrix(&other)?.origin().map(Origin::pattern)
        );
    }
    Ok(())
}

/// Own blocks that vanish cannot be eliminated, and are refused.
#[test]
fn contacts_without_compliance_are_refused() -> Result<(), MatrixError> {
    let W = Ring::new(3, false).matrix(&(0..15).collect::<Vec<_>>())?;
    let Some(origin) = W.origin() else { panic!("no contact moves more than two bodies") };
    let maps = vec![Maps::<3>::unit(3, 0.0); 15];
    assert!(!Bodies::new(origin).factor(origin, &maps, 0.0));
    assert!(Bodies::new(origin).factor(origin, &maps, 1e-3));
    Ok(())
}
