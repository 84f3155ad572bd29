//! Long calls: done in a thread of their own without the interpreter's lock, while this one listens for Ctrl-C.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

/// How long Ctrl-C may go unheard.
const DEAF: Duration = Duration::from_millis(50);
/// Memory for the calls of a computation, as much as a main thread has.
const STACK: usize = 8 << 20;

/// What a computation returns. Once interrupted it is told so by the flag that it is given; what does not look at it is left to
/// itself, and its result is thrown away.
pub(crate) fn patiently<T: Send + 'static>(
    py: Python<'_>,
    compute: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = channel();
    let told = Arc::clone(&stop);
    Builder::new().name("mechan".into()).stack_size(STACK).spawn(move || {
        // nobody listens once the call was interrupted
        drop(sender.send(compute(&told)));
    })?;
    let mut receiver = Some(receiver);
    while let Some(open) = receiver.take() {
        let (found, open) = py.detach(move || (open.recv_timeout(DEAF), open));
        match found {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                receiver = Some(open);
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Err(PyRuntimeError::new_err("mechan broke down: this is a fault of the program, please report it"))
}
