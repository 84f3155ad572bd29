//! The same problem in other units has the same answer, and it is the right one: random problems against a search through
//! all modes (in the plane) or all directions of sliding (one contact in space) that shares nothing with the solvers.

use mechan::answer::{Answer, Study, solve};
use mechan::coulomb::{Outcome, Problem, Request, Solution};
use mechan::enumerate::{Limits, enumerate};
use mechan::linear::Sparse;

/// xorshift64*: numbers that are the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.next()
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() * n as f64) as usize).min(n - 1)
    }
}

/// A problem of order one in dense numbers.
#[derive(Clone, Debug)]
struct Plain {
    dim: usize,
    mu: Vec<f64>,
    W: Vec<Vec<f64>>,
    q: Vec<f64>,
}

/// u_i → α_i u_i, r_i → β_i r_i.
#[derive(Clone, Debug)]
struct Units {
    alpha: Vec<f64>,
    beta: Vec<f64>,
}

impl Plain {
    /// W = G Gᵀ of integers or real numbers, and q likewise. Such a problem has a solution if W is regular; an indefinite W
    /// (G times another matrix) with a positive diagonal may have none.
    fn random(random: &mut Random, (dim, nc, rank): (usize, usize, usize), definite: bool) -> Self {
        let (n, integer) = (dim * nc, random.below(2) == 0);
        let mut number = |size: f64| {
            let x = random.between(-size, size);
            if integer { x.round() } else { x }
        };
        let G: Vec<Vec<f64>> = (0..n).map(|_| (0..rank).map(|_| number(2.6)).collect()).collect();
        let q = (0..n).map(|_| number(5.5)).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let signs: Vec<f64> = (0..rank).map(|k| if definite || k % 3 < 2 { 1.0 } else { -1.0 }).collect();
        let other: Vec<Vec<f64>> =
            G.iter().map(|a| a.iter().zip(&signs).map(|(x, s)| x * s).collect()).collect();
        let mut W: Vec<Vec<f64>> = G.iter().map(|a| other.iter().map(|b| dot(a, b)).collect()).collect();
        (0..n).for_each(|i| W[i][i] = if definite { W[i][i] } else { W[i][i].abs() + 0.5 });
        let mu = (0..nc).map(|_| [0.0, 0.25, 0.5, 1.0, 2.0, 4.0][random.below(6)]).collect();
        Self { dim, mu, W, q }
    }

    fn problem(&self, units: &Units) -> Problem {
        let contact = |k: usize| k / self.dim;
        let entry = |i: usize, j: usize| self.W[i][j] * units.alpha[contact(i)] / units.beta[contact(j)];
        let n = self.q.len();
        let W: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let q = (0..n).map(|i| self.q[i] * units.alpha[contact(i)]).collect();
        Problem::local(self.dim, self.mu.clone(), &Sparse::from_dense("W", &W, n).unwrap(), q).unwrap()
    }

    fn velocity(&self, r: &[f64]) -> Vec<f64> {
        let dot = |a: &[f64]| a.iter().zip(r).map(|(x, y)| x * y).sum::<f64>();
        self.W.iter().zip(&self.q).map(|(row, q)| dot(row) + q).collect()
    }
}

impl Units {
    fn one(nc: usize) -> Self {
        Self { alpha: vec![1.0; nc], beta: vec![1.0; nc] }
    }

    /// Lengths, times and masses of every contact from 1e-6 to 1e6 of each other, all of them from 1e-12 to 1e12; one unit
    /// of power for all.
    fn random(random: &mut Random, nc: usize) -> Self {
        let (speed, power) = (random.between(-12.0, 12.0), random.between(-12.0, 12.0));
        let alpha: Vec<f64> =
            (0..nc).map(|_| 10_f64.powf((speed + random.between(-6.0, 6.0)).clamp(-12.0, 12.0))).collect();
        let beta = alpha.iter().map(|a| 10_f64.powf(power) / a).collect();
        Self { alpha, beta }
    }

    /// Powers of two, which round nothing.
    fn binary(random: &mut Random, nc: usize) -> Self {
        let (speed, power) = (random.between(-40.0, 40.0), random.between(-40.0, 40.0));
        let alpha: Vec<f64> = (0..nc).map(|_| (speed + random.between(-15.0, 15.0)).round().exp2()).collect();
        let beta = alpha.iter().map(|a| power.round().exp2() / a).collect();
        Self { alpha, beta }
    }
}

/// Every solution, by its velocities in units of order one; none if rounding could decide about some of them.
fn all_motions(plain: &Plain) -> Option<Vec<Vec<f64>>> {
    if plain.dim == 2 { planar(plain) } else { spatial(plain) }
}

/// A quantity that is too near to zero for its sign to be sure.
const UNSURE: f64 = 1e-7;

