//! Runs the binary and keeps what it said.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One finished run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The cache that all tests share, so that each mechanism is derived once.
pub(crate) fn shared_cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mechan"));
    command.args(args).env("MECHAN_CACHE_DIR", shared_cache()).env_remove("NO_COLOR");
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// Runs `mechan` in the package root.
pub(crate) fn mechan(args: &[&str]) -> Run {
    finish(&mut command(args), b"")
}

/// Runs `mechan` with a text on standard input.
pub(crate) fn mechan_on(args: &[&str], input: &[u8]) -> Run {
    finish(&mut command(args), input)
}

pub(crate) fn finish(command: &mut Command, input: &[u8]) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mechan starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let bytes = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
    let output = child.wait_with_output().expect("mechan ends");
    writer.join().expect("the writer ends");
    Run {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Run {
    /// Asserts the exit status and that nothing panicked.
    pub(crate) fn ends(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}\n{}", self.out))
    }
}
