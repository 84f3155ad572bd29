//! `mechan simulate --bodies --contacts`: the laws of mechanics from the numbers of the tables alone.

#[path = "../models/rows.rs"]
mod rows;

use crate::run::mechan;
use rows::{Row, number, rows};
use std::collections::BTreeMap;
use std::path::Path;

fn vector(row: &Row, names: &[String]) -> Vec<f64> {
    names.iter().map(|name| number(row, name)).collect()
}

/// The tables of a motion.
struct Tables {
    bodies: Vec<Row>,
    contacts: Vec<Row>,
    axes: &'static [&'static str],
}

impl Tables {
    fn of(arguments: &[&str], axes: &'static [&'static str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [bodies, contacts] = ["bodies.csv", "contacts.csv"].map(|name| folder.path().join(name));
        let files = ["--bodies", bodies.to_str().unwrap(), "--contacts", contacts.to_str().unwrap()];
        mechan(&[&["simulate"], arguments, &files].concat()).ends(0);
        Self { bodies: rows(&bodies), contacts: rows(&contacts), axes }
    }

    fn names(&self, before: &str) -> Vec<String> {
        self.axes.iter().map(|axis| format!("{before}{axis}")).collect()
    }

    /// Force on `body_a` of a row, and the size of its tangential part.
    fn force(&self, row: &Row) -> (Vec<f64>, f64) {
        let normal = vector(row, &self.names("n"));
        let tangents = tangents(&normal);
        let along: Vec<f64> = (1..self.axes.len()).map(|k| number(row, &format!("T{k}"))).collect();
        let force = (0..self.axes.len()).map(|i| {
            let tangential: f64 = tangents.iter().zip(&along).map(|(t, x)| t[i] * x).sum();
            number(row, "N") * normal[i] + tangential
        });
        (force.collect(), along.iter().map(|x| x * x).sum::<f64>().sqrt())
    }

    /// The sum of forces on a body at a step.
    fn sum(&self, step: &str, body: &str) -> Vec<f64> {
        let mut sum = vec![0.0; self.axes.len()];
        for row in self.contacts.iter().filter(|row| row["step"] == step && !row["N"].is_empty()) {
            let sign = f64::from(row["body_a"] == body) - f64::from(row["body_b"] == body);
            sum.iter_mut().zip(self.force(row).0).for_each(|(sum, force)| *sum += sign * force);
        }
        sum
    }

    /// m dv = h (m g + Σ forces) of every body at every step, forces being means over the step before.
    fn steps_obey_newton(&self, (mass, gravity): (f64, &[f64]), tolerance: f64) {
        let mut last: BTreeMap<String, (f64, Vec<f64>)> = BTreeMap::new();
        for row in &self.bodies {
            let now = (number(row, "t"), vector(row, &self.names("v")));
            let Some(before) = last.insert(row["body"].clone(), now.clone()) else { continue };
            let (h, sum) = (now.0 - before.0, self.sum(&row["step"], &row["body"]));
            for i in 0..gravity.len() {
                let (found, expected) = (mass * (now.1[i] - before.1[i]), h * (mass * gravity[i] + sum[i]));
                assert!((found - expected).abs() < tolerance, "{row:?}: {found} {expected}");
            }
        }
    }

    /// m (v(t + 2h) − v(t)) = ∫ m g + Σ forces dt by Simpson's rule, for samples at equal times within one phase.
    fn samples_obey_newton(&self, body: &str, (mass, gravity): (f64, &[f64]), tolerance: f64) {
        let own: Vec<&Row> = self.bodies.iter().filter(|row| row["body"] == body).collect();
        let forces: Vec<Vec<f64>> = own.iter().map(|row| self.sum(&row["step"], body)).collect();
        assert!(own.len() > 10);
        for k in (0..own.len() - 2).step_by(2) {
            let h = number(own[k + 1], "t") - number(own[k], "t");
            let [first, last] = [own[k], own[k + 2]].map(|row| vector(row, &self.names("v")));
            for i in 0..gravity.len() {
                let mean = (forces[k][i] + 4.0 * forces[k + 1][i] + forces[k + 2][i]) / 6.0;
                let (found, expected) = (mass * (last[i] - first[i]), 2.0 * h * (mass * gravity[i] + mean));
                assert!((found - expected).abs() < tolerance, "{k}: {found} {expected}");
            }
        }
    }

    fn cones_hold(&self, mu: f64) {
        let carrying = self.contacts.iter().filter(|row| !row["N"].is_empty());
        let mut count = 0;
        for row in carrying {
            let (normal, (_, tangential)) = (number(row, "N"), self.force(row));
            assert!(normal >= 0.0 && tangential <= mu * normal * (1.0 + 1e-9) + 1e-9, "{row:?}");
            count += 1;
        }
        assert!(count > 5, "{count}");
    }
}

