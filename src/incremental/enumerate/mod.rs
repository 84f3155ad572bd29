//! All solutions of a planar problem. In the plane Coulomb's law is a union of polyhedra, one per word of modes
//! (take-off, stick, slip+, slip−), 4ⁿ words for n contacts [AC11 4.5.3]; a tree search over the words carries the
//! exact polyhedron of the decided contacts and drops a branch as soon as it is empty. The data are taken as the
//! binary fractions they are, and nothing is rounded before the end: that no word has a solution is then a proof.
//!
//! What W cannot distinguish is reported as a family: a polytope, by its vertices and extreme rays. A polyhedron inside
//! another one (a border case of two modes) is not listed again.

mod cone;
mod exact;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::Problem;
use cone::{Cone, Side, dot};
use exact::{Coordinates, Exact};

/// Mode of one planar contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// r = 0, u_N ≥ 0.
    TakeOff,
    /// u = 0, |r_T| ≤ μ r_N.
    Stick,
    /// u_N = 0, u_T > 0, r_T = −μ r_N.
    SlipPos,
    /// u_N = 0, u_T < 0, r_T = μ r_N.
    SlipNeg,
}

impl Mode {
    /// The word used in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::TakeOff => "take-off",
            Self::Stick => "stick",
            Self::SlipPos => "slip+",
            Self::SlipNeg => "slip-",
        }
    }
}

/// How much work to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Contacts above which the search is not begun.
    pub contacts: usize,
    /// Extreme rays of one polyhedron above which a branch is given up.
    pub rays: usize,
    /// Branches above which the search stops.
    pub branches: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { contacts: 8, rays: 2000, branches: 100_000 }
    }
}

/// A force and the velocity that belongs to it, rounded to the nearest `f64`.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Forces [N, T] by contact.
    pub r: Vec<f64>,
    /// Relative velocities, likewise.
    pub u: Vec<f64>,
}

/// A convex set of solutions: the vertices' convex hull plus the cone of the rays.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// The modes of a point in its relative interior.
    pub modes: Vec<Mode>,
    /// Vertices; a single one if the solution is isolated.
    pub vertices: Vec<Point>,
    /// Extreme directions in which r (and u, by W r) may grow without bound.
    pub rays: Vec<Point>,
    /// Dimension of the set of forces: 0 for an isolated solution.
    pub dimension: usize,
    /// Dimension of the set of velocities: 0 if the motion is unique although the forces may not be.
    pub motion_dimension: usize,
}

impl Family {
    /// The mean of the vertices, a solution too.
    #[must_use]
    pub fn centre(&self) -> Point {
        let n = self.vertices.len() as f64;
        let mean = |part: fn(&Point) -> &Vec<f64>| {
            let mut sum = vec![0.0; part(&self.vertices[0]).len()];
            self.vertices.iter().for_each(|p| sum.iter_mut().zip(part(p)).for_each(|(s, x)| *s += x / n));
            sum
        };
        Point { r: mean(|p| &p.r), u: mean(|p| &p.u) }
    }
}

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumeration {
    /// All families found, by modes of their interiors.
    pub families: Vec<Family>,
    /// Whether the whole tree was searched. An empty list is then a proof that no solution exists.
    pub complete: bool,
    /// Branches looked at.
    pub branches: usize,
}

/// Why a problem cannot be enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnumerationError {
    /// The cones of space are not polyhedral.
    Space,
    /// More contacts than the limit.
    TooManyContacts {
        /// Contacts of the problem.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// M is singular.
    SingularMass,
}

impl std::fmt::Display for EnumerationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Space => write!(
                f,
                "the friction cones of space are not polyhedral; only planar problems are enumerated"
            ),
            Self::TooManyContacts { found, limit } => {
                write!(f, "it has {found} contacts, and at most {limit} are enumerated")
            }
            Self::SingularMass => write!(f, "M is singular"),
        }
    }
}

impl std::error::Error for EnumerationError {}

/// All solutions of a planar problem.
///
/// # Errors
/// [`EnumerationError`]: a problem in space, with too many contacts or with a singular M.
pub fn enumerate(problem: &Problem, limits: Limits) -> Result<Enumeration, EnumerationError> {
    if problem.dim() != 2 {
        return Err(EnumerationError::Space);
    }
    if problem.contacts() > limits.contacts {
        return Err(EnumerationError::TooManyContacts { found: problem.contacts(), limit: limits.contacts });
    }
    let exact = Exact::of(problem).ok_or(EnumerationError::SingularMass)?;
    let mut search = Search::new(exact, limits);
    match search.root() {
        Some(root) => {
            search.descend(&Branch { cone: root, chosen: Vec::new(), zero: Vec::new(), rows: Vec::new() })
        }
        None => search.complete = false,
    }
    Ok(search.finish())
}

