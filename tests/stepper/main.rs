//! A motion in the caller's hands: in pieces it is one motion, forces from outside are forces of the file, and what is refused changes
//! nothing. The Python package has more of the same (`python/tests/test_stepper.py`).

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on should say where")]

use mechan::model::{Block, Output};
use mechan::pipeline::{GivenState, Stepper};
use mechan::simulate::log::Until;
use mechan::{Derived, Deriver, SimulateOptions, Status, load};
use std::sync::Arc;

fn derived(name: &str) -> Arc<Derived> {
    Arc::new(load(name).unwrap().derive(&Deriver::nobody()).unwrap())
}

fn options(state: &str, scheme: &str, set: &[&str]) -> SimulateOptions {
    let scheme: mechan::pipeline::Scheme = scheme.parse().unwrap();
    let step = (scheme.word() != "event").then_some(1e-3);
    let set = set.iter().map(ToString::to_string).collect();
    SimulateOptions { state: Some(state.into()), scheme, step, set, ..SimulateOptions::default() }
}

fn numbers(stepper: &Stepper) -> Vec<f64> {
    [&[stepper.t()], stepper.q(), stepper.v()].concat()
}

fn assert_near(one: &Stepper, other: &Stepper, within: f64) {
    for (x, y) in numbers(one).iter().zip(numbers(other)) {
        assert!((x - y).abs() <= within, "{x} and {y}");
    }
}

/// Every output of the model but h and F is what it was, to the last bit; those have the force.
#[test]
fn forces_from_outside_are_applied_forces_and_nothing_else() {
    for name in ["standing_biped", "rod_3d", "pushed_chalk"] {
        let derived = derived(name);
        let own = derived.model();
        let forced = own.with_forces().unwrap();
        let state = derived.state(&derived.mechanism().states[0].name, &[]).unwrap();
        let n = own.layout().coordinates;
        let force: Vec<f64> = (0..n).map(|i| 0.5 + i as f64).collect();
        let [plain, pushed] = [(own, &[][..]), (&forced, &force[..])].map(|(model, force)| {
            let blocks = Output::ALL.map(Block::from);
            let kernel = model.kernel(&blocks);
            let mut values = kernel.values::<f64>();
            let mut state = state.clone();
            state.parameters.extend_from_slice(force);
            kernel.evaluate(&state.inputs(), &mut values);
            Output::ALL.map(|output| kernel.block(&values, output).to_vec())
        });
        for (output, (plain, pushed)) in Output::ALL.into_iter().zip(plain.iter().zip(&pushed)) {
            for (i, (x, y)) in plain.iter().zip(pushed).enumerate() {
                let expected = match output {
                    Output::Bias => x - force[i],
                    Output::Applied => x + force[i],
                    _ => *x,
                };
                assert_eq!(y.to_bits(), expected.to_bits(), "{name} {output:?}");
            }
        }
    }
}

#[test]
fn a_motion_by_steps_in_pieces_is_one_to_the_last_bit() {
    for scheme in ["moreau", "moreau-jean", "moreau-projected", "schatzman-paoli"] {
        for (name, state) in [("standing_biped", "nudged"), ("bouncing_ball", "dropped")] {
            let derived = derived(name);
            let mut one = Stepper::new(&derived, &options(state, scheme, &[])).unwrap();
            let mut pieces = one.clone();
            let whole = one.advance(0.5).unwrap();
            let mut events = Vec::new();
            for k in 1..=50 {
                let led = pieces.advance(0.01 * f64::from(k)).unwrap();
                assert_eq!(led.status, Status::End);
                events.extend(led.events);
            }
            assert_eq!(events, whole.events, "{name} {scheme}");
            let bits = |stepper: &Stepper| numbers(stepper).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&one), bits(&pieces), "{name} {scheme}");
        }
    }
}

/// F of the file is the generalised force on x.
#[test]
fn a_force_is_the_same_force_in_the_file() {
    let derived = derived("standing_biped");
    for scheme in ["event", "moreau"] {
        let mut inside = Stepper::new(&derived, &options("standing", scheme, &["F=120"])).unwrap();
        let mut outside = Stepper::new(&derived, &options("standing", scheme, &[])).unwrap();
        outside.set_forces(&[120.0, 0.0, 0.0]).unwrap();
        let [one, two] = [&mut inside, &mut outside].map(|stepper| stepper.advance(0.4).unwrap());
        assert_eq!((one.status, one.events.len()), (two.status, two.events.len()));
        assert_near(&inside, &outside, 1e-9);
        let (books, other) = (inside.books().energy, outside.books().energy);
        assert!((books.work.0 - other.work.0).abs() < 1e-7 && books.defect.0.abs() < 1e-2);
    }
}

