//! The least friction with a paradox, and that with dynamic jam, over the mechanism's `domain`, one contact at a time.

use super::inputs::{input_names, place};
use super::parameters::{following, with_following};
use super::states::{resolve, state_of};
use super::{Failure, Loaded};
use crate::analysis::search::{ContactFamily, CriticalSearch, critical_friction, jam_friction};
use crate::analysis::{ByName, ContactView, CriticalFriction, JamFriction};
use crate::expression::Symbol;
use crate::format::{Override, ResolvedState};
use crate::model::{Model, ModelError};
use crate::num::{Interval, Tol};

/// What a search is about: the mechanism with its ranges, everything else as in its first state.
pub(super) struct Scope<'l> {
    loaded: &'l Loaded,
    /// The model, with the parameters that follow from searched ones.
    model: Model,
    resolved: ResolvedState,
    ranges: Vec<(Symbol, f64, f64)>,
    /// Tape inputs that a range names or that follow from one.
    named: Vec<usize>,
}

impl<'l> Scope<'l> {
    /// None without a domain.
    pub(super) fn new(
        loaded: &'l Loaded,
        model: &Model,
        overrides: &[Override],
    ) -> Result<Option<Self>, Failure> {
        let mechanism = &loaded.mechanism;
        let Some(first) = mechanism.states.first().filter(|_| !mechanism.domain.is_empty()) else {
            return Ok(None);
        };
        let resolved = resolve(loaded, first, overrides)?;
        let ranges = mechanism
            .domain_values(&resolved.parameters)
            .map_err(|diagnostics| Failure::Input { source: loaded.source.clone(), diagnostics })?;
        let given = first.parameters.iter().map(|p| p.0).chain(overrides.iter().filter_map(overridden));
        let follow = following(mechanism, &parameters(&ranges), &given.collect::<Vec<_>>());
        let model = with_following(mechanism, model, &follow).map_err(|e| refused(loaded, e))?;
        let layout = *model.layout();
        let places = ranges.iter().map(|r| place(layout.coordinates, r.0));
        let named =
            places.chain(follow.iter().map(|&i| place(layout.coordinates, Symbol::Parameter(i)))).collect();
        Ok(Some(Scope { loaded, model, resolved, ranges, named }))
    }

    /// Contacts that a search can be about, and those that are held closed beside each: the bilateral ones.
    fn contacts(&self) -> (Vec<usize>, Vec<usize>) {
        let contacts = &self.loaded.mechanism.contacts;
        (0..contacts.len()).partition(|&c| !contacts[c].bilateral)
    }

    /// Whether a contact has no friction wherever the search looks.
    fn is_smooth(&self, contact: usize) -> bool {
        let friction = &self.loaded.mechanism.contacts[contact].friction;
        let n = self.model.layout().coordinates;
        let varies = friction.symbols().into_iter().any(|symbol| self.named.contains(&place(n, symbol)));
        !varies && friction.eval_parametric(&self.resolved.parameters).abs() <= 0.0
    }

    fn name(&self, contact: usize) -> String {
        self.loaded.mechanism.contacts[contact].name.clone()
    }

    /// The least friction with a paradox at each unilateral contact.
    pub(super) fn critical_friction(&self, tol: &Tol) -> ByName<CriticalFriction> {
        let layout = self.model.layout();
        let inputs = state_of(&self.resolved).inputs();
        let names = input_names(&self.loaded.mechanism);
        let sides = self
            .ranges
            .iter()
            .map(|&(symbol, lo, hi)| (place(layout.coordinates, symbol), Interval::new(lo, hi)));
        let ranges: Vec<(usize, Interval)> = sides.collect();
        let (searched, held) = self.contacts();
        let rails: Vec<usize> = held.iter().copied().filter(|&c| self.is_smooth(c)).collect();
        let contacts: Vec<String> = (0..self.loaded.mechanism.contacts.len()).map(|c| self.name(c)).collect();
        let answer = |&contact: &usize| {
            let (held, rails) = (&held[..], &rails[..]);
            let question =
                CriticalSearch { model: &self.model, contact, held, rails, inputs: &inputs, ranges: &ranges };
            let found = critical_friction(&question, tol);
            let closed = held.iter().map(|&c| self.name(c)).collect();
            let outcome = CriticalFriction::new(&found, (&names, &inputs), &self.named, closed, &contacts);
            (self.name(contact), outcome)
        };
        ByName(searched.iter().map(answer).collect())
    }

    /// The least friction at which dynamic jam attracts, along the one coordinate of the domain that matters.
    pub(super) fn jam_friction(&self, tol: &Tol) -> ByName<JamFriction> {
        let mechanism = &self.loaded.mechanism;
        let one_planar = self.model.layout().tangents == 1 && mechanism.contacts.len() == 1;
        let coordinates: Vec<_> =
            self.ranges.iter().filter(|r| matches!(r.0, Symbol::Coordinate(_))).collect();
        let [(Symbol::Coordinate(varied), lo, hi)] = coordinates[..] else { return ByName::default() };
        if !one_planar || mechanism.contacts[0].bilateral {
            return ByName::default();
        }
        let blocks = [&ContactView::NEEDED[..], &ContactFamily::NEEDED].concat();
        let kernel = self.model.kernel(&blocks).compiled();
        let view = ContactView { kernel: &kernel, parameters: &self.resolved.parameters, contact: 0 };
        let Some(family) = ContactFamily::new(view, &self.resolved.q, &self.resolved.v, *varied) else {
            return ByName::default();
        };
        let names = &mechanism.coordinates;
        let held = family.held().into_iter().map(|k| (names[k].name.clone(), self.resolved.q[k].into()));
        let point = jam_friction(&family, (*lo, *hi), tol).ok().flatten();
        let found = point
            .map(|p| JamFriction::new(&p, &names[*varied].name, tol.scan_points, ByName(held.collect())));
        ByName(found.into_iter().map(|found| (self.name(0), found)).collect())
    }
}

fn refused(loaded: &Loaded, error: ModelError) -> Failure {
    Failure::file(&loaded.source.name, error)
}

/// The parameter that an override sets.
fn overridden(given: &Override) -> Option<usize> {
    if let Symbol::Parameter(i) = given.target { Some(i) } else { None }
}

fn parameters(ranges: &[(Symbol, f64, f64)]) -> Vec<usize> {
    let parameter = |symbol: Symbol| if let Symbol::Parameter(i) = symbol { Some(i) } else { None };
    ranges.iter().filter_map(|range| parameter(range.0)).collect()
}
