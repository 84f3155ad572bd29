//! The examples of [AC11 4.3-4.5] and the synopsis of [ACLM11 4] beyond those of the existence tests: Lemma 1 over a
//! whole grid with its forces, surroundings that move as one body with certificates, a shovel with and without a wall,
//! families by their vertices and extreme rays, and a table of assumptions in which every pair is separated.

use mechan::answer::Answer;
use mechan::coulomb::Problem;
use mechan::enumerate::{Enumeration, Family, Limits, Mode, enumerate};
use mechan::existence::{Conclusion, Existence, Kinematics, Verdict, assess};
use mechan::pipeline::{SolveOptions, solve_problem};

type Vec2 = [f64; 2];

fn verdicts(problem: &Problem) -> Existence {
    assess(&Kinematics::of(problem))
}

fn all(problem: &Problem) -> Enumeration {
    let all = enumerate(problem, Limits::default()).unwrap();
    assert!(all.complete);
    all
}

/// The bar of [AC11 (4.30)] with m = l = h = 1 and v₀ = 0, scaled so that H = (tan θ, 1): tan θ = μ is then exact.
fn bar(gravity: f64, u0: f64, tangent: f64, mu: f64) -> Problem {
    let square = 1.0 + tangent * tangent;
    let H = [vec![tangent], vec![1.0]];
    Problem::from_dense(vec![mu], &[vec![square]], vec![-gravity * tangent], &H, vec![0.0, u0]).unwrap()
}

/// A set of solutions by hand: mode, vertices (r_N, r_T), extreme rays.
type Expected = (Mode, Vec<Vec2>, Vec<Vec2>);

/// In contact v = 0, so that u_T = u₀ and tan θ r_N + r_T = −g tan θ [AC11 (4.32), (4.37)].
fn by_hand(gravity: f64, u0: f64, tangent: f64, mu: f64) -> Vec<Expected> {
    let mut out = Vec::new();
    if gravity > 0.0 {
        out.push((Mode::TakeOff, vec![[0.0, 0.0]], vec![]));
    }
    // r_T = s μ r_N: (tan θ + s μ) r_N = −g tan θ.
    let edge = |s: f64| {
        let normal = -gravity * tangent / (tangent + s * mu);
        (normal.is_finite() && normal > 0.0).then_some([normal, s * mu * normal])
    };
    let slip = |mode, s| edge(s).map(|r| (mode, vec![r], vec![]));
    if u0 > 0.0 {
        out.extend(slip(Mode::SlipPos, -1.0));
    } else if u0 < 0.0 {
        out.extend(slip(Mode::SlipNeg, 1.0));
    } else {
        let mut vertices: Vec<Vec2> = [edge(-1.0), edge(1.0)].into_iter().flatten().collect();
        vertices.dedup();
        // The line of the forces has the direction (1, −tan θ), which is in the cone where tan θ ≤ μ.
        let rays = if tangent <= mu { vec![[1.0, -tangent]] } else { vec![] };
        if !vertices.is_empty() {
            out.push((Mode::Stick, vertices, rays));
        }
    }
    out.sort_by_key(|e| e.0);
    out
}

fn same_points(found: &[mechan::enumerate::Point], expected: &[Vec2]) -> bool {
    let near = |a: &[f64], b: &Vec2| (0..2).all(|k| (a[k] - b[k]).abs() <= 1e-12 * (1.0 + b[0].abs()));
    found.len() == expected.len() && expected.iter().all(|e| found.iter().any(|p| near(&p.r, e)))
}

fn matches(family: &Family, (mode, vertices, rays): &Expected) -> bool {
    // Rays are given with their largest force one.
    let scaled: Vec<Vec2> =
        rays.iter().map(|d| d.map(|x| x / d.iter().fold(0.0_f64, |m, x| m.max(x.abs())))).collect();
    family.modes == [*mode]
        && same_points(&family.vertices, vertices)
        && same_points(&family.rays, &scaled)
        && family.dimension == vertices.len() + rays.len() - 1
        && family.motion_dimension == 0
}

const SPEEDS: [f64; 7] = [-2.0, -1.0, -1e-6, 0.0, 1e-6, 1.0, 2.0];
const SLOPES: [f64; 8] = [0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 3.0, 20.0];
const FRICTIONS: [f64; 8] = [0.0, 0.125, 0.25, 0.5, 1.0, 1.5, 3.0, 8.0];

