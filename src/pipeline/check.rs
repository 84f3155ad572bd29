//! `check`: whether every state of a mechanism can be analysed, without the analysis.

use super::singular::singular_fault;
use super::states::{Evaluated, placed_state, state_kernel};
use super::{Failure, Loaded};
use crate::diag::Diagnostic;
use crate::format::StateSpec;
use crate::model::{Kernel, Model};
use crate::num::Tol;

/// Reads every claim of a mechanism and resolves every state, without its equations.
///
/// # Errors
/// [`Failure::Input`] with the faults of all claims and states.
pub fn check_unplaced(loaded: &Loaded) -> Result<(), Failure> {
    let states = loaded.mechanism.states.iter();
    let resolved = states.filter_map(|spec| loaded.mechanism.resolve(spec, &[]).err());
    refuse_any(loaded, resolved.flatten().chain(faults_of_claims(loaded)).collect())
}

fn faults_of_claims(loaded: &Loaded) -> impl Iterator<Item = Diagnostic> + '_ {
    loaded.mechanism.claims.iter().flat_map(|claim| claim.faults.iter().cloned())
}

/// Reads every claim, resolves and places every state of a mechanism and factors its equations there. Returns what is odd, but no fault.
///
/// # Errors
/// [`Failure::Input`] with the faults of all claims and states.
pub fn check_states(loaded: &Loaded, model: &Model) -> Result<Vec<Diagnostic>, Failure> {
    let kernel = state_kernel(model, &Tol::default());
    let (mut faults, mut warnings): (Vec<_>, _) = (faults_of_claims(loaded).collect(), Vec::new());
    for spec in &loaded.mechanism.states {
        match check_state(loaded, &kernel, spec) {
            Ok(odd) => warnings.extend(odd),
            Err(Failure::Input { diagnostics, .. }) => faults.extend(diagnostics),
            Err(other) => return Err(other),
        }
    }
    refuse_any(loaded, faults).map(|()| warnings)
}

fn check_state(loaded: &Loaded, kernel: &Kernel, spec: &StateSpec) -> Result<Vec<Diagnostic>, Failure> {
    let Evaluated { placed, values, .. } = placed_state(loaded, kernel, spec, &[], &Tol::default())?;
    match kernel.check(&values) {
        Ok(()) => Ok(placed.notes),
        Err(singular) => {
            let fault = singular_fault(loaded, spec, (kernel, &values), &placed, &singular);
            Err(Failure::Input { source: loaded.source.clone(), diagnostics: vec![fault] })
        }
    }
}

pub(super) fn refuse_any(loaded: &Loaded, diagnostics: Vec<Diagnostic>) -> Result<(), Failure> {
    if diagnostics.is_empty() {
        Ok(())
    } else {
        Err(Failure::Input { source: loaded.source.clone(), diagnostics })
    }
}
