//! Proofs that an assumption holds or fails, and their verification in exact arithmetic. `verify` shares nothing
//! with the search: it reads the problem's numbers as the exact binary fractions they are.
//!
//! With L = ∏ K_{μᵢ} the friction cones, L* = ∏ K_{1/μᵢ} their duals and L⁎ the interior of L*:
//!
//! | claim | holds by | fails by |
//! |---|---|---|
//! | (4.1) w ∈ Im H + L⁎ | v with Hv + w ∈ L⁎ | r ∈ Ker Hᵀ ∩ L, w·r < 0, or w·r = 0 with r ≠ 0 |
//! | (4.4) w ∈ Im H + L* | v with Hv + w ∈ L* | r ∈ Ker Hᵀ ∩ L, w·r < 0; or a face and a separator |
//! | (4.6) w ∈ cl(Im H + L*) | the same v; or a base and a direction | r ∈ Ker Hᵀ ∩ L, w·r < 0 |
//! | (4.5) uᴺ ≥ 0 | v with (Hv + w)ᴺ ≥ 0 | the same with rᵀ = 0 |
//! | (5.1) Ker Hᵀ ∩ L = {0} | d with Hd ∈ int L* | r ∈ Ker Hᵀ ∩ L, r ≠ 0 |

use super::kinematics::Kinematics;
use crate::num::{Dyadic, ScaledVector};

/// The assumptions of the existence theory; the numbers are those of \[ACLM11\].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// (4.1): some v has uⁱ inside K_{1/μᵢ}, uᴺ > 0 where μᵢ = 0. A solution exists, and the fixed point of convex
    /// programs finds one [ACLM11 Thm 4.6], for which uᴺ ≥ 0 would do where μᵢ = 0; that it survives small changes of
    /// the data [AC11 4.3.3] needs the interior.
    Strong,
    /// (4.4), (A) of \[AC11\]: some v has uⁱ ∈ K_{1/μᵢ}. A solution exists [AC11 Thm 1].
    Weak,
    /// (4.6): w·r ≥ 0 for all r ∈ Ker Hᵀ ∩ L. A solution exists by quasi-variational inequalities [ACLM11 Prop 4.8].
    KlarbringPang,
    /// (4.5), (A') of \[AC11\]: some v has uᴺ ≥ 0. Without it no solution exists.
    NonPenetration,
    /// (5.1): Ker Hᵀ ∩ L = {0}. Then (4.1), (4.4), (4.6) hold whatever w is [ACLM11 Thm 5.1].
    NoWedging,
}

/// Which side of an assumption is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The assumption holds.
    Holds(Assumption),
    /// The assumption fails.
    Fails(Assumption),
}

/// A proof, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// A velocity v: its Hv + w lies in the cones.
    Velocity(ScaledVector),
    /// A direction d with Hd inside all cones L*: for every w, v = λd serves once λ is large.
    Direction(ScaledVector),
    /// v = base + λ·direction tends to the cones as λ → ∞ without any v lying in them: w is in the closure only.
    Limit {
        /// The fixed part.
        base: ScaledVector,
        /// The part that grows; its Hd lies in L*.
        direction: ScaledVector,
    },
    /// A multiplier r ∈ Ker Hᵀ ∩ L: forces inside the friction cones that the bodies cannot feel.
    Multiplier(Vec<Dyadic>),
    /// A multiplier with w·face = 0, which forces every admissible u to be orthogonal to it, and a second one
    /// which excludes what is left: (4.4) fails although (4.6) holds (one step of facial reduction).
    Chain {
        /// r ∈ Ker Hᵀ ∩ L with w·r = 0.
        face: Vec<Dyadic>,
        /// r' ∈ Ker Hᵀ, nonnegative on the face of L* orthogonal to `face`, with w·r' < 0.
        separator: Vec<Dyadic>,
    },
}

/// Why a certificate does not prove a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Flaw {
    /// A certificate of this kind says nothing about the claim.
    Irrelevant,
    /// A vector has the wrong length or a denominator that is not positive.
    Shape,
    /// A number of the problem is not finite.
    NotFinite,
    /// The relative velocity of this contact is outside its cone.
    VelocityOutside(usize),
    /// The multiplier of this contact is outside its friction cone (or has a tangential part where none is allowed).
    MultiplierOutside(usize),
    /// Component j of Hᵀ r is not zero.
    NotInKernel(usize),
    /// w·r has the wrong sign.
    Power,
    /// The multiplier is zero where it must not be.
    Zero,
}

