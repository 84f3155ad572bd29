//! What the questions about one planar contact need of a mechanism: its local problem at (t, q, q̇), over any number
//! type, so that directional derivatives and enclosures come from the same equations.

use super::contact_status::ContactStatus;
use crate::contact::{Friction, Planar, Scaled, Slip};
use crate::model::{Block, Kernel, Output, Singular, Values};
use crate::num::{Real, Tol};

/// One planar contact of a mechanism.
pub trait PlanarModel {
    /// n.
    fn coordinates(&self) -> usize;

    /// The local problem at (t, q, q̇), left in `work`.
    ///
    /// # Errors
    /// [`Singular`] if M cannot be factored.
    fn local_into<T: Real>(&self, t: T, q: &[T], v: &[T], work: &mut LocalWork<T>) -> Result<(), Singular>;

    /// The same in memory of its own.
    ///
    /// # Errors
    /// [`Singular`] if M cannot be factored.
    fn local<T: Real>(&self, t: T, q: &[T], v: &[T]) -> Result<Local<T>, Singular> {
        let mut work = LocalWork::default();
        self.local_into(t, q, v, &mut work)?;
        Ok(work.local)
    }
}

/// A local problem, and the memory of its evaluation; any model may use it.
#[derive(Clone, Debug)]
pub struct LocalWork<T> {
    /// The problem evaluated last.
    pub local: Local<T>,
    values: Values<T>,
}

impl<T: Real> Default for LocalWork<T> {
    fn default() -> Self {
        let zero = T::from_f64(0.0);
        let local = Local {
            gap: zero,
            u: zero,
            v: zero,
            A: zero,
            B: zero,
            C: zero,
            a: zero,
            b: zero,
            scales: Scales::default(),
            free: Vec::new(),
            tangent: Vec::new(),
            normal: Vec::new(),
        };
        Self { local, values: Values::default() }
    }
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

impl ContactSizes {
    /// At least those of a mechanism of the given length L: the gap is small against it, and velocities against √(L b),
    /// what a fall through it gives.
    #[must_use]
    pub fn of_length(self, length: f64) -> Self {
        let own_speed = (length * self.gap_acceleration).sqrt();
        Self { gap: self.gap.max(length), speed: self.speed.max(own_speed), ..self }
    }
}

impl<T: Real> Local<T> {
    /// p = C − s μ B of a slip direction, times the n of [`Friction`].
    pub fn normal_gain(&self, friction: Friction, slip: Slip) -> T {
        let n = T::from_f64(friction.normal());
        let coupling = T::from_f64(slip.sign() * friction.tangential());
        n * self.C - coupling * self.B // [CV16 (13), (18)]
    }

    /// W = M⁻¹(d − s μ c): q̈ per unit λ_N in slip, times the n of [`Friction`].
    pub fn slip_response(&self, friction: Friction, slip: Slip) -> Vec<T> {
        let n = T::from_f64(friction.normal());
        let coupling = T::from_f64(slip.sign() * friction.tangential());
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

    /// Where the contact stands: the gap against the size of its terms, u and v against that of both.
    pub fn stands(&self, gap: f64, tol: &Tol) -> ContactStatus {
        let speed = self.scales.u.max(self.scales.v);
        let gap = Scaled { value: self.gap, scale: gap.max(self.gap.abs()) };
        ContactStatus::of(gap, Scaled { value: self.v, scale: speed }, [self.u, 0.0], tol)
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
    pub const NEEDED: [Block; 12] = [
        Block::Model(Output::Gap),
        Block::Model(Output::GapRate),
        Block::Model(Output::NormalDrift),
        Block::Model(Output::SlipRate),
        Block::Model(Output::TangentDrift),
        Block::GapVelocity,
        Block::Slip,
        Block::ContactJacobian,
        Block::Delassus,
        Block::FreeContactAcceleration,
        Block::FreeAcceleration,
        Block::Response,
    ];

    /// The problem of this contact from evaluated blocks.
    fn read<T: Real>(&self, values: &Values<T>, v: &[T], local: &mut Local<T>) {
        let (i, row, n) = (self.contact, 2 * self.contact, v.len());
        let block = |block: Block| self.kernel.block(values, block);
        let model = |output: Output| block(Block::Model(output))[i];
        let line = |of: Block, row: usize| &block(of)[row * n..(row + 1) * n];
        let free = block(Block::FreeAcceleration);
        let (W_N, W_T) = (line(Block::ContactJacobian, row), line(Block::ContactJacobian, row + 1));
        (local.gap, local.u, local.v) =
            (model(Output::Gap), block(Block::Slip)[i], block(Block::GapVelocity)[i]);
        local.A = self.kernel.delassus(values, row + 1, row + 1);
        local.B = self.kernel.delassus(values, row, row + 1);
        local.C = self.kernel.delassus(values, row, row);
        let accelerations = block(Block::FreeContactAcceleration);
        (local.a, local.b) = (accelerations[row + 1], accelerations[row]);
        local.scales = Scales {
            u: magnitude(W_T, v, model(Output::SlipRate)),
            v: magnitude(W_N, v, model(Output::GapRate)),
            a: magnitude(W_T, free, model(Output::TangentDrift)),
            b: magnitude(W_N, free, model(Output::NormalDrift)),
        };
        refill(&mut local.free, free);
        refill(&mut local.tangent, line(Block::Response, row + 1));
        refill(&mut local.normal, line(Block::Response, row));
    }
}

impl PlanarModel for ContactView<'_> {
    fn coordinates(&self) -> usize {
        self.kernel.layout().coordinates
    }

    fn local_into<T: Real>(&self, t: T, q: &[T], v: &[T], work: &mut LocalWork<T>) -> Result<(), Singular> {
        self.kernel.set_parameters(self.parameters, &mut work.values);
        self.kernel.solve_at(t, q, v, &mut work.values)?;
        self.read(&work.values, v, &mut work.local);
        Ok(())
    }
}

fn refill<T: Copy>(kept: &mut Vec<T>, numbers: &[T]) {
    kept.clear();
    kept.extend_from_slice(numbers);
}

/// Σ |wᵢ xᵢ| + |rest|.
fn magnitude<T: Real>(w: &[T], x: &[T], rest: T) -> f64 {
    w.iter().zip(x).map(|(&w, &x)| (w.value() * x.value()).abs()).sum::<f64>() + rest.value().abs()
}
