//! Machine code of a kernel: none, made at once, or made beside the first evaluations, which are interpreted: the same bits.

use crate::tape::{Compiled, Tape};
use std::sync::{Arc, OnceLock};

/// Machine code, if there is to be any.
#[derive(Clone, Debug, Default)]
pub(super) enum Code {
    #[default]
    None,
    Made(Box<Compiled>),
    /// From a thread of its own.
    Coming(Arc<OnceLock<Compiled>>),
}

impl Code {
    pub(super) fn made(tape: &Tape) -> Self {
        Self::Made(Box::new(Compiled::new(tape)))
    }

    /// Made on another thread, where there are threads.
    pub(super) fn coming(tape: &Tape) -> Self {
        let place = Arc::new(OnceLock::new());
        let (theirs, own) = (Arc::clone(&place), tape.clone());
        let work = move || theirs.get_or_init(|| Compiled::new(&own)).is_native();
        match std::thread::Builder::new().spawn(work) {
            Ok(_) => Self::Coming(place),
            Err(_) => Self::made(tape),
        }
    }

    /// What there is by now.
    #[inline]
    pub(super) fn ready(&self) -> Option<&Compiled> {
        match self {
            Self::None => None,
            Self::Made(code) => Some(code),
            Self::Coming(place) => place.get(),
        }
    }
}
