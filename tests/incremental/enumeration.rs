//! Completeness of the enumeration by brute force: every one of the 4ⁿ words of modes is tried by another method.

use clarabel::solver::SupportedConeT;
use mechan::answer::solve;
use mechan::coulomb::{Form, Outcome, Problem, Request, local_residual};
use mechan::enumerate::{EnumerationError, Limits, Mode, enumerate};
use mechan::linear::Sparse;
use mechan::num::Tol;
use mechan::pipeline::{Extent, Failure, SolveOptions, Usage, solve_problem};

use crate::files::load;
use crate::pivoting::{contains, planar, program};
use crate::stream::{Stream, gram};

/// A force r of the word, by linear programming in r: as far inside the word's inequalities as they allow, up to one.
/// None if the program is infeasible.
fn point_of(W: &[Vec<f64>], q: &[f64], mu: &[f64], word: &[usize]) -> Option<(Vec<f64>, f64)> {
    let n = q.len();
    // Rows a·r + b = 0, then a·r + b ≥ margin.
    let (mut planes, mut halves) = (Vec::new(), Vec::new());
    let unit = |k: usize, x: f64| (0..n).map(|j| if j == k { x } else { 0.0 }).collect::<Vec<_>>();
    let velocity = |k: usize, sign: f64| (W[k].iter().map(|w| sign * w).collect::<Vec<_>>(), sign * q[k]);
    for (i, &mode) in word.iter().enumerate() {
        let (N, T) = (2 * i, 2 * i + 1);
        let edge = |sign: f64| {
            let mut row = unit(N, mu[i]);
            row[T] = sign;
            (row, 0.0)
        };
        match mode {
            0 => {
                planes.extend([(unit(N, 1.0), 0.0), (unit(T, 1.0), 0.0)]);
                halves.push(velocity(N, 1.0));
            }
            1 => {
                planes.extend([velocity(N, 1.0), velocity(T, 1.0)]);
                halves.extend([edge(1.0), edge(-1.0), (unit(N, 1.0), 0.0)]);
            }
            2 => {
                planes.extend([velocity(N, 1.0), edge(1.0)]);
                halves.extend([(unit(N, 1.0), 0.0), velocity(T, 1.0)]);
            }
            _ => {
                planes.extend([velocity(N, 1.0), edge(-1.0)]);
                halves.extend([(unit(N, 1.0), 0.0), velocity(T, -1.0)]);
            }
        }
    }
    deepest(&planes, &halves)
}

type Row = (Vec<f64>, f64);

/// Forces are looked for up to this size.
const BOX: f64 = 1e3;

/// The point farthest inside the half-spaces, and how far.
fn deepest(planes: &[Row], halves: &[Row]) -> Option<(Vec<f64>, f64)> {
    let n = planes[0].0.len();
    // Variables r and the margin, which is at most one.
    let with = |row: &Row, margin: f64| row.0.iter().map(|a| -a).chain([margin]).collect::<Vec<_>>();
    let mut rows: Vec<Vec<f64>> = planes.iter().map(|row| with(row, 0.0)).collect();
    rows.extend(halves.iter().map(|row| with(row, 1.0)));
    let unit = |i: usize, x: f64| (0..=n).map(move |j| if i == j { x } else { 0.0 }).collect();
    rows.push(unit(n, 1.0));
    rows.extend((0..n).flat_map(|i| [unit(i, 1.0), unit(i, -1.0)]));
    let bounds = std::iter::once(1.0).chain(vec![BOX; 2 * n]);
    let b: Vec<f64> = planes.iter().chain(halves).map(|row| row.1).chain(bounds).collect();
    let inequalities = rows.len() - planes.len();
    let cones = [SupportedConeT::ZeroConeT(planes.len()), SupportedConeT::NonnegativeConeT(inequalities)];
    let objective: Vec<f64> = (0..=n).map(|j| if j == n { -1.0 } else { 0.0 }).collect();
    let r = program(&objective, &rows, &b, &cones)?[..n].to_vec();
    let value = |row: &Row| row.0.iter().zip(&r).map(|(a, r)| a * r).sum::<f64>() + row.1;
    let off = planes.iter().map(|row| value(row).abs()).fold(0.0, f64::max);
    let margin = halves.iter().map(value).fold(f64::INFINITY, f64::min);
    (off < 1e-6).then_some((r, margin))
}

