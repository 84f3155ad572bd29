//! Units at the command line: faults with their place, the note about what is missing, and units in reports.

use crate::run::{command, finish, mechan_on};

const BALL: &str = "mechan: 1\nname: ball\nspace: plane\nparameters: {m: {value: 2, unit: kg}, g: {value: 9.81, unit: m/s^2}, mu: {value: 0.5, unit: 1}}\n\
    coordinates: [{name: x, unit: m}, {name: y, unit: m}]\ngravity: [0, -g]\nbodies: {ball: {mass: m, position: [x, y]}}\n\
    contacts: {floor: {point: [x, y], surface: {point: [0, 0], normal: [0, 1]}, friction: mu}}\n";

#[test]
fn a_wrong_dimension_is_told_with_its_place() {
    let text = BALL.replace("position: [x, y]", "position: [x, y + m]");
    for command in [&["check", "--no-derive", "-"][..], &["analyze", "-"], &["derive", "-"]] {
        let run = mechan_on(command, text.as_bytes()).ends(1);
        assert!(run.err.contains("error[M221]: a mass is added to a length"), "{}", run.err);
        assert!(run.err.contains("bodies.ball.position"), "{}", run.err);
    }
}

#[test]
fn check_says_what_has_no_unit() {
    let run = mechan_on(&["check", "--no-derive", "-"], BALL.as_bytes()).ends(0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("-: ok\n", ""));
    let partial = BALL.replace("{name: y, unit: m}", "y");
    let run = mechan_on(&["check", "--no-derive", "-"], partial.as_bytes()).ends(0);
    assert_eq!(run.out, "-: ok\n");
    let expected = "-: dimensions are not checked: 1 of 5 parameters and coordinates have no unit\n";
    assert_eq!(run.err, expected);
}

#[test]
fn an_override_of_the_wrong_dimension_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut asked = command(&["analyze", "falling_pencil", "--set", "x=g*l"]);
    let run = finish(asked.current_dir(folder.path()), b"").ends(2);
    assert!(run.err.contains("this is a squared velocity, expected a length"), "{}", run.err);
}

#[test]
fn reports_print_units_where_they_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let analyze = |name: &str, format: &str| {
        let mut asked = command(&["analyze", name, "--full", "--format", format]);
        finish(asked.current_dir(folder.path()), b"").ends(0)
    };
    for format in ["text", "markdown", "html"] {
        let shown = analyze("falling_pencil", format).out.replace("<sup>2</sup>", "^2");
        let text = without_tags(&shown).replace('θ', "theta");
        for part in
            ["9.81 m/s^2", "theta = 0 rad/s", "0.333333 kg m^2", "9.81 J", "1/kg", "contact forces in N"]
        {
            assert!(text.contains(part), "{format}: {part}");
        }
        // in pure numbers
        assert!(!analyze("painleve_rod", format).out.contains("contact forces in"));
    }
    let units = analyze("falling_pencil", "json").json()["units"].clone();
    assert_eq!([&units["length"], &units["mass"], &units["time"], &units["energy"]], ["m", "kg", "s", "J"]);
    assert_eq!(units["contacts"]["tip"]["force"], "N");
    assert!(analyze("painleve_rod", "json").json()["units"].is_null());
}

/// The words of a page.
fn without_tags(page: &str) -> String {
    let mut tags = page.split('<');
    let first = tags.next().unwrap_or_default().to_string();
    tags.fold(first, |words, tag| words + tag.split_once('>').map_or(tag, |(_, after)| after))
}
