//! The unit of an expression from the units of its names. What is found wrong is noted with its place, and is of no known
//! unit from then on, so that one mistake is told once.
//!
//! A number without a unit fits as a factor, a divisor or an exponent; in a sum only zero fits everything.

use super::unit::{Part, Unit, exponent};
use crate::diag::{Diagnostic, Span};
use crate::expression::{BinaryOp, Expr, Function, Node, Symbol};
use num_rational::BigRational;
use num_traits::{Signed, Zero};

/// What is known about the unit of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum KnownUnit {
    /// Zero has every unit.
    Zero,
    /// A number without a unit.
    Bare,
    /// A value with this unit.
    Of(Unit),
    /// Nothing, since it is faulty.
    Unknown,
}

/// The units of all names, and what was found wrong.
pub(super) struct Inference {
    pub(super) parameters: Vec<Unit>,
    pub(super) coordinates: Vec<Unit>,
    pub(super) definitions: Vec<KnownUnit>,
    pub(super) time: Unit,
    pub(super) found: Vec<Diagnostic>,
    /// Where what is read now stands.
    pub(super) path: String,
}

/// What numbers without a unit are in a sum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// Pure numbers.
    Pure,
    /// Whatever the sum is.
    OfTheSum,
}

/// The advice for degrees.
pub(super) const RADIANS: &str =
    "functions and rotations take radians: write `alpha*pi/180`, or give the angle in rad";

/// The advice for numbers without a unit.
pub(super) fn name_it(unit: &Unit) -> String {
    format!("give the number a name and a unit under `parameters`: `{{value: 1, unit: {unit}}}`")
}

/// An angle is worth naming as long as it is no length or mass.
pub(super) fn plain(unit: Unit) -> Unit {
    let angular = unit.exponent(Part::Mass).is_zero() && unit.exponent(Part::Length).is_zero();
    if angular { unit } else { unit.without(Part::Radian) }
}

impl KnownUnit {
    /// The unit; a bare number has that of numbers.
    pub(super) fn unit(&self) -> Option<Unit> {
        match self {
            KnownUnit::Of(unit) => Some(unit.clone()),
            KnownUnit::Bare => Some(Unit::one()),
            KnownUnit::Zero | KnownUnit::Unknown => None,
        }
    }

    fn is_number(&self) -> bool {
        self.unit().is_none_or(|unit| unit.is_number())
    }

    fn words(&self) -> String {
        self.unit().map_or_else(|| "a number".to_owned(), |unit| unit.words())
    }
}

impl Inference {
    pub(super) fn fault(&mut self, code: &'static str, at: Span, message: String, hint: Option<String>) {
        let found = Diagnostic::error(code, message).with_span(at).with_path(self.path.clone());
        self.found.push(match hint {
            Some(hint) => found.with_hint(hint),
            None => found,
        });
    }

    /// The time derivative of something with a unit.
    pub(super) fn rate(&self, unit: &Unit) -> KnownUnit {
        unit.over(&self.time).map_or(KnownUnit::Unknown, |unit| KnownUnit::Of(plain(unit)))
    }

    fn symbol(&self, symbol: Symbol) -> KnownUnit {
        let of = |list: &[Unit], i: usize| list.get(i).cloned().map_or(KnownUnit::Unknown, KnownUnit::Of);
        match symbol {
            Symbol::Time => KnownUnit::Of(self.time.clone()),
            Symbol::Parameter(i) => of(&self.parameters, i),
            Symbol::Coordinate(i) => of(&self.coordinates, i),
            Symbol::Rate(i) => self.coordinates.get(i).map_or(KnownUnit::Unknown, |unit| self.rate(unit)),
        }
    }

