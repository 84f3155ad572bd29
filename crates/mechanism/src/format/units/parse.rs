//! The text of a unit:
//!
//! unit = product (/ factor)*, product = factor ((* | · | . | blank) factor)*, factor = atom (^ exponent)?,
//! atom = name | 1 | (unit), exponent = integer | decimal | (integer/integer).
//!
//! After a `/` a product needs parentheses: `N/m s` can be read in two ways. A name is a whole unit or a prefix with one, in
//! this order, so that `min` is the minute and `Pa` the pascal.

use super::unit::{Exponent, Part, Unit, fraction};
use crate::diag::nearest;

/// Deepest parentheses.
const DEEPEST: usize = 16;

/// What is wrong with the text of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFault {
    /// First byte of what is wrong.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// What was found and what was expected.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

type Found<T> = Result<T, UnitFault>;

use Part::{Degree, Length, Mass, Radian, Six, Ten, Time};

/// Name, whether prefixes go with it, meaning.
type Name = (&'static str, bool, &'static [(Part, i64)]);

/// The units that have a name.
#[rustfmt::skip]
const NAMES: [Name; 15] = [
    ("m",   true,  &[(Length, 1)]),
    ("s",   true,  &[(Time, 1)]),
    ("g",   true,  &[(Mass, 1), (Ten, -3)]),
    ("t",   false, &[(Mass, 1), (Ten, 3)]),
    ("min", false, &[(Time, 1), (Ten, 1), (Six, 1)]),
    ("h",   false, &[(Time, 1), (Ten, 2), (Six, 2)]),
    ("rad", true,  &[(Radian, 1)]),
    ("deg", false, &[(Degree, 1)]),
    ("°",   false, &[(Degree, 1)]),
    ("N",   true,  &[(Mass, 1), (Length, 1), (Time, -2)]),
    ("J",   true,  &[(Mass, 1), (Length, 2), (Time, -2)]),
    ("W",   true,  &[(Mass, 1), (Length, 2), (Time, -3)]),
    ("Pa",  true,  &[(Mass, 1), (Length, -1), (Time, -2)]),
    ("Hz",  true,  &[(Time, -1)]),
    ("1",   false, &[]),
];

/// Prefix and its power of ten.
pub(super) const PREFIXES: [(&str, i64); 10] = [
    ("n", -9),
    ("u", -6),
    ("µ", -6),
    ("μ", -6),
    ("m", -3),
    ("c", -2),
    ("d", -1),
    ("k", 3),
    ("M", 6),
    ("G", 9),
];

/// What people write for units that have another sign here.
#[rustfmt::skip]
const SYNONYMS: [(&str, &str); 20] = [
    ("meter", "m"), ("metre", "m"), ("millimeter", "mm"), ("millimetre", "mm"), ("sec", "s"), ("second", "s"),
    ("kilogram", "kg"), ("gram", "g"), ("newton", "N"), ("joule", "J"), ("watt", "W"), ("radian", "rad"), ("degree", "deg"),
    ("minute", "min"), ("hour", "h"), ("hr", "h"), ("hertz", "Hz"), ("rpm", "1/min"), ("%", "1"), ("none", "1"),
];

/// Names that "did you mean" may suggest.
const USUAL: [&str; 22] = [
    "kg", "mm", "cm", "km", "um", "ms", "kN", "mN", "MPa", "kPa", "GPa", "kHz", "kJ", "kW", "mg", "min",
    "rad", "deg", "Pa", "Hz", "mrad", "nm",
];

/// The unit of a name.
fn named(name: &str) -> Option<Unit> {
    if let Some((.., powers)) = NAMES.iter().find(|(n, ..)| *n == name) {
        return Some(Unit::of(powers));
    }
    PREFIXES.iter().find_map(|(prefix, ten)| {
        let rest = name.strip_prefix(prefix)?;
        let (.., powers) = NAMES.iter().find(|(n, prefixed, _)| *prefixed && *n == rest)?;
        Unit::of(powers).times(&Unit::of(&[(Ten, *ten)]))
    })
}

