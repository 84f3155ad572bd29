//! Where p vanishes: the limit of a jam in the plane, and the crossing in space.

use super::jam::detail;
use super::run::Run;
use crate::analysis::ContactView;
use crate::analysis::PlanarModel;
use crate::analysis::planar::{Fate, Jam, Point, jam};
use crate::model::Output;
use crate::num::dense;
use crate::predict::Mode;
use crate::simulate::trajectory::{EventDetail, EventKind, JamDetail, Status, StopReason};

/// Most steps of Newton's method to b = 0.
const STEPS: usize = 20;

impl Run<'_> {
    /// p has all but vanished in the plane: the limit by the linear system there   [CV16 (33), (34)].
    pub(super) fn jam(&mut self) -> Option<StopReason> {
        let contact = self.phases.slipping()?;
        let found = match self.linear(contact) {
            Ok(found) => found,
            Err(error) => return Some((Status::Failed, Some(error))),
        };
        match found.fate {
            Fate::Jams(_) => self.arrive(contact, &found),
            Fate::LiftsOff => self.lift_off(contact, &found),
            // b stays negative: the force grows until the slip has ended
            Fate::SlipsAway => self.jump(contact, true, &[contact]),
            Fate::Marginal | Fate::Degenerate | Fate::NotApplicable => {
                let reason = "p vanishes where the linear system says nothing of the motion".to_string();
                Some((Status::Undecided, Some(reason)))
            }
        }
    }

    /// b rises through zero before p does: of p' = α₁p, b' = α₂p + βb, e^((β − α₁)τ) = −Kp/(b − Kp) there, and the real time
    /// until then is p(1 − e^(α₁τ))/|α₁|.
    fn lift_off(&mut self, contact: usize, found: &Jam) -> Option<StopReason> {
        let (p, b, slope) = (found.p, found.b, found.slope.0);
        let (alpha1, beta) = (found.coefficients.alpha1, found.coefficients.beta);
        let tau = (slope * p / (slope * p - b)).ln() / (beta - alpha1);
        let left = -p * (alpha1 * tau).exp_m1() / alpha1.abs();
        if let Err(error) = self.spend(contact, found, left.max(0.0)) {
            return Some((Status::Failed, Some(error)));
        }
        self.release(contact);
        None
    }

    fn view(&self, contact: usize) -> ContactView<'_> {
        let (kernel, parameters) = (self.phases.mechanics.motion.kernel(), &self.begin.state.parameters[..]);
        ContactView { kernel, parameters, contact }
    }

    fn linear(&self, contact: usize) -> Result<Jam, String> {
        let (phases, view) = (&self.phases, self.view(contact));
        let point = Point { t: phases.t, q: phases.q(), v: phases.v() };
        let friction = phases.mechanics.laws[contact].friction;
        let local = view.local(point.t, point.q, point.v).map_err(|error| format!("{error:?}"))?;
        jam(&view, friction, point, &local, &self.options.tol).map_err(|error| format!("{error:?}"))
    }

    /// The jam itself: the rest of the time passes, and the force takes b to zero.
    fn arrive(&mut self, contact: usize, found: &Jam) -> Option<StopReason> {
        let left = found.time.unwrap_or(0.0);
        if let Err(error) = self.spend(contact, found, left) {
            return Some((Status::Failed, Some(error)));
        }
        let phases = &self.phases;
        let point = Point { t: phases.t, q: phases.q(), v: phases.v() };
        let tools = (&phases.mechanics, &self.options.tol);
        let parameters = &self.begin.state.parameters;
        let Some(mut detail) =
            detail(contact, found.slip, point, parameters, (&phases.approach, left), tools)
        else {
            return Some((Status::Undecided, Some("the jam has no class".to_string())));
        };
        // what is left of p at the limit is the error of the last stretch
        detail.p = detail.p.0.max(0.0).into();
        self.event(EventKind::Jam, Some(contact), EventDetail::Jam(detail));
        self.jump(contact, true, &[contact])
    }

    /// What is left of the phase at its limit: its time, then the impulse of the force.
    fn spend(&mut self, contact: usize, found: &Jam, left: f64) -> Result<(), String> {
        let before = self.phases.t;
        self.pass(contact, left)?;
        self.phases.t += left;
        self.press(contact, found)?;
        let tangents = self.phases.mechanics.layout().tangents;
        self.record.phase([before, self.phases.t], &self.phases.doing, tangents, None);
        Ok(())
    }

    /// The rest of the time passes without contact force, whose impulse follows.
    fn pass(&mut self, contact: usize, left: f64) -> Result<(), String> {
        let (phases, n) = (&self.phases, self.phases.n());
        let point = (phases.t, phases.q(), phases.v());
        let local =
            self.view(contact).local(point.0, point.1, point.2).map_err(|error| format!("{error:?}"))?;
        let applied = dense::dot(self.phases.mechanics.block(Output::Applied), point.2);
        self.phases.works[0] += left * applied;
        for i in 0..n {
            let v = self.phases.y[n + i];
            self.phases.y[i] += left * (v + 0.5 * left * local.free[i]);
            self.phases.y[n + i] += left * local.free[i];
        }
        Ok(())
    }

    /// The impulse along W = M⁻¹(d − sμc) that takes b to zero, by Newton's method: db = −β dσ.
    fn press(&mut self, contact: usize, found: &Jam) -> Result<(), String> {
        let n = self.phases.n();
        let friction = self.phases.mechanics.laws[contact].friction;
        let (_, tangential) = friction.parts();
        for _ in 0..STEPS {
            let phases = &self.phases;
            let local = self
                .view(contact)
                .local(phases.t, phases.q(), phases.v())
                .map_err(|error| format!("{error:?}"))?;
            let impulse = local.b / found.coefficients.beta;
            let (sign, slip) = (found.slip.sign(), local.u);
            // p = 0 in the limit: what is left of it, and of the gap rate, goes with the normal impulse
            let p = local.normal_gain(friction, found.slip);
            let normal = -(p * impulse + local.v) / local.C;
            let response = local.slip_response(friction, found.slip);
            let v = &mut self.phases.y[n..2 * n];
            for ((v, w), d) in v.iter_mut().zip(&response).zip(&local.normal) {
                *v += impulse * w + normal * d;
            }
            let after = slip + impulse * (local.B - sign * tangential * local.A) + normal * local.B;
            let along = -sign * tangential * impulse;
            self.phases.works[1] += along * 0.5 * (slip + after);
            // what a surface that moves takes part in
            let moved = |output: Output| self.phases.mechanics.block(output)[contact];
            let work = (impulse + normal) * moved(Output::GapRate) + along * moved(Output::SlipRate);
            self.phases.works[0] -= work;
            if local.b.abs() <= self.options.tol.noise * local.scales.b {
                break;
            }
        }
        Ok(())
    }

    /// p falls through zero while b < 0, in space: the force grows like (t* − t)^(−1/2), and beyond no motion is consistent
    /// [CV16 section 7].
    pub(super) fn crossing(&mut self, contact: usize) -> Option<StopReason> {
        if self.phases.mechanics.layout().tangents == 1 {
            // slip that compliance forbids comes back to p > 0
            self.phases.doing[contact] = Mode::slip(1.0);
            return self.settle(None);
        }
        let ([p, b], _) = super::jam::near(contact, &self.phases.mechanics);
        let detail = JamDetail {
            p: p.into(),
            b: b.into(),
            class: "crossing".into(),
            force_exponent: self.phases.approach.exponent(self.phases.left).into(),
            force_exponent_theory: (-0.5).into(),
            coefficients: None,
        };
        self.event(EventKind::Jam, Some(contact), EventDetail::Jam(detail));
        self.jump(contact, true, &[contact])
    }
}
