//! What a factorisation A = L Lᵀ needs to know before the numbers: a fill-reducing order, the elimination tree, and
//! supernodes, runs of columns of L with (nearly) one pattern, which are factored as one dense block.

use super::super::elimination::{ROOT as NONE, elimination_tree, minimum_degree, postorder};

/// Widths of supernodes, and the largest part of zeros that merging may put into one of at most this width: work on a few zeros is
/// cheaper than many small blocks. Wider ones take [`ZEROS_WIDE`].
const ZEROS: [(usize, f64); 3] = [(6, 0.8), (16, 0.4), (48, 0.1)];
const ZEROS_WIDE: f64 = 0.05;

/// The lower triangle, diagonal included, of a symmetric pattern by columns, rows ascending.
#[derive(Clone, Debug)]
pub(crate) struct Lower {
    pub(crate) start: Vec<usize>,
    pub(crate) rows: Vec<u32>,
}

impl Lower {
    /// The pattern in which the members of every clique are joined.
    fn of_cliques<'a>(n: usize, cliques: impl Iterator<Item = &'a [u32]> + Clone) -> Self {
        let pairs = |clique: &'a [u32]| {
            let before = move |i: u32| clique.iter().filter(move |&&j| j <= i);
            clique.iter().flat_map(move |&i| before(i).map(move |&j| (j as usize, i)))
        };
        Self::of_entries(n, (0..n).map(|j| (j, j as u32)).chain(cliques.flat_map(pairs)))
    }

    /// Of columns and rows in any order, which may stand there several times.
    fn of_entries(n: usize, entries: impl Iterator<Item = (usize, u32)> + Clone) -> Self {
        let (start, mut rows) = by_key(n, entries);
        let mut out = Self { start: vec![0], rows: Vec::new() };
        for j in 0..n {
            let column = &mut rows[start[j]..start[j + 1]];
            column.sort_unstable();
            let first = out.rows.len();
            for &i in column.iter() {
                if out.rows.len() == first || out.rows.last() != Some(&i) {
                    out.rows.push(i);
                }
            }
            out.start.push(out.rows.len());
        }
        out
    }

    pub(crate) fn size(&self) -> usize {
        self.start.len() - 1
    }

    pub(crate) fn column(&self, j: usize) -> &[u32] {
        &self.rows[self.start[j]..self.start[j + 1]]
    }

    /// Where the entry (i, j), i ≥ j, is stored; it must be in the pattern.
    pub(crate) fn position(&self, i: u32, j: u32) -> usize {
        self.start[j as usize] + self.column(j as usize).partition_point(|&k| k < i)
    }

    /// The columns left of the diagonal in each row: the upper triangle by columns, without the diagonal.
    fn rows_before(&self) -> (Vec<usize>, Vec<u32>) {
        let n = self.size();
        by_key(n, (0..n).flat_map(|j| self.column(j)[1..].iter().map(move |&i| (i as usize, j as u32))))
    }
}

/// What belongs to every key below n, in the order given, and where it begins.
fn by_key(n: usize, entries: impl Iterator<Item = (usize, u32)> + Clone) -> (Vec<usize>, Vec<u32>) {
    let mut start = vec![0; n + 1];
    entries.clone().for_each(|(key, _)| start[key + 1] += 1);
    (0..n).for_each(|key| start[key + 1] += start[key]);
    let (mut next, mut found) = (start.clone(), vec![0; start[n]]);
    for (key, value) in entries {
        found[next[key]] = value;
        next[key] += 1;
    }
    (start, found)
}

/// One supernode: columns `first..first + width` of the permuted matrix; `rows` are the rows of its block, its own first.
#[derive(Clone, Debug)]
pub(crate) struct Supernode {
    pub(crate) first: usize,
    pub(crate) width: usize,
    pub(crate) rows: Vec<u32>,
    pub(crate) children: Vec<usize>,
}

/// The order and the supernodes, children before parents.
#[derive(Clone, Debug)]
pub(crate) struct Symbolic {
    /// order[k] is the row of A that comes k-th; place is its inverse.
    pub(crate) order: Vec<usize>,
    pub(crate) place: Vec<u32>,
    /// The permuted pattern.
    pub(crate) lower: Lower,
    pub(crate) supernodes: Vec<Supernode>,
}

impl Symbolic {
    /// Orders the symmetric matrix of size `n` whose entries couple the members of each clique.
    pub(crate) fn new(n: usize, cliques: &[&[u32]]) -> Self {
        let given = Lower::of_cliques(n, cliques.iter().copied());
        let order = fill_reducing(&given);
        let (parent, _) = tree(&permuted(&given, &order));
        let order: Vec<usize> = postorder(&parent).into_iter().map(|k| order[k]).collect();
        let lower = permuted(&given, &order);
        let (parent, counts) = tree(&lower);
        let ranges = supernodes(&parent, &counts);
        let supernodes = structures(&lower, &parent, &ranges);
        Self { place: inverse(&order), order, lower, supernodes }
    }

