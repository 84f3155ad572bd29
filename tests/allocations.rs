//! What a loop calls allocates nothing after its first call, interpreted or as machine code.
//!
//! Each piece is counted by itself, on one thread.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

use allocation_counter::measure;
use mechan::analysis::planar::{Sketch, sketch_kernel};
use mechan::contact::Friction;
use mechan::coulomb::{Outcome, Request, Session, Start};
use mechan::format::Override;
use mechan::model::{Block, Kernel, Model, ModelFile, Output, State, Values};
use mechan::num::Tol;
use mechan::pipeline::{Deriver, MapOptions, MapStudy, SimulateOptions, Simulation, load_bytes};
use mechan::predict::Mode;
use mechan::predict::Verdict;
use mechan::simulate::{ContactMotion, SmoothMotion};
use mechan::stepping::{
    Discretisation, Equations, Mechanics, Point as StepPoint, SchemeName, Step, StepInput, StepLaw,
    StepModel, StepRecord, Stepper,
};
use std::hint::black_box;

const PENCIL: &str = include_str!("../benches/models/falling_pencil.json");
const ROD: &str = include_str!("../benches/models/painleve_rod.json");
const ARM: &str = include_str!("../benches/models/two_link_manipulator.json");

fn model(file: &str) -> Model {
    ModelFile::read(file).unwrap().model
}

/// Allocations of calls after the first.
fn allocations(mut call: impl FnMut()) -> u64 {
    call();
    measure(|| (0..10).for_each(|_| call())).count_total
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(black_box(vec![1.0; 3]))), 10);
}

/// t, q, v, parameters; the pencil's, whose contact is its tip.
struct Case {
    q: [f64; 3],
    v: [f64; 3],
    mu: f64,
    expected: Option<Verdict>,
}

/// m, l, g, I, mu, e.
const PARAMETERS: [f64; 6] = [1.0, 1.0, 9.81, 1.0 / 3.0, 0.9, 0.5];

/// In flight, pressed and lifted in the paradox, at rest, at the edge p+ = 0, inside the floor.
fn cases() -> [Case; 6] {
    let lean = 0.5_f64.atan();
    let lifting = (2.0 * 9.81 / lean.cos()).sqrt();
    let case = |y: f64, theta: f64, u: f64, omega: f64, mu: f64, expected| Case {
        q: [0.0, y, theta],
        v: [u, 0.0, omega],
        mu,
        expected,
    };
    [
        case(0.3, 0.4, 1.0, 0.2, 0.9, Some(Verdict::Consistent)),
        case(0.0, lean, 1.0, 0.0, 1.5, Some(Verdict::Inconsistent)),
        case(0.0, lean, 1.0, lifting, 1.5, Some(Verdict::Indeterminate)),
        case(0.0, 0.2, 0.0, 0.0, 0.9, Some(Verdict::Consistent)),
        case(0.0, lean, 1.0, 0.0, 4.0 / 3.0, Some(Verdict::Marginal)),
        case(-0.1, 0.2, 0.0, 0.0, 0.9, None),
    ]
}

#[test]
fn a_verdict_allocates_nothing() {
    let interpreted = sketch_kernel(&model(PENCIL), &[]);
    for kernel in [interpreted.clone(), interpreted.compiled()] {
        let mut values = kernel.values();
        kernel.set_parameters(&PARAMETERS, &mut values);
        for Case { q, v, mu, expected } in cases() {
            let (friction, tol) = (Friction::new(mu).unwrap(), Tol::default());
            let mut found = None;
            let count = allocations(|| {
                kernel.solve_at(0.0, black_box(&q), &v, &mut values).unwrap();
                let sketch = Sketch { kernel: &kernel, values: &values, length: 1.0 };
                found = sketch.verdict(0, friction, &tol).unwrap();
            });
            assert_eq!((count, found), (0, expected), "{q:?} {v:?} {mu}");
        }
    }
}

/// Rows are kept; their points cost nothing.
#[test]
fn a_point_of_a_map_allocates_nothing() {
    let loaded = load_bytes("pencil", PENCIL.as_bytes().to_vec()).unwrap();
    let count = |rows: u64, quantity: &str| {
        let options = MapOptions {
            state: Some("inconsistent".to_string()),
            x: "theta=0:pi/2:100".to_string(),
            y: format!("mu=0:1:{rows}"),
            quantity: quantity.to_string(),
            threads: Some(1),
            ..MapOptions::default()
        };
        let study = MapStudy::new(&loaded, loaded.model.as_ref().unwrap(), &options).unwrap();
        measure(|| drop(black_box(study.collect(|_| {}).unwrap()))).count_total
    };
    for quantity in ["verdict", "p_plus", "effective_restitution", "b - mu*p_minus + 100"] {
        let (few, many) = (count(30, quantity), count(130, quantity));
        assert!(many - few < 500, "{quantity}: {few} and {many} allocations of 3000 and 13000 points");
    }
}

