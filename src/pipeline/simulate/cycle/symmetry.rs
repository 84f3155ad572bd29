//! A symmetry as a map of coordinates, `x=-x, theta=-theta`; velocities follow by its derivative.

use super::fault::CycleFault;
use crate::diag::Diagnostic;
use crate::expression::{Env, Expr, Symbol};
use crate::format::{Mechanism, Override};
use crate::num::Dual;
use crate::simulate::cycle::BACK;

/// A map of coordinates; those that are not named stay.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetry {
    maps: Vec<(usize, Expr)>,
}

/// Repetitions after which a symmetry is taken for one that never leads back: more than a body has corners or legs.
const REPETITIONS: usize = 64;

impl Symmetry {
    /// From a text.
    pub(super) fn parse(mechanism: &Mechanism, text: &str) -> Result<Self, CycleFault> {
        let mut maps = Vec::new();
        for part in parts(text) {
            let refused =
                |fault| CycleFault::Symmetry { text: part.trim().to_string(), fault: Box::new(fault) };
            let map = Override::parse(mechanism, part).map_err(refused)?;
            match map.target {
                Symbol::Coordinate(i) => maps.push((i, map.value)),
                Symbol::Rate(_) | Symbol::Time | Symbol::Parameter(_) => {
                    let message = "a symmetry maps coordinates, and velocities follow";
                    return Err(refused(Diagnostic::error("M304", message)));
                }
            }
        }
        Ok(Self { maps })
    }

    /// The image of (q, v).
    pub(super) fn image(&self, z: &[f64], (t, parameters): (f64, &[f64])) -> Vec<f64> {
        let n = z.len() / 2;
        let mut image = z.to_vec();
        let q: Vec<Dual> = z[..n].iter().zip(&z[n..]).map(|(&q, &v)| Dual::new(q, v)).collect();
        let parameters: Vec<Dual> = parameters.iter().map(|&p| Dual::fixed(p)).collect();
        let env = Env { t: Dual::new(t, 1.0), q: &q, v: &[], parameters: &parameters, definitions: &[] };
        for (i, map) in &self.maps {
            let Dual { re, eps } = map.eval(&env);
            (image[*i], image[n + i]) = (re, eps);
        }
        image
    }

    /// After how many repetitions it leads back to any point it began at; none if it does not, as a shift or a projection.
    pub(super) fn order(&self, coordinates: usize, now: (f64, &[f64])) -> Option<usize> {
        // a point on no mirror
        let begin: Vec<f64> = (0..2 * coordinates).map(|i| 1.0 + (1.0 + i as f64).sqrt()).collect();
        let mut z = begin.clone();
        (1..=REPETITIONS).find(|_| {
            z = self.image(&z, now);
            z.iter().zip(&begin).all(|(z, begin)| (z - begin).abs() <= BACK * begin)
        })
    }
}

/// The parts between commas outside parentheses.
fn parts(text: &str) -> Vec<&str> {
    let (mut found, mut begin, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[begin..]);
    found
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn commas_within_functions_part_nothing() {
        assert_eq!(parts("x=-x, y=atan2(x, y),z=1"), ["x=-x", " y=atan2(x, y)", "z=1"]);
    }
}
