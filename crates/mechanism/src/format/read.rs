//! A file to a validated mechanism: every section is read, whatever was wrong with the ones before.

use super::claim::ClaimText;
use super::material::drifting;
use super::mechanism::{FileClaim, Mechanism, Space};
use super::reader::{Cursor, Fields, Reader};
use super::{numbers, units, yaml};
use crate::diag::{Diagnostic, Source};

/// The version of the format that is read.
const VERSION: &str = "1";

/// The keys of a file.
#[rustfmt::skip]
pub(super) const TOP: [&str; 18] = [
    "mechan", "name", "title", "description", "references", "space", "parameters", "coordinates", "gravity",
    "definitions", "frames", "points", "bodies", "energy", "forces", "constraints", "contacts", "states",
];

/// A mechanism that passed all checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The mechanism.
    pub mechanism: Mechanism,
    /// What its author should know.
    pub warnings: Vec<Diagnostic>,
}

/// Reads and validates a mechanism file.
///
/// # Errors
/// Everything that is wrong with it, in the order of the file; warnings are among the errors then.
pub fn read(source: &Source) -> Result<Checked, Vec<Diagnostic>> {
    let mut reader = Reader::default();
    let root = yaml::read(source, &mut reader.found);
    let mechanism = root.and_then(|root| reader.mechanism(&Cursor { yaml: &root, path: String::new() }));
    match mechanism {
        Some(mechanism) if !reader.found.iter().any(Diagnostic::is_error) => {
            Ok(Checked { mechanism, warnings: reader.causes() })
        }
        refused => {
            let claims = refused.into_iter().flat_map(|mechanism| mechanism.claims);
            reader.found.extend(claims.flat_map(|claim| claim.faults));
            Err(reader.causes())
        }
    }
}

impl Reader {
    fn mechanism(&mut self, root: &Cursor) -> Option<Mechanism> {
        let known: Vec<&str> = TOP.into_iter().chain(["domain", "claims"]).collect();
        let top = self.fields(root, &known)?;
        self.version(&top);
        let name = self.name(&top);
        let words = [&SPACES[0], &SPACES[1]].map(|(w, s)| (*w, *s));
        self.space = self.required(&top, "space").and_then(|c| self.one_of(&c, &words));
        self.collect_names(&top);
        let coordinates = self.coordinates(&top);
        self.definitions = self.definitions(&top);
        self.points = self.named_points(&top);
        let mut mechanism = Mechanism {
            name: name.unwrap_or_default(),
            title: self.optional_text(&top, "title"),
            description: self.optional_text(&top, "description"),
            references: self.references(&top),
            space: self.space.unwrap_or(Space::Plane),
            parameters: self.parameters(&top),
            coordinates,
            gravity: self.gravity(&top),
            definitions: self.definitions.clone(),
            frames: self.frames(&top),
            points: self.points.clone(),
            bodies: self.bodies(&top),
            energy: self.energy(&top),
            forces: self.forces(&top),
            constraints: self.constraints(&top),
            contacts: self.contacts(&top),
            states: self.states(&top),
            domain: self.domain(&top),
            claims: self.claims(&top),
        };
        self.define_motion(&mut mechanism);
        self.something_moves(&top);
        if !self.found.iter().any(Diagnostic::is_error) {
            self.found.extend(numbers::check(&mechanism, &self.places));
            self.found.extend(units::check(&mechanism));
        }
        if !self.found.iter().any(Diagnostic::is_error) {
            self.found.extend(drifting(&mechanism));
        }
        Some(mechanism)
    }

    fn version(&mut self, top: &Fields) {
        let Some(cursor) = self.required(top, "mechan") else { return };
        let Some(text) = self.text(&cursor) else { return };
        if text != VERSION {
            let message = format!("version `{text}` of the format is not known, expected {VERSION}");
            self.push(cursor.fault("M015", message).with_hint(format!("write `mechan: {VERSION}`")));
        }
    }

    fn name(&mut self, top: &Fields) -> Option<String> {
        let cursor = self.required(top, "name")?;
        let name = self.text(&cursor)?;
        self.check_label(&name, cursor.yaml.span, "name");
        Some(name)
    }

    fn references(&mut self, top: &Fields) -> Vec<String> {
        let Some(cursor) = top.get("references") else { return Vec::new() };
        self.list(&cursor).iter().filter_map(|c| self.text(c)).collect()
    }

    fn claims(&mut self, top: &Fields) -> Vec<FileClaim> {
        let Some(cursor) = top.get("claims") else { return Vec::new() };
        self.list(&cursor).iter().filter_map(|c| self.claim(c)).collect()
    }

    fn claim(&mut self, cursor: &Cursor) -> Option<FileClaim> {
        let (text, path) = (self.text(cursor)?, cursor.path.clone());
        let (word, place) = (cursor.word()?, cursor.place()?);
        let written = ClaimText { text: word, place, names: &self.names, contacts: &self.contacts };
        let faults = written.read().err().unwrap_or_default();
        let faults = faults.into_iter().map(|fault| fault.with_path(path.clone())).collect();
        Some(FileClaim { text, span: cursor.yaml.span, path, faults })
    }

    fn something_moves(&mut self, top: &Fields) {
        let bodies = top.get("bodies").is_some_and(|c| !c.is_map() || !self.bodies.is_empty());
        let kinetic = top.get("energy").filter(Cursor::is_map).and_then(|c| self.map(&c));
        if !bodies && !kinetic.is_some_and(|e| e.has("kinetic")) {
            let found = Diagnostic::error("M206", "nothing has mass: expected `bodies` or `energy.kinetic`");
            self.push(
                found.with_hint(
                    "add `bodies: {rod: {mass: m, inertia: J, position: [x, y], rotation: theta}}`",
                ),
            );
        }
    }
}

/// The words for plane and space.
pub(super) const SPACES: [(&str, Space); 2] = [("plane", Space::Plane), ("space", Space::Space)];
