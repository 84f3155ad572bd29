//! A directory of derived values. Safe under concurrent writers: a file appears complete or not at all, and an entry that
//! does not carry its own checksum counts as absent.

use super::CacheKey;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Identifies the derivation code of this build, so that no entry outlives the code that made it.
const DERIVATION: &str = env!("MECHAN_DERIVATION");

#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(path: &Path) -> Self {
        Folder(path.to_path_buf())
    }

    /// `$MECHAN_CACHE_DIR`, else `mechan` in the XDG cache directory.
    pub(super) fn of_user() -> Option<Self> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
        absolute("MECHAN_CACHE_DIR")
            .or_else(|| absolute("XDG_CACHE_HOME").map(|p| p.join("mechan")))
            .or_else(|| absolute("HOME").map(|p| p.join(".cache").join("mechan")))
            .or_else(|| absolute("LOCALAPPDATA").map(|p| p.join("mechan")))
            .map(Folder)
    }

    pub(super) fn entry<T: DeserializeOwned>(&self, key: &CacheKey, kind: &str) -> Option<T> {
        let text = std::fs::read_to_string(self.path(key, kind)).ok()?;
        let (checksum, payload) = text.split_once('\n')?;
        if checksum != hex_digest(&[payload.as_bytes()]) {
            return None;
        }
        serde_json::from_str(payload).ok()
    }

    pub(super) fn keep<T: Serialize>(&self, key: &CacheKey, kind: &str, value: &T) -> std::io::Result<()> {
        let path = self.path(key, kind);
        let Some(folder) = path.parent() else { return Ok(()) };
        std::fs::create_dir_all(folder)?;
        let payload = serde_json::to_string(value)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        writeln!(file, "{}", hex_digest(&[payload.as_bytes()]))?;
        file.write_all(payload.as_bytes())?;
        file.persist(path)?;
        Ok(())
    }

    fn path(&self, key: &CacheKey, kind: &str) -> PathBuf {
        let name = hex_digest(&[DERIVATION.as_bytes(), b"\n", key.0.as_bytes()]);
        self.0.join("derived").join(format!("{name}.{kind}.json"))
    }
}

fn hex_digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_comes_back_and_a_damaged_one_counts_as_absent() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, key) = (Folder::new(folder.path()), CacheKey::new("x"));
        assert_eq!(cache.entry::<Vec<u32>>(&key, "test"), None);
        cache.keep(&key, "test", &vec![1, 2, 3]).unwrap();
        assert_eq!(cache.entry::<Vec<u32>>(&key, "test"), Some(vec![1, 2, 3]));
        let path = cache.path(&key, "test");
        let damaged = std::fs::read_to_string(&path).unwrap().replace('2', "4");
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(cache.entry::<Vec<u32>>(&key, "test"), None);
    }

    #[test]
    fn names_differ_with_the_text() {
        let folder = Folder::new(Path::new("."));
        assert_ne!(folder.path(&CacheKey::new("x"), "test"), folder.path(&CacheKey::new("y"), "test"));
    }
}
