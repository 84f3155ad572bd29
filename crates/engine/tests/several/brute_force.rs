//! Random problems: every word by its own linear equations in the unknowns (λ_N, λ_T, v̇, u̇) of all contacts; and contacts at
//! rest by the enumeration of incremental problems, whose law they share with accelerations for velocities.

use crate::body::{BACK, FORTH, contacts, names};
use mechan_contact::answer::solve;
use mechan_contact::coulomb::{Outcome, Problem, Request};
use mechan_contact::enumerate::{Family, Limits, Mode as Continuation, enumerate};
use mechan_contact::linear::Sparse;
use mechan_engine::predict::{Consistency, Contacts, Decision, Judgement, ModeName, Motion, Verdict};
use mechan_num::Tol;
use mechan_num::random::Stream;
use nalgebra::{DMatrix, DVector};

/// The least of all inequalities of a word, or none if its equations are singular.
fn margin(D: &[f64], c: &[f64], mu: &[f64], motion: &[Motion], word: &[ModeName]) -> Option<f64> {
    let (n, m) = (word.len(), 2 * word.len());
    // unknowns: forces, then accelerations
    let (mut A, mut b) = (DMatrix::zeros(2 * m, 2 * m), DVector::zeros(2 * m));
    for i in 0..m {
        A[(i, m + i)] = 1.0;
        (0..m).for_each(|j| A[(i, j)] = -D[i * m + j]);
        b[i] = c[i];
    }
    for (i, mode) in word.iter().enumerate() {
        let (N, T, v, u) = (2 * i, 2 * i + 1, m + 2 * i, m + 2 * i + 1);
        let (first, second) = (m + 2 * i, m + 2 * i + 1);
        match *mode {
            ModeName::FREE => {
                A[(first, N)] = 1.0;
                A[(second, T)] = 1.0;
            }
            ModeName::SLIP_POS | ModeName::SLIP_NEG => {
                A[(first, v)] = 1.0;
                A[(second, T)] = 1.0;
                A[(second, N)] = if *mode == ModeName::SLIP_POS { mu[i] } else { -mu[i] };
            }
            _ => {
                A[(first, v)] = 1.0;
                A[(second, u)] = 1.0;
            }
        }
    }
    let x = A.lu().solve(&b)?;
    let of = |i: usize| {
        let (N, T, v, u) = (x[2 * i], x[2 * i + 1], x[m + 2 * i], x[m + 2 * i + 1]);
        let set_in = |sign: f64| if motion[i] == Motion::Resting { sign * u } else { f64::INFINITY };
        match word[i] {
            ModeName::FREE => v,
            ModeName::SLIP_POS => N.min(set_in(1.0)),
            ModeName::SLIP_NEG => N.min(set_in(-1.0)),
            _ => N.min(mu[i] * N - T.abs()),
        }
    };
    Some((0..n).map(of).fold(f64::INFINITY, f64::min))
}

fn admissible(motion: Motion) -> &'static [ModeName] {
    match motion {
        Motion::Parting => &[ModeName::FREE],
        Motion::Slipping([u, _]) if u > 0.0 => &[ModeName::FREE, ModeName::SLIP_POS],
        Motion::Slipping(_) => &[ModeName::FREE, ModeName::SLIP_NEG],
        Motion::Resting => &[ModeName::FREE, ModeName::SLIP_POS, ModeName::SLIP_NEG, ModeName::STICK],
    }
}

fn words(motion: &[Motion]) -> Vec<Vec<ModeName>> {
    motion.iter().fold(vec![vec![]], |words, &motion| {
        let longer = |w: &Vec<ModeName>| {
            admissible(motion).iter().map(|&m| [&w[..], &[m]].concat()).collect::<Vec<_>>()
        };
        words.iter().flat_map(longer).collect()
    })
}

fn found(contacts: &Contacts) -> Vec<Vec<ModeName>> {
    let mut found: Vec<Vec<ModeName>> = contacts
        .decide(&Tol::default())
        .modes
        .iter()
        .filter(|word| word.consistency == Consistency::Yes)
        .map(names)
        .collect();
    found.sort();
    found
}

