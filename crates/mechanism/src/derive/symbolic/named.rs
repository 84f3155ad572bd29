//! Long expressions through named subexpressions: the tape's values as definitions s1, s2, .., in the order in which
//! they are computed. What is short, or used once and not long, stands where it is used.

use super::label::NamedTape;
use super::print::latex_name;
use crate::derive::equations::{Definition, Printed};
use crate::format::Mechanism;
use crate::model::Layout;
use crate::tape::{Op, View};
use std::collections::{BTreeMap, BTreeSet};

/// Up to this many characters an expression is written out wherever it is used.
const SHORT: usize = 16;
/// A value that a person would name has that name if it is longer than this.
const LABELLED: usize = 6;
/// Up to this many characters an expression that is used once is written out there.
const LINE: usize = 100;
/// Prefixes of the names, in order of preference; one is taken that no name of the mechanism has before digits.
const PREFIXES: [&str; 5] = ["s", "z", "w", "u", "s_"];

/// An expression in both notations, and how tightly it binds: sum 1, product 2, sign 3, power 4, atom 5.
#[derive(Clone)]
struct Piece {
    text: String,
    latex: String,
    strength: u8,
}

impl Piece {
    fn atom(text: impl Into<String>, latex: impl Into<String>) -> Self {
        Piece { text: text.into(), latex: latex.into(), strength: 5 }
    }

    /// In parentheses if it binds less tightly than `least`.
    fn within(&self, least: u8) -> (String, String) {
        if self.strength >= least {
            (self.text.clone(), self.latex.clone())
        } else {
            (format!("({})", self.text), format!("\\left({}\\right)", self.latex))
        }
    }

    fn printed(&self) -> Printed {
        Printed { text: self.text.clone(), latex: self.latex.clone() }
    }
}

/// Writes the outputs of a model's tape.
pub(super) struct NamedWriter {
    views: Vec<View>,
    outputs: Vec<usize>,
    /// How each value is written where it is used.
    pieces: Vec<Piece>,
    /// What the named ones stand for.
    meanings: Vec<Option<Piece>>,
    needed: BTreeSet<usize>,
}

impl NamedWriter {
    pub(super) fn new(named: &NamedTape, mechanism: &Mechanism) -> Self {
        let views: Vec<View> = named.tape.values().collect();
        let uses = uses(&views);
        let labels = labels(named, &views, mechanism);
        let mut writer = NamedWriter {
            outputs: named.tape.output_values().collect(),
            pieces: Vec::with_capacity(views.len()),
            meanings: Vec::with_capacity(views.len()),
            needed: BTreeSet::new(),
            views,
        };
        let (prefix, inputs) = (prefix(mechanism), input_names(&named.layout, mechanism));
        for i in 0..writer.views.len() {
            let piece = writer.piece(writer.views[i], &inputs);
            let length = piece.text.len();
            if let Some(label) = labels.get(&i).filter(|_| length > LABELLED) {
                writer.pieces.push(Piece::atom(&label.text, &label.latex));
                writer.meanings.push(Some(piece));
            } else if length <= SHORT || (uses[i] <= 1 && length <= LINE) {
                writer.pieces.push(piece);
                writer.meanings.push(None);
            } else {
                writer.pieces.push(Piece::atom(format!("{prefix}{i}"), format!("{}_{{{i}}}", &prefix[..1])));
                writer.meanings.push(Some(piece));
            }
        }
        writer
    }

    /// An output of the tape.
    pub(super) fn output(&mut self, slot: usize) -> Printed {
        let value = self.outputs[slot];
        self.need(value);
        self.pieces[value].printed()
    }

    /// The definitions that the outputs asked for need, each before its use.
    pub(super) fn definitions(&self) -> Vec<Definition> {
        let named = self.needed.iter().filter_map(|&i| Some((i, self.meanings[i].as_ref()?)));
        named
            .map(|(i, meaning)| Definition { name: self.pieces[i].printed(), value: meaning.printed() })
            .collect()
    }

    fn need(&mut self, value: usize) {
        let mut open = vec![value];
        while let Some(i) = open.pop() {
            if let (true, View::Node(op, a, b)) = (self.needed.insert(i), self.views[i]) {
                open.push(a);
                open.extend(op.is_binary().then_some(b));
            }
        }
    }

    fn piece(&self, view: View, inputs: &[Piece]) -> Piece {
        match view {
            View::Input(i) => inputs[i].clone(),
            View::Constant(x) => constant(x),
            View::Node(op, a, b) => operation(op, &self.pieces[a], &self.pieces[b]),
        }
    }
}

