//! The layering of the sources: which module may import which. A back edge fails; so does a module nobody listed,
//! and a page of the book whose table differs from this one.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Module, what it owns, what it may import.
#[rustfmt::skip]
const MODULES: &[(&str, &str, &[&str])] = &[
    ("num",         "number types, exact fractions, tolerances, small dense helpers", &[]),
    ("tape",        "instructions and their generic, batch and compiled evaluation", &["num"]),
    ("linear",      "block and sparse matrices, orders, factorisations", &["num"]),
    ("contact",     "laws on numbers: one contact, sign tables, restitution", &["num"]),
    ("coulomb",     "the discrete Coulomb problem: law, residual, session, solvers and their plan, files", &["linear", "contact", "num"]),
    ("enumerate",   "all solutions of a planar problem, and the checker of their record", &["coulomb", "linear", "num"]),
    ("existence",   "whether a problem must have a solution or can have none: certificates and their checker", &["enumerate", "coulomb", "linear", "num"]),
    ("answer",      "one answer about a problem from solvers, list and proofs", &["existence", "enumerate", "coulomb", "linear", "num"]),
    ("predict",     "what closed contacts can do: all combinations of modes, their forces, which last, and what is proven of them", &["answer", "enumerate", "coulomb", "linear", "contact", "num"]),
    ("impact",      "collisions of one contact and of several", &["predict", "answer", "coulomb", "contact", "num"]),
    ("equilibrium", "contacts at rest: forces that hold them, chatter and stability nearby, what disturbs them", &["impact", "predict", "enumerate", "contact", "num"]),
    ("diag",        "diagnostics: severity, code, span, message, hint; rendering", &["num"]),
    ("expression",  "the expression language: text to a checked tree with spans", &["diag", "num"]),
    ("format",      "YAML to a validated mechanism or scene; states as numbers; JSON Schema", &["expression", "diag", "num"]),
    ("import",      "robot descriptions, URDF and MJCF, as mechanism files", &["expression", "diag", "num"]),
    ("model",       "the derived mechanism as numbers: evaluation, M factored, files, cache, code", &["tape", "num", "diag"]),
    ("derive",      "Lagrange's equations with Symbolica, in a process of its own", &["format", "expression", "model", "tape", "num", "diag"]),
    ("rederive",    "the equations of a model against its file once more, exactly, at random points", &["format", "expression", "model", "num"]),
    ("stepping",    "the problem of a mechanism's next step, and time-stepping schemes", &["answer", "coulomb", "linear", "model", "tape", "num"]),
    ("scene",       "many bodies, mechanisms among them: collision, surfaces, the loop of a run", &["stepping", "existence", "enumerate", "answer", "coulomb", "model", "format", "expression", "linear", "num", "diag"]),
    ("analysis",    "one question about a state per file, a folder per kind of contact problem", &["impact", "equilibrium", "predict", "stepping", "answer", "existence", "enumerate", "coulomb", "contact", "model", "tape", "num", "diag"]),
    ("prove",       "statements over sets of states, and their certificates", &["tape", "num"]),
    ("simulate",    "motions from event to event, and their trajectories", &["impact", "equilibrium", "predict", "analysis", "stepping", "answer", "coulomb", "linear", "model", "tape", "contact", "num"]),
    ("report",      "outcomes as text, Markdown, HTML and JSON; data files", &["equilibrium", "predict", "simulate", "analysis", "scene", "stepping", "answer", "existence", "enumerate", "coulomb", "contact", "model", "format", "num", "diag"]),
    ("plot",        "pictures of outcomes as SVG and PNG", &["impact", "predict", "report", "scene", "simulate", "analysis", "contact", "format", "expression", "num", "diag"]),
    ("pipeline",    "load, derive or take from the cache, analyse", &["impact", "equilibrium", "rederive", "predict", "prove", "plot", "report", "simulate", "analysis", "scene", "stepping", "answer", "existence", "enumerate", "coulomb", "linear", "contact", "derive", "model", "tape", "import", "format", "expression", "num", "diag"]),
    ("explore",     "the page on which mechanisms are touched, and the engine behind it", &["pipeline", "plot", "report", "analysis", "model", "format", "expression", "diag"]),
    ("cli",         "arguments to pipeline; one file per command; exit status", &["explore", "predict", "prove", "pipeline", "plot", "report", "simulate", "analysis", "scene", "stepping", "answer", "existence", "enumerate", "coulomb", "contact", "derive", "model", "tape", "import", "format", "expression", "num", "diag"]),
];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Where rooms stand, a folder or a file each: of crates that have several, and of the package itself.
const SOURCES: [&str; 6] = [
    "crates/contact/src",
    "crates/engine/src",
    "crates/language/src",
    "crates/mechanism/src",
    "crates/motion/src",
    "src",
];