fn words(n: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..4usize.pow(n as u32)).map(move |k| (0..n).map(|i| k / 4usize.pow(i as u32) % 4).collect())
}

/// Every word that has a solution by linear programming, and not by a hair, is in a family, and the relative interior
/// of every family is found among the words.
fn check(problem: &Problem) -> (usize, usize) {
    let Form::Local(local) = problem.form() else { panic!("a local problem was made") };
    let n = problem.contacts();
    let W: Vec<Vec<f64>> = (0..2 * n).map(|i| (0..2 * n).map(|j| local.W.get(i, j)).collect()).collect();
    let all = enumerate(problem, Limits::default()).unwrap();
    assert!(all.complete);
    let mut inhabited = Vec::new();
    for word in words(n) {
        let Some((r, margin)) = point_of(&W, &local.q, problem.mu(), &word) else { continue };
        let defect = local_residual(local, problem.mu(), &r, &mut vec![0.0; 2 * n]).absolute;
        if margin < -1e-6 || defect > 1e-6 {
            continue;
        }
        if margin > 1e-6 {
            assert!(contains(&all, &r), "{word:?} {r:?} {all:?}");
        }
        inhabited.push(word);
    }
    for family in &all.families {
        let code = |mode: &Mode| match mode {
            Mode::TakeOff => 0,
            Mode::Stick => 1,
            Mode::SlipPos => 2,
            Mode::SlipNeg => 3,
            Mode::Slide => panic!("a solution slips one way or sticks"),
        };
        let word: Vec<usize> = family.modes.iter().map(code).collect();
        assert!(inhabited.contains(&word), "{word:?} {family:?} {inhabited:?}");
        for point in &family.vertices {
            let defect = local_residual(local, problem.mu(), &point.r, &mut vec![0.0; 2 * n]);
            assert!(defect.relative < 1e-12, "{defect:?}");
        }
    }
    (all.families.len(), all.families.iter().map(|f| f.dimension).max().unwrap_or(0))
}

#[test]
fn no_word_of_a_regular_problem_is_forgotten() {
    let mut most = 0;
    for seed in 0..24 {
        let mut s = Stream::new(seed);
        let n = 2 + seed as usize % 3;
        let mut W = gram(&mut s, 2 * n, 2 * n);
        // Every third W is unsymmetric; normal rows are small, so that several solutions are not rare.
        for i in 0..2 * n {
            for j in 0..2 * n {
                let turn = if seed % 3 == 0 && i > j { 0.3 } else { 0.0 };
                let small = |k: usize| if k.is_multiple_of(2) { 0.5 } else { 1.0 };
                W[i][j] = small(i) * small(j) * (W[i][j] + turn);
            }
        }
        let q = (0..2 * n).map(|_| s.next()).collect();
        let mu = (0..n).map(|_| 2.0 + 2.0 * s.next()).collect();
        most = most.max(check(&planar(&W, q, mu)).0);
    }
    assert!(most >= 3, "{most}");
}

#[test]
fn no_word_of_a_hyperstatic_problem_is_forgotten() {
    let (mut empty, mut wide) = (0, 0);
    for seed in 0..24 {
        let mut s = Stream::new(seed + 70);
        let (n, rank) = (2 + seed as usize % 3, 1 + seed as usize % 3);
        // Numbers of few digits, so that a balanced load is balanced exactly.
        let G: Vec<Vec<f64>> = (0..2 * n).map(|_| (0..rank).map(|_| s.coarse()).collect()).collect();
        let load: Vec<f64> = (0..rank).map(|_| s.coarse()).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let W: Vec<Vec<f64>> = G.iter().map(|g| G.iter().map(|h| dot(g, h)).collect()).collect();
        let q = G.iter().map(|g| if seed % 2 == 0 { dot(g, &load) } else { s.coarse() }).collect();
        let mu = (0..n).map(|_| (0.7 + s.coarse()).max(0.0)).collect();
        let (families, dimension) = check(&planar(&W, q, mu));
        empty += usize::from(families == 0);
        wide += usize::from(dimension > 0);
    }
    assert!(empty > 1 && empty < 20 && wide > 3, "{empty} {wide}");
}

