//! What was asked of an ensemble, as it is kept beside its results: `x.csv` has `x.csv.question.json`. A run that goes on and parts that
//! are merged have to agree in it, key by key.

use super::ask::EnsembleOptions;
use super::fault::PartFault;
use crate::format::StateSpec;
use crate::num::random::hash;
use crate::pipeline::Loaded;
use crate::pipeline::key::forget_spans;
use crate::pipeline::simulate::ask::SimulateOptions;
use crate::report::write_whole;
use crate::simulate::ensemble::{Axis, Chunk, Distribution, Plan};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Version of the shape.
const QUESTION_SCHEMA: &str = "mechan.ensemble-question/1";

/// The one key in which the parts of an ensemble differ.
const CHUNK: &str = "chunk";

/// What was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity(Map<String, Value>);

impl Identity {
    /// Of a question: the mechanism with its numbers, the program's version, and every option that rows depend on.
    pub(super) fn new(
        loaded: &Loaded,
        spec: &StateSpec,
        options: &EnsembleOptions,
        (plan, runs, chunk): (&Plan, u64, Chunk),
    ) -> serde_json::Result<Self> {
        let mut mechanism = serde_json::to_value(&loaded.mechanism)?;
        forget_spans(&mut mechanism);
        let motion = &options.motion;
        let coordinates: Vec<&str> = loaded.mechanism.coordinates.iter().map(|c| c.name.as_str()).collect();
        let columns: Vec<&str> = plan.axes.iter().map(|axis| axis.name.as_str()).collect();
        let ends: Vec<[f64; 2]> = plan.axes.iter().map(|axis| [axis.lo, axis.hi]).collect();
        // the file of a list may have changed
        let lists: Vec<u64> = plan.axes.iter().filter_map(list_hash).collect();
        let mut value = json!({
            "schema": QUESTION_SCHEMA,
            "version": env!("CARGO_PKG_VERSION"),
            "name": loaded.mechanism.name,
            "state": spec.name,
            "set": motion.set,
            "coordinates": coordinates,
            "runs": runs,
            "seed": plan.seed,
            "varied": columns,
            "ends": ends,
            "random": options.random,
            "lists": lists,
            "grid": options.grid,
            CHUNK: [chunk.part, chunk.of],
            "mechanism": mechanism,
        });
        if let Some(keys) = value.as_object_mut() {
            keys.extend(motion_question(motion));
        }
        Ok(Self(value.as_object().cloned().unwrap_or_default()))
    }

    /// Of keys that were read, or of another question than that of an ensemble.
    pub(in crate::pipeline) fn of(keys: Map<String, Value>) -> Self {
        Self(keys)
    }

    /// All keys.
    pub(in crate::pipeline) fn into_keys(self) -> Map<String, Value> {
        self.0
    }

    /// Where the question of a file stands.
    pub fn beside(path: &Path) -> PathBuf {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.with_file_name(format!("{name}.question.json"))
    }

    /// Writes it beside a file of results.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let text = serde_json::to_string_pretty(&self.0).map_err(std::io::Error::other)? + "\n";
        write_whole(&Self::beside(path), text.as_bytes())
    }

    /// That of a file of results.
    ///
    /// # Errors
    /// [`PartFault::Unasked`] if it does not stand beside it.
    pub fn read(path: &Path) -> Result<Self, PartFault> {
        let beside = Self::beside(path);
        let unasked = |reason: String| PartFault::Unasked { beside: beside.display().to_string(), reason };
        let text = std::fs::read_to_string(&beside).map_err(|e| unasked(format!("cannot be read ({e})")))?;
        let map: Map<String, Value> =
            serde_json::from_str(&text).map_err(|e| unasked(format!("is damaged ({e})")))?;
        match map.get("schema").and_then(Value::as_str) {
            Some(QUESTION_SCHEMA) => Ok(Self(map)),
            _ => Err(unasked("is not one of this version".to_string())),
        }
    }

    /// That another one asks for the same part of the same ensemble.
    ///
    /// # Errors
    /// [`PartFault::Other`] with the first key in which they differ.
    pub fn is_that_of(&self, found: &Self) -> Result<(), PartFault> {
        self.agrees(found, |_| true)
    }

    /// That another one asks for a part of the same ensemble.
    ///
    /// # Errors
    /// As [`Identity::is_that_of`].
    pub fn shares_with(&self, found: &Self) -> Result<(), PartFault> {
        self.agrees(found, |key| key != CHUNK)
    }

    fn agrees(&self, found: &Self, matters: impl Fn(&str) -> bool) -> Result<(), PartFault> {
        let keys = self.0.keys().chain(found.0.keys()).filter(|key| matters(key));
        let differs = |key: &&String| self.0.get(*key) != found.0.get(*key);
        let words = |value: Option<&Value>| match value {
            Some(Value::Object(_)) => "another".to_string(),
            Some(value) => value.to_string(),
            None => "absent".to_string(),
        };
        match keys.into_iter().find(differs) {
            Some(key) => Err(PartFault::Other {
                key: key.clone(),
                found: words(found.0.get(key)),
                expected: words(self.0.get(key)),
            }),
            None => Ok(()),
        }
    }

    /// Which part of how many.
    pub fn chunk(&self) -> Chunk {
        let number = |i: usize| self.0.get(CHUNK).and_then(|c| c.get(i)).and_then(Value::as_u64);
        Chunk { part: number(0).unwrap_or(1), of: number(1).unwrap_or(1) }
    }

    /// The same, asked for as a whole.
    #[must_use]
    pub fn whole(&self) -> Self {
        let mut map = self.0.clone();
        map.insert(CHUNK.to_string(), json!([Chunk::WHOLE.part, Chunk::WHOLE.of]));
        Self(map)
    }

    /// The names that vary.
    pub(super) fn varied(&self) -> Vec<String> {
        self.list("varied")
    }

    /// The coordinates.
    pub(super) fn coordinates(&self) -> Vec<String> {
        self.list("coordinates")
    }

    fn list(&self, key: &str) -> Vec<String> {
        let list = self.0.get(key).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(String::from).collect()
    }

    /// Runs of the whole.
    pub(super) fn runs(&self) -> u64 {
        self.0.get("runs").and_then(Value::as_u64).unwrap_or_default()
    }

    /// Name of the mechanism, and of the state.
    pub fn names(&self) -> [&str; 2] {
        ["name", "state"].map(|key| self.0.get(key).and_then(Value::as_str).unwrap_or_default())
    }
}

/// What the values of a list are, in a number.
fn list_hash(axis: &Axis) -> Option<u64> {
    match &axis.spread {
        Distribution::Listed(list) => {
            let bits: String = list.iter().map(|x| format!("{:016x}", x.to_bits())).collect();
            Some(hash(&bits))
        }
        _ => None,
    }
}

/// What is asked of each motion, but for where it begins.
pub(in crate::pipeline) fn motion_question(motion: &SimulateOptions) -> Map<String, Value> {
    let keys = json!({
        "scheme": motion.scheme.word(),
        "eps": motion.eps,
        "step": motion.step,
        "theta": motion.theta,
        "gamma": motion.gamma,
        "t_end": motion.t_end,
        "rtol": motion.rtol,
        "atol": motion.atol,
        "future": motion.futures,
        "hyperstatic": motion.hyperstatic.word(),
        "stop": motion.stop,
        "max_events": motion.limits.events,
        "max_steps": motion.limits.steps,
    });
    keys.as_object().cloned().unwrap_or_default()
}
