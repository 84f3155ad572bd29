//! The reduced system in the velocities of the bodies ([`Origin`]).
//!
//! With W = H M⁻¹ Hᵀ and E = B + δ the equations `R W C x + E x = b` are, in `z = M⁻¹ Hᵀ C x`,
//! `(M + Hᵀ K H) z = Hᵀ C E⁻¹ b`, K = C E⁻¹ R by contacts, and `x = E⁻¹ (b − R H z)`. Bodies take the place of contacts in the
//! fronts. In a crowd this takes a fourth of the products and less; E must be regular.

use super::super::block::BlockMatrix;
use super::super::origin::Origin;
use super::{Maps, Multifrontal, order};

/// The factors, for D rows of a contact and B coordinates of a body.
#[derive(Debug)]
pub(crate) struct ByBodies<const D: usize, const B: usize, const BB: usize> {
    /// M + Hᵀ K H.
    A: BlockMatrix,
    fronts: Multifrontal<B, BB>,
    units: Vec<Maps<B>>,
    /// E⁻¹ of every contact.
    inverse: Vec<[[f64; D]; D]>,
    z: Vec<[f64; B]>,
    products: f64,
    start: Vec<u32>,
    bodies: Vec<u32>,
}

impl<const D: usize, const B: usize, const BB: usize> ByBodies<D, B, BB> {
    /// For matrices of one origin's pattern.
    pub(crate) fn new(origin: &Origin) -> Self {
        let mut A = BlockMatrix::default();
        A.assign(origin.mass());
        let (sequence, work) = order(A.pattern());
        let (start, bodies) = origin.pattern();
        Self {
            fronts: Multifrontal::new(&A, sequence),
            units: vec![Maps::unit(B, 0.0); A.blocks()],
            inverse: Vec::new(),
            z: vec![[0.0; B]; A.blocks()],
            products: work * (B as f64 / D as f64).powi(3),
            start: start.to_vec(),
            bodies: bodies.to_vec(),
            A,
        }
    }

    /// Products of blocks of contacts that take as long as the factorisation.
    pub(crate) fn products(&self) -> f64 {
        self.products
    }

    /// Whether it is for matrices of this origin's pattern.
    pub(crate) fn fits(&self, origin: &Origin) -> bool {
        origin.is_like(&self.start, &self.bodies) && origin.mass().pattern() == self.A.pattern()
    }

    /// Factors the system of `maps`, by contacts, with `shift` added to the diagonal; false when a pivot vanishes.
    pub(crate) fn factor(&mut self, origin: &Origin, maps: &[Maps<D>], shift: f64) -> bool {
        self.A.assign(origin.mass());
        self.inverse.clear();
        for (i, map) in maps.iter().enumerate() {
            let Some(inverse) = inverse(map, shift) else { return false };
            self.inverse.push(inverse);
            if map.size > 0 {
                self.add(origin, i, &middle(map, &inverse));
            }
        }
        self.fronts.factor(&self.A, &self.units, 0.0)
    }

    /// Factors M + Hᵀ K H; false when a pivot vanishes.
    pub(crate) fn factor_middle(&mut self, origin: &Origin, middle: &[[[f64; D]; D]]) -> bool {
        self.A.assign(origin.mass());
        for (i, K) in middle.iter().enumerate() {
            if K.iter().flatten().any(|k| k.abs() > 0.0) {
                self.add(origin, i, K);
            }
        }
        self.fronts.factor(&self.A, &self.units, 0.0)
    }

    /// Solves for velocities in place.
    pub(crate) fn solve_velocities(&mut self, z: &mut [f64]) {
        self.z.as_flattened_mut().copy_from_slice(z);
        self.fronts.solve(&self.units, &mut self.z);
        z.copy_from_slice(self.z.as_flattened());
    }

    /// Velocities of all bodies, the filled up coordinates among them.
    pub(crate) fn unknowns(&self) -> usize {
        self.A.blocks() * B
    }

    /// z += Hᵀ r.
    pub(crate) fn push(&self, origin: &Origin, r: &[f64], z: &mut [f64]) {
        let z = z.as_chunks_mut::<B>().0;
        for (i, r) in r.as_chunks::<D>().0.iter().enumerate() {
            let (bodies, first) = origin.bodies(i);
            for (s, &body) in bodies.iter().enumerate() {
                for (a, r) in r.iter().enumerate() {
                    let h = origin.row::<D, B>(first + s, a);
                    z[body as usize].iter_mut().zip(h).for_each(|(z, h)| *z += h * r);
                }
            }
        }
    }

