//! Runs as files: rows, checkpoints, problems.

use mechan::coulomb::read_file;
use mechan::pipeline::{CheckpointOption, RunOptions, SceneRun, load_scene};
use mechan::scene::Options;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

const SCENE: &str = "scene: 1\nname: test\nspace: space\ngravity: [0, 0, -10]\nfriction: 0.3\nstep: 0.01\nsteps: 30\ngroups:\n  beads: {sphere: 0.1, count: 12, mass: 1, place: {grid: {from: [0, 0, 0], to: [0.5, 0.5, 2], jitter: 1}}}\nsurfaces: {walls: {box: {from: [0, 0, 0], to: [0.5, 0.5, 2], open: [z+]}}}\n";

fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let cells = |line: &str| {
        line.split(',').enumerate().filter(|(k, _)| *k != 6).map(|(_, x)| x.to_owned()).collect()
    };
    text.lines().map(cells).collect()
}

/// A run that is stopped after 17 steps, with its last checkpoint after them; one that lost what came after step 10; and one that
/// was never stopped: the same file, times aside.
#[test]
fn a_run_that_is_cut_goes_on_with_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("s.yaml"), SCENE).unwrap();
    let loaded = load_scene(at("s.yaml").to_str().unwrap()).unwrap();
    let never = AtomicBool::new(false);
    SceneRun::new(&loaded, RunOptions::default())
        .unwrap()
        .write(&at("whole.csv"), &never, &mut |_, _| {})
        .unwrap();
    let stop = AtomicBool::new(false);
    let kept = CheckpointOption { file: at("state.json"), every: 5 };
    let options = RunOptions { checkpoint: Some(kept), ..RunOptions::default() };
    let mut run = SceneRun::new(&loaded, options).unwrap();
    let end = run
        .write(&at("cut.csv"), &stop, &mut |_, record| {
            if record.step == 10 {
                std::fs::copy(at("state.json"), at("early.json")).unwrap();
            }
            stop.store(record.step == 17, Ordering::Relaxed);
        })
        .unwrap();
    assert_eq!((end.steps, end.status.word()), (17, "interrupted"));
    assert_eq!(rows(&at("cut.csv")).len(), 18);
    for checkpoint in ["state.json", "early.json"] {
        let name = format!("from_{checkpoint}.csv");
        std::fs::copy(at("cut.csv"), at(&name)).unwrap();
        let options = RunOptions { resume: Some(at(checkpoint)), ..RunOptions::default() };
        SceneRun::new(&loaded, options).unwrap().write(&at(&name), &never, &mut |_, _| {}).unwrap();
        assert_eq!(rows(&at(&name)), rows(&at("whole.csv")), "{checkpoint}");
    }
}

#[test]
fn a_checkpoint_of_another_scene_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("a.yaml"), SCENE).unwrap();
    std::fs::write(at("b.yaml"), SCENE.replace("friction: 0.3", "friction: 0.4")).unwrap();
    let [a, b] = ["a.yaml", "b.yaml"].map(|name| load_scene(at(name).to_str().unwrap()).unwrap());
    let kept = CheckpointOption { file: at("state.json"), every: 2 };
    let options = RunOptions { checkpoint: Some(kept), steps: Some(4), ..RunOptions::default() };
    SceneRun::new(&a, options).unwrap().collect(&AtomicBool::new(false), &mut |_, _| {}).unwrap();
    let resumed = RunOptions { resume: Some(at("state.json")), ..RunOptions::default() };
    assert!(SceneRun::new(&a, resumed.clone()).is_ok());
    let solving = Options { threads: Some(3), ..Options::default() };
    assert!(
        SceneRun::new(&a, RunOptions { solving, ..resumed.clone() }).is_ok(),
        "no number depends on threads"
    );
    let refused = SceneRun::new(&b, resumed).unwrap_err();
    assert!(refused.to_string().contains("another scene") && refused.exit_status() == 1, "{refused}");
    std::fs::write(at("state.json"), "{}").unwrap();
    let broken = RunOptions { resume: Some(at("state.json")), ..RunOptions::default() };
    assert!(SceneRun::new(&a, broken).unwrap_err().to_string().contains("no checkpoint"));
}

/// The problem of a step is what the scene solved: another session finds the residual of the row.
#[test]
fn the_problem_of_a_step_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("s.yaml"), SCENE).unwrap();
    let loaded = load_scene(at("s.yaml").to_str().unwrap()).unwrap();
    let exports = vec![format!("20:{}", at("p.json.gz").display()).parse().unwrap()];
    let options = RunOptions { exports, ..RunOptions::default() };
    let mut run = SceneRun::new(&loaded, options).unwrap();
    let (outcome, _) = run.collect(&AtomicBool::new(false), &mut |_, _| {}).unwrap();
    let problem = read_file(&at("p.json.gz")).unwrap();
    assert_eq!(serde_json::json!(problem.contacts()), outcome.rows[19][2]);
    assert_eq!((problem.dof(), problem.dim(), problem.name()), (72, 3, "test-20"));
    assert!("20".parse::<mechan::pipeline::Export>().is_err());
}

/// The shipped scenes can be placed, and their first contacts are solved.
#[test]
fn the_shipped_scenes_move() {
    let mut seen = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let loaded = load_scene(path.to_str().unwrap()).unwrap_or_else(|e| panic!("{}", e.message()));
        let mechanisms = loaded.ready().unwrap();
        let placed = mechan::scene::Simulation::with(&loaded.scene, &mechanisms, &Options::default());
        let mut simulation = placed.unwrap_or_else(|e| panic!("{}: {e:?}", path.display()));
        let touched = (0..100).map(|_| simulation.advance().unwrap()).find(|record| record.contacts > 0);
        assert!(touched.as_ref().is_some_and(|record| record.solved), "{}: {touched:?}", path.display());
        seen += 1;
    }
    assert!(seen > 4);
}

/// The model file of a shipped scene is that of the mechanism beside it.
#[test]
fn the_models_of_shipped_scenes_are_of_their_mechanisms() {
    let at = |ending: &str| {
        let file = format!("{}/scenes/mechanisms/digger.{ending}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(file).unwrap()
    };
    assert_eq!(mechan::model::ModelFile::read(&at("json")).unwrap().mechanism, at("yaml"));
}
