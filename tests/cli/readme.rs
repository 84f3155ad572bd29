//! The README's mechanism and commands do what it says.

use crate::run::mechan;
#[cfg(feature = "derive")]
use crate::run::mechan_on;

fn readme() -> String {
    std::fs::read_to_string("README.md").expect("README.md exists")
}

fn fenced<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let open = format!("```{language}\n");
    let blocks = text.split(open.as_str()).skip(1);
    blocks.filter_map(|rest| rest.split("```").next()).collect()
}

#[cfg(feature = "derive")]
#[test]
fn the_first_mechanism_of_the_readme_is_analysed() {
    let text = readme();
    let yaml = fenced(&text, "yaml")[0].to_string();
    let run = mechan_on(&["analyze", "-", "--format", "json"], yaml.as_bytes()).ends(0);
    assert_eq!(run.json()["mechanism"], "rod");
}

#[cfg(feature = "derive")]
#[test]
fn the_commands_of_the_readme_run() {
    let text = readme();
    let mut seen = 0;
    for line in fenced(&text, "console").iter().flat_map(|block| block.lines()) {
        let Some(shell) = line.strip_prefix("$ ") else { continue };
        let words: Vec<&str> = shell.split_whitespace().collect();
        let args = match words.as_slice() {
            ["cargo", "run", "--release", "--", args @ ..] | ["mechan", args @ ..] => args,
            ["cargo", ..] => continue,
            other => panic!("the README runs {other:?}, which no test knows"),
        };
        mechan(args).ends(0);
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn commands_without_derivation_print_what_the_readme_shows() {
    let text = readme();
    let mut shown = 0;
    for session in fenced(&text, "console").iter().flat_map(|block| block.split("$ ").skip(1)) {
        let (shell, expected) = session.split_once('\n').unwrap_or((session, ""));
        let Some(args) = shell.strip_prefix("mechan ") else { continue };
        if !args.starts_with("solve ") && !args.contains(".model.json") {
            continue;
        }
        let out = mechan(&args.split_whitespace().collect::<Vec<_>>()).ends(0).out;
        let mut rest = out.as_str();
        for piece in expected.split("...\n").filter(|piece| !piece.is_empty()) {
            let at = rest.find(piece).unwrap_or_else(|| panic!("{piece}\nis not in\n{rest}"));
            rest = &rest[at + piece.len()..];
            shown += 1;
        }
    }
    assert!(shown >= 5, "{shown}");
}
