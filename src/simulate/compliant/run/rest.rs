//! Ends of slips: which count as none, and which end with those of others.

use super::super::tolerance::{BEGUN_IN_SPACE, FOLLOWING, SLOW_IN_SPACE};
use super::{Ending, Run, failed};
use crate::model::Block;
use crate::simulate::smooth::ContactMotion;

impl Run<'_> {
    /// The slips in space that count as none: of one that has begun and was never faster, a part of its largest.
    pub(super) fn slow_slips(&mut self) {
        if self.field.places.d == 1 {
            return;
        }
        for contact in 0..self.field.places.m {
            let slip = self.point[self.field.places.slip(contact)].iter();
            let size = slip.fold(0.0, |sum: f64, u| sum.hypot(*u));
            self.fastest[contact] = self.fastest[contact].max(size);
            let (slow, fastest) = (self.slow(contact), self.fastest[contact]);
            let begun = BEGUN_IN_SPACE * slow < fastest && fastest <= slow;
            self.floors[contact] = if begun { BEGUN_IN_SPACE * fastest } else { slow };
        }
    }

    /// The slip below which a contact counts as at rest.
    fn slow(&self, contact: usize) -> f64 {
        let row = self.field.places.rows(contact).start + 1;
        SLOW_IN_SPACE * self.sizes.speed(&self.field, row)
    }

    /// Slips that are at their ends beside an event: those in space that were fast and count as none, and those that the contacts
    /// at rest leave nothing of, as that of the third foot of a body. The same contacts keep those from slipping that are `given`
    /// to begin, as one that the body turned about.
    pub(super) fn rest_together(&mut self, given: &mut Vec<(usize, [f64; 2])>) -> Result<(), Ending> {
        let (places, n) = (self.field.places, self.field.places.n);
        let size = |slip: &[f64]| slip.iter().fold(0.0, |sum: f64, u| sum.hypot(*u));
        let truly = |run: &Self, contact: usize| {
            let regime = &run.field.regime;
            regime.motions[contact] != ContactMotion::Free && regime.spring(contact).is_none()
        };
        for contact in (0..places.m).filter(|_| places.d > 1) {
            let (own, slow) = (size(&self.point[places.slip(contact)]), self.slow(contact));
            if truly(self, contact) && own <= slow && self.fastest[contact] > slow {
                self.point[places.slip(contact)].fill(0.0);
            }
        }
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
