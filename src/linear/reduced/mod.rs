//! The linear systems of the Newton methods: `A_ij = Rᵢ W_ij Cⱼ + δ_ij Bᵢ`, with a few rows Rᵢ and columns Cᵢ per
//! contact (none for a contact without force, two for one that slips in space). Small systems are dense with
//! pivoting, large ones sparse in a fill-reducing order: by rows of blocks where the factors stay sparse, by dense
//! fronts where they do not.

mod by_bodies;
mod by_patches;
mod dense;
pub(crate) mod front;
mod kept;
mod local;
mod multifrontal;
mod patches;
mod sparse;
mod symbolic;

pub(crate) use by_bodies::Bodies;
pub(crate) use by_patches::ByPatches;
pub(crate) use dense::Dense;
pub(crate) use kept::Kept;
pub(crate) use multifrontal::Multifrontal;
pub(crate) use patches::Alike;
pub(crate) use sparse::SparseBlocks;

use super::block::{BlockMatrix, mul_add};

/// What is known of the rows and columns of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Nothing.
    Any,
    /// R = C = 1, all of them.
    Whole,
    /// The rows (1, 0) and (0, t), the columns (1, c) and (0, t), the second ones in space alone.
    Slip,
}

/// Rows, columns and own block of one contact in the reduced system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Maps<const D: usize> {
    pub(crate) shape: Shape,
    /// Unknowns of this contact: 0 to D.
    pub(crate) size: usize,
    /// Rᵢ: the rows of W that count, `size` of them.
    pub(crate) rows: [[f64; D]; D],
    /// Cᵢ by columns: the directions in which the force may change, `size` of them.
    pub(crate) columns: [[f64; D]; D],
    /// Bᵢ by rows.
    pub(crate) own: [[f64; D]; D],
}

impl<const D: usize> Maps<D> {
    /// No unknowns.
    pub(crate) const NONE: Self =
        Self { shape: Shape::Any, size: 0, rows: [[0.0; D]; D], columns: [[0.0; D]; D], own: [[0.0; D]; D] };

    /// Rᵢ = Cᵢ = 1 for the first `size` coordinates, Bᵢ = `own`.
    pub(crate) fn unit(size: usize, own: f64) -> Self {
        let shape = if size == D { Shape::Whole } else { Shape::Any };
        let mut out = Self { shape, size, ..Self::NONE };
        for k in 0..size {
            (out.rows[k][k], out.columns[k][k], out.own[k][k]) = (1.0, 1.0, own);
        }
        out
    }

    /// Whether Rᵢ = Cᵢ = 1 with all rows, and Bᵢ = 0.
    pub(crate) fn is_unit(&self) -> bool {
        *self == Self::unit(D, 0.0)
    }

    /// Whether Rᵢ = Cᵢ = 1 for the first `size` coordinates.
    pub(crate) fn is_plain(&self) -> bool {
        let unit = Self::unit(self.size, 0.0);
        self.rows == unit.rows && self.columns == unit.columns
    }

    /// The force Cᵢ x of the unknowns x.
    #[inline]
    pub(crate) fn force(&self, x: &[f64]) -> [f64; D] {
        let mut out = [0.0; D];
        for (column, x) in self.columns.iter().zip(x).take(self.size) {
            for a in 0..D {
                out[a] += column[a] * x;
            }
        }
        out
    }

    /// Row `k` of Rᵢ times `u`.
    #[inline]
    pub(crate) fn row(&self, k: usize, u: &[f64; D]) -> f64 {
        (0..D).map(|a| self.rows[k][a] * u[a]).sum()
    }
}

/// Rᵢ W_ij Cⱼ, by rows; entries beyond the sizes are 0, because unused rows and columns are.
#[inline]
pub(crate) fn reduce<const D: usize, const DD: usize>(
    w: &[f64; DD],
    left: &Maps<D>,
    right: &Maps<D>,
) -> [[f64; D]; D] {
    // columns W_ij Cⱼ
    let mut wc = [[0.0; D]; D];
    match right.shape {
        Shape::Whole => (0..D).for_each(|a| (0..D).for_each(|b| wc[b][a] = w[a * D + b])),
        Shape::Slip => {
            let [c, t] = [&right.columns[0], &right.columns[1]];
            for a in 0..D {
                wc[0][a] = (1..D).fold(w[a * D], |sum, b| sum + w[a * D + b] * c[b]);
                if D > 2 {
                    wc[1][a] = (1..D).map(|b| w[a * D + b] * t[b]).sum();
                }
            }
        }
        Shape::Any => wc.iter_mut().zip(&right.columns).for_each(|(x, c)| mul_add::<D, DD>(w, c, x)),
    }
    let mut out = [[0.0; D]; D];
    match left.shape {
        Shape::Whole => (0..D).for_each(|i| (0..D).for_each(|b| out[i][b] = wc[b][i])),
        Shape::Slip => {
            for b in 0..D {
                out[0][b] = wc[b][0];
                if D > 2 {
                    out[1][b] = (1..D).map(|i| left.rows[1][i] * wc[b][i]).sum();
                }
            }
        }
        Shape::Any => {
            for (row, r) in out.iter_mut().zip(&left.rows) {
                for (x, column) in row.iter_mut().zip(&wc) {
                    *x = (0..D).map(|i| r[i] * column[i]).sum();
                }
            }
        }
    }
    out
}

