//! Two contacts near an equilibrium, to leading order: M, W and the loads are constant, so the velocities that the contacts see are
//! those of a particle of mass one in a space of at most three dimensions, the metric being kinetic energy   [CV16 6.4].
//!
//! With D = L Lᵀ a row of contact velocities is w = L z, its kinetic energy ½|z|², and ż = a₀ + Lᵀ λ. Forces and gaps are scaled so
//! that rows have length one, and the load so that |a₀| is one: no number has a unit.

/// A vector of the particle's space.
pub(super) type Vector = [f64; 3];

pub(super) fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a + s b.
pub(super) fn along(a: &Vector, s: f64, b: &Vector) -> Vector {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

pub(super) fn scaled(s: f64, a: &Vector) -> Vector {
    [s * a[0], s * a[1], s * a[2]]
}

pub(super) fn cross(a: &Vector, b: &Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn length(a: &Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Why the motions near an equilibrium are not those of a particle in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoParticle {
    /// The four rows are independent: directions of velocities fill more than a circle.
    Independent,
    /// A row does not move, or both gaps move as one.
    Degenerate,
    /// A friction without bound.
    Infinite,
}

/// Two contacts near an equilibrium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearby {
    /// Rows of the gaps, of length one.
    pub(super) N: [Vector; 2],
    /// Rows of the slips, of length one.
    pub(super) T: [Vector; 2],
    /// Friction in the units of the rows.
    pub(super) mu: [f64; 2],
    /// Acceleration without contact forces, of length one.
    pub(super) free: Vector,
    /// Dimension of the space.
    pub(super) rank: usize,
    /// Unit vector along which both gaps rest.
    pub(super) level: Vector,
    /// Unit vectors across `level` along which gap i rests and the other closes.
    pub(super) falls: [Vector; 2],
    /// Size relative to one up to which rows count as dependent.
    pub(super) small: f64,
}

impl Nearby {
    /// From D with unit diagonal, the free accelerations c (rows N, T of each contact) and μ in the same units.
    pub(super) fn new(
        D: impl Fn(usize, usize) -> f64,
        c: &[f64; 4],
        mu: [f64; 2],
        dependent: f64,
    ) -> Result<Self, NoParticle> {
        if mu.iter().any(|mu| !mu.is_finite()) {
            return Err(NoParticle::Infinite);
        }
        let (rows, order) = factor(D, dependent)?;
        let mut free = [0.0; 3];
        for (k, &row) in order.iter().enumerate() {
            let known: f64 = (0..k).map(|l| rows[row][l] * free[l]).sum();
            free[k] = (c[row] - known) / rows[row][k];
        }
        let (N, T) = ([rows[0], rows[2]], [rows[1], rows[3]]);
        let size = length(&free);
        let level = cross(&N[0], &N[1]);
        let sine = length(&level);
        if order.len() < 2 || sine * sine <= dependent || size <= 0.0 {
            return Err(NoParticle::Degenerate);
        }
        let level = scaled(1.0 / sine, &level);
        let fall = |i: usize| {
            let across = cross(&level, &N[i]);
            scaled(if dot(&across, &N[1 - i]) > 0.0 { -1.0 } else { 1.0 }, &across)
        };
        Ok(Self {
            N,
            T,
            mu,
            free: scaled(1.0 / size, &free),
            rank: order.len(),
            level,
            falls: [fall(0), fall(1)],
            small: dependent,
        })
    }

    /// Force per unit normal force of a contact that slips with a sign: N − sμT.
    pub(super) fn push(&self, contact: usize, sign: f64) -> Vector {
        along(&self.N[contact], -sign * self.mu[contact], &self.T[contact])
    }

    /// The velocity with gap i at rest and the other closing, at an angle from the level direction between 0 and π.
    pub(super) fn striking(&self, contact: usize, angle: f64) -> Vector {
        let (s, c) = angle.sin_cos();
        along(&scaled(c, &self.level), s, &self.falls[contact])
    }

    /// The angle of such a velocity.
    pub(super) fn angle(&self, contact: usize, z: &Vector) -> f64 {
        dot(z, &self.falls[contact]).atan2(dot(z, &self.level))
    }
}

/// D = L Lᵀ with the largest pivot first: the rows of L, and which rows were pivots.
fn factor(D: impl Fn(usize, usize) -> f64, dependent: f64) -> Result<([Vector; 4], Vec<usize>), NoParticle> {
    let (mut rows, mut order) = ([[0.0; 3]; 4], Vec::with_capacity(4));
    let mut left = [0, 1, 2, 3].map(|i| D(i, i));
    if left.iter().any(|x| *x <= 0.0) {
        return Err(NoParticle::Degenerate);
    }
    while let Some(pivot) =
        (0..4).filter(|i| !order.contains(i)).max_by(|&i, &j| left[i].total_cmp(&left[j]).then(j.cmp(&i)))
    {
        if left[pivot] <= dependent {
            break;
        }
        let column = order.len();
        if column == 3 {
            return Err(NoParticle::Independent);
        }
        let root = left[pivot].sqrt();
        for i in (0..4).filter(|i| !order.contains(i)) {
            let known: f64 = (0..column).map(|l| rows[i][l] * rows[pivot][l]).sum();
            rows[i][column] = if i == pivot { root } else { (D(i, pivot) - known) / root };
            left[i] -= rows[i][column] * rows[i][column];
        }
        order.push(pivot);
    }
    Ok((rows, order))
}
