//! The order of elimination and the fronts of the multifrontal factorisation, contact by contact.
//!
//! For every set of contacts with
//! unknowns: elimination tree, its postorder, the number of contacts below each in its column of L, and fronts:
//! consecutive contacts whose columns of L have the same pattern, or nearly (Davis, Direct Methods for Sparse Linear
//! Systems, sections 4.1 to 4.4; Liu 1992).

use super::super::block::BlockMatrix;

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
    parent: Vec<u32>,
    counts: Vec<u32>,
    mark: Vec<u32>,
    work: Vec<u32>,
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
            parent: Vec::new(),
            counts: Vec::new(),
            mark: Vec::new(),
            work: Vec::new(),
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
        self.tree(W);
        self.postorder();
        self.place_sequence();
        self.count(W);
        self.find_fronts();
        self.patterns(W);
    }

    fn place_sequence(&mut self) {
        self.place.clear();
        self.place.resize(self.order.len(), NONE);
        self.sequence.iter().enumerate().for_each(|(k, &i)| self.place[i as usize] = k as u32);
    }

    /// Elimination tree of the sequence, with path compression.
    fn tree(&mut self, W: &BlockMatrix) {
        let n = self.sequence.len();
        self.parent.clear();
        self.parent.resize(n, NONE);
        let ancestor = &mut self.work;
        ancestor.clear();
        ancestor.resize(n, NONE);
        for k in 0..n as u32 {
            for b in W.row(self.sequence[k as usize] as usize) {
                let mut j = self.place[W.column(b)];
                while j < k {
                    let next = std::mem::replace(&mut ancestor[j as usize], k);
                    if next == NONE {
                        self.parent[j as usize] = k;
                    }
                    j = if next == NONE { k } else { next };
                }
            }
        }
    }

    /// Reorders the sequence so that every subtree is consecutive; the tree is renumbered.
    fn postorder(&mut self) {
        let n = self.sequence.len();
        // size of every subtree, then the first place of every subtree
        let mut size = vec![1_u32; n];
        for k in 0..n {
            if self.parent[k] != NONE {
                size[self.parent[k] as usize] += size[k];
            }
        }
        let (mut next, mut root, mut new) = (vec![0_u32; n], 0, vec![0_u32; n]);
        for k in (0..n).rev() {
            // the children of a contact are laid out from the last place before it downwards
            let end = match self.parent[k] {
                NONE => n as u32 - root,
                p => next[p as usize],
            };
            new[k] = end - 1;
            next[k] = end - 1;
            match self.parent[k] {
                NONE => root += size[k],
                p => next[p as usize] -= size[k],
            }
        }
        let (sequence, parent) = (self.sequence.clone(), self.parent.clone());
        for k in 0..n {
            let to = new[k] as usize;
            self.sequence[to] = sequence[k];
            self.parent[to] = if parent[k] == NONE { NONE } else { new[parent[k] as usize] };
        }
    }

    /// Contacts below the diagonal in every column of L.
    fn count(&mut self, W: &BlockMatrix) {
        let n = self.sequence.len();
        self.counts.clear();
        self.counts.resize(n, 0);
        self.mark.clear();
        self.mark.resize(n, NONE);
        for k in 0..n as u32 {
            self.mark[k as usize] = k;
            for b in W.row(self.sequence[k as usize] as usize) {
                let mut j = self.place[W.column(b)];
                while j < k && self.mark[j as usize] != k {
                    self.mark[j as usize] = k;
                    self.counts[j as usize] += 1;
                    j = self.parent[j as usize];
                }
            }
        }
    }

    /// Joins a front with the next one as long as that adds few zeros.
    fn find_fronts(&mut self) {
        self.fronts.clear();
        let zeros = &mut self.work;
        zeros.clear();
        for k in 0..self.sequence.len() as u32 {
            let mut front =
                Front { first: k, end: k + 1, start: 0, count: self.counts[k as usize], children: 0 };
            let mut own = 0;
            while let (Some(last), Some(&filled)) = (self.fronts.last(), zeros.last()) {
                let parent = self.parent[last.end as usize - 1];
                if parent == NONE || parent > k {
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
        self.mark.fill(NONE);
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

/// Fronts of up to this many contacts are joined whatever the zeros.
const SMALL_FRONT: u32 = 4;
/// Larger ones when at most one in this many of their entries is a zero.
const ZERO_SHARE: u32 = 6;
