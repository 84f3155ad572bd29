//! Second forms of quantities: that they are the same as the first, as lemmas, and their signs by what they are made of.
//!
//! Angles are written as sums of one unit each, x or x/2; sines and cosines of sums are expanded, cos² = 1 − sin², and `field` compares what is left.

use super::super::algebra::{Simple, simple};
use super::super::statement::{Input, Statement};
use super::CoqFault;
use super::names::{Names, real};
use crate::Exact;
use crate::tape::{Op, View};
use num_rational::BigRational;
use std::fmt::Write;

/// Units in an angle at most.
const MOST_UNITS: i16 = 16;

/// The lemmas, one for each pair of [`Statement::same`] that a sign may hang on.
pub(super) fn lemmas(statement: &Statement, names: &Names, text: &mut String) -> Result<(), CoqFault> {
    if statement.same.is_empty() {
        return Ok(());
    }
    let known = angles_and_roots(statement);
    // what is divided by comes first: with its second form the others are defined
    let is_divisor =
        |pair: &&(usize, usize)| statement.divisors.iter().any(|(_, by)| *by == [pair.0, pair.1]);
    let (divisors, others): (Vec<_>, Vec<_>) = statement.same.iter().partition(is_divisor);
    *text += "\n";
    let mut shown: Vec<(usize, usize)> = Vec::new();
    for &(first, second) in divisors.into_iter().chain(others) {
        if !differ(names, (first, second)) {
            continue;
        }
        let lemma = Lemma { statement, names, known: &known, shown: &shown };
        lemma.write([first, second], text)?;
        if is_divisor(&&(first, second)) {
            shown.push((first, second));
        }
    }
    *text += &signs(statement, names);
    for &(first, second) in &statement.same {
        if differ(names, (first, second))
            && let Some(tactic) = quotient(statement, names, (first, second))
        {
            *text += &tactic;
        }
    }
    Ok(())
}

/// Whether two outputs are not the same number as they are written.
pub(super) fn differ(names: &Names, (first, second): (usize, usize)) -> bool {
    names.output(first) != names.output(second)
}

/// What turns a quantity into its second form, and shows its sign.
pub(super) fn call(names: &Names, first: usize) -> String {
    called(names, first, "form")
}

/// The same, by the signs of what is divided and what it is divided by, where the form is a quotient.
pub(super) fn call_quotient(statement: &Statement, names: &Names, pair: (usize, usize)) -> Option<String> {
    divided(statement, names, pair.1)?;
    Some(called(names, pair.0, &format!("quotient_{}", pair.0)))
}

fn called(names: &Names, first: usize, tactic: &str) -> String {
    let ranges: Vec<String> = (0..names.variables.len()).map(|i| format!("R{i}")).collect();
    let lemma = format!("same_{first} {} {}", names.list(), ranges.join(" "));
    format!("rewrite ({}); {}", lemma.trim_end(), names.call(tactic))
}

/// What is divided in an output that is a quotient.
fn divided(statement: &Statement, names: &Names, output: usize) -> Option<usize> {
    match statement.tape.values().nth(names.outputs[output])? {
        View::Node(Op::Div, above, _) => Some(above),
        _ => None,
    }
}

/// A tactic for the second form of a pair, if it is a quotient: what is divided is halved along what it depends on, and no other side.
fn quotient(statement: &Statement, names: &Names, (first, second): (usize, usize)) -> Option<String> {
    let needed = statement.tape.needed([divided(statement, names, second)?]);
    let is_needed = |i: usize| needed[i];
    let read: Vec<usize> = (0..statement.inputs.len())
        .filter(|&i| needed[i])
        .map(|i| if let Input::Share(of) = statement.inputs[i] { of } else { i })
        .collect();
    let bounds = names.bounds_along(|side| read.contains(&statement.varying()[side]));
    let value = names.unfolded(statement, |i| i == names.outputs[second]);
    Some(format!(
        "Ltac {} := try (apply Rle_ge; apply Rlt_le); unfold {value}; apply Rdiv_lt_0_compat; [unfold {}; {bounds} | {}].\n",
        names.call(&format!("quotient_{first}")),
        names.unfolded(statement, is_needed),
        names.call("form"),
    ))
}

/// That two outputs are the same.
struct Lemma<'l> {
    statement: &'l Statement,
    names: &'l Names,
    known: &'l [Simple],
    /// Outputs by which others divide, with their second forms, of which that has been shown.
    shown: &'l [(usize, usize)],
}

