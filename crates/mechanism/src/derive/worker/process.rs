//! One run of the child process.

use super::super::error::DeriveError;
use super::protocol::{ANSWER, CHILD, COMMAND, GREETING, VERSION};
use crate::num::halt;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often a running child is looked at.
const PAUSE: Duration = Duration::from_millis(1);

/// How long a child may take to greet; a worker does so before anything else.
const GREETING_PATIENCE: Duration = Duration::from_secs(20);

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

/// Starts `program __derive`, waits for its greeting, writes the request, waits for the end at most `patience`.
pub(super) fn run(program: &Path, request: &str, patience: Duration) -> Result<Ended, DeriveError> {
    let mut child = Command::new(program)
        .arg(COMMAND)
        .env("SYMBOLICA_HIDE_BANNER", "1")
        .env(CHILD, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(DeriveError::Worker)?;
    let (greet, greeting) = channel();
    let out = child.stdout.take().map(|stream| answered(stream, greet));
    let err = child.stderr.take().map(collected);
    let input = child.stdin.take();
    let greeted = wait_for_greeting(&mut child, &greeting, patience.min(GREETING_PATIENCE))?;
    if let Some(stranger) = stranger(program, greeted) {
        let _ = child.kill();
        let _ = child.wait();
        return Err(stranger);
    }
    // held until the child has ended: a child whose standard input closes ends itself
    let _input = input.map(|input| asked(input, request));
    let status = wait(&mut child, patience)?;
    let text = |reader: Option<JoinHandle<String>>| reader.and_then(|r| r.join().ok()).unwrap_or_default();
    let (out, err) = (text(out), text(err));
    if status.success() && !out.starts_with(GREETING) {
        return Err(DeriveError::NotAWorker { program: program.to_path_buf() });
    }
    Ok(ended(status, &out, &err))
}

/// Why a child that greeted so cannot be asked; none if it can, or has ended and says why.
fn stranger(program: &Path, greeted: Greeted) -> Option<DeriveError> {
    let program = program.to_path_buf();
    match greeted {
        Greeted::As(version) if version == VERSION => None,
        Greeted::As(found) => Some(DeriveError::OtherVersion { program, found, expected: VERSION }),
        Greeted::Ended => None,
        Greeted::Never => Some(DeriveError::NotAWorker { program }),
    }
}

/// Writes the request as one line. A child that has ended says why on its standard error, so a broken pipe is no
/// error here.
fn asked(mut input: ChildStdin, request: &str) -> ChildStdin {
    let _ = input
        .write_all(request.as_bytes())
        .and_then(|()| input.write_all(b"\n"))
        .and_then(|()| input.flush());
    input
}

/// Everything a stream says, read on a thread of its own so that neither side waits for the other.
fn collected(mut stream: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The same, with the version of the worker as soon as the first line is its greeting.
fn answered(stream: impl Read + Send + 'static, greet: Sender<String>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let (mut stream, mut bytes) = (BufReader::new(stream), Vec::new());
        let _ = stream.read_until(b'\n', &mut bytes);
        if let Some(version) = bytes.strip_prefix(GREETING.as_bytes()) {
            let _ = greet.send(String::from_utf8_lossy(version).trim().to_string());
        }
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Greeted {
    /// By a worker of this version.
    As(String),
    /// It ended before, and how it ended says why.
    Ended,
    Never,
}

fn wait_for_greeting(
    child: &mut Child,
    greeting: &Receiver<String>,
    patience: Duration,
) -> Result<Greeted, DeriveError> {
    let start = Instant::now();
    loop {
        match greeting.try_recv() {
            Ok(version) => return Ok(Greeted::As(version)),
            Err(TryRecvError::Disconnected | TryRecvError::Empty) => {}
        }
        if child.try_wait().map_err(DeriveError::Worker)?.is_some() {
            return Ok(Greeted::Ended);
        }
        if start.elapsed() >= patience || halt::is_wanted() {
            return Ok(Greeted::Never);
        }
        std::thread::sleep(PAUSE);
    }
}

fn wait(child: &mut Child, patience: Duration) -> Result<ExitStatus, DeriveError> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(DeriveError::Worker)? {
            return Ok(status);
        }
        let late = start.elapsed() >= patience;
        if late || halt::is_wanted() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(if late {
                DeriveError::Timeout { waited: patience.as_secs() }
            } else {
                DeriveError::Halted
            });
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
