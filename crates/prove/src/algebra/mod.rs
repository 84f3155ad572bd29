//! The same statement in terms that show its signs: quantities that are rational in inputs and in sines and cosines of angles, as sums of products
//! that have one sign by their form.
//!
//! A quantity becomes a quotient of polynomials over ℚ(i) in the inputs and in the exponentials of half the angles ([`ring`], [`fraction`]), without what
//! cancels. Numerator and factors of the denominator are written with Bernstein's polynomials of the inputs that are no angles, over the whole
//! of their ranges: weights that are never negative, and for each of them a sum of sines and cosines. Of one angle that sum is a polynomial in
//! the tangent of half of it, up to a positive factor, and what it has as a square is written as a square ([`square`]): so a bound that is
//! attained is shown, which no halving does. Whether two forms are the same function is the checker's to say: expanding both is enough.

mod emit;
mod form;
mod fraction;
mod gauss;
mod ring;
mod square;

use super::statement::Statement;
use emit::write;
use form::{Basis, Form};
use fraction::{Found, Fraction, fractions, values};
use num_rational::BigRational;
use ring::Effort;

/// Products of terms at most: some tenths of a second.
const PRODUCTS: usize = 300_000;
/// Constants at most.
const MOST_CONSTANTS: usize = 100_000;

/// An output in a second form, and so the values of the tape by which the first divides.
struct Restated {
    output: usize,
    form: Form,
    divisors: Vec<(usize, Form)>,
}

/// Of the values that are said to be zero, those that are zero identically: as quotients of polynomials.
pub fn identities(statement: &Statement) -> Vec<usize> {
    let found = fractions(statement, &statement.zero, &Effort::new(PRODUCTS));
    found.into_iter().filter(|found| found.fraction.over.is_zero()).map(|found| found.output).collect()
}

/// Of a needed value of the tape the number that it is, and the halves of the angles that it is a sum of.
#[derive(Clone, Debug, Default)]
pub(super) struct Simple {
    pub(super) number: Option<BigRational>,
    pub(super) angle: Option<Vec<i16>>,
}

/// The needed values of the tape, as far as they are simple.
pub(super) fn simple(statement: &Statement, needed: &[bool]) -> Vec<Simple> {
    let simple = |value: Option<Fraction>| {
        value.map_or_else(Simple::default, |value| Simple {
            number: value.as_number(),
            angle: value.as_angle(),
        })
    };
    values(statement, needed, &Effort::new(PRODUCTS)).into_iter().map(simple).collect()
}

/// The statement with second forms of what its formulas read, in each of the ways to write them in which something has one.
pub(super) fn restated(statement: &Statement) -> Vec<Statement> {
    let mut wanted = [statement.assumed.outputs(), statement.claimed.outputs()].concat();
    wanted.sort_unstable();
    wanted.dedup();
    let found = fractions(statement, &wanted, &Effort::new(PRODUCTS));
    let bernstein = forms(statement, &found, Basis::Bernstein);
    let centred = forms(statement, &found, Basis::Centred);
    let is_other = centred.iter().any(|restated| restated.form.is_centred());
    let all = [Some(bernstein), Some(centred).filter(|_| is_other)];
    all.iter().flatten().filter_map(|forms| written(statement, forms)).collect()
}

fn forms(statement: &Statement, found: &[Found], basis: Basis) -> Vec<Restated> {
    let form = |fraction: &Fraction| Form::new(statement, fraction, basis);
    let restated = |found: &Found| {
        let divisors = found.divisors.iter().map(|(v, fraction)| Some((*v, form(fraction)?)));
        Some(Restated {
            output: found.output,
            form: form(&found.fraction)?,
            divisors: divisors.collect::<Option<_>>()?,
        })
    };
    found.iter().filter_map(restated).collect()
}

fn written(statement: &Statement, forms: &[Restated]) -> Option<Statement> {
    if forms.is_empty() {
        return None;
    }
    // which constants there are is known once all is written
    let mut known = Vec::new();
    write(statement, forms, MOST_CONSTANTS, &mut known);
    let all = known.len();
    (all <= MOST_CONSTANTS).then(|| write(statement, forms, all, &mut known))
}
