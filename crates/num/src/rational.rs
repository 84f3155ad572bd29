//! Exact sparse linear algebra over the rationals: a solution of E x = c near a given point. Gaussian elimination
//! without rounding, so that rank decisions are facts; meant for the few equations of a certificate's support.

use crate::InOrder;
use std::collections::BTreeMap;

use super::{Dyadic, halt};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

/// Operations on machine words after which the elimination gives up: some tenths of a second.
const WORK: usize = 100_000_000;

/// What an operation on fractions of w machine words costs, in units of w²: mostly the common divisor, bit by bit.
const FRACTION: usize = 100;

/// A sparse equation Σ aⱼ xⱼ = c.
#[derive(Clone, Debug, Default)]
pub struct Equation {
    /// Coefficients by column, none of them zero.
    pub terms: BTreeMap<usize, BigRational>,
    /// Right-hand side.
    pub value: BigRational,
}

impl Equation {
    /// Adds a·x_j to the left-hand side.
    pub fn add(&mut self, j: usize, a: &BigRational) {
        let sum = self.terms.remove(&j).unwrap_or_else(BigRational::zero) + a;
        if !sum.is_zero() {
            self.terms.insert(j, sum);
        }
    }

    /// Subtracts `factor` times another equation.
    fn subtract(&mut self, factor: &BigRational, other: &Self) {
        other.terms.iter().for_each(|(&j, a)| self.add(j, &-(factor * a)));
        self.value -= factor * &other.value;
    }

    fn scaled(mut self, factor: &BigRational) -> Self {
        self.terms.values_mut().for_each(|a| *a *= factor);
        self.value *= factor;
        self
    }
}

/// The exact value of a finite number.
pub fn rational(x: f64) -> Option<BigRational> {
    Dyadic::from_f64(x).map(|x| x.to_rational())
}

/// x rounded to `bits` binary places below the unit `scale`.
pub fn rounded(x: f64, scale: f64, bits: i32) -> Option<BigRational> {
    let unit = 2f64.powi(scale.log2().ceil() as i32 - bits);
    let multiple = BigRational::from_integer(BigInt::from_f64((x / unit).round())?);
    Some(multiple * rational(unit)?)
}

/// A solution of the equations that agrees with `guess` in the unknowns that the elimination leaves free. Pivots are
/// taken where |a|·room is largest: unknowns with much room to their bounds absorb the corrections.
/// None if the equations contradict each other, or the work exceeds a limit, or that of this thread, of which each equation
/// is a step.
pub fn solve_near(
    mut equations: Vec<Equation>,
    guess: &[BigRational],
    room: &[f64],
) -> Option<Vec<BigRational>> {
    equations.put_in_order_of(|e| e.terms.len());
    let pivots = eliminate(equations, room)?;
    let mut x = guess.to_vec();
    for (j, equation) in pivots.order.iter().rev().filter_map(|j| Some((*j, pivots.rows.get(j)?))) {
        let others = equation.terms.iter().filter(|(k, _)| **k != j);
        x[j] = others.fold(equation.value.clone(), |value, (&k, a)| value - a * &x[k]);
    }
    Some(x)
}

/// Pivot rows with leading coefficient one, and the order in which they were found. A row contains no pivot column
/// found before it.
struct Pivots {
    rows: BTreeMap<usize, Equation>,
    order: Vec<usize>,
}

fn eliminate(equations: Vec<Equation>, room: &[f64]) -> Option<Pivots> {
    let mut pivots = Pivots { rows: BTreeMap::new(), order: Vec::new() };
    let mut work = 0;
    for mut equation in equations {
        if halt::is_over() {
            return None;
        }
        halt::spend(1);
        work += reduce(&mut equation, &pivots, WORK - work)?;
        match pivot_column(&equation, room) {
            Some(j) => {
                let inverse = equation.terms[&j].recip();
                pivots.rows.insert(j, equation.scaled(&inverse));
                pivots.order.push(j);
            }
            None if equation.value.is_zero() => {}
            None => return None,
        }
    }
    Some(pivots)
}

/// Removes all pivot columns from an equation; the products spent, none if more than `budget`.
fn reduce(equation: &mut Equation, pivots: &Pivots, budget: usize) -> Option<usize> {
    let mut spent = 0;
    // A pivot row has no earlier pivot column: going forward in the order of finding, none comes back.
    for j in &pivots.order {
        let Some(factor) = equation.terms.get(j).cloned() else { continue };
        let row = &pivots.rows[j];
        let longest = row.terms.values().map(words).max().unwrap_or(1).max(words(&factor));
        spent += row.terms.len() * FRACTION * longest.pow(2);
        if spent > budget {
            return None;
        }
        equation.subtract(&factor, row);
    }
    Some(spent)
}

/// Machine words of a fraction: the length of the numbers grows with the elimination, and with it the work.
fn words(x: &BigRational) -> usize {
    let bits = x.numer().bits().max(x.denom().bits());
    usize::try_from(1 + bits / 64).unwrap_or(usize::MAX)
}

fn pivot_column(equation: &Equation, room: &[f64]) -> Option<usize> {
    let worth = |(j, a): (&usize, &BigRational)| (a.abs().to_f64().unwrap_or(f64::MAX) * room[*j], *j);
    let best = equation.terms.iter().map(worth).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    best.map(|(_, j)| j)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equation(terms: &[(usize, i32)], value: i32) -> Equation {
        let fraction = |x: i32| BigRational::from_integer(x.into());
        Equation { terms: terms.iter().map(|&(j, a)| (j, fraction(a))).collect(), value: fraction(value) }
    }

    fn guess(x: &[f64]) -> Vec<BigRational> {
        x.iter().map(|&x| rational(x).unwrap()).collect()
    }

    #[test]
    fn the_unknown_with_room_takes_the_correction() {
        let sum = equation(&[(0, 1), (1, 1)], 1);
        let x = solve_near(vec![sum], &guess(&[0.25, 0.5]), &[1.0, 9.0]).unwrap();
        assert_eq!(x, guess(&[0.25, 0.75]));
    }

    #[test]
    fn dependent_equations_are_recognised_as_such() {
        let rows = vec![equation(&[(0, 3), (1, 7)], 1), equation(&[(0, 6), (1, 14)], 2)];
        let x = solve_near(rows, &guess(&[0.0, 0.5]), &[1.0, 0.1]).unwrap();
        assert_eq!(
            &x[0] * BigRational::from_integer(3.into()) + &x[1] * BigRational::from_integer(7.into()),
            guess(&[1.0])[0]
        );
    }

    #[test]
    fn contradictory_equations_have_no_solution() {
        let rows = vec![equation(&[(0, 3), (1, 7)], 1), equation(&[(0, 6), (1, 14)], 3)];
        assert!(solve_near(rows, &guess(&[0.0, 0.0]), &[1.0, 1.0]).is_none());
    }

    #[test]
    fn rounding_keeps_the_given_number_of_places() {
        assert_eq!(rounded(0.3, 1.0, 2).unwrap(), rational(0.25).unwrap());
        assert_eq!(rounded(-1e-9, 1.0, 10).unwrap(), BigRational::zero());
    }
}
