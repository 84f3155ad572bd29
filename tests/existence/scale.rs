//! Heaps with known answers, at sizes where the answer cannot be looked up.

use mechan::existence::{
    Assumption, Claim, Conclusion, Existence, Kinematics, Margin, Rows, Verdict, assess,
};

use crate::heaps::{Sides, ball_lattice, brick_wall};

#[test]
fn a_free_wall_can_always_expand() {
    let existence = assess(&brick_wall(6, 5, 0.6, Sides::Free));
    assert!(existence.no_wedging.holds());
    assert_eq!(existence.margin, Margin::Unbounded);
    assert_eq!(existence.conclusion(), Conclusion::Stable);
}

#[test]
fn a_wall_between_fixed_abutments_is_wedged_but_has_a_solution() {
    let existence = assess(&brick_wall(6, 5, 0.6, Sides::Walls(0.0)));
    assert!(existence.no_wedging.fails());
    assert!(existence.strong.fails());
    assert!(existence.weak.holds());
    assert_eq!(existence.conclusion(), Conclusion::Exists);
}

#[test]
fn a_squeezed_wall_must_be_penetrated() {
    let existence = assess(&brick_wall(6, 5, 0.6, Sides::Walls(-0.25)));
    assert!(existence.non_penetration.fails());
    assert!(existence.klarbring_pang.fails());
    assert_eq!(existence.conclusion(), Conclusion::Impossible);
}

#[test]
fn a_wall_whose_abutments_retreat_has_a_margin() {
    let existence = assess(&brick_wall(6, 5, 0.6, Sides::Walls(0.25)));
    assert!(existence.strong.holds());
    assert!(existence.no_wedging.fails());
}

#[test]
fn balls_in_space_behave_like_bricks() {
    assert!(assess(&ball_lattice(3, 0.5, Sides::Free)).no_wedging.holds());
    let held = assess(&ball_lattice(3, 0.5, Sides::Walls(0.0)));
    assert!(held.no_wedging.fails() && held.strong.fails() && held.weak.holds());
    let squeezed = assess(&ball_lattice(3, 0.5, Sides::Walls(-1.0)));
    assert_eq!(squeezed.conclusion(), Conclusion::Impossible);
    assert!(assess(&ball_lattice(3, 0.5, Sides::Walls(1.0))).strong.holds());
}

fn verified(problem: &Kinematics, existence: &Existence) {
    let verdicts = [
        (Assumption::NoWedging, &existence.no_wedging),
        (Assumption::Strong, &existence.strong),
        (Assumption::Weak, &existence.weak),
        (Assumption::KlarbringPang, &existence.klarbring_pang),
        (Assumption::NonPenetration, &existence.non_penetration),
    ];
    for (assumption, verdict) in verdicts {
        let claim = if verdict.holds() { Claim::Holds(assumption) } else { Claim::Fails(assumption) };
        let proof = verdict.certificate().unwrap_or_else(|| panic!("{assumption:?} is undecided"));
        assert_eq!(proof.verify(problem, claim), Ok(()), "{claim:?}");
    }
}

fn margin(existence: &Existence) -> f64 {
    let Margin::Value(margin) = existence.margin else { panic!("unbounded") };
    margin
}

/// The same contacts with another friction.
fn rubbed(problem: Kinematics, mu: impl Fn(usize) -> f64) -> Kinematics {
    let mu = (0..problem.contacts()).map(mu).collect();
    Kinematics { mu, ..problem }
}

#[test]
fn walls_of_hundreds_of_contacts_are_decided_as_small_ones() {
    for (sides, no_wedging, strong, weak, conclusion) in [
        (Sides::Free, true, true, true, Conclusion::Stable),
        (Sides::Walls(0.0), false, false, true, Conclusion::Exists),
        (Sides::Walls(-0.25), false, false, false, Conclusion::Impossible),
        (Sides::Walls(0.25), false, true, true, Conclusion::Stable),
    ] {
        let problem = brick_wall(9, 7, 0.6, sides);
        assert!(problem.contacts() > 300);
        let existence = assess(&problem);
        verified(&problem, &existence);
        let found = (existence.no_wedging.holds(), existence.strong.holds(), existence.weak.holds());
        assert_eq!(found, (no_wedging, strong, weak), "{sides:?}");
        assert_eq!(existence.conclusion(), conclusion, "{sides:?}");
    }
}

#[test]
fn lattices_of_hundreds_of_contacts_are_decided_as_small_ones() {
    for (speed, conclusion) in
        [(0.0, Conclusion::Exists), (-0.25, Conclusion::Impossible), (0.25, Conclusion::Stable)]
    {
        let problem = ball_lattice(5, 0.5, Sides::Walls(speed));
        assert!(problem.contacts() > 300);
        let existence = assess(&problem);
        verified(&problem, &existence);
        assert_eq!(existence.conclusion(), conclusion, "{speed}");
        // The row of balls between the walls: six gaps share the speed.
        assert_eq!(existence.margin_bound, Some(speed / 6.0));
        assert!(margin(&existence) <= speed / 6.0 + 1e-12);
    }
}

