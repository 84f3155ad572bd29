//! One contact in the plane that pushes only and can move in every direction: the same answer as that of [`Contacts::decide`] for any contacts, in
//! closed form   [CV16 (11) to (23)].

use super::contacts::{Contacts, Motion};
use super::decide::{Decision, Effort};
use super::judge::Judged;
use super::mode::Mode;
use super::reason::{Reason, Why};
use super::signs::Signs;
use super::verdict::Consistency;
use crate::contact::{self, Column, Friction, Planar, Scaled, Sign, Slip};
use crate::num::Tol;

/// Share of A C that what B leaves of it has to exceed.
const REGULAR: f64 = 8.0 * f64::EPSILON;

impl Contacts {
    /// All motions; none of other contacts than these.
    pub(super) fn decide_one(&self, tol: &Tol) -> Option<Decision> {
        if self.tangents != 1 || self.len() != 1 || !self.is_unilateral(0) || self.friction(0).is_zero() {
            return None;
        }
        let column = match self.motion(0) {
            Motion::Parting => return None,
            Motion::Slipping([sign, _]) if sign > 0.0 => Column::I,
            Motion::Slipping(_) => Column::III,
            Motion::Resting => Column::II,
        };
        let D = |i: usize, j: usize| self.D[(i, j)];
        let planar = Planar::new(D(1, 1), D(0, 1), D(0, 0), self.c[1], self.c[0]);
        let planar = planar.with_scales(self.sizes[1], self.sizes[0]);
        if planar.determinant() <= (REGULAR + tol.dependent) * planar.A * planar.C {
            return None;
        }
        let friction = match self.slope(0) {
            [n, _] if n <= 0.0 => Friction::INFINITE,
            [_, mu] => Friction::new(mu).ok()?,
        };
        let signs = Signs::of(&planar, friction, tol);
        let own = Own { contacts: self, planar, friction, signs };
        let modes: Vec<Judged> = contact::Mode::ALL
            .into_iter()
            .filter_map(|mode| Some(own.judged(mode, signs.consistency(mode, column)?)))
            .collect();
        let examined = modes.len() as u64;
        Some(Decision {
            modes,
            verdict: signs.verdict(column),
            search: Effort { examined, pruned: Some(0), ..Effort::default() },
            open: Vec::new(),
            undecided: None,
            rest: None,
            spread: None,
        })
    }
}

/// The contact in the units of its rows.
struct Own<'a> {
    contacts: &'a Contacts,
    planar: Planar,
    friction: Friction,
    signs: Signs,
}

impl Own<'_> {
    fn judged(&self, mode: contact::Mode, consistency: Consistency) -> Judged {
        let own = match mode {
            contact::Mode::Free => Mode::Free,
            contact::Mode::SlipPos => Mode::slip(1.0),
            contact::Mode::SlipNeg => Mode::slip(-1.0),
            contact::Mode::Stick => Mode::STICK,
        };
        if self.signs.slip_gain_sign(mode) == Sign::Marginal {
            return self.contacts.without_forces(&[own], consistency, Why::Singular);
        }
        let ([N, T], sizes) = self.forces(mode);
        let judged = self.contacts.under(&[own], &[N, T], &sizes);
        let why = match consistency {
            Consistency::Yes => Why::Holds,
            Consistency::No | Consistency::Marginal => self.why(own, consistency, &judged),
        };
        Judged { consistency, why, ..judged }
    }

    fn why(&self, mode: Mode, consistency: Consistency, judged: &Judged) -> Why {
        // what is zero by the law of its sign is told as zero
        let told = |x: Scaled| if x.sign(Tol::default().marginal) == Sign::Marginal { 0.0 } else { x.value };
        let [N, T] = [judged.forces[0], judged.forces[1]].map(told);
        let [v, u] = [judged.accelerations[0], judged.accelerations[1]].map(told);
        let mu = self.contacts.friction(0).mu();
        // of what fails the normal force is told first
        if matches!(mode, Mode::Stick { .. }) && N >= 0.0 && (consistency == Consistency::No || N > 0.0) {
            return Why::Cone { contact: 0, lambda_T: T, bound: mu * N.abs() };
        }
        let pulls = match mode.direction() {
            Some([along, _]) if self.friction.is_infinite() => along * T > 0.0,
            _ => N < 0.0,
        };
        Why::Contact { contact: 0, reason: Reason::of(mode, consistency, (N, pulls), [u, v]) }
    }

    /// λ_N, λ_T with the sizes of their terms: −b/p in slip, by Cramer's rule in stick.
    fn forces(&self, mode: contact::Mode) -> ([f64; 2], [f64; 2]) {
        let Planar { A, B, C, a_scale, b_scale, .. } = self.planar;
        let slips = |slip: Slip| {
            let (N, T) = self.planar.slip_force(self.friction, slip);
            let weight = b_scale / self.planar.normal_gain(self.friction, slip).abs();
            let (n, t) = self.friction.parts();
            ([N, T], [n * weight, t * weight])
        };
        match mode {
            contact::Mode::Free => ([0.0; 2], [0.0; 2]),
            contact::Mode::SlipPos => slips(Slip::Pos),
            contact::Mode::SlipNeg => slips(Slip::Neg),
            contact::Mode::Stick => {
                let (N, T) = self.planar.stick_force();
                let sizes = [B.abs() * a_scale + A * b_scale, B.abs() * b_scale + C * a_scale];
                ([N, T], sizes.map(|size| size / self.planar.determinant()))
            }
        }
    }
}
