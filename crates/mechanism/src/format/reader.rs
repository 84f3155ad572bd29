//! The tools of all section readers: a value with its path of keys, the keys of a map, and the list of what
//! was found wrong. A reader returns `None` for what it cannot make, and goes on.

use super::kinematics::Numbering;
use super::mechanism::{Definitions, NamedPoint, Space};
use super::yaml::{Entry, Value, Yaml};
use crate::diag::{Diagnostic, Span, nearest};
use crate::expression::{Expr, Names, Scope, SourceMap, parse};
use crate::num::InOrder;

/// A value with its path of keys.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'y> {
    pub(super) yaml: &'y Yaml,
    pub(super) path: String,
}

/// The entries of a map, with the path of the map.
pub(super) struct Fields<'y> {
    entries: &'y [Entry],
    /// Entries with an unknown key, by their place, and the absent key that each is read as: what follows from a slip of the
    /// pen is no fault of its own.
    meant: Vec<(usize, String)>,
    path: String,
    span: Span,
}

/// Where parameters and coordinates are named.
#[derive(Default)]
pub(super) struct Places {
    pub(super) parameters: Vec<Span>,
    pub(super) coordinates: Vec<Span>,
    pub(super) definitions: Vec<Span>,
    pub(super) frames: Vec<Span>,
}

/// What is known while reading, and what was found wrong.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) found: Vec<Diagnostic>,
    pub(super) names: Names,
    pub(super) places: Places,
    pub(super) space: Option<Space>,
    pub(super) definitions: Definitions,
    pub(super) frames: Vec<String>,
    pub(super) points: Vec<NamedPoint>,
    /// The definitions that stand for places and turns, where the file asks for them.
    pub(super) motion: Option<Numbering>,
    pub(super) bodies: Vec<String>,
    pub(super) contacts: Vec<String>,
    /// What may define names was not read, so that names without a meaning are no faults of their own.
    pub(super) names_unread: bool,
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

impl<'y> Fields<'y> {
    /// The value of a key; a key without a value counts as absent.
    pub(super) fn get(&self, key: &str) -> Option<Cursor<'y>> {
        let written = self.entries.iter().position(|entry| entry.key == key);
        let meant = || self.meant.iter().find(|(_, meant)| meant == key).map(|(place, _)| *place);
        let entry = &self.entries[written.or_else(meant)?];
        Some(self.value(entry)).filter(|c| !c.yaml.is_null())
    }

    fn value(&self, entry: &'y Entry) -> Cursor<'y> {
        Cursor { yaml: &entry.value, path: join(&self.path, &entry.key) }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&'y Entry, Cursor<'y>)> {
        self.entries.iter().map(|e| (e, self.value(e)))
    }

    /// A diagnostic about the map as a whole.
    pub(super) fn fault(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, message).with_span(self.span).with_path(self.path.clone())
    }
}

