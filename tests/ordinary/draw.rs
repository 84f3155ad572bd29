//! Random numbers that do not depend on how many were drawn elsewhere.

/// SplitMix64 (Steele, Lea, Flood 2014).
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64, family: usize, index: usize) -> Self {
        [family as u64, index as u64]
            .into_iter()
            .fold(Self(seed), |mut draw, number| Self(draw.next() ^ number))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Every factor between two numbers is as likely as every other.
    pub(crate) fn factor(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    pub(crate) fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[(self.next() % all.len() as u64) as usize]
    }
}
