//! Contacts whose point moves in a plane that holds the normal: those of mechanisms of the plane, and in space those of mechanisms that
//! cannot move across, as a walker of the plane that is described in space. Their laws are those of the plane.

use super::mechanics::Mechanics;
use crate::contact::Planar;
use crate::contact::space::Spatial;
use crate::num::Tol;
use crate::num::dense::norm;
use crate::simulate::trajectory::Pair;

/// The contact in that plane.
pub(super) struct Flat {
    pub(super) planar: Planar,
    /// Slip along the tangent.
    pub(super) u: f64,
    /// The tangent in the tangents of the contact; one number in the plane.
    tangent: Vec<f64>,
}

impl Flat {
    /// A contact at the state that was evaluated last; none if its point moves, or its surface passes it, in every direction.
    pub(super) fn of(contact: usize, mechanics: &Mechanics<'_>, tol: &Tol) -> Option<Self> {
        let slip = mechanics.slip(contact);
        let [one, two] = match *slip {
            [one, two] => [one, two],
            _ => return Some(Self { planar: mechanics.planar(contact), u: slip[0], tangent: vec![1.0] }),
        };
        let own = mechanics.spatial(contact);
        let [cos, sin] = tangent(&own, [one, two], tol)?;
        let along = |[x, y]: [f64; 2]| cos * x + sin * y;
        let mobility = along(own.tangential([cos, sin]));
        let planar = Planar::new(mobility, along(own.B), own.C, along(own.a), own.b);
        Some(Self { planar, u: along([one, two]), tangent: vec![cos, sin] })
    }

    /// A number along the tangent, in the tangents of the contact.
    pub(super) fn along(&self, x: f64) -> Vec<f64> {
        self.tangent.iter().map(|part| part * x).collect()
    }

    /// The same as it is told.
    pub(super) fn pair(&self, x: f64) -> Pair {
        Pair::of(&self.along(x))
    }
}

/// The tangent along which a contact point moves, if it moves along no other: the principal one of A with the larger mobility.
fn tangent(contact: &Spatial, slip: [f64; 2], tol: &Tol) -> Option<[f64; 2]> {
    let ([[xx, xy], [_, yy]], whole) = (contact.A, contact.tangential_mobility());
    let across = 0.5 * whole - (0.5 * (xx - yy)).hypot(xy);
    if across > tol.noise * whole {
        return None;
    }
    let speed = norm(&slip);
    if whole <= 0.0 {
        return Some(if speed > 0.0 { slip.map(|u| u / speed) } else { [1.0, 0.0] });
    }
    let (sin, cos) = (0.5 * (2.0 * xy).atan2(xx - yy)).sin_cos();
    ((cos * slip[1] - sin * slip[0]).abs() <= tol.noise * speed).then_some([cos, sin])
}

#[cfg(test)]
mod tests {
    use super::tangent;
    use crate::contact::space::Spatial;
    use crate::num::Tol;

    /// A = m t tᵀ of a point that moves along t alone, and one that moves everywhere.
    #[test]
    fn a_point_that_cannot_move_across_has_one_tangent() {
        let tol = Tol::default();
        for angle in [0.0_f64, 0.7, 1.4, -1.1] {
            let (sin, cos) = angle.sin_cos();
            let A = [[3.0 * cos * cos, 3.0 * cos * sin], [3.0 * cos * sin, 3.0 * sin * sin]];
            let contact = |A: [[f64; 2]; 2]| Spatial::new(A, [0.4 * cos, 0.4 * sin], 2.0, [0.0; 2], -9.81);
            let found = tangent(&contact(A), [0.2 * cos, 0.2 * sin], &tol).unwrap();
            assert!((found[0] * sin - found[1] * cos).abs() < 1e-15, "{angle}: {found:?}");
            // a surface that passes across, and a point that moves across
            assert_eq!(tangent(&contact(A), [-0.2 * sin, 0.2 * cos], &tol), None);
            assert_eq!(tangent(&contact([[3.0, 0.0], [0.0, 1e-3]]), [0.0; 2], &tol), None);
        }
        let held = Spatial::new([[0.0; 2]; 2], [0.0; 2], 1.0, [0.0; 2], -9.81);
        assert_eq!(tangent(&held, [0.0, -2.0], &tol), Some([0.0, -1.0]));
        assert_eq!(tangent(&held, [0.0; 2], &tol), Some([1.0, 0.0]));
    }
}
