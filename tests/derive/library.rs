//! Every shipped mechanism: M, h with its parts, gaps, W_N, W_T, rates and drifts from differences.

use super::{balances, check, mechanism};

#[test]
fn shipped_mechanisms_agree_with_differences_of_their_energies() {
    let mut checked = 0;
    for entry in std::fs::read_dir("mechanisms").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "yaml") {
            check(&mechanism(path.to_str().unwrap(), &std::fs::read_to_string(&path).unwrap()));
            checked += 1;
        }
    }
    assert!(checked >= 3);
}

#[test]
fn the_rod_in_space_balances_its_power() {
    balances(&mechanism("rod_3d", &std::fs::read_to_string("mechanisms/rod_3d.yaml").unwrap()));
}
