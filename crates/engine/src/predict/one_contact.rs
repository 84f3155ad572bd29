//! One contact in the plane that pushes only and can move in every direction: the same answer as that of [`Contacts::decide`] for any contacts, in
//! closed form   [CV16 (11) to (23)].

use super::contacts::{Contacts, Motion};
use super::decide::{Decision, Effort};
use super::judge::Judgement;
use super::mode::Mode;
use super::reason::{JointReason, Reason};
use super::signs::{Outcome, Signs};
use super::verdict::{Consistency, Verdict};
use crate::contact::{self, Cell, Column, Friction, Planar, Scaled, Sign, Slip};
use crate::num::Tol;

/// Share of A C that what B leaves of it has to exceed.
const REGULAR: f64 = 8.0 * f64::EPSILON;

/// One contact in the plane that is closed and does not part, slipping or at rest as its column says.
#[derive(Clone, Copy, Debug)]
pub struct OneContact {
    planar: Planar,
    friction: Friction,
    column: Column,
    signs: Signs,
}

impl OneContact {
    /// From its numbers.
    pub fn new(planar: &Planar, friction: Friction, column: Column, tol: &Tol) -> Self {
        Self { planar: *planar, friction, column, signs: Signs::of(planar, friction, tol) }
    }

    /// Where it slips to.
    pub fn column(&self) -> Column {
        self.column
    }

    /// The signs that decide.
    pub fn signs(&self) -> Signs {
        self.signs
    }

    /// How many modes are consistent.
    pub fn verdict(&self) -> Verdict {
        self.signs.verdict(self.column)
    }

    /// What can follow after normal stability and impact without collision.
    pub fn resolved(&self) -> impl Iterator<Item = Outcome> + '_ {
        self.signs.resolved(self.column)
    }

    /// The cell of Tables 2 and 3, off their boundaries.
    pub fn cell(&self) -> Option<Cell> {
        self.signs.cell(self.column)
    }

    /// The modes that the velocity permits, in the survey's order, with forces and accelerations in the units of the numbers; v̇ and u̇ are zero
    /// where a mode says so.
    pub fn modes(&self) -> Vec<Judgement> {
        let Planar { A, B, a_scale, b_scale, .. } = self.planar;
        let judged = |(mode, consistency)| {
            let ([N, T], [of_N, of_T]) = self.forces(mode);
            let [v, u] = self.accelerations(mode, [N, T]);
            let why = match self.signs.slip_gain_sign(mode) {
                Sign::Marginal => JointReason::Singular,
                Sign::Negative | Sign::Positive => why(self.friction, (mode, consistency), [N, T], [v, u]),
            };
            let pair =
                |x, of_x, y, of_y| vec![Scaled { value: x, scale: of_x }, Scaled { value: y, scale: of_y }];
            let forces = pair(N, of_N, T, of_T);
            let accelerations = pair(v, b_scale, u, a_scale + A * of_T + B.abs() * of_N);
            Judgement::new(&[mode.into()], consistency, (forces, accelerations), why)
        };
        self.admissible().map(judged).collect()
    }

    /// The only mode of a contact on which no force acts.
    pub fn in_flight(planar: &Planar) -> Judgement {
        let Planar { a, b, a_scale, b_scale, .. } = *planar;
        let accelerations = vec![Scaled { value: b, scale: b_scale }, Scaled { value: a, scale: a_scale }];
        let why = JointReason::Contact { contact: 0, reason: Reason::InFlight };
        Judgement::new(&[Mode::Free], Consistency::Yes, (vec![Scaled::exact(0.0); 2], accelerations), why)
    }

    fn admissible(&self) -> impl Iterator<Item = (contact::Mode, Consistency)> + '_ {
        let consistency = |mode| self.signs.consistency(mode, self.column);
        contact::Mode::ALL.into_iter().filter_map(move |mode| Some((mode, consistency(mode)?)))
    }

    /// v̇, u̇ under the forces of a mode.
    fn accelerations(&self, mode: contact::Mode, [N, T]: [f64; 2]) -> [f64; 2] {
        match mode {
            contact::Mode::Free => [self.planar.b, self.planar.a],
            contact::Mode::SlipPos | contact::Mode::SlipNeg => [0.0, self.planar.acceleration(N, T).0],
            contact::Mode::Stick => [0.0; 2],
        }
    }

    /// λ_N, λ_T with the sizes of their terms: −b/p in slip, by Cramer's rule in stick. Where p is zero −b/0 is rounding, and no force.
    fn forces(&self, mode: contact::Mode) -> ([f64; 2], [f64; 2]) {
        let Planar { A, B, C, a_scale, b_scale, .. } = self.planar;
        let slips = |slip: Slip| {
            let weight = b_scale / self.planar.normal_gain(self.friction, slip).abs();
            let (n, t) = self.friction.parts();
            [n * weight, t * weight]
        };
        let sizes = match mode {
            contact::Mode::Free => [0.0; 2],
            contact::Mode::SlipPos => slips(Slip::Pos),
            contact::Mode::SlipNeg => slips(Slip::Neg),
            contact::Mode::Stick => {
                let sizes = [B.abs() * a_scale + A * b_scale, B.abs() * b_scale + C * a_scale];
                sizes.map(|size| size / self.planar.determinant())
            }
        };
        match self.signs.slip_gain_sign(mode) {
            Sign::Marginal => ([f64::NAN; 2], sizes),
            Sign::Negative | Sign::Positive => (self.planar.force(self.friction, mode).into(), sizes),
        }
    }
}

