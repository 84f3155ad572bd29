//! Pictures of states: where things stand, read off the picture and compared with the analysis and with closed forms.

use crate::read_off::{Read, attribute, lines, shapes, texts_are_on_the_page};
use mechan::analysis::{Analysis, LocalOutcome, StateOutcome};
use mechan::model::Model;
use mechan::num::Tol;
use mechan::pipeline::{
    AnalyzeOptions, LIBRARY, Loaded, StatePicture, analyze, load_shipped, shipped, state_pictures, thumbnail,
};
use mechan::plot::{StatePlot, StatePlotRequest};

/// A coordinate is written to 0.01.
const PAGE: f64 = 0.02;

struct Case {
    loaded: Loaded,
    model: Model,
    analysis: Analysis,
    set: Vec<String>,
}

impl Case {
    fn of(name: &str) -> Self {
        Self::with(name, &[])
    }

    fn with(name: &str, set: &[&str]) -> Self {
        let set: Vec<String> = set.iter().map(|text| (*text).to_owned()).collect();
        let loaded = load_shipped(shipped(name).unwrap()).unwrap();
        let model = loaded.model.clone().unwrap();
        // no picture needs the next step, or the search over the domain
        let tolerances = Tol { search_boxes: 1, ..Tol::default() };
        let options = AnalyzeOptions {
            without_next_step: true,
            without_no_slip: true,
            tolerances,
            set: set.clone(),
            ..AnalyzeOptions::default()
        };
        let analysis = analyze(&loaded, &model, &options).unwrap();
        Self { loaded, model, analysis, set }
    }

    fn state(&self, name: &str) -> &StateOutcome {
        self.analysis.state(name).unwrap()
    }

    fn all(&self, state: &StateOutcome) -> Vec<StatePicture> {
        state_pictures((&self.loaded, &self.model), (&self.analysis, &self.set), state)
    }

    fn svg(&self, state: &str, plot: StatePlot) -> String {
        let all = self.all(self.state(state));
        all.iter().find(|picture| picture.plot == plot).unwrap().picture.svg().to_owned()
    }
}

/// A, B, C, a, b of the contact that is closed.
fn local(state: &StateOutcome) -> [f64; 5] {
    let LocalOutcome::Plane { A, B, C, a, b, .. } = &state.contacts.get(&state.closed[0]).unwrap().local
    else {
        panic!("a contact of the plane")
    };
    [A, B, C, a, b].map(|x| x.value)
}

fn friction(state: &StateOutcome) -> f64 {
    state.contacts.get(&state.closed[0]).unwrap().friction.0
}

/// Centre and radius of the circles of a fill.
fn circles(svg: &str, fill: &str) -> Vec<[f64; 3]> {
    let found = svg.lines().filter(|l| l.starts_with("<circle") && attribute(l, "fill") == Some(fill));
    found.map(|l| ["cx", "cy", "r"].map(|name| attribute(l, name).unwrap().parse().unwrap())).collect()
}

fn close(found: f64, expected: f64, allowed: f64) {
    assert!((found - expected).abs() < allowed, "{found} {expected}");
}

#[test]
fn the_rod_its_cone_its_slip_and_its_force_are_where_they_should_be() {
    let case = Case::of("falling_pencil");
    let svg = case.svg("slipping", StatePlot::State);
    let state = case.state("slipping");
    // 45 degrees to the left
    let [rod] = &lines(&svg, "#334155", "6.5")[..] else { panic!("a rod") };
    let (tip, top) = if rod[0][1] > rod[1][1] { (rod[0], rod[1]) } else { (rod[1], rod[0]) };
    close(tip[0] - top[0], tip[1] - top[1], 2.0 * PAGE);
    let ground = &lines(&svg, "#777777", "1")[0];
    close(ground[0][1], tip[1], PAGE);
    // the cone's edges have the slope 1/μ
    let cone = &lines(&svg, "#e69f00", "0.9")[0];
    let (mu, height) = (friction(state), tip[1] - cone[0][1]);
    assert!(height > 30.0);
    for (edge, side) in [(cone[0], -1.0), (cone[2], 1.0)] {
        close(edge[0] - tip[0], side * mu * height, 3.0 * PAGE);
    }
    close(cone[1][0], tip[0], PAGE);
    // it slips to the left, with the arrow below the floor
    let slip = lines(&svg, "#0072b2", "1.7")[0].clone();
    assert!(slip[1][0] < slip[0][0] && slip[0][1] > tip[1]);
    close(slip[0][1], slip[1][1], PAGE);
    // the force is on the edge that opposes the slip, and has the direction of the mode's
    let force = lines(&svg, "#8a5a00", "1.7")[0].clone();
    let [x, y] = [force[1][0] - force[0][0], force[0][1] - force[1][1]];
    let mode = state.prospect.first_consistent().unwrap();
    let (_, forces) = &mode.forces.0[0];
    close(x / y, forces.tangential[0].value / forces.normal.value, 0.002);
    close(x / y, mu, 0.002);
}

