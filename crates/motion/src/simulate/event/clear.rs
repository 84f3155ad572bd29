//! A step is clear up to its first event: shown as a whole by enclosures where they are known to be enough, or else piece by piece, the
//! first fall of a watch being located where one comes to light. A short piece that cannot be shown is sampled: by the search alone.

use super::enclose::{End, Node, Stretch};
use super::mechanics::Clock;
use super::phase::Phases;
use super::search::Root;
use super::watch::Watch;
use crate::simulate::smooth::SmoothError;
use crate::simulate::trajectory::Unshown;

/// Shortest piece, as a share of what is to be shown.
const SHORTEST: f64 = 1.0 / 4096.0;
/// Pieces that a step may be cut into on average, and how many of those that were not used may be used later.
const PIECES: usize = 16;
const SAVED: usize = 256;
/// Halvings by which a positive value is sought after a start at zero.
const HALVINGS: usize = 24;

/// What is known of a step up to its event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Clear {
    /// Shown as a whole.
    Whole,
    /// Shown in pieces.
    Pieces,
    /// Looked at in places.
    Sampled(Unshown),
}

/// The memory of cutting steps into pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Cuts {
    /// Where the piece begins, then the ends of pieces, the nearest last, by their shares of the step.
    nodes: Vec<Node>,
    left: usize,
}

/// Nodes of a piece and of all halves above it, and how many are always there.
const NODES: usize = 16;
const FEW: usize = 4;

impl Cuts {
    /// Another motion begins.
    pub(super) fn begin(&mut self) {
        self.left = 0;
    }

    /// Memory of so many nodes.
    fn fit(&mut self, nodes: usize, (numbers, watches): (usize, usize)) {
        let room = |length: usize| Vec::with_capacity(length);
        while self.nodes.len() < nodes {
            self.nodes.push(Node {
                place: 0.0,
                state: room(numbers),
                rate: room(numbers),
                values: room(watches),
            });
        }
    }
}

