//! Pictures of states, from what was said about them.

mod captions;
mod one_contact;

use super::map::around;
use super::{Failure, Loaded, Usage};
use crate::analysis::several::StandingOutcome;
use crate::analysis::{Analysis, LocalOutcome, StateOutcome};
use crate::model::Model;
use crate::num::Tol;
use crate::plot::{self, ForceAxes, Gain, Picture, PlotFault, StatePlot};
use crate::predict::Verdict;
use one_contact::OneContact;

/// A picture of a state with what it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct StatePicture {
    /// Which.
    pub plot: StatePlot,
    /// What it shows of this state, in a sentence or two.
    pub caption: String,
    /// The picture.
    pub picture: Picture,
}

/// All pictures that say something about a state, in reading order, the mechanism first.
/// `set` is what the analysis was made with.
pub fn state_pictures(
    (loaded, model): (&Loaded, &Model),
    (analysis, set): (&Analysis, &[String]),
    state: &StateOutcome,
) -> Vec<StatePicture> {
    let subject = Subject { loaded, model, analysis, set, state };
    StatePlot::ALL
        .into_iter()
        .filter(|plot| subject.tells(*plot))
        .filter_map(|plot| subject.picture(plot))
        .collect()
}

/// The mechanism at a state, small, for a table.
pub fn thumbnail(loaded: &Loaded, state: &StateOutcome) -> Option<Picture> {
    let title = format!("{}, state {}, small", loaded.mechanism.name, state.state);
    plot::thumbnail(&title, &loaded.mechanism, state).ok()
}

/// A picture of the first state that has what it shows; `set` is what the analysis was made with.
///
/// # Errors
/// [`Failure`] if none has.
pub fn draw_state(
    request: StatePlot,
    (loaded, model): (&Loaded, &Model),
    (analysis, set): (&Analysis, &[String]),
) -> Result<Picture, Failure> {
    let subject = |state| Subject { loaded, model, analysis, set, state };
    let drawn = analysis.outcomes().find_map(|state| subject(state).picture(request));
    let drawn = drawn.map(|drawn| drawn.picture).ok_or_else(|| PlotFault::no_state(request));
    Ok(drawn.map_err(Usage::Plot)?)
}

/// A picture of a state from its own numbers, without its caption; none if it does not have what the picture shows, and of the map, for
/// which other states have to be looked at.
pub(crate) fn panel(
    plot: StatePlot,
    (loaded, model): (&Loaded, &Model),
    analysis: &Analysis,
    state: &StateOutcome,
) -> Option<Picture> {
    let subject = Subject { loaded, model, analysis, set: &[], state };
    subject.drawn(plot, &subject.title(plot))
}

/// A state of which pictures are asked for.
#[derive(Clone, Copy)]
struct Subject<'a> {
    loaded: &'a Loaded,
    model: &'a Model,
    analysis: &'a Analysis,
    set: &'a [String],
    state: &'a StateOutcome,
}

