//! Faces of the friction cones, and exact vectors on them near approximate ones: rounding that keeps Hᵀ r = 0 or
//! u ∈ face exactly true. What leaves here is still only a candidate for `verify`.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::kinematics::Kinematics;
use crate::num::rational::{Equation, rational, rounded, solve_near};
use crate::num::{Dyadic, ScaledVector, Tol};

/// The smallest face of a friction cone that a multiplier lies in, as far as floating-point numbers tell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Face {
    /// rⁱ = 0.
    Apex,
    /// rⁱ on the ray through this vector (1, gᵀ), exactly inside the closed cone.
    Ray(Vec<BigRational>),
    /// rⁱ anywhere in the cone.
    Full,
}

/// Rounding of one attempt: `zero` is the size, relative to the largest part, up to which a part counts as absent;
/// `bits` how many binary places free numbers keep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounding {
    pub(super) zero: f64,
    pub(super) bits: i32,
}

/// Binary places kept by the attempts, in the order of `Tol::absent`.
const BITS: [i32; 4] = [6, 16, 30, 50];

/// From bold to timid: a simple certificate is tried before a precise one.
pub(super) fn roundings() -> impl Iterator<Item = Rounding> + Clone {
    Tol::default().absent.into_iter().zip(BITS).map(|(zero, bits)| Rounding { zero, bits })
}

/// The faces of the parts of r.
pub(super) fn faces(problem: &Kinematics, r: &[f64], zero: f64) -> Option<Vec<Face>> {
    let largest = r.chunks(problem.dim).fold(0.0, |m: f64, r| m.max(r[0]));
    let face = |(r, &mu): (&[f64], &f64)| match r[0] <= zero * largest {
        true => Some(Face::Apex),
        false => face(r, mu, zero),
    };
    r.chunks(problem.dim).zip(&problem.mu).map(face).collect()
}

/// The same faces with every ray opened to its cone: for multipliers inside their cones by less than rounding shows.
pub(super) fn opened(problem: &Kinematics, faces: &[Face]) -> Vec<Face> {
    let open = |(face, &mu): (&Face, &f64)| match face {
        Face::Ray(_) if mu > 0.0 => Face::Full,
        Face::Apex | Face::Ray(_) | Face::Full => face.clone(),
    };
    faces.iter().zip(&problem.mu).map(open).collect()
}

