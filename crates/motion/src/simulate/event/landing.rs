//! The end of a phase at an event: a step that ends where a watch vanishes.

use super::jam;
use super::mechanics::Clock;
use super::phase::{Ended, Phases, ZERO};
use super::record::Record;
use super::search::Root;
use super::watch::Watch;
use crate::simulate::smooth::SmoothError;

/// How a step ends where a watch vanishes. The last two are parts of the step.
struct Landing {
    /// Most corrections of the place where the extension does: each is squared by the next.
    corrections: usize,
    /// Most halvings of a step whose extension is not good enough: one that is astride of a pole of its coordinates.
    halvings: usize,
    /// Largest correction: errors of the extension are far below it.
    reach: f64,
    /// Largest one along the rate at the end, 2⁻²⁶: its square is below rounding.
    nudge: f64,
    /// Largest error of the step there, in units of what is allowed: that of a part of a step is smaller than that of the whole, but for rounding,
    /// where the step is short enough for its error to be known.
    error: f64,
}

const LANDING: Landing =
    Landing { corrections: 3, halvings: 10, reach: 1.0 / 1024.0, nudge: 1.0 / 67_108_864.0, error: 64.0 };

/// Share of the values at both ends of a step above which one between them is no root: the extension dips where friction turns at once, and the motion does not.
const DIP: f64 = 0.5;

/// What came of going to a root.
pub(super) enum Landed {
    /// The roots of the extension and of the step are too far apart to be one: the extension is not good enough, and a shorter step is to be taken.
    Shortened,
    /// The step itself has no root: it has gone to where the extension has one.
    Passed,
    Event(Ended),
}

impl Phases<'_> {
    /// Goes to a root within the step: to that of the extension first, then once more to that of the step itself.
    pub(super) fn land(
        &mut self,
        root: Root,
        h: f64,
        record: &mut Record<'_>,
    ) -> Result<Landed, SmoothError> {
        let watched = self.mechanics.watches[root.watch];
        let ends = [self.search.start[root.watch], self.search.end[root.watch]];
        let reached = self.reach(root, h)?;
        let Some(length) = reached.filter(|_| !self.may_shorten() || self.lands(root.watch)) else {
            self.shorten(h)?;
            return Ok(Landed::Shortened);
        };
        let within = self.search.end[root.watch];
        let happens = !ends.iter().all(|&end| 0.0 < end && DIP * end < within);
        if self.take_samples(1.0, false, record)? {
            self.step.arrive(&mut self.mechanics, 0.0)?;
        }
        if let Watch::Gain(contact, _) = watched
            && happens
        {
            self.look_back(contact)?;
        }
        self.keep(length)?;
        self.accept();
        if let Watch::Time(end) = watched {
            self.t = end;
        }
        Ok(if happens { Landed::Event(Ended::Watched(watched)) } else { Landed::Passed })
    }

    /// Whether a gap is zero and does not open where the step arrived: the curve of one that is astride of a pole of its coordinates may fall through
    /// zero where the motion does not.
    fn lands(&self, watch: usize) -> bool {
        let (mechanics, search) = (&self.mechanics, &self.search);
        let Watch::Gap(contact) = mechanics.watches[watch] else { return true };
        let opens = mechanics.gap_rate(contact)
            > LANDING.reach * mechanics.speed_size(mechanics.row(contact), self.velocities_reached());
        search.end[watch].abs() <= LANDING.nudge / ZERO * search.bands[watch] && !opens
    }

    /// The velocities where the step arrived.
    fn velocities_reached(&self) -> &[f64] {
        &self.step.end()[self.n()..2 * self.n()]
    }

    /// The begin of the step again, for one of half its length.
    pub(super) fn shorten(&mut self, h: f64) -> Result<(), SmoothError> {
        self.h = 0.5 * h;
        self.shortened += 1;
        self.sound.again();
        self.step.start(&mut self.mechanics, 0.0, &self.y)
    }

    /// Whether a step whose extension is not good enough may be halved once more.
    pub(super) fn may_shorten(&self) -> bool {
        self.mechanics.clock == Clock::Real && self.shortened < LANDING.halvings
    }

    /// Steps to a root of the extension, and from there, by the rate at that place, to where the watch itself vanishes. Returns
    /// the length of the step; none where that is another place.
    fn reach(&mut self, Root { share, watch, slope }: Root, h: f64) -> Result<Option<f64>, SmoothError> {
        // what jumps has no place where it vanishes, however short the step is
        let may_shorten = self.may_shorten();
        let mut length = h * share;
        let error = self.attempt(length)?;
        if error > LANDING.error && may_shorten {
            return Ok(None);
        }
        let Self { search, step, mechanics, .. } = self;
        step.arrive(mechanics, 0.0)?;
        mechanics.watched(&mut search.end);
        if let Watch::Time(_) = mechanics.watches[watch] {
            return Ok(Some(length));
        }
        // what begins at zero and hardly leaves it has no slope but of rounding
        if -slope * LANDING.reach <= search.bands[watch] {
            return Ok(Some(length));
        }
        for _ in 0..LANDING.corrections {
            let Self { search, step, .. } = self;
            let correction = h * search.end[watch] / slope;
            let part = (correction / h).abs();
            if part > LANDING.reach && may_shorten {
                return Ok(None);
            }
            // a watch that does not change gives none
            let lands = part > f64::EPSILON && part <= LANDING.reach && correction < length;
            if !lands {
                break;
            }
            length -= correction;
            if part <= LANDING.nudge {
                step.nudge(-correction);
            } else {
                self.attempt(length)?;
            }
            let Self { search, step, mechanics, .. } = self;
            step.arrive(mechanics, 0.0)?;
            mechanics.watched(&mut search.end);
        }
        Ok(Some(length))
    }

    /// Notes how p fell to zero within the step that arrived there: by halves of what was left of the step.
    fn look_back(&mut self, contact: usize) -> Result<(), SmoothError> {
        self.step.extend(&mut self.mechanics, 0.0)?;
        self.approach.clear();
        let mut before = 0.0;
        for halvings in 0..jam::HALVINGS {
            let share = 1.0 - 0.5_f64.powi(halvings);
            let Self { search, step, mechanics, .. } = self;
            search.at(share, step).evaluate_state(mechanics)?;
            let ([p, b], _) = jam::near(contact, mechanics);
            let now = self.time_at(share);
            self.approach.add(now - before, p, b);
            before = now;
        }
        self.left = self.step.end()[self.clock_place()] - before;
        Ok(())
    }
}
