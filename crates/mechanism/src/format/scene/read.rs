//! A file to a validated scene: every section is read, whatever was wrong with the ones before.

use super::data::{Law, Overlapping, Scene, StepPlan};
use super::values::SceneReader;
use crate::diag::{Diagnostic, Source};
use crate::expression::Names;
use crate::format::numbers::Bound;
use crate::format::read::SPACES;
use crate::format::reader::{Cursor, Fields, Reader};
use crate::format::yaml;

/// The version of the format that is read.
const VERSION: &str = "1";

/// The keys of a file.
#[rustfmt::skip]
pub(super) const TOP: [&str; 21] = [
    "scene", "name", "title", "description", "space", "parameters", "gravity", "seed", "groups", "mechanisms", "surfaces", "friction",
    "restitution", "pairs", "step", "steps", "duration", "theta", "solver", "tolerance", "overlaps",
];

/// More steps than these are a slip of the pen.
const MOST_STEPS: f64 = 1e9;
/// The same of seeds: integers that doubles have exactly.
const LARGEST_SEED: f64 = 9_007_199_254_740_992.0;

/// A scene that passed all checks.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedScene {
    /// The scene.
    pub scene: Scene,
    /// What its author should know.
    pub warnings: Vec<Diagnostic>,
}

/// Reads and validates a scene file.
///
/// # Errors
/// Everything that is wrong with it, in the order of the file; warnings are among the errors then.
pub fn read_scene(source: &Source) -> Result<CheckedScene, Vec<Diagnostic>> {
    let mut reader = Reader::default();
    let root = yaml::read(source, &mut reader.found);
    let scene = root.and_then(|root| scene(&mut reader, &Cursor { yaml: &root, path: String::new() }));
    let found = reader.causes();
    match scene {
        Some(scene) if !found.iter().any(Diagnostic::is_error) => Ok(CheckedScene { scene, warnings: found }),
        _ => Err(found),
    }
}

fn scene(reader: &mut Reader, root: &Cursor) -> Option<Scene> {
    let top = reader.fields(root, &TOP)?;
    version(reader, &top);
    let name = reader.required(&top, "name").and_then(|cursor| {
        let name = reader.text(&cursor)?;
        reader.check_label(&name, cursor.yaml.span, "name");
        Some(name)
    });
    let (title, description) =
        (reader.optional_text(&top, "title"), reader.optional_text(&top, "description"));
    let words = SPACES.map(|(word, space)| (word, space));
    let space = reader.required(&top, "space").and_then(|c| reader.one_of(&c, &words));
    // how many components a vector has is not known without it
    let space = space?;
    reader.space = Some(space);
    reader.collect_names(&top);
    let (names, parameters) = parameters(reader, &top);
    let mut own = SceneReader { reader, names, parameters, space };
    let gravity = own.optional_vector(&top, "gravity").unwrap_or_default();
    let seed = top.get("seed").and_then(|c| own.whole(&c, LARGEST_SEED)).unwrap_or(0);
    let (groups, mechanisms, surfaces) = (own.groups(&top), own.mechanisms(&top), own.surfaces(&top));
    let law = Law {
        friction: own.required_number(&top, "friction", Bound::NotNegative).unwrap_or_default(),
        restitution: own.optional_number(&top, "restitution", Bound::Fraction).unwrap_or_default(),
    };
    let members = groups.iter().map(|g| &g.name).chain(mechanisms.iter().map(|m| &m.name));
    let members: Vec<String> = members.chain(surfaces.iter().map(|s| &s.name)).cloned().collect();
    let pairs = own.pairs(&top, &members);
    let course = own.course(&top);
    let SceneReader { parameters, .. } = own;
    Some(Scene {
        name: name?,
        title,
        description,
        space,
        gravity,
        seed,
        parameters,
        groups,
        mechanisms,
        surfaces,
        law,
        pairs,
        course: course?,
    })
}

fn version(reader: &mut Reader, top: &Fields) {
    let Some(cursor) = reader.required(top, "scene") else { return };
    let Some(text) = reader.text(&cursor) else { return };
    if text != VERSION {
        let message = format!("version `{text}` of the scene format is not known, expected {VERSION}");
        reader.push(cursor.fault("M015", message).with_hint(format!("write `scene: {VERSION}`")));
    }
}

/// Names and values of the parameters; one that could not be read is not a number, which its uses then are too.
fn parameters(reader: &mut Reader, top: &Fields) -> (Names, Vec<f64>) {
    let read = reader.parameters(top);
    let mut values: Vec<f64> = Vec::new();
    for name in reader.names.parameters.clone() {
        let value =
            read.iter().find(|p| p.name == name).map(|p| (p.value.eval_parametric(&values), p.value.span));
        if let Some((x, span)) = value.filter(|(x, _)| !x.is_finite()) {
            let message = format!("{name} is {x}, expected a finite number");
            let path = format!("parameters.{name}");
            reader.push(Diagnostic::error("M213", message).with_span(span).with_path(path));
        }
        values.push(value.map_or(f64::NAN, |(x, _)| x));
    }
    (reader.names.clone(), values)
}

impl SceneReader<'_> {
    fn course(&mut self, top: &Fields) -> Option<StepPlan> {
        let step = self.required_number(top, "step", Bound::Positive);
        let theta = self.optional_number(top, "theta", Bound::Fraction);
        let tolerance = self.optional_number(top, "tolerance", Bound::Positive);
        let solver = self.reader.optional_text(top, "solver");
        let words = [("take-back", Overlapping::TakeBack), ("keep", Overlapping::Keep)];
        let overlaps =
            top.get("overlaps").and_then(|word| self.reader.one_of(&word, &words)).unwrap_or_default();
        let steps = match (top.get("steps"), top.get("duration")) {
            (Some(steps), None) => self.whole(&steps, MOST_STEPS),
            (None, Some(duration)) => {
                let time = self.number(&duration, Bound::NotNegative);
                step.zip(time).map(|(h, t)| (t / h).round() as u64)
            }
            (Some(both), Some(_)) => {
                self.reader
                    .push(both.fault("M019", "`steps` and `duration` are both given, expected one of them"));
                None
            }
            (None, None) => {
                let found =
                    top.fault("M019", "neither `steps` nor `duration` is given, expected one of them");
                self.reader.push(found.with_hint("add `duration: 1` (seconds)"));
                None
            }
        };
        let theta = theta.unwrap_or(0.5);
        Some(StepPlan { step: step?, steps: steps?, theta, solver, tolerance, overlaps })
    }
}
