//! Where the characters of a YAML scalar stand in the file: exactly for plain and simply quoted ones, character
//! by character for folded ones, as a whole where escapes were used.

use crate::diag::Span;
use crate::expression::SourceMap;
use granit_parser::ScalarStyle;

/// The place of the characters of `value`, and the span of the scalar without surrounding white space.
pub(super) fn align(source: &str, value: &str, style: ScalarStyle, span: Span) -> (SourceMap, Span) {
    let slice = source.get(span.start..span.end).unwrap_or_default();
    let span = Span::new(span.start, span.start + slice.trim_end().len());
    if value.trim().is_empty() {
        return (SourceMap::Whole(span), span);
    }
    if let Some(at) =
        slice.find(value).filter(|_| style != ScalarStyle::Literal && style != ScalarStyle::Folded)
    {
        return (SourceMap::From(span.start + at), span);
    }
    let header = match style {
        ScalarStyle::Literal | ScalarStyle::Folded if slice.starts_with(['|', '>']) => {
            slice.find('\n').map_or(0, |i| i + 1)
        }
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => 1,
        _ => 0,
    };
    match follow(slice, value, header) {
        Some(table) => (SourceMap::Bytes(table.iter().map(|i| i + span.start).collect()), span),
        None => (SourceMap::Whole(span), span),
    }
}

/// The offset in `slice` of every byte of `value`, if they follow each other but for white space.
fn follow(slice: &str, value: &str, mut at: usize) -> Option<Vec<usize>> {
    let mut table = Vec::with_capacity(value.len());
    for c in value.chars() {
        if c.is_whitespace() {
            table.extend(std::iter::repeat_n(at, c.len_utf8()));
            continue;
        }
        let rest = slice.get(at..)?;
        at += rest.len() - rest.trim_start().len();
        if !slice.get(at..)?.starts_with(c) {
            return None;
        }
        table.extend(at..at + c.len_utf8());
        at += c.len_utf8();
    }
    Some(table)
}
