//! Forces that are not unique: how far inside the friction cones they can lie, and which are shown.
//!
//! The forces of a motion are λ₀ + N z with any z, the columns of N being forces that change no row that is held. The motion
//! goes on as long as some of them lie in all cones, and ends where the largest depth
//!
//! > max_z min_c (μ λ_N − |λ_T|)/√(1 + μ²)   (λ_N in slip and with infinite friction)
//!
//! falls through zero: where no forces are left, not where one choice leaves its cone. Those that are shown are the ones of the
//! least sum of squares if they lie in the cones, and otherwise those of that depth; where they lie deep inside, their own depth is enough.

use super::mechanics::Mechanics;
use super::modes::acceleration;
use super::watch::Watch;
use crate::contact::Hold;
use crate::num::dense::norm;
use crate::simulate::centre::{Centre, Depth};
use crate::simulate::smooth::ContactMotion;

/// Bilateral contacts that stick with some friction up to which pushing and pulling are combined: each alone is a cone.
const BOTH: usize = 6;
/// Share of its terms by which a row that follows from others may differ from what they say within a step.
const APART: f64 = 1.0 / 1_048_576.0;
/// Room above this share of the forces says that there are some, and is not made as large as it can be.
const DEEP: f64 = 1.0 / 1024.0;
/// Room below this share of the forces is that of the cone's border.
const BORDER: f64 = 4096.0 * f64::EPSILON;

/// How far inside all cones the forces can lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::simulate) struct Room {
    /// In newtons; negative where there are none.
    pub(in crate::simulate) value: f64,
    /// How much more it may be.
    pub(in crate::simulate) error: f64,
    /// The size of the forces.
    pub(in crate::simulate) size: f64,
}

/// Cones, and forces within.
#[derive(Clone, Debug, Default)]
pub(in crate::simulate) struct Inside {
    centre: Centre,
    forces: Vec<f64>,
    /// The sign of the normal force of each contact.
    pulls: Vec<f64>,
}