impl Certificate {
    /// Checks, in exact arithmetic and from nothing but the problem's numbers, that this proves `claim`.
    ///
    /// # Errors
    /// The first [`Flaw`] found.
    pub fn verify(&self, problem: &Kinematics, claim: Claim) -> Result<(), Flaw> {
        match (self, claim) {
            (Self::Velocity(v), Claim::Holds(assumption)) => verify_velocity(problem, v, assumption),
            (Self::Direction(d), Claim::Holds(_)) => verify_direction(problem, d),
            (Self::Limit { base, direction }, Claim::Holds(Assumption::KlarbringPang)) => {
                verify_limit(problem, base, direction)
            }
            (Self::Multiplier(r), Claim::Fails(assumption)) => verify_multiplier(problem, r, assumption),
            (Self::Chain { face, separator }, Claim::Fails(Assumption::Weak)) => {
                verify_chain(problem, face, separator)
            }
            _ => Err(Flaw::Irrelevant),
        }
    }
}

impl Certificate {
    /// How far the velocities of a certificate stay from the border of their cones: the least uᴺ − μ‖uᵀ‖ relative to the
    /// terms it is summed from. Near the rounding unit, the verdict is one about the last digits of the data; infinite
    /// without contacts, none for multipliers.
    #[must_use]
    pub fn relative_clearance(&self, problem: &Kinematics) -> Option<f64> {
        let (problem, v) = match self {
            Self::Velocity(v) => (problem.clone(), v),
            Self::Direction(d) => (problem.homogeneous(), d),
            Self::Limit { .. } | Self::Multiplier(_) | Self::Chain { .. } => return None,
        };
        let v = v.to_f64();
        let u = problem.relative_velocity(&v);
        let terms =
            |k: usize| problem.w[k].abs() + problem.H.row(k).map(|(j, a)| (a * v[j]).abs()).sum::<f64>();
        let size = |i: usize| (i * problem.dim..(i + 1) * problem.dim).map(terms).sum::<f64>();
        let quotient = |i: usize| problem.clearance(&u, i) / size(i).max(f64::MIN_POSITIVE);
        Some((0..problem.contacts()).map(quotient).fold(f64::INFINITY, f64::min))
    }
}

/// Where an exact vector (x_N, x_T) lies with respect to the cone ‖x_T‖ ≤ κ x_N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConePosition {
    Outside,
    /// On the boundary, but not the apex.
    Boundary,
    Apex,
    Inside,
}

/// The cone uᴺ ≥ μ‖uᵀ‖, that is K_{1/μ}; for μ = 0 the half-space uᴺ ≥ 0 [ACLM11 (3.12)].
fn place_in_dual(u: &[Dyadic], mu: &Dyadic) -> ConePosition {
    let tangent = u[1..].iter().map(Dyadic::squared).sum::<Dyadic>();
    place(&u[0], &u[0].squared() - &(&mu.squared() * &tangent), tangent.is_zero())
}

/// The cone ‖rᵀ‖ ≤ μ rᴺ; for μ = 0 a half-line, all of it boundary.
fn place_in_friction_cone(r: &[Dyadic], mu: &Dyadic) -> ConePosition {
    let tangent = r[1..].iter().map(Dyadic::squared).sum::<Dyadic>();
    place(&r[0], &(&mu.squared() * &r[0].squared()) - &tangent, tangent.is_zero())
}

/// `gap` = (κ x_N)² − ‖x_T‖² up to a positive factor.
fn place(normal: &Dyadic, gap: Dyadic, no_tangent: bool) -> ConePosition {
    match (normal.is_negative() || gap.is_negative(), normal.is_zero(), gap.is_positive()) {
        (true, _, _) => ConePosition::Outside,
        (false, true, _) if no_tangent => ConePosition::Apex,
        (false, _, true) => ConePosition::Inside,
        (false, _, false) => ConePosition::Boundary,
    }
}