impl Subject<'_> {
    fn title(&self, plot: StatePlot) -> String {
        let what = match plot {
            StatePlot::State => "the mechanism",
            StatePlot::Map => "where it lies",
            StatePlot::Plane => "free accelerations",
            StatePlot::Impulse => "the impact",
            StatePlot::Jam => "slip near p = b = 0",
            StatePlot::Portrait => "its contact's fast dynamics",
            StatePlot::Vectors => "two sliding contacts",
            StatePlot::Gain => "p over the directions of slip",
            StatePlot::Forces => "forces that hold it",
            StatePlot::Returns => "the return map of small motions",
        };
        format!("{}, state {}: {what}", self.analysis.mechanism, self.state.state)
    }

    /// The picture, if the state has what it shows.
    fn picture(&self, plot: StatePlot) -> Option<StatePicture> {
        let title = self.title(plot);
        if plot == StatePlot::Map {
            let around = around((self.loaded, self.model), self.set, self.state)?;
            let picture = plot::map_around(&title, &around.map, around.at).ok()?;
            return Some(StatePicture { plot, caption: captions::around(&around), picture });
        }
        let picture = self.drawn(plot, &title)?;
        Some(StatePicture { plot, caption: self.caption(plot), picture })
    }

    fn drawn(&self, plot: StatePlot, title: &str) -> Option<Picture> {
        match plot {
            StatePlot::State => plot::state(title, &self.loaded.mechanism, self.state).ok(),
            StatePlot::Map => None,
            StatePlot::Plane => Some(plot::plane(title, &self.one_contact()?.plane()?)),
            StatePlot::Impulse => Some(plot::impulse(title, &self.one_contact()?.impulse()?)),
            StatePlot::Jam => {
                let one = self.one_contact()?;
                plot::jam(title, &one.jam()?, one.units)
            }
            StatePlot::Portrait => plot::portrait(&self.one_contact()?.scene()?, title).ok(),
            StatePlot::Vectors => {
                let two = self.state.prospect.two_contacts.as_ref()?;
                let sectors = two.load_sectors(&Tol::default());
                let [first, second] = &self.state.closed[..] else { return None };
                (!sectors.is_empty()).then(|| plot::vectors(title, two, &sectors, [first, second]))
            }
            StatePlot::Gain => Some(plot::gain(title, &self.gain()?.1)),
            StatePlot::Forces => {
                let axes: Vec<ForceAxes> =
                    self.state.closed.iter().map(|name| self.force_axes(name)).collect();
                plot::forces(title, self.standing()?, &axes).ok()
            }
            StatePlot::Returns => plot::returns(title, &self.standing()?.lyapunov).ok(),
        }
    }

    /// Whether a report shows it: the portrait where more than one thing can follow, or an impact; the linear system around p = b = 0 near
    /// to it; p(φ) where friction acts on the gap.
    fn tells(&self, plot: StatePlot) -> bool {
        match plot {
            StatePlot::Jam => {
                let jam = self.one_contact().and_then(|one| one.jam());
                jam.is_some_and(|jam| jam.says_something(&Tol::default()))
            }
            StatePlot::Portrait => {
                let paradoxical = [Verdict::Inconsistent, Verdict::Indeterminate].map(Some);
                let resolved = &self.state.prospect.resolved;
                paradoxical.contains(&self.state.prospect.verdict)
                    || resolved.iter().any(|word| word == "iwc")
            }
            StatePlot::Gain => self.gain().is_some_and(|(_, gain)| {
                gain.mu * gain.coupling[0].hypot(gain.coupling[1]) > Tol::default().marginal * gain.own
            }),
            StatePlot::State
            | StatePlot::Map
            | StatePlot::Plane
            | StatePlot::Impulse
            | StatePlot::Vectors
            | StatePlot::Forces
            | StatePlot::Returns => true,
        }
    }

    fn one_contact(&self) -> Option<OneContact<'_>> {
        OneContact::of(self.loaded, self.analysis, self.state)
    }

    fn standing(&self) -> Option<&StandingOutcome> {
        self.state.prospect.rest.as_ref()?.standing.as_ref()
    }

    fn force_axes(&self, contact: &str) -> ForceAxes {
        let units = self.analysis.units.as_ref().and_then(|units| units.contacts.get(contact));
        ForceAxes {
            mu: self.state.contacts.get(contact).map_or(f64::NAN, |contact| contact.friction.0),
            unit: units.map(|units| units.force.clone()),
        }
    }

    /// p(φ) of the first closed contact that slips, or of the first with forbidden directions, or of the first, with its name.
    fn gain(&self) -> Option<(&str, Gain)> {
        let mut all = self.state.closed.iter().filter_map(|name| Some((name.as_str(), self.gain_of(name)?)));
        let (mut found, mut rank) = (None, 0);
        for (name, gain) in all.by_ref() {
            let own = 1 + usize::from(!gain.forbidden.is_empty()) + 2 * usize::from(gain.slip.is_some());
            if own > rank {
                (found, rank) = (Some((name, gain)), own);
            }
        }
        found
    }

    fn gain_of(&self, name: &str) -> Option<Gain> {
        let contact = self.state.contacts.get(name)?;
        let LocalOutcome::Space { B, C, forbidden, .. } = &contact.local else { return None };
        let [first, second] = contact.slip[..] else { return None };
        let mu = contact.friction.0;
        let slips = contact.p_slip.value.is_finite();
        let gain = Gain {
            coupling: B.map(|x| x.value),
            own: C.value,
            mu,
            forbidden: forbidden.iter().map(|arc| arc.map(|x| x.0)).collect(),
            slip: slips.then_some([first.value, second.value]),
            p: contact.p_slip.shown,
        };
        (mu > 0.0 && mu.is_finite() && gain.own > 0.0).then_some(gain)
    }
}
