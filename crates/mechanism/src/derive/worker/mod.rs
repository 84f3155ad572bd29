//! Derivation in a process of its own.
//!
//! The parent starts a program, its own for one, with the hidden command `__derive`. The child greets on its standard
//! output with its version, so that a program that knows nothing of deriving, or derives otherwise, is told apart;
//! reads one line from its standard input, a JSON document (the task and the mechanism); and writes the answer after a
//! line that nothing else writes: what the computer algebra system says before it is ignored. The parent keeps the
//! child's standard input open until it has the answer: when it closes, the parent is gone, however it ended, and the
//! child ends too. A lock on one file of the machine keeps derivations one after another. A child that says that it met
//! another instance of Symbolica is started again a few times.

mod lock;
mod process;
pub(super) mod protocol;
#[cfg(feature = "derive")]
mod serve;
#[cfg(feature = "derive")]
mod thread;

#[cfg(feature = "derive")]
pub use serve::{serve, serve_if_asked};
#[cfg(feature = "derive")]
pub use thread::InProcess;

pub use protocol::COMMAND;

use super::error::DeriveError;
use super::{Equations, Wording};
use crate::diag::Span;
use crate::format::Mechanism;
use crate::model::Model;
use lock::MachineLock;
use process::Ended;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// How often a child that met another instance of Symbolica is started again, and after which pauses.
const RETRIES: [Duration; 6] = [
    Duration::from_millis(50),
    Duration::from_millis(200),
    Duration::from_millis(500),
    Duration::from_millis(1000),
    Duration::from_millis(2000),
    Duration::from_millis(4000),
];
/// Seconds a derivation may take, if MECHAN_DERIVE_TIMEOUT does not say otherwise.
const TIMEOUT: u64 = 300;

/// What is asked of the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Task {
    Model,
    Equations(Wording),
}

#[derive(Serialize, Deserialize)]
struct Request<M> {
    task: Task,
    mechanism: M,
}

/// Derives in a child process; needs no computer algebra itself.
#[derive(Clone, Debug)]
pub struct Worker {
    program: PathBuf,
}

impl Worker {
    /// A worker that starts `program __derive`.
    pub fn new(program: PathBuf) -> Self {
        Worker { program }
    }

    /// The model of a mechanism. `notice` is told what is being waited for.
    ///
    /// # Errors
    /// [`DeriveError`] if the child cannot be had, ends without an answer, or refuses the mechanism.
    pub fn model(&self, mechanism: &Mechanism, notice: &dyn Fn(&str)) -> Result<Model, DeriveError> {
        self.turn(notice)?.model(mechanism)
    }

    /// The equations of a mechanism in print. `notice` is told what is being waited for.
    ///
    /// # Errors
    /// [`DeriveError`] if the child cannot be had, ends without an answer, or refuses the mechanism.
    pub fn equations(
        &self,
        mechanism: &Mechanism,
        wording: Wording,
        notice: &dyn Fn(&str),
    ) -> Result<Equations, DeriveError> {
        self.turn(notice)?.equations(mechanism, wording)
    }

    /// Waits until no other process of the machine derives; none does until the turn is dropped.
    ///
    /// # Errors
    /// [`DeriveError::Busy`] if that takes too long, [`DeriveError::NotAWorker`] in a program that was itself started
    /// as a worker.
    pub fn turn<'a>(&'a self, notice: &'a dyn Fn(&str)) -> Result<Turn<'a>, DeriveError> {
        if std::env::var_os(protocol::CHILD).is_some() {
            let program = std::env::current_exe().unwrap_or_else(|_| self.program.clone());
            return Err(DeriveError::NotAWorker { program });
        }
        let lock = MachineLock::acquire(timeout(), notice)?;
        Ok(Turn { worker: self, notice, _lock: lock })
    }
}

/// The right to derive, which one process of a machine has at a time.
pub struct Turn<'a> {
    worker: &'a Worker,
    notice: &'a dyn Fn(&str),
    _lock: MachineLock,
}

impl Turn<'_> {
    /// The model of a mechanism.
    ///
    /// # Errors
    /// As [`Worker::model`].
    pub fn model(&self, mechanism: &Mechanism) -> Result<Model, DeriveError> {
        let model: Model = self.ask(Task::Model, mechanism)?;
        model.validate().map_err(DeriveError::Model)?;
        Ok(model)
    }

    /// The equations of a mechanism in print.
    ///
    /// # Errors
    /// As [`Worker::equations`].
    pub fn equations(&self, mechanism: &Mechanism, wording: Wording) -> Result<Equations, DeriveError> {
        self.ask(Task::Equations(wording), mechanism)
    }

    fn ask<T: DeserializeOwned>(&self, task: Task, mechanism: &Mechanism) -> Result<T, DeriveError> {
        let request = serde_json::to_string(&Request { task, mechanism }).map_err(DeriveError::Answer)?;
        let program = &self.worker.program;
        for pause in RETRIES {
            match process::run(program, &request, timeout())? {
                Ended::Answered(answer) => return read(&answer),
                Ended::Failed { status, notice } => return Err(DeriveError::Died { status, notice }),
                Ended::Expelled { .. } => {
                    (self.notice)("another program uses Symbolica, trying again");
                    std::thread::sleep(pause);
                }
            }
        }
        match process::run(program, &request, timeout())? {
            Ended::Answered(answer) => read(&answer),
            Ended::Failed { status, notice } => Err(DeriveError::Died { status, notice }),
            Ended::Expelled { notice } => Err(DeriveError::ForeignInstance { notice }),
        }
    }
}

fn timeout() -> Duration {
    let set = std::env::var("MECHAN_DERIVE_TIMEOUT").ok().and_then(|s| s.trim().parse().ok());
    Duration::from_secs(set.unwrap_or(TIMEOUT))
}

/// Why a child has no equations.
#[derive(Serialize, Deserialize)]
enum Refusal {
    ZeroDivisor(Span),
    Words(String),
}

fn read<T: DeserializeOwned>(answer: &str) -> Result<T, DeriveError> {
    let answer: Result<T, Refusal> = serde_json::from_str(answer).map_err(DeriveError::Answer)?;
    answer.map_err(|refusal| match refusal {
        Refusal::ZeroDivisor(span) => DeriveError::ZeroDivisor { span },
        Refusal::Words(words) => DeriveError::Refused(words),
    })
}
