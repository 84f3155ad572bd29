//! What closed contacts do next: every combination of their modes whose forces and accelerations satisfy the contact laws
//! [CV16 Table 1], those that compliance makes violently unstable left out [CV16 Table 3].
//!
//! At an event a number that decides is zero by construction: b where a contact lifts off, the room in the cone where slip
//! sets in. A combination that stands on such a zero is followed for a short time, and holds if the number turns positive
//! in its own motion.

use super::doing::Doing;
pub(in crate::simulate) use super::holds::{Holds, acceleration, holds};
use super::impacts::Hit;
use super::mechanics::Mechanics;
use super::onset::onset_directions;
use super::several::resolve_several;
use super::watch::gain_terms;
use crate::contact::Hold;
use crate::contact::{Restitution, Slip};
use crate::model::Block;
use crate::num::Tol;
use crate::num::dense::norm;
use crate::simulate::integrate::Dop853;
use crate::simulate::smooth::SmoothError;

/// Combinations of modes that are tried at most.
const COMBINATIONS: usize = 4096;

/// What could follow.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::simulate) struct Candidate {
    /// The word of the mode, `iwc`, of several contacts `iwc(NAME)`, or `impact(WORD)`.
    pub(in crate::simulate) name: String,
    pub(in crate::simulate) choice: Choice,
}

/// A way to go on.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::simulate) enum Choice {
    /// A smooth motion.
    Motion(Vec<Doing>),
    /// An impact without collision at a contact.
    Iwc(usize),
    /// Impulses on contacts that are struck together.
    Impact(Vec<Hit>),
}

/// Everything that can follow a state whose contacts do not approach.
#[derive(Clone, Debug, PartialEq, Default)]
pub(in crate::simulate) struct Prospects {
    pub(in crate::simulate) candidates: Vec<Candidate>,
    /// Why there is none, or what forbids a statement.
    pub(in crate::simulate) reason: String,
    /// Whether rounding or the reach of the theory forbids a statement.
    pub(in crate::simulate) undecided: bool,
    /// Modes that hold with more than one motion: their accelerations depend on forces that are not unique.
    pub(in crate::simulate) manifold: Vec<String>,
    /// Modes that satisfy the contact laws and that the contacts' compliance makes unstable: followed only if they are asked for.
    pub(in crate::simulate) unstable: Vec<Candidate>,
    /// What else may happen, and is not among the candidates.
    pub(in crate::simulate) left_out: Option<String>,
}

