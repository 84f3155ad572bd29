//! Motions in steps of time account for what moves by prescription, and go on where equations of a step are made of rounding.

use super::event::{Mover, asked, column};
use mechan::pipeline::{Scheme, SimulateOptions};
use mechan::simulate::trajectory::Status;

fn moreau(name: &str, (state, set): (&str, &[&str]), step: f64, t_end: f64) -> mechan::Trajectory {
    let scheme: Scheme = "moreau".parse().unwrap();
    let options = SimulateOptions { scheme, step: Some(step), ..asked(state, set, t_end) };
    Mover::of(&format!("tests/simulate/models/{name}.json")).try_run(&options).unwrap()
}

/// The spring that pulls two blocks is moved at its other end: its work is that of the event-driven motion, and nothing is left over.
#[test]
fn a_spring_whose_end_is_moved_works() {
    let exact = Mover::of("tests/simulate/models/two_blocks.json").run("go", &[], 2.0).energy.work.0;
    for step in [4e-3, 1e-3] {
        let energy = moreau("two_blocks", ("go", &[]), step, 2.0).energy;
        assert!(energy.defect.0.abs() < 1e-12, "{energy:?}");
        assert!((energy.work.0 - exact).abs() < 20.0 * step * step, "{energy:?} {exact}");
    }
}

/// A pendulum whose hinge is moved, high above the floor: what is left over falls with the square of the step.
#[test]
fn a_hinge_that_is_moved_works() {
    let left = |step: f64| moreau("moved_pendulum", ("swinging", &["d=1"]), step, 1.0).energy.defect.0.abs();
    let (coarse, fine) = (left(1e-2), left(5e-3));
    assert!(fine < 0.3 * coarse && coarse < 1e-2, "{coarse} {fine}");
}

/// A block slides down a groove until it stops. Its weight goes through the axis about which it could roll: that balance is made of
/// rounding alone, however its contacts share the load.
#[test]
fn a_block_in_a_groove_is_stopped_by_its_four_contacts() {
    let block = Mover::of("tests/simulate/models/groove_block.json");
    for (mu, left) in [(0.3, 0.6), (0.5, std::f64::consts::FRAC_PI_4), (0.2, 1.0)] {
        // both sides together bear more than the weight: cos(left) + sin(left) of it
        let held = mu * (f64::cos(left) + f64::sin(left)) * f64::cos(0.15) - f64::sin(0.15);
        let way = 1.5 * 1.5 / (2.0 * 9.81 * held);
        let (mu, left) = (format!("mu={mu}"), format!("left={left}"));
        let set = [&mu, &left, "right=pi/2-left", "alpha=0.15", "v0=1.5"];
        for scheme in ["moreau", "moreau-jean", "moreau-projected", "schatzman-paoli"] {
            for step in [1e-3, 4e-4] {
                let (parsed, asked) = (scheme.parse::<Scheme>().unwrap(), asked("moving", &set, 1.5));
                let motion =
                    block.try_run(&SimulateOptions { scheme: parsed, step: Some(step), ..asked }).unwrap();
                assert_eq!(motion.status, Status::End, "{scheme} {step} {mu} {left} {:?}", motion.reason);
                let reached = *column(&motion, "x").last().unwrap();
                assert!((reached - way).abs() < 2.0 * step, "{scheme} {step} {mu} {left} {reached} {way}");
            }
        }
    }
}

/// A sled hangs at rest on a spring of a block that friction holds: its weight and the force of the spring leave rounding.
#[test]
fn what_is_in_balance_stays_where_it_is() {
    let sled = Mover::of("tests/simulate/models/block_and_sled.json");
    for scheme in ["moreau", "moreau-jean", "moreau-projected", "schatzman-paoli"] {
        for step in [1e-2, 1e-3, 3e-4] {
            let scheme: Scheme = scheme.parse().unwrap();
            let asked = asked("swinging", &[], 0.2);
            let motion = sled.try_run(&SimulateOptions { scheme, step: Some(step), ..asked }).unwrap();
            assert_eq!(motion.status, Status::End, "{scheme:?} {step} {:?}", motion.reason);
            for place in ["s", "theta", "p"] {
                assert!(column(&motion, place).last().unwrap().abs() < 1e-12, "{scheme:?} {step} {place}");
            }
        }
    }
}
