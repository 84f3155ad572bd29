//! Derived models that are kept, by what they were derived from: on disk with the feature `cache`, else nowhere.

#[cfg(feature = "cache")]
mod folder;

use super::Model;
#[cfg(feature = "cache")]
use folder::Folder;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A directory of derived models; without a directory nothing is kept.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<Folder>,
}

/// Everything that a derivation depends on, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheKey(String);

impl CacheKey {
    /// The key of a derivation from the given canonical text.
    pub fn new(canonical: &str) -> Self {
        CacheKey(canonical.to_string())
    }
}

impl Cache {
    /// The user's cache: `$MECHAN_CACHE_DIR`, else `mechan` in the XDG cache directory. A build without the feature `cache`
    /// keeps nothing.
    pub fn for_user() -> Self {
        Cache { folder: Folder::of_user() }
    }

    /// A cache in the given directory.
    #[cfg(feature = "cache")]
    pub fn at(directory: &std::path::Path) -> Self {
        Cache { folder: Some(Folder::new(directory)) }
    }

    /// A cache that keeps nothing.
    pub fn none() -> Self {
        Cache { folder: None }
    }

    /// The model kept under a key, if it is there and whole.
    pub fn model(&self, key: &CacheKey) -> Option<Model> {
        self.entry(key, "model").filter(|model: &Model| model.validate().is_ok())
    }

    /// Any other derived value kept under a key and a kind.
    pub fn entry<T: DeserializeOwned>(&self, key: &CacheKey, kind: &str) -> Option<T> {
        self.folder.as_ref()?.entry(key, kind)
    }

    /// Keeps a value under a key and a kind.
    ///
    /// # Errors
    /// If the directory cannot be written; the caller may go on without.
    pub fn keep<T: Serialize>(&self, key: &CacheKey, kind: &str, value: &T) -> std::io::Result<()> {
        self.folder.as_ref().map_or(Ok(()), |folder| folder.keep(key, kind, value))
    }
}

/// A directory, of which a build without the feature `cache` has none.
#[cfg(not(feature = "cache"))]
#[derive(Clone, Debug)]
enum Folder {}

#[cfg(not(feature = "cache"))]
impl Folder {
    fn of_user() -> Option<Self> {
        None
    }

    fn entry<T>(&self, _: &CacheKey, _: &str) -> Option<T> {
        match *self {}
    }

    fn keep<T>(&self, _: &CacheKey, _: &str, _: &T) -> std::io::Result<()> {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_directory_keeps_nothing() {
        let key = CacheKey::new("x");
        Cache::none().keep(&key, "test", &1).unwrap();
        assert_eq!(Cache::none().entry::<i32>(&key, "test"), None);
    }
}
