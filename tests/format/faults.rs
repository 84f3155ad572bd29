//! One case per code: a file with one thing wrong, the marked characters between `«` and `»`. The case asks for
//! this code at this place, and for nothing else.

use crate::shared::{PLANE, SPACE, edited, faults, shown, unmarked};
use mechan::diag::{CODES, Diagnostic, Source};
use mechan::format::Override;
use std::collections::BTreeSet;

/// Code, what is replaced in [`PLANE`], and by what.
#[rustfmt::skip]
const EDITS: &[(&str, &str, &str)] = &[
    ("M005", "[x, y]\nbodies:", "[x, y\nbodies«:»"),
    ("M006", "states:", "«---»\nstates:"),
    ("M007", "space: plane\n", "space: plane\n«name»: again\n"),
    ("M008", "friction: mu", "friction: «*other»"),
    ("M010", "friction: mu", "friction: mu, «frction»: 1"),
    ("M010", "friction: mu", "friction: mu, restitution: {«tangental»: 1}"),
    ("M010", "friction: mu", "friction: mu, compliance: {«tangential_stifness»: 1}"),
    ("M010", "position: [x, y]", "position: [x, y], shape: {box: [1, 1], «bax»: [1, 1]}"),
    ("M011", "{mass: m, position: [x, y]}", "«{mass: m}»"),
    ("M012", "friction: mu", "friction: «-mu»"),
    ("M012", "friction: mu", "friction: mu, restitution: {tangential: «3*mu»}"),
    ("M012", "friction: mu", "friction: mu, compliance: {tangential_stiffness: «0»}"),
    ("M012", "position: [x, y]", "position: [x, y], shape: {disc: «-m»}"),
    ("M012", "position: [x, y]", "position: [x, y], shape: {box: [m, «0»]}"),
    ("M013", "position: [x, y]", "position: [x, y], shape: «disc»"),
    ("M013", "mass: m", "mass: «{value: m}»"),
    ("M013", "mu: 0.5", "mu: «~»"),
    ("M014", "normal: [0, 1]", "normal: «[0, 1, 0]»"),
    ("M014", "position: [x, y]", "position: [x, y], shape: {segment: «[[0, 0], [1, 0], [1, 1]]»}"),
    ("M014", "position: [x, y]", "position: [x, y], shape: {polygon: «[[0, 0], [1, 0]]»}"),
    ("M014", "position: [x, y]", "position: [x, y], shape: {polyline: [[0, 0], «[1, 0, 0]»]}"),
    ("M015", "mechan: 1", "mechan: «2»"),
    ("M016", "space: plane", "space: «plain»"),
    ("M017", "{m: 1,", "{m: «!!float» 1,"),
    ("M018", "{q:", "{«[a]»: 1, q:"),
    ("M019", "{point: [x, y], surface: {point: [0, 0], normal: [0, 1]}, friction: mu}", "«{friction: mu}»"),
    ("M019", "position: [x, y]", "position: [x, y], shape: «{disc: 1, ball: 1}»"),
    ("M019", "position: [x, y]", "position: [x, y], shape: «{}»"),
    ("M020", "{m: 1,", "{m: «1,5»,"),
    ("M020", "{m: 1,", "{m: {value: «-1,25»},"),
    ("M020", "mu: 0.5}", "mu: «0, 5»}"),
    ("M101", "mass: m", "mass: m«$»"),
    ("M102", "mass: m", "mass: m +«»"),
    ("M103", "m: 1,", "m: «1e999»,"),
    ("M106", "friction: mu", "friction: 2*«nu»"),
    ("M107", "friction: mu", "friction: \"«sine»(mu)\""),
    ("M108", "friction: mu", "friction: '«sin»(mu, 1)'"),
    ("M109", "friction: mu", "friction: mu*«x»"),
    ("M109", "friction: mu", "friction: mu, restitution: {tangential: «x»}"),
    ("M109", "friction: mu", "friction: mu, compliance: {tangential_stiffness: «y»}"),
    ("M109", "position: [x, y]", "position: [x, y], shape: {disc: «x»}"),
    ("M106", "friction: mu", "friction: mu, active: dot(x) + «z»"),
    ("M110", "friction: mu", "friction: mu*«t»"),
    ("M111", "position: [x, y]", "position: [«dot(x)», y]"),
    ("M112", "position: [x, y]", "position: ['«dot(2*x)»', y]"),
    ("M113", "m: 1,", "m: «.inf»,"),
    ("M114", "friction: mu", "friction: mu*«sin»"),
    ("M115", "friction: mu", "friction: 2 «mu»"),
    ("M116", "mass: m", "mass: «\"\"»"),
    ("M117", "position: [x, y]", "position: ['«max»(x, 0)', y]"),
    ("M118", "friction: mu", "friction: mu, active: '«omega(red, x)»'"),
    ("M119", "states:", "claims: [1 < 2, «nonsense»]\nstates:"),
    ("M119", "states:", "claims: ['mu < 1 and «(m < 1»']\nstates:"),
    ("M102", "states:", "claims: [p_plus > 1«)»]\nstates:"),
    ("M106", "states:", "claims: [mu < 1 and «nu» > 0]\nstates:"),
    ("M208", "states:", "claims: [p(«tpi») > 0]\nstates:"),
    ("M102", "mass: m", "mass: 'if(m«)»'"),
    ("M102", "mass: m", "mass: m «<» 3"),
    ("M108", "mass: m", "mass: '«if»(m > 1, 2)'"),
    ("M201", "  rest:", "  «at rest»:"),
    ("M202", "mu: 0.5", "mu: 0.5, «exp»: 1"),
    ("M203", "coordinates: [x, y]", "coordinates: [x, y, «m»]"),
    ("M204", "m: 1, mu: 0.5", "m: 2*«mu», mu: 0.5"),
    ("M205", "m: 1, mu: 0.5", "m: «m», mu: 0.5"),
    ("M208", "q: {x", "closed: [«tap»], q: {x"),
    ("M209", "bodies:", "energy: {kinetic: «dot(x)^3»}\nbodies:"),
    ("M210", "point: [x, y], surface: {point: [0, 0], normal: [0, 1]}", "gap: y, slip_velocity: «dot(x)*dot(y)»"),
    ("M211", "normal: [0, 1]", "normal: [«0, 0»]"),
    ("M212", "states:", "domain: {x: [«1, 0»]}\nstates:"),
    ("M213", "mu: 0.5", "mu: «log(0)»"),
    ("M213", "position: [x, y]", "position: [x, y + atan(«1/0»)]"),
    ("M213", "position: [x, y]", "position: [x, y*9^«9^9^9»]"),
    ("M215", "m: 1,", "m: 1, «k»: 2,"),
    ("M215", "coordinates: [x, y]", "coordinates: [x, y, «z»]"),
    ("M220", "m: 1,", "m: {value: 1, unit: kg «mt»},"),
    ("M221", "parameters: {m: 1, mu: 0.5}\ncoordinates: [x, y]\nbodies:\n  ball: {mass: m, position: [x, y]}", "parameters: {m: {value: 1, unit: kg}, mu: {value: 0.5, unit: 1}}\ncoordinates: [{name: x, unit: m}, {name: y, unit: m}]\nbodies:\n  ball: {mass: m, position: [x, y + «m»]}"),
    ("M222", "parameters: {m: 1, mu: 0.5}\ncoordinates: [x, y]\nbodies:\n  ball: {mass: m, position: [x, y]}", "parameters: {m: {value: 1, unit: kg}, mu: {value: 0.5, unit: 1}}\ncoordinates: [{name: x, unit: m}, {name: y, unit: m}]\nbodies:\n  ball: {mass: m, position: [x, «y^2»]}"),
    ("M223", "parameters: {m: 1, mu: 0.5}\ncoordinates: [x, y]\nbodies:\n  ball: {mass: m, position: [x, y]}", "parameters: {m: {value: 1, unit: kg}, mu: {value: 0.5, unit: 1}}\ncoordinates: [{name: x, unit: m}, {name: y, unit: m}]\nbodies:\n  ball: {mass: m, position: ['x*cos(«y»)', y]}"),
    ("M204", "{q: {x: 0, y: 0}}", "{parameters: {m: 1 + «mu»}}"),
    ("M205", "{q: {x: 0, y: 0}}", "{parameters: {mu: 2*«mu»}}"),
    ("M301", "{x: 0, y: 0}", "{x: «1/0», y: 0}"),
    ("M302", "{x: 0, y: 0}", "{x: «y», y: 0}"),
    ("M303", "mu}\nstates:\n  rest: {q: {x: 0, y: 0}}", "«mu»}\nstates:\n  rest: {parameters: {mu: -1}}"),
    ("M303", "mu}\nstates:\n  rest: {q: {x: 0, y: 0}}", "mu, restitution: {tangential: «mu»}}\nstates:\n  rest: {parameters: {mu: 2}}"),
    ("M303", "mu}\nstates:\n  rest: {q: {x: 0, y: 0}}", "mu, compliance: {tangential_stiffness: «m»}}\nstates:\n  rest: {parameters: {m: -1}}"),
    ("M306", "{q: {x: 0, y: 0}}", "{parameters: {m: 3}}\ndomain: {x: [«m - 2, 1/2»]}"),
    ("M307", "q: {x", "closed: [tip, «tip»], q: {x"),
    ("M307", "q: {x", "solve: [y, «y»], q: {x"),
    ("M208", "q: {x", "solve: [«z»], q: {x"),
    ("M019", "mass: m, position: [x, y]", "mass: m, position: [x, y], centre: «[0, 0]»"),
    ("M203", "bodies:", "definitions: {«x»: 1}\nbodies:"),
    ("M204", "bodies:", "definitions: {a: «b», b: x}\nbodies:"),
    ("M205", "bodies:", "definitions: {a: x + «a»}\nbodies:"),
    ("M219", "{point: [x, y],", "{point: [«x, y - cos(x)*m»],"),
    ("M215", "bodies:", "definitions: {«a»: x}\nbodies:"),
    ("M215", "bodies:", "frames: {«f»: {}}\nbodies:"),
    ("M109", "bodies:\n  ball: {mass: m", "definitions: {a: x}\nbodies:\n  ball: {mass: «a»"),
    ("M111", "position: [x, y]}", "position: [x, «a» + y]}\ndefinitions: {a: dot(x)}"),
    ("M112", "bodies:", "definitions: {a: dot(x)}\nforces: [{coordinate: x, value: «dot(a)»}]\nbodies:"),
    ("M218", "bodies:", "forces: [{spring: «[[0, 0], [0, 0]]», stiffness: m}]\nbodies:"),
    ("M218", "bodies:", "constraints: [{name: j, coincident: «[[0, 0], [0, m]]»}]\nbodies:"),
    ("M012", "bodies:", "forces: [{torsion: x, stiffness: «-m»}]\nbodies:"),
    ("M019", "bodies:", "forces: [{torsion: x, stiffness: m, length: «m»}]\nbodies:"),
    ("M013", "position: [x, y]}", "position: [x, y], rotation: «[{axis: z, angle: x}]»}"),
    ("M019", "point: [x, y]", "point: «{at: [x, y]}»"),
    ("M208", "point: [x, y]", "point: {frame: «ball», at: [0, 0]}"),
];

