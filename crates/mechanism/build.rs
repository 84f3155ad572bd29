//! Identifies the code that derivations depend on, so that a cached model never outlives it.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

/// Of this package.
const OWN: [&str; 5] = [
    "src/derive",
    "src/model/layout.rs",
    "src/format/geometry.rs",
    "src/format/mechanism.rs",
    "src/format/placement.rs",
];

/// Of packages beside it in the workspace. A package that is published has the versions that its own version asks for.
const BESIDE: [&str; 2] = ["../tape/src", "../language/src/expression/tree.rs"];

fn main() {
    let beside: &[&str] = if Path::new("../tape").is_dir() { &BESIDE } else { &[] };
    let mut files = Vec::new();
    for path in OWN.iter().chain(beside) {
        // cargo takes a file that is missing for one that changed, and builds all anew at every command
        assert!(
            Path::new(path).exists(),
            "derivations depend on {path}, which is missing: build.rs lists it"
        );
        println!("cargo:rerun-if-changed={path}");
        collect(Path::new(path), &mut files);
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        hasher.write(&std::fs::read(file).unwrap_or_default());
    }
    println!("cargo:rustc-env=MECHAN_DERIVATION={}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish());
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) => files.push(path.to_path_buf()),
    }
}
