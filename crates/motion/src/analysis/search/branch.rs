//! Branch and bound: the largest φ over a box where equations hold, as an attained value and a proven bound.
//!
//! A box is given up only with a proof, that the equations have no solution in it or that φ is not above what is attained;
//! the largest bound of what was given up and of what is left bounds φ over all of the domain.

use super::attain::{Attained, Seeker};
use super::landscape::Landscape;
use super::region::{Examiner, Found, Region};
use crate::num::{Interval, Tol, halt};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What a search knows when it ends.
#[derive(Clone, Debug)]
pub(super) struct Summit {
    /// The largest φ found, and where; none if no point was found at which the equations hold.
    pub(super) best: Option<(f64, Vec<f64>)>,
    /// φ is at most this wherever the equations hold; none if they are proven to hold nowhere.
    pub(super) bound: Option<f64>,
    /// Boxes examined.
    pub(super) boxes: usize,
}

impl Summit {
    /// Whether bound and value agree to a relative gap of √φ, or φ is too small to matter.
    pub(super) fn is_closed(&self, gap: f64, tol: &Tol) -> bool {
        let Some(bound) = self.bound else { return true };
        let value = self.best.as_ref().map(|best| best.0);
        value.is_some_and(|value| bound <= (value * (1.0 + gap).powi(2)).max(floor(tol)))
    }
}

/// φ at the highest friction that is asked about.
pub(super) fn floor(tol: &Tol) -> f64 {
    tol.highest_friction.powi(-2)
}

struct Ranked(Region);

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.bound.total_cmp(&other.0.bound)
    }
}

/// Searches a box.
pub(super) fn climb<L: Landscape>(landscape: &mut L, domain: &[Interval], tol: &Tol) -> Summit {
    let widths: Vec<f64> = domain.iter().map(|side| side.width()).collect();
    let mut search = Search {
        landscape,
        domain,
        widths,
        tol,
        heap: BinaryHeap::new(),
        best: None,
        settled: None,
        boxes: 0,
        decided_at: None,
    };
    search.add(domain.to_vec());
    while let Some(Ranked(region)) = search.heap.pop() {
        if search.is_over(region.bound) {
            search.settle(region.bound);
            break;
        }
        search.split(&region);
    }
    search.summit()
}

struct Search<'s, L> {
    landscape: &'s mut L,
    domain: &'s [Interval],
    widths: Vec<f64>,
    tol: &'s Tol,
    heap: BinaryHeap<Ranked>,
    best: Option<Attained>,
    /// The largest bound of what was given up.
    settled: Option<f64>,
    boxes: usize,
    /// Boxes when the search was decided.
    decided_at: Option<usize>,
}

impl<L: Landscape> Search<'_, L> {
    fn value(&self) -> f64 {
        self.best.as_ref().map_or(f64::NEG_INFINITY, |best| best.height)
    }

    /// Values up to this do not matter: what is attained, or what is too small.
    fn threshold(&self) -> f64 {
        if self.best.is_some() { self.value().max(floor(self.tol)) } else { f64::NEG_INFINITY }
    }

    fn settle(&mut self, bound: f64) {
        self.settled = Some(self.settled.map_or(bound, |settled| settled.max(bound)));
    }

    fn is_over(&mut self, bound: f64) -> bool {
        let within = |gap: f64| bound <= self.threshold() * (1.0 + gap).powi(2);
        if within(self.tol.search_gap) || self.boxes >= self.tol.search_boxes || halt::is_wanted() {
            return true;
        }
        if within(self.tol.search_decided) {
            let since = *self.decided_at.get_or_insert(self.boxes);
            return self.boxes > since + self.tol.search_refinement;
        }
        false
    }

    /// Examines a box and keeps what is open.
    fn add(&mut self, sides: Vec<Interval>) {
        self.boxes += 1;
        let threshold = self.threshold();
        let found = Examiner {
            landscape: &mut *self.landscape,
            widths: &self.widths,
            threshold,
            shrink: self.tol.search_shrink,
        }
        .examine(sides);
        match found {
            Found::Empty => {}
            Found::Below(bound) => self.settle(bound),
            Found::Open(region) => {
                // parts of the box with φ up to the threshold may be gone
                if threshold > f64::NEG_INFINITY {
                    self.settle(threshold);
                }
                self.attain(&region);
                self.heap.push(Ranked(region));
            }
        }
    }

    /// Takes a point near the middle of a box, if it promises more than what is attained.
    fn attain(&mut self, region: &Region) {
        let promises = region.guess > self.value() || self.best.is_none();
        if !promises {
            return;
        }
        let seeker = Seeker { domain: self.domain, widths: &self.widths, tol: self.tol };
        let middle = region.sides.iter().map(|side| side.middle()).collect();
        if let Some(point) = seeker.project(self.landscape, middle)
            && point.height > self.value()
        {
            self.best = Some(seeker.polish(self.landscape, point));
        }
    }

    /// Halves the side that matters most.
    fn split(&mut self, region: &Region) {
        let splits = |i: &usize| {
            let (side, middle) = (region.sides[*i], region.sides[*i].middle());
            side.lo < middle && middle < side.hi
        };
        let candidates = (0..region.sides.len()).filter(splits);
        let Some(i) = candidates.max_by(|&i, &j| region.influence[i].total_cmp(&region.influence[j])) else {
            // a point of the number line: no better bound of it can be had
            self.settle(region.bound);
            return;
        };
        let (side, middle) = (region.sides[i], region.sides[i].middle());
        for half in [Interval::new(side.lo, middle), Interval::new(middle, side.hi)] {
            let mut sides = region.sides.clone();
            sides[i] = half;
            self.add(sides);
        }
    }

    fn summit(self) -> Summit {
        let left = self.heap.peek().map(|ranked| ranked.0.bound);
        let bound = match (self.settled, left) {
            (Some(settled), Some(left)) => Some(settled.max(left)),
            (settled, left) => settled.or(left),
        };
        let best = self.best.map(|best| (best.height, best.x));
        Summit { best, bound, boxes: self.boxes }
    }
}
