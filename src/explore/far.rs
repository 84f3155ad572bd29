//! Repetitions from afar, taken out before bytes are deflated: deflate looks back 32 KiB, and code repeats itself over megabytes. What is left are
//! steps, each so many bytes as they are and then a copy, and after all steps the bytes that are as they are.

use std::ops::Range;

/// How far back deflate looks.
const REACH: usize = 1 << 15;

/// Least length of a copy; the page's script knows it too.
pub(super) const LEAST: usize = 24;

/// What a copy must have in common with its source to be found.
const KEY: usize = 16;

/// Bits of a place in the tables.
const BITS: u32 = 18;

/// What a near repetition, which deflate finds by itself, may be shorter and still do.
const DEARER: usize = 4;

/// Lengths of the steps and of the whole as four bytes each, lowest first, the steps, and the bytes that are as they are.
pub(super) fn parted(bytes: &[u8]) -> Vec<u8> {
    let mut seen = Seen { bytes, far: vec![0; 1 << BITS], near: vec![0; 1 << BITS], known: 0 };
    let (mut steps, mut own) = (Vec::new(), Vec::new());
    let (mut at, mut begun) = (0, 0);
    while at + KEY <= bytes.len() {
        seen.know_until(at.saturating_sub(REACH));
        let end = match seen.copy(begun, at) {
            Some((copy, back)) => {
                own.truncate(own.len() - (at - copy.start));
                for number in [copy.start - begun, copy.len() - LEAST, back] {
                    put(&mut steps, number);
                }
                begun = copy.end;
                copy.end
            }
            None => {
                own.push(bytes[at]);
                at + 1
            }
        };
        (at..end).for_each(|place| seen.pass(place));
        at = end;
    }
    own.extend(&bytes[at..]);
    let lengths = [steps.len(), bytes.len()].map(|length| (length as u32).to_le_bytes());
    [lengths.as_flattened(), &steps, &own].concat()
}

/// Seven bits a byte, lowest first; the last one is below 128.
fn put(steps: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        steps.push((number & 127) as u8 | 128);
        number >>= 7;
    }
    steps.push(number as u8);
}

/// Where what was last, by what stands there; places are one more than they are, and 0 is nowhere.
struct Seen<'b> {
    bytes: &'b [u8],
    far: Vec<u32>,
    near: Vec<u32>,
    /// What stands before is far.
    known: usize,
}

impl Seen<'_> {
    /// The row of a table; none at the end.
    fn row(&self, at: usize) -> Option<usize> {
        let word = |from: usize| {
            let eight = self.bytes.get(from..from + 8)?;
            Some(u64::from_le_bytes(eight.try_into().unwrap_or_default()))
        };
        let mixed = word(at)?.wrapping_mul(FIRST).rotate_left(23) ^ word(at + 8)?;
        Some((mixed.wrapping_mul(SECOND) >> (u64::BITS - BITS)) as usize)
    }

    fn know_until(&mut self, end: usize) {
        while self.known < end {
            if let Some(row) = self.row(self.known) {
                self.far[row] = self.known as u32 + 1;
            }
            self.known += 1;
        }
    }

    fn pass(&mut self, at: usize) {
        if let Some(row) = self.row(at) {
            self.near[row] = at as u32 + 1;
        }
    }

    /// How much two places have in common.
    fn alike(&self, from: usize, at: usize) -> usize {
        let pairs = self.bytes[from..at].iter().zip(&self.bytes[at..]);
        pairs.take_while(|(a, b)| a == b).count()
    }

    /// A copy about here, after what is said already, and how far back its source is.
    fn copy(&self, begun: usize, at: usize) -> Option<(Range<usize>, usize)> {
        let row = self.row(at)?;
        let from = (self.far[row] as usize).checked_sub(1)?;
        let after = self.alike(from, at);
        if after < KEY {
            return None;
        }
        let before = (1..=from.min(at - begun)).take_while(|k| self.bytes[from - k] == self.bytes[at - k]);
        let copy = at - before.count()..at + after;
        let near = (self.near[row] as usize).checked_sub(1).filter(|near| near + REACH > at);
        let saved = near.map_or(0, |near| self.alike(near, at) + DEARER);
        (copy.len() >= LEAST.max(saved)).then_some((copy, at - from))
    }
}

/// Odd numbers whose bits look random.
const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd6e8_feb8_6659_fd93;

#[cfg(test)]
mod tests {
    use super::{LEAST, REACH, parted};

    /// As the page's script does it.
    fn whole(parted: &[u8]) -> Vec<u8> {
        let length = |k: usize| u32::from_le_bytes(parted[k..k + 4].try_into().unwrap()) as usize;
        let (end, mut at, mut bytes) = (8 + length(0), 8, Vec::new());
        let mut own = end;
        while at < end {
            let [same, more, back] = [(); 3].map(|()| {
                let (mut number, mut shift) = (0, 0);
                loop {
                    number |= usize::from(parted[at] & 127) << shift;
                    (at, shift) = (at + 1, shift + 7);
                    if parted[at - 1] < 128 {
                        return number;
                    }
                }
            });
            bytes.extend(&parted[own..own + same]);
            own += same;
            let from = bytes.len() - back;
            bytes.extend_from_within(from..from + LEAST + more);
        }
        bytes.extend(&parted[own..]);
        assert_eq!(bytes.len(), length(4));
        bytes
    }

    #[test]
    fn what_is_parted_is_whole_again_and_far_repetitions_are_gone() {
        let noise = |count: usize| (0..count).map(|k| (k * k * 7919 / 13 + k / 251) as u8);
        let block: Vec<u8> = noise(5000).collect();
        let long = [&block[..], &vec![7; REACH + 100], &block, b"end"].concat();
        for bytes in
            [Vec::new(), b"short".to_vec(), vec![0; 3 * REACH], long.clone(), noise(200_000).collect()]
        {
            assert!(whole(&parted(&bytes)) == bytes);
        }
        assert!(parted(&long).len() < long.len() - 4900);
    }
}
