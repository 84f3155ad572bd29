//! The quantities of a statement as definitions: inputs that vary are variables, operations are functions of all of them.

use super::super::certificate::Subject;
use super::super::exact::Exact;
use super::super::statement::{Constant, Input, Statement, meant};
use super::CoqFault;
use crate::tape::{Op, View};
use std::fmt::Write;

/// The names of the tape's values.
pub(super) struct Names {
    /// Of each value; operations and shares are functions of all variables.
    values: Vec<String>,
    /// Which values are.
    functions: Vec<bool>,
    /// Inputs that vary, with their ranges, then constants that were rounded, with theirs.
    pub(super) variables: Vec<(String, String, String)>,
    /// Of the inputs that vary alone.
    pub(super) varying: usize,
    /// Inputs of the mechanism; those behind them are shares, and constants that stand as they are.
    own: usize,
    /// Value of each output.
    pub(super) outputs: Vec<usize>,
}

impl Names {
    pub(super) fn new(subject: &Subject<'_>, statement: &Statement) -> Self {
        let mut variables = Vec::new();
        let own = subject.names.len();
        let label = |i: usize| {
            if i >= own {
                return match &statement.inputs[i] {
                    Input::Value(value) => real(value),
                    Input::Range(..) | Input::Share(_) => format!("u_{i}"),
                };
            }
            let name = plain(&subject.names[i]);
            let twice = subject.names.iter().filter(|other| plain(other) == name).count() > 1;
            if twice || is_taken(&name) { format!("{name}_{i}") } else { name }
        };
        for (i, input) in statement.inputs.iter().enumerate() {
            if let Input::Range(lo, hi) = input {
                variables.push((label(i), real(lo), real(hi)));
            }
        }
        let varying = variables.len();
        let mut values = Vec::new();
        for view in statement.tape.values() {
            let place = values.len();
            values.push(match view {
                View::Input(i) => label(i),
                View::Constant(x) => {
                    let range = match meant(x) {
                        Constant::Exact(x) => {
                            values.push(real(&x));
                            continue;
                        }
                        Constant::Within(range) => range,
                    };
                    let name = format!("c_{place}");
                    let ends = [range.lo, range.hi].map(|x| real(&Exact::double(x)));
                    variables.push((name.clone(), ends[0].clone(), ends[1].clone()));
                    name
                }
                View::Node(..) => format!("v_{place}"),
            });
        }
        let function = |view| match view {
            View::Node(..) => true,
            View::Input(i) => matches!(statement.inputs[i], Input::Share(_)),
            View::Constant(_) => false,
        };
        let functions = statement.tape.values().map(function).collect();
        let outputs = statement.tape.output_values().collect();
        Names { values, functions, variables, varying, own, outputs }
    }

    /// All variables.
    pub(super) fn list(&self) -> String {
        self.list_of(self.variables.len())
    }

