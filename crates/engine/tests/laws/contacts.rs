//! Random planar contacts with A > 0, C > 0, AC > B².

use mechan_contact::contact::{Friction, Planar, Restitution};
use proptest::prelude::*;

/// A contact: mobilities over two decades, coupling up to 99% of its bound.
pub(crate) fn planar() -> impl Strategy<Value = Planar> {
    (-1.0..1.0_f64, -1.0..1.0_f64, -0.99..0.99_f64, -5.0..5.0_f64, -5.0..5.0_f64).prop_map(
        |(A, C, rho, a, b)| {
            let (A, C) = (10_f64.powf(A), 10_f64.powf(C));
            Planar::new(A, rho * (A * C).sqrt(), C, a, b)
        },
    )
}

/// Friction, zero included.
pub(crate) fn friction() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 9 => 0.0..4.0_f64]
}

/// The law for a coefficient of friction.
pub(crate) fn law(mu: f64) -> Friction {
    Friction::new(mu).unwrap()
}

/// A restitution law; its coefficient includes 0 and 1.
pub(crate) fn restitution() -> impl Strategy<Value = Restitution> {
    let e = || prop_oneof![1 => Just(0.0), 1 => Just(1.0), 6 => 0.0..1.0_f64];
    prop_oneof![
        e().prop_map(Restitution::Newton),
        e().prop_map(Restitution::Poisson),
        e().prop_map(Restitution::Energetic),
    ]
}
