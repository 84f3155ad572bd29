//! Where words go: results to standard output or a file, everything else to standard error.

use super::{Color, Common};
use crate::diag::{Color as Shown, Diagnostic, Source, render_all};
use crate::pipeline::Failure;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

/// Standard error as the user wants it.
pub(super) struct Terminal {
    color: Shown,
    quiet: bool,
    verbose: bool,
    no_cache: bool,
}

impl Terminal {
    pub(super) fn new(common: &Common) -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let color = match common.color {
            Color::Auto => wanted && std::io::stderr().is_terminal(),
            Color::Always => true,
            Color::Never => false,
        };
        let color = if color { Shown::Ansi } else { Shown::Plain };
        Terminal { color, quiet: common.quiet, verbose: common.verbose, no_cache: common.no_cache }
    }

    pub(super) fn no_cache(&self) -> bool {
        self.no_cache
    }

    /// Says what is being waited for: on a terminal, or when asked to be verbose.
    pub(super) fn progress(&self, message: &str) {
        if self.verbose || (!self.quiet && std::io::stderr().is_terminal()) {
            say(&format!("mechan: {message}\n"));
        }
    }

    pub(super) fn note(&self, message: &str) {
        if !self.quiet {
            say(&format!("{message}\n"));
        }
    }

    pub(super) fn warnings(&self, source: &Source, warnings: &[Diagnostic]) {
        if !self.quiet && !warnings.is_empty() {
            say(&render_all(warnings, source, self.color));
        }
    }

    pub(super) fn failure(&self, failure: &Failure) {
        match failure {
            Failure::Input { source, diagnostics } => say(&render_all(diagnostics, source, self.color)),
            other => say(&format!("{}: {other}\n", self.paint("error"))),
        }
    }

    fn paint(&self, word: &str) -> String {
        if self.color == Shown::Ansi { format!("\u{1b}[1;31m{word}\u{1b}[0m") } else { word.to_string() }
    }
}

/// Standard error that has gone away is nobody's problem.
fn say(text: &str) {
    drop(std::io::stderr().lock().write_all(text.as_bytes()));
}

/// Writes a result to a file or to standard output; a closed pipe ends quietly.
pub(super) fn write_result(text: &str, path: Option<&Path>) -> Result<(), Failure> {
    match path {
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Failure::Unwritable { name: path.display().to_string(), error }),
        None => {
            let mut out = std::io::stdout().lock();
            match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    Err(Failure::Unwritable { name: "standard output".to_string(), error })
                }
                _ => Ok(()),
            }
        }
    }
}
