//! Random numbers for random problems, the same on every machine.

/// A deterministic stream of numbers in [−1, 1).
pub(crate) struct Stream(u64);

impl Stream {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A whole number from 0 to n − 1.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (((self.next() + 1.0) / 2.0 * n as f64) as usize).min(n - 1)
    }

    /// With few values, so that degenerate cases are not rare.
    pub(crate) fn coarse(&mut self) -> f64 {
        (4.0 * self.next()).round() / 4.0
    }
}

/// G Gᵀ of size n and rank at most `rank`.
pub(crate) fn gram(s: &mut Stream, n: usize, rank: usize) -> Vec<Vec<f64>> {
    let G: Vec<Vec<f64>> = (0..n).map(|_| (0..rank).map(|_| s.next()).collect()).collect();
    let dot = |i: usize, j: usize| (0..rank).map(|k| G[i][k] * G[j][k]).sum();
    (0..n).map(|i| (0..n).map(|j| dot(i, j)).collect()).collect()
}
