//! Long equations in print, and powers of any exponent, against numbers of another route.

use super::{mechanism, model, worker};
use mechan::derive::{Equations, Printed, Wording};
use mechan::expression::{Env, Names, Scope, SourceMap, parse};
use mechan::format::Mechanism;
use mechan::model::{Model, Output, State};

/// A chain of rods in the plane; the j-th turns by q_j against the one before.
pub(crate) fn chain(links: usize) -> String {
    let angle = |i: usize| (1..=i).map(|k| format!("q{k}")).collect::<Vec<_>>().join(" + ");
    let along = |function: &str, i: usize| {
        let before: String = (1..i).map(|k| format!("l*{function}({}) + ", angle(k))).collect();
        format!("{before}l/2*{function}({})", angle(i))
    };
    let body = |i: usize| {
        let (x, y, turn) = (along("cos", i), along("sin", i), angle(i));
        format!("  b{i}: {{mass: m, inertia: J, position: [x + {x}, y + {y}], rotation: {turn}}}\n")
    };
    let coordinates: Vec<String> = (1..=links).map(|i| format!("q{i}")).collect();
    format!(
        "mechan: 1\nname: chain\nspace: plane\nparameters: {{m: 1, l: 0.5, J: m*l^2/12, g: 9.81}}\n\
         coordinates: [x, y, {}]\ngravity: [0, -g]\nbodies:\n{}",
        coordinates.join(", "),
        (1..=links).map(body).collect::<String>()
    )
}

/// The same chain in frames, with a definition.
pub(crate) fn chain_of_frames(links: usize) -> String {
    let frame = |i: usize| match i {
        1 => "  f1: {origin: [x, y], rotation: q1}\n".to_string(),
        _ => format!("  f{i}: {{parent: f{}, origin: [l, 0], rotation: q{i}}}\n", i - 1),
    };
    let body = |i: usize| format!("  b{i}: {{mass: m, inertia: J, frame: f{i}, centre: [along/2, 0]}}\n");
    let coordinates: Vec<String> = (1..=links).map(|i| format!("q{i}")).collect();
    format!(
        "mechan: 1\nname: chain\nspace: plane\nparameters: {{m: 1, l: 0.5, J: m*l^2/12, g: 9.81}}\n\
         coordinates: [x, y, {}]\ngravity: [0, -g]\ndefinitions: {{along: l + sin(q1)/10}}\nframes:\n{}bodies:\n{}",
        coordinates.join(", "),
        (1..=links).map(frame).collect::<String>(),
        (1..=links).map(body).collect::<String>()
    )
}

/// Printed equations have the values of a model.
pub(crate) fn values_agree(m: &Mechanism, equations: &Equations, derived: &Model) {
    let n = m.coordinates.len();
    let at = State {
        t: 0.0,
        q: (0..n).map(|i| 0.3 * i as f64 - 0.5).collect(),
        v: (0..n).map(|i| 0.7 - 0.2 * i as f64).collect(),
        parameters: m.default_parameters().unwrap(),
    };
    let reader = Reader::new(m, equations, &at);
    let rows = equations.mass_matrix.iter().enumerate();
    let lower: Vec<Printed> = rows.flat_map(|(i, row)| row[..=i].to_vec()).collect();
    reader.agree(&lower, Output::MassMatrix, derived);
    reader.agree(&equations.bias, Output::Bias, derived);
    reader.agree(&equations.inertial, Output::Inertial, derived);
    reader.agree(std::slice::from_ref(&equations.kinetic_energy), Output::KineticEnergy, derived);
}

/// The values of printed expressions at numbers, their definitions included.
struct Reader<'m> {
    mechanism: &'m Mechanism,
    names: Names,
    at: &'m State,
    parameters: Vec<f64>,
}

impl<'m> Reader<'m> {
    fn new(mechanism: &'m Mechanism, equations: &Equations, at: &'m State) -> Self {
        let mut names = mechanism.names();
        names.parameters.extend(equations.definitions.iter().map(|d| d.name.text.clone()));
        let mut reader = Reader { mechanism, names, at, parameters: at.parameters.clone() };
        for definition in &equations.definitions {
            let value = reader.value(&definition.value);
            reader.parameters.push(value);
        }
        reader
    }

