//! Why a question could not be answered, and the exit status that says so (CLI.md).

use super::Usage;
use super::scene::SceneFault;
use super::simulate::{CycleFault, PartFault};
use crate::contact::ContactError;
use crate::coulomb::ProblemError;
use crate::derive::DeriveError;
use crate::diag::{Diagnostic, Source, Unwritable};
use crate::linear::MatrixError;
use crate::model::Singular;
use crate::model::{ModelError, ModelFileError};
use crate::plot::PictureFault;
use crate::report::DataFault;
use crate::simulate::compliant::CompliantError;
use std::fmt;
use std::path::Path;
use std::str::Utf8Error;

/// A question that could not be answered.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// A file that cannot be read.
    Unreadable {
        /// The file.
        name: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A name that is neither a file nor a mechanism of the library, but nearly one of these.
    Unshipped {
        /// The name.
        name: String,
        /// The mechanism of the library that may have been meant.
        nearest: &'static str,
    },
    /// A result that cannot be written to its place.
    Unwritable {
        /// Where to.
        name: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A result that has no text.
    Unprintable {
        /// What.
        what: &'static str,
        /// What the writer says.
        error: serde_json::Error,
    },
    /// Faults of an input, each with its place.
    Input {
        /// The text they point into.
        source: Source,
        /// The faults.
        diagnostics: Vec<Diagnostic>,
    },
    /// A file that is wrong as a whole.
    File {
        /// The file.
        name: String,
        /// What is wrong with it.
        fault: FileFault,
    },
    /// Data that were not written.
    Data(DataFault),
    /// A picture that was not written.
    Picture(PictureFault),
    /// The question itself is wrong.
    Usage(Usage),
    /// The equations could not be derived on this machine now.
    Derivation(Underived),
    /// A run of a scene that makes no sense, or that was stopped.
    Scene(Box<SceneFault>),
    /// It was asked to end before there was anything to show.
    Interrupted {
        /// What was looked for.
        what: &'static str,
    },
}

/// Exit status of a program that was interrupted: 128 and the number of the signal, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// What is wrong with a file as a whole.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileFault {
    /// A model file that is no text.
    Text(Utf8Error),
    /// A model file that is damaged, or of another format.
    ModelFile(ModelFileError),
    /// Equations that are not those of the mechanism.
    ForeignModel,
    /// A model whose parameters cannot follow the searched ones.
    Model(ModelError),
    /// A contact law that cannot be used.
    Law(ContactError),
    /// Numbers that are no incremental problem, or one that cannot be solved.
    Problem(ProblemError),
    /// A next step whose problem has no positive definite matrix, for want of inertia.
    Inertialess(MatrixError),
    /// No part of the ensemble that it should be part of.
    Part(Box<PartFault>),
    /// No periodic motion.
    Cycle(Box<CycleFault>),
    /// A motion that no scheme follows to its end, so that nothing can be measured against it.
    NoReference {
        /// Why not.
        reason: String,
    },
    /// Contacts that have no compliant motion.
    Compliant(CompliantError),
    /// Equations of motion that break down at a state.
    Singular(Singular),
    /// A next step with a contact that is held closed.
    Bilateral {
        /// The contact.
        contact: String,
    },
}

/// Why there are no equations.
#[derive(Debug)]
#[non_exhaustive]
pub enum Underived {
    /// Who was asked could not.
    Refused(DeriveError),
    /// Neither a model file nor the cache has them, and there is nobody to ask: the caller wants none, or this build has no
    /// derivation.
    Nobody {
        /// The mechanism.
        mechanism: String,
        /// Its file.
        file: String,
    },
    /// A model file has numbers only, and there is nobody to ask for equations in print.
    NobodyPrints {
        /// The mechanism.
        mechanism: String,
    },
    /// The program cannot find itself.
    NoProgram(std::io::Error),
    /// The mechanism has no canonical text.
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

    /// A fault of a file as a whole.
    pub fn file(name: impl Into<String>, fault: impl Into<FileFault>) -> Self {
        Failure::File { name: name.into(), fault: fault.into() }
    }
}

