//! Motions of an ensemble take up the memory that those before them left, and are the same to the last bit as motions that begin with none.

use mechan::model::Model;
use mechan::pipeline::{EnsembleOptions, EnsembleStudy, SimulateOptions};

const MODELS: [&str; 8] = [
    "bouncing_ball",
    "crutch",
    "falling_pencil",
    "frictional_impact_oscillator",
    "painleve_rod",
    "rod_3d",
    "wheel_on_ground",
    "woodpecker",
];

const RUNS: u64 = 4;

fn rows(study: &EnsembleStudy<'_>, runs: std::ops::Range<u64>) -> Vec<String> {
    let mut rows = Vec::new();
    study
        .follow(runs, |row| {
            rows.push(format!("{row:?}"));
            Ok(())
        })
        .unwrap();
    rows
}

/// The motions from a state, one parameter drawn.
fn ask(state: &str, t_end: f64, (name, value): (&str, f64)) -> EnsembleOptions {
    let (lo, hi) = if value > 0.0 { (0.8 * value, 1.25 * value) } else { (-0.1, 0.1) };
    EnsembleOptions {
        motion: SimulateOptions { state: Some(state.to_string()), t_end, ..SimulateOptions::default() },
        runs: Some(RUNS),
        random: vec![format!("{name}={lo}:{hi}")],
        threads: Some(1),
        ..EnsembleOptions::default()
    }
}

#[test]
fn what_others_left_shows_in_no_motion() {
    let (mut ended, mut all) = (0, 0);
    for name in MODELS {
        let loaded = mechan::load(&format!("benches/models/{name}.json")).unwrap();
        let model: &Model = loaded.model.as_ref().unwrap();
        for spec in &loaded.mechanism.states {
            let begin = loaded.mechanism.resolve(spec, &[]).unwrap();
            let (parameters, t_end) = (begin.parameters, begin.t + 0.5);
            let last = parameters.len() - 1;
            for place in [0, last] {
                let parameter = (&loaded.mechanism.parameters[place].name[..], parameters[place]);
                let study = EnsembleStudy::new(&loaded, model, &ask(&spec.name, t_end, parameter)).unwrap();
                let alone: Vec<String> = (0..RUNS).flat_map(|run| rows(&study, run..run + 1)).collect();
                assert_eq!(rows(&study, 0..RUNS), alone, "{name} {} {parameter:?}", spec.name);
                ended += alone.iter().filter(|row| row.contains("Ended(End)")).count();
                all += alone.len();
            }
        }
    }
    assert!(2 * ended > all, "{ended} of {all}");
}
