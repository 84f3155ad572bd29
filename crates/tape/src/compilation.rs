//! Machine code of a tape: none, made at once, or made beside evaluations that are interpreted meanwhile: the same bits.

use super::compiled::Compiled;
use super::program::Tape;
use std::sync::{Arc, OnceLock};

/// Machine code, if there is to be any.
#[derive(Clone, Debug, Default)]
pub enum Compilation {
    /// There is to be none.
    #[default]
    None,
    /// There it is.
    Made(Box<Compiled>),
    /// It comes from a thread of its own.
    Coming(Arc<OnceLock<Compiled>>),
}

impl Compilation {
    /// Made at once.
    pub fn made(tape: &Tape) -> Self {
        Self::Made(Box::new(Compiled::new(tape)))
    }

    /// Made on another thread, where there are threads.
    pub fn coming(tape: &Tape) -> Self {
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
    pub fn ready(&self) -> Option<&Compiled> {
        match self {
            Self::None => None,
            Self::Made(code) => Some(code),
            Self::Coming(place) => place.get(),
        }
    }
}
