//! A mechanism's equations: from its model file, from the cache, or derived now.

use super::key::cache_key;
use super::{Derived, Failure, Loaded, Underived};
#[cfg(feature = "derive")]
use crate::derive::InProcess;
use crate::derive::{DeriveError, Equations, Turn, Wording, Worker};
use crate::diag::Diagnostic;
use crate::format::Mechanism;
use crate::model::{Cache, CacheKey, Model};
use serde::Serialize;
use std::path::PathBuf;

/// Who derives the equations that neither a model file nor the cache has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Derivation {
    /// Nobody.
    #[default]
    Nobody,
    /// A program, in a process of its own: `mechan`, or one whose main function calls
    /// [`worker::serve`](crate::derive::worker). It has to be of this version; the caller needs no computer algebra.
    Program(PathBuf),
    /// This process, on one thread of its own, see [`InProcess`](crate::derive::worker); with the feature `derive` only.
    ThisProcess,
}

/// How equations are obtained.
#[derive(Clone)]
pub struct Deriver<'a> {
    /// Who derives.
    pub by: Derivation,
    /// Where derived models are kept.
    pub cache: Cache,
    /// Told what is being done.
    pub progress: &'a dyn Fn(&str),
    /// Told what the user should know in any case: that there is something to wait for, a cache that cannot be used.
    pub notice: &'a dyn Fn(&str),
}

impl Deriver<'_> {
    /// Derives as is said, keeps nothing and tells nobody.
    pub fn new(by: Derivation) -> Self {
        Deriver { by, cache: Cache::none(), progress: &|_| {}, notice: &|_| {} }
    }

    /// Derives nothing: for model files.
    pub fn nobody() -> Self {
        Self::new(Derivation::Nobody)
    }

    /// Derives in this process.
    pub fn this_process() -> Self {
        Self::new(Derivation::ThisProcess)
    }

    /// Asks a program, `mechan` for one.
    pub fn program(path: impl Into<PathBuf>) -> Self {
        Self::new(Derivation::Program(path.into()))
    }

    /// Asks the running program itself, which is `mechan` or answers with [`worker::serve`](crate::derive::worker).
    ///
    /// # Errors
    /// [`Underived::NoProgram`] if it cannot be found.
    pub fn this_program() -> Result<Self, Failure> {
        Ok(Self::program(std::env::current_exe().map_err(Underived::NoProgram)?))
    }

    /// The same with a cache.
    #[must_use]
    pub fn with_cache(self, cache: Cache) -> Self {
        Deriver { cache, ..self }
    }
}

/// The model of a loaded mechanism.
///
/// # Errors
/// [`Failure::Derivation`] if it could not be derived; [`Failure::Input`] if the mechanism has no equations.
pub fn derive_model(loaded: &Loaded, deriver: &Deriver<'_>) -> Result<Model, Failure> {
    if let Some(model) = &loaded.model {
        return Ok(model.clone());
    }
    obtain(loaded, deriver, &MODEL)
}

/// The equations of a loaded mechanism in print.
///
/// # Errors
/// As [`derive_model`].
pub fn derive_equations(
    loaded: &Loaded,
    deriver: &Deriver<'_>,
    wording: Wording,
) -> Result<Equations, Failure> {
    obtain(
        loaded,
        deriver,
        match wording {
            Wording::Short => &EQUATIONS,
            Wording::Expanded => &EXPANDED,
        },
    )
}

impl Loaded {
    /// The mechanism with its equations: those of its model file, those kept in the cache, or derived now.
    ///
    /// # Errors
    /// [`Failure::Derivation`] if they could not be derived; [`Failure::Input`] if the mechanism has none.
    pub fn derive(self, deriver: &Deriver<'_>) -> Result<Derived, Failure> {
        let model = derive_model(&self, deriver)?;
        Derived::new(self, model)
    }
}

/// A mechanism for whose equations somebody has to be asked.
struct Asking<'a> {
    loaded: &'a Loaded,
    deriver: &'a Deriver<'a>,
    key: &'a CacheKey,
}

/// Somebody who derives.
trait Derives {
    fn model(&self, mechanism: &Mechanism) -> Result<Model, DeriveError>;
    fn equations(&self, mechanism: &Mechanism, wording: Wording) -> Result<Equations, DeriveError>;
}

