//! Generated code, compiled or run, against the tape it was generated from.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

use mechan::model::{CodeNames, CodeParameter, Language, Layout, Model, Output, State, code};
use mechan::tape::{Builder, Unary};
use std::path::Path;
use std::process::Command;

const LAYOUT: Layout = Layout { coordinates: 2, parameters: 2, constraints: 1, contacts: 1, tangents: 1 };

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
    let outputs: Vec<_> = (0..LAYOUT.outputs()).map(|i| pool[i % pool.len()]).collect();
    Model::new(LAYOUT, b.finish(&outputs)).expect("the tape has the layout's shape")
}

fn parameter(name: &str, value: f64, follows: Option<mechan::tape::Tape>) -> CodeParameter {
    CodeParameter { name: name.into(), value, follows }
}

/// k = 1/4 - m sqrt(m^2): -2 at m = 3/2, -6 at m = 5/2.
fn follows() -> mechan::tape::Tape {
    let mut b = Builder::new(LAYOUT.parameters);
    let (m, quarter) = (b.input(0), b.constant(0.25));
    let square = b.mul(m, m);
    let root = b.unary(Unary::Sqrt, square);
    let product = b.mul(m, root);
    let value = b.sub(quarter, product);
    b.finish(&[value])
}

fn names() -> CodeNames {
    CodeNames {
        mechanism: "probe".into(),
        coordinates: vec!["x".into(), "y".into()],
        parameters: vec![parameter("m", 1.5, None), parameter("k", -2.0, Some(follows()))],
        constraints: vec!["bar".into()],
        contacts: vec!["tip".into()],
    }
}

const T: f64 = 0.3;
const Q: [f64; 2] = [0.7, -1.1];
const V: [f64; 2] = [0.2, 0.9];
const P: [f64; 2] = [1.5, -2.0];

/// All outputs in tape order, M as the full matrix.
fn expected(model: &Model) -> Vec<f64> {
    let kernel = model.kernel(&Output::ALL);
    let mut values = kernel.values();
    let state = State { t: T, q: Q.to_vec(), v: V.to_vec(), parameters: P.to_vec() };
    kernel.evaluate(&state.inputs::<f64>(), &mut values);
    let M = kernel.block(&values, Output::MassMatrix);
    let mut all = vec![M[0], M[1], M[1], M[2]];
    Output::ALL[1..].iter().for_each(|&o| all.extend_from_slice(kernel.block(&values, o)));
    // the parameters when m is 5/2
    all.extend([2.5, -6.0]);
    all
}

fn run(command: &mut Command) -> Option<String> {
    let output = match command.output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        other => other.expect("the command runs"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn agree(printed: &str, expected: &[f64]) {
    let numbers: Vec<f64> = printed.split_whitespace().map(|w| w.parse().expect("a number")).collect();
    assert_eq!(numbers.len(), expected.len());
    for (i, (a, b)) in numbers.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "output {i}: {a} against {b}");
    }
}

const BLOCKS: [&str; 17] = [
    "h", "gap", "W_N", "gap_t", "drift_N", "W_T", "slip_t", "drift_T", "phi", "J", "phi_t", "drift_J", "T",
    "V", "B", "G", "F",
];

fn write(folder: &Path, name: &str, text: &str) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the folder can be written");
    path
}

#[test]
fn rust_code_computes_what_the_tape_computes() {
    let folder = tempfile::tempdir().unwrap();
    let model = model();
    write(folder.path(), "probe.rs", &code(&model, &names(), Language::Rust));
    let mut main = String::from(
        "#[path = \"probe.rs\"] mod probe;\nfn show(x: &[f64]) { x.iter().for_each(|x| println!(\"{x:?}\")); }\nfn main() {\n",
    );
    main += &format!(
        "let w = probe::probe_equations({T:?}, &{Q:?}, &{V:?}, &probe::PARAMETERS);\nw.M.iter().for_each(|r| show(r));\n"
    );
    for block in BLOCKS {
        let matrix = ["W_N", "W_T", "J"].contains(&block);
        main += &if matrix {
            format!("w.{block}.iter().for_each(|r| show(r));\n")
        } else {
            format!("show(&w.{block});\n")
        };
    }
    main += "let mut p = probe::PARAMETERS;\np[0] = 2.5;\nprobe::follow(&mut p);\nshow(&p);\n";
    let source = write(folder.path(), "main.rs", &(main + "}\n"));
    let program = folder.path().join("main");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    run(Command::new(rustc).args(["--edition", "2021", "-D", "warnings", "-o"]).arg(&program).arg(&source))
        .expect("rustc is there");
    agree(&run(&mut Command::new(&program)).expect("the program is there"), &expected(&model));
}

#[test]
fn c_code_computes_what_the_tape_computes() {
    let folder = tempfile::tempdir().unwrap();
    let model = model();
    let mut text = code(&model, &names(), Language::C);
    text += "#include <stdio.h>\nstatic void show(const double *x, int n) { for (int i = 0; i < n; ++i) printf(\"%.17g\\n\", x[i]); }\n";
    text += &format!(
        "int main(void) {{ double q[] = {{{}, {}}}, v[] = {{{}, {}}}; probe_values w;\n",
        Q[0], Q[1], V[0], V[1]
    );
    text += &format!("probe_equations({T}, q, v, probe_parameters, &w);\n");
    for block in ["M"].iter().chain(&BLOCKS) {
        text += &format!("show((const double *)w.{block}, sizeof w.{block} / sizeof(double));\n");
    }
    text += "double p[] = {2.5, 0}; probe_follow(p); show(p, 2);\n";
    let source = write(folder.path(), "main.c", &(text + "return 0; }\n"));
    let program = folder.path().join("main");
    let built = run(Command::new("cc")
        .args(["-std=c99", "-Wall", "-Werror", "-o"])
        .arg(&program)
        .arg(&source)
        .arg("-lm"));
    if built.is_none() {
        return eprintln!("skipped: there is no C compiler `cc`");
    }
    agree(&run(&mut Command::new(&program)).expect("the program is there"), &expected(&model));
}

#[test]
fn python_code_computes_what_the_tape_computes() {
    let folder = tempfile::tempdir().unwrap();
    let numpy = Command::new("python3").args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|o| o.status.success()) {
        return eprintln!("skipped: there is no Python with NumPy");
    }
    let model = model();
    let mut text = code(&model, &names(), Language::Python);
    text += &format!("\nw = probe_equations({T:?}, {Q:?}, {V:?})\nfor name in [\"M\"] + {BLOCKS:?}:\n");
    text += "    for x in np.asarray(w[name], dtype=float).ravel():\n        print(repr(float(x)))\n";
    text += "for x in probe_parameters(m=2.5):\n    print(repr(float(x)))\n";
    text += "assert probe_parameters(m=2.5, k=1.0) == [2.5, 1.0]\n";
    text += "try:\n    probe_parameters(mass=1)\n    raise SystemExit('mass is no parameter')\nexcept TypeError:\n    pass\n";
    let source = write(folder.path(), "main.py", &text);
    agree(&run(Command::new("python3").arg(&source)).expect("python is there"), &expected(&model));
}
