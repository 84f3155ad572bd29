//! Examples to look at; with the feature `png` and `MECHAN_PICTURES` set, as PNG too.

use crate::motions::{along, bouncing_ball, event, library, span, trajectory};
use mechan::plot::{Picture, motion, phase, time_series, tree};
use mechan::simulate::trajectory::{EventKind, FutureNode, Futures, Status};
use std::path::PathBuf;

fn keep(name: &str, picture: &Picture) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).unwrap();
    picture.write(&folder.join(format!("{name}.svg"))).unwrap();
    // unoptimised, dots take seconds a picture
    if cfg!(feature = "png") && std::env::var_os("MECHAN_PICTURES").is_some() {
        picture.write(&folder.join(format!("{name}.png"))).unwrap();
    }
}

#[test]
fn a_bouncing_ball() {
    let ball = bouncing_ball(1.0, 0.7, 14, 2.8, 200);
    keep("ball_series", &time_series(&ball, &["y", "dot(y)", "ground.N"]).unwrap());
    keep("ball_one", &time_series(&ball, &["y"]).unwrap());
    keep("ball_phase", &phase(&ball, "y").unwrap());
}

#[test]
fn two_contacts() {
    let rows: Vec<Vec<f64>> = (0..400)
        .map(|k| f64::from(k) / 100.0)
        .map(|t| {
            vec![
                t,
                (3.0 * t).sin(),
                3.0 * (3.0 * t).cos(),
                if t < 2.0 { 1e-7 * t } else { f64::NAN },
                1e6 + 1e-3 * t,
            ]
        })
        .collect();
    let mut two = trajectory("two_contacts", &["t", "theta", "dot(theta)", "left.N", "huge"], &rows);
    for (t, kind, contact) in [
        (0.5, EventKind::Slip, "left"),
        (0.55, EventKind::Stick, "right"),
        (1.0, EventKind::LiftOff, "left"),
        (2.0, EventKind::Impact, "right"),
        (2.02, EventKind::Iwc, "right"),
        (3.9, EventKind::Indeterminate, "left"),
    ] {
        let (q, v) = ([("theta", (3.0_f64 * t).sin())], [("theta", 3.0 * (3.0_f64 * t).cos())]);
        two.events.push(event(t, kind, Some(contact), &q, &v));
    }
    two.phases = vec![
        span(0.0, 0.5, &[("left", "stick"), ("right", "slip-")]),
        span(0.5, 1.0, &[("left", "slip+"), ("right", "stick")]),
        span(1.0, 2.0, &[("left", "free"), ("right", "stick")]),
        span(2.0, 4.0, &[("left", "free"), ("right", "free")]),
    ];
    keep("two_series", &time_series(&two, &["theta", "dot(theta)", "left.N", "huge"]).unwrap());
    keep("two_phase", &phase(&two, "theta").unwrap());
}

#[test]
fn extremes() {
    let mut many = bouncing_ball(1.0, 0.995, 1000, 900.0, 5000);
    keep("many_events", &time_series(&many, &["y", "dot(y)"]).unwrap());
    many.rows.truncate(1);
    many.events.clear();
    keep("one_sample", &time_series(&many, &["y", "dot(y)"]).unwrap());
    keep("one_sample_phase", &phase(&many, "y").unwrap());
    let rows = [
        vec![0.0, 1.0, f64::NAN, -1e300],
        vec![1e-9, 1.0, f64::NAN, 1e300],
        vec![2e-9, 1.0, f64::NAN, f64::INFINITY],
    ];
    let constant = trajectory(
        "extremes",
        &["t", "constant", "nothing", "a_name_that_is_longer_than_the_panel.slip1"],
        &rows,
    );
    let names = ["constant", "nothing", "a_name_that_is_longer_than_the_panel.slip1"];
    keep("extremes", &time_series(&constant, &names).unwrap());
}

fn keep_motion(name: &str, end: f64, q: impl Fn(f64) -> Vec<f64>) {
    let (mechanism, parameters) = library(name);
    let picture = motion(&mechanism, &parameters, &along(&mechanism, end, q)).unwrap();
    keep(&format!("motion_{name}"), &picture);
}