impl Derives for Turn<'_> {
    fn model(&self, mechanism: &Mechanism) -> Result<Model, DeriveError> {
        Turn::model(self, mechanism)
    }

    fn equations(&self, mechanism: &Mechanism, wording: Wording) -> Result<Equations, DeriveError> {
        Turn::equations(self, mechanism, wording)
    }
}

#[cfg(feature = "derive")]
impl Derives for InProcess {
    fn model(&self, mechanism: &Mechanism) -> Result<Model, DeriveError> {
        InProcess::model(self, mechanism)
    }

    fn equations(&self, mechanism: &Mechanism, wording: Wording) -> Result<Equations, DeriveError> {
        InProcess::equations(self, mechanism, wording)
    }
}

/// What somebody is asked for.
struct Wanted<T> {
    /// Its kind in the cache.
    kind: &'static str,
    /// What the reader is told about it.
    words: &'static str,
    kept: fn(&Cache, &CacheKey) -> Option<T>,
    ask: fn(&dyn Derives, &Mechanism) -> Result<T, DeriveError>,
}

const MODEL: Wanted<Model> =
    Wanted { kind: "model", words: "", kept: Cache::model, ask: |who, mechanism| who.model(mechanism) };

const EQUATIONS: Wanted<Equations> = Wanted {
    kind: "equations",
    words: " for print",
    kept: |cache, key| cache.entry(key, "equations"),
    ask: |who, mechanism| who.equations(mechanism, Wording::Short),
};

const EXPANDED: Wanted<Equations> = Wanted {
    kind: "expanded",
    words: " for print, written out",
    kept: |cache, key| cache.entry(key, "expanded"),
    ask: |who, mechanism| who.equations(mechanism, Wording::Expanded),
};

/// From the cache, or derived now. Of several programs that want the same at once the first derives, and the others find
/// it kept when it is their turn.
fn obtain<T: Serialize>(loaded: &Loaded, deriver: &Deriver<'_>, wanted: &Wanted<T>) -> Result<T, Failure> {
    let key = cache_key(&loaded.mechanism).map_err(Underived::Key)?;
    if let Some(kept) = (wanted.kept)(&deriver.cache, &key) {
        return Ok(kept);
    }
    let asking = Asking { loaded, deriver, key: &key };
    match &deriver.by {
        Derivation::Program(path) => {
            let worker = Worker::new(path.clone());
            let turn = worker.turn(deriver.notice).map_err(|error| refused(loaded, error))?;
            match (wanted.kept)(&deriver.cache, &key) {
                Some(kept) => Ok(kept),
                None => asking.ask(&turn, wanted),
            }
        }
        #[cfg(feature = "derive")]
        Derivation::ThisProcess => asking.ask(&InProcess, wanted),
        #[cfg(not(feature = "derive"))]
        Derivation::ThisProcess => Err(asking.nobody()),
        Derivation::Nobody => Err(asking.nobody()),
    }
}

impl Asking<'_> {
    fn ask<T: Serialize>(&self, who: &dyn Derives, wanted: &Wanted<T>) -> Result<T, Failure> {
        let mechanism = &self.loaded.mechanism;
        (self.deriver.progress)(&format!("deriving the equations of {}{}", mechanism.name, wanted.words));
        let found = (wanted.ask)(who, mechanism).map_err(|error| refused(self.loaded, error))?;
        self.keep(wanted.kind, &found);
        Ok(found)
    }

    fn nobody(&self) -> Failure {
        let (mechanism, file) = (self.loaded.mechanism.name.clone(), self.loaded.source.name.clone());
        match self.loaded.model {
            Some(_) => Underived::NobodyPrints { mechanism }.into(),
            None => Underived::Nobody { mechanism, file }.into(),
        }
    }

    fn keep<T: Serialize>(&self, kind: &str, value: &T) {
        if let Err(error) = self.deriver.cache.keep(self.key, kind, value) {
            (self.deriver.notice)(&format!(
                "the cache cannot be used, so that equations are derived anew each time: {error}; \
                 set MECHAN_CACHE_DIR to a folder that can be written, or say --no-cache"
            ));
        }
    }
}

/// A mechanism without equations is a fault of the file, at its place; all else is one of the derivation.
fn refused(loaded: &Loaded, error: DeriveError) -> Failure {
    match error {
        DeriveError::ZeroDivisor { span } => {
            let found = Diagnostic::error("M216", "this divides by an expression that is zero everywhere");
            Failure::Input { source: loaded.source.clone(), diagnostics: vec![found.with_span(span)] }
        }
        other => Underived::Refused(other).into(),
    }
}
