//! Files from which a run goes on with the same rows: the state of the scene, exact, and what it was that ran.

use super::fault::SceneFault;
use crate::format::scene::Scene;
use crate::num::random::hash;
use crate::pipeline::load::read_bytes;
use crate::pipeline::{Failure, write_json};
use crate::scene::{Options, State};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The schema of a checkpoint.
pub const CHECKPOINT_SCHEMA: &str = "mechan.checkpoint/1";

/// A checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// [`CHECKPOINT_SCHEMA`].
    pub schema: String,
    /// Name of the scene.
    pub scene: String,
    /// Digest of all that the next rows depend on beside the state.
    pub digest: String,
    /// The state.
    pub state: State,
}

impl Checkpoint {
    /// Of a scene that is run with some options; `mechanisms` are the texts of its mechanisms.
    pub fn new((scene, mechanisms): (&Scene, &[String]), options: &Options, state: State) -> Self {
        let (schema, digest) = (CHECKPOINT_SCHEMA.to_owned(), digest(scene, mechanisms, options));
        Self { schema, scene: scene.name.clone(), digest, state }
    }

    /// Writes it; the file is complete or not there.
    ///
    /// # Errors
    /// `Unwritable`.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        write_json(path, "the checkpoint", self)
    }

    /// Reads one of a scene that is run with these options.
    ///
    /// # Errors
    /// [`SceneFault`] in a [`Failure`].
    pub fn read(
        path: &Path,
        (scene, mechanisms): (&Scene, &[String]),
        options: &Options,
    ) -> Result<Self, Failure> {
        let file = path.display().to_string();
        let bytes = read_bytes(&file)?;
        let read: Self = serde_json::from_slice(&bytes)
            .map_err(|error| SceneFault::Checkpoint { file: file.clone(), reason: error.to_string() })?;
        if read.schema != CHECKPOINT_SCHEMA {
            let reason = format!("its schema is `{}`, expected `{CHECKPOINT_SCHEMA}`", read.schema);
            return Err(SceneFault::Checkpoint { file, reason }.into());
        }
        if read.digest != digest(scene, mechanisms, options) {
            return Err(SceneFault::Foreign { file }.into());
        }
        Ok(read)
    }
}

/// Of everything but the number of steps, which may be more the second time, and of threads, on which no number depends.
fn digest(scene: &Scene, mechanisms: &[String], options: &Options) -> String {
    let options = Options { threads: None, ..options.clone() };
    let mut scene = scene.clone();
    scene.course.steps = 0;
    let all = format!("{} {scene:?} {mechanisms:?} {options:?}", env!("CARGO_PKG_VERSION"));
    format!("{:016x}", hash(&all))
}
