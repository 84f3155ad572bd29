//! A critical step, of length h̄   [A09 (16)]. Where contacts are struck, Moreau's step with the mechanism as it is where the step begins:
//! M (v⁺ − v) + h̄ h = Wᵀ Λ, q⁺ = q + ½ h̄ (v + v⁺), and for the contacts that are closed or close the rule of joint impacts ([`Group`]) from
//! the velocities that h̄ leaves without contacts, 0 ≤ U_N⁺ + e U_N ⊥ Λ_N ≥ 0 with Coulomb's law on the slip after it. e is the contact's coefficient, by
//! whatever law it has; with tangential restitution the slip in Coulomb's law is U_T⁺ + e_T U_T. Where nothing is struck the present forces act on.

use super::run::Run;
use crate::contact::Laws;
use crate::impact::{Group, JointImpact};
use crate::model::Block;
use crate::predict::Mode;
use crate::simulate::event::impacts::{Struck, joint_detail};
use crate::simulate::event::watch::Watch;
use crate::simulate::integrate::Flow;
use crate::simulate::trajectory::{EventDetail, EventKind, Status, StopReason};

/// The impulses of a critical step.
struct Blow {
    /// Contact rows, contact by contact.
    rows: Vec<usize>,
    before: Vec<f64>,
    found: JointImpact,
}

