//! Equilibria on several contacts: whether rest is possible and the only motion, against closed forms, Newton's method from many starts, the plane, the
//! incremental solvers under small loads, other tangents, other units.

use crate::body::{Answer, Foot, System, answer, gravity, standing, stool};
use crate::plane::Pair;
use crate::random::Dice;
use mechan::answer::solve;
use mechan::contact::Friction;
use mechan::contact::Hold;
use mechan::coulomb::{Outcome, Problem, Request};
use mechan::num::Tol;
use mechan::predict::{Consistency, Contacts, Judgement, ModeName, RestProof, Verdict};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;

fn is_only_rest(found: &Answer) -> Option<bool> {
    found.rest.as_ref().unwrap().only
}

/// A stool holds exactly if tan χ < μ and the line of gravity meets the floor inside its feet; near the border as well.
#[test]
fn a_stool_on_a_slope_stands_slides_or_tips() {
    let tol = Tol::default();
    let inertia = [0.4, 0.4, 0.6];
    for feet in [3, 4] {
        for (mu, height, chi, expected) in [
            (0.5, 0.5, 0.2, "stands"),
            (0.5, 0.5, 0.46, "stands"),
            (0.5, 0.5, 0.47, "slides"),
            (2.0, 0.5, 0.6, "stands"),
            // the feet of a regular triangle reach at least half the radius: tan χ > 2 tips in every direction
            (3.0, 1.0, 1.2, "tips"),
        ] {
            for &phi in if feet == 3 { &[0.0, 1.1][..] } else { &[0.4][..] } {
                let name = format!("{feet} feet, mu {mu}, chi {chi}, phi {phi}");
                let system = standing(&stool(feet, 1.0, height, mu), inertia, gravity(chi, phi), [0.0; 3]);
                let found = answer(&system, &tol);
                let rest = found.rest.clone().unwrap();
                match expected {
                    "stands" => {
                        assert_eq!(
                            (rest.possible, rest.only),
                            (Some(Consistency::Yes), Some(true)),
                            "{name}"
                        );
                        assert_eq!(rest.proof, Some(RestProof::Refutation), "{name}");
                        assert_eq!(found.verdict, Verdict::Consistent, "{name}");
                    }
                    _ => {
                        assert_eq!(
                            (rest.possible, rest.only),
                            (Some(Consistency::No), Some(false)),
                            "{name}"
                        );
                        let mut motions = found.modes.iter().filter(|m| m.consistency == Consistency::Yes);
                        assert!(motions.clone().count() == 1, "{name}: {found:?}");
                        let word = &motions.next().unwrap().word;
                        assert_eq!(word.contains(&ModeName::FREE), expected == "tips", "{name}: {word:?}");
                    }
                }
            }
        }
    }
}

/// Six legs have 729 combinations of modes, which are refuted together.
#[test]
fn six_legs_on_a_slope_stand() {
    let system = standing(&stool(6, 1.0, 0.5, 0.5), [0.4, 0.5, 0.6], gravity(0.3, 0.7), [0.0; 3]);
    let found = answer(&system, &Tol::default());
    assert_eq!(found.rest.unwrap().proof, Some(RestProof::Refutation));
    assert!(found.pruned == 728 && found.nodes < 6000, "{} {}", found.pruned, found.nodes);
}

/// Level ground needs no friction: proven by normal forces, whatever the friction.
#[test]
fn normal_forces_suffice_on_level_ground() {
    for mu in [0.0, 0.3, 10.0] {
        let system = standing(&stool(4, 1.0, 0.5, mu), [0.4, 0.5, 0.6], gravity(0.0, 0.0), [0.0; 3]);
        let found = answer(&system, &Tol::default());
        assert!(matches!(found.rest.unwrap().proof, Some(RestProof::NormalForces(_))));
    }
}

/// A body squeezed by random contacts whose normal forces balance: rest is possible, and nothing else, whatever forces they could add.
#[test]
fn what_normal_forces_hold_is_one_motion_that_is_known() {
    let mut dice = Dice(17);
    for _ in 0..40 {
        let rows: Vec<f64> = (0..27).map(|_| dice.roll()).collect();
        let W = DMatrix::from_row_slice(9, 3, &rows);
        let D = &W * W.transpose();
        let pushed = DVector::from_fn(9, |row, _| if row % 3 == 0 { 1.1 + dice.roll() } else { 0.0 });
        let free = -(&D * &pushed);
        let system = System {
            D: D.row_iter().map(|row| row.iter().copied().collect()).collect(),
            free: free.iter().copied().collect(),
            sizes: free.iter().map(|x| x.abs()).collect(),
            ..standing(&stool(3, 1.0, 0.5, 1.0 + dice.roll().abs()), [0.4; 3], gravity(0.0, 0.0), [0.0; 3])
        };
        let found = answer(&system, &Tol::default());
        let rest = found.rest.as_ref().unwrap();
        assert_eq!((rest.possible, rest.only), (Some(Consistency::Yes), Some(true)), "{found:?}");
        assert_eq!((found.verdict, found.modes.len()), (Verdict::Consistent, 1), "{found:?}");
        assert!(found.undecided.is_empty());
    }
}

