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
use crate::simulate::centre::{CentreSearch, Depth};
use crate::simulate::smooth::ContactMotion;
use std::ops::Range;

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
pub(in crate::simulate) struct ConeMargin {
    /// In newtons; negative where there are none.
    pub(in crate::simulate) value: f64,
    /// How much more it may be.
    pub(in crate::simulate) error: f64,
    /// The size of the forces.
    pub(in crate::simulate) size: f64,
}

/// Cones, and forces within.
#[derive(Clone, Debug, Default)]
pub(in crate::simulate) struct ConeInterior {
    centre: CentreSearch,
    forces: Vec<f64>,
    /// The sign of the normal force of each contact.
    pulls: Vec<f64>,
    /// N.
    null: Vec<f64>,
}

/// The cone a ≥ |b| of a contact's forces.
struct Cone {
    /// Its rows.
    rows: Range<usize>,
    /// How many parts it has, a and those of b, each by weights of the forces.
    count: usize,
    parts: [[f64; 3]; 3],
}

impl Cone {
    /// A part of forces by contact row.
    fn part(&self, k: usize, forces: &[f64]) -> f64 {
        forces[self.rows.clone()].iter().zip(self.parts[k]).map(|(force, x)| force * x).sum()
    }
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

    /// The margin of the forces of the motion that was evaluated last.
    pub(in crate::simulate) fn margin(&mut self) -> ConeMargin {
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
        let (margin, origin) = self.deepest(&mut inside);
        if origin < -BORDER * margin.size {
            self.work.take_forces(&inside.forces);
        }
        self.inside = inside;
    }

    /// The value of [`Watch::ConeMargin`]: the margin, and the agreement of rows that follow from others.
    pub(in crate::simulate) fn room_left(&mut self) -> f64 {
        let ConeMargin { value, size, .. } = self.margin();
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

    /// In a phase whose forces are not unique, their margin takes the place of each contact's own.
    pub(in crate::simulate) fn watch_cone_margin(&mut self) {
        if self.work.springs.active {
            self.watch_springs();
        } else if self.work.undetermined() > 0 {
            self.watches
                .retain(|watch| !matches!(watch, Watch::Force(..) | Watch::Cone(_) | Watch::Press(..)));
            self.watches.push(Watch::ConeMargin);
        }
    }

    /// The margin, that of the forces that were found, and the deepest forces.
    fn deepest(&self, inside: &mut ConeInterior) -> (ConeMargin, f64) {
        let size = self.load();
        if size <= 0.0 {
            inside.forces.clear();
            inside.forces.extend_from_slice(self.work.forces());
            return (ConeMargin { value: 0.0, error: 0.0, size: 0.0 }, 0.0);
        }
        let both: usize = self.pulling().count();
        let mut best: Option<(Depth, f64)> = None;
        for number in 0..1_usize << both.min(BOTH) {
            inside.pulls.clone_from(&self.pulls);
            for (place, contact) in self.pulling().take(BOTH).enumerate() {
                inside.pulls[contact] = if number >> place & 1 == 0 { 1.0 } else { -1.0 };
            }
            let origin = self.room_of_forces(&inside.pulls) / size;
            // the least forces are deep enough: how much deeper others are does not matter
            let depth = if origin > DEEP {
                inside.centre.begin(0);
                Depth { value: origin, error: 0.0 }
            } else {
                self.fill(size, inside);
                inside.centre.find()
            };
            if best.is_none_or(|(known, _)| depth.value > known.value) {
                best = Some((depth, origin));
                self.forces_at(size, inside);
            }
        }
        let (Depth { value, error }, origin) = best.unwrap_or((Depth { value: 0.0, error: 0.0 }, 0.0));
        (ConeMargin { value: value * size, error: error * size, size }, origin * size)
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

    /// The cone of a contact's forces; none where it has none.
    fn cone(&self, contact: usize, pull: f64) -> Option<Cone> {
        let d = self.layout().tangents;
        let rows = self.row(contact)..self.row(contact) + d + 1;
        match self.motions[contact] {
            ContactMotion::Free => None,
            ContactMotion::Slips { .. } | ContactMotion::Turns { .. } => {
                let direction = self.work.slipping(rows.start)?;
                let length = norm(&direction[..=d]);
                Some(Cone {
                    rows,
                    count: 1,
                    parts: [direction.map(|x| pull * x / length), [0.0; 3], [0.0; 3]],
                })
            }
            ContactMotion::Sticks => {
                let laws = &self.laws[contact];
                let infinite = laws.friction.is_infinite();
                if infinite && laws.hold == Hold::Bilateral {
                    return None;
                }
                let (n, t) = laws.friction.parts();
                // with infinite friction λ_T says nothing
                let [normal, tangent] = if infinite { [1.0, 0.0] } else { [t, n].map(|x| x / t.hypot(n)) };
                let parts = [[normal * pull, 0.0, 0.0], [0.0, tangent, 0.0], [0.0, 0.0, tangent]];
                Some(Cone { rows, count: if infinite { 1 } else { 1 + d }, parts })
            }
        }
    }

    /// The cones of all contacts with these signs of their normal forces.
    fn cones(&self, pulls: &[f64]) -> impl Iterator<Item = Cone> {
        pulls.iter().enumerate().filter_map(|(contact, &pull)| self.cone(contact, pull))
    }

    /// a − |b| of the cone in which the forces have least.
    fn room_of_forces(&self, pulls: &[f64]) -> f64 {
        let forces = self.work.forces();
        let across = |cone: &Cone| (1..cone.count).fold(0.0, |b: f64, k| b.hypot(cone.part(k, forces)));
        let margin = |cone: Cone| cone.part(0, forces) - across(&cone);
        self.cones(pulls).map(margin).fold(f64::INFINITY, f64::min)
    }

    /// The cones of the forces, in units of `size`.
    fn fill(&self, size: f64, inside: &mut ConeInterior) {
        let ConeInterior { centre, pulls, null, .. } = inside;
        self.work.null_forces(self.layout().tangents, null);
        centre.begin(self.work.undetermined());
        let (forces, null): (&[f64], &[f64]) = (self.work.forces(), null);
        for cone in self.cones(pulls) {
            let cone = &cone;
            let slope =
                |k: usize| move |i: usize| cone.part(k, &null[i * forces.len()..(i + 1) * forces.len()]);
            let slopes = [slope(0), slope(1), slope(2)];
            let line = |k: usize| (cone.part(k, forces) / size, &slopes[k] as &dyn Fn(usize) -> f64);
            centre.cone((0..cone.count).map(line));
        }
    }

    /// The forces of the point that was found.
    fn forces_at(&self, size: f64, inside: &mut ConeInterior) {
        let ConeInterior { centre, forces, null, .. } = inside;
        forces.clear();
        forces.extend_from_slice(self.work.forces());
        for (null, x) in null.chunks_exact(forces.len().max(1)).zip(centre.x()) {
            forces.iter_mut().zip(null).for_each(|(sum, force)| *sum += size * x * force);
        }
    }
}