    /// u += H z.
    pub(crate) fn add_velocities(&self, origin: &Origin, z: &[f64], u: &mut [f64]) {
        let z = z.as_chunks::<B>().0;
        for (i, u) in u.as_chunks_mut::<D>().0.iter_mut().enumerate() {
            let (bodies, first) = origin.bodies(i);
            for (s, &body) in bodies.iter().enumerate() {
                for (a, u) in u.iter_mut().enumerate() {
                    let h = origin.row::<D, B>(first + s, a);
                    *u += h.iter().zip(&z[body as usize]).map(|(h, z)| h * z).sum::<f64>();
                }
            }
        }
    }

    /// F = M z − Hᵀ r; its size, by the diagonal of M.
    pub(crate) fn defect(&self, origin: &Origin, z: &[f64], r: &[f64], F: &mut Vec<f64>) -> f64 {
        let M = origin.mass();
        F.clear();
        F.resize(z.len(), 0.0);
        self.push(origin, r, F);
        let mut sum = 0.0;
        for (i, F) in F.as_chunks_mut::<B>().0.iter_mut().enumerate() {
            F.iter_mut().for_each(|x| *x = -*x);
            for k in M.row(i) {
                let z = &z.as_chunks::<B>().0[M.column(k)];
                for (F, row) in F.iter_mut().zip(M.block(k).as_chunks::<B>().0) {
                    *F += row.iter().zip(z).map(|(m, z)| m * z).sum::<f64>();
                }
            }
            let own = M.block(M.diagonal(i));
            sum += F.iter().enumerate().map(|(k, x)| x * x / own[k * (B + 1)]).sum::<f64>();
        }
        sum.sqrt()
    }

    /// A += Hᵢᵀ K Hᵢ.
    fn add(&mut self, origin: &Origin, i: usize, K: &[[f64; D]; D]) {
        let (bodies, first) = origin.bodies(i);
        for (s, &left) in bodies.iter().enumerate() {
            // Hᵀ K of this body
            let mut pushed = [[0.0; D]; B];
            for (a, k) in K.iter().enumerate() {
                let h = origin.row::<D, B>(first + s, a);
                for (pushed, h) in pushed.iter_mut().zip(h) {
                    (0..D).for_each(|b| pushed[b] += h * k[b]);
                }
            }
            let rows: [&[f64; B]; D] = [origin.row::<D, B>(first + s, 0); D];
            for (t, &right) in bodies.iter().enumerate() {
                let Some(place) = self.A.find(left as usize, right as usize) else { continue };
                let mut rows = rows;
                (0..D).for_each(|b| rows[b] = origin.row::<D, B>(first + t, b));
                let block = self.A.block_mut(place).as_chunks_mut::<B>().0;
                for (row, pushed) in block.iter_mut().zip(&pushed) {
                    for (h, pushed) in rows.iter().zip(pushed) {
                        (0..B).for_each(|l| row[l] += pushed * h[l]);
                    }
                }
            }
        }
    }

    /// Solves in place: `x` holds D entries per contact, the first `size` of them used.
    pub(crate) fn solve(&mut self, origin: &Origin, maps: &[Maps<D>], x: &mut [[f64; D]]) {
        self.z.fill([0.0; B]);
        for (i, map) in maps.iter().enumerate().filter(|(_, map)| map.size > 0) {
            let force = map.force(&times(&self.inverse[i], &x[i], map.size));
            let (bodies, first) = origin.bodies(i);
            for (s, &body) in bodies.iter().enumerate() {
                for (a, r) in force.iter().enumerate() {
                    let h = origin.row::<D, B>(first + s, a);
                    self.z[body as usize].iter_mut().zip(h).for_each(|(z, h)| *z += h * r);
                }
            }
        }
        self.fronts.solve(&self.units, &mut self.z);
        for (i, map) in maps.iter().enumerate().filter(|(_, map)| map.size > 0) {
            let (bodies, first) = origin.bodies(i);
            let mut u = [0.0; D];
            for (s, &body) in bodies.iter().enumerate() {
                let z = &self.z[body as usize];
                for (a, u) in u.iter_mut().enumerate() {
                    *u += origin.row::<D, B>(first + s, a).iter().zip(z).map(|(h, z)| h * z).sum::<f64>();
                }
            }
            let mut rest = x[i];
            (0..map.size).for_each(|k| rest[k] -= map.row(k, &u));
            x[i] = times(&self.inverse[i], &rest, map.size);
        }
    }
}

/// (B + δ)⁻¹ of a contact's unknowns by Gauss's elimination with pivots; none if it is singular.
fn inverse<const D: usize>(map: &Maps<D>, shift: f64) -> Option<[[f64; D]; D]> {
    let n = map.size;
    let (mut a, mut out) = (map.own, [[0.0; D]; D]);
    for k in 0..n {
        a[k][k] += shift;
        out[k][k] = 1.0;
    }
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, pivot);
        out.swap(k, pivot);
        let scale = 1.0 / a[k][k];
        if !scale.is_finite() {
            return None;
        }
        (0..n).for_each(|j| (a[k][j], out[k][j]) = (a[k][j] * scale, out[k][j] * scale));
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][k];
            for j in 0..n {
                a[i][j] -= factor * a[k][j];
                out[i][j] -= factor * out[k][j];
            }
        }
    }
    Some(out)
}

