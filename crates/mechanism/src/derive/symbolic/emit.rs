//! Atoms to a tape: symbols become inputs, functions become instructions, equal subexpressions one instruction.

use super::algebra::{Algebra, Meaning};
use super::function::Operation;
use super::terms::Terms;
use crate::derive::error::DeriveError;
use crate::model::Layout;
use crate::tape::{Builder, Unary, Value};
use symbolica::atom::{Atom, AtomCore, AtomView, Symbol};

/// Whether the velocities keep their values or are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Velocities {
    /// As they are.
    Kept,
    /// All zero: what is left of a velocity is its explicit rate.
    Zero,
}

/// Writes atoms onto a tape.
pub(super) struct Emitter<'a> {
    algebra: &'a Algebra,
    layout: Layout,
    velocities: Velocities,
    /// The values of the functions met so far, with velocities kept and with zero velocities.
    known: [Vec<Option<Value>>; 2],
    builder: Builder,
}

type Written = Result<Value, DeriveError>;

impl<'a> Emitter<'a> {
    pub(super) fn new(algebra: &'a Algebra, layout: Layout) -> Self {
        let none = vec![None; algebra.generator_count()];
        let builder = Builder::new(layout.inputs());
        Emitter { algebra, layout, velocities: Velocities::Kept, known: [none.clone(), none], builder }
    }

    /// Where arithmetic on values goes.
    pub(super) fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    pub(super) fn into_builder(self) -> Builder {
        self.builder
    }

    /// The value of an atom.
    pub(super) fn atom(&mut self, atom: &Atom, velocities: Velocities) -> Written {
        self.velocities = velocities;
        self.view(atom.as_view())
    }

    /// The value of a sum of products, grouped by left factor, then by right factor.
    pub(super) fn terms(&mut self, terms: &Terms) -> Written {
        self.velocities = Velocities::Kept;
        let mut groups: Vec<(Value, Vec<(Value, Value)>)> = Vec::new();
        // from the last body back, so that the sums of masses beyond a joint share their beginnings
        for term in terms.0.iter().rev() {
            let weight = self.view(term.weight.as_view())?;
            let left = self.view(term.left.as_view())?;
            let right = self.view(term.right.as_view())?;
            match groups.iter_mut().find(|g| g.0 == left) {
                Some(group) => self.builder.gather(&mut group.1, right, weight),
                None => groups.push((left, vec![(right, weight)])),
            }
        }
        Ok(groups.into_iter().fold(self.builder.constant(0.0), |sum, (left, rights)| {
            let inner = self.builder.combination(&rights);
            let product = self.builder.mul(left, inner);
            self.builder.add(sum, product)
        }))
    }

    fn view(&mut self, view: AtomView<'_>) -> Written {
        match view {
            AtomView::Num(_) => self.number(view),
            AtomView::Var(v) => self.symbol(v.get_symbol()),
            AtomView::Pow(p) => {
                let (base, exponent) = p.get_base_exp();
                self.power(base, exponent)
            }
            AtomView::Mul(factors) => self.product(factors.iter()),
            AtomView::Add(terms) => self.sum(terms.iter()),
            AtomView::Fun(_) => Err(DeriveError::Unexpected { expression: view.to_canonical_string() }),
        }
    }

    fn number(&mut self, view: AtomView<'_>) -> Written {
        let text = view.to_canonical_string();
        let (numerator, denominator) = text.split_once('/').unwrap_or((&text, "1"));
        match (numerator.parse::<f64>(), denominator.parse::<f64>()) {
            (Ok(n), Ok(d)) => Ok(self.builder.constant(n / d)),
            _ => Err(DeriveError::Unexpected { expression: text }),
        }
    }

    fn symbol(&mut self, symbol: Symbol) -> Written {
        let n = self.layout.coordinates;
        let meaning = self.algebra.meaning(symbol);
        let meaning = meaning.ok_or_else(|| DeriveError::Unexpected { expression: symbol.to_string() })?;
        Ok(match (meaning, self.velocities) {
            (Meaning::Pi, _) => self.builder.constant(std::f64::consts::PI),
            (Meaning::Time, _) => self.builder.input(0),
            (Meaning::Coordinate(i), _) => self.builder.input(1 + i),
            (Meaning::Rate(i), Velocities::Kept) => self.builder.input(1 + n + i),
            (Meaning::Rate(_), Velocities::Zero) => self.builder.constant(0.0),
            (Meaning::Parameter(i), _) => self.builder.input(1 + 2 * n + i),
            (Meaning::Generator(k), _) => return self.function(k),
        })
    }

