//! Model files: a derived mechanism as one JSON document, analysed anywhere without a computer algebra system.
//! The file carries the mechanism's own text, so that its parameters, contacts and states go with it.

use super::{Model, ModelError};
use serde::{Deserialize, Serialize};

/// The `schema` of the model files that this version writes and reads.
pub const MODEL_SCHEMA: &str = "mechan.model/1";

/// A mechanism with its derived equations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelFile {
    schema: String,
    /// The mechanism file, word for word.
    pub mechanism: String,
    /// The fingerprint of the text that the model was derived from; files of old have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    derived_from: Option<String>,
    /// What was derived from it.
    pub model: Model,
}

/// What a model file of any version has.
#[derive(Deserialize)]
struct Header {
    schema: String,
}

/// A hash of a text that tells changes by accident (FNV-1a).
fn fingerprint(text: &str) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
}

/// Why a model file was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelFileError {
    /// Not JSON, or not of this shape.
    #[error("this is not a model file: {0}")]
    Json(serde_json::Error),
    /// Another schema.
    #[error("the model file has schema `{0}`, this version reads `{MODEL_SCHEMA}`")]
    Schema(String),
    /// A malformed tape.
    #[error("the model file is damaged: {0}")]
    Model(ModelError),
    /// The mechanism's text is not the one that the model was derived from.
    #[error(
        "the mechanism in the model file is not the one that was derived: derive it again, or change values with --set"
    )]
    Changed,
}

impl ModelFile {
    /// Joins a mechanism's text and its derived model.
    pub fn new(mechanism: String, model: Model) -> Self {
        let derived_from = Some(fingerprint(&mechanism));
        ModelFile { schema: MODEL_SCHEMA.to_string(), mechanism, derived_from, model }
    }

    /// Reads and validates a model file.
    ///
    /// # Errors
    /// [`ModelFileError`] if the text is not JSON, has another schema, holds a malformed tape, or a mechanism that was changed
    /// since it was derived.
    pub fn read(text: &str) -> Result<Self, ModelFileError> {
        let Header { schema } = serde_json::from_str(text).map_err(ModelFileError::Json)?;
        if schema != MODEL_SCHEMA {
            return Err(ModelFileError::Schema(schema));
        }
        let file: ModelFile = serde_json::from_str(text).map_err(ModelFileError::Json)?;
        file.model.validate().map_err(ModelFileError::Model)?;
        match &file.derived_from {
            Some(known) if *known != fingerprint(&file.mechanism) => Err(ModelFileError::Changed),
            _ => Ok(file),
        }
    }

    /// The file's text.
    ///
    /// # Errors
    /// If a number of the tape cannot be written, which no validated model has.
    pub fn write(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offset basis and the hash of "a" as the authors of the function give them.
    #[test]
    fn the_fingerprint_is_the_published_function() {
        assert_eq!(fingerprint(""), "cbf29ce484222325");
        assert_eq!(fingerprint("a"), "af63dc4c8601ec8c");
    }

    #[test]
    fn a_newer_format_is_named_whatever_is_in_it() {
        let refused = ModelFile::read(r#"{"schema": "mechan.model/7", "graph": []}"#);
        assert!(matches!(refused, Err(ModelFileError::Schema(found)) if found == "mechan.model/7"));
    }
}
