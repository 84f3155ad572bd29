//! The other examples of [AC11 4.3-4.5] and [ACLM11 5]: bodies, supports and moving surroundings by hand.

use mechan::coulomb::{Problem, residual};
use mechan::enumerate::{Enumeration, Limits, Mode, enumerate};
use mechan::existence::{Conclusion, Existence, Kinematics, assess};

type Vec2 = [f64; 2];

/// A contact of a planar body (x, y, θ) at `arm` from its centre, with unit `normal` into the body, against an obstacle
/// that moves with `obstacle`: rows N, T with T = the normal turned by −90°.
struct Touch {
    arm: Vec2,
    normal: Vec2,
    obstacle: Vec2,
    mu: f64,
}

fn rows(touch: &Touch) -> [Vec<f64>; 2] {
    let row = |e: Vec2| vec![e[0], e[1], touch.arm[0] * e[1] - touch.arm[1] * e[0]];
    [row(touch.normal), row(turned(touch.normal))]
}

fn turned(e: Vec2) -> Vec2 {
    [e[1], -e[0]]
}

/// One rigid body of unit mass and inertia under the impulse `load` (x, y, moment), from rest.
fn body(load: [f64; 3], touches: &[Touch]) -> Problem {
    let mut M = vec![vec![0.0; 3]; 3];
    (0..3).for_each(|i| M[i][i] = 1.0);
    let H: Vec<_> = touches.iter().flat_map(rows).collect();
    let dot = |a: Vec2, b: Vec2| -(a[0] * b[0] + a[1] * b[1]);
    let w =
        touches.iter().flat_map(|t| [dot(t.obstacle, t.normal), dot(t.obstacle, turned(t.normal))]).collect();
    let mu = touches.iter().map(|t| t.mu).collect();
    Problem::from_dense(mu, &M, load.iter().map(|x| -x).collect(), &H, w).unwrap()
}

fn existence(problem: &Problem) -> Existence {
    assess(&Kinematics::of(problem))
}

fn all(problem: &Problem) -> Enumeration {
    let all = enumerate(problem, Limits::default()).unwrap();
    assert!(all.complete);
    for family in &all.families {
        let r = family.centre().r;
        let v = velocity(problem, &r);
        let defect = residual(problem, &v, &r).0;
        assert!(defect.relative < 1e-12, "{family:?} {defect:?}");
    }
    all
}

/// v = Hᵀ r − f for M = I.
fn velocity(problem: &Problem, r: &[f64]) -> Vec<f64> {
    let mechan::coulomb::Form::Global(g) = problem.form() else { panic!("global") };
    let mut v: Vec<f64> = g.f.iter().map(|f| -f).collect();
    g.Ht.mul_add(r, &mut v);
    v
}

const UP: Vec2 = [0.0, 1.0];
const DOWN: Vec2 = [0.0, -1.0];
const STILL: Vec2 = [0.0, 0.0];

/// [AC11 Fig. 4.2]: a ball between the ground and a plane that comes down with speed u0.
fn crushed_ball(u0: f64, mu: f64) -> Problem {
    let ground = Touch { arm: [0.0, -1.0], normal: UP, obstacle: STILL, mu };
    let press = Touch { arm: [0.0, 1.0], normal: DOWN, obstacle: [0.0, -u0], mu };
    body([0.0, -1.0, 0.0], &[ground, press])
}

#[test]
fn ac11_fig_4_2_a_crushed_ball_has_no_solution() {
    for mu in [0.0, 0.3, 2.0] {
        let e = existence(&crushed_ball(1.0, mu));
        assert_eq!(e.conclusion(), Conclusion::Impossible);
        assert!(e.non_penetration.fails() && e.weak.fails() && e.klarbring_pang.fails() && e.strong.fails());
        assert!(all(&crushed_ball(1.0, mu)).families.is_empty());
    }
}

