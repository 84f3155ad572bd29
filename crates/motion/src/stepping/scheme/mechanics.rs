//! A mechanism as schemes see it: its kernels, the laws of its contacts, and its numbers at points.

use crate::model::{Block, Kernel, Layout, Model, Output, Singular, Values};
use crate::tape::Degree;

/// A function of (t, q, v), one after the other.
pub type PointFunction<'f> = &'f (dyn Fn(&[f64]) -> f64 + Sync);

/// The laws of a contact in discrete time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLaw {
    /// μ.
    pub friction: f64,
    /// e of U_N⁺ = −e U_N⁻   [A09 (8)].
    pub restitution: f64,
    /// The same for the slip.
    pub tangential: f64,
    /// Whether the gap is held by forces of either sign.
    pub bilateral: bool,
}

/// t, q and v.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// t.
    pub t: f64,
    /// q.
    pub q: Vec<f64>,
    /// v, after an impact if there is one at t.
    pub v: Vec<f64>,
}

impl Point {
    /// Becomes another point, in its own memory.
    pub fn assign(&mut self, other: &Self) {
        self.t = other.t;
        self.q.clone_from(&other.q);
        self.v.clone_from(&other.v);
    }
}

/// The equations of a mechanism for schemes, shared by all its motions.
#[derive(Clone, Debug)]
pub struct Equations {
    /// Gaps, velocities of contacts and constraints.
    pub(super) places: Kernel,
    /// M, h, and the Jacobians.
    pub(super) forces: Kernel,
    energies: Kernel,
    /// Whether the equations of Moreau's step are linear.
    linear: bool,
}

impl Equations {
    /// Where contacts and constraints are and how they move.
    const PLACES: [Block; 4] = [
        Block::Model(Output::Gap),
        Block::ContactVelocity,
        Block::Model(Output::Constraint),
        Block::ConstraintVelocity,
    ];

    /// What a step is made of.
    const FORCES: [Block; 10] = [
        Block::Model(Output::MassMatrix),
        Block::Model(Output::Bias),
        Block::Model(Output::Applied),
        Block::Model(Output::Gap),
        Block::Model(Output::GapRate),
        Block::Model(Output::SlipRate),
        Block::ContactJacobian,
        Block::Model(Output::Constraint),
        Block::Model(Output::ConstraintJacobian),
        Block::Model(Output::ConstraintRate),
    ];

    /// Those of a model, as machine code.
    pub fn new(model: &Model) -> Self {
        let forces = model.kernel(&Self::FORCES);
        Self {
            linear: is_linear(&forces),
            places: Kernel::with_sizes(model, &Self::PLACES, &[Output::Gap.into()]).compiled(),
            forces: forces.compiled(),
            energies: model.kernel(&[Output::KineticEnergy, Output::PotentialEnergy]),
        }
    }

    /// Sizes of the mechanism.
    pub fn layout(&self) -> &Layout {
        self.forces.layout()
    }

    /// T + V at a point.
    pub fn energy(&self, point: &Point, parameters: &[f64]) -> f64 {
        self.energies_at(point, parameters).iter().sum()
    }

    /// T and V at a point.
    pub fn energies_at(&self, point: &Point, parameters: &[f64]) -> [f64; 2] {
        let mut values = self.energies.values();
        self.energies.set_parameters(parameters, &mut values);
        // energies need no M
        let _ = self.energies.solve_at(point.t, &point.q, &point.v, &mut values);
        [Output::KineticEnergy, Output::PotentialEnergy].map(|of| self.energies.block(&values, of)[0])
    }
}

/// A mechanism with its laws, and its numbers at the point that was looked at last and at the point whose forces were evaluated
/// last.
pub struct Mechanics<'a> {
    equations: &'a Equations,
    laws: &'a [StepLaw],
    active: &'a [Option<PointFunction<'a>>],
    /// Whether there is one.
    watched: bool,
    parameters: &'a [f64],
    places: Values<f64>,
    forces: Values<f64>,
    row: Vec<f64>,
    evaluations: usize,
}

/// The memory of a [`Mechanics`], which the next one of the same equations goes on with: it has looked where that did.
#[derive(Clone, Debug)]
pub struct MechanicsMemory {
    places: Values<f64>,
    forces: Values<f64>,
    row: Vec<f64>,
}

impl MechanicsMemory {
    /// Memory for these equations.
    pub fn new(equations: &Equations) -> Self {
        Self {
            places: equations.places.values(),
            forces: equations.forces.values(),
            row: Vec::with_capacity(1 + 2 * equations.layout().coordinates),
        }
    }
}

