//! Starts below, at and above a surface: whatever the command, a state is put onto the surface with a note where rounding explains
//! that it is below, and refused where not; no body falls through.

use super::Numbers;
use super::event::{Mover, asked};
use mechan::analysis::map::Cell;
use mechan::pipeline::{
    AnalyzeOptions, EnsembleOptions, EnsembleStudy, Failure, MapOptions, MapStudy, Scheme, SimulateOptions,
    StepOptions, collect_ensemble, compliance_study, converge, cycle,
};
use mechan::simulate::ensemble::EnsembleCell;
use mechan::simulate::trajectory::{Status, Trajectory};
use mechan::{StateAnswer, pipeline};

/// A body above a floor, and the heights of its feet by hand.
struct Body {
    mover: Mover,
    state: &'static str,
    /// What is set beside the tilt and the height.
    fixed: &'static [&'static str],
    tilt: &'static str,
    height: &'static str,
    /// (reach, height) of each foot from the centre of mass, in the body.
    feet: &'static [[f64; 2]],
    /// Mass and moment of inertia about the centre.
    inertia: [f64; 2],
}

/// A block on two feet, and one on three, in the plane; a slender rod in space.
fn bodies() -> [Body; 3] {
    let block = |name: &str, feet: &'static [[f64; 2]]| Body {
        mover: Mover::of(&format!("tests/simulate/models/{name}.json")),
        state: "resting",
        fixed: &[],
        tilt: "theta",
        height: "y",
        feet,
        inertia: [1.0, 0.2],
    };
    [
        block("block_on_feet", &[[-0.5, -0.4], [0.5, -0.4]]),
        block("block_on_three_feet", &[[-0.5, -0.4], [0.5, -0.4], [0.0, -0.4]]),
        Body {
            mover: Mover::of("src/pipeline/models/rod_3d.json"),
            state: "inconsistent",
            fixed: &["mu=0.3", "dot(x)=0"],
            tilt: "theta",
            height: "z",
            // the angle of this rod is one of dip
            feet: &[[-1.0, 0.0]],
            inertia: [1.0, 1.0 / 3.0],
        },
    ]
}

impl Body {
    /// Height of a foot above the centre.
    fn foot(&self, [reach, up]: [f64; 2], tilt: f64) -> f64 {
        reach * tilt.sin() + up * tilt.cos()
    }

    /// The lowest point of the body below its centre.
    fn depth(&self, tilt: f64) -> f64 {
        self.feet.iter().map(|foot| -self.foot(*foot, tilt)).fold(f64::NEG_INFINITY, f64::max)
    }

    fn length(&self) -> f64 {
        (self.inertia[1] / self.inertia[0]).sqrt()
    }

    /// The least gap at a row.
    fn gap(&self, trajectory: &Trajectory, row: usize) -> f64 {
        let place = |name: &str| trajectory.columns.iter().position(|column| column == name).unwrap();
        let row: Vec<f64> = trajectory.rows.iter().nth(row).unwrap().iter().map(|x| x.0).collect();
        row[place(self.height)] - self.depth(row[place(self.tilt)])
    }

    fn set(&self, tilt: f64, height: f64, more: &[String]) -> Vec<String> {
        let own = [format!("{}={tilt:?}", self.tilt), format!("{}={height:?}", self.height)];
        self.fixed.iter().map(ToString::to_string).chain(own).chain(more.iter().cloned()).collect()
    }
}

/// What may be said of a start.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    Plain,
    Noted,
    Refused,
}

/// By the documented bounds: zero to 1e-9 of the sizes, explained to 1e-3 of the length. Nothing is asked of depths at a bound itself.
fn expected(body: &Body, tilt: f64, height: f64) -> Option<Expected> {
    let gap = height - body.depth(tilt);
    // what the terms of a gap add up to, between these two
    let sizes =
        [body.length(), height.abs() + body.feet.iter().map(|[a, b]| a.abs() + b.abs()).fold(0.0, f64::max)];
    let zero = sizes.map(|size| 1e-9 * size);
    match -gap {
        depth if depth <= zero[0] => Some(Expected::Plain),
        depth if depth < zero[1] => None,
        depth if depth < 0.999e-3 * body.length() => Some(Expected::Noted),
        depth if depth < 1.001e-3 * body.length() => None,
        _ => Some(Expected::Refused),
    }
}

