//! Single thrown bodies: what ended their motions once for no reason of mechanics, what ends some for a good one, and other routes to the same motions.

use super::case::Case;
use super::families::THROWN;
use super::{Moved, drawn, judged_landing, moved, on_all_cores};
use mechan::model::State;
use mechan::pipeline::SimulateOptions;
use mechan::simulate::trajectory::{EventKind, Status, Trajectory};

/// Kinds of bodies that are thrown alone, and not at stairs.
const KINDS: usize = 8;

/// One of them by seed and place among the kinds in turn.
fn body((seed, place): (u64, usize)) -> Case {
    drawn(&THROWN, (place % KINDS, place / KINDS), seed)
}

/// The body at a time of its motion, to be followed for so long from there.
fn from(place: (u64, usize), t_end: f64, span: f64) -> (Case, State) {
    let case = Case { t_end, ..body(place) };
    let before = moved(&case).unwrap();
    assert_eq!(before.trajectory.status, Status::End, "{}", case.line());
    let state = before.last();
    let mut again = Case { t_end: span, ..case };
    again.start_at(&state);
    (again, state)
}

/// The last velocities of a motion, and the last coordinates before them.
fn last(trajectory: &Trajectory, n: usize) -> [Vec<f64>; 2] {
    let row: Vec<f64> = trajectory.rows.last().unwrap().iter().map(|x| x.0).collect();
    [row[1..=n].to_vec(), row[n + 1..=2 * n].to_vec()]
}

fn apart(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Thrown bodies that did not land once, by seed and place among the kinds in turn: slips that end together, slip at the border of its cone,
/// feet along an axis, feet without force beside others that are pressed, a foot that sticks at the border of its cone, one that slips far more slowly than others,
/// feet that reach the borders of their cones together, a foot whose force ends beside others whose forces are not unique, the face of a box that lies at a wall
/// without a force while its edge on the floor sticks, slips of a face that die together, feet that strike a wall in turn in hops that nobody can see,
/// vertices that come to rest on a floor and at a wall at once, feet that begin to slip within microseconds of each other, a slip that ends a microsecond after an impact,
/// one that has just begun and dies with others, an impact that leaves a foot a slip a ten-millionth as fast as those that it stops.
const MENDED: [(u64, usize); 31] = [
    (777_001, 1145),
    (20_261_125, 222),
    (777, 492),
    (777, 645),
    (777, 926),
    (777, 1043),
    (777, 1331),
    (777, 1834),
    (777, 1968),
    (777, 2025),
    (777, 2193),
    (777, 2509),
    (777, 2657),
    (777, 145),
    (777, 1297),
    (777, 2240),
    (777, 2977),
    (4242, 181),
    (4242, 1401),
    (31_337, 1897),
    (5_551_212, 1521),
    (5_551_212, 947),
    (5_551_212, 1243),
    (4242, 115),
    (90_001, 395),
    (31_337, 4056),
    (1_795_978_800, 994),
    (1_795_978_800, 755),
    (20_261_130, 754),
    (20_261_130, 401),
    (1_796_002_384, 705),
];

/// Thrown bodies that end at a paradox, by seed and place among the kinds in turn: one that comes to rest between floor and wall, where it may stay,
/// wedged, or slide down.
const WEDGED_BODIES: [(u64, usize); 2] = [(777, 881), (777, 1617)];

#[test]
fn a_body_that_comes_to_rest_in_a_corner_may_stay_or_slide() {
    for place in WEDGED_BODIES {
        let case = body(place);
        let Moved { trajectory, .. } = moved(&case).unwrap();
        assert_eq!(trajectory.status, Status::Indeterminate, "{}", case.line());
        assert!(trajectory.reason.as_deref().unwrap().contains("stick,stick,stick, "), "{}", case.line());
        assert!(judged_landing(&case).is_empty(), "{}", case.line());
    }
}

/// Tables two feet of which press each other until their forces have no bounds.
const JAMMED: [(u64, usize); 2] = [(20_261_131, 3068), (20_261_131, 4404)];

#[test]
fn feet_that_press_each_other_jam() {
    for place in JAMMED {
        let case = body(place);
        let Moved { trajectory, .. } = moved(&case).unwrap();
        assert_eq!(trajectory.status, Status::Undecided, "{}", case.line());
        assert!(trajectory.reason.as_deref().unwrap().contains("grow without bounds"), "{}", case.line());
        assert!(judged_landing(&case).is_empty(), "{}", case.line());
    }
}

#[test]
fn feet_that_reach_the_borders_of_their_cones_together_slip_as_time_stepping_has_them() {
    // on an edge of a box, from a little before
    for (place, t_end, span) in [((777, 2240), 6.696, 0.4), ((4242, 181), 5.4015, 0.05)] {
        let (case, state) = from(place, t_end, span);
        let derived = case.derived();
        let one = derived.simulate(&case.options()).unwrap();
        let scheme = "moreau".parse().unwrap();
        let options = SimulateOptions { scheme, step: Some(span / 2e4), ..case.options() };
        let other = derived.simulate(&options).unwrap();
        let slips = one.events.iter().filter(|event| event.kind == EventKind::Slip).count();
        assert!(slips >= 2, "{}", case.line());
        let [one, other] = [one, other].map(|motion| last(&motion, state.q.len())[1].clone());
        let largest = one.iter().fold(0.0, |size: f64, v| size.max(v.abs()));
        assert!(apart(&one, &other) <= 1e-3 * largest, "{one:?} {other:?}");
    }
}

#[test]
fn a_slip_that_dies_where_p_is_small_is_followed_to_its_end() {
    // a foot of a chair on its stair: the direction of its slip rounds, and p with it; later two of its feet begin to slip at once, whose forces
    // turn within a step by less than its error
    let case = Case { t_end: 0.17, ..drawn(&THROWN, (8, 25), 1_795_978_800) };
    let faults = judged_landing(&case);
    assert!(faults.is_empty(), "{faults:?}\n{}", case.line());
}

#[test]
fn a_face_that_lies_at_a_wall_without_a_force_moves_as_without_the_wall() {
    // about an edge on the floor that sticks at first and slips then
    let (case, state) = from((777, 145), 5.226, 0.8);
    let alone = Case { model: "thrown_8", ..case.clone() };
    let [one, other] = [&case, &alone].map(|case| case.derived().simulate(&case.options()).unwrap());
    assert_eq!(one.status, Status::End, "{}", case.line());
    let slides = |motion: &Trajectory| motion.events.iter().filter(|e| e.kind == EventKind::Slip).count();
    assert!(slides(&one) >= 2 && slides(&other) == 2, "{} {}", slides(&one), slides(&other));
    let [one, other] = [one, other].map(|motion| last(&motion, state.q.len()));
    assert!(apart(&one[0], &other[0]) <= 1e-8 * case.length, "{one:?} {other:?}");
    assert!(apart(&one[1], &other[1]) <= 1e-8 * case.length, "{one:?} {other:?}");
}

#[test]
fn bodies_that_did_not_land_once_land() {
    on_all_cores(&MENDED, |&place| {
        let case = body(place);
        let faults = judged_landing(&case);
        assert!(faults.is_empty(), "{faults:?}\n{}", case.line());
    });
}
