//! Models, states, and the numbers of the tape at them.

use mechan::model::{CodeNames, CodeParameter, Language, Layout, Model, Output, State, code};
use mechan::pipeline::{code_parameters, load_shipped, shipped};
use mechan::tape::{Builder, Tape, Unary};

/// A model with states to evaluate it at.
pub(crate) struct Case {
    pub(crate) model: Model,
    pub(crate) names: CodeNames,
    pub(crate) states: Vec<State>,
}

const LAYOUT: Layout = Layout { coordinates: 2, parameters: 3, constraints: 1, contacts: 1, tangents: 1 };

/// Every operation of the tape, in outputs of every shape.
fn model() -> Model {
    let mut b = Builder::new(LAYOUT.inputs());
    let inputs: Vec<_> = (0..LAYOUT.inputs()).map(|i| b.input(i)).collect();
    let (t, x, y, m) = (inputs[0], inputs[1], inputs[2], inputs[5]);
    let half = b.constant(-0.5);
    let (s, c) = (b.unary(Unary::Sin, x), b.unary(Unary::Cos, x));
    let mut pool = vec![s, c, b.add(x, y), b.sub(s, t), b.mul(half, y), b.div(x, m), b.neg(x), b.powi(y, 3)];
    let small = b.mul(half, c);
    let positive = b.mul(m, m);
    for f in
        [Unary::Tan, Unary::Asin, Unary::Acos, Unary::Atan, Unary::Sinh, Unary::Cosh, Unary::Tanh, Unary::Abs]
    {
        pool.push(b.unary(f, small));
    }
    pool.push(b.unary(Unary::Signum, half));
    pool.push(b.unary(Unary::Signum, x));
    for f in [Unary::Sqrt, Unary::Ln, Unary::Exp] {
        pool.push(b.unary(f, positive));
    }
    pool.push(b.powf(m, x));
    pool.push(b.atan2(y, x));
    let (third, pi) = (b.constant(1.0 / 3.0), b.constant(std::f64::consts::PI));
    let shifted = b.add(third, y);
    pool.push(b.mul(pi, shifted));
    let outputs: Vec<_> = (0..LAYOUT.outputs()).map(|i| pool[i % pool.len()]).collect();
    Model::new(LAYOUT, b.finish(&outputs)).expect("the tape has the layout's shape")
}

fn parameter(name: &str, value: f64, follows: Option<Tape>) -> CodeParameter {
    CodeParameter { name: name.into(), value, follows }
}

/// k = 1/4 - m sqrt(m^2): -2 at m = 3/2, -6 at m = 5/2.
fn follows() -> Tape {
    let mut b = Builder::new(LAYOUT.parameters);
    let (m, quarter) = (b.input(0), b.constant(0.25));
    let square = b.mul(m, m);
    let root = b.unary(Unary::Sqrt, square);
    let product = b.mul(m, root);
    let value = b.sub(quarter, product);
    b.finish(&[value])
}

/// end = k + 1, which follows what follows.
fn follows_in_turn() -> Tape {
    let mut b = Builder::new(LAYOUT.parameters);
    let (k, one) = (b.input(1), b.constant(1.0));
    let value = b.add(k, one);
    b.finish(&[value])
}

/// The model of every operation; the last parameter's name is a word of Julia and MATLAB.
pub(crate) fn probe() -> Case {
    let names = CodeNames {
        mechanism: "probe".into(),
        coordinates: vec!["x".into(), "y".into()],
        parameters: vec![
            parameter("m", 1.5, None),
            parameter("k", -2.0, Some(follows())),
            parameter("end", -1.0, Some(follows_in_turn())),
        ],
        constraints: vec!["bar".into()],
        contacts: vec!["tip".into()],
    };
    case(model(), names)
}

/// Mechanisms of the library: in the plane and in space, with constraints, with and without contacts.
pub(crate) fn library() -> Vec<Case> {
    ["painleve_klein", "compass_biped", "rod_3d", "swinging_bar", "linear_oscillator"].map(of_library).into()
}

fn of_library(name: &str) -> Case {
    let loaded = load_shipped(shipped(name).expect("it is shipped")).expect("it is well formed");
    let mechanism = &loaded.mechanism;
    let names = CodeNames {
        mechanism: mechanism.name.clone(),
        coordinates: mechanism.coordinates.iter().map(|c| c.name.clone()).collect(),
        parameters: code_parameters(&loaded).expect("finite"),
        constraints: mechanism.constraints.iter().map(|c| c.name.clone()).collect(),
        contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
    };
    case(loaded.model.expect("the library has equations"), names)
}

fn case(model: Model, names: CodeNames) -> Case {
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 * 3.0 - 1.5
    };
    let n = model.layout().coordinates;
    let p: Vec<f64> = names.parameters.iter().map(|p| p.value).collect();
    let mut state = || State {
        t: random(),
        q: (0..n).map(|_| random()).collect(),
        v: (0..n).map(|_| random()).collect(),
        parameters: p.iter().map(|x| x * (1.0 + 0.1 * random())).collect(),
    };
    let states = (0..4).map(|_| state()).collect();
    Case { model, names, states }
}

impl Case {
    pub(crate) fn code(&self, language: Language) -> String {
        code(&self.model, &self.names, language)
    }

    pub(crate) fn name(&self) -> &str {
        &self.names.mechanism
    }

    /// The names of the blocks that it has.
    pub(crate) fn blocks(&self) -> Vec<&'static str> {
        let present = |(output, _): &(Output, &str)| self.model.layout().len(*output) > 0;
        Output::ALL.into_iter().zip(BLOCKS).filter(present).map(|(_, name)| name).collect()
    }

    /// All outputs at all states in tape order, M as the full matrix.
    pub(crate) fn expected(&self) -> Vec<f64> {
        self.states.iter().flat_map(|state| self.expected_at(state)).collect()
    }

    fn expected_at(&self, state: &State) -> Vec<f64> {
        let kernel = self.model.kernel(&Output::ALL);
        let mut values = kernel.values();
        kernel.evaluate(&state.inputs::<f64>(), &mut values);
        let (M, n) = (kernel.block(&values, Output::MassMatrix), self.model.layout().coordinates);
        let at = |i: usize, j: usize| M[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        let mut all: Vec<f64> = (0..n * n).map(|k| at(k / n, k % n)).collect();
        Output::ALL[1..].iter().for_each(|&o| all.extend_from_slice(kernel.block(&values, o)));
        all
    }
}

const BLOCKS: [&str; 18] = [
    "M", "h", "gap", "W_N", "gap_t", "drift_N", "W_T", "slip_t", "drift_T", "phi", "J", "phi_t", "drift_J",
    "T", "V", "B", "G", "F",
];

/// What `parameters` of the probe gives for m = 5/2, and for m = 5/2 with k = 1: what follows k follows the k that is given.
pub(crate) const FOLLOWED: [f64; 6] = [2.5, -6.0, -5.0, 2.5, 1.0, 2.0];

/// Compares printed numbers, to 1e-12 of their own size or of one.
pub(crate) fn agree(printed: &str, expected: &[f64]) {
    let numbers: Vec<f64> = printed.split_whitespace().map(|w| w.parse().expect("a number")).collect();
    assert_eq!(numbers.len(), expected.len());
    for (i, (a, b)) in numbers.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "output {i}: {a} against {b}");
    }
}