    /// The first of the variables.
    pub(super) fn list_of(&self, count: usize) -> String {
        self.variables[..count].iter().map(|v| v.0.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// A tactic about what varies, as it is called.
    pub(super) fn call(&self, tactic: &str) -> String {
        format!("{tactic} {}", self.list_of(self.varying)).trim_end().to_string()
    }

    /// That the tactic `interval` is to halve what varies.
    pub(super) fn halved(&self) -> String {
        self.variables[..self.varying].iter().map(|v| format!("i_bisect {}, ", v.0)).collect()
    }

    /// The tactic `interval` with bounds by slopes along the first of some sides, halving all of them.
    pub(super) fn bounds_along(&self, sides: impl Fn(usize) -> bool) -> String {
        let mut along = (0..self.varying).filter(|&side| sides(side)).map(|side| &self.variables[side].0);
        let halved: String = along.clone().map(|name| format!("i_bisect {name}, ")).collect();
        let slope = along.next().map_or_else(String::new, |name| format!("i_autodiff {name}, "));
        format!("interval with ({halved}{slope}i_prec 80, i_depth 30)")
    }

    /// For all variables in their ranges, lines of a theorem.
    pub(super) fn quantified(&self) -> String {
        let mut text = String::new();
        if !self.variables.is_empty() {
            let _ = write!(text, " forall {} : R,", self.list());
        }
        text += "\n";
        for (name, lo, hi) in &self.variables {
            let _ = writeln!(text, "  {lo} <= {name} <= {hi} ->");
        }
        text
    }

    /// Definitions of held inputs and of operations.
    pub(super) fn define(&self, statement: &Statement, text: &mut String) -> Result<(), CoqFault> {
        let binder =
            if self.variables.is_empty() { String::new() } else { format!(" ({} : R)", self.list()) };
        let read = |i: &usize| statement.tape.reads(*i).contains(&true);
        for i in (0..statement.inputs.len()).filter(read) {
            let _ = match &statement.inputs[i] {
                Input::Value(value) if i < self.own => {
                    writeln!(text, "Definition {} : R := {}.", self.values[i], real(value))
                }
                Input::Share(of) => {
                    writeln!(
                        text,
                        "Definition {}{binder} : R := {}.",
                        self.values[i],
                        self.share(statement, *of)
                    )
                }
                Input::Value(_) | Input::Range(..) => Ok(()),
            };
        }
        for (place, view) in statement.tape.values().enumerate() {
            if let View::Node(op, a, b) = view {
                let meaning = operation(op, &self.term(a), &self.term(b))?;
                let _ = writeln!(text, "Definition {}{binder} : R := {meaning}.", self.values[place]);
            }
        }
        Ok(())
    }

    /// (x − lo)/(hi − lo), as a product where that is a fraction: `lra` knows it then.
    fn share(&self, statement: &Statement, of: usize) -> String {
        let Input::Range(lo, hi) = &statement.inputs[of] else { return "0".to_string() };
        let factor = match (lo.as_rational(), hi.as_rational()) {
            (Some(lo), Some(hi)) => real(&Exact::rational((hi - lo).recip())),
            _ => format!("(1 / ({} - {}))", real(hi), real(lo)),
        };
        format!("({} - {}) * {factor}", self.values[of], real(lo))
    }

    /// A value where all variables have their names.
    pub(super) fn term(&self, value: usize) -> String {
        let name = &self.values[value];
        if self.functions[value] && !self.variables.is_empty() {
            format!("({name} {})", self.list())
        } else {
            name.clone()
        }
    }

    pub(super) fn output(&self, output: usize) -> String {
        self.term(self.outputs[output])
    }

    /// What is defined of some values, in an order in which it can be unfolded.
    pub(super) fn unfolded(&self, statement: &Statement, of: impl Fn(usize) -> bool) -> String {
        let value = |i: &usize| *i < self.own && matches!(statement.inputs[*i], Input::Value(_));
        let read = |i: &usize| statement.inputs.len() <= *i || statement.tape.reads(*i).contains(&true);
        let all =
            (0..self.values.len()).rev().filter(|i| (self.functions[*i] || value(i)) && read(i) && of(*i));
        all.map(|i| self.values[i].as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// Names that mean something else in Coq, or in what is written here.
const TAKEN: [&str; 32] = [
    "G", "H", "I", "N", "O", "R", "S", "PI", "Rabs", "True", "False", "all", "as", "at", "atan", "by",
    "claim", "cos", "exp", "fix", "for", "form", "if", "in", "ln", "part", "signs", "sin", "sqrt", "tan",
    "then", "with",
];

/// Whether a name may stand for something else: as operations, constants, shares, lemmas and hypotheses do that are written here.
fn is_taken(name: &str) -> bool {
    let digits = name.trim_start_matches(['E', 'H', 'R', 'T', 'Z']);
    let is_hypothesis = digits.len() + 1 == name.len() && digits.bytes().all(|c| c.is_ascii_digit());
    let is_numbered = ["v_", "c_", "u_", "same_", "quotient_"].iter().any(|first| name.starts_with(first));
    is_hypothesis || is_numbered || TAKEN.contains(&name)
}

/// Letters and digits of a name: `dot(x)` is `dot_x`.
fn plain(name: &str) -> String {
    let kept: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    kept.trim_end_matches('_').to_string()
}

/// A number as Coq reads it.
pub(super) fn real(x: &Exact) -> String {
    format!("({})", x.to_string().replace("pi", "PI"))
}

fn operation(op: Op, a: &str, b: &str) -> Result<String, CoqFault> {
    let name = |name: &str| Ok(format!("{name} {a}"));
    match op {
        Op::Add => Ok(format!("{a} + {b}")),
        Op::Sub => Ok(format!("{a} - {b}")),
        Op::Mul => Ok(format!("{a} * {b}")),
        Op::Div => Ok(format!("{a} / {b}")),
        Op::Neg => Ok(format!("- {a}")),
        Op::Sin => name("sin"),
        Op::Cos => name("cos"),
        Op::Tan => name("tan"),
        Op::Sqrt => name("sqrt"),
        Op::Exp => name("exp"),
        Op::Ln => name("ln"),
        Op::Atan => name("atan"),
        Op::Abs => name("Rabs"),
        Op::Signum | Op::Min | Op::Where => Err(CoqFault::Operation("a case distinction")),
        _ => Err(CoqFault::Operation("an inverse or hyperbolic function, or a power that is no integer")),
    }
}

#[cfg(test)]
mod tests {
    use super::is_taken;

    #[test]
    fn names_that_are_written_here_are_no_names_of_inputs() {
        assert!(["E0", "R12", "T", "v_3", "same_1", "signs", "PI"].into_iter().all(is_taken));
        assert!(!["x1", "mu", "E_kin", "Radius", "HE1", "theta"].into_iter().any(is_taken));
    }
}
