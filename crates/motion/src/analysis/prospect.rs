//! The answer to "what can happen next?", in the shape of the machine-readable output.

use super::by_name::ByName;
use super::impact::{ImpactOutcome, IwcOutcome};
use super::mode::ModeOutcome;
use super::planar::{Jam, StickOutcome};
use super::several::RestOutcome;
use super::space::{Crossing, OnsetOutcome};
use crate::contact::Cell;
use crate::equilibrium::Equilibrium;
use crate::num::Number;
use crate::predict::{ModeName, TwoContacts, Verdict};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// The answer to "what can happen next?", in the plane or in space.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Prospect {
    /// Admissible modes.
    pub modes: Vec<ModeOutcome>,
    /// The verdict; undefined for a state that is none of the rigid mechanism, and where nothing is said.
    pub verdict: Option<Verdict>,
    /// What can actually follow.
    pub resolved: Vec<Cow<'static, str>>,
    /// How several contacts were decided.
    #[serde(flatten)]
    pub several: Option<SeveralOutcome>,
    /// Two contacts in the plane that both slide: P, b and their class in Table 4.
    #[serde(default)]
    pub two_contacts: Option<TwoContacts>,
    /// Impacts without collision at some of several contacts.
    #[serde(default)]
    pub impacts_without_collision: Vec<IwcOutcome>,
    /// Cell of Tables 2 and 3, which are about the plane.
    pub table: Option<Cell>,
    /// Impact at each contact.
    pub impact: ByName<ImpactOutcome>,
    /// Other impacts that Moreau's rule allows contacts that are struck together, in the plane.
    #[serde(default)]
    pub other_impacts: Vec<ByName<ImpactOutcome>>,
    /// Impact at several contacts that feel each other, by Poisson's law instead of Moreau's rule.
    #[serde(default)]
    pub impact_by_poisson: ByName<ImpactOutcome>,
    /// Rest on several contacts: whether forces hold it, whether something else can happen, in the plane what small motions do.
    #[serde(default)]
    pub rest: Option<RestOutcome>,
    /// What is asked in the plane only, or in space only.
    #[serde(flatten)]
    pub particular: Particular,
}

/// What is asked in the plane only, or in space only.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Particular {
    /// In the plane.
    Plane(Box<PlaneOutcome>),
    /// In space.
    Space(SpaceOutcome),
}

/// What is asked of one contact in the plane only.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct PlaneOutcome {
    /// Dynamic jam at each slipping contact.
    pub jam: ByName<Jam>,
    /// The equilibrium that the state is, if it is one, and its stability.
    pub equilibrium: Option<Equilibrium>,
    /// The sticking motion from a state that moves without slip: where it ends, if it was followed.
    pub no_slip: Option<StickOutcome>,
}

/// What is asked of one contact in space only.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct SpaceOutcome {
    /// Slip that turns towards p < 0, at each slipping contact.
    pub crossing: ByName<Crossing>,
    /// The directions in which slip can leave rest, at each contact at rest.
    #[serde(default)]
    pub onset: ByName<OnsetOutcome>,
}

/// How several contacts were decided.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SeveralOutcome {
    /// Combinations of modes that were judged one by one.
    pub modes_examined: u64,
    /// Combinations that were excluded together with others; undefined beyond 64 bits.
    #[serde(default)]
    pub modes_pruned: Option<u64>,
    /// In space: the search over directions of slip.
    #[serde(flatten)]
    pub directions: Option<DirectionSearch>,
}

/// The search over directions of slip of several contacts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DirectionSearch {
    /// Boxes of slip directions that were examined.
    pub boxes: usize,
    /// Partial decisions (words with arcs of slip directions) that were examined in search of refutations.
    pub partial_decisions: usize,
    /// Combinations that are neither found nor refuted.
    pub undecided: Vec<ByName<ModeName>>,
    /// Normal forces alone that keep all contacts at rest, which proves that rest is the only motion.
    pub only_rest: Option<ByName<Number>>,
}

impl Prospect {
    /// Nothing said yet, of contacts with one or two tangents.
    pub(crate) fn unknown(tangents: usize) -> Self {
        Self {
            modes: Vec::new(),
            verdict: None,
            resolved: Vec::new(),
            several: None,
            two_contacts: None,
            impacts_without_collision: Vec::new(),
            table: None,
            impact: ByName::default(),
            other_impacts: Vec::new(),
            impact_by_poisson: ByName::default(),
            rest: None,
            particular: match tangents {
                1 => Particular::Plane(Box::default()),
                _ => Particular::Space(SpaceOutcome::default()),
            },
        }
    }

