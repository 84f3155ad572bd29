//! Answers that are known in closed form.

use super::derived::beside;
use super::{answer, ask, library, texts};
use mechan::pipeline::ProveOptions;
use mechan::prove::Budget;

/// The uniform rod: a paradox needs μ > 4/3   [GB99].
#[test]
fn the_rods_least_friction_is_four_thirds() {
    let rod = library("falling_pencil");
    let claim = |mu: &str| answer(&rod, &ask("no-paradox(tip)", &["theta=0:pi/2", &format!("mu=0:{mu}")]));
    for below in ["1", "1.3", "1.3333", "4/3-1e-12"] {
        let found = claim(below);
        assert_eq!(found.answer(), "proven", "{below}");
        let size = found.certificate.unwrap().to_string().len();
        assert!(size < 20_000, "{below}: {size} bytes");
    }
    for above in ["1.34", "1.4", "3"] {
        let found = claim(above);
        assert_eq!(found.answer(), "refuted", "{above}");
        let place: Vec<(&str, f64)> =
            found.counterexample().unwrap().iter().map(|(name, x, _)| (*name, x.enclosed().lo)).collect();
        let of = |name: &str| place.iter().find(|p| p.0 == name).unwrap().1;
        let (theta, mu) = (of("theta"), of("mu"));
        // the rod's angle is from the vertical; p₊ ∝ 1 + 3 sin² − 3 μ sin cos, with either sign of slip
        let worst = 1.0 + 3.0 * theta.sin().powi(2) - 3.0 * mu * (theta.sin() * theta.cos()).abs();
        assert!(worst <= 0.0, "{above}: theta = {theta}, mu = {mu}: {worst}");
    }
}

/// The bound is attained: at 4/3 itself p₊ is 0 at one angle, tan θ = 1/2, and nowhere below. No halving shows either.
#[test]
fn the_rods_least_friction_is_attained() {
    let rod = library("falling_pencil");
    let four_thirds = ["theta=0:pi/2", "mu=0:4/3"];
    let found = answer(&rod, &ask("no-paradox(tip)", &four_thirds));
    assert_eq!(found.answer(), "refuted");
    for (name, lo, hi) in found.counterexample().unwrap() {
        let hi = hi.unwrap_or(lo).enclosed().hi;
        let (known, width) = if name == "theta" { (0.5_f64.atan(), 1e-10) } else { (4.0 / 3.0, 1e-15) };
        assert!(lo.enclosed().lo <= known && known <= hi && hi - lo.enclosed().lo < width, "{name}");
    }
    // with five per cent on mass and length, and an inertia that follows; and for an inertia of one's own
    let free = ["m=0.95:1.05", "l=0.95:1.05"];
    for boxes in [four_thirds.to_vec(), [&four_thirds[..], &free].concat()] {
        let found = answer(&rod, &ask("p_plus >= 0", &boxes));
        assert_eq!((found.answer(), found.proof.parts), ("proven", 1), "{boxes:?}");
    }
    let strict = answer(&rod, &ask("p_plus > 0", &[&four_thirds[..], &free].concat()));
    assert_eq!(strict.answer(), "refuted");
    // the box, whose half diagonal is the root of a square
    let cube = library("box_on_incline");
    assert_eq!(answer(&cube, &ask("no-paradox(corner)", &four_thirds)).answer(), "refuted");
    assert_eq!(answer(&cube, &ask("p_plus >= 0", &four_thirds)).answer(), "proven");
    // r = 9/16: 2 √(r + r²) = 15/8
    for (claim, expected) in [("p_plus >= 0", "proven"), ("p_plus > 0", "refuted")] {
        let options = ProveOptions {
            set: texts(&["I=9/16", "m=1", "l=1"]),
            ..ask(claim, &["theta=0:pi/2", "mu=0:15/8"])
        };
        assert_eq!(answer(&rod, &options).answer(), expected, "{claim}");
    }
}

