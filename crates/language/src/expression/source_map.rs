//! Where the characters of an expression stand in the file it was read from. YAML may fold, indent and escape a
//! scalar, so that the characters of the value need not be adjacent in the file.

use crate::diag::Span;

/// The way from byte offsets of an expression's text to byte offsets of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceMap {
    /// The text stands in the file as it is, from this offset on.
    From(usize),
    /// The i-th byte of the text stands at the i-th offset.
    Bytes(Vec<usize>),
    /// The text was escaped: only the whole is known.
    Whole(Span),
}

impl SourceMap {
    /// The map of what follows the first `start` bytes of the text.
    #[must_use]
    pub fn after(&self, start: usize) -> SourceMap {
        match self {
            SourceMap::From(offset) => SourceMap::From(offset + start),
            SourceMap::Bytes(table) => SourceMap::Bytes(table.get(start..).unwrap_or_default().to_vec()),
            SourceMap::Whole(span) => SourceMap::Whole(*span),
        }
    }

    /// The place in the file of the bytes `start..end` of the text.
    pub fn span(&self, start: usize, end: usize) -> Span {
        match self {
            SourceMap::From(offset) => Span::new(offset + start, offset + end),
            SourceMap::Whole(span) => *span,
            SourceMap::Bytes(table) => {
                let last = table.last().map_or(0, |l| l + 1);
                let first = table.get(start).copied().unwrap_or(last);
                let end = if end > start { table.get(end - 1).map_or(last, |l| l + 1) } else { first };
                Span::new(first, end)
            }
        }
    }
}
