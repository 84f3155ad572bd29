//! The list of all solutions against all 4ⁿ words of modes in whole numbers, on thousands of small problems in which
//! degenerate cases are frequent; and the status against the list.

use mechan::answer::{Answer, settle, solve};
use mechan::coulomb::{Form, Outcome, Problem, Request, local_residual};
use mechan::enumerate::{Enumeration, Limits, Mode, enumerate};
use mechan::existence::{Kinematics, Refutation, assess};
use mechan::pipeline::{Extent, SolveOptions, solve_problem};

use crate::eliminate::{Is, Line, feasible};
use crate::pivoting::planar;
use crate::stream::Stream;

/// u = W r + q and friction mu/2, in whole numbers.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) W: Vec<Vec<i128>>,
    pub(crate) q: Vec<i128>,
    pub(crate) twice_mu: Vec<i128>,
}

impl Whole {
    /// Every second W is H Hᵀ of low rank, every third any matrix.
    pub(crate) fn random(s: &mut Stream) -> Self {
        let n = [1, 1, 2, 2, 2, 3][s.below(6)];
        let mut whole = |size: usize| s.below(2 * size + 1) as i128 - size as i128;
        let rank = 1 + whole(n).unsigned_abs() as usize;
        let W = if whole(1) == 0 {
            (0..2 * n).map(|_| (0..2 * n).map(|_| whole(3)).collect()).collect()
        } else {
            let H: Vec<Vec<i128>> = (0..2 * n).map(|_| (0..rank).map(|_| whole(2)).collect()).collect();
            let dot = |a: &Vec<i128>, b: &Vec<i128>| a.iter().zip(b).map(|(a, b)| a * b).sum();
            H.iter().map(|a| H.iter().map(|b| dot(a, b)).collect()).collect()
        };
        let q = (0..2 * n).map(|_| whole(3)).collect();
        let twice_mu = (0..n).map(|_| whole(3).max(0)).collect();
        Self { W, q, twice_mu }
    }

    pub(crate) fn problem(&self) -> Problem {
        let real = |x: &Vec<i128>| x.iter().map(|x| *x as f64).collect::<Vec<_>>();
        let W: Vec<Vec<f64>> = self.W.iter().map(real).collect();
        planar(&W, real(&self.q), self.twice_mu.iter().map(|m| *m as f64 / 2.0).collect())
    }

    /// The law of a word in r, and nothing else.
    pub(crate) fn law(&self, word: &[Mode]) -> Vec<(Line, Is)> {
        let n = self.q.len();
        let velocity =
            |k: usize, s: i128| self.W[k].iter().chain([&self.q[k]]).map(|x| s * x).collect::<Line>();
        let force = |terms: &[(usize, i128)]| {
            let mut row = vec![0; n + 1];
            terms.iter().for_each(|(k, x)| row[*k] += x);
            row
        };
        let mut rows = Vec::new();
        for (i, choice) in word.iter().enumerate() {
            let (N, T, m) = (2 * i, 2 * i + 1, self.twice_mu[i]);
            let edge = |s: i128| force(&[(N, m), (T, 2 * s)]);
            rows.push((velocity(N, 1), if *choice == Mode::TakeOff { Is::NotNegative } else { Is::Zero }));
            rows.push((force(&[(N, 1)]), if *choice == Mode::TakeOff { Is::Zero } else { Is::NotNegative }));
            match choice {
                Mode::TakeOff | Mode::Slide => rows.push((force(&[(T, 1)]), Is::Zero)),
                Mode::Stick => {
                    rows.push((velocity(T, 1), Is::Zero));
                    rows.extend([1, -1].map(|s| (edge(s), Is::NotNegative)));
                }
                Mode::SlipPos => rows.extend([(velocity(T, 1), Is::NotNegative), (edge(1), Is::Zero)]),
                Mode::SlipNeg => rows.extend([(velocity(T, -1), Is::NotNegative), (edge(-1), Is::Zero)]),
            }
        }
        rows
    }

    pub(crate) fn words(&self) -> Vec<Vec<Mode>> {
        self.twice_mu.iter().fold(vec![vec![]], |words, m| {
            let extended = |word: &Vec<Mode>| {
                Mode::all(*m == 0).iter().map(|c| [&word[..], &[*c]].concat()).collect::<Vec<_>>()
            };
            words.iter().flat_map(extended).collect()
        })
    }

    /// Whether every solution of one word is a solution of the other.
    fn is_within(&self, word: &[Mode], other: &[Mode]) -> bool {
        let law = self.law(word);
        let leaves = |(row, is): &(Line, Is)| {
            let negated = row.iter().map(|x| -x).collect::<Line>();
            let outside = |row: &Line| feasible(&[&law[..], &[(row.clone(), Is::Positive)]].concat());
            outside(&negated) || (*is == Is::Zero && outside(row))
        };
        !self.law(other).iter().any(leaves)
    }