/// The least friction of a paradox is found and, where it is a fraction or the root of one, recognised: below it there is none, and it is reached.
#[test]
fn the_least_friction_is_told_as_a_number() {
    let rod = library("falling_pencil");
    let angle = ["theta=-pi:pi"];
    let found = |mechanism: &mechan::Derived, options: &ProveOptions| -> Vec<(String, &str)> {
        let claims = mechanism.prove(options).unwrap();
        claims.iter().map(|found| (found.claim.clone(), found.answer())).collect()
    };
    let told = |claim: &str| [(claim.to_string(), "proven"), (claim.replace(">=", ">"), "refuted")].to_vec();
    for (inertia, number) in
        [("I=m*l^2/3", "4/3"), ("I=m*l^2/2", "sqrt(3)"), ("I=9/16", "15/8"), ("I=1", "sqrt(8)")]
    {
        let options = ProveOptions { set: texts(&[inertia]), ..ask("critical-friction(tip)", &angle) };
        assert_eq!(found(&rod, &options), told(&format!("critical-friction(tip) >= {number}")));
    }
    let space = ProveOptions {
        claims: texts(&["critical-friction(tip)"]),
        ..ask("", &["theta=-pi:pi", "psi=-pi:pi"])
    };
    assert_eq!(found(&library("rod_3d"), &space), told("critical-friction(tip) >= 4/3"));
    // 4 − 2 √3 is neither, and is bounded from both sides, a part in 10⁹ apart
    let chalk = found(&library("pushed_chalk"), &ask("critical-friction(tip)", &[]));
    let number = |claim: &str| claim.rsplit(' ').next().unwrap().parse::<f64>().unwrap();
    let (low, high) = (number(&chalk[0].0), number(&chalk[1].0));
    let known = 4.0 - 2.0 * 3.0_f64.sqrt();
    assert!(low < known && known < high && high - low < 2e-9 * known, "{low}, {high}");
    assert_eq!([chalk[0].1, chalk[1].1], ["proven", "refuted"]);
}

/// With r = I/(m l²) it is 2 √(r + r²)   [CV16 (5)], attained along a curve of angles and inertias: no margin either way.
#[test]
fn the_least_friction_of_any_inertia_is_sharp() {
    let rod = library("falling_pencil");
    let boxes = ["theta=-pi:pi", "I=1/1000:1000"];
    for (factor, sign, expected) in
        [("2", ">=", "proven"), ("2", ">", "refuted"), ("1.9", ">", "proven"), ("2.000001", ">=", "refuted")]
    {
        let claim = format!("critical-friction(tip) {sign} {factor}*sqrt(I + I^2)");
        let found = answer(&rod, &ask(&claim, &boxes));
        assert_eq!(found.answer(), expected, "{claim}");
        let Some(place) = found.counterexample() else { continue };
        let of = |name: &str| place.iter().find(|p| p.0 == name).unwrap().1.enclosed().lo;
        let (s, c, r) = (of("theta").sin(), of("theta").cos(), of("I"));
        let least = (r + s * s) / (s * c).abs();
        let bound = factor.parse::<f64>().unwrap() * (r + r * r).sqrt();
        assert!(least <= bound * (1.0 + 1e-12), "{least} at I = {r}");
    }
    // of a bound without a value nothing is said
    let none = answer(&rod, &ask("critical-friction(tip) >= sqrt(theta - 1)", &["theta=0:1.5"]));
    assert_eq!(none.answer(), "undecided");
}

/// A parameter that is set to a text which names what varies follows it, as one of the file does.
#[test]
fn what_is_set_to_a_text_follows_it() {
    let rod = library("falling_pencil");
    let options = ProveOptions { set: texts(&["I=m*l^2/4"]), ..ask("4*I >= m", &["m=1:2"]) };
    let found = answer(&rod, &options);
    assert_eq!((found.answer(), &found.texts[0]), ("proven", &("I".to_string(), "m*l^2/4".to_string())));
    assert_eq!(answer(&rod, &ProveOptions { claims: texts(&["I > 0.3"]), ..options }).answer(), "refuted");
}

/// What holds where nothing is meant says nothing: of numbers that gaps contradict it is vacuous, and where no state was found that is said.
#[test]
fn what_is_proven_is_about_something() {
    let rod = library("falling_pencil");
    let pressed = |state: Option<&str>, boxes: &[&str]| {
        let options = ProveOptions { state: state.map(String::from), ..ask("1 < 2", boxes) };
        let found = answer(&rod, &options);
        (found.answer(), found.proof.inhabited)
    };
    // without equations every point is a state
    assert_eq!(pressed(None, &["mu=0:1"]), ("proven", true));
    // μ above 2 is given, and the range ends at 1
    let given = |mu: &str| {
        let options = ProveOptions { given: texts(&["mu > 2"]), ..ask("mu*mu > 3", &["theta=0:1", mu]) };
        let found = answer(&rod, &options);
        (found.answer(), found.proof.inhabited)
    };
    assert_eq!(given("mu=0:1"), ("vacuous", false));
    assert_eq!(given("mu=0:3"), ("proven", true));
}

