//! Every key of the format, and the field of the mechanism that it ends in.

use crate::samples;
use crate::shared::{PLANE, checked, edited, faults};
use mechan::expression::{Expr, Symbol};
use mechan::format::{
    Carrier, ConstraintValue, Contact, Force, Geometry, Inertia, Mechanism, Outline, Override,
    RestitutionLaw, Rotation, Round, Shape, Slip, Space,
};

fn plane() -> Mechanism {
    checked(samples::PLANE).mechanism
}

fn space() -> Mechanism {
    checked(samples::SPACE).mechanism
}

/// An expression in the names of its mechanism.
fn text(m: &Mechanism, x: &Expr) -> String {
    x.display(&m.names()).to_string()
}

fn texts(m: &Mechanism, list: &[Expr]) -> Vec<String> {
    list.iter().map(|x| text(m, x)).collect()
}

fn contact<'m>(m: &'m Mechanism, name: &str) -> &'m Contact {
    m.contacts.iter().find(|c| c.name == name).unwrap()
}

#[test]
fn words_about_the_mechanism() {
    let m = plane();
    assert_eq!(m.name, "everything-plane");
    assert_eq!(m.title.as_deref(), Some("Everything"));
    assert_eq!(m.description.as_deref(), Some("Every key of the format in the plane."));
    assert_eq!(m.references, ["first", "second: with a colon"]);
    assert_eq!((m.space, space().space), (Space::Plane, Space::Space));
    assert_eq!((space().title, space().description, space().references), (None, None, Vec::new()));
}

/// A file of a stranger cannot paint over a terminal.
#[test]
fn texts_have_no_characters_that_steer_a_terminal() {
    let text = edited(samples::PLANE, "title: Everything", "title: \"a\\e[31mred\\r\\tb\\nc\"");
    assert_eq!(checked(&text).mechanism.title.as_deref(), Some("a\u{fffd}[31mred\u{fffd}\tb\nc"));
}

#[test]
fn parameters_and_coordinates() {
    let m = plane();
    let names: Vec<&str> = m.parameters.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["m", "r", "J", "g", "mu", "c", "limit"]);
    assert_eq!(m.parameters[0].unit.as_deref(), Some("kg"));
    assert_eq!(m.parameters[0].description.as_deref(), Some("mass"));
    assert_eq!(m.parameters[4].unit, None);
    assert_eq!(m.default_parameters().unwrap(), [2.0, 1.0 / 3.0, 1.0 / 9.0, 9.81, 0.5, -0.001, 4.499]);
    let names: Vec<&str> = m.coordinates.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["x", "y", "phi", "s"]);
    assert_eq!((m.coordinates[0].unit.as_deref(), m.coordinates[3].unit.as_deref()), (Some("m"), None));
    assert_eq!(m.coordinates[0].description.as_deref(), Some("to the right"));
    assert_eq!(texts(&m, &m.gravity), ["0", "-g"]);
    assert_eq!(texts(&m, &checked(PLANE).mechanism.gravity), ["0", "0"]);
}

#[test]
fn bodies_in_the_plane() {
    let m = plane();
    let [wheel, point, ..] = m.bodies.as_slice() else { panic!("{:?}", m.bodies) };
    assert_eq!((wheel.name.as_str(), text(&m, &wheel.mass)), ("wheel", "m".to_owned()));
    assert!(matches!(&wheel.inertia, Inertia::Scalar(x) if text(&m, x) == "J"));
    assert_eq!(texts(&m, &wheel.pose.origin), ["x", "y"]);
    assert!(matches!(&wheel.pose.rotation, Rotation::Angle(x) if text(&m, x) == "phi"));
    assert_eq!(
        (point.name.as_str(), texts(&m, &point.pose.origin)),
        ("point-mass", vec!["s + sin(t)".to_owned(), "0".to_owned()])
    );
    assert!(matches!(&point.inertia, Inertia::Scalar(x) if text(&m, x) == "0"));
    assert!(matches!(&point.pose.rotation, Rotation::Angle(x) if text(&m, x) == "0"));
}

