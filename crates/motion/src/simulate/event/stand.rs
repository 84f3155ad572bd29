//! Where contacts stand at an instant: one rule for all of them, at the start of a motion, after an impact and at every event.
//!
//! A contact whose gap is not zero is open. One whose gap is zero approaches, rests or parts by its gap rate, and a rate is zero
//! if it is rounding: of the velocities that it was made of since the instant began, those before an impact and those that
//! its impulses changed included, against the mechanism's own speed √(L b), or because a gap that is rounding falls that
//! fast. What rests is closed, its rates are made zero, and every way on is checked for it; what parts has a rate that takes it
//! away.

use super::impacts::ContactImpact;
use super::phase::ZERO;
use super::run::Run;
use super::watch::Watch;
use crate::contact::{Hold, Laws};
use crate::model::Block;
use crate::predict::Mode;

/// Share of the speed that all of the energy would give a contact which is part of the size of its rates: that of velocities that
/// come out of other ones, of which nothing but rounding is left.
const WHOLE: f64 = 1.0 / 1024.0;

/// By how many times the largest slip that is rounding others may change with it.
const LEVER: f64 = 1024.0;

/// Contacts with a zero gap, by their rates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Standing {
    /// Those that have to be struck.
    pub(super) approaching: Vec<usize>,
    /// Those that are closed.
    pub(super) resting: Vec<usize>,
}

