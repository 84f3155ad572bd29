//! What cannot happen at several contacts in space, by a tree of partial decisions each of which is refuted by multipliers.
//!
//! A node says of each contact that nothing is decided, that it stays closed, what it does, or that it slips out of rest in some direction of an
//! arc; the contact laws are relaxed to cones: forces λ in the friction cone (of slip: in the cone over the arc of its rays), accelerations
//! y = D λ + τ c with v̇ ≥ 0, v̇ = 0, y = 0, u̇ in the cone of the arc. With τ = 1 that is the acceleration problem; near an equilibrium, where
//! motions of any size have the same cone, the size is divided out: τ ≥ 0 is one over it, and the first contact that lifts off, or if none does
//! that slips, leads. As the arcs shrink the relaxation becomes exact, so that what is false by a margin is refuted after finitely many divisions.
//!
//! | file | what it owns |
//! |---|---|
//! | `node` | nodes, their rows and cones, their division |
//! | `kinematic` | refutation by rows that depend on each other: no forces needed |
//! | `certificate` | refutation by multipliers, verified with outward rounding |
//! | `tree` | the search, and what it leaves |

mod certificate;
mod kinematic;
mod node;
mod tree;

pub(super) use tree::{Target, Unrefuted, refuted};