/// What may be meant by a name that there is not.
fn meant(name: &str) -> Option<String> {
    let one = name.strip_suffix('s').unwrap_or(name);
    let synonym = [name, one].into_iter().find_map(|name| {
        let known = SYNONYMS.iter().find(|(word, _)| *word == name.to_lowercase());
        known.map(|(_, unit)| *unit)
    });
    // several kilograms rather than kilograms times seconds, but the impulse of `Ns`
    let plural =
        (one.len() < name.len() && named(one).is_some_and(|unit| unit.is_of_one_part())).then_some(one);
    if let Some(unit) = synonym.or(plural) {
        return Some(format!("write `{unit}`"));
    }
    let cut = name.char_indices().map(|(at, _)| name.split_at(at));
    let two = cut.skip(1).find(|(a, b)| named(a).is_some() && named(b).is_some());
    if let Some((a, b)) = two {
        return Some(format!("for a product write `{a} {b}`"));
    }
    let close = nearest(name, USUAL.into_iter().chain(NAMES.iter().map(|(n, ..)| *n)));
    close.map(|close| format!("did you mean `{close}`?"))
}

impl Unit {
    /// Reads a unit, such as `kg m^2/s^2` or `rad/s`; `1` is that of pure numbers.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place in the text.
    pub fn parse(text: &str) -> Result<Unit, UnitFault> {
        let mut reader = UnitReader { text, at: 0, depth: 0 };
        reader.blanks();
        if reader.rest().is_empty() {
            let hint = "write \"1\" for what has no unit";
            return Err(reader.fault(0, text.len(), "the unit is empty", Some(hint.to_owned())));
        }
        let unit = reader.whole()?;
        match reader.peek() {
            None => Ok(unit),
            Some(c) => Err(reader.here(format!("found `{}` in a unit", c.escape_debug()))),
        }
    }
}