/// Take-off, stick, slip+, slip− for every contact: 2n equations, and the inequalities.
fn planar(plain: &Plain) -> Option<Vec<Vec<f64>>> {
    let nc = plain.mu.len();
    let mut found = Vec::new();
    for word in 0..4_usize.pow(nc as u32) {
        let mode = |i: usize| word / 4_usize.pow(i as u32) % 4;
        // without friction there is one mode with contact
        if (0..nc).any(|i| plain.mu[i] <= 0.0 && mode(i) > 1) {
            continue;
        }
        let Some(r) = forces(plain, &mode) else {
            // W is singular in this word: there may be a family of solutions, or none
            return None;
        };
        let u = plain.velocity(&r);
        // the smallest slack of all inequalities
        let slack = (0..nc).map(|i| {
            let (un, ut, rn, rt) = (u[2 * i], u[2 * i + 1], r[2 * i], r[2 * i + 1]);
            match mode(i) {
                0 => un,
                1 if plain.mu[i] <= 0.0 => rn,
                1 => plain.mu[i] * rn - rt.abs(),
                2 => rn.min(ut),
                _ => rn.min(-ut),
            }
        });
        let slack = slack.fold(f64::INFINITY, f64::min);
        if slack.abs() < UNSURE {
            return None;
        }
        if slack > 0.0 {
            found.push(u);
        }
    }
    Some(found)
}

fn forces(plain: &Plain, mode: &dyn Fn(usize) -> usize) -> Option<Vec<f64>> {
    let n = plain.q.len();
    let unit = |k: usize| (0..=n).map(|j| if j == k { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    let velocity = |k: usize| plain.W[k].iter().copied().chain([-plain.q[k]]).collect::<Vec<f64>>();
    let mut rows = Vec::new();
    for i in 0..n / 2 {
        let (N, T) = (2 * i, 2 * i + 1);
        rows.push(if mode(i) == 0 { unit(N) } else { velocity(N) });
        rows.push(match mode(i) {
            1 if plain.mu[i] > 0.0 => velocity(T),
            2 | 3 => {
                let mut row = unit(T);
                row[N] = if mode(i) == 2 { plain.mu[i] } else { -plain.mu[i] };
                row
            }
            _ => unit(T),
        });
    }
    gauss(rows)
}

/// The solution of [A | b] with column pivoting by rows; none if A is near to singular.
fn gauss(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()))?;
        rows.swap(k, pivot);
        if rows[k][k].abs() < UNSURE {
            return None;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = rows[i][k] / rows[k][k];
            for j in k..=n {
                let x = rows[k][j];
                rows[i][j] -= factor * x;
            }
        }
    }
    Some((0..n).map(|k| rows[k][n] / rows[k][k]).collect())
}

/// One contact in space: take-off, stick, and every direction of sliding whose friction leaves it as it is.
fn spatial(plain: &Plain) -> Option<Vec<Vec<f64>>> {
    let (W, q, mu) = (&plain.W, &plain.q, plain.mu[0]);
    let mut found = Vec::new();
    if q[0].abs() < UNSURE {
        return None;
    }
    if q[0] > 0.0 {
        found.push(q.clone());
    }
    let stick = gauss((0..3).map(|i| W[i].iter().copied().chain([-q[i]]).collect()).collect())?;
    let slack = mu * stick[0] - stick[1].hypot(stick[2]);
    if slack.abs() < UNSURE {
        return None;
    }
    if slack > 0.0 {
        found.push(vec![0.0; 3]);
    }
    let state = |angle: f64| {
        let e = [angle.cos(), angle.sin()];
        let gain = W[0][0] - mu * (W[0][1] * e[0] + W[0][2] * e[1]);
        let normal = -q[0] / gain;
        let u = plain.velocity(&[normal, -mu * e[0] * normal, -mu * e[1] * normal]);
        (gain, normal, u.clone(), e[0] * u[2] - e[1] * u[1], e[0] * u[1] + e[1] * u[2])
    };
    const ANGLES: usize = 4000;
    for k in 0..ANGLES {
        // no sample lies where numbers of one digit have their roots: there, rounding would decide the signs on both sides
        let angle = |x: f64| (x + 0.377) * std::f64::consts::TAU / ANGLES as f64;
        let (mut a, mut b) = (angle(k as f64), angle(k as f64 + 1.0));
        let (at_a, at_b) = (state(a), state(b));
        // a pole, where the gain changes sign, is no root
        if at_a.0 * at_b.0 <= 0.0 {
            if at_a.0.abs().max(at_b.0.abs()) < 1e-2 {
                return None;
            }
            continue;
        }
        if at_a.3 * at_b.3 > 0.0 {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (a + b);
            if state(middle).3 * at_a.3 > 0.0 { a = middle } else { b = middle }
        }
        let (_, normal, u, _, speed) = state(a);
        if normal.abs() < UNSURE || speed.abs() < UNSURE {
            return None;
        }
        if normal > 0.0 && speed > 0.0 {
            found.push(u);
        }
    }
    Some(found)
}