/// Exit status for faults of an input: 3 if only numbers failed at a state (M4xx), else 1.
pub fn status_of(faults: &[Diagnostic]) -> u8 {
    if faults.iter().all(|f| f.code.starts_with("M4")) { 3 } else { 1 }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unreadable { name, error } => write!(f, "{name} cannot be read: {error}"),
            Failure::Unshipped { name, nearest } => {
                write!(f, "there is no file {name}; did you mean `{nearest}` of mechan's library?")
            }
            Failure::Unwritable { name, error } => {
                write!(f, "{}", Unwritable { path: Path::new(name), error })
            }
            Failure::Unprintable { what, error } => write!(f, "{what} cannot be written: {error}"),
            Failure::Input { source, diagnostics } => {
                write!(f, "{} has {} fault(s)", source.name, diagnostics.len())
            }
            Failure::File { name, fault } => write!(f, "{name}: {fault}"),
            Failure::Data(fault) => write!(f, "{fault}"),
            Failure::Picture(fault) => write!(f, "{fault}"),
            Failure::Usage(usage) => write!(f, "{usage}"),
            Failure::Derivation(why) => write!(f, "{why}"),
            Failure::Scene(fault) => write!(f, "{fault}"),
            Failure::Interrupted { what } => write!(f, "interrupted before there was {what}"),
        }
    }
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileFault::Text(error) => write!(f, "this is not UTF-8: {error}"),
            FileFault::ModelFile(error) => write!(f, "{error}"),
            FileFault::ForeignModel => write!(f, "its model is not that of its mechanism"),
            FileFault::Model(error) => write!(f, "{error}"),
            FileFault::Law(error) => write!(f, "{error}"),
            FileFault::Problem(error) => write!(f, "{error}"),
            FileFault::Part(fault) => write!(f, "{fault}"),
            FileFault::Cycle(fault) => write!(f, "{fault}"),
            FileFault::NoReference { reason } => {
                write!(f, "the motion has no end that errors could be measured to: {reason}")
            }
            FileFault::Compliant(error) => write!(f, "{error}"),
            FileFault::Singular(error) => write!(f, "the equations of motion break down: {error:?}"),
            FileFault::Inertialess(error) => write!(
                f,
                "{error}; without inertia every motion needs a stiffness or a damping: \
                 add springs or dampers, or take --step-model dynamics"
            ),
            FileFault::Bilateral { contact } => write!(
                f,
                "contact `{contact}` is bilateral: the incremental problem has unilateral contacts only"
            ),
        }
    }
}

impl fmt::Display for Underived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Underived::Refused(error) => write!(f, "{error}"),
            Underived::Nobody { mechanism, file } if cfg!(feature = "derive") => write!(
                f,
                "{mechanism} has not been derived, and nobody was given that may: let the `Deriver` do it in this process or \
                 ask a program, or make a model file (`mechan derive --format model {file}`)"
            ),
            Underived::Nobody { mechanism, file } => write!(
                f,
                "{mechanism} has not been derived, and this mechan was built without derivation: build it with the feature \
                 `derive`, or make a model file with a full build (`mechan derive --format model {file}`)"
            ),
            Underived::NobodyPrints { mechanism } => write!(
                f,
                "the model file of {mechanism} has no equations to print, which take a build with the feature `derive`; \
                 `--format model` and those of code (python, sympy, casadi, c, rust, matlab, julia) work on model files"
            ),
            Underived::NoProgram(error) => {
                write!(f, "mechan cannot find its own program to derive with: {error}")
            }
            Underived::Key(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Failure::Unreadable { error, .. } | Failure::Unwritable { error, .. } => Some(error),
            Failure::Unprintable { error, .. } => Some(error),
            Failure::Derivation(Underived::Refused(error)) => Some(error),
            Failure::Data(fault) => Some(fault),
            Failure::Picture(fault) => Some(fault),
            Failure::Usage(usage) => Some(usage),
            Failure::Scene(fault) => Some(&**fault),
            Failure::Input { .. }
            | Failure::Unshipped { .. }
            | Failure::File { .. }
            | Failure::Derivation(_)
            | Failure::Interrupted { .. } => None,
        }
    }
}

impl From<DataFault> for Failure {
    fn from(fault: DataFault) -> Self {
        Failure::Data(fault)
    }
}

impl From<PictureFault> for Failure {
    fn from(fault: PictureFault) -> Self {
        Failure::Picture(fault)
    }
}

impl From<SceneFault> for Failure {
    fn from(fault: SceneFault) -> Self {
        Failure::Scene(Box::new(fault))
    }
}

impl From<Usage> for Failure {
    fn from(usage: Usage) -> Self {
        Failure::Usage(usage)
    }
}

impl From<Underived> for Failure {
    fn from(why: Underived) -> Self {
        Failure::Derivation(why)
    }
}

impl From<ModelFileError> for FileFault {
    fn from(error: ModelFileError) -> Self {
        FileFault::ModelFile(error)
    }
}

impl From<PartFault> for FileFault {
    fn from(fault: PartFault) -> Self {
        FileFault::Part(Box::new(fault))
    }
}

impl From<ModelError> for FileFault {
    fn from(error: ModelError) -> Self {
        FileFault::Model(error)
    }
}

impl From<ContactError> for FileFault {
    fn from(error: ContactError) -> Self {
        FileFault::Law(error)
    }
}

impl From<ProblemError> for FileFault {
    fn from(error: ProblemError) -> Self {
        FileFault::Problem(error)
    }
}
