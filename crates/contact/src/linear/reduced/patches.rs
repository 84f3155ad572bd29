//! Contacts between the same two bodies, a patch, move with the relative velocity of these bodies, which has at most six
//! components however many contacts there are. For patches g and h therefore `W_gh = T_g V_gh T_hᵀ`, T with orthonormal
//! columns. W alone tells: the contacts of a patch meet the same others, and T_g spans the range of W_gg.

use super::super::block::{BlockMatrix, compressed};
use super::order;
use crate::num::Tol;

/// Components of a relative velocity, at most.
pub(crate) const RANK: usize = 6;

/// The part T of one contact: its velocity for each component of that of its patch.
pub(crate) type Basis<const D: usize> = [[f64; RANK]; D];

/// Products of blocks for each contact from which factors of patches take less time than those of contacts.
const FILL: f64 = 160.0;

/// W by patches of contacts.
#[derive(Debug)]
pub(crate) struct Patches<const D: usize> {
    /// The contacts by patches, and where each patch begins.
    contacts: Vec<u32>,
    start: Vec<u32>,
    /// Components that the velocities of a patch really have.
    pub(crate) rank: Vec<usize>,
    /// By contacts.
    pub(crate) basis: Vec<Basis<D>>,
    /// V.
    pub(crate) V: BlockMatrix,
}

/// Rows of W for each component of the patches from which the smaller matrix pays.
const GAIN: f64 = 1.25;

/// Contacts that meet the same others.
#[derive(Debug)]
pub(crate) struct Alike {
    groups: Vec<Vec<u32>>,
    /// Which groups meet: the rows of a matrix with a block for each.
    start: Vec<u32>,
    cols: Vec<u32>,
}

impl Alike {
    pub(crate) fn of(W: &BlockMatrix) -> Self {
        let (groups, of_contact) = alike(W);
        let (start, cols) = pattern(W, groups.iter().map(|g| g[0]), &of_contact);
        Self { groups, start, cols }
    }

    /// Whether the groups have few components for their contacts, and the factors of a matrix of contacts would fill: k contacts
    /// for each group mean k³ products of blocks for one of groups.
    pub(crate) fn pays(&self, D: usize) -> bool {
        let components = self.groups.iter().map(|g| RANK.min(g.len() * D)).sum();
        let contacts: usize = self.groups.iter().map(Vec::len).sum();
        if !pays(components, contacts * D) {
            return false;
        }
        let (groups, contacts) = (self.groups.len() as f64, contacts as f64);
        let work = order((&self.start, &self.cols)).1 + groups;
        work * (contacts / groups).powi(3) > FILL * contacts
    }
}

fn pays(components: usize, rows: usize) -> bool {
    components as f64 * GAIN <= rows as f64
}

impl<const D: usize> Patches<D> {
    /// None where W is not of this form up to rounding, or where the components are too many.
    pub(crate) fn new<const DD: usize>(W: &BlockMatrix, alike: &Alike) -> Option<Self> {
        let (mut contacts, mut start, mut rank) = (Vec::new(), vec![0], Vec::new());
        let mut basis = vec![[[0.0; RANK]; D]; W.blocks()];
        let mut add = |group: &[u32], components: usize| {
            contacts.extend_from_slice(group);
            start.push(contacts.len() as u32);
            rank.push(components);
        };
        for group in &alike.groups {
            match range::<D, DD>(W, group) {
                Some(columns) => {
                    put(&columns, group, &mut basis);
                    add(group, columns.len());
                }
                None => group.iter().for_each(|&i| {
                    (0..D).for_each(|a| basis[i as usize][a][a] = 1.0);
                    add(&[i], D);
                }),
            }
        }
        if !pays(rank.iter().sum(), W.blocks() * D) {
            return None;
        }
        let V = BlockMatrix::with_pattern(RANK, vec![0], Vec::new());
        let mut out = Self { contacts, start, rank, basis, V };
        out.compress::<DD>(W);
        out.is_faithful(W).then_some(out)
    }

