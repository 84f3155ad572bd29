//! Pictures of maps by numbers: where boundaries are on the page, what is hatched, how large the file is.

use super::{map, near, options};
use mechan::pipeline::{MapOptions, OutcomeOptions};
use mechan::plot;

/// The value of an attribute of the first element that has these words.
fn attribute(svg: &str, words: &str, name: &str) -> String {
    let line = svg.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words} in\n{svg}"));
    let rest = line.split(&format!(" {name}=\"")).nth(1).unwrap();
    rest.split('"').next().unwrap().to_string()
}

/// Corner and size of the panel.
fn panel(svg: &str) -> [f64; 4] {
    let frame = "fill=\"none\" stroke=\"#777777\" stroke-width=\"0.7\"";
    ["x", "y", "width", "height"].map(|name| attribute(svg, frame, name).parse().unwrap())
}

/// The points of a path.
fn points(data: &str) -> Vec<[f64; 2]> {
    let pairs = data.split(['M', 'L']).filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (x, y) = pair.trim_end_matches('Z').split_once(' ').unwrap();
            [x.parse().unwrap(), y.parse().unwrap()]
        })
        .collect()
}

/// The line of the pencil's paradox on a logarithmic axis, read off the page.
#[test]
fn a_boundary_is_drawn_where_it_is() {
    let asked = options("inconsistent", "theta=0.05:1.5:40", "mu=log:0.5:50:30", "verdict");
    let svg = plot::map(&map("falling_pencil", &asked)).unwrap().svg().to_string();
    let [left, top, width, height] = panel(&svg);
    let line = points(&attribute(&svg, "stroke=\"#222222\" stroke-width=\"1.3\"", "d"));
    assert!(line.len() > 40);
    for [x, y] in line {
        let theta = 0.05 + 1.45 * (x - left) / width;
        let mu = 0.5 * 100_f64.powf((top + height - y) / height);
        let (s, c) = theta.sin_cos();
        // steep ends: a hundredth of a unit of the page in both directions
        let slack = 0.02 * (1.45 / width * (mu / s / c).abs() + mu * 100_f64.ln() / height) + 2e-3 * mu;
        assert!(near(mu, (1.0 + 3.0 * s * s) / (3.0 * s * c), slack), "{theta} {mu}");
    }
    for label in [">0.5<", ">1<", ">10<", ">50<"] {
        assert!(svg.contains(label), "{label}");
    }
}

/// Where nothing is said there is hatching, with a word for it; elsewhere there is none.
#[test]
fn what_is_not_said_is_hatched() {
    let asked = options("slipping", "theta=0.3:1.5:30", "mu=0.5:3:30", "sqrt(p)");
    let found = map("painleve_rod", &asked);
    assert!(found.missing.count > 100 && found.missing.reason.is_none(), "{:?}", found.missing);
    let svg = plot::map(&found).unwrap().svg().to_string();
    let [left, top, width, height] = panel(&svg);
    assert!(svg.contains(">nothing said<"));
    let all = svg
        .lines()
        .filter(|l| l.starts_with("<path") && l.contains("stroke=\"#777777\" stroke-width=\"0.5\"/>"));
    let lines: Vec<[f64; 2]> = all.flat_map(|l| points(&attribute(l, "<path", "d"))).collect();
    assert!(lines.len() > 20, "{}", lines.len());
    for [x, y] in lines {
        let (theta, mu) = (0.3 + 1.2 * (x - left) / width, 0.5 + 2.5 * (top + height - y) / height);
        let (s, c) = theta.sin_cos();
        let p = 1.0 + 3.0 * c * (c - mu * s);
        // as far as the point of the grid that is nearest
        assert!(p < 0.25, "{theta} {mu} {p}");
    }
    let without = map("painleve_rod", &options("slipping", "theta=0.3:1.5:9", "mu=0.5:3:9", "p"));
    assert!(!plot::map(&without).unwrap().svg().contains("nothing said"));
}

/// M is singular without mass: said once, and drawn.
#[test]
fn a_singular_mass_matrix_is_a_reason() {
    let found = map("painleve_rod", &options("slipping", "m=0:2:5", "mu=0.5:3:5", "verdict"));
    assert_eq!(found.missing.count, 5);
    let reason = found.missing.reason.as_ref().unwrap();
    assert!(reason.contains("the mass matrix is not positive definite"), "{reason}");
    assert!(plot::map(&found).unwrap().svg().contains(">nothing said<"));
    let nothing = map("painleve_rod", &options("slipping", "theta=0.3:1.5:5", "mu=0.5:3:5", "sqrt(-1 - mu)"));
    let svg = plot::map(&nothing).unwrap().svg().to_string();
    assert!(svg.contains(">nothing said<") && svg.contains(">at any of 25 points<"), "{svg}");
}

/// That something happens nowhere is an answer: all is hatched, with the reason and how often.
#[test]
fn a_map_of_never_is_drawn() {
    let motion =
        OutcomeOptions { text: "first(lift-off)".into(), t_end: Some(0.1), ..OutcomeOptions::default() };
    let asked = MapOptions { outcome: Some(motion), ..options("locked", "dot(x)=1:2:3", "mu=0.2:0.6:4", "") };
    let found = map("wheel_on_ground", &asked);
    assert_eq!((found.missing.count, found.tally.ends), (12, None));
    let svg = plot::map(&found).unwrap().svg().to_string();
    assert!(svg.contains(">nothing said<") && svg.contains(">at any of 12 points: no event at 12<"), "{svg}");
}

/// Regions are few outlines, however many points there are.
#[test]
fn pictures_of_many_points_are_small() {
    let size = |n: usize, quantity: &str| {
        let (x, y) = (format!("theta=0:pi/2:{n}"), format!("mu=0:3:{n}"));
        plot::map(&map("falling_pencil", &options("inconsistent", &x, &y, quantity))).unwrap().svg().len()
    };
    assert!(size(700, "verdict") < 200_000, "{}", size(700, "verdict"));
    assert!(size(300, "p_plus") < 700_000, "{}", size(300, "p_plus"));
}
