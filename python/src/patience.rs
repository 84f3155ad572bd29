//! Long calls: done in a thread of their own without the interpreter's lock, while this one listens for Ctrl-C.

use mechan::num::halt::Flag;
use pyo3::exceptions::{PyRuntimeError, PyRuntimeWarning};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How long Ctrl-C may go unheard.
const DEAF: Duration = Duration::from_millis(50);
/// How long what was interrupted may take to end.
const ENDING: Duration = Duration::from_secs(3);
/// Memory for the calls of a computation, as much as a main thread has.
const STACK: usize = 8 << 20;

/// What a computation returns. Once interrupted, it and the threads and the process that work for it are told to end, and this call ends with
/// them; where they do not hear it, a warning says so. A second Ctrl-C does not wait.
pub(crate) fn patiently<T: Send + 'static>(
    py: Python<'_>,
    compute: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    patiently_telling(py, compute, || Ok(()))
}

/// The same, with somebody who is told how far it is every now and then, and whose exceptions end it like Ctrl-C.
pub(crate) fn patiently_telling<T: Send + 'static>(
    py: Python<'_>,
    compute: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    mut tell: impl FnMut() -> PyResult<()>,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, mut receiver) = channel();
    let told = Arc::clone(&stop);
    Builder::new().name("mechan".into()).stack_size(STACK).spawn(move || {
        let found = Flag::of(&told).hears(|| compute(&told));
        // nobody listens once the call was interrupted twice
        drop(sender.send(found));
    })?;
    loop {
        let found;
        (found, receiver) = listened(py, receiver);
        match found {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if let Err(interrupt) = py.check_signals().and_then(|()| tell()) {
            stop.store(true, Ordering::Relaxed);
            return Err(ended(py, receiver, interrupt));
        }
    }
    Err(PyRuntimeError::new_err("mechan broke down: this is a fault of the program, please report it"))
}

/// A function of the caller's that is told now and then how far a computation is.
pub(crate) struct Telling<'py> {
    progress: Option<Bound<'py, PyAny>>,
    /// What is done, and of how much.
    pub(crate) count: Arc<[AtomicU64; 2]>,
    told: u64,
}

impl<'py> Telling<'py> {
    /// The function that options have, if they have one.
    pub(crate) fn of(options: &Bound<'py, PyDict>) -> PyResult<Self> {
        let progress = options.get_item("progress")?.filter(|given| !given.is_none());
        Ok(Self { progress, count: Arc::default(), told: 0 })
    }

    /// Tells it, if there is something new.
    pub(crate) fn tell(&mut self) -> PyResult<()> {
        let [done, of] = [0, 1].map(|k| self.count[k].load(Ordering::Relaxed));
        let Some(progress) = self.progress.as_ref().filter(|_| done > self.told) else { return Ok(()) };
        self.told = done;
        progress.call1((done, of)).map(drop)
    }
}

type Heard<T> = (Result<T, RecvTimeoutError>, Receiver<T>);

fn listened<T: Send>(py: Python<'_>, receiver: Receiver<T>) -> Heard<T> {
    py.detach(move || (receiver.recv_timeout(DEAF), receiver))
}

/// The interrupt, after what it ended.
fn ended<T: Send>(py: Python<'_>, mut receiver: Receiver<T>, interrupt: PyErr) -> PyErr {
    let begun = Instant::now();
    while begun.elapsed() < ENDING {
        let found;
        (found, receiver) = listened(py, receiver);
        if !matches!(found, Err(RecvTimeoutError::Timeout)) {
            return interrupt;
        }
        if let Err(again) = py.check_signals() {
            return again;
        }
    }
    let category = py.get_type::<PyRuntimeWarning>();
    let words = c"what was interrupted cannot be stopped here: it goes on in a thread of its own, and its result is thrown away";
    // warnings may be errors
    PyErr::warn(py, &category, words, 1).map_or_else(|error| error, |()| interrupt)
}
