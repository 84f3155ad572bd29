//! From a state to the numbers of its contacts by one tape: M, and with constraints J M⁻¹Jᵀ, are factored by
//! instructions, so that zeros and constants of M cost nothing and all of it compiles to machine code.
//!
//! The quantities are those of [`Dynamics`](super::Dynamics), found by another order of the same elimination.
//! With M = L D Lᵀ, S = J M⁻¹Jᵀ and the halves ŷ = L⁻¹y, ỹ = (the half, by S, of J M⁻¹y), any
//!
//! yᵀ(M⁻¹ − M⁻¹Jᵀ S⁻¹ J M⁻¹) z = ŷᵀ D⁻¹ ẑ − ỹᵀ D_S⁻¹ z̃,
//!
//! which is W M⁻¹ Wᵀ for contact rows and −(free contact acceleration) + drift for a row and h, if in h's half
//! J M⁻¹h − j stands for J M⁻¹h (j the drift of the constraints).

mod batch;
mod configuration;
mod pivots;
mod places;

pub use batch::{ContactBatch, ContactColumns};
pub use configuration::ContactConfiguration;
pub use places::{ContactQuantity, ContactValues};

use super::{Layout, Model, Output, Singular};
use crate::num::{Real, dense::packed_len};
use crate::tape::{Builder, Compiled, CompiledScratch, Factor, Scratch, Tape, Value};
use pivots::{Pivots, Stage};
use places::Places;

/// The tape from (t, q, v, parameters) to gap, gap rate, slip, Delassus matrix and free contact acceleration.
#[derive(Clone, Debug)]
pub struct ContactKernel {
    places: Places,
    pivots: Pivots,
    tape: Tape,
}

/// A [`ContactKernel`] as machine code.
#[derive(Clone, Debug)]
pub struct CompiledContactKernel {
    places: Places,
    pivots: Pivots,
    code: Compiled,
}

impl ContactKernel {
    /// The kernel of a model, bilateral constraints included.
    pub fn new(model: &Model) -> Self {
        let mut equations = Equations::new(model);
        let mut pivots = Pivots::default();
        let mut outputs = equations.kinematics();
        outputs.extend(equations.projection(&mut pivots));
        pivots.place(&equations.builder, &mut outputs);
        ContactKernel {
            places: Places::new(model.layout()),
            pivots,
            tape: equations.builder.finish(&outputs),
        }
    }

    /// The tape: quantities first, then the pivots that decide whether M is positive definite.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Room for the quantities of one state.
    pub fn values<T: Real>(&self) -> ContactValues<T> {
        ContactValues::new(self.places, self.tape.outputs())
    }

    /// Working memory of [`ContactKernel::evaluate`].
    pub fn scratch<T: Real>(&self) -> Scratch<T> {
        self.tape.scratch()
    }

    /// The quantities at the inputs (t, q, v, parameters), interpreted. Does not allocate.
    ///
    /// # Errors
    /// [`Singular`] if M is not positive definite or the constraints are dependent; `values` then have no meaning.
    ///
    /// # Panics
    /// If the inputs have another length than the model's, or `values` are another kernel's.
    pub fn evaluate<T: Real>(
        &self,
        inputs: &[T],
        values: &mut ContactValues<T>,
        scratch: &mut Scratch<T>,
    ) -> Result<(), Singular> {
        self.tape.eval(inputs, values.outputs_mut(), scratch);
        self.pivots.check(|place| values.outputs()[place].value())
    }

    /// The same as machine code.
    pub fn compile(&self) -> CompiledContactKernel {
        CompiledContactKernel {
            places: self.places,
            pivots: self.pivots.clone(),
            code: Compiled::new(&self.tape),
        }
    }

    /// The same for many states at once, in which the inputs `uniform` do not change.
    pub fn batch(&self, uniform: &[usize]) -> ContactBatch {
        ContactBatch::new(self.places, self.pivots.clone(), &self.tape, uniform)
    }
}

impl CompiledContactKernel {
    /// Whether there is machine code for all of it on this machine.
    pub fn is_native(&self) -> bool {
        self.code.is_native()
    }

    /// Room for the quantities of one state.
    pub fn values(&self) -> ContactValues<f64> {
        ContactValues::new(self.places, self.code.outputs())
    }

    /// Working memory of [`CompiledContactKernel::evaluate`].
    pub fn scratch(&self) -> CompiledScratch {
        self.code.scratch()
    }

    /// The quantities at the inputs (t, q, v, parameters); the same bits as [`ContactKernel::evaluate`]. Does not
    /// allocate.
    ///
    /// # Errors
    /// [`Singular`] if M is not positive definite or the constraints are dependent; `values` then have no meaning.
    ///
    /// # Panics
    /// If the inputs have another length than the model's, or `values` are another kernel's.
    #[inline]
    pub fn evaluate(
        &self,
        inputs: &[f64],
        values: &mut ContactValues<f64>,
        scratch: &mut CompiledScratch,
    ) -> Result<(), Singular> {
        self.code.eval(inputs, values.outputs_mut(), scratch);
        self.pivots.check(|place| values.outputs()[place])
    }
}

/// The outputs of a model as values of a builder.
struct Equations {
    layout: Layout,
    builder: Builder,
    v: Vec<Value>,
    outputs: Vec<Value>,
}

