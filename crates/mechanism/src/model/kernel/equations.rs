//! The equations of motion solved on a tape: M, and with constraints J M⁻¹Jᵀ, are factored by instructions, so that
//! zeros and constants of M cost nothing and all of it compiles to machine code.
//!
//! With M = L D Lᵀ, S = J M⁻¹Jᵀ and the halves ŷ = L⁻¹y, ỹ = (the half, by S, of J M⁻¹y), any
//!
//! yᵀ(M⁻¹ − M⁻¹Jᵀ S⁻¹ J M⁻¹) z = ŷᵀ D⁻¹ ẑ − ỹᵀ D_S⁻¹ z̃,
//!
//! which is W M⁻¹ Wᵀ for contact rows. From a half follow the forces of the constraints, S⁻¹ J M⁻¹y = L_S⁻ᵀ D_S⁻¹ ỹ, and
//! the whole vector, L⁻ᵀ D⁻¹ (ŷ − Ĵᵀ S⁻¹ J M⁻¹y): −v̇₀ for h, if in its half J M⁻¹h − j stands for J M⁻¹h (j the drift
//! of the constraints).

use super::block::Block;
use super::pivots::{Pivots, Stage};
use crate::model::{Layout, Model, Output};
use crate::num::dense::packed_len;
use crate::tape::{Builder, Factor, Value};

/// The outputs of a model as values of a builder.
pub(super) struct Equations {
    pub(super) layout: Layout,
    pub(super) builder: Builder,
    v: Vec<Value>,
    outputs: Vec<Value>,
    /// Contacts whose normal rows stand among the constraints.
    rails: Vec<usize>,
}

/// A vector of generalised forces as the inverse of the saddle point matrix sees it.
pub(super) struct Half {
    /// L⁻¹y.
    motion: Vec<Value>,
    /// L_S⁻¹ J M⁻¹y.
    constraints: Vec<Value>,
}

/// M and S factored, and L⁻¹Jᵀ.
pub(super) struct Factors {
    mass: Factor,
    constraints: Factor,
    jacobian: Vec<Vec<Value>>,
}

/// The factored equations: h and the contact rows as halves.
pub(super) struct Solved {
    pub(super) factors: Factors,
    bias: Half,
    pub(super) rows: Vec<Half>,
}

impl Equations {
    pub(super) fn new(model: &Model) -> Self {
        Self::with_more_inputs(model, 0)
    }

    /// The same with so many inputs after the model's own.
    pub(super) fn with_more_inputs(model: &Model, more: usize) -> Self {
        let layout = *model.layout();
        let mut builder = Builder::new(layout.inputs() + more);
        let inputs: Vec<Value> = (0..layout.inputs()).map(|i| builder.input(i)).collect();
        let outputs = builder.append(model.tape(), &inputs);
        let n = layout.coordinates;
        Equations { layout, builder, v: inputs[1 + n..1 + 2 * n].to_vec(), outputs, rails: Vec::new() }
    }

    /// With contacts that are held closed from both sides without friction: their forces follow as those of constraints.
    pub(super) fn on_rails(model: &Model, rails: &[usize]) -> Self {
        Equations { rails: rails.to_vec(), ..Self::new(model) }
    }

    /// J, and then the normal rows of contacts on rails.
    pub(super) fn constraint_rows(&self) -> Vec<Vec<Value>> {
        self.with_rails(self.rows(Output::ConstraintJacobian), &self.rows(Output::NormalJacobian))
    }

    fn with_rails<X: Clone>(&self, constraints: Vec<X>, contacts: &[X]) -> Vec<X> {
        constraints.into_iter().chain(self.rails.iter().map(|&c| contacts[c].clone())).collect()
    }

    pub(super) fn output(&self, output: Output) -> Vec<Value> {
        self.outputs[self.layout.range(output)].to_vec()
    }

    /// A block of the model as rows of length n.
    pub(super) fn rows(&self, output: Output) -> Vec<Vec<Value>> {
        self.output(output).chunks_exact(self.layout.coordinates.max(1)).map(<[Value]>::to_vec).collect()
    }

    /// A block that needs no solution; none if it needs one.
    pub(super) fn unsolved(&mut self, block: Block) -> Option<Vec<Value>> {
        match block {
            Block::Model(output) => Some(self.output(output)),
            Block::GapVelocity => Some(self.along(Output::NormalJacobian, Output::GapRate)),
            Block::Slip => Some(self.along(Output::TangentJacobian, Output::SlipRate)),
            Block::ConstraintVelocity => Some(self.along(Output::ConstraintJacobian, Output::ConstraintRate)),
            Block::ContactJacobian => Some(self.contact_rows().concat()),
            Block::ContactVelocity => {
                let normal = self.along(Output::NormalJacobian, Output::GapRate);
                let tangent = self.along(Output::TangentJacobian, Output::SlipRate);
                Some(self.by_contact(&normal, &tangent))
            }
            _ => None,
        }
    }

