//! The child's side of a [`Worker`](super::Worker).

use super::super::{DeriveError, derive, equations};
use super::protocol::{ANSWER, COMMAND, GREETING, VERSION};
use super::{Refusal, Request, Task};
use crate::format::Mechanism;
use serde::Serialize;
use std::io::{BufRead, Read, Write};
use std::process::ExitCode;

/// Answers if this process was started as a worker, so that any program can be one: its main function begins with
///
/// ```no_run
/// # use std::process::ExitCode;
/// fn main() -> ExitCode {
///     if let Some(status) = mechan_mechanism::derive::worker::serve_if_asked() {
///         return status;
///     }
///     // ...
///     ExitCode::SUCCESS
/// }
/// ```
pub fn serve_if_asked() -> Option<ExitCode> {
    (std::env::args_os().nth(1)? == COMMAND).then(serve)
}

/// Greets, reads one request from standard input, answers on standard output, and
/// ends at once if standard input closes before.
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
    say(&format!("{GREETING}{VERSION}\n"))?;
    let mut text = String::new();
    std::io::stdin().lock().read_line(&mut text)?;
    let request: Request<Mechanism> = serde_json::from_str(&text)?;
    std::thread::spawn(end_with_the_parent);
    let answer = match request.task {
        Task::Model => answer(derive(&request.mechanism))?,
        Task::Equations(wording) => answer(equations(&request.mechanism, wording))?,
    };
    say(&format!("\n{ANSWER}\n{answer}\n"))
}

fn say(text: &str) -> Result<(), std::io::Error> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Waits for the end of standard input, which the parent holds open as long as it wants an answer. Stays away from
/// Symbolica, which one thread alone may use.
fn end_with_the_parent() {
    let mut rest = Vec::new();
    let _ = std::io::stdin().lock().read_to_end(&mut rest);
    std::process::exit(1);
}

fn answer<T: Serialize>(result: Result<T, DeriveError>) -> Result<String, serde_json::Error> {
    serde_json::to_string(&result.map_err(|error| match error {
        DeriveError::ZeroDivisor { span } => Refusal::ZeroDivisor(span),
        other => Refusal::Words(other.to_string()),
    }))
}