#[test]
fn without_friction_the_gaps_share_what_the_walls_give() {
    let wall = |rows, columns, speed| rubbed(brick_wall(rows, columns, 0.0, Sides::Walls(speed)), |_| 0.0);
    let lattice = |size, speed| rubbed(ball_lattice(size, 0.0, Sides::Walls(speed)), |_| 0.0);
    let small = [wall(3, 3, 0.25), wall(3, 3, -0.25), lattice(2, 0.25), lattice(2, -0.25)];
    let large = [wall(9, 7, 0.25), wall(9, 7, -0.25), lattice(5, 0.25), lattice(5, -0.25)];
    let gaps = [4.0, 4.0, 3.0, 3.0, 8.0, 8.0, 6.0, 6.0];
    for (problem, gaps) in small.iter().chain(&large).zip(gaps) {
        let speed = problem.w.iter().sum::<f64>() / problem.w.iter().filter(|w| **w != 0.0).count() as f64;
        let existence = assess(problem);
        verified(problem, &existence);
        let retreat = speed > 0.0;
        assert!(existence.no_wedging.fails());
        assert_eq!(existence.strong.holds(), retreat);
        // Without friction (4.1), (4.4) and (4.5) are one.
        assert_eq!((existence.weak.holds(), existence.non_penetration.holds()), (retreat, retreat));
        let (low, exact) = (margin(&existence), speed / gaps);
        assert!((low - exact).abs() <= 0.06 * exact.abs(), "{low} {exact}");
        assert!((existence.margin_bound.unwrap() - exact).abs() < 1e-3 * exact.abs());
    }
}

#[test]
fn friction_may_differ_from_contact_to_contact() {
    let sides = [Sides::Free, Sides::Walls(0.0), Sides::Walls(-0.25), Sides::Walls(0.25)];
    let small = sides.map(|sides| (3, 3, sides));
    for (rows, columns, sides) in small.into_iter().chain([(9, 7, Sides::Walls(-0.25))]) {
        let problem = rubbed(brick_wall(rows, columns, 0.6, sides), |i| [0.0, 0.6, 0.2][i % 3]);
        let existence = assess(&problem);
        verified(&problem, &existence);
        assert_eq!(existence.no_wedging.holds(), sides == Sides::Free);
        assert_eq!(existence.non_penetration.fails(), sides == Sides::Walls(-0.25));
    }
}

#[test]
fn without_contacts_everything_holds() {
    for (dim, velocities) in [(2, 0), (2, 3), (3, 0), (3, 6)] {
        let problem =
            Kinematics { dim, H: Rows::from_triplets(0, velocities, &[]), w: Vec::new(), mu: Vec::new() };
        let existence = assess(&problem);
        verified(&problem, &existence);
        assert_eq!((existence.margin, existence.margin_bound), (Margin::Unbounded, None));
        assert_eq!(existence.conclusion(), Conclusion::Stable);
        assert!(matches!(existence.no_wedging, Verdict::Holds(_)));
    }
}

/// Bars as in [AC11 (4.36)], u = (v, c v) along one tangent: of 300 only the one numbered 137 has c = 2 > 1/mu, whose
/// forces balance.
fn bars(dim: usize, slide: f64) -> Kinematics {
    let (contacts, odd) = (300, 137);
    let direction: &[f64] = if dim == 2 { &[1.0] } else { &[0.6, 0.8] };
    let bar = |i: usize| {
        let c = if i == odd { 2.0 } else { 0.5 };
        let tangents = direction.iter().enumerate().map(move |(k, t)| (i * dim + 1 + k, i, c * t));
        std::iter::once((i * dim, i, 1.0)).chain(tangents)
    };
    let triplets: Vec<_> = (0..contacts).flat_map(bar).collect();
    let mut w = vec![0.0; contacts * dim];
    direction.iter().enumerate().for_each(|(k, t)| w[odd * dim + 1 + k] = slide * t);
    Kinematics {
        dim,
        H: Rows::from_triplets(contacts * dim, contacts, &triplets),
        w,
        mu: vec![1.0; contacts],
    }
}

#[test]
fn one_wedge_among_hundreds_is_found() {
    for (dim, slide, strong) in [(2, 1.0, false), (2, -1.0, true), (3, 1.0, false), (3, -1.0, true)] {
        let problem = bars(dim, slide);
        let existence = assess(&problem);
        verified(&problem, &existence);
        assert!(existence.no_wedging.fails());
        assert_eq!((existence.strong.holds(), existence.weak.holds()), (strong, strong));
        // r = (2, −1) in the plane; in space nothing asks for the forces of least w·r.
        let bound = existence.margin_bound.unwrap();
        assert!(bound >= -0.5 * slide - 1e-12 && (dim == 3 || bound == -0.5 * slide), "{bound}");
        assert!((margin(&existence) + 0.5 * slide).abs() < 0.03);
    }
}
