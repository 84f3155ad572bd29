//! A proven claim as a file for Coq, with `coq-interval`: the quantities as real functions, the claim as a theorem, our halvings as its
//! proof, and the tactic `interval` in each part. What its kernel accepts needs neither the search nor the checker to be believed.

mod forms;
mod names;

use super::certificate::Subject;
use super::exact::Exact;
use super::formula::{Formula, Truth};
use super::judge::Judge;
use super::search::{Proof, Verdict};
use super::statement::Statement;
use super::tree::halved;
use crate::num::Interval;
use forms::{call, call_quotient, differ, lemmas};
use names::{Names, real};
use std::fmt::Write;

/// Parts under which the tactic halves by itself.
const LEFT_TO_TACTIC: usize = 8;

/// The tactic that shows a sign in a part.
const HALVING: &str = "part";

/// Why there is no such file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CoqFault {
    /// Only what holds has a proof.
    #[error("only what is proven, or vacuous, has a proof")]
    Unproven,
    /// The proof needs another form of a quantity.
    #[error(
        "the proof writes quantities in another form, and that these are the same is not shown to Coq of angles with a phase"
    )]
    Identity,
    /// An operation for which the tactic has no bounds.
    #[error("the equations have {0}, which the tactic `interval` does not know")]
    Operation(&'static str),
}

/// The file.
///
/// # Errors
/// [`CoqFault`] if there is no proof, or the tactic does not know an operation.
pub fn coq(subject: &Subject<'_>, statement: &Statement, proof: &Proof) -> Result<String, CoqFault> {
    if !matches!(proof.verdict, Verdict::Proven | Verdict::Vacuous) {
        return Err(CoqFault::Unproven);
    }
    let statement = proof.restated.as_ref().unwrap_or(statement);
    let names = Names::new(subject, statement);
    let mut text = head(subject);
    names.define(statement, &mut text)?;
    lemmas(statement, &names, &mut text)?;
    let writer = Writer { statement, names: &names };
    writer.theorem(proof, &mut text);
    Ok(text)
}

fn head(subject: &Subject<'_>) -> String {
    let words = |text: &str| text.replace("(*", "( *").replace("*)", "* )");
    let mut text = format!("(* {}: {}", words(subject.mechanism), words(subject.claim));
    if !subject.given.is_empty() {
        let _ = write!(text, ", given {}", words(&subject.given.join(", ")));
    }
    if !subject.closed.is_empty() {
        let _ = write!(text, "; closed: {}", words(&subject.closed.join(", ")));
    }
    if !subject.texts.is_empty() {
        let _ = write!(text, "; where {}", words(&subject.follows().join(", ")));
    }
    text += ".\n   Checked by `coqc` with coq-interval. *)\n";
    text + "From Coq Require Import Reals Lra.\nFrom Interval Require Import Tactic.\nOpen Scope R_scope.\n\n"
}

struct Writer<'w> {
    statement: &'w Statement,
    names: &'w Names,
}

