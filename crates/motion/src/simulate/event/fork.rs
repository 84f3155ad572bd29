//! Impacts that may go several ways, and what is said where not every way on is known.

use super::impacts::{ContactImpact, NoImpact, impacts};
use super::modes::{Candidate, Choice};
use super::run::Run;
use crate::analysis::several::OTHERS;
use crate::simulate::trajectory::{EventDetail, EventKind, Status, StopReason};

impl Run<'_> {
    /// The impacts of this instant; of several ways that the law allows the one that is asked for.
    pub(super) fn impacts_now(
        &mut self,
        approaching: &[usize],
        held: &[usize],
    ) -> Result<Vec<ContactImpact>, StopReason> {
        let laws = self.laws_of_impact();
        let found = impacts(approaching, held, (&laws, &self.phases.mechanics), &self.options.tol);
        let found = found.map_err(|none| self.no_impact(none))?;
        if !found.complete {
            self.leave_out(OTHERS);
        }
        let mut ways = found.ways;
        if ways.len() == 1 {
            return Ok(ways.remove(0).hits);
        }
        let candidate =
            |(name, hits): (String, Vec<ContactImpact>)| Candidate { name, choice: Choice::Impact(hits) };
        let several: Vec<Candidate> = ways
            .into_iter()
            .map(|way| candidate((format!("impact({})", way.words.join(",")), way.hits)))
            .collect();
        if let Some(Choice::Impact(hits)) = self.wanted(&several) {
            return Ok(hits);
        }
        let mut closed = [approaching, held].concat();
        closed.sort_unstable();
        let names: Vec<&str> = several.iter().map(|candidate| candidate.name.as_str()).collect();
        let reason =
            format!("several impacts satisfy the law of the contacts together: {}", names.join(", "));
        Err(self.fork(&several, &closed, reason))
    }

    /// No impulses are found: a contradiction where that is proven.
    pub(super) fn no_impact(&mut self, NoImpact { reason, proven }: NoImpact) -> StopReason {
        if !proven {
            return (Status::Undecided, Some(reason));
        }
        let detail = EventDetail::Futures { futures: Vec::new(), reason: reason.clone() };
        self.event(EventKind::Inconsistent, None, detail);
        (Status::Inconsistent, Some(reason))
    }

    /// Something else may happen, which is not followed.
    pub(super) fn leave_out(&mut self, what: &str) {
        self.complete = false;
        self.warn(what);
    }
}
