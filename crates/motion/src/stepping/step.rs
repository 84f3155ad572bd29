//! The incremental problem of the next time step h of a mechanism at a state, M v̇ + h(q, v) = Hᵀλ:
//!
//! * dynamics, Moreau's scheme [AC11 (4.17), (4.18)], [ACLM11 (2.5)]: M(qₖ), f = h·h(qₖ, vₖ) − M(qₖ) vₖ, H(qₖ), and for
//!   w the velocities of the contacts that do not come from v; impacts are inelastic, r is the impulse of the step;
//! * quasi-statics [AC11 (4.22), (4.28)]: the inertia is left out, and the forces are linearised about the state: K and C
//!   are the derivatives of the forces that act against the motion, by q and by v. For a linear visco-elastic body that
//!   is the paper's step exactly; otherwise one Newton step of backward Euler.
//!
//! Velocity levels have the closed contacts only; the position level has all of them, with their gaps.

use super::constraints::{Constraints, Motions};
use super::dense::{DenseProblem, Halves};
use super::quasistatic::QuasiStatic;
use crate::coulomb::{Problem, ProblemError};
use crate::model::{Kernel, Layout, Output, State, Values};
use crate::num::{Dual, dense};

/// How the next step is modelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepModel {
    /// [AC11 (4.18)]: velocities and impulses.
    #[default]
    Dynamics,
    /// [AC11 (4.22)]: no inertia, Coulomb's law with velocities.
    QuasiStatic,
    /// [AC11 (4.28)]: no inertia, Coulomb's law with gaps and displacements; the unknowns are the coordinates.
    QuasiStaticPosition,
}

/// A mechanism at a state, as its next step sees it.
#[derive(Clone, Copy, Debug)]
pub struct StepInput<'a> {
    /// A kernel with all blocks.
    pub kernel: &'a Kernel,
    /// Its outputs at the state.
    pub values: &'a Values<f64>,
    /// t, q, v, parameters.
    pub state: &'a State,
    /// Indices of the closed contacts, ascending.
    pub closed: &'a [usize],
    /// Friction coefficient of every contact of the mechanism.
    pub friction: &'a [f64],
    /// h, s.
    pub step: f64,
}

/// The problem of a step, and how its unknowns are those of the mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The problem; under bilateral constraints, in the independent unknowns.
    pub problem: Problem,
    /// The mechanism's contact behind each contact of the problem.
    pub contacts: Vec<usize>,
    /// Their names, if they were given.
    pub labels: Vec<String>,
    /// h, s.
    pub h: f64,
    /// What the reader should know of the state.
    pub notes: Vec<String>,
    motions: Option<Motions>,
}

impl Step {
    /// The problem of the next step.
    ///
    /// # Errors
    /// [`ProblemError`]: a step that is not a positive number, M not positive definite (a quasi-static mechanism that
    /// can move without stiffness or damping), numbers that are not finite.
    pub fn new(model: StepModel, input: &StepInput<'_>) -> Result<Self, ProblemError> {
        let mut numbers = Numbers::default();
        numbers.set(model, input)?;
        Ok(Self {
            problem: numbers.dense.problem()?,
            contacts: numbers.contacts,
            labels: Vec::new(),
            h: input.step,
            notes: Vec::new(),
            motions: numbers.is_constrained.then_some(numbers.motions),
        })
    }

    /// The same step with a named problem, and the names of the mechanism's contacts.
    #[must_use]
    pub fn named<'n>(self, name: &str, contacts: impl Fn(usize) -> &'n str) -> Self {
        let labels = self.contacts.iter().map(|&c| contacts(c).to_string()).collect();
        Self { problem: self.problem.named(name), labels, ..self }
    }

    /// The mechanism's velocities (at the position level: its coordinates) from the problem's unknowns.
    #[must_use]
    pub fn velocity(&self, y: &[f64]) -> Vec<f64> {
        self.motions.as_ref().map_or_else(|| y.to_vec(), |motions| motions.expand(y))
    }
}

