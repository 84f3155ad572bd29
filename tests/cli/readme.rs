//! The README is short, and its mechanism is analysed; its commands are run with those of the book (`tests/book`).

#[cfg(feature = "derive")]
use crate::run::mechan_on;

fn readme() -> String {
    std::fs::read_to_string("README.md").expect("README.md exists")
}

#[cfg(feature = "derive")]
#[test]
fn the_mechanism_of_the_readme_is_analysed() {
    let text = readme();
    let yaml = text.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let run = mechan_on(&["analyze", "-", "--format", "json"], yaml.as_bytes()).ends(0).json();
    assert_eq!(run["mechanism"], "rod");
    assert_eq!(run["states"][0]["verdict"], "inconsistent");
    let least = run["critical_friction"]["tip"]["mu"].as_f64().unwrap();
    assert!((least - 4.0 / 3.0).abs() < 1e-6, "{least}");
}

#[test]
fn the_readme_is_short_and_begins_with_a_picture() {
    let text = readme();
    assert!(text.lines().count() < 150);
    let first = text.lines().take(20).any(|line| line.contains("<img src=\"docs/img/"));
    assert!(first, "no picture on the first screen");
}

#[test]
fn the_readme_counts_the_shipped_mechanisms() {
    let shipped = std::fs::read_dir("mechanisms").unwrap().count();
    assert!(readme().contains(&format!("{shipped} mechanisms of the literature")), "{shipped}");
}
