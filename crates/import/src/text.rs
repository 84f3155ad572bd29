//! Numbers and expressions as a person would type them.

use super::linear::Linear;
use super::pose::{Matrix, Vector};

/// Digits of a number that was computed; one that was read and has no more is printed as it was.
const DIGITS: usize = 15;
/// The fraction of pi of which angles are recognised as multiples.
const PARTS_OF_PI: i32 = 12;
/// Decimals that an angle must have to be taken for a multiple of pi: `1.5708` may be meant so, but is another number.
const DECIMALS_OF_PI: usize = 10;

/// A number, shortly.
pub(super) fn number(x: f64) -> String {
    let exact = format!("{x:?}");
    let digits = exact.split('e').next().unwrap_or_default().chars().filter(char::is_ascii_digit).count();
    let leading =
        exact.trim_start_matches('-').trim_start_matches("0.").chars().take_while(|c| *c == '0').count();
    let text = if digits.saturating_sub(leading) > DIGITS + 1 {
        let rounded: f64 = format!("{x:.*e}", DIGITS - 1).parse().unwrap_or(x);
        format!("{rounded:?}")
    } else {
        exact
    };
    let text = text.strip_suffix(".0").unwrap_or(&text).to_string();
    if text == "-0" { "0".to_string() } else { text }
}

/// A number as a factor of what follows.
pub(super) fn factor(x: f64) -> String {
    match number(x).as_str() {
        "1" => String::new(),
        text => format!("{text}*"),
    }
}

/// An angle: a multiple of pi where it is one to all its digits.
pub(super) fn angle(x: f64) -> String {
    let text = format!("{x}");
    let decimals = text.split('.').nth(1).map_or(0, str::len);
    for k in (1..=2 * PARTS_OF_PI).flat_map(|k| [k, -k]) {
        let multiple = f64::from(k) * std::f64::consts::PI / f64::from(PARTS_OF_PI);
        let cut = format!("{multiple:.20}");
        let cut = &cut[..cut.find('.').map_or(cut.len(), |i| i + 1 + decimals.min(15))];
        if decimals >= DECIMALS_OF_PI
            && (format!("{multiple:.decimals$}") == text || cut == text || multiple.to_bits() == x.to_bits())
        {
            return of_pi(k);
        }
    }
    number(x)
}

/// k pi / 12 in lowest terms.
fn of_pi(k: i32) -> String {
    let common = (1..=PARTS_OF_PI).rev().find(|d| k % d == 0 && PARTS_OF_PI % d == 0).unwrap_or(1);
    let (over, under) = (k / common, PARTS_OF_PI / common);
    let head = match over {
        1 => "pi".to_string(),
        -1 => "-pi".to_string(),
        over => format!("{over}*pi"),
    };
    if under == 1 { head } else { format!("{head}/{under}") }
}

/// An expression; its constant is written by `constant`.
pub(super) fn linear(x: &Linear, names: &[String], constant: fn(f64) -> String) -> String {
    let mut out = String::new();
    for (&k, &multiple) in &x.terms {
        let (sign, size) = (if multiple < 0.0 { "-" } else { "+" }, multiple.abs());
        let term = factor(size) + names[k].as_str();
        join(&mut out, sign, &term);
    }
    if x.constant != 0.0 || out.is_empty() {
        let text = constant(x.constant);
        match text.strip_prefix('-') {
            Some(size) => join(&mut out, "-", size),
            None => join(&mut out, "+", &text),
        }
    }
    out
}

fn join(out: &mut String, sign: &str, term: &str) {
    match (out.is_empty(), sign) {
        (true, "-") => *out += &format!("-{term}"),
        (true, _) => *out += term,
        (false, sign) => *out += &format!(" {sign} {term}"),
    }
}

/// A vector of numbers.
pub(super) fn vector(x: Vector) -> String {
    format!("[{}]", x.map(number).join(", "))
}

/// An inertia: its diagonal where that is all of it.
pub(super) fn inertia(x: &Matrix) -> String {
    let diagonal = (0..9).all(|k| k / 3 == k % 3 || x[k / 3][k % 3] == 0.0);
    if diagonal { vector([x[0][0], x[1][1], x[2][2]]) } else { format!("[{}]", x.map(vector).join(", ")) }
}

/// Text of a description inside a comment: one line without control characters.
pub(super) fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_angles_are_multiples_of_pi() {
        let all = [0.0, -0.0, 2.0, 0.1 + 0.2, 1.5e-7, -0.083, 1.0 / 3.0].map(number);
        assert_eq!(all, ["0", "0", "2", "0.3", "1.5e-7", "-0.083", "0.333333333333333"]);
        let read = |text: &str| angle(text.parse().unwrap());
        let angles = [
            "1.57079632679",
            "-3.141592653589793",
            "1.5707963267948966",
            "1.5708",
            "0.5",
            "2.094395102393195",
        ];
        assert_eq!(angles.map(read), ["pi/2", "-pi", "pi/2", "1.5708", "0.5", "2*pi/3"]);
        assert_eq!(read("1.570796325"), "1.570796325");
    }

    #[test]
    fn expressions_read_as_written_by_hand() {
        let names = ["a".to_string(), "b".to_string()];
        let x = Linear::coordinate(0)
            .scaled(-1.0)
            .plus(&Linear::coordinate(1).scaled(0.5))
            .plus(&Linear::constant(-2.0));
        assert_eq!(linear(&x, &names, number), "-a + 0.5*b - 2");
        assert_eq!(linear(&Linear::default(), &names, number), "0");
    }
}
