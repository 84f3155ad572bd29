//! The file that `mechan new` writes: a rod on the ground, with every section explained.

/// A commented starter file for a mechanism of this name; it passes [`super::read`].
pub fn starter(name: &str) -> String {
    include_str!("starter.yaml").replace("NAME", name)
}
