//! Identifies the code that derivations depend on, so that a cached model never outlives it.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

const CODE: [&str; 7] = [
    "src/derive",
    "src/tape",
    "src/model/layout.rs",
    "src/expression/tree.rs",
    "src/format/geometry.rs",
    "src/format/mechanism.rs",
    "src/format/placement.rs",
];

fn main() {
    let mut files = Vec::new();
    for path in CODE {
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
