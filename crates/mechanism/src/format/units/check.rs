//! Whether the units of a mechanism fit: those of its names, of every expression, and of every value where it stands.

use super::base::{self, Base};
use super::infer::{Inference, KnownUnit, RADIANS, apart, degrees, name_it, usual};
use super::places::{Stand, Wanted, stands};
use super::unit::Unit;
use crate::diag::Diagnostic;
use crate::expression::{Expr, Symbol};
use crate::format::geometry::{Geometry, Slip};
use crate::format::mechanism::{ConstraintValue, Contact, Force, Mechanism, StateSpec};
use crate::format::placement::Placed;
use crate::num::InOrder;

/// A mechanism with the units of its names, and what was found wrong with the others.
pub(super) struct Checked {
    pub(super) base: Base,
    pub(super) coordinates: Vec<Unit>,
    pub(super) definitions: Vec<Option<Unit>>,
    /// The units of the gaps, as far as they are known.
    pub(super) gaps: Vec<Option<Unit>>,
    pub(super) found: Vec<Diagnostic>,
}

/// Everything whose unit does not fit; nothing where a parameter or coordinate has no unit.
pub(in crate::format) fn check(mechanism: &Mechanism) -> Vec<Diagnostic> {
    checked(mechanism).map(|checked| checked.found).unwrap_or_default()
}

/// The texts of all units; none if one is missing.
fn texts(mechanism: &Mechanism) -> Option<Vec<&str>> {
    let parameters = mechanism.parameters.iter().map(|p| p.unit.as_deref());
    parameters.chain(mechanism.coordinates.iter().map(|c| c.unit.as_deref())).collect()
}

/// What is wrong with the unit of a value that is given for a name from outside the file.
pub(in crate::format) fn unfit(mechanism: &Mechanism, symbol: Symbol, value: &Expr) -> Option<Diagnostic> {
    // a number is one of the name's unit
    if value.is_constant() {
        return None;
    }
    let (mut check, _) = all(mechanism)?;
    check.inference.found.clear();
    check.assigned(mechanism, "", symbol, value);
    check.inference.found.into_iter().next().map(|found| found.with_path(""))
}

/// The check of a mechanism; none if there is nothing to check: a unit is missing, or all are numbers.
pub(super) fn checked(mechanism: &Mechanism) -> Option<Checked> {
    let (check, gaps) = all(mechanism)?;
    let Check { inference, base } = check;
    let mut found = inference.found;
    found.put_in_order_of(|d| d.span);
    // what stands at one place is told once, such as a value that YAML repeats
    found.dedup_by_key(|d| d.span);
    let definitions = inference.definitions.iter().map(KnownUnit::unit).collect();
    Some(Checked { base, coordinates: inference.coordinates, definitions, gaps, found })
}

/// Everything is looked at; with the units of the gaps.
fn all(mechanism: &Mechanism) -> Option<(Check, Vec<Option<Unit>>)> {
    let texts = texts(mechanism)?;
    let units: Vec<Unit> = texts.iter().map(|text| Unit::parse(text).ok()).collect::<Option<_>>()?;
    if units.iter().all(Unit::is_number) {
        return None;
    }
    let time = base::time(&texts, &units);
    let (parameters, coordinates) = units.split_at(mechanism.parameters.len());
    let mut inference = Inference {
        parameters: parameters.to_vec(),
        coordinates: coordinates.to_vec(),
        definitions: Vec::new(),
        time: time.clone(),
        found: Vec::new(),
        path: String::new(),
    };
    inference.names(mechanism);
    let stands: Vec<(Stand, KnownUnit)> =
        stands(mechanism).into_iter().map(|stand| inference.stand(stand)).collect();
    let base = Base::new(&time, &units, &stands);
    let mut check = Check { inference, base };
    for (stand, worth) in &stands {
        let unit = check.base.unit(stand.wanted);
        check.expect(&stand.path, stand.value, worth, unit);
    }
    let gaps = check.rest(mechanism);
    Some((check, gaps))
}

impl Inference {
    /// Definitions get the unit of what they stand for; parameters have one already.
    fn names(&mut self, mechanism: &Mechanism) {
        for (i, p) in mechanism.parameters.iter().enumerate() {
            self.path = format!("parameters.{}", p.name);
            let worth = self.worth(&p.value);
            let unit = self.parameters[i].clone();
            self.own(&p.value, &worth, &unit, &p.name);
        }
        for (name, value) in mechanism.definitions.names.iter().zip(&mechanism.definitions.values) {
            self.path = format!("definitions.{name}");
            let worth = self.worth(value);
            self.definitions.push(worth);
        }
    }