/// What closed contacts determine is not held at the numbers of a state: it follows, is asked for, or keeps what the state says of it.
#[test]
fn what_is_determined_is_not_held() {
    let body = library("two_point_body");
    let boxes = ["theta=-0.005:0.005", "dot(theta)=0.0007:0.0008", "m=0.95:1.05"];
    let options =
        ProveOptions { state: Some("unstable_slip".to_string()), ..ask("modes(slip+,slip-)", &boxes) };
    let found = answer(&body, &options);
    assert_eq!((found.answer(), found.open.join(" ")), ("proven", "x y dot(x) dot(y)".to_string()));
    // the elbow's angle and its rate follow the state's text, by the table's height
    let arm = library("two_link_manipulator");
    let asked = |claim: &str, boxes: &[&str]| {
        answer(&arm, &ProveOptions { state: Some("pulled".to_string()), ..ask(claim, boxes) })
    };
    let found = asked("b < -11", &["theta_1=0.2:0.6"]);
    assert_eq!((found.answer(), found.texts.len()), ("refuted", 1), "{:?}", found.texts);
    // |dot(theta_2)| = |dot(theta_1)| sin(theta_1)/sin(theta_2), 0.609 at theta_1 = 0.6
    let boxes = ["theta_1=0.2:0.6", "dot(theta_1)=-1:-0.5"];
    assert_eq!(asked("dot(theta_2) < 0.55", &boxes).answer(), "refuted");
    assert_eq!(asked("dot(theta_2) < 0.7", &boxes).answer(), "proven");
    // without a text to follow, and without bounds
    let set = vec!["dot(theta_2)=0.5".to_string()];
    let options = ProveOptions {
        state: Some("pulled".to_string()),
        set,
        ..ask("dot(theta_2) < 1", &["theta_1=0:0.6"])
    };
    let fault = arm.prove(&options).unwrap_err().to_string();
    assert!(fault.contains("dot(theta_2), which gaps and constraints determine"), "{fault}");
}

/// Inverse sines and cosines have no value beyond their domain, and no claim about one holds there; masses and frictions are not negative.
#[test]
fn nothing_is_said_where_nothing_is_defined() {
    let rod = library("falling_pencil");
    let asked = |claim: &str, boxes: &[&str]| rod.prove(&ask(claim, boxes)).unwrap().remove(0);
    for claim in [
        "asin(2*mu) < 1.6",
        "acos(mu - 2) <= 3.2",
        "asin(1 + mu^2) < 1.58",
        "min(asin(2*mu), 0) <= 1",
        "(mu - 0.5)^mu > -1",
    ] {
        assert_eq!(asked(claim, &["mu=0:1"]).answer(), "undecided", "{claim}");
    }
    assert_eq!(asked("asin(mu) < 1.6", &["mu=0:1"]).answer(), "proven");
    assert_eq!(asked("no-paradox(tip)", &["theta=0:1", "m=-2:-1"]).answer(), "vacuous");
    let some = asked("no-paradox(tip)", &["theta=0:pi/2", "mu=-1:1.3"]);
    assert!(some.answer() == "proven" && some.physical);
    // below μ = −4/3 the other slip would have a paradox, of which nothing is said
    assert_eq!(asked("no-paradox(tip)", &["theta=0:pi/2", "mu=-2:1.3"]).answer(), "proven");
    assert!(!asked("no-paradox(tip)", &["theta=0:pi/2", "mu=0:1.3"]).physical);
}

/// Five per cent on mass and length cancel out of the rod's claim, as they do by hand.
#[test]
fn what_cancels_costs_nothing() {
    let rod = library("falling_pencil");
    let found =
        answer(&rod, &ask("no-paradox(tip)", &["theta=0:pi/2", "mu=0:1.3", "m=0.95:1.05", "l=0.95:1.05"]));
    assert_eq!(found.answer(), "proven");
    assert!(found.proof.parts < 100, "{}", found.proof.parts);
}

