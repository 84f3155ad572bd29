//! Derivation inside this process, on one thread, for users of the library.

use super::super::error::DeriveError;
use super::super::{Equations, Wording, derive, equations};
use super::lock::MachineLock;
use super::timeout;
use crate::format::Mechanism;
use crate::model::Model;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock};

type Job = Box<dyn FnOnce() + Send>;

/// Derives on one thread of this process, which from the first derivation on holds the machine's lock until the
/// process ends: Symbolica stays, and no other process may start it. A [`Worker`](super::Worker) in the same process
/// would then wait for itself; use one or the other.
///
/// If another Symbolica runs on the machine without a licence, this process is ended by Symbolica.
#[derive(Clone, Copy, Debug, Default)]
pub struct InProcess;

impl InProcess {
    /// The model of a mechanism.
    ///
    /// # Errors
    /// [`DeriveError`] if the lock cannot be had or the mechanism is refused.
    pub fn model(&self, mechanism: &Mechanism) -> Result<Model, DeriveError> {
        let mechanism = mechanism.clone();
        on_the_thread(move || derive(&mechanism))
    }

    /// The equations of a mechanism in print.
    ///
    /// # Errors
    /// [`DeriveError`] if the lock cannot be had or the mechanism is refused.
    pub fn equations(&self, mechanism: &Mechanism, wording: Wording) -> Result<Equations, DeriveError> {
        let mechanism = mechanism.clone();
        on_the_thread(move || equations(&mechanism, wording))
    }
}

fn on_the_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, DeriveError> + Send + 'static,
) -> Result<T, DeriveError> {
    let (send, receive) = channel();
    let job: Job = Box::new(move || {
        let _ = send.send(hold_lock().and_then(|()| work()));
    });
    let ended = || DeriveError::Worker(std::io::Error::other("the thread that derives has ended"));
    jobs().lock().map_err(|_| ended())?.send(job).map_err(|_| ended())?;
    receive.recv().map_err(|_| ended())?
}

fn jobs() -> &'static Mutex<Sender<Job>> {
    static JOBS: OnceLock<Mutex<Sender<Job>>> = OnceLock::new();
    JOBS.get_or_init(|| {
        let (send, receive): (_, Receiver<Job>) = channel();
        std::thread::spawn(move || receive.into_iter().for_each(|job| job()));
        Mutex::new(send)
    })
}

/// Takes the machine's lock once, for the rest of the process.
fn hold_lock() -> Result<(), DeriveError> {
    static HELD: OnceLock<MachineLock> = OnceLock::new();
    if HELD.get().is_none() {
        let _ = HELD.set(MachineLock::acquire(timeout(), &|_| {})?);
    }
    Ok(())
}