#[test]
fn sixteen_contacts_are_listed() {
    // Sixteen blocks, coupled in a row by springs: a solution of every block is unique as μ is small.
    let n = 16;
    let W: Vec<Vec<f64>> = (0..2 * n)
        .map(|i: usize| {
            (0..2 * n)
                .map(|j| {
                    if i == j {
                        1.0
                    } else if i.abs_diff(j) == 2 {
                        0.25
                    } else {
                        0.0
                    }
                })
                .collect()
        })
        .collect();
    let q = (0..2 * n).map(|k| if k % 2 == 0 { -1.0 } else { [2.0, 0.1, -2.0][k / 2 % 3] }).collect();
    let all = enumerate(&planar(&W, q, vec![0.4; n]), Limits::default()).unwrap();
    assert!(all.complete && all.families.len() == 1 && all.families[0].dimension == 0);
    let modes = &all.families[0].modes;
    assert!(modes.contains(&Mode::SlipPos) && modes.contains(&Mode::SlipNeg) && modes.contains(&Mode::Stick));
}

#[test]
fn recorded_planar_problems_within_the_limit_are_listed() {
    for (name, contacts) in [
        ("FC2D_SliderCrankLagrangian00000", 2),
        ("FrictionContactProblem00394", 6),
        ("FrictionContactProblem00031", 11),
    ] {
        let problem = load(name);
        assert_eq!(problem.contacts(), contacts);
        let all = enumerate(&problem, Limits::default()).unwrap();
        assert!(all.complete && all.families.len() == 1, "{name}: {}", all.families.len());
    }
}

#[test]
fn a_search_cut_short_says_so() {
    let mut s = Stream::new(5);
    let W = gram(&mut s, 12, 12);
    let problem = planar(&W, (0..12).map(|_| s.next()).collect(), vec![0.5; 6]);
    let short = enumerate(&problem, Limits { branches: 3, ..Limits::default() }).unwrap();
    assert!(!short.complete && short.branches == 3);
    assert!(enumerate(&problem, Limits::default()).unwrap().complete);
}