/// As the docs have it: in the plane the normal turned by −90 degrees; in space the projection of the first axis that is not within 30 degrees of
/// the normal, and normal × first.
fn tangents(n: &[f64]) -> Vec<Vec<f64>> {
    if n.len() == 2 {
        return vec![vec![n[1], -n[0]]];
    }
    let axis = (0..3).find(|&k| n[k].abs() <= 30.0_f64.to_radians().cos()).unwrap();
    let across: Vec<f64> = (0..3).map(|k| f64::from(u8::from(k == axis)) - n[axis] * n[k]).collect();
    let size = across.iter().map(|x| x * x).sum::<f64>().sqrt();
    let first: Vec<f64> = across.iter().map(|x| x / size).collect();
    let second = (0..3).map(|k| n[(k + 1) % 3] * first[(k + 2) % 3] - n[(k + 2) % 3] * first[(k + 1) % 3]);
    vec![first.clone(), second.collect()]
}

const PLANE: &[&str] = &["x", "y"];
const SPACE: &[&str] = &["x", "y", "z"];
const STACK: [&str; 5] = ["brick_stack", "--state", "too_far", "--t-end", "0.1"];

#[test]
fn each_brick_moves_by_the_forces_of_the_table() {
    let stepped = Tables::of(&[&STACK[..], &["--scheme", "moreau", "--step", "0.001"]].concat(), PLANE);
    // normals turn with the bricks within a step, by less than 1/1000: m g h is 0.01
    stepped.steps_obey_newton((1.0, &[0.0, -9.81]), 2e-5);
    stepped.cones_hold(0.5);
    let followed = Tables::of(&[&STACK[..], &["--samples", "101"]].concat(), PLANE);
    followed.cones_hold(0.5);
    for body in ["top", "middle", "lowest"] {
        followed.samples_obey_newton(body, (1.0, &[0.0, -9.81]), 1e-9);
    }
}

/// Edges of bricks on the faces of others, and feet on the table: both sides of a contact have its place.
#[test]
fn places_lie_on_both_bodies() {
    let tables = Tables::of(&[&STACK[..], &["--samples", "21"]].concat(), PLANE);
    let (a, h) = (0.1, 0.03);
    // a place in the axes of a body
    let inside = |row: &Row, body: &str| {
        let own = tables.bodies.iter().find(|own| own["step"] == row["step"] && own["body"] == body)?;
        let ([x, y], (sin, cos)) =
            (["x", "y"].map(|axis| number(row, axis) - number(own, axis)), number(own, "angle").sin_cos());
        Some([x * cos + y * sin, y * cos - x * sin])
    };
    for row in &tables.contacts {
        let [x, y] = inside(row, &row["body_a"]).unwrap();
        assert!((y + h).abs() < 1e-9 && x.abs() < a + 1e-9, "{row:?}");
        match inside(row, &row["body_b"]) {
            Some([_, y]) => assert!((y - h).abs() < 1e-9, "{row:?}"),
            None => assert!(row["body_b"].starts_with("table_") && number(row, "y").abs() < 1e-9, "{row:?}"),
        }
    }
    let both = |one: &str, other: &str| {
        tables.contacts.iter().any(|row| row["body_a"] == one && row["body_b"] == other)
    };
    assert!(both("top", "middle") && both("middle", "lowest") && both("lowest", "table_edge"));
    // the foot that has lifted off is not there
    assert!(tables.contacts.iter().filter(|row| row["body_b"] == "table_back").count() <= 1);
}

