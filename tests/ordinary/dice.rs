//! Thrown dice: every face of a cube is as likely where every attitude was, and those of a cuboid are as often below as time-stepping has them.

use super::case::Case;
use super::draw::Draw;
use super::families::{about_any_axis, die, in_any_way};
use super::{SEED, asked, on_all_cores};
use mechan::pipeline::SimulateOptions;
use mechan::simulate::trajectory::Status;
use std::sync::Mutex;

/// Throws in `cargo test`; `MECHAN_DICE=N` asks for another number.
const THROWS: u64 = 18;
/// What chance exceeds once in 10,000 of the distribution of chi square with two and with five degrees of freedom.
const RARE_OF_TWO: f64 = 18.42;
const RARE_OF_FIVE: f64 = 25.74;
/// How far from the vertical, at most, the axis of a face is on which it lies.
const UPRIGHT: f64 = 1e-7;

/// The face that is above where a die has come to rest: its axis, and whether it is the one of greater coordinates.
fn face(case: &Case, options: &SimulateOptions) -> (usize, bool) {
    let motion = case.derived().simulate(options).unwrap();
    assert_eq!(motion.status, Status::End, "{:?}\n{}", motion.reason, case.line());
    let last: Vec<f64> = motion.rows.last().unwrap().iter().map(|x| x.0).collect();
    let [w, i, j, k] = [last[4], last[5], last[6], last[7]];
    let square = w * w + i * i + j * j + k * k;
    let heights = [2.0 * (i * k - w * j), 2.0 * (j * k + w * i), w * w - i * i - j * j + k * k];
    let axis = (0..3).max_by(|&a, &b| heights[a].abs().total_cmp(&heights[b].abs())).unwrap();
    assert!(heights[axis].abs() >= (1.0 - UPRIGHT) * square, "on an edge: {}", case.line());
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