fn face(r: &[f64], mu: f64, zero: f64) -> Option<Face> {
    let tangent = r[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
    match tangent < mu * r[0] * (1.0 - zero) {
        true => Some(Face::Full),
        false => Some(Face::Ray(ray(r, mu, zero)?)),
    }
}

/// (1, gᵀ) near r/rᴺ with ‖gᵀ‖ ≤ μ exactly; components near 0 and ±μ become exactly that.
fn ray(r: &[f64], mu: f64, zero: f64) -> Option<Vec<BigRational>> {
    let snapped = |x: &f64| match (x / r[0], zero.sqrt() * mu) {
        (x, near) if x.abs() <= near => rational(0.0),
        (x, near) if x.abs() >= mu - near => rational(mu.copysign(x)),
        (x, _) => rational(x),
    };
    let tangent: Vec<_> = r[1..].iter().map(snapped).collect::<Option<_>>()?;
    let length: BigRational = tangent.iter().map(|x| x * x).sum();
    let shrink = match length > rational(mu)? * rational(mu)? {
        true => rational(mu / length.to_f64()?.sqrt() * (1.0 - 4.0 * f64::EPSILON))?,
        false => BigRational::one(),
    };
    Some([BigRational::one()].into_iter().chain(tangent.into_iter().map(|x| x * &shrink)).collect())
}

/// The unknowns of an exact multiplier: for each contact the column of its first coefficient, and its generators.
struct Coefficients {
    /// (row of r, coefficient) of each unknown.
    parts: Vec<Vec<(usize, BigRational)>>,
    guess: Vec<BigRational>,
    room: Vec<f64>,
}

impl Coefficients {
    fn new(problem: &Kinematics, r: &[f64], faces: &[Face], bits: i32) -> Option<Self> {
        let mut unknowns = Self { parts: Vec::new(), guess: Vec::new(), room: Vec::new() };
        let scale = r.iter().fold(f64::MIN_POSITIVE, |m: f64, x| m.max(x.abs()));
        for (i, face) in faces.iter().enumerate() {
            let rows = i * problem.dim..(i + 1) * problem.dim;
            let block = &r[rows.clone()];
            let tangent = block[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
            match face {
                Face::Apex => {}
                Face::Ray(g) => {
                    unknowns.push(rows.zip(g.iter().cloned()).collect(), block[0], block[0], scale, bits)?
                }
                Face::Full => {
                    let room = (problem.mu[i] * block[0] - tangent).max(scale * f64::EPSILON);
                    for k in rows {
                        unknowns.push(vec![(k, BigRational::one())], r[k], room, scale, bits)?;
                    }
                }
            }
        }
        Some(unknowns)
    }

    fn push(
        &mut self,
        part: Vec<(usize, BigRational)>,
        x: f64,
        room: f64,
        scale: f64,
        bits: i32,
    ) -> Option<()> {
        self.parts.push(part.into_iter().filter(|(_, g)| !g.is_zero()).collect());
        self.guess.push(rounded(x, scale, bits)?);
        self.room.push(room);
        Some(())
    }

    /// The equation Σ_k row(k)·r_k = 0 in the unknowns, where `row` gives the factors of each r_k.
    fn force_equations(&self, problem: &Kinematics) -> Option<BTreeMap<usize, Equation>> {
        let mut equations: BTreeMap<usize, Equation> = BTreeMap::new();
        for (unknown, part) in self.parts.iter().enumerate() {
            for (k, g) in part {
                for (j, a) in problem.H.row(*k) {
                    equations.entry(j).or_default().add(unknown, &(rational(a)? * g));
                }
            }
        }
        Some(equations)
    }

    fn power_equation(&self, problem: &Kinematics, value: BigRational) -> Option<Equation> {
        let mut equation = Equation { value, ..Equation::default() };
        for (unknown, part) in self.parts.iter().enumerate() {
            for (k, g) in part {
                equation.add(unknown, &(rational(problem.w[*k])? * g));
            }
        }
        Some(equation)
    }

    fn assemble(&self, rows: usize, x: &[BigRational]) -> Vec<BigRational> {
        let mut r = vec![BigRational::zero(); rows];
        for (part, x) in self.parts.iter().zip(x) {
            part.iter().for_each(|(k, g)| r[*k] += g * x);
        }
        r
    }
}

/// What w·r is asked to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Power {
    /// Not asked: it follows r.
    Any,
    /// Exactly zero.
    Zero,
}

/// An exact r ∈ Ker Hᵀ on the given faces near `r`; the sizes of its parts are for `verify` to judge.
pub(super) fn exact_multiplier(
    problem: &Kinematics,
    r: &[f64],
    faces: &[Face],
    bits: i32,
    power: Power,
) -> Option<Vec<Dyadic>> {
    let unknowns = Coefficients::new(problem, r, faces, bits)?;
    let mut equations: Vec<_> = unknowns.force_equations(problem)?.into_values().collect();
    match power {
        Power::Any => {}
        Power::Zero => equations.push(unknowns.power_equation(problem, BigRational::zero())?),
    }
    let x = solve_near(equations, &unknowns.guess, &unknowns.room)?;
    // Only the direction of r matters: its numerators alone are as good.
    Some(ScaledVector::from_rationals(&unknowns.assemble(r.len(), &x)).numerators)
}

/// r' ∈ Ker Hᵀ with w·r' = −1, zero off the given faces and orthogonal to the part (μ², −gᵀ) of the dual cone that a ray
/// leaves: it shows that no u = Hv + w lies in the span of what the faces leave [one step of facial reduction].
pub(super) fn exact_separator(problem: &Kinematics, faces: &[Face]) -> Option<Vec<Dyadic>> {
    let open = faces
        .iter()
        .map(|face| if *face == Face::Apex { Face::Apex } else { Face::Full })
        .collect::<Vec<_>>();
    let unknowns = Coefficients::new(problem, &vec![0.0; problem.w.len()], &open, 0)?;
    let mut equations: Vec<_> = unknowns.force_equations(problem)?.into_values().collect();
    equations.push(unknowns.power_equation(problem, -BigRational::one())?);
    let column: BTreeMap<usize, usize> =
        unknowns.parts.iter().enumerate().map(|(j, part)| (part[0].0, j)).collect();
    for (i, face) in faces.iter().enumerate() {
        let Face::Ray(g) = face else { continue };
        let mu = rational(problem.mu[i])?;
        let mut orthogonal = Equation::default();
        orthogonal.add(*column.get(&(i * problem.dim))?, &(&mu * &mu));
        for (k, g) in g.iter().enumerate().skip(1) {
            orthogonal.add(*column.get(&(i * problem.dim + k))?, &-g);
        }
        equations.push(orthogonal);
    }
    let room = vec![1.0; unknowns.guess.len()];
    let x = solve_near(equations, &unknowns.guess, &room)?;
    Some(ScaledVector::from_rationals(&unknowns.assemble(problem.w.len(), &x)).numerators)
}

/// An exact v near `v` whose u = Hv + w is orthogonal to the given faces: uⁱ = 0 for a full one, uⁱ on the ray
/// (μ² gᴺ, −gᵀ) of the dual cone for a ray.
pub(super) fn exact_velocity(
    problem: &Kinematics,
    v: &[f64],
    faces: &[Face],
    bits: i32,
) -> Option<ScaledVector> {
    let scale = v.iter().fold(f64::MIN_POSITIVE, |m: f64, x| m.max(x.abs()));
    let mut guess: Vec<_> = v.iter().map(|&x| rounded(x, scale, bits)).collect::<Option<_>>()?;
    let mut equations = Vec::new();
    for (i, face) in faces.iter().enumerate() {
        match face {
            Face::Apex => {}
            Face::Full => (0..problem.dim).try_for_each(|k| {
                equations.push(velocity_equation(problem, i * problem.dim + k, None)?);
                Some(())
            })?,
            Face::Ray(g) => push_ray(problem, i, g, &mut guess, &mut equations)?,
        }
    }
    let room = vec![1.0; guess.len()];
    let x = solve_near(equations, &guess, &room)?;
    Some(ScaledVector::from_rationals(&x[..v.len()]))
}

/// u on the ray opposite to g: u = t (μ², −gᵀ) with a new unknown t; without friction only uᴺ = 0.
fn push_ray(
    problem: &Kinematics,
    i: usize,
    g: &[BigRational],
    guess: &mut Vec<BigRational>,
    equations: &mut Vec<Equation>,
) -> Option<()> {
    let normal = i * problem.dim;
    let mu = rational(problem.mu[i])?;
    if mu.is_zero() {
        equations.push(velocity_equation(problem, normal, None)?);
        return Some(());
    }
    let t = guess.len();
    guess.push(BigRational::one());
    equations.push(velocity_equation(problem, normal, Some((t, &mu * &mu)))?);
    for (k, g) in g.iter().enumerate().skip(1) {
        equations.push(velocity_equation(problem, normal + k, Some((t, -g)))?);
    }
    Some(())
}

/// uₖ = 0, or uₖ = a·x_t for the unknown t.
fn velocity_equation(problem: &Kinematics, k: usize, ray: Option<(usize, BigRational)>) -> Option<Equation> {
    let mut equation = Equation { value: -rational(problem.w[k])?, ..Equation::default() };
    for (j, a) in problem.H.row(k) {
        equation.add(j, &rational(a)?);
    }
    if let Some((t, a)) = ray {
        equation.add(t, &-a);
    }
    Some(equation)
}
