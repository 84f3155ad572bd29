//! Ctrl-C, and requests to end: the first lets a computation write what is done, the second ends the program.

use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status of a program that was interrupted: 128 and the number of the signal, as shells have it.
pub(super) const INTERRUPTED: u8 = 130;

/// Whether the program should end.
static ASKED: AtomicBool = AtomicBool::new(false);

/// The flag that is set where the program is asked to end. Where signals cannot be had it never is, and the program ends at once as others do.
pub(super) fn flag() -> &'static AtomicBool {
    drop(ctrlc::try_set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            exit(INTERRUPTED.into());
        }
    }));
    &ASKED
}