    fn value(&self, printed: &Printed) -> f64 {
        let scope = Scope::velocity(&self.names, "an entry");
        let expr = parse(&printed.text, &scope, &SourceMap::From(0))
            .unwrap_or_else(|d| panic!("{}: {d:?}", printed.text));
        expr.eval(&Env {
            t: self.at.t,
            q: &self.at.q,
            v: &self.at.v,
            parameters: &self.parameters,
            definitions: &[],
        })
    }

    fn agree(&self, entries: &[Printed], output: Output, model: &Model) {
        let kernel = model.kernel(&Output::ALL);
        let mut values = kernel.values();
        kernel.evaluate(&self.at.inputs::<f64>(), &mut values);
        let expected = kernel.block(&values, output);
        assert_eq!(entries.len(), expected.len(), "{}", self.mechanism.name);
        for (entry, y) in entries.iter().zip(expected) {
            let x = self.value(entry);
            assert!((x - y).abs() <= 1e-9 * (1.0 + y.abs()), "{}: {x} and {y}", entry.text);
        }
    }
}

#[test]
fn long_entries_are_written_with_names_and_have_the_values_of_the_model() {
    let m = mechanism("chain", &chain(7));
    let (equations, derived) = (worker().equations(&m, Wording::Short, &|_| {}).unwrap(), model(&m));
    assert!(!equations.definitions.is_empty());
    for page in [equations.to_text(), equations.to_latex()] {
        let longest = page.lines().map(str::len).max().unwrap();
        assert!(longest < 8000, "a line of {longest} characters");
    }
    values_agree(&m, &equations, &derived);
}

#[test]
fn a_name_of_the_mechanism_is_not_taken_by_a_subexpression() {
    let text = chain(6).replace("m: 1,", "m: 1, s12: 3,").replace("mass: m", "mass: m*s12");
    let equations = worker().equations(&mechanism("chain", &text), Wording::Short, &|_| {}).unwrap();
    let sines = ["sin_", "cos_"];
    let own = |name: &str| name.starts_with('z') || sines.iter().any(|sine| name.starts_with(sine));
    assert!(equations.definitions.iter().all(|d| own(&d.name.text)));
}

/// G = dV/dx at some places.
fn force(potential: &str, places: &[f64]) -> Vec<f64> {
    let text = format!(
        "mechan: 1\nname: well\nspace: plane\nparameters: {{m: 1}}\ncoordinates: [x]\n\
         energy: {{kinetic: m*dot(x)^2/2, potential: {potential}}}\n"
    );
    let derived = model(&mechanism("well", &text));
    let kernel = derived.kernel(&[Output::Potential]);
    let mut values = kernel.values();
    let at = |&x: &f64| {
        let state = State { t: 0.0, q: vec![x], v: vec![0.0], parameters: vec![1.0] };
        kernel.evaluate(&state.inputs::<f64>(), &mut values);
        kernel.block(&values, Output::Potential)[0]
    };
    places.iter().map(at).collect()
}

#[test]
fn powers_of_any_exponent_have_their_slope_at_zero_too() {
    assert_eq!(force("x^64", &[0.0, 1.0]), [0.0, 64.0]);
    assert_eq!(force("x^100", &[0.0, 1.0, -1.0]), [0.0, 100.0, -100.0]);
    assert_eq!(force("x^3000000000", &[0.0, 1.0]), [0.0, 3e9]);
    assert_eq!(force("m^99999999999*x", &[0.0, 1.0]), [1.0, 1.0]);
    let near = |x: f64, y: f64| assert!((x - y).abs() <= 1e-12 * y.abs(), "{x} and {y}");
    near(force("x^(5/2)", &[4.0])[0], 20.0);
    near(force("x^(-100)", &[2.0])[0], -100.0 / 2f64.powi(101));
    near(force("sin(x)^200", &[1.5])[0], 200.0 * 1.5f64.sin().powi(199) * 1.5f64.cos());
}