#[test]
fn bodies_in_space() {
    let m = space();
    let [top, plate, point] = m.bodies.as_slice() else { panic!("{:?}", m.bodies) };
    assert!(matches!(&top.inertia, Inertia::Diagonal(d) if texts(&m, d) == ["a", "a", "2*a"]));
    let Rotation::Sequence(turns) = &top.pose.rotation else { panic!("{:?}", top.pose.rotation) };
    let turns: Vec<(usize, String)> = turns.iter().map(|r| (r.axis, text(&m, &r.angle))).collect();
    assert_eq!(turns, [(2, "psi".to_owned()), (0, "theta + t".to_owned()), (2, "phi".to_owned())]);
    let Inertia::Full(rows) = &plate.inertia else { panic!("{:?}", plate.inertia) };
    assert_eq!(rows.each_ref().map(|r| texts(&m, r).join(" ")), ["2 a 0", "a 2 0", "0 0 4"]);
    assert!(matches!(&plate.pose.rotation, Rotation::Sequence(turns) if turns.is_empty()));
    assert!(matches!(&point.pose.rotation, Rotation::Sequence(turns) if turns.is_empty()));
    assert!(matches!(&point.inertia, Inertia::Diagonal(d) if texts(&m, d) == ["0", "0", "0"]));
}

#[test]
fn energy_forces_and_constraints() {
    let m = plane();
    let energy = [&m.energy.kinetic, &m.energy.potential].map(|x| text(&m, x.as_ref().unwrap()));
    assert_eq!(energy, ["1/2*dot(s)^2 + dot(x)*dot(s)/4", "s^2"]);
    let [push, turn, pull] = m.forces.as_slice() else { panic!("{:?}", m.forces) };
    let Force::Point { point, force } = push else { panic!("{push:?}") };
    assert_eq!(
        (texts(&m, &point.components).join(", "), texts(&m, &force.components).join(", ")),
        ("x, y + r".to_owned(), "-dot(x), t".to_owned())
    );
    assert!(
        matches!(turn, Force::Torque { body: 0, torque } if texts(&m, &torque.components) == ["3*cos(t)"])
    );
    assert!(matches!(pull, Force::Coordinate { coordinate: 3, value } if text(&m, value) == "-dot(s)"));
    assert_eq!(m.constraints.len(), 1);
    assert_eq!(
        (
            m.constraints[0].name.as_str(),
            match &m.constraints[0].value {
                ConstraintValue::Expression(x) => text(&m, x),
                ConstraintValue::Coincidence { .. } => panic!("an expression is given"),
            }
        ),
        ("rail-1", "y - x^2 - t".to_owned())
    );
    let s = space();
    assert!(
        matches!(&s.forces[0], Force::Torque { body: 0, torque } if texts(&s, &torque.components) == ["0", "dot(phi)", "t"])
    );
    assert_eq!((&s.energy.kinetic, &s.energy.potential, s.constraints.len()), (&None, &None, 0));
}

fn radius(round: &Round) -> &Expr {
    let Outline::Ball(radius) = &round.outline else { panic!("{round:?}") };
    radius
}

#[test]
fn a_disc_on_a_moving_surface_with_all_its_laws() {
    let m = plane();
    let c = contact(&m, "rim");
    let Geometry::Round { round, surface } = &c.geometry else { panic!("{c:?}") };
    assert_eq!((round.body, &round.centre, text(&m, radius(round))), (Some(0), &None, "r".to_owned()));
    assert_eq!(
        (texts(&m, &surface.point.components), texts(&m, &surface.normal.components)),
        (vec!["0".to_owned(); 2], vec!["0".to_owned(), "2".to_owned()])
    );
    assert_eq!(
        (surface.carrier, texts(&m, &surface.velocity.as_ref().unwrap().components)),
        (Some(Carrier::Body(1)), vec!["1".to_owned(), "t".to_owned()])
    );
    assert_eq!(
        (c.restitution.law, text(&m, &c.restitution.value)),
        (RestitutionLaw::Newton, "0.25".to_owned())
    );
    assert_eq!(
        (text(&m, &c.compliance.stiffness), text(&m, &c.compliance.damping)),
        ("100".to_owned(), "2".to_owned())
    );
    assert_eq!(text(&m, &c.restitution.tangential), "r/2");
    assert_eq!(text(&m, c.compliance.tangential_stiffness.as_ref().unwrap()), "2*m");
    assert_eq!(text(&m, c.active.as_ref().unwrap()), "sin(t) + dot(x) - y");
    assert_eq!((text(&m, &c.friction), c.bilateral, &c.tangents), ("mu".to_owned(), true, &None));
}

