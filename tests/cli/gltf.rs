//! Motions as glTF: what stands in the file is read back and is where the motion is; the validator of the format has nothing to say.

use super::run::mechan;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file, taken apart by the specification.
struct Glb {
    json: Value,
    numbers: Vec<u8>,
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gltf");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn read(path: &Path) -> Glb {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!((&bytes[..4], word(&bytes, 4), word(&bytes, 8)), (&b"glTF"[..], 2, bytes.len()));
    let length = word(&bytes, 12);
    assert_eq!(&bytes[16..20], b"JSON");
    let json = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    assert_eq!(&bytes[24 + length..28 + length], b"BIN\0");
    assert_eq!(word(&bytes, 20 + length), bytes.len() - 28 - length);
    Glb { json, numbers: bytes[28 + length..].to_vec() }
}

impl Glb {
    fn rows(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let (from, count) =
            (view["byteOffset"].as_u64().unwrap() as usize, accessor["count"].as_u64().unwrap() as usize);
        let bytes = &self.numbers[from..from + 4 * width * count];
        let single = |b: &[u8]| f64::from(f32::from_le_bytes(b.try_into().unwrap()));
        bytes.chunks(4 * width).map(|row| row.chunks(4).map(single).collect()).collect()
    }

    fn node(&self, name: &str) -> usize {
        let nodes = self.json["nodes"].as_array().unwrap();
        nodes.iter().position(|node| node["name"] == name).unwrap_or_else(|| panic!("no node {name}"))
    }

    /// Times and values of what moves a node along a path.
    fn keys(&self, name: &str, path: &str) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let (node, animation) = (self.node(name), &self.json["animations"][0]);
        let channels = animation["channels"].as_array().unwrap();
        let own = channels.iter().find(|c| c["target"]["node"] == node && c["target"]["path"] == path)?;
        let sampler = &animation["samplers"][own["sampler"].as_u64().unwrap() as usize];
        assert_eq!(sampler["interpolation"], "LINEAR");
        let times = self.rows(&sampler["input"]).concat();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        Some((times, self.rows(&sampler["output"])))
    }
}

/// What the validator of the Khronos Group says, where there are Node and its package `gltf-validator`.
fn validate(path: &Path) {
    const SCRIPT: &str = "const v = require('gltf-validator'); \
        v.validateBytes(new Uint8Array(require('fs').readFileSync(process.argv[1]))).then(r => console.log(JSON.stringify(r.issues)))";
    let found = Command::new("node").args(["-e", SCRIPT]).arg(path).output();
    let Some(said) = found.ok().filter(|output| output.status.success()) else {
        eprintln!("not validated: there is no node with the package gltf-validator");
        return;
    };
    let issues: Value = serde_json::from_slice(&said.stdout).unwrap();
    let counts = ["numErrors", "numWarnings", "numInfos"].map(|key| issues[key].as_u64().unwrap());
    assert_eq!(counts, [0; 3], "{issues}");
}

/// Motions of a state as JSON and as glTF.
fn both(file: &str, more: &[&str], name: &str) -> (Value, Glb) {
    let path = folder().join(name);
    let asked = [&["simulate", file][..], more].concat();
    let run = mechan(&[&asked[..], &["--output", path.to_str().unwrap()]].concat()).ends(0);
    assert!(!run.out.is_empty(), "the report goes to standard output");
    validate(&path);
    (mechan(&[&asked[..], &["--format", "json"]].concat()).ends(0).json(), read(&path))
}

/// The sample or the event at a time, in single precision: its numbers by name.
fn moment(motion: &Value, t: f64) -> Option<Vec<f64>> {
    let near = |x: f64| f64::from(x as f32).total_cmp(&t).is_eq();
    let coordinates = motion["columns"].as_array().unwrap().iter().map(|c| c.as_str().unwrap());
    let coordinates: Vec<&str> = coordinates.skip(1).take_while(|c| !c.starts_with("dot(")).collect();
    let row = motion["rows"].as_array().unwrap().iter().find(|row| near(row[0].as_f64().unwrap()));
    let number = |x: &Value| x.as_f64().unwrap();
    row.map(|row| (1..=coordinates.len()).map(|k| number(&row[k])).collect()).or_else(|| {
        let event = motion["events"].as_array().unwrap().iter().find(|e| near(number(&e["t"])))?;
        Some(coordinates.iter().map(|name| number(&event["q"][name])).collect())
    })
}

