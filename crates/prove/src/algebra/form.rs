//! How a quotient of polynomials is written: sums of weights that are not negative, each times a sum of waves.

use super::super::statement::Statement;
use super::fraction::Fraction;
use super::gauss::Gauss;
use super::ring::{Effort, Polynomial, Powers};
use super::square::{Univariate, square_and_rest};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// Terms of a polynomial that is written so at most.
const MOST_TERMS: usize = 2000;
/// Weights of one quantity at most.
const MOST_WEIGHTS: usize = 600;

/// How many times the length of a narrow range its ends together are at least.
const NARROW: i32 = 4;

/// Products of terms at most while a square is sought.
const OF_SQUARE: usize = 1_000_000;

/// Σ cos and sin, with their coefficients, of sums of halves of angles.
pub(super) type Waves = Vec<(Vec<i16>, BigRational, BigRational)>;

/// How polynomials of an input that is no angle are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis {
    /// By Bernstein's polynomials over all of its range: weights that are never negative, so that signs are seen, bounds that are attained among
    /// them.
    Bernstein,
    /// By powers of the distance from the middle of its range, where that is narrow: what the input changes is small then, and so is what is lost by
    /// enclosing it apart.
    Centred,
}

/// c Π uⱼᵏ (1 − uⱼ)ᵈ⁻ᵏ, or sⱼᵏ with s = 2 u − 1 where there is no d: of each side that it has, the place, d and k.
#[derive(Clone, Debug)]
pub(super) struct Weight {
    pub(super) factor: BigRational,
    pub(super) powers: Vec<(usize, Option<i16>, i16)>,
}

/// What weights are multiplied with.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Waves(Waves),
    /// A square, and the rest, of one angle.
    Square {
        side: usize,
        root: Waves,
        rest: Waves,
    },
}

/// A product of powers of inputs, of a square and of a sum.
#[derive(Clone, Debug)]
pub(super) struct Product {
    pub(super) inputs: Vec<(usize, i16)>,
    /// The root of the square, and the sides that it depends on.
    pub(super) square: Option<(Box<Product>, Vec<usize>)>,
    pub(super) sum: Vec<(Vec<Weight>, Shape)>,
}

/// A quotient.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) over: Product,
    pub(super) under: Vec<(Product, u32)>,
}

impl Form {
    /// None where a range has no fractions as its ends, or there are too many weights.
    pub(super) fn new(statement: &Statement, fraction: &Fraction, basis: Basis) -> Option<Self> {
        let ranges: Vec<[Option<&BigRational>; 2]> =
            statement.ranges().into_iter().map(|(lo, hi)| [lo.as_rational(), hi.as_rational()]).collect();
        let product = |of: &Polynomial| Product::new(&ranges, of, basis);
        let under = fraction.under.iter().map(|(factor, power)| Some((product(factor)?, *power)));
        Some(Form { over: product(&fraction.over)?, under: under.collect::<Option<_>>()? })
    }

    /// Whether something in it is written by the distance from a middle.
    pub(super) fn is_centred(&self) -> bool {
        self.under.iter().map(|(factor, _)| factor).chain([&self.over]).any(Product::is_centred)
    }
}

