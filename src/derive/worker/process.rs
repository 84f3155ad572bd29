//! One run of the child process.

use super::super::error::DeriveError;
use super::{ANSWER, COMMAND};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often a running child is looked at.
const PAUSE: Duration = Duration::from_millis(1);

/// What Symbolica says when it finds another instance and ends the process.
const EXPULSION: &str = "cannot start new unlicensed symbolica instance";

/// How a child ended.
pub(super) enum Ended {
    /// With an answer.
    Answered(String),
    /// By Symbolica, because another instance of it runs.
    Expelled { notice: String },
    /// In another way.
    Failed { status: String, notice: String },
}

/// Starts `program __derive`, writes the request, waits for the end at most `patience`.
pub(super) fn run(program: &Path, request: &str, patience: Duration) -> Result<Ended, DeriveError> {
    let mut child = Command::new(program)
        .arg(COMMAND)
        .env("SYMBOLICA_HIDE_BANNER", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(DeriveError::Worker)?;
    let out = child.stdout.take().map(collected);
    let err = child.stderr.take().map(collected);
    if let Some(mut input) = child.stdin.take() {
        // a child that has ended says why on its standard error, so a broken pipe is no error here
        let _ = input.write_all(request.as_bytes());
    }
    let status = wait(&mut child, patience)?;
    let text = |reader: Option<JoinHandle<String>>| reader.and_then(|r| r.join().ok()).unwrap_or_default();
    Ok(ended(status, &text(out), &text(err)))
}

/// Everything a stream says, read on a thread of its own so that neither side waits for the other.
fn collected(mut stream: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child, patience: Duration) -> Result<ExitStatus, DeriveError> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(DeriveError::Worker)? {
            return Ok(status);
        }
        if start.elapsed() >= patience {
            let _ = child.kill();
            let _ = child.wait();
            return Err(DeriveError::Timeout { waited: patience.as_secs() });
        }
        std::thread::sleep(PAUSE);
    }
}

fn ended(status: ExitStatus, out: &str, err: &str) -> Ended {
    let (before, answer) = match out.split_once(ANSWER) {
        Some((_, answer)) if status.success() => return Ended::Answered(answer.trim().to_string()),
        Some((before, _)) => (before, true),
        None => (out, false),
    };
    let notice = format!("{before}\n{err}").trim().to_string();
    let lower = notice.to_lowercase();
    if !answer && lower.contains(EXPULSION) {
        return Ended::Expelled { notice };
    }
    Ended::Failed { status: status.to_string(), notice }
}
