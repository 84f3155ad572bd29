//! YAML text to an ordered tree with the place of every key and value. Repeated keys, aliases that multiply,
//! tags and deep nesting end here; the meaning of the keys is not known.

use super::align::align;
use crate::diag::{Diagnostic, Source, Span};
use crate::expression::SourceMap;
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError};
use std::collections::BTreeMap;

/// Largest file, in bytes; the longest mechanism known has a few thousand.
const LARGEST: usize = 1 << 20;
/// Nodes that aliases may add to a file.
const ALIAS_BUDGET: usize = 10_000;
/// Deepest nesting of lists and maps.
const DEEPEST: usize = 64;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Yaml {
    pub(super) span: Span,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Scalar(Scalar),
    List(Vec<Yaml>),
    Map(Vec<Entry>),
}

/// Text, with the place of its characters.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub(super) text: String,
    pub(super) quoted: bool,
    pub(super) place: SourceMap,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) value: Yaml,
}

impl Yaml {
    fn size(&self) -> usize {
        1 + match &self.value {
            Value::Scalar(_) => 0,
            Value::List(items) => items.iter().map(Yaml::size).sum(),
            Value::Map(entries) => entries.iter().map(|e| e.value.size()).sum(),
        }
    }

    /// Whether a text in it is one that is meant.
    pub(super) fn has_text(&self, is_meant: &impl Fn(&str) -> bool) -> bool {
        match &self.value {
            Value::Scalar(scalar) => is_meant(&scalar.text),
            Value::List(items) => items.iter().any(|item| item.has_text(is_meant)),
            Value::Map(entries) => entries.iter().any(|entry| entry.value.has_text(is_meant)),
        }
    }

    /// Nothing at all: `key:` or `key: null`.
    pub(super) fn is_null(&self) -> bool {
        match &self.value {
            Value::Scalar(s) => !s.quoted && matches!(s.text.as_str(), "" | "~" | "null" | "Null" | "NULL"),
            Value::List(_) | Value::Map(_) => false,
        }
    }

    /// How a message calls it.
    pub(super) fn kind(&self) -> &'static str {
        match &self.value {
            Value::Scalar(_) if self.is_null() => "nothing",
            Value::Scalar(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }
}

/// Reads the one document of a file. Faults that leave the tree whole are pushed to `faults`.
pub(super) fn read(source: &Source, faults: &mut Vec<Diagnostic>) -> Option<Yaml> {
    let text = &source.text;
    if text.len() > LARGEST {
        let message = format!("the file has {} bytes, expected at most {LARGEST}", text.len());
        faults.push(Diagnostic::error("M004", message));
        return None;
    }
    if let Some(at) = text.find('\0') {
        let found = Diagnostic::error("M002", "the file contains a NUL byte; this is not a text file");
        faults.push(found.with_span(Span::new(at, at + 1)));
        return None;
    }
    let mut builder =
        Builder { text, faults, open: Vec::new(), anchors: BTreeMap::new(), added: 0, root: None };
    let options = granit_parser::options! { flow_nesting_limit: DEEPEST, block_nesting_limit: DEEPEST };
    for event in Parser::new_from_str_with_options(text, options) {
        let handled =
            event.map_err(|e| syntax(text, &e)).and_then(|(event, span)| builder.take(event, &span));
        if let Err(fault) = handled {
            builder.faults.push(fault);
            return None;
        }
    }
    let root = builder.root.filter(|root| !root.is_null());
    if root.is_none() {
        let hint = "`mechan new NAME` prints a file to start from";
        faults.push(Diagnostic::error("M003", "the file is empty").with_hint(hint));
    }
    root
}

fn syntax(text: &str, error: &ScanError) -> Diagnostic {
    let at = error.marker().byte_offset().unwrap_or_default();
    let info = error.info();
    let mut span = Span::new(at, at + 1);
    let (code, message) = match error.kind() {
        ErrorKind::UnknownAnchor => {
            span.end = word_end(text, at);
            ("M008", "the alias refers to nothing".to_owned())
        }
        _ if info.contains("nest") || info.contains("recursion") => {
            ("M009", format!("lists and maps are nested more than {DEEPEST} deep"))
        }
        _ => ("M005", format!("this is not YAML: {info}")),
    };
    Diagnostic::error(code, message).with_span(span)
}

/// White space and what ends a word of YAML in brackets.
fn parts_words(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}')
}

fn word_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    start + rest.find(parts_words).unwrap_or(rest.len()).max(1)
}

/// The last word with `!` before the value that begins at `end`, which is its tag.
fn tag(text: &str, end: usize) -> Option<Span> {
    let before = text.get(..end)?;
    let mark = before.rfind('!')?;
    let parted = before[..mark].char_indices().rev().find(|(_, c)| parts_words(*c));
    let start = parted.map_or(0, |(i, c)| i + c.len_utf8());
    Some(Span::new(start, word_end(text, mark)))
}

/// A list or map whose end has not come.
struct Open {
    node: Yaml,
    anchor: usize,
    key: Option<(String, Span)>,
}

struct Builder<'t, 'f> {
    text: &'t str,
    faults: &'f mut Vec<Diagnostic>,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Yaml>,
    added: usize,
    root: Option<Yaml>,
}

