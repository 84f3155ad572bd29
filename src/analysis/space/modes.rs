//! The modes of one contact in space with their forces, accelerations, and the reason why each is consistent or not: the survey's
//! Table 1 with a direction in place of a sign   [CV16 (37) to (39)].
//!
//! | mode | while slipping along û | at rest |
//! |---|---|---|
//! | free | b > 0 | b > 0 |
//! | slip | −b/p(û) > 0 | −b/p(φ) > 0 and u̇ along (cos φ, sin φ), for each φ with u̇ parallel to it |
//! | stick | – | λ_N > 0 and ‖λ_T‖ < μ λ_N |

use super::situation::Stands;
use super::tangential::{stick_stability, turning_stability};
use crate::contact::Hold;
use crate::contact::space::{Direction, Directions, Force, Spatial};
use crate::contact::{Friction, Scaled, Sign};
use crate::num::{Tol, dense};
use crate::predict::ModeName;
use crate::predict::{Consistency, Reason, Stability};

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
    pub stands: Stands,
}

/// A mode that the velocity permits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceModeReport {
    /// Free, slip or stick.
    pub word: ModeName,
    /// Direction of slip, in radians from the first tangent.
    pub direction: Option<f64>,
    /// Whether the contact law holds.
    pub consistency: Consistency,
    /// The force that the mode's equalities require; NaN where its gain vanishes.
    pub force: Force,
    /// Sizes of the terms of λ_N and λ_T.
    pub sizes: [f64; 2],
    /// u̇ and v̇ under that force.
    pub acceleration: ([f64; 2], f64),
    /// Why.
    pub reason: Reason,
    /// Under normal compliance; none if the mode is not consistent.
    pub normal: Option<Stability>,
    /// Of a contact at rest: whether small slips, or slips in neighbouring directions, turn into this mode.
    pub tangential: Option<Stability>,
}

impl SpaceModeReport {
    /// Whether the contact law holds, equalities with a finite force included.
    pub fn is_consistent(&self) -> bool {
        match self.consistency {
            Consistency::Yes => true,
            Consistency::No => false,
            Consistency::Marginal => !matches!(self.reason, Reason::Undefined { .. }),
        }
    }

    /// The same force and motion seen from the other side of the surface.
    fn turned_over(self) -> Self {
        let force = Force { N: -self.force.N, ..self.force };
        let (u, v) = self.acceleration;
        Self { force, acceleration: (u, -v), normal: None, tangential: None, ..self }
    }
}

/// The modes, and the directions in which slip could leave rest.
pub fn modes(contact: &Contact, tol: &Tol) -> (Vec<SpaceModeReport>, Option<Directions>) {
    let onset = (contact.stands == Stands::Resting).then(|| contact.numbers.onset(contact.friction, tol));
    let mut reports = one_side(contact, onset.as_ref(), tol);
    if contact.hold == Hold::Bilateral {
        let below = Contact { numbers: contact.numbers.turned_over(), ..*contact };
        // u̇ along û asks for another polynomial there
        let onset_below = onset.as_ref().map(|_| below.numbers.onset(contact.friction, tol));
        reports.extend(
            one_side(&below, onset_below.as_ref(), tol).into_iter().map(SpaceModeReport::turned_over),
        );
        reports.retain(|mode| mode.word != ModeName::FREE && mode.is_consistent());
    }
    (reports, onset)
}

