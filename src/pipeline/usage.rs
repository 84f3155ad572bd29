//! Questions that make no sense: what was asked for, and what can be.

use super::map::MapFault;
use super::prove::{NoCertificate, ProveFault};
use super::simulate::{CycleFault, EnsembleFault, SchemeOption, TableFault, UnknownScheme};
use super::stepper::GivenFault;
use crate::coulomb::solver::{SolverName, UnknownSolver};
use crate::diag::{Diagnostic, meant};
use crate::enumerate::EnumerationError;
use crate::format::Kind;
use crate::plot::PlotFault;
use crate::prove::CoqFault;
use crate::report::UnknownSection;
use crate::simulate::stepped::SteppedError;
use std::fmt;

/// A question that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Usage {
    /// A state that the mechanism does not have.
    #[error(
        "{file} has no state `{name}`; {}its states are {}",
        meant(.name, .states.iter().map(String::as_str)),
        .states.join(", ")
    )]
    State {
        /// The file.
        file: String,
        /// What was asked for.
        name: String,
        /// The states that there are.
        states: Vec<String>,
    },
    /// A `name=expr` that sets nothing.
    #[error("--set {text}: {}", .fault.in_one_line())]
    Override {
        /// The text.
        text: String,
        /// What is wrong with it.
        fault: Box<Diagnostic>,
    },
    /// A `--stop` that is no expression.
    #[error("--stop {text}: {}", .fault.in_one_line())]
    Stop {
        /// The text.
        text: String,
        /// What is wrong with it.
        fault: Box<Diagnostic>,
    },
    /// A `--future` that no motion has.
    #[error(
        "--future {name}: expected a way on as a motion that ends `indeterminate` names it: modes, with commas for \
         several contacts (free, slip+, slip-, slip, stick), iwc or iwc(CONTACT), or impact(MODES)"
    )]
    Future {
        /// What was asked for.
        name: String,
    },
    /// An ensemble that makes no sense.
    #[error("{0}")]
    Ensemble(Box<EnsembleFault>),
    /// A map that makes no sense.
    #[error("{0}")]
    Map(Box<MapFault>),
    /// A claim that makes no sense.
    #[error("{0}")]
    Prove(#[from] ProveFault),
    /// One file for what is written about each of several claims.
    #[error(
        "{option} is about one claim, and there are {claims}: choose one by --claim; certificates of all are in --format json"
    )]
    SeveralClaims {
        /// What is asked for.
        option: &'static str,
        /// How many there are.
        claims: usize,
    },
    /// A claim without a proof for Coq.
    #[error("--format coq: `{claim}`: {fault}")]
    NoCoq {
        /// The claim.
        claim: String,
        /// Why there is none.
        fault: CoqFault,
    },
    /// An answer without a certificate.
    #[error("--certificate: {0}")]
    NoCertificate(NoCertificate),
    /// A periodic motion whose section or symmetry makes no sense.
    #[error("{0}")]
    Cycle(Box<CycleFault>),
    /// A table of a motion that there is not.
    #[error("{0}")]
    Tables(TableFault),
    /// A picture that cannot be drawn.
    #[error("--plot: {0}")]
    Plot(PlotFault),
    /// A report cannot be a picture.
    #[error("--output {file} would be a report; a picture is asked for by --plot NAME={file}")]
    ReportAsPicture {
        /// The file.
        file: String,
    },
    /// A report whose file says by its ending that it is something else.
    #[error(
        "--output {file}: nothing that is written here has this ending; there are {}, and --format says what a file of \
         another name holds",
        .known.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ")
    )]
    Ending {
        /// The file.
        file: String,
        /// The endings that there are.
        known: Vec<&'static str>,
    },
    /// A file of another kind than what is asked about.
    #[error(fmt = other_kind)]
    Kind {
        /// The file.
        file: String,
        /// What it is.
        kind: Kind,
    },
    /// An option that the scheme has not.
    #[error(
        "--scheme {scheme} has no {option}: leave it out, or choose a scheme that has it, such as `--scheme {}`",
        .option.example()
    )]
    NotOfScheme {
        /// The option.
        option: SchemeOption,
        /// The scheme.
        scheme: &'static str,
    },
    /// A scheme that this build leaves out.
    #[error("this build of mechan has no motions by `{scheme}`; build it with the feature `schemes`")]
    NotBuilt {
        /// The scheme.
        scheme: &'static str,
    },
    /// More samples than memory holds.
    #[error(
        "--samples {samples}: each is a row of {columns} numbers, and more than {most} rows are not kept in memory (2 \
         GiB); ask for fewer, or for a shorter time"
    )]
    Samples {
        /// How many were asked for.
        samples: usize,
        /// How many there may be.
        most: usize,
        /// Numbers of each.
        columns: usize,
    },
    /// Times of samples that do not ascend, or lie outside the motion.
    #[error(
        "sample time {place} is {t}, expected times that ascend from {} to {}, when the motion ends",
        .span[0],
        .span[1]
    )]
    Times {
        /// Which of them, from 0 on.
        place: usize,
        /// The time.
        t: f64,
        /// Begin and end of the motion.
        span: [f64; 2],
    },
    /// A state that is given by arrays of the wrong length, or by numbers that are none.
    #[error("{0}")]
    Given(GivenFault),
    /// A compliant motion without its ε, or with several.
    #[error("--scheme compliant takes one --eps for a motion and several for a study; {found} given")]
    Eps {
        /// How many were given.
        found: usize,
    },
    /// A time-stepping scheme without its step.
    #[error("--scheme {scheme} needs its step, for example `--step 0.001`")]
    NoStep {
        /// The scheme.
        scheme: &'static str,
    },
    /// A scheme that there is not.
    #[error("{0}")]
    Scheme(UnknownScheme),
    /// A section that no report has.
    #[error("{0}")]
    Section(UnknownSection),
    /// Every future of a scheme that knows only one.
    #[error(
        "--futures all follows motions from event to event, and --scheme {scheme} goes one way: leave the scheme out, or \
         list the solutions of a step with `mechan solve FILE --state NAME --step H --all`"
    )]
    Futures {
        /// The scheme.
        scheme: &'static str,
    },
    /// A time-stepping scheme with a number that makes no sense.
    #[error("{0}")]
    Stepped(SteppedError),
    /// A motion that ends before it begins.
    #[error("--t-end is {t_end}, expected a time after that of the state, {start}")]
    End {
        /// What was asked for.
        t_end: f64,
        /// The time of the state.
        start: f64,
    },
    /// A number that has to be greater than zero and finite.
    #[error(fmt = Positive::refuse)]
    Positive {
        /// Which.
        what: Positive,
        /// What was given.
        found: f64,
    },
    /// A name that no solver has.
    #[error("{0}")]
    Solver(UnknownSolver),
    /// A solver that cannot work on the problem.
    #[error("--solver {solver} cannot solve {problem}: {reason}")]
    Refuses {
        /// The solver.
        solver: SolverName,
        /// The problem.
        problem: String,
        /// Why.
        reason: String,
    },
    /// A problem whose solutions cannot be listed.
    #[error("--all cannot list the solutions of {problem}: {error}; without --all one is found")]
    AllSolutions {
        /// The problem.
        problem: String,
        /// Why.
        error: EnumerationError,
    },
    /// A problem in numbers where options are about mechanisms.
    #[error("--state, --set, --step and --step-model are about mechanisms; {file} is a problem")]
    NoMechanism {
        /// The file.
        file: String,
    },
    /// Several files where one problem can be saved.
    #[error("--save-problem is for one problem, and {files} files are given")]
    SeveralFiles {
        /// How many files there are.
        files: usize,
    },
    /// Several problems where one can be saved.
    #[error("--save-problem is for one state, and {file} has {states}: choose one with --state")]
    SeveralStates {
        /// The file.
        file: String,
        /// How many states it has.
        states: usize,
    },
    /// A name that a mechanism cannot have.
    #[error("`{0}` is not a name: use letters, digits and `_`, and start with a letter")]
    Name(String),
    /// A mechanism that the library does not have.
    #[error(fmt = unshipped)]
    Unshipped {
        /// The name.
        name: String,
        /// The one that may have been meant.
        nearest: Option<&'static str>,
    },
    /// A file that is there already.
    #[error("{file} exists already; choose another name")]
    Exists {
        /// The file.
        file: String,
    },
}

