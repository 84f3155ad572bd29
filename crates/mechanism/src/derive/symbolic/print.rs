//! Atoms as text in the expression language, and as LaTeX.
//!
//! Factors are put in the order of a textbook: numbers, parameters, time and coordinates, functions, velocities,
//! sums; what has a negative power goes under the fraction bar.

use super::algebra::{Algebra, Meaning};
use super::function::Operation;
use crate::format::Mechanism;
use symbolica::atom::{Atom, AtomCore, AtomView};

/// How expressions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// The expression language of the format.
    Text,
    /// LaTeX.
    Latex,
}

/// Writes atoms with the names of a mechanism.
pub(super) struct Printer<'a> {
    algebra: &'a Algebra,
    coordinates: Vec<&'a str>,
    parameters: Vec<&'a str>,
    definitions: Vec<&'a str>,
    notation: Notation,
}

/// A factor: its place in the product, its base, its power.
struct Factor {
    place: (u8, usize),
    base: String,
    power: i64,
    is_sum: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn new(algebra: &'a Algebra, mechanism: &'a Mechanism, notation: Notation) -> Self {
        let coordinates = mechanism.coordinates.iter().map(|c| c.name.as_str()).collect();
        let parameters = mechanism.parameters.iter().map(|p| p.name.as_str()).collect();
        let definitions = mechanism.definitions.names.iter().map(String::as_str).collect();
        Printer { algebra, coordinates, parameters, definitions, notation }
    }

    /// The expression as a string.
    pub(super) fn print(&self, atom: &Atom) -> String {
        self.view(atom.as_view())
    }

    fn view(&self, view: AtomView<'_>) -> String {
        match view {
            AtomView::Add(terms) => self.sum(terms.iter()),
            other => self.product(other),
        }
    }

    /// Terms joined by their signs; a positive one first, if there is any.
    fn sum<'v>(&self, terms: impl Iterator<Item = AtomView<'v>>) -> String {
        let mut written: Vec<String> = terms.map(|t| self.product(t)).collect();
        written.sort_by_key(|t| t.starts_with('-'));
        let mut text = String::new();
        for term in written {
            match (text.is_empty(), term.strip_prefix('-')) {
                (true, _) => text.push_str(&term),
                (false, Some(size)) => text.push_str(&format!(" - {size}")),
                (false, None) => text.push_str(&format!(" + {term}")),
            }
        }
        text
    }

    fn product(&self, view: AtomView<'_>) -> String {
        let (mut factors, mut number) = (Vec::new(), (String::from("1"), String::from("1")));
        let mut negative = false;
        let mut take = |factor: AtomView<'_>| match factor {
            AtomView::Num(_) => {
                let text = factor.to_canonical_string();
                negative = text.starts_with('-');
                let size = text.trim_start_matches('-');
                let (over, under) = size.split_once('/').unwrap_or((size, "1"));
                number = (over.to_string(), under.to_string());
            }
            other => factors.push(self.factor(other)),
        };
        match view {
            AtomView::Mul(product) => product.iter().for_each(&mut take),
            other => take(other),
        }
        factors.sort_by(|a, b| a.place.cmp(&b.place).then_with(|| a.base.cmp(&b.base)));
        let text = self.fraction(&factors, number);
        if negative { format!("-{text}") } else { text }
    }

    fn fraction(&self, factors: &[Factor], number: (String, String)) -> String {
        let side = |number: String, wanted: bool| {
            let chosen = factors.iter().filter(|f| (f.power > 0) == wanted);
            let mut parts: Vec<String> = chosen.map(|f| self.raised(f)).collect();
            if number != "1" {
                parts.insert(0, number);
            }
            parts
        };
        let (over, under) = (side(number.0, true), side(number.1, false));
        let lone_sum = |wanted: bool| {
            let mut chosen = factors.iter().filter(|f| (f.power > 0) == wanted);
            chosen.next().filter(|f| f.is_sum && f.power.abs() == 1).map(|f| f.base.clone())
        };
        match self.notation {
            Notation::Text => {
                let top = if over.is_empty() { "1".to_string() } else { over.join("*") };
                match under.len() {
                    0 => top,
                    1 => format!("{top}/{}", under[0]),
                    _ => format!("{top}/({})", under.join("*")),
                }
            }
            Notation::Latex => {
                let bare = |parts: &[String], wanted: bool| match (parts.len(), lone_sum(wanted)) {
                    (0, _) => "1".to_string(),
                    (1, Some(sum)) => sum,
                    _ => parts.join(" "),
                };
                if under.is_empty() {
                    return if over.is_empty() { "1".to_string() } else { over.join(" ") };
                }
                format!("\\frac{{{}}}{{{}}}", bare(&over, true), bare(&under, false))
            }
        }
    }

    fn raised(&self, factor: &Factor) -> String {
        let base = match (factor.is_sum, self.notation) {
            (false, _) => factor.base.clone(),
            (true, Notation::Text) => format!("({})", factor.base),
            (true, Notation::Latex) => format!("\\left({}\\right)", factor.base),
        };
        match (factor.power.abs(), self.notation) {
            (1, _) => base,
            (n, Notation::Text) => format!("{base}^{n}"),
            (n, Notation::Latex) => latex_power(&base, n),
        }
    }

    fn factor(&self, view: AtomView<'_>) -> Factor {
        match view {
            AtomView::Pow(p) => {
                let (base, exponent) = p.get_base_exp();
                let power = i64::try_from(exponent).unwrap_or(1);
                Factor { power, ..self.factor(base) }
            }
            AtomView::Var(v) => {
                let (place, base) = match self.algebra.meaning(v.get_symbol()) {
                    Some(meaning) => self.symbol(meaning),
                    None => ((9, 0), v.get_symbol().to_string()),
                };
                Factor { place, base, power: 1, is_sum: false }
            }
            other => Factor { place: (6, 0), base: self.view(other), power: 1, is_sum: true },
        }
    }

    fn symbol(&self, meaning: Meaning) -> ((u8, usize), String) {
        let latex = self.notation == Notation::Latex;
        match meaning {
            Meaning::Pi => ((0, 0), if latex { "\\pi".into() } else { "pi".into() }),
            Meaning::Parameter(i) => ((1, i), self.name(self.parameters[i])),
            Meaning::Time => ((2, 0), "t".into()),
            Meaning::Coordinate(i) => ((3, i), self.name(self.coordinates[i])),
            Meaning::Generator(k) => ((4, k), self.function(k)),
            Meaning::Rate(i) if latex => ((5, i), format!("\\dot{{{}}}", self.name(self.coordinates[i]))),
            Meaning::Rate(i) => ((5, i), format!("dot({})", self.coordinates[i])),
        }
    }

    fn name(&self, name: &str) -> String {
        match self.notation {
            Notation::Text => name.to_string(),
            Notation::Latex => latex_name(name),
        }
    }

    fn function(&self, k: usize) -> String {
        if let Some(name) = self.algebra.definition_of(k).and_then(|i| self.definitions.get(i)) {
            return self.name(name);
        }
        let generator = self.algebra.generator(k);
        let arguments: Vec<String> = generator.arguments.iter().map(|a| self.print(a)).collect();
        match (generator.operation, self.notation) {
            (Operation::Power, Notation::Text) => format!("(({})^({}))", arguments[0], arguments[1]),
            (Operation::Power, Notation::Latex) => {
                format!("{{\\left({}\\right)}}^{{{}}}", arguments[0], arguments[1])
            }
            (Operation::Name, Notation::Text) => format!("({})", arguments[0]),
            (Operation::Name, Notation::Latex) => format!("\\left({}\\right)", arguments[0]),
            (Operation::Sqrt, Notation::Latex) => format!("\\sqrt{{{}}}", arguments[0]),
            (Operation::Where, Notation::Text) => format!("if({} > 0, {}, 0)", arguments[0], arguments[1]),
            (Operation::Where, Notation::Latex) => {
                format!("\\left[{} > 0\\right]\\left({}\\right)", arguments[0], arguments[1])
            }
            (operation, Notation::Text) => format!("{}({})", text_function(operation), arguments.join(", ")),
            (operation, Notation::Latex) => latex_call(operation, &arguments.join(", ")),
        }
    }
}

