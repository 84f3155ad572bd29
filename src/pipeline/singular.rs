//! A mass matrix, or constraints, that cannot be factored at a state: where, why, and what to do. Whether the
//! mechanism lacks inertia or only its coordinates are singular here is seen at other configurations.

use super::Loaded;
use super::states::{PlacedState, fault};
use crate::diag::Diagnostic;
use crate::format::StateSpec;
use crate::model::{Kernel, Output, Singular, State, Values};
use crate::num::dense;
use crate::report::significant;

/// The fault of a state whose equations cannot be factored.
pub(super) fn singular_fault(
    loaded: &Loaded,
    spec: &StateSpec,
    (kernel, values): (&Kernel, &Values<f64>),
    placed: &PlacedState,
    singular: &Singular,
) -> Diagnostic {
    let regular = regular_elsewhere(kernel, &placed.state);
    let (code, message, hint) = match singular {
        Singular::MassMatrix { coordinate, .. } => {
            let name = &loaded.mechanism.coordinates[*coordinate].name;
            let eigenvalue = significant(least_eigenvalue(kernel, values));
            let message = format!(
                "the mass matrix is not positive definite in state `{}`: its least eigenvalue is {eigenvalue}, and \
                 it stops at coordinate `{name}`",
                spec.name
            );
            ("M402", message, mass_hint(regular, name))
        }
        Singular::Constraints { constraint, .. } => {
            let name = &loaded.mechanism.constraints[*constraint].name;
            let message =
                format!("constraint `{name}` depends on the ones before it in state `{}`", spec.name);
            ("M403", message, constraint_hint(regular, name))
        }
    };
    fault(code, spec, message, &hint)
}

fn mass_hint(regular: bool, name: &str) -> String {
    if regular {
        "it is positive definite at other configurations: the coordinates are singular here, as Euler angles are \
         where the first and the last axis coincide; choose another sequence of axes, or another state"
            .to_string()
    } else {
        format!("give every coordinate a mass or an inertia; `{name}` moves none of its own")
    }
}

fn constraint_hint(regular: bool, name: &str) -> String {
    if regular {
        "the constraints are independent at other configurations: leave the singular one".to_string()
    } else {
        format!("remove `{name}`, which says what the others say")
    }
}

/// Whether the equations can be factored at one of a few configurations in general position.
fn regular_elsewhere(kernel: &Kernel, state: &State) -> bool {
    let shifted = |k: usize| {
        let moved = |(i, q): (usize, &f64)| q + (1.0 + (i + k) as f64).sin() / 2.0;
        State { q: state.q.iter().enumerate().map(moved).collect(), ..state.clone() }
    };
    let mut values = kernel.values::<f64>();
    (0..CONFIGURATIONS).any(|k| kernel.solve(&shifted(k).inputs(), &mut values).is_ok())
}

/// Configurations that are tried before a mechanism is said to lack inertia.
const CONFIGURATIONS: usize = 4;

/// NaN if M has an entry that is not finite.
fn least_eigenvalue(kernel: &Kernel, values: &Values<f64>) -> f64 {
    let packed = kernel.block(values, Output::MassMatrix);
    if packed.iter().any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    dense::symmetric_eigenvalues(packed, kernel.layout().coordinates).first().copied().unwrap_or(f64::NAN)
}
