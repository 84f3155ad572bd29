//! The modes of one contact in space with their forces, accelerations, and the reason why each is consistent or not: the survey's
//! Table 1 with a direction in place of a sign   [CV16 (37) to (39)].
//!
//! | mode | while slipping along û | at rest |
//! |---|---|---|
//! | free | b > 0 | b > 0 |
//! | slip | −b/p(û) > 0 | −b/p(φ) > 0 and u̇ along (cos φ, sin φ), for each φ with u̇ parallel to it |
//! | stick | – | λ_N > 0 and ‖λ_T‖ < μ λ_N |

use super::tangential::{stick_stability, turning_stability};
use crate::analysis::contact_status::ContactStatus;
use crate::contact::space::{Direction, Directions, Force, Spatial};
use crate::contact::{Friction, Hold, Scaled, Sign};
use crate::num::{Tol, dense};
use crate::predict::{Consistency, JointReason, Judgement, Mode, Reason, Stability};

/// One contact with its laws, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// Its numbers.
    pub numbers: Spatial,
    /// Coulomb friction.
    pub friction: Friction,
    /// Whether it can pull.
    pub hold: Hold,
    /// What it is doing.
    pub stands: ContactStatus,
}

/// A mode that the velocity permits.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceMode {
    /// Forces and accelerations, N, T1, T2, whether the contact law holds, and why.
    pub judged: Judgement,
    /// Direction of slip, in radians from the first tangent.
    pub direction: Option<f64>,
    /// Under normal compliance; none if the mode is not consistent.
    pub normal: Option<Stability>,
    /// Of a contact at rest: whether small slips, or slips in neighbouring directions, turn into this mode.
    pub tangential: Option<Stability>,
}

impl SpaceMode {
    /// The same force and motion seen from the other side of the surface.
    fn turned_over(mut self) -> Self {
        let turned = |x: &mut Scaled| x.value = -x.value;
        turned(&mut self.judged.forces[0]);
        turned(&mut self.judged.accelerations[0]);
        match &mut self.judged.modes[0] {
            Mode::Slip { side, .. } | Mode::Stick { side } => *side = -*side,
            Mode::Free => {}
        }
        Self { normal: None, tangential: None, ..self }
    }
}

/// The modes, and the directions in which slip could leave rest.
pub fn modes(contact: &Contact, tol: &Tol) -> (Vec<SpaceMode>, Option<Directions>) {
    let onset =
        (contact.stands == ContactStatus::Resting).then(|| contact.numbers.onset(contact.friction, tol));
    let mut reports = one_side(contact, onset.as_ref(), tol);
    if contact.hold == Hold::Bilateral {
        let below = Contact { numbers: contact.numbers.turned_over(), ..*contact };
        // u̇ along û asks for another polynomial there
        let onset_below = onset.as_ref().map(|_| below.numbers.onset(contact.friction, tol));
        let others = one_side(&below, onset_below.as_ref(), tol);
        reports.extend(others.into_iter().map(SpaceMode::turned_over));
        reports.retain(|mode| mode.judged.modes[0].is_closed() && mode.judged.is_consistent());
    }
    (reports, onset)
}

fn one_side(contact: &Contact, onset: Option<&Directions>, tol: &Tol) -> Vec<SpaceMode> {
    let held = contact.hold == Hold::Bilateral;
    match contact.stands {
        ContactStatus::Apart => vec![free(contact, true, tol)],
        ContactStatus::Penetrating | ContactStatus::Approaching => Vec::new(),
        ContactStatus::Slipping(_) => {
            let along = contact.stands.direction().unwrap_or_default();
            vec![free(contact, false, tol), slip(contact, along, None, tol)]
        }
        ContactStatus::Resting => {
            let none = Directions::default();
            let onset = onset.unwrap_or(&none);
            let mut found = vec![free(contact, false, tol)];
            found.extend(onset.list.iter().map(|d| slip(contact, [d.phi.cos(), d.phi.sin()], Some(d), tol)));
            if onset.everywhere {
                found.push(anywhere(contact, tol));
            }
            found.push(stick(contact, if held { &none } else { onset }, tol));
            found
        }
    }
}

impl Contact {
    /// A mode under a force, of whose components the sizes are given, with u̇ and v̇.
    fn judged(
        &self,
        mode: Mode,
        (force, [of_N, of_T]): (Force, [f64; 2]),
        (u, v): ([f64; 2], f64),
        (consistency, why): (Consistency, JointReason),
    ) -> Judgement {
        let Spatial { a_scale, b_scale, .. } = self.numbers;
        let of_u = a_scale + self.numbers.tangential_mobility() * of_T + self.numbers.coupling() * of_N;
        let scaled = |value: f64, scale: f64| Scaled { value, scale };
        let [T1, T2] = force.T.map(|x| scaled(x, of_T));
        let forces = vec![scaled(force.N, of_N), T1, T2];
        let accelerations = vec![scaled(v, b_scale), scaled(u[0], of_u), scaled(u[1], of_u)];
        Judgement::new(&[mode], consistency, (forces, accelerations), why)
    }
}

