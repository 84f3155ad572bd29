//! Bytes as text in a page: deflated, and at seven bits a byte of UTF-8, an eighth shorter than base 64. Whatever of HTML's
//! own is written as UTF-8 and read as such keeps them.

use flate2::{Compression, write::DeflateEncoder};
use std::io::Write;

pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // memory takes whatever is written to it
    drop(encoder.write_all(bytes));
    encoder.finish().unwrap_or_default()
}

/// Codes that HTML does not keep as they are. Each stands in one character of two bytes with the code after it, so that nothing
/// is lost.
pub(super) const UNKEPT: [u8; 3] = [0, b'\r', b'<'];

/// The first of these characters.
pub(super) const PAIRS: u32 = 256;

/// Seven bits a byte, from the highest.
pub(super) fn packed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 8 / 7 + 2);
    let (mut bits, mut held, mut before) = (0_u32, 0, None);
    let mut put = |value: u32| {
        let code = (value & 127) as u8;
        let unkept = UNKEPT.iter().position(|unkept| *unkept == code);
        match (before.take(), unkept) {
            (Some(place), _) => text.extend(pair(place, code)),
            (None, Some(place)) => before = Some(place),
            (None, None) => text.push(char::from(code)),
        }
    };
    for byte in bytes {
        bits = (bits << 8) | u32::from(*byte);
        held += 8;
        while held >= 7 {
            held -= 7;
            put(bits >> held);
        }
        bits &= (1 << held) - 1;
    }
    if held > 0 {
        // what fills the last code is free: with nothing after it, it is to be one that is kept
        let last = bits << (7 - held);
        let is_kept = |code: &u32| !UNKEPT.iter().any(|unkept| u32::from(*unkept) == *code);
        put((last..last + 2).find(is_kept).unwrap_or(last));
    }
    if let Some(place) = before {
        text.extend(pair(place, 0));
    }
    text
}

/// Two codes, the first of which is not kept, as a character.
fn pair(place: usize, code: u8) -> Option<char> {
    char::from_u32(PAIRS + 128 * place as u32 + u32::from(code))
}

#[cfg(test)]
mod tests {
    use super::{PAIRS, UNKEPT, packed};

    /// As the page's script reads it; what is left of the last bits is no byte.
    fn unpacked(text: &str) -> Vec<u8> {
        let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
        let pair = |c: u32| [u32::from(UNKEPT[((c - PAIRS) >> 7) as usize]), c & 127];
        let codes =
            text.chars().map(u32::from).flat_map(|c| if c < PAIRS { vec![c] } else { pair(c).to_vec() });
        for code in codes {
            bits = (bits << 7) | code;
            held += 7;
            if held >= 8 {
                held -= 8;
                bytes.push((bits >> held) as u8);
                bits &= (1 << held) - 1;
            }
        }
        bytes
    }

    #[test]
    fn packed_bytes_come_back_and_have_nothing_that_html_changes() {
        for length in [0, 1, 6, 7, 8, 1000] {
            for shift in 0..8 {
                let bytes: Vec<u8> =
                    (0..length).map(|k: u32| ((k * k * 31 + k / 7) >> shift) as u8).collect();
                let text = packed(&bytes);
                assert_eq!(unpacked(&text), bytes);
                assert!(!text.contains(['\0', '\r', '<']));
                assert!(text.len() <= bytes.len() * 8 / 7 + 2);
            }
        }
    }
}
