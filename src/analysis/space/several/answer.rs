//! All words of several contacts in space, each decided or not, and the verdict.

use super::boxes::{Found, search};
use super::forces::{ForceRange, Ranges, ranges};
use super::judge::{Solved, judged};
use super::system::System;
use super::unique::rest_is_the_only_motion;
use crate::analysis::planar::{Consistency, Stability, Verdict};
use crate::analysis::space::SpaceWord;
use crate::coulomb::{Outcome, Problem, Request, Status};
use crate::num::Tol;

/// Words that are tried at most.
const WORDS: usize = 729;
/// Boxes of angles that are examined at most.
const BOXES: usize = 20_000;

/// A word that was decided, or found by a solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// Forces and accelerations.
    pub solved: Solved,
    /// Verified bounds of each force component where the forces are not unique, 3 a contact.
    pub ranges: Option<Vec<ForceRange>>,
    /// Under normal compliance.
    pub stability: Stability,
    /// Whether it stands on a solver's residual alone.
    pub by_solver: bool,
}

/// Everything said about several contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Consistent and marginal words.
    pub modes: Vec<Decided>,
    /// Words that are neither found nor refuted.
    pub undecided: Vec<Vec<SpaceWord>>,
    /// Words that were examined, and those that were left out with a proof.
    pub examined: usize,
    /// Words that cannot hold because what is held already stops them, or because rest is proven to be the only motion.
    pub pruned: usize,
    /// Boxes of angles that were examined.
    pub boxes: usize,
    /// Normal forces alone that prove rest to be the only motion.
    pub certificate: Option<Vec<f64>>,
    /// Whether there are more words than are tried.
    pub too_many: bool,
}

/// What is known of a word.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Its solutions: none, one or several.
    Modes {
        /// Those found.
        found: Vec<Decided>,
        /// Whether it is proven that there are no others.
        complete: bool,
    },
    /// It cannot hold.
    Pruned,
    /// Nothing is proven.
    Undecided,
}

/// Examines all words.
pub fn answer(system: &System, tol: &Tol) -> Answer {
    let options: Vec<&[SpaceWord]> = (0..system.contacts()).map(|i| system.options(i)).collect();
    let count = options.iter().map(|options| options.len()).fold(1_usize, usize::saturating_mul);
    let certificate = rest_is_the_only_motion(system, tol).filter(|_| count > 1);
    let mut out = Answer { certificate, too_many: count > WORDS, ..Answer::default() };
    let mut budget = BOXES;
    let mut words: Vec<Vec<SpaceWord>> = (0..count.min(WORDS)).map(|number| nth(number, &options)).collect();
    // few angles first: each more takes many more boxes
    words.sort_by_key(|word| system.leaving(word).len());
    for word in words {
        match decide(system, &word, out.certificate.is_some(), &mut budget, tol) {
            Decision::Modes { found, complete } => {
                out.examined += 1;
                out.modes.extend(found.into_iter().filter(|m| m.solved.consistency != Consistency::No));
                if !complete {
                    out.undecided.push(word);
                }
            }
            Decision::Pruned => out.pruned += 1,
            Decision::Undecided => {
                out.examined += 1;
                out.undecided.push(word);
            }
        }
    }
    out.boxes = BOXES - budget;
    out.add_solution(system, tol);
    out.drop_twins(tol);
    out
}

/// The word of a number, in mixed digits.
fn nth(mut number: usize, options: &[&[SpaceWord]]) -> Vec<SpaceWord> {
    let digit = |options: &&[SpaceWord]| {
        let word = options[number % options.len()];
        number /= options.len();
        word
    };
    options.iter().map(digit).collect()
}

