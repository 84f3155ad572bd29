//! A planar rigid body of mass 1 with contacts at chosen points: W from its geometry.

use mechan_contact::contact::{Compliance, Friction, Hold, Laws, Restitution};
use mechan_engine::predict::{ClosedContact, Contacts, Judgement, ModeName, Motion, Sized};

/// A contact that slips along its tangent.
pub(crate) const FORTH: Motion = Motion::Slipping([1.0, 0.0]);
/// A contact that slips against it.
pub(crate) const BACK: Motion = Motion::Slipping([-1.0, 0.0]);

/// A contact of the body: its point from the centre of mass, and the direction of the wall's normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) at: [f64; 2],
    pub(crate) normal: f64,
    pub(crate) mu: f64,
    pub(crate) motion: Motion,
}

/// Rows N and T of a contact for the coordinates x, y, theta.
pub(crate) fn rows(spot: &Spot) -> [[f64; 3]; 2] {
    let ([x, y], (s, c)) = (spot.at, spot.normal.sin_cos());
    let arm = |[u, v]: [f64; 2]| x * v - y * u;
    let (n, t) = ([c, s], [s, -c]);
    [[n[0], n[1], arm(n)], [t[0], t[1], arm(t)]]
}

/// D and c of a body with the given inertia under a load (force and torque).
pub(crate) fn problem(spots: &[Spot], inertia: f64, load: [f64; 3]) -> (Vec<f64>, Vec<f64>) {
    let W: Vec<[f64; 3]> = spots.iter().flat_map(rows).collect();
    let over = [1.0, 1.0, 1.0 / inertia];
    let product = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|k| a[k] * over[k] * b[k]).sum::<f64>();
    let D = W.iter().flat_map(|a| W.iter().map(move |b| product(a, b))).collect();
    (D, W.iter().map(|row| product(row, &load)).collect())
}

pub(crate) fn laws(mu: f64) -> Laws {
    Laws {
        friction: Friction::new(mu).unwrap(),
        restitution: Restitution::Poisson(0.0),
        tangential: 0.0,
        compliance: Compliance::new(1.0, 1.0).unwrap(),
        hold: Hold::Unilateral,
    }
}

pub(crate) fn contacts(each: &[(f64, Motion)], D: &[f64], c: &[f64]) -> Contacts {
    let closed = each.iter().map(|&(mu, motion)| ClosedContact { laws: laws(mu), motion }).collect();
    let ones = |x: &[f64]| x.iter().map(|x| x.abs()).collect::<Vec<_>>();
    Contacts::new(closed, Sized { values: D, sizes: &ones(D) }, Sized { values: c, sizes: &ones(c) })
}

pub(crate) fn of_body(spots: &[Spot], inertia: f64, load: [f64; 3]) -> Contacts {
    let (D, c) = problem(spots, inertia, load);
    contacts(&spots.iter().map(|s| (s.mu, s.motion)).collect::<Vec<_>>(), &D, &c)
}

/// What each contact does, by its name.
pub(crate) fn names(judged: &Judgement) -> Vec<ModeName> {
    judged.modes.iter().map(|mode| mode.name(1)).collect()
}