    /// Whether nothing is said of what can happen next.
    pub fn is_silent(&self) -> bool {
        self.verdict.is_none() && self.modes.is_empty()
    }

    /// What is asked in the plane only; none in space.
    pub fn plane(&self) -> Option<&PlaneOutcome> {
        match &self.particular {
            Particular::Plane(plane) => Some(plane),
            Particular::Space(_) => None,
        }
    }

    /// The same, to be added to.
    pub fn plane_mut(&mut self) -> Option<&mut PlaneOutcome> {
        match &mut self.particular {
            Particular::Plane(plane) => Some(plane),
            Particular::Space(_) => None,
        }
    }

    /// What is asked in space only; none in the plane.
    pub fn space(&self) -> Option<&SpaceOutcome> {
        match &self.particular {
            Particular::Plane(_) => None,
            Particular::Space(space) => Some(space),
        }
    }

    /// The first mode that satisfies the contact laws.
    pub fn first_consistent(&self) -> Option<&ModeOutcome> {
        self.modes.iter().find(|mode| mode.consistent)
    }

    /// Whether a motion without slip can follow that is no rest.
    pub fn moves_without_slip(&self) -> bool {
        let is_stick = |mode: &ModeOutcome| {
            !mode.mode.is_empty() && mode.mode.0.iter().all(|(_, mode)| *mode == ModeName::STICK)
        };
        self.plane().is_some_and(|plane| plane.equilibrium.is_none())
            && self.modes.iter().any(|mode| mode.consistent && is_stick(mode))
    }
}

/// In the plane what several contacts were asked stands before the impacts, in space after them.
impl Serialize for Prospect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("modes", &self.modes)?;
        map.serialize_entry("verdict", &self.verdict)?;
        map.serialize_entry("resolved", &self.resolved)?;
        if self.plane().is_some() {
            self.several.iter().try_for_each(|several| several.write(&mut map))?;
            given(&mut map, "two_contacts", self.two_contacts.as_ref())?;
            self.write_impacts_without_collision(&mut map)?;
        }
        map.serialize_entry("table", &self.table)?;
        map.serialize_entry("impact", &self.impact)?;
        given(&mut map, "other_impacts", Some(&self.other_impacts).filter(|list| !list.is_empty()))?;
        if let Some(SpaceOutcome { crossing, onset }) = self.space() {
            map.serialize_entry("crossing", crossing)?;
            given(&mut map, "onset", Some(onset).filter(|onset| !onset.is_empty()))?;
        }
        given(
            &mut map,
            "impact_by_poisson",
            Some(&self.impact_by_poisson).filter(|impacts| !impacts.is_empty()),
        )?;
        if self.space().is_some() {
            self.write_impacts_without_collision(&mut map)?;
            self.several.iter().try_for_each(|several| several.write(&mut map))?;
        }
        given(&mut map, "rest", self.rest.as_ref())?;
        if let Some(PlaneOutcome { jam, equilibrium, no_slip }) = self.plane() {
            map.serialize_entry("jam", jam)?;
            map.serialize_entry("equilibrium", equilibrium)?;
            map.serialize_entry("no_slip", no_slip)?;
        }
        map.end()
    }
}

impl Prospect {
    fn write_impacts_without_collision<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let impacts = Some(&self.impacts_without_collision).filter(|list| !list.is_empty());
        given(map, "impacts_without_collision", impacts)
    }
}

impl SeveralOutcome {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("modes_examined", &self.modes_examined)?;
        given(map, "modes_pruned", self.modes_pruned.as_ref())?;
        if let Some(DirectionSearch { boxes, partial_decisions, undecided, only_rest }) = &self.directions {
            map.serialize_entry("boxes", boxes)?;
            map.serialize_entry("partial_decisions", partial_decisions)?;
            map.serialize_entry("undecided", undecided)?;
            map.serialize_entry("only_rest", only_rest)?;
        }
        Ok(())
    }
}

/// An entry that is left out where there is nothing.
fn given<M: SerializeMap, T: Serialize>(map: &mut M, key: &str, value: Option<&T>) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, value))
}

/// The answer to a question that is asked in the plane only, or in space only: where the key stands, it was asked.
pub(super) fn asked<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}