/// Dense or sparse, whichever is cheaper for the problem.
#[derive(Debug)]
pub(crate) enum Linear<const D: usize, const DD: usize> {
    /// Up to a hundred contacts or so.
    Dense(Dense),
    /// More contacts, each touching few others.
    Sparse(Box<SparseBlocks<D, DD>>),
    /// More contacts, much fill.
    Multifrontal(Box<Multifrontal<D, DD>>),
    /// The same where many contacts are between the same two bodies.
    ByPatches(Box<ByPatches<D, DD>>),
    /// The same where bodies are fewer than contacts, and W tells which they are.
    ByBodies(Box<Bodies<D>>),
}

/// Number of scalar rows up to which a dense factorisation costs less than the bookkeeping of a sparse one.
const DENSE_ROWS: usize = 48;
/// Products of blocks per contact up to which elimination by rows costs less than the bookkeeping of fronts.
pub(crate) const THIN: f64 = 40.0;
/// Share of the products that bodies must save: their matrix is summed up anew for every system.
const GAIN: f64 = 0.7;

impl<const D: usize, const DD: usize> Linear<D, DD> {
    /// Chooses by the number of contacts.
    pub(crate) fn new(W: &BlockMatrix) -> Self {
        Self::counted(W).0
    }

    /// The same with the products of blocks that a sparse factorisation takes, at most.
    pub(crate) fn counted(W: &BlockMatrix) -> (Self, f64) {
        if Self::is_dense(W) {
            return (Self::Dense(Dense::new(W.blocks() * D)), 0.0);
        }
        let alike = Alike::of(W);
        if alike.pays(D)
            && let Some(patches) = ByPatches::new(W, alike)
        {
            let products = patches.products();
            return (Self::ByPatches(Box::new(patches)), products);
        }
        let (order, work) = order(W.pattern());
        if work > THIN * W.blocks() as f64
            && let Some(bodies) = W.origin().map(Bodies::new).filter(|bodies| bodies.products() < GAIN * work)
        {
            let products = bodies.products();
            return (Self::ByBodies(Box::new(bodies)), products);
        }
        let linear = if work > THIN * W.blocks() as f64 {
            Self::Multifrontal(Box::new(Multifrontal::new(W, order)))
        } else {
            Self::Sparse(Box::new(SparseBlocks::new(order)))
        };
        (linear, work)
    }

    /// Whether a dense factorisation is cheaper.
    fn is_dense(W: &BlockMatrix) -> bool {
        let (full, rows) = (W.blocks() * W.blocks(), W.blocks() * D);
        rows <= DENSE_ROWS || (W.stored() * 2 > full && rows <= 4 * DENSE_ROWS)
    }

    /// Factors the system of `maps`, with `shift` added to the diagonal; false when a pivot vanishes.
    pub(crate) fn factor(&mut self, W: &BlockMatrix, maps: &[Maps<D>], shift: f64) -> bool {
        match self {
            Self::Dense(dense) => dense.factor::<D, DD>(W, maps, shift),
            Self::Sparse(sparse) => sparse.factor(W, maps, shift),
            Self::Multifrontal(fronts) => fronts.factor(W, maps, shift),
            Self::ByPatches(patches) => patches.factor(maps, shift),
            Self::ByBodies(bodies) => W.origin().is_some_and(|origin| bodies.factor(origin, maps, shift)),
        }
    }

    /// Solves in place: `x` holds D entries per contact, the first `size` of them used.
    pub(crate) fn solve(&mut self, W: &BlockMatrix, maps: &[Maps<D>], x: &mut [[f64; D]]) {
        match self {
            Self::Dense(dense) => dense.solve(maps, x),
            Self::Sparse(sparse) => sparse.solve(maps, x),
            Self::Multifrontal(fronts) => fronts.solve(maps, x),
            Self::ByPatches(patches) => patches.solve(maps, x),
            Self::ByBodies(bodies) => W.origin().into_iter().for_each(|origin| bodies.solve(origin, maps, x)),
        }
    }
}

/// A fill-reducing order of the contacts of this pattern (approximate minimum degree), and the products of blocks it leads to.
pub(crate) fn order((start, cols): (&[u32], &[u32])) -> (Vec<u32>, f64) {
    let n = start.len() - 1;
    let start: Vec<usize> = start.iter().map(|&s| s as usize).collect();
    let cols: Vec<usize> = cols.iter().map(|&c| c as usize).collect();
    match amd::order(n, &start, &cols, &amd::Control::default()) {
        Ok((order, _, info)) => (order.into_iter().map(|k| k as u32).collect(), info.n_mult_subs_lu as f64),
        Err(_) => ((0..n as u32).collect(), 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sparse::Sparse;
    use super::{
        Alike, BlockMatrix, ByPatches, Dense, Maps, Multifrontal, Shape, SparseBlocks, order, reduce,
    };

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
}