/// The values that a person would name: definitions come by themselves, axes and places of frames, and sines of sums. A name
/// that something else has is not given again.
fn labels(named: &NamedTape, views: &[View], mechanism: &Mechanism) -> BTreeMap<usize, Printed> {
    let names = mechanism.names();
    let mut taken: BTreeSet<String> = names.all().map(String::from).collect();
    let mut labels = BTreeMap::new();
    let frames = named.tape.output_values().skip(named.first).zip(named.names.iter().cloned());
    let sines = (0..views.len()).filter_map(|i| Some((i, sine_of_sum(views, i, mechanism)?)));
    for (value, label) in frames.chain(sines) {
        let is_operation = matches!(views[value], View::Node(..));
        if is_operation && !labels.contains_key(&value) && taken.insert(label.text.clone()) {
            labels.insert(value, label);
        }
    }
    labels
}

/// The name of a sine or cosine of a sum of coordinates: `sin_a_b`.
fn sine_of_sum(views: &[View], i: usize, mechanism: &Mechanism) -> Option<Printed> {
    let View::Node(op @ (Op::Sin | Op::Cos), sum, _) = views[i] else { return None };
    let mut terms = Vec::new();
    let mut open = vec![sum];
    while let Some(k) = open.pop() {
        match views[k] {
            View::Node(Op::Add, a, b) => open.extend([b, a]),
            View::Input(k) => terms.push(&mechanism.coordinates.get(k.checked_sub(1)?)?.name),
            View::Constant(_) | View::Node(..) => return None,
        }
    }
    let words: Vec<&str> = terms.iter().map(|s| s.as_str()).collect();
    let symbols: Vec<String> = words.iter().map(|w| latex_name(w)).collect();
    let (name, letter) = if op == Op::Sin { ("sin", "s") } else { ("cos", "c") };
    let short = (words.len() > 1).then(|| format!("{name}_{}", words.join("_")))?;
    Some(Printed { text: short, latex: format!("{letter}_{{{}}}", symbols.join("")) })
}

/// How often each value is an operand.
fn uses(views: &[View]) -> Vec<usize> {
    let mut uses = vec![0; views.len()];
    for view in views {
        if let View::Node(op, a, b) = *view {
            uses[a] += 1;
            if op.is_binary() {
                uses[b] += 1;
            }
        }
    }
    uses
}

fn prefix(mechanism: &Mechanism) -> &'static str {
    let names = mechanism.names();
    let taken = |prefix: &&&str| {
        let begins = |n: &String| {
            n.strip_prefix(**prefix).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()))
        };
        names.parameters.iter().chain(&names.coordinates).any(begins)
    };
    PREFIXES.iter().find(|p| !taken(p)).copied().unwrap_or("subexpression_")
}

/// t, q, v and the parameters, in the order of the tape's inputs.
fn input_names(layout: &Layout, mechanism: &Mechanism) -> Vec<Piece> {
    let mut names = vec![Piece::atom("t", "t")];
    let coordinates = || mechanism.coordinates.iter().map(|c| c.name.as_str());
    names.extend(coordinates().map(|c| Piece::atom(c, latex_name(c))));
    names.extend(
        coordinates().map(|c| Piece::atom(format!("dot({c})"), format!("\\dot{{{}}}", latex_name(c)))),
    );
    names.extend(mechanism.parameters.iter().map(|p| Piece::atom(p.name.as_str(), latex_name(&p.name))));
    debug_assert_eq!(names.len(), layout.inputs());
    names
}

/// The shortest decimal that reads back as the same number.
fn constant(x: f64) -> Piece {
    let text = format!("{x:?}");
    let text = text.strip_suffix(".0").unwrap_or(&text).to_string();
    let latex = match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{mantissa} \\cdot 10^{{{exponent}}}"),
        None => text.clone(),
    };
    let strength = if x < 0.0 {
        3
    } else if latex.len() > text.len() {
        2
    } else {
        5
    };
    Piece { text, latex, strength }
}

