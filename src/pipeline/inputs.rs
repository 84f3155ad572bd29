//! The inputs of a tape, t, q, q̇ and parameters in this order: their places and names.

use crate::expression::Symbol;
use crate::format::Mechanism;

/// Place of a symbol of a mechanism with so many coordinates.
pub(super) fn place(coordinates: usize, symbol: Symbol) -> usize {
    match symbol {
        Symbol::Time => 0,
        Symbol::Coordinate(i) => 1 + i,
        Symbol::Rate(i) => 1 + coordinates + i,
        Symbol::Parameter(i) => 1 + 2 * coordinates + i,
    }
}

/// The symbol at a place.
pub(super) fn symbol_at(coordinates: usize, place: usize) -> Symbol {
    match place.checked_sub(1) {
        None => Symbol::Time,
        Some(i) if i < coordinates => Symbol::Coordinate(i),
        Some(i) if i < 2 * coordinates => Symbol::Rate(i - coordinates),
        Some(i) => Symbol::Parameter(i - 2 * coordinates),
    }
}

/// The name of a symbol, as columns have it.
pub(crate) fn symbol_name(mechanism: &Mechanism, symbol: Symbol) -> String {
    match symbol {
        Symbol::Time => "t".to_string(),
        Symbol::Coordinate(i) => mechanism.coordinates[i].name.clone(),
        Symbol::Rate(i) => format!("dot({})", mechanism.coordinates[i].name),
        Symbol::Parameter(i) => mechanism.parameters[i].name.clone(),
    }
}

/// Names of all inputs, in their order.
pub(super) fn input_names(mechanism: &Mechanism) -> Vec<String> {
    let n = mechanism.coordinates.len();
    let all = 0..1 + 2 * n + mechanism.parameters.len();
    all.map(|place| symbol_name(mechanism, symbol_at(n, place))).collect()
}