/// A vector of generalised forces as the inverse of the saddle point matrix sees it.
struct Half {
    /// L⁻¹y.
    motion: Vec<Value>,
    /// L_S⁻¹ J M⁻¹y.
    constraints: Vec<Value>,
}

/// M and S factored, and L⁻¹Jᵀ.
struct Factors {
    mass: Factor,
    constraints: Factor,
    jacobian: Vec<Vec<Value>>,
}

impl Equations {
    fn new(model: &Model) -> Self {
        let layout = *model.layout();
        let mut builder = Builder::new(layout.inputs());
        let inputs: Vec<Value> = (0..layout.inputs()).map(|i| builder.input(i)).collect();
        let outputs = builder.append(model.tape(), &inputs);
        let n = layout.coordinates;
        Equations { layout, builder, v: inputs[1 + n..1 + 2 * n].to_vec(), outputs }
    }

    fn block(&self, output: Output) -> Vec<Value> {
        self.outputs[self.layout.range(output)].to_vec()
    }

    /// A block as rows of length n.
    fn rows(&self, output: Output) -> Vec<Vec<Value>> {
        self.block(output).chunks_exact(self.layout.coordinates.max(1)).map(<[Value]>::to_vec).collect()
    }

    /// Gaps, gap rates W_N v + ∂g/∂t, slips W_T v + slip rate.
    fn kinematics(&mut self) -> Vec<Value> {
        let mut found = self.block(Output::Gap);
        let blocks = [(Output::NormalJacobian, Output::GapRate), (Output::TangentJacobian, Output::SlipRate)];
        for (jacobian, explicit) in blocks {
            for (row, rate) in self.rows(jacobian).iter().zip(self.block(explicit)) {
                found.push(self.along(row, rate));
            }
        }
        found
    }

    /// row · v + rate.
    fn along(&mut self, row: &[Value], rate: Value) -> Value {
        let mut sum = rate;
        for (&w, &v) in row.iter().zip(&self.v) {
            let term = self.builder.mul(w, v);
            sum = self.builder.add(sum, term);
        }
        sum
    }

    /// Free contact accelerations c₀ and the packed Delassus matrix D [CV16 (8), (9)].
    fn projection(&mut self, pivots: &mut Pivots) -> Vec<Value> {
        let factors = self.factor(pivots);
        let bias = self.bias_half(&factors);
        let (normal, tangent) = (self.rows(Output::NormalJacobian), self.rows(Output::TangentJacobian));
        let rows: Vec<Half> =
            self.by_contact(&normal, &tangent).iter().map(|row| self.half(&factors, row)).collect();
        let drift = self.by_contact(&self.block(Output::NormalDrift), &self.block(Output::TangentDrift));
        let mut found = Vec::new();
        for (row, &drift) in rows.iter().zip(&drift) {
            let driven = self.product(&factors, row, &bias);
            found.push(self.builder.sub(drift, driven));
        }
        for (i, row) in rows.iter().enumerate() {
            found.extend(rows[..=i].iter().map(|other| self.product(&factors, row, other)));
        }
        found
    }

    /// N, T (N, T1, T2) of each contact in turn.
    fn by_contact<X: Clone>(&self, normal: &[X], tangent: &[X]) -> Vec<X> {
        let d = self.layout.tangents;
        let contact = |(i, n): (usize, &X)| [std::slice::from_ref(n), &tangent[i * d..(i + 1) * d]].concat();
        normal.iter().enumerate().flat_map(contact).collect()
    }

    /// M = L D Lᵀ, and S = J M⁻¹ Jᵀ likewise.
    fn factor(&mut self, pivots: &mut Pivots) -> Factors {
        let (n, c) = (self.layout.coordinates, self.layout.constraints);
        let M = self.block(Output::MassMatrix);
        let mass = self.builder.factor(&M, n);
        pivots.watch(Stage::MassMatrix, &mass.pivots, &M);
        let J = self.rows(Output::ConstraintJacobian);
        let jacobian: Vec<Vec<Value>> = J.iter().map(|row| self.builder.forward(&mass, row)).collect();
        let mut S = Vec::with_capacity(packed_len(c));
        for (i, row) in jacobian.iter().enumerate() {
            S.extend(jacobian[..=i].iter().map(|other| self.builder.inner(&mass, row, other)));
        }
        let constraints = self.builder.factor(&S, c);
        pivots.watch(Stage::Constraints, &constraints.pivots, &S);
        Factors { mass, constraints, jacobian }
    }

    fn half(&mut self, factors: &Factors, y: &[Value]) -> Half {
        let none = vec![self.builder.constant(0.0); self.layout.constraints];
        self.half_from(factors, y, &none)
    }

    /// h, with J M⁻¹h − j in the place of J M⁻¹h.
    fn bias_half(&mut self, factors: &Factors) -> Half {
        let (h, drift) = (self.block(Output::Bias), self.block(Output::ConstraintDrift));
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
    fn product(&mut self, factors: &Factors, y: &Half, z: &Half) -> Value {
        let free = self.builder.inner(&factors.mass, &y.motion, &z.motion);
        let held = self.builder.inner(&factors.constraints, &y.constraints, &z.constraints);
        self.builder.sub(free, held)
    }
}

#[cfg(test)]
mod tests;
