//! Maps that make no sense: what was asked for, and what can be.

use crate::diag::{Diagnostic, meant};
use crate::pipeline::EnsembleFault;
use std::fmt;

/// A map that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapFault {
    /// A range that is none.
    #[error("{option}: {fault}")]
    Range {
        /// `--x` or `--y`.
        option: &'static str,
        /// Why.
        fault: EnsembleFault,
    },
    /// A range with ends that are one.
    #[error("{option} `{text}`: both ends of the range are {at}, expected LO < HI")]
    Empty {
        /// The option.
        option: &'static str,
        /// The text.
        text: String,
        /// Both ends.
        at: f64,
    },
    /// Fewer than two points.
    #[error("{option} `{text}`: a map needs at least two points on each axis")]
    Points {
        /// The option.
        option: &'static str,
        /// The text.
        text: String,
    },
    /// More values than an axis may have.
    #[error("{option} `{text}`: an axis has at most {most} values")]
    Long {
        /// The option.
        option: &'static str,
        /// The text.
        text: String,
        /// As many as there may be.
        most: u64,
    },
    /// More points than are kept.
    #[error(
        "{what} of a map keeps all of its {points} points in memory, and at most {most} are: write .csv or .parquet, \
         which take the points row by row, or ask for fewer"
    )]
    Kept {
        /// What needs them all.
        what: String,
        /// How many there are.
        points: u64,
        /// How many there may be.
        most: u64,
    },
    /// One name on both axes.
    #[error("`{name}` is on both axes: give --x and --y different names")]
    Same {
        /// The name.
        name: String,
    },
    /// A quantity that there is not.
    #[error(
        "--quantity {text}: {}{}; expected {}, or an expression of parameters, coordinates and the numbers among these",
        .fault.in_one_line(),
        .close.map(|name| format!(", or did you mean `{name}`?")).unwrap_or_default(),
        super::QUANTITIES.join(", ")
    )]
    Quantity {
        /// The text.
        text: String,
        /// What is wrong with it as an expression.
        fault: Box<Diagnostic>,
        /// The quantity that may have been meant.
        close: Option<&'static str>,
    },
    /// An outcome that there is not.
    #[error(
        "--outcome {text}: {}; expected an expression of t, coordinates, `dot(x)`, parameters and columns such as `tip.N` \
         at the end of the motion, with `first(KIND)` and `count(KIND)` of its events",
        .fault.in_one_line()
    )]
    Outcome {
        /// The text.
        text: String,
        /// What is wrong with it.
        fault: Box<Diagnostic>,
    },
    /// An option of motions where none are followed.
    #[error("{option} is one of --outcome, which follows motions: without it states are analysed")]
    OfOutcome {
        /// The option.
        option: &'static str,
    },
    /// A quantity of a contact of the plane.
    #[error("--quantity {quantity} is one of contacts in the plane, and this mechanism is in space")]
    PlaneOnly {
        /// The quantity.
        quantity: &'static str,
    },
    /// A quantity of a contact, and none is named.
    #[error(fmt = which_contact)]
    NoContact {
        /// The quantity.
        quantity: String,
        /// The contacts that there are.
        contacts: Vec<String>,
    },
    /// A contact that there is not.
    #[error(fmt = no_contact)]
    Contact {
        /// What was asked for.
        name: String,
        /// The contacts that there are.
        contacts: Vec<String>,
    },
    /// Levels of words.
    #[error("--level is for numbers, and {quantity} has words: its boundaries lie between them")]
    WordLevel {
        /// The quantity.
        quantity: String,
    },
    /// A quantity of which no claims are proven.
    #[error(
        "--certified: nothing is proven of {quantity} yet; of verdict, p, p_plus, p_minus, a, b and expressions of these it is"
    )]
    Uncertified {
        /// The quantity.
        quantity: String,
    },
    /// A number without levels.
    #[error("--certified: {quantity} has no regions without --level, at which they part")]
    NoRegions {
        /// The quantity.
        quantity: String,
    },
    /// A level that is no number.
    #[error("--level {level}: expected a finite number")]
    Level {
        /// The level.
        level: f64,
    },
    /// A part without a file that can take it.
    #[error(
        "a part of a map goes to a file with its question in it: say --output PART.json; `mechan merge` makes the whole, \
         in any form"
    )]
    Part,
    /// A name of a file that ends in nothing known.
    #[error("`{file}` is no name for a map: it should end in .csv, .parquet, .json, .svg or .png")]
    Ending {
        /// The file.
        file: String,
    },
}

fn which_contact(quantity: &str, contacts: &[String], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if contacts.is_empty() {
        return write!(f, "--quantity {quantity} is one of a contact, and this mechanism has none");
    }
    let known = contacts.join(", ");
    write!(f, "--quantity {quantity} is one of a contact: name it with --contact, one of {known}")
}

fn no_contact(name: &str, contacts: &[String], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if contacts.is_empty() {
        return write!(f, "--contact {name}: this mechanism has no contacts");
    }
    let meant = meant(name, contacts.iter().map(String::as_str));
    write!(f, "--contact {name}: there is no such contact; {meant}the contacts are {}", contacts.join(", "))
}