/// A body at rest on random feet with normals of its own: forces inside the cones hold it.
fn random_equilibrium(dice: &mut Dice, feet: usize) -> System {
    let mut place = |_: usize| {
        let (tilt, turn) = (0.9 * dice.roll(), 3.0 * dice.roll());
        let normal = [tilt.sin() * turn.cos(), tilt.sin() * turn.sin(), tilt.cos()];
        let tangent = [tilt.cos() * turn.cos(), tilt.cos() * turn.sin(), -tilt.sin()];
        let at = [1.5 * dice.roll(), 1.5 * dice.roll(), dice.roll()];
        Foot { at, normal, tangent, mu: 2.0 * (1.0 + dice.roll()) }
    };
    let feet: Vec<Foot> = (0..feet).map(&mut place).collect();
    let mut system = standing(&feet, [0.2, 0.3, 0.4], [0.0; 3], [0.0; 3]);
    let force = |foot: &Foot| {
        let (N, size, phi) = (0.6 + 0.5 * dice.roll(), 0.9 * foot.mu * dice.roll().abs(), 3.0 * dice.roll());
        [N, N * size * phi.cos(), N * size * phi.sin()]
    };
    let forces: Vec<f64> = feet.iter().flat_map(force).collect();
    system.free =
        system.D.iter().map(|row| -row.iter().zip(&forces).map(|(d, x)| d * x).sum::<f64>()).collect();
    system.sizes = system.free.iter().map(|x| x.abs()).collect();
    system
}

/// The equations of a word and their unknowns: λ of a contact that sticks, (λ_N, φ, s) of one that slips with u̇ = s (cos φ, sin φ).
fn residual(system: &System, word: &[ModeName], x: &DVector<f64>) -> DVector<f64> {
    let mut forces = vec![0.0; system.free.len()];
    for (i, word) in word.iter().enumerate() {
        let own = x.rows(3 * i, 3);
        match *word {
            ModeName::FREE => {}
            ModeName::STICK => (0..3).for_each(|k| forces[3 * i + k] = own[k]),
            _ => {
                let (s, c) = own[1].sin_cos();
                forces[3 * i] = own[0];
                forces[3 * i + 1] = -system.mu[i] * own[0] * c;
                forces[3 * i + 2] = -system.mu[i] * own[0] * s;
            }
        }
    }
    let y =
        |row: usize| system.free[row] + system.D[row].iter().zip(&forces).map(|(d, x)| d * x).sum::<f64>();
    let mut out = DVector::zeros(x.len());
    for (i, word) in word.iter().enumerate() {
        for k in 0..3 {
            let own = x.rows(3 * i, 3);
            out[3 * i + k] = match (*word, k) {
                // the unknowns of a contact that lifts off are its accelerations
                (ModeName::FREE, _) => own[k] - y(3 * i + k),
                (ModeName::STICK, _) | (ModeName::SLIP, 0) => y(3 * i + k),
                (_, 1) => y(3 * i + 1) - own[2] * own[1].cos(),
                _ => y(3 * i + 2) - own[2] * own[1].sin(),
            };
        }
    }
    out
}

fn newton(system: &System, word: &[ModeName], mut x: DVector<f64>) -> Option<DVector<f64>> {
    let n = x.len();
    for _ in 0..25 {
        let f = residual(system, word, &x);
        if f.norm() < 1e-11 {
            return Some(x);
        }
        let h = 1e-7;
        let mut J = DMatrix::zeros(n, n);
        for j in 0..n {
            let mut moved = x.clone();
            moved[j] += h;
            J.set_column(j, &((residual(system, word, &moved) - &f) / h));
        }
        let step = J.lu().solve(&f)?;
        let size = step.norm();
        x -= step * (2.0 / size).min(1.0);
    }
    None
}

