//! What can follow at an instant, as the engine says of the closed contacts ([`predict`](crate::predict)); combinations that hold with an
//! equality are followed for a short time ([`ahead`](super::ahead)).

use super::ahead::holds_ahead;
use super::impacts::ContactImpact;
use super::mechanics::Mechanics;
use crate::model::Block;
use crate::num::Tol;
use crate::num::dense::norm;
use crate::predict::{ClosedContact, Contacts, Continuation, Follower, Following, Mode, Motion, Sized};
use crate::simulate::integrate::Dop853;
use crate::simulate::smooth::SmoothError;

/// A way to go on that a motion may take, with its name.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::simulate) struct Candidate {
    /// The words of the modes, `iwc`, of several contacts `iwc(NAME)`, or `impact(MODES)`.
    pub(in crate::simulate) name: String,
    pub(in crate::simulate) choice: Choice,
}

/// A way to go on, with a mode of each contact of the mechanism.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::simulate) enum Choice {
    /// A smooth motion, with a spread where its accelerations depend on forces that are not unique ([`Follower::spread`]).
    Motion(Vec<Mode>, Option<f64>),
    /// An impact without collision at a contact.
    Iwc(usize),
    /// Impulses on contacts that are struck together.
    Impact(Vec<ContactImpact>),
}

impl Candidate {
    /// Those that a list of the engine has, the closed contacts being these of so many.
    pub(in crate::simulate) fn all(found: &[Follower], closed: &[usize], contacts: usize) -> Vec<Self> {
        let choice = |follower: &Follower| match &follower.way {
            Continuation::Motion(modes) => Choice::Motion(of_all(modes, closed, contacts), follower.spread),
            Continuation::Impact(i) => Choice::Iwc(closed[*i]),
        };
        found.iter().map(|f| Self { name: f.name.clone(), choice: choice(f) }).collect()
    }
}

/// A state at which modes are decided.
pub(in crate::simulate) struct Instant<'a> {
    pub(in crate::simulate) t: f64,
    pub(in crate::simulate) q: &'a [f64],
    pub(in crate::simulate) v: &'a [f64],
    /// Contacts that are closed and do not approach.
    pub(in crate::simulate) closed: &'a [usize],
    pub(in crate::simulate) names: &'a [String],
    /// The size of the velocities that each contact's are made of.
    pub(in crate::simulate) speeds: &'a [f64],
    /// A time that is short for this mechanism.
    pub(in crate::simulate) short: f64,
    pub(in crate::simulate) tol: &'a Tol,
}

/// What can follow.
///
/// # Errors
/// [`SmoothError`] if M cannot be factored.
pub(in crate::simulate) fn prospects(
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
    probe: &mut Dop853,
) -> Result<Following, SmoothError> {
    mechanics.set(&vec![Mode::Free; mechanics.layout().contacts]);
    mechanics.solve(instant.t, instant.q, instant.v)?;
    for &contact in instant.closed {
        mechanics.slow[contact] = instant.tol.rest * instant.speeds[contact];
        mechanics.from_rest[contact] = moving(contact, mechanics).is_none();
    }
    let contacts = contacts(instant, mechanics);
    let names: Vec<&str> = instant.closed.iter().map(|&c| instant.names[c].as_str()).collect();
    let decision = contacts.decide_to_go_on(instant.tol);
    let ahead = |modes: &[Mode]| {
        let all = of_all(modes, instant.closed, mechanics.layout().contacts);
        holds_ahead(&all, instant, mechanics, probe)
    };
    contacts.following(&decision, &names, ahead, instant.tol)
}

/// The modes of all contacts of a mechanism by those of the closed ones.
pub(in crate::simulate) fn of_all(modes: &[Mode], closed: &[usize], contacts: usize) -> Vec<Mode> {
    let mut all = vec![Mode::Free; contacts];
    for (&contact, &mode) in closed.iter().zip(modes) {
        all[contact] = match mode {
            // what sticks may come to pull on its way
            Mode::Stick { .. } => Mode::STICK,
            Mode::Free | Mode::Slip { .. } => mode,
        };
    }
    all
}

/// The closed contacts with what they feel of each other, at the state that was evaluated last.
fn contacts(instant: &Instant<'_>, mechanics: &Mechanics<'_>) -> Contacts {
    let contact = |&c: &usize| ClosedContact {
        laws: mechanics.laws[c],
        motion: moving(c, mechanics).map_or(Motion::Resting, Motion::Slipping),
    };
    let dim = 1 + mechanics.layout().tangents;
    let rows: Vec<usize> = instant.closed.iter().flat_map(|&c| (0..dim).map(move |k| c * dim + k)).collect();
    let pairs = rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j)));
    let D: Vec<f64> = pairs.map(|(i, j)| mechanics.delassus(i, j)).collect();
    let free = mechanics.block(Block::FreeContactAcceleration);
    let c: Vec<f64> = rows.iter().map(|&row| free[row]).collect();
    let sizes: Vec<f64> = rows.iter().map(|&row| mechanics.acceleration_size(row)).collect();
    Contacts::new(
        instant.closed.iter().map(contact).collect(),
        Sized { values: &D, sizes: &[] },
        Sized { values: &c, sizes: &sizes },
    )
    .without_force_bounds()
}

/// Acceleration of a contact row under the forces that were found.
pub(in crate::simulate) fn acceleration(row: usize, mechanics: &Mechanics<'_>) -> f64 {
    let forces = mechanics.work.forces().iter().enumerate();
    let driven: f64 = forces.map(|(j, force)| mechanics.delassus(row, j) * force).sum();
    mechanics.block(Block::FreeContactAcceleration)[row] + driven
}

/// The direction in which a closed contact slips, if it does.
pub(in crate::simulate) fn moving(contact: usize, mechanics: &Mechanics<'_>) -> Option<[f64; 2]> {
    let slip = mechanics.slip(contact);
    match Motion::along(slip) {
        Motion::Slipping(along) if norm(slip) > mechanics.slow[contact] => Some(along),
        _ => None,
    }
}
