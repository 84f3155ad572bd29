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
    /// What was derived from it.
    pub model: Model,
}

/// Why a model file was refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum ModelFileError {
    /// Not JSON, or not of this shape.
    Json(serde_json::Error),
    /// Another schema.
    Schema(String),
    /// A malformed tape.
    Model(ModelError),
}

impl std::fmt::Display for ModelFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ModelFileError::Json(error) => write!(f, "this is not a model file: {error}"),
            ModelFileError::Schema(found) => {
                write!(f, "the model file has schema `{found}`, this version reads `{MODEL_SCHEMA}`")
            }
            ModelFileError::Model(error) => write!(f, "the model file is damaged: {error}"),
        }
    }
}

impl std::error::Error for ModelFileError {}

impl ModelFile {
    /// Joins a mechanism's text and its derived model.
    pub fn new(mechanism: String, model: Model) -> Self {
        ModelFile { schema: MODEL_SCHEMA.to_string(), mechanism, model }
    }

    /// Reads and validates a model file.
    ///
    /// # Errors
    /// [`ModelFileError`] if the text is not JSON, has another schema, or holds a malformed tape.
    pub fn read(text: &str) -> Result<Self, ModelFileError> {
        let file: ModelFile = serde_json::from_str(text).map_err(ModelFileError::Json)?;
        if file.schema != MODEL_SCHEMA {
            return Err(ModelFileError::Schema(file.schema));
        }
        file.model.validate().map_err(ModelFileError::Model)?;
        Ok(file)
    }

    /// The file's text.
    ///
    /// # Errors
    /// If a number of the tape cannot be written, which no validated model has.
    pub fn write(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}
