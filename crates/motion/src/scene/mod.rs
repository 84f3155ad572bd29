//! Many rigid bodies, mechanisms among them, external surfaces with prescribed motion, unilateral contact and Coulomb friction, step by
//! step. The equations of free bodies are known, those of mechanisms are given; every step is one incremental problem of [`coulomb`](crate::coulomb), solved by a
//! session that begins at the forces of the step before, contact by contact.
//!
//! The scheme is Moreau's and Jean's \[J99\]: contacts are looked for where bodies are after (1 − θ)h at their present velocity,
//! q_M = q_k + (1 − θ) h v_k, and are those with gap(q_M) ≤ 0; H is taken there, and
//!
//! M(v_{k+1} − v_k) = h F + Hᵀ P,  (H v_{k+1} + e H v_k, P) in Coulomb's law with unilateral contact,
//! q_{k+1} = q_k + h((1 − θ) v_k + θ v_{k+1}),
//!
//! after which overlaps are taken back.
//!
//! | file | subject |
//! |---|---|
//! | `vector` | vectors and rotations |
//! | `body` | free rigid bodies |
//! | `surface` | external surfaces and their motion |
//! | `place` | where bodies begin |
//! | `detect`, `boxes` | contacts |
//! | `linkage` | mechanisms among the bodies |
//! | `incremental` | the problem of a step |
//! | `overlap` | overlaps taken back |
//! | `simulation` | the loop |
//! | `state` | what a run goes on from |
//! | `summary` | what is told of a run |
//! | `granular` | the experiments of \[ACLM11 6\] |
//! | `reason` | existence without computing |
//! | `certify` | existence step by step |
#![allow(non_snake_case)]

mod body;
mod boxes;
mod certify;
mod detect;
pub mod granular;
mod incremental;
mod linkage;
mod overlap;
mod place;
mod reason;
mod shown;
mod simulation;
mod state;
mod summary;
mod surface;
pub mod vector;

pub use body::{Body, Posed, Solid};
pub use certify::{ProofTotals, StepProof, certify_step};
pub use detect::{Other, SceneContact};
pub use linkage::{SceneMechanism, passing};
pub use reason::{Reason, StepReason, reason};
pub use shown::Shown;
pub use simulation::{Fast, Options, Record, SceneError, Simulation};
pub use state::{State, StateFault};
pub use summary::{RunStatus, RunSummary, Totals};
pub use surface::{Nearest, Obstacle, Piece, Pose};
pub use vector::{Axes, Quaternion, Vector};
