//! Parameters and coordinates: their names, clashes of names, and the order in which parameters follow each
//! other.

use super::mechanism::{Coordinate, Parameter};
use super::reader::{Cursor, Fields, Reader};
use super::units::Unit;
use crate::diag::{Diagnostic, Span};
use crate::expression::{Expr, Names, RESERVED, Scope, Symbol};

/// Where a comma in a flow map cut a number in two.
pub(super) const DECIMAL_POINT: &str = "the decimal sign is a point: write `1.5`, not `1,5`";

impl Reader {
    /// Collects the names of all parts before any expression is read.
    pub(super) fn collect_names(&mut self, top: &Fields) {
        let keys = |key: &str| -> Vec<(String, Span, String)> {
            let cursor = top.get(key).filter(Cursor::is_map);
            let entries = cursor.into_iter().flat_map(|c| match &c.yaml.value {
                super::yaml::Value::Map(entries) => entries.as_slice(),
                super::yaml::Value::Scalar(_) | super::yaml::Value::List(_) => &[],
            });
            entries.map(|e| (e.key.clone(), e.key_span, format!("{key}.{}", e.key))).collect()
        };
        let is_no_map = |key: &str| top.get(key).is_some_and(|c| !c.is_map());
        self.names_unread |= is_no_map("parameters") || is_no_map("definitions");
        let parameters = keys("parameters");
        for (name, span, path) in &parameters {
            self.check_name(name, *span, path);
        }
        self.places.parameters = parameters.iter().map(|(_, span, _)| *span).collect();
        self.names.parameters = parameters.into_iter().map(|(name, ..)| name).collect();
        for key in ["frames", "points", "bodies", "contacts", "states"] {
            for (name, span, path) in keys(key) {
                self.check_label(&name, span, &path);
            }
        }
        let frames = keys("frames");
        self.places.frames = frames.iter().map(|(_, span, _)| *span).collect();
        self.frames = frames.into_iter().map(|(name, ..)| name).collect();
        self.bodies = keys("bodies").into_iter().map(|(name, ..)| name).collect();
        self.contacts = keys("contacts").into_iter().map(|(name, ..)| name).collect();
    }

    /// A name that expressions use: letters, digits and `_`, a letter first, not one of the language.
    pub(super) fn check_name(&mut self, name: &str, span: Span, path: &str) {
        let fault = |code, message: String| Diagnostic::error(code, message).with_span(span).with_path(path);
        let letters = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !letters || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let message = format!("`{name}` is not a name: expected letters, digits and `_`, a letter first");
            let found = fault("M201", message);
            let cut = !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
            self.push(if cut { found.with_hint(DECIMAL_POINT) } else { found });
        } else if RESERVED.contains(&name) {
            let found = fault("M202", format!("`{name}` has a fixed meaning in expressions"));
            self.push(found.with_hint(format!("choose another name, such as `{name}_1`")));
        }
    }

    /// A name that no expression uses may also have hyphens, and begin with a digit.
    pub(super) fn check_label(&mut self, name: &str, span: Span, path: &str) {
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')) {
            let message = format!("`{name}` is not a name: expected letters, digits, `_` and `-`");
            self.push(Diagnostic::error("M201", message).with_span(span).with_path(path));
        }
    }

    pub(super) fn coordinates(&mut self, top: &Fields) -> Vec<Coordinate> {
        let given = self.required(top, "coordinates");
        self.names_unread |= given.as_ref().is_none_or(|c| !c.is_list());
        let Some(cursor) = given else { return Vec::new() };
        let items = self.list(&cursor);
        if items.is_empty() && cursor.is_list() {
            self.push(cursor.fault("M207", "there are no coordinates, expected at least one"));
        }
        items.iter().filter_map(|item| self.coordinate(item)).collect()
    }

    fn coordinate(&mut self, item: &Cursor) -> Option<Coordinate> {
        let (at, unit, description) = if item.is_map() {
            let fields = self.fields(item, &["name", "unit", "description"])?;
            let name = self.required(&fields, "name")?;
            (name, self.unit(&fields), self.optional_text(&fields, "description"))
        } else {
            (item.clone(), None, None)
        };
        let name = self.text(&at)?;
        self.check_name(&name, at.yaml.span, &at.path);
        let twice = self.names.coordinates.contains(&name);
        if self.names.parameters.contains(&name) || twice {
            let other = if twice { "another coordinate" } else { "a parameter" };
            let message = format!("coordinate `{name}` has the same name as {other}");
            self.push(at.fault("M203", message).with_hint("rename one of them"));
            if !twice {
                // known all the same, so that what uses it is not called a fault too
                self.names.coordinates.push(name);
                self.places.coordinates.push(at.yaml.span);
            }
            return None;
        }
        self.names.coordinates.push(name.clone());
        self.places.coordinates.push(at.yaml.span);
        Some(Coordinate { name, unit, description })
    }

    /// The text of a unit that can be read.
    fn unit(&mut self, fields: &Fields) -> Option<String> {
        let cursor = fields.get("unit")?;
        let text = self.text(&cursor)?;
        if let (Err(fault), Some(place)) = (Unit::parse(&text), cursor.place()) {
            let found = Diagnostic::error("M220", fault.message).with_path(cursor.path.clone());
            let found = found.with_span(place.span(fault.start, fault.end));
            self.push(match fault.hint {
                Some(hint) => found.with_hint(hint),
                None => found,
            });
        }
        Some(text)
    }

    pub(super) fn parameters(&mut self, top: &Fields) -> Vec<Parameter> {
        let Some(map) = top.get("parameters").and_then(|c| self.map(&c)) else { return Vec::new() };
        let names = self.names.clone();
        let read: Vec<Option<Parameter>> =
            map.all().map(|(e, c)| self.parameter(&e.key, &c, &names)).collect();
        let uses: Vec<Vec<(usize, Span)>> = read.iter().map(uses).collect();
        for (i, used) in uses.iter().enumerate() {
            if let Some((j, span)) = used.iter().find(|(j, _)| *j >= i) {
                self.push(Kind::PARAMETERS.order_fault((i, *j), *span, way(*j, i, &uses), &names.parameters));
            }
        }
        read.into_iter().flatten().collect()
    }

    fn parameter(&mut self, name: &str, cursor: &Cursor, names: &Names) -> Option<Parameter> {
        let scope = Scope::constant(names, "a parameter");
        let name = name.to_owned();
        if !cursor.is_map() {
            let value = self.expression(cursor, &scope)?;
            return Some(Parameter { name, unit: None, description: None, value });
        }
        let fields = self.fields(cursor, &["value", "unit", "description"])?;
        let (unit, description) = (self.unit(&fields), self.optional_text(&fields, "description"));
        let value = self.required(&fields, "value").and_then(|c| self.expression(&c, &scope))?;
        Some(Parameter { name, unit, description, value })
    }
}

