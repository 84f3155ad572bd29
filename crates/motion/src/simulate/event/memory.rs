//! The memory of motions: what one leaves the next takes up, and is the same to the last bit.

use super::clear::Cuts;
use super::enclose::Enclosures;
use super::mechanics::{EXTRA, EventDriven};
use super::phase::Phases;
use super::project::Keeper;
use super::reach::Reach;
use super::search::Search;
use crate::contact::Laws;
use crate::simulate::integrate::Dop853;
use crate::simulate::smooth::SmoothWork;

/// Memory of motions that are followed one after the other; none yet by default.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    left: Option<Left>,
}

/// What a motion needs.
#[derive(Clone, Debug)]
pub(super) struct Left {
    pub(super) work: SmoothWork,
    pub(super) probe: Dop853,
    pub(super) of_phases: OfPhases,
}

/// What its phases need.
#[derive(Clone, Debug)]
pub(super) struct OfPhases {
    pub(super) step: Dop853,
    pub(super) search: Search,
    pub(super) enclosures: Enclosures,
    pub(super) cuts: Cuts,
    pub(super) keeper: Keeper,
    pub(super) reach: Reach,
}

impl Memory {
    /// What a motion needs, as if there had been none before.
    pub(super) fn take(&mut self, motions: &EventDriven, laws: &[Laws], parameters: &[f64]) -> Left {
        let own = |left: &Left| left.of_phases.enclosures.are_of(&motions.boxes);
        let Some(mut left) = self.left.take().filter(own) else {
            return Left::new(motions, laws, parameters);
        };
        motions.motion.renew(parameters, &mut left.work);
        left.work.springs.begin(laws, motions.motion.kernel().layout().tangents);
        let OfPhases { enclosures, cuts, reach, .. } = &mut left.of_phases;
        enclosures.begin(parameters);
        cuts.begin();
        reach.begin();
        left
    }

    /// Takes up what a motion leaves.
    pub(super) fn keep(&mut self, phases: Phases<'_>, probe: Dop853) {
        let Phases { mechanics, step, search, enclosures, cuts, keeper, reach, .. } = phases;
        let of_phases = OfPhases { step, search, enclosures, cuts, keeper, reach };
        self.left = Some(Left { work: mechanics.work, probe, of_phases });
    }
}

impl Left {
    fn new(motions: &EventDriven, laws: &[Laws], parameters: &[f64]) -> Self {
        let n = motions.motion.kernel().layout().coordinates;
        let numbers = 2 * n + EXTRA;
        Self {
            work: motions.work(laws, parameters),
            probe: Dop853::new(numbers),
            of_phases: OfPhases {
                step: Dop853::new(numbers),
                search: Search::new(numbers),
                enclosures: Enclosures::new(&motions.boxes, n, parameters),
                cuts: Cuts::default(),
                keeper: Keeper::default(),
                reach: Reach::default(),
            },
        }
    }
}