/// Why a mode with a finite force is consistent or not; of what fails the normal force is told first.
fn why(
    friction: Friction,
    (mode, consistency): (contact::Mode, Consistency),
    [N, T]: [f64; 2],
    [v, u]: [f64; 2],
) -> JointReason {
    let own = Mode::from(mode);
    let pulls = match own.direction() {
        // λ_N tends to 0 with infinite friction; the friction force keeps its sign
        Some([along, _]) if friction.is_infinite() => along * T > 0.0,
        _ => N < 0.0,
    };
    let on_the_cone = match consistency {
        Consistency::Yes => return JointReason::Holds,
        Consistency::No => N >= 0.0,
        Consistency::Marginal => N > 0.0,
    };
    if on_the_cone && mode == contact::Mode::Stick {
        return JointReason::Cone { contact: 0, lambda_T: T, bound: friction.mu() * N };
    }
    JointReason::Contact { contact: 0, reason: Reason::of(own, consistency, (N, pulls), [u, v]) }
}

impl Contacts {
    /// All motions, of modes with these verdicts; none of other contacts than these.
    pub(super) fn decide_one(&self, is_kept: impl Fn(Consistency) -> bool, tol: &Tol) -> Option<Decision> {
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
        let own = OneContact::new(&planar, friction, column, tol);
        let modes = own.admissible().filter(|(_, consistency)| is_kept(*consistency));
        let modes: Vec<Judgement> = modes.map(|(mode, yes)| self.judged_alone(&own, mode, yes)).collect();
        let search = Effort { examined: modes.len() as u64, pruned: Some(0), ..Effort::default() };
        Some(Decision::of(modes, own.verdict(), search))
    }

    /// A mode of a contact whose numbers are in the units of the rows.
    fn judged_alone(&self, own: &OneContact, mode: contact::Mode, consistency: Consistency) -> Judgement {
        if own.signs.slip_gain_sign(mode) == Sign::Marginal {
            return self.without_forces(&[mode.into()], consistency, JointReason::Singular);
        }
        let (forces, sizes) = own.forces(mode);
        let judged = self.under(&[mode.into()], &forces, &sizes);
        let [N, T] = [0, 1].map(|row| judged.forces[row].or_zero());
        let rates = [0, 1].map(|row| judged.accelerations[row].or_zero());
        let why = why(self.friction(0), (mode, consistency), [N, T], rates);
        Judgement { consistency, why, ..judged }
    }
}
