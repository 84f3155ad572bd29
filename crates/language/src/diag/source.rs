//! Input texts and places in them. A [`Source`] is UTF-8 without NUL characters when it comes from
//! [`Source::from_bytes`]; a place is a half-open range of byte offsets.

use super::Diagnostic;
use serde::{Deserialize, Serialize};

/// A half-open range of byte offsets into a [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// From `start` up to, and without, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The smallest span that contains both.
    pub fn join(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }
}

/// A named input text: what spans point into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// How the user named the input (a path, or `<set>` for an option).
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// A text that is already known to be UTF-8.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// `M001` if the bytes are not UTF-8, with the line and the byte; `M002` if they contain a NUL.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, Diagnostic> {
        let text =
            String::from_utf8(bytes).map_err(|e| not_utf8(e.as_bytes(), e.utf8_error().valid_up_to()))?;
        match text.find('\0') {
            Some(at) => {
                let line = line_of(text.as_bytes(), at);
                let message = format!("the file contains a NUL byte in line {line}; this is not a text file");
                Err(Diagnostic::error("M002", message))
            }
            None => Ok(Self::new(name, text)),
        }
    }

    /// Line and column of a byte offset, both counted from 1; the column counts characters. An offset past
    /// the end is taken as the end, one inside a character as that character.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = self.boundary(offset);
        let before = &self.text[..offset];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        (before.bytes().filter(|&b| b == b'\n').count() + 1, before[start..].chars().count() + 1)
    }

    /// The largest character boundary at or below `offset`.
    pub(super) fn boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    bytes[..at].iter().filter(|&&b| b == b'\n').count() + 1
}

fn not_utf8(bytes: &[u8], at: usize) -> Diagnostic {
    let byte = bytes.get(at).copied().unwrap_or_default();
    let line = line_of(bytes, at);
    Diagnostic::error("M001", format!("the file is not UTF-8: byte 0x{byte:02x} in line {line}, offset {at}"))
        .with_hint("save the file with the encoding UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_end_at_line_feeds() {
        let source = Source::new("a", "α: 1\r\nβγ: 2");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(2), (1, 2));
        assert_eq!(source.line_column("α: 1\r\nβγ".len()), (2, 3));
        assert_eq!(source.line_column(10_000), (2, 6));
        assert_eq!(source.line_column(1), (1, 1), "inside a character");
    }

    #[test]
    fn bytes_that_are_not_text_are_named() {
        let bad = Source::from_bytes("a", b"x: 1\ny: \xff".to_vec()).unwrap_err();
        assert_eq!(bad.code, "M001");
        assert!(bad.message.contains("0xff in line 2, offset 8"), "{}", bad.message);
        assert_eq!(Source::from_bytes("a", b"x: 1\n\0".to_vec()).unwrap_err().code, "M002");
    }
}