fn decide(system: &System, word: &[SpaceWord], rests: bool, budget: &mut usize, tol: &Tol) -> Decision {
    let (leaving, regular) = (system.leaving(word), system.is_regular(word, tol));
    let sticks = word.iter().all(|word| *word == SpaceWord::Stick);
    if (rests && !sticks) || leaving.iter().any(|&i| is_held(system, word, i, tol)) {
        return Decision::Pruned;
    }
    if !leaving.is_empty()
        && let Some(along) = one_way(system, word, &leaving, tol)
    {
        let both = [1.0, -1.0].map(|sign| linear(&system.assuming(&leaving, &along, sign), word, tol));
        return joined(both);
    }
    match (leaving.is_empty(), regular) {
        (true, _) => linear(system, word, tol),
        (false, true) => {
            let Found { solved, complete } = search(system, word, budget, tol);
            let with = |solved: Solved| Decided {
                stability: stability(system, word, &solved, tol),
                solved,
                ranges: None,
                by_solver: false,
            };
            Decision::Modes { found: solved.into_iter().map(with).collect(), complete }
        }
        (false, false) => Decision::Undecided,
    }
}

/// A word all of whose directions are known.
fn linear(system: &System, word: &[SpaceWord], tol: &Tol) -> Decision {
    if !system.is_regular(word, tol) {
        return hyperstatic(system, word, tol);
    }
    let solved = judged(system, word, tol);
    let stability = stability(system, word, &solved, tol);
    Decision::Modes {
        found: vec![Decided { solved, ranges: None, stability, by_solver: false }],
        complete: true,
    }
}

fn joined(both: [Decision; 2]) -> Decision {
    let (mut all, mut complete) = (Vec::new(), true);
    for decision in both {
        match decision {
            Decision::Modes { found, complete: proven } => {
                all.extend(found);
                complete &= proven;
            }
            Decision::Undecided => complete = false,
            Decision::Pruned => {}
        }
    }
    Decision::Modes { found: all, complete }
}

/// The directions of the contacts that leave rest if what is held leaves them one motion, forth or back: a body that turns about a foot that
/// sticks.
fn one_way(system: &System, word: &[SpaceWord], leaving: &[usize], tol: &Tol) -> Option<Vec<[f64; 2]>> {
    let held = system.span(&System::held_rows(word), tol);
    let tangents: Vec<usize> = leaving.iter().flat_map(|&i| [3 * i + 1, 3 * i + 2]).collect();
    let more = system.span(&[held.clone(), tangents.clone()].concat(), tol);
    let &[first] = &more[held.len()..] else { return None };
    let reduced = system.reduced(&held)?;
    let own = reduced.gain(first, first);
    let direction = |&i: &usize| {
        let ways = [3 * i + 1, 3 * i + 2].map(|row| reduced.gain(row, first) / own);
        let still = [3 * i + 1, 3 * i + 2].iter().zip(ways).all(|(&row, way)| {
            let rest = reduced.free(row) - way * reduced.free(first);
            rest.abs() <= tol.marginal * (system.sizes[row] + system.sizes[first])
        });
        let size = ways[0].hypot(ways[1]);
        (still && size > tol.marginal).then(|| ways.map(|x| x / size))
    };
    leaving.iter().map(direction).collect()
}

/// Whether what a word holds leaves a contact that is to slip no slip acceleration.
fn is_held(system: &System, word: &[SpaceWord], contact: usize, tol: &Tol) -> bool {
    let rows = System::held_rows(word);
    let held = system.span(&rows, tol);
    let tangents = [3 * contact + 1, 3 * contact + 2];
    let more: Vec<usize> = held.iter().copied().chain(tangents).collect();
    if system.span(&more, tol).len() > held.len() {
        return false;
    }
    let Some(reduced) = system.reduced(&held) else { return false };
    tangents.iter().all(|&row| reduced.free(row).abs() <= tol.marginal * reduced.free_size(row))
}

