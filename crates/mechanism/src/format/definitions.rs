//! Named expressions: each may use the earlier ones, and is read before anything that may use it.

use super::kinematics::{self, Numbering, not_yet};
use super::mechanism::{Definitions, Mechanism, Space};
use super::names::{Kind, way};
use super::reader::{Cursor, Fields, Reader};
use super::yaml::Entry;
use crate::diag::{Diagnostic, Span};
use crate::expression::{DefinitionName, Expr, Node, Scope, mentions_motion};

/// The most operations that a definition may stand for, once all that it uses is written out.
const LARGEST: u64 = 100_000;

/// A definition that another uses, and where.
type Use = (usize, Span);

impl Reader {
    pub(super) fn definitions(&mut self, top: &Fields) -> Definitions {
        let map = top.get("definitions").and_then(|c| self.map(&c));
        let entries: Vec<_> = map.iter().flat_map(Fields::all).collect();
        let slots = self.name_definitions(top, &entries);
        let mut read = Definitions::default();
        let mut sizes: Vec<u64> = Vec::new();
        let mut used: Vec<Vec<Use>> = Vec::new();
        for (i, slot) in slots.into_iter().enumerate() {
            let names = self.names.clone();
            let value = match slot {
                None => not_yet(&names.definitions[i]),
                Some((_, cursor)) => {
                    let value = self.expression(cursor, &Scope::velocity(&names, "a definition"));
                    value.unwrap_or_else(Expr::zero)
                }
            };
            used.push(uses(&value));
            let size = size(&value, &sizes);
            if let Some((entry, cursor)) = slot.filter(|_| size > LARGEST) {
                let message = format!("`{}` stands for more than {LARGEST} operations", entry.key);
                let found = Diagnostic::error("M105", message).with_span(cursor.yaml.span);
                self.push(
                    found.with_path(cursor.path.clone()).with_hint("use fewer definitions of definitions"),
                );
            }
            sizes.push(size);
            read.names.push(names.definitions[i].name.clone());
            read.values.push(value);
            self.names.definitions[i].switches = read.values[i].switches(&read.values[..i]);
            self.names.definitions[i].has_rates = read.values[i].rate_degree(&read.values[..i]) != Some(0);
        }
        self.in_order(&used);
        read
    }

    /// The names of all definitions: those of the file, and before the first that is made of them those that places and turns
    /// have, if the file asks for any, as `None`.
    fn name_definitions<'e, 'y>(
        &mut self,
        top: &Fields,
        entries: &'e [(&'y Entry, Cursor<'y>)],
    ) -> Vec<Option<&'e (&'y Entry, Cursor<'y>)>> {
        let asks = |cursor: &Cursor| cursor.yaml.has_text(&mentions_motion);
        let first = entries.iter().position(|(_, cursor)| asks(cursor)).unwrap_or(entries.len());
        let mut of_motion = Vec::new();
        if top.all().any(|(_, cursor)| asks(&cursor)) {
            let points = top.get("points").filter(Cursor::is_map).and_then(|c| self.map(&c));
            let points: Vec<String> =
                points.iter().flat_map(Fields::all).map(|(entry, _)| entry.key.clone()).collect();
            let space = self.space.unwrap_or(Space::Plane);
            let all: [&[String]; 3] = [&self.frames, &self.bodies, &points];
            of_motion = kinematics::names(space, all);
            self.motion = Some(Numbering::new(space, first, all));
        }
        let (before, after) = entries.split_at(first);
        let hidden = std::iter::repeat_n(None, of_motion.len());
        let slots: Vec<_> = before.iter().map(Some).chain(hidden).chain(after.iter().map(Some)).collect();
        let mut of_motion = of_motion.into_iter();
        for slot in &slots {
            let Some((entry, cursor)) = slot else {
                self.names.definitions.extend(of_motion.next());
                self.places.definitions.push(Span::default());
                continue;
            };
            self.check_name(&entry.key, entry.key_span, &cursor.path);
            self.distinct(&entry.key, entry.key_span, &cursor.path);
            let name = entry.key.clone();
            self.names.definitions.push(DefinitionName { name, has_rates: false, switches: false });
            self.places.definitions.push(entry.key_span);
        }
        slots
    }

    /// What places and turns stand for, once all frames, bodies and points are known.
    pub(super) fn define_motion(&mut self, mechanism: &mut Mechanism) {
        let Some(numbering) = self.motion else { return };
        let [frames, bodies, points] =
            [mechanism.frames.len(), mechanism.bodies.len(), mechanism.points.len()];
        // what could not be read is a fault already
        if [frames, bodies, points] != [numbering.frames, numbering.bodies, numbering.points] {
            return;
        }
        let values = kinematics::values(mechanism, numbering);
        let range = numbering.first..numbering.first + numbering.count();
        mechanism.definitions.values.splice(range, values);
        let used: Vec<Vec<Use>> = mechanism.definitions.values.iter().map(uses).collect();
        self.in_order(&used);
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
