//! A derived model against the same mechanism by hand.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

#[path = "../../benches/models/pencil.rs"]
mod pencil;

use proptest::prelude::{ProptestConfig, prop, prop_assert, prop_assert_eq, proptest};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Two derivations by hand (centre of mass and tip as coordinates) and the derived tape give the same numbers.
    #[test]
    fn the_derived_pencil_is_the_one_by_hand(
        motion in prop::collection::vec(-3.0f64..3.0, 7),
        parameters in prop::collection::vec(0.3f64..3.0, 6),
    ) {
        let inputs: pencil::Inputs = [motion, parameters].concat().try_into().unwrap();
        let kernel = pencil::kernel().unwrap();
        let mut values = kernel.values();
        kernel.solve(&inputs, &mut values).unwrap();
        let found = pencil::found(&kernel, &values, inputs[11]);
        let compiled = kernel.compiled();
        compiled.solve(&inputs, &mut values).unwrap();
        let machine = pencil::found(&compiled, &values, inputs[11]);
        prop_assert_eq!(found.map(f64::to_bits), machine.map(f64::to_bits));
        // the sizes of what the entries are made of: 1/m + l²/I, l θ̇² + g, times 1 + μ; the condition of M is
        // about 1 + m l²/I
        let [m, l, g, inertia, mu] = [7, 8, 9, 10, 11].map(|i: usize| inputs[i]);
        let arm = l * l / inertia;
        let scale = (1.0 + mu) * (1.0 / m + arm + l * inputs[6].powi(2) + g) * (1.0 + m * arm);
        for (name, hand) in [("specialised", pencil::specialised(&inputs)), ("general", pencil::general(&inputs))] {
            for (k, (x, y)) in found.iter().zip(hand).enumerate() {
                prop_assert!((x - y).abs() <= 1e-14 * scale.max(1.0), "{name} {k}: {x} {y}");
            }
        }
    }
}

/// The benchmark's state, so that what is measured is what is right.
#[test]
fn the_state_of_the_benchmark_has_a_solution() {
    let kernel = pencil::kernel().unwrap();
    let mut values = kernel.values();
    kernel.solve(&pencil::STATE, &mut values).unwrap();
    for (x, y) in
        pencil::found(&kernel, &values, pencil::STATE[11]).iter().zip(pencil::specialised(&pencil::STATE))
    {
        assert!((x - y).abs() < 1e-13 * (1.0 + y.abs()));
    }
}