/// In space the tip of the rod, its foot's cone and the slip are those of the axonometric view.
#[test]
fn a_cone_in_space_stands_at_the_contact() {
    let case = Case::of("rod_3d");
    let name = &case.analysis.outcomes().find(|s| !s.closed.is_empty()).unwrap().state;
    let svg = case.svg(name, StatePlot::State);
    let [rod] = &lines(&svg, "#334155", "6.5")[..] else { panic!("a rod") };
    let low = if rod[0][1] > rod[1][1] { rod[0] } else { rod[1] };
    let edges = &lines(&svg, "#e69f00", "0.9")[0];
    close(edges[1][0], low[0], PAGE);
    close(edges[1][1], low[1], PAGE);
    // the rim is an ellipse of the ratio sin 22° around a centre above the apex
    let rim = &shapes(&svg, "#e69f00")[0];
    let ends = |k: usize| {
        let all = rim.iter().map(|p| p[k]);
        (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, right), (up, down)) = (ends(0), ends(1));
    close((down - up) / (right - left), 22.0_f64.to_radians().sin(), 0.005);
    close(0.5 * (left + right), low[0], 0.3);
    // its half width over its height is μ, the height being seen under 22 degrees
    let height = (low[1] - 0.5 * (up + down)) / 22.0_f64.to_radians().cos();
    close(0.5 * (right - left) / height, friction(case.state(name)), 0.01);
}

/// Forces at the edges of the friction cone, λ_T = ±μ λ_N, balance the free accelerations (a, b) = −(A λ_T + B λ_N, B λ_T + C λ_N): those are the
/// directions of the plane's lines.
#[test]
fn the_plane_has_the_cone_and_the_state_of_the_analysis() {
    let case = Case::of("falling_pencil");
    for name in ["falling", "slipping", "inconsistent", "indeterminate"] {
        let (svg, state) = (case.svg(name, StatePlot::Plane), case.state(name));
        let (across, up) = (Read::across(&svg), Read::up(&svg, 0));
        close(across.b, -up.b, 1e-3 * across.b);
        let ([A, B, C, a, b], mu) = (local(state), friction(state));
        let dot = svg.lines().find(|l| l.starts_with("<circle")).unwrap();
        let of = |name: &str| attribute(dot, name).unwrap().parse::<f64>().unwrap();
        close(across.at(of("cx")), a, 3.0 * PAGE * across.b);
        close(up.at(of("cy")), b, 3.0 * PAGE * across.b);
        let cone = lines(&svg, "#8a5a00", "1.1");
        assert_eq!(cone.len(), 2);
        for side in [-1.0, 1.0] {
            let [x, y] = [-(side * mu * A + B), -(side * mu * B + C)];
            let along = |line: &Vec<[f64; 2]>| {
                let [u, v] =
                    [across.at(line[1][0]) - across.at(line[0][0]), up.at(line[1][1]) - up.at(line[0][1])];
                (x * v - y * u).abs() < 2e-3 * x.hypot(y) * u.hypot(v) && x * u + y * v > 0.0
            };
            assert_eq!(cone.iter().filter(|line| along(line)).count(), 1, "{name} {side}");
        }
    }
}

/// Whether a point lies in an outline: the angles under which its sides are seen add up to a whole turn.
fn holds(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    let angle = |([a, b], [c, d]): (&[f64; 2], &[f64; 2])| {
        let ([a, b], [c, d]) = ([a - x, b - y], [c - x, d - y]);
        (a * d - b * c).atan2(a * c + b * d)
    };
    sides.map(angle).sum::<f64>().abs() > std::f64::consts::PI
}

/// Fills of regions with each verdict.
const REGIONS: [(&str, &str); 3] =
    [("consistent", "#73cab2"), ("inconsistent", "#ce726d"), ("indeterminate", "#efc159")];

