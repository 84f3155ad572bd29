//! One derivation at a time on a machine: an advisory lock on one file that every user may open.

use super::super::error::DeriveError;
use crate::num::halt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often a held lock is tried again.
const PAUSE: Duration = Duration::from_millis(10);

/// The lock, held until it is dropped or the process ends.
pub(super) struct MachineLock {
    _file: File,
}

impl MachineLock {
    /// Waits for the lock, at most `patience`.
    pub(super) fn acquire(patience: Duration, progress: &dyn Fn(&str)) -> Result<Self, DeriveError> {
        let file = open(&path()).map_err(DeriveError::Worker)?;
        let start = Instant::now();
        let mut told = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(MachineLock { _file: file }),
                Err(TryLockError::Error(error)) => return Err(DeriveError::Worker(error)),
                Err(TryLockError::WouldBlock) if start.elapsed() >= patience => {
                    return Err(DeriveError::Busy { waited: patience.as_secs() });
                }
                Err(TryLockError::WouldBlock) if halt::is_wanted() => return Err(DeriveError::Halted),
                Err(TryLockError::WouldBlock) => {}
            }
            if !told && start.elapsed() > Duration::from_secs(1) {
                progress("waiting for another mechan to finish its derivation");
                told = true;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// One path for all users, whatever their own temporary directory.
fn path() -> PathBuf {
    let shared = Path::new("/tmp");
    let folder = if shared.is_dir() { shared.to_path_buf() } else { std::env::temp_dir() };
    folder.join("mechan-derive.lock")
}

/// Opens the file for reading, which is enough to lock it and is allowed on the file of another user.
fn open(path: &Path) -> io::Result<File> {
    match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            OpenOptions::new().read(true).append(true).create(true).open(path)
        }
        opened => opened,
    }
}
