//! What the questions about one planar contact need of a mechanism: its local problem at (t, q, q̇), over any number
//! type, so that directional derivatives and enclosures come from the same equations.

use super::planar::Kinematics;
use crate::contact::{Friction, Planar, Scaled, Slip};
use crate::model::{Dynamics, Kernel, Output, Singular, Values};
use crate::num::{Real, dense};

/// One planar contact of a mechanism.
pub trait PlanarModel {
    /// n.
    fn coordinates(&self) -> usize;

    /// The local problem at (t, q, q̇).
    ///
    /// # Errors
    /// [`Singular`] if M cannot be factored.
    fn local<T: Real>(&self, t: T, q: &[T], v: &[T]) -> Result<Local<T>, Singular>;
}

/// The local problem with the accelerations of the whole mechanism:
/// q̈ = M⁻¹f + M⁻¹c λ_T + M⁻¹d λ_N, u̇ = a + A λ_T + B λ_N, v̇ = b + B λ_T + C λ_N.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Local<T> {
    pub gap: T,
    pub u: T,
    pub v: T,
    pub A: T,
    pub B: T,
    pub C: T,
    pub a: T,
    pub b: T,
    /// Sums of the magnitudes of the terms.
    pub scales: Scales,
    /// M⁻¹f: q̈ without contact force.
    pub free: Vec<T>,
    /// M⁻¹c: change of q̈ per unit λ_T.
    pub tangent: Vec<T>,
    /// M⁻¹d: change of q̈ per unit λ_N.
    pub normal: Vec<T>,
}

/// Sums of the magnitudes of the terms that a quantity is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Scales {
    pub u: f64,
    pub v: f64,
    pub a: f64,
    pub b: f64,
}

/// Sizes of the terms of a contact's numbers at a state, as far as they are known beforehand; 0 where they are not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactSizes {
    /// Of the gap, m.
    pub gap: f64,
    /// Of its relative velocities, m/s.
    pub speed: f64,
    /// Of a.
    pub slip_acceleration: f64,
    /// Of b.
    pub gap_acceleration: f64,
}

impl<T: Real> Local<T> {
    /// p = C − s μ B of a slip direction, times the n of [`Friction`].
    pub fn normal_gain(&self, friction: Friction, slip: Slip) -> T {
        let n = T::from_f64(friction.normal);
        let coupling = T::from_f64(slip.sign() * friction.tangential);
        n * self.C - coupling * self.B // [CV16 (13), (18)]
    }

    /// W = M⁻¹(d − s μ c): q̈ per unit λ_N in slip, times the n of [`Friction`].
    pub fn slip_response(&self, friction: Friction, slip: Slip) -> Vec<T> {
        let n = T::from_f64(friction.normal);
        let coupling = T::from_f64(slip.sign() * friction.tangential);
        self.normal.iter().zip(&self.tangent).map(|(&d, &c)| n * d - coupling * c).collect()
    }
}

impl Local<f64> {
    /// The sizes of the terms of q̈ᵢ under the forces that keep the contact sticking.
    pub fn sticking_sizes(&self) -> Vec<f64> {
        let planar = self.planar();
        let Planar { A, B, C, a_scale, b_scale, .. } = planar;
        let (N, T) = (B.abs() * a_scale + A * b_scale, B.abs() * b_scale + C * a_scale);
        let [N, T] = [N, T].map(|size| size / planar.determinant());
        let terms = self.free.iter().zip(&self.tangent).zip(&self.normal);
        terms.map(|((free, c), d)| free.abs() + c.abs() * T + d.abs() * N).collect()
    }

    /// The numbers of the contact laws.
    pub fn planar(&self) -> Planar {
        Planar::new(self.A, self.B, self.C, self.a, self.b).with_scales(self.scales.a, self.scales.b)
    }

    /// The same numbers, whose scales are at least those of the state.
    #[must_use]
    pub fn at_least(self, sizes: &ContactSizes) -> Self {
        let Scales { u, v, a, b } = self.scales;
        let scales = Scales {
            u: u.max(sizes.speed),
            v: v.max(sizes.speed),
            a: a.max(sizes.slip_acceleration),
            b: b.max(sizes.gap_acceleration),
        };
        Self { scales, ..self }
    }

