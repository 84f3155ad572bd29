//! Ctrl-C, and requests to end: the first lets a computation write what is done, the second ends the program.

pub(super) use crate::pipeline::INTERRUPTED;

use crate::num::halt::Flag;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// Whether the program should end.
static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The flag that is set where the program is asked to end. Where signals cannot be had it never is, and the program ends at once as others do.
/// A terminal that closes is no such request, so that `nohup` keeps its word.
pub(super) fn flag() -> &'static AtomicBool {
    asked()
}

/// Computes, and ends with what is done where the program is asked to end.
pub(super) fn heard<T>(compute: impl FnOnce() -> T) -> T {
    Flag::of(asked()).hears(compute)
}

fn asked() -> &'static Arc<AtomicBool> {
    ASKED.get_or_init(|| {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // in this order: the shutdown sees what was asked before
            drop(register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&asked)));
            drop(register(signal, Arc::clone(&asked)));
        }
        asked
    })
}