/// The same for [`SPACE`].
#[rustfmt::skip]
const EDITS_IN_SPACE: &[(&str, &str, &str)] = &[
    ("M010", "{disc: {body: ball, radius: r}, surface", "{«ball»: {body: ball, radius: r}, disc: {body: ball, radius: r}, surface"),
    ("M012", "radius: r", "radius: «-r»"),
    ("M014", "[J, J, J]", "«[J, J]»"),
    ("M014", "[J, J, J]", "«[[J, 0, 0], [0, J, 0]]»"),
    ("M016", "axis: z", "axis: «w»"),
    ("M019", "radius: r}", "radius: r}, slip: «x»"),
    ("M011", "disc: {body: ball, radius: r}", "rim: «{body: ball, radius: r}»"),
    ("M016", "disc: {body: ball, radius: r}", "rim: {body: ball, radius: r, axis: «w»}"),
    ("M012", "disc: {body: ball, radius: r}", "rim: {body: ball, radius: «-r», axis: z}"),
    ("M012", "disc: {body: ball, radius: r}", "ellipsoid: {body: ball, radii: [r, «-r», r]}"),
    ("M014", "disc: {body: ball, radius: r}", "ellipsoid: {body: ball, radii: «[r, r]»}"),
    ("M208", "body: ball", "body: «bell»"),
    ("M014", "rotation: [{axis: z, angle: a}, {axis: x, angle: b}]", "rotation: {quaternion: «[1, a, b]»}"),
    ("M214", "[J, J, J]", "[[J, 0, 0.1], [0, J, 0], [«0», 0, J]]"),
];

