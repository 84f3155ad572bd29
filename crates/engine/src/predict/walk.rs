//! All combinations of modes, or of other things one of which each contact has.

use super::mode::Mode;

/// Every combination of one mode of each contact, the first contact changing last.
pub fn combinations<M: Copy>(options: &[Vec<M>]) -> impl Iterator<Item = Vec<M>> + '_ {
    let count = options.iter().map(Vec::len).fold(1_usize, usize::saturating_mul);
    (0..count).map(move |mut number| {
        let digit = |options: &Vec<M>| {
            let mode = options[number % options.len()];
            number /= options.len();
            mode
        };
        let mut modes: Vec<M> = options.iter().rev().map(digit).collect();
        modes.reverse();
        modes
    })
}

/// How many combinations there are; none beyond 64 bits.
pub(super) fn count(options: &[Vec<Mode>]) -> Option<u64> {
    options.iter().try_fold(1_u64, |count, modes| count.checked_mul(modes.len() as u64))
}
