//! From a certificate to what it establishes, in one sentence.

use crate::certificate::{Answer, Certificate, Input, form};
use crate::fault::Fault;
use crate::walk::{self, Leaves};
use crate::witness;
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::fmt;

/// What a certificate establishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Its answer.
    pub answer: Answer,
    /// The claim, of which mechanism, and for which inputs.
    pub subject: String,
    /// What its boxes say; none if a witness refutes the claim.
    pub leaves: Option<Leaves>,
}

/// Checks the text of a certificate: `Ok` if its answer follows from what it says.
///
/// # Errors
/// The first thing that is wrong, or not shown.
pub fn check(text: &str) -> Result<Checked, Fault> {
    check_while(text, &|| true)
}

/// The same, for as long as it may go on, which is asked before each box.
///
/// # Errors
/// The first thing that is wrong, or not shown; [`Fault::Stopped`] if it may not go on.
pub fn check_while(text: &str, may_go_on: &dyn Fn() -> bool) -> Result<Checked, Fault> {
    let certificate = Certificate::read(text)?;
    let answer = certificate.answer;
    let subject = subject(&certificate);
    if subject.contains(char::is_control) {
        return form("a text", "no control characters");
    }
    let leaves = match (&certificate.tree, &certificate.witness) {
        (Some(tree), None) => Some(walk::walk(&certificate, tree, may_go_on)?),
        (None, Some(witness)) => {
            witness::refute(&certificate, witness)?;
            None
        }
        _ => return Err(Fault::Answer { answer, why: "it needs either a tree or a witness" }),
    };
    let shown = match &leaves {
        None => Answer::Refuted,
        Some(leaves) if leaves.open > 0 => Answer::Undecided,
        Some(leaves) if leaves.claimed > 0 => Answer::Proven,
        Some(_) => Answer::Vacuous,
    };
    if answer != shown {
        return Err(Fault::Answer { answer, why: "its boxes or its witness show another one" });
    }
    Ok(Checked { answer, subject, leaves })
}

/// What the claim is about: nothing that it hangs on is left out.
fn subject(certificate: &Certificate) -> String {
    let Certificate { mechanism, claim, given, closed, follows, inputs, nodes, .. } = certificate;
    let used: BTreeSet<u32> = nodes.iter().flat_map(|node| node.operands()).collect();
    let (mut ranges, mut held) = (Vec::new(), Vec::new());
    for (i, input) in (0..).zip(inputs) {
        match input {
            Input::Range { name, range } => ranges.push(format!("{name} {range}")),
            Input::Value { name, value } if used.contains(&i) => held.push(format!("{name} {value}")),
            _ => {}
        }
    }
    let mut subject = format!("{claim} of {mechanism}");
    let mut add = |before: &str, parts: &[String], between: &str, after: &str| {
        if !parts.is_empty() {
            subject += &format!(", {before} {}{after}", parts.join(between));
        }
    };
    add("given", given, " and ", "");
    add("with", closed, " and ", " closed");
    add("for", &ranges, ", ", "");
    add("at", &held, ", ", "");
    add("where", follows, ", ", "");
    subject
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { answer, subject, leaves } = self;
        let Some(leaves) = leaves else {
            return write!(f, "refuted: {subject}: it fails at a point that satisfies the assumptions");
        };
        match answer {
            Answer::Proven => write!(f, "proven: {subject}")?,
            Answer::Vacuous => write!(f, "vacuous: {subject}: nothing satisfies the assumptions")?,
            Answer::Undecided | Answer::Refuted => {
                let (m, e) = leaves.open_share();
                write!(f, "undecided: {subject}: {m}/2^{e} of the volume is open ")?;
                // not less, to three digits
                let n = (m * 1000u32 + (BigUint::from(1u8) << e) - 1u32) >> e;
                write!(f, "(at most {}.{:03}), the rest is proven", &n / 1000u32, n % 1000u32)?;
            }
        }
        let Leaves { claimed, excluded, by_slopes, .. } = leaves;
        write!(f, " (boxes: {}, by slopes: {by_slopes}, without points: {excluded})", claimed + excluded)
    }
}
