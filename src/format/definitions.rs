//! Named expressions: each may use the earlier ones, and is read before anything that may use it.

use super::mechanism::Definitions;
use super::names::{Kind, way};
use super::reader::{Fields, Reader};
use crate::diag::{Diagnostic, Span};
use crate::expression::{DefinitionName, Expr, Node, Scope};

/// The most operations that a definition may stand for, once all that it uses is written out.
const LARGEST: u64 = 100_000;

/// A definition that another uses, and where.
type Use = (usize, Span);

impl Reader {
    pub(super) fn definitions(&mut self, top: &Fields) -> Definitions {
        let mut read = Definitions::default();
        let Some(map) = top.get("definitions").and_then(|c| self.map(&c)) else { return read };
        let entries: Vec<_> = map.all().collect();
        for (entry, cursor) in &entries {
            self.check_name(&entry.key, entry.key_span, &cursor.path);
            self.distinct(&entry.key, entry.key_span, &cursor.path);
            self.names.definitions.push(DefinitionName {
                name: entry.key.clone(),
                has_rates: false,
                switches: false,
            });
            self.places.definitions.push(entry.key_span);
        }
        let mut sizes: Vec<u64> = Vec::new();
        let mut used: Vec<Vec<Use>> = Vec::new();
        for (i, (entry, cursor)) in entries.iter().enumerate() {
            let names = self.names.clone();
            let value = self.expression(cursor, &Scope::velocity(&names, "a definition"));
            let value = value.unwrap_or_else(Expr::zero);
            used.push(uses(&value));
            let size = size(&value, &sizes);
            if size > LARGEST {
                let message = format!("`{}` stands for more than {LARGEST} operations", entry.key);
                let found = Diagnostic::error("M105", message).with_span(cursor.yaml.span);
                self.push(
                    found.with_path(cursor.path.clone()).with_hint("use fewer definitions of definitions"),
                );
            }
            sizes.push(size);
            read.names.push(entry.key.clone());
            read.values.push(value);
            self.names.definitions[i].switches = read.values[i].switches(&read.values[..i]);
            self.names.definitions[i].has_rates = read.values[i].rate_degree(&read.values[..i]) != Some(0);
        }
        self.in_order(&used);
        read
    }

    /// A definition is a third kind of name beside parameters and coordinates.
    fn distinct(&mut self, name: &str, span: Span, path: &str) {
        let known = |list: &[String]| list.iter().any(|n| n == name);
        let other = match (known(&self.names.parameters), known(&self.names.coordinates)) {
            (true, _) => "a parameter",
            (_, true) => "a coordinate",
            (false, false) => return,
        };
        let message = format!("definition `{name}` has the same name as {other}");
        let found = Diagnostic::error("M203", message).with_span(span).with_path(path);
        self.push(found.with_hint("rename one of them"));
    }

    /// What is wrong with the order of the definitions.
    fn in_order(&mut self, used: &[Vec<Use>]) {
        let names: Vec<String> = self.names.definitions.iter().map(|d| d.name.clone()).collect();
        for (i, uses) in used.iter().enumerate() {
            if let Some((j, span)) = uses.iter().find(|(j, _)| *j >= i) {
                self.push(Kind::DEFINITIONS.order_fault((i, *j), *span, way(*j, i, used), &names));
            }
        }
    }
}

fn uses(value: &Expr) -> Vec<Use> {
    let mut found = Vec::new();
    value.for_each_definition(&mut |i, span| found.push((i, span)));
    found
}

/// Operations of an expression with what its definitions stand for.
fn size(value: &Expr, sizes: &[u64]) -> u64 {
    let own = match value.node {
        Node::Definition(i) | Node::DefinitionRate(i) => sizes.get(i).copied().unwrap_or(1),
        _ => 1,
    };
    value.parts().fold(own, |sum, part| sum.saturating_add(size(part, sizes)))
}
