//! The portraits of Fig. 12: fates of all curves, equilibria, and the curves themselves against runs of the rod at small ε.

use super::{Subject, column, laws};
use mechan::contact::{Mode, Planar, Slip};
use mechan::simulate::compliant::{FastPortrait, Fate, Options, Preload, Scene, Side, divide};
use mechan::simulate::trajectory::Status;

/// The rod at an angle under a force at its centre.
fn planar(theta: f64, omega: f64, [x, y]: [f64; 2]) -> Planar {
    let (s, c) = theta.sin_cos();
    let turn = omega * omega;
    Planar::new(1.0 + 3.0 * s * s, 3.0 * s * c, 1.0 + 3.0 * c * c, x - turn * c, y + turn * s - 1.0)
}

fn scene(planar: Planar, slip: Option<Slip>) -> Scene {
    let laws = laws(1.6, 1.0, 0.5);
    Scene { planar, friction: laws.friction, compliance: laws.compliance, slip }
}

/// Starts around the contact's own scale.
fn starts() -> Vec<[f64; 2]> {
    (-4..=2).flat_map(|i| (-4..=4).map(move |j| [0.7 * f64::from(i), 0.6 * f64::from(j)])).collect()
}

fn fates(scene: Scene) -> (FastPortrait, Vec<Fate>) {
    let portrait = scene.portrait(&starts(), 60.0, 600);
    let fates = portrait.curves.iter().map(|curve| curve.fate).collect();
    (portrait, fates)
}

#[test]
fn panel_a_every_start_settles_in_slip() {
    let (portrait, fates) = fates(scene(planar(0.3, 0.0, [0.0; 2]), Some(Slip::Pos)));
    assert!(fates.iter().all(|fate| *fate == Fate::Settles(Mode::SlipPos)), "{fates:?}");
    let [equilibrium] = portrait.equilibria[..] else { panic!("{portrait:?}") };
    let (s, c) = 0.3f64.sin_cos();
    let p = 1.0 + 3.0 * c * c - 1.6 * 3.0 * s * c;
    assert!((equilibrium.Y + 1.0 / p).abs() < 1e-14);
    assert!(equilibrium.eigenvalues[0].im > 0.0 && (equilibrium.eigenvalues[0].re + 0.25 * p).abs() < 1e-14);
}

#[test]
fn panel_b_the_saddle_divides() {
    let scene = scene(planar(1.0, 2.0, [0.0; 2]), Some(Slip::Pos));
    let (portrait, fates) = fates(scene);
    let line = divide(&scene.planar, scene.friction, Slip::Pos, scene.compliance).unwrap();
    let mut seen = [0, 0];
    for (start, fate) in starts().into_iter().zip(fates) {
        // without a force the line says nothing of a start below the surface
        if start[0] < 0.0 && start[0] + 0.5 * start[1] > 0.0 {
            continue;
        }
        let expected = match line.side(start) {
            Side::LiftOff => Fate::LiftsOff,
            Side::Impact => Fate::Impact,
        };
        assert_eq!(fate, expected, "{start:?}");
        seen[usize::from(fate == Fate::Impact)] += 1;
    }
    assert!(seen[0] > 20 && (portrait.equilibria[0].Y - line.equilibrium).abs() < 1e-15, "{seen:?}");
    assert!(portrait.equilibria[0].eigenvalues[1].re < 0.0 && portrait.equilibria[0].eigenvalues[0].re > 0.0);
    // deep starts fall
    let deep = scene.portrait(&[[2.0 * line.equilibrium, 0.0]], 60.0, 100);
    assert_eq!(deep.curves[0].fate, Fate::Impact);
}

#[test]
fn panels_c_and_d_have_one_fate_and_no_equilibrium() {
    let (lifting, all) = fates(scene(planar(0.3, 0.0, [0.0, 1.5]), Some(Slip::Pos)));
    assert!(lifting.equilibria.is_empty() && all.iter().all(|fate| *fate == Fate::LiftsOff), "{all:?}");
    let (falling, all) = fates(scene(planar(1.0, 0.0, [0.0; 2]), Some(Slip::Pos)));
    assert!(falling.equilibria.is_empty() && all.iter().all(|fate| *fate == Fate::Impact), "{all:?}");
}