fn verify_velocity(problem: &Kinematics, v: &ScaledVector, assumption: Assumption) -> Result<(), Flaw> {
    check_shape(problem, v)?;
    let u = problem.exact_velocity(v).ok_or(Flaw::NotFinite)?;
    for (i, u) in u.chunks(problem.dim).enumerate() {
        let mu = friction(problem, i)?;
        let allowed = match (assumption, place_in_dual(u, &mu)) {
            (Assumption::NoWedging, _) => return Err(Flaw::Irrelevant),
            (Assumption::NonPenetration, _) => !u[0].is_negative(),
            (Assumption::Strong, place) => place == ConePosition::Inside,
            (Assumption::Weak | Assumption::KlarbringPang, place) => place != ConePosition::Outside,
        };
        allowed.then_some(()).ok_or(Flaw::VelocityOutside(i))?;
    }
    Ok(())
}

/// Hd ∈ int L*: then 0 = d·Hᵀr = Hd·r > 0 for r ≠ 0 in Ker Hᵀ ∩ L, so that (5.1) holds.
fn verify_direction(problem: &Kinematics, d: &ScaledVector) -> Result<(), Flaw> {
    check_shape(problem, d)?;
    let u = problem.homogeneous().exact_velocity(d).ok_or(Flaw::NotFinite)?;
    for (i, u) in u.chunks(problem.dim).enumerate() {
        let inside = place_in_dual(u, &friction(problem, i)?) == ConePosition::Inside && u[0].is_positive();
        inside.then_some(()).ok_or(Flaw::VelocityOutside(i))?;
    }
    // Finite w: otherwise no multiple of d serves.
    problem.w.iter().all(|w| w.is_finite()).then_some(()).ok_or(Flaw::NotFinite)
}

/// For r ∈ Ker Hᵀ ∩ L, Hd·r = 0 leaves only rⁱ along the boundary ray opposite to (Hd)ⁱ where that is on the boundary,
/// rⁱ = 0 where it is inside; then w·r = (H·base + w)·r ≥ 0 follows contact by contact.
fn verify_limit(problem: &Kinematics, base: &ScaledVector, direction: &ScaledVector) -> Result<(), Flaw> {
    check_shape(problem, base)?;
    check_shape(problem, direction)?;
    let u = problem.exact_velocity(base).ok_or(Flaw::NotFinite)?;
    let d = problem.homogeneous().exact_velocity(direction).ok_or(Flaw::NotFinite)?;
    for (i, (u, d)) in u.chunks(problem.dim).zip(d.chunks(problem.dim)).enumerate() {
        let mu = friction(problem, i)?;
        let admissible = match place_in_dual(d, &mu) {
            ConePosition::Outside => false,
            ConePosition::Inside => true,
            ConePosition::Apex => place_in_dual(u, &mu) != ConePosition::Outside,
            ConePosition::Boundary => !on_exposed_ray(u, d, &mu).is_negative(),
        };
        admissible.then_some(()).ok_or(Flaw::VelocityOutside(i))?;
    }
    Ok(())
}

/// u·r for r = (d_N, −μ² d_T), the ray of the friction cone orthogonal to the boundary vector d of its dual; without
/// friction that ray is the normal.
fn on_exposed_ray(u: &[Dyadic], d: &[Dyadic], mu: &Dyadic) -> Dyadic {
    if mu.is_zero() {
        return u[0].clone();
    }
    let tangent: Dyadic = u[1..].iter().zip(&d[1..]).map(|(u, d)| u * d).sum();
    &(&u[0] * &d[0]) - &(&mu.squared() * &tangent)
}

fn verify_multiplier(problem: &Kinematics, r: &[Dyadic], assumption: Assumption) -> Result<(), Flaw> {
    check_in_cones(problem, r)?;
    check_kernel(problem, r)?;
    let power = problem.exact_power(r).ok_or(Flaw::NotFinite)?;
    match assumption {
        Assumption::NoWedging => check_not_zero(r),
        Assumption::NonPenetration => check_normal_only(problem, r).and(check_negative(&power)),
        Assumption::Weak | Assumption::KlarbringPang => check_negative(&power),
        Assumption::Strong if power.is_zero() => check_not_zero(r),
        Assumption::Strong => check_negative(&power),
    }
}

