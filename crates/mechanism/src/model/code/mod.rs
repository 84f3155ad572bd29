//! A model as a function in another language: the tape written out, one line per operation, results in blocks with
//! the names of the equations of motion. Needs no computer algebra, so model files can be turned into code too.

mod c;
mod casadi;
mod expression;
mod julia;
mod matlab;
mod python;
mod rust;
mod sympy;

use super::{Layout, Model, Output};
use crate::tape::Tape;
use expression::Writer;

/// The languages of generated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Python with NumPy.
    Python,
    /// Python with SymPy: the same values as expressions.
    SymPy,
    /// Python with CasADi: a `Function`, which can be differentiated.
    Casadi,
    /// C99.
    C,
    /// Rust, without dependencies.
    Rust,
    /// MATLAB, or Octave.
    Matlab,
    /// Julia.
    Julia,
}

/// The names and default values that generated code is documented with.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeNames {
    /// Name of the mechanism; the generated function is called `<name>_equations`.
    pub mechanism: String,
    /// Coordinates in order.
    pub coordinates: Vec<String>,
    /// Parameters in order.
    pub parameters: Vec<CodeParameter>,
    /// Bilateral constraints in order.
    pub constraints: Vec<String>,
    /// Contacts in order.
    pub contacts: Vec<String>,
}

/// A parameter of generated code.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeParameter {
    /// Its name.
    pub name: String,
    /// Its default value.
    pub value: f64,
    /// How it follows from the parameters, if it does: a tape with the parameters as inputs and one output.
    pub follows: Option<Tape>,
}

/// The source text of a model as a function of (t, q, v, p).
pub fn code(model: &Model, names: &CodeNames, language: Language) -> String {
    match language {
        Language::Python => python::write(model, names),
        Language::SymPy => sympy::write(model, names),
        Language::Casadi => casadi::write(model, names),
        Language::C => c::write(model, names),
        Language::Rust => rust::write(model, names),
        Language::Matlab => matlab::write(model, names),
        Language::Julia => julia::write(model, names),
    }
}

/// A block of results: its name in generated code, its shape, and what it is.
struct Block {
    output: Output,
    name: &'static str,
    shape: Vec<usize>,
    meaning: &'static str,
}

impl Block {
    fn len(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The blocks that a mechanism has, in tape order; M comes as the full matrix.
fn blocks(layout: &Layout) -> Vec<Block> {
    let all = Output::ALL.iter().map(|&output| block(layout, output));
    all.filter(|b| b.len() > 0).collect()
}

#[rustfmt::skip]
fn block(layout: &Layout, output: Output) -> Block {
    let (n, m, c, r) = (layout.coordinates, layout.contacts, layout.constraints, layout.contacts * layout.tangents);
    let (name, shape, meaning) = match output {
        Output::MassMatrix         => ("M",        vec![n, n], "mass matrix"),
        Output::Bias               => ("h",        vec![n],    "bias force B + G - F: M vdot + h = W_N^T lambda_N + W_T^T lambda_T"),
        Output::Gap                => ("gap",      vec![m],    "gap of each contact"),
        Output::NormalJacobian     => ("W_N",      vec![m, n], "d gap / d q"),
        Output::GapRate            => ("gap_t",    vec![m],    "explicit rate of the gap: d gap / dt = W_N v + gap_t"),
        Output::NormalDrift        => ("drift_N",  vec![m],    "gap acceleration = W_N vdot + drift_N"),
        Output::TangentJacobian    => ("W_T",      vec![r, n], "d slip / d v, tangents of a contact adjacent"),
        Output::SlipRate           => ("slip_t",   vec![r],    "explicit part of the slip: slip = W_T v + slip_t"),
        Output::TangentDrift       => ("drift_T",  vec![r],    "slip acceleration = W_T vdot + drift_T"),
        Output::Constraint         => ("phi",      vec![c],    "bilateral constraints"),
        Output::ConstraintJacobian => ("J",        vec![c, n], "d phi / d q"),
        Output::ConstraintRate     => ("phi_t",    vec![c],    "explicit rate of phi"),
        Output::ConstraintDrift    => ("drift_J",  vec![c],    "phi'' = J vdot + drift_J"),
        Output::KineticEnergy      => ("T",        vec![1],    "kinetic energy"),
        Output::PotentialEnergy    => ("V",        vec![1],    "potential energy"),
        Output::Inertial           => ("B",        vec![n],    "inertial part of h"),
        Output::Potential          => ("G",        vec![n],    "potential part of h"),
        Output::Applied            => ("F",        vec![n],    "applied forces; h has -F"),
    };
    Block { output, name, shape, meaning }
}

/// The expression of every entry of a block, rows in order.
fn entries(model: &Model, block: &Block, writer: &Writer) -> Vec<String> {
    let results = writer.outputs(model.layout().range(block.output));
    match block.output {
        Output::MassMatrix => {
            let n = model.layout().coordinates;
            let at = |i: usize, j: usize| results[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)].clone();
            (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| at(i, j)).collect()
        }
        _ => results,
    }
}

/// A parameter that follows from others: its index, operations as (name, expression), and its value.
type Follower = (usize, Vec<(String, String)>, String);

/// The parameters that follow from others.
fn followers(names: &CodeNames, language: Language) -> Vec<Follower> {
    let written = |(k, p): (usize, &CodeParameter)| {
        let writer = Writer::parameter(p.follows.as_ref()?, language, k);
        let value = writer.outputs(0..1).pop()?;
        Some((k, writer.statements(), value))
    };
    names.parameters.iter().enumerate().filter_map(written).collect()
}

/// What the value of the k-th parameter needs, and the value: what it follows as, or its default.
fn worth<'f>(
    followers: &'f [Follower],
    k: usize,
    parameter: &CodeParameter,
) -> (&'f [(String, String)], String) {
    match followers.iter().find(|(follower, ..)| *follower == k) {
        Some((_, operations, value)) => (operations, value.clone()),
        None => (&[], format!("{:?}", parameter.value)),
    }
}

/// Operations as assignments, one line each, with what stands before the name and after the expression.
fn lines(operations: &[(String, String)], before: &str, after: &str) -> String {
    operations.iter().map(|(name, expression)| format!("{before}{name} = {expression}{after}\n")).collect()
}

/// What the arguments are, one line each.
fn argument_lines(names: &CodeNames) -> Vec<String> {
    let parameters: Vec<&str> = names.parameters.iter().map(|p| p.name.as_str()).collect();
    let list = |words: &[&str]| if words.is_empty() { "none".to_string() } else { words.join(", ") };
    let words = |names: &'_ [String]| names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let mut lines = vec![
        "t: time".to_string(),
        format!("q: coordinates {}", words(&names.coordinates)),
        "v: their rates, in the same order".to_string(),
        format!("p: parameters {}", list(&parameters)),
    ];
    if !names.contacts.is_empty() {
        lines.push(format!("contacts, in order: {}", words(&names.contacts)));
    }
    if !names.constraints.is_empty() {
        lines.push(format!("bilateral constraints, in order: {}", words(&names.constraints)));
    }
    lines
}
