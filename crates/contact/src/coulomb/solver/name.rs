//! The solvers by name: what the command line says and a library caller chooses.

use super::fixed_point::{Acceleration, FACETS};
use super::{
    Accelerated, AlartCurnier, FischerBurmeister, FixedPoint, GaussSeidel, Lemke, ProjectedGradient,
    ProximalPoint, Smoothed, Solver,
};
use crate::coulomb::pyramid::Cones;
use crate::nearest::meant;
use std::fmt;
use std::str::FromStr;

/// One of the solvers, with its usual parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SolverName {
    /// [`GaussSeidel`].
    GaussSeidel,
    /// [`Accelerated`].
    Accelerated,
    /// [`AlartCurnier`].
    AlartCurnier,
    /// [`FischerBurmeister`].
    FischerBurmeister,
    /// [`Smoothed`].
    Smoothed,
    /// [`ProximalPoint`].
    Proximal,
    /// [`ProjectedGradient`].
    Gradient,
    /// [`FixedPoint`].
    FixedPoint,
    /// [`FixedPoint`] without acceleration.
    FixedPointPlain,
    /// [`FixedPoint`] with a pyramid of so many facets inside each cone: another law, for comparison.
    Facets(usize),
    /// [`Lemke`].
    Lemke,
}

/// Those without a number, by their names.
const PLAIN: [(&str, SolverName); 10] = [
    ("gauss-seidel", SolverName::GaussSeidel),
    ("accelerated", SolverName::Accelerated),
    ("alart-curnier", SolverName::AlartCurnier),
    ("fischer-burmeister", SolverName::FischerBurmeister),
    ("smoothed", SolverName::Smoothed),
    ("proximal", SolverName::Proximal),
    ("gradient", SolverName::Gradient),
    ("fixed-point", SolverName::FixedPoint),
    ("fixed-point-plain", SolverName::FixedPointPlain),
    ("lemke", SolverName::Lemke),
];

/// The names of the solvers; `facets-N` stands for one with N facets.
pub const NAMES: [&str; PLAIN.len() + 1] = {
    let (mut names, mut k) = (["facets-N"; PLAIN.len() + 1], 0);
    while k < PLAIN.len() {
        names[k] = PLAIN[k].0;
        k += 1;
    }
    names
};

impl SolverName {
    /// The solver.
    #[must_use]
    pub fn solver(self) -> Box<dyn Solver> {
        match self {
            Self::GaussSeidel => Box::new(GaussSeidel),
            Self::Accelerated => Box::new(Accelerated::default()),
            Self::AlartCurnier => Box::new(AlartCurnier),
            Self::FischerBurmeister => Box::new(FischerBurmeister),
            Self::Smoothed => Box::new(Smoothed::default()),
            Self::Proximal => Box::new(ProximalPoint::default()),
            Self::Gradient => Box::new(ProjectedGradient),
            Self::FixedPoint => Box::new(FixedPoint::default()),
            Self::FixedPointPlain => {
                Box::new(FixedPoint { acceleration: Acceleration::Plain, ..FixedPoint::default() })
            }
            Self::Facets(n) => Box::new(FixedPoint { cones: Cones::Faceted(n), ..FixedPoint::default() }),
            Self::Lemke => Box::new(Lemke),
        }
    }
}

impl FromStr for SolverName {
    type Err = UnknownSolver;

    fn from_str(name: &str) -> Result<Self, UnknownSolver> {
        if let Some(facets) = name.strip_prefix("facets-") {
            let n = facets.parse().ok().filter(|n| FACETS.contains(n));
            return n.map(Self::Facets).ok_or_else(|| UnknownSolver::Facets(facets.to_string()));
        }
        let plain = PLAIN.iter().find(|(known, _)| *known == name);
        plain.map(|(_, solver)| *solver).ok_or_else(|| UnknownSolver::Name(name.to_string()))
    }
}

impl fmt::Display for SolverName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, PLAIN.iter().find(|(_, solver)| solver == self)) {
            (Self::Facets(n), _) => write!(f, "facets-{n}"),
            (_, Some((name, _))) => f.write_str(name),
            (_, None) => Ok(()),
        }
    }
}

/// Why a name stands for no solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownSolver {
    /// No such name.
    #[error(
        "there is no solver `{}`, {}The solvers are {} (N from {} to {})",
        .0,
        meant(.0, NAMES),
        NAMES.join(", "),
        FACETS.start(),
        FACETS.end()
    )]
    Name(String),
    /// `facets-N` with an N that is no number, or out of range.
    #[error(
        "a pyramid has from {} to {} facets, not `{}`: write, for example, facets-8",
        FACETS.start(),
        FACETS.end(),
        .0
    )]
    Facets(String),
}

/// The solver with this name of the command line.
///
/// # Errors
/// [`UnknownSolver`] if there is none.
pub fn by_name(name: &str) -> Result<Box<dyn Solver>, UnknownSolver> {
    name.parse::<SolverName>().map(SolverName::solver)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_its_solver_and_comes_back() {
        for name in NAMES.map(|name| name.replace('N', "6")) {
            let solver: SolverName = name.parse().unwrap();
            assert_eq!(solver.to_string(), name);
            assert_eq!(
                solver.solver().name(),
                if name.starts_with("facets") { "facets" } else { name.as_str() }
            );
        }
    }
}
