//! Changes of a text at three levels: bytes, tokens, numbers.

/// What expressions, YAML and problems are made of, and what people write instead.
#[rustfmt::skip]
const TOKENS: [&str; 62] = [
    "1/0", "0/0", "log(0)", "sqrt(-1)", "9^9^9^9", "x^3000000000", "m^-99999999999", "(x-x)", "1/(x-x)", "dot(x)",
    "dot(dot(x))", "dot(m)", "t", "pi", "sin", "sin(", "cos()", "atan2(1)", "atan2(0,0)", "abs(x)", "^", "^^", "-", "--",
    "+", "*", "**", "/", "(", ")", "()", "[", "]", "[]", "{", "}", "{}", ",", ":", ": ", "\n", "\n  ", "- ", "#", "&a ",
    "*a", "!!float ", "|", ">", "'", "\"", "---", "null", "true", "nan", ".inf", "-0", "60 deg", "1 kg", "1,1", "xdot", "\u{b5}",
];

/// Numbers at the ends of what doubles, counts and indices can be.
#[rustfmt::skip]
const NUMBERS: [&str; 26] = [
    "0", "-0", "1", "-1", "2", "3", "0.5", "1e-9", "1e9", "1e-30", "1e30", "1e-150", "1e150", "1e-300", "1e300", "1e308",
    "-1e308", "5e-324", "1e999", "4294967296", "18446744073709551616", "99999999999", "1e-16", "0.1", "1e16", "-7",
];

/// A fixed sequence of changes.
pub(crate) struct Mutator(u64);

impl Mutator {
    pub(crate) fn new(seed: u64) -> Self {
        Mutator(seed)
    }

    /// splitmix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    /// One to four changes of a text; half of the texts have changes of numbers alone, which are read more often.
    pub(crate) fn mutated(&mut self, base: &[u8], others: &[Vec<u8>]) -> Vec<u8> {
        let (mut text, numbers_only) = (base.to_vec(), self.below(2) == 0);
        for _ in 0..=self.below(4) {
            match if numbers_only { 5 } else { self.below(6) } {
                0 => self.bytes(&mut text),
                1 => self.splice(&mut text, others),
                2 | 3 => self.tokens(&mut text),
                _ => self.numbers(&mut text),
            }
        }
        text
    }

    fn bytes(&mut self, text: &mut Vec<u8>) {
        if text.is_empty() {
            return text.push(b'x');
        }
        let at = self.below(text.len());
        match self.below(4) {
            0 => text[at] ^= 1 << self.below(8),
            1 => drop(text.remove(at)),
            2 => text.insert(at, u8::try_from(self.below(256)).unwrap()),
            _ => text.truncate(at),
        }
    }

    /// A piece of another file, or of this one, at some place.
    fn splice(&mut self, text: &mut Vec<u8>, others: &[Vec<u8>]) {
        let other = &others[self.below(others.len())];
        let (start, at) = (self.below(other.len()), self.below(text.len() + 1));
        let end = (start + 1 + self.below(60)).min(other.len());
        let cut = (at + self.below(60)).min(text.len());
        text.splice(at..cut, other[start..end].iter().copied());
    }

    fn tokens(&mut self, text: &mut Vec<u8>) {
        let words = pieces(text, |b| b.is_ascii_alphanumeric() || b == b'_');
        if words.is_empty() {
            return text.extend_from_slice(self.pick(&TOKENS).as_bytes());
        }
        let (a, b) = (words[self.below(words.len())].clone(), words[self.below(words.len())].clone());
        let new = match self.below(3) {
            0 => text[b].to_vec(),
            1 => Vec::new(),
            _ => self.pick(&TOKENS).as_bytes().to_vec(),
        };
        text.splice(a, new);
    }

    fn numbers(&mut self, text: &mut Vec<u8>) {
        let digits = pieces(text, |b| b.is_ascii_digit() || b == b'.');
        if digits.is_empty() {
            return;
        }
        let place = digits[self.below(digits.len())].clone();
        let new = self.pick(&NUMBERS);
        text.splice(place, new.bytes());
    }
}

/// The longest runs of some bytes.
fn pieces(text: &[u8], inside: impl Fn(u8) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for (i, &b) in text.iter().enumerate().filter(|(_, b)| inside(**b)) {
        match found.last_mut().filter(|last| last.end == i) {
            Some(last) => last.end = i + 1,
            None => found.push(i..i + usize::from(b > 0)),
        }
    }
    found
}