impl Writer<'_> {
    fn theorem(&self, proof: &Proof, text: &mut String) {
        let (names, statement) = (self.names, self.statement);
        *text += "\n";
        *text += &self.tactic();
        let _ = write!(text, "\nTheorem claim :{}", names.quantified());
        for &zero in &statement.zero {
            let _ = writeln!(text, "  {} = 0 ->", names.output(zero));
        }
        let _ = writeln!(text, "  {} ->", self.formula(&statement.assumed));
        let _ = writeln!(text, "  {}.\nProof.", self.formula(&statement.claimed));
        let ranges = (0..names.variables.len()).map(|i| format!("R{i}"));
        let zeros = (0..statement.zero.len()).map(|i| format!("Z{i}"));
        let variables = names.variables.iter().map(|v| v.0.clone());
        let all: Vec<String> = variables.chain(ranges).chain(zeros).chain(["G".to_string()]).collect();
        let _ = writeln!(text, "intros {}.", all.join(" "));
        let mut judge = Judge::new(statement);
        let mut walk = Walk { judge: &mut judge, letters: proof.tree.chars().collect(), next: 0 };
        self.part(&mut walk, &vec![[0.0, 1.0]; names.varying], text);
        *text += "Qed.\n\nPrint Assumptions claim.\n";
    }

    /// The proof in a part of the box.
    fn part(&self, walk: &mut Walk<'_, '_>, shares: &[[f64; 2]], text: &mut String) {
        let Some(&letter) = walk.letters.get(walk.next) else { return };
        let plain = self.statement.same.is_empty() && self.is_plain(&self.statement.claimed);
        if plain && walk.holds(LEFT_TO_TACTIC) {
            self.shown(&self.statement.claimed, &mut |_| Interval { lo: 1.0, hi: 1.0 }, text);
            return;
        }
        walk.next += 1;
        match letter.to_digit(36) {
            Some(digit) if letter.is_ascii_alphanumeric() => {
                let j = digit as usize;
                let halves = halved(shares, j);
                let middle = halves[0][j][1];
                let name = &self.names.variables[j].0;
                // bounds of a part stand beside those of its halves: each name once
                let at = walk.next;
                let _ =
                    writeln!(text, "destruct (Rle_or_lt {name} {}) as [H{at}|H{at}].", self.place(j, middle));
                for shares in halves {
                    *text += "{ ";
                    self.part(walk, &shares, text);
                    *text += "}\n";
                }
            }
            _ => self.leaf(walk, shares, text),
        }
    }

    /// Halves of a side.
    fn place(&self, j: usize, share: f64) -> String {
        let (lo, hi) = self.statement.ranges()[j];
        Exact::between(lo, hi, share).map_or_else(
            || format!("({} + ({} - {}) * {})", real(lo), real(hi), real(lo), real(&Exact::double(share))),
            |middle| real(&middle),
        )
    }

    fn leaf(&self, walk: &mut Walk<'_, '_>, shares: &[[f64; 2]], text: &mut String) {
        let (judged, ranges) = walk.judge.ranges(shares);
        let mut range = |i: usize| ranges[i];
        if judged {
            self.shown(&self.statement.claimed, &mut range, text);
            return;
        }
        *text += "exfalso. ";
        let impossible = self.statement.zero.iter().position(|&i| !ranges[i].contains(0.0));
        match impossible {
            Some(k) => {
                let output = self.statement.zero[k];
                let sign = if ranges[output].lo > 0.0 { ">" } else { "<" };
                let _ = write!(
                    text,
                    "assert (N : {} {sign} 0) by ({}). lra. ",
                    self.names.output(output),
                    self.call(output, &mut range)
                );
            }
            None => self.denied(&self.statement.assumed, &mut range, "G", text),
        }
    }

    /// Whether a formula is made of signs that all have to hold.
    fn is_plain(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Positive(_) | Formula::NonNegative(_) => true,
            Formula::All(parts) => parts.iter().all(|part| self.is_plain(part)),
            Formula::Any(_) => false,
        }
    }

    /// Shows a formula that holds.
    fn shown(&self, formula: &Formula, range: &mut impl FnMut(usize) -> Interval, text: &mut String) {
        match formula {
            Formula::Positive(i) | Formula::NonNegative(i) => {
                let _ = write!(text, "{}. ", self.call(*i, range));
            }
            Formula::All(parts) => {
                for (k, part) in parts.iter().enumerate() {
                    let last = k + 1 == parts.len();
                    *text += if last { "" } else { "split. { " };
                    self.shown(part, range, text);
                    *text += if last { "" } else { "} " };
                }
                *text += if parts.is_empty() { "exact I. " } else { "" };
            }
            Formula::Any(parts) => {
                let holds = parts.iter().position(|part| part.judge(range) == Truth::True).unwrap_or(0);
                *text += &"right. ".repeat(holds);
                *text += if holds + 1 < parts.len() { "left. " } else { "" };
                self.shown(&parts[holds], range, text);
            }
        }
    }

    /// Shows that the formula of a hypothesis fails.
    fn denied(
        &self,
        formula: &Formula,
        range: &mut impl FnMut(usize) -> Interval,
        name: &str,
        text: &mut String,
    ) {
        match formula {
            Formula::Positive(i) | Formula::NonNegative(i) => {
                let relation = if matches!(formula, Formula::Positive(_)) { "<=" } else { "<" };
                let (output, call) = (self.names.output(*i), self.call(*i, range));
                let _ = write!(text, "assert (N : {output} {relation} 0) by ({call}). lra. ");
            }
            Formula::All(parts) => {
                let fails = parts.iter().position(|part| part.judge(range) == Truth::False).unwrap_or(0);
                let mut name = name.to_string();
                for _ in 0..fails {
                    let _ = write!(text, "destruct {name} as [_ {name}r]. ");
                    name += "r";
                }
                if fails + 1 < parts.len() {
                    let _ = write!(text, "destruct {name} as [{name}l _]. ");
                    name += "l";
                }
                self.denied(&parts[fails], range, &name, text);
            }
            Formula::Any(parts) => {
                let mut name = name.to_string();
                for (k, part) in parts.iter().enumerate() {
                    let last = k + 1 == parts.len();
                    if !last {
                        let _ = write!(text, "destruct {name} as [{name}l|{name}r]. {{ ");
                    }
                    let own = if last { name.clone() } else { format!("{name}l") };
                    self.denied(part, range, &own, text);
                    if !last {
                        *text += "} ";
                        name += "r";
                    }
                }
                *text += if parts.is_empty() { "exact G. " } else { "" };
            }
        }
    }

    /// The tactic that shows the sign of an output in a part, as it is called: by its second form where that has the sign.
    fn call(&self, output: usize, range: &mut impl FnMut(usize) -> Interval) -> String {
        let mut forms = self.statement.same.iter();
        let form = forms.find(|pair| pair.0 == output && differ(self.names, **pair));
        let halving = self.names.call(HALVING);
        match form.map(|pair| (pair, range(pair.1))) {
            Some((_, Interval { lo, hi })) if lo >= 0.0 || hi <= 0.0 => call(self.names, output),
            Some((pair, _)) => call_quotient(self.statement, self.names, *pair)
                .map_or(halving.clone(), |quotient| format!("first [{quotient} | {halving}]")),
            None => halving,
        }
    }

    /// Its definition: the quantities written out, and bounds by halving further and by slopes.
    fn tactic(&self) -> String {
        let defined = self.names.unfolded(self.statement, |_| true);
        let unfold = if defined.is_empty() { String::new() } else { format!("unfold {defined}; ") };
        format!("Ltac {} := {unfold}{}.\n", self.names.call(HALVING), self.names.bounds_along(|_| true))
    }

    fn formula(&self, formula: &Formula) -> String {
        let joined = |parts: &[Formula], with: &str, none: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.formula(part)).collect();
            if parts.is_empty() { none.to_string() } else { format!("({})", parts.join(with)) }
        };
        match formula {
            Formula::Positive(i) => format!("({} > 0)", self.names.output(*i)),
            Formula::NonNegative(i) => format!("({} >= 0)", self.names.output(*i)),
            Formula::All(parts) => joined(parts, " /\\ ", "True"),
            Formula::Any(parts) => joined(parts, " \\/ ", "False"),
        }
    }
}

/// A way through the tree of halvings.
struct Walk<'j, 's> {
    judge: &'j mut Judge<'s>,
    letters: Vec<char>,
    next: usize,
}

impl Walk<'_, '_> {
    /// Whether the part has at most so many parts, in which the claim holds; then they are passed.
    fn holds(&mut self, most: usize) -> bool {
        let (mut open, mut leaves, mut at) = (1_usize, 0_usize, self.next);
        while open > 0 {
            match self.letters.get(at) {
                Some('.' | ':') => (open, leaves) = (open - 1, leaves + 1),
                Some(c) if c.is_ascii_alphanumeric() => open += 1,
                _ => return false,
            }
            if leaves > most {
                return false;
            }
            at += 1;
        }
        self.next = at;
        true
    }
}
