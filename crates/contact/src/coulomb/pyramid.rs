//! Friction cones with facets, for comparison with Coulomb's: in space a pyramid with n edges inside the cone.
//!
//! With the edges dₖ of the pyramid (unit vectors in the tangent plane, the first along T1), its cone is
//! `K_n = cone { (1, μ dₖ) }`, its dual `K_n* = { ũ : ũ_N + μ dₖ·ũ_T ≥ 0 }`, and its law
//! `K_n* ∋ u + μ s e_N ⊥ r ∈ K_n` with `s = maxₖ (−dₖ·u_T)`: the least lift that lets u_N = 0 in sliding. With more and
//! more edges s becomes ‖u_T‖ and the law Coulomb's [ACLM11 (6)–(8)]; with few, friction depends on the direction
//! [ACLM11 §6 (iv)]. Its residual is the natural map of this law, measured like that of Coulomb's.

use crate::num::dense::norm;

/// The friction cones of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cones {
    /// Coulomb's, exactly: second-order in space, polyhedral in the plane.
    SecondOrder,
    /// In space a pyramid with this many edges, at least 3. In the plane nothing changes.
    Faceted(usize),
}

impl Cones {
    /// s: ‖u_T‖, or for a pyramid the speed against the edge that opposes the sliding most.
    pub(crate) fn speed(self, tangent: &[f64]) -> f64 {
        match (self, tangent) {
            (Self::Faceted(n), [x, y]) => edges(n).map(|[c, s]| -c * x - s * y).fold(0.0, f64::max),
            (Self::Faceted(_) | Self::SecondOrder, _) => norm(tangent),
        }
    }

    /// s of every contact.
    pub(crate) fn speeds(self, dim: usize, u: &[f64]) -> Vec<f64> {
        u.chunks(dim).map(|u| self.speed(&u[1..])).collect()
    }
}

/// Directions of the edges of a pyramid.
pub(crate) fn edges(n: usize) -> impl Iterator<Item = [f64; 2]> {
    turned(n, 0.0)
}

/// Directions of the middles of its facets: facet k lies between the edges k and k + 1.
pub(crate) fn middles(n: usize) -> impl Iterator<Item = [f64; 2]> {
    turned(n, 0.5)
}

fn turned(n: usize, offset: f64) -> impl Iterator<Item = [f64; 2]> {
    let n = n.max(3);
    (0..n).map(move |k| {
        let (s, c) = ((k as f64 + offset) * std::f64::consts::TAU / n as f64).sin_cos();
        [c, s]
    })
}

/// cos(π/n), sin(π/n): at height one a facet is μ cos from the axis, and reaches μ sin to both sides.
pub(crate) fn half_angle(n: usize) -> [f64; 2] {
    let (s, c) = (std::f64::consts::PI / n.max(3) as f64).sin_cos();
    [c, s]
}

/// Where the point of a pyramid nearest to a given one lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    /// At the apex.
    Apex,
    /// On this edge, given by its direction dₖ.
    Edge([f64; 2]),
    /// On the facet with this middle direction.
    Facet([f64; 2]),
    /// The given point itself.
    ConvexMethod,
}

/// The point of K_n nearest to x, and its place.
pub(crate) fn project(x: &[f64; 3], mu: f64, n: usize) -> ([f64; 3], Side) {
    let [depth, reach] = half_angle(n);
    let outward = |m: [f64; 2]| m[0] * x[1] + m[1] * x[2] - mu * depth * x[0];
    if middles(n).all(|m| outward(m) <= 0.0) {
        return (*x, Side::ConvexMethod);
    }
    let on_edges = edges(n).map(|d| (on_edge(x, mu, d), Side::Edge(d)));
    let on_facets = middles(n).map(|m| (on_facet(x, mu, m, [depth, reach]), Side::Facet(m)));
    let distance = |p: &[f64; 3]| (0..3).map(|a| (p[a] - x[a]).powi(2)).sum::<f64>();
    on_edges
        .chain(on_facets)
        .filter_map(|(point, side)| Some((point?, side)))
        .fold(([0.0; 3], Side::Apex), |best, p| if distance(&p.0) < distance(&best.0) { p } else { best })
}

