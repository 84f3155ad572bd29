//! What is said about a state in which one planar contact decides what happens next: modes, verdict, resolution,
//! cell, normal stability and impact, in the shape of the machine-readable output.

use super::boundary::boundaries;
use super::contact_rest::{RestSizes, contact_equilibrium};
use super::jam::{Point, jam};
use crate::analysis::analysed::AnalysedState;
use crate::analysis::by_name::ByName;
use crate::analysis::contact_status::ContactStatus;
use crate::analysis::impact::{ImpactOutcome, ImpulseOutcome, VelocityOutcome};
use crate::analysis::local::{ContactView, PlanarModel};
use crate::analysis::mode::ModeOutcome;
use crate::analysis::prospect::{Particular, PlaneOutcome, Prospect};
use crate::analysis::state::StateInput;
use crate::contact::{Hold, Laws, Planar};
use crate::equilibrium::{ChatterKind, Equilibrium, chatter, sequence, trigger};
use crate::impact::{Impact, Velocity, impact, impact_without_collision};
use crate::model::Singular;
use crate::num::Tol;
use crate::predict::{
    Consistency, Judgement, ModeName, OneContact, Outcome, Stability, Verdict, normal_stability,
};

impl AnalysedState<'_> {
    /// The prospect of a contact in the plane, and what its reader should be careful about. A contact that cannot move in every
    /// direction (a point on a rail) has no prospect; a warning says so.
    pub(crate) fn one_in_plane(&self, contact: usize) -> (Prospect, Vec<String>) {
        let unknown = |error: String| {
            let warning = format!("what can happen next is not analysed: {error}");
            (Prospect::unknown(1), vec![warning])
        };
        let only = StateInput { closed: &[contact], ..self.input.clone() };
        let alone = AnalysedState { input: &only, ..*self };
        let (prospect, warnings) = alone.alone_in_plane(contact).unwrap_or_else(unknown);
        let name = &self.input.names.contacts[contact];
        (prospect, warnings.iter().map(|w| format!("contact {name}: {w}")).collect())
    }

    fn alone_in_plane(&self, contact: usize) -> Result<(Prospect, Vec<String>), String> {
        let (input, laws, tol) = (self.input, self.laws(contact), &self.input.tol);
        let (name, sizes) = (&input.names.contacts[contact], input.sizes.contact(contact));
        let (view, point) = (self.view(contact), self.point());
        let failed = |error: Singular| error.to_string();
        let local = view.local(point.t, point.q, point.v).map_err(failed)?.at_least(&sizes);
        let planar = local.planar().validated().map_err(|error| error.to_string())?;
        laws.restitution.validated().map_err(|error| error.to_string())?;
        let stands = local.stands(sizes.gap, tol);
        let alone = Alone { planar, laws, stands, velocity: Velocity { u: local.u, v: local.v }, tol };
        let jam = match stands {
            ContactStatus::Slipping(_) => {
                Some(jam(&view, laws.friction, point, &local, tol).map_err(failed)?)
            }
            _ => None,
        };
        let own = stands.column().map(|column| OneContact::new(&planar, laws.friction, column, tol));
        let (impact, collision) = alone.impact();
        let mut warnings = alone.warnings(own.as_ref(), collision.as_ref());
        let equilibrium = self.equilibrium(contact, stands, &mut warnings);
        let judged = match (&own, stands) {
            (Some(own), _) => own.modes(),
            (None, ContactStatus::Apart) => vec![OneContact::in_flight(&planar)],
            (None, _) => Vec::new(),
        };
        let iwc = impact.iwc_possible;
        let prospect = Prospect {
            modes: judged.iter().map(|judged| self.mode_in_plane(judged, &alone)).collect(),
            verdict: alone.verdict(own.as_ref()),
            resolved: alone.resolved(own.as_ref(), iwc).iter().map(|o| o.name().into()).collect(),
            table: own.and_then(|own| own.cell()),
            impact: ByName::one(name, impact),
            particular: Particular::Plane(Box::new(PlaneOutcome {
                jam: ByName::of(name, jam),
                equilibrium,
                no_slip: None,
            })),
            ..Prospect::unknown(1)
        };
        let is_held = own.is_some() && laws.hold == Hold::Bilateral;
        Ok((if is_held { self.held(prospect) } else { prospect }, warnings))
    }

    fn mode_in_plane(&self, judged: &Judgement, alone: &Alone<'_>) -> ModeOutcome {
        let Laws { friction, compliance, .. } = *alone.laws;
        let fast = normal_stability(&alone.planar, friction, judged.modes[0], compliance, alone.tol);
        // lift-off is stable [CV16 section 4.1]; an inconsistent mode has no equilibrium to be stable
        let stability = fast.map_or(Stability::Stable, |fast| fast.stability);
        ModeOutcome {
            normal_stability: judged.is_consistent().then_some(stability),
            normal_eigenvalues: fast.map(|fast| fast.eigenvalues.to_vec()),
            portrait: fast.and_then(|fast| fast.portrait),
            reason: judged.reason_alone().to_string(),
            ..self.mode(judged, None)
        }
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
        stands: ContactStatus,
        warnings: &mut Vec<String>,
    ) -> Option<Equilibrium> {
        let Laws { friction, restitution, hold, .. } = *self.laws(contact);
        if stands != ContactStatus::Resting || hold == Hold::Bilateral {
            return None;
        }
        let (own, accelerations) = (self.input.sizes.contact(contact), self.input.sizes.sticking(contact));
        let sizes = RestSizes { contact: &own, accelerations: &accelerations };
        let view = self.view(contact);
        let resting = contact_equilibrium(&view, friction, restitution, self.point(), sizes, &self.input.tol);
        resting.unwrap_or_else(|error| {
            warnings.push(format!("whether this is an equilibrium is not known: {error}"));
            None
        })
    }
}