/// The state stands at its own numbers, on the colour of its verdict and on no other, also where numbers were set that others follow.
#[test]
fn a_state_lies_in_its_map_where_its_verdict_is() {
    let cases: [(&str, &[&str], &str); 7] = [
        ("falling_pencil", &[], "theta"),
        ("falling_pencil", &["mu=1.4", "l=0.5"], "theta"),
        ("painleve_rod", &[], "theta"),
        ("box_on_incline", &["w=0.2", "theta=1.2"], "theta"),
        ("compass_biped", &[], "theta_1"),
        ("two_link_manipulator", &[], "theta_1"),
        ("rimless_wheel", &["gamma=pi/9", "mu=1.1"], "theta"),
    ];
    let mut seen = 0;
    for (name, set, across) in cases {
        let case = Case::with(name, set);
        for state in case.analysis.outcomes() {
            let Some(found) = case.all(state).into_iter().find(|p| p.plot == StatePlot::Map) else {
                continue;
            };
            let svg = found.picture.svg();
            let [dot] = &svg.lines().filter(|l| l.starts_with("<circle")).collect::<Vec<_>>()[..] else {
                panic!("one dot")
            };
            let [x, y] = ["cx", "cy"].map(|name| attribute(dot, name).unwrap().parse::<f64>().unwrap());
            let (right, up) = (Read::across(svg), Read::up(svg, 0));
            close(right.at(x), state.q.get(across).unwrap().0, 4.0 * PAGE * right.b);
            close(up.at(y), friction(state), 4.0 * PAGE * up.b.abs());
            let verdict = state.prospect.verdict.unwrap().name();
            let under = REGIONS.iter().filter(|(_, fill)| shapes(svg, fill).iter().any(|s| holds(s, [x, y])));
            if verdict != "marginal" {
                assert_eq!(
                    under.map(|(word, _)| *word).collect::<Vec<_>>(),
                    [verdict],
                    "{name} {}",
                    state.state
                );
                seen += 1;
            }
        }
    }
    assert!(seen >= 19, "{seen}");
}

/// The next verdicts in the words below: of the pencil from μ = (1 + 3 sin²θ)/(3 sin θ cos θ), of both roots tan θ of which one is here.
#[test]
fn the_next_verdicts_are_those_of_the_closed_form() {
    let case = Case::of("falling_pencil");
    let caption = |name: &str| {
        let all = case.all(case.state(name));
        all.into_iter().find(|p| p.plot == StatePlot::Map).map(|p| p.caption)
    };
    let words = caption("inconsistent").unwrap();
    // 4 s² − 3 μ s c + c² = 0
    let root = |sign: f64| ((4.5 + sign * (4.5_f64 * 4.5 - 16.0).sqrt()) / 8.0).atan();
    let shown = |x: f64| mechan::report::significant(x);
    for told in [
        "consistent below mu = 1.33333".to_owned(),
        format!("consistent below theta = {} rad", shown(root(-1.0))),
        format!("consistent above theta = {} rad", shown(root(1.0))),
    ] {
        assert!(words.contains(&told), "{told}: {words}");
    }
    // an impact, an equilibrium without paradox below it, and several contacts have none
    assert!(caption("impact").is_none());
    let ladder = Case::of("ladder");
    assert!(ladder.analysis.outcomes().all(|s| ladder.all(s).iter().all(|p| p.plot != StatePlot::Map)));
}

