//! temp
use super::Mechanism;
use crate::diag::{Diagnostic, Source};
/// temp
#[derive(Clone, Debug)]
pub struct Checked {
    /// m
    pub mechanism: Mechanism,
    /// w
    pub warnings: Vec<Diagnostic>,
}
/// temp
/// # Errors
/// x
pub fn read(_: &Source) -> Result<Checked, Vec<Diagnostic>> {
    Err(vec![Diagnostic::error("M005", "not yet")])
}