impl Run<'_> {
    /// An instant begins: nothing is known of what its rates are made of.
    pub(super) fn begin_instant(&mut self, watch: Option<Watch>) {
        self.speeds.clear();
        self.speeds.resize(self.phases.doing.len(), 0.0);
        self.shaken.clear();
        self.shaken.resize(self.phases.doing.len(), 0.0);
        self.include_speeds();
        let hops = (0..self.phases.doing.len()).map(|contact| {
            // it falls at once from where it has just been at its surface
            let falls = watch == Some(Watch::Gap(contact)) && self.phases.t <= self.left[contact];
            falls || self.came_from_a_hop(contact)
        });
        self.hops = hops.collect();
    }

    /// Whether an open contact comes down from so near since it was at its surface last that nobody could see it: whatever the forces
    /// were that turned it, it rose to about a fourth of the way that its speed makes in that time.
    fn came_from_a_hop(&self, contact: usize) -> bool {
        let (phases, since) = (&self.phases, self.phases.t - self.left[contact]);
        let height = -0.25 * phases.mechanics.gap_rate(contact) * since;
        phases.doing[contact] == Mode::Free && height > 0.0 && height <= ZERO * self.gap_size(contact)
    }

    /// The velocities at the state that was evaluated last are part of what the rates of the instant are made of.
    pub(super) fn include_speeds(&mut self) {
        let mut speeds = std::mem::take(&mut self.speeds);
        for (contact, size) in speeds.iter_mut().enumerate() {
            let mechanics = &self.phases.mechanics;
            let length = self.length(contact);
            let own = (length * mechanics.contact_acceleration_size(contact)).sqrt();
            let whole = WHOLE * mechanics.whole_speed(contact);
            let present = mechanics.contact_speed(contact, self.phases.v(), self.own_step());
            *size = size.max(own).max(whole).max(present);
        }
        self.speeds = speeds;
    }

    /// The length that a gap is small against: the mechanism's own or, of a point mass, the furthest that it came in any direction and the way
    /// in which its forces would stop it from the fastest that it was.
    fn length(&self, contact: usize) -> f64 {
        if self.begin.length > 0.0 {
            return self.begin.length;
        }
        let (phases, n) = (&self.phases, self.phases.n());
        let first = phases.mechanics.row(contact);
        let rows = first..=first + phases.mechanics.layout().tangents;
        let along = |row: usize, sizes: &[f64]| -> f64 {
            phases.mechanics.jacobian(row).iter().zip(sizes).map(|(w, size)| (w * size).abs()).sum()
        };
        let most = |sizes: &[f64]| rows.clone().map(|row| along(row, sizes)).fold(0.0, f64::max);
        let (way, speed) = (most(&phases.sizes[..n]), most(&phases.sizes[n..2 * n]));
        let stop = speed * speed / phases.mechanics.contact_acceleration_size(contact);
        if stop.is_finite() { way.max(stop) } else { way }
    }

    /// The time in which a velocity comes and goes that is none: that of a step, where the mechanism has no length of its own. Where it
    /// has one, nothing at an instant depends on how long steps happen to be.
    fn own_step(&self) -> f64 {
        if self.begin.length > 0.0 { 0.0 } else { self.phases.h }
    }

    /// What impulses change is part of what the rates of the instant are made of; slips that those of hops which nobody could see set going are
    /// rounding as the hops are.
    pub(super) fn include_impulses(&mut self, hits: &[ContactImpact], unseen: bool) {
        let mechanics = &self.phases.mechanics;
        for contact in 0..self.speeds.len() {
            let change = |row: usize| -> f64 {
                let changes = hits.iter().flat_map(|hit| {
                    let first = mechanics.row(hit.contact);
                    let parts = hit.impulse.iter().enumerate();
                    parts.map(move |(k, impulse)| (mechanics.delassus(row, first + k) * impulse).abs())
                });
                changes.sum()
            };
            let row = mechanics.row(contact);
            self.speeds[contact] = self.speeds[contact].max(change(row));
            if unseen {
                let slips = (row + 1..=row + mechanics.layout().tangents).map(change);
                self.shaken[contact] += slips.sum::<f64>();
            }
        }
    }

    /// Contacts whose gap is zero: those that are closed, and those that came to it at the same time as another.
    pub(super) fn at_surface(&mut self, closed: &[usize]) -> Vec<usize> {
        let all = 0..self.phases.doing.len();
        all.filter(|contact| closed.contains(contact) || self.touches(*contact)).collect()
    }

    /// Whether a contact that is not known to be closed has a zero gap, or is where closing another one has put it.
    fn touches(&mut self, contact: usize) -> bool {
        let (mechanics, tol) = (&self.phases.mechanics, &self.options.tol);
        let (gap, size) = (mechanics.gap(contact), self.gap_size(contact));
        let touching = -tol.closed * size..=tol.motion.max(tol.noise) * size;
        mechanics.laws[contact].hold == Hold::Bilateral || touching.contains(&gap) && self.is_active(contact)
    }

    /// The laws of an impact: contacts that part, or that come from a hop that nobody could see, give nothing back.
    pub(super) fn laws_of_impact(&self) -> Vec<Laws> {
        let mechanics = &self.phases.mechanics;
        let mut laws = mechanics.laws.to_vec();
        for (contact, laws) in laws.iter_mut().enumerate() {
            if self.hops[contact] || mechanics.gap_rate(contact) > 0.0 {
                laws.restitution = laws.restitution.plastic();
            }
        }
        laws
    }

    /// Contacts with a zero gap, by their rates at the state that was evaluated last.
    pub(super) fn standing(&self, at_surface: &[usize]) -> Standing {
        let mechanics = &self.phases.mechanics;
        let mut found = Standing::default();
        for &contact in at_surface {
            let rate = mechanics.gap_rate(contact);
            let rests = rate.abs() <= self.options.tol.rest * self.speeds[contact]
                || !self.is_seen(contact, rate)
                || (rate > 0.0 && self.hops[contact])
                || mechanics.laws[contact].hold == Hold::Bilateral;
            if rests {
                found.resting.push(contact);
            } else if rate < 0.0 {
                found.approaching.push(contact);
            }
        }
        found
    }

    /// Whether a hop rises above the rounding of the gap, or a fall comes from above it: v²/2|b| where the contact is pressed.
    pub(super) fn is_seen(&self, contact: usize, rate: f64) -> bool {
        let mechanics = &self.phases.mechanics;
        let pressed = -mechanics.block(Block::FreeContactAcceleration)[mechanics.row(contact)];
        !(pressed > 0.0 && rate * rate <= 2.0 * pressed * ZERO * self.gap_size(contact))
    }

    /// What a gap is made of, the length that it is small against at least.
    fn gap_size(&self, contact: usize) -> f64 {
        let (state, length) = ((self.phases.q(), self.phases.v()), self.length(contact));
        Watch::Gap(contact).size(&self.phases.mechanics, state, self.own_step()).max(length)
    }

    /// The gaps of contacts that stay closed are zero to the last digit, so are their rates, and so is every slip that is rounding: what
    /// comes to rest may leave no more than that of others. A slip is none where more than rounding would have to change with it, as where a rod
    /// that lies flat turns: its foot on the floor hardly slips as the other one stays at the wall.
    pub(super) fn hold(&mut self, closed: &[usize]) {
        let before = self.phases.mechanics.energy();
        let (state, rates) = (self.phases.y.clone(), self.phases.mechanics.contact_rates());
        let rounding =
            |&contact: &usize| self.slow(contact).max(self.phases.mechanics.gap_rate(contact).abs());
        let rounding = closed.iter().map(rounding).fold(0.0, f64::max);
        self.come_to_rest_at(closed);
        let held = self.phases.mechanics.contact_rates();
        let moved = held.iter().zip(&rates).map(|(now, then)| (now - then).abs());
        if moved.fold(0.0, f64::max) > LEVER * rounding {
            self.phases.y = state;
            if self.phases.solve().is_ok() {
                self.stop(closed, &[]);
                let _ = self.phases.solve();
            }
        }
        self.impacts += self.phases.mechanics.energy() - before;
    }

    /// Makes zero what [`hold`](Self::hold) says, one contact after the other as they come to rest.
    fn come_to_rest_at(&mut self, closed: &[usize]) {
        let mut resting = self.at_rest(closed);
        loop {
            self.stop(closed, &resting);
            if self.phases.solve().is_err() {
                return;
            }
            let known = resting.len();
            let now = self.at_rest(closed);
            resting.extend(now.into_iter().filter(|contact| !resting.contains(contact)).collect::<Vec<_>>());
            if resting.len() == known {
                return;
            }
        }
    }

    /// Contacts whose slip is rounding.
    fn at_rest(&self, closed: &[usize]) -> Vec<usize> {
        let rests = |&contact: &usize| self.phases.mechanics.slip_speed(contact) <= self.slow(contact);
        closed.iter().copied().filter(rests).collect()
    }

    /// The slip of a contact that is rounding: of its velocities, or what hops that nobody could see set going.
    fn slow(&self, contact: usize) -> f64 {
        let unseen = (2.0 * ZERO).sqrt() * self.speeds[contact];
        self.shaken[contact].min(unseen).max(self.options.tol.rest * self.speeds[contact])
    }

    /// Makes gaps, their rates and the slips of contacts at rest zero.
    fn stop(&mut self, closed: &[usize], resting: &[usize]) {
        let (n, phases) = (self.phases.n(), &mut self.phases);
        let mut doing = vec![Mode::Free; phases.doing.len()];
        // what rests without friction is not held where it is, but has no slip
        let mut still = doing.clone();
        for &contact in closed {
            let rests = resting.contains(&contact);
            let sticks = rests && !phases.mechanics.laws[contact].friction.is_zero();
            doing[contact] = if sticks { Mode::STICK } else { Mode::slip(1.0) };
            still[contact] = if rests { Mode::STICK } else { Mode::slip(1.0) };
        }
        phases.keeper.keep(&doing, &phases.mechanics);
        let (q, rest) = phases.y.split_at_mut(n);
        if phases.keeper.settle(q, &phases.mechanics) {
            // rates are those at the surfaces
            let _ = phases.mechanics.solve(phases.t, q, &rest[..n]);
        }
        phases.keeper.keep(&still, &phases.mechanics);
        phases.keeper.stop(&mut rest[..n], &phases.mechanics);
    }
}
