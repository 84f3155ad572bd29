//! From a certificate to what it establishes, in one sentence.

use crate::certificate::{Answer, Certificate, Input, Pair, form};
use crate::fault::Fault;
use crate::walk::{self, Leaves};
use crate::witness;
use num_bigint::BigUint;
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
    let certificate = Certificate::read(text)?;
    let answer = certificate.answer;
    let subject = subject(&certificate);
    if subject.contains(char::is_control) {
        return form("a text", "no control characters");
    }
    let leaves = match (answer, &certificate.tree, &certificate.witness) {
        (Answer::Refuted, None, Some(witness)) => {
            witness::refute(&certificate, witness)?;
            None
        }
        (Answer::Refuted, _, _) => return Err(Fault::Answer { answer, why: "it needs a witness alone" }),
        (_, Some(tree), None) => {
            let leaves = walk::walk(&certificate, tree)?;
            walk::is_answered(answer, &leaves).map_err(|why| Fault::Answer { answer, why })?;
            Some(leaves)
        }
        _ => return Err(Fault::Answer { answer, why: "it needs a tree alone" }),
    };
    Ok(Checked { answer, subject, leaves })
}

/// What the claim is about: nothing that it hangs on is left out.
fn subject(certificate: &Certificate) -> String {
    let Certificate { mechanism, claim, given, closed, follows, inputs, nodes, .. } = certificate;
    let ranges: Vec<_> = certificate
        .ranges()
        .map(|(name, Pair { lo, hi })| format!("{name} in [{}, {}]", lo.text, hi.text))
        .collect();
    let is_used = |i: usize| nodes.iter().any(|node| node.a as usize == i || node.b as usize == i);
    let held = inputs.iter().enumerate().filter_map(|(i, input)| match input {
        Input::Value { name, value } if is_used(i) => Some(format!("{name} = {}", value.text)),
        _ => None,
    });
    let mut subject = format!("{claim} of {mechanism}");
    let mut add = |before: &str, parts: &[String], between: &str, after: &str| {
        if !parts.is_empty() {
            subject += &format!(", {before} {}{after}", parts.join(between));
        }
    };
    add("given", given, " and ", "");
    add("with", closed, " and ", " closed");
    add("for", &ranges, ", ", "");
    add("at", &held.collect::<Vec<_>>(), ", ", "");
    add("where", follows, ", ", "");
    subject
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = &self.subject;
        let Some(leaves) = &self.leaves else {
            return write!(f, "refuted: {subject}: it fails at a point that satisfies the assumptions");
        };
        match self.answer {
            Answer::Proven => write!(f, "proven: {subject}")?,
            Answer::Vacuous => write!(f, "vacuous: {subject}: nothing satisfies the assumptions")?,
            Answer::Undecided | Answer::Refuted => {
                let (m, e) = leaves.open_share();
                let digits = thousandths(&m, e);
                write!(f, "undecided: {subject}: {m}/2^{e} of the volume is open (at most {digits})")?;
                write!(f, ", the rest is proven")?;
            }
        }
        let Leaves { claimed, excluded, by_slopes, .. } = leaves;
        write!(f, " (boxes: {}, by slopes: {by_slopes}, without points: {excluded})", claimed + excluded)
    }
}

/// The least decimal with three digits that is not below m/2^e.
fn thousandths(m: &BigUint, e: u64) -> String {
    let one = BigUint::from(1u8) << e;
    let n = (m * 1000u32 + (&one - 1u32)) / one;
    let text = format!("{n:0>4}");
    let (whole, part) = text.split_at(text.len() - 3);
    format!("{whole}.{part}")
}
