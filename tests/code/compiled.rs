//! Rust and C.

use crate::case::{Case, FOLLOWED, agree, library, probe};
use crate::{run, write};
use mechan::model::Language;
use std::process::Command;

fn array(values: &[f64]) -> String {
    values.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ")
}

fn rust_main(case: &Case) -> String {
    let name = case.name();
    let mut main = format!("#[path = \"{name}.rs\"] mod {name};\n");
    main += "fn show(x: &[f64]) { x.iter().for_each(|x| println!(\"{x:?}\")); }\nfn main() {\n";
    for state in &case.states {
        let (q, v, p) = (array(&state.q), array(&state.v), array(&state.parameters));
        main += &format!("let w = {name}::{name}_equations({:?}, &[{q}], &[{v}], &[{p}]);\n", state.t);
        for block in case.blocks() {
            main += &if ["M", "W_N", "W_T", "J"].contains(&block) {
                format!("w.{block}.iter().for_each(|r| show(r));\n")
            } else {
                format!("show(&w.{block});\n")
            };
        }
    }
    main
}

fn rust_agrees(case: &Case, more: &str, expected: &[f64]) {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &format!("{}.rs", case.name()), &case.code(Language::Rust));
    let source = write(folder.path(), "main.rs", &(rust_main(case) + more + "}\n"));
    let program = folder.path().join("main");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let lints = ["--edition", "2021", "-D", "warnings", "-A", "dead_code", "-o"];
    run(Command::new(rustc).args(lints).arg(&program).arg(&source)).expect("rustc is there");
    agree(&run(&mut Command::new(&program)).expect("the program is there"), expected);
}

#[test]
fn rust_code_computes_what_the_tape_computes() {
    let follow = "let mut p = probe::PARAMETERS;\np[0] = 2.5;\nprobe::follow(&mut p);\nshow(&p);\n\
        p[1] = 1.0;\nprobe::follow_others(&mut p, &[true, true, false]);\nshow(&p);\n";
    rust_agrees(&probe(), follow, &[probe().expected(), FOLLOWED.to_vec()].concat());
    library().iter().for_each(|case| rust_agrees(case, "", &case.expected()));
}

fn c_main(case: &Case) -> String {
    let name = case.name();
    let mut text = String::from(
        "#include <stdio.h>\nstatic void show(const double *x, int n) { for (int i = 0; i < n; ++i) printf(\"%.17g\\n\", x[i]); }\n",
    );
    text += &format!("int main(void) {{ {name}_values w;\n");
    for state in &case.states {
        let (q, v, p) = (array(&state.q), array(&state.v), array(&state.parameters));
        text += &format!(
            "{{ double q[] = {{{q}}}, v[] = {{{v}}}, p[] = {{{p}}}; {name}_equations({}, q, v, p, &w); }}\n",
            state.t
        );
        for block in case.blocks() {
            text += &format!("show((const double *)w.{block}, sizeof w.{block} / sizeof(double));\n");
        }
    }
    text
}

/// False where there is no C compiler.
fn c_agrees(case: &Case, more: &str, expected: &[f64]) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let text = case.code(Language::C) + c_main(case).as_str() + more + "return 0; }\n";
    let source = write(folder.path(), "main.c", &text);
    let program = folder.path().join("main");
    let mut cc = Command::new("cc");
    cc.args(["-std=c99", "-Wall", "-Werror", "-Wno-unused-const-variable", "-o"]).arg(&program).arg(&source);
    if run(cc.arg("-lm")).is_none() {
        return false;
    }
    agree(&run(&mut Command::new(&program)).expect("the program is there"), expected);
    true
}

#[test]
fn c_code_computes_what_the_tape_computes() {
    let follow = "double p[] = {2.5, 0, 0}; probe_follow(p); show(p, 3);\n\
        int given[] = {1, 1, 0}; p[1] = 1; probe_follow_others(p, given); show(p, 3);\n";
    if !c_agrees(&probe(), follow, &[probe().expected(), FOLLOWED.to_vec()].concat()) {
        return eprintln!("skipped: there is no C compiler `cc`");
    }
    library().iter().for_each(|case| assert!(c_agrees(case, "", &case.expected())));
}