/// G Gᵀ with G of full rank, c and μ at random, some contacts sliding.
fn regular(random: &mut Stream, n: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>, Vec<Motion>) {
    let m = 2 * n;
    let G: Vec<f64> = (0..m * (m + 1)).map(|_| random.within(-1.0, 1.0)).collect();
    let dot = |i: usize, j: usize| (0..=m).map(|k| G[i * (m + 1) + k] * G[j * (m + 1) + k]).sum();
    let D = (0..m * m).map(|k| dot(k / m, k % m)).collect();
    let c = (0..m).map(|_| random.within(-1.0, 0.5)).collect();
    let mu = (0..n).map(|_| random.within(0.1, 2.5)).collect();
    let motion = (0..n).map(|_| match (random.draw() * 5.0) as u8 {
        0 => FORTH,
        1 => BACK,
        _ => Motion::Resting,
    });
    (D, c, mu, motion.collect())
}

#[test]
fn regular_problems_have_the_words_of_brute_force() {
    let (mut random, mut several, mut none, mut searched) = (Stream(1), 0, 0, 0);
    for case in 0..220 {
        let n = if case % 10 > 7 { 5 + case / 10 % 2 } else { 2 + case % 3 };
        let (D, c, mu, motion) = regular(&mut random, n);
        let each: Vec<(f64, Motion)> = mu.iter().copied().zip(motion.iter().copied()).collect();
        let contacts = contacts(&each, &D, &c);
        let mut expected: Vec<Vec<ModeName>> = words(&motion)
            .into_iter()
            .filter(|word| margin(&D, &c, &mu, &motion, word).is_some_and(|margin| margin > 0.0))
            .collect();
        expected.sort();
        assert_eq!(found(&contacts), expected, "case {case}: {D:?} {c:?} {mu:?} {motion:?}");
        let verdict = contacts.decide(&Tol::default()).verdict;
        let by_count = [Verdict::Inconsistent, Verdict::Consistent];
        assert_eq!(verdict, by_count.get(expected.len()).copied().unwrap_or(Verdict::Indeterminate));
        several += usize::from(expected.len() > 1);
        none += usize::from(expected.is_empty());
        searched += usize::from(contacts.decide(&Tol::default()).search.pruned > Some(0));
    }
    assert!(several > 5 && none > 5 && searched > 15, "{several} {none} {searched}");
}

/// Contacts of a body with inertia 1/2 whose numbers are multiples of 1/8: D has no rounding, and its rank is 3.
fn dyadic(random: &mut Stream, n: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut eighth = |size: f64| (random.within(-size, size) * 8.0).round() / 8.0;
    let mut W: Vec<[f64; 3]> = Vec::new();
    for _ in 0..n {
        let (n, at) = ([eighth(1.0), eighth(1.0) + 0.0625], [eighth(1.0), eighth(1.0)]);
        let t = [n[1], -n[0]];
        W.extend([n, t].map(|d| [d[0], d[1], at[0] * d[1] - at[1] * d[0]]));
    }
    let load = [eighth(1.0), eighth(1.0), eighth(1.0)];
    let product = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + 2.0 * a[2] * b[2];
    let D = W.iter().flat_map(|a| W.iter().map(move |b| product(a, b))).collect();
    let mu = (0..n).map(|_| eighth(1.0).abs()).collect();
    (D, W.iter().map(|row| product(row, &load)).collect(), mu)
}

fn incremental(mu: &[f64], D: &[f64], c: &[f64]) -> Problem {
    let m = c.len();
    let W: Vec<Vec<f64>> = D.chunks(m).map(<[f64]>::to_vec).collect();
    Problem::local(2, mu.to_vec(), &Sparse::from_dense("W", &W, m).unwrap(), c.to_vec()).unwrap()
}

fn at_rest(mu: &[f64], D: &[f64], c: &[f64]) -> Contacts {
    contacts(&mu.iter().map(|&mu| (mu, Motion::Resting)).collect::<Vec<_>>(), D, c)
}

