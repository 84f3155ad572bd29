//! Text to tokens. Anything that is not a token is an error that points at the character.

use super::source_map::SourceMap;
use crate::diag::{Diagnostic, Span};

/// A token with its byte range in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Name,
    /// One of `+ - * / ^ ( ) , < >`, with `≤` and `≥` for `<=` and `>=`.
    Sign(char),
    End,
}

impl Token<'_> {
    pub(super) fn span(&self, place: &SourceMap) -> Span {
        place.span(self.start, self.end)
    }

    /// How a message calls it.
    pub(super) fn called(&self) -> String {
        match self.kind {
            Kind::End => "the end".to_owned(),
            Kind::Number | Kind::Name | Kind::Sign(_) => format!("`{}`", self.text),
        }
    }
}

/// The tokens of a text; the last one is [`Kind::End`].
pub(super) fn tokens<'t>(text: &'t str, place: &SourceMap) -> Result<Vec<Token<'t>>, Diagnostic> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(c) = text[start..].chars().next() {
        if c.is_whitespace() {
            start += c.len_utf8();
            continue;
        }
        let (kind, length) = token(&text[start..], c).ok_or_else(|| unexpected(c, start, text, place))?;
        found.push(Token { kind, text: &text[start..start + length], start, end: start + length });
        start += length;
    }
    found.push(Token { kind: Kind::End, text: "", start: text.trim_end().len(), end: text.trim_end().len() });
    Ok(found)
}

fn token(rest: &str, first: char) -> Option<(Kind, usize)> {
    match first {
        '<' if rest.starts_with("<=") => Some((Kind::Sign('≤'), 2)),
        '>' if rest.starts_with(">=") => Some((Kind::Sign('≥'), 2)),
        '<' | '>' => Some((Kind::Sign(first), 1)),
        '+' | '-' | '*' | '/' | '^' | '(' | ')' | ',' => Some((Kind::Sign(first), 1)),
        c if c.is_ascii_alphabetic() => Some((Kind::Name, word(rest))),
        '0'..='9' => Some((Kind::Number, number(rest))),
        '.' if digits(&rest[1..]) > 0 => Some((Kind::Number, number(rest))),
        _ => None,
    }
}

fn word(rest: &str) -> usize {
    rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
}

fn digits(rest: &str) -> usize {
    rest.bytes().take_while(u8::is_ascii_digit).count()
}

fn number(rest: &str) -> usize {
    let mut length = digits(rest);
    if rest[length..].starts_with('.') {
        length += 1 + digits(&rest[length + 1..]);
    }
    if rest[length..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[length + 1..].starts_with(['+', '-']));
        let exponent = digits(&rest[length + 1 + sign..]);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

/// Characters people type, and what the language calls them.
#[rustfmt::skip]
const MEANT: &[(char, &str)] = &[
    ('×', "*"), ('·', "*"), ('⋅', "*"), ('−', "-"), ('–', "-"), ('÷', "/"), ('²', "^2"), ('³', "^3"),
    ('[', "("), (']', ")"), ('{', "("), ('}', ")"), ('√', "sqrt(...)"), ('π', "pi"), ('α', "alpha"),
    ('β', "beta"), ('γ', "gamma"), ('δ', "delta"), ('ε', "epsilon"), ('θ', "theta"), ('λ', "lambda"),
    ('μ', "mu"), ('µ', "mu"), ('ρ', "rho"), ('σ', "sigma"), ('τ', "tau"), ('φ', "phi"), ('ϕ', "phi"),
    ('ψ', "psi"), ('ω', "omega"), (';', ","),
    ('≤', "<="), ('≥', ">="),
];

fn unexpected(c: char, start: usize, text: &str, place: &SourceMap) -> Diagnostic {
    let span = place.span(start, start + c.len_utf8());
    let found =
        Diagnostic::error("M101", format!("unexpected character `{c}` in an expression")).with_span(span);
    let derivative = c == '\'' && text[..start].ends_with(|p: char| p.is_ascii_alphanumeric());
    if c == '°' {
        return found.with_hint("angles are in radians: write `60*pi/180` for 60 degrees");
    }
    match MEANT.iter().find(|(typed, _)| *typed == c) {
        Some((_, meant)) => found.with_hint(format!("write `{meant}`")),
        None if derivative => found.with_hint("write `dot(x)` for the time derivative of x"),
        None => found,
    }
}
