//! Compliant motions of bodies on several feet at their turning points, where all of them come to rest at once.

use super::event::{Mover, asked, assert_near, column, times};
use mechan::Trajectory;
use mechan::pipeline::{Scheme, SimulateOptions};
use mechan::simulate::trajectory::{EventKind, Status};

/// A block of 1 kg on a spring of 40 N/m and two feet, whose centre is 0.05 m above the floor.
fn swings(mu: f64, x0: f64, eps: f64) -> Trajectory {
    let set = [format!("mu={mu}"), format!("x0={x0}")];
    let asked = asked("stretched", &set.each_ref().map(String::as_str), 3.0);
    let options = SimulateOptions { scheme: Scheme::Compliant, eps: vec![eps], ..asked };
    Mover::of("tests/simulate/models/block_on_spring.json").try_run(&options).unwrap()
}

/// Where it comes to rest, after how many turns: each half swing ends as far beyond the place where friction balances the spring.
fn comes_to_rest(mu: f64, x0: f64) -> (f64, usize) {
    let (held, mut x, mut turns) = (mu * 9.81 / 40.0, x0, 0);
    while x.abs() > held {
        x = 2.0 * held * x.signum() - x;
        turns += 1;
    }
    (x, turns - 1)
}

/// Some turning points stick for a moment, while the block that friction had tilted rocks back, and one foot gives way before the other.
#[test]
fn slip_turns_where_a_block_comes_to_rest_and_its_spring_pulls_on() {
    for (mu, x0) in [(0.2, 0.5), (0.2, 0.43), (0.25, 0.5), (0.15, 0.43), (0.3, 0.5)] {
        for eps in [2e-2, 1e-2, 5e-3, 1e-3] {
            let (motion, (place, turns)) = (swings(mu, x0, eps), comes_to_rest(mu, x0));
            assert_eq!(motion.status, Status::End, "{mu} {x0} {eps} {:?}", motion.reason);
            assert!(motion.energy.defect.0.abs() < 1e-5, "{mu} {x0} {eps} {:?}", motion.energy);
            // the block sinks in by ε², and tilts by it
            assert_near(*column(&motion, "s").last().unwrap(), place, 3.0 * eps * eps);
            let slips = [EventKind::Reversal, EventKind::Slip].map(|kind| times(&motion, kind).len());
            assert!(slips.iter().sum::<usize>() >= 2 * turns, "{mu} {x0} {eps} {slips:?} {turns}");
        }
    }
}

/// Two feet of a rigid block turn together, and each has its event.
#[test]
fn feet_that_turn_together_each_say_so() {
    let motion = swings(0.2, 0.5, 1e-3);
    let half = std::f64::consts::PI / 40.0_f64.sqrt();
    for turn in 1..=3 {
        let at = f64::from(turn) * half;
        let near = |event: &&mechan::simulate::trajectory::Event| (event.t.0 - at).abs() < 1e-3;
        let turned = motion.events.iter().filter(near).filter(|event| event.kind == EventKind::Reversal);
        assert_eq!(turned.count(), 2, "{turn}");
    }
}

/// At the lowest point of a pendulum nothing can move its bob along the stops: what a slip there is measured by is what it becomes.
#[test]
fn a_pendulum_begins_where_its_contacts_cannot_slip() {
    let pendulum = Mover::of("tests/ordinary/models/pendulum.json");
    let asked = asked("start", &["dot(theta)=0.59"], 1.0);
    let options = SimulateOptions { scheme: Scheme::Compliant, eps: vec![1e-4], ..asked.clone() };
    let [rigid, motion] = [asked, options].map(|options| pendulum.try_run(&options).unwrap());
    assert_eq!(motion.status, Status::End, "{:?}", motion.reason);
    let [rigid, reached] = [rigid, motion].map(|motion| *column(&motion, "theta").last().unwrap());
    assert_near(reached, rigid, 1e-7);
}
