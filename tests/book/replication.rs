//! The tests and commands that the page of replications names exist and run.

use crate::commands::Place;
use crate::pages::Page;
use crate::run::mechan;

fn code(page: &Page) -> Vec<String> {
    let rows = page.prose().into_iter().filter(|line| line.starts_with('|'));
    rows.flat_map(|line| line.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn tests_that_are_named_exist() {
    let page = Page::of("docs/replication.md");
    let named: Vec<String> = code(&page).into_iter().filter(|word| word.contains(".rs::")).collect();
    assert!(named.len() > 50, "{}", named.len());
    for word in named {
        let (file, name) = word.split_once("::").unwrap();
        let path = if file.starts_with("crates/") { file.to_string() } else { format!("tests/{file}") };
        let text = std::fs::read_to_string(path);
        let text = text.unwrap_or_else(|e| panic!("{word}: {e}"));
        assert!(has_test(&text, name), "{word}: there is no such test");
    }
    assert!(!has_test("fn a() {}", "a") && has_test("#[test]\n    fn a(x in 0..1) {}", "a"));
}

/// A function of the name with the attribute above it, as in plain tests and in those with random arguments.
fn has_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let start = format!("fn {name}(");
    lines.iter().enumerate().filter(|(_, line)| line.starts_with(&start)).any(|(k, _)| {
        let above =
            lines[..k].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("//"));
        above.copied().any(|line| line == "#[test]")
    })
}

/// A row of a table has a test, or it is the row of names.
#[test]
fn every_row_has_a_test() {
    let page = Page::of("docs/replication.md");
    let rows: Vec<&str> = page.prose().into_iter().filter(|line| line.starts_with('|')).collect();
    let bare = rows.iter().filter(|row| !row.contains(".rs::"));
    assert!(
        bare.clone().all(|row| row.starts_with("| what |") || row.starts_with("|---")),
        "{:?}",
        bare.collect::<Vec<_>>()
    );
}

#[test]
fn commands_of_replications_run() {
    let page = Page::of("docs/replication.md");
    let place = Place::for_page(&page);
    let commands: Vec<String> = code(&page).into_iter().filter(|word| word.starts_with("mechan ")).collect();
    assert!(commands.len() > 40, "{}", commands.len());
    place.run_all(&commands);
}

/// [UCD] has the denominator m ℓ²; by its dimension and by these states it is m I_c (docs/errata.md, 1).
#[test]
fn alpha_of_the_slipping_pencil_has_the_denominator_of_the_errata() {
    let report = mechan(&["analyze", "falling_pencil", "--format", "json"]).ends(0).json();
    let states = report["states"].as_array().unwrap();
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let mut seen = 0;
    for state in states {
        let (tip, of) = (&state["contacts"]["tip"], &state["parameters"]);
        let (m, l, I, mu) = (number(&of["m"]), number(&of["l"]), number(&of["I"]), number(&of["mu"]));
        let (u, (s, c)) = (number(&tip["slip"][0]), number(&state["q"]["theta"]).sin_cos());
        if u.abs() > 1e-9 {
            let alpha = (I + m * l * l * (s * s - u.signum() * mu * s * c)) / (m * I);
            assert!((number(&tip["p_slip"]) - alpha).abs() < 1e-12, "{state}");
            seen += 1;
        }
    }
    assert!(seen >= 3, "{seen}");
}