    /// The unit of an expression.
    pub(super) fn worth(&mut self, x: &Expr) -> KnownUnit {
        let defined = |list: &[KnownUnit], i: usize| list.get(i).cloned().unwrap_or(KnownUnit::Unknown);
        match &x.node {
            Node::Number(value) if value.is_zero() => KnownUnit::Zero,
            Node::Number(_) | Node::Pi => KnownUnit::Bare,
            Node::Symbol(symbol) => self.symbol(*symbol),
            Node::Definition(i) => defined(&self.definitions, *i),
            Node::DefinitionRate(i) => match defined(&self.definitions, *i) {
                KnownUnit::Of(unit) => self.rate(&unit),
                // it moves, whatever it is
                KnownUnit::Bare => KnownUnit::Zero,
                other => other,
            },
            Node::Negate(part) => self.worth(part),
            Node::Binary(BinaryOp::Add | BinaryOp::Subtract, ..) => self.sum(x, Numbers::Pure),
            Node::Binary(BinaryOp::Multiply | BinaryOp::Divide, ..) => self.product(x),
            Node::Binary(BinaryOp::Power, base, power) => self.power(x.span, base, power),
            Node::Call(function, arguments) => self.call(*function, arguments),
        }
    }

    /// The unit of what is given for a name: there a number is one of the name's unit, alone or as a term.
    pub(super) fn given(&mut self, x: &Expr) -> KnownUnit {
        match &x.node {
            Node::Binary(BinaryOp::Add | BinaryOp::Subtract, ..) => self.sum(x, Numbers::OfTheSum),
            _ => self.worth(x),
        }
    }

    /// All terms of a sum have one unit; where they have not, what most of them have counts.
    fn sum(&mut self, x: &Expr, numbers: Numbers) -> KnownUnit {
        let zero = x.exact().is_some_and(|value| value.is_zero());
        self.alike(&terms(x), zero, numbers)
    }

    /// The one unit of these, each with what is done with it.
    fn alike(&mut self, terms: &[(&str, &Expr)], zero: bool, numbers: Numbers) -> KnownUnit {
        let worths: Vec<KnownUnit> = terms.iter().map(|(_, term)| self.worth(term)).collect();
        let Some(usual) = usual(&worths) else {
            let all_zero = worths.iter().all(|w| *w == KnownUnit::Zero);
            let unknown = worths.contains(&KnownUnit::Unknown);
            return match (unknown, zero || all_zero) {
                (true, _) => KnownUnit::Unknown,
                (_, true) => KnownUnit::Zero,
                (_, false) => KnownUnit::Bare,
            };
        };
        let mut whole = true;
        for ((verb, term), worth) in terms.iter().zip(&worths) {
            let lent = *worth == KnownUnit::Bare && numbers == Numbers::OfTheSum;
            if !lent && worth.unit().is_some_and(|unit| !unit.fits(&usual)) {
                self.misfit(verb, term, worth, &usual);
                whole = false;
            }
        }
        if whole { KnownUnit::Of(usual) } else { KnownUnit::Unknown }
    }

    fn misfit(&mut self, verb: &str, term: &Expr, worth: &KnownUnit, usual: &Unit) {
        let Some(unit) = worth.unit() else { return };
        if unit.is_multiple_of(usual) {
            let factor = apart(&unit, usual);
            let message = format!("{unit} is {verb} {usual}: a factor of {factor} apart");
            let hint = "numbers are used as they are written: give all of a file in one scale";
            return self.fault("M221", term.span, message, Some(hint.to_owned()));
        }
        let message = format!("{} is {verb} {}", unit.words(), usual.words());
        let hint = match worth {
            KnownUnit::Bare => name_it(usual),
            _ if degrees(&unit) || degrees(usual) => RADIANS.to_owned(),
            _ if verb == BESIDE => format!("this is in {unit}, the other in {usual}"),
            _ => format!("this is in {unit}, the sum in {usual}"),
        };
        self.fault("M221", term.span, message, Some(hint));
    }

    fn product(&mut self, x: &Expr) -> KnownUnit {
        let mut list = Vec::new();
        factors(x, false, &mut list);
        let worths: Vec<KnownUnit> = list.iter().map(|(_, factor)| self.worth(factor)).collect();
        let pairs = || list.iter().map(|(below, _)| *below).zip(&worths);
        if pairs().any(|(below, worth)| !below && *worth == KnownUnit::Zero) {
            return KnownUnit::Zero;
        }
        if worths.contains(&KnownUnit::Unknown) {
            return KnownUnit::Unknown;
        }
        if worths.iter().all(|w| matches!(w, KnownUnit::Bare | KnownUnit::Zero)) {
            return KnownUnit::Bare;
        }
        let multiplied = pairs().try_fold(Unit::one(), |product, (below, worth)| {
            let unit = worth.unit().unwrap_or_else(Unit::one);
            if below { product.over(&unit) } else { product.times(&unit) }
        });
        let turned = multiplied.and_then(|unit| unit.times(&turn(&list, &unit)));
        self.bounded(x.span, turned)
    }

