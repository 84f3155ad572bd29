//! How large the terms are that the numbers of a state are made of: what "zero" means for a gap, a rate, an
//! acceleration, without a unit of length or time.
//!
//! The equations are evaluated once more with [`Magnitude`]s, from inputs that carry the sizes of the expressions they
//! were given by. A gap or a rate that is a single term (the height of a tip that is itself a coordinate) has no other
//! term to be compared with; then the mechanism's own length L counts, and its own speed √(L b), with b the size of the
//! gap acceleration.

use super::local::ContactSizes;
use crate::contact::Scaled;
use crate::model::{Dynamics, Kernel, Output, Values};
use crate::num::{Magnitude, Tol, dense};

/// The numbers of a state with the sizes of their terms.
#[derive(Clone, Debug)]
pub struct Sizes<'k> {
    kernel: &'k Kernel,
    values: Values<Magnitude>,
    /// None where M cannot be factored.
    dynamics: Option<Dynamics<Magnitude>>,
    v: Vec<Magnitude>,
    length: f64,
}

impl<'k> Sizes<'k> {
    /// The sizes at a state: `inputs` are t, q, v and the parameters, `length` is the mechanism's own, or 0.
    pub fn at(kernel: &'k Kernel, inputs: &[Magnitude], length: f64, tol: &Tol) -> Self {
        let mut values = kernel.values();
        kernel.evaluate(inputs, &mut values);
        let mut dynamics = Dynamics::with_tolerance(kernel.layout(), tol.singular);
        let regular = dynamics.update(kernel, &values).is_ok();
        let n = kernel.layout().coordinates;
        let v = inputs[1 + n..1 + 2 * n].to_vec();
        Self { kernel, values, dynamics: regular.then_some(dynamics), v, length }
    }

    /// A block of the model.
    pub fn block(&self, output: Output) -> &[Magnitude] {
        self.kernel.block(&self.values, output)
    }

    /// The projected equations, unless M cannot be factored.
    pub fn dynamics(&self) -> Option<&Dynamics<Magnitude>> {
        self.dynamics.as_ref()
    }

    /// The mechanism's own length, or 0 if it has none.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// g_N of a contact.
    pub fn gap(&self, contact: usize) -> Scaled {
        let gap = self.block(Output::Gap)[contact];
        Scaled { value: gap.value, scale: gap.size.max(self.length) }
    }

    /// ġ_N of a contact, against all relative velocity there.
    pub fn gap_rate(&self, contact: usize) -> Scaled {
        let rate = self.along(Output::NormalJacobian, Output::GapRate, contact);
        Scaled { value: rate.value, scale: self.speed(contact) }
    }

    /// φ of a bilateral constraint, whatever its unit.
    pub fn constraint(&self, i: usize) -> Scaled {
        self.block(Output::Constraint)[i].into()
    }

    /// φ̇ of a bilateral constraint.
    pub fn constraint_rate(&self, i: usize) -> Scaled {
        self.along(Output::ConstraintJacobian, Output::ConstraintRate, i).into()
    }

    /// Slip of a contact along one of its tangents.
    pub fn slip(&self, contact: usize, tangent: usize) -> Magnitude {
        let d = self.kernel.layout().tangents;
        self.along(Output::TangentJacobian, Output::SlipRate, contact * d + tangent)
    }

    /// The sizes of everything about a contact.
    pub fn contact(&self, contact: usize) -> ContactSizes {
        let row = contact * (1 + self.kernel.layout().tangents);
        let free = |i: usize| self.dynamics.as_ref().map_or(0.0, |d| d.free_contact_acceleration()[i].size);
        ContactSizes {
            gap: self.gap(contact).scale,
            speed: self.speed(contact),
            slip_acceleration: free(row + 1),
            gap_acceleration: free(row),
        }
    }

    /// The sizes of the terms of each q̈ᵢ under the forces that keep a planar contact sticking, the terms inside M⁻¹W
    /// included; empty where M cannot be factored.
    pub fn sticking(&self, contact: usize) -> Vec<f64> {
        let Some(dynamics) = &self.dynamics else { return Vec::new() };
        let row = 2 * contact;
        let size = |x: Magnitude| x.size;
        let [A, B, C] = [(1, 1), (0, 1), (0, 0)].map(|(i, j)| dynamics.delassus_entry(row + i, row + j));
        let [b, a] = [0, 1].map(|i| size(dynamics.free_contact_acceleration()[row + i]));
        let determinant = A.value * C.value - B.value * B.value;
        let (N, T) = (size(B) * a + size(A) * b, size(B) * b + size(C) * a);
        let [N, T] = [N, T].map(|x| x / determinant);
        let terms =
            dynamics.free_acceleration().iter().zip(dynamics.response(row + 1)).zip(dynamics.response(row));
        terms.map(|((&free, &c), &d)| size(free) + size(c) * T + size(d) * N).collect()
    }

    /// Row i of a Jacobian times v, plus the explicit rate.
    fn along(&self, jacobian: Output, explicit: Output, i: usize) -> Magnitude {
        let n = self.kernel.layout().coordinates;
        dense::dot(&self.block(jacobian)[i * n..(i + 1) * n], &self.v) + self.block(explicit)[i]
    }

    /// The size of the relative velocities of a contact, at least the mechanism's own speed.
    fn speed(&self, contact: usize) -> f64 {
        let d = self.kernel.layout().tangents;
        let normal = self.along(Output::NormalJacobian, Output::GapRate, contact).size;
        let fastest = (0..d).map(|k| self.slip(contact, k).size).fold(normal, f64::max);
        fastest.max(self.own_speed(contact))
    }

    /// √(L b): what a fall through the mechanism's own length gives.
    fn own_speed(&self, contact: usize) -> f64 {
        let row = contact * (1 + self.kernel.layout().tangents);
        let b = self.dynamics.as_ref().map_or(0.0, |d| d.free_contact_acceleration()[row].size);
        (self.length * b).sqrt()
    }
}
