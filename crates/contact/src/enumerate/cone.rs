//! Polyhedral cones by their extreme rays, in integers: Motzkin's double description. A half-space is added by
//! keeping the rays inside and joining each pair of adjacent rays across its border; nothing is rounded.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::integral::dot;
use crate::num::gcd;

/// An extreme ray and the constraints that hold with equality on it.
#[derive(Clone, Debug)]
pub(crate) struct Ray {
    pub(super) x: Vec<BigInt>,
    tight: Vec<u64>,
}

/// The cone {x ≥ 0, further constraints}, never containing a line.
#[derive(Clone, Debug)]
pub struct Cone {
    pub(super) rays: Vec<Ray>,
    constraints: usize,
}

impl Cone {
    /// Its extreme rays.
    pub fn rays(&self) -> impl Iterator<Item = &[BigInt]> {
        self.rays.iter().map(|ray| &ray.x[..])
    }

    /// The orthant x ≥ 0 of this dimension; constraint i is xᵢ ≥ 0.
    pub fn orthant(dimension: usize) -> Self {
        let unit = |i: usize| {
            let mut tight = vec![0; dimension / 64 + 1];
            (0..dimension).filter(|&k| k != i).for_each(|k| tight[k / 64] |= 1 << (k % 64));
            Ray { x: (0..dimension).map(|k| BigInt::from(u8::from(k == i))).collect(), tight }
        };
        Self { rays: (0..dimension).map(unit).collect(), constraints: dimension }
    }

    /// The part where c·x ≥ 0; none if more than `limit` rays appear.
    pub fn cut(&self, c: &[BigInt], limit: usize) -> Option<Self> {
        let index = self.constraints;
        let values: Vec<BigInt> = self.rays.iter().map(|ray| dot(c, &ray.x)).collect();
        let mut rays = Vec::new();
        for (ray, value) in self.rays.iter().zip(&values) {
            if !value.is_negative() {
                rays.push(marked(ray, index, value.is_zero()));
            }
        }
        for (i, p) in values.iter().enumerate().filter(|(_, p)| p.is_positive()) {
            for (j, m) in values.iter().enumerate().filter(|(_, m)| m.is_negative()) {
                if self.adjacent(i, j) {
                    rays.push(joined(&self.rays[i], p, &self.rays[j], m, index));
                }
            }
            if rays.len() > limit {
                return None;
            }
        }
        Some(Self { rays, constraints: index + 1 })
    }

    /// Two extreme rays span a face of dimension two exactly if no third one lies in the smallest face of both.
    fn adjacent(&self, i: usize, j: usize) -> bool {
        let common: Vec<u64> =
            self.rays[i].tight.iter().zip(&self.rays[j].tight).map(|(a, b)| a & b).collect();
        let contains = |ray: &Ray| ray.tight.iter().zip(&common).all(|(t, c)| t & c == *c);
        !self.rays.iter().enumerate().any(|(k, ray)| k != i && k != j && contains(ray))
    }
}

fn marked(ray: &Ray, index: usize, tight: bool) -> Ray {
    let mut ray = ray.clone();
    ray.tight.resize(index / 64 + 1, 0);
    ray.tight[index / 64] |= u64::from(tight) << (index % 64);
    ray
}

/// p·m' − m·p', on the border, in lowest terms.
fn joined(plus: &Ray, p: &BigInt, minus: &Ray, m: &BigInt, index: usize) -> Ray {
    let mut x: Vec<BigInt> = plus.x.iter().zip(&minus.x).map(|(a, b)| b * p - a * m).collect();
    let common = x.iter().fold(BigInt::zero(), |common, x| gcd(&common, x));
    x.iter_mut().for_each(|x| *x /= &common);
    let tight = plus.tight.iter().zip(&minus.tight).map(|(a, b)| a & b).collect();
    marked(&Ray { x, tight }, index, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(c: &[i32]) -> Vec<BigInt> {
        c.iter().map(|&x| x.into()).collect()
    }

    fn sorted(cone: &Cone) -> Vec<Vec<BigInt>> {
        let mut rays: Vec<_> = cone.rays.iter().map(|ray| ray.x.clone()).collect();
        rays.sort();
        rays
    }

    #[test]
    fn the_unit_square_has_four_corners() {
        let square = Cone::orthant(3).cut(&row(&[-1, 0, 1]), 99).unwrap();
        let square = square.cut(&row(&[0, -1, 1]), 99).unwrap();
        assert_eq!(sorted(&square), [row(&[0, 0, 1]), row(&[0, 1, 1]), row(&[1, 0, 1]), row(&[1, 1, 1])]);
        let diagonal = square.cut(&row(&[1, -1, 0]), 99).unwrap().cut(&row(&[-1, 1, 0]), 99).unwrap();
        assert_eq!(sorted(&diagonal), [row(&[0, 0, 1]), row(&[1, 1, 1])]);
    }

    #[test]
    fn the_octahedron_has_six_corners() {
        // |x − 1| + |y − 1| + |z − 1| ≤ 1.
        let mut cone = Cone::orthant(4);
        for s in 0..8 {
            let sign = |k: i32| if s >> k & 1 == 0 { 1 } else { -1 };
            let c = [-sign(0), -sign(1), -sign(2), 1 + sign(0) + sign(1) + sign(2)];
            cone = cone.cut(&row(&c), 999).unwrap();
        }
        assert_eq!(cone.rays.len(), 6);
    }

    #[test]
    fn a_contradiction_leaves_nothing_with_positive_weight() {
        let none = Cone::orthant(2).cut(&row(&[-1, -1]), 99).unwrap();
        assert!(none.rays.is_empty());
    }
}