/// How many were judged, how many of these have a solution, how many of these one that is sensitive to the digits asked for, how
/// many are undecided under forces of a million, and where the answer was wrong.
#[derive(Default)]
struct Count {
    judged: usize,
    solvable: usize,
    ill: usize,
    hidden: usize,
    faults: Vec<String>,
}

/// Solved if and only if there is a solution, and then with the motion of one of them.
fn against_all_motions(random: &mut Random, cases: usize, count: &mut Count) {
    for case in 0..cases {
        let (dim, nc) = if case % 3 == 2 { (3, 1) } else { (2, 1 + random.below(3)) };
        let plain = Plain::random(random, (dim, nc, dim * nc), case % 4 > 0);
        let Some(motions) = all_motions(&plain) else { continue };
        count.judged += 1;
        count.solvable += usize::from(!motions.is_empty());
        let units = Units::random(random, nc);
        let found = solve(&plain.problem(&units), &Request::default()).unwrap();
        let r = found.r.iter().enumerate().map(|(k, r)| (r / units.beta[k / dim]).abs());
        let force = r.fold(0.0, f64::max);
        if found.outcome == Outcome::Undecided && force > 1e6 {
            // velocities of order 1 are small differences of terms of a million
            count.hidden += 1;
            continue;
        }
        if (found.outcome == Outcome::Solved) == motions.is_empty() {
            count.faults.push(format!("{plain:?} {units:?} {found:?} {motions:?}"));
            continue;
        }
        let off = |found: &Solution| {
            let u: Vec<f64> = found.u.iter().enumerate().map(|(k, u)| u / units.alpha[k / dim]).collect();
            let far = |v: &Vec<f64>| v.iter().zip(&u).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            motions.iter().map(far).fold(f64::INFINITY, f64::min)
        };
        if found.outcome == Outcome::Solved && off(&found) > 1e-4 {
            // numbers within 1e-8 of these have this solution, which is far from that of these: an ill-conditioned W
            count.ill += 1;
            let request = Request { tolerance: 1e-13, ..Request::default() };
            let better = solve(&plain.problem(&units), &request).unwrap();
            if off(&better) > 1e-4 {
                count.faults.push(format!("{plain:?} {units:?} {found:?} {better:?} {motions:?}"));
            }
        }
    }
}

#[test]
fn what_is_solved_is_right_in_any_units() {
    let mut count = Count::default();
    against_all_motions(&mut Random(1), 2000, &mut count);
    assert!(count.faults.is_empty(), "{}", count.faults.join("\n"));
    assert!(count.judged > 1000 && count.solvable > 500, "{} {}", count.judged, count.solvable);
    assert!(count.judged - count.solvable > 10, "{} {}", count.judged, count.solvable);
}

/// The same in earnest: `cargo test --release -- --ignored in_earnest`.
#[test]
#[ignore = "a hundred thousand problems take minutes"]
fn what_is_solved_is_right_in_any_units_in_earnest() {
    let mut count = Count::default();
    against_all_motions(&mut Random(2), 160_000, &mut count);
    let Count { judged, solvable, ill, hidden, .. } = count;
    println!("{judged} judged, {solvable} with a solution, {ill} ill-conditioned, {hidden} undecided");
    assert!(count.faults.is_empty(), "{}:\n{}", count.faults.len(), count.faults.join("\n"));
    assert!(judged > 100_000 && 1000 * ill < judged && 1000 * hidden < judged, "{judged} {ill} {hidden}");
}

/// Units that are powers of two round nothing: the same problems are solved, with the same statuses.
#[test]
fn units_decide_nothing() {
    let mut random = Random(3);
    let mut solved = 0;
    for case in 0..300 {
        let (dim, nc) = (2 + case % 2, 1 + random.below(3));
        // as a rule W has a kernel: forces that are not unique, problems without a solution
        let rank = (1 + random.below(dim * nc)).min(6);
        let plain = Plain::random(&mut random, (dim, nc, rank), true);
        let answer = |units: &Units| {
            let request = Request { effort: 0.05, ..Request::default() };
            let found = solve(&plain.problem(units), &request).unwrap();
            (found.outcome, found.statuses)
        };
        let own = answer(&Units::one(nc));
        solved += usize::from(own.0 == Outcome::Solved);
        // unique motions have unique statuses; with a kernel the forces, and so the statuses, may differ
        let units = Units::binary(&mut random, nc);
        let other = answer(&units);
        let is_solved = |outcome: Outcome| outcome == Outcome::Solved;
        assert_eq!(is_solved(own.0), is_solved(other.0), "{plain:?} {units:?}");
        if rank == dim * nc && dim * nc <= 4 && own.0 == Outcome::Solved {
            let motions = all_motions(&plain);
            if motions.is_some_and(|m| m.len() == 1) {
                assert_eq!(own.1, other.1, "{plain:?} {units:?}");
            }
        }
    }
    assert!(solved > 150, "{solved}");
}

