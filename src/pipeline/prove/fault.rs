//! Claims that make no sense: what was asked for, and what can be.

use crate::diag::Diagnostic;
use crate::format::FORMS;

/// A claim that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProveFault {
    /// No claim.
    #[error("there is nothing to prove: give --claim CLAIM, or `claims:` in the file; a claim is {FORMS}")]
    NoClaim,
    /// Text that is no claim, or no comparison where one is assumed.
    #[error("claim `{text}`: {}", .fault.in_one_line())]
    Claim {
        /// The text.
        text: String,
        /// The first that is wrong with it.
        fault: Box<Diagnostic>,
    },
    /// A claim that is about something else than this mechanism has.
    #[error("claim `{text}`: {why}")]
    Beyond {
        /// The claim.
        text: String,
        /// Why it cannot be asked here.
        why: &'static str,
    },
    /// A box that is none.
    #[error("--box {text}: {why}")]
    Range {
        /// The text.
        text: String,
        /// Why.
        why: String,
    },
    /// Coordinates or velocities on which the claim depends, and which nothing fixes.
    #[error(
        "claim `{text}` depends on {}: give its range by --box, in `domain`, or --state NAME, whose values it is then held at",
        .names.join(", ")
    )]
    Needs {
        /// The claim.
        text: String,
        /// What has no range.
        names: Vec<String>,
    },
    /// Coordinates or velocities that equations determine, within no bounds.
    #[error(
        "claim `{text}` depends on {}, which gaps and constraints determine, within no bounds that are found: give its range by --box, as wide as you like",
        .names.join(", ")
    )]
    Unbounded {
        /// The claim.
        text: String,
        /// What has no bounds.
        names: Vec<String>,
    },
    /// A number of the state that is another one elsewhere on a map.
    #[error(
        "the state's {name} is not the same at all of the map's points, and what is proven holds it: give it a number by --set"
    )]
    Along {
        /// Its name.
        name: String,
    },
    /// Equations that are not those of the file.
    #[error(
        "the equations are not those of the file: a second derivation finds something else for {}. Nothing is proven of the mechanism; derive it again \
         from its file, and if that does not help, please report it",
        .blocks.join(", ")
    )]
    Derivation {
        /// What differs, in words.
        blocks: Vec<&'static str>,
    },
    /// A certificate from which nothing can be gone on.
    #[error("the certificate to go on from: {why}")]
    Resume {
        /// Why.
        why: String,
    },
    /// More inputs vary than a certificate can name.
    #[error("claim `{text}`: {found} numbers vary, and at most {most} may; leave out some of --box")]
    Many {
        /// The claim.
        text: String,
        /// How many vary.
        found: usize,
        /// How many may.
        most: usize,
    },
}