#[test]
fn a_right_hand_side_allocates_nothing_in_any_mode() {
    for file in [PENCIL, ROD, ARM] {
        let model = model(file);
        let (n, parameters) = (model.layout().coordinates, model.layout().parameters);
        let also = [Block::Model(Output::Gap), Block::GapVelocity, Block::Slip];
        let interpreted = SmoothMotion::new(&model, &also);
        for motion in [interpreted.clone(), interpreted.compiled()] {
            let mut work = motion.work(&vec![1.3; parameters]);
            let y: Vec<f64> = (0..2 * n).map(|i| 0.3 + 0.1 * i as f64).collect();
            let (mut rate, friction) = (vec![0.0; 2 * n], Friction::new(0.3).unwrap());
            for mode in [Mode::Free, Mode::STICK, Mode::slip(1.0), Mode::slip(-1.0)] {
                let contacts = [ContactMotion::of(mode, friction, 1, 0.0)];
                let count = allocations(|| {
                    motion.rate(0.0, black_box(&y), &contacts, &mut rate, &mut work).unwrap();
                });
                assert_eq!(count, 0, "{mode:?}");
                assert!(rate.iter().all(|x| x.is_finite()));
            }
        }
    }
}

/// A mechanism on its way, with all contacts closed.
struct Walk {
    kernel: Kernel,
    values: Values<f64>,
    inputs: Vec<f64>,
    state: State,
    closed: Vec<usize>,
    friction: Vec<f64>,
}

impl Walk {
    fn new(file: &str) -> Self {
        let kernel = model(file).kernel(&Block::all());
        let layout = *kernel.layout();
        let q: Vec<f64> = (0..layout.coordinates).map(|i| 0.5 + 0.2 * i as f64).collect();
        let v: Vec<f64> = (0..layout.coordinates).map(|i| 0.3 - 0.5 * i as f64).collect();
        let state = State { t: 0.0, q, v, parameters: vec![1.3; layout.parameters] };
        let (values, inputs) = (kernel.values(), state.inputs());
        let closed = (0..layout.contacts).collect();
        Self { kernel, values, inputs, state, closed, friction: vec![0.4; layout.contacts] }
    }

    fn evaluate(&mut self) {
        let n = self.state.q.len();
        self.inputs[1..=n].copy_from_slice(&self.state.q);
        self.inputs[1 + n..=2 * n].copy_from_slice(&self.state.v);
        self.kernel.evaluate(&self.inputs, &mut self.values);
    }

    fn input(&self) -> StepInput<'_> {
        let Self { kernel, values, state, closed, friction, .. } = self;
        StepInput { kernel, values, state, closed, friction, step: 1e-3 }
    }

    /// q and v at the end of a step.
    fn go_on(&mut self, v: &[f64]) {
        self.state.v.copy_from_slice(v);
        self.state.q.iter_mut().zip(v).for_each(|(q, v)| *q += 1e-3 * v);
    }
}

/// Evaluation, the problem written into the session, its solution from the last impulses, the velocities. The first step of a
/// session begins at no force, the second one at the impulses of the first; what they set up stays.
#[test]
fn a_step_of_a_mechanism_allocates_nothing() {
    for file in [PENCIL, ROD, ARM] {
        let (mut walk, mut stepper) = (Walk::new(file), Stepper::new(Request::default()));
        let mut step = || {
            walk.evaluate();
            stepper.set(StepModel::Dynamics, &walk.input()).unwrap();
            assert_eq!(stepper.session().solve(Start::Warm).outcome, Outcome::Solved);
            walk.go_on(stepper.velocity());
        };
        (0..2).for_each(|_| step());
        assert_eq!(measure(|| (0..20).for_each(|_| step())).count_total, 0);
    }
}

