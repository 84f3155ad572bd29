//! No event is overlooked: impacts of thrown bodies against roots that are isolated here, by the derivative's bounds, in closed forms of the
//! flight; and what is said of the steps.

use super::{Mover, asked, column};
use crate::Numbers;
use mechan::pipeline::SimulateOptions;
use mechan::simulate::trajectory::{EventKind, Trajectory};

/// The first root of a function that falls through zero in (from, to): steps that are so short that a function with these bounds of its
/// slope cannot reach zero within.
fn first_root(from: f64, to: f64, steepest: f64, f: impl Fn(f64) -> f64) -> Option<f64> {
    let (scale, mut t) = (1e-9 * steepest * (to - from), from);
    while t < to {
        let value = f(t);
        if value <= scale {
            return Some(t);
        }
        t += (value / steepest).max(1e-9 * (to - from));
    }
    None
}

fn impacts(trajectory: &Trajectory) -> Vec<f64> {
    let struck = trajectory.events.iter().filter(|event| event.kind == EventKind::Impact);
    struck.map(|event| event.t.0).collect()
}

/// Steps that are only sampled, at most.
const SAMPLED: f64 = 0.01;

/// A ball above a plate that shakes, over three decades of frequency: its first impact, whatever the end of the time, and no sample below.
#[test]
fn a_ball_meets_a_shaken_plate_at_the_first_root() {
    let ball = Mover::of("src/pipeline/models/vibrating_plate.json");
    let (mut numbers, mut efforts) = (Numbers(31), [0, 0]);
    let (R, g) = (0.1, 9.81);
    for _ in 0..60 {
        let omega = 10.0 * 10.0_f64.powf(1.5 * (1.0 + numbers.next()));
        let reach = (0.2 + 2.0 * numbers.next().abs()) * g;
        let a = reach / (omega * omega);
        let (height, speed) = (a * (1.5 + 8.0 * numbers.next().abs()), 4.0 * a * omega * numbers.next());
        let gap = |t: f64| height + speed * t - 0.5 * g * t * t - a * (omega * t).sin();
        let span = 3.0 * ((2.0 * (height + a) / g).sqrt() + 2.0 * speed.abs() / g);
        let root = first_root(0.0, span, speed.abs() + g * span + a * omega, gap).unwrap();
        let set = [
            format!("omega={omega:e}"),
            format!("a={a:e}"),
            format!("z={:e}", R + height),
            format!("dot(z)={speed:e}"),
        ];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        for beyond in [1.0 + 1e-6, 1.3, 4.0] {
            let asked = SimulateOptions { samples: Some(400), ..asked("carried", &set, beyond * root) };
            let found = ball.try_run(&asked).unwrap();
            let first = impacts(&found).first().copied();
            assert!(first.is_some_and(|t| (t - root).abs() < 1e-6 * root), "{set:?} {root}: {first:?}");
            let lowest = column(&found, "plate.gap").into_iter().fold(f64::INFINITY, f64::min);
            assert!(lowest > -1e-10, "{set:?}: {lowest}");
            efforts[0] += found.work.shown + found.work.sampled.total();
            efforts[1] += found.work.sampled.total();
        }
    }
    assert!(efforts[1] as f64 <= SAMPLED * efforts[0] as f64, "{efforts:?}");
}

/// A rod that spins fast while it falls: whichever end meets the ground first, and when.
#[test]
fn a_spinning_rod_meets_the_ground_at_the_first_root() {
    let rod = Mover::kept("painleve_rod");
    let (mut numbers, l, g) = (Numbers(32), 1.0, 9.81);
    for _ in 0..60 {
        let omega = 2.0 * 10.0_f64.powf(1.0 + numbers.next());
        let (theta, y) = (3.0 * numbers.next(), l * (1.2 + numbers.next().abs()));
        let gap = |t: f64| y - 0.5 * g * t * t - l * (theta + omega * t).sin();
        let span = (2.0 * (y + l) / g).sqrt();
        let root = first_root(0.0, span, g * span + l * omega, gap).unwrap();
        let set = [
            format!("theta={theta:e}"),
            format!("dot(theta)={omega:e}"),
            format!("y={y:e}"),
            "dot(y)=0".to_string(),
            "dot(x)=0".to_string(),
            format!("g={g}"),
        ];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let found = rod.run("slipping", &set, 1.001 * root);
        let first = impacts(&found).first().copied();
        assert!(first.is_some_and(|t| (t - root).abs() < 1e-7 * root), "{set:?} {root}: {first:?}");
        assert_eq!(found.work.sampled.total(), 0, "{set:?}");
    }
}