    /// Gap and velocities with the scales of their zero: the size of its terms for the gap, those of u and v together
    /// for the velocities.
    pub fn kinematics(&self, gap: f64) -> Kinematics {
        let speed = self.scales.u.max(self.scales.v);
        Kinematics {
            gap: Scaled { value: self.gap, scale: gap.max(self.gap.abs()) },
            u: Scaled { value: self.u, scale: speed },
            v: Scaled { value: self.v, scale: speed },
        }
    }
}

/// A contact of a derived planar mechanism, at fixed parameters.
#[derive(Clone, Copy, Debug)]
pub struct ContactView<'m> {
    /// A kernel with [`ContactView::NEEDED`].
    pub kernel: &'m Kernel,
    /// Parameters of the mechanism.
    pub parameters: &'m [f64],
    /// Which contact.
    pub contact: usize,
}

impl ContactView<'_> {
    /// Blocks that the kernel must have.
    pub const NEEDED: [Output; 11] = [
        Output::MassMatrix,
        Output::Bias,
        Output::Gap,
        Output::NormalJacobian,
        Output::GapRate,
        Output::NormalDrift,
        Output::TangentJacobian,
        Output::SlipRate,
        Output::TangentDrift,
        Output::ConstraintJacobian,
        Output::ConstraintDrift,
    ];

    /// The local problem at tape inputs (t, q, q̇, parameters).
    ///
    /// # Errors
    /// [`Singular`] if M cannot be factored.
    pub fn local_at<T: Real>(&self, inputs: &[T]) -> Result<Local<T>, Singular> {
        let mut values = self.kernel.values();
        self.kernel.evaluate(inputs, &mut values);
        let mut dynamics = Dynamics::new(self.kernel.layout());
        dynamics.update(self.kernel, &values)?;
        let n = self.kernel.layout().coordinates;
        Ok(self.read(&values, &dynamics, &inputs[1 + n..1 + 2 * n]))
    }

    fn read<T: Real>(&self, values: &Values<T>, dynamics: &Dynamics<T>, v: &[T]) -> Local<T> {
        let (i, row) = (self.contact, 2 * self.contact);
        let block = |output| self.kernel.block(values, output);
        let (free, accelerations) = (dynamics.free_acceleration(), dynamics.free_contact_acceleration());
        let (W_N, W_T) = (dynamics.contact_row(row), dynamics.contact_row(row + 1));
        let (gap_rate, slip_rate) = (block(Output::GapRate)[i], block(Output::SlipRate)[i]);
        Local {
            gap: block(Output::Gap)[i],
            u: dense::dot(W_T, v) + slip_rate,
            v: dense::dot(W_N, v) + gap_rate,
            A: dynamics.delassus_entry(row + 1, row + 1),
            B: dynamics.delassus_entry(row, row + 1),
            C: dynamics.delassus_entry(row, row),
            a: accelerations[row + 1],
            b: accelerations[row],
            scales: Scales {
                u: magnitude(W_T, v, slip_rate),
                v: magnitude(W_N, v, gap_rate),
                a: magnitude(W_T, free, block(Output::TangentDrift)[i]),
                b: magnitude(W_N, free, block(Output::NormalDrift)[i]),
            },
            free: free.to_vec(),
            tangent: dynamics.response(row + 1).to_vec(),
            normal: dynamics.response(row).to_vec(),
        }
    }
}

impl PlanarModel for ContactView<'_> {
    fn coordinates(&self) -> usize {
        self.kernel.layout().coordinates
    }

    fn local<T: Real>(&self, t: T, q: &[T], v: &[T]) -> Result<Local<T>, Singular> {
        let parameters = self.parameters.iter().map(|&x| T::from_f64(x));
        let inputs: Vec<T> =
            std::iter::once(t).chain(q.iter().copied()).chain(v.iter().copied()).chain(parameters).collect();
        self.local_at(&inputs)
    }
}

/// Σ |wᵢ xᵢ| + |rest|.
fn magnitude<T: Real>(w: &[T], x: &[T], rest: T) -> f64 {
    w.iter().zip(x).map(|(&w, &x)| (w.value() * x.value()).abs()).sum::<f64>() + rest.value().abs()
}
