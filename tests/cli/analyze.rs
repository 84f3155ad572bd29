//! `mechan analyze`: what it prints, in every form.

use crate::run::{command, finish, mechan};

const PENCIL: &str = "mechanisms/falling_pencil.yaml";

#[test]
fn json_is_one_document_with_the_promised_keys() {
    let run = mechan(&["analyze", PENCIL, "--format", "json"]).ends(0);
    let analysis = run.json();
    assert_eq!(analysis["schema"], "mechan.analysis/1");
    assert_eq!(analysis["mechanism"], "falling_pencil");
    assert_eq!(analysis["space"], "plane");
    let state = &analysis["states"][0];
    for key in ["state", "t", "q", "v", "parameters", "closed", "model", "contacts", "delassus", "warnings"] {
        assert!(!state[key].is_null(), "{key}");
    }
    for key in ["M", "h", "kinetic_energy", "potential_energy"] {
        assert!(!state["model"][key].is_null(), "{key}");
    }
    let contacts = state["contacts"].as_object().unwrap();
    let contact = contacts.values().next().unwrap().as_object().unwrap();
    let keys = "gap gap_rate slip friction W_N W_T A B C a b p_plus p_minus k_plus k_minus p_slip mu_min";
    for key in keys.split(' ') {
        assert!(contact.contains_key(key), "{key}");
    }
}

#[test]
fn the_domain_is_searched_where_it_is_shown() {
    let said = |options: &[&str]| mechan(&[&["analyze", PENCIL], options].concat()).ends(0);
    for options in [&["--section", "domain"][..], &[]] {
        assert!(said(options).out.contains("Critical friction over the domain"), "{options:?}");
    }
    for options in [&["--brief"][..], &["--section", "modes"]] {
        assert!(!said(options).out.contains("Critical friction"), "{options:?}");
        let whole = said(&[options, &["--format", "json"]].concat()).json();
        assert!(whole["critical_friction"].as_object().is_some_and(|all| !all.is_empty()), "{options:?}");
    }
}

#[test]
fn space_has_vectors_and_a_matrix() {
    let analysis = mechan(&["analyze", "mechanisms/rod_3d.yaml", "--format", "json"]).ends(0).json();
    let contacts = analysis["states"][0]["contacts"].as_object().unwrap();
    let contact = contacts.values().next().unwrap();
    assert_eq!(contact["A"].as_array().unwrap().len(), 2);
    assert_eq!(contact["A"][0].as_array().unwrap().len(), 2);
    assert_eq!(contact["B"].as_array().unwrap().len(), 2);
    assert_eq!(contact["a"].as_array().unwrap().len(), 2);
    assert_eq!(contact["W_T"].as_array().unwrap().len(), 2);
    assert!(contact["C"].is_number());
}

#[test]
fn one_state_can_be_picked_and_a_wrong_one_is_named() {
    let all = mechan(&["analyze", PENCIL, "--format", "json"]).ends(0).json();
    let name = all["states"][1]["state"].as_str().unwrap();
    let one = mechan(&["analyze", PENCIL, "--state", name, "--format", "json"]).ends(0).json();
    assert_eq!(one["states"].as_array().unwrap().len(), 1);
    assert_eq!(one["states"][0], all["states"][1]);
    let run = mechan(&["analyze", PENCIL, "--state", "nowhere"]).ends(2);
    assert!(run.err.contains("nowhere") && run.err.contains(name), "{}", run.err);
}

#[test]
fn set_overrides_parameters_and_what_depends_on_them() {
    let run = mechan(&["analyze", PENCIL, "--set", "mu=0.123", "--format", "json"]).ends(0).json();
    let contacts = run["states"][0]["contacts"].as_object().unwrap();
    assert_eq!(contacts.values().next().unwrap()["friction"], 0.123);
    let run = mechan(&["analyze", PENCIL, "--set", "nothing=1"]).ends(2);
    assert!(run.err.contains("nothing"));
    mechan(&["analyze", PENCIL, "--set", "mu"]).ends(2);
}

