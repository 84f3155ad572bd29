//! The closed contacts of a state as the engine takes them ([`predict`](crate::predict)), and what follows.

use super::size::Sizes;
use super::state::StateInput;
use crate::contact::Sign;
use crate::model::{Block, Kernel, Values};
use crate::num::dense::norm;
use crate::predict::{ClosedContact, Contacts, Decision, Following, Mode, Motion, Sized, Why};
use std::convert::Infallible;

/// What a contact with a zero gap is doing; none if it approaches.
pub(crate) fn motion(sizes: &Sizes<'_>, contact: usize, input: &StateInput<'_>) -> Option<Motion> {
    let rate = sizes.gap_rate(contact);
    match rate.sign(input.tol.rest) {
        Sign::Negative => None,
        Sign::Positive => Some(Motion::Parting),
        Sign::Marginal => {
            let slip: Vec<f64> = (0..sizes.tangents()).map(|k| sizes.slip(contact, k).value).collect();
            let rests = norm(&slip) <= input.tol.rest * rate.scale;
            Some(if rests { Motion::Resting } else { Motion::along(&slip) })
        }
    }
}

/// The closed contacts of a state; none if one of them approaches.
pub(crate) fn contacts(kernel: &Kernel, values: &Values<f64>, input: &StateInput<'_>) -> Option<Contacts> {
    let (sizes, dim) = (input.sizes, 1 + kernel.layout().tangents);
    let contact = |&c: &usize| Some(ClosedContact { laws: input.laws[c], motion: motion(sizes, c, input)? });
    let closed = input.closed.iter().map(contact).collect::<Option<Vec<_>>>()?;
    let rows: Vec<usize> = input.closed.iter().flat_map(|&c| c * dim..(c + 1) * dim).collect();
    let pairs = || rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j)));
    let D: Vec<f64> = pairs().map(|(i, j)| kernel.delassus(values, i, j)).collect();
    let D_sizes: Vec<f64> = pairs().map(|(i, j)| sizes.delassus(i, j)).collect();
    let free = kernel.block(values, Block::FreeContactAcceleration);
    let size = |row: usize| sizes.block(Block::FreeContactAcceleration).get(row).map_or(0.0, |x| x.size);
    let c: Vec<f64> = rows.iter().map(|&row| free[row]).collect();
    let c_sizes: Vec<f64> = rows.iter().map(|&row| size(row)).collect();
    let sized = Sized { values: &c, sizes: &c_sizes };
    Some(Contacts::new(closed, Sized { values: &D, sizes: &D_sizes }, sized))
}

/// Whether the point of a contact in the plane can move in every direction: not on a rail.
pub(crate) fn moves_freely(
    kernel: &Kernel,
    values: &Values<f64>,
    contact: usize,
    input: &StateInput<'_>,
) -> bool {
    let D = |i: usize, j: usize| kernel.delassus(values, 2 * contact + i, 2 * contact + j);
    D(0, 0) * D(1, 1) - D(0, 1) * D(1, 0) > input.tol.noise * D(0, 0) * D(1, 1)
}

/// What follows; of what holds with an equality all, if nobody looks ahead. Nor does anybody where the forces of a motion have no bounds: which side
/// of such a border a state is on is rounding.
pub(crate) fn following(contacts: &Contacts, decision: &Decision, input: &StateInput<'_>) -> Following {
    let names: Vec<&str> = input.closed.iter().map(|&c| input.names.contacts[c].as_str()).collect();
    let singular = decision.modes.iter().any(|judged| judged.why == Why::Singular);
    let ahead = input.ahead.filter(|_| !singular);
    let ahead = |modes: &[Mode]| Ok::<bool, Infallible>(ahead.is_none_or(|ahead| ahead(modes)));
    let Ok(found) = contacts.following(decision, &names, ahead, &input.tol);
    found
}
