//! Words on a page: what would be markup is escaped, names of mechanics become symbols, minus signs are real ones.

/// Escapes what would be markup.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Escapes an attribute's value.
pub(super) fn attribute(text: &str) -> String {
    escape(text).replace('\'', "&#39;")
}

/// Names that are one letter in print.
const LETTERS: [(&str, &str); 18] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("psi", "ψ"),
    ("omega", "ω"),
];

/// Letters that are quantities where they stand alone.
const QUANTITIES: &str = "ABCDFGKMPTVWabhkmpquv";

/// Characters of what may stand below a letter.
const BELOW: usize = 3;

/// A name of mechanics: its letter, and what stands below it.
pub(crate) fn parts(word: &str) -> Option<(&str, &str)> {
    let (base, below) = word.split_once('_').unwrap_or((word, ""));
    let letter = LETTERS.iter().find(|(name, _)| *name == base).map(|(_, letter)| *letter);
    let single = || (base.len() == 1 && base.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(base);
    let fits = below.len() <= BELOW && below.chars().all(|c| c.is_ascii_alphanumeric());
    match below {
        "" if word.contains('_') => None,
        "" => letter.or_else(single).map(|letter| (letter, "")),
        _ if fits => letter.or_else(single).map(|letter| (letter, below)),
        _ => None,
    }
}

/// Words as HTML: what is to be typed between backticks as it stands, everything else set.
pub(super) fn typeset(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // a backtick without another one is none
    if parts.len().is_multiple_of(2) {
        return set(text);
    }
    let one = |(i, part): (usize, &&str)| match i % 2 {
        0 => set(part),
        _ => format!("<code>{}</code>", escape(part)),
    };
    parts.iter().enumerate().map(one).collect()
}

/// Names of mechanics as symbols, signs as mathematics has them.
fn set(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if is_part(c) && !is_part(before) {
            let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            let (set, after) = set_word(rest, end);
            html += set.as_str();
            before = rest[..rest.len() - after.len()].chars().next_back().unwrap_or(' ');
            rest = after;
        } else {
            let (set, length) = set_sign(rest, before);
            html += set.as_str();
            before = c;
            rest = &rest[length..];
        }
    }
    html
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word at the beginning of a text, set, and what comes after it.
fn set_word(text: &str, end: usize) -> (String, &str) {
    let (word, after) = text.split_at(end);
    // `p+` and `slip-` have a sign of their own, which is not that of a sum
    let sign = after.chars().next().filter(|sign| matches!(sign, '+' | '-'));
    let is_free = match (after.chars().nth(1), after.chars().nth(2)) {
        (Some('.'), Some(next)) => !next.is_ascii_digit(),
        (next, _) => next.is_none_or(|c| !is_part(c) && c != '('),
    };
    if let (Some(sign), true, "p" | "k" | "slip") = (sign, is_free, word) {
        let below = if sign == '+' { "+" } else { "−" };
        let letter = if word == "slip" { word.to_string() } else { format!("<i>{word}</i>") };
        return (format!("{letter}<sub>{below}</sub>"), &after[1..]);
    }
    let set = match parts(word) {
        Some((letter, "")) if word.len() > 1 || is_quantity(word, after) => format!("<i>{letter}</i>"),
        Some((_, below)) if !below.is_empty() => name(word),
        _ => escape(word),
    };
    match after.strip_prefix("^T") {
        Some(after) => (set + "<sup>T</sup>", after),
        None => (set, after),
    }
}

/// Whether a letter is a quantity and no article or unit: it is compared or reckoned with, or nothing else.
fn is_quantity(letter: &str, after: &str) -> bool {
    let reckoned = after.trim_start().starts_with(['=', '<', '>', '+', '-', '*', '|']);
    let is_article = matches!(letter, "A" | "a") && after.starts_with(' ');
    let is_unit = matches!(letter, "m" | "h" | "s" | "g" | "N" | "J" | "T" | "C" | "K" | "A");
    reckoned || (QUANTITIES.contains(letter) && !is_article && !is_unit)
}

/// The sign at the beginning of a text, set, and its length in bytes.
fn set_sign(text: &str, before: char) -> (String, usize) {
    for (signs, set) in [(">=", "≥"), ("<=", "≤"), (" - ", " − ")] {
        if text.starts_with(signs) {
            return (set.to_string(), signs.len());
        }
    }
    let c = text.chars().next().unwrap_or(' ');
    if c == '^' && is_part(before) {
        let power = &text[1..1 + power_length(&text[1..])];
        if !power.is_empty() {
            return (format!("<sup>{}</sup>", power.replace('-', "−")), 1 + power.len());
        }
    }
    let opens = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("inf");
    if c == '-' && !is_part(before) && opens(&text[1..]) {
        return ("−".to_string(), 1);
    }
    (escape(c.encode_utf8(&mut [0; 4])), c.len_utf8())
}

/// Bytes of the whole number at the beginning of a text that is no more than a number.
fn power_length(text: &str) -> usize {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let sign = text.len() - digits.len();
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let rest = &digits[end..];
    let goes_on =
        rest.starts_with(is_part) || rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_part));
    if end > 0 && !goes_on { sign + end } else { 0 }
}

/// A name that stands for itself, as a symbol.
pub(super) fn name(word: &str) -> String {
    match parts(word) {
        Some((letter, "")) => format!("<i>{letter}</i>"),
        Some((letter, below)) => format!("<i>{letter}</i><sub>{below}</sub>"),
        None => escape(word),
    }
}

#[cfg(test)]
mod tests {
    use super::typeset;

    #[test]
    fn names_of_mechanics_are_symbols_and_other_words_are_not() {
        let cases = [
            ("lambda_N = -5", "<i>λ</i><sub>N</sub> = −5"),
            ("p+ is C - mu B", "<i>p</i><sub>+</sub> is <i>C</i> − <i>μ</i> <i>B</i>"),
            ("slip-: no", "slip<sub>−</sub>: no"),
            ("those of slip+.", "those of slip<sub>+</sub>."),
            ("p+.5", "<i>p</i>+.5"),
            ("lambda_Nextra and mu_", "lambda_Nextra and mu_"),
            ("lift-off, non-penetration", "lift-off, non-penetration"),
            ("A paradox at A = 1", "A paradox at <i>A</i> = 1"),
            ("1e-5 < 2, mu >= 1", "1e-5 &lt; 2, <i>μ</i> ≥ 1"),
            ("(-1, -inf)", "(−1, −inf)"),
            ("W_N^T F_x theta", "<i>W</i><sub>N</sub><sup>T</sup> <i>F</i><sub>x</sub> <i>θ</i>"),
            ("stick_or_lift_off", "stick_or_lift_off"),
            ("9.81 m/s^2.", "9.81 m/s<sup>2</sup>."),
            ("kg^-1, 2^n, 2^(1 - n), 2^-n", "kg<sup>−1</sup>, 2^n, 2^(1 − n), 2^-n"),
            ("cos^2(theta)", "cos<sup>2</sup>(<i>θ</i>)"),
            ("0.5 m, m = 2", "0.5 m, <i>m</i> = 2"),
            ("a contact of b", "a contact of <i>b</i>"),
            ("x = 0 m, l = 1", "<i>x</i> = 0 m, <i>l</i> = 1"),
        ];
        for (text, html) in cases {
            assert_eq!(typeset(text), html, "{text}");
        }
    }
}
