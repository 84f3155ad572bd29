//! A state on a border of the contact laws: the same motion belongs to several words, and states nearby have one, or
//! none and two. The accelerations as a function of the forces are linear in pieces, one for each word; if all pieces that meet
//! at the point keep the orientation, states nearby have one motion, as this one has.

use super::contacts::{Contacts, Going};
use super::judge::Judged;
use super::word::Choice;
use crate::contact::{Scaled, Sign};
use crate::num::Tol;

/// Words that are looked at around a point.
const WAYS: usize = 4096;

/// Whether all words that the forces and accelerations of this one belong to have determinants of one sign.
pub(super) fn all_ways_alike(contacts: &Contacts, point: &Judged, tol: &Tol) -> bool {
    if point.ranges.is_some() || point.forces.iter().any(|force| force.value.is_nan()) {
        return false;
    }
    let options: Vec<Vec<Choice>> = (0..contacts.len())
        .map(|c| {
            contacts.choices(c).into_iter().filter(|&choice| fits(contacts, point, c, choice, tol)).collect()
        })
        .collect();
    let count = options.iter().map(Vec::len).fold(1_usize, usize::saturating_mul);
    if count == 0 || count > WAYS {
        return false;
    }
    let mut seen: Option<Sign> = None;
    (0..count).all(|mut number| {
        let word: Vec<Choice> = options
            .iter()
            .map(|choices| {
                let choice = choices[number % choices.len()];
                number /= choices.len();
                choice
            })
            .collect();
        let sign = contacts.orientation(&word, tol);
        let alike = sign.is_some() && seen.is_none_or(|seen| Some(seen) == sign);
        seen = sign;
        alike
    })
}

/// Whether a contact's forces and accelerations satisfy the equalities of a choice, and its inequalities with equality
/// allowed.
fn fits(contacts: &Contacts, point: &Judged, contact: usize, choice: Choice, tol: &Tol) -> bool {
    let zero = |x: Scaled| x.sign(tol.marginal) == Sign::Marginal;
    let not_negative = |x: Scaled| x.sign(tol.marginal) != Sign::Negative;
    let [N, T] = [0, 1].map(|k| point.forces[2 * contact + k]);
    let [v, u] = [0, 1].map(|k| point.accelerations[2 * contact + k]);
    let (n, t) = contacts.touches[contact].laws.friction.parts();
    let room = |sign: f64| Scaled {
        value: t * N.value * choice.pull() + sign * n * T.value,
        scale: t * N.scale + n * T.scale,
    };
    let pressed = || not_negative(Scaled { value: choice.pull() * N.value, ..N });
    match choice {
        _ if contacts.touches[contact].going == Going::Parting => true,
        Choice::Free => zero(N) && zero(T) && not_negative(v),
        Choice::Slip { way, .. } => {
            let rises = contacts.touches[contact].going != Going::Resting
                || not_negative(Scaled { value: way.sign() * u.value, ..u });
            zero(v) && zero(room(way.sign())) && pressed() && rises
        }
        Choice::Stick { .. } => {
            zero(v) && zero(u) && not_negative(room(1.0)) && not_negative(room(-1.0)) && pressed()
        }
    }
}