impl Product {
    fn new(ranges: &[[Option<&BigRational>; 2]], of: &Polynomial, basis: Basis) -> Option<Self> {
        let (common, rest) = Some(of).filter(|of| of.terms.len() <= MOST_TERMS)?.without_common();
        let inputs: Vec<(usize, i16)> =
            (0..common.len()).filter(|&j| common[j] > 0).map(|j| (j, common[j])).collect();
        if let Some((factor, root)) = square_of_several(&rest) {
            let root = (Box::new(Product::new(ranges, &root, basis)?), root.sides());
            let sign = Polynomial::constant(rest.inputs, factor.into());
            return Some(Product { inputs, square: Some(root), sum: sorted(&sign, &[]) });
        }
        let sides: Vec<(usize, i16)> =
            (0..rest.inputs).map(|j| (j, rest.degree(j))).filter(|(_, degree)| *degree > 0).collect();
        let weights: usize = sides.iter().map(|(_, degree)| 1 + usize::from(degree.unsigned_abs())).product();
        if weights > MOST_WEIGHTS {
            return None;
        }
        let (mut written, mut bases) = (rest, Vec::new());
        for &(j, degree) in &sides {
            let [Some(lo), Some(hi)] = ranges[j] else { return None };
            if basis == Basis::Centred && is_narrow([lo, hi]) {
                let middle = (lo + hi) / BigRational::from_integer(2.into());
                written = written.over(j, [&middle, hi]);
                bases.push((j, None));
            } else {
                written = weighted(&written.over(j, [lo, hi]), j, degree);
                bases.push((j, Some(degree)));
            }
        }
        Some(Product { inputs, square: None, sum: sorted(&written, &bases) })
    }

    fn is_centred(&self) -> bool {
        let mut weights = self.sum.iter().flat_map(|(weights, _)| weights);
        weights.any(|weight| weight.powers.iter().any(|(_, degree, _)| degree.is_none()))
            || self.square.as_ref().is_some_and(|(root, _)| root.is_centred())
    }
}

/// s and Q of P = s Q², if more than one side is in it: of one, [`squared`] finds what has a square in it, too.
fn square_of_several(p: &Polynomial) -> Option<(BigRational, Polynomial)> {
    (p.sides().len() > 1).then(|| p.as_square(&Effort::new(OF_SQUARE)))?
}

/// Whether a range is short beside the distance of its middle from zero.
fn is_narrow([lo, hi]: [&BigRational; 2]) -> bool {
    (hi - lo) * BigRational::from_integer(NARROW.into()) < (lo + hi).abs()
}

/// In place of powers of xⱼ, Bernstein's polynomials of degree d by their numbers: xⁱ = Σₖ (k over i)/(d over i) Bₖ.
fn weighted(p: &Polynomial, j: usize, d: i16) -> Polynomial {
    let mut found = Polynomial::zero(p.inputs);
    for (powers, c) in &p.terms {
        let i = powers[j];
        for k in i..=d {
            let mut numbered = powers.clone();
            numbered[j] = k;
            let share = choose(k, i) / choose(d, i);
            found.add_term(numbered, &(c * &share.into()));
        }
    }
    found
}

/// n over k.
fn choose(n: i16, k: i16) -> BigRational {
    let factor = |i: i16| BigRational::new((n - i).into(), (i + 1).into());
    (0..k).map(factor).fold(BigRational::one(), |product, factor| product * factor)
}

/// The weights by what they are multiplied with, up to positive factors.
fn sorted(written: &Polynomial, sides: &[(usize, Option<i16>)]) -> Vec<(Vec<Weight>, Shape)> {
    let n = written.inputs;
    let mut by_number: BTreeMap<Powers, Polynomial> = BTreeMap::new();
    for (powers, c) in &written.terms {
        let waves = std::iter::repeat_n(0, n).chain(powers[n..].iter().copied()).collect();
        let place = by_number.entry(powers[..n].to_vec()).or_insert_with(|| Polynomial::zero(n));
        place.add_term(waves, c);
    }
    let mut groups: Vec<(Polynomial, Vec<Weight>)> = Vec::new();
    for (number, waves) in by_number {
        let (first, _) = waves.normalised();
        let factor = first.abs();
        let waves = waves.scaled(&factor.recip().into());
        let choices = sides.iter().filter_map(|&(j, d)| Some(choose(d?, number[j])));
        let factor = choices.fold(factor, |product, choice| product * choice);
        let powers = sides.iter().map(|&(j, d)| (j, d, number[j])).collect();
        let weight = Weight { factor, powers };
        match groups.iter_mut().find(|(known, _)| *known == waves) {
            Some((_, weights)) => weights.push(weight),
            None => groups.push((waves, vec![weight])),
        }
    }
    groups.into_iter().map(|(waves, weights)| (weights, shape(&waves))).collect()
}