#[test]
fn ac11_fig_4_2_a_ball_that_is_just_held_or_released_has_one() {
    for mu in [0.0, 0.3, 2.0] {
        let held = existence(&crushed_ball(0.0, mu));
        assert!(held.weak.holds());
        // The inside of the cones is asked for, with friction or without: pressed ever so little, no solution is left.
        assert!(held.strong.fails());
        assert_eq!(existence(&crushed_ball(1e-9, mu)).conclusion(), Conclusion::Impossible);
        assert!(held.no_wedging.fails());
        assert!(!all(&crushed_ball(0.0, mu)).families.is_empty());
        assert_eq!(existence(&crushed_ball(-1.0, mu)).conclusion(), Conclusion::Stable);
    }
    // Held: any clamping force is possible, the family has a ray.
    let family = &all(&crushed_ball(0.0, 0.3)).families[0];
    assert!(!family.rays.is_empty() && family.motion_dimension == 0);
}

#[test]
fn ac11_4_5_4_external_objects_that_move_as_one_rigid_body() {
    // A drum that turns with angular speed 0.7 about the ball's centre shifted by (0.2, 0.1), and moves along.
    let field = |p: Vec2| [0.3 - 0.7 * (p[1] - 0.1), -0.4 + 0.7 * (p[0] - 0.2)];
    for n in [1, 2, 3, 5] {
        let touch = |k: usize| {
            let angle = 2.5 * k as f64;
            let normal = [-angle.cos(), -angle.sin()];
            let arm = [angle.cos(), angle.sin()];
            Touch { arm, normal, obstacle: field(arm), mu: 0.2 + k as f64 }
        };
        let touches: Vec<_> = (0..n).map(touch).collect();
        let problem = body([0.0, -1.0, 0.4], &touches);
        let v = [0.3 + 0.07, -0.4 - 0.14, 0.7];
        let u = Kinematics::of(&problem).relative_velocity(&v);
        assert!(u.iter().all(|u| u.abs() < 1e-12), "H v + w = 0: {u:?}");
        // In numbers, H v + w = 0 holds to rounding only: with all-round contacts (4.4) is a matter of the last bit.
        let e = existence(&problem);
        assert!(!e.weak.fails() && !e.non_penetration.fails(), "{n}: {e:?}");
        assert_ne!(e.conclusion(), Conclusion::Impossible);
        if n < 3 {
            assert!(!all(&problem).families.is_empty());
        }
    }
}

#[test]
fn ac11_4_5_4_motionless_surroundings_need_no_computation() {
    let corner = |x: f64, normal| Touch { arm: [x, -1.0], normal, obstacle: STILL, mu: 0.8 };
    let wedge = [
        corner(-0.5, [0.6, 0.8]),
        corner(0.5, [-0.6, 0.8]),
        Touch { arm: UP, normal: DOWN, obstacle: STILL, mu: 1.0 },
    ];
    let e = existence(&body([0.3, -1.0, 0.1], &wedge));
    assert!(e.weak.holds());
    assert!(!all(&body([0.3, -1.0, 0.1], &wedge)).families.is_empty());
}

/// [ACLM11 Fig. 5]: a square of side 2 on the ground.
fn square(load: [f64; 3], mu: f64) -> Problem {
    let corner = |x: f64| Touch { arm: [x, -1.0], normal: UP, obstacle: STILL, mu };
    body(load, &[corner(-1.0), corner(1.0)])
}

#[test]
fn aclm11_5_4_square_on_the_ground_has_unique_motion_but_not_forces() {
    let found = all(&square([0.0, -2.0, 0.0], 0.5));
    assert_eq!(found.families.len(), 1);
    let family = &found.families[0];
    assert_eq!(family.modes, [Mode::Stick, Mode::Stick]);
    assert_eq!((family.dimension, family.motion_dimension), (1, 0));
    assert!(family.rays.is_empty());
    // r_N = 1 at both corners, opposite r_T between −μ and μ.
    let mut vertices: Vec<_> = family.vertices.iter().map(|p| p.r.clone()).collect();
    vertices.sort_by(|a, b| a[1].total_cmp(&b[1]));
    assert_eq!(vertices, [vec![1.0, -0.5, 1.0, 0.5], vec![1.0, 0.5, 1.0, -0.5]]);
    // The rows of H are dependent, but not with forces in the cones.
    let e = existence(&square([0.0, -2.0, 0.0], 0.5));
    assert!(e.no_wedging.holds() && e.conclusion() == Conclusion::Stable);
}

