//! How far a long computation is, with the time that is left, on a terminal.

use super::output::Terminal;
use std::time::{Duration, Instant};

/// How often it is told.
const EVERY: Duration = Duration::from_millis(500);

/// How far so many things are.
pub(super) struct Gauge<'t> {
    terminal: &'t Terminal,
    watched: bool,
    what: &'static str,
    of: u64,
    begun: Instant,
    last: Instant,
    /// How many there were at the beginning, which took no time.
    first: Option<u64>,
}

impl<'t> Gauge<'t> {
    /// Of so many `what`.
    pub(super) fn new(terminal: &'t Terminal, what: &'static str, of: u64) -> Self {
        let now = Instant::now();
        Self { terminal, watched: terminal.is_watched(), what, of, begun: now, last: now, first: None }
    }

    /// Tells, after each of them, how many are done.
    pub(super) fn tell(&mut self, done: u64) {
        self.tell_with(done, String::new);
    }

    /// The same with words about the last of them.
    pub(super) fn tell_with(&mut self, done: u64, words: impl FnOnce() -> String) {
        let first = *self.first.get_or_insert(done.saturating_sub(1));
        if self.watched && self.last.elapsed() >= EVERY {
            self.last = Instant::now();
            let each = self.begun.elapsed().as_secs_f64() / (done - first).max(1) as f64;
            let left = each * (self.of - done.min(self.of)) as f64;
            let (what, of) = (self.what, self.of);
            self.terminal.gauge(&format!("mechan: {done} of {of} {what}{}, {} left", words(), span(left)));
        }
    }

    /// Takes it away.
    pub(super) fn clear(&self) {
        if self.watched {
            self.terminal.gauge("");
        }
    }
}

/// A time in words.
fn span(seconds: f64) -> String {
    let whole = seconds.ceil().max(0.0) as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}
