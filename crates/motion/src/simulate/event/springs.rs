//! Forces on which the accelerations depend and which they do not determine: those of the contacts' stiffnesses in the limit of rigidity
//! ([`Springs`](crate::simulate::smooth::Springs)), where a contact may lose its force without a gap, and have it again.

use super::mechanics::Mechanics;
use super::watch::{Watch, cone_margin};
use crate::contact::Hold;
use crate::num::Tol;
use crate::num::dense::norm;
use crate::predict::{CHANGES, wrongly_pressed};
use crate::simulate::smooth::{ContactMotion, SmoothError};
use crate::simulate::trajectory::PhaseForces;

impl Mechanics<'_> {
    /// Takes the forces of springs where those of the motion that was evaluated last are not unique and its accelerations depend on them; whether
    /// they do.
    pub(in crate::simulate) fn take_springs(&mut self) -> Result<bool, SmoothError> {
        self.work.springs.active = false;
        for contact in 0..self.motions.len() {
            self.work.springs.pressed[contact] |= self.motions[contact] == ContactMotion::Free;
            self.work.springs.gripping[contact] |= self.motions[contact] != ContactMotion::Sticks;
        }
        if !self.motion.is_driven(Tol::default().marginal, &mut self.work) {
            return Ok(false);
        }
        self.work.springs.active = true;
        let mut pressed = self.press();
        if !matches!(pressed, Ok(true)) {
            // from those that were pressed before no choice is reached
            self.work.springs.pressed.fill(true);
            self.work.springs.gripping.fill(true);
            pressed = self.press();
        }
        let first = self.motions.iter().position(|motion| *motion != ContactMotion::Free);
        match pressed? {
            true => Ok(true),
            false => Err(SmoothError::Forces { contact: first.unwrap_or(0) }),
        }
    }

    /// Looks for the contacts that are pressed, and for those that grip; whether they are found.
    fn press(&mut self) -> Result<bool, SmoothError> {
        for _ in 0..=CHANGES * self.motions.len() {
            self.motion.solve_again(&self.motions, &mut self.work)?;
            let small = Tol::default().marginal * self.load();
            let gives =
                |c: &usize| self.motions[*c] != ContactMotion::Free && self.laws[*c].hold == Hold::Unilateral;
            let closed = || (0..self.motions.len()).filter(gives);
            if let Some(contact) = wrongly_pressed(closed(), |c| self.spring_margin(c), small) {
                self.work.springs.pressed[contact] ^= true;
            } else if let Some(contact) =
                wrongly_pressed(closed().filter(|&c| self.grips(c)), |c| cone_margin(self, c), small)
            {
                self.work.springs.gripping[contact] = false;
            } else {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a contact sticks by its spring along the surface.
    fn grips(&self, contact: usize) -> bool {
        let springs = &self.work.springs;
        self.motions[contact] == ContactMotion::Sticks
            && springs.pressed[contact]
            && springs.gripping[contact]
    }

    /// The force of a contact that is pressed, or what friction along the surface lacks of one where that is rounding, or what its spring is short
    /// of one.
    pub(super) fn spring_margin(&self, contact: usize) -> f64 {
        let springs = &self.work.springs;
        if !springs.pressed[contact] {
            return -springs.pressure[contact];
        }
        let (row, d) = (self.row(contact), self.layout().tangents);
        let (normal, tangential) = (self.work.forces()[row], &self.work.forces()[row + 1..=row + d]);
        let touches = self.motions[contact] == ContactMotion::Sticks
            && normal.abs() <= Tol::default().marginal * self.load()
            && !self.laws[contact].friction.is_infinite();
        if touches { normal - norm(tangential) } else { normal }
    }

    /// What is to be known of the forces of this phase, if they are not unique.
    pub(in crate::simulate) fn ambiguity(&self) -> Option<PhaseForces> {
        match self.work.springs.active {
            true => Some(PhaseForces::ByStiffness),
            false => self.watches.contains(&Watch::ConeMargin).then_some(PhaseForces::NotUnique),
        }
    }

    /// The watches of contacts whose springs are not pressed.
    pub(super) fn watch_springs(&mut self) {
        let Self { watches, work, motions, .. } = self;
        for contact in (0..motions.len()).filter(|&c| !work.springs.pressed[c]) {
            watches.retain(|&watch| match watch {
                Watch::Force(c, _) | Watch::Cone(c) | Watch::Press(c, _) => c != contact,
                _ => true,
            });
            watches.push(Watch::Apart(contact));
        }
    }

    /// The spring of a contact whose watch fell through zero changes; whether the others can have forces then is seen when a phase begins.
    pub(in crate::simulate) fn change_spring(&mut self, watch: Watch) {
        match watch {
            Watch::Force(contact, _) | Watch::Apart(contact) => {
                self.work.springs.pressed[contact] = matches!(watch, Watch::Apart(_));
            }
            Watch::Cone(contact) => self.work.springs.gripping[contact] = false,
            _ => {}
        }
        self.work.springs.active = false;
    }
}