impl Prospects {
    /// Whether nothing can follow.
    pub(in crate::simulate) fn is_inconsistent(&self) -> bool {
        self.candidates.is_empty() && self.manifold.is_empty() && !self.undecided
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
) -> Result<Prospects, SmoothError> {
    let mut doing = vec![Doing::Free; mechanics.layout().contacts];
    mechanics.set(&doing);
    mechanics.solve(instant.t, instant.q, instant.v)?;
    for &contact in instant.closed {
        mechanics.slow[contact] = instant.tol.rest * instant.speeds[contact];
        mechanics.from_rest[contact] = moving(contact, mechanics).is_none();
    }
    let options =
        instant.closed.iter().map(|&c| options(c, instant, mechanics)).collect::<Result<Vec<_>, _>>()?;
    let count = options.iter().map(Vec::len).fold(1_usize, usize::saturating_mul);
    if count > COMBINATIONS {
        let reason = format!("{} closed contacts have {count} combinations of modes", instant.closed.len());
        return Ok(Prospects { reason, undecided: true, ..Prospects::default() });
    }
    let mut found = Prospects::default();
    let mut accelerations: Vec<[Vec<f64>; 2]> = Vec::new();
    for number in 0..count {
        combine(number, instant.closed, &options, &mut doing);
        let held = holds(&doing, instant, mechanics, probe)?;
        let name = || words(&doing, instant.closed, mechanics.layout().tangents);
        if held == Holds::Manifold {
            found.manifold.push(name());
        }
        if held == Holds::Undetermined {
            found.undecided = true;
            found.reason = format!("the forces of {} are not determined", name());
        }
        if held == Holds::Yes {
            mechanics.set(&doing);
            mechanics.solve(instant.t, instant.q, instant.v)?;
            let vdot = mechanics.work.acceleration().to_vec();
            let sizes = (0..vdot.len()).map(|i| mechanics.coordinate_scale(i)).collect();
            let found_here = [vdot, sizes];
            // modes with the same motion, as stick and slip of a frictionless contact at rest, are one
            if !accelerations.iter().any(|other| same(other, &found_here, instant.tol)) {
                let doing = directed(&doing, instant, mechanics);
                found.candidates.push(Candidate {
                    name: words(&doing, instant.closed, mechanics.layout().tangents),
                    choice: Choice::Motion(doing),
                });
                accelerations.push(found_here);
            }
        }
    }
    resolve(&mut found, instant, mechanics)?;
    Ok(found)
}

/// Leaves out slip with p < 0 and adds impact without collision   [CV16 Table 3].
fn resolve(
    found: &mut Prospects,
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
) -> Result<(), SmoothError> {
    if let &[contact] = instant.closed
        && mechanics.laws[contact].hold == Hold::Unilateral
    {
        let moving = moving(contact, mechanics);
        let tol = instant.tol.marginal;
        found.candidates.retain(|candidate| match &candidate.choice {
            Choice::Motion(doing) => slip_gain(contact, doing[contact], mechanics).is_none_or(|p| p > -tol),
            Choice::Iwc(_) | Choice::Impact(_) => true,
        });
        let slip = moving.map(|along| Doing::Slip { along, pull: 1.0 });
        match slip.and_then(|slip| slip_gain(contact, slip, mechanics)) {
            Some(p) if p < -tol => {
                if matches!(mechanics.laws[contact].restitution, Restitution::Newton(_)) {
                    found.reason = NEWTON.to_string();
                } else {
                    found.candidates.push(Candidate { name: "iwc".into(), choice: Choice::Iwc(contact) });
                }
            }
            Some(p) if p <= tol => {
                found.undecided = true;
                found.reason = "p = 0 to rounding in the direction of slip".into();
            }
            _ => {}
        }
    }
    if instant.closed.len() > 1 && mechanics.layout().tangents == 1 {
        resolve_several(found, instant, mechanics);
    }
    let rests = |&c: &usize| moving(c, mechanics).is_none() && !mechanics.laws[c].friction.is_zero();
    if found.candidates.is_empty()
        && mechanics.layout().tangents > 1
        && instant.closed.len() > 1
        && instant.closed.iter().any(rests)
    {
        found.undecided = true;
        found.reason =
            "directions in which one of several contacts in space slips out of rest are not searched".into();
    }
    if found.candidates.is_empty() && found.reason.is_empty() {
        let names = instant.closed.iter().map(|&c| instant.names[c].as_str()).collect::<Vec<_>>().join(", ");
        found.reason = format!("no mode of {names} satisfies the contact laws");
    }
    Ok(())
}

/// Why there is no impact without collision.
const NEWTON: &str = "p < 0 in slip, and Newton's law says nothing of an impact without collision";

/// p of a mode over the size of its terms; none if it is not slip.
fn slip_gain(contact: usize, doing: Doing, mechanics: &mut Mechanics<'_>) -> Option<f64> {
    let Doing::Slip { .. } = doing else { return None };
    let (friction, d) = (mechanics.laws[contact].friction, mechanics.layout().tangents);
    let before = std::mem::replace(
        &mut mechanics.motions[contact],
        doing.motion(friction, d, mechanics.slow[contact]),
    );
    let [own, coupled] = gain_terms(mechanics, contact);
    mechanics.motions[contact] = before;
    Some((own - coupled) / (own + coupled.abs()))
}

/// The same with the directions in which contacts without friction begin to slip in the motion that was evaluated last.
fn directed(doing: &[Doing], instant: &Instant<'_>, mechanics: &Mechanics<'_>) -> Vec<Doing> {
    let mut doing = doing.to_vec();
    for &contact in instant.closed {
        if doing[contact].direction().is_none()
            && let Doing::Slip { along, .. } = &mut doing[contact]
        {
            let row = mechanics.row(contact) + 1;
            let rate = acceleration(row, mechanics);
            if rate.abs() > instant.tol.marginal * mechanics.driven_size(row) {
                *along = [rate.signum(), 0.0];
            }
        }
    }
    doing
}

/// The words of the modes of closed contacts, in order.
pub(in crate::simulate) fn words(doing: &[Doing], closed: &[usize], tangents: usize) -> String {
    closed.iter().map(|&c| doing[c].word(tangents)).collect::<Vec<_>>().join(",")
}

/// Whether accelerations differ by no more than rounding, each with the sizes of its terms.
fn same([a, a_sizes]: &[Vec<f64>; 2], [b, b_sizes]: &[Vec<f64>; 2], tol: &Tol) -> bool {
    (0..a.len()).all(|i| (a[i] - b[i]).abs() <= tol.marginal * a_sizes[i].max(b_sizes[i]))
}

/// The combination of a number, in mixed digits.
fn combine(mut number: usize, closed: &[usize], options: &[Vec<Doing>], doing: &mut [Doing]) {
    for (&contact, options) in closed.iter().zip(options) {
        doing[contact] = options[number % options.len()];
        number /= options.len();
    }
}

/// The direction in which a closed contact slips, if it does.
pub(in crate::simulate) fn moving(contact: usize, mechanics: &Mechanics<'_>) -> Option<[f64; 2]> {
    let slip = mechanics.slip(contact);
    let speed = norm(slip);
    let along = |k: usize| slip.get(k).map_or(0.0, |u| u / speed);
    (speed > mechanics.slow[contact]).then(|| [along(0), along(1)])
}

/// The modes that the velocity of a closed contact permits, the preferred first.
fn options(
    contact: usize,
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
) -> Result<Vec<Doing>, SmoothError> {
    let bilateral = mechanics.laws[contact].hold == Hold::Bilateral;
    let pulls: &[f64] = if bilateral { &[1.0, -1.0] } else { &[1.0] };
    let slips = |along: [f64; 2]| pulls.iter().map(move |&pull| Doing::Slip { along, pull });
    let free = if bilateral { None } else { Some(Doing::Free) };
    let row = mechanics.row(contact);
    if mechanics.delassus(row, row) <= 0.0 && !bilateral {
        // no force of it moves anything
        return Ok(vec![Doing::Free]);
    }
    if let Some(along) = moving(contact, mechanics) {
        return Ok(slips(along).chain(free).collect());
    }
    // without friction nothing sticks
    let frictionless = mechanics.laws[contact].friction.is_zero();
    let mut found = if frictionless { Vec::new() } else { vec![Doing::Stick] };
    if mechanics.layout().tangents == 1 && frictionless {
        // no force depends on the direction, which is that of the motion then
        found.extend(slips([0.0; 2]));
    } else if mechanics.layout().tangents == 1 {
        for slip in [Slip::Pos, Slip::Neg] {
            found.extend(slips([slip.sign(), 0.0]));
        }
    } else if frictionless {
        let free = &mechanics.block(Block::FreeContactAcceleration)[row + 1..row + 3];
        let size = norm(free);
        found.extend(slips(if size > 0.0 { [free[0] / size, free[1] / size] } else { [1.0, 0.0] }));
    } else if instant.closed.len() == 1 {
        found.extend(onset_directions(contact, instant, mechanics)?.into_iter().flat_map(slips));
    }
    found.extend(free);
    Ok(found)
}
