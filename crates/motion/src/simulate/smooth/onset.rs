//! Slips in space that grow out of rest: while they are slow their directions û are those in which they accelerate, u̇ ∥ û, all together, and follow
//! them without delay. A body on two feet whose forces reach the borders of both cones begins with u̇ = 0: it slips as û turns.

use super::eliminate::eliminate;
use super::{SmoothMotion, SmoothWork};
use crate::model::Block;

/// Most steps of Newton's method to the directions.
const NEWTON_STEPS: usize = 8;
/// Share of its terms up to which an acceleration across a slip is rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Slow slips, and the memory of finding their directions.
#[derive(Clone, Debug, Default)]
pub(super) struct Onset {
    slips: Vec<Slip>,
    /// û⊥·u̇ of each, the size of its terms, and its derivatives by all angles.
    across: Vec<f64>,
    sizes: Vec<f64>,
    slopes: Vec<f64>,
    columns: Vec<f64>,
}

/// A slip that is slow.
#[derive(Clone, Copy, Debug)]
struct Slip {
    /// Its place among the unknown forces.
    unknown: usize,
    /// Its friction force along û per unit of the unknown.
    friction: f64,
    /// û of its beginning, and the angle of û now.
    along: [f64; 2],
    angle: f64,
}

impl Onset {
    /// Memory for a number of contacts.
    pub(super) fn new(contacts: usize) -> Self {
        let room = |length: usize| Vec::with_capacity(length);
        Self {
            slips: Vec::with_capacity(contacts),
            across: room(contacts),
            sizes: room(contacts),
            slopes: room(contacts * contacts),
            columns: room(contacts),
        }
    }

    pub(super) fn clear(&mut self) {
        self.slips.clear();
    }

    /// One more slip; without friction its direction does not matter.
    pub(super) fn add(&mut self, unknown: usize, friction: f64, along: [f64; 2]) {
        if friction.abs() > 0.0 {
            self.slips.push(Slip { unknown, friction, along, angle: along[1].atan2(along[0]) });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slips.is_empty()
    }
}

impl SmoothMotion {
    /// Directs the unknown forces of slips that are slow, each near the direction of its beginning; as they began where no directions are near.
    #[cold]
    pub(super) fn balance(&self, work: &mut SmoothWork) {
        let mut onset = std::mem::take(&mut work.onset);
        if self.balanced(&mut onset, work).is_none() {
            for slip in &onset.slips {
                direct(slip, slip.along, work);
            }
        }
        work.onset = onset;
        work.redundant.clear();
    }

    fn balanced(&self, onset: &mut Onset, work: &mut SmoothWork) -> Option<()> {
        let (size, probe) = (onset.slips.len(), f64::EPSILON.cbrt());
        onset.columns.resize(size, 0.0);
        onset.slopes.resize(size * size, 0.0);
        for _ in 0..NEWTON_STEPS {
            self.find_across(onset, work)?;
            // where nothing accelerates across its slip, every direction near is as good
            if onset.across.iter().zip(&onset.sizes).all(|(across, size)| across.abs() <= ROUNDING * size) {
                break;
            }
            for j in 0..size {
                for (sign, first) in [(1.0, true), (-1.0, false)] {
                    onset.slips[j].angle += sign * probe;
                    self.find_across(onset, work)?;
                    onset.slips[j].angle -= sign * probe;
                    for i in 0..size {
                        let before = if first { 0.0 } else { onset.slopes[i * size + j] };
                        onset.slopes[i * size + j] = before + sign * onset.across[i] / (2.0 * probe);
                    }
                }
            }
            self.find_across(onset, work)?;
            eliminate(&mut onset.slopes, &mut onset.across, &mut onset.columns, self.singular).ok()?;
            // a direction that turns away at once is another one
            let largest = onset.across.iter().fold(0.0, |size: f64, change| size.max(change.abs()));
            if largest > 1.0 || onset.across.iter().any(|change| change.is_nan()) {
                return None;
            }
            onset.slips.iter_mut().zip(&onset.across).for_each(|(slip, change)| slip.angle -= change);
            if largest <= f64::EPSILON {
                break;
            }
        }
        for slip in &onset.slips {
            direct(slip, slip.direction(), work);
        }
        Some(())
    }

    /// û⊥·u̇ of each slip, u̇ = a + D λ   [CV16 (39)]; none where no forces are defined.
    fn find_across(&self, onset: &mut Onset, work: &mut SmoothWork) -> Option<()> {
        for slip in &onset.slips {
            direct(slip, slip.direction(), work);
        }
        match work.unknowns[..] {
            [unknown] => self.solve_one(unknown, work).ok()?,
            _ => self.solve_all(work).ok()?,
        }
        let rows = 1 + self.kernel.layout().tangents;
        let free = self.kernel.block(&work.values, Block::FreeContactAcceleration);
        let acceleration = |row: usize| {
            let driven = work.unknowns.iter().zip(&work.solution).map(|(unknown, size)| {
                let entry = |k: usize| self.kernel.delassus(&work.values, row, unknown.first + k);
                size * (0..rows).map(|k| unknown.force[k] * entry(k)).sum::<f64>()
            });
            driven.fold((free[row], free[row].abs()), |(sum, size), x| (sum + x, size + x.abs()))
        };
        onset.across.clear();
        onset.sizes.clear();
        for slip in &onset.slips {
            let (row, [cos, sin]) = (work.unknowns[slip.unknown].first, slip.direction());
            let ((one, size), (two, other)) = (acceleration(row + 1), acceleration(row + 2));
            onset.across.push(cos * two - sin * one);
            onset.sizes.push(size + other);
        }
        Some(())
    }
}

impl Slip {
    fn direction(&self) -> [f64; 2] {
        let (sin, cos) = self.angle.sin_cos();
        [cos, sin]
    }
}

fn direct(slip: &Slip, along: [f64; 2], work: &mut SmoothWork) {
    let force = &mut work.unknowns[slip.unknown].force;
    [force[1], force[2]] = along.map(|part| slip.friction * part);
}