    /// Number of patches.
    pub(crate) fn count(&self) -> usize {
        self.rank.len()
    }

    /// The contacts of patch `g`.
    pub(crate) fn contacts(&self, g: usize) -> &[u32] {
        &self.contacts[self.start[g] as usize..self.start[g + 1] as usize]
    }

    /// V_gh = T_gᵀ W_gh T_h.
    fn compress<const DD: usize>(&mut self, W: &BlockMatrix) {
        let of_contact = self.of_contact();
        let firsts = (0..self.count()).map(|g| self.contacts(g)[0]);
        let (start, cols) = pattern(W, firsts, &of_contact);
        let mut V = BlockMatrix::with_pattern(RANK, start, cols);
        let blocks = W.chunks::<DD>();
        let (mut place, mut sums) = (vec![0; self.count()], Vec::new());
        for g in 0..self.count() {
            let first = V.row(g).start;
            V.row(g).for_each(|k| place[V.column(k)] = k - first);
            for &i in self.contacts(g) {
                sums.clear();
                sums.resize(V.row(g).len(), [[0.0; RANK]; D]);
                for k in W.row(i as usize) {
                    let j = W.column(k);
                    add_product(&blocks[k], &self.basis[j], &mut sums[place[of_contact[j] as usize]]);
                }
                for (k, sum) in sums.iter().enumerate() {
                    add_transposed(&self.basis[i as usize], sum, V.block_mut(first + k));
                }
            }
        }
        self.V = V;
    }

    /// The patch of every contact.
    fn of_contact(&self) -> Vec<u32> {
        let mut out = vec![0; self.contacts.len()];
        for g in 0..self.count() {
            self.contacts(g).iter().for_each(|&i| out[i as usize] = g as u32);
        }
        out
    }

    /// Whether W z = T V Tᵀ z up to rounding for a vector z without pattern.
    fn is_faithful(&self, W: &BlockMatrix) -> bool {
        let n = W.blocks() * D;
        let z: Vec<f64> = (0..n).map(|k| (k as f64 * STEP).sin()).collect();
        let mut expected = vec![0.0; n];
        W.apply(&z, &vec![0.0; n], &mut expected);
        let mut inner = vec![[0.0; RANK]; self.count()];
        for (g, inner) in inner.iter_mut().enumerate() {
            *inner = self.gathered(g, z.as_chunks::<D>().0);
        }
        let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        (0..self.count()).all(|g| {
            let mut sum = [0.0; RANK];
            for k in self.V.row(g) {
                let (block, y) = (self.V.block(k).as_chunks::<RANK>().0, &inner[self.V.column(k)]);
                sum.iter_mut().zip(block).for_each(|(s, row)| *s += dot(row, y));
            }
            self.contacts(g).iter().all(|&i| {
                let expected = &expected.as_chunks::<D>().0[i as usize];
                let near = |a: usize| dot(&self.basis[i as usize][a], &sum) - expected[a];
                (0..D).all(|a| near(a).abs() <= Tol::default().asymmetry_noise * size)
            })
        })
    }

    /// Σ T_iᵀ x_i over the contacts of patch `g`.
    pub(crate) fn gathered(&self, g: usize, x: &[[f64; D]]) -> [f64; RANK] {
        let mut out = [0.0; RANK];
        for &i in self.contacts(g) {
            for (row, x) in self.basis[i as usize].iter().zip(&x[i as usize]) {
                out.iter_mut().zip(row).for_each(|(o, t)| *o += t * x);
            }
        }
        out
    }
}

/// What makes sin(k · STEP) look like no pattern.
const STEP: f64 = 1.7;

