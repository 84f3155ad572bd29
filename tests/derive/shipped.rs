//! The model files that travel with the program are what is derived now.

use mechan::ModelFile;
use mechan::pipeline::{Deriver, LIBRARY, load};

#[test]
fn the_models_of_the_library_are_derived_from_its_files() {
    let deriver = Deriver::program(env!("CARGO_BIN_EXE_mechan"));
    let mut stale = Vec::new();
    for shipped in LIBRARY {
        let loaded = load(&format!("mechanisms/{}.yaml", shipped.name)).unwrap();
        let text = loaded.source.text.clone();
        let derived = loaded.derive(&deriver).unwrap();
        let now = ModelFile::new(text, derived.model().clone()).write().unwrap();
        if now != shipped.model {
            stale.push(shipped.name);
        }
    }
    assert!(
        stale.is_empty(),
        "derive again: for each NAME of {stale:?}, `mechan derive mechanisms/NAME.yaml --format model -o src/pipeline/models/NAME.json`"
    );
}
