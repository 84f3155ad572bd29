//! Maps that make no sense: what was asked for, and what can be.

use crate::diag::{Diagnostic, nearest};
use crate::pipeline::EnsembleFault;
use std::fmt;

/// A map that makes no sense.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MapFault {
    /// A range that is none.
    Range {
        /// `--x` or `--y`.
        option: &'static str,
        /// Why.
        fault: EnsembleFault,
    },
    /// A range with ends that are one.
    Empty {
        /// The option.
        option: &'static str,
        /// The text.
        text: String,
        /// Both ends.
        at: f64,
    },
    /// Fewer than two points.
    Points {
        /// The option.
        option: &'static str,
        /// The text.
        text: String,
    },
    /// More values than an axis may have.
    Long {
        /// The option.
        option: &'static str,
        /// The text.
        text: String,
        /// As many as there may be.
        most: u64,
    },
    /// More points than are kept.
    Kept {
        /// What needs them all.
        what: String,
        /// How many there are.
        points: u64,
        /// How many there may be.
        most: u64,
    },
    /// One name on both axes.
    Same {
        /// The name.
        name: String,
    },
    /// A quantity that there is not.
    Quantity {
        /// The text.
        text: String,
        /// What is wrong with it as an expression.
        fault: Box<Diagnostic>,
        /// The quantity that may have been meant.
        close: Option<&'static str>,
    },
    /// A quantity of a contact of the plane.
    PlaneOnly {
        /// The quantity.
        quantity: &'static str,
    },
    /// A quantity of a contact, and none is named.
    NoContact {
        /// The quantity.
        quantity: String,
        /// The contacts that there are.
        contacts: Vec<String>,
    },
    /// A contact that there is not.
    Contact {
        /// What was asked for.
        name: String,
        /// The contacts that there are.
        contacts: Vec<String>,
    },
    /// Levels of words.
    WordLevel {
        /// The quantity.
        quantity: String,
    },
    /// A level that is no number.
    Level {
        /// The level.
        level: f64,
    },
    /// A part without a file that can take it.
    Part,
    /// A name of a file that ends in nothing known.
    Ending {
        /// The file.
        file: String,
    },
}

impl fmt::Display for MapFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { option, fault } => write!(f, "{option}: {fault}"),
            Self::Empty { option, text, at } => {
                write!(f, "{option} `{text}`: both ends of the range are {at}, expected LO < HI")
            }
            Self::Points { option, text } => {
                write!(f, "{option} `{text}`: a map needs at least two points on each axis")
            }
            Self::Long { option, text, most } => {
                write!(f, "{option} `{text}`: an axis has at most {most} values")
            }
            Self::Kept { what, points, most } => write!(
                f,
                "{what} of a map keeps all of its {points} points in memory, and at most {most} are: write .csv or .parquet, which take the \
                 points row by row, or ask for fewer"
            ),
            Self::Same { name } => {
                write!(f, "`{name}` is on both axes: give --x and --y different names")
            }
            Self::Quantity { text, fault, close } => {
                let hint = fault.hint.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
                let meant = close.map(|name| format!(", or did you mean `{name}`?")).unwrap_or_default();
                let known = super::QUANTITIES.join(", ");
                write!(
                    f,
                    "--quantity {text}: {}{hint}{meant}; expected {known}, or an expression of parameters, coordinates and the numbers \
                     among these",
                    fault.message
                )
            }
            Self::PlaneOnly { quantity } => {
                write!(
                    f,
                    "--quantity {quantity} is one of contacts in the plane, and this mechanism is in space"
                )
            }
            Self::NoContact { quantity, contacts } if contacts.is_empty() => {
                write!(f, "--quantity {quantity} is one of a contact, and this mechanism has none")
            }
            Self::NoContact { quantity, contacts } => write!(
                f,
                "--quantity {quantity} is one of a contact: name it with --contact, one of {}",
                contacts.join(", ")
            ),
            Self::Contact { name, contacts } => no_contact(f, name, contacts),
            Self::WordLevel { quantity } => {
                write!(f, "--level is for numbers, and {quantity} has words: its boundaries lie between them")
            }
            Self::Level { level } => write!(f, "--level {level}: expected a finite number"),
            Self::Part => write!(
                f,
                "a part of a map goes to a file with its question in it: say --output PART.json; `mechan merge` makes the whole, in any form"
            ),
            Self::Ending { file } => {
                write!(
                    f,
                    "`{file}` is no name for a map: it should end in .csv, .parquet, .json, .svg or .png"
                )
            }
        }
    }
}

impl std::error::Error for MapFault {}

fn no_contact(f: &mut fmt::Formatter<'_>, name: &str, contacts: &[String]) -> fmt::Result {
    if contacts.is_empty() {
        return write!(f, "--contact {name}: this mechanism has no contacts");
    }
    let close = nearest(name, contacts.iter().map(String::as_str));
    let meant = close.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
    write!(f, "--contact {name}: there is no such contact; {meant}the contacts are {}", contacts.join(", "))
}
