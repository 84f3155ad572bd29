//! A mechanism's equations: from its model file, from the cache, or derived now.

use super::key::cache_key;
use super::{Failure, Loaded};
use crate::model::{Cache, Model};

#[cfg(feature = "derive")]
use crate::derive::{Equations, Worker};

/// How equations are obtained.
pub struct Deriver<'a> {
    /// Where derived models are kept.
    pub cache: Cache,
    /// The program that derives: this one, started again as a worker.
    #[cfg(feature = "derive")]
    pub worker: Worker,
    /// Told what is being waited for.
    pub progress: &'a dyn Fn(&str),
}

/// The model of a loaded mechanism.
///
/// # Errors
/// [`Failure::Derivation`] if the worker could not derive, or this build has no derivation.
pub fn derive_model(loaded: &Loaded, deriver: &Deriver<'_>) -> Result<Model, Failure> {
    if let Some(model) = &loaded.model {
        return Ok(model.clone());
    }
    let key = cache_key(&loaded.mechanism).map_err(|e| Failure::Derivation(e.to_string()))?;
    if let Some(model) = deriver.cache.model(&key) {
        return Ok(model);
    }
    let model = derive_now(loaded, deriver)?;
    if let Err(error) = deriver.cache.keep(&key, "model", &model) {
        (deriver.progress)(&format!("the derived model could not be cached: {error}"));
    }
    Ok(model)
}

#[cfg(feature = "derive")]
fn derive_now(loaded: &Loaded, deriver: &Deriver<'_>) -> Result<Model, Failure> {
    (deriver.progress)(&format!("deriving the equations of {}", loaded.mechanism.name));
    deriver.worker.model(&loaded.mechanism, deriver.progress).map_err(|e| Failure::Derivation(e.to_string()))
}

#[cfg(not(feature = "derive"))]
fn derive_now(loaded: &Loaded, _: &Deriver<'_>) -> Result<Model, Failure> {
    Err(Failure::Derivation(format!(
        "{} has not been derived, and this mechan was built without derivation: \
         make a model file with a full build (`mechan derive --format model {}`)",
        loaded.mechanism.name, loaded.source.name
    )))
}

/// The equations of a loaded mechanism in print.
///
/// # Errors
/// [`Failure::Derivation`] if the worker could not derive.
#[cfg(feature = "derive")]
pub fn derive_equations(loaded: &Loaded, deriver: &Deriver<'_>) -> Result<Equations, Failure> {
    let failed = |e: String| Failure::Derivation(e);
    let key = cache_key(&loaded.mechanism).map_err(|e| failed(e.to_string()))?;
    if let Some(equations) = deriver.cache.entry(&key, "equations") {
        return Ok(equations);
    }
    (deriver.progress)(&format!("deriving the equations of {} for print", loaded.mechanism.name));
    let equations =
        deriver.worker.equations(&loaded.mechanism, deriver.progress).map_err(|e| failed(e.to_string()))?;
    if let Err(error) = deriver.cache.keep(&key, "equations", &equations) {
        (deriver.progress)(&format!("the equations could not be cached: {error}"));
    }
    Ok(equations)
}