#[test]
fn from_event_to_event_it_goes_on_as_it_was() {
    for (name, state, end) in [("bouncing_ball", "dropped", 3.5), ("falling_pencil", "slipping", 0.5)] {
        let derived = derived(name);
        let mut one = Stepper::new(&derived, &options(state, "event", &[])).unwrap();
        let mut pieces = one.clone();
        one.advance(end).unwrap();
        (1..=20).for_each(|k| drop(pieces.advance(end * f64::from(k) / 20.0).unwrap()));
        assert_near(&one, &pieces, 1e-7);
        let books = pieces.books().energy;
        assert!(books.defect.0.abs() < 1e-8 * books.initial.0.abs().max(1.0));
    }
}

#[test]
fn it_ends_at_the_next_event() {
    let mut ball = Stepper::new(&derived("bouncing_ball"), &options("dropped", "event", &[])).unwrap();
    for n in 0..4 {
        let led = ball.advance_until(&Until { t: 10.0, steps: 10_000, events: 1 }, &[]).unwrap();
        assert_eq!((led.status, led.events.len()), (Status::Budget, 1));
        assert!((ball.t() - (3.0 - 2.0_f64.powi(1 - n))).abs() < 1e-9);
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    for scheme in ["event", "moreau"] {
        let mut motion = Stepper::new(&derived("standing_biped"), &options("nudged", scheme, &[])).unwrap();
        motion.advance(0.05).unwrap();
        let (held, parameters) = (numbers(&motion), motion.parameters().to_vec());
        let mu = motion.parameter("mu").unwrap();
        assert!(motion.parameter("nu").is_err());
        assert!(motion.set_forces(&[1.0]).is_err() && motion.set_forces(&[0.0, f64::NAN, 0.0]).is_err());
        assert!(motion.set_parameters(&[(0, 2.0), (mu, -1.0)]).is_err());
        assert!(motion.set_parameters(&[(mu, f64::INFINITY)]).is_err());
        let short = GivenState { q: Some(vec![0.0]), ..GivenState::default() };
        assert!(motion.put(&short).is_err() && motion.advance(0.0).is_err());
        assert_eq!((numbers(&motion), motion.parameters().to_vec()), (held, parameters));
        assert!(motion.books().set.abs() <= 0.0);
        assert_eq!(motion.advance(0.1).unwrap().status, Status::End);
    }
}

/// A target that jumps works by what the potential energy jumps.
#[test]
fn books_close_over_settings() {
    let derived = derived("linear_oscillator");
    let mut spring = Stepper::new(&derived, &options("stretched", "event", &[])).unwrap();
    spring.advance(0.5).unwrap();
    let (k, height) = (spring.parameter("k").unwrap(), spring.q()[0]);
    spring.set_parameters(&[(k, 4.0)]).unwrap();
    assert!((spring.books().set - 1.5 * height * height).abs() < 1e-14);
    spring.put(&GivenState { v: Some(vec![0.0, 1.0]), ..GivenState::default() }).unwrap();
    spring.set_forces(&[0.3, -0.1]).unwrap();
    spring.advance(6.0).unwrap();
    assert!(spring.books().energy.defect.0.abs() < 1e-9);
}

/// A rod in space that is pushed at its tip a little harder than friction holds slips slowly, where p is a thirtieth of its terms: as stiff as any
/// slow slip, and no approach to p = 0. By steps of time it goes the same way.
#[test]
fn slow_slip_with_a_small_p_goes_on() {
    let derived = derived("rod_3d");
    let at = [
        "mu=1.25",
        "psi=0",
        "theta=atan(2)",
        "z=l*sin(theta)",
        "dot(x)=1e-7*cos(1)",
        "dot(y)=1e-7*sin(1)",
        "dot(z)=0",
        "dot(psi)=0",
        "dot(theta)=0",
    ];
    let force = 0.76251;
    let follow = |scheme: &str| {
        let mut motion = Stepper::new(&derived, &options("sticking", scheme, &at)).unwrap();
        // along the heading at the tip, the torque of which is that of its arm
        let sin = motion.q()[4].sin();
        motion.set_forces(&[force, 0.0, 0.0, 0.0, -force * sin]).unwrap();
        let found = motion.advance(0.02).unwrap();
        assert_eq!(found.status, Status::End, "{scheme}: {:?}", found.reason);
        assert!(found.steps < 1000, "{scheme}: {}", found.steps);
        motion
    };
    let (followed, stepped) = (follow("event"), follow("moreau"));
    assert_near(&followed, &stepped, 1e-3);
}
