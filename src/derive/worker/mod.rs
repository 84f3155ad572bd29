//! Derivation in a process of its own.
//!
//! The parent starts its own program again with the hidden command `__derive`, writes one JSON document (the task
//! and the mechanism) to its standard input and reads the answer from its standard output, after a line that
//! nothing else writes: what the computer algebra system says before it is ignored. A lock on one file of the
//! machine keeps derivations one after another. A child that ends without an answer is taken to have met another
//! instance of Symbolica and started again a few times.

mod lock;
mod process;
mod thread;

pub use thread::InProcess;

use super::error::DeriveError;
use super::{Equations, derive, equations};
use crate::format::Mechanism;
use crate::model::Model;
use lock::MachineLock;
use process::Ended;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The hidden command of the program that derives.
pub const COMMAND: &str = "__derive";
/// The line before the answer.
const ANSWER: &str = "--- mechan derivation ---";
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
    Equations,
}

#[derive(Serialize, Deserialize)]
struct Request<M> {
    task: Task,
    mechanism: M,
}

/// Derives in a child process.
#[derive(Clone, Debug)]
pub struct Worker {
    program: PathBuf,
}

impl Worker {
    /// A worker that starts `program __derive`.
    pub fn new(program: PathBuf) -> Self {
        Worker { program }
    }

    /// The model of a mechanism. `progress` is told what is being waited for.
    ///
    /// # Errors
    /// [`DeriveError`] if the child cannot be had, ends without an answer, or refuses the mechanism.
    pub fn model(&self, mechanism: &Mechanism, progress: &dyn Fn(&str)) -> Result<Model, DeriveError> {
        let model: Model = self.ask(Task::Model, mechanism, progress)?;
        model.validate().map_err(DeriveError::Model)?;
        Ok(model)
    }

    /// The equations of a mechanism in print. `progress` is told what is being waited for.
    ///
    /// # Errors
    /// [`DeriveError`] if the child cannot be had, ends without an answer, or refuses the mechanism.
    pub fn equations(
        &self,
        mechanism: &Mechanism,
        progress: &dyn Fn(&str),
    ) -> Result<Equations, DeriveError> {
        self.ask(Task::Equations, mechanism, progress)
    }

    fn ask<T: DeserializeOwned>(
        &self,
        task: Task,
        mechanism: &Mechanism,
        progress: &dyn Fn(&str),
    ) -> Result<T, DeriveError> {
        let request = serde_json::to_string(&Request { task, mechanism }).map_err(DeriveError::Answer)?;
        let patience = timeout();
        let _lock = MachineLock::acquire(patience, progress)?;
        for pause in RETRIES {
            match process::run(&self.program, &request, patience)? {
                Ended::Answered(answer) => return read(&answer),
                Ended::Failed { status, notice } => return Err(DeriveError::Died { status, notice }),
                Ended::Expelled { .. } => {
                    progress("another program uses Symbolica, trying again");
                    std::thread::sleep(pause);
                }
            }
        }
        match process::run(&self.program, &request, patience)? {
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

fn read<T: DeserializeOwned>(answer: &str) -> Result<T, DeriveError> {
    let answer: Result<T, String> = serde_json::from_str(answer).map_err(DeriveError::Answer)?;
    answer.map_err(DeriveError::Refused)
}

/// The child's side of a [`Worker`]: reads one request from standard input, answers on standard output.
pub fn serve() -> ExitCode {
    match served() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn served() -> Result<(), std::io::Error> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let request: Request<Mechanism> = serde_json::from_str(&text)?;
    let answer = match request.task {
        Task::Model => answer(derive(&request.mechanism))?,
        Task::Equations => answer(equations(&request.mechanism))?,
    };
    let mut out = std::io::stdout().lock();
    write!(out, "\n{ANSWER}\n{answer}\n")?;
    out.flush()
}

fn answer<T: Serialize>(result: Result<T, DeriveError>) -> Result<String, serde_json::Error> {
    serde_json::to_string(&result.map_err(|e| e.to_string()))
}
