//! Which schemes a study has, and with which steps or tolerances.

use crate::pipeline::simulate::scheme::Scheme;

/// What goes to zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Parameter {
    /// The step, s.
    Step(f64),
    /// The error per step of a scheme with steps of its own.
    Tolerance(f64),
}

/// Numbers of steps of event capturing, and of schemes of order one, each about √2 times the one before; they are primes, so that no
/// time of a grid is that of an impact at a round time, where the velocity of one side would count as an error on the other. Where an impact falls within a step is chance, which only
/// many steps of schemes of order one average out: down to 1/10 of a thousandth of the time, as in the paper.
const CAPTURED: [u32; 12] = [17, 23, 31, 47, 67, 89, 127, 181, 257, 367, 509, 727];
const FIRST_ORDER: [u32; 19] = [
    101, 139, 199, 281, 397, 569, 797, 1129, 1597, 2267, 3203, 4519, 6397, 9041, 12799, 18097, 25601, 36209,
    51199,
];
/// Powers of ten of the tolerances of adaptive steps, and of the event-driven integrator.
const ADAPTIVE: std::ops::RangeInclusive<i32> = 2..=7;
const EVENT: std::ops::RangeInclusive<i32> = 3..=13;
/// Order of the event-driven integrator, DOP853, and of motions with regularised contacts in ε.
const EVENT_ORDER: u32 = 8;

/// The order of a scheme in theory.
pub(super) fn order(scheme: Scheme) -> u32 {
    match scheme {
        Scheme::Event => EVENT_ORDER,
        Scheme::Compliant => 1,
        Scheme::Stepped(name) => name.order() as u32,
        Scheme::Captured(method) => method.order,
    }
}

/// Whether a scheme is part of a study if nobody says. Regularised contacts have restitution of their own.
pub(super) fn applies(scheme: Scheme) -> bool {
    match scheme {
        Scheme::Compliant => false,
        Scheme::Event | Scheme::Stepped(_) | Scheme::Captured(_) => true,
    }
}

/// The steps or tolerances of a scheme over a time, those of the caller if there are some.
pub(super) fn parameters(scheme: Scheme, span: f64, steps: &[f64]) -> Vec<Parameter> {
    let powers =
        |range: std::ops::RangeInclusive<i32>| range.map(|k| Parameter::Tolerance(10f64.powi(-k))).collect();
    let own: &[u32] = match scheme {
        Scheme::Event => return powers(EVENT),
        Scheme::Stepped(name) if name.is_adaptive() => return powers(ADAPTIVE),
        Scheme::Compliant | Scheme::Stepped(_) => &FIRST_ORDER,
        Scheme::Captured(_) => &CAPTURED,
    };
    let mut steps: Vec<f64> = match steps {
        [] => own.iter().map(|&count| span / f64::from(count)).collect(),
        given => given.to_vec(),
    };
    steps.sort_by(|a, b| b.total_cmp(a));
    steps.into_iter().map(Parameter::Step).collect()
}