#[test]
fn square_on_the_ground_without_friction_has_unique_forces() {
    let found = all(&square([0.0, -2.0, 0.0], 0.0));
    assert_eq!(found.families.len(), 1);
    assert_eq!(found.families[0].dimension, 0);
    assert_eq!(found.families[0].vertices[0].r, [1.0, 0.0, 1.0, 0.0]);
    // Without friction (4.1), (4.4) and (4.6) are one [ACLM11 5.1].
    let e = existence(&square([0.0, -2.0, 0.0], 0.0));
    assert!(e.strong.holds() && e.weak.holds() && e.klarbring_pang.holds());
}

#[test]
fn square_pushed_below_and_above_the_limit_of_friction() {
    let sticking = all(&square([0.9, -2.0, 0.9], 0.5));
    assert_eq!(sticking.families[0].modes, [Mode::Stick, Mode::Stick]);
    let slipping = all(&square([1.5, -2.0, 1.5], 0.5));
    assert_eq!(slipping.families.len(), 1);
    assert_eq!(slipping.families[0].modes, [Mode::SlipPos, Mode::SlipPos]);
    assert_eq!(slipping.families[0].dimension, 0);
}

/// [ACLM11 Fig. 7]: a rectangle on two circles of equal height, the right one moving with `speed`. The points of contact
/// are at x = ±1 on the lower side.
fn on_circles(speed: Vec2, mu: f64) -> Problem {
    let left = Touch { arm: [-1.0, -0.5], normal: UP, obstacle: STILL, mu };
    let right = Touch { arm: [1.0, -0.5], normal: UP, obstacle: speed, mu };
    body([0.0, -2.0, 0.0], &[left, right])
}

#[test]
fn aclm11_fig_7_rectangle_on_circles_has_solutions_for_every_motion_of_the_support() {
    for speed in [[0.0, 0.0], [1.0, 0.0], [-1.0, 0.5], [0.3, -2.0], [5.0, 3.0]] {
        for mu in [0.1, 1.0, 10.0] {
            let e = existence(&on_circles(speed, mu));
            // The kernel of Hᵀ is r_T opposite without r_N: not in the cones, (5.1) holds.
            assert!(e.no_wedging.holds(), "{speed:?} {mu}");
            assert!(e.strong.holds());
            assert!(!all(&on_circles(speed, mu)).families.is_empty());
        }
    }
    let still = all(&on_circles([0.0, 0.0], 1.0));
    assert_eq!(still.families[0].dimension, 1);
}

/// A shovel: a block on the ground is pushed by a blade that leans over it by `angle` from the vertical (0: upright)
/// and advances with speed one. The blade's normal has a downward part sin(angle).
fn shovel(angle: f64, ground_mu: f64, blade_mu: f64) -> Problem {
    let ground = |x: f64| Touch { arm: [x, -1.0], normal: UP, obstacle: STILL, mu: ground_mu };
    let normal = [angle.cos(), -angle.sin()];
    let blade = Touch { arm: [-1.0, 0.0], normal, obstacle: [1.0, 0.0], mu: blade_mu };
    body([0.0, -1.0, 0.0], &[ground(-1.0), ground(1.0), blade])
}

#[test]
fn shovel_two_external_objects_the_block_can_always_escape_forwards() {
    // Two surroundings with different motion [AC11 Fig. 4.6]: the criterion must be computed.
    for (angle, ground_mu, blade_mu) in [(0.0, 0.5, 0.5), (0.3, 0.5, 0.2), (-0.4, 1.0, 1.0), (0.6, 0.2, 0.1)]
    {
        let problem = shovel(angle, ground_mu, blade_mu);
        let e = existence(&problem);
        let found = all(&problem);
        if e.weak.holds() {
            assert!(!found.families.is_empty(), "{angle} {ground_mu} {blade_mu}");
        }
        // Self-locking is geometry: angle < friction angles' sum lets a force chain blade-ground close.
        let locks =
            angle >= 0.0 && angle + 1e-12 > std::f64::consts::FRAC_PI_2 - ground_mu.atan() - blade_mu.atan();
        assert_eq!(e.no_wedging.fails(), locks, "{angle} {ground_mu} {blade_mu}: {e:?}");
    }
}