fn operation(op: Op, x: &Piece, y: &Piece) -> Piece {
    let join = |left: u8, right: u8, sign: &str, latex_sign: &str, strength: u8| {
        let ((a, c), (b, d)) = (x.within(left), y.within(right));
        Piece { text: format!("{a}{sign}{b}"), latex: format!("{c}{latex_sign}{d}"), strength }
    };
    match op {
        // a sign after an operator stands in parentheses
        Op::Add => join(1, if y.text.starts_with('-') { 4 } else { 1 }, " + ", " + ", 1),
        Op::Sub => join(1, if y.text.starts_with('-') { 4 } else { 2 }, " - ", " - ", 1),
        Op::Mul => join(2, 4, "*", " ", 2),
        Op::Div => {
            let ((a, _), (b, _)) = (x.within(2), y.within(4));
            let latex = format!("\\frac{{{}}}{{{}}}", x.latex, y.latex);
            Piece { text: format!("{a}/{b}"), latex, strength: 2 }
        }
        Op::Neg => {
            let (text, latex) = x.within(4);
            Piece { text: format!("-{text}"), latex: format!("-{latex}"), strength: 3 }
        }
        Op::Powf => {
            let ((a, c), (b, _)) = (x.within(5), y.within(5));
            Piece { text: format!("{a}^{b}"), latex: format!("{{{c}}}^{{{}}}", y.latex), strength: 4 }
        }
        Op::Where => Piece::atom(
            format!("if({} > 0, {}, 0)", x.text, y.text),
            format!("\\left[{} > 0\\right]\\left({}\\right)", x.latex, y.latex),
        ),
        Op::Min => Piece::atom(
            format!("min({}, {})", x.text, y.text),
            format!("\\min\\left({}, {}\\right)", x.latex, y.latex),
        ),
        Op::Atan2 => Piece::atom(
            format!("atan2({}, {})", x.text, y.text),
            format!("\\operatorname{{atan2}}\\left({}, {}\\right)", x.latex, y.latex),
        ),
        _ => {
            let (text, latex) = function(op);
            Piece::atom(format!("{text}({})", x.text), format!("{latex}\\left({}\\right)", x.latex))
        }
    }
}

/// Names in the expression language and in LaTeX; what a sign is called.
#[rustfmt::skip]
fn function(op: Op) -> (&'static str, &'static str) {
    match op {
        Op::Sin => ("sin", "\\sin"),       Op::Cos => ("cos", "\\cos"),       Op::Tan => ("tan", "\\tan"),
        Op::Asin => ("asin", "\\arcsin"),  Op::Acos => ("acos", "\\arccos"),  Op::Atan => ("atan", "\\arctan"),
        Op::Sinh => ("sinh", "\\sinh"),    Op::Cosh => ("cosh", "\\cosh"),    Op::Tanh => ("tanh", "\\tanh"),
        Op::Sqrt => ("sqrt", "\\operatorname{sqrt}"),                         Op::Exp => ("exp", "\\exp"),
        Op::Ln => ("log", "\\ln"),         Op::Abs => ("abs", "\\operatorname{abs}"),
        Op::Signum => ("sign", "\\operatorname{sgn}"),
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg | Op::Powf | Op::Atan2 | Op::Min | Op::Where => ("", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Span;
    use crate::expression::{Env, Names, Scope, SourceMap, parse};

    const BINARY: [Op; 8] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Powf, Op::Atan2, Op::Min, Op::Where];

    /// Every operation of every pair of operations of numbers, with their values.
    fn nested() -> Vec<(Piece, f64)> {
        let leaves = || [0.5, 2.0, -3.0, 0.07].map(|x| (constant(x), x)).to_vec();
        let step = |below: &[(Piece, f64)]| {
            let mut all: Vec<(Piece, f64)> = Vec::new();
            for (i, (x, a)) in below.iter().enumerate() {
                all.extend([Op::Neg, Op::Sin].map(|op| (operation(op, x, x), op.apply(*a, *a))));
                for (y, b) in below.iter().skip(i % 7).step_by(7) {
                    all.extend(BINARY.map(|op| (operation(op, x, y), op.apply(*a, *b))));
                    all.extend(BINARY.map(|op| (operation(op, y, x), op.apply(*b, *a))));
                }
            }
            all
        };
        let first: Vec<_> = leaves().into_iter().chain(step(&leaves())).collect();
        step(&first)
    }

    #[test]
    fn parentheses_keep_the_order_of_operations() {
        let names = Names::default();
        let all = nested();
        assert!(all.len() > 1000);
        for (piece, expected) in all {
            let expr =
                parse(&piece.text, &Scope::constant(&names, "a piece"), &SourceMap::Whole(Span::default()));
            let value =
                expr.unwrap().eval(&Env { t: 0.0, q: &[], v: &[], parameters: &[], definitions: &[] });
            // sums of sums are printed without parentheses, which changes their rounding
            let near = (value - expected).abs() <= 1e-9 * (1.0 + expected.abs());
            assert!(
                near || value.to_bits() == expected.to_bits() || (value.is_nan() && expected.is_nan()),
                "{}: {value}, {expected}",
                piece.text
            );
        }
    }
}
