//! Trajectories of Siconos, with its conventions: gaps predicted with the velocity of the beginning, Newton's restitution at velocity level, and where
//! that makes a difference forces at both ends, M and H at the end of the step. Some states are kept here; all of them agree as well.

use crate::{Asked, column};
use mechan::analysis::Names;
use mechan::contact::{Compliance, Hold, Laws};
use mechan::contact::{Friction, Restitution};
use mechan::format::ResolvedState;
use mechan::model::State;
use mechan::simulate::Beginning;
use mechan::simulate::stepped::{Options, Stepped};
use mechan::simulate::trajectory::{Columns, EventKind, Trajectory};
use mechan::stepping::{Discretisation, SchemeName};

/// The states of a file, by rows.
fn states(file: &str) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(format!("tests/stepping/data/{file}.csv")).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect()
}

/// Largest difference of columns, each relative to its largest number.
fn difference(
    motion: &Trajectory,
    columns: &[(&str, f64)],
    states: &[Vec<f64>],
    every: usize,
    from: usize,
) -> f64 {
    let mut largest = 0.0_f64;
    for (at, (name, sign)) in columns.iter().enumerate() {
        let size = states.iter().fold(0.0_f64, |m, state| m.max(state[at].abs()));
        let found = column(motion, name);
        for (k, state) in states.iter().enumerate() {
            largest = largest.max((sign * found[from + k * every] - state[at]).abs() / size);
        }
    }
    largest
}

/// The motion of a file's state as its numbers stand, which those of the example have 0.9 micrometres inside the lower edge: commands put
/// such a state onto the surface first.
fn from_its_numbers(file: &str, state: &str, discretisation: &Discretisation, end: f64) -> Trajectory {
    let loaded = mechan::load(file).unwrap();
    let mechanism = &loaded.mechanism;
    let spec = mechanism.states.iter().find(|spec| spec.name == state).unwrap();
    let ResolvedState { t, q, v, parameters, laws, .. } = mechanism.resolve(spec, &[]).unwrap();
    let laws = laws.iter().map(|law| Laws {
        friction: Friction::new(law.friction).unwrap(),
        restitution: Restitution::Newton(law.restitution),
        tangential: 0.0,
        compliance: Compliance::new(1.0, 1.0).unwrap(),
        hold: Hold::Unilateral,
    });
    let names = Names {
        coordinates: mechanism.coordinates.iter().map(|c| c.name.clone()).collect(),
        parameters: mechanism.parameters.iter().map(|p| p.name.clone()).collect(),
        contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
    };
    let begin = Beginning {
        mechanism: &mechanism.name,
        name: state,
        state: &State { t, q, v, parameters },
        length: 0.0,
        closed: &[],
        laws: &laws.collect::<Vec<_>>(),
        names: &names,
        constraints: &[],
        columns: &Columns::new(loaded.model.as_ref().unwrap().layout(), &names, &[]),
        active: &[None, None, None],
    };
    let discretisation = *discretisation;
    let options = Options {
        discretisation,
        end,
        samples: None,
        times: None,
        steps: usize::MAX,
        events: usize::MAX,
        stop: None,
    };
    Stepped::new(loaded.model.as_ref().unwrap()).run(&begin, &options).unwrap()
}

#[test]
fn the_woodpecker_goes_the_same_way() {
    let file = "benches/models/woodpecker.json";
    let motion = from_its_numbers(file, "start", &Discretisation::new(SchemeName::Moreau, 2e-5), 0.3);
    assert_eq!(motion.rows.len(), 15_001);
    let columns = ["t", "y", "dot(y)", "phi_M", "dot(phi_M)", "phi_S", "dot(phi_S)"].map(|name| (name, 1.0));
    let found = difference(&motion, &columns, &states("woodpecker"), 60, 0);
    assert!(found < 1e-10, "{found:e}");
}