/// The polyhedron of the modes chosen so far; the undecided contacts have forces in their cones.
struct Branch {
    cone: Cone,
    chosen: Vec<Choice>,
    /// Coordinates that are zero.
    zero: Vec<usize>,
    /// Further rows with their sides.
    rows: Vec<(Vec<BigInt>, Side)>,
}

/// The alternatives of one contact; `Slide` is contact without friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    TakeOff,
    Stick,
    SlipPos,
    SlipNeg,
    Slide,
}

struct Search {
    exact: Exact,
    coordinates: Coordinates,
    limits: Limits,
    leaves: Vec<Branch>,
    branches: usize,
    complete: bool,
}

impl Search {
    fn new(exact: Exact, limits: Limits) -> Self {
        let coordinates = Coordinates::new(&exact.mu);
        Self { exact, coordinates, limits, leaves: Vec::new(), branches: 0, complete: true }
    }

    fn contacts(&self) -> usize {
        self.exact.mu.len()
    }

    fn row(&self, k: usize) -> Vec<BigInt> {
        self.coordinates.velocity_row(&self.exact, k)
    }

    /// Forces in their cones, no penetration anywhere: common to all modes.
    fn root(&self) -> Option<Cone> {
        let orthant = Cone::orthant(self.coordinates.dimension());
        (0..self.contacts())
            .try_fold(orthant, |cone, i| cone.cut(&self.row(2 * i), Side::Half, self.limits.rays))
    }

    fn descend(&mut self, branch: &Branch) {
        if self.branches >= self.limits.branches {
            self.complete = false;
            return;
        }
        self.branches += 1;
        let i = branch.chosen.len();
        if !branch.cone.rays.iter().any(has_weight) {
            return;
        }
        if i == self.contacts() {
            self.leaves.push(self.copy(branch));
            return;
        }
        for &choice in self.choices(i) {
            match self.child(branch, i, choice) {
                Some(child) => self.descend(&child),
                None => self.complete = false,
            }
        }
    }

    fn copy(&self, branch: &Branch) -> Branch {
        Branch {
            cone: branch.cone.clone(),
            chosen: branch.chosen.clone(),
            zero: branch.zero.clone(),
            rows: branch.rows.clone(),
        }
    }

