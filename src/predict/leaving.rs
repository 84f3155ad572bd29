//! One combination of modes of contacts in space: found, refuted, or neither.

use super::contacts::Contacts;
use super::directions::{Boxes, Found, search};
use super::judge::Judged;
use super::mode::Mode;
use crate::num::Tol;

/// What is known of a combination.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// Its solutions: none, one or several, and whether it is proven that there are no others.
    Solutions(Vec<Judged>, bool),
    /// It cannot hold.
    Pruned,
    /// Nothing is proven.
    Undecided,
}

impl Contacts {
    /// Decides a combination.
    pub(super) fn known(&self, modes: &[Mode], within: Boxes<'_>, tol: &Tol) -> Known {
        let leaving = self.leaving(modes);
        if leaving.iter().any(|&i| self.cannot_slip(modes, i, tol)) {
            return Known::Pruned;
        }
        if leaving.is_empty() {
            return told(self.judge(modes, tol));
        }
        if let Some(along) = self.one_way(modes, &leaving, tol) {
            return joined([1.0, -1.0].map(|sign| {
                let mut modes = modes.to_vec();
                for (&i, along) in leaving.iter().zip(&along) {
                    modes[i] = modes[i].directed(along.map(|x| sign * x));
                }
                told(self.judge(&modes, tol))
            }));
        }
        if self.basis(&self.held_rows(modes), tol.dependent).others.is_empty() {
            let Found { solved, complete } = search(self, modes, within, tol);
            return Known::Solutions(solved, complete);
        }
        Known::Undecided
    }

    /// The directions of the contacts that leave rest if what is held leaves them one motion, forth or back: a body that turns about a foot that
    /// sticks, a point on a rail.
    fn one_way(&self, modes: &[Mode], leaving: &[usize], tol: &Tol) -> Option<Vec<[f64; 2]>> {
        let held = self.basis(&self.held_rows(modes), tol.dependent).rows;
        let rows = |&i: &usize| [1, 2].map(|k| self.normal(i) + k);
        let tangents: Vec<usize> = leaving.iter().flat_map(rows).collect();
        let reduced = self.reduced(&held)?;
        let own = |row: usize| reduced.gain(row, row);
        let first = tangents.iter().copied().max_by(|&i, &j| own(i).total_cmp(&own(j)))?;
        let all = self.basis(&[&held[..], &tangents].concat(), tol.dependent).rows;
        if all.len() != held.len() + 1 {
            return None;
        }
        let direction = |i: &usize| {
            let ways = rows(i).map(|row| reduced.gain(row, first) / own(first));
            let still = rows(i).iter().zip(ways).all(|(&row, way)| {
                let rest = reduced.free(row) - way * reduced.free(first);
                rest.abs() <= tol.marginal * (self.sizes[row] + self.sizes[first])
            });
            let size = ways[0].hypot(ways[1]);
            (still && size > tol.marginal).then(|| ways.map(|x| x / size))
        };
        leaving.iter().map(direction).collect()
    }

    /// Whether what a combination holds leaves a contact that is to slip no slip acceleration.
    fn cannot_slip(&self, modes: &[Mode], contact: usize, tol: &Tol) -> bool {
        let held = self.basis(&self.held_rows(modes), tol.dependent).rows;
        let tangents = [1, 2].map(|k| self.normal(contact) + k);
        let more: Vec<usize> = held.iter().copied().chain(tangents).collect();
        if self.basis(&more, tol.dependent).rows.len() > held.len() {
            return false;
        }
        let Some(reduced) = self.reduced(&held) else { return false };
        tangents.iter().all(|&row| reduced.free(row).abs() <= tol.marginal * reduced.free_size(row))
    }
}

fn told(judged: Judged) -> Known {
    if judged.open { Known::Undecided } else { Known::Solutions(vec![judged], true) }
}

fn joined(both: [Known; 2]) -> Known {
    let (mut all, mut complete) = (Vec::new(), true);
    for known in both {
        match known {
            Known::Solutions(found, proven) => {
                all.extend(found);
                complete &= proven;
            }
            Known::Undecided => complete = false,
            Known::Pruned => {}
        }
    }
    Known::Solutions(all, complete)
}