fn on_edge(x: &[f64; 3], mu: f64, d: [f64; 2]) -> Option<[f64; 3]> {
    let height = (x[0] + mu * (d[0] * x[1] + d[1] * x[2])) / (1.0 + mu * mu);
    (height > 0.0).then_some([height, height * mu * d[0], height * mu * d[1]])
}

/// The foot on the facet's plane, if it lies between the facet's edges.
fn on_facet(x: &[f64; 3], mu: f64, m: [f64; 2], [depth, reach]: [f64; 2]) -> Option<[f64; 3]> {
    let normal = [-mu * depth, m[0], m[1]];
    let excess = (0..3).map(|a| normal[a] * x[a]).sum::<f64>() / (1.0 + mu * mu * depth * depth);
    let foot = [0, 1, 2].map(|a| x[a] - excess * normal[a]);
    let along = m[0] * foot[2] - m[1] * foot[1];
    (foot[0] > 0.0 && along.abs() <= mu * reach * foot[0]).then_some(foot)
}

/// c = sqrt(Σ ‖rᵢ − P(rᵢ − ũᵢ)‖²) for pyramids.
pub(crate) fn pyramid_defect(mu: &[f64], n: usize, u: &[f64], r: &[f64]) -> f64 {
    let contact = |((u, r), &mu): ((&[f64; 3], &[f64; 3]), &f64)| {
        let lift = mu * Cones::Faceted(n).speed(&u[1..]);
        let near = project(&[r[0] - u[0] - lift, r[1] - u[1], r[2] - u[2]], mu, n).0;
        (0..3).map(|a| (r[a] - near[a]).powi(2)).sum::<f64>()
    };
    let (u, r) = (u.as_chunks::<3>().0, r.as_chunks::<3>().0);
    u.iter().zip(r).zip(mu).map(contact).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points all around, and close to the apex, the edges and the facets.
    fn points() -> Vec<[f64; 3]> {
        let values = [-1.7, -0.6, -0.1, 0.0, 0.25, 0.9, 2.1];
        values.iter().flat_map(|&a| values.iter().flat_map(move |&b| values.map(|c| [a, b, c]))).collect()
    }

    #[test]
    fn the_nearest_point_satisfies_moreaus_conditions() {
        for n in [3, 4, 5, 8, 17] {
            for mu in [0.2, 1.0, 3.0] {
                for x in points() {
                    let (p, side) = project(&x, mu, n);
                    let rest = [0, 1, 2].map(|a| p[a] - x[a]);
                    let dot = (0..3).map(|a| p[a] * rest[a]).sum::<f64>();
                    assert!(dot.abs() < 1e-12, "{n} {mu} {x:?} {side:?}");
                    // p in the pyramid, p − x in its dual.
                    let inside =
                        |m: [f64; 2]| m[0] * p[1] + m[1] * p[2] <= mu * half_angle(n)[0] * p[0] + 1e-12;
                    assert!(middles(n).all(inside), "{n} {mu} {x:?} {side:?}");
                    let dual = |d: [f64; 2]| rest[0] + mu * (d[0] * rest[1] + d[1] * rest[2]) >= -1e-12;
                    assert!(edges(n).all(dual), "{n} {mu} {x:?} {side:?}");
                }
            }
        }
    }

    #[test]
    fn many_facets_are_nearly_coulombs_cone() {
        for x in points() {
            let (p, _) = project(&x, 0.7, 4096);
            let exact = super::super::cone::project(&x, 0.7);
            // the nearest point of a facet turns by up to half its angle
            let bound = std::f64::consts::PI / 4096.0 * x.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((0..3).all(|a| (p[a] - exact[a]).abs() <= bound), "{x:?} {p:?} {exact:?}");
        }
    }
}
