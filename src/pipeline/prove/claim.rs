//! The text of a claim: one of the forms with a contact, or a comparison.

use super::fault::ProveFault;
use crate::diag::Diagnostic;
use crate::expression::{Allow, Expr, Names, Scope, SourceMap, parse};
use crate::format::Mechanism;
use crate::predict::{ModeName, Verdict};

/// A claim.
#[derive(Clone, Debug)]
pub(super) enum Claim {
    /// p > 0 for slip in every direction.
    NoParadox(usize),
    /// No friction below a number has a paradox; strict: nor that number.
    LeastFriction { contact: usize, bound: Expr, strict: bool },
    /// p > 0 for the slip of the state.
    Gain(usize),
    /// The contact would be pressed without its force.
    Pressed(usize),
    /// The fast motion of a compliant contact dies out, whatever its stiffness and damping.
    Stable(usize),
    /// What a slipping contact can do next.
    Verdict(Verdict),
    /// Bounces of a contact that ends in stick become smaller.
    NoReverseChatter(usize),
    /// What the closed contacts can do next: these combinations and no others.
    Modes(Vec<Vec<ModeName>>),
    /// Forces keep the mechanism at rest; strong: and no other motion is possible.
    Equilibrium(bool),
    /// Some impulses open all closed contacts: no forces in the cones cancel each other.
    Unwedged,
    /// The same, from which it follows that every step of time has a solution.
    StepExists,
    /// No forces at edges of the cones cancel each other: what [`Claim::Unwedged`] is refuted by.
    NothingCancels,
    /// No motion that opens or keeps all closed contacts, slip against friction among it, is one into which the load pulls: what
    /// [`Claim::Equilibrium`] is refuted by.
    NothingTips,
    /// The course of an impact, by its number in Fig. 10 of \[CV16\].
    Region(usize, u8),
    /// All of these.
    Comparisons(Vec<Comparison>),
}

/// The least friction with a paradox.
pub(super) const CRITICAL: &str = "critical-friction";

/// Between comparisons all of which are meant.
pub(super) const AND: &str = " and ";

/// Two expressions compared.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) less: Expr,
    pub(super) more: Expr,
    /// Whether they may not be equal.
    pub(super) strict: bool,
}

/// Numbers of the only contact that comparisons know beside the file's names.
pub(super) const NUMBERS: [&str; 5] = ["p_plus", "p_minus", "p", "a", "b"];

impl Claim {
    /// Another way to say the same, in which a state can refute it.
    pub(super) fn refutable(&self) -> Option<Claim> {
        match self {
            Claim::Unwedged => Some(Claim::NothingCancels),
            Claim::Equilibrium(_) => Some(Claim::NothingTips),
            _ => None,
        }
    }

    pub(super) fn parse(mechanism: &Mechanism, text: &str) -> Result<Self, ProveFault> {
        let text = text.trim();
        let contact = |name: &str| contact(mechanism, text, name);
        if let Some(name) = about(text, "no-paradox") {
            return contact(name).map(Claim::NoParadox);
        }
        if let Some(name) = about(text, "stable") {
            return contact(name).map(Claim::Stable);
        }
        if let Some(name) = about(text, "no-reverse-chatter") {
            return contact(name).map(Claim::NoReverseChatter);
        }
        if let Some(word) = about(text, "verdict") {
            return match word {
                "consistent" | "unique" => Ok(Claim::Verdict(Verdict::Consistent)),
                "inconsistent" => Ok(Claim::Verdict(Verdict::Inconsistent)),
                "indeterminate" => Ok(Claim::Verdict(Verdict::Indeterminate)),
                _ => Err(ProveFault::NoForm { text: text.to_string() }),
            };
        }
        if let Some(words) = about(text, "modes") {
            return combinations(words)
                .map(Claim::Modes)
                .ok_or_else(|| ProveFault::NoForm { text: text.to_string() });
        }
        if let Some((name, number)) = about(text, "region").and_then(|inner| inner.split_once(',')) {
            let number = number.trim().parse().ok().filter(|number| (1..=10).contains(number));
            let number = number.ok_or_else(|| ProveFault::NoForm { text: text.to_string() })?;
            return contact(name.trim()).map(|contact| Claim::Region(contact, number));
        }
        match (about(text, "equilibrium"), about(text, "step-exists")) {
            (Some("weak"), _) => return Ok(Claim::Equilibrium(false)),
            (Some("strong"), _) => return Ok(Claim::Equilibrium(true)),
            // whether a step has a solution does not depend on its length   [AC11 (4.18)]
            (_, Some(h)) if positive(h) => return Ok(Claim::StepExists),
            (_, None) if text == "no-wedging" => return Ok(Claim::Unwedged),
            _ => {}
        }
        if let Some(claim) = least_friction(mechanism, text) {
            return claim;
        }
        if text.contains(AND) {
            let parts = text.split(AND).map(|part| Comparison::parse(mechanism, part));
            return parts.collect::<Result<_, _>>().map(Claim::Comparisons);
        }
        match compared(text) {
            Some((left, ">", "0")) if about(left, "p").is_some() => {
                contact(about(left, "p").unwrap_or_default()).map(Claim::Gain)
            }
            Some((left, "<", "0")) if about(left, "b").is_some() => {
                contact(about(left, "b").unwrap_or_default()).map(Claim::Pressed)
            }
            // of one contact by its name nothing else is compared
            Some((left, _, right)) if [left, right].into_iter().any(names_contact) => {
                Err(ProveFault::NoForm { text: text.to_string() })
            }
            Some(_) => Comparison::parse(mechanism, text).map(|one| Claim::Comparisons(vec![one])),
            None => Err(ProveFault::NoForm { text: text.to_string() }),
        }
    }
}

