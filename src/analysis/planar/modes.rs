//! The modes of one planar contact with their forces, accelerations, and the reason why each is consistent or not
//! [CV16 Table 1]; the verdict, the cell of Tables 2 and 3, and the boundaries the state lies on.

use super::boundary::Boundary;
use super::response::{Acceleration, Force};
use super::situation::{Kinematics, Situation};
use crate::contact::{Cell, Column, Friction, Gains, Mode, Planar, Scaled, Sign, Slip};
use crate::num::Tol;
use crate::predict::{self, Consistency, Reason, Verdict};
use crate::predict::{Outcome, Signs};

/// One kinematically admissible mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModeReport {
    /// Which.
    pub mode: Mode,
    /// Whether the contact law holds.
    pub consistency: Consistency,
    /// The force that the mode's equalities require; NaN if its gain vanishes within tolerance.
    pub force: Force,
    /// The accelerations under that force.
    pub acceleration: Acceleration,
    /// Why.
    pub reason: Reason,
}

impl ModeReport {
    /// Whether the mode satisfies the closed contact law: strictly, or with an equality and a finite force.
    pub fn is_consistent(&self) -> bool {
        match self.consistency {
            Consistency::Yes => true,
            Consistency::No => false,
            Consistency::Marginal => !matches!(self.reason, Reason::Undefined { .. }),
        }
    }
}

/// Everything that can happen next at one contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Where the contact stands.
    pub situation: Situation,
    /// The admissible modes.
    pub modes: Vec<ModeReport>,
    /// The verdict; none for a penetrating state.
    pub verdict: Option<Verdict>,
    /// What can follow after normal stability and impact without collision.
    pub resolved: Vec<Outcome>,
    /// The cell of Tables 2 and 3, for a resting contact off their boundaries.
    pub cell: Option<Cell>,
    /// Boundaries that the state lies on within the tolerance.
    pub boundaries: Vec<Boundary>,
}

/// The modes of a contact at a state.
pub fn modes(planar: &Planar, friction: Friction, kinematics: &Kinematics, tol: &Tol) -> Modes {
    let situation = Situation::of(kinematics, tol);
    let only = |verdict, resolved: &[Outcome], modes| Modes {
        situation,
        modes,
        verdict,
        resolved: resolved.to_vec(),
        cell: None,
        boundaries: Vec::new(),
    };
    match situation {
        Situation::Apart | Situation::Separating => {
            only(Some(Verdict::Consistent), &[Outcome::Free], vec![flight(planar)])
        }
        Situation::Approaching => only(Some(Verdict::Consistent), &[Outcome::Impact], Vec::new()),
        Situation::Penetrating => only(None, &[], Vec::new()),
        Situation::Resting(column) => resting(planar, friction, kinematics, column, tol),
    }
}

fn flight(planar: &Planar) -> ModeReport {
    ModeReport {
        mode: Mode::Free,
        consistency: Consistency::Yes,
        force: Force { N: 0.0, T: 0.0 },
        acceleration: Acceleration { u: planar.a, v: planar.b },
        reason: Reason::InFlight,
    }
}

fn resting(planar: &Planar, friction: Friction, kinematics: &Kinematics, column: Column, tol: &Tol) -> Modes {
    let gains = planar.gains(friction);
    let signs = Signs::from_gains(planar, &gains, tol);
    let report = |mode: Mode| {
        let consistency = signs.consistency(mode, column)?;
        Some(mode_report(planar, friction, &signs, mode, consistency))
    };
    Modes {
        situation: Situation::Resting(column),
        modes: Mode::ALL.into_iter().filter_map(report).collect(),
        verdict: Some(signs.verdict(column)),
        resolved: signs.resolved(column).collect(),
        cell: signs.cell(column),
        boundaries: boundaries(planar, friction, &gains, &signs, kinematics, column),
    }
}

fn mode_report(
    planar: &Planar,
    friction: Friction,
    signs: &Signs,
    mode: Mode,
    consistency: Consistency,
) -> ModeReport {
    let undefined = signs.slip_gain_sign(mode) == Sign::Marginal;
    let (N, T) = match mode {
        Mode::Free => (0.0, 0.0),
        // −b/0: rounding is no force
        Mode::SlipPos | Mode::SlipNeg if undefined => (f64::NAN, f64::NAN),
        Mode::SlipPos => planar.slip_force(friction, Slip::Pos),
        Mode::SlipNeg => planar.slip_force(friction, Slip::Neg),
        Mode::Stick => planar.stick_force(),
    };
    let (force, acceleration) = (Force { N, T }, acceleration(planar, mode, N, T));
    let reason = if undefined {
        Reason::Undefined { lambda_N: N }
    } else {
        reason(mode, consistency, friction, (force, acceleration))
    };
    ModeReport { mode, consistency, force, acceleration, reason }
}

/// Why a mode with a finite force is consistent or not.
fn reason(
    mode: Mode,
    consistency: Consistency,
    friction: Friction,
    (force, acceleration): (Force, Acceleration),
) -> Reason {
    let own = match mode {
        Mode::Free => predict::Mode::Free,
        Mode::SlipPos => predict::Mode::slip(1.0),
        Mode::SlipNeg => predict::Mode::slip(-1.0),
        Mode::Stick if consistency == Consistency::No && force.N >= 0.0 => {
            return Reason::OutsideCone { lambda_T: force.T, bound: friction.mu() * force.N };
        }
        Mode::Stick => predict::Mode::STICK,
    };
    // λ_N tends to 0 with infinite friction; the friction force keeps its sign
    let pulls = match own.direction() {
        Some([along, _]) if friction.is_infinite() => along * force.T > 0.0,
        _ => force.N < 0.0,
    };
    Reason::of(own, consistency, (force.N, pulls), [acceleration.u, acceleration.v])
}

/// Accelerations under the mode's force, with those that the mode prescribes exactly zero.
fn acceleration(planar: &Planar, mode: Mode, lambda_N: f64, lambda_T: f64) -> Acceleration {
    let (udot, _) = planar.acceleration(lambda_N, lambda_T);
    match mode {
        Mode::Free => Acceleration { u: planar.a, v: planar.b },
        Mode::SlipPos | Mode::SlipNeg => Acceleration { u: udot, v: 0.0 },
        Mode::Stick => Acceleration { u: 0.0, v: 0.0 },
    }
}

fn boundaries(
    planar: &Planar,
    friction: Friction,
    gains: &Gains,
    signs: &Signs,
    kinematics: &Kinematics,
    column: Column,
) -> Vec<Boundary> {
    let at_rest = column == Column::II;
    let b = Scaled { value: planar.b, scale: planar.b_scale };
    let relevant = [
        (signs.b, Boundary::FreeAcceleration { distance: b.distance() }, true),
        (signs.p[0], Boundary::GainPos { distance: gains.p[0].distance() }, column != Column::III),
        (signs.p[1], Boundary::GainNeg { distance: gains.p[1].distance() }, column != Column::I),
        (signs.sigma[0], Boundary::ConePos { distance: gains.sigma[0].distance() }, at_rest),
        (signs.sigma[1], Boundary::ConeNeg { distance: gains.sigma[1].distance() }, at_rest),
    ];
    let marginal = relevant.into_iter().filter(|&(sign, _, counts)| counts && sign == Sign::Marginal);
    let mut found: Vec<Boundary> = marginal.map(|(_, boundary, _)| boundary).collect();
    if at_rest && kinematics.u.value.abs() > 0.0 {
        found.push(Boundary::Slip { u: kinematics.u.value });
    }
    if friction.is_zero() && at_rest {
        found.push(Boundary::Frictionless);
    }
    found
}