impl<'y> Cursor<'y> {
    pub(super) fn fault(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, message).with_span(self.yaml.span).with_path(self.path.clone())
    }

    fn item(&self, i: usize, yaml: &'y Yaml) -> Cursor<'y> {
        Cursor { yaml, path: format!("{}[{i}]", self.path) }
    }

    /// The text of a scalar.
    pub(super) fn word(&self) -> Option<&'y str> {
        match &self.yaml.value {
            Value::Scalar(s) => Some(&s.text),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    /// Where the characters of a scalar stand.
    pub(super) fn place(&self) -> Option<&'y SourceMap> {
        match &self.yaml.value {
            Value::Scalar(s) => Some(&s.place),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    pub(super) fn is_map(&self) -> bool {
        matches!(self.yaml.value, Value::Map(_))
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self.yaml.value, Value::List(_))
    }
}

impl Reader {
    pub(super) fn push(&mut self, fault: Diagnostic) {
        self.found.push(fault);
    }

    /// What was found wrong, in the order of the file, without the names that nothing defines only because what may define
    /// them was not read.
    pub(super) fn causes(self) -> Vec<Diagnostic> {
        let mut found = self.found;
        found.retain(|d| !(self.names_unread && matches!(d.code, "M106" | "M208")));
        found.put_in_order_of(|d| (d.span, d.code));
        found
    }

    fn kind_fault(&mut self, cursor: &Cursor, expected: &str) {
        self.push(cursor.fault("M013", format!("found {}, expected {expected}", cursor.yaml.kind())));
    }

    /// A map with these keys only.
    pub(super) fn fields<'y>(&mut self, cursor: &Cursor<'y>, known: &[&str]) -> Option<Fields<'y>> {
        let mut fields = self.map(cursor)?;
        for (place, entry) in fields.entries.iter().enumerate() {
            if known.contains(&entry.key.as_str()) {
                continue;
            }
            let message = format!("unknown key `{}`", entry.key);
            let path = fields.value(entry).path;
            let found = Diagnostic::error("M010", message).with_span(entry.key_span).with_path(path);
            let close = nearest(&entry.key, known.iter().copied());
            self.push(match (entry.key.as_str(), close) {
                ("ball", _) if known.contains(&"disc") => found.with_hint("a ball is written `disc` too"),
                (_, Some(close)) => found.with_hint(format!("did you mean `{close}`?")),
                (_, None) => found.with_hint(format!("the keys here are {}", known.join(", "))),
            });
            let read_as = close.filter(|close| !fields.has(close));
            let is_section = matches!(entry.value.value, Value::Map(_) | Value::List(_));
            self.names_unread |= read_as.is_none() && is_section && fields.path.is_empty();
            fields.meant.extend(read_as.map(|key| (place, key.to_owned())));
        }
        Some(fields)
    }

    /// A map with any keys.
    pub(super) fn map<'y>(&mut self, cursor: &Cursor<'y>) -> Option<Fields<'y>> {
        match &cursor.yaml.value {
            Value::Map(entries) => {
                let (path, span) = (cursor.path.clone(), cursor.yaml.span);
                Some(Fields { entries, meant: Vec::new(), path, span })
            }
            Value::Scalar(_) | Value::List(_) => {
                self.kind_fault(cursor, "a map, `key: value`");
                None
            }
        }
    }

    pub(super) fn list<'y>(&mut self, cursor: &Cursor<'y>) -> Vec<Cursor<'y>> {
        match &cursor.yaml.value {
            Value::List(items) => items.iter().enumerate().map(|(i, y)| cursor.item(i, y)).collect(),
            Value::Scalar(_) | Value::Map(_) => {
                self.kind_fault(cursor, "a list, `[..]`");
                Vec::new()
            }
        }
    }

    /// The value of a key that must be there.
    pub(super) fn required<'y>(&mut self, fields: &Fields<'y>, key: &str) -> Option<Cursor<'y>> {
        let found = fields.get(key);
        if found.is_none() {
            self.push(
                fields.fault("M011", format!("`{key}` is missing")).with_hint(format!("add `{key}: ...`")),
            );
        }
        found
    }

    pub(super) fn text(&mut self, cursor: &Cursor) -> Option<String> {
        let text = cursor.word().filter(|_| !cursor.yaml.is_null()).map(|t| readable(t.trim_end()));
        if text.is_none() {
            self.kind_fault(cursor, "text");
        }
        text
    }

    pub(super) fn optional_text(&mut self, fields: &Fields, key: &str) -> Option<String> {
        fields.get(key).and_then(|c| self.text(&c))
    }

    /// One of some words.
    pub(super) fn one_of<T: Copy>(&mut self, cursor: &Cursor, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(cursor)?;
        if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == text) {
            return Some(*meaning);
        }
        let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let found = cursor.fault("M016", format!("found `{text}`, expected {}", all.join(" or ")));
        self.push(found.with_close(nearest(&text, all)));
        None
    }

    /// `true` or `false`, as words of YAML 1.2.
    pub(super) fn truth(&mut self, cursor: &Cursor) -> Option<bool> {
        self.one_of(cursor, &[("true", true), ("false", false)])
    }

    /// The place of a name in a list of names.
    pub(super) fn index(&mut self, cursor: &Cursor, kind: &str, names: &[String]) -> Option<usize> {
        let text = self.text(cursor)?;
        let place = names.iter().position(|n| *n == text);
        if place.is_none() {
            let found = cursor.fault("M208", format!("there is no {kind} `{text}`"));
            let close = nearest(&text, names.iter().map(String::as_str));
            self.push(match (close, names.is_empty()) {
                (None, false) => found.with_hint(format!("there is {}", names.join(", "))),
                _ => found.with_close(close),
            });
        }
        place
    }

    pub(super) fn expression(&mut self, cursor: &Cursor, scope: &Scope) -> Option<Expr> {
        let scalar = match &cursor.yaml.value {
            Value::Scalar(scalar) if !cursor.yaml.is_null() => scalar,
            Value::Scalar(_) | Value::List(_) | Value::Map(_) => {
                self.kind_fault(cursor, "a number or an expression");
                return None;
            }
        };
        match parse(&scalar.text, scope, &scalar.place) {
            Ok(expr) => Some(expr),
            Err(faults) => {
                self.found.extend(faults.into_iter().map(|f| f.with_path(cursor.path.clone())));
                None
            }
        }
    }

    /// A list of expressions of a given length.
    pub(super) fn expressions(&mut self, cursor: &Cursor, length: usize, scope: &Scope) -> Option<Vec<Expr>> {
        if !cursor.is_list() {
            self.kind_fault(cursor, &format!("a list of {length} expressions"));
            return None;
        }
        let items = self.list(cursor);
        let read: Vec<Option<Expr>> = items.iter().map(|c| self.expression(c, scope)).collect();
        if read.len() != length {
            let fault = cursor.fault("M014", format!("found {} components, expected {length}", read.len()));
            self.push(match decimal_comma(&items).filter(|_| read.len() > length) {
                Some([whole, digits]) => fault.with_hint(format!(
                    "the decimal sign is a point: if `{whole},{digits}` is one number, write `{whole}.{digits}`"
                )),
                None => fault,
            });
            return None;
        }
        read.into_iter().collect()
    }

    /// A vector of the mechanism's space.
    pub(super) fn vector(&mut self, cursor: &Cursor, scope: &Scope) -> Option<Vec<Expr>> {
        let length = match (self.space, &cursor.yaml.value) {
            (Some(space), _) => space.dimension(),
            (None, Value::List(items)) => items.len(),
            (None, _) => Space::Plane.dimension(),
        };
        self.expressions(cursor, length, scope)
    }
}

/// The first two entries of a list that may be one number: digits, a comma, and digits without a space.
fn decimal_comma<'y>(items: &[Cursor<'y>]) -> Option<[&'y str; 2]> {
    let text = |cursor: &Cursor<'y>| match &cursor.yaml.value {
        Value::Scalar(scalar) if !scalar.quoted => scalar.text.as_str(),
        Value::Scalar(_) | Value::List(_) | Value::Map(_) => "",
    };
    let is_whole = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    items.windows(2).find_map(|pair| {
        let ([whole, digits], [before, after]) =
            ([&pair[0], &pair[1]].map(text), [&pair[0].yaml.span, &pair[1].yaml.span]);
        let joined = after.start == before.end + 1
            && is_whole(whole.trim_start_matches(['-', '+']))
            && is_whole(digits);
        joined.then_some([whole, digits])
    })
}
/// A text as a report may show it: characters that steer a terminal are replaced.
fn readable(text: &str) -> String {
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    text.chars().map(|c| if steers(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
