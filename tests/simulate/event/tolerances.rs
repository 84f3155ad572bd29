//! Motions that the usual tolerances follow although some of their numbers are nothing but rounding, against closed forms and the
//! conservation of energy; and motions that cannot go on, which say why.

use super::{Mover, asked, assert_near, column, events, kinds, times};
use crate::Numbers;
use mechan::simulate::trajectory::{EventKind::*, Status, Trajectory};
use std::f64::consts::PI;

fn mover(name: &str) -> Mover {
    Mover::of(&format!("tests/simulate/models/{name}.json"))
}

/// A number between two others.
fn between(numbers: &mut Numbers, low: f64, high: f64) -> f64 {
    low + (high - low) * 0.5 * (1.0 + numbers.next())
}

fn run(mover: &Mover, state: &str, set: &[(&str, f64)], t_end: f64) -> Trajectory {
    let set: Vec<String> = set.iter().map(|(name, value)| format!("{name}={value:e}")).collect();
    let set: Vec<&str> = set.iter().map(String::as_str).collect();
    mover.try_run(&asked(state, &set, t_end)).unwrap()
}

/// What is not accounted for, over the largest energy that there was.
fn lost(trajectory: &Trajectory, size: f64) -> f64 {
    let energy = &trajectory.energy;
    let terms = [energy.initial, energy.last, energy.work, energy.friction].map(|x| x.0.abs());
    (energy.defect.0 / terms.into_iter().fold(size, f64::max)).abs()
}

/// ψ̇² = 4g/(R sin θ) with the centre at rest: x, y and ẋ, ẏ stay rounding, and θ stays.
#[test]
fn a_coin_that_turns_steadily_goes_on() {
    let (coin, mut numbers) = (mover("coin"), Numbers(3));
    for _ in 0..12 {
        let (R, tilt, m) = (
            between(&mut numbers, 0.01, 0.3),
            between(&mut numbers, 0.1, 1.2),
            between(&mut numbers, 1e-3, 10.0),
        );
        let moved = run(&coin, "steady", &[("R", R), ("tilt", tilt), ("m", m)], 1.0);
        assert_eq!((moved.status, kinds(&moved)), (Status::End, vec![End]), "{:?}", moved.reason);
        assert!(moved.work.steps < 2000, "{} steps", moved.work.steps);
        for (theta, x) in column(&moved, "theta").iter().zip(column(&moved, "x")) {
            assert_near(*theta, tilt, 1e-8);
            assert!(x.abs() < 1e-8 * R, "{x}");
        }
    }
}

/// The floor gives way at c t = μ₁ (m + M) g, the other contact at c t = (μ₁ + μ₂)(m + M) g: until then the upper block has no velocity
/// but rounding, and then none against the lower one.
#[test]
fn blocks_are_pulled_out_of_rest() {
    let (blocks, mut numbers) = (mover("pulled_blocks"), Numbers(5));
    for _ in 0..40 {
        let [m, M, c] =
            [(0.1, 3.0), (0.1, 3.0), (2.0, 20.0)].map(|(low, high)| between(&mut numbers, low, high));
        let [low, high] = [0.05, 0.05].map(|least| between(&mut numbers, least, 0.6));
        let g = 9.81;
        let [first, second] = [low, low + high].map(|mu| mu * (m + M) * g / c);
        let set = [("m", m), ("M", M), ("c", c), ("low", low), ("high", high)];
        let moved = run(&blocks, "rest", &set, 1.2 * second);
        assert_eq!((moved.status, kinds(&moved)), (Status::End, vec![Slip, Slip, End]), "{:?}", moved.reason);
        assert_near(times(&moved, Slip)[0] / first, 1.0, 1e-10);
        assert_near(times(&moved, Slip)[1] / second, 1.0, 1e-9);
        assert!(lost(&moved, 0.0) < 1e-9, "{:?}", moved.energy);
    }
}

/// Weights and springs in balance: forces are the rounding of others.
#[test]
fn masses_in_balance_stay_there() {
    let (masses, mut numbers) = (mover("hanging_masses"), Numbers(7));
    for _ in 0..12 {
        let [m, one, two] = [0; 3].map(|_| between(&mut numbers, 0.1, 3.0));
        let (k, soft, L) = (
            between(&mut numbers, 10.0, 1e4),
            between(&mut numbers, 0.1, 1.0),
            between(&mut numbers, 0.1, 1.0),
        );
        let set = [("m", m), ("one", one), ("two", two), ("k", k), ("soft", soft), ("L", L)];
        let moved = run(&masses, "balance", &set, 10.0);
        assert_eq!(moved.status, Status::End, "{:?}", moved.reason);
        // the highest frequency is some sqrt(2k/m), and a step some periods long
        let periods = 10.0 * (4.0 * k / m.min(two * m)).sqrt();
        assert!((moved.work.steps as f64) < 200.0 + periods, "{} steps", moved.work.steps);
        for name in ["dot(a)", "dot(b)", "dot(c)"] {
            assert!(column(&moved, name).iter().all(|v| v.abs() < 1e-8), "{name}");
        }
    }
}

