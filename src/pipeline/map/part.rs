//! A part of a map: some of its rows, with the boundaries among them and to the row before, as a file with its question; and parts that become the
//! whole, the same bytes as if it had been computed at once.

use super::ask::MapStudy;
use super::fault::MapFault;
use super::field::Sought;
use super::record::{Record, Recorded};
use super::run::{MapProgress, MapWatch};
use crate::analysis::map::{
    Cell, Class, Lack, MAP_SCHEMA, MapAxis, MapMotion, MapOutcome, Missing, Patch, Point, Segment, Tally,
    boundaries, known_word,
};
use crate::num::numbers;
use crate::pipeline::key::forget_spans;
use crate::pipeline::simulate::{Identity, PartFault, Scheme, complete, motion_question};
use crate::pipeline::{Failure, Usage, write_json};
use crate::simulate::ensemble::Chunk;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The `schema` of a part.
const PART_SCHEMA: &str = "mechan.map-part/1";

/// A part as it is written.
#[derive(Serialize, Deserialize)]
struct Part {
    schema: String,
    question: Map<String, Value>,
    map: Written,
}

/// Its map: numbers to the last bit.
#[derive(Serialize, Deserialize)]
struct Written {
    mechanism: String,
    state: String,
    x: WrittenAxis,
    y: WrittenAxis,
    quantity: String,
    contact: Option<String>,
    levels: Vec<f64>,
    cells: Vec<Vec<WrittenCell>>,
    segments: Vec<WrittenSegment>,
    patches: Vec<WrittenPatch>,
    #[serde(default)]
    motion: Option<WrittenMotion>,
    reason: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct WrittenAxis {
    name: String,
    unit: Option<String>,
    log: bool,
    values: Vec<f64>,
}

/// A number, a word (infinities among them), or nothing, in brackets with the reason of a motion.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum WrittenCell {
    Number(f64),
    Word(String),
    Nothing(()),
    Lacking([String; 1]),
}

#[derive(Serialize, Deserialize)]
struct WrittenMotion {
    scheme: String,
    t_end: f64,
    stop: Option<String>,
}

/// Corners, and the class inside.
#[derive(Serialize, Deserialize)]
pub(super) struct WrittenPatch(Vec<Point>, WrittenClass);

/// Ends, the classes beside, and whether a number jumps.
#[derive(Serialize, Deserialize)]
pub(super) struct WrittenSegment([Point; 2], [WrittenClass; 2], bool);

/// How many levels lie below, a word, or nothing.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenClass {
    Above(usize),
    Word(String),
    Nothing(()),
}

const INFINITIES: [(&str, f64); 2] = [("inf", f64::INFINITY), ("-inf", f64::NEG_INFINITY)];

impl WrittenPatch {
    pub(super) fn of(patch: &Patch) -> Self {
        Self(patch.corners.clone(), WrittenClass::of(patch.class))
    }

    pub(super) fn read(&self) -> Option<Patch> {
        Some(Patch { corners: self.0.clone(), class: self.1.read()? })
    }
}

impl WrittenMotion {
    fn of(motion: &MapMotion) -> Self {
        Self { scheme: motion.scheme.to_string(), t_end: motion.t_end.0, stop: motion.stop.clone() }
    }

    fn read(self) -> Option<MapMotion> {
        let scheme = self.scheme.parse::<Scheme>().ok()?.word();
        Some(MapMotion { scheme, t_end: self.t_end.into(), stop: self.stop })
    }
}

impl WrittenCell {
    pub(super) fn of(cell: &Cell) -> Self {
        match cell {
            Cell::Number(x) => match INFINITIES.iter().find(|(_, value)| x.0.total_cmp(value).is_eq()) {
                Some((word, _)) => Self::Word((*word).to_string()),
                None => Self::Number(x.0),
            },
            Cell::Word(word) => Self::Word((*word).to_string()),
            Cell::Undefined => Self::Nothing(()),
            Cell::Lacking(lack) => Self::Lacking([lack.name().to_string()]),
        }
    }

    pub(super) fn read(&self) -> Option<Cell> {
        match self {
            Self::Number(x) => Some(Cell::number(*x)),
            Self::Word(word) => match INFINITIES.iter().find(|(name, _)| name == word) {
                Some((_, value)) => Some(Cell::number(*value)),
                None => known_word(word).map(Cell::Word),
            },
            Self::Nothing(()) => Some(Cell::Undefined),
            Self::Lacking([word]) => Lack::of(word).map(Cell::Lacking),
        }
    }
}

impl WrittenClass {
    fn of(class: Class) -> Self {
        match class {
            Class::Undefined => Self::Nothing(()),
            Class::Above(levels) => Self::Above(levels),
            Class::Word(word) => Self::Word(word.to_string()),
        }
    }