/// The numbers with a decimal point or more than two digits that a text has.
fn numbers_in(text: &str) -> std::collections::BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || ".-+_".contains(c);
    let token = |t: &str| t.trim_end_matches('.').to_string();
    text.split(|c: char| !is_part(c)).map(token).filter(|t| t.len() > 2 && t.parse::<f64>().is_ok()).collect()
}

#[test]
fn every_form_has_the_same_numbers() {
    let of = |format: &str| {
        mechan(&["analyze", PENCIL, "--state", "falling", "--full", "--format", format]).ends(0)
    };
    let plain = numbers_in(&of("text").out);
    assert!(plain.len() > 25, "{plain:?}");
    // the mass of the rod, M = [[1, 0, -l cos], ..] at theta = pi/6, l sin(theta), I + m l^2
    for expected in ["-0.866025", "-0.5", "1.33333", "0.523599"] {
        assert!(plain.contains(expected), "{expected}: {plain:?}");
    }
    for format in ["markdown", "html"] {
        let run = of(format);
        let found = numbers_in(&run.out.replace("&minus;", "-").replace('\u{2212}', "-"));
        assert!(plain.is_subset(&found), "{format} lacks {:?}", plain.difference(&found));
        assert!(run.err.is_empty(), "{format}: {}", run.err);
    }
    assert!(mechan(&["analyze", PENCIL, "--format", "html"]).out.starts_with("<!doctype html>"));
}

#[test]
fn the_motion_without_slip_is_followed_for_as_long_as_asked() {
    let args = ["analyze", PENCIL, "--state", "falling", "--format", "json"];
    let own = mechan(&args).ends(0).json();
    let horizon = own["states"][0]["no_slip"]["horizon"].as_f64().unwrap();
    // ten times the fall through a radius of gyration l/sqrt(3) at b = l theta'^2 cos(theta) - g and its terms
    assert!((0.5..5.0).contains(&horizon), "{horizon}");
    let run = mechan(&[&args[..], &["--look-ahead", "0.001"]].concat()).ends(0).json();
    assert_eq!(run["states"][0]["no_slip"]["horizon"], 0.001);
    assert!(
        run["states"][0]["no_slip"]["cone_exit"].is_null()
            && !own["states"][0]["no_slip"]["cone_exit"].is_null()
    );
    for key in ["verdict", "resolved", "modes"] {
        assert_eq!(run["states"][0][key], own["states"][0][key], "{key}");
    }
    let wrong = mechan(&[&args[..], &["--look-ahead", "0"]].concat()).ends(2);
    assert!(wrong.err.contains("--look-ahead is 0"), "{}", wrong.err);
}

#[test]
fn output_goes_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.md");
    let run =
        mechan(&["analyze", PENCIL, "--format", "markdown", "--output", path.to_str().unwrap()]).ends(0);
    assert!(run.out.is_empty());
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("# "));
    let run = mechan(&["analyze", PENCIL, "--output", "no/such/folder/x"]).ends(1);
    assert!(run.err.contains("no/such/folder/x"));
}

#[test]
fn output_to_a_dash_goes_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    for command_line in [&["analyze", "falling_pencil"][..], &["derive", "falling_pencil"]] {
        let run = |more: &[&str]| {
            finish(command(&[command_line, more].concat()).current_dir(folder.path()), b"").ends(0).out
        };
        assert_eq!(run(&["--output", "-"]), run(&[]));
    }
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "no file of that name");
}

