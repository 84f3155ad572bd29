//! Questions that make no sense: what was asked for, and what can be.

use super::map::MapFault;
use super::simulate::{CycleFault, EnsembleFault, SchemeOption, UnknownScheme};
use crate::coulomb::solver::{SolverName, UnknownSolver};
use crate::diag::{Diagnostic, nearest};
use crate::enumerate::EnumerationError;
use crate::format::Kind;
use crate::plot::PlotFault;
use crate::report::UnknownSection;
use crate::simulate::stepped::SteppedError;
use std::fmt;

/// A question that makes no sense.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Usage {
    /// A state that the mechanism does not have.
    State {
        /// The file.
        file: String,
        /// What was asked for.
        name: String,
        /// The states that there are.
        states: Vec<String>,
    },
    /// A `name=expr` that sets nothing.
    Override {
        /// The text.
        text: String,
        /// What is wrong with it.
        fault: Box<Diagnostic>,
    },
    /// A `--stop` that is no expression.
    Stop {
        /// The text.
        text: String,
        /// What is wrong with it.
        fault: Box<Diagnostic>,
    },
    /// A `--future` that no motion has.
    Future {
        /// What was asked for.
        name: String,
    },
    /// An ensemble that makes no sense.
    Ensemble(Box<EnsembleFault>),
    /// A map that makes no sense.
    Map(Box<MapFault>),
    /// A periodic motion whose section or symmetry makes no sense.
    Cycle(Box<CycleFault>),
    /// A picture that cannot be drawn.
    Plot(PlotFault),
    /// A report cannot be a picture.
    ReportAsPicture {
        /// The file.
        file: String,
    },
    /// A report whose file says by its ending that it is something else.
    Ending {
        /// The file.
        file: String,
        /// The endings that there are.
        known: Vec<&'static str>,
    },
    /// A file of another kind than what is asked about.
    Kind {
        /// The file.
        file: String,
        /// What it is.
        kind: Kind,
    },
    /// An option that the scheme has not.
    NotOfScheme {
        /// The option.
        option: SchemeOption,
        /// The scheme.
        scheme: &'static str,
    },
    /// More samples than memory holds.
    Samples {
        /// How many were asked for.
        samples: usize,
        /// How many there may be.
        most: usize,
        /// Numbers of each.
        columns: usize,
    },
    /// A compliant motion without its ε, or with several.
    Eps {
        /// How many were given.
        found: usize,
    },
    /// A time-stepping scheme without its step.
    NoStep {
        /// The scheme.
        scheme: &'static str,
    },
    /// A scheme that there is not.
    Scheme(UnknownScheme),
    /// A section that no report has.
    Section(UnknownSection),
    /// Every future of a scheme that knows only one.
    Futures {
        /// The scheme.
        scheme: &'static str,
    },
    /// A time-stepping scheme with a number that makes no sense.
    Stepped(SteppedError),
    /// A motion that ends before it begins.
    End {
        /// What was asked for.
        t_end: f64,
        /// The time of the state.
        start: f64,
    },
    /// A number that has to be greater than zero and finite.
    Positive {
        /// Which.
        what: Positive,
        /// What was given.
        found: f64,
    },
    /// A name that no solver has.
    Solver(UnknownSolver),
    /// A solver that cannot work on the problem.
    Refuses {
        /// The solver.
        solver: SolverName,
        /// The problem.
        problem: String,
        /// Why.
        reason: String,
    },
    /// A problem whose solutions cannot be listed.
    AllSolutions {
        /// The problem.
        problem: String,
        /// Why.
        error: EnumerationError,
    },
    /// A problem in numbers where options are about mechanisms.
    NoMechanism {
        /// The file.
        file: String,
    },
    /// Several files where one problem can be saved.
    SeveralFiles {
        /// How many files there are.
        files: usize,
    },
    /// Several problems where one can be saved.
    SeveralStates {
        /// The file.
        file: String,
        /// How many states it has.
        states: usize,
    },
    /// A name that a mechanism cannot have.
    Name(String),
    /// A mechanism that the library does not have.
    Unshipped {
        /// The name.
        name: String,
        /// The one that may have been meant.
        nearest: Option<&'static str>,
    },
    /// A file that is there already.
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

    fn refuse(self, found: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if found > 0.0 && found < self.finest() {
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

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Usage::State { file, name, states } => no_state(f, file, name, states),
            Usage::Override { text, fault } => expression(f, &format!("--set {text}"), fault),
            Usage::Stop { text, fault } => expression(f, &format!("--stop {text}"), fault),
            Usage::Future { name } => future(f, name),
            Usage::Ensemble(fault) => write!(f, "{fault}"),
            Usage::Map(fault) => write!(f, "{fault}"),
            Usage::Cycle(fault) => write!(f, "{fault}"),
            Usage::Plot(fault) => write!(f, "--plot: {fault}"),
            Usage::ReportAsPicture { file } => {
                write!(f, "--output {file} would be a report; a picture is asked for by --plot NAME={file}")
            }
            Usage::Ending { file, known } => ending(f, file, known),
            Usage::Kind { file, kind } => other_kind(f, file, *kind),
            Usage::NotOfScheme { option, scheme } => not_of_scheme(f, *option, scheme),
            Usage::Samples { samples, most, columns } => too_many_samples(f, [*samples, *most, *columns]),
            Usage::NoStep { scheme } => {
                write!(f, "--scheme {scheme} needs its step, for example `--step 0.001`")
            }
            Usage::Scheme(unknown) => write!(f, "{unknown}"),
            Usage::Section(unknown) => write!(f, "{unknown}"),
            Usage::Futures { scheme } => futures(f, scheme),
            Usage::Stepped(fault) => write!(f, "{fault}"),
            Usage::Eps { found } => {
                write!(
                    f,
                    "--scheme compliant takes one --eps for a motion and several for a study; {found} given"
                )
            }
            Usage::End { t_end, start } => {
                write!(f, "--t-end is {t_end}, expected a time after that of the state, {start}")
            }
            Usage::Positive { what, found } => what.refuse(*found, f),
            Usage::Solver(error) => write!(f, "{error}"),
            Usage::Refuses { solver, problem, reason } => {
                write!(f, "--solver {solver} cannot solve {problem}: {reason}")
            }
            Usage::AllSolutions { problem, error } => {
                write!(f, "--all cannot list the solutions of {problem}: {error}; without --all one is found")
            }
            Usage::NoMechanism { file } => {
                write!(f, "--state, --set, --step and --step-model are about mechanisms; {file} is a problem")
            }
            Usage::SeveralFiles { files } => {
                write!(f, "--save-problem is for one problem, and {files} files are given")
            }
            Usage::SeveralStates { file, states } => {
                write!(f, "--save-problem is for one state, and {file} has {states}: choose one with --state")
            }
            Usage::Name(name) => {
                write!(f, "`{name}` is not a name: use letters, digits and `_`, and start with a letter")
            }
            Usage::Unshipped { name, nearest } => unshipped(f, name, *nearest),
            Usage::Exists { file } => write!(f, "{file} exists already; choose another name"),
        }
    }
}

