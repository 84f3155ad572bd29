//! Tables of bodies and contacts: the laws of mechanics from their numbers alone.

#[path = "../models/rows.rs"]
mod rows;

use mechan::pipeline::{CheckpointOption, RunOptions, SceneRun, TableOptions, load_scene};
use rows::{Row, number, rows};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

const SPACE: &str = "scene: 1\nname: test\nspace: space\ngravity: [0, 0, -10]\nfriction: 0.3\nstep: 0.01\nsteps: 30\ngroups:\n  beads: {sphere: 0.1, count: 12, mass: 1.5, place: {grid: {from: [0, 0, 0], to: [0.5, 0.5, 2], jitter: 1}}}\nsurfaces: {walls: {box: {from: [0, 0, 0], to: [0.5, 0.5, 2], open: [z+]}}}\n";
const PLANE: &str = "scene: 1\nname: test\nspace: plane\ngravity: [0, -10]\nfriction: 0.3\nstep: 0.01\nsteps: 30\ngroups:\n  beads: {disc: 0.1, count: 8, mass: 1.5, place: {grid: {from: [0, 0], to: [0.5, 2], jitter: 1}}}\nsurfaces: {walls: {box: {from: [0, 0], to: [0.5, 2], open: [y+]}}}\n";

/// A run with both tables in a folder, of which the rest of the options is given.
fn run(folder: &Path, (scene, name): (&str, &str), options: RunOptions) {
    let file = folder.join("scene.yaml");
    std::fs::write(&file, scene).unwrap();
    let at = |what: &str| Some(folder.join(format!("{name}_{what}.csv")));
    let tables = TableOptions { bodies: at("bodies"), contacts: at("contacts"), ..options.tables };
    let loaded = load_scene(file.to_str().unwrap()).unwrap();
    let mut run = SceneRun::new(&loaded, RunOptions { tables, ..options }).unwrap();
    run.collect(&AtomicBool::new(false), &mut |_, _| {}).unwrap();
}

fn tables(folder: &Path, name: &str) -> [Vec<Row>; 2] {
    ["bodies", "contacts"].map(|what| rows(&folder.join(format!("{name}_{what}.csv"))))
}

/// m (v − v before)/h = m g + Σ forces, of each body at each step.
fn newton_holds(scene: &str, axes: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), (scene, "all"), RunOptions::default());
    let [bodies, contacts] = tables(folder.path(), "all");
    let (mass, step, gravity) = (1.5, 0.01, 10.0);
    let dim = axes.len();
    let mut forces: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for row in &contacts {
        let normal: Vec<f64> = axes.iter().map(|axis| number(row, &format!("n{axis}"))).collect();
        let tangents = tangents(&normal);
        let tangential: Vec<f64> = (1..dim).map(|k| number(row, &format!("T{k}"))).collect();
        let carried = number(row, "N");
        let size = tangential.iter().map(|t| t * t).sum::<f64>().sqrt();
        assert!(carried >= 0.0 && size <= 0.3 * carried * (1.0 + 1e-4) + 1e-9, "{row:?}");
        for (body, sign) in [("body_a", 1.0), ("body_b", -1.0)] {
            let sum =
                forces.entry((row["step"].clone(), row[body].clone())).or_insert_with(|| vec![0.0; dim]);
            for i in 0..dim {
                let along: f64 = (0..dim - 1).map(|k| tangential[k] * tangents[k][i]).sum();
                sum[i] += sign * (carried * normal[i] + along);
            }
        }
    }
    let velocity = |row: &Row| axes.iter().map(|axis| number(row, &format!("v{axis}"))).collect::<Vec<f64>>();
    let mut last: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut pushed = 0;
    for row in &bodies {
        let now = velocity(row);
        if let Some(before) = last.insert(row["body"].clone(), now.clone()) {
            let none = vec![0.0; dim];
            let force = forces.get(&(row["step"].clone(), row["body"].clone())).unwrap_or(&none);
            pushed += usize::from(force.iter().any(|f| f.abs() > 1.0));
            for i in 0..dim {
                let weight = if i == dim - 1 { -mass * gravity } else { 0.0 };
                let change = mass * (now[i] - before[i]) / step;
                assert!(
                    (change - weight - force[i]).abs() < 1e-3 * mass * gravity,
                    "{row:?}: {change} {force:?}"
                );
            }
        }
    }
    assert!(pushed > 20, "{pushed}");
    assert_eq!(bodies.len() % 31, 0);
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

#[test]
fn bodies_move_by_the_forces_of_the_table() {
    newton_holds(SPACE, &["x", "y", "z"]);
    newton_holds(PLANE, &["x", "y"]);
}

#[test]
fn a_sample_is_every_nth_step_and_a_cut_run_goes_on_with_the_same_tables() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| -> PathBuf { folder.path().join(name) };
    run(folder.path(), (SPACE, "all"), RunOptions::default());
    let sample = || TableOptions { sample: Some(4), ..TableOptions::default() };
    run(folder.path(), (SPACE, "few"), RunOptions { tables: sample(), ..RunOptions::default() });
    let kept = CheckpointOption { file: at("state.json"), every: 5 };
    let first =
        RunOptions { tables: sample(), steps: Some(18), checkpoint: Some(kept), ..RunOptions::default() };
    run(folder.path(), (SPACE, "cut"), first);
    let rest = RunOptions { tables: sample(), resume: Some(at("state.json")), ..RunOptions::default() };
    run(folder.path(), (SPACE, "cut"), rest);
    let [all, few, cut] = ["all", "few", "cut"].map(|name| tables(folder.path(), name));
    for (k, rows) in all.iter().enumerate() {
        let of_four = rows.iter().filter(|row| row["step"].parse::<u64>().unwrap().is_multiple_of(4));
        assert!(few[k].iter().eq(of_four) && !few[k].is_empty(), "{k}");
        assert_eq!(few[k], cut[k]);
    }
}

#[test]
fn a_sample_of_no_steps_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scene.yaml"), SPACE).unwrap();
    let loaded = load_scene(folder.path().join("scene.yaml").to_str().unwrap()).unwrap();
    let tables = TableOptions { sample: Some(0), ..TableOptions::default() };
    let refused = SceneRun::new(&loaded, RunOptions { tables, ..RunOptions::default() }).unwrap_err();
    assert!(refused.to_string().contains("sample") && refused.exit_status() == 2, "{refused}");
}