/// Contacts with the same row of blocks, together, and the group of each.
fn alike(W: &BlockMatrix) -> (Vec<Vec<u32>>, Vec<u32>) {
    let (start, cols) = W.pattern();
    let row = |i: usize| &cols[start[i] as usize..start[i + 1] as usize];
    let mut of_contact = vec![u32::MAX; W.blocks()];
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for i in 0..W.blocks() {
        let before = row(i).iter().take_while(|&&j| (j as usize) < i);
        match before.copied().find(|&j| row(j as usize) == row(i)) {
            Some(first) => of_contact[i] = of_contact[first as usize],
            None => {
                of_contact[i] = groups.len() as u32;
                groups.push(Vec::new());
            }
        }
        groups[of_contact[i] as usize].push(i as u32);
    }
    (groups, of_contact)
}

/// Which groups meet, by the rows of one contact of each.
fn pattern(W: &BlockMatrix, contacts: impl Iterator<Item = u32>, of_contact: &[u32]) -> (Vec<u32>, Vec<u32>) {
    compressed(contacts.map(|i| W.row(i as usize).map(|k| of_contact[W.column(k)])))
}

/// The parts of basis vectors that belong to each contact of a group.
fn put<const D: usize>(columns: &[Vec<f64>], group: &[u32], basis: &mut [Basis<D>]) {
    for (&i, at) in group.iter().zip((0..).step_by(D)) {
        for (a, row) in basis[i as usize].iter_mut().enumerate() {
            row.iter_mut().zip(columns).for_each(|(t, column)| *t = column[at + a]);
        }
    }
}

/// An orthonormal basis of the range of W_gg, the largest remaining column first; none if it has too many vectors.
fn range<const D: usize, const DD: usize>(W: &BlockMatrix, group: &[u32]) -> Option<Vec<Vec<f64>>> {
    let mut columns = own_columns::<D, DD>(W, group);
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut least = None;
    loop {
        let norms = columns.iter().map(|c| dot(c, c));
        let (at, square) = norms.enumerate().fold((0, 0.0), |m, x| if x.1 > m.1 { x } else { m });
        if square.sqrt() <= *least.get_or_insert(square.sqrt() * Tol::default().singular) {
            return Some(basis);
        }
        if basis.len() == RANK {
            return None;
        }
        let mut next = columns[at].clone();
        normalise(&mut next);
        // what rounding has left along the others shows in a short column
        basis.iter().for_each(|b| without(b, &mut next));
        normalise(&mut next);
        columns.iter_mut().for_each(|c| without(&next, c));
        basis.push(next);
    }
}

fn own_columns<const D: usize, const DD: usize>(W: &BlockMatrix, group: &[u32]) -> Vec<Vec<f64>> {
    let n = group.len() * D;
    let mut columns = vec![vec![0.0; n]; n];
    for (at_i, &i) in group.iter().enumerate() {
        for (at_j, &j) in group.iter().enumerate() {
            let Some(k) = W.find(i as usize, j as usize) else { continue };
            for (e, x) in W.chunks::<DD>()[k].iter().enumerate() {
                columns[at_j * D + e % D][at_i * D + e / D] = *x;
            }
        }
    }
    columns
}

fn normalise(x: &mut [f64]) {
    let length = dot(x, x).sqrt();
    x.iter_mut().for_each(|x| *x /= length);
}

/// x without its part along the unit vector b.
fn without(b: &[f64], x: &mut [f64]) {
    let part = dot(b, x);
    x.iter_mut().zip(b).for_each(|(x, b)| *x -= part * b);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// sum += W_ij T_j.
fn add_product<const D: usize, const DD: usize>(w: &[f64; DD], t: &Basis<D>, sum: &mut Basis<D>) {
    for a in 0..D {
        for b in 0..D {
            (0..RANK).for_each(|k| sum[a][k] += w[a * D + b] * t[b][k]);
        }
    }
}

/// v += T_iᵀ sum.
fn add_transposed<const D: usize>(t: &Basis<D>, sum: &Basis<D>, v: &mut [f64]) {
    for (row, v) in v.as_chunks_mut::<RANK>().0.iter_mut().enumerate() {
        for a in 0..D {
            (0..RANK).for_each(|k| v[k] += t[a][row] * sum[a][k]);
        }
    }
}
