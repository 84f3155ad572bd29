//! Where expressions stand in a list: a table of hashes, of which nothing is ever taken out and that nobody goes through.

/// The places of what is in a list, by their hashes.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// One more than a place, or 0; a power of two of them, at most half of which are taken.
    slots: Vec<u32>,
    taken: usize,
}

/// Slots at first.
const FIRST: usize = 64;

impl Places {
    /// The place of what has this hash and is the same; `next` from now on if there is none. `hash_at` says of a place what hash it has.
    pub(super) fn find_or_insert(
        &mut self,
        (hash, next): (u64, u32),
        is_same: impl Fn(u32) -> bool,
        hash_at: impl Fn(u32) -> u64,
    ) -> u32 {
        if 2 * (self.taken + 1) > self.slots.len() {
            self.grow(hash_at);
        }
        let mut slot = self.first_slot(hash);
        while let Some(place) = self.slots[slot].checked_sub(1) {
            if is_same(place) {
                return place;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = next + 1;
        self.taken += 1;
        next
    }

    /// Where a hash is sought first: by its upper half, which all of its bits have gone into.
    fn first_slot(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self, hash_at: impl Fn(u32) -> u64) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![0; (2 * old.len()).max(FIRST)];
        for place in old.into_iter().filter_map(|slot| slot.checked_sub(1)) {
            let mut slot = self.first_slot(hash_at(place));
            while self.slots[slot] > 0 {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = place + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    /// Also where all hashes are the same.
    #[test]
    fn each_number_is_found_where_it_was_put() {
        for hash in [|x: u64| x.wrapping_mul(0x9E37_79B9_7F4A_7C15), |_| 7] {
            let (mut places, mut list) = (Places::default(), Vec::new());
            for x in (0..500_u64).chain(0..600) {
                let x = x * x;
                let at = |place: u32| list[place as usize];
                let next = list.len() as u32;
                let place = places.find_or_insert((hash(x), next), |p| at(p) == x, |p| hash(at(p)));
                if place == next {
                    list.push(x);
                }
                assert_eq!(list[place as usize], x);
            }
            assert_eq!(list.len(), 600);
        }
    }
}