/// The contact's numbers.
struct Alone<'a> {
    planar: Planar,
    laws: &'a Laws,
    stands: ContactStatus,
    velocity: Velocity,
    tol: &'a Tol,
}

impl Alone<'_> {
    /// None for a state that is none of the rigid mechanism.
    fn verdict(&self, own: Option<&OneContact>) -> Option<Verdict> {
        let undisturbed = (self.stands != ContactStatus::Penetrating).then_some(Verdict::Consistent);
        own.map(OneContact::verdict).or(undisturbed)
    }

    /// What can follow depends on the restitution law: Newton's has no impact without collision, v⁺ = −e·0.
    fn resolved(&self, own: Option<&OneContact>, iwc: bool) -> Vec<Outcome> {
        match (own, self.stands) {
            (Some(own), _) => own.resolved().filter(|outcome| *outcome != Outcome::Iwc || iwc).collect(),
            (None, ContactStatus::Apart) => vec![Outcome::Free],
            (None, ContactStatus::Approaching) => vec![Outcome::Impact],
            (None, _) => Vec::new(),
        }
    }

    /// What impacts do, and the collision that takes place. A contact that is held closed has no impacts.
    fn impact(&self) -> (ImpactOutcome, Option<Impact>) {
        let (Self { planar, laws, velocity: pre, tol, .. }, Laws { friction, restitution, .. }) =
            (self, *self.laws);
        let nothing = ImpactOutcome::unknown(restitution.name(), restitution.coefficient(), 1);
        if laws.hold == Hold::Bilateral {
            return (nothing, None);
        }
        let collides = self.stands == ContactStatus::Approaching;
        let collision = if collides { impact(planar, friction, restitution, *pre, tol) } else { None };
        let iwc = match self.stands {
            ContactStatus::Slipping(_) => impact_without_collision(planar, friction, restitution, pre.u, tol),
            _ => None,
        };
        let chatter = chatter(planar, friction, restitution, tol);
        let outcome = ImpactOutcome {
            pre: collision.map(|c| velocity(c.pre)),
            post: collision.map(|c| velocity(c.post)),
            impulse: collision
                .map(|c| ImpulseOutcome { normal: c.impulse.N.into(), tangential: c.impulse.T.into() }),
            energy_loss: collision.map(|c| c.energy_loss).into(),
            region: Some(collision.and_then(|c| c.region)),
            phases: collision.as_ref().map(phases).unwrap_or_default(),
            iwc_possible: iwc.is_some(),
            iwc_post: iwc.map(|c| velocity(c.post)),
            effective_restitution: match collision {
                Some(c) => c.effective_restitution().into(),
                None => chatter.map(|c| c.effective_restitution).into(),
            },
            reverse_chatter: chatter.is_some_and(|c| c.kind == ChatterKind::Reverse),
            reverse_chatter_trigger: Some(trigger(planar, friction, restitution, tol)),
            chatter: Some(if collides { sequence(planar, friction, restitution, *pre, tol) } else { None }),
            ..nothing
        };
        (outcome, collision)
    }

    fn warnings(&self, own: Option<&OneContact>, collision: Option<&Impact>) -> Vec<String> {
        let friction = self.laws.friction;
        let boundaries = own.map(|own| boundaries(&self.planar, friction, self.velocity.u, own));
        let mut found: Vec<String> = boundaries.into_iter().flatten().map(|b| b.to_string()).collect();
        match self.stands {
            ContactStatus::Penetrating => found.push(ContactStatus::PENETRATES.to_string()),
            ContactStatus::Approaching => {
                found.push("the contact is closed and approaching: an impact takes place".to_string());
            }
            ContactStatus::Apart | ContactStatus::Slipping(_) | ContactStatus::Resting => {}
        }
        if collision.is_some_and(|hit| hit.gains_energy) {
            found.push("Newton's restitution law gains energy in this impact".to_string());
        }
        found
    }
}

fn velocity(v: Velocity) -> VelocityOutcome {
    VelocityOutcome { u: v.u.into(), v: v.v.into() }
}

fn phases(impact: &Impact) -> Vec<ModeName> {
    [Some(impact.first), impact.second].into_iter().flatten().map(|phase| phase.kind.into()).collect()
}
