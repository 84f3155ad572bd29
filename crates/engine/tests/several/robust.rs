//! What breaks an equilibrium, against the modes themselves on both sides of the border.

use crate::body::{Spot, of_body, problem};
use mechan_engine::equilibrium::{Condition, Gravity};
use mechan_engine::predict::Motion;
use mechan_num::Tol;
use mechan_num::random::Stream;
use std::f64::consts::{FRAC_PI_2, PI};

fn body() -> ([Spot; 2], f64, [f64; 3]) {
    let chi = PI / 9.0;
    let spots = [(0.25, 0.3), (0.6, 1.0)].map(|(x, mu)| Spot {
        at: [x, -1.0],
        normal: FRAC_PI_2,
        mu,
        motion: Motion::Resting,
    });
    (spots, 1.0, [chi.sin(), -chi.cos(), 0.0])
}

fn holds(spots: &[Spot], inertia: f64, load: [f64; 3]) -> bool {
    let (body, tol) = (of_body(spots, inertia, load), Tol::default());
    body.resting_forces(&body.decide(&tol), &tol).is_some_and(|rest| rest.weak == Condition::Holds)
}

/// The accelerations of the contact rows under a force.
fn rows(spots: &[Spot], inertia: f64, load: [f64; 3]) -> Vec<f64> {
    problem(spots, inertia, load).1
}

#[test]
fn friction_holds_down_to_its_least_factor_and_no_further() {
    let (spots, inertia, load) = body();
    let tol = Tol::default();
    let found = of_body(&spots, inertia, load).robustness(&[], None, &tol).unwrap();
    let with = |factors: [f64; 2]| [0, 1].map(|i| Spot { mu: spots[i].mu * factors[i], ..spots[i] });
    let factor = found.friction_factor.unwrap();
    assert!(
        holds(&with([factor * 1.001; 2]), inertia, load) && !holds(&with([factor * 0.999; 2]), inertia, load)
    );
    for i in 0..2 {
        let least = found.friction[i].unwrap() / spots[i].mu;
        let only = |factor: f64| with([0, 1].map(|k| if k == i { factor } else { 1.0 }));
        assert!(holds(&only(least * 1.001), inertia, load) && !holds(&only(least * 0.999), inertia, load));
    }
    // by hand: both friction forces at their edges carry the weight along the slope, 0.3 N1 + N2 = tan χ (N1 + N2) of the normal forces,
    // which moments fix
    let (n1, n2, t) = (0.6337011, 0.3059915, (PI / 9.0_f64).sin());
    assert!((factor - t / (0.3 * n1 + n2)).abs() < 1e-6, "{factor}");
}

#[test]
fn pushes_and_turns_of_gravity_hold_up_to_their_bounds() {
    let (spots, inertia, load) = body();
    let directions = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.3, -0.2, 0.7]];
    let pushes: Vec<Vec<f64>> = directions.iter().map(|push| rows(&spots, inertia, *push)).collect();
    let (along, across) = (rows(&spots, inertia, load), rows(&spots, inertia, [-load[1], load[0], 0.0]));
    let gravity = Gravity { along: &along, across: &across };
    let found = of_body(&spots, inertia, load).robustness(&pushes, Some(gravity), &Tol::default()).unwrap();
    let pushed = |push: &[f64; 3], s: f64| [0, 1, 2].map(|k| load[k] + s * push[k]);
    for (push, reach) in directions.iter().zip(&found.pushes) {
        for (sign, reach) in [1.0, -1.0].into_iter().zip(reach) {
            assert!(holds(&spots, inertia, pushed(push, sign * reach * 0.999)));
            assert!(!holds(&spots, inertia, pushed(push, sign * reach * 1.001)));
        }
    }
    let turned = |angle: f64| {
        [load[0] * angle.cos() - load[1] * angle.sin(), load[0] * angle.sin() + load[1] * angle.cos(), 0.0]
    };
    let [clockwise, counter] = found.tilt.unwrap();
    for angle in [-clockwise, counter] {
        assert!(
            holds(&spots, inertia, turned(0.999 * angle)) && !holds(&spots, inertia, turned(1.001 * angle))
        );
    }
}

