//! Forces that are not unique, against closed forms; never decided by rounding.

use crate::body::{FORTH, Spot, names, of_body};
use mechan_contact::contact::{Friction, Laws};
use mechan_engine::predict::{
    ClosedContact, Consistency, Contacts, Decision, Mode, ModeName, Motion, Sized, Verdict,
};
use mechan_num::Tol;
use std::f64::consts::PI;

/// A block of weight 1 with feet at xs, height of the centre of mass h, on a plane inclined by chi, everything turned by `turn`.
fn block(xs: &[f64], h: f64, chi: f64, turn: f64, mu: f64, motion: Motion) -> Contacts {
    let (s, c) = turn.sin_cos();
    let spot = |&x: &f64| Spot { at: [c * x + s * h, s * x - c * h], normal: turn + PI / 2.0, mu, motion };
    let load = [(turn - chi).sin() * 1.0, -(turn - chi).cos(), 0.0];
    of_body(&xs.iter().map(spot).collect::<Vec<_>>(), 0.4, load)
}

fn consistent(decision: &Decision) -> Vec<Vec<ModeName>> {
    let yes = decision.modes.iter().filter(|word| word.consistency == Consistency::Yes);
    yes.map(names).collect()
}

#[test]
fn a_block_on_two_feet_shares_friction_as_it_likes() {
    // N = 1/2 each, |T| <= mu/2, T1 + T2 = sin chi... with the couple of gravity's tangential part h sin chi
    for turn in [0.0, 0.3, 1.0, 2.5] {
        let (chi, mu, h): (f64, f64, f64) = (0.2, 0.5, 0.3);
        let decision = block(&[-1.0, 1.0], h, chi, turn, mu, Motion::Resting).decide(&Tol::default());
        assert_eq!(
            (decision.verdict, consistent(&decision)),
            (Verdict::Consistent, vec![vec![ModeName::STICK; 2]])
        );
        let stick = decision.modes.iter().find(|word| word.consistency == Consistency::Yes).unwrap();
        let ranges = stick.ranges.as_ref().unwrap();
        // moments: (N2 - N1) = -h (T1 + T2) about the centre of mass with feet at height -h
        let total = chi.sin();
        let lean = h * total;
        let N = [0.5 * (chi.cos() - lean), 0.5 * (chi.cos() + lean)];
        let by_foot = [ranges[0], ranges[2]];
        let sorted = if by_foot[0][0] < by_foot[1][0] { [0, 1] } else { [1, 0] };
        for (k, &foot) in sorted.iter().enumerate() {
            assert!(by_foot[foot].iter().all(|x| (x - N[k]).abs() < 1e-9), "{ranges:?} {N:?}");
        }
        for foot in 0..2 {
            let own = mu * by_foot[foot][0];
            let other = mu * by_foot[1 - foot][0];
            let T = ranges[2 * foot + 1];
            let sign = if T[0] + T[1] > 0.0 { 1.0 } else { -1.0 };
            let expected = [(sign * total - other).max(-own), (sign * total + other).min(own)];
            assert!(T.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-9), "{T:?} {expected:?}");
        }
    }
}

#[test]
fn rounding_makes_no_force_unique_and_no_mode_impossible() {
    // many feet in a row on a turned floor: all normals and tangents are dependent up to rounding
    for n in [3, 4, 6, 8] {
        let xs: Vec<f64> =
            (0..n).map(|k| -1.0 + 2.0 * k as f64 / (n - 1) as f64 + 0.01 * (k * k) as f64).collect();
        for turn in [0.0, 0.1, 0.7, 1.9, 4.0] {
            let resting = block(&xs, 0.3, 0.2, turn, 0.5, Motion::Resting).decide(&Tol::default());
            assert_eq!(consistent(&resting), [vec![ModeName::STICK; n]], "{n} {turn}");
            assert_eq!(resting.verdict, Verdict::Consistent);
            let steep = block(&xs, 0.3, 0.6, turn, 0.5, Motion::Resting).decide(&Tol::default());
            assert_eq!(steep.verdict, Verdict::Consistent, "{n} {turn}");
            let words = consistent(&steep);
            assert_eq!(words.len(), 1);
            assert!(words[0].iter().all(|mode| *mode == words[0][0]) && words[0][0] != ModeName::STICK);
        }
    }
}