#[test]
fn too_many_contacts_are_refused_with_the_limit_and_what_to_do() {
    let n = Limits::default().contacts + 1;
    let W: Vec<Vec<f64>> =
        (0..2 * n).map(|i| (0..2 * n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    let problem = planar(&W, vec![-1.0; 2 * n], vec![0.5; n]);
    let refused = enumerate(&problem, Limits::default());
    assert_eq!(refused, Err(EnumerationError::TooManyContacts { found: n, limit: n - 1 }));
    let options = SolveOptions { extent: Extent::All, ..SolveOptions::default() };
    let failure = solve_problem(problem, &options).err().unwrap();
    let Failure::Usage(Usage::AllSolutions { error, .. }) = &failure else { panic!("{failure:?}") };
    assert_eq!(*error, EnumerationError::TooManyContacts { found: n, limit: n - 1 });
    let text = failure.to_string();
    assert!(text.contains(&format!("at most {}", n - 1)) && text.contains("without --all"), "{text}");
}

/// Rank-deficient matrices of small whole numbers: paradoxes, families and border cases are frequent there.
#[test]
fn the_automatic_solver_finds_a_solution_exactly_where_the_list_has_one() {
    let (mut stream, mut solved, mut none) = (Stream::new(2024), 0, 0);
    for _ in 0..400 {
        let contacts = 1 + stream.below(3);
        let rank = 1 + stream.below(2 * contacts);
        let whole = |stream: &mut Stream| stream.below(7) as f64 - 3.0;
        let rows: Vec<Vec<f64>> =
            (0..2 * contacts).map(|_| (0..rank).map(|_| whole(&mut stream)).collect()).collect();
        let q: Vec<f64> = (0..2 * contacts).map(|_| whole(&mut stream)).collect();
        let mu: Vec<f64> = (0..contacts).map(|_| stream.below(5) as f64 / 2.0).collect();
        let dot = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let W: Vec<Vec<f64>> = rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect();
        let problem = planar(&W, q, mu);
        let all = enumerate(&problem, Limits::default()).unwrap();
        assert!(all.complete);
        let found = solve(&problem, &Request::default()).unwrap();
        let expected = if all.families.is_empty() { Outcome::NotConverged } else { Outcome::Solved };
        assert_eq!(found.outcome, expected, "{problem:?} {found:?} {:?}", all.families);
        solved += usize::from(found.outcome == Outcome::Solved);
        none += usize::from(all.families.is_empty());
    }
    assert!(solved > 200 && none > 20, "{solved} solved, {none} without solution");
}

/// Lower triangular with ones on the diagonal and small integers, and its inverse, which has integers too.
fn unit_triangle(s: &mut Stream, n: usize) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let mut L = vec![vec![0.0; n]; n];
    (0..n).for_each(|i| (0..=i).for_each(|j| L[i][j] = if i == j { 1.0 } else { s.below(5) as f64 - 2.0 }));
    let mut inverse = vec![vec![0.0; n]; n];
    for j in 0..n {
        for i in j..n {
            let known: f64 = (j..i).map(|k| L[i][k] * inverse[k][j]).sum();
            inverse[i][j] = if i == j { 1.0 } else { -known };
        }
    }
    (L, inverse)
}

/// M = 3 L Lᵀ and H = 3 G of integers: W = 3 G L⁻ᵀ L⁻¹ Gᵀ and q = w − G L⁻ᵀ L⁻¹ f have no rounding, so that the local
/// problem is the same one, and det M is no power of two.
#[test]
fn a_global_problem_has_the_list_of_its_local_one() {
    let mut s = Stream::new(11);
    let mut several = 0;
    for _ in 0..300 {
        let (n, nc) = (1 + s.below(4), 1 + s.below(3));
        let (L, inverse) = unit_triangle(&mut s, n);
        let mut integer = || s.below(9) as f64 - 4.0;
        let G: Vec<Vec<f64>> = (0..2 * nc).map(|_| (0..n).map(|_| integer()).collect()).collect();
        let f: Vec<f64> = (0..n).map(|_| integer()).collect();
        let w: Vec<f64> = (0..2 * nc).map(|_| integer() / 2.0).collect();
        let mu: Vec<f64> = (0..nc).map(|_| integer().abs() / 4.0).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let M: Vec<Vec<f64>> = L.iter().map(|a| L.iter().map(|b| 3.0 * dot(a, b)).collect()).collect();
        let H: Vec<Vec<f64>> = G.iter().map(|g| g.iter().map(|x| 3.0 * x).collect()).collect();
        // L⁻¹ Gᵀ by columns, and L⁻¹ f
        let half = |x: &[f64]| inverse.iter().map(|row| dot(row, x)).collect::<Vec<f64>>();
        let Y: Vec<Vec<f64>> = G.iter().map(|g| half(g)).collect();
        let W: Vec<Vec<f64>> = Y.iter().map(|a| Y.iter().map(|b| 3.0 * dot(a, b)).collect()).collect();
        let q = Y.iter().zip(&w).map(|(y, w)| w - dot(y, &half(&f))).collect();
        let global = Problem::from_dense(mu.clone(), &M, f, &H, w).unwrap();
        let W = Sparse::from_dense("W", &W, 2 * nc).unwrap();
        let local = Problem::local(2, mu, &W, q).unwrap();
        let [global, local] = [global, local].map(|problem| enumerate(&problem, Limits::default()).unwrap());
        assert!(global.complete && local.complete);
        assert_eq!(global, local);
        several += usize::from(global.families.len() > 1 || global.families.iter().any(|f| f.dimension > 0));
    }
    assert!(several > 10, "{several} problems with more than one solution");
}

/// W of more contacts than the body has ways to move: what its entries round to makes solutions of forces that are 1e16 times the data. Such a list says
/// that it rests on last digits, and those of regular problems do not.
#[test]
fn solutions_that_are_made_of_rounding_say_so() {
    let (mut rounded, mut sound) = (0, 0);
    for seed in 0..60 {
        let mut s = Stream::new(seed + 900);
        let n = 2 + seed as usize % 2;
        let singular = seed % 3 > 0;
        let W = gram(&mut s, 2 * n, if singular { 3 } else { 2 * n });
        // the load is none that the motions of W have, so that only rounding can balance it
        let q: Vec<f64> = (0..2 * n).map(|_| 3.0 * s.next()).collect();
        let mu = (0..n).map(|_| 2.0 + 3.0 * s.next().abs()).collect();
        let all = enumerate(&planar(&W, q.clone(), mu), Limits::default()).unwrap();
        for family in &all.families {
            let largest =
                family.vertices.iter().flat_map(|p| &p.r).fold(0.0, |size: f64, r| size.max(r.abs()));
            assert_eq!(family.rests_on_last_digits(&Tol::default()), largest > 1e9, "{seed}: {largest:e}");
            rounded += usize::from(largest > 1e9);
            sound += usize::from(largest <= 1e9);
        }
    }
    assert!(rounded > 5 && sound > 20, "{rounded} {sound}");
}
