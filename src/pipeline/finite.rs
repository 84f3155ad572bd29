//! A state at which a quantity is not finite: which expression of the file is to blame, and where it stands.
//!
//! The equations hold values and derivatives of the file's expressions. So the first expression with a value that is
//! not finite is named, else the first with such a first or second derivative; where all are finite, the numbers
//! themselves leave the range of double precision.

use super::Loaded;
use crate::analysis::{LocalOutcome, Quantity, StateOutcome};
use crate::diag::{Diagnostic, Span};
use crate::expression::{Env, Expr};
use crate::format::{Force, ResolvedState, Seen, StateSpec};
use crate::model::{Kernel, Output, Values};
use crate::num::{Dual, Real};
use crate::report::significant;

/// The fault of a state at which an output of the equations is not finite.
pub(super) fn undefined_output(
    loaded: &Loaded,
    spec: &StateSpec,
    resolved: &ResolvedState,
    kernel: &Kernel,
    values: &Values<f64>,
) -> Option<Diagnostic> {
    let spoiled = |o: &&Output| kernel.block(values, **o).iter().any(|x| !x.is_finite());
    let output = Output::ALL.iter().find(spoiled)?;
    let value = kernel.block(values, *output).iter().find(|x| !x.is_finite())?;
    let fault =
        undefined_expression(loaded, spec, resolved).or_else(|| undefined_place(loaded, spec, resolved));
    Some(
        fault.unwrap_or_else(|| {
            out_of_range(loaded, spec, resolved, &format!("{} is {value}", words(*output)))
        }),
    )
}

/// The fault of a state whose equations are finite, and what follows from them is not.
pub(super) fn undefined_outcome(
    loaded: &Loaded,
    spec: &StateSpec,
    resolved: &ResolvedState,
    outcome: &StateOutcome,
) -> Option<Diagnostic> {
    let bad = |all: &[Quantity]| all.iter().map(|x| x.value).find(|x| !x.is_finite());
    let free = bad(&outcome.model.free_acceleration).map(|x| format!("the acceleration -M^-1 h is {x}"));
    let matrix = outcome.delassus.iter().find_map(|row| bad(row));
    let contact = || {
        outcome.contacts.0.iter().find_map(|(name, contact)| {
            local_numbers(&contact.local)
                .into_iter()
                .find(|(_, x)| !x.value.is_finite())
                .map(|(what, x)| format!("{what} of contact `{name}` is {}", x.value))
        })
    };
    let what = free.or_else(contact).or_else(|| matrix.map(|x| format!("an entry of W M^-1 W^T is {x}")))?;
    Some(out_of_range(loaded, spec, resolved, &what))
}

fn local_numbers(local: &LocalOutcome) -> Vec<(&'static str, Quantity)> {
    match local {
        LocalOutcome::Plane { A, B, C, a, b, .. } => {
            vec![("A", *A), ("B", *B), ("C", *C), ("a", *a), ("b", *b)]
        }
        LocalOutcome::Space { A, B, C, a, b, .. } => {
            let matrix = A.iter().flatten().map(|x| ("A", *x));
            let vectors = B.iter().map(|x| ("B", *x)).chain(a.iter().map(|x| ("a", *x)));
            matrix.chain(vectors).chain([("C", *C), ("b", *b)]).collect()
        }
    }
}

/// How often an expression is differentiated, as a message says it.
#[derive(Clone, Copy)]
enum Derivative {
    None,
    First,
    Second,
}

fn undefined_expression(loaded: &Loaded, spec: &StateSpec, resolved: &ResolvedState) -> Option<Diagnostic> {
    let at = |find: &dyn Fn(&Expr) -> Option<Span>| {
        let mut found = None;
        loaded.mechanism.for_each_expression(&mut |expr| found = found.or_else(|| find(expr)));
        found
    };
    let definitions = &loaded.mechanism.definitions.values;
    let inputs = resolved.q.len() + 1;
    let value = || at(&|x| fault_in((x, definitions), resolved, &|_, x| x, &|x: f64| x.is_finite()));
    let first = || {
        (0..inputs).find_map(|i| {
            let seed = |k: usize, x: f64| Dual::new(x, unit(k == i));
            at(&|x| fault_in((x, definitions), resolved, &seed, &|x: Dual| x.eps.is_finite()))
        })
    };
    let second = || {
        (0..inputs * inputs).map(|k| (k / inputs, k % inputs)).filter(|(i, j)| i <= j).find_map(|(i, j)| {
            let seed = |k: usize, x: f64| Dual::new(Dual::new(x, unit(k == i)), Dual::fixed(unit(k == j)));
            at(&|x| fault_in((x, definitions), resolved, &seed, &|x: Dual<Dual>| x.eps.eps.is_finite()))
        })
    };
    let found = value().map(|span| (span, Derivative::None));
    let found = found.or_else(|| first().map(|span| (span, Derivative::First)));
    let (span, derivative) = found.or_else(|| second().map(|span| (span, Derivative::Second)))?;
    Some(described(loaded, spec, span, derivative))
}

