//! Event capturing of contacts that hold in more ways than one: on both sides, with infinite friction, with tangential restitution.

use super::Kept;
use mechan::analysis::Names;
use mechan::contact::{Compliance, Hold, Laws};
use mechan::contact::{Friction, Restitution};
use mechan::model::State;
use mechan::pipeline::{Scheme, SimulateOptions, simulate};
use mechan::simulate::Beginning;
use mechan::simulate::capture::{DEFAULT_CRITICAL, Grid};
use mechan::simulate::event::{EventDriven, Options};
use mechan::simulate::integrate::Exact;
use mechan::simulate::trajectory::{Columns, EventKind, Status, Trajectory};

fn assert_same_end(a: &Trajectory, b: &Trajectory, n: usize, what: &str) {
    assert_eq!((a.status, b.status), (Status::End, Status::End), "{what}: {:?} {:?}", a.reason, b.reason);
    let (a, b) = (a.rows.last().unwrap(), b.rows.last().unwrap());
    for i in 0..=2 * n {
        assert!((a[i].0 - b[i].0).abs() < 1e-9 * (1.0 + b[i].0.abs()), "{what}: {a:?} {b:?}");
    }
}

/// Two contacts that hold a body between rails, with friction.
#[test]
fn contacts_that_hold_on_both_sides_are_those_from_event_to_event() {
    let kept = Kept::at("tests/stepping/models/painleve_klein.json");
    let n = kept.derived.model().layout().coordinates;
    let followed = kept.run("event", "sliding", 1.0, 0.5);
    for scheme in ["lobatto-4", "radau-5", "herk-6"] {
        let captured = kept.run(scheme, "sliding", 0.5 / 97.0, 0.5);
        assert_same_end(&captured, &followed, n, scheme);
        let kinds = |motion: &Trajectory| motion.events.iter().map(|event| event.kind).collect::<Vec<_>>();
        assert_eq!(kinds(&captured), kinds(&followed), "{scheme}");
    }
}

/// A pencil on a floor with infinite friction, and one that is dropped on it: both from event to event and captured.
#[test]
fn infinite_friction_is_that_from_event_to_event() {
    let kept = Kept::at("benches/models/falling_pencil.json");
    let model = kept.derived.model();
    let motions = EventDriven::new(model);
    let laws = [Laws {
        friction: Friction::INFINITE,
        restitution: Restitution::Newton(0.0),
        tangential: 0.0,
        compliance: Compliance::new(1.0, 1.0).unwrap(),
        hold: Hold::Unilateral,
    }];
    let named = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mechanism = &kept.loaded.mechanism;
    let names = Names {
        coordinates: mechanism.coordinates.iter().map(|c| c.name.clone()).collect(),
        parameters: mechanism.parameters.iter().map(|p| p.name.clone()).collect(),
        contacts: named(&["tip"]),
    };
    let spec = mechanism.states.iter().find(|spec| spec.name == "balanced").unwrap();
    let parameters = mechanism.resolve(spec, &[]).unwrap().parameters;
    let method = Exact::named("herk-6").unwrap();
    let grid = Grid { method, step: 0.4 / 197.0, critical: DEFAULT_CRITICAL };
    for (height, closed) in [(0.0, &[0_usize][..]), (0.1, &[][..])] {
        let state =
            State { t: 0.0, q: vec![0.0, height, 0.4], v: vec![0.0; 3], parameters: parameters.clone() };
        let begin = Beginning {
            mechanism: "pencil",
            name: "leaning",
            state: &state,
            length: 0.0,
            closed,
            laws: &laws,
            names: &names,
            constraints: &[],
            columns: &Columns::new(model.layout(), &names, &[]),
            active: &[],
        };
        let options = Options { rtol: 1e-13, ..Options::until(0.4) };
        let followed = motions.run(&begin, &options).trajectory;
        let captured = motions.capture(&begin, &grid, &options).trajectory;
        assert_same_end(&captured, &followed, 3, &format!("from {height}"));
        let slip = captured.columns.iter().position(|name| name == "tip.slip").unwrap();
        assert!(captured.rows.last().unwrap()[slip].0.abs() < 1e-9, "it sticks");
    }
}

/// Moreau's rule turns both parts of the velocity: U⁺ = −e U⁻.
#[test]
fn tangential_restitution_turns_the_slip() {
    let kept = Kept::at("tests/stepping/models/vise.json");
    let set = ["e=1", "e_T=0.5", "mu=10", "dot(x)=4", "dot(y)=1"];
    for scheme in ["radau-3", "herk-4", "moreau", "moreau-jean"] {
        let options = SimulateOptions {
            state: Some("between".to_string()),
            set: set.iter().map(ToString::to_string).collect(),
            scheme: scheme.parse::<Scheme>().unwrap(),
            step: Some(1e-3),
            t_end: 0.3,
            ..SimulateOptions::default()
        };
        let motion = simulate(&kept.loaded, kept.derived.model(), &options).unwrap();
        let impact = motion.events.iter().find(|event| event.kind == EventKind::Impact).unwrap();
        assert!((impact.t.0 - 0.2).abs() < 2e-3, "{scheme}: {}", impact.t.0);
        let at = |name: &str| motion.columns.iter().position(|column| column == name).unwrap();
        let last = motion.rows.last().unwrap();
        // the wall comes at 1: −5 turns into 5; and 1 into −1/2
        assert!((last[at("dot(x)")].0 + 6.0).abs() < 1e-10, "{scheme}: {last:?}");
        assert!((last[at("dot(y)")].0 + 0.5).abs() < 1e-10, "{scheme}: {last:?}");
    }
}
