//! A state on a border of the contact laws: the same motion belongs to several combinations, and states nearby have one, or
//! none and two. The accelerations as a function of the forces are linear in pieces, one for each combination; if all pieces that meet
//! at the point keep the orientation, states nearby have one motion, as this one has.

use super::contacts::{Contacts, Motion};
use super::judge::Judgement;
use super::mode::Mode;
use super::walk::combinations;
use crate::contact::{Scaled, Sign};
use crate::num::Tol;

/// Combinations that are looked at around a point.
const WAYS: usize = 4096;

/// Whether all combinations that the forces and accelerations of this one belong to have determinants of one sign.
pub(super) fn all_ways_alike(contacts: &Contacts, point: &Judgement, tol: &Tol) -> bool {
    if point.ranges.is_some() || point.forces.iter().any(|force| force.value.is_nan()) {
        return false;
    }
    let fitting = |c: usize| {
        contacts.modes(c).into_iter().filter(|&mode| fits(contacts, point, c, mode, tol)).collect::<Vec<_>>()
    };
    let options: Vec<Vec<Mode>> = (0..contacts.len()).map(fitting).collect();
    let count = options.iter().map(Vec::len).fold(1_usize, usize::saturating_mul);
    if count == 0 || count > WAYS {
        return false;
    }
    let mut seen: Option<Sign> = None;
    combinations(&options).all(|modes| {
        let sign = contacts.orientation(&modes, tol);
        let alike = sign.is_some() && seen.is_none_or(|seen| Some(seen) == sign);
        seen = sign;
        alike
    })
}

/// Whether a contact's forces and accelerations satisfy the equalities of a mode, and its inequalities with equality
/// allowed.
fn fits(contacts: &Contacts, point: &Judgement, contact: usize, mode: Mode, tol: &Tol) -> bool {
    let zero = |x: Scaled| x.sign(tol.marginal) == Sign::Marginal;
    let not_negative = |x: Scaled| x.sign(tol.marginal) != Sign::Negative;
    let [N, T] = [0, 1].map(|k| point.forces[2 * contact + k]);
    let [v, u] = [0, 1].map(|k| point.accelerations[2 * contact + k]);
    let (n, t) = contacts.friction(contact).parts();
    let room = |sign: f64| Scaled {
        value: t * N.value * mode.side() + sign * n * T.value,
        scale: t * N.scale + n * T.scale,
    };
    let pressed = || not_negative(Scaled { value: mode.side() * N.value, ..N });
    match mode {
        _ if contacts.motion(contact) == Motion::Parting => true,
        Mode::Free => zero(N) && zero(T) && not_negative(v),
        Mode::Slip { along: [sign, _], .. } => {
            let rises = !contacts.rests(contact) || not_negative(Scaled { value: sign * u.value, ..u });
            zero(v) && zero(room(sign)) && pressed() && rises
        }
        Mode::Stick { .. } => {
            zero(v) && zero(u) && not_negative(room(1.0)) && not_negative(room(-1.0)) && pressed()
        }
    }
}
