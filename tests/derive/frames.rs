//! Frames, definitions, springs and joints: every output from differences, and the derivation along the tree against the one
//! that is written out.

use super::{agrees, check, mechanism, model};
use mechan::format::{Frame, Mechanism, Pose, Rotation, Space};
use mechan::model::Model;
use std::sync::LazyLock;

/// Two legs, a spring, a torsion spring and a moving table, with a foot on it.
const PLANE: &str = "
mechan: 1
name: leg
space: plane
parameters: {m1: 2, m2: 1.5, I1: 0.2, I2: 0.1, l1: 1.1, l2: 0.9, g: 9.81, k: 40, c: 3, w: 1.3, mu: 0.6}
coordinates: [x, y, hip, knee]
gravity: [0, -g]
definitions:
  reach: l1*cos(hip) + l2*cos(hip + knee)
  lift: reach^2*sin(w*t)
  power: dot(reach)*reach + dot(knee)
frames:
  shank: {parent: thigh, origin: [l1, 0], rotation: knee - 0.1*sin(w*t)}
  thigh: {origin: [x, y], rotation: hip - pi/2}
  table: {origin: [0.2*sin(w*t), -2], rotation: 0.1*x}
bodies:
  thigh: {mass: m1, inertia: I1, frame: thigh, centre: [l1/2, 0.02]}
  shank: {mass: m2, inertia: I2, frame: shank, centre: [l2/2 + 0.05*knee, 0]}
  trunk: {mass: 1, inertia: 0.3, position: [x, y + reach/10], rotation: 0.2*hip}
forces:
  - {spring: [{frame: thigh, at: [l1/3, 0]}, {body: shank, at: [0.1, 0.02]}], stiffness: k, length: 0.3, damping: c}
  - {spring: [{frame: shank, at: [l2, 0]}, [0, 0]], stiffness: k/10}
  - {torsion: knee, stiffness: k/5, angle: 0.2*t, damping: c/3}
  - {point: {body: trunk, at: [0, 0.2]}, force: {frame: thigh, vector: [power, 1]}}
  - {body: shank, torque: lift + dot(hip)}
constraints:
  - {name: rail, value: y - reach/5}
contacts:
  foot:
    point: {frame: shank, at: [l2, 0]}
    surface: {frame: table, point: [0, 0], normal: [0.3, 2]}
    friction: mu
  toe:
    disc: {body: shank, centre: {frame: shank, at: [l2, 0.05]}, radius: 0.05}
    surface: {point: {frame: table, at: [0.1, 0]}, normal: {frame: table, vector: [0, 1]}}
    friction: mu
states:
  bent: {q: {y: 0.3, hip: 0.4, knee: -0.7}, v: {hip: 1}}
";

/// An arm on a floating base, in space, with a ball at its end.
const SPACE: &str = "
mechan: 1
name: arm
space: space
parameters: {m: 2, l: 0.8, g: 9.81, mu: 0.5, k: 30}
coordinates: [x, y, z, psi, theta, phi, a, b]
gravity: [0, 0.3, -g]
definitions: {swing: x*sin(a) + z^2}
frames:
  base: {origin: [x, y, z], rotation: [{axis: z, angle: psi}, {axis: y, angle: theta}, {axis: x, angle: phi}]}
  upper: {parent: base, origin: [0.1, 0.2, -0.3], rotation: [{axis: x, angle: pi/3}, {axis: z, angle: a}]}
  lower: {parent: upper, origin: [l, 0.1*b, 0], rotation: [{axis: y, angle: b}]}
bodies:
  base: {mass: 3*m, inertia: [[0.5, 0.05, 0.02], [0.05, 0.6, -0.03], [0.02, -0.03, 0.4]], frame: base}
  upper: {mass: m, inertia: [0.02, 0.2, 0.2], frame: upper, centre: [l/2, 0.05, 0]}
  lower: {mass: m/2, inertia: [0.01, 0.1, 0.12], frame: lower, centre: [l/3, 0, 0.02]}
  free: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [x, 2*y, swing], rotation: [{axis: z, angle: a}]}
forces:
  - {body: lower, torque: {frame: upper, vector: [1, 2, dot(b)]}}
  - {point: {frame: lower, at: [l, 0, 0]}, force: [1, 0, 2]}
  - {spring: [{body: upper, at: [0, 0.1, 0]}, {body: free, at: [0.1, 0, 0]}], stiffness: k, length: 0.1, damping: 2}
constraints:
  - {name: hook, coincident: [{frame: lower, at: [l, 0, 0]}, [1, 0, 0]]}
contacts:
  hand:
    disc: {body: lower, centre: {frame: lower, at: [l, 0, 0]}, radius: 0.1}
    surface: {point: [0, 0, -1], normal: [0, 0, 1]}
    friction: mu
  palm:
    point: {body: lower, at: [0.2, 0, 0.1]}
    surface: {frame: base, point: [0, 0, 0.2], normal: [1, 0, 2]}
    tangents: [{frame: base, vector: [0, 1, 0]}, [1, 0, 0]]
    friction: mu
