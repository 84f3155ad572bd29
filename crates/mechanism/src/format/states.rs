//! Named states and the domain. The values of a state may use the parameters and what was given before them.

use super::mechanism::{Range, Solve, StateSpec};
use super::names::{DECIMAL_POINT, later};
use super::reader::{Cursor, Fields, Reader};
use crate::diag::Span;
use crate::expression::{Allow, Expr, Scope, Symbol};

impl Reader {
    pub(super) fn states(&mut self, top: &Fields) -> Vec<StateSpec> {
        let map = top.get("states").and_then(|c| self.map(&c));
        let mut read = Vec::new();
        for (entry, cursor) in map.iter().flat_map(Fields::all) {
            read.extend(self.state(&entry.key, entry.key_span, &cursor));
        }
        if map.is_none_or(|m| m.all().next().is_none()) {
            read.push(empty("origin", Span::default()));
        }
        read
    }

    fn state(&mut self, name: &str, span: Span, cursor: &Cursor) -> Option<StateSpec> {
        let mut state = empty(name, span);
        if cursor.yaml.is_null() {
            return Some(state);
        }
        let fields = self.fields(cursor, &["description", "t", "q", "v", "closed", "solve", "parameters"])?;
        let names = self.names.clone();
        let constant = Scope::constant(&names, "a value of a state");
        state.description = self.optional_text(&fields, "description");
        if let Some(c) = fields.get("t") {
            state.t = self.expression(&c, &constant)?;
        }
        state.parameters = self.assignments(&fields, "parameters", &names.parameters, |_| constant.clone());
        for (i, value) in &state.parameters {
            let path = format!("{}.parameters.{}", cursor.path, names.parameters[*i]);
            self.found.extend(later(value, *i, &names).map(|d| d.with_path(path)));
        }
        state.q = self.assignments(&fields, "q", &names.coordinates, |given| Scope {
            coordinates: Allow::Only(given.to_vec()),
            ..constant.clone()
        });
        state.v = self.assignments(&fields, "v", &names.coordinates, |given| Scope {
            coordinates: Allow::All,
            rates: Allow::Only(given.to_vec()),
            ..constant.clone()
        });
        state.closed = fields.get("closed").map(|c| self.listed(&c, "contact", &self.contacts.clone()));
        if let Some(c) = fields.get("solve") {
            state.solve = self.solve(&c)?;
        }
        Some(state)
    }

