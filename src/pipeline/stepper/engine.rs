//! By which scheme a motion is followed from call to call.

use super::books::Sums;
use super::{GivenFault, Shared};
use crate::analysis::Names;
use crate::model::Model;
use crate::pipeline::simulate::{Start, check_futures, discretisation, was_interrupted};
use crate::pipeline::usage::Positive;
use crate::pipeline::{Failure, FileFault, Scheme, SimulateOptions, Usage};
use crate::simulate::compliant::{self, Carried, Compliant};
use crate::simulate::event::{self, DEFAULT_RTOL, EventDriven, Memory};
use crate::simulate::log::{Log, Passage, Until};
use crate::simulate::stepped::{Onward, Stepped};
use crate::simulate::trajectory::{EventKind, Penetration, Status, Trajectory};
use crate::stepping::Discretisation;

/// The motions of a mechanism by a scheme.
pub(super) enum Motions {
    /// From event to event.
    Event(Box<EventDriven>),
    /// By steps.
    Stepped(Box<Stepped>, Discretisation),
    /// With compliant contacts, by their ε.
    Compliant(Box<Compliant>, f64),
}

/// What a motion goes on with beside its state.
#[derive(Clone)]
pub(super) enum Engine {
    /// Memory, and the way that the closed contacts went last.
    Event(Box<Memory>, Option<String>),
    /// All of it.
    Stepped(Box<Onward>),
    /// Gaps, slips and springs of the contacts.
    Compliant(Option<Carried>),
}

/// A part of a motion.
pub(super) struct Led {
    pub(super) passage: Passage,
    pub(super) sums: Sums,
    /// The ways on, where it ended because there are several.
    pub(super) futures: Vec<String>,
    pub(super) warnings: Vec<String>,
    /// The energy with that of compliant contacts, where they hold any.
    pub(super) total: Option<f64>,
}

impl Motions {
    /// Of a model with forces from outside.
    pub(super) fn new(model: &Model, options: &SimulateOptions) -> Result<Self, Failure> {
        match options.scheme {
            Scheme::Event => {
                Positive::RelativeTolerance.checked(options.rtol.unwrap_or(DEFAULT_RTOL))?;
                options.atol.map(|atol| Positive::AbsoluteTolerance.checked(atol)).transpose()?;
                Ok(Self::Event(Box::new(EventDriven::new(model))))
            }
            Scheme::Stepped(scheme) => {
                Ok(Self::Stepped(Box::new(Stepped::new(model)), discretisation(scheme, None, options)?))
            }
            Scheme::Compliant => match options.eps[..] {
                [eps] => Ok(Self::Compliant(
                    Box::new(Compliant::new(model).compiled()),
                    Positive::Eps.checked(eps)?,
                )),
                _ => Err(Usage::Eps { found: options.eps.len() }.into()),
            },
            Scheme::Captured(_) => {
                let known = Scheme::all().filter(|scheme| !matches!(scheme, Scheme::Captured(_)));
                let known = known.map(Scheme::word).collect::<Vec<_>>().join(", ");
                Err(Usage::Given(GivenFault::Scheme { scheme: options.scheme.word(), known }).into())
            }
        }
    }
}

impl Engine {
    pub(super) fn new(shared: &Shared, start: &Start) -> Result<Self, Failure> {
        check_futures(&shared.options.futures, &shared.subject.names.contacts)?;
        match &shared.motions {
            Motions::Event(_) => Ok(Self::Event(Box::default(), None)),
            Motions::Compliant(..) => Ok(Self::Compliant(None)),
            Motions::Stepped(stepped, discretisation) => {
                let begun = shared.subject.beginning(start, |begin| stepped.begin(begin, *discretisation));
                Ok(Self::Stepped(Box::new(begun.map_err(Usage::Stepped)?)))
            }
        }
    }

    /// Whether rows may be those of steps.
    pub(super) fn has_steps(&self) -> bool {
        matches!(self, Self::Stepped(_))
    }

    /// How deep contacts came, where that is known.
    pub(super) fn penetration(&self, names: &Names) -> Option<Penetration> {
        match self {
            Self::Stepped(onward) => onward.penetration(names),
            Self::Event(..) | Self::Compliant(_) => None,
        }
    }

    /// Goes on with other parameters and laws.
    pub(super) fn change(&mut self, shared: &Shared, start: &Start) {
        if let Self::Stepped(onward) = self {
            shared.subject.beginning(start, |begin| onward.change(begin));
        }
    }

    /// Goes on at another state.
    pub(super) fn put(&mut self, shared: &Shared, start: &Start) {
        match (self, &shared.motions) {
            (Self::Stepped(onward), Motions::Stepped(stepped, _)) => {
                shared.subject.beginning(start, |begin| onward.put(stepped, begin));
            }
            (Self::Event(_, way), _) => *way = None,
            (Self::Compliant(carried), _) => *carried = None,
            (Self::Stepped(_), _) => {}
        }
    }