#[test]
fn panels_e_and_f_are_cell_ii_iii_without_and_with_stick() {
    let theta = 2f64.atan();
    let (outside, all) = fates(scene(planar(theta, 0.0, [0.5, 1.1]), None));
    assert!(outside.equilibria.is_empty() && outside.switching.is_some(), "{outside:?}");
    assert!(all.iter().all(|fate| *fate == Fate::LiftsOff), "{all:?}");
    let scene = scene(planar(theta, 0.0, [8.0, 1.1]), None);
    let (inside, all) = fates(scene);
    let modes: Vec<Mode> = inside.equilibria.iter().map(|e| e.mode).collect();
    assert_eq!(modes, [Mode::SlipPos, Mode::Stick]);
    let [slip, stick] = inside.equilibria[..] else { panic!() };
    // a saddle with λ_N = −b/p, a focus with λ_N = (Ba − Ab)/Δ, the line λ_N = a/k₊ between them
    let Planar { A, B, C, a, b, .. } = scene.planar;
    assert!((slip.Y - b / (C - 1.6 * B)).abs() < 1e-13 && slip.eigenvalues[0].re > 0.0);
    assert!((stick.Y + (B * a - A * b) / (A * C - B * B)).abs() < 1e-13);
    assert!(stick.eigenvalues[0].re < 0.0 && stick.eigenvalues[0].im > 0.0);
    let switching = inside.switching.unwrap();
    assert!((switching - a / (1.6 * A - B)).abs() < 1e-13);
    assert!(-slip.Y < switching && switching < -stick.Y);
    let count = |fate: Fate| all.iter().filter(|f| **f == fate).count();
    let (stuck, lifted) = (count(Fate::Settles(Mode::Stick)), count(Fate::LiftsOff));
    assert!(stuck > 5 && lifted > 5 && stuck + lifted == all.len(), "{stuck} {lifted} {all:?}");
}

/// Curves of all panels are what the rod does at ε = 1e-7: penetrations and rates on the fast time.
#[test]
fn curves_are_limits_of_motions() {
    let theta = 2f64.atan();
    let cases = [
        (0.3, 1.0, 0.0, [0.0; 2], Some(Slip::Pos)),
        (1.0, 1.0, 2.0, [0.0; 2], Some(Slip::Pos)),
        (0.3, 1.0, 0.0, [0.0, 1.5], Some(Slip::Pos)),
        (theta, 0.0, 0.0, [0.5, 1.1], None),
        (theta, 0.0, 0.0, [8.0, 1.1], None),
    ];
    let (eps, duration) = (1e-7, 6.0);
    for (theta, u, omega, forces, slip) in cases {
        for start in [[0.0, -0.6], [-1.4, 0.6], [-2.1, -0.6], [-2.8, 0.0]] {
            let portrait = scene(planar(theta, omega, forces), slip).portrait(&[start], duration, 60);
            let mut rod = Subject::rod(theta, (u, 0.0, omega), laws(1.6, 1.0, 0.5));
            rod.state.parameters[7..9].copy_from_slice(&forces);
            let preload = [Preload { contact: 0, Y: start[0], V: start[1] }];
            let options = Options { samples: 61, preload: &preload, ..Options::new(eps, duration * eps) };
            let motion = rod.run(&options);
            assert_eq!(motion.trajectory.status, Status::End);
            let gaps = column(&motion.trajectory, "tip.gap");
            let curve = &portrait.curves[0].points;
            for (k, gap) in gaps.iter().enumerate() {
                let time = duration * k as f64 / 60.0;
                let point = curve.iter().find(|point| (point.time - time).abs() < 1e-12).unwrap();
                let miss = (gap / (eps * eps) - point.at[0]).abs();
                assert!(
                    miss < 2e-4 * (1.0 + point.at[0].abs()),
                    "{theta} {start:?} {k}: {miss} {:?}",
                    point.at
                );
            }
        }
    }
}