/// `docs/studies/woodpecker.md`.
#[test]
fn the_woodpecker_has_a_cycle_of_two_strokes() {
    let file = "benches/models/woodpecker.json";
    let motion = Asked {
        file,
        state: "strike",
        set: &[],
        scheme: SchemeName::Moreau,
        step: 1e-4,
        t_end: 4.0,
        theta: 0.5,
    }
    .run();
    let strokes = motion
        .events
        .iter()
        .filter(|event| event.kind == EventKind::Impact && event.contact.as_deref() == Some("beak"));
    let times: Vec<f64> = strokes.map(|event| event.t.0).collect();
    assert_eq!(times.len(), 27);
    let periods: Vec<f64> = times.windows(2).map(|t| t[1] - t[0]).collect();
    let [.., third, second, last] = periods[..] else { panic!() };
    crate::assert_near(second, 0.1692, 5e-4, "long stroke");
    crate::assert_near(last, 0.1376, 5e-4, "short stroke");
    crate::assert_near(third, last, 5e-4, "every second stroke");
}

#[test]
fn the_ball_with_friction_goes_the_same_way() {
    // the lateral axis and the angle of the reference turn so that rolling has u = R omega: our x is its own, our angle minus its
    let file = "benches/models/wheel_on_ground.json";
    let set = [
        "R=0.5",
        "I=0.1",
        "mu=0.1",
        "e=0.9",
        "y=1",
        "x=0",
        "dot(x)=0",
        "dot(y)=0",
        "theta=0",
        "dot(theta)=-2",
    ];
    let asked = Asked {
        file,
        state: "locked",
        set: &set,
        scheme: SchemeName::Moreau,
        step: 5e-3,
        t_end: 10.0,
        theta: 0.5,
    };
    // the contact point of the example is moved by hand to q + h v before gaps are looked at: prediction over a whole step. Siconos
    // itself with gamma = 1 and a fixed relation gives these states to 1e-15, with its own 1/2 other impacts
    let options = mechan::pipeline::SimulateOptions { gamma: Some(1.0), ..asked.options() };
    let motion = crate::try_run(file, &options).unwrap();
    let columns = [
        ("t", 1.0),
        ("y", 1.0),
        ("dot(y)", 1.0),
        ("dot(theta)", -1.0),
        ("x", 1.0),
        ("theta", -1.0),
        ("dot(x)", 1.0),
    ];
    let found = difference(&motion, &columns, &states("ball_with_friction"), 10, 1);
    assert!(found < 1e-10, "{found:e}");
}

/// Restitution 1, friction, and a mass matrix that turns.
#[test]
fn the_double_pendulum_strikes_its_wall_in_the_same_way() {
    let asked = Asked {
        file: "tests/converge/models/double_pendulum_wall.json",
        state: "released",
        set: &["e=1", "mu=0.2"],
        scheme: SchemeName::MoreauJean,
        step: 1e-3,
        t_end: 3.0,
        theta: 0.5,
    };
    let columns = ["t", "theta_1", "theta_2", "dot(theta_1)", "dot(theta_2)"].map(|name| (name, 1.0));
    let states = states("double_pendulum_wall");
    let found = difference(&asked.run(), &columns, &states, 15, 0);
    assert!(found < 1e-10, "{found:e}");
    // forces in the middle of the step are another scheme
    let middle = Asked { scheme: SchemeName::Moreau, ..asked }.run();
    assert!(difference(&middle, &columns, &states, 15, 0) > 1e-6);
}

/// A joint with clearance: a pin in a larger hole, elastic. Each impact makes a difference about ten times larger, so that rounding decides after a dozen.
#[test]
fn a_pin_rattles_in_its_hole_in_the_same_way() {
    let motion = Asked {
        file: "tests/stepping/models/loose_joint.json",
        state: "dropped",
        set: &[],
        scheme: SchemeName::MoreauJean,
        step: 1e-4,
        t_end: 0.24,
        theta: 0.5,
    }
    .run();
    let impacts = motion.events.iter().filter(|event| event.kind == EventKind::Impact).count();
    assert_eq!(impacts, 7);
    let columns = ["t", "phi", "x", "y", "theta", "dot(phi)", "dot(x)", "dot(y)", "dot(theta)"];
    let found = difference(&motion, &columns.map(|name| (name, 1.0)), &states("loose_joint"), 20, 0);
    assert!(found < 1e-10, "{found:e}");
}
