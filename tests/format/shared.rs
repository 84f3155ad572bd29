//! A small good file, edits of it, and everything that is found wrong with a text.

use mechan::diag::{Diagnostic, Source, Span};
use mechan::format::{Checked, read};

/// A good file in the plane; each case changes one thing.
pub(crate) const PLANE: &str = "\
mechan: 1
name: particle
space: plane
parameters: {m: 1, mu: 0.5}
coordinates: [x, y]
bodies:
  ball: {mass: m, position: [x, y]}
contacts:
  tip: {point: [x, y], surface: {point: [0, 0], normal: [0, 1]}, friction: mu}
states:
  rest: {q: {x: 0, y: 0}}
";

/// A good file in space.
pub(crate) const SPACE: &str = "\
mechan: 1
name: ball
space: space
parameters: {m: 1, J: 2, r: 0.1, mu: 0.5}
coordinates: [x, y, z, a, b]
bodies:
  ball: {mass: m, inertia: [J, J, J], position: [x, y, z], rotation: [{axis: z, angle: a}, {axis: x, angle: b}]}
contacts:
  floor: {disc: {body: ball, radius: r}, surface: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: mu}
";

/// `base` with the one occurrence of `from` replaced.
pub(crate) fn edited(base: &str, from: &str, to: &str) -> String {
    assert_eq!(base.matches(from).count(), 1, "`{from}` must occur once");
    base.replacen(from, to, 1)
}

/// A text without its marks `«` and `»`, and the span between them.
pub(crate) fn unmarked(text: &str) -> (String, Option<Span>) {
    let Some((before, rest)) = text.split_once('«') else { return (text.to_owned(), None) };
    let (inside, after) = rest.split_once('»').expect("a mark that closes");
    let span = Span::new(before.len(), before.len() + inside.len());
    (format!("{before}{inside}{after}"), Some(span))
}

pub(crate) fn checked(text: &str) -> Checked {
    let source = Source::from_bytes("file.yaml", text.as_bytes().to_vec()).unwrap();
    read(&source).unwrap_or_else(|found| panic!("{}", shown(&found, &source)))
}

pub(crate) fn shown(found: &[Diagnostic], source: &Source) -> String {
    mechan::diag::render_all(found, source, mechan::diag::Color::Plain)
}

/// Everything that is wrong with a file: in the text, in its values, in its states and its domain.
pub(crate) fn faults(bytes: &[u8]) -> (Source, Vec<Diagnostic>) {
    let source = match Source::from_bytes("file.yaml", bytes.to_vec()) {
        Ok(source) => source,
        Err(found) => return (Source::new("file.yaml", ""), vec![found]),
    };
    let found = match read(&source) {
        Err(found) => found,
        Ok(Checked { mechanism, mut warnings }) => {
            warnings.extend(mechanism.claims.iter().flat_map(|claim| claim.faults.clone()));
            for state in &mechanism.states {
                match mechanism.resolve(state, &[]) {
                    Ok(resolved) => warnings
                        .extend(mechanism.domain_values(&resolved.parameters).err().unwrap_or_default()),
                    Err(found) => warnings.extend(found),
                }
            }
            warnings
        }
    };
    (source, found)
}
