//! Diagnostics as they are printed. In each the marks stand under the characters that the message is about.

use crate::shared::{PLANE, edited, faults, shown};
use insta::Settings;
use mechan::diag::{Color, Source, Span, render};
use mechan::format::Override;

fn compare(name: &str, printed: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("diagnostic_{name}"), printed));
}

fn compare_file(name: &str, text: &str) {
    let (source, found) = faults(text.as_bytes());
    compare(name, &shown(&found, &source));
}

#[test]
fn a_mistyped_name() {
    compare_file("name", &edited(PLANE, "position: [x, y]", "position: [x + l*sin(theta), yy]"));
}

#[test]
fn several_at_once() {
    let text = edited(PLANE, "space: plane", "space: plain");
    let text = edited(&text, "mechan: 1", "mechan: 7");
    let text = edited(&text, "mass: m", "mas: m");
    let text = edited(&text, "friction: mu", "friction: nu");
    compare_file("several", &edited(&text, "{x: 0, y: 0}", "{x: 0, z: 2 y}"));
}

#[test]
fn a_long_line() {
    let sum = "0.25*cos(x)^2 + ".repeat(12);
    compare_file(
        "long_line",
        &edited(PLANE, "position: [x, y]", &format!("position: [x, {sum}sin(w) + {sum}y]")),
    );
}

#[test]
fn characters_of_several_bytes() {
    let text = edited(PLANE, "  tip: {", "  tip: {   # Stoß: Körper \u{1f6de} trifft Fläche\n    ");
    let law = "restitution: {law: \"größer als λ\", valeur: 1/2}";
    compare_file(
        "multibyte",
        &edited(&text, "friction: mu}", &format!("{law},\n    friction: 0.3*μ}} # für λ ≥ 0")),
    );
}

#[test]
fn a_folded_scalar() {
    let folded =
        "\n    mass: m\n    position:\n      - >\n        x\n        + 2*lenght\n        + 1\n      - y";
    compare_file("folded", &edited(PLANE, "{mass: m, position: [x, y]}", folded));
}

#[test]
fn an_override() {
    let mechanism = crate::shared::checked(PLANE).mechanism;
    let printed: Vec<String> = ["mu = 0.5*nu", "dot(w)=1", "m=2*mu", "x=1+"]
        .iter()
        .map(|text| {
            render(
                &Override::parse(&mechanism, text).unwrap_err(),
                &Source::new("<set>", *text),
                Color::Plain,
            )
        })
        .collect();
    compare("override", &printed.join("\n"));
}

/// What stands above the marks of each printed diagnostic.
fn marked(printed: &str) -> Vec<String> {
    let lines: Vec<&str> = printed.lines().collect();
    let pairs = lines
        .windows(2)
        .filter(|w| w[1].contains('^') && !w[1].trim_start_matches([' ', '|', '^']).contains('^'));
    pairs
        .map(|w| {
            let (above, marks): (Vec<char>, Vec<char>) = (w[0].chars().collect(), w[1].chars().collect());
            (0..marks.len())
                .filter(|i| marks[*i] == '^')
                .map(|i| above.get(i).copied().unwrap_or('∎'))
                .collect()
        })
        .collect()
}

#[test]
fn the_marks_stand_under_the_span_whatever_is_before_it() {
    let before = [
        "",
        "a",
        "\t",
        "é\tü ",
        "日本 ",
        "\u{1f6de}",
        &"x".repeat(49),
        &"ä".repeat(50),
        &"\t".repeat(51),
        &"長".repeat(500),
    ];
    for lead in before {
        for word in ["mu", "μ", "x+y", &"w".repeat(69)] {
            let text = format!("first\n{lead}{word}{}\nlast", " and much more".repeat(20));
            let start = "first\n".len() + lead.len();
            let source = Source::new("f", text);
            let found =
                mechan::diag::Diagnostic::error("M106", "m").with_span(Span::new(start, start + word.len()));
            assert_eq!(marked(&render(&found, &source, Color::Plain)), [word], "after `{lead}`");
        }
    }
}