fn is_note(text: &str) -> bool {
    text.contains("below its surface") && text.contains("is put onto it")
}

#[track_caller]
fn refused(failure: &Failure) {
    assert_eq!(failure.code(), "M314", "{failure}");
    assert!(failure.message().contains("below its surface"), "{failure}");
}

/// Random starts: a tilt at which one foot is the lowest, and a height that is off by a share of the length.
fn starts(body: &Body, count: usize, seed: u64) -> Vec<(f64, f64, Expected)> {
    let mut numbers = Numbers(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let tilt = 0.4 + 0.2 * numbers.next();
        let share = 10_f64.powf(-8.25 + 5.75 * numbers.next());
        let sign = [-1.0, -1.0, -1.0, 0.0, 1.0][found.len() % 5];
        let height = body.depth(tilt) + sign * share * body.length();
        found.extend(expected(body, tilt, height).map(|expected| (tilt, height, expected)));
    }
    found
}

/// A motion that began as is expected and in which nothing fell through the floor.
#[track_caller]
fn kept_above(body: &Body, found: Result<Trajectory, Failure>, (expected, bound): (Expected, f64)) {
    let trajectory = match (found, expected) {
        (Err(failure), Expected::Refused) => return refused(&failure),
        (Ok(trajectory), Expected::Plain | Expected::Noted) => trajectory,
        (found, _) => panic!("{expected:?}, and {found:?}"),
    };
    assert_eq!(trajectory.status, Status::End, "{:?}", trajectory.reason);
    assert_eq!(trajectory.warnings.iter().any(|text| is_note(text)), expected == Expected::Noted);
    let least =
        (0..trajectory.rows.len()).map(|row| body.gap(&trajectory, row)).fold(f64::INFINITY, f64::min);
    assert!(least >= -bound, "{least}");
    // rows lie between the steps
    let told = trajectory.penetration.as_ref().map_or(0.0, |penetration| penetration.depth.0);
    assert!(trajectory.scheme == "event" || told >= -least - 5e-9, "{told} {least}");
}

#[test]
fn no_scheme_lets_a_body_fall_through_a_floor_that_it_starts_near() {
    let schemes = [("event", 60), ("moreau", 60), ("schatzman-paoli", 15), ("herk-3", 15), ("compliant", 10)];
    for (i, body) in bodies().iter().enumerate() {
        for (scheme, count) in schemes {
            for (tilt, height, expected) in starts(body, count, 7 + i as u64) {
                let set = body.set(tilt, height, &[]);
                let set: Vec<&str> = set.iter().map(String::as_str).collect();
                let stepped = scheme != "event" && scheme != "compliant";
                let options = SimulateOptions {
                    scheme: scheme.parse::<Scheme>().unwrap(),
                    step: stepped.then_some(1e-3),
                    eps: if scheme == "compliant" { vec![1e-3] } else { Vec::new() },
                    samples: Some(40),
                    ..asked(body.state, &set, 0.04)
                };
                // a step of time-stepping reaches below by what it falls within it, after a fall from a millimetre at most; a spring by what it
                // carries
                let bound = match scheme {
                    "event" => 4e-9,
                    "compliant" => 1e-4,
                    _ => 1.5e-4,
                };
                kept_above(body, body.mover.try_run(&options), (expected, bound));
            }
        }
    }
}