    fn read(&self) -> Option<Class> {
        match self {
            Self::Nothing(()) => Some(Class::Undefined),
            Self::Above(levels) => Some(Class::Above(*levels)),
            Self::Word(word) => known_word(word).map(Class::Word),
        }
    }
}

impl WrittenSegment {
    pub(super) fn of(segment: &Segment) -> Self {
        Self(segment.ends, segment.sides.map(WrittenClass::of), segment.jumps)
    }

    pub(super) fn read(&self) -> Option<Segment> {
        let Self(ends, sides, jumps) = self;
        Some(Segment { ends: *ends, sides: [sides[0].read()?, sides[1].read()?], jumps: *jumps })
    }
}

impl WrittenAxis {
    fn of(axis: &MapAxis) -> Self {
        let MapAxis { name, unit, scale, values } = axis;
        Self {
            name: name.clone(),
            unit: unit.clone(),
            log: scale.is_some(),
            values: values.iter().map(|x| x.0).collect(),
        }
    }

    fn read(self) -> MapAxis {
        let Self { name, unit, log, values } = self;
        MapAxis { name, unit, scale: log.then_some("log"), values: numbers(&values) }
    }
}

impl Written {
    fn of(map: &MapOutcome) -> Self {
        Self {
            mechanism: map.mechanism.clone(),
            state: map.state.clone(),
            x: WrittenAxis::of(&map.x),
            y: WrittenAxis::of(&map.y),
            quantity: map.quantity.clone(),
            contact: map.contact.clone(),
            levels: map.levels.clone(),
            cells: map.cells.iter().map(|row| row.iter().map(WrittenCell::of).collect()).collect(),
            segments: map.segments.iter().map(WrittenSegment::of).collect(),
            patches: map.patches.iter().map(WrittenPatch::of).collect(),
            motion: map.motion.as_ref().map(WrittenMotion::of),
            reason: map.missing.reason.clone(),
        }
    }

    /// The map again, with what follows from its cells; none of words that are not known, and of rows that do not fit.
    fn read(self) -> Option<MapOutcome> {
        let (x, y) = (self.x.read(), self.y.read());
        let row = |row: &Vec<WrittenCell>| row.iter().map(WrittenCell::read).collect::<Option<Vec<Cell>>>();
        let cells: Vec<Vec<Cell>> = self.cells.iter().map(row).collect::<Option<_>>()?;
        if cells.len() != y.values.len() || cells.iter().any(|row| row.len() != x.values.len()) {
            return None;
        }
        let motion = match self.motion {
            Some(motion) => Some(motion.read()?),
            None => None,
        };
        Some(MapOutcome {
            schema: MAP_SCHEMA.into(),
            mechanism: self.mechanism,
            state: self.state,
            x,
            y,
            quantity: self.quantity,
            motion,
            contact: self.contact,
            cells,
            boundaries: Vec::new(),
            certified: None,
            missing: Missing { reason: self.reason, ..Missing::default() },
            interrupted: None,
            tally: Tally::NONE,
            patches: self.patches.iter().map(WrittenPatch::read).collect::<Option<_>>()?,
            segments: self.segments.iter().map(WrittenSegment::read).collect::<Option<_>>()?,
            levels: self.levels,
        })
    }
}

impl MapStudy<'_> {
    /// What was asked, in which the parts of a map agree but for `chunk`.
    pub(super) fn question(&self) -> serde_json::Result<Identity> {
        let mut mechanism = serde_json::to_value(&self.field.loaded.mechanism)?;
        forget_spans(&mut mechanism);
        let axes = self.axes.each_ref().map(|axis| {
            let ends = [axis.values.first(), axis.values.last()].map(|x| x.map(|x| x.0));
            json!([axis.name, axis.scale, ends, axis.values.len()])
        });
        let set: Vec<&str> = self.field.set.iter().map(|given| given.source.as_str()).collect();
        let mut asked = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "name": self.field.loaded.mechanism.name,
            "state": self.state(),
            "set": set,
            "x": axes[0],
            "y": axes[1],
            "quantity": self.quantity,
            "contact": self.field.contact(),
            "levels": self.levels,
            "chunk": [self.chunk.part, self.chunk.of],
            "mechanism": mechanism,
        });
        if let (Sought::Outcome(outcome), Some(keys)) = (&self.field.sought, asked.as_object_mut()) {
            keys.extend(motion_question(outcome.options()));
        }
        Ok(Identity::of(asked.as_object().cloned().unwrap_or_default()))
    }
}

/// That a part can be written to a file of this name, before it is computed.
///
/// # Errors
/// [`Failure::Usage`] for a file of another ending than `.json`.
pub fn check_part_file(path: Option<&Path>) -> Result<(), Failure> {
    let is_json = |path: &Path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    match path.is_some_and(is_json) {
        true => Ok(()),
        false => Err(Usage::from(MapFault::Part).into()),
    }
}