impl Mechanics<'_> {
    /// The largest force that the accelerations without forces could ask for.
    pub(in crate::simulate) fn load(&self) -> f64 {
        let d = self.layout().tangents;
        let rows = (0..self.motions.len()).filter(|&c| self.motions[c] != ContactMotion::Free);
        let rows = rows.flat_map(|c| (0..=d).map(move |k| c * (1 + d) + k));
        let sizes = rows.filter(|&row| self.delassus(row, row) > 0.0);
        sizes.map(|row| self.acceleration_size(row) / self.delassus(row, row)).fold(0.0, f64::max)
    }

    /// The room of the forces of the motion that was evaluated last.
    pub(in crate::simulate) fn room(&mut self) -> Room {
        let mut inside = std::mem::take(&mut self.inside);
        let (found, _) = self.deepest(&mut inside);
        self.inside = inside;
        found
    }

    /// The deepest forces that were found last, where forces are not unique.
    pub(in crate::simulate) fn deepest_forces(&self) -> Option<&[f64]> {
        let known = self.inside.forces.len() == self.work.forces().len() && !self.work.springs.active;
        (self.work.undetermined() > 0 && known).then_some(&self.inside.forces[..])
    }

    /// Takes forces inside the cones where those of the least sum of squares lie outside.
    pub(in crate::simulate) fn choose_forces(&mut self) {
        if self.work.undetermined() == 0 || self.work.springs.active {
            return;
        }
        let mut inside = std::mem::take(&mut self.inside);
        let (room, origin) = self.deepest(&mut inside);
        if origin < -BORDER * room.size {
            self.work.take_forces(&inside.forces);
        }
        self.inside = inside;
    }

    /// The value of [`Watch::Room`]: the room, and the agreement of rows that follow from others.
    pub(in crate::simulate) fn room_left(&mut self) -> f64 {
        let Room { value, size, .. } = self.room();
        value.min(size * (1.0 - self.disagreement() / APART))
    }

    /// By how much the rows that are held miss zero, as a share of their terms: 0 but for rounding, unless rows that follow from
    /// others are asked for another acceleration than theirs.
    pub(in crate::simulate) fn disagreement(&self) -> f64 {
        let d = self.layout().tangents;
        let held = |contact: usize| match self.motions[contact] {
            ContactMotion::Free => 0,
            ContactMotion::Sticks => 1 + d,
            ContactMotion::Slips { .. } | ContactMotion::Turns { .. } => 1,
        };
        let rows = (0..self.motions.len()).flat_map(|c| (0..held(c)).map(move |k| c * (1 + d) + k));
        let missed = |row: usize| {
            let size = self.driven_size(row);
            if size > 0.0 { acceleration(row, self).abs() / size } else { 0.0 }
        };
        rows.map(missed).fold(0.0, f64::max)
    }

    /// In a phase whose forces are not unique, their room takes the place of each contact's own.
    pub(in crate::simulate) fn watch_room(&mut self) {
        if self.work.springs.active {
            self.watch_springs();
        } else if self.work.undetermined() > 0 {
            self.watches
                .retain(|watch| !matches!(watch, Watch::Force(..) | Watch::Cone(_) | Watch::Press(..)));
            self.watches.push(Watch::Room);
        }
    }

    /// The room, that of the forces that were found, and the deepest forces.
    fn deepest(&self, inside: &mut Inside) -> (Room, f64) {
        let size = self.load();
        if size <= 0.0 {
            inside.forces.clear();
            inside.forces.extend_from_slice(self.work.forces());
            return (Room { value: 0.0, error: 0.0, size: 0.0 }, 0.0);
        }
        let both: usize = self.pulling().count();
        let mut best: Option<(Depth, f64)> = None;
        for number in 0..1_usize << both.min(BOTH) {
            inside.pulls.clone_from(&self.pulls);
            for (place, contact) in self.pulling().take(BOTH).enumerate() {
                inside.pulls[contact] = if number >> place & 1 == 0 { 1.0 } else { -1.0 };
            }
            self.fill(size, inside);
            let origin = inside.centre.room_at_origin();
            // the least forces are deep enough: how much deeper others are does not matter
            let depth =
                if origin > DEEP { Depth { value: origin, error: 0.0 } } else { inside.centre.find() };
            if best.is_none_or(|(known, _)| depth.value > known.value) {
                best = Some((depth, origin));
                self.forces_at(size, inside);
            }
        }
        let (Depth { value, error }, origin) = best.unwrap_or((Depth { value: 0.0, error: 0.0 }, 0.0));
        (Room { value: value * size, error: error * size, size }, origin * size)
    }

    /// Bilateral contacts that stick with friction: they push or pull.
    fn pulling(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.motions.len()).filter(|&contact| {
            let laws = &self.laws[contact];
            self.motions[contact] == ContactMotion::Sticks
                && laws.hold == Hold::Bilateral
                && !laws.friction.is_infinite()
        })
    }

    /// The cones of the forces, in units of `size`.
    fn fill(&self, size: f64, inside: &mut Inside) {
        let (nullity, d) = (self.work.undetermined(), self.layout().tangents);
        let Inside { centre, pulls, .. } = inside;
        centre.begin(nullity);
        for contact in 0..self.motions.len() {
            let row = self.row(contact);
            let force = |k: usize| self.work.forces()[row + k] / size;
            match self.motions[contact] {
                ContactMotion::Free => {}
                ContactMotion::Slips { .. } | ContactMotion::Turns { .. } => {
                    let Some(all) = self.work.slipping(row) else { continue };
                    let (direction, length) = (&all[..=d], norm(&all[..=d]));
                    let part = |of: &dyn Fn(usize) -> f64| {
                        pulls[contact] * direction.iter().enumerate().map(|(k, x)| x * of(k)).sum::<f64>()
                            / length
                    };
                    let slope = |i: usize| part(&|k| self.work.null_force(i)[row + k]);
                    let line: (f64, &dyn Fn(usize) -> f64) = (part(&force), &slope);
                    centre.cone([line].into_iter());
                }
                ContactMotion::Sticks => {
                    let laws = &self.laws[contact];
                    let infinite = laws.friction.is_infinite();
                    if infinite && laws.hold == Hold::Bilateral {
                        continue;
                    }
                    let (n, t) = laws.friction.parts();
                    // with infinite friction λ_T says nothing
                    let [normal, tangent] =
                        if infinite { [1.0, 0.0] } else { [t, n].map(|x| x / t.hypot(n)) };
                    let weight = |k: usize| if k == 0 { normal * pulls[contact] } else { tangent };
                    let slopes: [&dyn Fn(usize) -> f64; 3] = [
                        &|i| weight(0) * self.work.null_force(i)[row],
                        &|i| weight(1) * self.work.null_force(i)[row + 1],
                        &|i| weight(2) * self.work.null_force(i)[row + d],
                    ];
                    let last = if infinite { 0 } else { d };
                    centre.cone((0..=last).map(|k| (weight(k) * force(k), slopes[k])));
                }
            }
        }
    }

    /// The forces of the point that was found.
    fn forces_at(&self, size: f64, inside: &mut Inside) {
        let Inside { centre, forces, .. } = inside;
        forces.clear();
        forces.extend_from_slice(self.work.forces());
        for (which, x) in centre.x().iter().enumerate() {
            let null = self.work.null_force(which);
            forces.iter_mut().zip(null).for_each(|(sum, force)| *sum += size * x * force);
        }
    }
}
