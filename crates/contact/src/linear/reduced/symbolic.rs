//! The order of elimination and the fronts of the multifrontal factorisation, contact by contact.
//!
//! For every set of contacts with
//! unknowns: elimination tree, its postorder, the number of contacts below each in its column of L, and fronts:
//! consecutive contacts whose columns of L have the same pattern, or nearly (Davis, Direct Methods for Sparse Linear
//! Systems, sections 4.1 to 4.4; Liu 1992).

use super::super::block::BlockMatrix;
use super::super::elimination::{Tree, postorder};

pub(crate) const NONE: u32 = u32::MAX;

/// Consecutive contacts of the sequence that are eliminated together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Front {
    /// First and one past the last place in the sequence.
    pub(crate) first: u32,
    pub(crate) end: u32,
    /// Where the contacts that it updates begin in [`Symbolic::updates`], and their number.
    pub(crate) start: u32,
    pub(crate) count: u32,
    /// How many fronts send their update here.
    pub(crate) children: u32,
}

/// Order and fronts for one set of contacts with unknowns.
#[derive(Debug)]
pub(crate) struct Symbolic {
    /// All contacts in a fill-reducing order.
    order: Vec<u32>,
    /// The contacts with unknowns, as they are eliminated, and the place of each contact among them.
    pub(crate) sequence: Vec<u32>,
    pub(crate) place: Vec<u32>,
    pub(crate) fronts: Vec<Front>,
    /// Places of the contacts that the fronts update, ascending for each.
    pub(crate) updates: Vec<u32>,
    /// The set of contacts that this was found for.
    active: Vec<bool>,
    /// That of the sequence, every subtree in one run.
    tree: Tree,
    mark: Vec<u32>,
    zeros: Vec<u32>,
}

impl Symbolic {
    /// For all contacts in a fill-reducing order.
    pub(crate) fn new(order: Vec<u32>) -> Self {
        Self {
            order,
            sequence: Vec::new(),
            place: Vec::new(),
            fronts: Vec::new(),
            updates: Vec::new(),
            active: Vec::new(),
            tree: Tree::default(),
            mark: Vec::new(),
            zeros: Vec::new(),
        }
    }

    /// Makes it fit the contacts for which `active` holds; nothing to do when they are those of the last call.
    pub(crate) fn update(&mut self, W: &BlockMatrix, active: impl Iterator<Item = bool> + Clone) {
        if self.active.len() == self.order.len() && active.clone().eq(self.active.iter().copied()) {
            return;
        }
        self.active.clear();
        self.active.extend(active);
        self.sequence.clear();
        self.sequence.extend(self.order.iter().copied().filter(|&i| self.active[i as usize]));
        self.place_sequence();
        let Self { sequence, place, tree, .. } = self;
        tree.find_parents(sequence.len(), |k| places(W, sequence[k], place));
        *sequence = postorder(&tree.parent).into_iter().map(|k| sequence[k]).collect();
        self.place_sequence();
        let Self { sequence, place, tree, .. } = self;
        tree.find(sequence.len(), |k| places(W, sequence[k], place), usize::MAX);
        self.find_fronts();
        self.patterns(W);
    }

    fn place_sequence(&mut self) {
        self.place.clear();
        self.place.resize(self.order.len(), NONE);
        self.sequence.iter().enumerate().for_each(|(k, &i)| self.place[i as usize] = k as u32);
    }

    /// Joins a front with the next one as long as that adds few zeros.
    fn find_fronts(&mut self) {
        self.fronts.clear();
        let Self { tree, zeros, .. } = self;
        zeros.clear();
        for k in 0..self.sequence.len() as u32 {
            let count = tree.counts[k as usize] as u32;
            let mut front = Front { first: k, end: k + 1, start: 0, count, children: 0 };
            let mut own = 0;
            while let (Some(last), Some(&filled)) = (self.fronts.last(), zeros.last()) {
                if tree.parent[last.end as usize - 1] > k as usize {
                    break;
                }
                let (p, q) = (last.end - last.first, front.end - front.first);
                let added = p * (q + front.count - last.count) + filled + own;
                let all = (p + q) * (p + q + 1) / 2 + (p + q) * front.count;
                if p + q > SMALL_FRONT && added * ZERO_SHARE > all {
                    break;
                }
                front.first = last.first;
                own = added;
                self.fronts.pop();
                zeros.pop();
            }
            self.fronts.push(front);
            zeros.push(own);
        }
    }

    /// The contacts that every front updates: those of W and of the fronts below it.
    fn patterns(&mut self, W: &BlockMatrix) {
        self.updates.clear();
        self.mark.clear();
        self.mark.resize(self.sequence.len(), NONE);
        // fronts that wait for the one they update
        let mut waiting: Vec<u32> = Vec::new();
        for f in 0..self.fronts.len() {
            let front = self.fronts[f];
            let (tag, begin) = (f as u32, self.updates.len());
            for k in front.first..front.end {
                for b in W.row(self.sequence[k as usize] as usize) {
                    let j = self.place[W.column(b)];
                    if j != NONE && j >= front.end && self.mark[j as usize] != tag {
                        self.mark[j as usize] = tag;
                        self.updates.push(j);
                    }
                }
            }
            let mut children = 0;
            while let Some(child) = waiting.last().map(|&c| self.fronts[c as usize])
                && self.updates[child.start as usize] < front.end
            {
                for at in child.start..child.start + child.count {
                    let j = self.updates[at as usize];
                    if j >= front.end && self.mark[j as usize] != tag {
                        self.mark[j as usize] = tag;
                        self.updates.push(j);
                    }
                }
                children += 1;
                waiting.pop();
            }
            self.updates[begin..].sort_unstable();
            let count = (self.updates.len() - begin) as u32;
            self.fronts[f] = Front { start: begin as u32, count, children, ..front };
            if count > 0 {
                waiting.push(f as u32);
            }
        }
    }
}

/// Places of the contacts that a contact is coupled with.
fn places(W: &BlockMatrix, contact: u32, place: &[u32]) -> impl Iterator<Item = usize> {
    W.row(contact as usize).map(|b| place[W.column(b)] as usize)
}

/// Fronts of up to this many contacts are joined whatever the zeros.
const SMALL_FRONT: u32 = 4;
/// Larger ones when at most one in this many of their entries is a zero.
const ZERO_SHARE: u32 = 6;