#[test]
fn two_discs() {
    let m = plane();
    let c = contact(&m, "two_discs");
    let Geometry::RoundPair { round, other } = &c.geometry else { panic!("{c:?}") };
    assert_eq!(
        (round.body, texts(&m, &round.centre.as_ref().unwrap().components)),
        (None, vec!["x".to_owned(), "0".to_owned()])
    );
    assert_eq!(
        (other.body, texts(&m, &other.centre.as_ref().unwrap().components)),
        (Some(1), vec!["s".to_owned(), "1".to_owned()])
    );
    assert_eq!(
        (text(&m, radius(other)), c.bilateral, c.restitution.law),
        ("2*r".to_owned(), false, RestitutionLaw::Energetic)
    );
}

#[test]
fn points_and_laws_by_default() {
    let m = plane();
    let c = contact(&m, "tip");
    let Geometry::Point { point, surface } = &c.geometry else { panic!("{c:?}") };
    assert_eq!(texts(&m, &point.components), ["x", "y - r"]);
    assert_eq!((surface.carrier, &surface.velocity), (None, &None));
    assert_eq!(
        (c.restitution.law, text(&m, &c.restitution.value)),
        (RestitutionLaw::Poisson, "0".to_owned())
    );
    assert_eq!(
        (text(&m, &c.compliance.stiffness), text(&m, &c.compliance.damping)),
        ("1".to_owned(), "3".to_owned())
    );
    assert!(!c.bilateral);
    assert_eq!((text(&m, &c.restitution.tangential), &c.active), ("0".to_owned(), &None));
    assert_eq!(c.compliance.tangential_stiffness, None);
}

#[test]
fn shapes() {
    let (m, s) = (plane(), space());
    let points = |m: &Mechanism, list: &[Vec<Expr>]| -> Vec<String> {
        list.iter().map(|p| texts(m, p).join(" ")).collect()
    };
    let shape = |m: &Mechanism, body: &str| -> (String, Vec<String>) {
        let found = m.bodies.iter().find(|b| b.name == body).unwrap().shape.as_ref().unwrap();
        match found {
            Shape::Segment(list) => ("segment".to_owned(), points(m, list)),
            Shape::Polyline(list) => ("polyline".to_owned(), points(m, list)),
            Shape::Polygon(list) => ("polygon".to_owned(), points(m, list)),
            Shape::Round(radius) => ("round".to_owned(), vec![text(m, radius)]),
            Shape::Box(sizes) => ("box".to_owned(), texts(m, sizes)),
        }
    };
    let cases: [(&Mechanism, &str, &str, &[&str]); 8] = [
        (&m, "wheel", "round", &["r"]),
        (&m, "point-mass", "segment", &["-r 0", "2*r 1"]),
        (&m, "frame", "polyline", &["0 0", "r 0", "r r"]),
        (&m, "plate", "polygon", &["0 0", "r 0", "0 r"]),
        (&m, "crate", "box", &["2*r", "1"]),
        (&s, "top", "round", &["a"]),
        (&s, "plate", "box", &["2*a", "a", "1"]),
        (&s, "point", "segment", &["0 0 0", "0 0 a"]),
    ];
    for (m, body, kind, numbers) in cases {
        let (found, read) = shape(m, body);
        assert_eq!((found.as_str(), read), (kind, numbers.iter().map(|n| (*n).to_owned()).collect()));
    }
    assert_eq!(crate::shared::checked(crate::shared::PLANE).mechanism.bodies[0].shape, None);
}

/// What the laws of contacts are as numbers, at the default parameters and with overrides of a state.
#[test]
fn laws_as_numbers() {
    let m = plane();
    let at = |state: &str| {
        let state = m.states.iter().find(|s| s.name == state).unwrap();
        m.resolve(state, &[]).unwrap().laws[0]
    };
    let (empty, full) = (at("empty"), at("full"));
    assert_eq!((empty.tangential_restitution, full.tangential_restitution), (1.0 / 6.0, 0.25));
    assert_eq!(empty.tangential_stiffness, Some(4.0));
    let state = m.states.iter().find(|s| s.name == "empty").unwrap();
    assert_eq!(m.resolve(state, &[]).unwrap().laws[1].tangential_stiffness, None);
}

