//! What the paper printed.

use serde::Serialize;

/// A row of [ACLM11 Table 1].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PrintedRow {
    /// Number of beads.
    pub beads: usize,
    /// What solved the convex programs.
    pub method: &'static str,
    /// Steps.
    pub steps: u64,
    /// Contacts a step.
    pub contacts: f64,
    /// Convex programs a step.
    pub programs: f64,
    /// Time a step, ms, on the machine of the authors.
    pub time_ms: f64,
}

const GRADIENT: &str = "projected gradient";
const FACETS: &str = "interior points, 4 facets";

const fn row(beads: usize, method: &'static str, steps: u64, numbers: [f64; 3]) -> PrintedRow {
    let [contacts, programs, time_ms] = numbers;
    PrintedRow { beads, method, steps, contacts, programs, time_ms }
}

/// [ACLM11 Table 1].
#[rustfmt::skip]
pub const PRINTED: [PrintedRow; 6] = [
    row(150, GRADIENT, 352, [239.0, 3.3,  768.0]),
    row(150, FACETS,   323, [197.0, 3.1,  236.0]),
    row(300, GRADIENT, 308, [506.0, 3.2, 1200.0]),
    row(300, FACETS,   272, [393.0, 3.5, 1121.0]),
    row(600, GRADIENT, 300, [741.0, 3.3, 1929.0]),
    row(600, FACETS,   255, [524.0, 3.5,  949.0]),
];
