//! What a page shows beside the numbers of an analysis: equations in print, and the states in pictures.

use crate::derive::Equations;
use crate::report::{self, Illustrations};

/// The illustrations of an analysis; without equations where they cannot be had.
pub fn illustrate(equations: Option<&Equations>) -> Illustrations {
    let printed =
        |equations: &Equations| report::Equations { text: equations.to_text(), latex: equations.to_latex() };
    Illustrations { equations: equations.map(printed), states: Vec::new() }
}
