//! The certificate of an answer, for a checker that shares nothing with the search: see `crates/check/FORMAT.md`.

use super::exact::Exact;
use super::formula::Formula;
use super::search::{Proof, Verdict};
use super::statement::{Constant, Input, Statement, meant};
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
    /// What follows from other inputs, as the state computes it: names and texts.
    pub texts: &'s [(String, String)],
    /// Names of the inputs.
    pub names: &'s [String],
}

impl Subject<'_> {
    /// What follows from other inputs, in words.
    pub(super) fn follows(&self) -> Vec<String> {
        self.texts.iter().map(|(name, text)| format!("{name} = {text}")).collect()
    }
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
    let refutation = match &proof.verdict {
        Verdict::Refuted(refutation) => Some(refutation),
        Verdict::Proven | Verdict::Vacuous | Verdict::Undecided => None,
    };
    let untangled = refutation.and_then(|refutation| refutation.restated.as_ref());
    let statement = untangled.or(proof.restated.as_ref()).unwrap_or(statement);
    let own = subject.names.len();
    let [constants, nodes] = values(statement, own)?;
    let outputs: Vec<usize> = statement.tape.output_values().collect();
    let input = |(i, input): (usize, &Input)| match input {
        Input::Range(lo, hi) => {
            Some(json!({"name": subject.names[i], "range": [lo.to_string(), hi.to_string()]}))
        }
        Input::Value(value) if i < own => Some(json!({"name": subject.names[i], "value": value.to_string()})),
        Input::Share(of) => Some(json!({"name": format!("share of {}", subject.names[*of]), "share": of})),
        Input::Value(_) => None,
    };
    let mut same: Vec<[usize; 2]> = statement.same.iter().map(|&(a, b)| [outputs[a], outputs[b]]).collect();
    // what others are made of comes first, each once
    same.sort_unstable();
    same.dedup();
    let roots: Vec<usize> = refutation.and_then(|found| found.root).map(|i| outputs[i]).into_iter().collect();
    let claimed = refutation.map_or_else(|| statement.claimed.clone(), |_| statement.refutable());
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
    let mut found = json!({
        "schema": CERTIFICATE_SCHEMA,
        "mechanism": subject.mechanism,
        "claim": subject.claim,
        "given": subject.given,
        "closed": subject.closed,
        "answer": answer,
        "inputs": statement.inputs.iter().enumerate().filter_map(input).collect::<Vec<_>>(),
        "constants": constants,
        "nodes": nodes,
        "zero": zero,
        "same": same,
        "assumed": formula(&statement.assumed, &outputs),
        "claimed": formula(&claimed, &outputs),
        "tree": tree,
        "witness": witness,
        "roots": roots,
    });
    if !subject.texts.is_empty() {
        found["where"] = subject.follows().into();
    }
    Ok(found)
}

/// Constants, inputs beyond the `own` ones among them, and operations.
fn values(statement: &Statement, own: usize) -> Result<[Vec<Value>; 2], &'static str> {
    let (mut constants, mut nodes) = (Vec::new(), Vec::new());
    for view in statement.tape.values() {
        match view {
            View::Input(i) => constants.extend(constant_input(&statement.inputs[i]).filter(|_| i >= own)),
            View::Constant(x) => constants.push(constant_of(x)),
            View::Node(op, a, b) if op.is_binary() => nodes.push(json!([word(op)?, a, b])),
            View::Node(op, a, _) => nodes.push(json!([word(op)?, a])),
        }
    }
    Ok([constants, nodes])
}

/// A number, or the ends of a range.
pub fn number_or_range(lo: &Exact, hi: Option<&Exact>) -> Value {
    match hi {
        None => json!(lo.to_string()),
        Some(hi) => json!([lo.to_string(), hi.to_string()]),
    }
}

fn constant_of(x: f64) -> Value {
    match meant(x) {
        Constant::Exact(x) => json!(x.to_string()),
        Constant::Within(range) => {
            json!([Exact::double(range.lo).to_string(), Exact::double(range.hi).to_string()])
        }
    }
}

/// A constant that is an input of the tape, since no double is it.
fn constant_input(input: &Input) -> Option<Value> {
    match input {
        Input::Value(value) => Some(json!(value.to_string())),
        Input::Range(..) | Input::Share(_) => None,
    }
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