states:
  out: {q: {z: 1, theta: 0.5, a: 0.4, b: -0.8}}
";

/// A top and a floating arm whose attitudes are quaternions, as is that of a body which the arm carries and a motor drives.
const QUATERNION: &str = "
mechan: 1
name: top
space: space
parameters: {m: 2, l: 0.5, g: 9.81, mu: 0.5}
coordinates: [x, y, z, e0, e1, e2, e3, f0, f1, f2, f3, a, b]
gravity: [0, 0, -g]
frames:
  base: {origin: [x, y, z], rotation: {quaternion: [e0, e1, e2, e3]}}
  arm: {parent: base, origin: [0, 0, l], rotation: [{axis: x, angle: a}]}
  driven: {parent: arm, origin: [0.1*sin(2*t), a*b, 0.2], rotation: {quaternion: [1 + 0.1*a, 0.2*sin(t), b, 0.3*a*b]}}
bodies:
  base: {mass: m, inertia: [0.1, 0.2, 0.3], frame: base}
  arm: {mass: m/2, inertia: [0.01, 0.2, 0.1], frame: arm, centre: [0, 0, l]}
  driven: {mass: 0.3, inertia: [[0.05, 0.01, 0], [0.01, 0.06, 0.02], [0, 0.02, 0.07]], frame: driven, centre: [0.05, 0.1, 0]}
  top: {mass: 1, inertia: [0.2, 0.2, 0.1], position: [x, 1, 0], rotation: {quaternion: [f0, f1, f2, f3]}}
contacts:
  tip:
    point: {frame: arm, at: [0, 0, 2*l]}
    surface: {point: [0, 0, 0], normal: [0, 0, 1]}
    friction: mu
  peg:
    point: {body: top, at: [0, 0, -l]}
    surface: {point: [0, 0, -l], normal: [0, 0, 1]}
    friction: mu
states:
  up: {q: {e0: 1.1, e1: 0.2, f0: 0.9, f2: 0.4, z: 1}}
";

/// Derived once for the tests of this file.
static ARM: LazyLock<(Mechanism, Model)> = LazyLock::new(|| derived("arm", SPACE));
static TOP: LazyLock<(Mechanism, Model)> = LazyLock::new(|| derived("top", QUATERNION));

fn derived(name: &str, text: &str) -> (Mechanism, Model) {
    let mechanism = mechanism(name, text);
    let model = model(&mechanism);
    (mechanism, model)
}

#[test]
fn frames_in_the_plane_agree_with_differences_of_their_energies() {
    check(&mechanism("leg", PLANE));
}

#[test]
fn frames_in_space_agree_with_differences_of_their_energies() {
    agrees(&ARM.0, &ARM.1);
}

#[test]
fn quaternions_agree_with_differences_of_their_energies() {
    agrees(&TOP.0, &TOP.1);
}

/// Every file to start from, around its states (solved or not) against differences.
#[test]
fn starters_agree_with_differences_of_their_energies() {
    for kind in mechan::format::Starter::ALL {
        check(&mechanism("mine", &kind.text("mine")));
    }
}

/// The same mechanism with every body hanging in a frame of its own.
fn hung(m: &Mechanism) -> Mechanism {
    let mut hung = m.clone();
    let (zero, still) = match m.space {
        Space::Plane => (2, Rotation::Angle(mechan::expression::Expr::zero())),
        Space::Space => (3, Rotation::Sequence(Vec::new())),
    };
    for body in &mut hung.bodies {
        let origin = vec![mechan::expression::Expr::zero(); zero];
        let own = Pose { parent: Some(hung.frames.len()), origin, rotation: still.clone() };
        let pose = std::mem::replace(&mut body.pose, own);
        hung.frames.push(Frame { name: format!("of_{}", body.name), pose });
    }
    hung
}

/// M, h and the energies do not know how a body is described. The tree takes other sums, so that they differ by rounding:
/// of each block by 1e-13 of its largest entry.
#[test]
fn shipped_mechanisms_have_the_same_equations_along_a_tree() {
    use mechan::model::Output;
    let mut numbers = super::Numbers(3);
    let mut checked = 0;
    for entry in std::fs::read_dir("mechanisms").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "yaml") {
            continue;
        }
        let plain = mechanism(path.to_str().unwrap(), &std::fs::read_to_string(&path).unwrap());
        let (one, other) = (model(&plain), model(&hung(&plain)));
        let layout = one.layout().to_owned();
        let mut at = super::reference(&plain);
        let n = at.q.len();
        at.q = at.q.iter().zip(numbers.list(n)).map(|(q, r)| q + 0.3 * r).collect();
        at.v = numbers.list(n);
        let [one, other] = [&one, &other].map(|model| super::models::check::outputs(model, &at));
        for output in Output::ALL {
            let (a, b) = (&one[layout.range(output)], &other[layout.range(output)]);
            let size = a.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() <= 1e-13 * size, "{}: {output:?}: {a} and {b}", plain.name);
            }
        }
        checked += 1;
    }
    assert!(checked > 20);
}

