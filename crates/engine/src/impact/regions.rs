//! The regions of Fig. 10 of \[CV16\] in the plane of the velocities (u, v) before an impact: sectors of v < 0.
//!
//! In the first phase of slip s the velocity goes along r = (−s k_s, p_s) per unit impulse. The transition falls on the end of compression for
//! velocities along −r, and on the end of the impact for (−r_u, −r_v/(1 + e)): there the region's number changes, and at u = 0.

use super::phase::Velocity;
use super::planar::impact;
use crate::contact::{Friction, Planar, Restitution, Slip};
use crate::num::Tol;
use std::f64::consts::{FRAC_PI_2, PI};

/// Velocities before an impact with the same course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactRegion {
    /// The direction of (u, v) at which it begins, in [−π, 0).
    pub from: f64,
    /// Where it ends, in (−π, 0].
    pub to: f64,
    /// Its number.
    pub region: u8,
}

/// The regions from u < 0 to u > 0.
pub fn impact_regions(planar: &Planar, friction: Friction, law: Restitution, tol: &Tol) -> Vec<ImpactRegion> {
    let mut bounds = vec![-PI, -FRAC_PI_2, 0.0];
    bounds.extend(
        [Slip::Pos, Slip::Neg].into_iter().flat_map(|slip| transitions(planar, friction, (slip, law))),
    );
    bounds.sort_by(f64::total_cmp);
    bounds.dedup_by(|next, kept| *next - *kept <= tol.marginal);
    let mut found: Vec<ImpactRegion> = Vec::new();
    for pair in bounds.windows(2) {
        let (v, u) = pair[0].midpoint(pair[1]).sin_cos();
        let hit = impact(planar, friction, law, Velocity { u, v }, tol);
        let Some(region) = hit.and_then(|hit| hit.region) else { continue };
        match found.last_mut() {
            Some(last) if last.region == region => last.to = pair[1],
            _ => found.push(ImpactRegion { from: pair[0], to: pair[1], region }),
        }
    }
    found
}

/// Directions at which the transition is at the end of compression, and at the end of the impact.
fn transitions(planar: &Planar, friction: Friction, (slip, law): (Slip, Restitution)) -> Vec<f64> {
    let (n, t) = friction.parts();
    let T = -slip.sign() * t;
    let (du, dv) = (planar.A * T + planar.B * n, planar.B * T + planar.C * n);
    // the slip ends only if it is braked
    if du * slip.sign() >= 0.0 || dv <= 0.0 {
        return Vec::new();
    }
    [1.0, 1.0 + law.coefficient()].map(|more| (-dv / more).atan2(-du)).to_vec()
}

#[cfg(test)]
mod tests {
    use super::impact_regions;
    use crate::contact::{Friction, Planar, Restitution};
    use crate::impact::{Velocity, impact};
    use crate::num::Tol;

    #[test]
    fn a_region_has_the_number_of_every_impact_in_it() {
        let tol = Tol::default();
        let mut numbers = Vec::new();
        for (A, B, C, mu) in [
            (2.5, 1.5, 2.5, 0.5),
            (2.5, 1.5, 2.5, 2.0),
            (2.5, -1.5, 2.5, 2.0),
            (2.5, 1.5, 2.5, 0.3),
            (1.0, 0.0, 3.0, 0.4),
        ] {
            for law in [Restitution::Newton(0.5), Restitution::Poisson(0.6), Restitution::Energetic(0.8)] {
                let planar = Planar::new(A, B, C, 0.0, 0.0);
                let friction = Friction::new(mu).unwrap();
                let all = impact_regions(&planar, friction, law, &tol);
                for k in 1..400 {
                    let angle = -std::f64::consts::PI * f64::from(k) / 400.0;
                    let near = |r: f64| (r - angle).abs() < 1e-9;
                    let (v, u) = angle.sin_cos();
                    let hit = impact(&planar, friction, law, Velocity { u, v }, &tol).unwrap();
                    let here = all.iter().find(|r| r.from < angle && angle < r.to);
                    if !all.iter().any(|r| near(r.from) || near(r.to)) && u.abs() > 1e-9 {
                        assert_eq!(here.map(|r| r.region), hit.region, "{planar:?} {mu} {law:?} {angle}");
                    }
                    numbers.extend(hit.region);
                }
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        assert!(numbers.len() >= 8, "{numbers:?}");
    }
}