impl Comparison {
    /// `a < b`, `a <= b`, `a > b`, `a >= b`.
    pub(super) fn parse(mechanism: &Mechanism, text: &str) -> Result<Self, ProveFault> {
        let text = text.trim();
        let Some((left, sign, right)) = compared(text) else {
            return Err(ProveFault::NoForm { text: text.to_string() });
        };
        let (left, right) = (expression(mechanism, left)?, expression(mechanism, right)?);
        let strict = !sign.ends_with('=');
        let (less, more) = if sign.starts_with('<') { (left, right) } else { (right, left) };
        Ok(Comparison { less, more, strict })
    }
}

/// That the least friction is a number or more.
fn least_friction(mechanism: &Mechanism, text: &str) -> Option<Result<Claim, ProveFault>> {
    let comparison = compared(text)?;
    let (name, sign, bound) = match comparison {
        (left, sign @ (">" | ">="), right) => (about(left, CRITICAL)?, sign, right),
        (left, "<", right) => (about(right, CRITICAL)?, ">", left),
        (left, sign, right) => (about(right, CRITICAL)?, sign, left),
    };
    let claim = |contact, bound| Claim::LeastFriction { contact, bound, strict: sign == ">" };
    let contact = contact(mechanism, text, name);
    Some(contact.and_then(|contact| Ok(claim(contact, expression(mechanism, bound)?))))
}

/// Whether it is p, b or the least friction of a contact.
fn names_contact(text: &str) -> bool {
    ["p", "b", CRITICAL].into_iter().any(|name| about(text, name).is_some())
}

/// What stands in the parentheses of `name( )`.
pub(super) fn about<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(name)?.trim_start();
    let inner = rest.strip_prefix('(')?.strip_suffix(')')?;
    (!inner.contains(['(', ')'])).then_some(inner.trim())
}

/// Words of modes, joined by commas, and combinations, joined by semicolons; none of them is one, too: that nothing is possible.
fn combinations(text: &str) -> Option<Vec<Vec<ModeName>>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let words = |words: &str| words.split(',').map(|word| ModeName::named(word.trim())).collect();
    text.split(';').map(words).collect()
}

/// Whether a text is a number above zero.
fn positive(text: &str) -> bool {
    text.parse().is_ok_and(|x: f64| x > 0.0 && x.is_finite())
}

/// The two sides and the sign of the only comparison outside parentheses.
fn compared(text: &str) -> Option<(&str, &str, &str)> {
    let mut depth = 0_i32;
    let mut found = None;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '<' | '>' if depth == 0 => {
                if found.is_some() {
                    return None;
                }
                found = Some(at);
            }
            _ => {}
        }
    }
    let at = found?;
    let end = if text[at + 1..].starts_with('=') { at + 2 } else { at + 1 };
    Some((text[..at].trim(), &text[at..end], text[end..].trim()))
}

pub(super) fn contact(mechanism: &Mechanism, text: &str, name: &str) -> Result<usize, ProveFault> {
    mechanism.contacts.iter().position(|c| c.name == name).ok_or_else(|| ProveFault::Contact {
        text: text.to_string(),
        name: name.to_string(),
        contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
    })
}

/// An expression of a file's names and of [`NUMBERS`], which stand after the coordinates.
fn expression(mechanism: &Mechanism, text: &str) -> Result<Expr, ProveFault> {
    let names = mechanism.names();
    let rates = Allow::Only((0..names.coordinates.len()).collect());
    let numbers = NUMBERS.map(String::from);
    let all = Names { coordinates: names.coordinates.iter().cloned().chain(numbers).collect(), ..names };
    let scope = Scope { rates, smooth: false, ..Scope::position(&all, "a claim") };
    parse(text, &scope, &SourceMap::From(0)).map_err(|faults| refused(text, faults))
}

/// The first of the faults of a text.
pub(super) fn refused(text: &str, faults: Vec<Diagnostic>) -> ProveFault {
    let fault = faults.into_iter().next().unwrap_or_else(|| Diagnostic::error("M304", "no value"));
    ProveFault::Expression { text: text.to_string(), fault: Box::new(fault) }
}
