//! The leaves of the search as families of solutions.

use crate::num::InOrder;
use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use super::integral::{Integral, common_multiple, largest, quotient, rank};
use super::leaf::{Leaf, has_weight};
use super::proof::SolutionSet;
use super::search::Search;
use super::{Family, Mode, Point};

impl Search {
    /// Families without those contained in others, each with its exact set, and the number of the family that each leaf
    /// is in.
    pub(super) fn families(&self, leaves: &[Leaf]) -> (Vec<(Family, SolutionSet)>, Vec<usize>) {
        let inside = |a: &Leaf, b: &Leaf| a.rays.iter().all(|ray| b.admits(ray));
        let mut kept: Vec<&Leaf> = Vec::new();
        for leaf in leaves {
            if !kept.iter().any(|other| inside(leaf, other)) {
                kept.retain(|other| !inside(other, leaf));
                kept.push(leaf);
            }
        }
        let mut families: Vec<_> = kept.into_iter().map(|leaf| (self.family(leaf), leaf)).collect();
        families.put_in_order(|((a, _), _), ((b, _), _)| a.modes.cmp(&b.modes));
        let home =
            |leaf: &Leaf| families.iter().position(|(_, kept)| inside(leaf, kept)).unwrap_or(usize::MAX);
        let homes = leaves.iter().map(home).collect();
        (families.into_iter().map(|(family, _)| family).collect(), homes)
    }

    fn family(&self, leaf: &Leaf) -> (Family, SolutionSet) {
        let (corners, far): (Vec<_>, Vec<_>) = leaf.rays.iter().partition(|ray| has_weight(ray));
        let vertices: Vec<Integral> = corners.iter().map(|ray| self.point(ray)).collect();
        let rays: Vec<Integral> = far.iter().map(|ray| self.direction(ray)).collect();
        let from_first = vertices[1..].iter().map(|r| difference(r, &vertices[0]));
        let spread: Vec<Integral> = from_first.chain(rays.iter().cloned()).collect();
        let moved = |r: &Integral| self.exact.velocities(r, false).map(|(u, _)| u).collect();
        let corners: Vec<_> = vertices.iter().map(|r| self.rounded(r, true)).collect();
        let family = Family {
            rounding: corners.iter().map(|point| self.exact.rounding(point)).fold(0.0, f64::max),
            modes: self.modes(&interior(&vertices, &rays)),
            motion_dimension: rank(spread.iter().map(moved).collect()),
            dimension: rank(spread.into_iter().map(|r| r.x).collect()),
            vertices: corners,
            rays: rays.iter().map(|r| self.rounded(r, false)).collect(),
        };
        let fractions = |points: &[Integral]| points.iter().map(Integral::fractions).collect();
        (
            family,
            SolutionSet { word: leaf.word.clone(), points: fractions(&vertices), rays: fractions(&rays) },
        )
    }

    fn point(&self, x: &[BigInt]) -> Integral {
        let over = self.coordinates.denominator(&x[x.len() - 1]);
        Integral { x: self.coordinates.forces(x), over }.reduced()
    }

    /// Scaled so that the largest force is one.
    fn direction(&self, x: &[BigInt]) -> Integral {
        let x = self.coordinates.forces(x);
        let over = largest(&x).unwrap_or_else(BigInt::one);
        Integral { x, over }.reduced()
    }

    /// Forces and velocities to the nearest double; without q those of a direction.
    fn rounded(&self, r: &Integral, free: bool) -> Point {
        let u = self.exact.velocities(r, free).map(|(u, over)| quotient(&u, &over)).collect();
        Point { r: r.rounded(), u }
    }

    fn modes(&self, r: &Integral) -> Vec<Mode> {
        let mode = |i: usize| match (r.x[2 * i].is_zero(), self.exact.direction(2 * i + 1, r)) {
            (true, _) => Mode::TakeOff,
            (false, Sign::NoSign) => Mode::Stick,
            (false, Sign::Plus) => Mode::SlipPos,
            (false, Sign::Minus) => Mode::SlipNeg,
        };
        (0..self.contacts()).map(mode).collect()
    }
}

/// A multiple of a − b.
fn difference(a: &Integral, b: &Integral) -> Integral {
    let x = a.x.iter().zip(&b.x).map(|(x, y)| x * &b.over - y * &a.over).collect();
    Integral { x, over: BigInt::one() }
}

/// The mean of the vertices plus the sum of the rays.
fn interior(vertices: &[Integral], rays: &[Integral]) -> Integral {
    if let ([only], []) = (vertices, rays) {
        return only.clone();
    }
    let count = BigInt::from(vertices.len());
    let over = common_multiple(vertices.iter().chain(rays).map(|r| &r.over));
    let mut x = vec![BigInt::zero(); vertices[0].x.len()];
    for (r, weight) in vertices.iter().map(|r| (r, None)).chain(rays.iter().map(|r| (r, Some(&count)))) {
        let factor = &over / &r.over * weight.unwrap_or(&BigInt::one());
        x.iter_mut().zip(&r.x).for_each(|(sum, x)| *sum += x * &factor);
    }
    Integral { x, over: over * count }
}
