//! All shipped mechanisms, in the plane and in space, with constraints and several contacts.

use super::{balance, states};
use mechan::analysis::planar::{Sketch, sketch_kernel};
use mechan::contact::Friction;
use mechan::model::{Cache, Model};
use mechan::num::Tol;
use mechan::pipeline::{AnalyzeOptions, Deriver, Loaded, analyze, derive_model, load_bytes};
use std::path::Path;

fn derived() -> Vec<(String, Loaded, Model)> {
    let cache = Cache::at(Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/cache")));
    let deriver = Deriver::program(env!("CARGO_BIN_EXE_mechan")).with_cache(cache);
    let mut files: Vec<_> = std::fs::read_dir("mechanisms").unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "yaml"));
    files.sort();
    let load = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut loaded = load_bytes(&name, std::fs::read(&path).unwrap()).unwrap();
        loaded.mechanism.domain.clear();
        let model = derive_model(&loaded, &deriver).unwrap();
        (name, loaded, model)
    };
    files.into_iter().map(load).collect()
}

#[test]
fn motions_of_all_mechanisms_obey_the_equations_and_lose_no_energy() {
    let mut checked = 0;
    for (name, _, model) in derived() {
        let found = balance::check(&name, &model, &states(&name));
        assert!(found > 0, "{name}");
        checked += found;
    }
    assert!(checked > 1000, "{checked}");
}

/// The verdict by itself is that of the report.
#[test]
fn the_verdict_alone_is_that_of_the_report() {
    let (mut compared, tol) = (0, Tol::default());
    for (name, loaded, model) in derived() {
        if model.layout().tangents != 1 {
            continue;
        }
        let options = AnalyzeOptions { without_next_step: true, without_no_slip: true, ..Default::default() };
        let analysis = serde_json::to_value(analyze(&loaded, &model, &options).unwrap()).unwrap();
        for (report, state) in
            analysis["states"].as_array().unwrap().iter().zip(super::reference_states(&name))
        {
            let Some((contact, _)) = report["impact"].as_object().and_then(|map| map.iter().next()) else {
                continue;
            };
            let index = loaded.mechanism.contacts.iter().position(|c| c.name == *contact).unwrap();
            if loaded.mechanism.contacts[index].bilateral {
                continue;
            }
            let friction = Friction::new(report["contacts"][contact]["friction"].as_f64().unwrap()).unwrap();
            let kernel = sketch_kernel(&model, &[]).compiled();
            let mut values = kernel.values();
            kernel.set_parameters(&state.parameters, &mut values);
            kernel.solve_at(state.t, &state.q, &state.v, &mut values).unwrap();
            let sketch = Sketch { kernel: &kernel, values: &values, length: 1.0 };
            let found = sketch.verdict(index, friction, &tol).unwrap();
            let found = serde_json::to_value(found).unwrap();
            assert_eq!(found, report["verdict"], "{name} {}", report["state"]);
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}