/// Numbers that have to be greater than zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positive {
    /// The time step, s.
    Step,
    /// For how long a motion is followed, s.
    LookAhead,
    /// The backward error to reach.
    Tolerance,
    /// Error per step of a motion.
    RelativeTolerance,
    /// The same, in units.
    AbsoluteTolerance,
    /// ε of compliant contacts.
    Eps,
}

impl fmt::Display for Positive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Positive::Step => "--step",
            Positive::LookAhead => "--look-ahead",
            Positive::Tolerance => "--tolerance",
            Positive::RelativeTolerance => "--rtol",
            Positive::AbsoluteTolerance => "--atol",
            Positive::Eps => "--eps",
        })
    }
}

impl Positive {
    /// The number, if it is finite, greater than zero, and not finer than doubles are.
    pub(super) fn checked(self, found: f64) -> Result<f64, Usage> {
        let good = found > 0.0 && found.is_finite() && found >= self.finest();
        if good { Ok(found) } else { Err(Usage::Positive { what: self, found }) }
    }

    /// What rounding leaves of it: a few roundings for errors relative to a number's own size.
    fn finest(self) -> f64 {
        match self {
            Positive::RelativeTolerance => 8.0 * f64::EPSILON,
            Positive::Step
            | Positive::LookAhead
            | Positive::Tolerance
            | Positive::AbsoluteTolerance
            | Positive::Eps => 0.0,
        }
    }