/// Codes that only a derived model can find; `tests/cli/bad_input.rs`, `tests/cli/prove.rs` and `tests/cli/states.rs` have their cases.
const OF_MODELS: [&str; 13] =
    ["M120", "M216", "M308", "M309", "M310", "M311", "M312", "M314", "M315", "M316", "M401", "M402", "M403"];

/// Code, text, and line and column of the mark.
type Whole = (&'static str, Vec<u8>, Option<(usize, usize)>);

/// Files that are wrong as a whole.
fn wholes() -> Vec<Whole> {
    let long = format!("{}x", "x + ".repeat(20_000));
    let nested = format!("{}x{}", "(".repeat(101), ")".repeat(101));
    let text = |s: String| s.into_bytes();
    vec![
        (
            "M207",
            b"mechan: 1\nname: a\nspace: plane\ncoordinates: []\nenergy: {kinetic: 1}\n".to_vec(),
            Some((4, 14)),
        ),
        (
            "M217",
            text(edited(
                PLANE,
                "bodies:",
                "frames: {f: {parent: g}, g: {parent: h}, h: {parent: f}}\nbodies:",
            )),
            Some((6, 10)),
        ),
        (
            "M313",
            text(String::from(
                "mechan: 1\nname: a\nspace: space\ncoordinates: [a, b, c, d]\nbodies:\n  top: {mass: 1, inertia: [1, 1, 1], \
                 position: [0, 0, 0], rotation: {quaternion: [a, b, c, d]}}\nstates:\n  s: {v: {a: 1}}\n",
            )),
            Some((8, 3)),
        ),
        ("M001", b"mechan: 1\nname: \xff\n".to_vec(), None),
        ("M002", b"mechan: 1\nname: a\0b\n".to_vec(), None),
        ("M003", b"# nothing\n".to_vec(), None),
        ("M004", text(format!("{PLANE}description: {}\n", "a".repeat(2 << 20))), None),
        (
            "M008",
            text(edited(PLANE, "friction: mu", "friction: mu, compliance: &c {stiffness: *c}")),
            Some((9, 107)),
        ),
        (
            "M009",
            text(edited(PLANE, "[x, y]\nbodies", &format!("{}\nbodies", "[".repeat(80)))),
            Some((5, 78)),
        ),
        (
            "M104",
            text(edited(PLANE, "friction: mu", &format!("friction: {nested}").replace('x', "mu"))),
            Some((9, 177)),
        ),
        (
            "M105",
            text(edited(PLANE, "friction: mu", &format!("friction: {long}").replace('x', "mu"))),
            Some((9, 76)),
        ),
        (
            "M206",
            text(edited(PLANE, "bodies:\n  ball: {mass: m, position: [x, y]}", "gravity: [0, -m]")),
            None,
        ),
    ]
}

type Place = Option<((usize, usize), (usize, usize))>;

/// What was found, if it is not one fault with this code at this place.
fn mistaken(text: &[u8], code: &str, fits: impl Fn(Place, &Source) -> bool) -> Option<String> {
    let (source, found) = faults(text);
    let place = |d: &Diagnostic| d.span.map(|s| (source.line_column(s.start), source.line_column(s.end)));
    match found.as_slice() {
        [only] if only.code == code && fits(place(only), &source) => None,
        all => Some(format!("expected {code}, found\n{}", shown(all, &source))),
    }
}

fn mistaken_edit(base: &str, (code, from, to): (&str, &str, &str)) -> Option<String> {
    let (text, span) = unmarked(&edited(base, from, to));
    let fits = |place: Place, source: &Source| {
        place == span.map(|s| (source.line_column(s.start), source.line_column(s.end)))
    };
    mistaken(text.as_bytes(), code, fits).map(|found| format!("`{to}`: {found}"))
}

#[test]
fn the_bases_of_the_cases_are_good() {
    for base in [PLANE, SPACE] {
        let (source, found) = faults(base.as_bytes());
        assert!(found.is_empty(), "{}", shown(&found, &source));
    }
}

#[test]
fn each_fault_is_found_alone_and_at_its_place() {
    let plane = EDITS.iter().filter_map(|case| mistaken_edit(PLANE, *case));
    let space = EDITS_IN_SPACE.iter().filter_map(|case| mistaken_edit(SPACE, *case));
    let mistakes: Vec<String> = plane.chain(space).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn each_fault_of_a_whole_file_is_found_alone() {
    let mistakes: Vec<String> = wholes()
        .into_iter()
        .filter_map(|(code, text, start)| mistaken(&text, code, |place, _| place.map(|p| p.0) == start))
        .collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// Code, override, and the marked characters of the override.
#[rustfmt::skip]
const OVERRIDES: &[(&str, &str)] = &[
    ("M304", "mu"), ("M305", "«nu»=1"), ("M305", "«dot(z)»=1"), ("M204", "m=«mu»"), ("M205", "mu=2*«mu»"), ("M106", "mu=2*«nu»"), ("M109", "mu=«x»"),
    ("M111", "dot(x)=«dot(y)»"), ("M102", "x=1+«»"), ("M113", "x=«inf»"),
];

#[test]
fn each_fault_of_an_override_is_found() {
    let mechanism = crate::shared::checked(PLANE).mechanism;
    for (code, marked) in OVERRIDES {
        let (text, span) = unmarked(marked);
        let found = Override::parse(&mechanism, &text).unwrap_err();
        assert_eq!((found.code, found.span), (*code, span), "{marked}: {}", found.message);
    }
}

#[test]
fn messages_about_overrides_have_one_line() {
    let mechanism = crate::shared::checked(PLANE).mechanism;
    for text in ["\n  ", "a\nb=1", "mu=1\n/0"] {
        let found =
            Override::parse(&mechanism, text).map(|set| mechanism.resolve(&mechanism.states[0], &[set]));
        let messages: Vec<String> = match found {
            Err(fault) => vec![fault.message],
            Ok(resolved) => resolved.unwrap_err().into_iter().map(|d| d.message).collect(),
        };
        assert!(messages.iter().all(|m| !m.contains('\n')), "{messages:?}");
    }
}

#[test]
fn every_code_has_a_case() {
    let tested: BTreeSet<&str> = EDITS
        .iter()
        .chain(EDITS_IN_SPACE)
        .map(|(code, ..)| *code)
        .chain(wholes().iter().map(|(code, ..)| *code))
        .chain(OVERRIDES.iter().map(|(code, _)| *code))
        .chain(OF_MODELS)
        .collect();
    // those of robot descriptions are tested with `import`, those of scenes with `scene`
    let elsewhere = ["M5", "M6"];
    let of_mechanisms = CODES.iter().map(|(code, _)| *code).filter(|code| !elsewhere.contains(&&code[..2]));
    assert_eq!(tested, of_mechanisms.collect());
}

#[test]
fn the_example_on_the_page_of_diagnostics_is_what_is_printed() {
    let text = edited(PLANE, "friction: mu", "friction: nu");
    let (mut source, found) = faults(text.as_bytes());
    source.name = "particle.yaml".to_owned();
    let page = include_str!("../../docs/diagnostics.md");
    let expected = shown(&found, &source);
    assert!(page.contains(&format!("```text\n{expected}```\n")), "expected on the page:\n{expected}");
}

/// A key with a slip of the pen is the one fault, wherever it stands: what it holds is read as what is meant.
#[test]
fn a_misspelt_key_hides_nothing_and_is_not_hidden() {
    let mut told = 0;
    for text in [PLANE, SPACE] {
        // each word before a colon that the format knows, with a letter less, a letter twice, or two that changed places
        let keys = text.match_indices(':').filter_map(|(end, _)| {
            let start = text[..end].rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |at| at + 1);
            (end - start > 4).then_some(start..end)
        });
        for key in keys {
            let word = &text[key.clone()];
            for slip in [1, word.len() / 2, word.len() - 1] {
                let less = format!("{}{}", &word[..slip], &word[slip + 1..]);
                let twice = format!("{}{}", &word[..slip], &word[slip - 1..]);
                for written in [less, twice] {
                    let wrong = format!("{}{written}{}", &text[..key.start], &text[key.end..]);
                    let (_, found) = faults(wrong.as_bytes());
                    // names that the author chose may be anything
                    if found.iter().all(|fault| fault.code != "M010") {
                        continue;
                    }
                    let codes: Vec<_> = found.iter().map(|fault| fault.code).collect();
                    assert_eq!(codes, ["M010"], "{word} as {written}: {found:#?}");
                    let hint = found[0].hint.clone().unwrap_or_default();
                    assert_eq!(hint, format!("did you mean `{word}`?"));
                    told += 1;
                }
            }
        }
    }
    assert!(told > 60, "{told}");
}

/// Where what may define names is not read, names without a meaning are no faults of their own.
#[test]
fn a_section_that_is_not_read_is_named_alone() {
    let codes = |text: &str| -> Vec<String> {
        faults(text.as_bytes()).1.iter().map(|fault| fault.code.to_string()).collect()
    };
    for (section, other) in [("coordinates", "unknowns"), ("coordinates", "q"), ("parameters", "consts")] {
        let found = codes(&PLANE.replace(&format!("{section}:"), &format!("{other}:")));
        let expected = if section == "coordinates" { vec!["M011", "M010"] } else { vec!["M010"] };
        let mut sorted = (found.clone(), expected.clone());
        sorted.0.sort();
        sorted.1.sort_unstable();
        assert_eq!(sorted.0, sorted.1, "{section} as {other}");
    }
    assert_eq!(codes(&PLANE.replace("coordinates: [x, y]", "coordinates: x, y")), ["M013"]);
    // an unknown text defines nothing, and hides nothing
    assert_eq!(
        codes(&edited(PLANE, "friction: mu", "friction: nu").replace("space:", "author: me\nspace:")),
        ["M010", "M106"]
    );
}

/// A decimal comma in a list makes one component more; a list that is too long without one has no hint.
#[test]
fn a_decimal_comma_in_a_list_is_recognised() {
    for (normal, told) in [("[0, -9,81]", Some("write `-9.81`")), ("[0, 1, 0]", None), ("[0, -9, 81]", None)]
    {
        let text = edited(PLANE, "normal: [0, 1]", &format!("normal: {normal}"));
        let (_, found) = faults(text.as_bytes());
        assert_eq!(found[0].code, "M014", "{found:#?}");
        let hint = found[0].hint.as_deref();
        assert_eq!(hint.is_some(), told.is_some(), "{normal}: {hint:?}");
        assert!(told.is_none_or(|told| hint.is_some_and(|hint| hint.contains(told))), "{normal}: {hint:?}");
    }
}