    /// Follows the motion further, and leaves where it is in `start`.
    pub(super) fn advance(
        &mut self,
        shared: &Shared,
        start: &mut Start,
        (until, futures): (&Until, &[String]),
        log: Option<&mut Log>,
    ) -> Result<Led, Failure> {
        check_futures(futures, &shared.subject.names.contacts)?;
        match (self, &shared.motions) {
            (Self::Stepped(onward), Motions::Stepped(stepped, _)) => {
                Ok(step((stepped, onward), shared, start, until, log))
            }
            (Self::Event(memory, way), Motions::Event(motions)) => {
                Ok(follow((motions, memory, way), shared, start, (until, futures), log))
            }
            (Self::Compliant(carried), Motions::Compliant(motions, eps)) => {
                yield_to((motions, carried), shared, start, (until, *eps), log)
            }
            _ => Err(Usage::NoStep { scheme: shared.options.scheme.word() }.into()),
        }
    }
}

/// By steps.
fn step(
    (stepped, onward): (&Stepped, &mut Onward),
    shared: &Shared,
    start: &mut Start,
    until: &Until,
    log: Option<&mut Log>,
) -> Led {
    let before = onward.works();
    let mut passage = shared.subject.beginning(start, |begin| stepped.advance(onward, begin, until, log));
    was_interrupted(&mut passage.status, &mut passage.reason);
    let point = onward.point();
    start.state.t = point.t;
    start.state.q.copy_from_slice(&point.q);
    start.state.v.copy_from_slice(&point.v);
    let mut works = onward.works();
    works.iter_mut().zip(before).for_each(|(work, before)| *work -= before);
    let sums = Sums { works, drift: onward.drift(), ..Sums::default() };
    Led { passage, sums, futures: Vec::new(), warnings: Vec::new(), total: None }
}

/// From event to event.
fn follow(
    (motions, memory, way): (&EventDriven, &mut Memory, &mut Option<String>),
    shared: &Shared,
    start: &mut Start,
    (until, futures): (&Until, &[String]),
    log: Option<&mut Log>,
) -> Led {
    let options = &shared.options;
    let futures: Vec<String> = futures.iter().chain(&options.futures).cloned().collect();
    let before = way.take();
    let asked = event::Options {
        rtol: options.rtol.unwrap_or(DEFAULT_RTOL),
        atol: options.atol.unwrap_or(0.0),
        times: log.as_deref().and_then(|log| log.due(until.t)),
        samples: 0,
        limits: event::Limits { steps: until.steps, events: until.events },
        futures: &futures,
        hyperstatic: options.hyperstatic,
        way: before.as_deref(),
        pauses: until.events == 1,
        ..event::Options::until(until.t)
    };
    let mut ending = shared.subject.beginning(start, |begin| motions.run_with(memory, begin, &asked));
    let goes_on = matches!(ending.trajectory.status, Status::End | Status::Budget);
    *way = way_of(&ending.trajectory, &ending.closed, &shared.subject.names).filter(|_| goes_on);
    (start.state, start.closed) = (ending.state, ending.closed);
    let futures = ending.futures.into_iter().map(|future| future.name).collect();
    let warnings = std::mem::take(&mut ending.trajectory.warnings);
    Led { futures, warnings, ..led(ending.trajectory, log) }
}

/// The name of the way that the closed contacts are on, if they are on one.
fn way_of(trajectory: &Trajectory, closed: &[usize], names: &Names) -> Option<String> {
    let last = trajectory.phases.last().filter(|_| !closed.is_empty())?;
    let words = closed.iter().map(|&contact| last.mode.get(&names.contacts[contact]));
    let words: Option<Vec<&str>> = words.map(|word| word.map(|word| &**word)).collect();
    words.map(|words| words.join(","))
}

/// With compliant contacts.
fn yield_to(
    (motions, carried): (&Compliant, &mut Option<Carried>),
    shared: &Shared,
    start: &mut Start,
    (until, eps): (&Until, f64),
    log: Option<&mut Log>,
) -> Result<Led, Failure> {
    let usual = compliant::Options::new(eps, until.t);
    let asked = compliant::Options {
        rtol: shared.options.rtol.unwrap_or(usual.rtol),
        times: log.as_deref().and_then(|log| log.due(until.t)),
        samples: 0,
        steps: until.steps,
        events: until.events,
        pauses: until.events == 1,
        carried: carried.as_ref(),
        ..usual
    };
    let found = shared.subject.beginning(start, |begin| motions.run(begin, &asked));
    let name = &shared.derived.loaded().source.name;
    let found = found.map_err(|error| Failure::file(name, FileFault::Compliant(error)))?;
    let (t, end) = found.end;
    let (q, v) = end.state(start.state.q.len());
    start.state.t = t;
    start.state.q.copy_from_slice(q);
    start.state.v.copy_from_slice(v);
    *carried = Some(end);
    let total = Some(found.trajectory.energy.last.0).filter(|total| total.is_finite());
    Ok(Led { total, ..led(found.trajectory, log) })
}

/// A motion as a part of one: its end is no event.
fn led(found: Trajectory, log: Option<&mut Log>) -> Led {
    let Trajectory { mut status, mut reason, mut events, phases, rows, energy, drift, work, .. } = found;
    was_interrupted(&mut status, &mut reason);
    if status == Status::End {
        events.retain(|event| event.kind != EventKind::End);
    }
    if let Some(log) = log {
        log.extend(&rows, phases);
    }
    let works = [energy.work, energy.friction, energy.impacts].map(|work| work.0);
    let works = works.map(|work| if work.is_finite() { work } else { 0.0 });
    let passage = Passage { status, reason, events, steps: work.steps };
    let sums = Sums { works, drift, ..Sums::default() };
    Led { passage, sums, futures: Vec::new(), warnings: Vec::new(), total: None }
}
