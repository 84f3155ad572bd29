//! Random numbers by counting: the number of a run depends on the seed, the run and the name that it is for, so that it is the same
//! whatever else is drawn, in any order, on any machine. The mixing is that of SplitMix64 (Steele, Lea, Flood, *Fast splittable
//! pseudorandom number generators*, OOPSLA 2014), the names are hashed by FNV-1a.

/// The odd number next to 2⁶⁴/φ, the increment of SplitMix64.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number in [0, 1), all multiples of 2⁻⁵³ equally likely.
pub fn uniform(seed: u64, run: u64, name: &str) -> f64 {
    let bits = [run, hash(name)].into_iter().fold(mix(seed), |state, word| mix(state ^ mix(word)));
    unit(bits)
}

/// Numbers between 0 and 1 one after the other, from a state.
pub struct Stream(pub u64);

impl Stream {
    /// The next of them.
    pub fn draw(&mut self) -> f64 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(GOLDEN);
        unit(bits)
    }

    /// One in a range.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.draw()
    }
}

/// In [0, 1) by the leading bits.
fn unit(bits: u64) -> f64 {
    (bits >> (u64::BITS - f64::MANTISSA_DIGITS)) as f64 / (1_u64 << f64::MANTISSA_DIGITS) as f64
}

/// One output of SplitMix64 from a state.
fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(GOLDEN);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// FNV-1a, 64 bits.
pub fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::{hash, mix, uniform};

    #[test]
    fn mixing_and_hashing_are_the_published_ones() {
        // the first outputs of SplitMix64 from the state 1234567, and the published test vectors of FNV-1a
        assert_eq!(mix(1_234_567), 6_457_827_717_110_365_317);
        assert_eq!(mix(1_234_567_u64.wrapping_add(super::GOLDEN)), 3_203_168_211_198_807_973);
        assert_eq!((hash(""), hash("foobar")), (0xcbf2_9ce4_8422_2325, 0x8594_4171_f739_67e8));
    }

    #[test]
    fn numbers_are_even_and_independent_of_each_other() {
        let n = 20_000_u64;
        let (mut means, mut product) = ([0.0; 2], 0.0);
        let mut cells = [0_u32; 16];
        for run in 0..n {
            let (x, y) = (uniform(7, run, "x"), uniform(7, run, "y"));
            assert!((0.0..1.0).contains(&x));
            means[0] += x / n as f64;
            means[1] += y / n as f64;
            product += (x - 0.5) * (y - 0.5) / n as f64;
            cells[(16.0 * x) as usize] += 1;
        }
        // five standard deviations: of a mean 1/√(12 n), of the product 1/(12 √n), of a sixteenth √(n·15)/16
        let sigma = 1.0 / (n as f64).sqrt();
        assert!(means.iter().all(|mean| (mean - 0.5).abs() < 5.0 * sigma / 12_f64.sqrt()), "{means:?}");
        assert!(product.abs() < 5.0 * sigma / 12.0, "{product}");
        let each = n as f64 / 16.0;
        let off = |&count: &u32| (f64::from(count) - each).abs() < 5.0 * (15.0 * n as f64).sqrt() / 16.0;
        assert!(cells.iter().all(off), "{cells:?}");
        assert_ne!(uniform(7, 3, "x").to_bits(), uniform(8, 3, "x").to_bits());
    }
}