    /// A block from the solved equations; none of the others.
    pub(super) fn solved(&mut self, solved: &Solved, block: Block) -> Vec<Value> {
        match block {
            Block::Delassus => self.delassus(solved),
            Block::FreeContactAcceleration => self.free_contact_acceleration(solved),
            Block::FreeAcceleration => self.free_acceleration(solved),
            Block::Response => solved.rows.iter().flat_map(|row| self.whole(&solved.factors, row)).collect(),
            Block::FreeReaction => self.reaction(&solved.factors, &solved.bias),
            Block::ReactionResponse => {
                let against = solved.rows.iter().flat_map(|row| self.reaction(&solved.factors, row));
                let against: Vec<Value> = against.collect();
                against.into_iter().map(|x| self.builder.neg(x)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Rows times v, plus the explicit rates.
    fn along(&mut self, jacobian: Output, explicit: Output) -> Vec<Value> {
        let mut found = self.output(explicit);
        for (sum, row) in found.iter_mut().zip(self.rows(jacobian)) {
            for (w, &v) in row.into_iter().zip(&self.v) {
                let term = self.builder.mul(w, v);
                *sum = self.builder.add(*sum, term);
            }
        }
        found
    }

    fn contact_rows(&self) -> Vec<Vec<Value>> {
        self.by_contact(&self.rows(Output::NormalJacobian), &self.rows(Output::TangentJacobian))
    }

    /// N, T (N, T1, T2) of each contact in turn.
    fn by_contact<X: Clone>(&self, normal: &[X], tangent: &[X]) -> Vec<X> {
        let d = self.layout.tangents;
        let contact = |(i, n): (usize, &X)| [std::slice::from_ref(n), &tangent[i * d..(i + 1) * d]].concat();
        normal.iter().enumerate().flat_map(contact).collect()
    }

    /// The equations factored, and the halves of h and of the contact rows.
    pub(super) fn solve(&mut self, pivots: &mut Pivots) -> Solved {
        let factors = self.factor(pivots);
        let bias = self.bias_half(&factors);
        let rows = self.contact_rows().iter().map(|row| self.half(&factors, row)).collect();
        Solved { factors, bias, rows }
    }

    fn free_acceleration(&mut self, solved: &Solved) -> Vec<Value> {
        let against = self.whole(&solved.factors, &solved.bias);
        against.into_iter().map(|x| self.builder.neg(x)).collect()
    }

    /// c₀ = W v̇₀ + drift   [CV16 (8), (9)].
    pub(super) fn free_contact_acceleration(&mut self, solved: &Solved) -> Vec<Value> {
        let vdot = self.free_acceleration(solved);
        let drift = self.by_contact(&self.output(Output::NormalDrift), &self.output(Output::TangentDrift));
        let mut found = Vec::new();
        for (row, drift) in self.contact_rows().iter().zip(drift) {
            let driven = self.builder.dot(row, &vdot);
            found.push(self.builder.add(driven, drift));
        }
        found
    }

    fn delassus(&mut self, solved: &Solved) -> Vec<Value> {
        let mut found = Vec::new();
        for (i, row) in solved.rows.iter().enumerate() {
            found.extend(solved.rows[..=i].iter().map(|other| self.product(&solved.factors, row, other)));
        }
        found
    }

    /// M = L D Lᵀ, and S = J M⁻¹ Jᵀ likewise.
    pub(super) fn factor(&mut self, pivots: &mut Pivots) -> Factors {
        let n = self.layout.coordinates;
        let M = self.output(Output::MassMatrix);
        let mass = self.builder.factor(&M, n);
        pivots.watch(Stage::MassMatrix, &mass.pivots, &M);
        let J = self.constraint_rows();
        let jacobian: Vec<Vec<Value>> = J.iter().map(|row| self.builder.forward(&mass, row)).collect();
        let mut S = Vec::with_capacity(packed_len(J.len()));
        for (i, row) in jacobian.iter().enumerate() {
            S.extend(jacobian[..=i].iter().map(|other| self.builder.inner(&mass, row, other)));
        }
        let constraints = self.builder.factor(&S, J.len());
        pivots.watch(Stage::Constraints, &constraints.pivots, &S);
        Factors { mass, constraints, jacobian }
    }

    pub(super) fn half(&mut self, factors: &Factors, y: &[Value]) -> Half {
        let none = vec![self.builder.constant(0.0); factors.jacobian.len()];
        self.half_from(factors, y, &none)
    }

    /// h, with J M⁻¹h − j in the place of J M⁻¹h.
    fn bias_half(&mut self, factors: &Factors) -> Half {
        let h = self.output(Output::Bias);
        let drift = self.with_rails(self.output(Output::ConstraintDrift), &self.output(Output::NormalDrift));
        self.half_from(factors, &h, &drift)
    }

    fn half_from(&mut self, factors: &Factors, y: &[Value], drift: &[Value]) -> Half {
        let motion = self.builder.forward(&factors.mass, y);
        let mut along = Vec::with_capacity(drift.len());
        for (row, &drift) in factors.jacobian.iter().zip(drift) {
            let driven = self.builder.inner(&factors.mass, row, &motion);
            along.push(self.builder.sub(driven, drift));
        }
        Half { motion, constraints: self.builder.forward(&factors.constraints, &along) }
    }

    /// yᵀ(M⁻¹ − M⁻¹Jᵀ S⁻¹ J M⁻¹) z.
    pub(super) fn product(&mut self, factors: &Factors, y: &Half, z: &Half) -> Value {
        let free = self.builder.inner(&factors.mass, &y.motion, &z.motion);
        let held = self.builder.inner(&factors.constraints, &y.constraints, &z.constraints);
        self.builder.sub(free, held)
    }

    /// S⁻¹ J M⁻¹y: what the constraints hold against y.
    fn reaction(&mut self, factors: &Factors, y: &Half) -> Vec<Value> {
        self.builder.backward(&factors.constraints, &y.constraints)
    }

    /// (M⁻¹ − M⁻¹Jᵀ S⁻¹ J M⁻¹) y.
    fn whole(&mut self, factors: &Factors, y: &Half) -> Vec<Value> {
        let mut left = y.motion.clone();
        for (row, held) in factors.jacobian.iter().zip(self.reaction(factors, y)) {
            for (x, &j) in left.iter_mut().zip(row) {
                let part = self.builder.mul(j, held);
                *x = self.builder.sub(*x, part);
            }
        }
        self.builder.backward(&factors.mass, &left)
    }
}