/// Crates that are one room each.
const ROOMS: [(&str, &str); 4] = [
    ("num", "crates/num/src"),
    ("tape", "crates/tape/src"),
    ("import", "crates/import/src"),
    ("prove", "crates/prove/src"),
];

/// All files of Rust.
fn all_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let rooms = ROOMS.iter().map(|(_, folder)| folder);
    SOURCES.iter().chain(rooms).for_each(|folder| rust_files(Path::new(folder), &mut found));
    found
}

/// The files of a module: `name/**` and `name.rs`, or a crate.
fn module_files(name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in SOURCES.map(Path::new) {
        rust_files(&folder.join(name), &mut found);
        found.extend(Some(folder.join(format!("{name}.rs"))).filter(|single| single.exists()));
    }
    ROOMS
        .iter()
        .filter(|(room, _)| *room == name)
        .for_each(|(_, folder)| rust_files(Path::new(folder), &mut found));
    found.sort();
    found
}

/// Names `x` that occur as `crate::x` outside comments, and those of `use crate::{x, y::..}`; other crates of ours count as this one.
fn crate_imports(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let code: String =
        text.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let code = SHARED.iter().fold(code, |code, (theirs, here)| code.replace(theirs, here));
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            found.extend(top_level_names(group));
        } else {
            found.insert(first_name(rest));
        }
    }
    found
}

/// What names of other crates of ours are called here.
const SHARED: [(&str, &str); 9] = [
    ("mechan_contact::", "crate::"),
    ("mechan_engine::", "crate::"),
    ("mechan_language::", "crate::"),
    ("mechan_mechanism::", "crate::"),
    ("mechan_motion::", "crate::"),
    ("mechan_prove", "crate::prove"),
    ("mechan_num", "crate::num"),
    ("mechan_tape", "crate::tape"),
    ("mechan_import", "crate::import"),
];

fn first_name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn top_level_names(group: &str) -> Vec<String> {
    let (mut depth, mut names, mut fresh) = (0, Vec::new(), true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            c if fresh && !c.is_whitespace() => {
                names.push(first_name(&group[at..]));
                fresh = false;
            }
            _ => {}
        }
    }
    names
}