/// The lines of one half of a picture.
fn half(svg: &str, right: bool) -> String {
    let on_side = |line: &&str| {
        let x = attribute(line, "x").or(attribute(line, "cx")).and_then(|x| x.parse::<f64>().ok());
        // words on the panels are no ticks
        x.is_none_or(|x| (x > 180.0) == right) && !line.contains("paint-order")
    };
    svg.lines().filter(on_side).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_impact_ends_at_its_velocities_and_impulses() {
    for (mechanism, name) in
        [("falling_pencil", "impact"), ("falling_pencil", "inconsistent"), ("painleve_rod", "impact")]
    {
        let case = Case::of(mechanism);
        let (svg, state) = (case.svg(name, StatePlot::Impulse), case.state(name));
        let (_, hit) = &state.prospect.impact.0[0];
        let post = hit.post.or(hit.iwc_post).unwrap();
        let slip = post.u.as_slice()[0].value;
        let (left, right) = (half(&svg, false), half(&svg, true));
        let end = |svg: &str| {
            let (across, up) = (Read::across(svg), Read::up(svg, 0));
            let [x, y, _] = circles(svg, "#0072b2")[0];
            ([across.at(x), up.at(y)], [3.0 * PAGE * across.b, 3.0 * PAGE * up.b.abs()])
        };
        let ([u, v], allowed) = end(&left);
        close(u, slip, allowed[0]);
        close(v, post.v.value, allowed[1]);
        // the impulse makes the velocity: u⁺ = u⁻ + A P_T + B P_N
        let ([T, N], allowed) = end(&right);
        let ([A, B, C, ..], contact) = (local(state), &state.contacts.0[0].1);
        let error = allowed[0].max(allowed[1]) * (A + B.abs() + C);
        close(contact.slip[0].value + A * T + B * N, slip, error);
        close(contact.gap_rate.value + B * T + C * N, post.v.value, error);
        assert!(T.abs() <= friction(state) * N + error);
    }
}

/// The state's curve follows p' = α₁ p, b' = α₂ p + β b, integrated here by small steps.
#[test]
fn a_jam_portrait_follows_its_linear_system() {
    let mut seen = 0;
    for name in ["painleve_rod", "falling_pencil", "compass_biped", "pushed_chalk", "two_link_manipulator"] {
        let case = Case::of(name);
        for state in case.analysis.outcomes() {
            let Some(found) = case.all(state).into_iter().find(|p| p.plot == StatePlot::Jam) else {
                continue;
            };
            let jam = state.prospect.plane().unwrap().jam.0[0].1;
            let svg = found.picture.svg();
            let (across, up) = (Read::across(svg), Read::up(svg, 0));
            let place = |p: &[f64; 2]| [across.at(p[0]), up.at(p[1])];
            let scale = [280.0 * across.b, 220.0 * up.b.abs()];
            let dots = circles(svg, "#0072b2");
            let [x, y, _] = dots[0];
            close(across.at(x), jam.p, 1e-3 * scale[0]);
            close(up.at(y), jam.b, 1e-3 * scale[1]);
            let Some(curve) = lines(svg, "#0072b2", "2.08").into_iter().next() else { continue };
            let c = jam.coefficients;
            let way = if jam.p > 0.0 { 1.0 } else { -1.0 };
            let h = way * 1e-3 / c.alpha1.abs().max(c.beta.abs());
            let (mut p, mut b, mut path) = (jam.p, jam.b, Vec::new());
            for k in 0..40_000 {
                if k % 4 == 0 {
                    path.push([p, b]);
                }
                let middle = [p + 0.5 * h * c.alpha1 * p, b + 0.5 * h * (c.alpha2 * p + c.beta * b)];
                (p, b) = (p + h * c.alpha1 * middle[0], b + h * (c.alpha2 * middle[0] + c.beta * middle[1]));
            }
            let inside = |[p, b]: [f64; 2]| p.abs() < 2.0 * scale[0] && b.abs() < 2.0 * scale[1];
            for point in curve.iter().map(place).filter(|p| inside(*p)) {
                let off = |q: &[f64; 2]| ((q[0] - point[0]) / scale[0]).hypot((q[1] - point[1]) / scale[1]);
                assert!(path.iter().any(|q| off(q) < 3e-3), "{name} {} {point:?}", state.state);
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

/// p(φ) = C − μ B·û: the circle p = 0 is met where the forbidden arc begins and ends, and the slip's dot is at its p.
#[test]
fn the_gain_crosses_zero_at_the_edges_of_its_sector() {
    let case = Case::of("rod_3d");
    let mut seen = 0;
    for state in case.analysis.outcomes().filter(|s| !s.closed.is_empty()) {
        let Some(found) = case.all(state).into_iter().find(|p| p.plot == StatePlot::Gain) else { continue };
        let svg = found.picture.svg();
        let LocalOutcome::Space { forbidden, .. } = &state.contacts.0[0].1.local else { panic!("space") };
        let edges = lines(svg, "#b3261e", "0.9");
        assert_eq!(edges.len(), forbidden.len());
        for (arc, line) in forbidden.iter().zip(edges) {
            let centre = line[1];
            for (phi, end) in [(arc[0].0, line[0]), (arc[1].0, line[2])] {
                let angle = (centre[1] - end[1]).atan2(end[0] - centre[0]);
                assert!(((angle - phi).cos() - 1.0).abs() < 1e-6, "{angle} {phi}");
                // the curve and the circle of p = 0 meet on this ray
                let zero = svg.lines().find(|l| l.contains("stroke-dasharray=\"4 2\"")).unwrap();
                let radius: f64 = attribute(zero, "r").unwrap().parse().unwrap();
                let meets = lines(svg, "#b3261e", "1.95").concat();
                let near = [centre[0] + radius * phi.cos(), centre[1] - radius * phi.sin()];
                assert!(
                    meets.iter().any(|p| (p[0] - near[0]).hypot(p[1] - near[1]) < 3.0 * PAGE),
                    "{near:?}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen >= 8);
}

#[test]
fn two_contacts_are_drawn_at_their_angles() {
    let mut seen = 0;
    for name in ["ladder", "two_point_body", "square_on_ground"] {
        let case = Case::of(name);
        for state in case.analysis.outcomes() {
            let Some(found) = case.all(state).into_iter().find(|p| p.plot == StatePlot::Vectors) else {
                continue;
            };
            let two = state.prospect.two_contacts.clone().unwrap();
            let svg = found.picture.svg();
            let angle = |line: &Vec<[f64; 2]>| (line[0][1] - line[1][1]).atan2(line[1][0] - line[0][0]);
            let drawn: Vec<f64> = [lines(svg, "#222222", "1.7"), lines(svg, "#0072b2", "1.7")]
                .concat()
                .iter()
                .map(angle)
                .collect();
            let of = |j: usize| two.response[1][j].value.atan2(two.response[0][j].value);
            let expected = [of(0), of(1), (-two.b[1].value).atan2(-two.b[0].value)];
            for (found, expected) in drawn.iter().zip(expected) {
                assert!(((found - expected).cos() - 1.0).abs() < 1e-5, "{name}: {found} {expected}");
            }
            assert!(svg.contains(two.subclass.as_ref().or(two.class.as_ref()).unwrap().as_str()));
            seen += 1;
        }
    }
    assert!(seen >= 3, "{seen}");
}

/// All pictures of all shipped states: words on the page, no number that is none, names of elements that no other picture has.
#[test]
fn pictures_of_the_library_may_stand_in_one_page() {
    let mut names: Vec<String> = Vec::new();
    let mut count = 0;
    for mechanism in LIBRARY {
        let case = Case::of(mechanism.name);
        let mut bytes = 0;
        for state in case.analysis.outcomes() {
            let all = case.all(state);
            assert!(all.is_sorted_by_key(|picture| picture.plot));
            let Some(small) = thumbnail(&case.loaded, state) else {
                // given by its energies, with contacts that have no place
                assert!(case.loaded.mechanism.bodies.is_empty(), "{} {}", mechanism.name, state.state);
                continue;
            };
            assert_eq!(all[0].plot, StatePlot::State, "{} {}", mechanism.name, state.state);
            assert!(small.svg().contains("viewBox=\"0 0 120 80\"") && !small.svg().contains("<text"));
            for (svg, caption) in
                all.iter().map(|p| (p.picture.svg(), p.caption.as_str())).chain([(small.svg(), "small.")])
            {
                let place = format!("{} {}: {svg}", mechanism.name, state.state);
                assert!(texts_are_on_the_page(svg), "{place}");
                assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{place}");
                assert!(caption.ends_with('.') && !caption.contains("NaN"), "{caption}");
                names.extend(
                    svg.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()),
                );
                bytes += svg.len();
                count += 1;
            }
        }
        assert!(bytes < 500_000, "{}: {bytes}", mechanism.name);
    }
    let total = names.len();
    names.sort();
    names.dedup();
    assert!(count > 250 && total > 80, "{count} {total}");
    assert_eq!(names.len(), total, "a name twice");
}

#[test]
fn pictures_of_states_are_asked_for_by_name() {
    for plot in StatePlot::ALL {
        let request: StatePlotRequest = format!("{}=a.svg", plot.name()).parse().unwrap();
        assert_eq!((request.plot, request.file), (plot, Some("a.svg".into())));
    }
    let said = |name: &str| name.parse::<StatePlotRequest>().unwrap_err().to_string();
    assert_eq!(said("plan"), "there is no picture of a state `plan`; did you mean `plane`?");
    assert!(said("everything").contains("there is state, map, plane, impulse, jam"));
}
