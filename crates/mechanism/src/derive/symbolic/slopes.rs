//! Vectors with what they move with: derivatives by variables, added up, and kept under names.

use super::algebra::{Algebra, Movement, Variable};
use super::terms::plus;
use symbolica::atom::Atom;

/// The variables that expressions of coordinates and t move with, each with the derivatives.
pub(super) fn local_slopes(algebra: &Algebra, all: &[Atom]) -> Vec<(Variable, Vec<Atom>)> {
    let coordinates = (0..algebra.coordinates()).map(Variable::Coordinate);
    let by = |variable| (variable, all.iter().map(|x| algebra.by(x, variable)).collect());
    let slopes = std::iter::once(Variable::Time).chain(coordinates).map(by);
    slopes.filter(|(_, slope): &(Variable, Vec<Atom>)| slope.iter().any(|x| !x.is_zero())).collect()
}

/// Vectors of one variable added up.
pub(super) fn merged(all: Vec<(Variable, Vec<Atom>)>) -> Vec<(Variable, Vec<Atom>)> {
    let mut sums: Vec<(Variable, Vec<Atom>)> = Vec::new();
    for (variable, vector) in all {
        match sums.iter_mut().find(|(v, _)| *v == variable) {
            Some((_, sum)) => *sum = plus(sum, &vector),
            None => sums.push((variable, vector)),
        }
    }
    sums
}

/// Derivatives of a place by coordinates, as those of its velocity by velocities.
pub(super) fn by_rates(slopes: &[(Variable, Vec<Atom>)]) -> Vec<(Variable, Vec<Atom>)> {
    let by_rate = |(variable, slope): &(Variable, Vec<Atom>)| match variable {
        Variable::Coordinate(i) => Some((Variable::Rate(*i), slope.clone())),
        Variable::Time | Variable::Rate(_) => None,
    };
    slopes.iter().filter_map(by_rate).collect()
}

/// A vector under names, with its derivatives and its rate; no rate: that of an acceleration, which nothing asks for.
pub(super) fn moving(
    algebra: &mut Algebra,
    value: &[Atom],
    slopes: &[(Variable, Vec<Atom>)],
    rate: &[Atom],
) -> Vec<Atom> {
    let component = |(c, x): (usize, &Atom)| {
        let slopes = slopes.iter().map(|(variable, slope)| (*variable, slope[c].clone())).collect();
        let rate = rate.get(c).cloned().unwrap_or_else(|| Atom::num(0));
        algebra.moving_value(x.clone(), Movement { slopes, rate })
    };
    value.iter().enumerate().map(component).collect()
}
