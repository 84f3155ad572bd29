//! Derived models on disk, by the hash of what they were derived from. Safe under concurrent writers: a file
//! appears complete or not at all, and an entry that does not carry its own checksum counts as absent.

use super::Model;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Identifies the derivation code of this build, so that no entry outlives the code that made it.
const DERIVATION: &str = env!("MECHAN_DERIVATION");

/// A directory of derived models; without a directory nothing is kept.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: Option<PathBuf>,
}

/// The hash of everything a derivation depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheKey(String);

impl CacheKey {
    /// The key of a derivation from the given canonical text.
    pub fn new(canonical: &str) -> Self {
        CacheKey(hex_digest(&[DERIVATION.as_bytes(), b"\n", canonical.as_bytes()]))
    }
}

fn hex_digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Cache {
    /// The user's cache: `$MECHAN_CACHE_DIR`, else `mechan` in the XDG cache directory.
    pub fn for_user() -> Self {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
        let directory = absolute("MECHAN_CACHE_DIR")
            .or_else(|| absolute("XDG_CACHE_HOME").map(|p| p.join("mechan")))
            .or_else(|| absolute("HOME").map(|p| p.join(".cache").join("mechan")))
            .or_else(|| absolute("LOCALAPPDATA").map(|p| p.join("mechan")));
        Cache { directory }
    }

    /// A cache in the given directory.
    pub fn at(directory: &Path) -> Self {
        Cache { directory: Some(directory.to_path_buf()) }
    }

    /// A cache that keeps nothing.
    pub fn none() -> Self {
        Cache { directory: None }
    }

    /// The model kept under a key, if it is there and whole.
    pub fn model(&self, key: &CacheKey) -> Option<Model> {
        self.entry(key, "model").filter(|model: &Model| model.validate().is_ok())
    }

    /// Any other derived value kept under a key and a kind.
    pub fn entry<T: DeserializeOwned>(&self, key: &CacheKey, kind: &str) -> Option<T> {
        let text = std::fs::read_to_string(self.path(key, kind)?).ok()?;
        let (checksum, payload) = text.split_once('\n')?;
        if checksum != hex_digest(&[payload.as_bytes()]) {
            return None;
        }
        serde_json::from_str(payload).ok()
    }

    /// Keeps a value under a key and a kind.
    ///
    /// # Errors
    /// If the directory cannot be written; the caller may go on without.
    pub fn keep<T: Serialize>(&self, key: &CacheKey, kind: &str, value: &T) -> std::io::Result<()> {
        let Some(path) = self.path(key, kind) else { return Ok(()) };
        let Some(folder) = path.parent() else { return Ok(()) };
        std::fs::create_dir_all(folder)?;
        let payload = serde_json::to_string(value)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        writeln!(file, "{}", hex_digest(&[payload.as_bytes()]))?;
        file.write_all(payload.as_bytes())?;
        file.persist(path)?;
        Ok(())
    }

    fn path(&self, key: &CacheKey, kind: &str) -> Option<PathBuf> {
        self.directory.as_ref().map(|d| d.join("derived").join(format!("{}.{kind}.json", key.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_comes_back_and_a_damaged_one_counts_as_absent() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, key) = (Cache::at(folder.path()), CacheKey::new("x"));
        assert_eq!(cache.entry::<Vec<u32>>(&key, "test"), None);
        cache.keep(&key, "test", &vec![1, 2, 3]).unwrap();
        assert_eq!(cache.entry::<Vec<u32>>(&key, "test"), Some(vec![1, 2, 3]));
        let path = cache.path(&key, "test").unwrap();
        let damaged = std::fs::read_to_string(&path).unwrap().replace('2', "4");
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(cache.entry::<Vec<u32>>(&key, "test"), None);
    }

    #[test]
    fn keys_differ_with_the_text() {
        assert_ne!(CacheKey::new("x"), CacheKey::new("y"));
    }

    #[test]
    fn no_directory_keeps_nothing() {
        let key = CacheKey::new("x");
        Cache::none().keep(&key, "test", &1).unwrap();
        assert_eq!(Cache::none().entry::<i32>(&key, "test"), None);
    }
}