#[test]
fn sliding_feet_with_equal_friction_have_one_motion_and_with_different_friction_many() {
    let sliding = |mus: [f64; 3]| {
        let spots: Vec<Spot> = [-1.0, 0.1, 1.0]
            .iter()
            .zip(mus)
            .map(|(&x, mu)| Spot { at: [x, -0.3], normal: PI / 2.0, mu, motion: FORTH })
            .collect();
        of_body(&spots, 0.4, [0.0, -1.0, 0.0]).decide(&Tol::default())
    };
    let equal = sliding([0.4; 3]);
    assert_eq!(equal.verdict, Verdict::Consistent);
    let word = equal.modes.iter().find(|word| word.consistency == Consistency::Yes).unwrap();
    assert!(word.ranges.is_some() && word.moving.is_empty());
    assert!((word.accelerations[1].value + 0.4).abs() < 1e-12, "a block slides with -mu g");
    let different = sliding([0.2, 0.6, 0.3]);
    assert_eq!(different.verdict, Verdict::Indeterminate);
    let word = different.modes.iter().find(|word| !word.moving.is_empty()).unwrap();
    // sum N = 1, moments about the centre of mass: sum N x = -0.3 sum mu N; extremes leave one foot without force
    let vertex = |i: usize, j: usize| {
        let (x, mu) = ([-1.0, 0.1, 1.0], [0.2, 0.6, 0.3]);
        let arm = |k: usize| x[k] - (-0.3) * -mu[k] * 1.0;
        let Ni = arm(j) / (arm(j) - arm(i));
        ((0.0..=1.0).contains(&Ni)).then(|| -(mu[i] * Ni + mu[j] * (1.0 - Ni)))
    };
    let ends: Vec<f64> = [(0, 1), (0, 2), (1, 2)].into_iter().filter_map(|(i, j)| vertex(i, j)).collect();
    let [low, high] = word.moving[0].1;
    let min = ends.iter().copied().fold(f64::INFINITY, f64::min);
    let max = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!((low - min).abs() < 1e-9 && (high - max).abs() < 1e-9, "{low} {high} {ends:?}");
}

#[test]
fn a_block_at_the_angle_of_friction_is_named_marginal() {
    let mu: f64 = 0.5;
    for xs in [&[-1.0, 1.0][..], &[-1.0, 0.2, 1.0]] {
        let decision = block(xs, 0.1, mu.atan(), 0.4, mu, Motion::Resting).decide(&Tol::default());
        assert_eq!(decision.verdict, Verdict::Marginal, "{decision:?}");
        assert!(decision.modes.iter().any(|word| word.consistency == Consistency::Marginal));
    }
}

#[test]
fn contacts_in_one_point_are_one_contact_twice() {
    let spot = |mu| Spot { at: [0.3, -0.5], normal: PI / 2.0 + 0.2, mu, motion: Motion::Resting };
    let once = of_body(&[spot(0.6)], 0.4, [0.05, -1.0, 0.1]).decide(&Tol::default());
    let twice = of_body(&[spot(0.6), spot(0.6)], 0.4, [0.05, -1.0, 0.1]).decide(&Tol::default());
    assert_eq!(once.verdict, twice.verdict);
    let motion = |decision: &Decision| {
        let word = decision.modes.iter().find(|word| word.consistency == Consistency::Yes).unwrap();
        [word.accelerations[0].value, word.accelerations[1].value]
    };
    let (one, two) = (motion(&once), motion(&twice));
    assert!(one.iter().zip(two).all(|(x, y)| (x - y).abs() < 1e-12), "{one:?} {two:?}");
}

#[test]
fn a_point_that_nothing_presses_has_no_force_of_stiffness() {
    // a gap that depends on no coordinate: any normal force is held by nothing, and brakes the slip
    let laws = Laws { friction: Friction::new(0.5).unwrap(), ..Laws::default() };
    let slips = ClosedContact { laws, motion: Motion::Slipping([1.0, 0.0]) };
    for n in [1, 2] {
        let mut D = vec![0.0; 4 * n * n];
        (0..n).for_each(|i| D[(2 * i + 1) * 2 * n + 2 * i + 1] = 1.0);
        let c = [0.0, 0.3].repeat(n);
        let [values, free] = [&D, &c].map(|values| Sized { values, sizes: &[] });
        let contacts = Contacts::new(vec![slips; n], values, free);
        let decision = contacts.decide(&Tol::default());
        let forth = |mode: &Mode| matches!(mode, Mode::Slip { .. });
        let word = decision.modes.iter().find(|word| word.modes.iter().all(forth)).unwrap();
        assert!(word.by_stiffness && word.moving.len() == n, "{word:?}");
        let [forces, accelerations] =
            [&word.forces, &word.accelerations].map(|all| all.iter().map(|x| x.value).collect::<Vec<_>>());
        assert_eq!((forces, accelerations), (vec![0.0; 2 * n], c));
    }
}
