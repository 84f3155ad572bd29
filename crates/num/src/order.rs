//! Sorting where nobody waits for it. The standard library's sorts are made anew for each type and each comparison, some kilobytes of code
//! a time, which were a twentieth of the explorer's module; here all lists share one, which sees places alone.

use std::cmp::Ordering;

/// A list that is put in order, equal entries in the order in which they were.
pub trait InOrder<T> {
    /// By a comparison.
    fn put_in_order(&mut self, by: impl FnMut(&T, &T) -> Ordering);

    /// By a key, which is computed for each comparison.
    fn put_in_order_of<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> InOrder<T> for [T] {
    fn put_in_order(&mut self, mut by: impl FnMut(&T, &T) -> Ordering) {
        if self.len() <= FEW {
            for end in 1..self.len() {
                let mut at = end;
                while at > 0 && by(&self[at - 1], &self[at]) == Ordering::Greater {
                    self.swap(at - 1, at);
                    at -= 1;
                }
            }
            return;
        }
        let mut order = ordered(self.len(), &mut |a, b| by(&self[a], &self[b]));
        for at in 0..self.len() {
            let from = source(&mut order, at);
            self.swap(at, from);
        }
    }

    fn put_in_order_of<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.put_in_order(|a, b| key(a).cmp(&key(b)));
    }
}

/// Up to so many entries are inserted one by one, without memory.
const FEW: usize = 20;

/// The places of a list in its order.
fn ordered(len: usize, by: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| by(*a, *b));
    order
}

/// Where the entry is now that belongs at a place, those before it being there already.
fn source(order: &mut [usize], at: usize) -> usize {
    let mut from = order[at];
    while from < at {
        from = order[from];
    }
    // what stood at the place goes where its entry came from
    order[at] = from;
    from
}

#[cfg(test)]
mod tests {
    use super::InOrder;
    use crate::random::Stream;

    #[test]
    fn lists_are_as_the_standard_library_sorts_them() {
        let mut stream = Stream(7);
        for len in (0..60).chain([1000]) {
            let own: Vec<(usize, usize)> = (0..len).map(|k| ((stream.draw() * 9.0) as usize, k)).collect();
            let (mut ours, mut theirs) = (own.clone(), own);
            ours.put_in_order_of(|entry| entry.0);
            theirs.sort_by_key(|entry| entry.0);
            assert_eq!(ours, theirs);
        }
        let mut turned: Vec<usize> = (0..100).map(|k| (k + 99) % 100).collect();
        turned.put_in_order(Ord::cmp);
        assert!(turned.is_sorted());
    }
}