/// Two contacts against each other: no force helps, and the backward error of a large one is tiny.
#[test]
fn a_squeeze_that_no_force_relieves_is_not_solved_in_any_units() {
    let mut random = Random(4);
    for dim in [2, 3] {
        let normal = |i: usize, j: usize| match (i % dim, j % dim) {
            (0, 0) if i == j => 1.0,
            (0, 0) => -1.0,
            _ if i == j => 2.0,
            _ => 0.0,
        };
        let n = 2 * dim;
        let W: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| normal(i, j)).collect()).collect();
        let q: Vec<f64> = (0..n).map(|k| if k % dim == 0 { -1.0 } else { 0.0 }).collect();
        for mu in [0.0, 0.5] {
            let plain = Plain { dim, mu: vec![mu; 2], W: W.clone(), q: q.clone() };
            for _ in 0..5 {
                let problem = plain.problem(&Units::random(&mut random, 2));
                let request = Request { effort: 0.1, ..Request::default() };
                let found = solve(&problem, &request).unwrap();
                assert_ne!(found.outcome, Outcome::Solved, "{problem:?} {found:?}");
                // with another that flies off, whose terms are all q's
                let beside = beside(&plain).problem(&Units::random(&mut random, 3));
                let found = solve(&beside, &request).unwrap();
                assert_ne!(found.outcome, Outcome::Solved, "{beside:?} {found:?}");
            }
        }
    }
}

/// The same with one more contact that has nothing to do with it and separates.
fn beside(plain: &Plain) -> Plain {
    let (dim, n) = (plain.dim, plain.q.len());
    let mut out = plain.clone();
    out.mu.push(0.3);
    out.W.iter_mut().for_each(|row| row.extend(vec![0.0; dim]));
    for a in 0..dim {
        out.W.push((0..n + dim).map(|j| if j == n + a { 1.0 } else { 0.0 }).collect());
        out.q.push(1e3);
    }
    out
}

/// The motions of 4 × 4 integers are those of the integers times a power of two.
#[test]
fn a_stiff_matrix_of_integers_keeps_its_motion() {
    let W = vec![
        vec![6.0, -6.0, 5.0, -1.0],
        vec![-6.0, 8.0, -2.0, 2.0],
        vec![5.0, -2.0, 9.0, 2.0],
        vec![-1.0, 2.0, 2.0, 6.0],
    ];
    let plain = Plain { dim: 2, mu: vec![0.5; 2], W, q: vec![-3.0, 8.0, -4.0, -5.0] };
    // two modes meet here, so that signs decide nothing: the list in exact arithmetic knows
    let all = enumerate(&plain.problem(&Units::one(2)), Limits::default()).unwrap();
    assert!(all.complete && all.families.len() == 1);
    let (motion, modes) = (all.families[0].centre().u, &all.families[0].modes);
    for power in (-60..=60).step_by(5) {
        let units = Units { alpha: vec![1.0; 2], beta: vec![(-f64::from(power)).exp2(); 2] };
        let found = solve(&plain.problem(&units), &Request::default()).unwrap();
        assert_eq!(found.outcome, Outcome::Solved, "2^{power}: {found:?}");
        let far = found.u.iter().zip(&motion).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(far < 1e-6, "2^{power}: {far:e}");
        let words: Vec<&str> = modes.iter().map(|mode| mode.word().trim_end_matches(['+', '-'])).collect();
        assert_eq!(found.statuses.iter().map(|s| s.word()).collect::<Vec<_>>(), words, "2^{power}");
    }
}

/// Entries that span the range of a double: answered where the large one meets no force, otherwise nothing is said; and no
/// exact arithmetic is begun with numbers of a thousand digits.
#[test]
fn entries_lost_in_others_leave_a_problem_undecided() {
    let problem = |q: [f64; 3]| {
        let W = vec![vec![1.0, 1e-7, 0.0], vec![1e-7, 1.0, -1e308], vec![0.0, 1e-3, 1.0]];
        Problem::local(3, vec![0.7], &Sparse::from_dense("W", &W, 3).unwrap(), q.to_vec()).unwrap()
    };
    let answer = |q: [f64; 3]| {
        let problem = problem(q);
        let study = Study::of(&problem, solve(&problem, &Request::default()).unwrap(), None);
        (study.answer(), study.existence.margin)
    };
    assert_eq!(answer([1.0, 2.0, 3.0]).0, Answer::Solved);
    assert_eq!(answer([-1.0, 2.0, 3.0]).0, Answer::Undecided);
}