/// In the metric of kinetic energy, |f|² = f_x² + f_y² + τ²/I for mass one.
#[test]
fn no_smaller_push_breaks_it_and_some_larger_one_does() {
    let (spots, inertia, load) = body();
    let found = of_body(&spots, inertia, load).robustness(&[], None, &Tol::default()).unwrap();
    let mut random = Stream(3);
    let mut direction = || {
        let x = [0, 1, 2].map(|_| random.within(-1.0, 1.0));
        let size = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] / inertia).sqrt();
        x.map(|x| x / size)
    };
    let pushed = |push: [f64; 3], s: f64| [0, 1, 2].map(|k| load[k] + s * push[k]);
    assert!(found.push > 0.0);
    assert!((0..200).all(|_| holds(&spots, inertia, pushed(direction(), found.push * 0.999))));
    assert!((0..2000).any(|_| !holds(&spots, inertia, pushed(direction(), found.push * 1.05))));
}

#[test]
fn a_wedge_holds_any_load_from_above_and_needs_some_friction() {
    let wedge = [(-0.5, -0.2), (0.5, PI + 0.2)].map(|(x, normal)| Spot {
        at: [x, 0.3],
        normal,
        mu: 0.5,
        motion: Motion::Resting,
    });
    let load = [0.0, -1.0, 0.0];
    let found =
        of_body(&wedge, 0.1, load).robustness(&[rows(&wedge, 0.1, load)], None, &Tol::default()).unwrap();
    assert_eq!(found.pushes[0][0], f64::INFINITY);
    // μ > tan δ   [FORMULAS 10, Overhang]
    assert!((found.friction_factor.unwrap() * 0.5 - 0.2_f64.tan()).abs() < 1e-9, "{found:?}");
}

/// Without friction a block on two feet of a level floor rests, and two legs that are hinged to each other slide apart: the smallest
/// share of friction that counts is none for the one, and what the legs' angle says for the other.
#[test]
fn what_needs_no_friction_and_what_does() {
    let feet =
        [-1.0, 1.0].map(|x| Spot { at: [x, -0.5], normal: FRAC_PI_2, mu: 0.5, motion: Motion::Resting });
    let found = of_body(&feet, 0.4, [0.0, -1.0, 0.0]).robustness(&[], None, &Tol::default()).unwrap();
    assert!(
        found.friction_factor.unwrap() < 1e-9 && found.friction.iter().all(|mu| mu.unwrap() < 1e-9),
        "{found:?}"
    );
    // a point mass m on two massless legs at 45 degrees, each foot with a small mass e: rows N and T of both feet see four coordinates,
    // W = 1, D = M⁻¹ of (feet free, the mass above them): λ_T = λ_N tan 45° at each foot
    let e: f64 = 0.1;
    // velocities (v1, u1, v2, u2) of the feet; the apex moves with ((u1 + u2)/2 + (v1 − v2)/2, (v1 + v2)/2 + (u1 − u2)/2)
    let x = [0.5, 0.5, -0.5, 0.5];
    let y = [0.5, 0.5, 0.5, -0.5];
    let mass =
        nalgebra::DMatrix::from_fn(4, 4, |i, j| x[i] * x[j] + y[i] * y[j] + if i == j { e } else { 0.0 });
    let D = mass.try_inverse().unwrap();
    let load = nalgebra::DVector::from_fn(4, |i, _| -y[i] - if i % 2 == 0 { e } else { 0.0 });
    let c = &D * load;
    let legs = crate::body::contacts(&[(2.0, Motion::Resting); 2], D.transpose().as_slice(), c.as_slice());
    let found = legs.robustness(&[], None, &Tol::default()).unwrap();
    // forces: N = (1/2 + e), T = 1/2 by the load itself
    assert!((found.friction_factor.unwrap() * 2.0 - 0.5 / (0.5 + e)).abs() < 1e-8, "{found:?}");
}
