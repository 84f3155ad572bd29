//! What makes no sense about a run.

use crate::scene::{SceneError, StateFault};

/// What makes no sense about a run, or stopped it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneFault {
    /// A problem that is to be exported is not `STEP:FILE`.
    #[error("--export-problem {found}: expected STEP:FILE, such as 100:step.json")]
    Export {
        /// What was given.
        found: String,
    },
    /// A picture that there is not.
    #[error("--plot {found}: expected `pile`, `pile=FILE`, `animation` or `animation=FILE.html`")]
    Picture {
        /// What was asked for.
        found: String,
    },
    /// A side that there is not, or of a scene in the plane.
    #[error(
        "--seen-from {found}: expected x, -x, y, -y, z or -z, the axis at whose end the eye is, of a scene in space"
    )]
    Side {
        /// What was asked for.
        found: String,
    },
    /// The step to be exported is none of the run.
    #[error("--export-problem: there is no step {step}, the run has {steps}, from 1")]
    NoSuchStep {
        /// Which.
        step: u64,
        /// Steps of the run.
        steps: u64,
    },
    /// A step to be exported has no contacts.
    #[error("step {step} has no contacts, so it has no problem to export")]
    NoContacts {
        /// Which.
        step: u64,
    },
    /// Checkpoints every zero steps.
    #[error("--every is 0, expected a number of steps")]
    Every,
    /// A method of the study of beads that there is not.
    #[error("--methods: {0}")]
    Method(String),
    /// A number of beads that makes no sense.
    #[error("--beads {found}: expected a number from 1 to {most}")]
    Beads {
        /// What was asked for.
        found: usize,
        /// The most.
        most: usize,
    },
    /// A run of no steps.
    #[error("--steps is 0, expected a number of steps")]
    NoSteps,
    /// A solver that cannot work on the scene.
    #[error("--solver {solver} cannot solve this scene: {reason}")]
    Refuses {
        /// The solver.
        solver: String,
        /// Why.
        reason: String,
    },
    /// No step is shown.
    #[error("`sample` is 0: it is the number of steps from one that tables show to the next, at least 1")]
    Sample,
    /// A checkpoint that is none.
    #[error("{file} is no checkpoint: {reason}")]
    Checkpoint {
        /// The file.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// A checkpoint of another scene.
    #[error("{file} is a checkpoint of another scene, or of other options that change its numbers")]
    Foreign {
        /// The file.
        file: String,
    },
    /// A checkpoint whose state does not fit.
    #[error("{file} does not fit the scene: {fault}")]
    State {
        /// The file.
        file: String,
        /// Why.
        fault: StateFault,
    },
    /// The rows of a result end before the checkpoint.
    #[error(
        "{file} ends with step {last}, and the checkpoint is that of step {step}: what lies between is lost; remove the \
         file to begin its rows there"
    )]
    MissingRows {
        /// The result.
        file: String,
        /// The step of its last row.
        last: u64,
        /// The step of the checkpoint.
        step: u64,
    },
    /// Rows that cannot be read.
    #[error("{file}: {reason}")]
    Rows {
        /// The result.
        file: String,
        /// Why.
        reason: String,
    },
    /// A step failed.
    #[error("{0}")]
    Step(SceneError),
}

impl SceneFault {
    /// 1 the input is at fault, 2 wrong usage, 3 the numbers failed.
    pub(in crate::pipeline) fn exit_status(&self) -> u8 {
        match self {
            Self::Picture { .. }
            | Self::Side { .. }
            | Self::Export { .. }
            | Self::NoSuchStep { .. }
            | Self::NoContacts { .. }
            | Self::Every
            | Self::Sample
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