fn shape(p: &Polynomial) -> Shape {
    let square = match p.sides()[..] {
        [side] => squared(p, side),
        _ => None,
    };
    square.unwrap_or_else(|| Shape::Waves(waves(p)))
}

/// A sum of waves: c z + c̄/z = 2 Re c cos − 2 Im c sin.
fn waves(p: &Polynomial) -> Waves {
    let two = BigRational::from_integer(2.into());
    let wave = |(powers, c): (&Powers, &Gauss)| {
        let k = powers[p.inputs..].to_vec();
        match k.iter().find(|&&k| k != 0) {
            None => Some((k, c.re.clone(), BigRational::zero())),
            Some(&first) if first > 0 => Some((k, &c.re * &two, -(&c.im * &two))),
            Some(_) => None,
        }
    };
    p.terms.iter().filter_map(wave).collect()
}

/// What the sum of one angle has as a square. With S and C, sine and cosine of half of it, and t = S/C it is Cⁿ P(t).
fn squared(p: &Polynomial, side: usize) -> Option<Shape> {
    let power = |powers: &Powers| powers[p.inputs + side];
    let n = p.terms.keys().map(power).max()?;
    if p.terms.keys().any(|powers| (n - power(powers)) % 2 != 0) {
        return None;
    }
    // zᵏ = Cⁿ (1 + i t)^((n + k)/2) (1 − i t)^((n − k)/2)
    let mut tangent: Univariate = vec![BigRational::zero(); 1 + usize::from(n.unsigned_abs())];
    for (powers, c) in &p.terms {
        let k = power(powers);
        let factors = [(1, (n + k) / 2), (-1, (n - k) / 2)];
        let mut product = vec![c.clone()];
        for (sign, times) in factors {
            let turn = Gauss::imaginary(BigRational::from_integer(sign.into()));
            for _ in 0..times {
                let mut next = product.clone();
                next.push(Gauss::zero());
                product.iter().enumerate().for_each(|(m, c)| next[m + 1] = &next[m + 1] + &(c * &turn));
                product = next;
            }
        }
        product.iter().zip(&mut tangent).for_each(|(c, sum)| *sum += &c.re);
    }
    let formal = tangent.len() - 1;
    while tangent.last().is_some_and(Zero::is_zero) {
        tangent.pop();
    }
    let at_infinity = formal + 1 - tangent.len();
    let (root, rest) = square_and_rest(&tangent)?;
    let (of_root, of_rest) = (root.len() - 1 + at_infinity / 2, rest.len() - 1 + at_infinity % 2);
    let unit: Vec<i16> = (0..p.inputs).map(|j| i16::from(j == side)).collect();
    let wave = |p: &Univariate, degree: usize| homogeneous(p, degree, &unit).map(|p| waves(&p));
    if of_root == 0 {
        return None;
    }
    Some(Shape::Square { side, root: wave(&root, of_root)?, rest: wave(&rest, of_rest)? })
}

/// Σ pⱼ Sʲ Cⁿ⁻ʲ.
fn homogeneous(p: &Univariate, degree: usize, unit: &[i16]) -> Option<Polynomial> {
    let [cos, sin] = Polynomial::cos_sin(unit);
    let one = Polynomial::constant(unit.len(), Gauss::one());
    let effort = Effort::new(OF_SQUARE);
    let mut sum = Polynomial::zero(unit.len());
    for (j, c) in p.iter().enumerate() {
        let mut product = one.scaled(&c.clone().into());
        for k in 0..degree {
            product = product.times(if k < j { &sin } else { &cos }, &effort)?;
        }
        sum = sum.plus(&product);
    }
    Some(sum)
}
