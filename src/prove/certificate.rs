//! The certificate of an answer, for a checker that shares nothing with the search: see docs/certificates.md.

use super::exact::Exact;
use super::formula::Formula;
use super::search::{Proof, Verdict};
use super::statement::{Input, Statement, constant, is_short};
use crate::tape::{Op, View};
use serde_json::{Value, json};

/// The schema of certificates.
pub const CERTIFICATE_SCHEMA: &str = "mechan.certificate/1";
/// Most inputs that vary: as many as there are digits and letters.
pub const MOST_VARYING: usize = 36;

/// What a statement is about, in words and names.
#[derive(Clone, Debug)]
pub struct Subject<'s> {
    /// Name of the mechanism.
    pub mechanism: &'s str,
    /// The claim as it was given.
    pub claim: &'s str,
    /// What is assumed, as it was given.
    pub given: &'s [String],
    /// Contacts that are closed.
    pub closed: &'s [String],
    /// Names of the inputs.
    pub names: &'s [String],
}

/// The certificate; none if an operation has no place in certificates, with its name.
///
/// # Errors
/// The operation.
pub fn certificate(
    subject: &Subject<'_>,
    statement: &Statement,
    proof: &Proof,
) -> Result<Value, &'static str> {
    let restated = match &proof.verdict {
        Verdict::Refuted(refutation) => refutation.restated.as_ref(),
        Verdict::Proven | Verdict::Vacuous | Verdict::Undecided => None,
    };
    let statement = restated.unwrap_or(statement);
    let (mut constants, mut nodes) = (Vec::new(), Vec::new());
    for view in statement.tape.values() {
        match view {
            View::Input(_) => {}
            View::Constant(x) => constants.push(constant_of(x)),
            View::Node(op, a, b) if op.is_binary() => nodes.push(json!([word(op)?, a, b])),
            View::Node(op, a, _) => nodes.push(json!([word(op)?, a])),
        }
    }
    let outputs: Vec<usize> = statement.tape.output_values().collect();
    let input = |(name, input): (&String, &Input)| match input {
        Input::Range(lo, hi) => json!({"name": name, "range": [lo.to_string(), hi.to_string()]}),
        Input::Value(value) => json!({"name": name, "value": value.to_string()}),
    };
    let zero: Vec<usize> = statement.zero.iter().map(|&i| outputs[i]).collect();
    let (answer, witness) = match &proof.verdict {
        Verdict::Proven => ("proven", Value::Null),
        Verdict::Vacuous => ("vacuous", Value::Null),
        Verdict::Undecided => ("undecided", Value::Null),
        Verdict::Refuted(found) => {
            ("refuted", found.witness.iter().map(|(lo, hi)| number_or_range(lo, hi.as_ref())).collect())
        }
    };
    let tree = if witness.is_null() { json!(proof.tree) } else { Value::Null };
    Ok(json!({
        "schema": CERTIFICATE_SCHEMA,
        "mechanism": subject.mechanism,
        "claim": subject.claim,
        "given": subject.given,
        "closed": subject.closed,
        "answer": answer,
        "inputs": subject.names.iter().zip(&statement.inputs).map(input).collect::<Vec<_>>(),
        "constants": constants,
        "nodes": nodes,
        "zero": zero,
        "assumed": formula(&statement.assumed, &outputs),
        "claimed": formula(&statement.claimed, &outputs),
        "tree": tree,
        "witness": witness,
    }))
}

/// A number, or the ends of a range.
pub fn number_or_range(lo: &Exact, hi: Option<&Exact>) -> Value {
    match hi {
        None => json!(lo.to_string()),
        Some(hi) => json!([lo.to_string(), hi.to_string()]),
    }
}

fn constant_of(x: f64) -> Value {
    if is_short(x) {
        return json!(Exact::double(x).to_string());
    }
    let range = constant(x);
    json!([Exact::double(range.lo).to_string(), Exact::double(range.hi).to_string()])
}

fn formula(formula: &Formula, outputs: &[usize]) -> Value {
    let all = |parts: &[Formula]| -> Vec<Value> { parts.iter().map(|p| self::formula(p, outputs)).collect() };
    match formula {
        Formula::Positive(i) => json!({"positive": outputs[*i]}),
        Formula::NonNegative(i) => json!({"nonnegative": outputs[*i]}),
        Formula::All(parts) => json!({"all": all(parts)}),
        Formula::Any(parts) => json!({"any": all(parts)}),
    }
}

/// The name of an operation that the checker knows.
fn word(op: Op) -> Result<&'static str, &'static str> {
    Ok(match op {
        Op::Add => "add",
        Op::Sub => "sub",
        Op::Mul => "mul",
        Op::Div => "div",
        Op::Neg => "neg",
        Op::Sin => "sin",
        Op::Cos => "cos",
        Op::Tan => "tan",
        Op::Sqrt => "sqrt",
        Op::Exp => "exp",
        Op::Ln => "ln",
        Op::Atan => "atan",
        Op::Abs => "abs",
        Op::Signum => "signum",
        Op::Min => "min",
        Op::Where => "where",
        Op::Powf => return Err("a power that is no integer"),
        Op::Atan2 => return Err("atan2"),
        Op::Asin => return Err("asin"),
        Op::Acos => return Err("acos"),
        Op::Sinh => return Err("sinh"),
        Op::Cosh => return Err("cosh"),
        Op::Tanh => return Err("tanh"),
    })
}