impl Phases<'_> {
    /// Whether the step that arrived is shown to be clear as a whole.
    pub(super) fn is_clear(&mut self, h: f64) -> bool {
        let Self { enclosures, step, mechanics, search, driven, .. } = self;
        self.cuts.left = (self.cuts.left + PIECES).min(SAVED);
        if search.end.iter().any(|value| *value <= 0.0) {
            enclosures.reason = Unshown::Near;
            return false;
        }
        let m = 2 * driven.len();
        let begin = End { state: &step.begin()[..m], rate: &step.begin_rate()[..=m], values: &search.start };
        let end = End { state: &step.end()[..m], rate: &step.end_rate()[..=m], values: &search.end };
        let stretch = Stretch {
            is_real: mechanics.clock == Clock::Real,
            ..Stretch::between(
                [begin, end],
                (mechanics.base + step.begin()[m], h),
                (&search.leads, &search.bands),
            )
        };
        enclosures.shows(&stretch, mechanics)
    }

    /// The first event of a step whose continuous extension is ready, `root` being what the search found, and what is known of the step
    /// up to there.
    pub(super) fn clear_to(
        &mut self,
        root: Option<Root>,
        h: f64,
    ) -> Result<(Option<Root>, Clear), SmoothError> {
        // what cannot be enclosed at all is not looked at in pieces
        if self.enclosures.reason == Unshown::Expression {
            return Ok((root, Clear::Sampled(Unshown::Expression)));
        }
        let mut cuts = std::mem::take(&mut self.cuts);
        let found = self.clear_pieces(root, h, &mut cuts);
        self.cuts = cuts;
        found
    }

    fn clear_pieces(
        &mut self,
        mut root: Option<Root>,
        h: f64,
        cuts: &mut Cuts,
    ) -> Result<(Option<Root>, Clear), SmoothError> {
        let sizes = (2 * self.driven.len() + 1, self.mechanics.watches.capacity());
        cuts.fit(FEW, sizes);
        self.go_to_node(0.0, &mut cuts.nodes[0])?;
        self.go_to_node(root.map_or(1.0, |root| root.share), &mut cuts.nodes[1])?;
        let (mut top, mut unshown) = (1, None);
        while top > 0 {
            let landing = root.filter(|_| top == 1).map(|root| root.watch);
            if self.is_clear_between(&cuts.nodes[0], &cuts.nodes[top], landing, h) {
                cuts.nodes.swap(0, top);
                top -= 1;
                continue;
            }
            let [from, to] = [cuts.nodes[0].place, cuts.nodes[top].place];
            if cuts.left == 0 {
                return Ok((root, self.sampled()));
            }
            if top + 1 == NODES || to - from <= SHORTEST * cuts.nodes[1].place {
                unshown = Some(self.sampled());
                cuts.nodes.swap(0, top);
                top -= 1;
                continue;
            }
            cuts.left -= 1;
            cuts.fit(top + 2, sizes);
            self.go_to_node(0.5 * (from + to), &mut cuts.nodes[top + 1])?;
            match self.fallen(&cuts.nodes[0], &cuts.nodes[top + 1]) {
                None => top += 1,
                Some(watch) => {
                    let found = self.root_between(watch, &cuts.nodes[0], &cuts.nodes[top + 1])?;
                    self.go_to_node(found.share, &mut cuts.nodes[1])?;
                    (root, top) = (Some(found), 1);
                }
            }
        }
        Ok((root, unshown.unwrap_or(Clear::Pieces)))
    }

    fn sampled(&self) -> Clear {
        Clear::Sampled(self.enclosures.reason)
    }

    /// The point of the extension at a share of the step.
    fn go_to_node(&mut self, share: f64, node: &mut Node) -> Result<(), SmoothError> {
        let Self { search, step, mechanics, driven, .. } = self;
        let m = 2 * driven.len();
        search.at(share, step).glance(mechanics)?;
        node.place = share;
        node.state.clear();
        node.state.extend_from_slice(&search.state()[..=m]);
        node.rate.clear();
        node.rate.extend_from_slice(&mechanics.spare[..=m]);
        mechanics.watched(&mut node.values);
        Ok(())
    }

    fn is_clear_between(&mut self, from: &Node, to: &Node, landing: Option<usize>, h: f64) -> bool {
        let Self { enclosures, mechanics, search, driven, .. } = self;
        let time = 2 * driven.len();
        let leads = if from.place > 0.0 { &[][..] } else { &search.leads };
        let ends = [from.end(), to.end()].map(|end| End { state: &end.state[..time], ..end });
        let span = (mechanics.base + from.state[time], (to.place - from.place) * h);
        let stretch = Stretch {
            landing,
            is_real: mechanics.clock == Clock::Real,
            ..Stretch::between(ends, span, (leads, &search.bands))
        };
        enclosures.shows(&stretch, mechanics)
    }

    /// A watch that is below zero at a point, and was not before.
    fn fallen(&self, before: &Node, node: &Node) -> Option<usize> {
        let Self { mechanics, search, .. } = self;
        (0..mechanics.watches.len()).find(|&i| match mechanics.watches[i] {
            Watch::Time(_) => false,
            // at rest until it rises
            Watch::Speed(..) => before.values[i] > 0.0 && node.values[i] <= 0.0,
            _ => node.values[i] < -search.bands[i],
        })
    }

    /// Where a watch falls through zero between a point where it has not and one where it has.
    fn root_between(&mut self, watch: usize, from: &Node, to: &Node) -> Result<Root, SmoothError> {
        let Self { search, step, mechanics, .. } = self;
        let (mut low, high) = ((from.place, from.values[watch]), (to.place, to.values[watch]));
        for _ in 0..HALVINGS {
            if low.1 > 0.0 {
                break;
            }
            let share = if low.0 > from.place { 0.5 * (from.place + low.0) } else { 0.5 * (low.0 + high.0) };
            low = (share, search.value(watch, share, step, mechanics)?);
        }
        // it falls from zero at once
        let share =
            if low.1 > 0.0 { search.close_in(watch, low, high, step, mechanics)? } else { from.place };
        search.root_at(share, watch, step, mechanics)
    }
}
