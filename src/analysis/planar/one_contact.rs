//! What is said about a state in which one planar contact decides what happens next: modes, verdict, resolution,
//! cell, normal stability and impact, in the shape of the machine-readable output.

use super::analysis::{PlanarAnalysis, PlanarError, planar_analysis};
use super::chatter::{Chatter, ChatterKind};
use super::contact_rest::{RestSizes, contact_equilibrium};
use super::equilibrium::Equilibrium;
use super::impact::Impact;
use super::jam::Point;
use super::modes::ModeReport;
use super::phase::{PhaseKind, Velocity};
use super::situation::Situation;
use super::stability::NormalStability;
use crate::analysis::impact::{ImpactOutcome, ImpulseOutcome, VelocityOutcome};
use crate::analysis::local::ContactView;
use crate::analysis::mode::{AccelerationOutcome, ForceOutcome, ModeOutcome};
use crate::analysis::number::{ByName, Quantity};
use crate::analysis::place::Place;
use crate::analysis::prospect::{Particular, PlaneOutcome, Prospect};
use crate::analysis::tangential::Tangential;
use crate::contact::{Column, Friction, Hold, Laws, Mode, Planar, Slip};
use crate::num::Tol;
use crate::predict::{Consistency, ModeName, Stability};

impl Place<'_> {
    /// The prospect of a contact in the plane, and what its reader should be careful about. A contact that cannot move in every
    /// direction (a point on a rail) has no prospect; a warning says so.
    pub(crate) fn one_in_plane(&self, contact: usize) -> (Prospect, Vec<String>) {
        let (input, laws, name) =
            (self.input, self.laws(contact), self.input.names.contacts[contact].as_str());
        let mut warnings = Vec::new();
        let analysed = planar_analysis(
            &self.view(contact),
            laws,
            self.point(),
            &input.sizes.contact(contact),
            &input.tol,
        );
        let prospect = match analysed {
            Ok(found) => {
                warnings.extend(found.warnings.iter().cloned());
                let equilibrium = self.equilibrium(contact, &found, &mut warnings);
                let prospect = outcome(name, laws, &found, equilibrium, &input.tol);
                let rests = matches!(found.modes.situation, Situation::Resting(_));
                if rests && laws.hold == Hold::Bilateral { self.held(prospect) } else { prospect }
            }
            Err(error) => {
                warnings.push(format!("what can happen next is not analysed: {error}"));
                Prospect::unknown(1)
            }
        };
        (prospect, warnings.iter().map(|w| format!("contact {name}: {w}")).collect())
    }

    /// A contact that is held closed: its motions are those of any contacts, and Tables 2 and 3 are not about it.
    fn held(&self, prospect: Prospect) -> Prospect {
        let Some(contacts) = self.contacts() else { return prospect };
        let decision = contacts.decide(&self.input.tol);
        let possible = decision.modes.iter().filter(|judged| judged.consistency != Consistency::No);
        Prospect {
            modes: possible.map(|judged| self.mode(judged, None)).collect(),
            verdict: Some(decision.verdict),
            table: None,
            ..prospect
        }
    }

    fn view(&self, contact: usize) -> ContactView<'_> {
        ContactView { kernel: self.kernel, parameters: &self.input.state.parameters, contact }
    }

    fn point(&self) -> Point<'_> {
        let state = self.input.state;
        Point { t: state.t, q: &state.q, v: &state.v }
    }

    /// Only a contact that sticks can be an equilibrium: at rest against a running belt it slips.
    fn equilibrium(
        &self,
        contact: usize,
        found: &PlanarAnalysis,
        warnings: &mut Vec<String>,
    ) -> Option<Equilibrium> {
        let at_rest = found.modes.situation == Situation::Resting(Column::II);
        let Laws { friction, restitution, hold, .. } = *self.laws(contact);
        if !at_rest || hold == Hold::Bilateral {
            return None;
        }
        let (own, accelerations) = (self.input.sizes.contact(contact), self.input.sizes.sticking(contact));
        let sizes = RestSizes { contact: &own, accelerations: &accelerations };
        let view = self.view(contact);
        let resting = contact_equilibrium(&view, friction, restitution, self.point(), sizes, &self.input.tol);
        resting.unwrap_or_else(|error| {
            let error = PlanarError::Model(error);
            warnings.push(format!("whether this is an equilibrium is not known: {error}"));
            None
        })
    }
}

fn outcome(
    name: &str,
    laws: &Laws,
    found: &PlanarAnalysis,
    equilibrium: Option<Equilibrium>,
    tol: &Tol,
) -> Prospect {
    let own = &found.modes;
    let jam = ByName::of(name, found.jam);
    let terms = Terms { planar: &found.planar, friction: laws.friction, tol };
    let pairs = own.modes.iter().zip(&found.stability);
    Prospect {
        modes: pairs.map(|(m, s)| mode_outcome(name, m, s.as_ref(), &terms)).collect(),
        verdict: own.verdict,
        resolved: own.resolved.iter().map(|o| o.name().into()).collect(),
        table: own.cell,
        impact: ByName::one(name, impact_outcome(laws, found)),
        particular: Particular::Plane(Box::new(PlaneOutcome { jam, equilibrium, no_slip: None })),
        ..Prospect::unknown(1)
    }
}