#[test]
fn gap_and_slip_given_directly() {
    for (m, gap, displacement, velocity) in [
        (plane(), ["y - x", "y"], vec!["x + y"], vec!["dot(x) + x*dot(y)"]),
        (space(), ["z", "z"], vec!["x", "y + t"], vec!["dot(x)", "dot(y) - z*dot(phi)"]),
    ] {
        let direct = |name: &str| match &contact(&m, name).geometry {
            Geometry::Direct { gap, slip } => (text(&m, gap), slip.clone()),
            other => panic!("{other:?}"),
        };
        let ((g, s), (h, v)) = (direct("direct"), direct("rate"));
        assert_eq!([g, h], gap);
        assert!(matches!(s, Slip::Displacement(s) if texts(&m, &s) == displacement));
        assert!(matches!(v, Slip::Velocity(v) if texts(&m, &v) == velocity));
    }
}

#[test]
fn tangents_and_balls_in_space() {
    let m = space();
    let c = contact(&m, "ball");
    let tangents = c.tangents.as_ref().unwrap();
    assert_eq!(tangents.each_ref().map(|t| texts(&m, &t.components).join(" ")), ["1 0 0", "0 1 0"]);
    assert!(matches!(&c.geometry, Geometry::Round { round, .. } if round.body == Some(0)));
    let Geometry::RoundPair { round, other } = &contact(&m, "balls").geometry else { panic!() };
    assert_eq!((round.body, other.body), (Some(0), Some(1)));
    assert_eq!(contact(&m, "tip").tangents, None);
}

#[test]
fn states_and_domain_as_written() {
    let m = plane();
    let [empty, full] = m.states.as_slice() else { panic!("{:?}", m.states) };
    assert_eq!(
        (empty.name.as_str(), &empty.closed, empty.q.len(), empty.parameters.len()),
        ("empty", &None, 0, 0)
    );
    assert_eq!((full.description.as_deref(), text(&m, &full.t)), (Some("all keys"), "1/2".to_owned()));
    assert_eq!(full.q.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(full.v.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [2, 0]);
    assert_eq!(full.closed, Some(vec![2, 0]));
    assert_eq!(&samples::PLANE[full.span.start..full.span.end], "full");
    let variables: Vec<Symbol> = m.domain.iter().map(|r| r.variable).collect();
    assert_eq!(variables, [Symbol::Coordinate(0), Symbol::Rate(2), Symbol::Parameter(4)]);
    let names: Vec<String> = space().states.into_iter().map(|s| s.name).collect();
    assert_eq!(names, ["origin"]);
}

fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let far = found.iter().zip(expected).any(|(a, b)| (a - b).abs() > 4.0 * f64::EPSILON * b.abs());
    assert!(!far, "{found:?}, expected {expected:?}");
}

#[test]
fn a_state_in_numbers_follows_its_overrides() {
    let m = plane();
    let state = m.resolve(&m.states[1], &[]).unwrap();
    let (r, pi) = (0.5, std::f64::consts::PI);
    near(&state.parameters, &[2.0, r, 2.0 * r * r / 2.0, 9.81, 0.9, -0.001, 4.499]);
    near(&state.q, &[1.0, 2.0, pi / 6.0, 0.0]);
    near(&state.v, &[r * 2.0 + 2.0, 0.0, -2.0, 0.0]);
    near(&[state.t], &[0.5]);
    let friction: Vec<f64> = state.laws.iter().map(|l| l.friction).collect();
    near(&friction, &[0.9, 0.0, 0.9, 1.8, 0.1]);
    assert!(state.laws[0].bilateral && !state.laws[1].bilateral);
    assert_eq!(state.laws[0].restitution_law, RestitutionLaw::Newton);
    near(&[state.laws[0].restitution, state.laws[0].stiffness, state.laws[0].damping], &[0.25, 100.0, 2.0]);
    near(&[state.laws[3].restitution], &[1.0]);
}