/// A word whose forces are not unique.
fn hyperstatic(system: &System, word: &[SpaceWord], tol: &Tol) -> Decision {
    match ranges(system, word, tol) {
        Ranges::Impossible => Decision::Modes { found: Vec::new(), complete: true },
        Ranges::Undecided => Decision::Undecided,
        Ranges::Held { room, ranges, example } => {
            let acceleration = |row: usize| {
                let driven: f64 = example.iter().enumerate().map(|(j, x)| system.D[row][j] * x).sum();
                if System::held_rows(word).contains(&row) { 0.0 } else { system.free[row] + driven }
            };
            // forces that are not unique may still leave a contact where it is: then it is neither free nor slipping
            let opens = (0..word.len()).all(|i| {
                let size =
                    example.iter().enumerate().map(|(j, x)| (system.D[3 * i][j] * x).abs()).sum::<f64>();
                let [v, u1, u2] = [0, 1, 2].map(|k| acceleration(3 * i + k));
                let [c, s] = system.along[i].unwrap_or_default();
                let band = tol.solved * (system.sizes[3 * i] + size);
                match word[i] {
                    SpaceWord::Free => system.parting[i] || v > band,
                    SpaceWord::Slip => !system.assumed[i] || c * u1 + s * u2 > band,
                    SpaceWord::Stick => true,
                }
            });
            let direction =
                |i: usize| system.along[i].filter(|_| word[i] == SpaceWord::Slip).map(|[c, s]| s.atan2(c));
            let solved = Solved {
                word: word.to_vec(),
                directions: (0..word.len()).map(direction).collect(),
                accelerations: (0..system.free.len()).map(acceleration).collect(),
                forces: example,
                consistency: if room > tol.marginal.sqrt() && opens {
                    Consistency::Yes
                } else {
                    Consistency::Marginal
                },
                fault: None,
            };
            let stability = stability(system, word, &solved, tol);
            let found = vec![Decided { solved, ranges: Some(ranges), stability, by_solver: false }];
            Decision::Modes { found, complete: true }
        }
    }
}

/// Under normal compliance Y″ = P (K Y + …), P the gains of the normal forces with the sticking tangents held: symmetric and positive
/// semidefinite if nothing slips, and with a real positive eigenvalue for every stiffness if det P < 0   [CV16 section 6.2].
fn stability(system: &System, word: &[SpaceWord], solved: &Solved, tol: &Tol) -> Stability {
    let pressed: Vec<usize> = (0..word.len()).filter(|&i| word[i] != SpaceWord::Free).collect();
    if pressed.iter().all(|&i| word[i] == SpaceWord::Stick || system.mu[i] <= 0.0) {
        return Stability::Stable;
    }
    let tangents: Vec<usize> = pressed
        .iter()
        .filter(|&&i| word[i] == SpaceWord::Stick)
        .flat_map(|&i| [3 * i + 1, 3 * i + 2])
        .collect();
    let tangents = system.span(&tangents, tol);
    let gain = |row: usize, i: usize| {
        let (s, c) = solved.directions[i].unwrap_or_default().sin_cos();
        let mu = if word[i] == SpaceWord::Slip { system.mu[i] } else { 0.0 };
        system.D[row][3 * i] - mu * (c * system.D[row][3 * i + 1] + s * system.D[row][3 * i + 2])
    };
    let (n, m) = (pressed.len(), tangents.len());
    let held = nalgebra::DMatrix::from_fn(m, m, |i, j| system.D[tangents[i]][tangents[j]]);
    let right = nalgebra::DMatrix::from_fn(m, n, |i, j| gain(tangents[i], pressed[j]));
    let Some(kept) = held.cholesky().map(|factor| factor.solve(&right)) else { return Stability::Undecided };
    let P = nalgebra::DMatrix::from_fn(n, n, |i, j| {
        let back: f64 = (0..m).map(|k| system.D[3 * pressed[i]][tangents[k]] * kept[(k, j)]).sum();
        gain(3 * pressed[i], pressed[j]) - back
    });
    let scale: f64 = (0..n).map(|i| P.row(i).norm()).product();
    let det = P.determinant();
    if det < -tol.marginal * scale {
        Stability::Unstable
    } else if n == 1 && det > tol.marginal * scale {
        Stability::Stable
    } else {
        Stability::Undecided
    }
}

