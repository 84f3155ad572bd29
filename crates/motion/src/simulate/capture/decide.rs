//! What closed contacts do next, as the engine has it ([`predict`](crate::predict)), and what is made of it here: of several motions the one that
//! is asked for, no impact without collision.

use super::run::Run;
use crate::contact::Hold;
use crate::model::Block;
use crate::predict::Mode;
use crate::simulate::event::Hyperstatic;
use crate::simulate::event::modes::{Candidate, Choice, Instant, prospects};
use crate::simulate::trajectory::{EventDetail, EventKind, Status, StopReason};
use nalgebra::{DMatrix, DVector};

/// Share of a step in which a mode is tried.
const SHORT: f64 = 1.0 / 1024.0;

impl Run<'_> {
    /// The state as it is given: a blow on contacts that approach, then the modes of those that are closed.
    pub(super) fn start(&mut self) -> Result<(), StopReason> {
        self.evaluate()?;
        let closed = self.begin.closed;
        let approaches = |c: &usize| self.is_struck(*c);
        let (approaching, held): (Vec<usize>, Vec<usize>) = closed.iter().copied().partition(approaches);
        if approaching.is_empty() { self.go_on(&held, &[]) } else { self.strike(&held, &approaching, 0.0) }
    }

    /// Whether a closed contact moves as it may not: towards its surface, away from one that holds it.
    fn is_struck(&self, contact: usize) -> bool {
        let (rate, slow) = (self.mechanics.gap_rate(contact), self.slow(contact));
        rate < -slow || (self.begin.laws[contact].hold == Hold::Bilateral && rate > slow)
    }

    /// The smooth motion that follows, of contacts that were closed or struck.
    pub(super) fn go_on(&mut self, active: &[usize], struck: &[usize]) -> Result<(), StopReason> {
        let parts = |c: &usize| {
            self.begin.laws[*c].hold == Hold::Unilateral && self.mechanics.gap_rate(*c) > self.slow(*c)
        };
        let closed: Vec<usize> = active.iter().copied().filter(|c| !parts(c)).collect();
        self.stop(&closed)?;
        let (doing, spread) = self.decide(&closed)?;
        let begins = self.points.is_empty();
        for contact in 0..doing.len() {
            let kind = EventKind::of_change(self.doing[contact], doing[contact]);
            if let Some(kind) = kind.filter(|_| !begins && !struck.contains(&contact)) {
                self.event(kind, Some(contact), EventDetail::None {});
            }
        }
        let n = self.n();
        let at = (self.t, &self.y[..n], &self.y[n..2 * n]);
        self.record.choose_by_stiffness(at, spread, self.begin.laws);
        self.set_out(doing)
    }

    /// Gap rates of closed contacts, and slips that are none, become zero to the last digit.
    fn stop(&mut self, closed: &[usize]) -> Result<(), StopReason> {
        let mut rows = Vec::new();
        for &contact in closed {
            let row = self.mechanics.row(contact);
            rows.push(row);
            let rests = self.slip_speed(contact) <= self.slow(contact);
            if rests && !self.begin.laws[contact].friction.is_zero() {
                rows.extend(row + 1..=row + self.mechanics.layout().tangents);
            }
        }
        if rows.is_empty() {
            return Ok(());
        }
        let D = DMatrix::from_fn(rows.len(), rows.len(), |i, j| self.mechanics.delassus(rows[i], rows[j]));
        let u = DVector::from_iterator(rows.len(), rows.iter().map(|&row| self.rate(row)));
        let Ok(impulses) = D.svd(true, true).solve(&-u, self.options.tol.dependent) else { return Ok(()) };
        let n = self.n();
        let response = self.mechanics.block(Block::Response);
        for (row, r) in rows.iter().zip(impulses.iter()) {
            let z = &response[row * n..(row + 1) * n];
            self.y[n..2 * n].iter_mut().zip(z).for_each(|(v, z)| *v += r * z);
        }
        self.evaluate()
    }

    /// The rate of a contact row.
    fn rate(&self, row: usize) -> f64 {
        let dim = 1 + self.mechanics.layout().tangents;
        match (row / dim, row % dim) {
            (contact, 0) => self.mechanics.gap_rate(contact),
            (contact, k) => self.mechanics.slip(contact)[k - 1],
        }
    }

    /// The modes of closed contacts, at the state evaluated last, with a spread where their forces are by stiffness.
    fn decide(&mut self, closed: &[usize]) -> Result<(Vec<Mode>, Option<f64>), StopReason> {
        if closed.is_empty() {
            return Ok((vec![Mode::Free; self.doing.len()], None));
        }
        let n = self.n();
        let (q, v) = (self.y[..n].to_vec(), self.y[n..2 * n].to_vec());
        let (t, h, names) = (self.t, self.h, &self.begin.names.contacts);
        let speeds: Vec<f64> =
            (0..self.doing.len()).map(|contact| self.mechanics.contact_speed(contact, &v, h)).collect();
        let (short, tol) = (h * SHORT, &self.options.tol);
        let instant = Instant { t, q: &q, v: &v, closed, names, speeds: &speeds, short, tol };
        let Self { mechanics, probe, .. } = self;
        let found = prospects(&instant, mechanics, probe).map_err(|error| self.failed(&error))?;
        let ways = Candidate::all(&found.ways, closed, self.doing.len());
        match &ways[..] {
            [] if found.undecided => Err((Status::Undecided, Some(found.reason))),
            [] => Err((Status::Inconsistent, Some(found.reason))),
            several => self.wanted(several),
        }
    }

    fn wanted(&self, several: &[Candidate]) -> Result<(Vec<Mode>, Option<f64>), StopReason> {
        let names: Vec<String> = several.iter().map(|candidate| candidate.name.clone()).collect();
        match &several[self.chosen(&names)?].choice {
            Choice::Motion(_, Some(_)) if self.options.hyperstatic == Hyperstatic::Stop => {
                let reason = "accelerations depend on forces that are not unique".to_string();
                Err((Status::Indeterminate, Some(reason)))
            }
            Choice::Motion(doing, spread) => Ok((doing.clone(), *spread)),
            Choice::Iwc(_) | Choice::Impact(_) => {
                let reason = "an impact without collision, of which this scheme knows nothing".to_string();
                Err((Status::Inconsistent, Some(reason)))
            }
        }
    }

    /// The place of the way on that is asked for, or of the only one.
    pub(super) fn chosen(&self, names: &[String]) -> Result<usize, StopReason> {
        let named = |name: &String| names.iter().position(|other| other == name);
        let asked = self.options.futures.iter().find_map(named);
        asked.or_else(|| (names.len() == 1).then_some(0)).ok_or_else(|| {
            let reason = format!("several motions are possible: {}", names.join(", "));
            (Status::Indeterminate, Some(reason))
        })
    }
}