    fn function(&mut self, k: usize) -> Written {
        let row = match self.velocities {
            Velocities::Kept => 0,
            Velocities::Zero => 1,
        };
        if let Some(value) = self.known[row][k] {
            return Ok(value);
        }
        let generator = self.algebra.generator(k);
        let x = self.view(generator.arguments[0].as_view())?;
        let value = match generator.operation {
            Operation::Atan2 => {
                let y = self.view(generator.arguments[1].as_view())?;
                self.builder.atan2(x, y)
            }
            Operation::Power => {
                let y = self.view(generator.arguments[1].as_view())?;
                self.builder.powf(x, y)
            }
            Operation::Min | Operation::Max | Operation::Where => {
                let y = self.view(generator.arguments[1].as_view())?;
                match generator.operation {
                    Operation::Min => self.builder.min(x, y),
                    Operation::Max => self.builder.max(x, y),
                    _ => self.builder.where_positive(x, y),
                }
            }
            Operation::Name => x,
            operation => self.builder.unary(unary(operation), x),
        };
        self.known[row][k] = Some(value);
        Ok(value)
    }

    fn power(&mut self, base: AtomView<'_>, exponent: AtomView<'_>) -> Written {
        let value = self.view(base)?;
        match i64::try_from(exponent).ok().and_then(|n| i32::try_from(n).ok()) {
            Some(n) => Ok(self.builder.powi(value, n)),
            None => {
                let y = self.view(exponent)?;
                Ok(self.builder.powf(value, y))
            }
        }
    }

    /// Factors with negative powers are divided by, together, at the end.
    fn product<'v>(&mut self, factors: impl Iterator<Item = AtomView<'v>>) -> Written {
        let mut over = self.builder.constant(1.0);
        let mut under = self.builder.constant(1.0);
        for factor in factors {
            match inverse(factor) {
                Some((base, n)) => {
                    let base = self.view(base)?;
                    let power = self.builder.powi(base, n);
                    under = self.builder.mul(under, power);
                }
                None => {
                    let value = self.view(factor)?;
                    over = self.builder.mul(over, value);
                }
            }
        }
        Ok(self.builder.div(over, under))
    }

    fn sum<'v>(&mut self, terms: impl Iterator<Item = AtomView<'v>>) -> Written {
        let mut sum = self.builder.constant(0.0);
        for term in terms {
            let value = self.view(term)?;
            sum = self.builder.add(sum, value);
        }
        Ok(sum)
    }
}

/// The base and the positive power of a factor 1/baseⁿ.
fn inverse(factor: AtomView<'_>) -> Option<(AtomView<'_>, i32)> {
    let AtomView::Pow(p) = factor else { return None };
    let (base, exponent) = p.get_base_exp();
    let n = i64::try_from(exponent).ok().and_then(|n| i32::try_from(n).ok())?;
    (n < 0).then(|| (base, n.saturating_neg()))
}

/// Grouping of weighted sums.
trait Gather {
    fn gather(&mut self, sum: &mut Vec<(Value, Value)>, right: Value, weight: Value);
    fn combination(&mut self, sum: &[(Value, Value)]) -> Value;
}

impl Gather for Builder {
    /// Adds `weight` to the weight of `right`.
    fn gather(&mut self, sum: &mut Vec<(Value, Value)>, right: Value, weight: Value) {
        match sum.iter_mut().find(|e| e.0 == right) {
            Some(entry) => entry.1 = self.add(entry.1, weight),
            None => sum.push((right, weight)),
        }
    }

    /// Σ right · weight.
    fn combination(&mut self, sum: &[(Value, Value)]) -> Value {
        sum.iter().fold(self.constant(0.0), |total, &(right, weight)| {
            let product = self.mul(weight, right);
            self.add(total, product)
        })
    }
}

/// The tape's name of a function of one argument; those of two are written by the caller.
fn unary(operation: Operation) -> Unary {
    match operation {
        Operation::Sin => Unary::Sin,
        Operation::Cos => Unary::Cos,
        Operation::Tan => Unary::Tan,
        Operation::Asin => Unary::Asin,
        Operation::Acos => Unary::Acos,
        Operation::Atan => Unary::Atan,
        Operation::Sinh => Unary::Sinh,
        Operation::Cosh => Unary::Cosh,
        Operation::Tanh => Unary::Tanh,
        Operation::Exp => Unary::Exp,
        Operation::Log => Unary::Ln,
        Operation::Abs => Unary::Abs,
        Operation::Signum => Unary::Signum,
        Operation::Sqrt | Operation::Atan2 | Operation::Power | Operation::Name => Unary::Sqrt,
        Operation::Min | Operation::Max | Operation::Where => Unary::Sqrt,
    }
}
