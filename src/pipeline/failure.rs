//! Why a question could not be answered, and the exit status that says so (CLI.md).

use super::Usage;
use super::scene::SceneFault;
use super::simulate::{CycleFault, PartFault};
use crate::contact::ContactError;
use crate::coulomb::ProblemError;
use crate::derive::DeriveError;
use crate::diag::{Diagnostic, Source, Unwritable};
use crate::linear::MatrixError;
use crate::model::{ModelError, ModelFileError, Singular};
use crate::plot::PictureFault;
use crate::report::{DataFault, write_whole};
use crate::simulate::compliant::CompliantError;
use serde::Serialize;
use std::fmt;
use std::path::Path;
use std::str::Utf8Error;

/// A question that could not be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// A file that cannot be read.
    #[error("{name} cannot be read: {error}")]
    Unreadable {
        /// The file.
        name: String,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// A name that is neither a file nor a mechanism of the library, but nearly one of these.
    #[error("there is no file {name}; did you mean `{nearest}` of mechan's library?")]
    Unshipped {
        /// The name.
        name: String,
        /// The mechanism of the library that may have been meant.
        nearest: &'static str,
    },
    /// A result that cannot be written to its place.
    #[error("{}", Unwritable { path: Path::new(name), error })]
    Unwritable {
        /// Where to.
        name: String,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// A result that has no text.
    #[error("{what} cannot be written: {error}")]
    Unprintable {
        /// What.
        what: &'static str,
        /// What the writer says.
        #[source]
        error: serde_json::Error,
    },
    /// Faults of an input, each with its place.
    #[error("{} has {} fault(s)", .source.name, .diagnostics.len())]
    Input {
        /// The text they point into.
        r#source: Source,
        /// The faults.
        diagnostics: Vec<Diagnostic>,
    },
    /// A file that is wrong as a whole.
    #[error("{name}: {fault}")]
    File {
        /// The file.
        name: String,
        /// What is wrong with it.
        fault: FileFault,
    },
    /// Data that were not written.
    #[error("{0}")]
    Data(#[from] DataFault),
    /// A picture that was not written.
    #[error("{0}")]
    Picture(#[from] PictureFault),
    /// The question itself is wrong.
    #[error("{0}")]
    Usage(#[from] Usage),
    /// The equations could not be derived on this machine now.
    #[error(transparent)]
    Derivation(#[from] Underived),
    /// A run of a scene that makes no sense, or that was stopped.
    #[error("{0}")]
    Scene(#[source] Box<SceneFault>),
    /// It was asked to end before there was anything to show.
    #[error("interrupted before there was {what}")]
    Interrupted {
        /// What was looked for.
        what: &'static str,
    },
}

/// Exit status of a program that was interrupted: 128 and the number of the signal, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// What is wrong with a file as a whole.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// A model file that is no text.
    #[error("this is not UTF-8: {0}")]
    Text(Utf8Error),
    /// A model file that is damaged, or of another format.
    #[error("{0}")]
    ModelFile(#[from] ModelFileError),
    /// Equations that are not those of the mechanism.
    #[error("its model is not that of its mechanism")]
    ForeignModel,
    /// A model whose parameters cannot follow the searched ones.
    #[error("{0}")]
    Model(#[from] ModelError),
    /// A contact law that cannot be used.
    #[error("{0}")]
    Law(#[from] ContactError),
    /// Numbers that are no incremental problem, or one that cannot be solved.
    #[error("{0}")]
    Problem(#[from] ProblemError),
    /// A next step whose problem has no positive definite matrix, for want of inertia.
    #[error(
        "{0}; without inertia every motion needs a stiffness or a damping: add springs or dampers, or take --step-model \
         dynamics"
    )]
    Inertialess(MatrixError),
    /// No part of the ensemble that it should be part of.
    #[error("{0}")]
    Part(Box<PartFault>),
    /// No periodic motion.
    #[error("{0}")]
    Cycle(Box<CycleFault>),
    /// A motion that no scheme follows to its end, so that nothing can be measured against it.
    #[error("the motion has no end that errors could be measured to: {reason}")]
    NoReference {
        /// Why not.
        reason: String,
    },
    /// Contacts that have no compliant motion.
    #[error("{0}")]
    Compliant(CompliantError),
    /// Equations of motion that break down at a state.
    #[error("the equations of motion break down: {0}")]
    Singular(Singular),
    /// A next step with a contact that is held closed.
    #[error("contact `{contact}` is bilateral: the incremental problem has unilateral contacts only")]
    Bilateral {
        /// The contact.
        contact: String,
    },
}

/// Why there are no equations.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Underived {
    /// Who was asked could not.
    #[error("{0}")]
    Refused(#[source] DeriveError),
    /// Neither a model file nor the cache has them, and there is nobody to ask: the caller wants none, or this build has no
    /// derivation.
    #[error(fmt = nobody)]
    Nobody {
        /// The mechanism.
        mechanism: String,
        /// Its file.
        file: String,
    },
    /// A model file has numbers only, and there is nobody to ask for equations in print.
    #[error(
        "the model file of {mechanism} has no equations to print, which take a build with the feature `derive`; `--format \
         model` and those of code (python, sympy, casadi, c, rust, matlab, julia) work on model files"
    )]
    NobodyPrints {
        /// The mechanism.
        mechanism: String,
    },
    /// The program cannot find itself.
    #[error("mechan cannot find its own program to derive with: {0}")]
    NoProgram(std::io::Error),
    /// The mechanism has no canonical text.
    #[error("{0}")]
    Key(serde_json::Error),
}

impl Failure {
    /// A word that stays the same for the same kind of failure; of faults of an input the code of the first.
    pub fn code(&self) -> &'static str {
        match self {
            Failure::Unreadable { .. } | Failure::Unshipped { .. } => "unreadable",
            Failure::Unwritable { .. } => "unwritable",
            Failure::Unprintable { .. } => "numbers",
            Failure::Input { diagnostics, .. } => diagnostics.first().map_or("input", |d| d.code),
            Failure::File { .. } => "file",
            Failure::Data(_) | Failure::Picture(_) => "unwritable",
            Failure::Usage(_) => "usage",
            Failure::Derivation(_) => "derivation",
            Failure::Scene(fault) if fault.exit_status() == 2 => "usage",
            Failure::Scene(fault) if fault.exit_status() == 3 => "numbers",
            Failure::Scene(_) => "file",
            Failure::Interrupted { .. } => "interrupted",
        }
    }

    /// What failed, on one line: of faults of an input the messages.
    pub fn message(&self) -> String {
        match self {
            Failure::Input { diagnostics, .. } => {
                diagnostics.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("; ")
            }
            other => other.to_string(),
        }
    }

    /// Exit status: 1 the input is at fault, 2 wrong usage, 3 the numbers failed, 130 interrupted.
    pub fn exit_status(&self) -> u8 {
        match self {
            Failure::File { fault: FileFault::Cycle(_) | FileFault::NoReference { .. }, .. } => 3,
            Failure::Unreadable { .. }
            | Failure::Unshipped { .. }
            | Failure::Unwritable { .. }
            | Failure::File { .. }
            | Failure::Data(_)
            | Failure::Picture(_) => 1,
            Failure::Input { diagnostics, .. } => status_of(diagnostics),
            Failure::Usage(_) => 2,
            Failure::Unprintable { .. } | Failure::Derivation(_) => 3,
            Failure::Scene(fault) => fault.exit_status(),
            Failure::Interrupted { .. } => INTERRUPTED,
        }
    }

    /// That a file cannot be written, for what the system says.
    pub fn unwritable(path: &Path) -> impl Fn(std::io::Error) -> Self {
        |error| Failure::Unwritable { name: path.display().to_string(), error }
    }

    /// That something has no text, for what the writer says.
    pub fn unprintable(what: &'static str) -> impl Fn(serde_json::Error) -> Self {
        move |error| Failure::Unprintable { what, error }
    }

    /// A fault of a file as a whole.
    pub fn file(name: impl Into<String>, fault: impl Into<FileFault>) -> Self {
        Failure::File { name: name.into(), fault: fault.into() }
    }
}

/// Writes a value as JSON to a file, which is complete or not there.
///
/// # Errors
/// [`Failure`] that says what is wrong with `what`, or with the file.
pub fn write_json(path: &Path, what: &'static str, value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(Failure::unprintable(what))? + "\n";
    write_whole(path, text.as_bytes()).map_err(Failure::unwritable(path))
}

/// Exit status for faults of an input: 3 if only numbers failed at a state (M4xx), else 1.
pub fn status_of(faults: &[Diagnostic]) -> u8 {
    if faults.iter().all(|f| f.code.starts_with("M4")) { 3 } else { 1 }
}

impl From<SceneFault> for Failure {
    fn from(fault: SceneFault) -> Self {
        Failure::Scene(Box::new(fault))
    }
}

impl From<PartFault> for FileFault {
    fn from(fault: PartFault) -> Self {
        FileFault::Part(Box::new(fault))
    }
}

fn nobody(mechanism: &str, file: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if cfg!(feature = "derive") {
        return write!(
            f,
            "{mechanism} has not been derived, and nobody was given that may: let the `Deriver` do it in this process or \
             ask a program, or make a model file (`mechan derive --format model {file}`)"
        );
    }
    write!(
        f,
        "{mechanism} has not been derived, and this mechan was built without derivation: build it with the feature \
         `derive`, or make a model file with a full build (`mechan derive --format model {file}`)"
    )
}