    fn assignments<'n>(
        &mut self,
        fields: &Fields,
        key: &str,
        names: &[String],
        scope: impl Fn(&[usize]) -> Scope<'n>,
    ) -> Vec<(usize, Expr)> {
        let Some(map) = fields.get(key).and_then(|c| self.assigned(&c, key, names)) else {
            return Vec::new();
        };
        let kind = if key == "parameters" { "parameter" } else { "coordinate" };
        let (mut read, mut given) = (Vec::new(), Vec::new());
        for (entry, cursor) in map.all() {
            let place = self.key_index(&entry.key, entry.key_span, &cursor.path, kind, names);
            if place.is_none() && cursor.yaml.is_null() {
                continue;
            }
            let value = self.expression(&cursor, &scope(&given));
            given.extend(place);
            read.extend(place.zip(value));
        }
        read
    }

    /// A map of values by name; of a list the hint says how it is written.
    fn assigned<'y>(&mut self, cursor: &Cursor<'y>, key: &str, names: &[String]) -> Option<Fields<'y>> {
        if !cursor.is_list() {
            return self.map(cursor);
        }
        let values = self.list(cursor);
        let pair = |(name, value): (&String, &Cursor)| format!("{name}: {}", value.word().unwrap_or("..."));
        let pairs: Vec<String> = names.iter().zip(&values).map(pair).collect();
        let found = cursor.fault("M013", "found a list, expected a map, `name: value`");
        self.push(found.with_hint(format!("write `{key}: {{{}}}`", pairs.join(", "))));
        None
    }

    fn key_index(
        &mut self,
        key: &str,
        span: Span,
        path: &str,
        kind: &str,
        names: &[String],
    ) -> Option<usize> {
        let place = names.iter().position(|n| n == key);
        if place.is_none() {
            let found = crate::diag::Diagnostic::error("M208", format!("there is no {kind} `{key}`"));
            let found = found.with_span(span).with_path(path);
            self.push(match self.meant(key, names) {
                Some(hint) => found.with_hint(hint),
                None => found,
            });
        }
        place
    }

    /// What a key that names nothing may mean.
    fn meant(&self, key: &str, names: &[String]) -> Option<String> {
        let inside = key.strip_prefix("dot(").and_then(|k| k.strip_suffix(')')).map(str::trim);
        let is_coordinate = |name: &str| self.names.coordinates.iter().any(|n| n == name);
        let rate = || meant_rate(key, is_coordinate).filter(|_| names == self.names.coordinates);
        if let Some(coordinate) = inside.filter(|name| is_coordinate(name)).or_else(rate) {
            return Some(format!(
                "velocities stand under `v`, by the name of the coordinate: `v: {{{coordinate}: ...}}`"
            ));
        }
        if key.bytes().all(|b| b.is_ascii_digit()) {
            return Some(DECIMAL_POINT.to_owned());
        }
        if names == self.names.parameters && self.names.coordinates.iter().any(|n| n == key) {
            return Some(format!("`{key}` is a coordinate: its value stands under `q`"));
        }
        if names == self.names.coordinates && self.names.parameters.iter().any(|n| n == key) {
            return Some(format!(
                "`{key}` is a parameter: its value for this state stands under `parameters`"
            ));
        }
        let close = crate::diag::nearest(key, names.iter().map(String::as_str));
        close.map(|close| format!("did you mean `{close}`?"))
    }

    /// Coordinates, which contacts and constraints determine; or unknowns with equations.
    fn solve(&mut self, cursor: &Cursor) -> Option<Solve> {
        let names = self.names.clone();
        if !cursor.is_map() {
            let coordinates = self.listed(cursor, "coordinate", &names.coordinates);
            return Some(Solve { coordinates, ..Solve::default() });
        }
        let fields = self.fields(cursor, &["unknowns", "equations"])?;
        let (unknowns, equations) =
            (self.required(&fields, "unknowns")?, self.required(&fields, "equations")?);
        let mut solve = Solve::default();
        for item in self.list(&unknowns) {
            let Some(text) = self.text(&item) else { continue };
            let rate = text.trim().strip_prefix("dot(").and_then(|k| k.strip_suffix(')')).map(str::trim);
            let name = rate.unwrap_or(&text);
            let index = self.key_index(name, item.yaml.span, &item.path, "coordinate", &names.coordinates);
            let Some(i) = index else { continue };
            let list = if rate.is_some() { &mut solve.velocities } else { &mut solve.coordinates };
            if list.contains(&i) {
                self.found.push(item.fault("M307", format!("`{text}` is listed twice")));
            }
            list.push(i);
        }
        let scope = Scope::velocity(&names, "an equation of a state");
        let equations = self.list(&equations);
        solve.equations = equations.iter().filter_map(|c| self.expression(c, &scope)).collect();
        Some(solve)
    }

    /// The places of the names of a list, each once.
    fn listed(&mut self, cursor: &Cursor, kind: &str, names: &[String]) -> Vec<usize> {
        let mut read = Vec::new();
        for item in self.list(cursor) {
            let Some(i) = self.index(&item, kind, names) else { continue };
            if read.contains(&i) {
                self.push(item.fault("M307", format!("{kind} `{}` is listed twice", names[i])));
            }
            read.push(i);
        }
        read
    }

    pub(super) fn domain(&mut self, top: &Fields) -> Vec<Range> {
        let Some(map) = top.get("domain").and_then(|c| self.map(&c)) else { return Vec::new() };
        let names = self.names.clone();
        let scope = Scope::constant(&names, "an end of a range");
        let mut read = Vec::new();
        for (entry, cursor) in map.all() {
            let variable = self.variable(&entry.key, entry.key_span, &cursor.path);
            let ends = self.expressions(&cursor, 2, &scope).and_then(|v| <[Expr; 2]>::try_from(v).ok());
            let (Some(variable), Some([lo, hi])) = (variable, ends) else { continue };
            read.push(Range { variable, lo, hi });
        }
        read
    }

    fn variable(&mut self, key: &str, span: Span, path: &str) -> Option<Symbol> {
        let names = self.names.clone();
        if let Some(inner) = key.trim().strip_prefix("dot(").and_then(|k| k.strip_suffix(')')) {
            return self
                .key_index(inner.trim(), span, path, "coordinate", &names.coordinates)
                .map(Symbol::Rate);
        }
        if let Some(i) = names.parameters.iter().position(|n| n == key) {
            return Some(Symbol::Parameter(i));
        }
        let all: Vec<String> = names.coordinates.iter().chain(&names.parameters).cloned().collect();
        self.key_index(key, span, path, "coordinate or parameter", &all).map(Symbol::Coordinate)
    }
}

/// The coordinate whose velocity a name seems to mean that is no name: `v.x`, `xdot`, `vx`.
pub(super) fn meant_rate(name: &str, is_coordinate: impl Fn(&str) -> bool) -> Option<&str> {
    const BEFORE: [&str; 6] = ["v.", "v_", "dot_", "d_", "v", "d"];
    const BEHIND: [&str; 5] = [".v", "_dot", "dot", ".dot", "'"];
    let before = BEFORE.iter().filter_map(|mark| name.strip_prefix(mark));
    let behind = BEHIND.iter().filter_map(|mark| name.strip_suffix(mark));
    before.chain(behind).find(|rest| is_coordinate(rest))
}

fn empty(name: &str, span: Span) -> StateSpec {
    StateSpec {
        name: name.to_owned(),
        description: None,
        t: Expr::zero(),
        q: Vec::new(),
        v: Vec::new(),
        closed: None,
        solve: Solve::default(),
        parameters: Vec::new(),
        span,
    }
}
