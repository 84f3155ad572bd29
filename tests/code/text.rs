//! What generated code looks like, for readers and for languages without a runtime here: a mass on a spring.

use mechan::model::{CodeNames, CodeParameter, Language, Layout, Model, Output, code};
use mechan::tape::{Builder, Tape};

const LAYOUT: Layout = Layout { coordinates: 1, parameters: 2, constraints: 0, contacts: 0, tangents: 1 };

/// M = m, h = k x^3 with k = 2 m.
fn cubic() -> (Model, CodeNames) {
    let mut b = Builder::new(LAYOUT.inputs());
    let (x, m, k, half) = (b.input(1), b.input(3), b.input(4), b.constant(0.5));
    let cube = b.powi(x, 3);
    let force = b.mul(k, cube);
    let potential = b.mul(half, force);
    let zero = b.constant(0.0);
    let one = |output: Output| match output {
        Output::MassMatrix => m,
        Output::Bias | Output::Potential => force,
        Output::PotentialEnergy => potential,
        _ => zero,
    };
    let outputs: Vec<_> = Output::ALL.into_iter().filter(|&o| LAYOUT.len(o) > 0).map(one).collect();
    let model = Model::new(LAYOUT, b.finish(&outputs)).expect("the tape has the layout's shape");
    let parameter = |name: &str, value, follows| CodeParameter { name: name.to_string(), value, follows };
    let names = CodeNames {
        mechanism: "cubic".to_string(),
        coordinates: vec!["x".to_string()],
        parameters: vec![parameter("m", 1.5, None), parameter("k", 3.0, Some(doubled()))],
        constraints: vec![],
        contacts: vec![],
    };
    (model, names)
}

fn doubled() -> Tape {
    let mut b = Builder::new(2);
    let (m, two) = (b.input(0), b.constant(2.0));
    let value = b.mul(two, m);
    b.finish(&[value])
}

#[test]
fn julia_code_as_it_is_written() {
    let (model, names) = cubic();
    insta::assert_snapshot!("julia", code(&model, &names, Language::Julia));
}

#[test]
fn sympy_code_as_it_is_written() {
    let (model, names) = cubic();
    insta::assert_snapshot!("sympy", code(&model, &names, Language::SymPy));
}

/// A file without parameters, contacts and constraints is well formed too: no function mentions what there is not.
#[test]
fn what_a_mechanism_lacks_is_not_mentioned() {
    let (model, names) = cubic();
    for language in [Language::Julia, Language::Matlab, Language::Casadi, Language::SymPy] {
        let text = code(&model, &names, language);
        for word in ["gap", "phi", "drift", "slip"] {
            assert!(!text.contains(word), "{language:?}: {word}");
        }
    }
}
