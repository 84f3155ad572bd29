//! What people type who know another language: degrees, units beside numbers, `xdot`. Words for their hints.

use super::lex::{Kind, Token};
use super::names::Names;
use super::tree::Function;

/// Words for degrees.
const DEGREES: [&str; 3] = ["deg", "degree", "degrees"];

/// Units that stand beside numbers.
#[rustfmt::skip]
const UNITS: [&str; 34] = [
    "kg", "g", "mg", "t", "lb", "m", "cm", "mm", "um", "km", "ft", "inch", "s", "ms", "us", "min", "h", "Hz", "N", "mN",
    "kN", "Nm", "J", "kJ", "W", "Pa", "kPa", "MPa", "GPa", "rad", "mrad", "rpm", "K", "A",
];

/// Whether a name is that of a function.
pub(super) fn is_function(name: &str) -> bool {
    name == "dot" || Function::from_name(name).is_some()
}

/// What to write instead of two words side by side.
pub(super) fn juxtaposed(before: Token, after: &str, names: &Names) -> String {
    let number = before.kind == Kind::Number;
    let known = knows(names, after);
    if number && !known && DEGREES.contains(&after) {
        return format!("angles are in radians: write `{}*pi/180`", before.text);
    }
    if number && !known && UNITS.contains(&after) {
        let value = before.text;
        return format!(
            "a parameter has its unit beside the value: write `{{value: {value}, unit: {after}}}`; elsewhere \
             write the number alone, in units that agree"
        );
    }
    format!("a product is written `{}*{after}`", before.text)
}

fn knows(names: &Names, word: &str) -> bool {
    names.all().any(|n| n == word)
}

/// The coordinate whose velocity a name such as `xdot`, `x_dot`, `dx`, `vx` or `v_x` may mean.
pub(super) fn velocity_of<'n>(name: &str, coordinates: &'n [String]) -> Option<&'n str> {
    let ends = ["_dot", "dot", "_d"].iter().filter_map(|end| name.strip_suffix(end));
    let begins = ["d_", "dot_", "dot", "d", "v_", "v"].iter().filter_map(|begin| name.strip_prefix(begin));
    let stems: Vec<&str> = ends.chain(begins).collect();
    coordinates.iter().map(String::as_str).find(|c| stems.contains(c))
}
