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
        let inputs = (0..model.layout().inputs()).map(|i| input(model.layout(), i)).collect();
        Writer::of(model.tape(), language, inputs, "x".to_string())
    }

    /// Of the value of the k-th parameter, whose inputs are the parameters.
    pub(super) fn parameter(tape: &Tape, language: Language, k: usize) -> Self {
        let inputs = (0..tape.inputs()).map(|i| format!("p[{i}]")).collect();
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

    /// Shortest decimal that reads back as the same number, in parentheses if negative.
    fn constant(&self, x: f64) -> String {
        let text = format!("{x:?}");
        let text = match self.language {
            Language::Rust => format!("{text}_f64"),
            Language::Python | Language::C => text,
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
            Op::Powf | Op::Atan2 => self.call(op, &format!("{x}, {y}"), &x, &y),
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
            | Op::Abs => self.call(op, &x, &x, ""),
        }
    }

    fn call(&self, op: Op, arguments: &str, x: &str, y: &str) -> String {
        let (python, c, rust) = function(op);
        match self.language {
            Language::Python => format!("np.{python}({arguments})"),
            Language::C => format!("{c}({arguments})"),
            Language::Rust => format!("{x}.{rust}({y})"),
        }
    }

    /// −1, 0 or 1, as the tape has it.
    fn signum(&self, x: &str) -> String {
        match self.language {
            Language::Python => format!("np.sign({x})"),
            Language::C => format!("(double)(({x} > 0) - ({x} < 0))"),
            Language::Rust => format!("if {x} == 0.0 {{ 0.0 }} else {{ {x}.signum() }}"),
        }
    }
}

fn input(layout: &Layout, i: usize) -> String {
    let n = layout.coordinates;
    match i {
        0 => "t".to_string(),
        i if i <= n => format!("q[{}]", i - 1),
        i if i <= 2 * n => format!("v[{}]", i - 1 - n),
        i => format!("p[{}]", i - 1 - 2 * n),
    }
}

/// Names in NumPy, C and Rust.
#[rustfmt::skip]
fn function(op: Op) -> (&'static str, &'static str, &'static str) {
    match op {
        Op::Powf  => ("power",   "pow",   "powf"),
        Op::Atan2 => ("arctan2", "atan2", "atan2"),
        Op::Sin   => ("sin",     "sin",   "sin"),
        Op::Cos   => ("cos",     "cos",   "cos"),
        Op::Tan   => ("tan",     "tan",   "tan"),
        Op::Asin  => ("arcsin",  "asin",  "asin"),
        Op::Acos  => ("arccos",  "acos",  "acos"),
        Op::Atan  => ("arctan",  "atan",  "atan"),
        Op::Sinh  => ("sinh",    "sinh",  "sinh"),
        Op::Cosh  => ("cosh",    "cosh",  "cosh"),
        Op::Tanh  => ("tanh",    "tanh",  "tanh"),
        Op::Sqrt  => ("sqrt",    "sqrt",  "sqrt"),
        Op::Exp   => ("exp",     "exp",   "exp"),
        Op::Ln    => ("log",     "log",   "ln"),
        Op::Abs   => ("abs",     "fabs",  "abs"),
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg | Op::Signum => ("", "", ""),
    }
}
