//! What parent and child say to each other beside the task and its answer.

/// The hidden command of the program that derives.
pub const COMMAND: &str = "__derive";
/// How the first line of a child begins; its version follows.
pub(super) const GREETING: &str = "--- mechan worker ";
/// The version of the code that derives: parent and child must agree on it, for they speak in their own data types.
pub(super) const VERSION: &str = env!("MECHAN_DERIVATION");
/// Tells a child that it is one: a program that starts workers instead of being one must not do so without end.
pub(super) const CHILD: &str = "MECHAN_DERIVE_CHILD";
/// The line before the answer.
pub(super) const ANSWER: &str = "--- mechan derivation ---";