/// The same starts by every other command.
#[test]
#[expect(clippy::too_many_lines, reason = "every command in turn")]
fn all_commands_have_one_rule() {
    for (i, body) in bodies().iter().enumerate() {
        for (tilt, height, expected) in starts(body, 40, 31 + i as u64) {
            let set = body.set(tilt, height, &[]);
            let states = vec![body.state.to_string()];
            let derived = body.mover.derived();
            let (loaded, model) = (derived.loaded(), derived.model());
            let noted = |notes: &[String]| match notes.iter().any(|text| is_note(text)) {
                true => Expected::Noted,
                false => Expected::Plain,
            };
            let failed = |failure: Failure| {
                refused(&failure);
                Expected::Refused
            };
            let analysis = derived
                .analyze(&AnalyzeOptions {
                    states: states.clone(),
                    set: set.clone(),
                    without_next_step: true,
                    without_no_slip: true,
                    ..AnalyzeOptions::default()
                })
                .unwrap();
            let said = match &analysis.states[0] {
                StateAnswer::Outcome(outcome) => noted(&outcome.warnings),
                StateAnswer::Failure(failure) => {
                    assert_eq!(failure.faults[0].code, "M314");
                    Expected::Refused
                }
            };
            assert_eq!(said, expected, "analyze {tilt} {height}");
            let steps = StepOptions { states, set: set.clone(), ..StepOptions::default() };
            let (_, step) = derived.next_steps(&steps).unwrap().pop().unwrap();
            assert_eq!(step.map_or_else(failed, |step| noted(&step.notes)), expected, "step");
            let motion = SimulateOptions {
                state: Some(body.state.to_string()),
                set: body.set(tilt, height, &[]),
                t_end: 1e-3,
                ..SimulateOptions::default()
            };
            let compliant = "compliant".parse::<Scheme>().unwrap();
            let soft = SimulateOptions { scheme: compliant, eps: vec![1e-2], ..motion.clone() };
            let study = compliance_study(loaded, model, &soft);
            assert_eq!(study.map_or_else(failed, |study| noted(&study.warnings)), expected, "compliance");
            let section =
                pipeline::CycleOptions { motion: motion.clone(), section: "t - 1".into(), symmetry: None };
            // none of these motions is periodic, whatever its start
            assert_eq!(
                cycle(loaded, model, &section).unwrap_err().code() == "M314",
                expected == Expected::Refused
            );
            let options = EnsembleOptions {
                random: vec![format!("{0}={height:?}:{height:?}", body.height)],
                runs: Some(2),
                threads: Some(1),
                motion,
                ..EnsembleOptions::default()
            };
            let ensemble = EnsembleStudy::new(loaded, model, &options).unwrap();
            let (ensemble, outcome) = collect_ensemble(&ensemble, |_| {}).unwrap();
            let place = ensemble.columns.iter().position(|column| column == "status").unwrap();
            let stopped = ensemble.rows[1][place] == EnsembleCell::Word("refused".into());
            assert_eq!(stopped, expected == Expected::Refused);
            assert_eq!(outcome.moved, if expected == Expected::Noted { 2 } else { 0 });
        }
    }
}

#[test]
fn studies_of_convergence_and_maps_follow_the_rule() {
    let body = &bodies()[0];
    let derived = body.mover.derived();
    let (loaded, model) = (derived.loaded(), derived.model());
    for (tilt, height, expected) in starts(body, 12, 5) {
        let options = pipeline::ConvergeOptions {
            state: Some(body.state.into()),
            set: body.set(tilt, height, &[]),
            t_end: Some(0.02),
            schemes: vec!["moreau".into()],
            steps: vec![1e-2, 5e-3],
            ..pipeline::ConvergeOptions::default()
        };
        match converge(loaded, model, &options) {
            Ok(found) => {
                assert_eq!(found.warnings.iter().any(|text| is_note(text)), expected == Expected::Noted);
            }
            Err(failure) => {
                assert_eq!(expected, Expected::Refused);
                refused(&failure);
            }
        }
        // the height varies about this one: cells of states that are refused are empty
        for contact in ["a", "b"] {
            let options = MapOptions {
                state: Some(body.state.into()),
                set: body.set(tilt, height, &[]),
                x: format!("y={height:?}:{:?}:2", height + 1e-13),
                y: "mu_a=0.2:0.4:2".into(),
                quantity: "b".into(),
                contact: Some(contact.into()),
                threads: Some(1),
                ..MapOptions::default()
            };
            let map = MapStudy::new(loaded, model, &options).unwrap().collect(|_| {}).unwrap();
            for cell in map.cells.iter().flatten() {
                assert_eq!(matches!(cell, Cell::Undefined), expected == Expected::Refused, "{cell:?}");
            }
        }
    }
}

