//! Claims about the least friction with a paradox, and which number it is.
//!
//! p = C − μ B·û vanishes first where μ = C/‖B‖ is least   [CV16 (5)]. That it is E or more is told without the root in E, by C² ≥ E² ‖B‖², so
//! that exact algebra decides it of √3, too, or of 2 √(r + r²). Else p₊ and p₋ are of half the degree.
#![allow(non_snake_case)]

use super::ask::{Question, Setting};
use super::fault::ProveFault;
use super::terms::Terms;
use crate::analysis::search::{CriticalSearch, critical_friction};
use crate::expression::{BinaryOp, Expr, Function, Node};
use crate::format::{CRITICAL, Claim};
use crate::num::{Interval, Real, Tol};
use crate::prove::{Formula, fraction_near};
use crate::tape::Value;

/// Units in the last place by which a number that was attained may miss its fraction.
const NEAR: f64 = 64.0;

impl Terms<'_> {
    /// p > 0 for slip in every direction.
    pub(super) fn no_paradox(&mut self, contact: usize) -> Formula {
        let mu = self.friction(contact);
        self.pressed_on(contact, mu, None, true)
    }

    /// That no friction below `bound`, or if that is strict none up to it, has a paradox; of frictions below 0 that is nothing, and of a bound without a
    /// value neither is shown.
    pub(super) fn least_friction(&mut self, contact: usize, bound: &Expr, strict: bool) -> Formula {
        let mu = self.expression(bound, &[]);
        let square = has_root(bound).then(|| self.expression(&squared(bound), &[]));
        let against = self.quantities.builder().neg(mu);
        let (negative, own) = (self.positive(against), Formula::NonNegative(self.atom(mu)));
        Formula::Any(vec![negative, Formula::All(vec![own, self.pressed_on(contact, mu, square, strict)])])
    }

    /// C > μ‖B‖, or C ≥ μ‖B‖ and C > 0: in the plane as p₊ and p₋, unless the square of μ is given, then and in space as C² > μ² ‖B‖².
    fn pressed_on(&mut self, contact: usize, mu: Value, square: Option<Value>, strict: bool) -> Formula {
        let (C, B) = self.mobility(contact);
        let rests = if square.is_none() && B.len() == 1 {
            self.plus_and_minus_at(contact, mu).to_vec()
        } else {
            let builder = self.quantities.builder();
            let square = square.unwrap_or_else(|| builder.mul(mu, mu));
            let (own, coupling) = (builder.mul(C, C), builder.dot(&B, &B));
            let driven = builder.mul(square, coupling);
            vec![builder.sub(own, driven)]
        };
        let is_implied = strict && rests.len() > 1;
        let mut all: Vec<Formula> = if is_implied { Vec::new() } else { vec![self.positive(C)] };
        for rest in rests {
            let rest = self.atom(rest);
            all.push(if strict { Formula::Positive(rest) } else { Formula::NonNegative(rest) });
        }
        Formula::All(all)
    }
}

/// Whether a root is in an expression.
fn has_root(expr: &Expr) -> bool {
    matches!(expr.node, Node::Call(Function::Sqrt, _)) || expr.parts().any(has_root)
}

/// The square of an expression where it has a value: of roots what stands below them.
fn squared(expr: &Expr) -> Expr {
    let binary = |op, a: Expr, b: Expr| Node::Binary(op, Box::new(a), Box::new(b));
    let node = match &expr.node {
        Node::Call(Function::Sqrt, of) if of.len() == 1 => return of[0].clone(),
        Node::Negate(x) => return squared(x),
        Node::Binary(op @ (BinaryOp::Multiply | BinaryOp::Divide), x, y) => {
            binary(*op, squared(x), squared(y))
        }
        _ => binary(BinaryOp::Multiply, expr.clone(), expr.clone()),
    };
    Expr { node, span: expr.span }
}