    fn stand<'m>(&mut self, stand: Stand<'m>) -> (Stand<'m>, KnownUnit) {
        self.path.clone_from(&stand.path);
        let worth = self.worth(stand.value);
        (stand, worth)
    }

    /// A value of a name with a unit: numbers are numbers of this unit.
    fn own(&mut self, value: &Expr, worth: &KnownUnit, unit: &Unit, name: &str) {
        if let KnownUnit::Of(found) = worth {
            self.compare(value, found, unit, &format!("`{name}` is in {unit}"));
        }
    }

    /// `found` must be `unit`.
    fn compare(&mut self, value: &Expr, found: &Unit, unit: &Unit, why: &str) {
        if found.fits(unit) {
            return;
        }
        if found.is_multiple_of(unit) {
            let message =
                format!("this is in {found}, expected {unit}: a factor of {} apart", apart(found, unit));
            let hint = format!("{why}, and numbers are used as they are written: give all in one scale");
            return self.fault("M222", value.span, message, Some(hint));
        }
        let message = format!("this is {}, expected {}", found.words(), unit.words());
        let hint = match degrees(found) || degrees(unit) {
            true => RADIANS.to_owned(),
            false if unit.is_number() => format!("this is in {found}"),
            false => format!("{why}, and this is in {found}"),
        };
        self.fault("M222", value.span, message, Some(hint));
    }
}

struct Check {
    inference: Inference,
    base: Base,
}

impl Check {
    /// A value at a place of a unit.
    fn expect(&mut self, path: &str, value: &Expr, worth: &KnownUnit, unit: Option<Unit>) {
        let (Some(found), Some(unit)) = (worth.unit(), unit) else { return };
        self.inference.path = path.to_owned();
        if *worth == KnownUnit::Bare && !found.fits(&unit) {
            let message = format!("a number without a unit stands for {}", unit.words());
            let hint = name_it(&unit);
            return self.inference.fault("M222", value.span, message, Some(hint));
        }
        self.inference.compare(value, &found, &unit, &format!("{} is in {unit} here", unit.words()));
    }

    fn worth(&mut self, path: &str, value: &Expr) -> KnownUnit {
        self.inference.path = path.to_owned();
        self.inference.worth(value)
    }

    /// Infers and compares.
    fn value(&mut self, path: &str, value: &Expr, unit: Option<Unit>) {
        let worth = self.worth(path, value);
        self.expect(path, value, &worth, unit);
    }

    /// What depends on units that were not known before; gives the units of the gaps.
    fn rest(&mut self, mechanism: &Mechanism) -> Vec<Option<Unit>> {
        for (i, force) in mechanism.forces.iter().enumerate() {
            self.force(&format!("forces[{i}]"), force);
        }
        for constraint in &mechanism.constraints {
            if let ConstraintValue::Expression(x) = &constraint.value {
                // any unit, but one
                self.worth(&format!("constraints.{}", constraint.name), x);
            }
        }
        let gaps = mechanism.contacts.iter().map(|c| self.contact(c)).collect();
        mechanism.states.iter().for_each(|state| self.state(mechanism, state));
        for range in &mechanism.domain {
            self.assigned(mechanism, "domain", range.variable, &range.lo);
            self.assigned(mechanism, "domain", range.variable, &range.hi);
        }
        gaps
    }

    /// Energy·time^n per power of a unit.
    fn energy_per(&self, unit: &Unit, power: i64, times: i64) -> Option<Unit> {
        let energy = self.base.unit(Wanted([1, 0, 0, times]))?;
        (0..power).try_fold(energy, |energy, _| energy.over(unit)).map(super::infer::plain)
    }

    fn force(&mut self, path: &str, force: &Force) {
        match force {
            Force::Coordinate { coordinate, value } => {
                let unit = self.inference.coordinates.get(*coordinate).cloned();
                let wanted = unit.and_then(|unit| self.energy_per(&unit, 1, 0));
                self.value(&format!("{path}.value"), value, wanted);
            }
            Force::Torsion { angle, stiffness, rest, damping, limit } => {
                let unit = self.worth(&format!("{path}.torsion"), angle).unit();
                let per = |check: &Self, times| unit.as_ref().and_then(|u| check.energy_per(u, 2, times));
                let (spring, damper) = (per(self, 0), per(self, 1));
                let torque = unit.as_ref().and_then(|unit| self.energy_per(unit, 1, 0));
                self.value(&format!("{path}.stiffness"), stiffness, spring);
                self.value(&format!("{path}.angle"), rest, unit);
                self.value(&format!("{path}.damping"), damping, damper);
                if let Some(limit) = limit {
                    self.value(&format!("{path}.limit"), limit, torque);
                }
            }
            Force::Point { .. } | Force::Torque { .. } | Force::Spring { .. } => {}
        }
    }

