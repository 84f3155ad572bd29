//! MATLAB's language, run by Octave.

use crate::case::{Case, FOLLOWED, agree, library, probe};
use crate::{run, write};
use mechan::model::Language;
use std::process::Command;

fn column(values: &[f64]) -> String {
    format!("[{}]", values.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join("; "))
}

fn script(case: &Case) -> String {
    let name = case.name();
    let mut text = String::from("1;\nfunction show(x)\n    x = x';\n    printf('%.17g\\n', x(:));\nend\n");
    for state in &case.states {
        let (q, v, p) = (column(&state.q), column(&state.v), column(&state.parameters));
        text += &format!("w = {name}_equations({:?}, {q}, {v}, {p});\n", state.t);
        case.blocks().iter().for_each(|block| text += &format!("show(w.{block});\n"));
    }
    text
}

const FOLLOW: &str = "show(probe_equations('parameters', struct('m', 2.5)));
show(probe_equations('parameters', struct('m', 2.5, 'k', 1)));
one = probe_equations(0, [1; 2], [3; 4], struct('m', 2.5));
two = probe_equations(0, [1; 2], [3; 4], [2.5; -6; -5]);
assert(isequal(one, two));
assert(isequal(probe_equations(0, [1; 2], [3; 4]), probe_equations(0, [1; 2], [3; 4], [1.5; -2; -1])));
try
    probe_equations('parameters', struct('mass', 1));
    exit(1);
catch fault
    assert(fault.message, 'unknown parameter mass');
end
";

/// False where there is no Octave.
fn agrees(case: &Case) -> bool {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &format!("{}_equations.m", case.name()), &case.code(Language::Matlab));
    let (text, expected) = match case.name() {
        "probe" => (script(case) + FOLLOW, [case.expected(), FOLLOWED.to_vec()].concat()),
        _ => (script(case), case.expected()),
    };
    let source = write(folder.path(), "main.m", &text);
    let mut octave = Command::new("octave-cli");
    octave.args(["--no-init-file", "--quiet", "--path"]).arg(folder.path()).arg(&source);
    let Some(printed) = run(&mut octave) else { return false };
    agree(&printed, &expected);
    true
}

#[test]
fn octave_computes_what_the_tape_computes() {
    if !agrees(&probe()) {
        return eprintln!("skipped: there is no `octave-cli`");
    }
    library().iter().for_each(|case| assert!(agrees(case)));
}