/// Step by step, by one session and each from nothing.
#[test]
fn the_steps_of_a_session_are_those_without_one() {
    for file in [PENCIL, ROD, ARM] {
        let (mut walk, mut stepper) = (Walk::new(file), Stepper::new(Request::default()));
        for _ in 0..5 {
            walk.evaluate();
            let step = Step::new(StepModel::Dynamics, &walk.input()).unwrap();
            stepper.set(StepModel::Dynamics, &walk.input()).unwrap();
            assert_eq!(stepper.session().problem(), &step.problem);
            let found = Session::new(&step.problem, Request::default()).unwrap().solve(Start::Cold).clone();
            assert_eq!(stepper.session().solve(Start::Cold), &found);
            assert_eq!(stepper.velocity(), step.velocity(&found.v));
            walk.go_on(stepper.velocity());
        }
    }
}

/// Steps through flight, impacts, stick and slip, after the first ones.
#[test]
fn a_step_of_a_scheme_allocates_nothing() {
    // long enough for every contact to have been in a step; in the plane and in space, with one contact and with several, linear and not
    let cases = [
        ("benches/models/bouncing_ball", "dropped", "rho=1/2", 1e-2, 300),
        ("benches/models/woodpecker", "start", "mu=0.3", 2e-4, 1500),
        ("benches/models/rod_3d", "across", "mu=0.4", 1e-3, 600),
        ("tests/stepping/models/loose_joint", "dropped", "mu=0.1", 1e-3, 600),
        // three contacts in space that slip, and that stick
        ("tests/stepping/models/tripod", "dropped", "mu=0.05", 1e-3, 1000),
        ("tests/stepping/models/tripod", "dropped", "mu=0.3", 1e-3, 600),
    ];
    for (name, state, set, h, first) in cases {
        let loaded = mechan::load(&format!("{name}.json")).unwrap();
        let model = loaded.clone().derive(&Deriver::nobody()).unwrap().model().clone();
        let states = &loaded.mechanism.states;
        let spec = states.iter().find(|spec| spec.name == state).unwrap();
        let set = Override::parse(&loaded.mechanism, set).unwrap();
        let start = loaded.mechanism.resolve(spec, &[set]).unwrap();
        let laws: Vec<StepLaw> = start
            .laws
            .iter()
            .map(|law| StepLaw {
                friction: law.friction,
                restitution: law.restitution,
                tangential: 0.0,
                bilateral: false,
            })
            .collect();
        let (equations, active) = (Equations::new(&model), vec![None; laws.len()]);
        for scheme in SchemeName::ALL {
            let mut mechanics = Mechanics::new(&equations, &start.parameters, &laws, &active);
            let mut stepper = Discretisation::new(scheme, h).scheme(model.layout());
            let mut point = StepPoint { t: start.t, q: start.q.clone(), v: start.v.clone() };
            let mut taken = StepRecord::new(model.layout());
            let mut step = || {
                mechanics.look(&point).unwrap();
                stepper.step(&mut mechanics, &mut point, h, &mut taken).unwrap();
            };
            (0..first).for_each(|_| step());
            let counted = measure(|| (0..100).for_each(|_| step())).count_total;
            assert_eq!(counted, 0, "{name} by {scheme}");
        }
    }
}

/// Pieces of memory that a motion takes when it first needs them.
const ONCE: u64 = 9;

/// One phase without samples, four times as long: the oscillator that slips steadily on its belt, the pencil in flight.
#[test]
fn a_phase_allocates_nothing_per_step() {
    let cases: [(&str, &str, &[&str]); 2] = [
        ("frictional_impact_oscillator", "steady_slip", &["x=0.01"]),
        ("falling_pencil", "balanced", &["y=100", "dot(y)=1000", "dot(theta)=3", "dot(x)=1"]),
    ];
    for (name, state, set) in cases {
        let loaded = mechan::load(&format!("benches/models/{name}.json")).unwrap();
        let model = loaded.clone().derive(&Deriver::nobody()).unwrap().model().clone();
        let options = |t_end: f64| SimulateOptions {
            state: Some(state.to_string()),
            set: set.iter().map(ToString::to_string).collect(),
            t_end,
            samples: Some(0),
            ..SimulateOptions::default()
        };
        let simulation = Simulation::new(&loaded, &model, &options(1.0)).unwrap();
        let run = |t_end: f64| {
            let options = options(t_end);
            let mut steps = 0;
            let count =
                measure(|| steps = simulation.run(&options).unwrap().trajectory.work.steps).count_total;
            (steps, count)
        };
        for _ in 0..4 {
            run(32.0);
        }
        // what is needed once has been by then, but for a motion's own memory of what is rare, as of a step that is cut into pieces
        let ((few, short), (many, long)) = (run(8.0), run(32.0));
        assert!(many >= few + 10, "{name}: {few} {many}");
        assert!(long <= short + ONCE, "{name}: {few} steps {short}, {many} steps {long}");
    }
}
