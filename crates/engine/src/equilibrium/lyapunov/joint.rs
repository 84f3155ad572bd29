//! Both contacts closed: the impact of one while the other one rests on its surface, by Moreau's rule without restitution
//! (0 ≤ Λ_N ⊥ v⁺ ≥ 0, Coulomb's law with the slip after the impact, for both), and what follows while both slide.

use super::doubt::Doubt;
use super::nearby::{Nearby, Vector, along, cross, dot, length, scaled};

/// What an impact with both contacts closed leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum After {
    /// Both at rest.
    Rest,
    /// The contact that was struck is closed, the other one opens; the sign of its slip, 0 if it sticks.
    Opens { slip: f64, z: Vector },
    /// Both closed, sliding along the level direction or against it.
    Slides { z: Vector, way: f64 },
}

/// What follows while both slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sliding {
    /// Both stay closed, with this rate of the speed.
    Both { rate: f64 },
    /// One stays closed, the other one opens.
    One { closed: usize },
}

/// Normals of the faces of the cone of contact forces.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Joint {
    faces: Vec<Vector>,
}

impl Joint {
    pub(super) fn new(nearby: &Nearby, zero: f64) -> Self {
        let edges = [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)].map(|(i, sign)| nearby.push(i, sign));
        Self { faces: faces(&edges, nearby, zero) }
    }

    /// Distance, in kinetic energy's metric, of a load −z from the border of the cone; infinite if forces of the cone balance any load.
    pub(super) fn margin(&self, z: &Vector) -> f64 {
        self.faces.iter().map(|face| -dot(face, z)).fold(f64::INFINITY, f64::min)
    }

    /// The impact of the contact that closes while gap `rests` is at rest: all that satisfies the rule, what opens the other gap first.
    /// There the other contact feels no impulse while the struck one does, from the beginning of the impact to its end.
    pub(super) fn struck(&self, nearby: &Nearby, rests: usize, z: &Vector) -> Outcomes {
        let mut found = Outcomes { after: [None; MOST_OUTCOMES], count: 0 };
        self.opens(nearby, 1 - rests, z, &mut found);
        if self.margin(z) >= 0.0 {
            found.add(After::Rest);
        }
        self.slides(nearby, z, &mut found);
        found
    }

    /// Impulses at the contact that is struck alone.
    fn opens(&self, nearby: &Nearby, hits: usize, z: &Vector, found: &mut Outcomes) {
        let (N, T, mu) = (&nearby.N[hits], &nearby.T[hits], nearby.mu[hits]);
        let v = dot(N, z);
        let opening = |z: &Vector| dot(&nearby.N[1 - hits], z) > 0.0;
        for slip in [1.0, -1.0] {
            let push = nearby.push(hits, slip);
            let p = dot(N, &push);
            let after = along(z, -v / p, &push);
            if slip * dot(T, &after) > 0.0 && opening(&after) {
                found.add(After::Opens { slip, z: after });
            }
        }
        let (B, u) = (dot(N, T), dot(T, z));
        let determinant = 1.0 - B * B;
        let (normal, tangential) = ((B * u - v) / determinant, (B * v - u) / determinant);
        let after = along(&along(z, normal, N), tangential, T);
        if normal > 0.0 && tangential.abs() <= mu * normal && opening(&after) {
            found.add(After::Opens { slip: 0.0, z: after });
        }
    }

    /// Impulses at both that leave slip: along the level direction, either way.
    fn slides(&self, nearby: &Nearby, z: &Vector, found: &mut Outcomes) {
        for way in [1.0, -1.0] {
            let level = scaled(way, &nearby.level);
            let signs = nearby.signs(way);
            if signs.contains(&0.0) {
                continue;
            }
            let Some(impulses) = nearby.pair(signs, z) else { continue };
            let after = impulses
                .iter()
                .zip(signs)
                .enumerate()
                .fold(*z, |after, (i, (x, sign))| along(&after, *x, &nearby.push(i, sign)));
            if impulses.iter().all(|x| *x >= 0.0) && dot(&after, &level) > 0.0 {
                found.add(After::Slides { z: scaled(dot(&after, &level), &level), way });
            }
        }
    }

    /// What follows from sliding on both with unit speed: [CV16 6.1].
    pub(super) fn sliding(&self, nearby: &Nearby, way: f64, zero: f64) -> Result<Sliding, Doubt> {
        let signs = nearby.signs(way);
        if signs.contains(&0.0) {
            return Err(Doubt::SeveralModes);
        }
        let P = nearby.response(signs);
        let b = [0, 1].map(|i| dot(&nearby.N[i], &nearby.free));
        let mut found: Vec<Sliding> = Vec::new();
        let (mut border, mut both) = (false, None);
        for i in [0, 1] {
            let (own, other) = (-b[i] / P[i][i], 1 - i);
            let opening = b[other] + P[other][i] * own;
            border |= opening.abs() <= zero;
            if P[i][i] > 0.0 && own > 0.0 && opening > 0.0 {
                found.push(Sliding::One { closed: i });
            }
        }
        let determinant = P[0][0] * P[1][1] - P[0][1] * P[1][0];
        if let Some(forces) = nearby.pair(signs, &nearby.free).filter(|x| x.iter().all(|x| *x > 0.0)) {
            let total = forces
                .iter()
                .zip(signs)
                .enumerate()
                .fold(nearby.free, |total, (i, (x, sign))| along(&total, *x, &nearby.push(i, sign)));
            let rate = way * dot(&total, &nearby.level);
            border |= rate.abs() <= zero * (1.0 + forces[0] + forces[1]);
            both = Some(Sliding::Both { rate });
        }
        match (&found[..], both) {
            _ if border => Err(Doubt::SlidingBorder),
            // unstable under every compliance [CV16 6.2]
            ([], Some(_)) if determinant < 0.0 => Err(Doubt::Compliance),
            ([], Some(both)) => Ok(both),
            ([], None) => Err(Doubt::NoMode),
            ([only], None) => Ok(*only),
            ([only], Some(_)) if determinant < 0.0 => Ok(*only),
            _ => Err(Doubt::SeveralModes),
        }
    }
}

