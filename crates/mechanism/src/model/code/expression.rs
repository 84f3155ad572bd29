//! Operations as expressions of a target language.

use super::Language;
use crate::model::{Layout, Model};
use crate::tape::{Op, Tape, View};
use std::ops::Range;

/// Writes the values of a tape in a language.
pub(super) struct Writer {
    language: Language,
    values: Vec<View>,
    outputs: Vec<usize>,
    inputs: Vec<String>,
    /// What the names of operations begin with.
    prefix: String,
}

impl Writer {
    /// Of a model's tape: the inputs are t, q, v and p.
    pub(super) fn new(model: &Model, language: Language) -> Self {
        let inputs = (0..model.layout().inputs()).map(|i| input(language, model.layout(), i)).collect();
        Writer::of(model.tape(), language, inputs, "x".to_string())
    }

    /// Of the value of the k-th parameter, whose inputs are the parameters.
    pub(super) fn parameter(tape: &Tape, language: Language, k: usize) -> Self {
        let inputs = (0..tape.inputs()).map(|i| element(language, 'p', i)).collect();
        Writer::of(tape, language, inputs, format!("p{k}_"))
    }

    fn of(tape: &Tape, language: Language, inputs: Vec<String>, prefix: String) -> Self {
        let (values, outputs) = (tape.values().collect(), tape.output_values().collect());
        Writer { language, values, outputs, inputs, prefix }
    }

    /// One (name, expression) per operation, in order.
    pub(super) fn statements(&self) -> Vec<(String, String)> {
        let node = |(i, view): (usize, &View)| match *view {
            View::Node(op, a, b) => Some((self.name(i), self.operation(op, a, b))),
            View::Input(_) | View::Constant(_) => None,
        };
        self.values.iter().enumerate().filter_map(node).collect()
    }

    /// The names of a range of outputs.
    pub(super) fn outputs(&self, range: Range<usize>) -> Vec<String> {
        self.outputs[range].iter().map(|&v| self.operand(v)).collect()
    }

    fn operand(&self, value: usize) -> String {
        match self.values[value] {
            View::Input(i) => self.inputs[i].clone(),
            View::Constant(x) => self.constant(x),
            View::Node(..) => self.name(value),
        }
    }

    fn name(&self, value: usize) -> String {
        format!("{}{value}", self.prefix)
    }

    /// Shortest decimal that reads back as the same number, in parentheses if negative; an exact number for SymPy where it is one.
    fn constant(&self, x: f64) -> String {
        let decimal = format!("{x:?}");
        let text = match self.language {
            Language::Rust => format!("{decimal}_f64"),
            Language::SymPy => exact(x).unwrap_or(decimal),
            Language::Python | Language::C | Language::Casadi | Language::Matlab | Language::Julia => decimal,
        };
        if x.is_sign_negative() { format!("({text})") } else { text }
    }

    fn operation(&self, op: Op, a: usize, b: usize) -> String {
        let (x, y) = (self.operand(a), self.operand(b));
        match op {
            Op::Add => format!("{x} + {y}"),
            Op::Sub => format!("{x} - {y}"),
            Op::Mul => format!("{x} * {y}"),
            Op::Div => format!("{x} / {y}"),
            Op::Neg => format!("-{x}"),
            Op::Signum => self.signum(&x),
            Op::Powf => self.power(&x, &y),
            Op::Atan2 | Op::Min => self.call(op, &x, Some(&y)),
            Op::Where => self.where_positive(&x, &y),
            Op::Sin
            | Op::Cos
            | Op::Tan
            | Op::Asin
            | Op::Acos
            | Op::Atan
            | Op::Sinh
            | Op::Cosh
            | Op::Tanh
            | Op::Sqrt
            | Op::Exp
            | Op::Ln
            | Op::Abs => self.call(op, &x, None),
        }
    }

    fn call(&self, op: Op, x: &str, y: Option<&str>) -> String {
        let name = function(op, self.language);
        match (self.language, y) {
            (Language::Rust, _) => format!("{x}.{name}({})", y.unwrap_or_default()),
            (_, None) => format!("{name}({x})"),
            (_, Some(y)) => format!("{name}({x}, {y})"),
        }
    }

    fn power(&self, x: &str, y: &str) -> String {
        match self.language {
            Language::Python => format!("np.power({x}, {y})"),
            Language::SymPy => format!("sp.Pow({x}, {y})"),
            Language::Casadi => format!("ca.power({x}, {y})"),
            Language::C => format!("pow({x}, {y})"),
            Language::Rust => format!("{x}.powf({y})"),
            Language::Matlab | Language::Julia => format!("{x} ^ {y}"),
        }
    }

    /// x where c > 0, and 0 elsewhere; in MATLAB, which has no such choice, NaN where x is.
    fn where_positive(&self, c: &str, x: &str) -> String {
        match self.language {
            Language::Python => format!("np.where({c} > 0, {x}, 0.0)"),
            Language::SymPy => format!("sp.Piecewise(({x}, {c} > 0), (0, True))"),
            Language::Casadi => format!("ca.if_else({c} > 0, {x}, 0.0)"),
            Language::C => format!("({c} > 0 ? {x} : 0.0)"),
            Language::Rust => format!("if {c} > 0.0 {{ {x} }} else {{ 0.0 }}"),
            Language::Matlab => format!("{x} * ({c} > 0)"),
            Language::Julia => format!("ifelse({c} > 0, {x}, 0.0)"),
        }
    }