#[test]
fn a_rod_in_space_obeys_them_too() {
    let rod = ["rod_3d", "--state", "oblique", "--t-end", "0.2"];
    let stepped = Tables::of(&[&rod[..], &["--scheme", "moreau", "--step", "0.01"]].concat(), SPACE);
    stepped.steps_obey_newton((1.0, &[0.0, 0.0, -1.0]), 1e-10);
    stepped.cones_hold(1.5);
    // later the slip is so slow that its direction turns within a sample
    let smooth = ["rod_3d", "--state", "oblique", "--t-end", "0.05", "--samples", "201"];
    let followed = Tables::of(&smooth, SPACE);
    followed.samples_obey_newton("rod", (1.0, &[0.0, 0.0, -1.0]), 1e-9);
    followed.cones_hold(1.5);
    for row in &followed.contacts {
        let own = followed.bodies.iter().find(|own| own["step"] == row["step"]).unwrap();
        let q: Vec<f64> = ["qw", "qx", "qy", "qz"].iter().map(|name| number(own, name)).collect();
        // the rod's first axis by its quaternion: the tip is at one length of it
        let along = [
            1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]),
            2.0 * (q[1] * q[2] + q[0] * q[3]),
            2.0 * (q[1] * q[3] - q[0] * q[2]),
        ];
        let (centre, place) = (vector(own, &followed.names("")), vector(row, &followed.names("")));
        assert!(place[2].abs() < 1e-9, "{row:?}");
        assert!((0..3).all(|k| (place[k] - centre[k] - along[k]).abs() < 1e-9), "{row:?}");
        // and it moves with the body: slip = v + ω × r, along x and y of the floor
        let [v, w] = [followed.names("v"), followed.names("w")].map(|names| vector(own, &names));
        let turn = [w[1] * along[2] - w[2] * along[1], w[2] * along[0] - w[0] * along[2]];
        for (k, slip) in ["slip1", "slip2"].iter().enumerate() {
            assert!((number(row, slip) - v[k] - turn[k]).abs() < 1e-9, "{row:?}");
        }
    }
}

/// A file with tangents of its own: forces are those along the tangents that follow from the normal.
#[test]
fn a_reader_needs_to_know_the_normal_alone() {
    let ball = ["vibrating_plate", "--state", "pressed", "--t-end", "0.125", "--samples", "41"];
    let tables = Tables::of(&ball, SPACE);
    tables.samples_obey_newton("ball", (1.0, &[0.0, 0.0, -9.81]), 1e-8);
    tables.cones_hold(0.5);
    let row = &tables.contacts[0];
    assert!(number(row, "slip1") > 0.3 - 1e-9, "{row:?}");
}

/// The edge of a disc that rolls: the place moves over the body.
#[test]
fn the_place_of_a_rim_is_on_the_floor_and_on_the_edge() {
    let tables = Tables::of(&["euler_disk", "--t-end", "0.3", "--samples", "31"], SPACE);
    assert!(tables.contacts.len() == 31);
    let at = |step: &str| tables.bodies.iter().find(|own| own["step"] == step).unwrap();
    let mut radii = Vec::new();
    for row in &tables.contacts {
        let (own, place) = (at(&row["step"]), vector(row, &tables.names("")));
        assert!(place[2].abs() < 1e-9, "{row:?}");
        let centre = vector(own, &tables.names(""));
        radii.push((0..3).map(|k| (place[k] - centre[k]).powi(2)).sum::<f64>().sqrt());
    }
    assert!(radii.iter().all(|radius| (radius - radii[0]).abs() < 1e-9), "{radii:?}");
}

#[test]
fn whole_turns_count_in_the_plane() {
    let tables = Tables::of(&["wheel_on_ground", "--t-end", "3", "--samples", "61"], PLANE);
    let rows = &tables.bodies;
    let turned = number(&rows[rows.len() - 1], "angle") - number(&rows[0], "angle");
    assert!(rows.windows(2).all(|pair| (number(&pair[1], "angle") - number(&pair[0], "angle")).abs() < 3.0));
    assert!(turned.abs() > 3.2, "{turned}");
}

#[test]
fn what_cannot_be_a_table_is_refused_before_the_motion() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let [csv, text, nowhere] = ["a.csv", "a.txt", "none/a.csv"].map(file);
    let ask =
        |more: &[&str], status: i32| mechan(&[&["simulate"], &STACK[..], more].concat()).ends(status).err;
    assert!(ask(&["--bodies", &csv, "--contacts", &csv], 2).contains("asked for twice"));
    assert!(ask(&["--bodies", &csv, "--output", &csv], 2).contains("asked for twice"));
    assert!(ask(&["--bodies", &text], 1).contains(".csv"));
    assert!(ask(&["--contacts", &nowhere], 1).contains("none"));
    assert!(ask(&["--contacts", &csv, "--futures", "all"], 2).contains("tables of one motion"));
    assert!(ask(&["--bodies", &csv, "--eps", "1e-2,1e-3"], 2).contains("tables of one motion"));
    let energies = file("energies.yaml");
    std::fs::write(&energies, "mechan: 1\nname: spring\nspace: plane\ncoordinates: [x]\nenergy: {kinetic: dot(x)^2, potential: x^2}\n").unwrap();
    for (option, said) in [("--bodies", "given by its energies"), ("--contacts", "has no contacts")] {
        assert!(mechan(&["simulate", &energies, "--t-end", "1", option, &csv]).ends(2).err.contains(said));
    }
    assert!(!Path::new(&csv).exists());
}