impl Nearby {
    /// Signs of the slips while both slide along the level direction, one way or the other.
    pub(super) fn signs(&self, way: f64) -> [f64; 2] {
        [0, 1].map(|i| {
            let u = way * dot(&self.T[i], &self.level);
            if u.abs() <= self.small { 0.0 } else { u.signum() }
        })
    }

    /// P of both contacts in slip.
    pub(super) fn response(&self, signs: [f64; 2]) -> [[f64; 2]; 2] {
        let pushes = [0, 1].map(|i| self.push(i, signs[i]));
        [0, 1].map(|i| [0, 1].map(|j| dot(&self.N[i], &pushes[j])))
    }

    /// Normal impulses of both contacts in slip that leave both gap rates zero.
    fn pair(&self, signs: [f64; 2], z: &Vector) -> Option<[f64; 2]> {
        let P = self.response(signs);
        let v = [0, 1].map(|i| dot(&self.N[i], z));
        let determinant = P[0][0] * P[1][1] - P[0][1] * P[1][0];
        let size = (P[0][0] * P[1][1]).abs() + (P[0][1] * P[1][0]).abs();
        (determinant.abs() > self.small * size).then(|| {
            [(P[0][1] * v[1] - P[1][1] * v[0]) / determinant, (P[1][0] * v[0] - P[0][0] * v[1]) / determinant]
        })
    }
}

/// Most outcomes of an impact that are kept.
pub(super) const MOST_OUTCOMES: usize = 4;

/// The outcomes of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcomes {
    pub(super) after: [Option<After>; MOST_OUTCOMES],
    pub(super) count: usize,
}

impl Outcomes {
    fn add(&mut self, after: After) {
        if let Some(place) = self.after.get_mut(self.count) {
            *place = Some(after);
            self.count += 1;
        }
    }
}

/// Unit normals, inwards, of the planes through two edges that have all edges on one side.
fn faces(edges: &[Vector; 4], nearby: &Nearby, zero: f64) -> Vec<Vector> {
    let mut found: Vec<Vector> = Vec::new();
    // in a plane the faces are lines, across the plane's own normal
    let flat = (nearby.rank == 2).then_some(nearby.level);
    for i in 0..4 {
        for other in edges[i + 1..].iter().copied().chain(flat) {
            let other = flat.unwrap_or(other);
            let normal = cross(&edges[i], &other);
            let size = length(&normal);
            if size <= zero * length(&edges[i]) * length(&other) {
                continue;
            }
            for sign in [1.0, -1.0] {
                let face = scaled(sign / size, &normal);
                let inside = edges.iter().all(|edge| dot(&face, edge) >= -zero * length(edge));
                let outside = edges.iter().any(|edge| dot(&face, edge) > zero * length(edge));
                if inside && outside && !found.iter().any(|other| dot(other, &face) > 1.0 - zero) {
                    found.push(face);
                }
            }
        }
    }
    found
}
