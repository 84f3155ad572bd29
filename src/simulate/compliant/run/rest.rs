//! Ends of slips: which count as none, and which end with those of others.

use super::super::guard::Guard;
use super::super::tolerance::{FOLLOWING, SLOW_IN_SPACE};
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
            let pairs = slip.iter().zip(&self.field.now.rows[row..]);
            let grows = pairs.map(|(u, rate)| u * rate).sum::<f64>() >= 0.0;
            let slips = matches!(self.field.regime.motions[contact], ContactMotion::Slips { .. });
            let slow = size(slip) <= self.floors[contact];
            if slips && slow && !grows && self.field.regime.spring(contact).is_none() {
                self.fired.push(Guard::Rest(contact));
            }
        }
    }

    /// The slip below which a contact counts as at rest.
    fn slow(&self, contact: usize) -> f64 {
        let row = self.field.places.rows(contact).start + 1;
        SLOW_IN_SPACE * self.sizes.speed(&self.field, row)
    }

    /// Slips that are at their ends beside an event: those that the contacts at rest leave nothing of, as that of the third foot of a body. The same contacts keep those from slipping that are `given`
    /// to begin, as one that the body turned about.
    pub(super) fn rest_together(&mut self, given: &mut Vec<(usize, [f64; 2])>) -> Result<(), Ending> {
        let (places, n) = (self.field.places, self.field.places.n);
        let truly = |run: &Self, contact: usize| {
            let regime = &run.field.regime;
            regime.motions[contact] != ContactMotion::Free && regime.spring(contact).is_none()
        };
        let rests = |run: &Self, contact: usize| size(&run.point[places.slip(contact)]) <= 0.0;
        let resting: Vec<usize> =
            (0..places.m).filter(|&contact| truly(self, contact) && rests(self, contact)).collect();
        let mut moved = self.point.clone();
        self.projection.resting(&self.field, &self.point, &mut moved[n..2 * n]);
        self.field.place(self.radau.time(), &moved).map_err(failed)?;
        for contact in 0..places.m {
            let slips = self.field.kernel.block(&self.field.now.values, Block::Slip);
            let left = size(&slips[contact * places.d..(contact + 1) * places.d]);
            let slow = FOLLOWING / SLOW_IN_SPACE * self.slow(contact);
            let slips = truly(self, contact) && !resting.contains(&contact);
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

    /// What the decision lets slip out of rest sticks if its rows follow from those of contacts that stick.
    pub(super) fn bind(&mut self) {
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
    }
}

fn size(slip: &[f64]) -> f64 {
    slip.iter().fold(0.0, |sum: f64, u| sum.hypot(*u))
}
