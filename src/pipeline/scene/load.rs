//! A path to a validated scene.

use super::mechanisms::mechanisms;
use crate::diag::{Diagnostic, Source};
use crate::format::Kind;
use crate::format::scene::{CheckedScene, Scene, read_scene};
use crate::pipeline::load::{Loaded, holds_model, is_json, read_bytes, refused, source_of};
use crate::pipeline::shipped::shipped;
use crate::pipeline::{Failure, Usage};
use crate::scene::passing;
use std::path::Path;

/// A scene ready to run.
#[derive(Clone, Debug)]
pub struct LoadedScene {
    /// The text that spans point into.
    pub source: Source,
    /// The scene.
    pub scene: Scene,
    /// The mechanisms that it names, in its order.
    pub mechanisms: Vec<Loaded>,
    /// What its author should know.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a scene file with those of its mechanisms; `-` is standard input. A name without an ending that is no file is that of a file with the ending `.yaml`.
///
/// # Errors
/// [`Failure`] with every fault that was found.
pub fn load_scene(name: &str) -> Result<LoadedScene, Failure> {
    let file = format!("{name}.yaml");
    let named = name != "-" && !Path::new(name).exists() && Path::new(name).extension().is_none();
    let name = if named && Path::new(&file).is_file() { file.as_str() } else { name };
    let bytes = read_bytes(name).map_err(|failure| match shipped(name) {
        Some(_) => Usage::Kind { file: name.to_string(), kind: Kind::Mechanism }.into(),
        None => failure,
    });
    load_scene_bytes(name, bytes?)
}

/// A scene from bytes that were read elsewhere, `name` being what messages call them, and where its mechanisms are looked for.
///
/// # Errors
/// As [`load_scene`].
pub fn load_scene_bytes(name: &str, bytes: Vec<u8>) -> Result<LoadedScene, Failure> {
    if is_json(&bytes) && holds_model(&bytes) {
        return Err(Usage::Kind { file: name.to_string(), kind: Kind::Mechanism }.into());
    }
    let source = source_of(name, bytes)?;
    let CheckedScene { scene, mut warnings } = match read_scene(&source) {
        Ok(checked) => checked,
        Err(diagnostics) => return Err(refused(source, diagnostics, Kind::Scene)),
    };
    let mechanisms = match mechanisms(name, &scene.mechanisms) {
        Ok(mechanisms) => mechanisms,
        Err(diagnostics) => return Err(Failure::Input { source, diagnostics }),
    };
    let pairs = scene.mechanisms.iter().zip(&mechanisms);
    warnings.extend(pairs.filter_map(|(named, loaded)| passing(named, &loaded.mechanism)));
    Ok(LoadedScene { source, scene, mechanisms, warnings })
}

/// Whether a file that can be read is meant to be a scene.
pub fn is_scene_file(name: &str) -> bool {
    Path::new(name).is_file()
        && read_bytes(name)
            .ok()
            .and_then(|bytes| source_of(name, bytes).ok())
            .is_some_and(|s| Kind::of(&s) == Some(Kind::Scene))
}