fn mode_outcome(
    name: &str,
    report: &ModeReport,
    stability: Option<&NormalStability>,
    terms: &Terms<'_>,
) -> ModeOutcome {
    let (forces, accelerations) = terms.of(report);
    ModeOutcome {
        mode: ByName::one(name, report.mode.into()),
        consistent: report.is_consistent(),
        marginal: report.consistency == Consistency::Marginal,
        normal_stability: stability_word(report, stability),
        normal_eigenvalues: stability.map(|s| s.eigenvalues.to_vec()),
        portrait: stability.and_then(|s| s.portrait),
        forces: ByName::one(name, forces),
        accelerations: ByName::one(name, accelerations),
        reason: report.reason.to_string(),
        ..ModeOutcome::default()
    }
}

/// What the forces and accelerations of a mode are made of.
struct Terms<'a> {
    planar: &'a Planar,
    friction: Friction,
    tol: &'a Tol,
}

impl Terms<'_> {
    fn of(&self, report: &ModeReport) -> (ForceOutcome, AccelerationOutcome) {
        let [N, T] = self.forces(report.mode);
        let Planar { A, B, a_scale, b_scale, .. } = *self.planar;
        let (force, acceleration) = (report.force, report.acceleration);
        let number = |value: f64, size: f64| Quantity::of_size(value, size, self.tol);
        let forces = ForceOutcome { normal: number(force.N, N), tangential: vec![number(force.T, T)] };
        let u = number(acceleration.u, a_scale + A * T + B.abs() * N);
        (forces, AccelerationOutcome { u: Tangential::Plane(u), v: number(acceleration.v, b_scale) })
    }

    /// Sizes of λ_N, λ_T: of -b/p in slip, of the solution by Cramer's rule in stick.
    fn forces(&self, mode: Mode) -> [f64; 2] {
        let Planar { A, B, C, a_scale, b_scale, .. } = *self.planar;
        let slips = |slip: Slip| {
            let normal = b_scale / self.planar.normal_gain(self.friction, slip).abs();
            [normal, self.friction.mu() * normal]
        };
        match mode {
            Mode::Free => [0.0, 0.0],
            Mode::SlipPos => slips(Slip::Pos),
            Mode::SlipNeg => slips(Slip::Neg),
            Mode::Stick => {
                let sizes = [B.abs() * a_scale + A * b_scale, B.abs() * b_scale + C * a_scale];
                sizes.map(|size| size / self.planar.determinant())
            }
        }
    }
}

/// Lift-off is stable [CV16 section 4.1]; an inconsistent mode has no equilibrium to be stable.
fn stability_word(report: &ModeReport, stability: Option<&NormalStability>) -> Option<Stability> {
    report.is_consistent().then(|| stability.map_or(Stability::Stable, |s| s.stability))
}

fn impact_outcome(laws: &Laws, found: &PlanarAnalysis) -> ImpactOutcome {
    let collision = found.impact.as_ref();
    let chatter: Option<&Chatter> = found.chatter.as_ref();
    ImpactOutcome {
        pre: collision.map(|c| velocity(c.pre)),
        post: collision.map(|c| velocity(c.post)),
        impulse: collision
            .map(|c| ImpulseOutcome { normal: c.impulse.N.into(), tangential: c.impulse.T.into() }),
        energy_loss: collision.map(|c| c.energy_loss).into(),
        region: Some(collision.and_then(|c| c.region)),
        phases: collision.map(phases).unwrap_or_default(),
        iwc_possible: found.iwc.is_some(),
        iwc_post: found.iwc.map(|c| velocity(c.post)),
        effective_restitution: match collision {
            Some(c) => c.effective_restitution().into(),
            None => chatter.map(|c| c.effective_restitution).into(),
        },
        reverse_chatter: chatter.is_some_and(|c| c.kind == ChatterKind::Reverse),
        reverse_chatter_trigger: Some(found.trigger),
        chatter: Some(found.sequence),
        ..ImpactOutcome::unknown(laws.restitution.name(), laws.restitution.coefficient(), 1)
    }
}

fn velocity(v: Velocity) -> VelocityOutcome {
    VelocityOutcome { u: v.u.into(), v: v.v.into() }
}

fn phases(impact: &Impact) -> Vec<ModeName> {
    let name = |phase: PhaseKind| match phase {
        PhaseKind::SlipPos => ModeName::SLIP_POS,
        PhaseKind::SlipNeg => ModeName::SLIP_NEG,
        PhaseKind::Stick => ModeName::STICK,
    };
    [Some(impact.first), impact.second].into_iter().flatten().map(|phase| name(phase.kind)).collect()
}