#[test]
fn mechanisms_of_the_library() {
    keep_motion("falling_pencil", 1.0, |t| vec![0.1 * t * t, 0.0, 0.1 + 1.4 * t * t]);
    keep_motion("rod_3d", 1.0, |t| vec![0.4 * t, 0.1, 0.5 + 0.1 * t, 3.0 * t, 1.0 - 0.5 * t]);
    keep_motion("two_link_manipulator", 1.0, |t| vec![0.3 + 0.6 * t, 0.9 - 0.8 * t]);
    keep_motion("box_on_incline", 1.0, |t| vec![3.0 * t, 0.6 + 0.2 * t, 0.3 + t]);
    keep_motion("shovel", 1.0, |t| vec![2.0 * t, 1.0, -2.0 * t, 1.55 + 2.0 * t, 0.6, 0.0]);
    keep_motion("rectangle_on_circles", 0.1, |t| vec![0.2 * t, 2.0, 0.3 * t]);
    keep_motion("compass_biped", 1.0, |t| vec![0.0, 0.0, 0.3 - 0.6 * t, -0.3 + 0.6 * t]);
    keep_motion("pendulum_on_slider", 1.0, |t| vec![0.3 * t, 0.0, 0.5 + t]);
    keep_motion("pushed_chalk", 1.0, |t| vec![0.3 * t, 0.3, 0.9 - 0.3 * t]);
    keep_motion("swinging_bar", 1.0, |t| vec![-0.7 + t]);
    keep_motion("frictional_impact_oscillator", 1.0, |t| vec![0.1 * t, 0.2 * t, 0.6]);
    keep_motion("tumbling_body", 1.0, |t| vec![2.0 * t, 1.0 + t - t * t, -2.0 * t]);
}

/// A box thrown in space above the ground, a ball rolling beside it.
#[test]
fn bodies_in_space() {
    let text = "
mechan: 1
name: throw
space: space
parameters: {a: 0.4, b: 0.7, c: 0.2, r: 0.25}
coordinates: [x, y, z, psi, theta, u, v]
gravity: [0, 0, -9.81]
bodies:
  brick:
    mass: 1
    inertia: [1, 1, 1]
    position: [x, y, z]
    rotation: [{axis: z, angle: psi}, {axis: x, angle: theta}]
    shape: {box: [a, b, c]}
  ball: {mass: 1, inertia: [1, 1, 1], position: [u, v, r], rotation: []}
contacts:
  floor: {disc: {body: ball, radius: r}, surface: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.3}
";
    let mechanism = mechan::load_bytes("throw.yaml", text.as_bytes().to_vec()).unwrap().mechanism;
    let parameters = mechanism.default_parameters().unwrap();
    let q = |t: f64| vec![2.0 * t, 0.5 * t, 0.5 + 3.0 * t - 4.9 * t * t * 0.6, t, 2.0 * t, 2.5 * t, -0.8];
    keep("motion_throw", &motion(&mechanism, &parameters, &along(&mechanism, 1.0, q)).unwrap());
}

fn node(
    id: usize,
    parent: Option<usize>,
    [from, to]: [f64; 2],
    mode: &'static str,
    words: (&str, &str),
) -> FutureNode {
    let mut piece = trajectory("rod", &["t", "x", "dot(x)"], &[vec![from, 0.0, 0.0], vec![to, 1.0, 0.0]]);
    piece.phases = vec![span(from, to, &[("tip", mode)])];
    piece.status = if to < 1.0 { Status::Indeterminate } else { Status::End };
    let (choice, reason) = words;
    let choice = (!choice.is_empty()).then(|| choice.to_owned());
    let event = parent.map(|_| EventKind::Indeterminate);
    FutureNode { id, parent, event, choice, reason: reason.to_owned(), trajectory: piece }
}

#[test]
fn a_tree_of_futures() {
    let mut nodes = vec![
        node(0, None, [0.0, 0.3], "slip+", ("", "the state")),
        node(
            1,
            Some(0),
            [0.3, 0.6],
            "slip+",
            ("slip+", "consistent: p = -0.2 < 0 and b = 1.3 > 0, violently unstable under compliance"),
        ),
        node(2, Some(0), [0.3, 1.0], "free", ("free", "consistent: b > 0")),
        node(3, Some(0), [0.3, 1.0], "stick", ("iwc", "impact without collision ends in stick")),
        node(4, Some(1), [0.6, 0.62], "stick", ("stick", "inside the cone")),
        node(5, Some(1), [0.6, 1.0], "slip-", ("slip-", "reversal")),
        node(6, Some(4), [0.62, 0.62], "free", ("iwc", "jams at once")),
    ];
    nodes[6].trajectory.status = Status::Jam;
    let mut futures = Futures::new(false, nodes);
    keep("tree", &tree(&futures).unwrap());
    let text = serde_json::to_string(&futures).unwrap();
    assert_eq!(serde_json::from_str::<Futures>(&text).unwrap(), futures);
    assert_eq!(futures.children(0).map(|n| n.id).collect::<Vec<_>>(), [1, 2, 3]);
    futures.nodes.truncate(1);
    keep("tree_of_one", &tree(&futures).unwrap());
}
