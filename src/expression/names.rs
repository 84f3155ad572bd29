//! The names that expressions may use: those of the mechanism, and those with a fixed meaning.

/// Names with a fixed meaning, which nothing else may take.
pub const RESERVED: [&str; 17] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "sqrt", "exp", "log",
    "abs", "dot", "pi", "t",
];

/// The names of a mechanism, in file order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
}