fn is_near(found: &[f64], exact: &[f64]) {
    let size = exact.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    assert!(found.iter().zip(exact).all(|(a, b)| (a - b).abs() < 3e-7 * size), "{found:?} for {exact:?}");
}

/// Rotations of unit length whose signs follow each other.
fn is_smooth(turns: &[Vec<f64>]) {
    for pair in turns.windows(2) {
        let dot: f64 = pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum();
        let size: f64 = pair[1].iter().map(|x| x * x).sum();
        assert!(dot > 0.8 && (size - 1.0).abs() < 1e-6, "{pair:?}");
    }
}

/// A pencil that falls, strikes and leaves the floor: at every keyframe its centre and its angle, by hand from the coordinates of sample or event.
#[test]
fn a_pencil_is_where_its_motion_has_it() {
    let asked = ["--state", "slipping_with_the_lean", "--t-end", "0.6", "--samples", "30"];
    let (motion, film) = both("falling_pencil", &asked, "pencil.glb");
    let (times, places) = film.keys("rod", "translation").unwrap();
    let (_, turns) = film.keys("rod", "rotation").unwrap();
    is_smooth(&turns);
    assert!(times.len() > 30, "events have keyframes of their own: {}", times.len());
    let mut seen = 0;
    for ((t, place), turn) in times.iter().zip(&places).zip(&turns) {
        let Some(q) = moment(&motion, *t) else { continue };
        let (sin, cos) = q[2].sin_cos();
        is_near(place, &[q[0] - sin, q[1] + cos, 0.0]);
        let (s, c) = (0.5 * q[2]).sin_cos();
        let sign = if c * turn[3] + s * turn[2] < 0.0 { -1.0 } else { 1.0 };
        is_near(turn, &[0.0, 0.0, sign * s, sign * c]);
        seen += 1;
    }
    assert_eq!(seen, times.len());
    let events = film.json["animations"][0]["extras"]["events"].as_array().unwrap();
    assert_eq!(events.len(), motion["events"].as_array().unwrap().len());
    // the floor stands below, with the tip on it
    let floor = &film.json["nodes"][film.node("surface")];
    assert_eq!(floor["translation"], serde_json::json!([0.0, 0.0, 0.0]));
    assert!(film.keys("surface", "translation").is_none());
}