struct UnitReader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl UnitReader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn blanks(&mut self) -> bool {
        let rest = self.rest();
        let blank = rest.len() - rest.trim_start().len();
        self.at += blank;
        blank > 0
    }

    fn takes(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(sign);
        if found {
            self.at += sign.len_utf8();
        }
        found
    }

    fn fault(&self, start: usize, end: usize, message: impl Into<String>, hint: Option<String>) -> UnitFault {
        UnitFault { start, end, message: message.into(), hint }
    }

    fn here(&self, message: impl Into<String>) -> UnitFault {
        let end = self.at + self.peek().map_or(0, char::len_utf8);
        let hint = "a unit is a product of powers, such as `kg m^2/s^2`, `rad/s` or `1`";
        self.fault(self.at, end, message, Some(hint.to_owned()))
    }

    fn beyond(&self, start: usize) -> UnitFault {
        self.fault(start, self.at, "an exponent of a unit is beyond 1000", None)
    }

    fn whole(&mut self) -> Found<Unit> {
        let start = self.at;
        let mut unit = self.factor()?;
        let mut divided = false;
        loop {
            let before = self.at;
            let blank = self.blanks();
            let next = if self.takes('/') {
                divided = true;
                self.blanks();
                let by = self.factor()?;
                unit.over(&by)
            } else if ['*', '·', '.'].into_iter().any(|sign| self.takes(sign)) || (blank && self.begins()) {
                self.blanks();
                let by = self.factor()?;
                if divided {
                    return Err(self.ambiguous(start));
                }
                unit.times(&by)
            } else {
                if self.depth > 0 || self.peek().is_some() {
                    return Ok(unit);
                }
                self.at = if blank { self.at } else { before };
                return Ok(unit);
            };
            unit = next.ok_or_else(|| self.beyond(start))?;
        }
    }

    /// Whether a factor begins here.
    fn begins(&self) -> bool {
        self.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '(' | '°' | '%'))
    }

    fn ambiguous(&self, start: usize) -> UnitFault {
        let text = self.text[start..self.at].trim();
        let (above, below) = text.split_once('/').unwrap_or((text, ""));
        let message = format!("`{text}` can be read in two ways");
        let hint =
            format!("write `{}/({})`, or all that is above before the `/`", above.trim(), below.trim());
        self.fault(start, self.at, message, Some(hint))
    }

    fn factor(&mut self) -> Found<Unit> {
        let start = self.at;
        let unit = self.atom()?;
        let exponent = match self.peek() {
            Some('^') => {
                self.at += 1;
                Some(self.exponent()?)
            }
            Some('²') => self.superscript('²', 2),
            Some('³') => self.superscript('³', 3),
            _ => None,
        };
        match exponent {
            Some(exponent) => unit.power(exponent).ok_or_else(|| self.beyond(start)),
            None => Ok(unit),
        }
    }

    fn superscript(&mut self, sign: char, power: i64) -> Option<Exponent> {
        self.takes(sign).then(|| Exponent::from_integer(power))
    }

    fn atom(&mut self) -> Found<Unit> {
        let start = self.at;
        if self.takes('(') {
            return self.parenthesis(start);
        }
        let is_word =
            |c: char| c.is_alphanumeric() && !matches!(c, '²' | '³') || matches!(c, '°' | '%' | '_');
        let length = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
        if length == 0 {
            let found = self.peek().map_or("the end".to_owned(), |c| format!("`{}`", c.escape_debug()));
            return Err(self.here(format!("found {found}, expected a unit")));
        }
        let word = self.rest()[..length].to_owned();
        self.at += length;
        if word.starts_with(|c: char| c.is_ascii_digit()) && word != "1" {
            let message = format!("found the number `{word}` in a unit, expected units only");
            let hint = "numbers belong to the value; for a scale there are prefixes, such as `mm`";
            return Err(self.fault(start, self.at, message, Some(hint.to_owned())));
        }
        named(&word)
            .ok_or_else(|| self.fault(start, self.at, format!("there is no unit `{word}`"), meant(&word)))
    }

    fn parenthesis(&mut self, start: usize) -> Found<Unit> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fault(start, self.at, "parentheses are nested too deeply", None));
        }
        self.blanks();
        let unit = self.whole()?;
        self.blanks();
        self.depth -= 1;
        if self.takes(')') { Ok(unit) } else { Err(self.fault(start, start + 1, "`(` is not closed", None)) }
    }

    fn exponent(&mut self) -> Found<Exponent> {
        let start = self.at;
        let inside = self.takes('(');
        let length = self.rest().find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | '/')));
        // outside parentheses a `/` divides the unit
        let mut text = &self.rest()[..length.unwrap_or(self.rest().len())];
        if !inside {
            text = text.split('/').next().unwrap_or_default();
        }
        let (value, length) = (number(text), text.len());
        self.at += length;
        let closed = !inside || self.takes(')');
        value.filter(|_| closed).ok_or_else(|| {
            let hint = "write it as in `m^2`, `s^-2` or `m^(1/2)`";
            let message = match length {
                0 => "an exponent is missing",
                _ => "this is no exponent of a unit, expected a fraction within 1000",
            };
            self.fault(start, self.at.max(start), message, Some(hint.to_owned()))
        })
    }
}

/// `2`, `-1`, `0.5` or `1/2`.
fn number(text: &str) -> Option<Exponent> {
    let whole = |text: &str| text.parse::<i64>().ok();
    if let Some((above, below)) = text.split_once('/') {
        return fraction(whole(above)?, whole(below)?);
    }
    let Some((before, after)) = text.split_once('.') else { return fraction(whole(text)?, 1) };
    if after.len() > 3 || !after.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let below = 10i64.pow(after.len() as u32);
    let above = whole(&format!("{before}{after}"))?;
    // 0.125 is 1/8
    let value = Exponent::new(above, below);
    fraction(*value.numer(), *value.denom())
}
