//! Units as text that reads back to the same unit.

use super::parse::PREFIXES;
use super::unit::{Exponent, Part, Unit};
use num_traits::{One, Signed, Zero};
use std::fmt::{Display, Formatter, Result};

/// Mass, length, time of coherent units, and how they are written.
#[rustfmt::skip]
const NAMED: [([i64; 3], &str); 8] = [
    ([1, 1, -2], "N"), ([1, 2, -2], "N m"), ([1, 0, -2], "N/m"), ([1, 1, -1], "N s"), ([1, 0, -1], "N s/m"),
    ([1, 2, -1], "N m s"), ([1, 2, -3], "W"), ([1, -1, -2], "Pa"),
];

/// A factor: its name, its exponent.
type Factor = (String, Exponent);

impl Unit {
    fn dimension(&self) -> [Exponent; 3] {
        [Part::Mass, Part::Length, Part::Time].map(|part| self.exponent(part))
    }

    /// Powers of kilograms, metres and seconds, with prefixes where they take up the scale.
    fn factors(&self) -> Vec<Factor> {
        let (mut ten, mut six) = (self.exponent(Part::Ten), self.exponent(Part::Six));
        let mut names = ["kg", "m", "s"].map(str::to_owned);
        let powers = self.dimension();
        if !six.is_zero() && !powers[2].is_zero() {
            for (name, j, k) in [("min", 1, 1), ("h", 2, 2)] {
                if six == powers[2] * k {
                    names[2] = name.to_owned();
                    (ten, six) = (ten - powers[2] * j, Exponent::zero());
                }
            }
        }
        for i in [1, 0, 2] {
            if ten.is_zero() || powers[i].is_zero() || (i == 2 && names[2] != "s") {
                continue;
            }
            if let Some(name) = prefixed(i, ten / powers[i]) {
                names[i] = name;
                ten = Exponent::zero();
            }
        }
        let mut factors: Vec<Factor> = names.into_iter().zip(powers).collect();
        factors.push(("rad".to_owned(), self.exponent(Part::Radian)));
        factors.push(("deg".to_owned(), self.exponent(Part::Degree)));
        // what no prefix takes up: 10 = m/dm, 6 = (min/s) (dm/m)
        factors.push(("(min/s)".to_owned(), six));
        factors.push(("(dm/m)".to_owned(), six - ten));
        factors.retain(|(_, power)| !power.is_zero());
        factors
    }
}

/// The name of a base unit times a power of ten.
fn prefixed(base: usize, ten: Exponent) -> Option<String> {
    if !ten.is_integer() {
        return None;
    }
    // the kilogram has its prefix already
    let (name, ten) = match base {
        0 => ("g", ten.to_integer() + 3),
        1 => ("m", ten.to_integer()),
        _ => ("s", ten.to_integer()),
    };
    if ten == 0 {
        return Some(name.to_owned());
    }
    PREFIXES.iter().find(|(_, t)| *t == ten).map(|(prefix, _)| format!("{prefix}{name}"))
}

fn written((name, power): &Factor) -> String {
    if power.is_one() {
        name.clone()
    } else if power.is_integer() {
        format!("{name}^{power}")
    } else {
        format!("{name}^({power})")
    }
}

fn product(factors: &[Factor]) -> String {
    factors.iter().map(written).collect::<Vec<_>>().join(" ")
}

impl Display for Unit {
    fn fmt(&self, f: &mut Formatter) -> Result {
        let coherent = |powers: [i64; 3]| {
            let [mass, length, time] = powers;
            Unit::of(&[(Part::Mass, mass), (Part::Length, length), (Part::Time, time)])
        };
        if let Some((_, name)) = NAMED.iter().find(|(powers, _)| *self == coherent(*powers)) {
            return f.write_str(name);
        }
        let (above, below): (Vec<Factor>, Vec<Factor>) =
            self.factors().into_iter().partition(|(_, power)| power.is_positive());
        let below: Vec<Factor> = below.into_iter().map(|(name, power)| (name, -power)).collect();
        let top = if above.is_empty() { "1".to_owned() } else { product(&above) };
        match below.len() {
            0 => f.write_str(&top),
            1 => write!(f, "{top}/{}", product(&below)),
            _ => write!(f, "{top}/({})", product(&below)),
        }
    }
}
