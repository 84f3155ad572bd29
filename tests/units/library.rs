//! The shipped mechanisms, derived in this process's own cache and analysed without the search over their domains.

use mechan::model::{Cache, Model};
use mechan::pipeline::{AnalyzeOptions, Deriver, Failure, Loaded, analyze, derive_model, load_bytes};
use serde_json::Value;
use std::path::Path;

/// A mechanism with its equations.
pub(crate) struct Derived {
    pub(crate) loaded: Loaded,
    pub(crate) model: Model,
}

impl Derived {
    /// From the text of a mechanism file; its domain is left out.
    pub(crate) fn of(name: &str, text: &str) -> Self {
        let mut loaded = load_bytes(name, text.as_bytes().to_vec()).unwrap_or_else(|e| match e {
            Failure::Input { diagnostics, .. } => panic!("{name}: {diagnostics:?}"),
            e => panic!("{name}: {e}"),
        });
        loaded.mechanism.domain.clear();
        let cache = Cache::at(Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/cache")));
        let deriver = Deriver::program(env!("CARGO_BIN_EXE_mechan")).with_cache(cache);
        let model = derive_model(&loaded, &deriver).unwrap_or_else(|e| panic!("{name}: {e}"));
        Self { loaded, model }
    }

    /// The states of the report as data.
    pub(crate) fn states(&self, options: &AnalyzeOptions) -> Vec<Value> {
        let analysis = analyze(&self.loaded, &self.model, options);
        let analysis = analysis.unwrap_or_else(|e| match e {
            Failure::Input { diagnostics, .. } => panic!("{}: {diagnostics:?}", self.loaded.mechanism.name),
            e => panic!("{}: {e}", self.loaded.mechanism.name),
        });
        let value = serde_json::to_value(analysis).unwrap();
        value["states"].as_array().unwrap().clone()
    }
}

/// Names and texts of all shipped mechanisms.
pub(crate) fn texts() -> Vec<(String, String)> {
    let mut files: Vec<_> = std::fs::read_dir("mechanisms").unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "yaml"));
    files.sort();
    let name = |p: &std::path::PathBuf| p.file_stem().unwrap().to_string_lossy().into_owned();
    files.iter().map(|p| (name(p), std::fs::read_to_string(p).unwrap())).collect()
}

/// Numbers by name.
pub(crate) fn numbers(map: &Value) -> Vec<(String, f64)> {
    map.as_object().unwrap().iter().map(|(name, x)| (name.clone(), x.as_f64().unwrap())).collect()
}
