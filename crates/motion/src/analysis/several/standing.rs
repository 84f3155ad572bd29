//! What small motions near an equilibrium of the whole mechanism do, and what it stands, by name.

use super::outcome::{
    ChatterSearchOutcome, LyapunovOutcome, MapPieceOutcome, OnsetOutcome, OrbitOutcome, OrbitPhaseOutcome,
    RobustnessOutcome, StrongRobustnessOutcome,
};
use crate::analysis::analysed::AnalysedState;
use crate::analysis::by_name::ByName;
use crate::contact::Mode;
use crate::equilibrium::{
    ChatterSearch, Condition, Doubt, Gravity, Lyapunov, LyapunovReason, LyapunovVerdict, Onset, Orbit,
    RestingForces, ReturnPoint, Robustness, StrongRobustness,
};
use crate::model::Block;
use crate::num::Number;
use crate::predict::{Contacts, Prediction, words};

/// Points of a piece of the return map that are told.
const POINTS: usize = 17;
/// Time of an orbit's first period, in times of the mechanism's own (what falls through its own length).
const SHORT: f64 = 0.01;

impl AnalysedState<'_> {
    /// Stability in the sense of Lyapunov; where directions fill no circle, a search for motions that grow.
    pub(super) fn lyapunov(
        &self,
        contacts: &Contacts,
        prediction: &Prediction,
        rest: &RestingForces,
    ) -> LyapunovOutcome {
        let found = contacts.lyapunov((&prediction.decision, &prediction.stability), rest, &self.input.tol);
        let found = if self.sees_all(contacts) { found } else { without_all(found) };
        let searched = matches!(
            found.reason,
            LyapunovReason::Contacts | LyapunovReason::Restitution | LyapunovReason::Independent
        );
        // on a rail perturbations are slips and gaps at once
        let search = (searched && self.input.closed.iter().all(|&c| self.moves_freely(c)))
            .then(|| self.search(contacts, contacts.chatter_search(&self.input.tol)));
        // what never ends to slide, as without friction, is not followed to its end
        let slides = found.reason == LyapunovReason::Doubt(Doubt::SlidingBorder);
        let found = if slides { Lyapunov { growth: None, orbit: None, ..found } } else { found };
        LyapunovOutcome {
            verdict: found.verdict,
            reason: found.reason.words(|i| self.name(i).to_string()),
            growth: found.orbit.as_ref().zip(found.growth).map(|(_, [low, _])| low.into()),
            growth_bound: found.growth.map(|[_, high]| high.into()),
            orbit: found.orbit.as_ref().and_then(|orbit| self.orbit(contacts, orbit)),
            map: found.growth.map(|_| self.map(contacts)).unwrap_or_default(),
            search,
        }
    }

    fn map(&self, contacts: &Contacts) -> Vec<MapPieceOutcome> {
        let found = contacts.return_map(POINTS, &self.input.tol).unwrap_or_default();
        let numbers = |piece: &[ReturnPoint], of: &dyn Fn(&ReturnPoint) -> Option<f64>| {
            piece.iter().filter_map(of).map(Number::from).collect::<Vec<_>>()
        };
        let told = |piece: &Vec<ReturnPoint>| {
            let middle = piece.get(piece.len() / 2)?;
            Some(MapPieceOutcome {
                rests: self.name(middle.rests).to_string(),
                angle: numbers(piece, &|point| Some(point.angle)),
                to: middle.to.map(|(rests, ..)| self.name(rests).to_string()),
                to_angle: numbers(piece, &|point| point.to.map(|(_, angle, _)| angle)),
                growth: numbers(piece, &|point| point.to.map(|(.., growth)| growth)),
                ends: middle.ends,
            })
        };
        found.pieces.iter().filter_map(told).collect()
    }

    /// Whether a motion without any contact velocity is none.
    fn sees_all(&self, contacts: &Contacts) -> bool {
        let layout = self.kernel.layout();
        contacts.rank(self.input.tol.dependent) + layout.constraints >= layout.coordinates
    }

    fn search(&self, contacts: &Contacts, found: ChatterSearch) -> ChatterSearchOutcome {
        let start = found.start.as_ref().map(|impulses| {
            let v = self.velocity_under(impulses);
            let time = self.own_time(contacts) * SHORT;
            // of the size of the speed that the loads bring about in that time
            let w = (0..impulses.len()).map(|i| contacts.row_under(i, impulses).abs()).fold(0.0, f64::max);
            let load = contacts.largest_load();
            self.by_coordinate(v.iter().map(|v| v * load * time / w))
        });
        ChatterSearchOutcome {
            tried: found.tried,
            grew: found.grew,
            settled: found.settled,
            seed: found.seed,
            start,
        }
    }

    fn orbit(&self, contacts: &Contacts, orbit: &Orbit) -> Option<OrbitOutcome> {
        let period = SHORT * self.own_time(contacts);
        let impulses = contacts.impulses_for(&orbit.start, &self.input.tol)?;
        let start = self.velocity_under(&impulses);
        let phase = |phase: &crate::equilibrium::OrbitPhase| OrbitPhaseOutcome {
            struck: phase.struck.map(|i| self.name(i).to_string()),
            mode: self.by_name(|i| phase.modes.get(i).copied().flatten().unwrap_or(Mode::Free)),
            duration: (phase.duration * period).into(),
        };
        Some(OrbitOutcome {
            growth: orbit.growth.into(),
            returns: orbit.returns,
            period: period.into(),
            start: self.by_coordinate(start.iter().map(|v| v * period)),
            phases: orbit.phases.iter().map(phase).collect(),
        })
    }

    /// √(L/b), what falls through the mechanism's own length; of contacts alone if it has none.
    fn own_time(&self, contacts: &Contacts) -> f64 {
        (self.input.sizes.length() / contacts.largest_load()).sqrt()
    }

    /// M⁻¹Wᵀ x.
    fn velocity_under(&self, impulses: &[f64]) -> Vec<f64> {
        let (n, response) = (self.input.state.v.len(), self.kernel.block(self.values, Block::Response));
        let row = |i: usize| 2 * self.input.closed[i / 2] + i % 2;
        (0..n).map(|k| impulses.iter().enumerate().map(|(i, x)| response[row(i) * n + k] * x).sum()).collect()
    }

    fn by_coordinate(&self, values: impl Iterator<Item = f64>) -> ByName<Number> {
        ByName::new(self.input.names.coordinates.iter().map(String::as_str), values.map(Number::from))
    }

    /// What breaks the equilibrium, if every motion is one of contacts.
    pub(super) fn robustness(&self, contacts: &Contacts, rest: &RestingForces) -> Option<RobustnessOutcome> {
        if rest.weak != Condition::Holds || !self.sees_all(contacts) {
            return None;
        }
        let (n, response) = (self.input.state.v.len(), self.kernel.block(self.values, Block::Response));
        let rows = || self.input.closed.iter().flat_map(|&c| [2 * c, 2 * c + 1]);
        let forces: Vec<Vec<f64>> =
            (0..n).map(|k| rows().map(|row| response[row * n + k]).collect()).collect();
        let under = |force: &Vec<f64>| {
            rows().map(|row| (0..n).map(|k| response[row * n + k] * force[k]).sum()).collect::<Vec<f64>>()
        };
        let gravity = self.input.gravity.as_ref().map(|forces| forces.each_ref().map(under));
        let gravity = gravity.as_ref().map(|[along, across]| Gravity { along, across });
        let Robustness { friction_factor, friction, push, pushes, tilt } =
            contacts.robustness(&forces, gravity, &self.input.tol)?;
        let strong = (rest.strong == Condition::Holds)
            .then(|| contacts.strong_robustness(&forces, gravity, &self.input.tol))
            .flatten();
        let numbers = |x: [f64; 2]| x.map(Number::from);
        Some(RobustnessOutcome {
            friction_factor: friction_factor.map(Number::from),
            least_friction: self.by_name(|i| friction[i].unwrap_or(f64::NAN).into()),
            push: push.into(),
            push_along: ByName::new(
                self.input.names.coordinates.iter().map(String::as_str),
                pushes.into_iter().map(numbers),
            ),
            tilt: tilt.map(numbers),
            strong: strong.map(|found| self.strong(contacts, found)),
        })
    }

    /// What takes away that no other mode is consistent.
    fn strong(&self, contacts: &Contacts, found: StrongRobustness) -> StrongRobustnessOutcome {
        let told = |onset: Onset| OnsetOutcome { at: onset.at.into(), mode: words(&onset.modes, 1) };
        let both = |pair: [Option<Onset>; 2]| pair.map(|onset| onset.map(told));
        let times = |mu: f64| move |onset: Onset| Onset { at: mu * onset.at, ..onset };
        let friction = found.friction.into_iter().enumerate().map(|(i, pair)| {
            let mu = contacts.friction(i).mu();
            (self.name(i).to_string(), both(pair.map(|onset| onset.map(times(mu)))))
        });
        StrongRobustnessOutcome {
            friction_factor: both(found.friction_factor),
            friction: ByName(friction.collect()),
            push: found.push.map(told),
            push_along: ByName(
                self.input
                    .names
                    .coordinates
                    .iter()
                    .cloned()
                    .zip(found.pushes.into_iter().map(both))
                    .collect(),
            ),
            tilt: found.tilt.map(both),
        }
    }
}

/// What is left to say where the mechanism can move although all contacts stick: that it is unstable, if it is.
fn without_all(found: Lyapunov) -> Lyapunov {
    match found.verdict {
        LyapunovVerdict::Stable => {
            Lyapunov { verdict: LyapunovVerdict::Undecided, reason: LyapunovReason::OtherMotions, ..found }
        }
        LyapunovVerdict::Unstable | LyapunovVerdict::Undecided => found,
    }
}
