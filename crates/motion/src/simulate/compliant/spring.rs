//! The tangential spring of a contact: λ_T = −k_T x/ε², where x is by how far the body's point has left the end of the spring, which
//! has no mass and is held by friction, |λ_T| ≤ μ|λ_N|.
//!
//! While the end holds, ẋ = u. While it slips, with the speed σ along û = x/|x|, the force is on the cone, x = R û with
//! R = ε²μ|λ_N|/k_T, and ẋ = u − σ û: so the direction turns by R dû/dt = u − (u·û) û, and σ = u·û − Ṙ. Both ends of a phase follow
//! without a jump: |λ_T| leaves its cone where σ > 0, and σ reaches 0 where |λ_T| falls into it. There is no damping: what the
//! spring stores is left as a vibration at the frequency √(k_T A)/ε.

use super::field::{Evaluated, Regime, direction};
use super::places::Places;
use crate::num::Real;
use crate::simulate::smooth::ContactMotion;

impl Regime<'_> {
    /// k_T of a contact that has a tangential spring. One without friction never feels it.
    pub(super) fn spring(&self, contact: usize) -> Option<f64> {
        let laws = &self.laws[contact];
        laws.compliance.tangential_stiffness.filter(|_| !laws.friction.is_zero())
    }

    /// λ_T of a stretched spring, over x.
    pub(super) fn pull_back(&self, k_T: f64) -> f64 {
        -k_T / self.eps / self.eps
    }

    /// ẋ of every spring, and how fast the ends that slip do, from the evaluated accelerations.
    pub(super) fn stretch<T: Real>(&self, places: Places, z: &[T], work: &mut Evaluated<T>) {
        let zero = T::from_f64(0.0);
        work.stretching.fill(zero);
        for (contact, &motion) in self.motions.iter().enumerate() {
            let Some(k_T) = self.spring(contact) else { continue };
            let slip = &z[places.slip(contact)];
            let rate = &mut work.stretching[contact * places.d..(contact + 1) * places.d];
            match motion {
                ContactMotion::Free => {}
                ContactMotion::Sticks => rate.copy_from_slice(slip),
                ContactMotion::Slips { along, friction } | ContactMotion::Turns { along, friction, .. } => {
                    let direction = direction(&z[places.stretch(contact)], along);
                    let pairs = slip.iter().zip(&direction);
                    let forward = pairs.fold(zero, |sum, (&u, &along)| sum + u * along);
                    // Ṙ = ε²μ|λ_N|˙/k_T
                    let (ydot, yddot) = (z[places.ydot(contact)], work.rows[places.rows(contact).start]);
                    let law = self.laws[contact].compliance;
                    let scale = -self.pull[contact] * friction.mu() / k_T;
                    let growth = T::from_f64(scale * law.stiffness) * ydot
                        + T::from_f64(scale * self.eps * law.damping) * yddot;
                    for (k, rate) in rate.iter_mut().enumerate() {
                        *rate = growth * direction[k] + (slip[k] - forward * direction[k]);
                    }
                    work.sliding[contact] = forward - growth;
                }
            }
        }
    }

    /// x of a spring whose end slips, from λ_T: what integration errs in its length.
    pub(super) fn settle(&self, places: Places, forces: &[f64], contact: usize, z: &mut [f64]) {
        if let Some(k_T) = self.spring(contact) {
            let forces = &forces[places.rows(contact)][1..];
            for (x, force) in z[places.stretch(contact)].iter_mut().zip(forces) {
                *x = force / self.pull_back(k_T);
            }
        }
    }

    /// Whether the end of a spring that is not stretched slips from the start, where λ_N begins to grow: k_T|u|/ε² > μ|λ_N|˙.
    pub(super) fn tears(&self, places: Places, (z, rows): (&[f64], &[f64]), contact: usize) -> bool {
        let Some(k_T) = self.spring(contact) else { return false };
        let (law, friction) = (self.laws[contact].compliance, self.laws[contact].friction);
        let speed = z[places.slip(contact)].iter().fold(0.0, |sum: f64, u| sum.hypot(*u));
        let push = law.stiffness * z[places.ydot(contact)]
            + self.eps * law.damping * rows[places.rows(contact).start];
        !friction.is_infinite() && k_T * speed > -friction.mu() * self.pull[contact] * push
    }
}