    fn bounded(&mut self, at: Span, unit: Option<Unit>) -> KnownUnit {
        if let Some(unit) = unit {
            return KnownUnit::Of(plain(unit));
        }
        self.fault("M223", at, "the unit of this has an exponent beyond 1000".to_owned(), None);
        KnownUnit::Unknown
    }

    fn power(&mut self, at: Span, base: &Expr, power: &Expr) -> KnownUnit {
        let worth = self.worth(base);
        let by = self.worth(power);
        if let Some(n) = power.exact() {
            return match worth {
                KnownUnit::Zero if n.is_positive() => KnownUnit::Zero,
                KnownUnit::Zero | KnownUnit::Bare => KnownUnit::Bare,
                KnownUnit::Of(unit) => self.bounded(at, exponent(&n).and_then(|n| unit.power(n))),
                KnownUnit::Unknown => KnownUnit::Unknown,
            };
        }
        if !by.is_number() {
            let message = format!("an exponent is {}, expected a number", by.words());
            self.fault("M223", power.span, message, None);
            return KnownUnit::Unknown;
        }
        if !worth.is_number() {
            let message = format!("{} has an exponent that is not a fixed number", worth.words());
            let hint = "divide it by something of its unit first: `(x/l)^n`";
            self.fault("M223", base.span, message, Some(hint.to_owned()));
            return KnownUnit::Unknown;
        }
        numeric(&[worth, by])
    }

    fn call(&mut self, function: Function, arguments: &[Expr]) -> KnownUnit {
        if let (Function::Min | Function::Max, [x, y]) | (Function::If, [_, x, y]) = (function, arguments) {
            if function == Function::If {
                self.worth(&arguments[0]);
            }
            return self.alike(&[(BESIDE, x), (BESIDE, y)], false, Numbers::Pure);
        }
        let worths: Vec<KnownUnit> = arguments.iter().map(|x| self.worth(x)).collect();
        match (function, arguments, &worths[..]) {
            (Function::Abs, _, [worth]) => worth.clone(),
            (Function::Sign, ..) => KnownUnit::Bare,
            (Function::Sqrt, [x], [KnownUnit::Of(unit)]) => {
                let root = exponent(&BigRational::new(1.into(), 2.into())).and_then(|n| unit.power(n));
                self.bounded(x.span, root)
            }
            (Function::Sqrt, _, [worth]) => worth.clone(),
            (Function::Atan2, [_, x], [a, b]) => {
                if let (Some(first), Some(second)) = (a.unit(), b.unit())
                    && !first.fits(&second)
                {
                    let message =
                        format!("atan2() is given {} and {}, expected two of one unit", a.words(), b.words());
                    let hint = format!("they are in {first} and {second}");
                    self.fault("M223", x.span, message, Some(hint));
                    return KnownUnit::Unknown;
                }
                angle(&worths)
            }
            _ => self.function_of_number(function, arguments, &worths),
        }
    }

    fn function_of_number(
        &mut self,
        function: Function,
        arguments: &[Expr],
        worths: &[KnownUnit],
    ) -> KnownUnit {
        let mut whole = true;
        for (x, worth) in arguments.iter().zip(worths).filter(|(_, worth)| !worth.is_number()) {
            let expected = if trigonometric(function) { "an angle in radians" } else { "a number" };
            let message = format!("{}() is given {}, expected {expected}", function.name(), worth.words());
            let hint = match worth.unit() {
                Some(unit) if degrees(&unit) => RADIANS.to_owned(),
                unit => format!("this is in {}", unit.unwrap_or_else(Unit::one)),
            };
            self.fault("M223", x.span, message, Some(hint));
            whole = false;
        }
        match function {
            _ if !whole => KnownUnit::Unknown,
            Function::Asin | Function::Acos | Function::Atan => angle(worths),
            _ => numeric(worths),
        }
    }
}

fn trigonometric(function: Function) -> bool {
    matches!(function, Function::Sin | Function::Cos | Function::Tan)
}

