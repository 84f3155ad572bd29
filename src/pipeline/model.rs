//! A mechanism's equations: from its model file, from the cache, or derived now.

use super::key::cache_key;
use super::{Failure, Loaded};
use crate::model::{Cache, CacheKey, Model};

#[cfg(feature = "derive")]
use crate::derive::{DeriveError, Equations, Worker};
#[cfg(feature = "derive")]
use crate::diag::Diagnostic;
#[cfg(feature = "derive")]
use serde::Serialize;

/// How equations are obtained.
pub struct Deriver<'a> {
    /// Where derived models are kept.
    pub cache: Cache,
    /// The program that derives: this one, started again as a worker.
    #[cfg(feature = "derive")]
    pub worker: Worker,
    /// Told what is being done.
    pub progress: &'a dyn Fn(&str),
    /// Told what the user should know in any case: that there is something to wait for, a cache that cannot be used.
    pub notice: &'a dyn Fn(&str),
}

#[cfg(feature = "derive")]
impl Deriver<'_> {
    fn keep<T: Serialize>(&self, key: &CacheKey, kind: &str, value: &T) {
        if let Err(error) = self.cache.keep(key, kind, value) {
            (self.notice)(&format!(
                "the cache cannot be used, so that equations are derived anew each time: {error}; \
                 set MECHAN_CACHE_DIR to a folder that can be written, or say --no-cache"
            ));
        }
    }
}

/// The model of a loaded mechanism.
///
/// # Errors
/// [`Failure::Derivation`] if the worker could not derive, or this build has no derivation; [`Failure::Input`] if the
/// mechanism has no equations.
pub fn derive_model(loaded: &Loaded, deriver: &Deriver<'_>) -> Result<Model, Failure> {
    if let Some(model) = &loaded.model {
        return Ok(model.clone());
    }
    let key = cache_key(&loaded.mechanism).map_err(|e| Failure::Derivation(e.to_string()))?;
    match deriver.cache.model(&key) {
        Some(model) => Ok(model),
        None => derive_now(loaded, deriver, &key),
    }
}

/// Derives; of several runs that want the same equations at once the first derives, and the others find them kept
/// when it is their turn.
#[cfg(feature = "derive")]
fn derive_now(loaded: &Loaded, deriver: &Deriver<'_>, key: &CacheKey) -> Result<Model, Failure> {
    let turn = deriver.worker.turn(deriver.notice).map_err(|e| refused(loaded, e))?;
    if let Some(model) = deriver.cache.model(key) {
        return Ok(model);
    }
    (deriver.progress)(&format!("deriving the equations of {}", loaded.mechanism.name));
    let model = turn.model(&loaded.mechanism).map_err(|e| refused(loaded, e))?;
    deriver.keep(key, "model", &model);
    Ok(model)
}

#[cfg(not(feature = "derive"))]
fn derive_now(loaded: &Loaded, _: &Deriver<'_>, _: &CacheKey) -> Result<Model, Failure> {
    Err(Failure::Derivation(format!(
        "{} has not been derived, and this mechan was built without derivation: \
         make a model file with a full build (`mechan derive --format model {}`)",
        loaded.mechanism.name, loaded.source.name
    )))
}

/// The equations of a loaded mechanism in print.
///
/// # Errors
/// As [`derive_model`].
#[cfg(feature = "derive")]
pub fn derive_equations(loaded: &Loaded, deriver: &Deriver<'_>) -> Result<Equations, Failure> {
    let key = cache_key(&loaded.mechanism).map_err(|e| Failure::Derivation(e.to_string()))?;
    if let Some(equations) = deriver.cache.entry(&key, "equations") {
        return Ok(equations);
    }
    let turn = deriver.worker.turn(deriver.notice).map_err(|e| refused(loaded, e))?;
    if let Some(equations) = deriver.cache.entry(&key, "equations") {
        return Ok(equations);
    }
    (deriver.progress)(&format!("deriving the equations of {} for print", loaded.mechanism.name));
    let equations = turn.equations(&loaded.mechanism).map_err(|e| refused(loaded, e))?;
    deriver.keep(&key, "equations", &equations);
    Ok(equations)
}

/// A mechanism without equations is a fault of the file, at its place; all else is one of the derivation.
#[cfg(feature = "derive")]
fn refused(loaded: &Loaded, error: DeriveError) -> Failure {
    match error {
        DeriveError::ZeroDivisor { span } => {
            let found = Diagnostic::error("M216", "this divides by an expression that is zero everywhere");
            Failure::Input { source: loaded.source.clone(), diagnostics: vec![found.with_span(span)] }
        }
        other => Failure::Derivation(other.to_string()),
    }
}