/// The numbers of a step, in memory that stays.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// The problem; under bilateral constraints, in the independent unknowns.
    pub(super) dense: DenseProblem,
    /// The mechanism's contact behind each contact of the problem.
    pub(super) contacts: Vec<usize>,
    pub(super) is_constrained: bool,
    pub(super) motions: Motions,
    constraints: Constraints,
    halves: Halves,
}

impl Numbers {
    /// # Errors
    /// `Step`, and wrong sizes.
    pub(super) fn set(&mut self, model: StepModel, input: &StepInput<'_>) -> Result<(), ProblemError> {
        if !(input.step > 0.0 && input.step.is_finite()) {
            return Err(ProblemError::Step { found: input.step });
        }
        let here = Evaluated { input, layout: input.kernel.layout() };
        let Self { dense, contacts, is_constrained, motions, constraints, halves } = self;
        contacts.clear();
        match model {
            StepModel::Dynamics | StepModel::QuasiStatic => contacts.extend_from_slice(input.closed),
            StepModel::QuasiStaticPosition => contacts.extend(0..here.layout.contacts),
        }
        match model {
            StepModel::Dynamics => here.dynamics(contacts, dense),
            StepModel::QuasiStatic => *dense = here.quasi_static(contacts)?,
            StepModel::QuasiStaticPosition => *dense = here.quasi_static_position(contacts)?,
        }
        dense.dim = 1 + here.layout.tangents;
        *is_constrained = here.layout.constraints > 0;
        if *is_constrained {
            match model {
                StepModel::Dynamics | StepModel::QuasiStatic => here.constrained_velocity(constraints),
                StepModel::QuasiStaticPosition => here.constrained_position(constraints),
            }
            motions.set(here.layout.coordinates, constraints);
            dense.restrict(motions, halves);
        }
        Ok(())
    }
}

/// The evaluated mechanism.
struct Evaluated<'a> {
    input: &'a StepInput<'a>,
    layout: &'a Layout,
}

