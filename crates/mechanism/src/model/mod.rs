//! The derived mechanism as numbers: what derivation leaves behind, evaluated at a state.
//!
//! A [`Model`] names the outputs of a tape ([`Layout`]); a [`Kernel`] computes what one question needs of them and of
//! the solution of M v̇ + h = W_Nᵀ λ_N + W_Tᵀ λ_T, block by block ([`Block`]), in memory of the caller ([`Values`]).
//! Model files and the cache of derived models are here too.
//! Knows no file format of mechanisms and no contact law.
#![allow(non_snake_case)]

mod cache;
mod code;
mod file;
mod kernel;
mod layout;
mod pushed;
mod state;

pub use cache::{Cache, CacheKey};
pub use code::{CodeNames, CodeParameter, Language, code};
pub use file::{MODEL_SCHEMA, ModelFile, ModelFileError};
pub use kernel::{
    Block, ContactConfiguration, Kernel, KernelBatch, KernelColumns, Quantities, Singular, Values,
};
pub use layout::{Layout, Output};
pub use state::State;

use crate::tape::Tape;
use serde::{Deserialize, Serialize};

/// A derived mechanism: immutable, the same on every machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    layout: Layout,
    tape: Tape,
}

/// Why a tape and a layout do not make a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The tape itself is malformed.
    #[error("the tape is malformed: {0}")]
    Tape(crate::tape::TapeError),
    /// The tape has other numbers of inputs or outputs than the layout.
    #[error(
        "the tape has {} inputs and {} outputs, expected {} and {}",
        .found.0,
        .found.1,
        .expected.0,
        .expected.1
    )]
    Shape {
        /// Inputs and outputs of the tape.
        found: (usize, usize),
        /// Inputs and outputs by the layout.
        expected: (usize, usize),
    },
}

impl Model {
    /// Joins a tape to the names of its inputs and outputs.
    ///
    /// # Errors
    /// [`ModelError`] if the tape is malformed or its shape is not the layout's.
    pub fn new(layout: Layout, tape: Tape) -> Result<Self, ModelError> {
        let model = Model { layout, tape };
        model.validate()?;
        Ok(model)
    }

    /// Checks a model that came from outside the program.
    ///
    /// # Errors
    /// [`ModelError`] if the tape is malformed or its shape is not the layout's.
    pub fn validate(&self) -> Result<(), ModelError> {
        self.tape.validate().map_err(ModelError::Tape)?;
        let found = (self.tape.inputs(), self.tape.outputs());
        let expected = (self.layout.inputs(), self.layout.outputs());
        if found == expected { Ok(()) } else { Err(ModelError::Shape { found, expected }) }
    }

    /// Sizes and the order of inputs and outputs.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The full tape.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The kernel of some blocks.
    pub fn kernel<B: Into<Block> + Copy>(&self, wanted: &[B]) -> Kernel {
        let wanted: Vec<Block> = wanted.iter().map(|&block| block.into()).collect();
        Kernel::new(self, &wanted)
    }
}