    fn choices(&self, i: usize) -> &'static [Choice] {
        match self.exact.mu[i].is_zero() {
            true => &[Choice::TakeOff, Choice::Slide],
            false => &[Choice::TakeOff, Choice::Stick, Choice::SlipPos, Choice::SlipNeg],
        }
    }

    /// The branch with one more contact decided; none if too many rays appear.
    fn child(&self, branch: &Branch, i: usize, choice: Choice) -> Option<Branch> {
        let first = self.coordinates.first[i];
        // Generators in order: r_T = +μ r_N, which opposes slip−, then r_T = −μ r_N.
        let (zero, tangential) = match choice {
            Choice::TakeOff if self.exact.mu[i].is_zero() => (vec![first], None),
            Choice::TakeOff => (vec![first, first + 1], None),
            Choice::Slide => (vec![], None),
            Choice::Stick => (vec![], Some((self.row(2 * i + 1), Side::Plane))),
            Choice::SlipPos => (vec![first], Some((self.row(2 * i + 1), Side::Half))),
            Choice::SlipNeg => (vec![first + 1], Some((negated(self.row(2 * i + 1)), Side::Half))),
        };
        let mut child = self.copy(branch);
        child.chosen.push(choice);
        child.zero.extend(&zero);
        child.cone = zero.iter().fold(child.cone, |cone, &k| cone.face(k));
        if choice != Choice::TakeOff {
            // u_N = 0: the root's cut number i.
            child.cone = child.cone.face(self.coordinates.dimension() + i);
            child.rows.push((self.row(2 * i), Side::Plane));
        }
        if let Some((row, side)) = tangential {
            child.cone = child.cone.cut(&row, side, self.limits.rays)?;
            child.rows.push((row, side));
        }
        Some(child)
    }

    /// Families without those contained in others.
    fn finish(self) -> Enumeration {
        let inside = |a: &Branch, b: &Branch| a.cone.rays.iter().all(|ray| self.admits(b, &ray.x));
        let mut kept: Vec<&Branch> = Vec::new();
        for leaf in &self.leaves {
            if !kept.iter().any(|other| inside(leaf, other)) {
                kept.retain(|other| !inside(other, leaf));
                kept.push(leaf);
            }
        }
        let mut families: Vec<Family> = kept.into_iter().map(|leaf| self.family(leaf)).collect();
        families.sort_by(|a, b| a.modes.cmp(&b.modes));
        Enumeration { families, complete: self.complete, branches: self.branches }
    }

    fn admits(&self, branch: &Branch, x: &[BigInt]) -> bool {
        let zero = branch.zero.iter().all(|&k| x[k].is_zero());
        zero && branch.rows.iter().all(|(row, side)| match (dot(row, x), side) {
            (value, Side::Plane) => value.is_zero(),
            (value, Side::Half) => !value.is_negative(),
        })
    }

    fn family(&self, leaf: &Branch) -> Family {
        let (corners, far): (Vec<_>, Vec<_>) = leaf.cone.rays.iter().partition(|ray| has_weight(ray));
        let vertices: Vec<_> = corners.iter().map(|ray| self.point(&ray.x)).collect();
        let rays: Vec<_> = far.iter().map(|ray| self.direction(&ray.x)).collect();
        let spread = |part: fn(&(Forces, Forces)) -> &Forces| {
            let from_first = |p: &(Forces, Forces)| difference(part(p), part(&vertices[0]));
            vertices[1..].iter().map(from_first).chain(rays.iter().map(|p| part(p).clone())).collect()
        };
        let interior = self.interior(&vertices, &rays);
        Family {
            modes: self.modes(&interior),
            dimension: rank(spread(|p| &p.0)),
            motion_dimension: rank(spread(|p| &p.1)),
            vertices: vertices.iter().map(rounded).collect(),
            rays: rays.iter().map(rounded).collect(),
        }
    }

    fn point(&self, x: &[BigInt]) -> (Forces, Forces) {
        let t = BigRational::from_integer(x[x.len() - 1].clone());
        let r: Forces = self.coordinates.forces(self.contacts(), x).into_iter().map(|r| r / &t).collect();
        let u = self.exact.velocity(&r);
        (r, u)
    }

    fn direction(&self, x: &[BigInt]) -> (Forces, Forces) {
        let r = self.coordinates.forces(self.contacts(), x);
        let u = difference(&self.exact.velocity(&r), &self.exact.q);
        (r, u)
    }

    /// The mean of the vertices plus the sum of the rays.
    fn interior(&self, vertices: &[(Forces, Forces)], rays: &[(Forces, Forces)]) -> Forces {
        let weight = BigRational::new(1.into(), vertices.len().into());
        let mut r = vec![BigRational::zero(); 2 * self.contacts()];
        vertices.iter().for_each(|p| r.iter_mut().zip(&p.0).for_each(|(r, x)| *r += x * &weight));
        rays.iter().for_each(|p| r.iter_mut().zip(&p.0).for_each(|(r, x)| *r += x));
        r
    }

    fn modes(&self, r: &Forces) -> Vec<Mode> {
        let u = self.exact.velocity(r);
        let mode = |i: usize| match (r[2 * i].is_zero(), &u[2 * i + 1]) {
            (true, _) => Mode::TakeOff,
            (false, slip) if slip.is_zero() => Mode::Stick,
            (false, slip) if slip.is_positive() => Mode::SlipPos,
            (false, _) => Mode::SlipNeg,
        };
        (0..self.contacts()).map(mode).collect()
    }
}

type Forces = Vec<BigRational>;

/// Whether the last coordinate t of a ray is positive: a point, not a direction.
fn has_weight(ray: &cone::Ray) -> bool {
    ray.x.last().is_some_and(Signed::is_positive)
}

fn negated(row: Vec<BigInt>) -> Vec<BigInt> {
    row.into_iter().map(|x| -x).collect()
}

fn difference(a: &Forces, b: &Forces) -> Forces {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn rounded(point: &(Forces, Forces)) -> Point {
    let round = |x: &Forces| x.iter().map(|x| x.to_f64().unwrap_or(f64::NAN)).collect();
    Point { r: round(&point.0), u: round(&point.1) }
}

/// Rank of exact rows, by elimination.
fn rank(mut rows: Vec<Forces>) -> usize {
    let mut rank = 0;
    let columns = rows.first().map_or(0, Vec::len);
    for k in 0..columns {
        let Some(pivot) = (rank..rows.len()).find(|&i| !rows[i][k].is_zero()) else { continue };
        rows.swap(rank, pivot);
        let lead = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let factor = &row[k] / &lead[k];
            row.iter_mut().zip(&lead).for_each(|(x, l)| *x -= &factor * l);
        }
        rank += 1;
    }
    rank
}
