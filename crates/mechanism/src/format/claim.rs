//! The text of a claim about a mechanism: one of the forms with a contact, or a comparison.

use crate::diag::{Diagnostic, nearest};
use crate::expression::{Allow, Expr, Names, Scope, SourceMap, parse};

/// What claims look like.
pub const FORMS: &str = "no-paradox(CONTACT), critical-friction(CONTACT) alone or with >= NUMBER, p(CONTACT) > 0, b(CONTACT) < 0, stable(CONTACT), verdict(consistent|inconsistent|indeterminate), \
                     no-reverse-chatter(CONTACT), region(CONTACT, 1..10), modes(free;slip+) with a word per closed contact as in modes(stick,free), equilibrium(weak|strong), \
                     no-wedging, step-exists(H), or comparisons such as `p_plus > 0` or `mu*tan(theta) < 1`, joined by `and`";

/// A claim.
#[derive(Clone, Debug)]
pub enum Claim {
    /// p > 0 for slip in every direction.
    NoParadox(usize),
    /// No friction below a number has a paradox, strict: nor that number; or what the least one is.
    LeastFriction {
        /// Of this contact.
        contact: usize,
        /// The number, if one is claimed.
        bound: Option<Expr>,
        /// Whether it may not be the least friction itself.
        strict: bool,
    },
    /// p > 0 for the slip of the state.
    Gain(usize),
    /// The contact would be pressed without its force.
    Pressed(usize),
    /// The fast motion of a compliant contact dies out, whatever its stiffness and damping.
    Stable(usize),
    /// What a slipping contact can do next.
    Verdict(Motions),
    /// Bounces of a contact that ends in stick become smaller.
    NoReverseChatter(usize),
    /// What the closed contacts can do next: these combinations of words of `MODES` and no others.
    Modes(Vec<Vec<&'static str>>),
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

/// How many motions can follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motions {
    /// Exactly one: consistent.
    One,
    /// None: inconsistent.
    None,
    /// Several: indeterminate.
    Several,
}

/// A claim of a contact.
type OfContact = fn(usize) -> Claim;

/// Forms that name a contact and nothing else.
const OF_CONTACT: [(&str, OfContact); 3] = [
    ("no-paradox", Claim::NoParadox),
    ("stable", Claim::Stable),
    ("no-reverse-chatter", Claim::NoReverseChatter),
];

/// Words for what a contact does next.
const MODES: [&str; 5] = ["free", "slip", "slip+", "slip-", "stick"];

/// The least friction with a paradox.
pub const CRITICAL: &str = "critical-friction";

/// Between comparisons all of which are meant.
const AND: &str = " and ";

/// Two expressions compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What is claimed to be less.
    pub less: Expr,
    /// What is claimed to be more.
    pub more: Expr,
    /// Whether they may not be equal.
    pub strict: bool,
}

/// Numbers of the only contact that comparisons know beside the file's names.
pub const NUMBERS: [&str; 5] = ["p_plus", "p_minus", "p", "a", "b"];

/// A text that is to be a claim, where it stands, and the names that it may use.
#[derive(Clone, Copy)]
pub struct ClaimText<'t> {
    /// The text.
    pub text: &'t str,
    /// Where it stands.
    pub place: &'t SourceMap,
    /// What expressions may name.
    pub names: &'t Names,
    /// The contacts that claims may name.
    pub contacts: &'t [String],
}

/// Everything that is wrong with a text, or what it says.
type Read<T> = Result<T, Vec<Diagnostic>>;

impl Claim {
    /// Another way to say the same, in which a state can refute it.
    pub fn refutable(&self) -> Option<Claim> {
        match self {
            Claim::Unwedged => Some(Claim::NothingCancels),
            Claim::Equilibrium(_) => Some(Claim::NothingTips),
            _ => None,
        }
    }
}