fn latex_power(base: &str, n: i64) -> String {
    // \sin x to a power has the power at the function's name
    for name in ["\\sin", "\\cos", "\\tan"] {
        if let Some(rest) = base.strip_prefix(name).filter(|r| !r.starts_with('h')) {
            return format!("{name}^{{{n}}}{rest}");
        }
    }
    if base.contains('_') { format!("{{{base}}}^{{{n}}}") } else { format!("{base}^{{{n}}}") }
}

fn latex_call(operation: Operation, argument: &str) -> String {
    let name = match operation {
        Operation::Asin => "\\arcsin".to_string(),
        Operation::Acos => "\\arccos".to_string(),
        Operation::Atan => "\\arctan".to_string(),
        Operation::Atan2 => "\\operatorname{atan2}".to_string(),
        Operation::Log => "\\ln".to_string(),
        Operation::Abs => return format!("\\left|{argument}\\right|"),
        Operation::Signum => "\\operatorname{sgn}".to_string(),
        other => format!("\\{}", text_function(other)),
    };
    let simple = !argument.contains(' ') && !argument.contains("frac");
    let (open, close) = if simple { (" ", "") } else { ("\\left(", "\\right)") };
    format!("{name}{open}{argument}{close}")
}

fn text_function(operation: Operation) -> &'static str {
    match operation {
        Operation::Sin => "sin",
        Operation::Cos => "cos",
        Operation::Tan => "tan",
        Operation::Asin => "asin",
        Operation::Acos => "acos",
        Operation::Atan => "atan",
        Operation::Atan2 => "atan2",
        Operation::Sinh => "sinh",
        Operation::Cosh => "cosh",
        Operation::Tanh => "tanh",
        Operation::Sqrt => "sqrt",
        Operation::Exp => "exp",
        Operation::Log => "log",
        Operation::Abs => "abs",
        Operation::Signum => "sign",
        Operation::Min => "min",
        Operation::Max => "max",
        Operation::Where => "if",
        Operation::Power => "pow",
        Operation::Name => "",
    }
}

const GREEK: [&str; 27] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta",
    "Phi", "Omega",
];

/// theta → \theta, m0 → m_{0}, k_spring → k_{\mathrm{spring}}.
pub(super) fn latex_name(name: &str) -> String {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let (stem, index) = match name.split_once('_') {
        Some((stem, index)) if !stem.is_empty() && !index.is_empty() => (stem, index),
        _ => (letters, &name[letters.len()..]),
    };
    let stem = match stem {
        greek if GREEK.contains(&greek) => format!("\\{greek}"),
        letter if letter.len() == 1 => letter.to_string(),
        word => format!("\\mathrm{{{}}}", word.replace('_', "\\_")),
    };
    match index {
        "" => stem,
        index if index.len() == 1 || index.chars().all(|c| c.is_ascii_digit()) => {
            format!("{stem}_{{{index}}}")
        }
        index => format!("{stem}_{{\\mathrm{{{}}}}}", index.replace('_', "\\_")),
    }
}
