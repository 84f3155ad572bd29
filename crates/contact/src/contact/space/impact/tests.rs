use super::*;

fn friction(mu: f64) -> Friction {
    Friction::new(mu).unwrap()
}

/// A, B, C of the uniform rod with m = 1 at (ψ, θ): 4·1 − 3 e eᵀ, with e from the centre of mass to the tip.
fn rod(psi: f64, theta: f64) -> Spatial {
    let (s, c) = theta.sin_cos();
    let e = [psi.cos() * c, psi.sin() * c];
    let entry = |i: usize, j: usize| if i == j { 4.0 } else { 0.0 } - 3.0 * e[i] * e[j];
    let A = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
    Spatial::new(A, [3.0 * e[0] * s, 3.0 * e[1] * s], 4.0 - 3.0 * s * s, [0.0; 2], -1.0)
}

const LAWS: [Restitution; 3] =
    [Restitution::Newton(0.5), Restitution::Poisson(0.5), Restitution::Energetic(0.5)];
const PLASTIC: [Restitution; 3] =
    [Restitution::Newton(0.0), Restitution::Poisson(0.0), Restitution::Energetic(0.0)];

/// A ball without coupling: slip stops at P = ‖u‖/(μ A), the gap rate rises by C P, and all laws agree.
#[test]
fn a_ball_obeys_closed_forms() {
    let ball = Spatial::new([[3.5, 0.0], [0.0, 3.5]], [0.0; 2], 1.0, [0.0; 2], -1.0);
    for law in LAWS {
        let hit = ball.impact(friction(0.1), law, [3.0, 4.0], Approach::Rate(-1.0), &Tol::default()).unwrap();
        let left = 5.0 - 0.1 * 3.5 * 1.5;
        assert!((hit.normal - 1.5).abs() < 1e-14 && (hit.rebound - 0.5).abs() < 1e-14, "{hit:?}");
        assert!((hit.slip[0] - 0.6 * left).abs() + (hit.slip[1] - 0.8 * left).abs() < 1e-13);
        assert_eq!((hit.phases, hit.compressions), (vec![SpatialPhase::Slip], 1));
        let stops = ball.impact(friction(1.0), law, [3.0, 4.0], Approach::Rate(-1.0), &Tol::default());
        assert!(stops.unwrap().slip.iter().all(|u| u.abs() <= 0.0), "{law:?}");
    }
}

/// Without friction all laws give −e v and an impulse along the normal, whatever the slip, and whether it is coupled with the gap, not at all, or
/// by rounding.
#[test]
fn an_impact_without_friction_ends() {
    let mut state = 0.3_f64;
    let mut next = || {
        state = (state * 997.0 + 0.1).fract();
        state
    };
    for case in 0..600 {
        let (e, C, v) = (next(), 0.1 + next(), 10f64.powf(4.0 * next() - 2.0));
        let coupling = [0.0, 1e-17, C][case % 3];
        let B = [coupling * (next() - 0.5), coupling * (next() - 0.5)];
        let slip = [0, 1].map(|_| v * (next() - 0.5) * 10f64.powf(-8.0 * next()));
        let contact = Spatial::new([[2.0, 0.1], [0.1, 2.0]], B, C, [0.0; 2], -1.0);
        for law in [Restitution::Newton(e), Restitution::Poisson(e), Restitution::Energetic(e)] {
            let hit = contact.impact(friction(0.0), law, slip, Approach::Rate(-v), &Tol::default()).unwrap();
            let P = (1.0 + e) * v / C;
            assert!((hit.rebound - e * v).abs() < 1e-12 * v && (hit.normal - P).abs() < 1e-12 * P, "{hit:?}");
            assert!((0..2).all(|i| (hit.slip[i] - slip[i] - B[i] * P).abs() < 1e-12 * v), "{slip:?} {hit:?}");
            assert!((hit.energy_loss - 0.5 * (1.0 - e * e) * v * v / C).abs() < 1e-11 * v * v / C, "{hit:?}");
        }
    }
}

/// The momentum balance of the whole impact, and each law at its word.
#[test]
fn impulse_and_velocities_balance() {
    let contact = rod(0.4, 1.1);
    for law in LAWS {
        for slip in [[2.0, 1.5], [0.2, 0.3], [-0.7, 0.1], [0.0, 0.0]] {
            let hit =
                contact.impact(friction(0.4), law, slip, Approach::Rate(-1.0), &Tol::default()).unwrap();
            let driven = contact.tangential(hit.tangential);
            for i in 0..2 {
                let u = slip[i] + driven[i] + contact.B[i] * hit.normal;
                assert!((u - hit.slip[i]).abs() < 1e-13, "{law:?} {slip:?}");
            }
            let pull: f64 = (0..2).map(|i| contact.B[i] * hit.tangential[i]).sum();
            assert!((-1.0 + contact.C * hit.normal + pull - hit.rebound).abs() < 1e-13, "{law:?} {slip:?}");
            let held = hit.tangential[0].hypot(hit.tangential[1]);
            assert!(held <= 0.4 * hit.normal * (1.0 + 1e-13));
            if let Restitution::Newton(e) = law {
                assert!((hit.rebound - e).abs() < 1e-14);
            } else {
                assert!(hit.energy_loss > 0.0);
            }
        }
    }
}