impl ClaimText<'_> {
    /// The claim.
    pub fn read(&self) -> Read<Claim> {
        let text = self.text.trim();
        let named = OF_CONTACT.iter().find_map(|(form, claim)| Some((argument(text, form)?, claim)));
        if let Some((name, claim)) = named {
            return self.contact(name).map(claim);
        }
        if let Some(words) = argument(text, "modes") {
            return combinations(words).map(Claim::Modes).ok_or_else(|| self.no_claim(text));
        }
        if let Some((name, number)) = argument(text, "region").and_then(|inner| inner.split_once(',')) {
            let number = number.trim().parse().ok().filter(|number| (1..=10).contains(number));
            let number = number.ok_or_else(|| self.no_claim(text))?;
            return self.contact(name.trim()).map(|contact| Claim::Region(contact, number));
        }
        if let Some(name) = argument(text, CRITICAL) {
            let claim = |contact| Claim::LeastFriction { contact, bound: None, strict: false };
            return self.contact(name).map(claim);
        }
        match worded(text) {
            Some(claim) => Ok(claim),
            None => self.comparisons(),
        }
    }

    /// Comparisons joined by `and`, and those of a contact's own numbers that are claims.
    fn comparisons(&self) -> Read<Claim> {
        let text = self.text.trim();
        if text.contains(AND) {
            return self.read_comparisons().map(Claim::Comparisons);
        }
        let Some((left, sign, right)) = compared(text) else { return Err(self.no_claim(text)) };
        match (OWN.map(|name| argument(left, name)), sign, right) {
            ([Some(name), ..], ">", "0") => self.contact(name).map(Claim::Gain),
            ([_, Some(name), _], "<", "0") => self.contact(name).map(Claim::Pressed),
            ([.., Some(name)], ">" | ">=", _) => {
                let (contact, bound) = (self.contact(name)?, Some(self.expression(right)?));
                Ok(Claim::LeastFriction { contact, bound, strict: sign == ">" })
            }
            // of one contact by its name nothing else is compared
            _ if [left, right].into_iter().any(names_contact) => Err(self.no_claim(text)),
            _ => self.compare(text).map(|one| Claim::Comparisons(vec![one])),
        }
    }

    /// Comparisons alone, joined by `and`.
    pub fn read_comparisons(&self) -> Read<Vec<Comparison>> {
        all(self.text.split(AND).map(|part| self.compare(part)))
    }

    /// `a < b`, `a <= b`, `a > b`, `a >= b`, of a part of the text.
    fn compare(&self, part: &str) -> Read<Comparison> {
        let part = part.trim();
        let (left, sign, right) = compared(part).ok_or_else(|| self.no_claim(part))?;
        let mut sides = all([left, right].into_iter().map(|side| self.expression(side)))?.into_iter();
        let (Some(left), Some(right)) = (sides.next(), sides.next()) else { return Err(self.no_claim(part)) };
        let strict = !sign.ends_with('=');
        let (less, more) = if sign.starts_with('<') { (left, right) } else { (right, left) };
        Ok(Comparison { less, more, strict })
    }

    /// An expression of a file's names and of [`NUMBERS`], which stand after the coordinates.
    fn expression(&self, part: &str) -> Read<Expr> {
        let names = self.names;
        let rates = Allow::Only((0..names.coordinates.len()).collect());
        let numbers = NUMBERS.map(String::from);
        let coordinates = names.coordinates.iter().cloned().chain(numbers).collect();
        let all = Names { coordinates, ..names.clone() };
        let scope = Scope { rates, smooth: false, ..Scope::position(&all, "a claim") };
        parse(part, &scope, &self.place.after(self.start(part)))
    }

    fn contact(&self, name: &str) -> Read<usize> {
        self.contacts.iter().position(|contact| contact == name).ok_or_else(|| {
            let start = self.start(name);
            let found = Diagnostic::error("M208", format!("there is no contact `{name}`"))
                .with_span(self.place.span(start, start + name.len()));
            let close = nearest(name, self.contacts.iter().map(String::as_str));
            vec![match (close, self.contacts) {
                (Some(_), _) => found.with_close(close),
                (None, []) => found.with_hint("the mechanism has none"),
                (None, all) => found.with_hint(format!("its contacts are {}", all.join(", "))),
            }]
        })
    }

    fn no_claim(&self, part: &str) -> Vec<Diagnostic> {
        let found = Diagnostic::error("M119", format!("found `{part}`, expected a claim"));
        let start = self.start(part);
        let place = self.place.span(start, start + part.len());
        vec![found.with_span(place).with_hint(format!("a claim is {FORMS}"))]
    }

    /// Where a part of the text begins.
    fn start(&self, part: &str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
    }
}

/// All of some readings, or all that is wrong with them.
fn all<T>(read: impl Iterator<Item = Read<T>>) -> Read<Vec<T>> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for one in read {
        match one {
            Ok(one) => found.push(one),
            Err(more) => faults.extend(more),
        }
    }
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

/// A claim that names no contact.
fn worded(text: &str) -> Option<Claim> {
    match (argument(text, "verdict"), argument(text, "equilibrium"), argument(text, "step-exists")) {
        (Some("consistent" | "unique"), ..) => Some(Claim::Verdict(Motions::One)),
        (Some("inconsistent"), ..) => Some(Claim::Verdict(Motions::None)),
        (Some("indeterminate"), ..) => Some(Claim::Verdict(Motions::Several)),
        (_, Some("weak"), _) => Some(Claim::Equilibrium(false)),
        (_, Some("strong"), _) => Some(Claim::Equilibrium(true)),
        // whether a step has a solution does not depend on its length   [AC11 (4.18)]
        (.., Some(h)) if positive(h) => Some(Claim::StepExists),
        _ => (text == "no-wedging").then_some(Claim::Unwedged),
    }
}

/// Numbers of a contact that are compared: p, b and the least friction.
const OWN: [&str; 3] = ["p", "b", CRITICAL];

/// Whether it is one of these.
fn names_contact(text: &str) -> bool {
    OWN.into_iter().any(|name| argument(text, name).is_some())
}

/// What stands in the parentheses of `name( )`.
fn argument<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(name)?.trim_start();
    let inner = rest.strip_prefix('(')?.strip_suffix(')')?;
    (!inner.contains(['(', ')'])).then_some(inner.trim())
}

/// Words of modes, joined by commas, and combinations, joined by semicolons; none of them is one, too: that nothing is possible.
fn combinations(text: &str) -> Option<Vec<Vec<&'static str>>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let named = |word: &str| MODES.into_iter().find(|mode| *mode == word.trim());
    text.split(';').map(|words| words.split(',').map(named).collect()).collect()
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