impl Answer {
    /// The verdict, as far as it is proven.
    pub fn verdict(&self) -> Verdict {
        let count = |wanted| self.modes.iter().filter(|m| m.solved.consistency == wanted).count();
        let (yes, marginal) = (count(Consistency::Yes), count(Consistency::Marginal));
        let open = !self.undecided.is_empty() || self.too_many;
        match (yes, marginal, open) {
            (2.., _, _) => Verdict::Indeterminate,
            (_, _, true) => Verdict::Undecided,
            (_, 1.., false) => Verdict::Marginal,
            (1, 0, false) => Verdict::Consistent,
            (0, 0, false) => Verdict::Inconsistent,
        }
    }

    /// What the incremental solvers find for contacts at rest, whose next step is the acceleration problem itself: kept where its word is not
    /// decided.
    fn add_solution(&mut self, system: &System, tol: &Tol) {
        let open = !self.undecided.is_empty() || self.too_many;
        if !open || system.along.iter().any(Option::is_some) || system.parting.contains(&true) {
            return;
        }
        let Some(solved) = solved_step(system) else { return };
        let known = self.modes.iter().any(|mode| mode.solved.word == solved.word);
        if known {
            return;
        }
        self.undecided.retain(|word| *word != solved.word);
        let stability = stability(system, &solved.word, &solved, tol);
        self.modes.push(Decided { solved, ranges: None, stability, by_solver: true });
    }

    /// Leaves out marginal words whose motion is that of a consistent one: the same rest with a force at zero.
    fn drop_twins(&mut self, tol: &Tol) {
        let firm: Vec<Solved> = self
            .modes
            .iter()
            .filter(|mode| mode.solved.consistency == Consistency::Yes)
            .map(|mode| mode.solved.clone())
            .collect();
        let size = |x: &Solved| x.accelerations.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
        let same = |one: &Solved, other: &Solved| {
            let band = tol.marginal.sqrt() * size(one).max(size(other));
            let rounding = one.forces.iter().fold(0.0, |m: f64, x| m.max(x.abs())) * tol.solved;
            one.accelerations
                .iter()
                .zip(&other.accelerations)
                .all(|(x, y)| (x - y).abs() <= band.max(rounding))
        };
        let before = self.modes.len();
        self.modes.retain(|mode| {
            mode.solved.consistency == Consistency::Yes || !firm.iter().any(|other| same(&mode.solved, other))
        });
        self.pruned += before - self.modes.len();
        self.examined -= before - self.modes.len();
    }
}

/// The acceleration problem by the incremental solvers; none if they do not solve it.
fn solved_step(system: &System) -> Option<Solved> {
    let rows = system.free.len();
    let unit = |i: usize| (0..rows).map(|j| if i == j { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    let identity: Vec<Vec<f64>> = (0..rows).map(unit).collect();
    // u = D r + q as u = H v + w with H = 1, M⁻¹ = D
    let problem =
        Problem::from_dense_inverse(system.mu.clone(), &system.D, &vec![0.0; rows], &identity, &system.free);
    let found = crate::answer::solve(&problem.ok()?, &Request::default()).ok()?;
    if found.outcome != Outcome::Solved {
        return None;
    }
    let word: Vec<SpaceWord> = found
        .statuses
        .iter()
        .map(|status| match status {
            Status::TakeOff => SpaceWord::Free,
            Status::Stick => SpaceWord::Stick,
            Status::Slip => SpaceWord::Slip,
        })
        .collect();
    let direction =
        |i: usize| (word[i] == SpaceWord::Slip).then(|| found.u[3 * i + 2].atan2(found.u[3 * i + 1]));
    Some(Solved {
        directions: (0..word.len()).map(direction).collect(),
        word,
        forces: found.r,
        accelerations: found.u,
        consistency: Consistency::Yes,
        fault: None,
    })
}
