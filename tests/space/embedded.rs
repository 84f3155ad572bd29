//! A planar mechanism in space: the second tangent is coupled with nothing. What the plane says remains true, and what space adds
//! comes in pairs, mirrored by the plane.

use crate::random::{Dice, force, word};
use mechan::analysis::space::{Contact, ContactStatus, SpaceMode, modes};
use mechan::contact::Hold;
use mechan::contact::space::{Approach, Spatial};
use mechan::contact::{Planar, Restitution};
use mechan::impact::{self, Velocity};
use mechan::num::Tol;
use mechan::predict::{Consistency, OneContact};

/// The contact in the plane, and the same in space with a mobility of its own across.
fn pair(dice: &mut Dice) -> (Planar, Spatial) {
    let n = dice.numbers();
    let plane = Planar::new(n.A[0][0], n.B[0], n.C, n.a[0], n.b);
    (plane, Spatial::new([[n.A[0][0], 0.0], [0.0, n.A[1][1]]], [n.B[0], 0.0], n.C, [n.a[0], 0.0], n.b))
}

#[test]
fn the_modes_of_the_plane_are_modes_in_space() {
    let (mut dice, tol) = (Dice(11), Tol::default());
    for run in 0..600 {
        let ((plane, space), friction) = (pair(&mut dice), dice.friction());
        let u = [0.0, 0.7, -0.7][run % 3];
        let stands = if u == 0.0 { ContactStatus::Resting } else { ContactStatus::Slipping([u, 0.0]) };
        let column = stands.column().unwrap();
        let contact = Contact { numbers: space, friction, hold: Hold::Unilateral, stands };
        let (reports, _) = modes(&contact, &tol);
        for mode in OneContact::new(&plane, friction, column, &tol).modes() {
            let near =
                |other: &SpaceMode| match (other.judged.modes[0].direction(), mode.modes[0].direction()) {
                    (Some([c, s]), Some([along, _])) => (c - along).abs() < 1e-12 && s.abs() < 1e-12,
                    (None, None) => true,
                    _ => false,
                };
            let alike = |other: &&SpaceMode| mode.modes[0].name(2) == word(other) && near(other);
            let twin = reports.iter().find(alike).unwrap();
            assert_eq!(twin.judged.consistency, mode.consistency, "run {run}: {mode:?} {twin:?}");
            let [N, T] = [0, 1].map(|k| mode.forces[k].value);
            let [twin_N, T1, T2] = force(twin);
            let off = [twin_N - N, T1 - T, T2];
            assert!(off.iter().all(|x| x.abs() < 1e-11 * N.abs().max(1.0)), "run {run}: {off:?}");
        }
        let out: Vec<f64> = reports
            .iter()
            .filter(|mode| mode.judged.consistency == Consistency::Yes)
            .filter_map(|mode| mode.direction)
            .filter(|phi| phi.sin().abs() > 1e-9)
            .collect();
        assert!(u == 0.0 || out.is_empty());
        assert!(
            out.iter().all(|phi| out.iter().any(|other| (other + phi).abs() < 1e-9)),
            "run {run}: {out:?}"
        );
    }
}

#[test]
fn impacts_in_the_plane_are_impacts_in_space() {
    let (mut dice, tol) = (Dice(12), Tol::default());
    let mut seen = 0;
    for run in 0..300 {
        let ((plane, space), friction) = (pair(&mut dice), dice.friction());
        let (u, v) = (dice.roll(), -0.5 - 0.5 * dice.roll().abs());
        for law in [Restitution::Newton(0.6), Restitution::Poisson(0.6), Restitution::Energetic(0.6)] {
            let flat = impact::impact(&plane, friction, law, Velocity { u, v }, &tol).unwrap();
            let hit = space.impact(friction, law, [u, 0.0], Approach::Rate(v), &tol).unwrap();
            let size = 1.0 + flat.impulse.N.abs() + flat.post.u.abs();
            let off = [
                hit.normal - flat.impulse.N,
                hit.tangential[0] - flat.impulse.T,
                hit.slip[0] - flat.post.u,
                hit.rebound - flat.post.v,
            ];
            // slip that would turn out of the plane is as good an impact, if the plane is a ridge
            let leaves = hit.slip[1].abs() > 1e-6;
            assert!(
                leaves || off.iter().all(|x| x.abs() < 1e-10 * size),
                "run {run} {law:?}: {hit:?} {flat:?}"
            );
            seen += usize::from(!leaves);
        }
    }
    assert!(seen > 800, "{seen}");
}
