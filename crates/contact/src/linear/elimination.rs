//! What every sparse factorisation asks first: an order with little fill, and the elimination tree, in which the parent of
//! a column is the first one below its diagonal in the factor.

/// A column without parent.
pub(crate) const ROOT: usize = usize::MAX;

/// Approximate minimum degree order of a pattern by columns; the given order where there is none.
pub(crate) fn minimum_degree(start: &[usize], rows: &[usize]) -> Vec<usize> {
    let n = start.len() - 1;
    match amd::order(n, start, rows, &amd::Control::default()) {
        Ok((order, _, _)) => order,
        Err(_) => (0..n).collect(),
    }
}

/// Parent of every column in the elimination tree, and the number of entries of every column of L below its diagonal.
/// `row(k)` has the columns of row k of the lower triangle; what is not left of the diagonal is passed over.
pub(crate) fn elimination_tree<I: Iterator<Item = usize>>(
    n: usize,
    row: impl Fn(usize) -> I,
) -> (Vec<usize>, Vec<usize>) {
    let mut tree = Tree::default();
    tree.find(n, row, usize::MAX);
    (tree.parent, tree.counts)
}

/// The columns with every subtree in one run, children before parents.
pub(crate) fn postorder(parent: &[usize]) -> Vec<usize> {
    let n = parent.len();
    let (mut head, mut next) = (vec![ROOT; n + 1], vec![ROOT; n]);
    let slot = |p: usize| if p == ROOT { n } else { p };
    for j in (0..n).rev() {
        next[j] = std::mem::replace(&mut head[slot(parent[j])], j);
    }
    let (mut order, mut stack) = (Vec::with_capacity(n), vec![n]);
    while let Some(&top) = stack.last() {
        match head[top] {
            ROOT => {
                stack.pop();
                if top < n {
                    order.push(top);
                }
            }
            child => {
                head[top] = next[child];
                stack.push(child);
            }
        }
    }
    order
}

/// An elimination tree, in memory that stays.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) parent: Vec<usize>,
    /// Entries of every column of L below its diagonal.
    pub(super) counts: Vec<usize>,
    mark: Vec<usize>,
}

impl Tree {
    /// As [`elimination_tree`]; false as soon as L has more than `most` entries below the diagonal.
    pub(super) fn find<I: Iterator<Item = usize>>(
        &mut self,
        n: usize,
        row: impl Fn(usize) -> I,
        most: usize,
    ) -> bool {
        let Self { parent, counts, mark } = self;
        let mut left = most;
        for (numbers, start) in [(&mut *parent, ROOT), (counts, 0), (mark, ROOT)] {
            numbers.clear();
            numbers.resize(n, start);
        }
        for k in 0..n {
            mark[k] = k;
            for mut j in row(k) {
                while j < k && mark[j] != k {
                    if parent[j] == ROOT {
                        parent[j] = k;
                    }
                    if left == 0 {
                        return false;
                    }
                    left -= 1;
                    counts[j] += 1;
                    mark[j] = k;
                    j = parent[j];
                }
            }
        }
        true
    }

    /// The tree alone, without the entries of L, in about as many steps as the pattern has entries [Liu 1986].
    pub(super) fn find_parents<I: Iterator<Item = usize>>(&mut self, n: usize, row: impl Fn(usize) -> I) {
        let Self { parent, mark: ancestor, .. } = self;
        for numbers in [&mut *parent, &mut *ancestor] {
            numbers.clear();
            numbers.resize(n, ROOT);
        }
        for k in 0..n {
            for mut j in row(k) {
                while j < k {
                    let next = std::mem::replace(&mut ancestor[j], k);
                    if next == ROOT {
                        parent[j] = k;
                        break;
                    }
                    j = next;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An arrow: every column meets the last one only.
    #[test]
    fn the_tree_of_an_arrow_is_a_star() {
        let rows = |k: usize| if k == 3 { 0..3 } else { 0..0 };
        assert_eq!(elimination_tree(4, rows), (vec![3, 3, 3, ROOT], vec![1, 1, 1, 0]));
    }

    /// The arrow the other way round fills up: a chain.
    #[test]
    fn the_tree_of_a_reversed_arrow_is_a_chain() {
        let rows = |k: usize| if k > 0 { 0..1 } else { 0..0 };
        assert_eq!(elimination_tree(4, rows), (vec![1, 2, 3, ROOT], vec![3, 2, 1, 0]));
    }

    /// Both ways to the tree, on a pattern with fill; and the bound on the entries.
    #[test]
    fn the_parents_are_those_of_the_whole_tree() {
        let pattern: [&[usize]; 6] = [&[], &[], &[0], &[1], &[0, 3], &[2]];
        let row = |k: usize| pattern[k].iter().copied();
        let (parent, counts) = elimination_tree(6, row);
        assert_eq!(parent, [2, 3, 4, 4, 5, ROOT]);
        let mut tree = Tree::default();
        tree.find_parents(6, row);
        assert_eq!(tree.parent, parent);
        let entries = counts.iter().sum::<usize>();
        assert!(tree.find(6, row, entries) && !tree.find(6, row, entries - 1));
    }

    #[test]
    fn minimum_degree_puts_the_hub_of_an_arrow_last() {
        // a hub in column 0, joined to five others
        let start = [0, 6, 8, 10, 12, 14, 16];
        let rows = [0, 1, 2, 3, 4, 5, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5];
        let order = minimum_degree(&start, &rows);
        assert!(order[4..].contains(&0), "{order:?}");
    }
}
