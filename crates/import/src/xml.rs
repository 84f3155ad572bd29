//! XML with places: elements whose attributes are numbers and words, and faults that name them. Document type definitions are
//! refused, so that no entity can stand for more than is written.

use crate::diag::{Diagnostic, Source, Span};
use roxmltree::{Document, Node, ParsingOptions};

/// More nodes than any robot has.
const MOST_NODES: u32 = 1_000_000;
/// More nesting than any robot has; the parser and the readers recurse.
const DEEPEST: usize = 500;

/// What a document type definition begins with.
const DTD: &str = "<!DOCTYPE";

/// Parses a text.
///
/// # Errors
/// `M501` with the place; document type definitions, extreme nesting and too many nodes among them.
pub(super) fn parse(source: &Source) -> Result<Document<'_>, Diagnostic> {
    nesting(source)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(&source.text, options).map_err(|error| malformed(source, &error))
}

fn malformed(source: &Source, error: &roxmltree::Error) -> Diagnostic {
    let at = offset(&source.text, error.pos());
    let fault =
        Diagnostic::error("M501", format!("the text is not XML: {error}")).with_span(Span::new(at, at + 1));
    match error {
        roxmltree::Error::DtdDetected => Diagnostic {
            span: source.text.find(DTD).map(|at| Span::new(at, at + DTD.len())),
            message: "the text has a document type definition (<!DOCTYPE ..>), which is not read".to_string(),
            hint: Some("remove it; entities that it defines have to be written out".to_string()),
            ..fault
        },
        roxmltree::Error::NodesLimitReached => {
            Diagnostic { message: format!("the text has more than {MOST_NODES} elements"), ..fault }
        }
        _ => fault,
    }
}

/// The byte offset of a line and column, both from 1.
fn offset(text: &str, at: roxmltree::TextPos) -> usize {
    let start: usize =
        text.split_inclusive('\n').take((at.row as usize).saturating_sub(1)).map(str::len).sum();
    let line = text[start..].split('\n').next().unwrap_or_default();
    start + line.char_indices().nth((at.col as usize).saturating_sub(1)).map_or(line.len(), |(i, _)| i)
}

/// Refuses nesting that would exhaust the stack; tags in comments count too, which no robot comes near to.
fn nesting(source: &Source) -> Result<(), Diagnostic> {
    let bytes = source.text.as_bytes();
    let mut depth = 0_usize;
    for (at, pair) in bytes.windows(2).enumerate() {
        match pair {
            [b'<', b'/'] => depth = depth.saturating_sub(1),
            [b'<', b'!' | b'?'] => {}
            [b'<', _] => depth += 1,
            [b'/', b'>'] => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            let message = format!("elements are nested more than {DEEPEST} deep");
            return Err(Diagnostic::error("M501", message).with_span(Span::new(at, at + 1)));
        }
    }
    Ok(())
}

/// An element.
#[derive(Clone, Copy)]
pub(super) struct Element<'a>(pub(super) Node<'a, 'a>);

impl<'a> Element<'a> {
    /// Its name without namespace.
    pub(super) fn tag(self) -> &'a str {
        self.0.tag_name().name()
    }

    /// Its opening tag.
    pub(super) fn span(self) -> Span {
        let range = self.0.range();
        let text = &self.0.document().input_text()[range.clone()];
        Span::new(range.start, range.start + text.find('>').map_or(text.len(), |i| i + 1))
    }

    pub(super) fn children(self) -> impl Iterator<Item = Element<'a>> {
        self.0.children().filter(Node::is_element).map(Element)
    }

    pub(super) fn all(self, tag: &'static str) -> impl Iterator<Item = Element<'a>> {
        self.children().filter(move |e| e.tag() == tag)
    }

    pub(super) fn child(self, tag: &'static str) -> Option<Element<'a>> {
        self.all(tag).next()
    }

    pub(super) fn word(self, attribute: &str) -> Option<&'a str> {
        self.0.attribute(attribute)
    }

    /// The place of an attribute's value, or of the tag.
    pub(super) fn span_of(self, attribute: &str) -> Span {
        let found = self.0.attribute_node(attribute).map(|a| a.range_value());
        found.map_or(self.span(), |r| Span::new(r.start, r.end))
    }

    /// A word that must be there.
    pub(super) fn required(self, attribute: &str, faults: &mut Vec<Diagnostic>) -> Option<&'a str> {
        let found = self.word(attribute).filter(|w| !w.trim().is_empty());
        if found.is_none() {
            let message = format!("<{}> has no attribute `{attribute}`", self.tag());
            faults.push(Diagnostic::error("M503", message).with_span(self.span()));
        }
        found
    }

    /// The numbers of an attribute; none without it.
    pub(super) fn numbers(self, attribute: &str, faults: &mut Vec<Diagnostic>) -> Option<Vec<f64>> {
        let text = self.word(attribute)?;
        let read = |w: &str| w.parse::<f64>().ok().filter(|x| x.is_finite());
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(read).collect();
        if numbers.is_none() {
            let message = format!("`{attribute}` of <{}> is `{text}`, expected finite numbers", self.tag());
            faults.push(Diagnostic::error("M504", message).with_span(self.span_of(attribute)));
        }
        numbers
    }

    /// Exactly N numbers.
    pub(super) fn exactly<const N: usize>(
        self,
        attribute: &str,
        faults: &mut Vec<Diagnostic>,
    ) -> Option<[f64; N]> {
        let numbers = self.numbers(attribute, faults)?;
        let found = numbers.len();
        let array = numbers.try_into().ok();
        if array.is_none() {
            let message = format!("`{attribute}` of <{}> has {found} numbers, expected {N}", self.tag());
            faults.push(Diagnostic::error("M504", message).with_span(self.span_of(attribute)));
        }
        array
    }

    pub(super) fn number(self, attribute: &str, faults: &mut Vec<Diagnostic>) -> Option<f64> {
        self.exactly::<1>(attribute, faults).map(|[x]| x)
    }
}
