//! All equations of a mechanism, and their tape.

use super::algebra::{Algebra, FrameForm};
use super::contact::{ContactEquations, Holonomic, Scene, constraint, contact};
use super::emit::{Emitter, Velocities};
use super::frames::Frames;
use super::label::{NamedTape, labels};
use super::lagrange::{Dynamics, Link, dynamics, links};
use super::reference::Reference;
use super::terms::Terms;
use super::tree::{Axes, Tree, tree};
use crate::derive::error::DeriveError;
use crate::format::{Carrier, Mechanism};
use crate::model::{Layout, Model, Output};
use crate::tape::Value;
use symbolica::atom::Atom;

/// The equations of a mechanism, as derived.
pub(super) struct System {
    pub(super) algebra: Algebra,
    pub(super) layout: Layout,
    pub(super) dynamics: Dynamics,
    frames: Frames,
    /// The bodies whose equations follow along the tree of frames; the others' are in `dynamics`.
    links: Vec<Link>,
    gravity: Vec<Atom>,
    pub(super) constraints: Vec<Holonomic>,
    pub(super) contacts: Vec<ContactEquations>,
}

impl System {
    /// Derives everything.
    pub(super) fn new(mechanism: &Mechanism, way: FrameForm) -> Result<Self, DeriveError> {
        let in_frame =
            |i: usize| mechanism.bodies[i].pose.parent.is_some() || mechanism.carries(Carrier::Body(i));
        Self::composed(mechanism, way, in_frame)
    }

    /// Derives everything, with the bodies of which `is_composed` says so composed as frames are.
    pub(super) fn composed(
        mechanism: &Mechanism,
        way: FrameForm,
        is_composed: impl Fn(usize) -> bool,
    ) -> Result<Self, DeriveError> {
        let layout = Layout {
            coordinates: mechanism.coordinates.len(),
            parameters: mechanism.parameters.len(),
            constraints: mechanism.constraints.len(),
            contacts: mechanism.contacts.len(),
            tangents: mechanism.space.tangents(),
        };
        let mut algebra = Algebra::new(layout.coordinates, layout.parameters, way);
        algebra.define(&mechanism.definitions.values, &mechanism.needed_definitions());
        let frames = Frames::new(&mut algebra, mechanism, &is_composed)?;
        let is_link = |i: usize| way == FrameForm::Kept && is_composed(i);
        let (dynamics, motions) = dynamics(&mut algebra, mechanism, &frames, is_link)?;
        let links = links(&mut algebra, mechanism, &frames, is_link);
        let gravity = algebra.atoms(&mechanism.gravity);
        let mut constraints = Vec::new();
        for c in &mechanism.constraints {
            constraints.push(constraint(&mut algebra, &frames, c)?);
        }
        let reference = Reference::new(layout, mechanism);
        let scene =
            Scene { space: mechanism.space, frames: &frames, motions: &motions, reference: &reference };
        let mut contacts = Vec::new();
        for c in &mechanism.contacts {
            contacts.push(contact(&mut algebra, &scene, c)?);
        }
        if way == FrameForm::Expanded {
            algebra.note_differences();
        }
        if let Some(span) = algebra.zero_divisor() {
            return Err(DeriveError::ZeroDivisor { span });
        }
        Ok(System { algebra, layout, dynamics, frames, links, gravity, constraints, contacts })
    }

    /// Whether the equations stand in atoms, all of them.
    pub(super) fn is_written_out(&self) -> bool {
        self.algebra.way == FrameForm::Expanded
    }

    /// All outputs of the layout on one tape.
    pub(super) fn model(&self) -> Result<Model, DeriveError> {
        let mut emitter = Emitter::new(&self.algebra, self.layout);
        let outputs = self.outputs(&mut emitter, Axes::Own)?;
        let tape = emitter.into_builder().finish(&outputs);
        Model::new(self.layout, tape).map_err(DeriveError::Model)
    }

    /// All outputs of the layout.
    fn outputs(&self, emitter: &mut Emitter<'_>, axes: Axes) -> Result<Vec<Value>, DeriveError> {
        let tree = match self.links.as_slice() {
            [] => None,
            links => {
                let coordinates = self.layout.coordinates;
                Some(tree(emitter, &self.frames, links, &self.gravity, coordinates, axes)?)
            }
        };
        let mut outputs = Vec::new();
        for output in Output::ALL {
            outputs.extend(self.whole_block(emitter, tree.as_ref(), output)?);
        }
        Ok(outputs)
    }

