//! What makes no sense about a run.

use crate::scene::{SceneError, StateFault};
use std::fmt;

/// What makes no sense about a run, or stopped it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SceneFault {
    /// A problem that is to be exported is not `STEP:FILE`.
    Export {
        /// What was given.
        found: String,
    },
    /// A picture that there is not.
    Picture {
        /// What was asked for.
        found: String,
    },
    /// The step to be exported is none of the run.
    NoSuchStep {
        /// Which.
        step: u64,
        /// Steps of the run.
        steps: u64,
    },
    /// A step to be exported has no contacts.
    NoContacts {
        /// Which.
        step: u64,
    },
    /// Checkpoints every zero steps.
    Every,
    /// A method of the study of beads that there is not.
    Method(String),
    /// A number of beads that makes no sense.
    Beads {
        /// What was asked for.
        found: usize,
        /// The most.
        most: usize,
    },
    /// A run of no steps.
    NoSteps,
    /// A solver that cannot work on the scene.
    Refuses {
        /// The solver.
        solver: String,
        /// Why.
        reason: String,
    },
    /// A checkpoint that is none.
    Checkpoint {
        /// The file.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// A checkpoint of another scene.
    Foreign {
        /// The file.
        file: String,
    },
    /// A checkpoint whose state does not fit.
    State {
        /// The file.
        file: String,
        /// Why.
        fault: StateFault,
    },
    /// The rows of a result end before the checkpoint.
    MissingRows {
        /// The result.
        file: String,
        /// The step of its last row.
        last: u64,
        /// The step of the checkpoint.
        step: u64,
    },
    /// Rows that cannot be read.
    Rows {
        /// The result.
        file: String,
        /// Why.
        reason: String,
    },
    /// A step failed.
    Step(SceneError),
}

impl fmt::Display for SceneFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Export { found } => {
                write!(f, "--export-problem {found}: expected STEP:FILE, such as 100:step.json")
            }
            Self::Picture { found } => write!(
                f,
                "--plot {found}: expected `pile`, `pile=FILE`, `animation` or `animation=FILE.html`"
            ),
            Self::NoSuchStep { step, steps } => {
                write!(f, "--export-problem: there is no step {step}, the run has {steps}, from 1")
            }
            Self::NoContacts { step } => {
                write!(f, "step {step} has no contacts, so it has no problem to export")
            }
            Self::Every => write!(f, "--every is 0, expected a number of steps"),
            Self::Method(words) => write!(f, "--methods: {words}"),
            Self::Beads { found, most } => write!(f, "--beads {found}: expected a number from 1 to {most}"),
            Self::NoSteps => write!(f, "--steps is 0, expected a number of steps"),
            Self::Refuses { solver, reason } => {
                write!(f, "--solver {solver} cannot solve this scene: {reason}")
            }
            Self::Checkpoint { file, reason } => write!(f, "{file} is no checkpoint: {reason}"),
            Self::Foreign { file } => {
                write!(
                    f,
                    "{file} is a checkpoint of another scene, or of other options that change its numbers"
                )
            }
            Self::State { file, fault } => write!(f, "{file} does not fit the scene: {fault}"),
            Self::MissingRows { file, last, step } => write!(
                f,
                "{file} ends with step {last}, and the checkpoint is that of step {step}: what lies between is lost; \
                 remove the file to begin its rows there"
            ),
            Self::Rows { file, reason } => write!(f, "{file}: {reason}"),
            Self::Step(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for SceneFault {}

impl SceneFault {
    /// 1 the input is at fault, 2 wrong usage, 3 the numbers failed.
    pub(in crate::pipeline) fn exit_status(&self) -> u8 {
        match self {
            Self::Picture { .. }
            | Self::Export { .. }
            | Self::NoSuchStep { .. }
            | Self::NoContacts { .. }
            | Self::Every
            | Self::Method(_)
            | Self::Beads { .. }
            | Self::NoSteps
            | Self::Refuses { .. } => 2,
            Self::Checkpoint { .. }
            | Self::Foreign { .. }
            | Self::State { .. }
            | Self::MissingRows { .. }
            | Self::Rows { .. } => 1,
            Self::Step(_) => 3,
        }
    }
}