    /// Whether any word has a solution, after checking the list word by word.
    fn compare(&self, all: &Enumeration) -> bool {
        assert!(all.complete, "{:?} {:?} {:?}", self.W, self.q, self.twice_mu);
        let sets = &all.proof.sets;
        let mut any = false;
        for word in self.words().iter().filter(|word| feasible(&self.law(word))) {
            any = true;
            assert!(
                sets.iter().any(|set| self.is_within(word, &set.word)),
                "{word:?} of {:?} {:?}",
                self.W,
                self.q
            );
        }
        assert!(sets.iter().all(|set| feasible(&self.law(&set.word))));
        for family in &all.families {
            let word: Vec<Mode> =
                family.modes.iter().enumerate().map(|(i, mode)| self.choice(i, *mode)).collect();
            assert!(feasible(&self.law(&word)), "{family:?}");
        }
        assert_eq!(all.families.len(), sets.len());
        any
    }

    fn choice(&self, i: usize, mode: Mode) -> Mode {
        if self.twice_mu[i] == 0 && mode != Mode::TakeOff { Mode::Slide } else { mode }
    }
}

#[test]
fn the_list_has_exactly_what_all_words_have_and_the_status_agrees() {
    let (mut stream, mut some, mut none, mut sets) = (Stream::new(8), 0, 0, 0);
    for _ in 0..2000 {
        let whole = Whole::random(&mut stream);
        let problem = whole.problem();
        let mut all = enumerate(&problem, Limits::default()).unwrap();
        let any = whole.compare(&all);
        // numbers of one digit leave no room between a solution and none
        assert!(all.border.is_empty());
        let best = solve(&problem, &Request::default()).unwrap();
        let solved = best.outcome == Outcome::Solved;
        assert_eq!(solved, any, "{whole:?} {best:?}");
        let settled = settle(&problem, &Request::default(), best, &mut all).unwrap();
        assert!(settled.outcome == Outcome::Solved || !solved);
        // what solves is listed, and a list that has something answers
        let listed = !(all.families.is_empty() && all.border.is_empty());
        assert_eq!(settled.outcome == Outcome::Solved, listed, "{whole:?} {settled:?} {all:?}");
        assert!(all.border.is_empty(), "{whole:?} {all:?}");
        (some, none, sets) = (some + usize::from(any), none + usize::from(!any), sets + all.families.len());
    }
    assert!(some > 1000 && none > 200 && sets > some, "{some} {none} {sets}");
}

/// W of rank one in rounded numbers, q in its image up to rounding: the numbers exactly as they stand mostly have no
/// solution where contacts would stick, and every solver finds one to the last digit.
#[test]
fn what_solves_to_rounding_is_listed_as_a_border_case() {
    let (mut stream, mut border, mut exact) = (Stream::new(3), 0, 0);
    for _ in 0..200 {
        let n = 1 + stream.below(3);
        let g: Vec<f64> = (0..2 * n).map(|_| stream.next()).collect();
        let W: Vec<Vec<f64>> = g.iter().map(|a| g.iter().map(|b| a * b).collect()).collect();
        // q = −W r for a force inside the first cone
        let pull = g[0] * 0.7 + g[1] * 0.2;
        let problem = planar(&W, g.iter().map(|g| -g * pull).collect(), vec![1.25; n]);
        let mut all = enumerate(&problem, Limits::default()).unwrap();
        let best = solve(&problem, &Request::default()).unwrap();
        assert!(all.complete && best.outcome == Outcome::Solved, "{problem:?}");
        assert!(!all.is_empty(), "the list finds what is left of a word: {problem:?}");
        settle(&problem, &Request::default(), best, &mut all).unwrap();
        for case in &all.border {
            let Form::Local(local) = problem.form() else { unreachable!() };
            let residual = local_residual(local, problem.mu(), &case.point.r, &mut vec![0.0; 2 * n]);
            assert!(residual.relative < 1e-8, "{residual:?}");
        }
        border += usize::from(all.families.is_empty());
        exact += usize::from(!all.families.is_empty());
    }
    assert!(border > 20 && exact > 20, "{border} {exact}");
}

/// Matrices that no mechanism has, for which the assumptions say nothing: W is not symmetric, or not positive semidefinite.
#[test]
fn a_complete_empty_list_is_no_solution_whatever_the_assumptions_say() {
    let W = [
        [2.0, 4.0, 2.0, 0.0, -2.0, -4.0],
        [0.0, 8.0, 4.0, -6.0, -6.0, 6.0],
        [6.0, 2.0, 6.0, 0.0, 0.0, 0.0],
        [-2.0, -2.0, 0.0, 2.0, 4.0, -2.0],
        [-2.0, -2.0, -2.0, 0.0, 4.0, -4.0],
        [-4.0, 8.0, -2.0, 0.0, -4.0, 8.0],
    ];
    let q = [-2.0, 4.0, 2.0, -2.0, -2.0, 2.0].to_vec();
    let problem = planar(&W.map(Vec::from), q, vec![4.0, 0.5, 4.0]);
    let all = enumerate(&problem, Limits::default()).unwrap();
    assert!(all.is_empty() && assess(&Kinematics::of(&problem)).strong.holds());
    for extent in [Extent::One, Extent::All] {
        let options = SolveOptions { extent, ..SolveOptions::default() };
        let solved = solve_problem(problem.clone(), &options).unwrap();
        assert_eq!(solved.study.answer(), Answer::NoSolution);
        let refutation = solved.study.refutation.unwrap();
        assert!(matches!(refutation, Refutation::NoMode { .. }) && refutation.verify(&problem));
    }
}