impl Setting<'_> {
    /// What is asked by a text: of the least friction without a number, that it is at least the number that is found, and that it is more, which a
    /// state refutes if it is that number.
    pub(super) fn questions(&self, text: &str) -> Result<Vec<Question>, ProveFault> {
        let claim = self.read(text)?;
        let Claim::LeastFriction { contact, bound: None, .. } = claim else {
            return Ok(vec![self.asked(text, &claim, &[])?]);
        };
        let tol = Tol::default();
        let (lower, attained) = self.searched(text, contact, &tol)?;
        let claim = |(sign, number): (&str, String)| {
            let name = &self.mechanism.contacts[contact].name;
            self.question(&format!("{CRITICAL}({name}) {sign} {number}"), &[])
        };
        let below = |mu: f64| (mu * (1.0 - tol.search_gap)).to_string();
        let claims = match (attained, attained.and_then(algebraic)) {
            (None, _) => vec![(">=", below(lower))],
            (Some(_), Some(number)) => vec![(">=", number.clone()), (">", number)],
            (Some(mu), None) => vec![(">=", below(mu)), (">", (mu * (1.0 + tol.search_gap)).to_string())],
        };
        claims.into_iter().map(claim).collect()
    }

    /// The least friction by a search: a bound that it is not below, and the number, if it is attained.
    fn searched(&self, text: &str, contact: usize, tol: &Tol) -> Result<(f64, Option<f64>), ProveFault> {
        let beyond = |why| Err(ProveFault::Beyond { text: text.to_string(), why });
        if !self.given.is_empty() {
            return beyond(
                "its number is not looked for where something is given; bound it, as in `critical-friction(tip) >= 4/3`",
            );
        }
        let claim = Claim::LeastFriction { contact, bound: Some(Expr::zero()), strict: false };
        let question = self.asked(text, &claim, &[])?;
        let is_coordinate = |name: &String| self.mechanism.coordinates.iter().any(|c| c.name == *name);
        if question.texts.iter().any(|(name, _)| is_coordinate(name)) {
            return beyond(
                "its number is not looked for where a coordinate follows its text in the state; bound it, as in `critical-friction(tip) >= 4/3`",
            );
        }
        let inputs = &self.numbers.inputs;
        let coordinates = 1..=self.mechanism.coordinates.len();
        let held = question.held.iter().filter(|place| coordinates.contains(*place));
        let held = held.map(|&place| (place, Interval::from_f64(inputs[place])));
        let ranges: Vec<(usize, Interval)> =
            self.sides.iter().map(|side| (side.place, side.enclosed())).chain(held).collect();
        let rails = Terms::new(self.mechanism, &self.model, &self.follow, &self.stand(&[]).zeros).rails;
        let (held, rails) = (&rails[..], &rails[..]);
        let search = CriticalSearch { model: &self.model, contact, held, rails, inputs, ranges: &ranges };
        let found = critical_friction(&search, tol);
        Ok((found.certified_lower.min(tol.highest_friction), found.mu))
    }
}

/// The fraction, or the root of one, that a number is to rounding.
fn algebraic(mu: f64) -> Option<String> {
    let fraction = |x: f64| fraction_near(x, NEAR * f64::EPSILON * x, f64::INFINITY);
    let root = || fraction(mu * mu).map(|square| format!("sqrt({square})"));
    fraction(mu).map(|fraction| fraction.to_string()).or_else(root)
}

#[cfg(test)]
mod tests {
    use super::algebraic;

    #[test]
    fn numbers_are_recognised() {
        let of = |mu: f64| algebraic(mu);
        assert_eq!(of(4.0 / 3.0).as_deref(), Some("4/3"));
        assert_eq!(of(8.0 / (3.0 * 3.0_f64.sqrt())).as_deref(), Some("sqrt(64/27)"));
        assert_eq!(of(2.0).as_deref(), Some("2"));
        assert_eq!(of(std::f64::consts::PI), None);
    }
}