/// Without restitution all laws end where compression does.
#[test]
fn plastic_impacts_are_those_of_any_law() {
    let contact = rod(0.4, 1.1);
    for slip in [[2.0, 1.5], [0.2, 0.3], [1e-7, 1e-9], [0.0, 0.0]] {
        for mu in [0.1, 0.4, 1.5] {
            let hit = |law| contact.impact(friction(mu), law, slip, Approach::Rate(-1.0), &Tol::default());
            let [newton, poisson, energetic] = PLASTIC.map(|law| hit(law).unwrap());
            assert!(newton.rebound.abs() < 1e-13, "{newton:?}");
            assert_eq!((&newton, &newton), (&poisson, &energetic));
        }
    }
}

#[test]
fn from_zero_gap_rate_only_a_negative_gain_begins_an_impact() {
    let contact = rod(0.0, 2f64.atan());
    let from = |slip, law| contact.impact(friction(1.5), law, slip, Approach::Rate(0.0), &Tol::default());
    assert!(from([0.0, 1.0], LAWS[1]).is_none(), "across the heading");
    assert!(from([1.0, 0.0], LAWS[0]).is_none(), "Newton");
    let hit = from([1.0, 0.1], LAWS[1]).unwrap();
    assert!(hit.rebound > 0.0 && hit.slip == [0.0, 0.0], "{hit:?}");
}

/// Slip along the heading of the rod keeps its direction: from a gap rate of zero p < 0 presses it down, until it sticks.
#[test]
fn an_impact_without_collision_begins_where_slip_keeps_its_direction() {
    let contact = rod(0.0, 2f64.atan());
    for law in &LAWS[1..] {
        let hit =
            contact.impact(friction(1.5), *law, [1.0, 0.0], Approach::Rate(0.0), &Tol::default()).unwrap();
        // u' = B - mu A to zero, then v' = C - B^2/A: v before that is p P
        let (A, B, C) = (contact.A[0][0], contact.B[0], contact.C);
        let (along, p) = (B - 1.5 * A, C - 1.5 * B);
        let pressed = -p * (-1.0 / along);
        assert!(p < 0.0 && hit.slip.iter().all(|u| u.abs() <= 0.0) && hit.compressions == 1, "{hit:?}");
        if matches!(law, Restitution::Poisson(_)) {
            let held = C - B * B / A;
            let compression = -1.0 / along + pressed / held;
            assert!((hit.normal - 1.5 * compression).abs() < 1e-12, "{hit:?} {compression}");
        }
        assert!(hit.rebound > 0.0, "{hit:?}");
    }
}

/// Slip that hardly slows down, since the force that would hold the contact is at the border of its cone, takes no more steps than any other;
/// and what follows from it depends on friction without a jump.
#[test]
fn slip_at_the_border_of_the_cone_ends() {
    let contact = rod(0.4, 1.1);
    let [x, y] = contact.held();
    let border = x.hypot(y);
    for law in LAWS {
        for slip in [[1e-4, -2e-5], [3e-5, 8e-5], [0.3, 0.4], [1e-9, 0.0]] {
            let hit = |share: f64| {
                let mu = friction(border * (1.0 + share));
                contact.impact(mu, law, slip, Approach::Rate(-1.0), &Tol::default()).unwrap()
            };
            for share in [-1e-3, -1e-5, -1e-8, 1e-13, 1e-10, 1e-7, 1e-5, 1e-4, 1e-3] {
                let (here, there) = (hit(share), hit(1.01 * share));
                let driven = contact.tangential(here.tangential);
                for i in 0..2 {
                    let u = slip[i] + driven[i] + contact.B[i] * here.normal;
                    assert!((u - here.slip[i]).abs() < 1e-12, "{law:?} {slip:?} {here:?}");
                    let apart = (here.slip[i] - there.slip[i]).abs();
                    assert!(apart < 0.1 * f64::abs(share) + 1e-12, "{law:?} {slip:?} {share}: {apart}");
                }
                assert!((here.rebound - there.rebound).abs() < 0.1 * f64::abs(share) + 1e-12, "{here:?}");
            }
        }
    }
}