fn holds(system: &System, word: &[ModeName], x: &DVector<f64>) -> bool {
    let (mut moves, small) = (false, 1e-7);
    let each = word.iter().enumerate().all(|(i, word)| {
        let own = x.rows(3 * i, 3);
        match *word {
            ModeName::FREE => {
                moves |= own[0] > small;
                own[0] > -1e-12
            }
            ModeName::STICK => own[0] >= 0.0 && own[1].hypot(own[2]) <= system.mu[i] * own[0],
            _ => {
                moves |= own[2] > small;
                own[0] >= 0.0 && own[2] >= 0.0
            }
        }
    });
    each && moves
}

/// Whether Newton's method finds a motion that leaves rest.
fn leaves(system: &System, dice: &mut Dice, starts: usize) -> bool {
    let all = [ModeName::FREE, ModeName::SLIP, ModeName::STICK];
    let k = system.mu.len();
    (0..3_usize.pow(k as u32)).any(|number| {
        let word: Vec<ModeName> = (0..k).map(|i| all[number / 3_usize.pow(i as u32) % 3]).collect();
        let slips = word.contains(&ModeName::SLIP);
        (0..if slips { starts } else { 1 }).any(|_| {
            let start = DVector::from_fn(3 * k, |j, _| match j % 3 {
                1 => TAU * dice.roll(),
                _ => 1.0 + dice.roll(),
            });
            newton(system, &word, start).is_some_and(|x| holds(system, &word, &x))
        })
    })
}

/// On two feet, of which each kind of equilibrium occurs: those that must stay and those that need not.
#[test]
fn equilibria_agree_with_newton_from_many_starts() {
    let (mut dice, tol) = (Dice(61), Tol::default());
    let mut seen = [0, 0, 0];
    for run in 0..60 {
        let system = random_equilibrium(&mut dice, 2);
        let found = answer(&system, &tol);
        assert_eq!(found.rest.as_ref().unwrap().possible, Some(Consistency::Yes), "run {run}");
        match is_only_rest(&found) {
            Some(true) => {
                assert!(!leaves(&system, &mut dice, 40), "run {run}: {found:?}");
                seen[0] += 1;
            }
            Some(false) => {
                assert!(leaves(&system, &mut dice, 400), "run {run}: {found:?}");
                assert_eq!(found.verdict, Verdict::Indeterminate);
                seen[1] += 1;
            }
            None => seen[2] += 1,
        }
    }
    assert!(seen[0] > 10 && seen[1] > 3 && seen[2] < 5, "{seen:?}");
}

/// Where rest is the only motion, small additional loads cause small accelerations, whichever they are.
#[test]
fn small_loads_cause_small_accelerations_where_rest_is_the_only_motion() {
    let (mut dice, tol) = (Dice(62), Tol::default());
    let (mut proven, mut solved) = (0, 0);
    for run in 0..12 {
        let system = random_equilibrium(&mut dice, 3);
        let found = answer(&system, &tol);
        if is_only_rest(&found) != Some(true) {
            continue;
        }
        proven += 1;
        for _ in 0..10 {
            let n = system.free.len();
            let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
            let identity: Vec<Vec<f64>> = (0..n).map(unit).collect();
            // a force on the body changes the accelerations by D of some forces at its feet
            let push: Vec<f64> = (0..n).map(|_| dice.roll()).collect();
            let nudged: Vec<f64> = (0..n)
                .map(|i| system.free[i] + 1e-4 * (0..n).map(|j| system.D[i][j] * push[j]).sum::<f64>())
                .collect();
            let problem =
                Problem::from_dense_inverse(system.mu.clone(), &system.D, &vec![0.0; n], &identity, &nudged);
            let next = solve(&problem.unwrap(), &Request::default()).unwrap();
            if next.outcome == Outcome::Solved {
                solved += 1;
                let largest = next.u.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
                assert!(largest < 0.1, "run {run}: {largest}");
            }
        }
    }
    assert!(proven > 3 && solved > 30, "{proven} {solved}");
}

/// A random equilibrium of two contacts in the plane.
fn planar_equilibrium(dice: &mut Dice) -> Pair {
    let L: Vec<f64> = (0..12).map(|_| dice.roll()).collect();
    let D = |i: usize, j: usize| {
        (0..3).map(|k| L[3 * i + k] * L[3 * j + k]).sum::<f64>() + if i == j { 0.01 } else { 0.0 }
    };
    let mu = [1.5 * (1.0 + dice.roll()), 1.5 * (1.0 + dice.roll())];
    let forces: Vec<f64> = (0..2)
        .flat_map(|i| {
            let N = 0.6 + 0.5 * dice.roll();
            [N, 0.9 * mu[i] * N * dice.roll()]
        })
        .collect();
    Pair {
        D: (0..16).map(|k| D(k / 4, k % 4)).collect(),
        free: [0, 1, 2, 3].map(|i| -(0..4).map(|j| D(i, j) * forces[j]).sum::<f64>()),
        friction: mu.map(|mu| Friction::new(mu).unwrap()),
        holds: [Hold::Unilateral; 2],
        slides: [false; 2],
    }
}