/// Printed equations of frames, whether through names or written out, have the values of the model; of what hangs in frames of
/// space they are in inertial axes, the model in each frame's own.
#[test]
fn printed_equations_of_frames_have_the_values_of_the_model() {
    use super::long::{chain_of_frames, values_agree};
    use mechan::derive::Wording;
    for (links, wording) in [(3, Wording::Short), (3, Wording::Expanded), (6, Wording::Short)] {
        let m = mechanism("chain", &chain_of_frames(links));
        let equations = super::worker().equations(&m, wording, &|_| {}).unwrap();
        assert!(wording == Wording::Short || equations.definitions.iter().all(|d| d.name.text == "along"));
        values_agree(&m, &equations, &model(&m));
    }
    let (arm, model) = &*ARM;
    let space = super::worker().equations(arm, Wording::Short, &|_| {}).unwrap();
    let names: Vec<&str> = space.definitions.iter().map(|d| d.name.text.as_str()).collect();
    assert!(names.contains(&"ex_upper_y") && names.contains(&"o_lower_z"), "{names:?}");
    values_agree(arm, &space, model);
    let (top, model) = &*TOP;
    let equations = super::worker().equations(top, Wording::Short, &|_| {}).unwrap();
    values_agree(top, &equations, model);
    let refused =
        super::worker().equations(&mechanism("chain", &chain_of_frames(20)), Wording::Expanded, &|_| {});
    assert!(refused.unwrap_err().to_string().contains("leave out --expand"));
}

/// A free body that turns about its middle axis tumbles through all attitudes. Its angular momentum stays in inertial space, as
/// R I ω from the quaternion and its rate has it; so does its energy, and the length of the quaternion.
#[test]
fn a_free_body_tumbles_through_every_attitude() {
    use mechan::pipeline::{Deriver, SimulateOptions, load_bytes};
    let text = "mechan: 1\nname: racket\nspace: space\ncoordinates: [e0, e1, e2, e3]\nbodies:\n  racket: {mass: 1, inertia: [1, 2, 3], \
                position: [0, 0, 0], rotation: {quaternion: [e0, e1, e2, e3]}}\nstates:\n  spinning: {v: {e1: 0.005, e2: 1}}\n";
    let loaded = load_bytes("racket", text.as_bytes().to_vec()).unwrap();
    let derived = loaded.derive(&Deriver::program(env!("CARGO_BIN_EXE_mechan"))).unwrap();
    let options =
        SimulateOptions { state: Some("spinning".to_string()), t_end: 20.0, ..SimulateOptions::default() };
    let motion = derived.simulate(&options).unwrap();
    let momentum = |row: &[f64]| {
        let (e, rate) = (&row[1..5], &row[5..9]);
        // ω in the body's axes, 2 ē ∘ ė
        let square: f64 = e.iter().map(|x| x * x).sum();
        let w = [
            2.0 * (e[0] * rate[1] - e[1] * rate[0] - e[2] * rate[3] + e[3] * rate[2]) / square,
            2.0 * (e[0] * rate[2] - e[2] * rate[0] - e[3] * rate[1] + e[1] * rate[3]) / square,
            2.0 * (e[0] * rate[3] - e[3] * rate[0] - e[1] * rate[2] + e[2] * rate[1]) / square,
        ];
        let own = [w[0], 2.0 * w[1], 3.0 * w[2]];
        // turned by v + 2 u × (u × v + e₀ v)/|e|²
        let u = [e[1], e[2], e[3]];
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let inner = cross(u, own);
        let twice = cross(u, std::array::from_fn(|i| inner[i] + e[0] * own[i]));
        (std::array::from_fn::<f64, 3, _>(|i| own[i] + 2.0 * twice[i] / square), square, w)
    };
    let rows: Vec<Vec<f64>> = motion.rows.iter().map(|row| row.iter().map(|x| x.0).collect()).collect();
    let (start, _, _) = momentum(&rows[0]);
    let mut flips = 0;
    let mut before = 1.0;
    for row in &rows {
        let (now, square, w) = momentum(row);
        for (a, b) in now.iter().zip(start) {
            assert!((a - b).abs() < 1e-7, "{now:?} and {start:?} at {}", row[0]);
        }
        assert!((square - 1.0).abs() < 1e-7, "{square}");
        if w[1] * before < 0.0 {
            (flips, before) = (flips + 1, w[1]);
        }
    }
    assert!(flips >= 2, "it turned over {flips} times");
}
