//! Maps whose regions are proven: against closed forms, against points that are analysed one by one, and what cannot be shown so.

use super::library;
use mechan::analysis::map::{Certified, Class, MapOutcome};
use mechan::pipeline::{MapOptions, MapStudy, certify_map};
use mechan::{Derived, Failure, plot, report};

fn asked(state: &str, x: &str, y: &str, quantity: &str, levels: &[f64]) -> MapOptions {
    let text = |text: &str| text.to_string();
    MapOptions {
        state: Some(text(state)),
        x: text(x),
        y: text(y),
        quantity: text(quantity),
        levels: levels.to_vec(),
        ..MapOptions::default()
    }
}

fn certified(mechanism: &Derived, options: &MapOptions, boxes: usize) -> Result<MapOutcome, Failure> {
    let (loaded, model) = (mechanism.loaded(), mechanism.model());
    let study = MapStudy::new(loaded, model, options)?;
    let proven = certify_map(loaded, model, &study, options, boxes)?;
    study.with_certified(proven).collect(|_| {})
}

fn proven(map: &MapOutcome) -> &Certified {
    map.certified.as_ref().unwrap()
}

/// Points that are spread over the unit square, without a pattern that halving has.
fn spread(count: usize) -> impl Iterator<Item = [f64; 2]> {
    (1..=count).map(|k| [0.754_877_666_246_693, 0.569_840_290_998_053].map(|step| (k as f64 * step).fract()))
}

/// p₊ of the uniform rod: 1 + 3 sin² − 3 μ sin cos, by the angle from the vertical   [CV16 (12)].
fn p_plus(theta: f64, mu: f64) -> f64 {
    let (sin, cos) = theta.sin_cos();
    1.0 + 3.0 * sin * sin - 3.0 * mu * sin * cos
}

#[test]
fn regions_of_the_rod_are_those_of_its_closed_form() {
    let pencil = library("falling_pencil");
    let levels = [0.0, 0.5];
    let map = certified(
        &pencil,
        &asked("slipping", "theta=0.05:1.5:30", "mu=0:3:20", "p_plus", &levels),
        1_000_000,
    );
    let (map, ends) = (map.unwrap(), [[0.05, 1.5], [0.0, 3.0]]);
    let Certified { regions, undecided, rectangles, points, contradicted, .. } = proven(&map);
    assert_eq!(regions.len(), 3);
    assert!(undecided.0 <= 1e-4 && *contradicted == 0 && *points > 590, "{undecided:?} {points}");
    // areas by Simpson's rule along theta, with the share of mu in closed form
    let share = |level: f64, theta: f64| {
        let (sin, cos) = theta.sin_cos();
        ((1.0 + 3.0 * sin * sin - level) / (3.0 * sin * cos) / 3.0).clamp(0.0, 1.0)
    };
    let n = 20_000;
    let area = |level: f64| {
        let at = |k: usize| share(level, 0.05 + 1.45 * k as f64 / n as f64);
        let weight = |k: usize| if k == 0 || k == n { 1.0 } else { 2.0 + 2.0 * (k % 2) as f64 };
        (0..=n).map(|k| weight(k) * at(k)).sum::<f64>() / (3 * n) as f64
    };
    let expected = [1.0 - area(0.0), area(0.0) - area(0.5), area(0.5)];
    for (region, expected) in regions.iter().zip(expected) {
        assert!((region.area.0 - expected).abs() <= undecided.0, "{} {expected}", region.claim);
        let checked = mechan_check::check(&region.certificate.to_string()).unwrap();
        assert!(checked.to_string().contains("the rest is proven"), "{checked}");
    }
    // every part is one, and every point lies in a part whose class is the point's
    let size = |[lo, hi]: [f64; 2]| hi - lo;
    let all: f64 = rectangles.iter().map(|part| part.ends.into_iter().map(size).product::<f64>()).sum();
    assert!((all / ends.into_iter().map(size).product::<f64>() - 1.0).abs() < 1e-9);
    let mut open = 0;
    for share in spread(3000) {
        let at: [f64; 2] = std::array::from_fn(|k| ends[k][0] + size(ends[k]) * share[k]);
        let holds = |k: usize, [lo, hi]: [f64; 2]| lo <= at[k] && at[k] <= hi;
        let part = rectangles.iter().find(|part| (0..2).all(|k| holds(k, part.ends[k]))).unwrap();
        let value = p_plus(at[0], at[1]);
        match part.class {
            Some(class) => assert_eq!(class, Class::Above(levels.iter().filter(|l| **l < value).count())),
            None => open += 1,
        }
    }
    assert!(open <= 3);
}

#[test]
fn proven_regions_and_single_states_agree() {
    for (name, state, x, y, quantity) in [
        ("box_on_incline", "inconsistent", "theta=0.05:1.5:40", "mu=log:0.1:3:40", "verdict"),
        ("falling_pencil", "inconsistent", "theta=0.05:1.5:40", "dot(theta)=-3:3:40", "verdict"),
        ("falling_pencil", "inconsistent", "theta=0.05:1.5:40", "dot(x)=-1:3:40", "p"),
        ("painleve_rod", "", "theta=0.3:1.5:40", "dot(theta)=-2:2:40", "b"),
        ("pendulum_on_slider", "", "theta=0.3:1.5:40", "mu=0.1:3:40", "p_plus"),
    ] {
        let mechanism = library(name);
        let state = if state.is_empty() { &mechanism.mechanism().states[0].name } else { state };
        let map = certified(&mechanism, &asked(state, x, y, quantity, &[]), 20_000).unwrap();
        let found = proven(&map);
        assert_eq!(found.contradicted, 0, "{name} {quantity}");
        assert!(found.not_compared.is_empty(), "{name} {:?}", found.not_compared);
        assert!(found.points > 1200 && found.regions.len() > 1, "{name} {quantity} {}", found.points);
        let area: f64 = found.regions.iter().map(|region| region.area.0).sum();
        assert!((area + found.undecided.0 - 1.0).abs() < 1e-9 && found.undecided.0 < 0.05, "{name} {area}");
    }
}