/// What can leave an equilibrium in the plane can in space; out of the plane there may be more.
#[test]
fn equilibria_of_the_plane_are_equilibria_in_space() {
    let (mut dice, tol) = (Dice(63), Tol::default());
    let mut seen = [0, 0];
    for run in 0..120 {
        let mut pair = planar_equilibrium(&mut dice);
        if run % 4 == 3 {
            pair.friction[run / 4 % 2] = Friction::INFINITE;
        }
        if run % 5 == 4 {
            pair.holds[run / 5 % 2] = Hold::Bilateral;
        }
        let decision = pair.in_plane().decide(&tol);
        let found = answer(&pair.in_space(), &tol);
        let only = is_only_rest(&found);
        match decision.verdict {
            Verdict::Indeterminate => {
                assert_eq!(only, Some(false), "run {run}: {found:?}");
                seen[0] += 1;
            }
            Verdict::Consistent => {
                seen[1] += usize::from(only == Some(true));
                let across = |phi: &f64| phi.sin().abs() > 1e-6;
                let leaves = found.modes.iter().any(|m| m.directions.iter().flatten().any(across));
                assert!(only != Some(false) || leaves, "run {run}: {found:?}");
            }
            _ => {}
        }
    }
    assert!(seen[0] > 5 && seen[1] > 10, "{seen:?}");
}

/// Other tangents and other units: the same answer.
#[test]
fn neither_tangents_nor_units_matter() {
    let (mut dice, tol) = (Dice(64), Tol::default());
    for run in 0..10 {
        let system = random_equilibrium(&mut dice, 2);
        let (s, c) = (1.0 + run as f64).sin_cos();
        let turn = |x: &[f64]| -> Vec<f64> {
            x.chunks(3).flat_map(|x| [x[0], c * x[1] + s * x[2], c * x[2] - s * x[1]]).collect()
        };
        let half: Vec<Vec<f64>> = system.D.iter().map(|row| turn(row)).collect();
        let n = system.free.len();
        let mut turned = system.clone();
        for j in 0..n {
            let column = turn(&half.iter().map(|row| row[j]).collect::<Vec<_>>());
            (0..n).for_each(|i| turned.D[i][j] = column[i]);
        }
        turned.free = turn(&system.free);
        turned.sizes = turned.free.iter().map(|x| x.abs()).collect();
        let mut scaled = system.clone();
        scaled.D.iter_mut().flatten().for_each(|d| *d *= 1e7);
        scaled.free.iter_mut().chain(&mut scaled.sizes).for_each(|x| *x *= 1e-5);
        let [own, by_turn, by_scale] = [&system, &turned, &scaled].map(|system| answer(system, &tol));
        assert_eq!(is_only_rest(&own), is_only_rest(&by_turn), "run {run}");
        assert_eq!(is_only_rest(&own), is_only_rest(&by_scale), "run {run}");
        assert_eq!((own.verdict, own.nodes), (by_scale.verdict, by_scale.nodes), "run {run}");
    }
}

/// Tables on four to eight feet that stand, slide or tip: how far their forces may differ changes nothing else that is decided.
#[test]
fn bounds_of_forces_are_apart_from_all_else() {
    let (mut dice, tol, mut open) = (Dice(54), Tol::default(), 0);
    for run in 0..40 {
        let mut within = |low: f64, high: f64| low + 0.5 * (high - low) * (1.0 + dice.roll());
        let feet = stool(4 + run % 5, 1.0, within(0.2, 1.0), within(0.1, 1.2));
        let system = standing(&feet, [0.4, 0.5, 0.6], gravity(within(0.0, 0.8), within(0.0, TAU)), [0.0; 3]);
        let bare =
            |word: &Judgement| Judgement { ranges: word.ranges.as_ref().map(|_| vec![]), ..word.clone() };
        let seen = |contacts: Contacts| {
            let decision = contacts.decide(&tol);
            let words: Vec<Judgement> = decision.modes.iter().map(bare).collect();
            (words.iter().any(|word| word.ranges.is_some()), format!("{:?} {words:?}", decision.verdict))
        };
        let bounded = seen(system.contacts());
        open += usize::from(bounded.0);
        assert_eq!(seen(system.contacts().without_force_bounds()), bounded, "run {run}");
    }
    assert!(open > 10, "{open}");
}