    fn refuse(&self, found: &f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *found > 0.0 && *found < self.finest() {
            let least = self.finest();
            return write!(f, "{self} is {found:e}, finer than doubles are: expected at least {least:.1e}");
        }
        write!(f, "{self} is {found}, expected a number{} > 0", self.unit())
    }

    fn unit(self) -> &'static str {
        match self {
            Positive::Step | Positive::LookAhead => " of seconds",
            Positive::Tolerance
            | Positive::RelativeTolerance
            | Positive::AbsoluteTolerance
            | Positive::Eps => "",
        }
    }
}

impl From<EnsembleFault> for Usage {
    fn from(fault: EnsembleFault) -> Self {
        Usage::Ensemble(Box::new(fault))
    }
}

impl From<MapFault> for Usage {
    fn from(fault: MapFault) -> Self {
        Usage::Map(Box::new(fault))
    }
}

fn other_kind(file: &str, kind: &Kind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match kind {
        Kind::Mechanism => write!(
            f,
            "{file} is a mechanism: `mechan analyze {file}` says what may follow its states, `mechan simulate {file} --t-end 1` follows \
             a motion"
        ),
        Kind::Scene => write!(
            f,
            "{file} is a scene of many bodies: `mechan run {file}` steps it, `mechan check {file}` checks it"
        ),
        Kind::Problem => {
            write!(f, "{file} is an incremental problem in numbers: `mechan solve {file}` solves it")
        }
        Kind::Robot => write!(
            f,
            "{file} is a robot description: `mechan import {file} --output robot.yaml` makes a mechanism of it"
        ),
    }
}

fn unshipped(name: &str, nearest: &Option<&str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match nearest {
        Some(nearest) => write!(f, "mechan's library has no `{name}`; did you mean `{nearest}`?"),
        None => write!(f, "mechan's library has no `{name}`; `mechan list` shows all"),
    }
}