/// Without friction a contact that stays slips in no direction.
fn as_mode(way: Continuation, mu: f64) -> ModeName {
    match way {
        Continuation::Stick if mu == 0.0 => ModeName::SLIP,
        Continuation::TakeOff => ModeName::FREE,
        Continuation::Stick => ModeName::STICK,
        Continuation::SlipPos | Continuation::Slide => ModeName::SLIP_POS,
        Continuation::SlipNeg => ModeName::SLIP_NEG,
    }
}

/// All of a decision but how far forces that are not unique may differ.
fn seen(decision: &Decision) -> String {
    let bare =
        |word: &Judgement| Judgement { ranges: word.ranges.as_ref().map(|_| Vec::new()), ..word.clone() };
    format!("{:?} {:?}", decision.verdict, decision.modes.iter().map(bare).collect::<Vec<_>>())
}

/// A rigid body with contacts at rest: 3 degrees of freedom, 4 to 12 rows, so that most words are hyperstatic.
#[test]
fn bodies_at_rest_have_the_solutions_of_the_incremental_problem() {
    let (mut random, mut checked, mut hyperstatic, mut several, mut borders) = (Stream(7), 0, 0, 0, 0);
    for case in 0..100 {
        let (D, c, mu) = dyadic(&mut random, 2 + case % 4);
        let all = enumerate(&incremental(&mu, &D, &c), Limits::default()).unwrap();
        if !all.complete || !all.border.is_empty() {
            continue;
        }
        checked += 1;
        let contacts = at_rest(&mu, &D, &c);
        let decision = contacts.decide(&Tol::default());
        // a solution on a border (an opening gap that does not accelerate) is one of the marginal words
        let at_border = |family: &Family| {
            let same = |word: &&Judgement| {
                let pairs = word
                    .accelerations
                    .iter()
                    .zip(&family.centre().u)
                    .all(|(x, u)| (x.value - u).abs() < 1e-9);
                word.consistency == Consistency::Marginal && pairs
            };
            decision.modes.iter().any(|word| same(&word))
        };
        let (marginal, clear): (Vec<_>, Vec<_>) = all.families.iter().partition(|family| at_border(family));
        let modes = |f: &Family| {
            f.modes.iter().zip(&mu).map(|(&mode, &mu)| as_mode(mode, mu)).collect::<Vec<ModeName>>()
        };
        let mut expected: Vec<Vec<ModeName>> = clear.iter().map(|f| modes(f)).collect();
        expected.sort();
        assert_eq!(found(&contacts), expected, "case {case}: {D:?} {c:?} {mu:?}");
        borders += marginal.len();
        several += usize::from(expected.len() > 1);
        hyperstatic += usize::from(decision.modes.iter().any(|word| word.ranges.is_some()));
        assert_eq!(seen(&contacts.without_force_bounds().decide(&Tol::default())), seen(&decision));
    }
    assert!(
        checked > 60 && hyperstatic > 20 && several > 10 && borders < 20,
        "{checked} {hyperstatic} {several} {borders}"
    );
}

#[test]
fn what_a_solver_finds_is_in_the_list() {
    let (mut random, mut checked) = (Stream(3), 0);
    for _ in 0..60 {
        let (D, c, mu) = dyadic(&mut random, 3);
        let solution = solve(&incremental(&mu, &D, &c), &Request::default()).unwrap();
        if solution.outcome != Outcome::Solved {
            continue;
        }
        checked += 1;
        let decision = at_rest(&mu, &D, &c).decide(&Tol::default());
        let size = c.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let same = |word: &&Judgement| {
            word.accelerations.iter().zip(&solution.u).all(|(x, u)| (x.value - u).abs() < 1e-6 * size)
        };
        let listed = decision.modes.iter().filter(|word| word.consistency != Consistency::No);
        assert!(listed.filter(same).count() == 1, "{solution:?} {:?}", decision.verdict);
    }
    assert!(checked > 40, "{checked}");
}