impl<'a> Evaluated<'a> {
    fn block(&self, output: Output) -> &'a [f64] {
        self.input.kernel.block(self.input.values, output)
    }

    fn rows(&self, output: Output) -> std::slice::ChunksExact<'a, f64> {
        self.block(output).chunks_exact(self.layout.coordinates.max(1))
    }

    /// Row i of a Jacobian.
    fn row(&self, output: Output, i: usize) -> &'a [f64] {
        let n = self.layout.coordinates;
        &self.block(output)[i * n..(i + 1) * n]
    }

    fn friction(&self, contacts: &[usize]) -> impl Iterator<Item = f64> {
        contacts.iter().map(|&c| self.input.friction[c])
    }

    /// H: the rows W_N, W_T of the contacts.
    fn jacobian(&self, contacts: &[usize]) -> impl Iterator<Item = &'a [f64]> {
        let d = self.layout.tangents;
        contacts.iter().flat_map(move |&c| {
            let tangents = (c * d..(c + 1) * d).map(|i| self.row(Output::TangentJacobian, i));
            std::iter::once(self.row(Output::NormalJacobian, c)).chain(tangents)
        })
    }

    /// w: the rates of gap and slip that do not come from v.
    fn explicit_rates(&self, contacts: &[usize]) -> impl Iterator<Item = f64> {
        let (normal, tangent) = (self.block(Output::GapRate), self.block(Output::SlipRate));
        let d = self.layout.tangents;
        contacts
            .iter()
            .flat_map(move |&c| std::iter::once(normal[c]).chain(tangent[c * d..(c + 1) * d].iter().copied()))
    }

    /// [AC11 (4.18)], with F = −h(q, v).
    fn dynamics(&self, contacts: &[usize], out: &mut DenseProblem) {
        let (n, packed) = (self.layout.coordinates, self.block(Output::MassMatrix));
        let entry = |i: usize, j: usize| packed[dense::packed_place(i, j)];
        out.M.clear(n);
        (0..n).for_each(|i| out.M.push((0..n).map(|j| entry(i, j))));
        out.f.clear();
        let momentum = out.M.rows().map(|row| dense::dot(row, &self.input.state.v));
        out.f.extend(self.block(Output::Bias).iter().zip(momentum).map(|(h, p)| self.input.step * h - p));
        out.mu.clear();
        out.mu.extend(self.friction(contacts));
        out.H.clear(n);
        self.jacobian(contacts).for_each(|row| out.H.push(row.iter().copied()));
        out.w.clear();
        out.w.extend(self.explicit_rates(contacts));
    }

    /// [AC11 (4.22)].
    fn quasi_static(&self, contacts: &[usize]) -> Result<DenseProblem, ProblemError> {
        self.linearised(contacts).dense_velocity(self.explicit_rates(contacts).collect())
    }

    /// [AC11 (4.28)], with the gaps linearised: g(q) ≈ H q + b, tangential displacements from the state on.
    fn quasi_static_position(&self, contacts: &[usize]) -> Result<DenseProblem, ProblemError> {
        let body = self.linearised(contacts);
        let (gap, dim) = (self.block(Output::Gap), 1 + self.layout.tangents);
        let drift: Vec<f64> = self.explicit_rates(contacts).collect();
        let offset = |(k, row): (usize, &Vec<f64>)| {
            let gap = if k.is_multiple_of(dim) { gap[contacts[k / dim]] } else { 0.0 };
            gap + self.input.step * drift[k] - dense::dot(row, &self.input.state.q)
        };
        let b: Vec<f64> = body.H.iter().enumerate().map(offset).collect();
        body.dense_position(&b, &vec![0.0; b.len()])
    }

    /// The forces against the motion, R(q, v) = G − F, as K q + C v − force about the state.
    fn linearised(&self, contacts: &[usize]) -> QuasiStatic {
        let state = self.input.state;
        let (stiffness, viscosity) = (self.derivative(1), self.derivative(1 + self.layout.coordinates));
        let resisting = self.block(Output::Potential).iter().zip(self.block(Output::Applied));
        let force = resisting
            .enumerate()
            .map(|(i, (g, f))| {
                dense::dot(&stiffness[i], &state.q) + dense::dot(&viscosity[i], &state.v) - (g - f)
            })
            .collect();
        QuasiStatic {
            stiffness,
            viscosity,
            force,
            q: state.q.clone(),
            H: self.jacobian(contacts).map(<[f64]>::to_vec).collect(),
            mu: self.friction(contacts).collect(),
            step: self.input.step,
        }
    }

    /// ∂(G − F) by the n inputs from `first` on, by dual numbers.
    fn derivative(&self, first: usize) -> Vec<Vec<f64>> {
        let (n, kernel) = (self.layout.coordinates, self.input.kernel);
        let mut values = kernel.values::<Dual>();
        let mut matrix = vec![vec![0.0; n]; n];
        for k in 0..n {
            let mut inputs = self.input.state.inputs::<Dual>();
            inputs[first + k].eps = 1.0;
            kernel.evaluate(&inputs, &mut values);
            let forces =
                kernel.block(&values, Output::Potential).iter().zip(kernel.block(&values, Output::Applied));
            matrix.iter_mut().zip(forces).for_each(|(row, (g, f))| row[k] = g.eps - f.eps);
        }
        matrix
    }

    /// J v + ∂φ/∂t = 0.
    fn constrained_velocity(&self, out: &mut Constraints) {
        let rates = self.block(Output::ConstraintRate);
        self.constrained(out, |_, k| rates[k]);
    }

    /// φ + h ∂φ/∂t + J (q − qₖ) = 0.
    fn constrained_position(&self, out: &mut Constraints) {
        let (value, rate) = (self.block(Output::Constraint), self.block(Output::ConstraintRate));
        self.constrained(out, |row, k| {
            value[k] + self.input.step * rate[k] - dense::dot(row, &self.input.state.q)
        });
    }

    /// [J | j] with an offset for each row.
    fn constrained(&self, out: &mut Constraints, offset: impl Fn(&[f64], usize) -> f64) {
        out.rows.clear(self.layout.coordinates + 1);
        for (k, row) in self.rows(Output::ConstraintJacobian).enumerate() {
            out.rows.push(row.iter().copied().chain([offset(row, k)]));
        }
    }
}
