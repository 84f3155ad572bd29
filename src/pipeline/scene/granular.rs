//! The study of beads in a box.

use super::fault::SceneFault;
use crate::pipeline::Failure;
use crate::scene::granular::{GranularOptions, GranularOutcome, GranularProgress, granular};
use std::sync::atomic::AtomicBool;

/// Runs the study until it is done or `stop` is set; `told` is given how far it is.
///
/// # Errors
/// [`Failure`]: no beads, no steps, more beads than fit in memory, or a step that failed.
pub fn run_granular(
    options: &GranularOptions,
    stop: &AtomicBool,
    told: &mut dyn FnMut(&GranularProgress),
) -> Result<GranularOutcome, Failure> {
    let beads = options.beads.iter().chain(&options.friction);
    if let Some(found) = beads.copied().find(|n| !(1..=MOST).contains(n)) {
        return Err(SceneFault::Beads { found, most: MOST }.into());
    }
    if options.steps == Some(0) {
        return Err(SceneFault::NoSteps.into());
    }
    Ok(granular(options, stop, told).map_err(SceneFault::Step)?)
}

/// What makes sense to ask of methods of the size of the paper's.
const MOST: usize = 1_000_000;
