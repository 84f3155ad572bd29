//! What can closed contacts do next? One answer for one contact or twenty, in the plane and in space: every motion that the contact laws allow,
//! its forces or their set, whether it lasts if contacts give a little, and impacts without collision.
//!
//! A mechanism is here what its closed contacts see of it: u̇ = c + D λ. Each contact has a [`Mode`] (free, slip along a direction, stick), each
//! combination of modes equations and inequalities [CV16 Table 1].
//!
//! | file | what it owns |
//! |---|---|
//! | `contacts`, `mode` | the contacts; what each may do, the rows that it holds and the forces that it permits |
//! | `walk`, `search`, `refute` | combinations of modes: all of them, those that linear programs leave in the plane, those that multipliers leave in space |
//! | `judge`, `reason` | one combination: forces, accelerations, whether every law holds, and why |
//! | `forces` | forces that are not unique: whether some lie in all cones, and their ranges |
//! | `leaving`, `directions`, `elimination` | slip out of rest in space: the directions that it may have |
//! | `decide`, `in_space`, `border`, `verdict` | the motions, and how many there are |
//! | `one_contact`, `signs` | the same of one contact in the plane in closed form, for maps and motions |
//! | `rest` | rest of all contacts in space, and what proves that nothing else can happen |
//! | `small_friction` | one motion because friction is small enough, of any number of contacts |
//! | `response`, `stability`, `normal_stability` | which combinations last if the contacts give a little; of one contact, its characteristic equation |
//! | `two_contacts` | two sliding contacts by their class [CV16 6.1] |
//! | `impact_without_collision` | impacts that begin while nothing approaches |
//! | `following` | what follows of all this: the ways to go on, and why there are no others |

mod border;
mod by_stiffness;
mod contacts;
mod decide;
mod directions;
mod elimination;
mod following;
mod forces;
mod impact_without_collision;
mod in_space;
mod judge;
mod leaving;
mod mode;
mod normal_stability;
mod one_contact;
mod reason;
mod refute;
mod response;
mod rest;
mod search;
mod signs;
mod small_friction;
mod stability;
mod two_contacts;
mod verdict;
mod walk;

pub use contacts::{ClosedContact, Contacts, Motion, Sized};
pub use decide::{Decision, Effort, LISTED};
pub use following::{Continuation, Follower, Following};
pub use forces::{CHANGES, wrongly_pressed};
pub use impact_without_collision::{ImpactWithoutCollision, ImpactsWithoutCollision, Possible};
pub use judge::Judgement;
pub use mode::Ray;
pub use mode::{Mode, ModeName, words};
pub use normal_stability::{NormalStability, Portrait, eigenvalues, normal_stability};
pub use one_contact::OneContact;
pub use reason::Digits;
pub use reason::{JointReason, Reason};
pub use response::Response;
pub use rest::{Rest, RestProof};
pub use signs::{Outcome, Signs};
pub use stability::{Complex, Flips, ModeStability, Stability, stability_of_response};
pub use two_contacts::{LoadSector, TwoContacts, representatives, with_response};
pub use verdict::{Consistency, Verdict};
pub use walk::combinations;

use crate::num::Tol;

/// What closed contacts can do next.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Motions.
    pub decision: Decision,
    /// Normal stability of each of its combinations that hold, in their order.
    pub stability: Vec<Option<ModeStability>>,
    /// Impacts without collision.
    pub impacts: ImpactsWithoutCollision,
}

impl Contacts {
    /// All that can follow.
    pub fn predict(&self, tol: &Tol) -> Prediction {
        let decision = self.decide(tol);
        let stability = decision.modes.iter().map(|judged| self.stability(judged, tol)).collect();
        Prediction { stability, impacts: self.impacts_without_collision(tol), decision }
    }
}