    /// The same tape with more outputs: what a person would give a name to, with these names.
    pub(super) fn named_tape(&self, mechanism: &Mechanism) -> Result<NamedTape, DeriveError> {
        let mut emitter = Emitter::new(&self.algebra, self.layout);
        let mut outputs = self.outputs(&mut emitter, Axes::Inertial)?;
        let first = outputs.len();
        let mut names = Vec::new();
        for (label, atom) in labels(&self.frames, mechanism) {
            outputs.push(emitter.atom(&atom, Velocities::Kept)?);
            names.push(label);
        }
        Ok(NamedTape { layout: self.layout, tape: emitter.into_builder().finish(&outputs), first, names })
    }

    /// A block with what the tree of frames adds to it.
    fn whole_block(
        &self,
        emitter: &mut Emitter<'_>,
        tree: Option<&Tree>,
        output: Output,
    ) -> Result<Vec<Value>, DeriveError> {
        let mut values = self.block(emitter, output)?;
        let Some(tree) = tree else { return Ok(values) };
        let b = emitter.builder();
        for (i, value) in values.iter_mut().enumerate() {
            let more = match output {
                Output::Bias => {
                    let parts = [Output::Inertial, Output::Potential].map(|part| tree.value(part, i));
                    let [inertial, potential] = parts.map(|part| part.unwrap_or_else(|| b.constant(0.0)));
                    Some(b.add(inertial, potential))
                }
                output => tree.value(output, i),
            };
            if let Some(more) = more {
                *value = b.add(*value, more);
            }
        }
        Ok(values)
    }

    fn block(&self, emitter: &mut Emitter<'_>, output: Output) -> Result<Vec<Value>, DeriveError> {
        let slips = || self.contacts.iter().flat_map(|c| &c.slips);
        let gaps = || self.contacts.iter().map(|c| &c.gap);
        match output {
            Output::MassMatrix => sums(emitter, &self.dynamics.mass),
            Output::Bias => {
                let bias: Vec<Terms> = (0..self.layout.coordinates).map(|i| self.dynamics.bias(i)).collect();
                sums(emitter, &bias)
            }
            Output::Inertial => sums(emitter, &self.dynamics.inertial),
            Output::Potential => sums(emitter, &self.dynamics.potential),
            Output::Applied => sums(emitter, &self.dynamics.applied),
            Output::KineticEnergy => Ok(vec![emitter.terms(&self.dynamics.kinetic_energy)?]),
            Output::PotentialEnergy => Ok(vec![emitter.terms(&self.dynamics.potential_energy)?]),
            Output::Gap => values(emitter, gaps().map(|g| &g.value), Velocities::Kept),
            Output::NormalJacobian => values(emitter, gaps().flat_map(|g| &g.jacobian), Velocities::Kept),
            Output::GapRate => values(emitter, gaps().map(|g| &g.rate), Velocities::Kept),
            Output::NormalDrift => values(emitter, gaps().map(|g| &g.drift), Velocities::Kept),
            Output::TangentJacobian => values(emitter, slips().flat_map(|s| &s.jacobian), Velocities::Kept),
            Output::SlipRate => values(emitter, slips().map(|s| &s.velocity), Velocities::Zero),
            Output::TangentDrift => values(emitter, slips().map(|s| &s.drift), Velocities::Kept),
            Output::Constraint => {
                values(emitter, self.constraints.iter().map(|c| &c.value), Velocities::Kept)
            }
            Output::ConstraintJacobian => {
                values(emitter, self.constraints.iter().flat_map(|c| &c.jacobian), Velocities::Kept)
            }
            Output::ConstraintRate => {
                values(emitter, self.constraints.iter().map(|c| &c.rate), Velocities::Kept)
            }
            Output::ConstraintDrift => {
                values(emitter, self.constraints.iter().map(|c| &c.drift), Velocities::Kept)
            }
        }
    }
}

fn sums(emitter: &mut Emitter<'_>, all: &[Terms]) -> Result<Vec<Value>, DeriveError> {
    all.iter().map(|terms| emitter.terms(terms)).collect()
}

fn values<'a>(
    emitter: &mut Emitter<'_>,
    atoms: impl Iterator<Item = &'a Atom>,
    velocities: Velocities,
) -> Result<Vec<Value>, DeriveError> {
    atoms.map(|atom| emitter.atom(atom, velocities)).collect()
}