#[test]
fn the_answer_does_not_depend_on_the_cache() {
    let cold = tempfile::tempdir().unwrap();
    let mut first = command(&["analyze", PENCIL, "--format", "json"]);
    let first = finish(first.env("MECHAN_CACHE_DIR", cold.path()), b"").ends(0);
    let mut second = command(&["analyze", PENCIL, "--format", "json"]);
    let second = finish(second.env("MECHAN_CACHE_DIR", cold.path()), b"").ends(0);
    let fresh = mechan(&["analyze", PENCIL, "--format", "json", "--no-cache"]).ends(0);
    assert_eq!(first.out, second.out);
    assert_eq!(first.out, fresh.out);
    assert!(std::fs::read_dir(cold.path().join("derived")).unwrap().count() > 0);
}

#[test]
fn one_bad_file_does_not_take_the_others_with_it() {
    let run = mechan(&["analyze", "nowhere.yaml", PENCIL, "--format", "json"]).ends(1);
    let list = run.json();
    assert_eq!((list.as_array().unwrap().len(), &list[1]["mechanism"]), (2, &"falling_pencil".into()));
    assert!(run.err.contains("nowhere.yaml"));
}

#[test]
fn a_model_file_gives_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pencil.json");
    let path = path.to_str().unwrap();
    mechan(&["derive", PENCIL, "--format", "model", "--output", path]).ends(0);
    let direct = mechan(&["analyze", PENCIL, "--format", "json"]).ends(0);
    assert_eq!(mechan(&["analyze", path, "--format", "json"]).ends(0).out, direct.out);
    let damaged = std::fs::read_to_string(path).unwrap().replacen("\"inputs\":", "\"inputs\":9", 1);
    std::fs::write(path, damaged).unwrap();
    mechan(&["analyze", path]).ends(1);
}

/// [CV16 (5)]: least friction of the uniform rod 4/3 at tan θ = 2; [GB99]: dynamic jam from μ = 8/(3√3) on.
#[test]
fn the_tool_finds_the_critical_frictions_of_the_uniform_rod() {
    let analysis =
        mechan(&["analyze", "mechanisms/painleve_rod.yaml", "--jam", "--format", "json"]).ends(0).json();
    let near = |value: &serde_json::Value, expected: f64, tolerance: f64| {
        let value = value.as_f64().expect("a number");
        assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
    };
    let least = &analysis["critical_friction"]["tip"];
    near(&least["mu"], 4.0 / 3.0, 1e-8);
    near(&least["at"]["theta"], 2.0_f64.atan(), 1e-6);
    assert!(least["certified_lower"].as_f64().unwrap() <= 4.0 / 3.0);
    near(&analysis["jam_friction"]["tip"]["mu"], 8.0 / (3.0 * 3.0_f64.sqrt()), 1e-8);
}

/// Two uniform links of unit length and mass under a shoulder at the origin, the tip on the line y = −1.6.
const DOUBLE_PENDULUM: &str = "
mechan: 1
name: double_pendulum
space: plane
parameters: {H: 1.6, mu: 0.8}
coordinates: [one, two]
bodies:
  upper: {mass: 1, inertia: 1/12, position: [sin(one)/2, -cos(one)/2], rotation: one}
  lower: {mass: 1, inertia: 1/12, position: [sin(one) + sin(two)/2, -cos(one) - cos(two)/2], rotation: two}
contacts:
  tip:
    point: [sin(one) + sin(two), -cos(one) - cos(two)]
    surface: {point: [0, -H], normal: [0, 1]}
    friction: mu
states:
  touch: {q: {one: 0.5, two: acos(H - cos(one))}}
";

fn write_and_analyze(text: &str, set: &[&str]) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mechanism.yaml");
    std::fs::write(&file, text).unwrap();
    let mut arguments = vec!["analyze", file.to_str().unwrap(), "--format", "json"];
    set.iter().for_each(|set| arguments.extend(["--set", set]));
    mechan(&arguments).ends(0).json()
}