fn not_of_scheme(f: &mut fmt::Formatter<'_>, option: SchemeOption, scheme: &str) -> fmt::Result {
    write!(
        f,
        "--scheme {scheme} has no {option}: leave it out, or choose a scheme that has it, such as `--scheme {}`",
        option.example()
    )
}

fn too_many_samples(f: &mut fmt::Formatter<'_>, [samples, most, columns]: [usize; 3]) -> fmt::Result {
    write!(
        f,
        "--samples {samples}: each is a row of {columns} numbers, and more than {most} rows are not kept in memory (2 GiB); ask for \
         fewer, or for a shorter time"
    )
}

fn future(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    let modes = "free, slip+, slip-, slip, stick";
    write!(
        f,
        "--future {name}: expected a way on as a motion that ends `indeterminate` names it: modes, with commas for several contacts \
         ({modes}), iwc or iwc(CONTACT), or impact(MODES)"
    )
}

fn expression(f: &mut fmt::Formatter<'_>, what: &str, fault: &Diagnostic) -> fmt::Result {
    let hint = fault.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    write!(f, "{what}: {}{hint}", fault.message)
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

impl std::error::Error for Usage {}

fn no_state(f: &mut fmt::Formatter<'_>, file: &str, name: &str, states: &[String]) -> fmt::Result {
    let close = nearest(name, states.iter().map(String::as_str));
    let meant = close.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
    write!(f, "{file} has no state `{name}`; {meant}its states are {}", states.join(", "))
}

fn ending(f: &mut fmt::Formatter<'_>, file: &str, known: &[&str]) -> fmt::Result {
    let endings: Vec<String> = known.iter().map(|ending| format!(".{ending}")).collect();
    write!(
        f,
        "--output {file}: nothing that is written here has this ending; there are {}, and --format says what a file of another name holds",
        endings.join(", ")
    )
}

fn other_kind(f: &mut fmt::Formatter<'_>, file: &str, kind: Kind) -> fmt::Result {
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

fn futures(f: &mut fmt::Formatter<'_>, scheme: &str) -> fmt::Result {
    write!(
        f,
        "--futures all follows motions from event to event, and --scheme {scheme} goes one way: leave the scheme out, or list the \
         solutions of a step with `mechan solve FILE --state NAME --step H --all`"
    )
}

fn unshipped(f: &mut fmt::Formatter<'_>, name: &str, nearest: Option<&str>) -> fmt::Result {
    match nearest {
        Some(nearest) => write!(f, "mechan's library has no `{name}`; did you mean `{nearest}`?"),
        None => write!(f, "mechan's library has no `{name}`; `mechan list` shows all"),
    }
}