fn free(contact: &Contact, in_flight: bool, tol: &Tol) -> SpaceMode {
    let Spatial { a, b, b_scale, .. } = contact.numbers;
    let rises = Consistency::positive(Scaled { value: b, scale: b_scale }.sign(tol.marginal));
    let (consistency, reason) = match in_flight {
        true => (Consistency::Yes, Reason::InFlight),
        false => (rises, Reason::of(Mode::Free, rises, (0.0, false), [0.0, b])),
    };
    let why = JointReason::Contact { contact: 0, reason };
    SpaceMode {
        judged: contact.judged(Mode::Free, Default::default(), (a, b), (consistency, why)),
        direction: None,
        normal: (consistency != Consistency::No).then_some(Stability::Stable),
        tangential: None,
    }
}

/// Slip along û; from rest, with what is known of the direction.
fn slip(contact: &Contact, along: [f64; 2], from_rest: Option<&Direction>, tol: &Tol) -> SpaceMode {
    let Contact { numbers, friction, .. } = contact;
    let gain = numbers.normal_gain(*friction, along);
    let p = gain.sign(tol.marginal);
    let b = Scaled { value: numbers.b, scale: numbers.b_scale }.sign(tol.marginal);
    let pressed = b.times(p).flip();
    let rises = from_rest.map_or(Sign::Positive, |d| d.along.sign(tol.marginal));
    let doubt = if from_rest.is_some_and(|d| d.double) { Sign::Marginal } else { Sign::Positive };
    let all = [pressed, rises, doubt].map(Consistency::positive);
    let consistency = all.into_iter().fold(Consistency::Yes, Consistency::and);
    let mode = Mode::Slip { along, side: 1.0 };
    let (force, u, why) = if p == Sign::Marginal {
        // −b/0: rounding is no force
        (Force { N: f64::NAN, T: [f64::NAN; 2] }, [f64::NAN; 2], JointReason::Singular)
    } else {
        let force = numbers.slip_force(*friction, along);
        let (u, _) = numbers.acceleration(force);
        let rates = [dense::dot(&along, &u), 0.0];
        let reason = Reason::of(mode, consistency, (force.N, pressed == Sign::Negative), rates);
        (force, u, JointReason::Contact { contact: 0, reason })
    };
    let size = numbers.b_scale / gain.value.abs();
    let sizes = [size, friction.mu() * size];
    SpaceMode {
        judged: contact.judged(mode, (force, sizes), (u, 0.0), (consistency, why)),
        direction: Some(from_rest.map_or(along[1].atan2(along[0]), |d| d.phi)),
        normal: (consistency != Consistency::No).then_some(Stability::of_gain(p)),
        tangential: from_rest.filter(|_| consistency != Consistency::No).map(|d| turning_stability(d, tol)),
    }
}

/// Slip from rest where no direction differs from another.
fn anywhere(contact: &Contact, tol: &Tol) -> SpaceMode {
    let Contact { numbers, friction, .. } = contact;
    let along = [1.0, 0.0];
    let force = numbers.slip_force(*friction, along);
    let (u, _) = numbers.acceleration(force);
    let pushed = numbers.tangential_mobility() * force.T[0].hypot(force.T[1]);
    let scale = numbers.a_scale + numbers.coupling() * force.N.abs() + pushed;
    let direction = Direction {
        phi: 0.0,
        gain: numbers.normal_gain(*friction, along),
        along: Scaled { value: u[0], scale },
        turning: 0.0,
        double: false,
    };
    SpaceMode { direction: None, tangential: None, ..slip(contact, along, Some(&direction), tol) }
}

fn stick(contact: &Contact, onset: &Directions, tol: &Tol) -> SpaceMode {
    let Contact { numbers, friction, .. } = contact;
    let (force, sizes) = (numbers.stick_force(), numbers.stick_sizes());
    let (n, t) = friction.parts();
    let held = force.T[0].hypot(force.T[1]);
    let pressed = Scaled { value: force.N, scale: sizes[0] };
    let inside = Scaled { value: t * force.N - n * held, scale: t * sizes[0] + n * sizes[1] };
    let [pressed, inside] = [pressed, inside].map(|x| Consistency::positive(x.sign(tol.marginal)));
    let consistency = pressed.and(inside);
    let reason = match consistency {
        Consistency::No if force.N >= 0.0 => {
            Reason::OutsideCone { lambda_T: held, bound: friction.mu() * force.N }
        }
        _ => Reason::of(Mode::STICK, consistency, (force.N, true), [0.0; 2]),
    };
    let why = JointReason::Contact { contact: 0, reason };
    SpaceMode {
        judged: contact.judged(Mode::STICK, (force, sizes), ([0.0; 2], 0.0), (consistency, why)),
        direction: None,
        normal: (consistency != Consistency::No).then_some(Stability::Stable),
        tangential: (consistency == Consistency::Yes)
            .then(|| stick_stability(numbers, *friction, onset, tol)),
    }
}
