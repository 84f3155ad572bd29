//! Contacts cut into slabs, of which none touches another but the one before and the one after: layers of equal distance from a contact at
//! the edge, as many as make the size wanted.

use crate::linear::BlockMatrix;

/// Which contacts are in which slab.
#[derive(Debug, Default)]
pub(super) struct Layers {
    /// The contacts of one slab after the other, ascending in each, and where the slabs begin.
    order: Vec<u32>,
    start: Vec<usize>,
    /// Of every contact the slab, and the place in it.
    place: Vec<(u32, u32)>,
    /// Whether a contact was reached.
    reached: Vec<bool>,
}

impl Layers {
    /// Cuts the contacts of W into slabs of at least `size`, all but the last.
    pub(super) fn cut(&mut self, W: &BlockMatrix, size: usize) {
        let contacts = W.blocks();
        self.order.clear();
        self.reached.clear();
        self.reached.resize(contacts, false);
        let mut ends = Vec::new();
        for seed in 0..contacts {
            if self.reached[seed] {
                continue;
            }
            // from the last one that is reached, the layers are many and small
            let begin = self.order.len();
            self.spread(W, seed, &mut Vec::new());
            let edge = self.order[self.order.len() - 1] as usize;
            for contact in self.order.drain(begin..) {
                self.reached[contact as usize] = false;
            }
            self.spread(W, edge, &mut ends);
        }
        self.start.clear();
        self.start.push(0);
        for end in ends {
            if end - self.start[self.start.len() - 1] >= size {
                self.start.push(end);
            }
        }
        let last = self.start.len() - 1;
        if self.start[last] < contacts {
            // what is left over belongs to the last
            if last > 0 { self.start[last] = contacts } else { self.start.push(contacts) }
        }
        self.find_places();
    }

    /// Layer after layer from one contact; where they end.
    fn spread(&mut self, W: &BlockMatrix, from: usize, ends: &mut Vec<usize>) {
        let mut at = self.order.len();
        self.reached[from] = true;
        self.order.push(from as u32);
        while at < self.order.len() {
            let end = self.order.len();
            ends.push(end);
            for k in at..end {
                for block in W.row(self.order[k] as usize) {
                    let next = W.column(block);
                    if !std::mem::replace(&mut self.reached[next], true) {
                        self.order.push(next as u32);
                    }
                }
            }
            at = end;
        }
    }

    fn find_places(&mut self) {
        let Self { order, start, place, .. } = self;
        place.clear();
        place.resize(order.len(), (0, 0));
        for (slab, ends) in start.windows(2).enumerate() {
            let own = &mut order[ends[0]..ends[1]];
            own.sort_unstable();
            for (at, contact) in own.iter().enumerate() {
                place[*contact as usize] = (slab as u32, at as u32);
            }
        }
    }

    /// How many slabs.
    pub(super) fn count(&self) -> usize {
        self.start.len() - 1
    }

    /// The largest slab.
    pub(super) fn largest(&self) -> usize {
        self.start.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0)
    }

    /// The contacts of a slab, ascending.
    pub(super) fn of(&self, slab: usize) -> &[u32] {
        &self.order[self.start[slab]..self.start[slab + 1]]
    }

    /// The slab of a contact, and its place there.
    pub(super) fn place(&self, contact: usize) -> (usize, u32) {
        let (slab, at) = self.place[contact];
        (slab as usize, at)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;
    use crate::linear::Sparse;

    /// Every contact once, and every coupling within a slab or to the next one; also where there are several pieces.
    #[test]
    fn slabs_touch_their_neighbours_alone() {
        let n: usize = 60;
        // a long board of three contacts side by side, and single ones
        let meet = |i: usize, j: usize| i == j || i.max(j) < 45 && (i / 3).abs_diff(j / 3) < 2;
        let scattered = |i: usize| i * 17 % n;
        let mut dense = vec![vec![0.0; 2 * n]; 2 * n];
        for i in 0..2 * n {
            for j in 0..2 * n {
                dense[i][j] = f64::from(u8::from(meet(scattered(i / 2), scattered(j / 2))));
            }
        }
        let W = BlockMatrix::from_sparse(2, &Sparse::from_dense("W", &dense, 2 * n).unwrap());
        let mut layers = Layers::default();
        for (size, count) in [(1, 30), (100, 1), (7, 0)] {
            layers.cut(&W, size);
            assert!(count == 0 || layers.count() == count, "{size}: {}", layers.count());
            let mut all: Vec<u32> = (0..layers.count()).flat_map(|slab| layers.of(slab)).copied().collect();
            all.sort_unstable();
            assert_eq!(all, (0..n as u32).collect::<Vec<_>>());
            for i in 0..n {
                let (slab, at) = layers.place(i);
                assert_eq!(layers.of(slab)[at as usize], i as u32);
                let near = |k: usize| layers.place(W.column(k)).0.abs_diff(slab) <= 1;
                assert!(W.row(i).all(near), "{size}: {i}");
            }
            assert!(layers.largest() >= size.min(n));
        }
    }
}