pub(super) fn degrees(unit: &Unit) -> bool {
    !unit.exponent(Part::Degree).is_zero()
}

/// By how much two units of one dimension differ, at least 1.
pub(super) fn apart(a: &Unit, b: &Unit) -> String {
    let factor = a.factor(b);
    let factor = if factor < 1.0 { 1.0 / factor } else { factor };
    // the powers of ten and six are exact, their floating-point numbers nearly
    let rounded = factor.round();
    if (factor / rounded - 1.0).abs() <= f64::EPSILON * 1024.0 {
        format!("{rounded}")
    } else {
        format!("{factor}")
    }
}

fn fold(worths: &[KnownUnit], unit: Unit) -> KnownUnit {
    if worths.contains(&KnownUnit::Unknown) {
        KnownUnit::Unknown
    } else if worths.iter().all(|w| matches!(w, KnownUnit::Bare | KnownUnit::Zero)) {
        KnownUnit::Bare
    } else {
        KnownUnit::Of(unit)
    }
}

fn angle(worths: &[KnownUnit]) -> KnownUnit {
    fold(worths, Unit::of(&[(Part::Radian, 1)]))
}

fn numeric(worths: &[KnownUnit]) -> KnownUnit {
    fold(worths, Unit::one())
}

/// What is said of two values of which one is taken.
const BESIDE: &str = "given beside";

/// The terms of a sum from left to right, each with whether it is added or subtracted.
fn terms(x: &Expr) -> Vec<(&str, &Expr)> {
    let verb = |op: &BinaryOp| if *op == BinaryOp::Subtract { "subtracted from" } else { "added to" };
    let (mut list, mut at) = (Vec::new(), x);
    while let Node::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) = &at.node {
        list.push((verb(op), &**right));
        at = left;
    }
    list.push(("added to", at));
    list.reverse();
    list
}

/// The factors of a product from left to right, each with whether it is below the line.
fn factors<'e>(x: &'e Expr, below: bool, list: &mut Vec<(bool, &'e Expr)>) {
    match &x.node {
        Node::Binary(op @ (BinaryOp::Multiply | BinaryOp::Divide), left, right) => {
            factors(left, below, list);
            factors(right, below != (*op == BinaryOp::Divide), list);
        }
        Node::Negate(part) => factors(part, below, list),
        _ => list.push((below, x)),
    }
}

/// The unit that most of these have, the first among equals; bare numbers count where nothing else does. An angle lends its
/// name to numbers.
pub(super) fn usual(worths: &[KnownUnit]) -> Option<Unit> {
    let units: Vec<&Unit> =
        worths.iter().filter_map(|w| if let KnownUnit::Of(unit) = w { Some(unit) } else { None }).collect();
    let count = |unit: &Unit| units.iter().filter(|u| u.fits(unit)).count();
    let most = units.iter().map(|unit| count(unit)).max()?;
    let first = units.iter().find(|unit| count(unit) == most)?;
    let named = units.iter().find(|u| u.fits(first) && !u.exponent(Part::Radian).is_zero());
    Some((*named.unwrap_or(first)).clone())
}

/// The unit that turns degrees into radians where a product has the factor pi/180, and back where it has 180/pi; halves and
/// doubles of it count.
fn turn(list: &[(bool, &Expr)], unit: &Unit) -> Unit {
    let power = |is: &dyn Fn(&Expr) -> bool| -> i64 {
        list.iter().filter(|(_, x)| is(x)).map(|(below, _)| if *below { -1 } else { 1 }).sum()
    };
    let half_turn = |x: &Expr| {
        let is = |n: i64| x.node == Node::Number(BigRational::from_integer(n.into()));
        is(180) || is(360)
    };
    let (pi, half_turns) = (power(&|x| x.node == Node::Pi), power(&half_turn));
    let one = super::unit::Exponent::from_integer(1);
    if (pi, half_turns) == (1, -1) && unit.exponent(Part::Degree) == one {
        return Unit::of(&[(Part::Degree, -1), (Part::Radian, 1)]);
    }
    if (pi, half_turns) == (-1, 1) && unit.exponent(Part::Radian) == one {
        return Unit::of(&[(Part::Radian, -1), (Part::Degree, 1)]);
    }
    Unit::one()
}