/// C/|B| of the double pendulum by hand: M = [[4/3, k], [k, 1/3]], k = cos(one − two)/2, n = (sin one, sin two),
/// t = (cos one, cos two).
fn by_hand(one: f64, two: f64) -> f64 {
    let k = 0.5 * (one - two).cos();
    let form = |a: [f64; 2], b: [f64; 2]| {
        a[0] * b[0] / 3.0 - k * (a[0] * b[1] + a[1] * b[0]) + a[1] * b[1] * 4.0 / 3.0
    };
    let (n, t) = ([one.sin(), two.sin()], [one.cos(), two.cos()]);
    form(n, n) / form(n, t).abs()
}

#[test]
fn an_angle_that_the_contact_determines_follows_both_ways() {
    let text = format!("{DOUBLE_PENDULUM}domain: {{one: [0.1, 1.3], mu: [0, 3]}}\n");
    let found = write_and_analyze(&text, &[])["critical_friction"]["tip"].clone();
    let mut least = f64::INFINITY;
    for i in 0..=200_000 {
        let one = 0.1 + 1.2 * f64::from(i) / 200_000.0;
        let two = (1.6 - one.cos()).acos();
        for two in [two, -two].into_iter().filter(|two| two.is_finite()) {
            least = least.min(by_hand(one, two));
        }
    }
    let number = |key: &str| found[key].as_f64().unwrap();
    assert!((number("mu") - least).abs() < 1e-8 && (least - 0.534_403).abs() < 1e-6, "{found} {least}");
    assert!(number("certified_lower") <= least && number("certified_lower") > least - 1e-6);
    assert_eq!(found["complete"], true);
    let at = &found["at"];
    let (one, two) = (at["one"].as_f64().unwrap(), at["two"].as_f64().unwrap());
    assert!((one.cos() + two.cos() - 1.6).abs() < 1e-12 && (by_hand(one, two) - number("mu")).abs() < 1e-12);
    assert_eq!((&found["held"]["H"], &found["following"]), (&1.6.into(), &serde_json::json!(["two"])));
    // where the state stands does not matter
    let elsewhere = write_and_analyze(&text, &["two=-0.5", "one=0.8", "dot(one)=2"]);
    for key in ["mu", "certified_lower", "at"] {
        assert_eq!(elsewhere["critical_friction"]["tip"][key], found[key], "{key}");
    }
}

#[test]
fn an_angle_that_nothing_fixes_is_asked_for() {
    let text = format!("{DOUBLE_PENDULUM}domain: {{mu: [0, 3]}}\n");
    let found = write_and_analyze(&text, &[])["critical_friction"]["tip"].clone();
    assert_eq!((&found["needs"], &found["mu"]), (&serde_json::json!(["one"]), &serde_json::Value::Null));
    assert_eq!((&found["complete"], &found["certified_lower"]), (&false.into(), &0.0.into()));
}

#[test]
fn a_contact_out_of_reach_is_an_outcome() {
    let text =
        format!("{DOUBLE_PENDULUM}domain: {{one: [0.1, 1.3], mu: [0, 3]}}\n").replace("H: 1.6", "H: 2.1");
    let found = write_and_analyze(&text.replace("two: acos(H - cos(one))", "two: 0.4"), &[]);
    let found = &found["critical_friction"]["tip"];
    assert_eq!((&found["outcome"], &found["certified_lower"]), (&"no_contact".into(), &"inf".into()));
}

/// Three variables, one of them a parameter that the inertia follows from.
#[test]
fn parameters_in_the_domain_carry_what_is_defined_by_them() {
    let rod = "
mechan: 1
name: rod
space: plane
parameters: {alpha: 3, beta: 1, I: beta/alpha, mu: 1}
coordinates: [x, y, theta]
bodies:
  rod: {mass: 1, inertia: I, position: [x, y], rotation: -theta}
contacts:
  tip: {point: [x + cos(theta), y - sin(theta)], surface: {point: [0, 0], normal: [0, 1]}, friction: mu}
states:
  lean: {q: {theta: 1, y: sin(theta)}}
domain: {theta: [0.1, 1.5], alpha: [1, 8], beta: [1, 2]}
";
    // [CV16 (5)]: 2√(1 + a)/a with a = alpha/beta at its largest, 8
    let found = write_and_analyze(rod, &[])["critical_friction"]["tip"].clone();
    let mu = found["mu"].as_f64().unwrap();
    assert!((mu - 0.75).abs() < 1e-12 && found["complete"] == true, "{found}");
    assert!(found["certified_lower"].as_f64().unwrap() > 0.75 - 1e-6);
    assert!(found["held"]["I"].is_null(), "{found}");
    // with a value of its own it stays: a = 3, 4/3
    let found = write_and_analyze(rod, &["I=1/3"])["critical_friction"]["tip"].clone();
    assert!((found["mu"].as_f64().unwrap() - 4.0 / 3.0).abs() < 1e-12, "{found}");
}

