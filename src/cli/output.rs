//! Where words go: results to standard output or a file, everything else to standard error.

use super::{Color as Choice, Common};
use crate::diag::{Color, Diagnostic, Source, render_all};
use crate::pipeline::{Failure, Loaded, Origin};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

/// Standard error as the user wants it.
pub(super) struct Terminal {
    color: Color,
    /// Colour of what goes to standard output.
    report_color: Color,
    quiet: bool,
    verbose: bool,
    no_cache: bool,
    /// What was said already and is said once.
    said: RefCell<BTreeSet<String>>,
}

impl Terminal {
    pub(super) fn new(common: &Common) -> Self {
        Terminal {
            color: color(common.color, std::io::stderr().is_terminal()),
            report_color: color(common.color, std::io::stdout().is_terminal()),
            quiet: common.quiet,
            verbose: common.verbose,
            no_cache: common.no_cache,
            said: RefCell::default(),
        }
    }

    /// One that says nothing, for what others ask.
    #[cfg(feature = "explore")]
    pub(super) fn for_others(&self) -> Self {
        Terminal { quiet: true, verbose: false, said: RefCell::default(), ..*self }
    }

    /// Whether a report on standard output is coloured.
    pub(super) fn report_color(&self) -> Color {
        self.report_color
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

    /// Whether somebody sees how far it is.
    pub(super) fn is_watched(&self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }

    /// How far it is, in place of what was said of that before; an empty text takes it away.
    pub(super) fn gauge(&self, message: &str) {
        let erase = "\u{1b}[2K";
        say(&format!("\r{erase}{message}"));
    }

    pub(super) fn note(&self, message: &str) {
        if !self.quiet {
            say(&format!("{message}\n"));
        }
    }

    /// Says what the user should know even without a terminal, once.
    pub(super) fn notice(&self, message: &str) {
        if self.said.borrow_mut().insert(message.to_string()) {
            self.note(&format!("mechan: {message}"));
        }
    }

    /// Says what the user has to know, even of a quiet program.
    pub(super) fn warning(&self, message: &str) {
        say(&format!("mechan: {message}\n"));
    }

    pub(super) fn faults(&self, source: &Source, faults: &[Diagnostic]) {
        say(&render_all(faults, source, self.color));
    }

    pub(super) fn warnings(&self, source: &Source, warnings: &[Diagnostic]) {
        if !self.quiet && !warnings.is_empty() {
            say(&render_all(warnings, source, self.color));
        }
    }

    /// What the user should know about a mechanism before anything is said of it.
    pub(super) fn loaded(&self, loaded: &Loaded) {
        if loaded.origin == Origin::Library {
            self.notice(&format!(
                "{} is that of mechan's library; there is no file of that name here",
                loaded.mechanism.name
            ));
        }
        self.warnings(&loaded.source, &loaded.warnings);
    }

    pub(super) fn failure(&self, failure: &Failure) {
        match failure {
            Failure::Input { source, diagnostics } => self.faults(source, diagnostics),
            other => say(&format!("{}: {other}\n", self.paint("error"))),
        }
    }

    fn paint(&self, word: &str) -> String {
        match self.color {
            Color::Ansi => format!("\u{1b}[1;31m{word}\u{1b}[0m"),
            Color::Plain => word.to_string(),
        }
    }
}

/// Colour where it is wanted, and can be shown: `NO_COLOR` and terminals that are called dumb have none.
fn color(wanted: Choice, is_terminal: bool) -> Color {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    match wanted {
        Choice::Always => Color::Ansi,
        Choice::Auto if is_terminal && !dumb && !set("NO_COLOR") => Color::Ansi,
        Choice::Auto | Choice::Never => Color::Plain,
    }
}

/// Standard error that has gone away is nobody's problem.
fn say(text: &str) {
    drop(std::io::stderr().lock().write_all(text.as_bytes()));
}

/// The path of a file; `-` is standard output.
pub(super) fn file(path: &Path) -> Option<&Path> {
    (path.as_os_str() != "-").then_some(path)
}

/// Writes a result to a file or to standard output; a closed pipe ends quietly.
pub(super) fn write_result(text: &str, path: Option<&Path>) -> Result<(), Failure> {
    match path.and_then(file) {
        Some(path) => std::fs::write(path, text).map_err(Failure::unwritable(path)),
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
