//! Cholesky factorisation A = L Lᵀ of a large sparse matrix by the multifrontal method: each supernode gathers its
//! entries of A and what its children leave in one dense block, eliminates its columns, and hands on the rest (Davis,
//! Direct Methods for Sparse Linear Systems, 2006, section 4.9 and the notes to chapter 4). Almost all work is then
//! in products of dense matrices. Dependent rows are held at zero instead of refused: A is semidefinite where
//! velocities move no contact.

mod front;
mod symbolic;

use front::{Front, subtract_multiple};
use symbolic::Supernode;
pub(crate) use symbolic::Symbolic;

/// L, a dense block of columns per supernode.
#[derive(Debug, Default)]
pub(crate) struct Cholesky {
    blocks: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Factors the matrix with these values on the permuted pattern of `symbolic`. Pivots of at most
    /// the part `negligible` of their diagonal entry are taken for rounding.
    pub(crate) fn new(symbolic: &Symbolic, values: &[f64], negligible: f64) -> Self {
        let mut local = vec![0u32; symbolic.order.len()];
        let mut rests: Vec<Vec<f64>> = vec![Vec::new(); symbolic.supernodes.len()];
        let mut front = Front::default();
        let mut blocks = Vec::with_capacity(symbolic.supernodes.len());
        for (s, node) in symbolic.supernodes.iter().enumerate() {
            front.clear(node.rows.len());
            node.rows.iter().enumerate().for_each(|(k, &i)| local[i as usize] = k as u32);
            gather(symbolic, s, values, &local, &mut front);
            for &child in &node.children {
                let rest = std::mem::take(&mut rests[child]);
                let below = &symbolic.supernodes[child];
                extend(&mut front, &rest, &below.rows[below.width..], &local);
            }
            front.eliminate(node.width, negligible);
            rests[s] = rest(&front, node.width);
            blocks.push(front.values[..front.size * node.width].to_vec());
        }
        Self { blocks }
    }

    /// x ← A⁻¹ x.
    pub(crate) fn solve(&self, symbolic: &Symbolic, x: &mut [f64]) {
        let mut y: Vec<f64> = symbolic.order.iter().map(|&j| x[j]).collect();
        let mut below = Vec::new();
        for (node, block) in symbolic.supernodes.iter().zip(&self.blocks) {
            forward(node, block, &mut y, &mut below);
        }
        for (node, block) in symbolic.supernodes.iter().zip(&self.blocks).rev() {
            backward(node, block, &mut y, &mut below);
        }
        symbolic.order.iter().zip(&y).for_each(|(&j, y)| x[j] = *y);
    }
}

/// The entries of A in the columns of supernode s.
fn gather(symbolic: &Symbolic, s: usize, values: &[f64], local: &[u32], front: &mut Front) {
    let node = &symbolic.supernodes[s];
    for c in 0..node.width {
        let j = node.first + c;
        let range = symbolic.lower.start[j]..symbolic.lower.start[j + 1];
        for (&i, a) in symbolic.lower.rows[range.clone()].iter().zip(&values[range]) {
            front.values[c * front.size + local[i as usize] as usize] += a;
        }
    }
}

/// The block without its first `width` rows and columns.
fn rest(front: &Front, width: usize) -> Vec<f64> {
    let columns = front.values.chunks_exact(front.size.max(1)).skip(width);
    let mut out = Vec::with_capacity((front.size - width).pow(2));
    columns.for_each(|column| out.extend_from_slice(&column[width..]));
    out
}

/// Adds what a child left for the given rows.
fn extend(front: &mut Front, rest: &[f64], rows: &[u32], local: &[u32]) {
    let places: Vec<usize> = rows.iter().map(|&i| local[i as usize] as usize).collect();
    for (c, column) in rest.chunks_exact(rows.len().max(1)).enumerate() {
        let first = places[c] * front.size;
        let target = &mut front.values[first..first + front.size];
        places[c..].iter().zip(&column[c..]).for_each(|(&p, x)| target[p] += x);
    }
}

/// The rows below a supernode gathered in `below`, so that the work is on neighbouring numbers.
fn forward(node: &Supernode, block: &[f64], y: &mut [f64], below: &mut Vec<f64>) {
    let own = &mut y[node.first..node.first + node.width];
    below.clear();
    below.resize(node.rows.len() - node.width, 0.0);
    for (k, column) in block.chunks_exact(node.rows.len()).enumerate() {
        let x = own[k] / column[k];
        own[k] = x;
        subtract_multiple(&mut own[k + 1..], x, &column[k + 1..node.width]);
        subtract_multiple(below, x, &column[node.width..]);
    }
    node.rows[node.width..].iter().zip(below).for_each(|(&i, x)| y[i as usize] += *x);
}

fn backward(node: &Supernode, block: &[f64], y: &mut [f64], below: &mut Vec<f64>) {
    below.clear();
    below.extend(node.rows[node.width..].iter().map(|&i| y[i as usize]));
    let own = &mut y[node.first..node.first + node.width];
    for (k, column) in block.chunks_exact(node.rows.len()).enumerate().rev() {
        let known = dot(&column[k + 1..node.width], &own[k + 1..]) + dot(&column[node.width..], below);
        own[k] = (own[k] - known) / column[k];
    }
}

/// With eight sums, which the processor forms side by side.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    a8.iter().zip(b8).for_each(|(a, b)| (0..8).for_each(|k| sums[k] += a[k] * b[k]));
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests;