/// Parameters that a parameter uses, with the places.
fn uses(parameter: &Option<Parameter>) -> Vec<(usize, Span)> {
    let mut found = Vec::new();
    for p in parameter.iter() {
        p.value.for_each_symbol(&mut |symbol, span| {
            if let Symbol::Parameter(i) = symbol {
                found.push((i, span));
            }
        });
    }
    found
}

/// A kind of names whose values use each other in the order of the file.
pub(super) struct Kind {
    many: &'static str,
    key: &'static str,
}

impl Kind {
    pub(super) const PARAMETERS: Self = Self { many: "parameters", key: "parameters" };
    pub(super) const DEFINITIONS: Self = Self { many: "definitions", key: "definitions" };

    /// The i-th uses the j-th, which stands after it or is itself; by the steps of `circle` the j-th may use the i-th.
    pub(super) fn order_fault(
        &self,
        (i, j): (usize, usize),
        span: Span,
        circle: Option<Vec<usize>>,
        names: &[String],
    ) -> Diagnostic {
        let name = |k: usize| names.get(k).map_or("", String::as_str);
        let path = format!("{}.{}", self.key, name(i));
        let (code, message, hint) = match circle {
            Some(steps) => {
                let words: Vec<String> =
                    std::iter::once(i).chain(steps).map(|k| format!("`{}`", name(k))).collect();
                let message =
                    format!("{} define each other in a circle: {}", self.many, words.join(" needs "));
                ("M205", message, "give one of them a number".to_owned())
            }
            None => {
                let message = format!("`{}` uses `{}`, which is defined later", name(i), name(j));
                ("M204", message, format!("move `{}` above `{}`", name(j), name(i)))
            }
        };
        Diagnostic::error(code, message).with_span(span).with_path(path).with_hint(hint)
    }
}

/// What is wrong with a new value of parameter `i` that uses itself or a later one: parameters are computed in
/// the order of the file, with or without new values.
pub(super) fn later(value: &Expr, i: usize, names: &Names) -> Option<Diagnostic> {
    let name = |k: usize| names.parameters.get(k).map_or("", String::as_str);
    let mut found = None;
    value.for_each_symbol(&mut |symbol, span| match symbol {
        Symbol::Parameter(j) if j >= i && found.is_none() => found = Some((j, span)),
        Symbol::Parameter(_) | Symbol::Time | Symbol::Coordinate(_) | Symbol::Rate(_) => {}
    });
    let (j, span) = found?;
    let diagnostic = if j == i {
        Diagnostic::error("M205", format!("the new value of `{0}` uses `{0}` itself", name(i)))
            .with_hint("write the number that it is to be")
    } else {
        Diagnostic::error(
            "M204",
            format!("the new value of `{}` uses `{}`, which is defined later", name(i), name(j)),
        )
        .with_hint(format!(
            "move `{}` above `{}` under `parameters`, or write a number",
            name(j),
            name(i)
        ))
    };
    Some(diagnostic.with_span(span))
}

/// A way from one name to another along what they use.
pub(super) fn way(from: usize, to: usize, uses: &[Vec<(usize, Span)>]) -> Option<Vec<usize>> {
    let mut before: Vec<Option<usize>> = vec![None; uses.len()];
    let mut queue = vec![from];
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        next += 1;
        if at == to {
            let mut steps = vec![to];
            while let Some(previous) = steps.last().filter(|s| **s != from).and_then(|s| before[*s]) {
                steps.push(previous);
            }
            steps.reverse();
            return Some(steps);
        }
        for (k, _) in &uses[at] {
            if before[*k].is_none() && *k != from {
                before[*k] = Some(at);
                queue.push(*k);
            }
        }
    }
    None
}