    /// −1, 0 or 1, as the tape has it.
    fn signum(&self, x: &str) -> String {
        match self.language {
            Language::Python => format!("np.sign({x})"),
            Language::SymPy => format!("sp.sign({x})"),
            Language::Casadi => format!("ca.sign({x})"),
            Language::Matlab | Language::Julia => format!("sign({x})"),
            Language::C => format!("(double)(({x} > 0) - ({x} < 0))"),
            Language::Rust => format!("if {x} == 0.0 {{ 0.0 }} else {{ {x}.signum() }}"),
        }
    }
}

/// Powers of two up to this one make denominators of what is written as fractions.
const LARGEST_EXPONENT: u32 = 10;
/// Larger whole numbers are written as floating-point ones.
const LARGEST_WHOLE: f64 = 1e9;

/// π, whole numbers and simple dyadic fractions as SymPy has them exactly.
fn exact(x: f64) -> Option<String> {
    let whole = |x: f64| x.fract() == 0.0 && x.abs() < LARGEST_WHOLE;
    if x.to_bits() == std::f64::consts::PI.to_bits() {
        return Some("sp.pi".to_string());
    }
    let denominator = (0..=LARGEST_EXPONENT).map(|k| f64::from(1_u32 << k)).find(|d| whole(x * d))?;
    Some(if denominator > 1.0 {
        format!("sp.Rational({:.0}, {denominator:.0})", x * denominator)
    } else {
        format!("{x:.0}")
    })
}

/// The i-th element of a vector; MATLAB and Julia count from 1.
pub(super) fn element(language: Language, vector: char, i: usize) -> String {
    match language {
        Language::Matlab => format!("{vector}({})", i + 1),
        Language::Julia => format!("{vector}[{}]", i + 1),
        Language::Python | Language::SymPy | Language::Casadi | Language::C | Language::Rust => {
            format!("{vector}[{i}]")
        }
    }
}

fn input(language: Language, layout: &Layout, i: usize) -> String {
    let n = layout.coordinates;
    match i {
        0 => "t".to_string(),
        i if i <= n => element(language, 'q', i - 1),
        i if i <= 2 * n => element(language, 'v', i - 1 - n),
        i => element(language, 'p', i - 1 - 2 * n),
    }
}

/// The name of a function.
fn function(op: Op, language: Language) -> &'static str {
    let [python, sympy, casadi, c, rust, matlab, julia] = names(op);
    match language {
        Language::Python => python,
        Language::SymPy => sympy,
        Language::Casadi => casadi,
        Language::C => c,
        Language::Rust => rust,
        Language::Matlab => matlab,
        Language::Julia => julia,
    }
}

/// Names in NumPy, SymPy, CasADi, C, Rust, MATLAB and Julia.
#[rustfmt::skip]
fn names(op: Op) -> [&'static str; 7] {
    match op {
        Op::Atan2 => ["np.arctan2", "sp.atan2", "ca.atan2", "atan2", "atan2", "atan2", "atan"],
        Op::Min   => ["np.minimum", "sp.Min",   "ca.fmin",  "fmin",  "min",   "min",   "min"],
        Op::Sin   => ["np.sin",     "sp.sin",   "ca.sin",   "sin",   "sin",   "sin",   "sin"],
        Op::Cos   => ["np.cos",     "sp.cos",   "ca.cos",   "cos",   "cos",   "cos",   "cos"],
        Op::Tan   => ["np.tan",     "sp.tan",   "ca.tan",   "tan",   "tan",   "tan",   "tan"],
        Op::Asin  => ["np.arcsin",  "sp.asin",  "ca.asin",  "asin",  "asin",  "asin",  "asin"],
        Op::Acos  => ["np.arccos",  "sp.acos",  "ca.acos",  "acos",  "acos",  "acos",  "acos"],
        Op::Atan  => ["np.arctan",  "sp.atan",  "ca.atan",  "atan",  "atan",  "atan",  "atan"],
        Op::Sinh  => ["np.sinh",    "sp.sinh",  "ca.sinh",  "sinh",  "sinh",  "sinh",  "sinh"],
        Op::Cosh  => ["np.cosh",    "sp.cosh",  "ca.cosh",  "cosh",  "cosh",  "cosh",  "cosh"],
        Op::Tanh  => ["np.tanh",    "sp.tanh",  "ca.tanh",  "tanh",  "tanh",  "tanh",  "tanh"],
        Op::Sqrt  => ["np.sqrt",    "sp.sqrt",  "ca.sqrt",  "sqrt",  "sqrt",  "sqrt",  "sqrt"],
        Op::Exp   => ["np.exp",     "sp.exp",   "ca.exp",   "exp",   "exp",   "exp",   "exp"],
        Op::Ln    => ["np.log",     "sp.log",   "ca.log",   "log",   "ln",    "log",   "log"],
        Op::Abs   => ["np.abs",     "sp.Abs",   "ca.fabs",  "fabs",  "abs",   "abs",   "abs"],
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg | Op::Powf | Op::Signum | Op::Where => [""; 7],
    }
}
