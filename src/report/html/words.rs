//! Words on a page: what would be markup is escaped, names of mechanics become symbols, minus signs are real ones.

/// Escapes what would be markup.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Escapes an attribute's value.
pub(super) fn attribute(text: &str) -> String {
    escape(text).replace('\'', "&#39;")
}

/// Names of mechanics: the letter, and what stands below it.
const SYMBOLS: [(&str, &str, &str); 33] = [
    ("lambda_N", "λ", "N"),
    ("lambda_T", "λ", "T"),
    ("lambda_T1", "λ", "T1"),
    ("lambda_T2", "λ", "T2"),
    ("W_N", "W", "N"),
    ("W_T", "W", "T"),
    ("u_N", "u", "N"),
    ("u_T", "u", "T"),
    ("r_N", "r", "N"),
    ("r_T", "r", "T"),
    ("g_N", "g", "N"),
    ("mu_min", "μ", "min"),
    ("p_min", "p", "min"),
    ("mu", "μ", ""),
    ("phi", "φ", ""),
    ("p+", "p", "+"),
    ("p-", "p", "−"),
    ("k+", "k", "+"),
    ("k-", "k", "−"),
    ("slip+", "slip", "+"),
    ("slip-", "slip", "−"),
    ("alpha_1", "α", "1"),
    ("alpha_2", "α", "2"),
    ("beta", "β", ""),
    ("A", "A", ""),
    ("B", "B", ""),
    ("C", "C", ""),
    ("M", "M", ""),
    ("K", "K", ""),
    ("b", "b", ""),
    ("h", "h", ""),
    ("p", "p", ""),
    ("P", "P", ""),
];

/// Words as HTML: names of mechanics as symbols, minus signs before numbers as such.
pub(super) fn typeset(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if is_part(c) && !is_part(before) {
            let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            let (word, after) = with_sign(rest, end);
            html += set_word(word).as_str();
            before = word.chars().next_back().unwrap_or(' ');
            rest = after;
        } else {
            let is_minus = c == '-'
                && !is_part(before)
                && rest[1..].starts_with(|c: char| c.is_ascii_digit() || c == 'i');
            html += if is_minus { "−".to_string() } else { escape(c.encode_utf8(&mut [0; 4])) }.as_str();
            before = c;
            rest = &rest[c.len_utf8()..];
        }
    }
    html
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A word with the sign that belongs to it: `p+` and `slip-`, but not the sign of a sum.
fn with_sign(text: &str, end: usize) -> (&str, &str) {
    let signed = matches!(&text[..end], "p" | "k" | "slip");
    let sign = signed && text[end..].starts_with(['+', '-']);
    let free = text[end..].chars().nth(1).is_none_or(|c| !is_part(c) && c != '(');
    text.split_at(if sign && free { end + 1 } else { end })
}

fn set_word(word: &str) -> String {
    let found = SYMBOLS.iter().find(|(name, _, _)| *name == word);
    match found {
        Some(("slip+" | "slip-", letter, below)) => format!("{letter}<sub>{below}</sub>"),
        Some((_, letter, "")) => format!("<i>{letter}</i>"),
        Some((_, letter, below)) => format!("<i>{letter}</i><sub>{below}</sub>"),
        None => escape(word),
    }
}

/// A name as a symbol of a formula.
pub(super) fn symbol(name: &str) -> String {
    match SYMBOLS.iter().find(|(known, _, _)| *known == name) {
        Some((_, letter, "")) => format!("<mi>{letter}</mi>"),
        Some((_, letter, below)) => format!("<msub><mi>{letter}</mi><mi>{below}</mi></msub>"),
        None => format!("<mi>{}</mi>", escape(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::typeset;

    #[test]
    fn names_of_mechanics_are_symbols_and_other_words_are_not() {
        let cases = [
            ("lambda_N = -5", "<i>λ</i><sub>N</sub> = −5"),
            ("p+ is C - mu B", "<i>p</i><sub>+</sub> is <i>C</i> - <i>μ</i> <i>B</i>"),
            ("slip-: no", "slip<sub>−</sub>: no"),
            ("lambda_Nx and mu_2", "lambda_Nx and mu_2"),
            ("lift-off, non-penetration", "lift-off, non-penetration"),
            ("1e-5 < 2", "1e-5 &lt; 2"),
            ("(-1, -inf)", "(−1, −inf)"),
            ("p-4", "<i>p</i>-4"),
        ];
        for (text, html) in cases {
            assert_eq!(typeset(text), html, "{text}");
        }
    }
}
