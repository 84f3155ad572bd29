//! Python with NumPy, SymPy and CasADi.

use crate::case::{Case, FOLLOWED, agree, library, probe};
use crate::interpreter::has;
use crate::{run, write};
use mechan::model::Language;
use std::process::Command;

/// Python that has the states in `STATES` and the names in `BLOCKS`.
fn data(case: &Case) -> String {
    let states: Vec<String> = case
        .states
        .iter()
        .map(|s| format!("({:?}, {:?}, {:?}, {:?})", s.t, s.q, s.v, s.parameters))
        .collect();
    format!("\nimport numpy\nBLOCKS = {:?}\nSTATES = [{}]\n", case.blocks(), states.join(", "))
}

const SHOW: &str = "def show(x):
    for y in numpy.asarray(x, dtype=float).ravel():
        print(repr(float(y)))
";

const FOLLOW: &str = "show(probe_parameters(m=2.5))
show(probe_parameters(m=2.5, k=1.0))
try:
    probe_parameters(mass=1)
    raise SystemExit('mass is no parameter')
except TypeError:
    pass
";

fn agrees(case: &Case, language: Language, evaluate: &str, times: usize) {
    let folder = tempfile::tempdir().unwrap();
    let text =
        case.code(language) + data(case).as_str() + SHOW + evaluate.replace("NAME", case.name()).as_str();
    let expected = case.expected().repeat(times);
    let (text, expected) = match case.name() {
        "probe" => (text + FOLLOW, [expected, FOLLOWED.to_vec()].concat()),
        _ => (text, expected),
    };
    let source = write(folder.path(), "main.py", &text);
    agree(&run(Command::new("python3").arg(&source)).expect("python is there"), &expected);
}

fn all_agree(language: Language, evaluate: &str, times: usize) {
    agrees(&probe(), language, evaluate, times);
    library().iter().for_each(|case| agrees(case, language, evaluate, times));
}

#[test]
fn python_code_computes_what_the_tape_computes() {
    if !has("numpy") {
        return;
    }
    let evaluate = "for state in STATES:
    w = NAME_equations(*state)
    assert list(w) == BLOCKS
    for name in BLOCKS:
        show(w[name])
";
    all_agree(Language::Python, evaluate, 1);
}

/// By numbers in place of symbols, and by symbols that become a function of numbers.
#[test]
fn sympy_expressions_have_the_values_of_the_tape() {
    if !has("sympy") {
        return;
    }
    let evaluate = "for state in STATES:
    w = NAME_equations(*state)
    assert list(w) == BLOCKS
    for name in BLOCKS:
        show(w[name])
w = NAME_equations()
f = sp.lambdify([t, q, v, p], [w[name] for name in BLOCKS], cse=True)
for state in STATES:
    for x in f(*state):
        show(x)
";
    all_agree(Language::SymPy, evaluate, 2);
}

/// What is symbolic: ∂gap/∂q is W_N, ∂V/∂q is G, exactly; parameters follow symbols.
#[test]
fn sympy_expressions_can_be_differentiated() {
    if !has("sympy") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let case = library().into_iter().find(|c| c.name() == "compass_biped").expect("it is in the list");
    let text = case.code(Language::SymPy)
        + "
w = compass_biped_equations()
assert sp.simplify(w['gap'].jacobian(q) - w['W_N']).is_zero_matrix
assert sp.simplify(sp.Matrix([w['V']]).jacobian(q).T - w['G']).is_zero_matrix
assert sp.simplify((sp.Matrix(v).T * w['M'] * sp.Matrix(v))[0] / 2 - w['T']) == 0
";
    let source = write(folder.path(), "main.py", &text);
    run(Command::new("python3").arg(&source)).expect("python is there");
    let probe = probe().code(Language::SymPy)
        + "
m = sp.Symbol('m', positive=True)
assert probe_parameters(m=m) == [m, sp.Rational(1, 4) - m**2, sp.Rational(5, 4) - m**2]
";
    let source = write(folder.path(), "probe.py", &probe);
    run(Command::new("python3").arg(&source)).expect("python is there");
}

/// By numbers, and symbolically: J = ∂φ/∂q by CasADi's own derivatives where there are constraints.
#[test]
fn casadi_functions_compute_what_the_tape_computes() {
    if !has("casadi") {
        return;
    }
    let evaluate = "for state in STATES:
    w = NAME_equations(*state)
    assert sorted(w) == sorted(BLOCKS)
    for name in BLOCKS:
        show(ca.DM(w[name]).full())
q = ca.SX.sym('q', len(COORDINATES))
for (value, slope) in [('phi', 'J'), ('gap', 'W_N')]:
    if value in BLOCKS and 'NAME' != 'probe':
        t0, q0, v0, p0 = STATES[0]
        jacobian = ca.Function('j', [q], [ca.jacobian(NAME_equations(t0, q, v0, p0)[value], q)])(q0).full()
        exact = NAME_equations(t0, q0, v0, p0)[slope].full()
        assert abs(jacobian - exact).max() <= 1e-12 * (1 + abs(exact).max()), (value, jacobian, exact)
";
    all_agree(Language::Casadi, evaluate, 1);
}
