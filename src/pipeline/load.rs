//! A path to a validated mechanism: a YAML file, or a model file that carries its mechanism and its equations.

use super::key::is_model_of;
use super::shipped::{Shipped, nearest_shipped, shipped};
use super::{Failure, FileFault, Usage};
use crate::diag::{Diagnostic, Source};
use crate::format::{self, Kind, Mechanism};
use crate::model::{Model, ModelFile};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The largest file that is read, in bytes: far above any mechanism, far below what would exhaust a machine.
const LARGEST_FILE: u64 = 64 << 20;

/// A mechanism ready for derivation or, from a model file, already derived.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The text that spans point into.
    pub source: Source,
    /// The mechanism.
    pub mechanism: Mechanism,
    /// What the reader of the report should know about the file.
    pub warnings: Vec<Diagnostic>,
    /// Its model, if the file was a model file.
    pub model: Option<Model>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a mechanism comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A file, or standard input.
    #[default]
    File,
    /// The library that travels with the program.
    Library,
}

/// Reads a mechanism or a model file; `-` is standard input. A name that is no file is that of a file with the ending
/// `.yaml`, or of a mechanism of the [library](super::LIBRARY).
///
/// # Errors
/// [`Failure`] with every fault that was found.
pub fn load(name: &str) -> Result<Loaded, Failure> {
    match read_bytes(name) {
        Err(Failure::Unreadable { error, .. }) if error.kind() == ErrorKind::NotFound => find(name, error),
        bytes => load_bytes(name, bytes?),
    }
}

/// What a name means that is no file.
pub(super) enum Meant {
    /// A file of that name and the ending of mechanisms.
    File(String),
    /// A mechanism of the library.
    Library(&'static Shipped),
}

/// What a name means that is no file, if anything.
pub(super) fn meant(name: &str) -> Option<Meant> {
    let file = format!("{name}.yaml");
    if Path::new(name).extension().is_none() && Path::new(&file).is_file() {
        return Some(Meant::File(file));
    }
    shipped(name).map(Meant::Library)
}

fn find(name: &str, error: std::io::Error) -> Result<Loaded, Failure> {
    match meant(name) {
        Some(Meant::File(file)) => load_bytes(&file, read_bytes(&file)?),
        Some(Meant::Library(found)) => load_shipped(found),
        None => Err(match nearest_shipped(name) {
            Some(nearest) => Failure::Unshipped { name: name.to_string(), nearest },
            None => Failure::Unreadable { name: name.to_string(), error },
        }),
    }
}

/// A mechanism of the library with its equations.
///
/// # Errors
/// None for what is shipped; [`Failure`] is that of any model file.
pub fn load_shipped(shipped: &Shipped) -> Result<Loaded, Failure> {
    let loaded = load_model(&shipped.source_name(), shipped.model.as_bytes())?;
    Ok(Loaded { origin: Origin::Library, ..loaded })
}

/// The bytes of a file or of standard input.
pub(super) fn read_bytes(name: &str) -> Result<Vec<u8>, Failure> {
    read(name).map_err(|error| Failure::Unreadable { name: name.to_string(), error })
}

fn read(name: &str) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = LARGEST_FILE + 1;
    if name == "-" {
        std::io::stdin().take(limit).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(name)?.take(limit).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > LARGEST_FILE {
        let message = format!("it is larger than {} MiB", LARGEST_FILE >> 20);
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Reads a mechanism or a model file from its bytes.
///
/// # Errors
/// [`Failure`] with every fault that was found.
pub fn load_bytes(name: &str, bytes: Vec<u8>) -> Result<Loaded, Failure> {
    if is_json(&bytes) && holds_model(&bytes) {
        return load_model(name, &bytes);
    }
    let source = source_of(name, bytes)?;
    check(source, None)
}

/// The text of a file.
pub(super) fn source_of(name: &str, bytes: Vec<u8>) -> Result<Source, Failure> {
    Source::from_bytes(name, bytes)
        .map_err(|fault| Failure::Input { source: Source::new(name, ""), diagnostics: vec![fault] })
}

/// Whether bytes begin as a JSON object does.
pub(super) fn is_json(bytes: &[u8]) -> bool {
    bytes.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{')
}

/// Whether JSON-looking bytes announce a model; a mechanism may be written in JSON too, which is YAML.
pub(super) fn holds_model(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(ANNOUNCEMENT)];
    start.windows(13).any(|w| w == b"mechan.model/")
}

/// A model file announces itself within this many bytes.
const ANNOUNCEMENT: usize = 200;

fn load_model(name: &str, bytes: &[u8]) -> Result<Loaded, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|e| Failure::file(name, FileFault::Text(e)))?;
    let file = ModelFile::read(text).map_err(|e| Failure::file(name, e))?;
    let loaded = check(Source::new(name, file.mechanism), Some(file.model))?;
    let fits = loaded.model.as_ref().is_none_or(|m| is_model_of(&loaded.mechanism, m));
    if fits { Ok(loaded) } else { Err(Failure::file(name, FileFault::ForeignModel)) }
}

fn check(source: Source, model: Option<Model>) -> Result<Loaded, Failure> {
    match format::read(&source) {
        Ok(checked) => Ok(Loaded {
            mechanism: checked.mechanism,
            warnings: checked.warnings,
            source,
            model,
            origin: Origin::File,
        }),
        Err(diagnostics) => Err(refused(source, diagnostics, Kind::Mechanism)),
    }
}

/// Why a text is none of a kind: its faults, unless it is meant to be of another.
pub(super) fn refused(source: Source, diagnostics: Vec<Diagnostic>, wanted: Kind) -> Failure {
    match Kind::of(&source).filter(|kind| *kind != wanted) {
        Some(kind) => Usage::Kind { file: source.name, kind }.into(),
        None => Failure::Input { source, diagnostics },
    }
}
