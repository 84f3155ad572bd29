//! One word: found, refuted, or neither.

use super::answer::Decided;
use super::boxes::{Boxes, Found, search};
use super::forces::{Ranges, ranges};
use super::judge::{Solved, judged};
use super::stability::stability;
use super::system::System;
use crate::analysis::planar::Consistency;
use crate::analysis::space::SpaceWord;
use crate::num::Tol;

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

/// Decides a word.
pub(super) fn decide(system: &System, word: &[SpaceWord], within: Boxes<'_>, tol: &Tol) -> Decision {
    let (leaving, regular) = (system.leaving(word), system.is_regular(word, tol));
    if leaving.iter().any(|&i| is_held(system, word, i, tol)) {
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
            let Found { solved, complete } = search(system, word, within, tol);
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
    // rest without friction has no room in its cone, and needs none: a program for what presses
    let smooth = (0..word.len()).any(|i| word[i] == SpaceWord::Stick && system.mu[i] <= 0.0);
    if smooth || !system.is_regular(word, tol) {
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

/// A word whose forces are found by a program: mostly they are not unique.
fn hyperstatic(system: &System, word: &[SpaceWord], tol: &Tol) -> Decision {
    match ranges(system, word, tol) {
        Ranges::Impossible => Decision::Modes { found: Vec::new(), complete: true },
        Ranges::Undecided => Decision::Undecided,
        Ranges::Held { room, ranges, example, unique } => {
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
            let ranges = (!unique).then_some(ranges);
            let found = vec![Decided { solved, ranges, stability, by_solver: false }];
            Decision::Modes { found, complete: true }
        }
    }
}
