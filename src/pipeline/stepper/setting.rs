//! Parameters and forces from outside.

use super::{GivenFault, Stepper};
use crate::expression::Env;
use crate::format::Mechanism;
use crate::pipeline::analyze::planar_laws;
use crate::pipeline::length::length_at;
use crate::pipeline::{Failure, Usage};

impl Stepper {
    /// Sets generalised forces from outside, one for each coordinate: they act from now on until they are set again.
    ///
    /// # Errors
    /// [`GivenFault`] for another number of them, or what is not finite; all forces are then what they were.
    pub fn set_forces(&mut self, forces: &[f64]) -> Result<(), Failure> {
        let mechanism = self.shared.derived.mechanism();
        check_numbers("forces", forces, mechanism)?;
        let first = mechanism.parameters.len();
        self.start.state.parameters[first..].copy_from_slice(forces);
        Ok(())
    }

    /// Sets some parameters, by their indices; those that the file defines by them follow, and so do the laws of contact.
    ///
    /// # Errors
    /// [`Failure`] for a value that is not finite, or one that makes a law of contact nonsense; all parameters are then what they were.
    ///
    /// # Panics
    /// If there is no parameter of an index.
    pub fn set_parameters(&mut self, changes: &[(usize, f64)]) -> Result<(), Failure> {
        self.setting(|stepper| stepper.put_parameters(changes))
    }

    fn put_parameters(&mut self, changes: &[(usize, f64)]) -> Result<(), Failure> {
        let shared = &self.shared;
        let (loaded, mechanism) = (shared.derived.loaded(), shared.derived.mechanism());
        let mut set = self.set.clone();
        for &(i, value) in changes {
            check_number("the value", &mechanism.parameters[i].name, value)?;
            set[i] = Some(value);
        }
        let mut parameters = self.start.state.parameters.clone();
        shared.rules.follow(&set, &mut parameters);
        for (parameter, value) in mechanism.parameters.iter().zip(&parameters) {
            check_number("the value", &parameter.name, *value)?;
        }
        let own = &parameters[..mechanism.parameters.len()];
        let laws = planar_laws(loaded, &mechanism.contact_laws(own))?;
        let state = &mut self.start.state;
        let env = Env {
            t: state.t,
            q: &state.q[..],
            v: &state.v[..],
            parameters: own,
            definitions: &mechanism.definitions.values,
        };
        let length = length_at(mechanism, env);
        state.parameters = parameters;
        (self.set, self.start.laws, self.start.length) = (set, laws, length);
        self.engine.change(shared, &self.start);
        Ok(())
    }

    /// The index of a parameter by its name.
    ///
    /// # Errors
    /// [`GivenFault::Name`] if there is none.
    pub fn parameter(&self, name: &str) -> Result<usize, Failure> {
        let parameters = &self.shared.derived.mechanism().parameters;
        parameters.iter().position(|parameter| parameter.name == name).ok_or_else(|| {
            let names = parameters.iter().map(|parameter| parameter.name.clone()).collect();
            Usage::Given(GivenFault::Name { what: "parameter", name: name.to_string(), names }).into()
        })
    }
}

/// That there is a finite number for each coordinate.
pub(in crate::pipeline) fn check_numbers(
    what: &'static str,
    numbers: &[f64],
    mechanism: &Mechanism,
) -> Result<(), Usage> {
    let coordinates = &mechanism.coordinates;
    let (found, expected) = (numbers.len(), coordinates.len());
    if found != expected {
        let names = coordinates.iter().map(|coordinate| coordinate.name.clone()).collect();
        return Err(Usage::Given(GivenFault::Length { what, found, expected, names }));
    }
    numbers.iter().zip(coordinates).try_for_each(|(x, own)| check_number(what, &own.name, *x))
}

pub(super) fn check_number(what: &'static str, name: &str, value: f64) -> Result<(), Usage> {
    match value.is_finite() {
        true => Ok(()),
        false => Err(Usage::Given(GivenFault::NotFinite { what, name: name.to_string(), value })),
    }
}
