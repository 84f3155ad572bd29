//! The mechanisms of a scene: from the names in its file to equations and the states in which they begin.

use super::load::LoadedScene;
use crate::diag::Diagnostic;
use crate::format::scene::MechanismUse;
use crate::format::{ContactLaw, Override};
use crate::model::Model;
use crate::num::Tol;
use crate::pipeline::load::{Loaded, load};
use crate::pipeline::model::{Deriver, derive_model};
use crate::pipeline::shipped::{nearest_shipped, shipped};
use crate::pipeline::states::{find_state, placed_state, state_kernel};
use crate::pipeline::{Failure, load_shipped};
use crate::scene::SceneMechanism;
use crate::stepping::StepLaw;
use std::path::Path;

impl LoadedScene {
    /// The scene with the equations of its mechanisms: those of the library and of model files are there, the others are derived.
    ///
    /// # Errors
    /// M605 for every mechanism that has none.
    pub fn derive(mut self, deriver: &Deriver<'_>) -> Result<Self, Failure> {
        let models: Vec<Result<Model, Diagnostic>> = self.each(|_, loaded| derive_model(loaded, deriver));
        let models = self.all(models)?;
        self.mechanisms.iter_mut().zip(models).for_each(|(loaded, model)| loaded.model = Some(model));
        Ok(self)
    }

    /// The mechanisms where they begin.
    ///
    /// # Errors
    /// M605 for every one without equations, or with a state or a value that it does not have.
    pub fn ready(&self) -> Result<Vec<SceneMechanism>, Failure> {
        self.all(self.each(ready))
    }

    fn each<T>(
        &self,
        of: impl Fn(&MechanismUse, &Loaded) -> Result<T, Failure>,
    ) -> Vec<Result<T, Diagnostic>> {
        let pairs = self.scene.mechanisms.iter().zip(&self.mechanisms);
        pairs.map(|(named, loaded)| of(named, loaded).map_err(|failure| fault(named, &failure))).collect()
    }

    /// All of them, or every fault.
    fn all<T>(&self, found: Vec<Result<T, Diagnostic>>) -> Result<Vec<T>, Failure> {
        sorted(found).map_err(|diagnostics| Failure::Input { source: self.source.clone(), diagnostics })
    }
}

/// Reads the mechanisms that a scene names, seen from its own file.
///
/// # Errors
/// M605 for every one that cannot be read.
pub(super) fn mechanisms(scene: &str, named: &[MechanismUse]) -> Result<Vec<Loaded>, Vec<Diagnostic>> {
    let folder = Path::new(scene).parent().unwrap_or(Path::new(""));
    sorted(named.iter().map(|named| read(folder, named)).collect())
}

fn read(folder: &Path, named: &MechanismUse) -> Result<Loaded, Diagnostic> {
    let file = folder.join(&named.file);
    let is_there = file.exists() || (file.extension().is_none() && file.with_extension("yaml").is_file());
    let loaded = match shipped(&named.file) {
        Some(shipped) if !is_there => load_shipped(shipped),
        _ => load(&file.display().to_string()),
    };
    loaded.map_err(|failure| {
        let close = nearest_shipped(&named.file).filter(|_| !is_there);
        let found = fault(named, &failure);
        match close {
            Some(name) => found.with_hint(format!("did you mean `{name}` of mechan's library?")),
            None => found,
        }
    })
}

/// What is wrong with a mechanism, at its name in the scene.
fn fault(named: &MechanismUse, failure: &Failure) -> Diagnostic {
    let message = format!("mechanism `{}`: {}", named.name, failure.message());
    let found = Diagnostic::error("M605", message).with_span(named.span);
    let found = found.with_path(format!("mechanisms.{}", named.name));
    match failure {
        Failure::Input { source, .. } => {
            found.with_hint(format!("`mechan check {}` shows where", source.name))
        }
        _ => found,
    }
}

fn sorted<T>(found: Vec<Result<T, Diagnostic>>) -> Result<Vec<T>, Vec<Diagnostic>> {
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for one in found {
        match one {
            Ok(one) => all.push(one),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}

fn ready(named: &MechanismUse, loaded: &Loaded) -> Result<SceneMechanism, Failure> {
    let model = derive_model(loaded, &Deriver::nobody())?;
    let spec = match &named.state {
        Some(state) => find_state(loaded, state)?,
        None => &loaded.mechanism.states[0],
    };
    let overrides = named.set.iter().map(|setting| {
        let target = Override::target(&loaded.mechanism, &setting.name).map_err(|fault| {
            let found = Diagnostic::error("M605", fault.in_one_line()).with_span(setting.span);
            Failure::Input { source: loaded.source.clone(), diagnostics: vec![found] }
        })?;
        Ok(Override::number((target, &setting.name), setting.value))
    });
    let overrides = overrides.collect::<Result<Vec<_>, Failure>>()?;
    let tol = Tol::default();
    let kernel = state_kernel(&model, &tol);
    let placed = placed_state(loaded, &kernel, spec, &overrides, &tol)?.placed;
    let laws = placed.resolved.laws.iter().map(law).collect();
    Ok(SceneMechanism { mechanism: loaded.mechanism.clone(), model, start: placed.state, laws })
}

/// The law of a contact in discrete time.
fn law(of: &ContactLaw) -> StepLaw {
    StepLaw {
        friction: of.friction,
        restitution: of.restitution,
        tangential: of.tangential_restitution,
        bilateral: of.bilateral,
    }
}
