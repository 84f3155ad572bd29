//! Why a motion does not go on: no step is short enough, and what helps; or events follow each other without end, and where.

use super::phase::Phases;
use super::run::Run;
use crate::model::{Output, Singular};
use crate::num::{Tol, dense};
use crate::simulate::smooth::SmoothError;
use crate::simulate::trajectory::{Status, StopReason};

/// The force of a slip has no bounds, where steps shrink to nothing, if it is this many times what would hold the contact closed by itself:
/// it grows with the square root of the time that is left, which shrinks from microseconds to what a clock can tell.
const OUT_OF_PROPORTION: f64 = 4096.0;
/// It has also become this many times what it was as the slip began: a body that is heavier than what it rests upon presses as much all along.
const GROWN: f64 = 64.0;

/// What a step was refused for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Refused {
    /// Its error, in units of what is allowed.
    Error(f64),
    /// There are no accelerations somewhere in it.
    Evaluation(SmoothError),
    /// Energy that nothing accounts for.
    Energy(f64),
    /// This constraint came to depend on the others in it.
    Dependence(usize),
}

/// Events that may happen at one instant.
const AT_ONCE: usize = 64;
/// The last events, whose contacts are told of a motion that has too many.
const LAST: usize = 16;

impl Run<'_> {
    /// How a motion ends whose events follow each other without time passing.
    pub(super) fn endless(&self) -> Option<StopReason> {
        (self.idle > AT_ONCE).then(|| {
            let (t, places) = (self.phases.t, self.last_places().join(", "));
            let reason =
                format!("events follow each other without time passing at t = {t}, the last at {places}");
            (Status::Undecided, Some(reason))
        })
    }

    /// How one ends that has as many events as may be.
    pub(super) fn out_of_events(&self) -> StopReason {
        let (count, places) = (self.record.events.len(), self.last_places());
        let own = self.begin.names.contacts.iter().zip(self.begin.laws);
        let mut own = own.filter(|(name, _)| places.contains(&name.as_str()));
        let lossless = !places.is_empty() && own.all(|(_, laws)| laws.restitution.coefficient() >= 1.0);
        let mut reason = format!("{count} events");
        if !places.is_empty() {
            reason += &format!(", the last at {}", places.join(", "));
        }
        if lossless {
            reason += ", whose impacts lose nothing and have no end";
        }
        (Status::Budget, Some(reason))
    }

    /// The contacts of the last events.
    fn last_places(&self) -> Vec<&str> {
        let last = self.record.events.iter().rev().take(LAST);
        let mut places: Vec<&str> = last.filter_map(|event| event.contact.as_deref()).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// How a motion ends whose steps were refused until they were too short to go on, or that is where constraints depend on each other.
    pub(super) fn stuck(&self, refused: Refused) -> StopReason {
        let (t, names) = (self.phases.t, self.begin.names);
        let singular = |constraint: usize| {
            format!(
                "the constraint {} comes to follow from the others: a singular configuration, from which the mechanism may go on in several \
                 ways or not at all",
                self.begin.constraints[constraint]
            )
        };
        let reason = match refused {
            Refused::Dependence(constraint)
            | Refused::Evaluation(SmoothError::Model(Singular::Constraints { constraint, .. })) => {
                return (Status::Undecided, Some(singular(constraint)));
            }
            Refused::Evaluation(SmoothError::Model(Singular::MassMatrix { coordinate, .. })) => {
                let name = &names.coordinates[coordinate];
                format!("after t = {t} the mass matrix is singular: {}", no_inertia(name))
            }
            Refused::Evaluation(SmoothError::Forces { contact }) => format!(
                "after t = {t} the force of contact {} is not determined by its motion: it grows without bounds, or contacts that are held \
                 come to hold each other",
                names.contacts[contact]
            ),
            Refused::Energy(energy) => format!(
                "after t = {t} the energy changes by {energy:e}, which nothing accounts for and no error that is allowed explains: the equations \
                 are nearly singular there"
            ),
            Refused::Error(_) => {
                if let Some(reason) = self.jammed() {
                    return (Status::Undecided, Some(reason));
                }
                self.too_fast()
            }
        };
        (Status::Failed, Some(reason))
    }

    /// How a motion ends at a state that has no accelerations.
    pub(super) fn broken(&self, error: SmoothError) -> StopReason {
        self.stuck(Refused::Evaluation(error))
    }

    /// What is to be said where the forces of contacts that slip, and of others that they press, have grown in this phase out of all
    /// proportion to what would hold their gaps closed by themselves.
    fn jammed(&self) -> Option<String> {
        let (phases, t) = (&self.phases, self.phases.t);
        let mechanics = &phases.mechanics;
        let grown = |&contact: &usize| {
            let row = mechanics.row(contact);
            let alone = mechanics.acceleration_size(row) / mechanics.delassus(row, row);
            let (force, first) = (mechanics.normal_force(contact).abs(), phases.first_forces[contact]);
            force > (OUT_OF_PROPORTION * alone).max(GROWN * first)
        };
        let grown: Vec<usize> = (0..phases.doing.len()).filter(grown).collect();
        let slips = |contact: &usize| phases.doing[*contact].direction().is_some();
        let slipping: Vec<usize> = grown.iter().copied().filter(slips).collect();
        let names = |contacts: &[usize]| {
            let names = contacts.iter().map(|&contact| self.begin.names.contacts[contact].as_str());
            names.collect::<Vec<&str>>().join(", ")
        };
        (!slipping.is_empty()).then(|| {
            format!(
                "the forces of {} grow without bounds at t = {t}, as {}: a jam that is not followed further",
                names(&grown),
                if slipping.len() == 1 {
                    format!("{} slips", names(&slipping))
                } else {
                    format!("{} slip and press each other", names(&slipping))
                }
            )
        })
    }

    /// Steps that shrink to nothing since a number is not accurate enough.
    fn too_fast(&self) -> String {
        let (phases, names) = (&self.phases, &self.begin.names.coordinates);
        let n = phases.n();
        let (worst, t) = (phases.step.worst(&phases.scale), phases.t);
        let what = match worst {
            i if i < n => names[i].clone(),
            i if i < 2 * n => format!("dot({})", names[i - n]),
            i if i == phases.clock_place() => "the time that is left to a jam".to_string(),
            _ => {
                return format!(
                    "the motion breaks down at t = {t}: steps shrink to nothing, as the work that friction and applied forces do changes \
                     too fast"
                );
            }
        };
        let told = format!(
            "the motion breaks down at t = {t}: steps shrink to nothing, as the error of {what} asks for"
        );
        match phases.weak() {
            Some(weak) => format!("{told}; {}", no_inertia(&names[weak])),
            None => format!(
                "{told}; if it is rounding, a larger --rtol or an --atol above it (in the units of {what}) helps, and if it is a force that \
                 changes that fast, a smoother one"
            ),
        }
    }
}

fn no_inertia(name: &str) -> String {
    format!(
        "other coordinates move the mechanism as {name} does, as Euler angles do near a pole; a quaternion, or angles about other axes, \
         describe the attitude there"
    )
}

impl Phases<'_> {
    /// A coordinate of whose inertia others leave little at the state that was evaluated last.
    fn weak(&self) -> Option<usize> {
        let (n, mass) = (self.n(), self.mechanics.block(Output::MassMatrix));
        let mut factor = mass.to_vec();
        dense::cholesky(&mut factor, n, 0.0).ok()?;
        let place = |i: usize| dense::packed_len(i) + i;
        // 1/D stands on the diagonal
        let left = |i: &usize| 1.0 / (factor[place(*i)] * mass[place(*i)]);
        (0..n).min_by(|i, j| left(i).total_cmp(&left(j))).filter(|i| left(i) <= Tol::default().weak)
    }
}
