//! Ends of slips: which count as none, and which end with those of others.

use super::super::guard::Guard;
use super::super::tolerance::{FOLLOWING, LAUNCH, SLOW_IN_SPACE};
use super::{Ending, Run, failed};
use crate::model::Block;
use crate::simulate::smooth::ContactMotion;

impl Run<'_> {
    /// The slips in space that count as none; those that fall are at their ends, which `fired` says. The point is evaluated.
    pub(super) fn slow_slips(&mut self) {
        let places = self.field.places;
        for contact in (0..places.m).filter(|_| places.d > 1) {
            self.floors[contact] = self.slow(contact);
            let (slip, row) = (&self.point[places.slip(contact)], places.rows(contact).start + 1);
            let slow = size(slip) <= self.floors[contact];
            let pairs = slip.iter().zip(&self.field.now.rows[row..]);
            let falls = pairs.map(|(u, rate)| u * rate).sum::<f64>() < 0.0;
            let slips = matches!(self.field.regime.motions[contact], ContactMotion::Slips { .. });
            let true_slip = slips && self.field.regime.spring(contact).is_none();
            if true_slip && slow && falls {
                self.fired.push(Guard::Rest(contact));
            }
        }
    }

    /// The slip below which a contact counts as at rest.
    fn slow(&self, contact: usize) -> f64 {
        let row = self.field.places.rows(contact).start + 1;
        SLOW_IN_SPACE * self.sizes.speed(&self.field, row)
    }

    /// Slips that are at their ends beside an event: those that the contacts at rest leave nothing of, as that of the third foot of a body,
    /// unless they grow. The same contacts keep those from slipping that are `given` to begin, as one that the body turned about.
    pub(super) fn rest_together(&mut self, given: &mut Vec<(usize, [f64; 2])>) -> Result<(), Ending> {
        let (places, n) = (self.field.places, self.field.places.n);
        let truly = |run: &Self, contact: usize| {
            let regime = &run.field.regime;
            regime.motions[contact] != ContactMotion::Free && regime.spring(contact).is_none()
        };
        let rests = |run: &Self, contact: usize| size(&run.point[places.slip(contact)]) <= 0.0;
        let resting: Vec<usize> =
            (0..places.m).filter(|&contact| truly(self, contact) && rests(self, contact)).collect();
        let grows: Vec<bool> = (0..places.m).map(|contact| self.grows(contact)).collect();
        let mut moved = self.point.clone();
        self.projection.resting(&self.field, &self.point, &mut moved[n..2 * n]);
        self.field.place(self.radau.time(), &moved).map_err(failed)?;
        for contact in 0..places.m {
            let slips = self.field.kernel.block(&self.field.now.values, Block::Slip);
            let left = size(&slips[contact * places.d..(contact + 1) * places.d]);
            let slow = FOLLOWING / SLOW_IN_SPACE * self.slow(contact);
            let slips = truly(self, contact) && !resting.contains(&contact) && !grows[contact];
            if slips && left <= slow && self.field.follows(contact, &resting) {
                self.point[places.slip(contact)].fill(0.0);
            }
        }
        let rests = |run: &Self, contact: usize| truly(run, contact) && rests(run, contact);
        let free = |contact: usize| given.iter().all(|(other, _)| *other != contact);
        let held: Vec<usize> = (0..places.m).filter(|&c| free(c) && rests(self, c)).collect();
        given.retain(|&(contact, _)| !truly(self, contact) || !self.field.follows(contact, &held));
        Ok(())
    }

    /// Whether a slip at the evaluated point grows, in the plane: in space those that begin have speeds that mean nothing, and would all
    /// do so.
    fn grows(&self, contact: usize) -> bool {
        let [slip] = self.point[self.field.places.slip(contact)] else { return false };
        slip.abs() > 0.0 && self.field.gathers(contact, slip.signum()) == Some(1.0)
    }

    /// Slips in space that begin do so with hardly more than counts as none: at rest their direction, and the stiffness of friction,
    /// have no limit. Those that a cone lets go have speeds as the motion that follows.
    pub(super) fn launch(&mut self, given: &[(usize, [f64; 2])]) {
        let begins = |&(contact, along): &(usize, [f64; 2])| {
            let speed = self.field.speed_of_begin(contact);
            (contact, along.map(|along| speed * along))
        };
        let given = given.iter().map(begins).collect();
        self.launch_along(given);
    }

    /// The same of slips that the decision lets begin, which are as their accelerations at the evaluated point.
    pub(super) fn launch_decided(&mut self) {
        let (places, regime) = (self.field.places, &self.field.regime);
        let resting = self.decision.resting.iter();
        let slips = resting.filter(|&&c| matches!(regime.motions[c], ContactMotion::Slips { .. }));
        let decided = slips.map(|&contact| {
            let rows = &self.field.now.rows[places.rows(contact)][1..];
            (contact, std::array::from_fn(|k| rows.get(k).copied().unwrap_or(0.0)))
        });
        let decided = decided.collect();
        self.launch_along(decided);
    }

    /// Begins slips with these velocities, brought to size: the slowest has the first part of [`LAUNCH`], or the fastest the last.
    fn launch_along(&mut self, velocities: Vec<(usize, [f64; 2])>) {
        let places = self.field.places;
        let truly = |contact: usize| places.d > 1 && self.field.regime.spring(contact).is_none();
        let over = |&(contact, velocity): &(usize, [f64; 2])| size(&velocity) / self.slow(contact);
        let sizes = velocities.iter().filter(|(contact, _)| truly(*contact)).map(over);
        let (least, most) =
            sizes.fold((f64::INFINITY, 0.0_f64), |(least, most), x| (least.min(x), most.max(x)));
        let factor = (LAUNCH[0] / least).min(LAUNCH[1] / most);
        if !(factor > 0.0 && factor.is_finite()) {
            return;
        }
        for (contact, velocity) in
            velocities.into_iter().filter(|(contact, _)| truly(*contact)).collect::<Vec<_>>()
        {
            let slip = &mut self.point[places.slip(contact)];
            slip.iter_mut().zip(velocity).for_each(|(u, along)| *u = factor * along);
        }
    }

    /// What the decision lets slip out of rest sticks if its rows follow from those of contacts that stick, and there are forces that hold
    /// all of it: what they do not hold would give way at once, to be bound again.
    pub(super) fn bind(&mut self) -> Result<(), Ending> {
        let decided = self.field.regime.motions.clone();
        let sticks = |motion: &ContactMotion| *motion == ContactMotion::Sticks;
        for k in 0..self.decision.resting.len() {
            let (contact, field) = (self.decision.resting[k], &mut self.field);
            let motions = field.regime.motions.iter().enumerate();
            let truly = motions.filter(|(_, motion)| sticks(motion)).map(|(other, _)| other);
            let truly: Vec<usize> = truly.filter(|&other| field.regime.spring(other).is_none()).collect();
            if !sticks(&field.regime.motions[contact]) && field.follows(contact, &truly) {
                field.regime.motions[contact] = ContactMotion::Sticks;
            }
        }
        self.field.evaluate_anew(0.0, &self.point).map_err(failed)?;
        if self.field.regime.motions != decided && !self.field.holds() {
            self.field.regime.motions = decided;
            self.field.evaluate_anew(0.0, &self.point).map_err(failed)?;
        }
        Ok(())
    }
}

fn size(slip: &[f64]) -> f64 {
    slip.iter().fold(0.0, |sum: f64, u| sum.hypot(*u))
}