#[test]
fn ac11_lemma_1_and_4_5_7_over_the_grid_with_all_forces() {
    let mut counts = [0; 3];
    for gravity in [-1.0, 1.0] {
        for u0 in SPEEDS {
            for (tangent, mu) in SLOPES.into_iter().flat_map(|t| FRICTIONS.map(|mu| (t, mu))) {
                let case = format!("g = {gravity}, u0 = {u0}, tan = {tangent}, mu = {mu}");
                let expected = by_hand(gravity, u0, tangent, mu);
                let found = all(&bar(gravity, u0, tangent, mu)).families;
                assert_eq!(found.len(), expected.len(), "{case}: {found:?} {expected:?}");
                for (family, expected) in found.iter().zip(&expected) {
                    assert!(matches(family, expected), "{case}: {family:?} {expected:?}");
                }
                // Lemma 1; 4.5.7 with its correction: exactly one solution where tan θ = μ.
                match (gravity < 0.0, u0 > 0.0) {
                    (true, false) => assert_eq!(found.len(), 1, "{case}"),
                    (true, true) => assert_eq!(found.len(), usize::from(tangent > mu), "{case}"),
                    (false, true) => assert_eq!(found.len(), if tangent < mu { 2 } else { 1 }, "{case}"),
                    (false, false) => assert!(!found.is_empty(), "{case}"),
                }
                counts[found.len()] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&c| c > 50), "{counts:?}");
}

#[test]
fn ac11_lemma_1_is_answered_with_a_solution_or_a_proof() {
    for gravity in [-1.0, 1.0] {
        for u0 in [-1.0, 0.0, 1.0] {
            for (tangent, mu) in SLOPES.into_iter().flat_map(|t| FRICTIONS.map(|mu| (t, mu))) {
                let expected = by_hand(gravity, u0, tangent, mu);
                let solved = solve_problem(bar(gravity, u0, tangent, mu), &SolveOptions::default()).unwrap();
                let answer = if expected.is_empty() { Answer::NoSolution } else { Answer::Solved };
                assert_eq!(
                    solved.study.answer(),
                    answer,
                    "g = {gravity}, u0 = {u0}, tan = {tangent}, mu = {mu}"
                );
            }
        }
    }
}

/// A contact of a planar body (x, y, θ): the arm from its centre, the normal into it, the velocity of the obstacle.
struct Touch {
    arm: Vec2,
    normal: Vec2,
    obstacle: Vec2,
    mu: f64,
}

fn turned(e: Vec2) -> Vec2 {
    [e[1], -e[0]]
}

/// One rigid body of unit mass and inertia under the impulse `load` (x, y, moment), from rest.
fn body(load: [f64; 3], touches: &[Touch]) -> Problem {
    let M: Vec<Vec<f64>> = (0..3).map(|i| (0..3).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let row = |t: &Touch, e: Vec2| vec![e[0], e[1], t.arm[0] * e[1] - t.arm[1] * e[0]];
    let H: Vec<_> = touches.iter().flat_map(|t| [row(t, t.normal), row(t, turned(t.normal))]).collect();
    let along = |t: &Touch, e: Vec2| -(t.obstacle[0] * e[0] + t.obstacle[1] * e[1]);
    let w = touches.iter().flat_map(|t| [along(t, t.normal), along(t, turned(t.normal))]).collect();
    let mu = touches.iter().map(|t| t.mu).collect();
    Problem::from_dense(mu, &M, load.iter().map(|x| -x).collect(), &H, w).unwrap()
}

const UP: Vec2 = [0.0, 1.0];
const DOWN: Vec2 = [0.0, -1.0];
const RIGHT: Vec2 = [1.0, 0.0];
const LEFT: Vec2 = [-1.0, 0.0];
const STILL: Vec2 = [0.0, 0.0];

#[test]
fn ac11_4_5_4_a_drum_that_turns_about_the_body_is_certified() {
    // Numbers of few binary digits, so that H v + w = 0 holds exactly; contacts all around, wedged at any friction.
    let (center, omega, speed) = ([0.25, 0.125], 0.5, [0.375, -0.5]);
    let field = |p: Vec2| [speed[0] - omega * (p[1] - center[1]), speed[1] + omega * (p[0] - center[0])];
    for mu in [0.0, 0.25, 4.0] {
        let touch = |arm: Vec2| Touch { arm, normal: arm.map(|x| -x), obstacle: field(arm), mu };
        let problem = body([0.0, -1.0, 0.5], &[UP, DOWN, RIGHT, LEFT].map(touch));
        let v = [speed[0] + omega * center[1], speed[1] - omega * center[0], omega];
        assert!(Kinematics::of(&problem).relative_velocity(&v).iter().all(|u| u.abs() <= 0.0));
        let e = verdicts(&problem);
        assert!(e.weak.holds() && e.non_penetration.holds() && e.no_wedging.fails(), "{mu}: {e:?}");
        assert!(matches!(e.conclusion(), Conclusion::Exists | Conclusion::Stable));
        let found = all(&problem);
        assert!(!found.families.is_empty());
        // Any pressure between opposite walls may be added.
        assert!(found.families.iter().all(|f| f.motion_dimension == 0 && !f.rays.is_empty()), "{mu}");
    }
}

#[test]
fn ac11_4_5_4_the_same_in_space_on_a_vibrating_plane() {
    // A ball on a plane that moves as one body, three supports: w = −H v.
    let arm = [[1.0, 0.0], [-0.5, 0.75], [-0.5, -0.75]];
    for speed in [-1.5, 0.0, 2.0] {
        // Body (z, x, y): normal row z, tangents x and y; supports are points of one plane.
        let H: Vec<Vec<f64>> = arm
            .iter()
            .flat_map(|a| {
                [
                    vec![1.0, 0.0, 0.0, a[0], a[1]],
                    vec![0.0, 1.0, 0.0, 0.0, 0.5],
                    vec![0.0, 0.0, 1.0, 0.5, 0.0],
                ]
            })
            .collect();
        let M: Vec<Vec<f64>> =
            (0..5).map(|i| (0..5).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        let w = (0..9).map(|k| if k % 3 == 0 { -speed } else { 0.0 }).collect();
        let problem = Problem::from_dense(vec![0.5; 3], &M, vec![1.0, 0.0, 0.0, 0.0, 0.0], &H, w).unwrap();
        assert!(verdicts(&problem).weak.holds());
        let solved = solve_problem(problem, &SolveOptions::default()).unwrap();
        assert_eq!(solved.study.answer(), Answer::Solved, "{speed}");
    }
}

/// [AC11 Fig. 4.6]: a block on the ground is pushed by a blade with speed one, perhaps against a wall.
fn shovelled(wall: Option<f64>, mu: f64) -> Problem {
    let ground = |x: f64| Touch { arm: [x, -1.0], normal: UP, obstacle: STILL, mu };
    let mut touches =
        vec![ground(-1.0), ground(1.0), Touch { arm: [-1.0, 0.0], normal: RIGHT, obstacle: RIGHT, mu }];
    touches.extend(wall.map(|speed| Touch { arm: [1.0, 0.0], normal: LEFT, obstacle: [speed, 0.0], mu }));
    body([0.0, -1.0, 0.0], &touches)
}

#[test]
fn ac11_4_5_6_the_shovel_must_be_computed() {
    for mu in [0.0, 0.5, 0.9] {
        let e = verdicts(&shovelled(None, mu));
        assert!(e.strong.holds() && e.conclusion() == Conclusion::Stable, "{mu}: {e:?}");
        assert!(!all(&shovelled(None, mu)).families.is_empty());
        // A wall that retreats faster than the blade comes is never touched, but the criterion cannot know that.
        let e = verdicts(&shovelled(Some(1.5), mu));
        assert_eq!(e.strong.holds(), mu < 0.5, "{mu}: {e:?}");
        let found = all(&shovelled(Some(1.5), mu));
        assert!(!found.families.is_empty() && found.families.iter().all(|f| f.modes[3] == Mode::TakeOff));
        // Between blade and wall, as in Fig. 4.2.
        let e = verdicts(&shovelled(Some(0.0), mu));
        assert!(e.non_penetration.fails() && e.conclusion() == Conclusion::Impossible, "{mu}: {e:?}");
        assert!(all(&shovelled(Some(0.0), mu)).families.is_empty());
        // A wall that retreats as fast: squeezed by any force, or by none.
        let kept = verdicts(&shovelled(Some(1.0), mu));
        // With friction the block would have to lift off the ground while it slides along neither blade nor wall.
        assert!(kept.weak.holds() == (mu <= 0.0) && kept.no_wedging.fails());
        let found = all(&shovelled(Some(1.0), mu));
        assert!(found.families.iter().any(|f| !f.rays.is_empty()), "{mu}: {found:?}");
    }
}

#[test]
fn ac11_fig_4_2_the_held_ball_may_be_pressed_by_any_force() {
    let held = |mu| {
        let ground = Touch { arm: DOWN, normal: UP, obstacle: STILL, mu };
        let press = Touch { arm: UP, normal: DOWN, obstacle: STILL, mu };
        body([0.0, -1.0, 0.0], &[ground, press])
    };
    for mu in [0.0, 0.25, 2.0] {
        let found = all(&held(mu)).families;
        assert_eq!(found.len(), 1);
        let family = &found[0];
        assert_eq!((family.dimension, family.motion_dimension), (1, 0));
        assert_eq!(family.vertices.iter().map(|p| p.r.clone()).collect::<Vec<_>>(), [[1.0, 0.0, 0.0, 0.0]]);
        assert_eq!(family.rays.iter().map(|p| p.r.clone()).collect::<Vec<_>>(), [[1.0, 0.0, 1.0, 0.0]]);
    }
}

#[test]
fn aclm11_5_4_the_square_in_a_slot_has_a_family_with_vertices_and_rays() {
    // On the ground between two walls at its middle: walls may press, and carry part of the weight by friction.
    let corner = |x: f64| Touch { arm: [x, -1.0], normal: UP, obstacle: STILL, mu: 0.5 };
    let wall = |x: f64| Touch { arm: [x, 0.0], normal: [-x, 0.0], obstacle: STILL, mu: 0.5 };
    let problem = body([0.0, -2.0, 0.0], &[corner(-1.0), corner(1.0), wall(-1.0), wall(1.0)]);
    let found = all(&problem).families;
    assert_eq!(found.len(), 1);
    let family = &found[0];
    assert_eq!(family.modes, [Mode::Stick; 4]);
    // Eight components of force, three equations.
    assert_eq!((family.dimension, family.motion_dimension), (5, 0));
    let balance = |r: &[f64]| {
        // Rows of Hᵀ: x, y, moment; a tangent is the normal turned by −90°.
        let x = r[1] + r[3] + r[4] - r[6];
        let y = r[0] + r[2] - r[5] + r[7];
        let moment = (-r[0] + r[1]) + (r[2] + r[3]) + (r[5] + r[7]);
        [x, y, moment]
    };
    let in_cones = |r: &[f64]| r.chunks(2).all(|c| c[1].abs() <= 0.5 * c[0] + 1e-12);
    // A vertex or ray makes as many inequalities tight as leave only itself.
    let tight = |r: &[f64]| {
        r.chunks(2)
            .map(|c| usize::from(0.5 * c[0] - c[1] < 1e-9) + usize::from(0.5 * c[0] + c[1] < 1e-9))
            .sum::<usize>()
    };
    for p in &family.vertices {
        let [x, y, moment] = balance(&p.r);
        assert!(
            x.abs() < 1e-12 && (y - 2.0).abs() < 1e-12 && moment.abs() < 1e-12 && in_cones(&p.r),
            "{p:?}"
        );
        assert!(tight(&p.r) >= 5 && p.u.iter().all(|u| u.abs() < 1e-12), "{p:?}");
    }
    assert!(!family.rays.is_empty());
    for d in &family.rays {
        assert!(balance(&d.r).iter().all(|x| x.abs() < 1e-12) && in_cones(&d.r) && tight(&d.r) >= 4, "{d:?}");
    }
}

#[test]
fn aclm11_fig_7_the_tilted_rectangle_on_moving_circles() {
    // Circles of different height: the rectangle's lower side has the normal (−0.6, 0.8).
    let (normal, along) = ([-0.6, 0.8], [0.8, 0.6]);
    let at = |s: f64| [s * along[0] - 0.5 * normal[0], s * along[1] - 0.5 * normal[1]];
    for speed in [[0.0, 0.0], [1.0, 2.0], [-3.0, 0.5], [0.5, -1.0]] {
        let left = Touch { arm: at(-1.0), normal, obstacle: STILL, mu: 1.0 };
        let right = Touch { arm: at(1.0), normal, obstacle: speed, mu: 1.0 };
        let problem = body([0.0, -2.0, 0.0], &[left, right]);
        let e = verdicts(&problem);
        assert!(e.no_wedging.holds() && e.conclusion() == Conclusion::Stable, "{speed:?}: {e:?}");
        let found = all(&problem).families;
        assert!(!found.is_empty(), "{speed:?}");
        // Where both stick, opposite friction along the side may be added: forces are not unique.
        let stick = found.iter().find(|f| f.modes == [Mode::Stick; 2]);
        assert!(stick.is_none_or(|f| (f.dimension, f.motion_dimension) == (1, 0)), "{speed:?}");
        assert!(stick.is_some() || speed != [0.0, 0.0]);
    }
}

/// In the order of implication: (5.1), (4.1), (4.4), (4.6), (4.5).
fn row(problem: &Problem) -> [bool; 5] {
    let e = verdicts(problem);
    [&e.no_wedging, &e.strong, &e.weak, &e.klarbring_pang, &e.non_penetration].map(|v: &Verdict| {
        assert!(v.holds() || v.fails(), "undecided: {e:?}");
        v.holds()
    })
}

#[test]
fn aclm11_synopsis_every_pair_of_assumptions_is_separated() {
    let ball = |press: f64| {
        let ground = Touch { arm: DOWN, normal: UP, obstacle: STILL, mu: 0.5 };
        body([0.0, -1.0, 0.0], &[ground, Touch { arm: UP, normal: DOWN, obstacle: [0.0, press], mu: 0.5 }])
    };
    let H = [vec![1.0], vec![0.0], vec![1.0]];
    let closure = Problem::from_dense(vec![1.0], &[vec![1.0]], vec![0.0], &H, vec![0.0, 1.0, 0.0]).unwrap();
    let table = [
        ("a free body", body([0.0, -1.0, 0.0], &[]), [true; 5]),
        ("the press retreats", ball(1.0), [false, true, true, true, true]),
        ("the press rests", ball(0.0), [false, false, true, true, true]),
        ("a supremum not attained", closure, [false, false, false, true, true]),
        ("the bar driven into its cone", bar(-1.0, 1.0, 0.5, 1.0), [false, false, false, false, true]),
        ("the press comes", ball(-1.0), [false; 5]),
    ];
    for (name, problem, expected) in &table {
        assert_eq!(row(problem), *expected, "{name}");
    }
    for stronger in 0..5 {
        for weaker in stronger + 1..5 {
            assert!(table.iter().any(|(_, _, row)| row[weaker] && !row[stronger]), "{stronger} {weaker}");
            assert!(!table.iter().any(|(_, _, row)| row[stronger] && !row[weaker]), "{stronger} {weaker}");
        }
    }
    // None of them is the existence of a solution: (4.6) is sufficient and not necessary, (4.5) necessary and not sufficient.
    let upwards = bar(1.0, 1.0, 0.5, 1.0);
    assert!(!row(&upwards)[3] && !all(&upwards).families.is_empty());
    let downwards = bar(-1.0, 1.0, 0.5, 1.0);
    assert!(row(&downwards)[4] && all(&downwards).families.is_empty());
}

#[test]
fn aclm11_5_1_without_friction_the_three_conditions_are_one() {
    // (4.1) asks for the inside of the cones, u_N > 0, also here.
    for (press, open, holds) in [(1.0, true, true), (0.0, false, true), (-1.0, false, false)] {
        let ground = Touch { arm: DOWN, normal: UP, obstacle: STILL, mu: 0.0 };
        let problem = body(
            [0.0, -1.0, 0.0],
            &[ground, Touch { arm: UP, normal: DOWN, obstacle: [0.0, press], mu: 0.0 }],
        );
        assert_eq!(row(&problem)[1..], [open, holds, holds, holds], "{press}");
    }
}
