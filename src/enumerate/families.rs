//! The leaves of the search as families of solutions.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

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
        families.sort_by(|((a, _), _), ((b, _), _)| a.modes.cmp(&b.modes));
        let home =
            |leaf: &Leaf| families.iter().position(|(_, kept)| inside(leaf, kept)).unwrap_or(usize::MAX);
        let homes = leaves.iter().map(home).collect();
        (families.into_iter().map(|(family, _)| family).collect(), homes)
    }

    fn family(&self, leaf: &Leaf) -> (Family, SolutionSet) {
        let (corners, far): (Vec<_>, Vec<_>) = leaf.rays.iter().partition(|ray| has_weight(ray));
        let vertices: Vec<_> = corners.iter().map(|ray| self.point(ray)).collect();
        let rays: Vec<_> = far.iter().map(|ray| self.direction(ray)).collect();
        let spread = |part: fn(&(Forces, Forces)) -> &Forces| {
            let from_first = |p: &(Forces, Forces)| difference(part(p), part(&vertices[0]));
            vertices[1..].iter().map(from_first).chain(rays.iter().map(|p| part(p).clone())).collect()
        };
        let interior = self.interior(&vertices, &rays);
        let family = Family {
            modes: self.modes(&interior),
            dimension: rank(spread(|p| &p.0)),
            motion_dimension: rank(spread(|p| &p.1)),
            vertices: vertices.iter().map(rounded).collect(),
            rays: rays.iter().map(rounded).collect(),
        };
        let forces = |points: Vec<(Forces, Forces)>| points.into_iter().map(|p| p.0).collect();
        (family, SolutionSet { word: leaf.word.clone(), points: forces(vertices), rays: forces(rays) })
    }

    fn point(&self, x: &[BigInt]) -> (Forces, Forces) {
        let t = BigRational::from_integer(x[x.len() - 1].clone());
        let r: Forces = self.coordinates.forces(self.contacts(), x).into_iter().map(|r| r / &t).collect();
        let u = self.exact.velocity(&r);
        (r, u)
    }

    /// Scaled so that the largest force is one.
    fn direction(&self, x: &[BigInt]) -> (Forces, Forces) {
        let mut r = self.coordinates.forces(self.contacts(), x);
        if let Some(largest) = r.iter().map(Signed::abs).max().filter(|x| !x.is_zero()) {
            r.iter_mut().for_each(|x| *x /= &largest);
        }
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