#[test]
fn imports_go_only_up_the_table() {
    let names: BTreeSet<&str> = MODULES.iter().map(|m| m.0).collect();
    let mut faults = Vec::new();
    for (module, _, allowed) in MODULES {
        for file in module_files(module) {
            let text = fs::read_to_string(&file).expect("a source file can be read");
            for import in crate_imports(&text) {
                let inside = import == *module || !names.contains(import.as_str());
                if !inside && !allowed.contains(&import.as_str()) {
                    faults.push(format!("{}: {module} may not import {import}", file.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_module_is_listed_and_exists() {
    let names: BTreeSet<String> = MODULES.iter().map(|m| m.0.to_string()).collect();
    let mut present: BTreeSet<String> = ROOMS.iter().map(|(room, _)| room.to_string()).collect();
    let entries = |folder: &&str| fs::read_dir(folder).expect("sources exist").flatten().collect::<Vec<_>>();
    for entry in SOURCES.iter().flat_map(entries) {
        let stem = entry.path().file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        if stem != "lib" && stem != "main" {
            present.insert(stem);
        }
    }
    assert_eq!(names, present);
}

#[test]
fn only_derive_names_symbolica() {
    for (module, _, _) in MODULES.iter().filter(|m| m.0 != "derive") {
        for file in module_files(module) {
            let text = fs::read_to_string(&file).expect("a source file can be read");
            let uses = text.lines().any(|l| !l.trim_start().starts_with("//") && l.contains("symbolica::"));
            assert!(!uses, "{} uses symbolica", file.display());
        }
    }
}

#[test]
fn the_book_shows_this_table() {
    let table: String = MODULES.iter().map(|(name, owns, _)| format!("| `{name}` | {owns} |\n")).collect();
    let page = fs::read_to_string("docs/architecture.md").expect("the page exists");
    assert!(page.contains(&table), "docs/architecture.md should contain:\n{table}");
}

#[test]
fn the_import_scanner_sees_groups_and_paths() {
    let text = "use crate::{tape::Tape, num::{Real, Tol}};\n// crate::cli\nfn f() { crate::report::x(); }";
    let expected: BTreeSet<String> = ["tape", "num", "report"].map(String::from).into();
    assert_eq!(crate_imports(text), expected);
}

/// No file and no function may outgrow a reader; data tables are exempt from neither.
#[test]
fn files_stay_readable() {
    for file in all_files() {
        let text = fs::read_to_string(&file).expect("a source file can be read");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().filter(|l| !l.trim().is_empty()).count();
        assert!(lines <= 600, "{} has {lines} lines", file.display());
    }
}

/// A snapshot says one thing.
#[test]
fn snapshots_are_short() {
    let all = fs::read_dir("snapshots").expect("snapshots").map(|entry| entry.expect("an entry"));
    let size = |entry: &fs::DirEntry| entry.metadata().expect("its size").len();
    let long: Vec<_> = all.filter(|entry| size(entry) > 20 * 1024).map(|entry| entry.file_name()).collect();
    assert!(long.is_empty(), "longer than 20 KiB: {long:?}");
}

/// Files that may have small numbers: the sets of tolerances, that of the solvers and the rest; coefficients of functions; and
/// the table of attempts with their parameters.
const WITH_SMALL_NUMBERS: [&str; 7] = [
    "crates/num/src/tol.rs",
    "crates/contact/src/coulomb/tolerance.rs",
    "crates/motion/src/simulate/compliant/tolerance.rs",
    "crates/motion/src/stepping/scheme/tolerance.rs",
    "crates/motion/src/simulate/cycle/tolerance.rs",
    "crates/num/src/trig.rs",
    "crates/contact/src/coulomb/plan/default.rs",
];

/// Numbers such as `1e-9` in code, tests and comments aside; times and lengths that are defaults have a name and a unit.
fn small_numbers(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines =
        code.lines().filter(|l| !l.trim_start().starts_with("//") && !l.contains("pub const DEFAULT_"));
    let token = |c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || c == '-');
    let is_small = |t: &&str| t.starts_with(|c: char| c.is_ascii_digit()) && t.contains("e-");
    lines
        .flat_map(|l| l.split("//").next().unwrap_or_default().split(token))
        .filter(is_small)
        .map(String::from)
        .collect()
}

#[test]
fn tolerances_stand_in_one_place() {
    let files = all_files();
    let is_test = |p: &Path| p.file_name().is_some_and(|n| n == "tests.rs");
    let mut faults = Vec::new();
    for file in files.iter().filter(|p| !is_test(p)) {
        let name = file.to_string_lossy().replace('\\', "/");
        let found = small_numbers(&fs::read_to_string(file).expect("a source file can be read"));
        if !found.is_empty() && !WITH_SMALL_NUMBERS.contains(&name.as_str()) {
            faults.push(format!("{name}: {found:?}"));
        }
    }
    assert!(
        faults.is_empty(),
        "a tolerance needs a field with a reason in crates/num/src/tol.rs (or that of the solvers):\n{}",
        faults.join("\n")
    );
}

#[test]
fn the_scanner_of_small_numbers_sees_them_in_code_alone() {
    let text = "let x = 1e-9 + 2.5e-3_f64; // 1e-4\n/// 1e-7\npub const DEFAULT_STEP: f64 = 1e-3;\n#[cfg(test)] 1e-2";
    assert_eq!(small_numbers(text), ["1e-9", "2.5e-3_f64"]);
}