#[test]
fn an_exhausted_budget_gives_the_bracket_and_says_so() {
    let found = mechan(&["analyze", "mechanisms/compass_biped.yaml", "--format", "json"]).ends(0).json();
    let stance = &found["critical_friction"]["stance"];
    let (lower, mu) = (stance["certified_lower"].as_f64().unwrap(), stance["mu"].as_f64().unwrap());
    assert!(stance["complete"] == false && 0.0 <= lower && lower < mu, "{stance}");
    let text = mechan(&["analyze", "mechanisms/compass_biped.yaml"]).ends(0).out;
    let section = text.split("State mid_stance").next().unwrap();
    assert!(
        section.contains("the budget of boxes was used up") && !section.contains("certified"),
        "{section}"
    );
}

/// Pictures of an equilibrium on two contacts; a name that is none is wrong usage, as is a mechanism without one.
#[test]
fn plot_draws_the_forces_and_the_return_map_of_an_equilibrium() {
    let body = "tests/simulate/models/tumbling_body.json";
    for name in ["forces", "returns"] {
        let file = format!("{}/analyze_{name}.svg", env!("CARGO_TARGET_TMPDIR"));
        let _ = mechan(&["analyze", body, "--state", "resting", "--plot", &format!("{name}={file}")]).ends(0);
        let svg = std::fs::read_to_string(&file).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("tumbling_body, state resting"), "{svg}");
    }
    let _ = mechan(&["analyze", body, "--plot", "force"]).ends(2);
    let _ = mechan(&["analyze", body, "--state", "perturbed", "--plot", "returns"]).ends(2);
}

/// Each picture of a state by its name, of the first state that has it; and what is said where none has.
#[test]
fn plot_draws_each_picture_of_a_state() {
    for (mechanism, name, state) in [
        ("falling_pencil", "state", "balanced"),
        ("falling_pencil", "plane", "balanced"),
        ("falling_pencil", "impulse", "inconsistent"),
        ("painleve_rod", "jam", ""),
        ("falling_pencil", "portrait", "balanced"),
        ("ladder", "vectors", ""),
        ("rod_3d", "gain", ""),
    ] {
        let file = format!("{}/analyze_{mechanism}_{name}.svg", env!("CARGO_TARGET_TMPDIR"));
        let run = mechan(&["analyze", mechanism, "--plot", &format!("{name}={file}")]).ends(0);
        assert!(run.err.contains("written"), "{}", run.err);
        let svg = std::fs::read_to_string(&file).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains(&format!("{mechanism}, state {state}")), "{name}");
    }
    let wrong = mechan(&["analyze", "falling_pencil", "--plot", "stat"]).ends(2);
    assert!(wrong.err.contains("did you mean `state`?"), "{}", wrong.err);
    let none = mechan(&["analyze", "falling_pencil", "--plot", "vectors"]).ends(2);
    assert!(none.err.contains("two contacts of the plane that both slide"), "{}", none.err);
    let other = mechan(&["analyze", "falling_pencil", "--state", "impact", "--plot", "plane"]).ends(2);
    assert!(other.err.contains("choose a state with --state"), "{}", other.err);
}