#[test]
fn shovel_jams_when_both_friction_angles_close_the_chain() {
    // atan 2 + atan 2 + 0.4 > π/2: an internal force chain exists, and an advancing blade works against it.
    let problem = shovel(0.4, 2.0, 2.0);
    let e = existence(&problem);
    assert!(e.no_wedging.fails() && e.weak.fails() && e.non_penetration.holds());
    assert_eq!(e.conclusion(), Conclusion::Open);
    // A retreating blade is no problem.
    let ground = |x: f64| Touch { arm: [x, -1.0], normal: UP, obstacle: STILL, mu: 2.0 };
    let blade =
        Touch { arm: [-1.0, 0.0], normal: [0.4f64.cos(), -(0.4f64.sin())], obstacle: [-1.0, 0.0], mu: 2.0 };
    let retreat = existence(&body([0.0, -1.0, 0.0], &[ground(-1.0), ground(1.0), blade]));
    assert!(retreat.strong.holds());
}

#[test]
fn ac11_4_5_5_deformable_solid_any_friction() {
    // Each node has its own two velocities and one contact: H has full row rank.
    let n = 4;
    let H: Vec<Vec<f64>> =
        (0..2 * n).map(|i| (0..2 * n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    for mu in [0.1, 1.0, 100.0] {
        let w = (0..2 * n).map(|k| (k as f64).sin()).collect();
        let problem = Problem::from_dense(vec![mu; n], &H, vec![0.5; 2 * n], &H, w).unwrap();
        assert!(existence(&problem).no_wedging.holds());
    }
}

#[test]
fn aclm11_synopsis_each_assumption_is_separated_from_the_next() {
    // (5.1) ⊊ (4.1): a ball whose press retreats; the kernel meets the cones, yet w lies well.
    let e = existence(&crushed_ball(-1.0, 0.5));
    assert!(e.no_wedging.fails() && e.strong.holds());
    // (4.1) ⊊ (4.4): the same with the press at rest.
    let e = existence(&crushed_ball(0.0, 0.5));
    assert!(e.strong.fails() && e.weak.holds());
    // (4.4) ⊊ (4.6), in space only: H = (1, 0, 1)ᵀ, μ = 1, w = (0, 1, 0), the supremum 0 is not attained.
    let H = [vec![1.0], vec![0.0], vec![1.0]];
    let closure = Problem::from_dense(vec![1.0], &[vec![1.0]], vec![0.0], &H, vec![0.0, 1.0, 0.0]).unwrap();
    let e = existence(&closure);
    assert!(e.weak.fails() && e.klarbring_pang.holds(), "{e:?}");
    // (4.6) ⊊ (4.5): the Painlevé-like bar with u0 > 0 and tan θ < μ.
    let e = existence(&crate::ac11_painleve::bar(-1.0, 1.0, 0.5, 1.0));
    assert!(e.klarbring_pang.fails() && e.non_penetration.holds());
    // (4.5) fails: the crushed ball.
    assert!(existence(&crushed_ball(1.0, 0.5)).non_penetration.fails());
}

#[test]
fn ac11_remark_4_the_criterion_is_not_necessary() {
    let problem = crate::ac11_painleve::bar(1.0, 1.0, 0.5, 1.0);
    assert!(existence(&problem).weak.fails());
    assert_eq!(all_modes(&problem), [[Mode::TakeOff], [Mode::SlipPos]]);
}

fn all_modes(problem: &Problem) -> Vec<Vec<Mode>> {
    enumerate(problem, Limits::default()).unwrap().families.into_iter().map(|family| family.modes).collect()
}