impl Lemma<'_> {
    fn write(&self, [first, second]: [usize; 2], text: &mut String) -> Result<(), CoqFault> {
        let Lemma { statement, names, known, .. } = *self;
        let pair = [first, second].map(|output| names.outputs[output]);
        let needed = self.needed(pair);
        let turns = turns(statement, known, &needed)?;
        let units = units(&turns, names.varying);
        let [own, other] = pair.map(|place| names.term(place));
        let _ =
            writeln!(text, "Lemma same_{first} :{}  {own} = {other}.\nProof.\nintros.", names.quantified());
        let below = |place: usize| {
            let needed = statement.tape.needed([place]);
            names.unfolded(statement, |i| needed[i])
        };
        let mut known_values: Vec<usize> = Vec::new();
        for (place, function, angle) in &turns {
            let (term, sum) = (names.term(*place), sum(angle, &units, names));
            let _ = writeln!(
                text,
                "assert (T{place} : {term} = {function} ({sum})) by (unfold {}; f_equal; field).",
                below(*place)
            );
            known_values.push(*place);
        }
        for (place, root, of) in roots(statement, known, &needed) {
            let (term, root) = (names.term(place), real(&Exact::rational(root)));
            let _ = writeln!(
                text,
                "assert (T{place} : {term} = {root}) by (unfold {}; match goal with |- sqrt ?x = _ => replace x with ({root} * {root}) by (unfold {}; field) end; apply sqrt_square; lra).",
                names.unfolded(statement, |i| i == place),
                below(of)
            );
            known_values.push(place);
        }
        let kept = self.kept(pair);
        // divisors are left as they are until they have their second form
        let divisors: Vec<usize> = kept.iter().map(|(divisor, _)| names.outputs[*divisor]).collect();
        let is_kept = |i: usize| known_values.contains(&i) || divisors.contains(&i);
        let unfolded = names.unfolded(statement, |i| needed[i] && !is_kept(i));
        let unfold = if unfolded.is_empty() { String::new() } else { format!("unfold {unfolded}.\n") };
        *text += &unfold;
        for &(divisor, _) in &kept {
            let _ = write!(text, "rewrite ?same_{divisor} by assumption.\n{unfold}");
        }
        for place in &known_values {
            let _ = writeln!(text, "rewrite ?T{place}.");
        }
        compare(names, &units, text);
        Ok(())
    }

    /// Shown divisors, other than the pair itself, that it is made of.
    fn kept(&self, pair: [usize; 2]) -> Vec<(usize, usize)> {
        let needed = self.statement.tape.needed(pair);
        let place = |output: usize| self.names.outputs[output];
        let is_inside =
            |&(divisor, _): &(usize, usize)| needed[place(divisor)] && !pair.contains(&place(divisor));
        self.shown.iter().copied().filter(is_inside).collect()
    }

    /// The values that a pair is made of.
    fn needed(&self, pair: [usize; 2]) -> Vec<bool> {
        let forms = self.kept(pair).into_iter().map(|(_, form)| self.names.outputs[form]);
        self.statement.tape.needed(pair.into_iter().chain(forms))
    }
}

/// The rest of the proof: sums of angles are expanded, and both sides compared as fractions.
fn compare(names: &Names, units: &[Option<i16>], text: &mut String) {
    *text += "repeat (rewrite cos_plus || rewrite sin_plus || rewrite cos_minus || rewrite sin_minus || rewrite cos_neg || rewrite sin_neg).\n";
    let mut equations = Vec::new();
    for (j, unit) in units.iter().enumerate().filter_map(|(j, unit)| Some((j, unit.as_ref()?))) {
        let unit = named(unit, names, j);
        let _ = writeln!(
            text,
            "assert (E{j} : cos {unit} * cos {unit} = 1 - sin {unit} * sin {unit}) by (generalize (sin2_cos2 {unit}); unfold Rsqr; lra)."
        );
        equations.push(format!("E{j}"));
    }
    let with = if equations.is_empty() { String::new() } else { format!(" [{}]", equations.join(" ")) };
    let bounds = bounds(names);
    let _ = writeln!(
        text,
        "field{with}.\nall: repeat split.\nall: first [lra | apply Rgt_not_eq; {bounds} | apply Rlt_not_eq; {bounds}].\nQed.\n"
    );
}