fn one_side(contact: &Contact, onset: Option<&Directions>, tol: &Tol) -> Vec<SpaceModeReport> {
    let held = contact.hold == Hold::Bilateral;
    match contact.stands {
        Stands::Apart => vec![free(contact, true, tol)],
        Stands::Penetrating | Stands::Approaching => Vec::new(),
        Stands::Slipping(_) => {
            let along = contact.stands.direction().unwrap_or_default();
            vec![free(contact, false, tol), slip(contact, along, None, tol)]
        }
        Stands::Resting => {
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

fn of_sign(sign: Sign) -> Consistency {
    match sign {
        Sign::Positive => Consistency::Yes,
        Sign::Negative => Consistency::No,
        Sign::Marginal => Consistency::Marginal,
    }
}

/// All of these.
fn all(signs: &[Sign]) -> Consistency {
    let marginal = signs.contains(&Sign::Marginal);
    match (signs.contains(&Sign::Negative), marginal) {
        (true, _) => Consistency::No,
        (false, true) => Consistency::Marginal,
        (false, false) => Consistency::Yes,
    }
}

fn free(contact: &Contact, in_flight: bool, tol: &Tol) -> SpaceModeReport {
    let Spatial { a, b, b_scale, .. } = contact.numbers;
    let sign = Scaled { value: b, scale: b_scale }.sign(tol.marginal);
    let consistency = if in_flight { Consistency::Yes } else { of_sign(sign) };
    let reason = match consistency {
        _ if in_flight => Reason::InFlight,
        Consistency::Yes => Reason::LiftsOff { vdot: b },
        Consistency::No => Reason::WouldPenetrate { vdot: b },
        Consistency::Marginal => Reason::Grazing { lambda_N: 0.0 },
    };
    SpaceModeReport {
        word: ModeName::FREE,
        direction: None,
        consistency,
        force: Force::default(),
        sizes: [0.0; 2],
        acceleration: (a, b),
        reason,
        normal: (consistency != Consistency::No).then_some(Stability::Stable),
        tangential: None,
    }
}

/// Slip along û; from rest, with what is known of the direction.
fn slip(contact: &Contact, along: [f64; 2], from_rest: Option<&Direction>, tol: &Tol) -> SpaceModeReport {
    let Contact { numbers, friction, .. } = contact;
    let gain = numbers.normal_gain(*friction, along);
    let p = gain.sign(tol.marginal);
    let b = Scaled { value: numbers.b, scale: numbers.b_scale }.sign(tol.marginal);
    let pressed = b.times(p).flip();
    let force = numbers.slip_force(*friction, along);
    let (u, _) = numbers.acceleration(force);
    let rises = from_rest.map_or(Sign::Positive, |d| d.along.sign(tol.marginal));
    let doubt = if from_rest.is_some_and(|d| d.double) { Sign::Marginal } else { Sign::Positive };
    let undefined = p == Sign::Marginal;
    let consistency = all(&[pressed, rises, doubt]);
    let reason = match consistency {
        _ if undefined => Reason::Undefined { lambda_N: force.N },
        Consistency::Yes => Reason::Pressed { lambda_N: force.N },
        Consistency::Marginal => Reason::Grazing { lambda_N: force.N },
        Consistency::No if pressed == Sign::Negative => Reason::Pulls { lambda_N: force.N },
        Consistency::No => Reason::WrongWay { udot: dense::dot(&along, &u) },
    };
    // −b/0: rounding is no force
    let undefined_force = Force { N: f64::NAN, T: [f64::NAN; 2] };
    let (force, u) = if undefined { (undefined_force, [f64::NAN; 2]) } else { (force, u) };
    let size = numbers.b_scale / gain.value.abs();
    SpaceModeReport {
        word: ModeName::SLIP,
        direction: Some(from_rest.map_or(along[1].atan2(along[0]), |d| d.phi)),
        consistency,
        force,
        sizes: [size, friction.mu() * size],
        acceleration: (u, 0.0),
        reason,
        normal: (consistency != Consistency::No).then_some(stability(p)),
        tangential: from_rest.filter(|_| consistency != Consistency::No).map(|d| turning_stability(d, tol)),
    }
}

/// Stable ⇔ p > 0: a saddle of the fast normal dynamics for p < 0   [CV16 section 4].
fn stability(p: Sign) -> Stability {
    match p {
        Sign::Positive => Stability::Stable,
        Sign::Negative => Stability::Unstable,
        Sign::Marginal => Stability::Undecided,
    }
}

/// Slip from rest where no direction differs from another.
fn anywhere(contact: &Contact, tol: &Tol) -> SpaceModeReport {
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
    SpaceModeReport { direction: None, tangential: None, ..slip(contact, along, Some(&direction), tol) }
}

fn stick(contact: &Contact, onset: &Directions, tol: &Tol) -> SpaceModeReport {
    let Contact { numbers, friction, .. } = contact;
    let (force, sizes) = (numbers.stick_force(), numbers.stick_sizes());
    let (n, t) = friction.parts();
    let held = force.T[0].hypot(force.T[1]);
    let pressed = Scaled { value: force.N, scale: sizes[0] }.sign(tol.marginal);
    let inside = Scaled { value: t * force.N - n * held, scale: t * sizes[0] + n * sizes[1] };
    let consistency = all(&[pressed, inside.sign(tol.marginal)]);
    let reason = match consistency {
        Consistency::Yes => Reason::Pressed { lambda_N: force.N },
        Consistency::Marginal => Reason::Grazing { lambda_N: force.N },
        Consistency::No if force.N < 0.0 => Reason::Pulls { lambda_N: force.N },
        Consistency::No => Reason::OutsideCone { lambda_T: held, bound: friction.mu() * force.N },
    };
    SpaceModeReport {
        word: ModeName::STICK,
        direction: None,
        consistency,
        force,
        sizes,
        acceleration: ([0.0; 2], 0.0),
        reason,
        normal: (consistency != Consistency::No).then_some(Stability::Stable),
        tangential: (consistency == Consistency::Yes)
            .then(|| stick_stability(numbers, *friction, onset, tol)),
    }
}