/// Every u = Hv + w in L* has u·face = w·face = 0, hence uⁱ·faceⁱ = 0 for each i: uⁱ = 0 where faceⁱ is inside its
/// cone, uⁱ on one ray where it is on the boundary. The separator is nonnegative on all of these, yet w·r' < 0.
fn verify_chain(problem: &Kinematics, face: &[Dyadic], separator: &[Dyadic]) -> Result<(), Flaw> {
    check_in_cones(problem, face)?;
    check_kernel(problem, face)?;
    check_kernel(problem, separator)?;
    let power = problem.exact_power(face).ok_or(Flaw::NotFinite)?;
    power.is_zero().then_some(()).ok_or(Flaw::Power)?;
    for (i, (f, r)) in face.chunks(problem.dim).zip(separator.chunks(problem.dim)).enumerate() {
        let admissible = nonnegative_on_face(f, r, &friction(problem, i)?);
        admissible.then_some(()).ok_or(Flaw::MultiplierOutside(i))?;
    }
    check_negative(&problem.exact_power(separator).ok_or(Flaw::NotFinite)?)
}

fn nonnegative_on_face(face: &[Dyadic], r: &[Dyadic], mu: &Dyadic) -> bool {
    if mu.is_zero() {
        // The face uᴺ = 0 is a subspace; with face = 0 it is the half-space.
        let no_tangent = r[1..].iter().all(Dyadic::is_zero);
        return no_tangent && (face[0].is_positive() || !r[0].is_negative());
    }
    match place_in_friction_cone(face, mu) {
        ConePosition::Outside => false,
        ConePosition::Inside => true,
        ConePosition::Apex => place_in_friction_cone(r, mu) != ConePosition::Outside,
        // u = (μ² f_N, −f_T) spans the face: uᴺ = μ²f_N = μ‖f_T‖ = μ‖uᵀ‖.
        ConePosition::Boundary => {
            let tangent: Dyadic = r[1..].iter().zip(&face[1..]).map(|(r, f)| r * f).sum();
            !(&(&mu.squared() * &(&r[0] * &face[0])) - &tangent).is_negative()
        }
    }
}

fn check_shape(problem: &Kinematics, v: &ScaledVector) -> Result<(), Flaw> {
    let fits = v.numerators.len() == problem.velocities() && v.denominator.is_positive();
    fits.then_some(()).ok_or(Flaw::Shape)
}

fn friction(problem: &Kinematics, i: usize) -> Result<Dyadic, Flaw> {
    Dyadic::from_f64(problem.mu[i]).ok_or(Flaw::NotFinite)
}

fn check_in_cones(problem: &Kinematics, r: &[Dyadic]) -> Result<(), Flaw> {
    (r.len() == problem.w.len()).then_some(()).ok_or(Flaw::Shape)?;
    for (i, r) in r.chunks(problem.dim).enumerate() {
        let place = place_in_friction_cone(r, &friction(problem, i)?);
        (place != ConePosition::Outside).then_some(()).ok_or(Flaw::MultiplierOutside(i))?;
    }
    Ok(())
}

fn check_kernel(problem: &Kinematics, r: &[Dyadic]) -> Result<(), Flaw> {
    (r.len() == problem.w.len()).then_some(()).ok_or(Flaw::Shape)?;
    let force = problem.exact_force(r).ok_or(Flaw::NotFinite)?;
    force.iter().position(|x| !x.is_zero()).map_or(Ok(()), |j| Err(Flaw::NotInKernel(j)))
}

fn check_negative(power: &Dyadic) -> Result<(), Flaw> {
    power.is_negative().then_some(()).ok_or(Flaw::Power)
}

fn check_normal_only(problem: &Kinematics, r: &[Dyadic]) -> Result<(), Flaw> {
    let mut blocks = r.chunks(problem.dim);
    let tangential = blocks.position(|r| r[1..].iter().any(|x| !x.is_zero()));
    tangential.map_or(Ok(()), |i| Err(Flaw::MultiplierOutside(i)))
}

fn check_not_zero(r: &[Dyadic]) -> Result<(), Flaw> {
    r.iter().any(|x| !x.is_zero()).then_some(()).ok_or(Flaw::Zero)
}

#[cfg(test)]
mod tests;
