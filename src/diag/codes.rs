//! The stable codes of all diagnostics about mechanism files and states, with their meaning in one line:
//! M0xx the file's structure, M1xx expressions, M2xx the mechanism, M3xx states and overrides, M4xx numbers that fail at
//! a state, M5xx robot descriptions.
//! `docs/diagnostics.md` has the same list; a test compares them.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Every code with its meaning.
#[rustfmt::skip]
pub const CODES: &[(&str, &str)] = &[
    ("M001", "the file is not UTF-8"),
    ("M002", "the file contains a NUL byte"),
    ("M003", "the file has no content"),
    ("M004", "the file is larger than any mechanism"),
    ("M005", "the text is not YAML"),
    ("M006", "the file has more than one YAML document"),
    ("M007", "a key is given twice"),
    ("M008", "an alias refers to itself, to nothing, or multiplies the file beyond measure"),
    ("M009", "lists and maps are nested too deeply"),
    ("M010", "a key is not known"),
    ("M011", "a required key is missing"),
    ("M012", "a value is outside its range at the default parameters"),
    ("M013", "a value is of the wrong kind: text, list or map"),
    ("M014", "a list has the wrong length"),
    ("M015", "the version of the format is not one that is read"),
    ("M016", "a word is not one of the possible ones"),
    ("M017", "a YAML tag is used"),
    ("M018", "a key is not a plain word"),
    ("M019", "keys exclude each other, or one of several is needed"),
    ("M101", "a character has no meaning in expressions"),
    ("M102", "an expression is not complete or has something in the wrong place"),
    ("M103", "a number is too long, too large or too small"),
    ("M104", "an expression is nested too deeply"),
    ("M105", "an expression is too long"),
    ("M106", "a name is not defined"),
    ("M107", "a function is not known"),
    ("M108", "a function has the wrong number of arguments"),
    ("M109", "a coordinate is used where none is allowed"),
    ("M110", "the time is used where it is not allowed"),
    ("M111", "a velocity is used where none is allowed"),
    ("M112", "dot() is not applied to a coordinate"),
    ("M113", "a number is infinite or not a number"),
    ("M114", "a function is used without its arguments"),
    ("M115", "an operator is missing between two factors"),
    ("M116", "an expression is empty"),
    ("M201", "a name has characters that names cannot have"),
    ("M202", "a name is reserved by the expression language"),
    ("M203", "two things have the same name"),
    ("M204", "a parameter uses one that is defined later"),
    ("M205", "parameters define each other in a circle"),
    ("M206", "the mechanism has neither bodies nor a kinetic energy"),
    ("M207", "the mechanism has no coordinates"),
    ("M208", "a body, contact or coordinate is not defined"),
    ("M209", "the kinetic energy is not quadratic in velocities"),
    ("M210", "a slip velocity is not linear in velocities"),
    ("M211", "a normal or tangent is zero"),
    ("M212", "a range of the domain is empty"),
    ("M213", "a value is not finite at the default parameters"),
    ("M214", "an inertia matrix is not symmetric"),
    ("M215", "a coordinate or parameter is not used (warning)"),
    ("M216", "an expression divides by one that is zero everywhere"),
    ("M301", "a value of a state is not finite"),
    ("M302", "a value of a state uses a coordinate or velocity that is given later or not at all"),
    ("M303", "a value is outside its range at a state"),
    ("M304", "an override is not of the form name=value"),
    ("M305", "an override names nothing that can be set"),
    ("M306", "a range of the domain is empty or not finite at these parameters"),
    ("M307", "a contact is listed twice as closed"),
    ("M308", "a contact listed as closed does not touch or separates"),
    ("M309", "a state is off a bilateral constraint"),
    ("M310", "an open contact penetrates at a state (warning)"),
    ("M401", "a quantity is not finite at a state"),
    ("M402", "the mass matrix is not positive definite at a state"),
    ("M403", "the bilateral constraints are not independent at a state"),
    ("M501", "a robot description is not XML, or defines entities"),
    ("M502", "a text is no robot description"),
    ("M503", "a robot description lacks something"),
    ("M504", "a value of a robot description is not what is expected"),
    ("M505", "something in a robot description is not read and would change the mechanics"),
    ("M506", "a name of a robot description is there twice or not at all"),
    ("M507", "the links of a robot are not a tree"),
    ("M508", "a joint moves nothing that has mass"),
    ("M509", "a mass of a robot description is negative"),
    ("M510", "an inertia of a robot description is that of no body (warning)"),
    ("M511", "a wish about a robot names nothing, or cannot be met"),
    ("M512", "what was decided or left out of a robot description (warning)"),
];

/// Reads a code of the list.
pub(super) fn known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    let found = String::deserialize(deserializer)?;
    let code = CODES.iter().find(|(code, _)| *code == found);
    code.map(|(code, _)| *code).ok_or_else(|| D::Error::custom(format!("there is no code `{found}`")))
}
