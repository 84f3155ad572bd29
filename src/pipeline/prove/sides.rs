//! Over which ranges claims are asked: those that were given, or the file's domain.

use super::ProveOptions;
use super::exact::end;
use super::fault::ProveFault;
use crate::diag::Diagnostic;
use crate::expression::{Expr, Node, Scope, SourceMap, parse};
use crate::format::Mechanism;
use crate::num::Interval;
use crate::pipeline::inputs::{place, symbol_name};
use crate::prove::{Exact, Input};
use std::cmp::Ordering;

/// A range of a tape's input.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) place: usize,
    pub(super) lo: Exact,
    pub(super) hi: Exact,
}

impl Side {
    /// All of it.
    pub(super) fn enclosed(&self) -> Interval {
        Interval::new(self.lo.enclosed().lo, self.hi.enclosed().hi)
    }

    pub(super) fn is_point(&self) -> bool {
        self.lo.compare(&self.hi) == Some(Ordering::Equal)
    }

    /// All of the range, or its only value.
    pub(super) fn input(&self) -> Input {
        let lo = self.lo.clone();
        if self.is_point() { Input::Value(lo) } else { Input::Range(lo, self.hi.clone()) }
    }
}

/// The ranges that were given, or the file's.
pub(super) fn sides(
    mechanism: &Mechanism,
    options: &ProveOptions,
    parameters: &[f64],
) -> Result<Vec<Side>, ProveFault> {
    if options.boxes.is_empty() {
        let side = |range: &crate::format::Range| {
            let named = || format!("the domain of `{}`", symbol_name(mechanism, range.variable));
            let (lo, hi) = ends(&range.lo, &range.hi, parameters)
                .map_err(|why| ProveFault::Range { text: named(), why: why.to_string() })?;
            Ok(Side { place: place(mechanism.coordinates.len(), range.variable), lo, hi })
        };
        return mechanism.domain.iter().map(side).collect();
    }
    let mut found: Vec<Side> = Vec::new();
    for text in &options.boxes {
        let side = given_side(mechanism, parameters, text)?;
        if found.iter().any(|other| other.place == side.place) {
            let why = "it is given twice".to_string();
            return Err(ProveFault::Range { text: text.clone(), why });
        }
        found.push(side);
    }
    Ok(found)
}

/// `name=LO:HI`.
fn given_side(mechanism: &Mechanism, parameters: &[f64], text: &str) -> Result<Side, ProveFault> {
    let wrong = |why: String| ProveFault::Range { text: text.to_string(), why };
    let form = || wrong("expected NAME=LO:HI, for example `theta=0:pi/2` or `dot(x)=-1:1`".to_string());
    let (name, range) = text.split_once('=').ok_or_else(form)?;
    let (lo, hi) = range.split_once(':').ok_or_else(form)?;
    let names = mechanism.names();
    let named = parse(name, &Scope::velocity(&names, "a box"), &SourceMap::From(0))
        .map_err(|faults| wrong(refused(name, &faults)))?;
    let Node::Symbol(symbol) = named.node else {
        return Err(wrong(format!("`{}` is no coordinate, velocity or parameter", name.trim())));
    };
    let scope = Scope::constant(&names, "an end of a box");
    let number =
        |text: &str| parse(text, &scope, &SourceMap::From(0)).map_err(|faults| wrong(refused(text, &faults)));
    let (lo, hi) = ends(&number(lo)?, &number(hi)?, parameters).map_err(|why| wrong(why.to_string()))?;
    Ok(Side { place: place(mechanism.coordinates.len(), symbol), lo, hi })
}

/// The first of the faults of a text.
fn refused(text: &str, faults: &[Diagnostic]) -> String {
    format!("`{text}`: {}", faults.first().map(Diagnostic::in_one_line).unwrap_or_default())
}

fn ends(lo: &Expr, hi: &Expr, parameters: &[f64]) -> Result<(Exact, Exact), &'static str> {
    let unbounded = "its ends have to be finite numbers";
    let lo = end(lo, parameters, f64::next_down).ok_or(unbounded)?;
    let hi = end(hi, parameters, f64::next_up).ok_or(unbounded)?;
    match lo.compare(&hi) {
        Some(Ordering::Less | Ordering::Equal) => Ok((lo, hi)),
        _ => Err("it is empty: expected LO <= HI"),
    }
}
