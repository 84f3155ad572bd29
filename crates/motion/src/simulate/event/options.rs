//! What is asked of a motion, and how much it may take.

use super::run::Future;
use crate::num::Tol;
use crate::simulate::trajectory::RowFunction;

/// What is asked of a motion.
#[derive(Clone)]
pub struct Options<'o> {
    /// The time at which it ends.
    pub t_end: f64,
    /// Error per step, relative to each number's own size.
    pub rtol: f64,
    /// The same in the units of each number, beside that.
    pub atol: f64,
    /// Number of samples at equal times.
    pub samples: usize,
    /// Samples at these times instead, ascending.
    pub times: Option<&'o [f64]>,
    /// How much it may take.
    pub limits: Limits,
    /// What to follow where several motions are possible: the first of these names that is one of them.
    pub futures: &'o [String],
    /// What to do where accelerations depend on forces that are not unique.
    pub hyperstatic: Hyperstatic,
    /// How to go on at the start, where a run before ended.
    pub first: Option<&'o Future>,
    /// The name of the way that the contacts were on where a run before ended: of several ways from the start the one that goes on.
    pub way: Option<&'o str>,
    /// Whether it ends as soon as something has happened.
    pub pauses: bool,
    /// The expression of a row at whose fall through zero the motion ends.
    pub stop: Option<RowFunction<'o>>,
    /// How many numbers of a row it reads, from the first on; all, if that is not known.
    pub stop_reads: usize,
    /// What counts as zero.
    pub tol: Tol,
}

/// What to do where accelerations depend on forces that are not unique.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hyperstatic {
    /// Go on with those of the contacts' stiffnesses in the limit of rigidity.
    #[default]
    Go,
    /// End there.
    Stop,
}

impl Hyperstatic {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Go, Self::Stop];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Stop => "stop",
        }
    }

    /// By its word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.word() == word)
    }
}

/// How much a motion may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps.
    pub steps: usize,
    /// Events.
    pub events: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 10_000_000, events: 100_000 }
    }
}

/// Error per step if nobody says.
pub const DEFAULT_RTOL: f64 = 1e-10;
/// Samples if nobody says.
pub const DEFAULT_SAMPLES: usize = 200;

impl Options<'_> {
    /// The usual ones, up to a time.
    pub fn until(t_end: f64) -> Self {
        Self {
            t_end,
            rtol: DEFAULT_RTOL,
            atol: 0.0,
            samples: DEFAULT_SAMPLES,
            times: None,
            limits: Limits::default(),
            futures: &[],
            hyperstatic: Hyperstatic::Go,
            first: None,
            way: None,
            pauses: false,
            stop: None,
            stop_reads: usize::MAX,
            tol: Tol::default(),
        }
    }
}
