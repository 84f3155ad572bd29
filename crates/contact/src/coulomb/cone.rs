//! Coulomb's friction cone of one contact, K = { r : ‖r_T‖ ≤ μ r_N }, and De Saxcé's change of variable.
//!
//! Coulomb's law with unilateral contact is, with ũ = u + μ‖u_T‖ e_N [ACLM11 (6)–(8)]:
//! `K* ∋ ũ ⊥ r ∈ K`. It holds exactly where the natural map `r − P_K(r − ũ)` vanishes.

/// Length of the tangential part of a contact's block.
#[inline]
pub fn tangent_norm<const D: usize>(x: &[f64; D]) -> f64 {
    if D == 2 { x[1].abs() } else { x[1].hypot_fast(x[2]) }
}

trait HypotFast {
    fn hypot_fast(self, y: f64) -> f64;
}

impl HypotFast for f64 {
    /// √(x² + y²) by the plain formula where it neither overflows nor underflows.
    #[inline]
    fn hypot_fast(self, y: f64) -> f64 {
        let s = self * self + y * y;
        if s > f64::MIN_POSITIVE && s < f64::MAX { s.sqrt() } else { self.hypot(y) }
    }
}

/// ũ = u + μ‖u_T‖ e_N.
#[inline]
pub fn de_saxce<const D: usize>(u: &[f64; D], mu: f64) -> [f64; D] {
    let mut out = *u;
    out[0] += mu * tangent_norm(u);
    out
}

/// The point of K nearest to `x`.
#[inline]
pub fn project<const D: usize>(x: &[f64; D], mu: f64) -> [f64; D] {
    let t = tangent_norm(x);
    // in the polar cone −K*: the apex is nearest. First, since without friction 0 ≤ 0·x_N also for x_N < 0
    if mu * t <= -x[0] {
        return [0.0; D];
    }
    if t <= mu * x[0] {
        return *x;
    }
    let normal = (x[0] + mu * t) / (1.0 + mu * mu);
    let mut out = [0.0; D];
    out[0] = normal;
    for i in 1..D {
        out[i] = mu * normal * x[i] / t;
    }
    out
}

/// The natural map r − P_K(r − ũ) of one contact, ρ = 1.
#[inline]
pub fn natural_map<const D: usize>(u: &[f64; D], r: &[f64; D], mu: f64) -> [f64; D] {
    let hat = de_saxce(u, mu);
    let mut x = [0.0; D];
    for i in 0..D {
        x[i] = r[i] - hat[i];
    }
    let p = project(&x, mu);
    for i in 0..D {
        x[i] = r[i] - p[i];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is<const D: usize>(found: [f64; D], expected: [f64; D]) {
        assert!((0..D).all(|i| (found[i] - expected[i]).abs() < 1e-15), "{found:?} is not {expected:?}");
    }

    /// A cone of opening zero is a ray: what lies behind its apex is not in it.
    #[test]
    fn without_friction_the_cone_is_a_ray() {
        is(project(&[-2.0, 0.0], 0.0), [0.0, 0.0]);
        is(project(&[-2.0, 0.0, 0.0], 0.0), [0.0; 3]);
        is(project(&[2.0, 0.0], 0.0), [2.0, 0.0]);
        is(project(&[2.0, -3.0, 4.0], 0.0), [2.0, 0.0, 0.0]);
        // a contact that separates has no force, and a force that pulls is none
        is(natural_map(&[2.0, 0.0], &[0.0, 0.0], 0.0), [0.0, 0.0]);
        is(natural_map(&[2.0, 0.0], &[-1.0, 0.0], 0.0), [-1.0, 0.0]);
    }

    #[test]
    fn the_projection_is_the_nearest_point_of_the_cone() {
        for mu in [0.0, 0.5, 2.0] {
            for (n, t) in
                [(1.0, 0.0), (-1.0, 0.0), (1.0, 3.0), (-1.0, 3.0), (-3.0, 1.0), (0.0, 1.0), (0.0, 0.0)]
            {
                let p = project(&[n, t], mu);
                assert!(p[0] >= 0.0 && p[1].abs() <= mu * p[0] * (1.0 + 1e-15), "{p:?}");
                let distance = |a: f64, b: f64| (a - n).hypot(b - t);
                // points of the cone on a grid are not nearer
                for i in 0..=400 {
                    for j in -10..=10 {
                        let (a, b) = (f64::from(i) / 100.0, f64::from(j) / 10.0 * mu * f64::from(i) / 100.0);
                        assert!(distance(p[0], p[1]) <= distance(a, b) + 1e-12, "mu {mu}, x {n} {t}: {p:?}");
                    }
                }
            }
        }
    }
}