/// With I = r m l² the least friction is 2 √(r + r²): 4/3 of r = 1/3, 2 √2 of r = 1.
#[test]
fn inertia_of_ones_own() {
    let rod = library("falling_pencil");
    let with = |mu: &str, inertia: &str| {
        let options = ProveOptions {
            set: texts(&[&format!("I={inertia}"), "m=1", "l=1"]),
            ..ask("no-paradox(tip)", &["theta=0:pi/2", &format!("mu=0:{mu}")])
        };
        answer(&rod, &options).answer()
    };
    assert_eq!(with("2.828", "1"), "proven");
    assert_eq!(with("2.829", "1"), "refuted");
}

/// Five per cent on mass and length do not matter to a uniform rod: I = m l²/3 follows.
#[test]
fn computed_parameters_follow() {
    let rod = library("falling_pencil");
    let found =
        answer(&rod, &ask("no-paradox(tip)", &["theta=0:pi/2", "mu=0:1.3", "m=0.95:1.05", "l=0.95:1.05"]));
    assert_eq!(found.answer(), "proven");
    assert!(found.held.iter().all(|(name, _)| name != "I"), "{:?}", found.held);
    // and with a mass and an inertia of their own it does
    let options = ask("no-paradox(tip)", &["theta=0:pi/2", "mu=1.3:1.32", "l=0.9:1.1", "I=0.3:0.4"]);
    assert_eq!(answer(&rod, &options).answer(), "refuted");
}

/// Gravity alone presses a rod at rest, and lifts it where it turns fast: b = l ω² cos θ − g.
#[test]
fn a_rod_that_turns_fast_lifts_off() {
    let rod = library("falling_pencil");
    let boxes = ["theta=0:pi/2", "dot(theta)=-1:1"];
    assert_eq!(answer(&rod, &ask("b(tip) < 0", &boxes)).answer(), "proven");
    let found = answer(&rod, &ask("b(tip) < 0", &["theta=0:pi/2", "dot(theta)=-9:9"]));
    assert_eq!(found.answer(), "refuted");
}

/// An assumption cuts the box: where it excludes everything, nothing is proven.
#[test]
fn what_is_given_counts() {
    let rod = library("falling_pencil");
    let boxes = ["theta=0:pi/2", "mu=0:3"];
    let with = |given: &str| {
        answer(&rod, &ProveOptions { given: texts(&[given]), ..ask("no-paradox(tip)", &boxes) })
    };
    assert_eq!(with("mu < 1.3").answer(), "proven");
    assert_eq!(with("mu*sin(theta)*cos(theta) < 1/3").answer(), "proven");
    assert_eq!(with("mu > 1").answer(), "refuted");
    assert_eq!(with("mu > 3.01").answer(), "vacuous");
    assert_eq!(with("theta < -1").answer(), "vacuous");
}

/// Comparisons of a file's own quantities.
#[test]
fn comparisons() {
    let rod = library("falling_pencil");
    let held = |claim: &str, boxes: &[&str]| answer(&rod, &ask(claim, boxes)).answer();
    assert_eq!(held("sin(theta) <= theta", &["theta=0.1:1.5"]), "proven");
    assert_eq!(held("mu*tan(theta) < 1", &["theta=0:0.7", "mu=0:1.1"]), "proven");
    assert_eq!(held("mu*tan(theta) < 1", &["theta=0:0.8", "mu=0:1.1"]), "refuted");
    assert_eq!(held("p_plus > 0", &["theta=0:pi/2", "mu=0:1.3"]), "proven");
    assert_eq!(held("1 < 2", &["theta=0:1"]), "proven");
    assert_eq!(held("2 < 1", &["theta=0:1"]), "refuted");
}

/// The same answer, tree and counterexample on one thread and on several, and whatever the budget was if it was enough.
#[test]
fn threads_do_not_matter() {
    let rod = library("falling_pencil");
    for mu in ["1.333", "1.4", "4/3"] {
        let on = |threads: usize, parts: usize| {
            let options = ask("no-paradox(tip)", &["theta=0:pi/2", &format!("mu=0:{mu}"), "I=0.33:0.34"]);
            let budget = Budget { parts, threads, ..Budget::default() };
            rod.prove(&ProveOptions { budget, ..options }).unwrap().pop().unwrap().proof
        };
        let one = on(1, 20_000);
        assert_eq!(one, on(2, 20_000), "{mu}");
        assert_eq!(one, on(7, 20_000), "{mu}");
    }
}

