//! The `mechan` command.
fn main() {}
