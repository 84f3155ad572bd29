//! Why a file cannot be written, in words that say what to do.

use std::fmt;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// A file that could not be written.
pub struct Unwritable<'f> {
    /// The file.
    pub path: &'f Path,
    /// What the system said.
    pub error: &'f Error,
}

impl fmt::Display for Unwritable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be written: ", self.path.display())?;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
        match (folder, self.error.kind()) {
            (Some(folder), ErrorKind::NotFound) => write!(f, "there is no folder {}", folder.display()),
            _ => write!(f, "{}", self.error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Unwritable;
    use std::path::Path;

    #[test]
    fn a_missing_folder_is_named() {
        let said = |path: &str| {
            let error = std::fs::write(path, "").unwrap_err();
            Unwritable { path: Path::new(path), error: &error }.to_string()
        };
        assert_eq!(said("src/none/a.svg"), "src/none/a.svg cannot be written: there is no folder src/none");
        assert!(said("src").starts_with("src cannot be written: Is a directory"), "{}", said("src"));
    }
}
