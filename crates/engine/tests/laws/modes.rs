//! Modes against the contact law itself: each mode's equations are solved by Cramer's rule and the inequalities of
//! Coulomb and Signorini are tested one by one, with none of the library's p, k, σ.

use super::contacts::{friction, law, planar};
use mechan_contact::contact::{Column, Mode, ModeSet, Planar};
use mechan_engine::predict::{Consistency, OneContact, Signs, Verdict};
use mechan_num::Tol;
use proptest::prelude::*;

/// Solves [a11 a12; a21 a22] x = r.
fn cramer(m: [[f64; 2]; 2], r: [f64; 2]) -> [f64; 2] {
    let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    [(r[0] * m[1][1] - m[0][1] * r[1]) / det, (m[0][0] * r[1] - r[0] * m[1][0]) / det]
}

/// Margin of a mode in the contact law: positive if all inequalities hold, with (λ_N, λ_T).
fn margin(planar: &Planar, mu: f64, u: f64, mode: Mode) -> Option<(f64, [f64; 2])> {
    let Planar { A, B, C, a, b, .. } = *planar;
    // unknowns (λ_N, λ_T); rows: v̇ = 0 or λ_N = 0, and friction law or u̇ = 0
    let [N, T] = match mode {
        Mode::Free => [0.0, 0.0],
        Mode::SlipPos if u >= 0.0 => cramer([[C, B], [mu, 1.0]], [-b, 0.0]),
        Mode::SlipNeg if u <= 0.0 => cramer([[C, B], [-mu, 1.0]], [-b, 0.0]),
        Mode::Stick if u == 0.0 => cramer([[C, B], [B, A]], [-b, -a]),
        _ => return None,
    };
    let udot = a + A * T + B * N;
    let vdot = b + B * T + C * N;
    let slips = |sign: f64| if u == 0.0 { sign * udot } else { f64::INFINITY };
    let margin = match mode {
        Mode::Free => vdot,
        Mode::SlipPos => N.min(slips(1.0)),
        Mode::SlipNeg => N.min(slips(-1.0)),
        Mode::Stick => N.min(mu * N - T.abs()),
    };
    Some((margin, [N, T]))
}

fn slip() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), 0.1..2.0_f64, -2.0..-0.1_f64]
}

fn column(u: f64) -> Column {
    if u > 0.0 {
        Column::I
    } else if u < 0.0 {
        Column::III
    } else {
        Column::II
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn modes_are_those_of_the_contact_law(planar in planar(), mu in friction(), u in slip()) {
        let margins: Vec<_> = Mode::ALL.into_iter().filter_map(|m| Some((m, margin(&planar, mu, u, m)?.0))).collect();
        prop_assume!(margins.iter().all(|(_, x)| x.abs() > 1e-7));
        let expected: ModeSet = margins.iter().filter(|(_, x)| *x > 0.0).map(|&(m, _)| m).collect();
        let signs = Signs::of(&planar, law(mu), &Tol::default());
        prop_assert_eq!(signs.modes(column(u), Consistency::Yes), expected);
        let verdict = match expected.len() {
            0 => Verdict::Inconsistent,
            1 => Verdict::Consistent,
            _ => Verdict::Indeterminate,
        };
        prop_assert_eq!(signs.verdict(column(u)), verdict);
    }

    #[test]
    fn reported_forces_and_accelerations_solve_the_equations(planar in planar(), mu in friction(), u in slip()) {
        let own = OneContact::new(&planar, law(mu), column(u), &Tol::default());
        let reported = own.modes();
        let admissible = Mode::ALL.into_iter().filter_map(|mode| Some((mode, margin(&planar, mu, u, mode)?.1)));
        let expected: Vec<(Mode, [f64; 2])> = admissible.collect();
        prop_assert_eq!(reported.len(), expected.len());
        for (mode, [N, T]) in expected {
            let Some(told) = reported.iter().find(|told| told.modes[..] == [mode.into()]) else {
                return Err(TestCaseError::fail(format!("{mode:?} is admissible at u = {u}")));
            };
            let size = 1.0 + N.abs() + T.abs();
            let off = [told.forces[0].value - N, told.forces[1].value - T];
            prop_assert!(off.iter().all(|x| x.abs() < 1e-8 * size));
            let udot = planar.a + planar.A * T + planar.B * N;
            prop_assert!((told.accelerations[1].value - udot).abs() < 1e-7 * size * (planar.A + planar.C));
        }
    }

    #[test]
    fn the_mirror_image_swaps_slip_directions(planar in planar(), mu in friction(), u in slip()) {
        let tol = Tol::default();
        let swap = |mode: Mode| match mode {
            Mode::SlipPos => Mode::SlipNeg,
            Mode::SlipNeg => Mode::SlipPos,
            Mode::Free | Mode::Stick => mode,
        };
        let here = Signs::of(&planar, law(mu), &tol);
        let there = Signs::of(&planar.mirrored(), law(mu), &tol);
        for kind in [Consistency::Yes, Consistency::Marginal] {
            let image: ModeSet = there.modes(column(u).mirrored(), kind).iter().map(swap).collect();
            prop_assert_eq!(here.modes(column(u), kind), image);
        }
        prop_assert_eq!(here.verdict(column(u)), there.verdict(column(u).mirrored()));
    }

    #[test]
    fn something_can_always_follow(planar in planar(), mu in friction(), u in slip()) {
        // [CV16 section 3.2]: with impact without collision there is at least one forward solution in all cases
        let signs = Signs::of(&planar, law(mu), &Tol::default());
        prop_assert!(signs.resolved(column(u)).next().is_some());
    }

    #[test]
    fn mass_scaling_changes_no_verdict(planar in planar(), mu in friction(), u in slip(), scale in 0.01..100.0_f64) {
        let heavier = Planar { A: planar.A / scale, B: planar.B / scale, C: planar.C / scale, ..planar };
        let verdict = |planar: &Planar| Signs::of(planar, law(mu), &Tol::default()).verdict(column(u));
        prop_assert_eq!(verdict(&planar), verdict(&heavier));
    }
}
