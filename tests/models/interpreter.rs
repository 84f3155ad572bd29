//! The Python that tests compare with, where there is one.

use std::process::Command;

/// Whether Python is there with a package and NumPy; tells if not.
pub(crate) fn has(package: &str) -> bool {
    let found = Command::new("python3").args(["-c", &format!("import {package}, numpy")]).output();
    let found = found.is_ok_and(|o| o.status.success());
    if !found {
        eprintln!("skipped: there is no Python with {package} and NumPy");
    }
    found
}