impl<'a> Mechanics<'a> {
    /// A mechanism at these parameters; `active` has for each contact the function that has to be positive for it to close.
    ///
    /// # Panics
    /// If there is another number of parameters or contacts than the model's.
    pub fn new(
        equations: &'a Equations,
        parameters: &'a [f64],
        laws: &'a [StepLaw],
        active: &'a [Option<PointFunction<'a>>],
    ) -> Self {
        Self::resumed(MechanicsMemory::new(equations), equations, parameters, laws, active)
    }

    /// The same in the memory that one before has left.
    ///
    /// # Panics
    /// As [`Mechanics::new`].
    pub fn resumed(
        memory: MechanicsMemory,
        equations: &'a Equations,
        parameters: &'a [f64],
        laws: &'a [StepLaw],
        active: &'a [Option<PointFunction<'a>>],
    ) -> Self {
        let layout = equations.layout();
        assert!(laws.len() == layout.contacts && active.len() == layout.contacts, "contacts of the model");
        let MechanicsMemory { mut places, mut forces, row } = memory;
        equations.places.set_parameters(parameters, &mut places);
        equations.forces.set_parameters(parameters, &mut forces);
        let watched = active.iter().any(Option::is_some);
        Self { equations, laws, active, watched, parameters, places, forces, row, evaluations: 0 }
    }

    /// What the next one goes on with.
    pub fn into_memory(self) -> MechanicsMemory {
        let Self { places, forces, row, .. } = self;
        MechanicsMemory { places, forces, row }
    }

    /// Sizes of the mechanism.
    pub fn layout(&self) -> &'a Layout {
        self.equations.layout()
    }

    /// The laws of each contact.
    pub fn laws(&self) -> &'a [StepLaw] {
        self.laws
    }

    /// Whether M and the Jacobians are constant and h is affine in t, q and v.
    pub(super) fn is_linear(&self) -> bool {
        self.equations.linear
    }

    /// Evaluations of the forces so far.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// Looks at a point: gaps and velocities of contacts and constraints are then those of this point.
    pub fn look(&mut self, point: &Point) -> Result<(), Singular> {
        if self.watched {
            self.row.clear();
            self.row.push(point.t);
            self.row.extend_from_slice(&point.q);
            self.row.extend_from_slice(&point.v);
        }
        self.equations.places.solve_at(point.t, &point.q, &point.v, &mut self.places)
    }

    /// Gap of each contact at the point that was looked at.
    #[inline]
    pub fn gaps(&self) -> &[f64] {
        self.equations.places.block(&self.places, Output::Gap)
    }

    /// The sizes of the terms of each gap there.
    #[inline]
    pub fn gap_sizes(&self) -> &[f64] {
        self.equations.places.sizes(&self.places, Output::Gap)
    }

    /// U of each contact there, normal first.
    #[inline]
    pub fn contact_velocities(&self) -> &[f64] {
        self.equations.places.block(&self.places, Block::ContactVelocity)
    }

    /// Slip of a contact of the plane there; in space its first part.
    pub(super) fn slip(&self, contact: usize) -> f64 {
        self.contact_velocities()[contact * (1 + self.layout().tangents) + 1]
    }

    /// φ of each bilateral constraint there.
    pub fn constraints(&self) -> &[f64] {
        self.equations.places.block(&self.places, Output::Constraint)
    }

    /// φ̇ of each bilateral constraint there.
    pub fn constraint_rates(&self) -> &[f64] {
        self.equations.places.block(&self.places, Block::ConstraintVelocity)
    }

    /// Whether a contact may close at the point that was looked at.
    pub fn may_close(&self, contact: usize) -> bool {
        self.active[contact].is_none_or(|active| active(&self.row) > 0.0)
    }

    /// Evaluates the forces somewhere.
    pub fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Singular> {
        self.evaluations += 1;
        self.equations.forces.solve_at(t, q, v, &mut self.forces)
    }

    /// Evaluates the forces where `place` puts q and v.
    #[inline]
    pub(super) fn evaluate_placed(
        &mut self,
        t: f64,
        place: impl FnOnce(&mut [f64], &mut [f64]),
    ) -> Result<(), Singular> {
        self.evaluations += 1;
        self.equations.forces.solve_placed(t, &mut self.forces, place)
    }

    /// A block where the forces were evaluated last.
    pub fn force(&self, block: impl Into<Block>) -> &[f64] {
        self.equations.forces.block(&self.forces, block)
    }

    /// The parameters.
    pub(super) fn parameters(&self) -> &'a [f64] {
        self.parameters
    }

    /// The kernel of the forces, for derivatives.
    pub(super) fn forces_kernel(&self) -> &'a Kernel {
        &self.equations.forces
    }
}

/// Whether M, the Jacobians and the explicit rates are constant, and h is affine in t, q and v.
fn is_linear(forces: &Kernel) -> bool {
    let moving = 1 + 2 * forces.layout().coordinates;
    let degrees = forces.tape().degrees(|input| input < moving);
    let all = |block: Block, most: Degree| degrees[forces.range(block)].iter().all(|degree| *degree <= most);
    let constant = [
        Output::MassMatrix,
        Output::GapRate,
        Output::SlipRate,
        Output::ConstraintJacobian,
        Output::ConstraintRate,
    ];
    constant.into_iter().all(|output| all(output.into(), Degree::Constant))
        && all(Block::ContactJacobian, Degree::Constant)
        && all(Output::Bias.into(), Degree::Affine)
}