/// The state goes to the nearest one in the metric of kinetic energy: one foot at a horizontal arm c of the centre is lifted by d where
/// the centre rises by d/(1 + m c²/J) and the block turns by the rest, to first order in d.
#[test]
fn a_foot_is_lifted_by_the_least_motion() {
    let body = &bodies()[0];
    let [m, J] = body.inertia;
    for (tilt, height, expected) in starts(body, 60, 99) {
        if expected != Expected::Noted {
            continue;
        }
        let state = body.mover.derived().state(body.state, &body.set(tilt, height, &[])).unwrap();
        let depth = body.depth(tilt) - height;
        // the left foot is the lowest of a block that leans to the left
        let arm = -0.5 * tilt.cos() + 0.4 * tilt.sin();
        let (rise, turn) = (depth / (1.0 + m * arm * arm / J), depth * m * arm / (J + m * arm * arm));
        let [x, y, theta] = state.q[..] else { panic!("{state:?}") };
        let allowed = 3.0 * depth * depth + 1e-12;
        assert!(x == 0.0 && (y - height - rise).abs() < allowed, "{} is not {rise}", y - height);
        assert!((theta - tilt - turn).abs() < allowed, "{} is not {turn}", theta - tilt);
        assert!((y - body.depth(theta)).abs() < 1e-12);
    }
}

/// A block that lies flat is lifted straight, on however many feet; what it does after that is what it does from the floor.
#[test]
fn all_feet_are_lifted_together() {
    for body in &bodies()[..2] {
        for depth in [1e-8, 3e-6, 4e-4] {
            let set = body.set(0.0, 0.4 - depth, &[]);
            let state = body.mover.derived().state(body.state, &set).unwrap();
            assert!((state.q[1] - 0.4).abs() < 1e-12 && state.q[2].abs() < 1e-12, "{state:?}");
            let set: Vec<&str> = set.iter().map(String::as_str).collect();
            let motion = body.mover.run(body.state, &set, 0.3);
            assert_eq!(motion.status, Status::End, "{:?}", motion.reason);
            let last = motion.rows.last().unwrap();
            assert!((last[2].0 - 0.4).abs() < 1e-10 && last[3].0.abs() < 1e-10, "{last:?}");
        }
    }
}

/// A velocity that is zero along a surface stays so where the state is turned; one that is not is left as it is.
#[test]
fn rates_that_were_zero_stay_zero() {
    let body = &bodies()[0];
    for (tilt, height, expected) in starts(body, 40, 3) {
        if expected != Expected::Noted {
            continue;
        }
        let arm = |tilt: f64| -0.5 * tilt.cos() + 0.4 * tilt.sin();
        let turning = [format!("dot(theta)={:?}", 0.3), format!("dot(y)={:?}", -0.3 * arm(tilt))];
        let state = body.mover.derived().state(body.state, &body.set(tilt, height, &turning)).unwrap();
        let rate = state.v[1] + arm(state.q[2]) * state.v[2];
        assert!(rate.abs() < 1e-14 && (state.v[2] - 0.3).abs() < 1e-2, "{state:?}");
        let falling = ["dot(theta)=0.3".to_string(), "dot(y)=-1".to_string()];
        let state = body.mover.derived().state(body.state, &body.set(tilt, height, &falling)).unwrap();
        assert_eq!(state.v, [0.0, -1.0, 0.3]);
    }
}
