//! The names that expressions may use: those of the mechanism, and those with a fixed meaning.

/// Names with a fixed meaning, which nothing else may take.
pub const RESERVED: [&str; 21] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "sqrt", "exp", "log",
    "abs", "sign", "min", "max", "if", "dot", "pi", "t",
];

/// The names of a mechanism, in file order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the definitions.
    pub definitions: Vec<DefinitionName>,
}

/// The name of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionName {
    /// The name.
    pub name: String,
    /// Whether its value has velocities.
    pub has_rates: bool,
    /// Whether it switches: its value has a jump or a bend.
    pub switches: bool,
}

impl Names {
    /// All names, in the order parameters, coordinates, definitions.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let own = self.parameters.iter().chain(&self.coordinates).map(String::as_str);
        own.chain(self.definitions.iter().map(|d| d.name.as_str()))
    }
}
