//! Julia.

use crate::case::{Case, FOLLOWED, agree, library, probe};
use crate::{run, write};
use mechan::model::Language;
use std::process::Command;

fn script(case: &Case) -> String {
    let name = case.name();
    let mut text = format!("include(\"{name}.jl\")\nusing .{name}_mechanism\n");
    text += "show_all(x::Number) = println(repr(Float64(x)))\nshow_all(x::AbstractVector) = foreach(show_all, x)\n";
    text += "show_all(x::AbstractMatrix) = foreach(show_all, permutedims(x))\n";
    for s in &case.states {
        text += &format!(
            "w = {name}_equations({:?}, Float64{:?}, Float64{:?}, Float64{:?})\n",
            s.t, s.q, s.v, s.parameters
        );
        case.blocks().iter().for_each(|block| text += &format!("show_all(w.{block})\n"));
    }
    text
}

const FOLLOW: &str = "show_all(probe_parameters(m=2.5))
show_all(probe_parameters(m=2.5, k=1.0))
try
    probe_parameters(mass=1)
    exit(1)
catch fault
    fault isa ArgumentError || exit(1)
end
";

/// False where there is no Julia.
fn agrees(case: &Case) -> bool {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &format!("{}.jl", case.name()), &case.code(Language::Julia));
    let (text, expected) = match case.name() {
        "probe" => (script(case) + FOLLOW, [case.expected(), FOLLOWED.to_vec()].concat()),
        _ => (script(case), case.expected()),
    };
    let source = write(folder.path(), "main.jl", &text);
    let Some(printed) = run(Command::new("julia").arg("--startup-file=no").arg(&source)) else {
        return false;
    };
    agree(&printed, &expected);
    true
}

#[test]
fn julia_computes_what_the_tape_computes() {
    if !agrees(&probe()) {
        return eprintln!("skipped: there is no `julia`");
    }
    library().iter().for_each(|case| assert!(agrees(case)));
}