    /// Multiplications of one factorisation, about.
    pub(crate) fn work(&self) -> f64 {
        let each = |s: &Supernode| (0..s.width).map(|k| ((s.rows.len() - k) as f64).powi(2)).sum::<f64>();
        0.5 * self.supernodes.iter().map(each).sum::<f64>()
    }
}

fn inverse(order: &[usize]) -> Vec<u32> {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(k, &j)| place[j] = k as u32);
    place
}

/// Approximate minimum degree.
fn fill_reducing(lower: &Lower) -> Vec<usize> {
    let rows: Vec<usize> = lower.rows.iter().map(|&i| i as usize).collect();
    minimum_degree(&lower.start, &rows)
}

fn permuted(lower: &Lower, order: &[usize]) -> Lower {
    let (n, place) = (lower.size(), inverse(order));
    let entries = (0..n).flat_map(|j| lower.column(j).iter().map(move |&i| (i, j)));
    let placed = entries.map(|(i, j)| {
        let (i, j) = (place[i as usize], place[j]);
        (i.min(j) as usize, i.max(j))
    });
    Lower::of_entries(n, placed)
}

/// Parent of every column in the elimination tree, and how many rows column j of L has below its diagonal.
fn tree(lower: &Lower) -> (Vec<usize>, Vec<usize>) {
    let (start, cols) = lower.rows_before();
    elimination_tree(lower.size(), |k| cols[start[k]..start[k + 1]].iter().map(|&j| j as usize))
}

/// A run of columns while supernodes are merged.
#[derive(Clone, Copy)]
struct Run {
    first: usize,
    width: usize,
    /// Rows of its block.
    height: usize,
    /// Zeros that merging has stored.
    zeros: usize,
}

/// First columns and widths: runs j, j + 1, … with parent[j] = j + 1 and one pattern, then merged with their last child where
/// that costs few zeros.
fn supernodes(parent: &[usize], counts: &[usize]) -> Vec<(usize, usize)> {
    let mut runs: Vec<Run> = Vec::new();
    for j in 0..parent.len() {
        match runs.last_mut() {
            Some(run) if parent[j - 1] == j && counts[j - 1] == counts[j] + 1 => run.width += 1,
            _ => runs.push(Run { first: j, width: 1, height: counts[j] + 1, zeros: 0 }),
        }
    }
    let mut merged: Vec<Run> = Vec::new();
    for mut run in runs {
        while let Some(child) = merged.pop() {
            // A run's last column is a child of what follows it, or of nothing near.
            let last = child.first + child.width - 1;
            let adopts = (run.first..run.first + run.width).contains(&parent[last]);
            match adopts.then(|| joined(&child, &run)).flatten() {
                Some(both) => run = both,
                None => {
                    merged.push(child);
                    break;
                }
            }
        }
        merged.push(run);
    }
    merged.iter().map(|run| (run.first, run.width)).collect()
}

/// Both in one block, if that stores few zeros.
fn joined(child: &Run, run: &Run) -> Option<Run> {
    let (width, height) = (child.width + run.width, child.width + run.height);
    let zeros = child.zeros + run.zeros + child.width * (height - child.height);
    let allowed = ZEROS.iter().find(|(most, _)| width <= *most).map_or(ZEROS_WIDE, |(_, part)| *part);
    let few = zeros as f64 <= allowed * (width * height) as f64;
    few.then_some(Run { first: child.first, width, height, zeros })
}

fn structures(lower: &Lower, parent: &[usize], ranges: &[(usize, usize)]) -> Vec<Supernode> {
    let mut owner = vec![0; lower.size()];
    ranges.iter().enumerate().for_each(|(s, &(first, width))| owner[first..first + width].fill(s));
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); ranges.len()];
    let mut mark = vec![NONE; lower.size()];
    let mut out: Vec<Supernode> = Vec::with_capacity(ranges.len());
    for (s, &(first, width)) in ranges.iter().enumerate() {
        let end = first + width;
        let mut rows: Vec<u32> = (first as u32..end as u32).collect();
        (first..end).for_each(|j| mark[j] = s);
        let own = (first..end).flat_map(|j| lower.column(j));
        let below = children[s].iter().flat_map(|&c| &out[c].rows[out[c].width..]);
        for &i in own.chain(below) {
            if mark[i as usize] != s {
                mark[i as usize] = s;
                rows.push(i);
            }
        }
        rows[width..].sort_unstable();
        if parent[end - 1] != NONE {
            children[owner[parent[end - 1]]].push(s);
        }
        out.push(Supernode { first, width, rows, children: std::mem::take(&mut children[s]) });
    }
    out
}