/// The commands of the page about pictures, in a folder of their own.
#[test]
fn the_commands_of_the_page_about_pictures_run() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("page_about_pictures");
    std::fs::create_dir_all(&folder).unwrap();
    let page = std::fs::read_to_string("docs/pictures.md").unwrap();
    let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("mechan analyze ")).collect();
    assert!(commands.len() >= 2, "{commands:?}");
    for line in commands {
        let mut args = vec!["analyze"];
        args.extend(line.split_whitespace());
        let mut run = command(&args);
        let _ = finish(run.current_dir(&folder), b"").ends(0);
        let pictures = args.windows(2).filter(|pair| pair[0] == "--plot").map(|pair| pair[1]);
        for file in pictures.filter_map(|arg| arg.split_once('=')).map(|(_, file)| file) {
            assert!(folder.join(file).is_file(), "{line}: {file}");
        }
    }
}

/// Stability, growth and what breaks it, by name.
#[test]
fn an_equilibrium_on_two_contacts_has_its_stability_and_robustness() {
    let body = "tests/simulate/models/tumbling_body.json";
    let analysis = mechan(&["analyze", body, "--state", "resting", "--format", "json"]).ends(0).json();
    let rest = &analysis["states"][0]["rest"];
    assert_eq!(rest["lyapunov"]["verdict"], "unstable");
    assert!(rest["lyapunov"]["growth"].as_f64().unwrap() > 1.05);
    assert!(rest["lyapunov"]["growth_bound"].as_f64() >= rest["lyapunov"]["growth"].as_f64());
    assert_eq!(rest["lyapunov"]["orbit"]["phases"].as_array().unwrap().len(), 2);
    assert!(rest["lyapunov"]["search"].is_null());
    for key in ["friction_factor", "least_friction", "push", "push_along", "tilt"] {
        assert!(!rest["robustness"][key].is_null(), "{key}");
    }
    // ambiguous where h mu1 < x1 = 0.25   [CV16 6.4]
    let below = &rest["robustness"]["strong"]["friction"]["upper"][0];
    assert!((below["at"].as_f64().unwrap() - 0.25).abs() < 1e-9, "{below}");
    assert_eq!(below["mode"], "slip+,free");
}

#[test]
fn an_impact_without_impulses_is_said_so() {
    let run = mechan(&["analyze", "crushed_ball", "--state", "crushed"]).ends(0);
    let table = run.out.lines().find(|line| line.trim_start().starts_with("crushed  ")).unwrap();
    assert!(table.ends_with("no impulses satisfy the impact law of the contacts together"), "{table}");
    assert!(
        run.out.contains("Verdict: inconsistent: no motion of the rigid mechanism satisfies the contact law"),
        "{}",
        run.out
    );
    assert!(!run.out.contains("exactly one motion"), "{}", run.out);
    let other = mechan(&["analyze", "painleve_klein", "--state", "inconsistent", "--brief"]).ends(0).out;
    assert!(other.contains("inconsistent  nothing ") && !other.contains("nothing that lasts"), "{other}");
}

#[test]
fn the_ending_of_the_output_chooses_the_form() {
    let folder = tempfile::tempdir().unwrap();
    for (name, begins) in
        [("a.html", "<!doctype html>"), ("a.JSON", "{"), ("a.md", "# "), ("a.txt", "falling_pencil")]
    {
        let path = folder.path().join(name);
        mechan(&["analyze", PENCIL, "--brief", "--output", path.to_str().unwrap()]).ends(0);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(begins), "{name}: {}", &text[..text.len().min(60)]);
    }
    // what is said outright counts
    let path = folder.path().join("b.html");
    mechan(&["analyze", PENCIL, "--format", "text", "--output", path.to_str().unwrap()]).ends(0);
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("falling_pencil"));
    let run = mechan(&["analyze", PENCIL, "--output", "rod.png"]).ends(2);
    assert!(run.err.contains("a picture is asked for by --plot NAME=rod.png"), "{}", run.err);
}