/// Two gaps that have to hold at once: sin θ = h/(2 l) both ways round, p₊ = 0 at μ = 2/tan θ = 0.536   [pushed_chalk.yaml]. The
/// state at which the claim fails is a small box that is shown to hold one, and dragged there is none.
#[test]
fn what_equations_hold() {
    let chalk = library("pushed_chalk");
    let claim = |mu: &str| {
        let options = ask("no-paradox(tip)", &[&format!("mu={mu}")]);
        answer(&chalk, &ProveOptions { state: Some("pushed".to_string()), ..options })
    };
    assert_eq!(claim("0:0.53").answer(), "proven");
    let found = claim("0.6:0.7");
    assert_eq!(found.answer(), "refuted");
    let place = found.counterexample().unwrap();
    let theta = place.iter().find(|p| p.0 == "theta").unwrap();
    let (lo, hi) = (theta.1.enclosed().lo, theta.2.unwrap().enclosed().hi);
    let exact = 5.0 * std::f64::consts::PI / 12.0;
    let dragged = std::f64::consts::PI - exact;
    assert!((lo <= exact && exact <= hi) || (lo <= dragged && dragged <= hi), "{lo} {hi}");
    let dragged = ask("p_plus > 0", &["mu=0:2", "theta=pi/2:pi"]);
    assert_eq!(answer(&chalk, &dragged).answer(), "proven");
}

/// What claims and friction name of parameters that are computed from others moves with these: mu = 3 r for r = I/(m l^2), where a paradox
/// needs mu > 2 sqrt(r + r^2), that is r > 4/5.
#[test]
fn computed_parameters_move_where_claims_name_them() {
    let pencil = library("falling_pencil");
    for (claim, expected) in [("I > 0.3", "refuted"), ("I <= 2/3", "proven"), ("3*I <= m*l^2", "proven")] {
        assert_eq!(answer(&pencil, &ask(claim, &["m=0.5:2"])).answer(), expected, "{claim}");
    }
    let (rough, _) = beside("falling_pencil", "mu: {value: 0.9", "mu: {value: 3*I/(m*l^2)");
    for (claim, range, expected) in [
        ("mu < 2", "I=0.1:1", "refuted"),
        ("mu <= 3", "I=0.1:1", "proven"),
        ("no-paradox(tip)", "I=0.1:0.79", "proven"),
        ("no-paradox(tip)", "I=0.1:0.81", "refuted"),
    ] {
        let found = answer(&rough, &ask(claim, &[range, "theta=0:pi/2"]));
        assert_eq!(found.answer(), expected, "{claim} {range}");
        assert!(found.held.iter().all(|(name, _)| name != "mu"), "{:?}", found.held);
    }
}

/// A range whose ends are one number holds it there, and what is said is that of the number alone.
#[test]
fn a_range_of_one_number_is_that_number() {
    let pencil = library("falling_pencil");
    for (boxes, expected) in [
        (["theta=0.5:1/2", "mu=0.1:0.1"], "proven"),
        (["theta=0.5:0.5", "mu=0:1.4"], "refuted"),
        (["theta=0.46:0.46", "mu=1.4:1.4"], "refuted"),
        (["theta=0.4:0.6", "mu=1.3:1.3"], "proven"),
        (["theta=pi/2:pi/2", "mu=0:3"], "proven"),
    ] {
        let found = answer(&pencil, &ask("no-paradox(tip)", &boxes));
        assert_eq!(found.answer(), expected, "{boxes:?}");
        let of_one = boxes
            .iter()
            .filter(|text| found.held.iter().any(|h| text.starts_with(&format!("{}=", h.0))))
            .count();
        assert_eq!(found.ranges.len() + of_one, 2, "{boxes:?}: {:?}", found.held);
    }
    // of a velocity, too
    assert_eq!(answer(&pencil, &ask("b(tip) < 0", &["theta=0.1:0.5", "dot(theta)=0:0"])).answer(), "proven");
    assert_eq!(answer(&pencil, &ask("b(tip) < 0", &["theta=0.1:0.5", "dot(theta)=9:9"])).answer(), "refuted");
}
