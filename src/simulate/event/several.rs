//! What the analysis knows of several closed contacts in the plane: which of their modes compliance makes violently unstable, and where an
//! impact without collision can start   [CV16 6.2, 6.3].

use super::doing::Doing;
use super::mechanics::Mechanics;
use super::modes::{Candidate, Choice, Instant, Prospects, moving};
use crate::model::Block;
use crate::predict::{ClosedContact, Contacts, Mode, Motion, Possible, Sized};

/// Leaves out modes that are unstable and adds impacts without collision.
pub(super) fn resolve_several(found: &mut Prospects, instant: &Instant<'_>, mechanics: &Mechanics<'_>) {
    let (contacts, tol) = (contacts(instant, mechanics), instant.tol);
    let lasts = |candidate: &Candidate| match &candidate.choice {
        Choice::Motion(doing) => {
            let modes: Vec<Mode> = instant.closed.iter().map(|&c| mode(doing[c])).collect();
            contacts.may_last(&modes, tol)
        }
        Choice::Iwc(_) | Choice::Impact(_) => true,
    };
    (found.candidates, found.unstable) = std::mem::take(&mut found.candidates).into_iter().partition(lasts);
    if !found.unstable.is_empty() {
        let names = found.unstable.iter().map(|candidate| candidate.name.as_str()).collect::<Vec<_>>();
        found.reason = format!(
            "every mode that satisfies the contact laws is unstable with the contacts' compliance ({}), and no impact without collision can start",
            names.join("; ")
        );
    }
    let name = |i: usize| instant.names[instant.closed[i]].as_str();
    let impacts = contacts.impacts_without_collision(tol);
    for impact in &impacts.found {
        let names = impact.contacts.iter().map(|&i| name(i)).collect::<Vec<_>>().join(" and ");
        match (&impact.contacts[..], impact.possible) {
            (&[i], Possible::Yes) => {
                let goes_on = |candidate: &Candidate| matches!(&candidate.choice, Choice::Motion(doing) if doing[instant.closed[i]].is_closed());
                if found.candidates.iter().any(goes_on) {
                    found.left_out = Some(format!(
                        "an impact without collision at {names} may begin at any later time as well"
                    ));
                }
                let (name, choice) = (format!("iwc({names})"), Choice::Iwc(instant.closed[i]));
                found.candidates.push(Candidate { name, choice });
            }
            (_, Possible::Yes | Possible::Necessary) => {
                found.left_out = Some(format!(
                    "an impact without collision at {names} at once may take place, and what it does depends on compliance"
                ));
            }
            (_, Possible::Marginal) => {
                found.left_out = Some(format!(
                    "whether an impact without collision at {names} can start hangs on a number that is zero to rounding"
                ));
            }
        }
    }
    if found.candidates.is_empty()
        && let Some(reason) = &found.left_out
    {
        found.undecided = true;
        found.reason.clone_from(reason);
    }
}

/// The closed contacts with what they feel of each other.
fn contacts(instant: &Instant<'_>, mechanics: &Mechanics<'_>) -> Contacts {
    let contact = |&c: &usize| ClosedContact {
        laws: mechanics.laws[c],
        motion: moving(c, mechanics).map_or(Motion::Resting, Motion::Slipping),
    };
    let closed = instant.closed.iter().map(contact).collect();
    let rows: Vec<usize> =
        instant.closed.iter().flat_map(|&c| [0, 1].map(|k| mechanics.row(c) + k)).collect();
    let pairs = rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j)));
    let D: Vec<f64> = pairs.map(|(i, j)| mechanics.delassus(i, j)).collect();
    let free = mechanics.block(Block::FreeContactAcceleration);
    let c: Vec<f64> = rows.iter().map(|&row| free[row]).collect();
    let sizes: Vec<f64> = rows.iter().map(|&row| mechanics.acceleration_size(row)).collect();
    Contacts::new(closed, Sized { values: &D, sizes: &[] }, Sized { values: &c, sizes: &sizes })
}

fn mode(doing: Doing) -> Mode {
    match doing {
        Doing::Free => Mode::Free,
        Doing::Stick => Mode::STICK,
        Doing::Slip { along, pull } => Mode::Slip { along, side: pull },
    }
}