#[test]
fn the_picture_and_the_report_say_what_is_not_proven() {
    let pencil = library("falling_pencil");
    let asked = asked("slipping_with_the_lean", "theta=0.05:1.5:9", "mu=0:3:9", "verdict", &[]);
    let text = |boxes: usize| {
        let map = certified(&pencil, &asked, boxes).unwrap();
        let svg = plot::map(&map).unwrap().svg().to_string();
        assert!(svg.contains("not proven") && svg.contains("inconsistent"), "{svg}");
        (report::render_text(&report::map_document(&map)), proven(&map).undecided.0, svg.len())
    };
    let (few, open, _) = text(100);
    assert!(few.contains("verdict(consistent)") && open > 0.05, "{few}");
    let (many, less, size) = text(20_000);
    assert!(many.contains("verdict(inconsistent)") && less < 1e-3 && size < 100_000, "{size} {many}");
}

/// The oscillator in steady slip, whose spring is stretched by what friction pulls: this length follows its text in the state along the map. The
/// slip is consistent where p₊ > 0, mu below 2 sqrt(r + r²) or its like at the angle of the state, and as well where the forces balance with
/// p₊ < 0, in more than one way.
#[test]
fn what_the_state_computes_follows_along_a_map() {
    let oscillator = library("frictional_impact_oscillator");
    let options = asked("steady_slip", "mu=0.1:1:10", "m1=0.05:0.2:4", "verdict", &[]);
    let map = certified(&oscillator, &options, 100_000).unwrap();
    let Certified { undecided, held, points, contradicted, regions, .. } = proven(&map);
    assert!(held.contains(&("x".to_string(), "-mu*(m1 + m2)*g/k_x".to_string())), "{held:?}");
    assert!(undecided.0 < 1e-2 && *contradicted == 0 && *points == 40, "{undecided:?} {points}");
    assert_eq!(regions.len(), 2, "{regions:?}");
}

/// Verdicts of two contacts: a body on a slope, which can rest and, where its lower foot is rough enough, slide off as well; and a ladder, which rests
/// or falls in one way. What is proven is what is found at the points of a grid, each analysed alone.
#[test]
fn verdicts_of_two_contacts() {
    for (name, options, open, parts) in [
        ("slope_body", asked("rough", "mu1=0.05:1.5:12", "mu2=0.05:1.5:12", "verdict", &[]), 0.01, 2),
        ("slope_body", asked("resting", "chi=0.05:0.5:12", "mu2=0.05:1.5:12", "verdict", &[]), 2e-3, 2),
        ("ladder", asked("standing", "theta=0.4:1.4:12", "mu=0.1:1:12", "verdict", &[]), 0.01, 1),
    ] {
        let map = certified(&library(name), &options, 5000).unwrap();
        let Certified { undecided, points, contradicted, regions, .. } = proven(&map);
        assert!(undecided.0 < open && *contradicted == 0 && *points > 120, "{undecided:?} {points}");
        assert_eq!(regions.len(), parts, "{name}: {regions:?}");
    }
}

#[test]
fn maps_that_cannot_be_certified_say_why() {
    let pencil = library("falling_pencil");
    let whys = [
        ("slipping", "theta=0.1:1:5", "mu=0:1:5", "equilibrium", "nothing is proven of equilibrium"),
        ("slipping", "theta=0.1:1:5", "l=1:2:5", "mu_min", "without --level"),
        ("balanced", "theta=0.1:1:5", "mu=0:1:5", "verdict", "at no point of the map does it"),
        ("impact", "theta=0.1:1:5", "mu=0:1:5", "verdict", "open, or approaches"),
        ("slipping", "y=0.1:1:5", "mu=0:1:5", "verdict", "tie the axes"),
        ("slipping", "theta=0.1:1:5", "mu=0:1:5", "mu_min/p_plus", "mu_min"),
    ];
    for (state, x, y, quantity, why) in whys {
        let fault = certified(&pencil, &asked(state, x, y, quantity, &[]), 100).unwrap_err().to_string();
        assert!(fault.contains(why), "{state} {x} {quantity}: {fault}");
    }
    // a state that lays its coordinates by what varies, several contacts, space
    for (name, state, x, y, why) in [
        ("brick_stack", "standing", "o_1=0.01:0.1:5", "mu=0.1:1:5", "one or two closed contacts"),
        ("rod_3d", "", "theta=0.4:1.4:5", "mu=0.1:1:5", "plane"),
        ("frictional_impact_oscillator", "", "mu=0.1:0.3:3", "l=0.2:0.4:3", "not the same at all"),
    ] {
        let mechanism = library(name);
        let state = if state.is_empty() { &mechanism.mechanism().states[0].name } else { state };
        // the state's own text would be followed
        let set = mechanism.mechanism().coordinates.iter().filter(|_| name.starts_with("frictional"));
        let set = set.filter(|c| c.name == "x").map(|_| "x=-mu*(m1 + m2)*g/k_x".to_string()).collect();
        let options = MapOptions { set, ..asked(state, x, y, "verdict", &[]) };
        let fault = certified(&mechanism, &options, 100).unwrap_err().to_string();
        assert!(fault.contains(why), "{name}: {fault}");
    }
}