/// A wheel that turns five times between samples: keyframes between them, so that a viewer turns it as far as the motion does.
#[test]
fn a_wheel_turns_as_often_as_it_does() {
    let asked = ["--state", "rolling", "--set", "dot(x)=20", "--t-end", "4", "--samples", "9"];
    let (motion, film) = both("wheel_on_ground", &asked, "wheel.glb");
    let (times, turns) = film.keys("wheel", "rotation").unwrap();
    is_smooth(&turns);
    let turned: f64 = turns
        .windows(2)
        .map(|pair| {
            let [a, b] = [0, 1].map(|k| pair[k][2].atan2(pair[k][3]));
            2.0 * (b - a + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::TAU
        })
        .sum();
    let last = motion["rows"].as_array().unwrap().last().unwrap()[3].as_f64().unwrap();
    assert!(last < -200.0 && (turned - last).abs() < 1e-4, "{turned} for {last}, {} keyframes", times.len());
}

/// In space: gravity points down in the axes of the viewer, and the rod is where it is.
#[test]
fn a_rod_in_space_stands_upright() {
    let (motion, film) = both("rod_3d", &["--state", "across", "--t-end", "1", "--samples", "20"], "rod.glb");
    let (times, places) = film.keys("rod", "translation").unwrap();
    for (t, place) in times.iter().zip(&places) {
        if let Some(q) = moment(&motion, *t) {
            is_near(place, &q[..3]);
        }
    }
    is_smooth(&film.keys("rod", "rotation").unwrap().1);
    let root: Vec<f64> =
        film.json["nodes"][0]["rotation"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    // a quarter turn about x takes z to y
    let half = 0.5_f64.sqrt();
    is_near(&root, &[-half, 0.0, 0.0, half]);
}

/// Shapes that mechanisms of the library have, and surfaces that move.
#[test]
fn films_of_other_mechanisms_are_valid() {
    for (k, file) in
        ["compass_biped", "bouncing_ball", "double_pendulum_wall", "three_finger_grasp", "woodpecker"]
            .iter()
            .enumerate()
    {
        let path = folder().join(format!("other{k}.glb"));
        let run = mechan(&[
            "simulate",
            file,
            "--t-end",
            "0.2",
            "--samples",
            "5",
            "--output",
            path.to_str().unwrap(),
        ]);
        assert_eq!(run.status, 0, "{}", run.err);
        validate(&path);
        assert!(!read(&path).json["nodes"].as_array().unwrap().is_empty());
    }
}

const SCENE: &str = "scene: 1\nname: tumble\nspace: space\ngravity: [0, 0, -9.81]\nfriction: 0.4\nseed: 3\nstep: 0.005\nsteps: 40\n\
    groups:\n  ball: {sphere: 0.1, count: 2, density: 1000, place: {at: [[0, 0, 0.5], [0.3, 0, 0.4]]}}\n  \
    brick: {box: [0.2, 0.1, 0.1], count: 1, mass: 1, place: {at: [[0, 0, 0.2]]}, spin: [1, 2, 3]}\n\
    surfaces:\n  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n";

/// A run of a scene: nodes are where its table of bodies says, at every step.
#[test]
fn bodies_of_a_scene_are_where_the_run_has_them() {
    let [scene, film, table] = ["tumble.yaml", "tumble.glb", "tumble.csv"].map(|name| folder().join(name));
    std::fs::write(&scene, SCENE).unwrap();
    let names = [&scene, &film, &table].map(|path| path.to_str().unwrap());
    mechan(&["run", names[0], "--output", names[1], "--bodies", names[2]]).ends(0);
    validate(&film);
    let found = read(&film);
    let text = std::fs::read_to_string(&table).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[..10], ["step", "t", "body", "x", "y", "z", "qw", "qx", "qy", "qz"]);
    let mut seen = 0;
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| cells[k].parse::<f64>().unwrap();
        let (step, name) = (number(0) as usize, cells[2]);
        let (times, places) = found.keys(name, "translation").unwrap();
        assert_eq!(times.len(), 41);
        is_near(&places[step], &[3, 4, 5].map(number));
        if let Some((_, turns)) = found.keys(name, "rotation") {
            let own = [7, 8, 9, 6].map(number);
            let sign =
                if own.iter().zip(&turns[step]).map(|(a, b)| a * b).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
            is_near(&turns[step], &own.map(|x| sign * x));
            is_smooth(&turns);
        }
        seen += 1;
    }
    assert_eq!(seen, 3 * 41);
}

#[test]
fn what_is_no_motion_has_no_film() {
    let path = folder().join("none.glb");
    let name = path.to_str().unwrap();
    for asked in [
        &["analyze", "falling_pencil", "--output", name][..],
        &["ensemble", "falling_pencil", "--t-end", "1", "--grid", "mu=0:1:2", "--output", name],
        &["simulate", "falling_pencil", "--t-end", "1", "--futures", "all", "--output", name],
    ] {
        let run = mechan(asked).ends(2);
        assert!(run.err.contains("nothing that is written here has this ending"), "{}", run.err);
    }
    let nowhere =
        mechan(&["simulate", "falling_pencil", "--t-end", "0.1", "--output", "/no/such/folder/x.glb"]);
    assert!(nowhere.status == 1 && nowhere.err.contains("/no/such/folder/x.glb"), "{}", nowhere.err);
}