/// Signs of sums and products by those of their parts, squares have none; and those of second forms.
fn signs(statement: &Statement, names: &Names) -> String {
    let (form, call, bounds) = (names.call("form"), names.call("signs"), bounds(names));
    let unfolded = names.unfolded(statement, |_| true);
    format!(
        "Ltac {call} :=
  match goal with
  | |- _ >= 0 => apply Rle_ge; {call}
  | |- 0 <= ?a * ?a => exact (Rle_0_sqr a)
  | |- 0 <= ?a + ?b => first [solve [apply Rplus_le_le_0_compat; {call}] | {bounds}]
  | |- 0 <= ?a * ?b => first [solve [apply Rmult_le_pos; {call}] | {bounds}]
  | |- 0 <= ?a / ?b =>
    first [solve [apply Rmult_le_pos; [{call} | apply Rlt_le; apply Rinv_0_lt_compat; {bounds}]] | {bounds}]
  | |- 0 <= ?a - ?b => first [lra | {bounds}]
  | _ => first [{bounds} | lra]
  end.
Ltac {form} := unfold {unfolded}; first [interval with (i_prec 80) | {call}].
"
    )
}

/// The tactic `interval`, halving along what varies.
fn bounds(names: &Names) -> String {
    format!("interval with ({}i_prec 80)", names.halved())
}

/// What the angles and the roots of the tape are.
fn angles_and_roots(statement: &Statement) -> Vec<Simple> {
    let wanted = statement.tape.values().enumerate().filter_map(|(place, view)| match view {
        View::Node(Op::Sin | Op::Cos, angle, _) => Some(angle),
        View::Node(Op::Sqrt, ..) => Some(place),
        _ => None,
    });
    simple(statement, &statement.tape.needed(wanted))
}

/// Sines and cosines among the needed values: the place, the function, and halves of what varies in their angle.
type Turn = (usize, &'static str, Vec<i16>);

fn turns(statement: &Statement, known: &[Simple], needed: &[bool]) -> Result<Vec<Turn>, CoqFault> {
    let mut found = Vec::new();
    for (place, view) in statement.tape.values().enumerate().filter(|(place, _)| needed[*place]) {
        let View::Node(op @ (Op::Sin | Op::Cos), a, _) = view else { continue };
        let few = |angle: &&Vec<i16>| angle.iter().all(|k| k.abs() <= MOST_UNITS);
        let angle = known[a].angle.as_ref().filter(few).ok_or(CoqFault::Identity)?;
        found.push((place, if op == Op::Sin { "sin" } else { "cos" }, angle.clone()));
    }
    Ok(found)
}

/// Roots of numbers among the needed values: the place, the root, and what it is of.
fn roots(statement: &Statement, known: &[Simple], needed: &[bool]) -> Vec<(usize, BigRational, usize)> {
    let values = statement.tape.values().enumerate().filter(|(place, _)| needed[*place]);
    let root = |(place, view): (usize, View)| match view {
        View::Node(Op::Sqrt, of, _) => Some((place, known[place].number.clone()?, of)),
        _ => None,
    };
    values.filter_map(root).collect()
}

/// For each side that turns something how many halves its unit has: one if some angle has an odd number of them.
fn units(turns: &[Turn], sides: usize) -> Vec<Option<i16>> {
    let unit = |j: usize| {
        let mut halves = turns.iter().map(|turn| turn.2[j]).filter(|&k| k != 0).peekable();
        halves.peek()?;
        Some(if halves.any(|k| k % 2 != 0) { 1 } else { 2 })
    };
    (0..sides).map(unit).collect()
}

fn named(unit: &i16, names: &Names, side: usize) -> String {
    let name = &names.variables[side].0;
    if *unit == 2 { name.clone() } else { format!("({name} / 2)") }
}

/// An angle as a sum of units.
fn sum(angle: &[i16], units: &[Option<i16>], names: &Names) -> String {
    let mut text = String::new();
    for (j, (&halves, unit)) in angle.iter().zip(units).enumerate() {
        let Some(unit) = unit else { continue };
        for _ in 0..halves.abs() / unit {
            let sign = match (halves < 0, text.is_empty()) {
                (true, true) => "- ",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            text += &format!("{sign}{}", named(unit, names, j));
        }
    }
    if text.is_empty() { "0".to_string() } else { text }
}
