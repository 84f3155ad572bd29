//! What is given from outside and is none of the mechanism's.

use crate::diag::meant;

/// Why something that was given from outside is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GivenFault {
    /// An array of another length.
    #[error("{what} has {found} numbers, expected {expected}: {}", .names.join(", "))]
    Length {
        /// Of what.
        what: &'static str,
        /// Its length.
        found: usize,
        /// What its length has to be.
        expected: usize,
        /// What the numbers are of.
        names: Vec<String>,
    },
    /// A number that is none.
    #[error("{what} of `{name}` is {value}, expected a finite number")]
    NotFinite {
        /// Of what.
        what: &'static str,
        /// The coordinate or parameter.
        name: String,
        /// The number.
        value: f64,
    },
    /// A name that nothing has.
    #[error("there is no {what} `{name}`; {}there are {}", meant(.name, .names.iter().map(String::as_str)), .names.join(", "))]
    Name {
        /// What was meant.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        names: Vec<String>,
    },
    /// A time before the present one.
    #[error("to is {to}, expected a time from {from} on, where the motion is")]
    Time {
        /// The time.
        to: f64,
        /// The present one.
        from: f64,
    },
    /// A scheme that has no steps of equal length.
    #[error("by scheme `{scheme}` there are no steps to keep: say at which times samples are to be taken")]
    NoTimes {
        /// The scheme.
        scheme: &'static str,
    },
    /// A scheme that cannot be followed from call to call.
    #[error("a motion by `{scheme}` is not followed from call to call; by {known} it is")]
    Scheme {
        /// The scheme.
        scheme: &'static str,
        /// Those that can be.
        known: String,
    },
}