#[test]
fn a_velocity_along_a_quaternion_may_be_as_large_as_typed_digits_leave_it() {
    // turned by half a radian about z, and turning about x by one radian a second, to three digits
    let of = |v: &str| {
        let m = checked(&format!(
            "mechan: 1\nname: a\nspace: space\ncoordinates: [a, b, c, d]\nbodies:\n  top: {{mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], \
             rotation: {{quaternion: [a, b, c, d]}}}}\nstates:\n  s: {{q: {{a: 0.969, d: 0.247}}, v: {v}}}\n"
        ))
        .mechanism;
        m.resolve(&m.states[0], &[]).map(|state| state.v)
    };
    let typed = of("{a: -0.0001, b: 0.485, c: 0.124, d: 0.0001}").unwrap();
    near(&typed, &[-0.0001, 0.485, 0.124, 0.0001]);
    let found = of("{a: -0.1, b: 0.485, c: 0.124, d: 0.1}").unwrap_err();
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["M313"]);
    // what is left where a motion came to rest
    assert!(of("{a: 4e-13, b: 2e-12}").is_ok() && of("{a: 4e-9}").is_err());
}

#[test]
fn overrides_from_outside_win_over_the_state_and_the_file() {
    let m = plane();
    let set =
        |texts: &[&str]| -> Vec<Override> { texts.iter().map(|t| Override::parse(&m, t).unwrap()).collect() };
    let state = m
        .resolve(&m.states[1], &set(&["m = 4", "mu=0.1", "x=2", "dot(phi)=1", "t=3", "s=x+1", "x=3"]))
        .unwrap();
    near(&state.parameters, &[4.0, 1.0, 2.0, 9.81, 0.1, -0.001, 4.499]);
    near(&state.q, &[3.0, 4.0, std::f64::consts::PI / 6.0, 4.0]);
    near(&state.v, &[-1.0 + 4.0, 0.0, 1.0, 0.0]);
    near(&[state.t], &[3.0]);
    let found = m.resolve(&m.states[0], &set(&["mu=-1", "c=log(0)"])).unwrap_err();
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["M301", "M303", "M303", "M303"]);
}

#[test]
fn the_domain_follows_the_parameters() {
    let m = plane();
    let mut parameters = m.default_parameters().unwrap();
    let ends =
        |p: &[f64]| m.domain_values(p).map(|d| d.into_iter().map(|(_, lo, hi)| [lo, hi]).collect::<Vec<_>>());
    assert_eq!(ends(&parameters).unwrap(), [[-1.0, 1.0], [0.0, 4.499], [0.0, 3.0]]);
    parameters[6] = -1.0;
    assert_eq!(ends(&parameters).unwrap_err()[0].code, "M306");
}

#[test]
fn names_used_in_states_or_domain_alone_are_used() {
    let text = edited(PLANE, "mu: 0.5", "mu: 0.5, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6");
    let text = edited(
        &text,
        "{q: {x: 0, y: 0}}",
        "{t: a, q: {x: b}, v: {y: c}, parameters: {mu: 0.1, f: d}}\ndomain: {x: [0, e]}",
    );
    let unused: Vec<String> = faults(text.as_bytes()).1.into_iter().map(|d| d.message).collect();
    assert_eq!(unused, ["parameter `f` is not used"; 1]);
}

#[test]
fn sections_without_content_count_as_absent() {
    let text =
        format!("{PLANE}title:\ndomain:\nforces:\nenergy: null\nconstraints: ~\nreferences:\ngravity:\n");
    assert_eq!(checked(&text).mechanism, checked(PLANE).mechanism);
}

#[test]
fn the_words_of_older_yaml_are_names() {
    let text = PLANE.replace("tip:", "on:").replace("ball:", "no:").replace('x', "n");
    let m = checked(&text).mechanism;
    assert_eq!((m.contacts[0].name.as_str(), m.bodies[0].name.as_str()), ("on", "no"));
    assert_eq!(m.coordinates.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["n", "y"]);
}

#[test]
fn a_mechanism_survives_its_written_form() {
    for m in [plane(), space()] {
        assert_eq!(serde_json::from_str::<Mechanism>(&serde_json::to_string(&m).unwrap()).unwrap(), m);
    }
}