/// An arm in space that falls in its own plane: the other hinges do not turn, and keep no step short.
#[test]
fn hinges_that_do_not_turn_keep_no_step_short() {
    let (arm, mut numbers) = (mover("arm"), Numbers(11));
    for _ in 0..8 {
        let set = [
            ("m", between(&mut numbers, 0.1, 10.0)),
            ("l", between(&mut numbers, 0.1, 1.0)),
            ("J", between(&mut numbers, 1e-3, 0.1)),
            ("s", between(&mut numbers, 0.3, 1.0)),
            ("lean", between(&mut numbers, -2.0, 2.0)),
        ];
        let moved = run(&arm, "held", &set, 5.0);
        assert_eq!(moved.status, Status::End, "{:?}", moved.reason);
        assert!(lost(&moved, 0.0) < 1e-7, "{:?}", moved.energy);
        assert!(column(&moved, "pan")[..40].iter().all(|pan| pan.abs() < 1e-6));
    }
}

/// A linkage whose crank has this angle, with the pin above the line between crank and ground; none if it cannot be closed.
fn closed([crank, coupler, rocker, ground]: [f64; 4], angle: f64) -> Option<[f64; 2]> {
    let (x, y) = (ground - crank * angle.cos(), -crank * angle.sin());
    let distance = x.hypot(y);
    let cosine = (coupler * coupler + distance * distance - rocker * rocker) / (2.0 * coupler * distance);
    let direction = y.atan2(x) + cosine.clamp(-1.0, 1.0).acos();
    let pin =
        [crank * angle.cos() + coupler * direction.cos(), crank * angle.sin() + coupler * direction.sin()];
    (cosine.abs() < 1.0).then_some([direction - angle, pin[1].atan2(pin[0] - ground)])
}

fn turn(linkage: &Mover, bars: [f64; 4], turn: f64, t_end: f64) -> Trajectory {
    let [b, c] = closed(bars, 1.0).unwrap();
    let set = ["crank", "coupler", "rocker", "ground", "a0", "b0", "c0", "turn"];
    let values = [bars[0], bars[1], bars[2], bars[3], 1.0, b, c, turn];
    run(linkage, "go", &set.into_iter().zip(values).collect::<Vec<_>>(), t_end)
}

/// Bars with crank + ground = coupler + rocker are in line where the crank points away: there the linkage may fold either way.
/// Where they miss that by a little it goes on, and no energy is lost either way.
#[test]
fn linkages_end_where_their_bars_are_in_line() {
    let (linkage, mut numbers) = (mover("four_bar"), Numbers(13));
    for i in 0..12 {
        let (crank, ground) = (between(&mut numbers, 0.2, 0.4), between(&mut numbers, 0.9, 1.1));
        let coupler = between(&mut numbers, 0.5 * ground, 0.9 * ground);
        let rocker = crank + ground - coupler;
        let spin = if i % 2 == 0 { 12.0 } else { -12.0 };
        let moved = turn(&linkage, [crank, coupler, rocker, ground], spin, 3.0);
        let reason = moved.reason.clone().unwrap_or_default();
        assert_eq!(moved.status, Status::Undecided, "{reason}");
        assert!(reason.contains("singular configuration") && reason.contains("pin"), "{reason}");
        let last = *column(&moved, "a").last().unwrap();
        assert!((last.abs() - PI).abs() < 1e-2, "{last}");
        assert!(lost(&moved, 1.0) < 1e-8, "{:?}", moved.energy);

        let longer = 10.0_f64.powf(between(&mut numbers, -4.0, -2.0));
        let moved = turn(&linkage, [crank, coupler, rocker + longer, ground], spin, 3.0);
        assert_eq!(moved.status, Status::End, "{:?}", moved.reason);
        assert!(lost(&moved, 1.0) < 1e-7, "{:?}", moved.energy);
    }
}

/// The time of the fall is (π/2) √(m r³/(2k)); the energy of both ways is infinite there.
#[test]
fn steps_that_shrink_to_nothing_name_the_number() {
    let (infall, mut numbers) = (mover("infall"), Numbers(17));
    for _ in 0..6 {
        let [m, k, start] = [0; 3].map(|_| between(&mut numbers, 0.3, 3.0));
        let moved = run(&infall, "at_rest", &[("m", m), ("k", k), ("start", start)], 100.0);
        let reason = moved.reason.clone().unwrap_or_default();
        assert_eq!(moved.status, Status::Failed, "{reason}");
        assert!(reason.contains("dot(r)") || reason.contains("error of r "), "{reason}");
        let fallen = 0.5 * PI * (0.5 * m * start.powi(3) / k).sqrt();
        assert_near(*column(&moved, "t").last().unwrap() / fallen, 1.0, 1e-6);
    }
}

/// Newton's law may give back more energy than the impact takes: the balance of the motion knows, and a warning says it.
#[test]
fn impacts_that_gain_energy_are_told() {
    let (pendulum, mut numbers) = (mover("struck_pendulum"), Numbers(19));
    let (mut gaining, mut losing) = (0, 0);
    for _ in 0..300 {
        let set = [
            ("mu", between(&mut numbers, 0.1, 1.0)),
            ("e", between(&mut numbers, 0.0, 1.0)),
            ("u", numbers.next()),
            ("w", numbers.next()),
        ];
        let set: Vec<String> = set.iter().map(|(name, value)| format!("{name}={value:e}")).collect();
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        // a tip that leaves does not strike
        let Ok(moved) = pendulum.try_run(&asked("strike", &set, 1e-6)) else { continue };
        let (struck, change) = (events(&moved, Impact).len(), moved.energy.impacts.0);
        if struck != 1 || change.abs() < 1e-8 {
            continue;
        }
        let told = moved.warnings.iter().any(|warning| warning.contains("gain energy"));
        assert_eq!(told, change > 0.0, "{change}: {:?}", moved.warnings);
        *(if told { &mut gaining } else { &mut losing }) += 1;
    }
    assert!(gaining > 2 && losing > 20, "{gaining} gain, {losing} lose");
}