type Accepted = Result<(), Diagnostic>;

impl Builder<'_, '_> {
    fn take(&mut self, event: Event, at: &granit_parser::Span) -> Accepted {
        let span = span_of(at);
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                let message = "the file has a second document, expected one mechanism per file";
                Err(Diagnostic::error("M006", message).with_span(span).with_hint("remove the line `---`"))
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.untagged(tag.is_some(), span);
                let (place, span) = align(self.text, &text, style, span);
                let quoted = style != ScalarStyle::Plain;
                let node =
                    Yaml { span, value: Value::Scalar(Scalar { text: text.into_owned(), quoted, place }) };
                self.keep(anchor, &node);
                self.add(node)
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.untagged(tag.is_some(), span);
                self.begin(Value::List(Vec::new()), anchor, span);
                Ok(())
            }
            Event::MappingStart(_, anchor, tag) => {
                self.untagged(tag.is_some(), span);
                self.begin(Value::Map(Vec::new()), anchor, span);
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::Alias(id) => self.alias(id, span),
            _ => Ok(()),
        }
    }

    fn untagged(&mut self, tagged: bool, span: Span) {
        if tagged {
            let span = tag(self.text, span.start).unwrap_or(span);
            let found = Diagnostic::error("M017", "a YAML tag is used; the format has none").with_span(span);
            self.faults.push(found.with_hint("remove the word that begins with `!`"));
        }
    }

    fn begin(&mut self, value: Value, anchor: usize, span: Span) {
        self.open.push(Open { node: Yaml { span, value }, anchor, key: None });
    }

    fn end(&mut self, span: Span) -> Accepted {
        let Some(Open { mut node, anchor, .. }) = self.open.pop() else { return Ok(()) };
        if let Value::Map(entries) = &mut node.value {
            self.whole_numbers(entries);
        }
        let end = self.text[..span.end.min(self.text.len())].trim_end().len();
        node.span.end = end.max(node.span.end);
        self.keep(anchor, &node);
        self.add(node)
    }

    /// Takes the keys out of a map that are the digits after a decimal comma: `{x: 9,81}` has the key `81`, and no value of it.
    fn whole_numbers(&mut self, entries: &mut Vec<Entry>) {
        let mut at = 1;
        while at < entries.len() {
            let (before, entry) = (&entries[at - 1], &entries[at]);
            let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            let whole = match &before.value.value {
                Value::Scalar(scalar) if !scalar.quoted => scalar.text.as_str(),
                Value::Scalar(_) | Value::List(_) | Value::Map(_) => "",
            };
            let number = whole.trim_start_matches(['-', '+']);
            let between = self.text.get(before.value.span.end..entry.key_span.start).map(str::trim);
            if between == Some(",") && is_digits(number) && is_digits(&entry.key) && entry.value.is_null() {
                let digits = &entry.key;
                let message = format!("found `{whole},{digits}`: a comma ends a value here");
                let found =
                    Diagnostic::error("M020", message).with_span(before.value.span.join(entry.key_span));
                self.faults
                    .push(found.with_hint(format!("the decimal sign is a point: write `{whole}.{digits}`")));
                entries.remove(at);
            } else {
                at += 1;
            }
        }
    }

    fn keep(&mut self, anchor: usize, node: &Yaml) {
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
    }

    fn alias(&mut self, id: usize, span: Span) -> Accepted {
        let Some(node) = self.anchors.get(&id).cloned() else {
            return Err(Diagnostic::error("M008", "the alias refers to itself").with_span(span));
        };
        self.added += node.size();
        if self.added > ALIAS_BUDGET {
            let message = format!("aliases add more than {ALIAS_BUDGET} values to the file");
            return Err(Diagnostic::error("M008", message).with_span(span));
        }
        self.add(node)
    }

    fn add(&mut self, node: Yaml) -> Accepted {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match (&mut open.node.value, open.key.take()) {
            (Value::List(items), _) => items.push(node),
            (Value::Map(entries), Some((key, key_span))) => match entries.iter().find(|e| e.key == key) {
                Some(first) => self.faults.push(repeated(&key, key_span, first.key_span, self.text)),
                None => entries.push(Entry { key, key_span, value: node }),
            },
            (Value::Map(_), None) => match node.value {
                Value::Scalar(scalar) => open.key = Some((scalar.text, node.span)),
                Value::List(_) | Value::Map(_) => {
                    let found =
                        Diagnostic::error("M018", format!("a key is {}, expected a word", node.kind()));
                    return Err(found.with_span(node.span));
                }
            },
            (Value::Scalar(_), _) => {}
        }
        Ok(())
    }
}

fn repeated(key: &str, span: Span, first: Span, text: &str) -> Diagnostic {
    let line = text[..first.start].matches('\n').count() + 1;
    let message = format!("`{key}` is given twice, first in line {line}");
    Diagnostic::error("M007", message).with_span(span).with_hint("keep one of them")
}

fn span_of(span: &granit_parser::Span) -> Span {
    let start = span.start.byte_offset().unwrap_or_default();
    Span::new(start, span.end.byte_offset().unwrap_or(start).max(start))
}
