use super::*;
use crate::contact::Planar;
use crate::impact::{Velocity, impact};

/// How far the point of a neighbour can move off the line, relative to A.
const OFF: f64 = 1e-9;

/// Random contacts against Routh's construction for a point that can barely leave the line: the same velocities and impulses, or impulses that
/// have no bound, where the contact is wedged while it approaches, or before Newton's law has its rebound.
#[test]
fn the_limit_of_points_that_barely_leave_the_line() {
    let mut state = 0.7_f64;
    let mut next = || {
        state = (state * 997.0 + 0.1).fract();
        state
    };
    let (mut straight, mut turned, mut wedged, mut short) = (0, 0, 0, 0);
    for case in 0..6000 {
        let (B, C) = ((0.1 + next()) * if next() < 0.5 { -1.0 } else { 1.0 }, 0.3 + next());
        let friction = Friction::new(3.0 * next()).unwrap();
        let (v, e) = (-0.1 - next(), next());
        // beside a surface at rest, or one that moves
        let u = if case % 4 == 0 { B / C * v } else { 4.0 * next() - 2.0 };
        let law = [Restitution::Newton(e), Restitution::Poisson(e), Restitution::Energetic(e)][case % 3];
        let planar = Planar::new(B * B / C * (1.0 + OFF), B, C, 0.0, 0.0);
        let near = impact(&planar, friction, law, Velocity { u, v }, &Tol::default()).unwrap();
        let tied = Tied { B, C, friction };
        let Some(TiedImpact { after, impulse, .. }) = tied.impact(law, [v, u], &Tol::default()) else {
            assert!(near.impulse.N > 1e4, "{case}: {near:?}");
            wedged += 1;
            continue;
        };
        assert!(
            (v + C * impulse[0] + B * impulse[1] - after[0]).abs() < 1e-12 * (1.0 + impulse[0]),
            "{case}"
        );
        if case % 4 == 0 && friction.mu() * B.abs() >= C {
            // slip and approach end at once, and the limit hangs on which does so first: nothing of the velocities is left
            assert!(after.iter().all(|x| x.abs() < 1e-12), "{case}: {after:?}");
            wedged += 1;
            continue;
        }
        if near.impulse.N > 1e3 {
            assert!(!matches!(law, Restitution::Poisson(_)), "{case}: {near:?}");
            let newton = matches!(law, Restitution::Newton(_));
            let stays = if newton { after[0] < -e * v } else { (near.post.v - after[0]).abs() < 1e-2 };
            assert!(stays, "{case}: {law:?} {after:?} {near:?}");
            short += 1;
            continue;
        }
        let found = [after[0], after[1], impulse[0], impulse[1]];
        let expected = [near.post.v, near.post.u, near.impulse.N, near.impulse.T];
        let size = 1.0 + near.impulse.N;
        let same = found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-3 * size);
        assert!(same, "{case}: {law:?} {found:?} {expected:?}");
        straight += usize::from(near.second.is_none());
        turned += usize::from(near.second.is_some());
    }
    assert!(
        straight > 500 && turned > 500 && wedged > 100 && short > 20,
        "{straight} {turned} {wedged} {short}"
    );
}
