//! Moreau's step across a critical step of length h̄   [A09 (16)]: M (v⁺ − v) + h̄ h = Wᵀ Λ with the mechanism as it is where the
//! step begins, q⁺ = q + ½ h̄ (v + v⁺), and for the contacts that are closed or close, Coulomb's law on the slip after it and
//! 0 ≤ U_N⁺ + e U_N ⊥ Λ_N ≥ 0. e is the contact's coefficient, by whatever law it has; with tangential restitution the slip in Coulomb's law is U_T⁺ + e_T U_T.

use super::grip::{self, Grip};
use super::run::Run;
use crate::contact::Hold;
use crate::model::Block;
use crate::predict::Mode;
use crate::simulate::event::watch::Watch;
use crate::simulate::trajectory::{
    EventDetail, EventKind, ImpactDetail, Impulses, Over, Pair, Rates, Status,
};

/// The impulses of a critical step.
struct Blow {
    /// Contact rows, contact by contact.
    rows: Vec<usize>,
    before: Vec<f64>,
    after: Vec<f64>,
    impulses: Vec<f64>,
}

impl Run<'_> {
    /// Crosses a critical step.
    pub(super) fn cross(&mut self, length: f64) -> Result<(), Over> {
        self.mechanics.set(&self.doing);
        self.evaluate()?;
        let closed: Vec<usize> = (0..self.doing.len()).filter(|&c| self.doing[c].is_closed()).collect();
        let struck = self.striking(length);
        self.strike(&closed, &struck, length)
    }

    /// The blow on contacts, some of which were open, and what follows it.
    pub(super) fn strike(&mut self, closed: &[usize], struck: &[usize], length: f64) -> Result<(), Over> {
        let mut active: Vec<usize> = closed.iter().chain(struck).copied().collect();
        active.sort_unstable();
        let mut blow = self.moreau(&active, struck, length)?;
        let dim = 1 + self.mechanics.layout().tangents;
        let caught = |blow: &Blow, run: &Self, c: usize| {
            let place = active.iter().position(|&other| other == c).map_or(0, |i| i * dim);
            run.is_caught(c, blow.after[place])
        };
        let free: Vec<usize> = struck.iter().copied().filter(|&c| !caught(&blow, self, c)).collect();
        if free.len() < struck.len() {
            blow = self.moreau(&active, &free, length)?;
        }
        let before = self.mechanics.energy();
        self.apply(&blow, length);
        self.evaluate()?;
        if struck.is_empty() {
            let tangential = (0..blow.rows.len()).filter(|i| i % dim > 0);
            let work = |i: usize| 0.5 * blow.impulses[i] * (blow.before[i] + blow.after[i]);
            self.works[1] += tangential.map(work).sum::<f64>();
        } else {
            self.impacts += self.mechanics.energy() - before;
        }
        let loss = before - self.mechanics.energy();
        for (i, &contact) in active.iter().enumerate() {
            if struck.contains(&contact) {
                let detail = blow.detail(i * dim..(i + 1) * dim, loss);
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

    /// The impulses, at the state evaluated last; contacts in `elastic` rebound.
    fn moreau(&self, active: &[usize], elastic: &[usize], length: f64) -> Result<Blow, Over> {
        let mechanics = &self.mechanics;
        let dim = 1 + mechanics.layout().tangents;
        let rows = self.rows(active);
        let before: Vec<f64> = active
            .iter()
            .flat_map(|&c| std::iter::once(mechanics.gap_rate(c)).chain(mechanics.slip(c).iter().copied()))
            .collect();
        let free: Vec<f64> =
            rows.iter().zip(&before).map(|(&row, u)| u + length * self.free_acceleration(row)).collect();
        let mut q = free.clone();
        for (i, contact) in active.iter().enumerate().filter(|(_, c)| elastic.contains(c)) {
            let laws = &mechanics.laws[*contact];
            q[i * dim] += laws.restitution.coefficient() * before[i * dim].min(0.0);
            for k in i * dim + 1..(i + 1) * dim {
                q[k] += laws.tangential * before[k];
            }
        }
        let impulses = self.solve(active, &vec![None; active.len()], &q)?.0;
        let D = |i: usize, j: usize| mechanics.delassus(rows[i], rows[j]);
        let driven = |i: usize| (0..rows.len()).map(|j| D(i, j) * impulses[j]).sum::<f64>();
        let after = (0..rows.len()).map(|i| free[i] + driven(i)).collect();
        Ok(Blow { rows, before, after, impulses })
    }

    /// Coulomb's problem u = W r + q of some contacts, which slip along these directions: r and u, as exactly as doubles allow.
    pub(super) fn solve(
        &self,
        active: &[usize],
        along: &[Option<[f64; 2]>],
        q: &[f64],
    ) -> Result<(Vec<f64>, Vec<f64>), Over> {
        let laws = &self.mechanics.laws;
        let grip = |(&c, &along): (&usize, &Option<[f64; 2]>)| Grip {
            friction: laws[c].friction,
            bilateral: laws[c].hold == Hold::Bilateral,
            along,
        };
        let grips: Vec<Grip> = active.iter().zip(along).map(grip).collect();
        let rows = self.rows(active);
        let D = |i: usize, j: usize| self.mechanics.delassus(rows[i], rows[j]);
        grip::solve(&grips, q, D, &self.options.tol).map_err(|reason| {
            let said = "no impulses or forces were found that satisfy the contact laws";
            (Status::Inconsistent, Some(format!("{said} at t = {}: {reason}", self.t)))
        })
    }

    /// The rows of some contacts.
    pub(super) fn rows(&self, active: &[usize]) -> Vec<usize> {
        let dim = 1 + self.mechanics.layout().tangents;
        active
            .iter()
            .flat_map(|&c| (0..dim).map(move |k| (c, k)))
            .map(|(c, k)| self.mechanics.row(c) + k)
            .collect()
    }

    fn apply(&mut self, blow: &Blow, length: f64) {
        let n = self.n();
        let response = self.mechanics.block(Block::Response);
        let free = self.mechanics.block(Block::FreeAcceleration);
        let (q, rest) = self.y.split_at_mut(n);
        for i in 0..n {
            let pushed: f64 =
                blow.rows.iter().zip(&blow.impulses).map(|(row, r)| response[row * n + i] * r).sum();
            let before = rest[i];
            rest[i] += length * free[i] + pushed;
            q[i] += 0.5 * length * (before + rest[i]);
        }
        self.t += length;
    }
}

impl Blow {
    fn detail(&self, rows: std::ops::Range<usize>, loss: f64) -> ImpactDetail {
        let rates = |u: &[f64]| Rates { u: Pair::of(&u[1..]), v: u[0].into() };
        let impulse = &self.impulses[rows.clone()];
        ImpactDetail {
            pre: rates(&self.before[rows.clone()]),
            post: rates(&self.after[rows]),
            impulse: Impulses { normal: impulse[0].into(), tangential: Pair::of(&impulse[1..]) },
            energy_loss: loss.into(),
            law: "moreau".into(),
        }
    }
}