    /// The unit of the gap.
    fn contact(&mut self, contact: &Contact) -> Option<Unit> {
        let path = |key: &str| format!("contacts.{}.{key}", contact.name);
        // a condition has any unit, but one; compliance is given in the scaled variables of the regularised contact, of no
        // unit that could be told
        let compliance = &contact.compliance;
        if let Some(x) = &contact.active {
            self.worth(&path("active"), x);
        }
        for x in
            [&compliance.stiffness, &compliance.damping].into_iter().chain(&compliance.tangential_stiffness)
        {
            self.worth(&path("compliance"), x);
        }
        contact.tangents.iter().flatten().for_each(|t| self.alike(&path("tangents"), t));
        match &contact.geometry {
            Geometry::Point { surface, .. } | Geometry::Round { surface, .. } => {
                self.alike(&path("surface.normal"), &surface.normal);
                self.base.unit(Wanted::LENGTH)
            }
            Geometry::RoundPair { .. } => self.base.unit(Wanted::LENGTH),
            Geometry::Direct { gap, slip } => self.direct(&contact.name, gap, slip),
        }
    }

    /// A slip is measured as the gap is: friction compares the forces along the two.
    fn direct(&mut self, name: &str, gap: &Expr, slip: &Slip) -> Option<Unit> {
        let path = |key: &str| format!("contacts.{name}.{key}");
        let unit = self.worth(&path("gap"), gap).unit();
        let (key, list, wanted) = match slip {
            Slip::Displacement(list) => ("slip", list, unit.clone()),
            Slip::Velocity(list) => {
                ("slip_velocity", list, unit.as_ref().and_then(|unit| unit.over(&self.base.time)))
            }
        };
        list.iter().for_each(|x| self.value(&path(key), x, wanted.clone().map(super::infer::plain)));
        unit
    }

    /// Components of a direction have one unit, whichever.
    fn alike(&mut self, path: &str, direction: &Placed) {
        let worths: Vec<KnownUnit> = direction.components.iter().map(|x| self.worth(path, x)).collect();
        let Some(unit) = usual(&worths) else { return };
        for (x, worth) in direction.components.iter().zip(&worths) {
            let Some(found) = worth.unit().filter(|found| !found.fits(&unit)) else { continue };
            self.inference.compare(x, &found, &unit, &format!("another component is in {unit}"));
        }
    }

    fn state(&mut self, mechanism: &Mechanism, state: &StateSpec) {
        let path = format!("states.{}", state.name);
        self.assigned(mechanism, &path, Symbol::Time, &state.t);
        for (i, x) in &state.parameters {
            self.assigned(mechanism, &path, Symbol::Parameter(*i), x);
        }
        for (i, x) in &state.q {
            self.assigned(mechanism, &path, Symbol::Coordinate(*i), x);
        }
        for (i, x) in &state.v {
            self.assigned(mechanism, &path, Symbol::Rate(*i), x);
        }
    }

    /// The value of a name: a number is one of its unit.
    fn assigned(&mut self, mechanism: &Mechanism, path: &str, symbol: Symbol, value: &Expr) {
        let name =
            |list: &mut dyn Iterator<Item = &String>, i: usize| list.nth(i).cloned().unwrap_or_default();
        let mut parameters = mechanism.parameters.iter().map(|p| &p.name);
        let mut coordinates = mechanism.coordinates.iter().map(|c| &c.name);
        let (unit, name) = match symbol {
            Symbol::Time => (KnownUnit::Of(self.base.time.clone()), "t".to_owned()),
            Symbol::Parameter(i) => (self.unit_of(&self.inference.parameters, i), name(&mut parameters, i)),
            Symbol::Coordinate(i) => {
                (self.unit_of(&self.inference.coordinates, i), name(&mut coordinates, i))
            }
            Symbol::Rate(i) => {
                let unit = self.inference.coordinates.get(i).map(|unit| self.inference.rate(unit));
                (unit.unwrap_or(KnownUnit::Unknown), format!("dot({})", name(&mut coordinates, i)))
            }
        };
        self.inference.path = format!("{path}.{name}");
        let worth = self.inference.given(value);
        if let KnownUnit::Of(unit) = unit {
            self.inference.own(value, &worth, &unit, &name);
        }
    }

    fn unit_of(&self, list: &[Unit], i: usize) -> KnownUnit {
        list.get(i).cloned().map_or(KnownUnit::Unknown, KnownUnit::Of)
    }
}