/// C E⁻¹ R.
fn middle<const D: usize>(map: &Maps<D>, inverse: &[[f64; D]; D]) -> [[f64; D]; D] {
    let mut out = [[0.0; D]; D];
    for k in 0..map.size {
        for l in 0..map.size {
            for (a, out) in out.iter_mut().enumerate() {
                let share = map.columns[k][a] * inverse[k][l];
                (0..D).for_each(|b| out[b] += share * map.rows[l][b]);
            }
        }
    }
    out
}

fn times<const D: usize>(a: &[[f64; D]; D], x: &[f64; D], size: usize) -> [f64; D] {
    let mut out = [0.0; D];
    for (out, row) in out.iter_mut().zip(a).take(size) {
        *out = row.iter().zip(x).take(size).map(|(a, x)| a * x).sum();
    }
    out
}

/// [`ByBodies`] for the coordinates that bodies have in the plane and in space.
#[derive(Debug)]
pub(crate) enum Bodies<const D: usize> {
    /// Three.
    Plane(ByBodies<D, 3, 9>),
    /// Six.
    Space(ByBodies<D, 6, 36>),
}

impl<const D: usize> Bodies<D> {
    /// As [`ByBodies::new`].
    pub(crate) fn new(origin: &Origin) -> Self {
        if D == 2 { Self::Plane(ByBodies::new(origin)) } else { Self::Space(ByBodies::new(origin)) }
    }

    /// As [`ByBodies::products`].
    pub(crate) fn products(&self) -> f64 {
        match self {
            Self::Plane(bodies) => bodies.products(),
            Self::Space(bodies) => bodies.products(),
        }
    }

    /// As [`ByBodies::fits`].
    pub(crate) fn fits(&self, origin: &Origin) -> bool {
        match self {
            Self::Plane(bodies) => bodies.fits(origin),
            Self::Space(bodies) => bodies.fits(origin),
        }
    }

    /// As [`ByBodies::factor`].
    pub(crate) fn factor(&mut self, origin: &Origin, maps: &[Maps<D>], shift: f64) -> bool {
        match self {
            Self::Plane(bodies) => bodies.factor(origin, maps, shift),
            Self::Space(bodies) => bodies.factor(origin, maps, shift),
        }
    }

    /// As [`ByBodies::solve`].
    pub(crate) fn solve(&mut self, origin: &Origin, maps: &[Maps<D>], x: &mut [[f64; D]]) {
        match self {
            Self::Plane(bodies) => bodies.solve(origin, maps, x),
            Self::Space(bodies) => bodies.solve(origin, maps, x),
        }
    }

    /// As [`ByBodies::factor_middle`].
    pub(crate) fn factor_middle(&mut self, origin: &Origin, middle: &[[[f64; D]; D]]) -> bool {
        match self {
            Self::Plane(bodies) => bodies.factor_middle(origin, middle),
            Self::Space(bodies) => bodies.factor_middle(origin, middle),
        }
    }

    /// As [`ByBodies::solve_velocities`].
    pub(crate) fn solve_velocities(&mut self, z: &mut [f64]) {
        match self {
            Self::Plane(bodies) => bodies.solve_velocities(z),
            Self::Space(bodies) => bodies.solve_velocities(z),
        }
    }

    /// As [`ByBodies::unknowns`].
    pub(crate) fn unknowns(&self) -> usize {
        match self {
            Self::Plane(bodies) => bodies.unknowns(),
            Self::Space(bodies) => bodies.unknowns(),
        }
    }

    /// As [`ByBodies::push`].
    pub(crate) fn push(&self, origin: &Origin, r: &[f64], z: &mut [f64]) {
        match self {
            Self::Plane(bodies) => bodies.push(origin, r, z),
            Self::Space(bodies) => bodies.push(origin, r, z),
        }
    }

    /// As [`ByBodies::add_velocities`].
    pub(crate) fn add_velocities(&self, origin: &Origin, z: &[f64], u: &mut [f64]) {
        match self {
            Self::Plane(bodies) => bodies.add_velocities(origin, z, u),
            Self::Space(bodies) => bodies.add_velocities(origin, z, u),
        }
    }

    /// As [`ByBodies::defect`].
    pub(crate) fn defect(&self, origin: &Origin, z: &[f64], r: &[f64], F: &mut Vec<f64>) -> f64 {
        match self {
            Self::Plane(bodies) => bodies.defect(origin, z, r, F),
            Self::Space(bodies) => bodies.defect(origin, z, r, F),
        }
    }
}

#[cfg(test)]
mod tests;