/// A spring whose ends meet, or a quaternion of length zero: neither has a direction.
fn undefined_place(loaded: &Loaded, spec: &StateSpec, resolved: &ResolvedState) -> Option<Diagnostic> {
    let mechanism = &loaded.mechanism;
    let ResolvedState { t, q, v, parameters, .. } = resolved;
    let env = Env { t: *t, q, v, parameters, definitions: &mechanism.definitions.values };
    let seen = Seen { mechanism, env };
    let met = mechanism.forces.iter().find_map(|force| match force {
        Force::Spring { ends, .. } => {
            let [one, other] = ends.each_ref().map(|end| seen.point(end));
            let apart = one.iter().zip(&other).any(|(a, b)| (a - b).abs() > 0.0);
            let spans = ends.iter().flat_map(|end| &end.components).map(|x| x.span);
            (!apart).then(|| spans.reduce(|a, b| a.join(b)).unwrap_or(spec.span))
        }
        Force::Point { .. } | Force::Torque { .. } | Force::Coordinate { .. } | Force::Torsion { .. } => None,
    });
    let place = format!("states.{}", spec.name);
    if let Some(span) = met {
        let message =
            format!("the ends of the spring meet in state `{}`, where it has no direction", spec.name);
        let found = Diagnostic::error("M401", message).with_span(span).with_path(place);
        return Some(
            found
                .with_hint("choose a state in which they are apart, or a spring of length 0 without damping"),
        );
    }
    let zero = mechanism.quaternions().find(|parts| parts.iter().all(|&i| q[i].abs() <= 0.0))?;
    let names: Vec<&str> = zero.iter().map(|&i| mechanism.coordinates[i].name.as_str()).collect();
    let message = format!("the quaternion ({}) is zero in state `{}`", names.join(", "), spec.name);
    let found = Diagnostic::error("M401", message).with_span(spec.span).with_path(place);
    Some(found.with_hint(format!("no turn is `{}: 1`", names[0])))
}

fn unit(chosen: bool) -> f64 {
    f64::from(u8::from(chosen))
}

/// The place of the smallest part of an expression that is not fine at a state; t is the first, the coordinates are
/// the next moving inputs.
fn fault_in<T: Real>(
    (expr, definitions): (&Expr, &[Expr]),
    resolved: &ResolvedState,
    seed: &impl Fn(usize, f64) -> T,
    fine: &impl Fn(T) -> bool,
) -> Option<Span> {
    let q: Vec<T> = resolved.q.iter().enumerate().map(|(i, &x)| seed(i + 1, x)).collect();
    let fixed = |all: &[f64]| all.iter().map(|&x| T::from_f64(x)).collect::<Vec<T>>();
    let (v, parameters) = (fixed(&resolved.v), fixed(&resolved.parameters));
    let env = Env { t: seed(0, resolved.t), q: &q, v: &v, parameters: &parameters, definitions };
    expr.first_fault(&env, fine).map(|part| part.span)
}

fn described(loaded: &Loaded, spec: &StateSpec, span: Span, derivative: Derivative) -> Diagnostic {
    let text = loaded.source.text.get(span.start..span.end).unwrap_or_default();
    let what = match derivative {
        Derivative::None => "",
        Derivative::First => "the derivative of ",
        Derivative::Second => "the second derivative of ",
    };
    let message = format!("{what}`{}` is not finite in state `{}`", shortened(text), spec.name);
    Diagnostic::error("M401", message)
        .with_span(span)
        .with_path(format!("states.{}", spec.name))
        .with_hint("mend the expression, or choose a state at which it is defined and smooth")
}

/// Characters of an expression that a message shows.
const SHOWN: usize = 60;

fn shortened(text: &str) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = words.char_indices().nth(SHOWN) {
        words.truncate(cut);
        words.push('…');
    }
    words
}

fn out_of_range(loaded: &Loaded, spec: &StateSpec, resolved: &ResolvedState, what: &str) -> Diagnostic {
    let message =
        format!("{what} in state `{}`: numbers of this size leave the range of double precision", spec.name);
    let found = Diagnostic::error("M401", message).with_path(format!("states.{}", spec.name));
    match extreme_parameter(loaded, spec, resolved) {
        Some((name, span, value)) => found
            .with_span(span)
            .with_hint(format!("choose other units: `{name}` is {} here", significant(value))),
        None => found.with_span(spec.span).with_hint("choose other units, or another state"),
    }
}

/// The parameter furthest from 1 in order of magnitude, and where its value stands.
fn extreme_parameter<'l>(
    loaded: &'l Loaded,
    spec: &'l StateSpec,
    resolved: &ResolvedState,
) -> Option<(&'l str, Span, f64)> {
    let order = |x: f64| if x == 0.0 { 0.0 } else { x.abs().log10().abs() };
    let all = loaded.mechanism.parameters.iter().zip(&resolved.parameters).enumerate();
    let (i, (parameter, &value)) =
        all.max_by(|(_, (_, a)), (_, (_, b))| order(**a).total_cmp(&order(**b)))?;
    let own = spec.parameters.iter().find(|(k, _)| *k == i).map(|(_, x)| x.span);
    Some((&parameter.name, own.unwrap_or(parameter.value.span), value))
}

fn words(output: Output) -> &'static str {
    match output {
        Output::MassMatrix => "an entry of M",
        Output::Bias => "an entry of h",
        Output::Gap => "a gap",
        Output::NormalJacobian => "an entry of W_N",
        Output::GapRate => "the explicit rate of a gap",
        Output::NormalDrift => "a drift of a gap",
        Output::TangentJacobian => "an entry of W_T",
        Output::SlipRate => "the explicit part of a slip",
        Output::TangentDrift => "a drift of a slip",
        Output::Constraint => "a constraint",
        Output::ConstraintJacobian => "a derivative of a constraint",
        Output::ConstraintRate => "the explicit rate of a constraint",
        Output::ConstraintDrift => "a drift of a constraint",
        Output::KineticEnergy => "the kinetic energy",
        Output::PotentialEnergy => "the potential energy",
        Output::Inertial => "an inertial force",
        Output::Potential => "a potential force",
        Output::Applied => "an applied force",
    }
}
