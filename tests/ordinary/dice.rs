//! Thrown dice: every face of a cube is as likely where every attitude was, and those of a cuboid are as often below as time-stepping has them.

use super::case::Case;
use super::draw::Draw;
use super::families::{about_any_axis, die, in_any_way, product, turn_in_itself};
use super::{SEED, asked, on_all_cores};
use mechan::pipeline::SimulateOptions;
use mechan::simulate::trajectory::Status;
use std::sync::Mutex;

/// Throws in `cargo test`; `MECHAN_DICE=N` asks for another number.
const THROWS: u64 = 18;
/// Throws in `cargo test` of dice whose corners are called otherwise, and how many sides apart these come to rest at most.
const RENAMED: u64 = 6;
const ELSEWHERE: f64 = 1e-2;
/// What chance exceeds once in 10,000 of the distribution of chi square with two and with five degrees of freedom.
const RARE_OF_TWO: f64 = 18.42;
const RARE_OF_FIVE: f64 = 25.74;
/// How far from the vertical, at most, the axis of a face is on which it lies.
const UPRIGHT: f64 = 1e-7;

/// Where a die has come to rest: its place, and how far up its axes point.
fn at_rest(case: &Case, options: &SimulateOptions) -> ([f64; 2], [f64; 3]) {
    let motion = case.derived().simulate(options).unwrap();
    assert_eq!(motion.status, Status::End, "{:?}\n{}", motion.reason, case.line());
    let last: Vec<f64> = motion.rows.last().unwrap().iter().map(|x| x.0).collect();
    let [w, i, j, k] = [last[4], last[5], last[6], last[7]];
    let square = w * w + i * i + j * j + k * k;
    let heights = [2.0 * (i * k - w * j), 2.0 * (j * k + w * i), w * w - i * i - j * j + k * k];
    ([last[1], last[2]], heights.map(|x| x / square))
}

/// The face that is above where a die has come to rest: its axis, and whether it is the one of greater coordinates.
fn face(case: &Case, options: &SimulateOptions) -> (usize, bool) {
    let (_, heights) = at_rest(case, options);
    let axis = (0..3).max_by(|&a, &b| heights[a].abs().total_cmp(&heights[b].abs())).unwrap();
    assert!(heights[axis].abs() >= 1.0 - UPRIGHT, "on an edge: {}", case.line());
    (axis, heights[axis] > 0.0)
}

/// How many throws of a die come to each end.
fn counted<const N: usize>(half: [f64; 3], which: usize, end: impl Fn(&Case) -> usize + Sync) -> [f64; N] {
    let seed = asked("MECHAN_SEED", SEED);
    let throws: Vec<usize> = (0..asked("MECHAN_DICE", THROWS) as usize).collect();
    let counts = Mutex::new([0.0; N]);
    on_all_cores(&throws, |&i| {
        let end = end(&die(half, in_any_way, &mut Draw::new(seed, 100 + which, i)));
        counts.lock().unwrap()[end] += 1.0;
    });
    counts.into_inner().unwrap()
}

#[test]
fn every_face_of_a_cube_is_as_likely() {
    let counts: [f64; 6] = counted([0.5; 3], 0, |case| {
        let (axis, positive) = face(case, &case.options());
        2 * axis + usize::from(positive)
    });
    let expected = counts.iter().sum::<f64>() / 6.0;
    let chi_square: f64 = counts.iter().map(|n| (n - expected).powi(2) / expected).sum();
    println!("{counts:?}: {chi_square}");
    assert!(chi_square < RARE_OF_FIVE, "{counts:?}: {chi_square}");
}

/// A die that is turned into itself is the same die with other names of its corners, and falls as it fell: where every attitude is as likely, every
/// face is. Of 4,000 throws none ended on another face. One in seventy comes to rest more than a millionth of a side elsewhere.
#[test]
fn a_die_falls_alike_whatever_its_corners_are_called() {
    let (seed, turns) =
        (asked("MECHAN_SEED", SEED), [[0.5; 4], [0.5, -0.5, -0.5, -0.5], [0.0, 1.0, 0.0, 0.0]]);
    let throws: Vec<usize> = (0..asked("MECHAN_DICE", RENAMED) as usize).collect();
    on_all_cores(&throws, |&i| {
        let (mut case, turn) = (die([0.5; 3], in_any_way, &mut Draw::new(seed, 103, i)), turns[i % 3]);
        let (place, heights) = at_rest(&case, &case.options());
        turn_in_itself(&mut case, turn);
        let (other, own) = at_rest(&case, &case.options());
        let [_, x, y, z] =
            product(product(turn, [0.0, own[0], own[1], own[2]]), [turn[0], -turn[1], -turn[2], -turn[3]]);
        let turned = heights.iter().zip([x, y, z]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(turned < 1e-6, "on another face: {}", case.line());
        let moved = (place[0] - other[0]).hypot(place[1] - other[1]) / case.length;
        assert!(moved < ELSEWHERE, "{moved:e} sides away: {}", case.line());
    });
}

/// An edge that leaves rest, becomes slower before it is as fast as it is where ends of slips are looked for, and rests again.
#[test]
fn a_die_that_begins_to_slide_and_stops_at_once_comes_to_rest() {
    let case = die([0.5; 3], about_any_axis, &mut Draw::new(1_795_980_000, 100, 9964));
    face(&case, &case.options());
}

/// A slip that is slow all along falls below the speed at which it ends by no more than rounding at the end of a step.
#[test]
fn a_die_whose_slip_ends_with_a_step_comes_to_rest() {
    let case = die([0.5; 3], in_any_way, &mut Draw::new(14, 100, 17_022));
    face(&case, &case.options());
}

/// Both from the same distribution [Pearson's test of homogeneity], each by throws of its own.
#[test]
fn a_cuboid_falls_as_time_stepping_has_it() {
    let half = [0.6, 0.5, 0.4];
    let followed = counted(half, 1, |case| face(case, &case.options()).0);
    let stepped = counted(half, 2, |case| {
        let (scheme, step) = ("moreau".parse().unwrap(), Some(case.t_end / 1e4));
        face(case, &SimulateOptions { scheme, step, ..case.options() }).0
    });
    let counts: [[f64; 3]; 2] = [followed, stepped];
    let [one, other] = counts.map(|count| count.iter().sum::<f64>());
    let chi_square: f64 = (0..3)
        .map(|axis| {
            let share = (counts[0][axis] + counts[1][axis]) / (one + other);
            [(counts[0][axis], one), (counts[1][axis], other)]
                .map(|(n, of)| (n - of * share).powi(2) / (of * share).max(1e-300))
                .iter()
                .sum::<f64>()
        })
        .sum();
    assert!(chi_square < RARE_OF_TWO, "{counts:?}: {chi_square}");
}
