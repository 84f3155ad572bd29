//! Files that appear complete or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file beside its place, then moves it there; what was there before stays until then.
///
/// # Errors
/// If the folder or the disk does not take it; nothing is left behind.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    whole_file(path, |file| file.write_all(bytes))
}

/// The same for a file that `fill` fills.
pub(super) fn whole_file(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let beside = beside(path)?;
    let written = File::create(&beside).and_then(|mut file| {
        fill(&mut file)?;
        file.sync_all()
    });
    let moved = written.and_then(|()| fs::rename(&beside, path));
    if moved.is_err() {
        // the first error is what the caller should see
        drop(fs::remove_file(&beside));
    }
    moved
}

/// A name in the same folder that no other process uses and no listing of results shows.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    // there are no processes there, and asking for one's number is a panic
    let process = if cfg!(target_family = "wasm") { 0 } else { std::process::id() };
    let hidden = format!(".{}.{process}.part", name.to_string_lossy());
    Ok(path.with_file_name(hidden))
}