/// Writes a map that is a part, with its cells, to a file.
///
/// # Errors
/// [`Failure`] if it cannot be written.
pub fn write_map_part(study: &MapStudy<'_>, map: &MapOutcome, path: &Path) -> Result<(), Failure> {
    let what = "the part of the map";
    let question = study.question().map_err(Failure::unprintable(what))?.into_keys();
    let part = Part { schema: PART_SCHEMA.to_string(), question, map: Written::of(map) };
    write_json(path, what, &part)
}

/// Computes a map that is a part into a file, with a record of its rows if that is asked for. Returns the map; one that was stopped is written as
/// far as it came.
///
/// # Errors
/// [`Failure`], see [`MapStudy::follow`] and [`write_map_part`], and for a record of another question.
pub fn part_into(
    study: &MapStudy<'_>,
    path: &Path,
    (stop, recorded): (&AtomicBool, Recorded),
    progress: &mut dyn FnMut(MapProgress),
) -> Result<MapOutcome, Failure> {
    check_part_file(Some(path))?;
    study.check_kept("a part with everything")?;
    let record = Record::open(study, path, recorded)?;
    let watch = MapWatch { progress, stop, row: &mut |_, _| Ok(()), keep: true };
    let map = study.follow_recorded(watch, record)?;
    write_map_part(study, &map, path)?;
    Ok(map)
}

/// The whole of some parts, in any order.
///
/// # Errors
/// [`Failure::File`] if one is no part, belongs to another question, is there twice, is missing or was interrupted.
pub fn merge_maps(files: &[PathBuf]) -> Result<MapOutcome, Failure> {
    let mut found = Vec::new();
    for path in files {
        let (identity, map) = read(path)?;
        found.push(((identity, path), map));
    }
    found.sort_by_key(|((identity, _), _)| identity.chunk().part);
    let (asked, maps): (Vec<(Identity, &PathBuf)>, Vec<MapOutcome>) = found.into_iter().unzip();
    let Some(((first, _), own)) = asked.first().zip(maps.first()) else {
        return Err(Usage::from(crate::pipeline::EnsembleFault::NoParts).into());
    };
    for (identity, path) in &asked {
        first.shares_with(identity).map_err(|fault| Failure::file(path.display().to_string(), fault))?;
    }
    complete(&asked, first.chunk().of)?;
    let rows = rows_of(first.clone());
    for ((identity, path), map) in asked.iter().zip(&maps) {
        let range = identity.chunk().range(rows);
        let (of, rows) = ((range.end - range.start) as usize, map.cells.len());
        if rows != of {
            return Err(Failure::file(path.display().to_string(), PartFault::Cut { rows, of }));
        }
    }
    let mut whole = MapOutcome { y: MapAxis { values: Vec::new(), ..own.y.clone() }, ..emptied(own) };
    for map in maps {
        whole.y.values.extend(map.y.values);
        whole.cells.extend(map.cells);
        whole.patches.extend(map.patches);
        whole.segments.extend(map.segments);
        whole.missing.reason = whole.missing.reason.or(map.missing.reason);
    }
    for (y, row) in whole.y.values.iter().zip(&whole.cells) {
        row.iter().zip(&whole.x.values).for_each(|(cell, x)| whole.tally.include([x.0, y.0], cell));
    }
    whole.missing = Missing::of(&whole.tally, whole.missing.reason.take());
    whole.boundaries = boundaries(&whole.quantity, &whole.levels, &whole.segments);
    Ok(whole)
}

/// The rows of the whole that a question asks for.
fn rows_of(asked: Identity) -> u64 {
    let keys = asked.into_keys();
    keys.get("y").and_then(|y| y.get(3)).and_then(Value::as_u64).unwrap_or_default()
}

/// What is the same in all parts.
fn emptied(map: &MapOutcome) -> MapOutcome {
    let missing = Missing::default();
    MapOutcome { cells: Vec::new(), patches: Vec::new(), segments: Vec::new(), missing, ..map.clone() }
}

fn read(path: &Path) -> Result<(Identity, MapOutcome), Failure> {
    let name = path.display().to_string();
    let none = |reason: String| Failure::file(name.clone(), PartFault::NoPart { reason });
    let text = std::fs::read(path).map_err(|error| Failure::Unreadable { name: name.clone(), error })?;
    let part: Part = serde_json::from_slice(&text).map_err(|error| none(error.to_string()))?;
    if part.schema != PART_SCHEMA {
        return Err(none(format!("its schema is `{}`, not `{PART_SCHEMA}`", part.schema)));
    }
    let identity = Identity::of(part.question);
    let Chunk { part: own, of } = identity.chunk();
    if !(1..=of).contains(&own) {
        return Err(none(format!("it says that it is part {own} of {of}")));
    }
    let map = part.map.read().ok_or_else(|| none("its rows are not those of a map".to_string()))?;
    Ok((identity, map))
}
