//! How one contact's cone enters the inner programs.

use crate::coulomb::pyramid::{Cones, edges, half_angle, middles};

/// What the rows of a gauge or chart must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Each of them ≥ 0.
    Nonnegative,
    /// Together in the second-order cone ‖(x₁, …)‖ ≤ x₀.
    SecondOrder,
}

/// For velocities: ũ ∈ K* exactly if G ũ, the `rows`, is in the standard cone, and r = Gᵀ y for its dual variable y.
pub(super) struct Gauge {
    pub(super) rows: Vec<Vec<f64>>,
    pub(super) kind: Kind,
}

impl Gauge {
    pub(super) fn new(dim: usize, mu: f64, cones: Cones) -> Self {
        let along = |tangent: &[f64]| std::iter::once(1.0).chain(tangent.iter().map(|t| mu * t)).collect();
        let nonnegative = |rows| Self { rows, kind: Kind::Nonnegative };
        match (dim, cones) {
            _ if mu <= 0.0 => nonnegative(vec![normal(dim)]),
            (2, _) => nonnegative(vec![along(&[1.0]), along(&[-1.0])]),
            (_, Cones::Faceted(n)) => nonnegative(edges(n).map(|d| along(&d)).collect()),
            (_, Cones::SecondOrder) => Self { rows: diagonal(dim, mu), kind: Kind::SecondOrder },
        }
    }
}

/// For forces: coordinates y with r = Bᵀ y, the rows of B in `basis`; r ∈ K exactly if the `rows` of y are in the
/// standard cone. Those of a pyramid are its facets, so that y has three coordinates whatever their number.
pub(super) struct Chart {
    pub(super) basis: Vec<Vec<f64>>,
    pub(super) rows: Vec<Vec<f64>>,
    pub(super) kind: Kind,
}

impl Chart {
    pub(super) fn new(dim: usize, mu: f64, cones: Cones) -> Self {
        match (dim, cones) {
            (3, Cones::Faceted(n)) if mu > 0.0 => {
                let depth = half_angle(n)[0];
                let rows = middles(n).map(|[c, s]| vec![depth, -c, -s]).collect();
                Self { basis: diagonal(dim, mu), rows, kind: Kind::Nonnegative }
            }
            _ => {
                let Gauge { rows: basis, kind } = Gauge::new(dim, mu, cones);
                Self { rows: diagonal(basis.len(), 1.0), basis, kind }
            }
        }
    }
}

fn normal(dim: usize) -> Vec<f64> {
    (0..dim).map(|k| if k == 0 { 1.0 } else { 0.0 }).collect()
}

/// diag(1, μ, …, μ).
fn diagonal(dim: usize, mu: f64) -> Vec<Vec<f64>> {
    let entry = |k: usize, j: usize| match (k == j, k) {
        (false, _) => 0.0,
        (true, 0) => 1.0,
        (true, _) => mu,
    };
    (0..dim).map(|k| (0..dim).map(|j| entry(k, j)).collect()).collect()
}