impl Run<'_> {
    /// Crosses a critical step.
    pub(super) fn cross(&mut self, length: f64) -> Result<(), StopReason> {
        self.mechanics.take(&self.doing);
        self.evaluate()?;
        let closed: Vec<usize> = (0..self.doing.len()).filter(|&c| self.doing[c].is_closed()).collect();
        let struck = self.striking(length);
        if struck.is_empty() {
            self.pass(length)?;
            if self.mechanics.work.springs.active {
                let Self { mechanics, happened, .. } = self;
                happened.iter().for_each(|&watch| mechanics.change_spring(watch));
            }
            return self.go_on(&closed, &struck);
        }
        self.strike(&closed, &struck, length)
    }

    /// The blow on contacts, some of which were open, and what follows it.
    pub(super) fn strike(
        &mut self,
        closed: &[usize],
        struck: &[usize],
        length: f64,
    ) -> Result<(), StopReason> {
        let mut active: Vec<usize> = closed.iter().chain(struck).copied().collect();
        active.sort_unstable();
        let mut blow = self.moreau(&active, struck, length)?;
        let dim = 1 + self.mechanics.layout().tangents;
        let caught = |blow: &Blow, run: &Self, c: usize| {
            let place = active.iter().position(|&other| other == c).map_or(0, |i| i * dim);
            run.is_caught(c, blow.found.after[place])
        };
        let free: Vec<usize> = struck.iter().copied().filter(|&c| !caught(&blow, self, c)).collect();
        if free.len() < struck.len() {
            blow = self.moreau(&active, &free, length)?;
        }
        let before = self.mechanics.energy();
        self.apply(&blow, length);
        self.evaluate()?;
        self.impacts += self.mechanics.energy() - before;
        let loss = before - self.mechanics.energy();
        for (i, &contact) in active.iter().enumerate() {
            if struck.contains(&contact) {
                let detail = joint_detail((&blow.before, &blow.found), i * dim..(i + 1) * dim, loss);
                self.event(EventKind::Impact, Some(contact), EventDetail::Impact(detail));
            }
        }
        self.go_on(&active, struck)
    }

    /// Open contacts that close within the step, by prediction   [A09 (18)] or because their gaps were seen to fall.
    fn striking(&mut self, length: f64) -> Vec<usize> {
        let contacts = 0..self.doing.len();
        let open: Vec<usize> = contacts.filter(|&c| self.doing[c] == Mode::Free).collect();
        let closes = |run: &mut Self, c: usize| {
            let (gap, rate) = (run.mechanics.gap(c), run.mechanics.gap_rate(c));
            let seen = run.happened.contains(&Watch::Gap(c));
            (seen || rate < 0.0 && gap + length * rate <= 0.0) && run.is_active(c)
        };
        open.into_iter().filter(|&c| closes(self, c)).collect()
    }

    /// Whether the flight after a rebound would be over within a critical step, 2U/|b|, or is below the rounding of the gap,
    /// U²/2|b|.
    fn is_caught(&self, contact: usize, rebound: f64) -> bool {
        let (n, pressed) = (self.n(), -self.free_acceleration(self.mechanics.row(contact)));
        let size =
            Watch::Gap(contact).size(&self.mechanics, (&self.y[..n], &self.y[n..2 * n]), self.critical);
        let rounding = f64::EPSILON * size;
        pressed > 0.0
            && (2.0 * rebound <= self.critical * pressed || rebound * rebound <= 2.0 * pressed * rounding)
    }

    /// The step in which nothing is struck.
    fn pass(&mut self, length: f64) -> Result<(), StopReason> {
        let n = self.n();
        let mut rate = vec![0.0; self.y.len()];
        self.mechanics.rate(0.0, &self.y, &mut rate).map_err(|error| self.failed(&error))?;
        for (i, rate) in rate.iter().enumerate() {
            self.y[i] += length * rate;
        }
        for i in 0..n {
            self.y[i] += 0.5 * length * length * rate[n + i];
        }
        self.works[0] += self.y[2 * n + 1];
        self.works[1] += self.y[2 * n + 2];
        self.y[2 * n..].fill(0.0);
        self.t += length;
        self.mechanics.base = self.t;
        self.evaluate()
    }

    /// The impulses, at the state evaluated last; contacts in `elastic` rebound.
    fn moreau(&self, active: &[usize], elastic: &[usize], length: f64) -> Result<Blow, StopReason> {
        let mechanics = &self.mechanics;
        let Struck { rows, D, before } = Struck::together(active, mechanics);
        let free: Vec<f64> =
            rows.iter().zip(&before).map(|(&row, u)| u + length * self.free_acceleration(row)).collect();
        let laws: Vec<&Laws> = active.iter().map(|&c| &mechanics.laws[c]).collect();
        let dim = 1 + mechanics.layout().tangents;
        let returned = |(i, u): (usize, &f64)| match (elastic.contains(&active[i / dim]), i % dim) {
            (false, _) => 0.0,
            (true, 0) => laws[i / dim].restitution.coefficient() * u.min(0.0),
            (true, _) => laws[i / dim].tangential * u,
        };
        let returned: Vec<f64> = before.iter().enumerate().map(returned).collect();
        let group = Group { D: &D, laws: &laws, before: &free };
        let all = group.impacts_that_return(&returned).map_err(|reason| (Status::Undecided, Some(reason)))?;
        let none = match all.complete {
            true => Status::Inconsistent,
            false => Status::Undecided,
        };
        let nothing = all.nothing();
        let found = self.one_of(all.found)?.ok_or_else(|| (none, Some(nothing.to_string())))?;
        Ok(Blow { rows, before, found })
    }

    /// The one impact, or of several the one that is asked for.
    fn one_of(&self, mut all: Vec<JointImpact>) -> Result<Option<JointImpact>, StopReason> {
        let tangents = self.mechanics.layout().tangents;
        let name = |impact: &JointImpact| {
            let words: Vec<_> = impact.modes.iter().map(|mode| mode.word(tangents)).collect();
            format!("impact({})", words.join(","))
        };
        if all.is_empty() {
            return Ok(None);
        }
        let names: Vec<String> = all.iter().map(name).collect();
        Ok(Some(all.swap_remove(self.chosen(&names)?)))
    }

    fn apply(&mut self, blow: &Blow, length: f64) {
        let n = self.n();
        let response = self.mechanics.block(Block::Response);
        let free = self.mechanics.block(Block::FreeAcceleration);
        let (q, rest) = self.y.split_at_mut(n);
        for i in 0..n {
            let pushed: f64 =
                blow.rows.iter().zip(&blow.found.impulse).map(|(row, r)| response[row * n + i] * r).sum();
            let before = rest[i];
            rest[i] += length * free[i] + pushed;
            q[i] += 0.5 * length * (before + rest[i]);
        }
        self.t += length;
    }
}
