//! Stability in the sense of Lyapunov of an equilibrium on two contacts whose impacts give nothing back   [CV16 6.4], \[VO16\].
//!
//! Near the equilibrium M, W and the loads are constant to leading order, each mode has constant accelerations and impacts map
//! velocities linearly by pieces: (q, v, t) → (s² q, s v, s t) carries motions into motions. One contact that has come down stays, so
//! every motion comes back to states in which both gaps are closed, one of them at rest and the other one closing. Such velocities
//! form, for each of the two, half a plane: an angle and a speed. The return map is therefore a map R of angles and a factor G of the
//! speed, two scalar functions on two half circles, known by pieces in closed form. The equilibrium is stable if products of G along
//! the orbits of R decrease at least geometrically, unstable if they increase along one; a periodic direction has the largest mean
//! growth but for borders. Bounds from above come from the cycles of a graph of cells ([`cycles`]), from below from periodic
//! directions. Instability is exhibited, by a motion; stability is not proven: a cell's image and growth are those of five of its angles, with what they
//! show of a bend between them. A proof would follow all angles of a cell at once through every phase, in intervals.
//!
//! Assumed, and checked: sticking balances the load in the inside of the cones and is the only consistent mode; p± > 0 for both, so
//! that slip with the other contact open has one continuation. An impact while the other contact rests on its surface follows
//! Moreau's rule; where more than one impulse satisfies it, stable means for each, unstable that the motion grows in which only the
//! contact feels an impulse that is struck. What is left open: surfaces' curvature and other contacts, which are of higher order,
//! and motions that both contacts permit while they stick.

mod alone;
mod cells;
mod cycles;
mod doubt;
mod follow;
mod growth;
mod joint;
mod nearby;
mod orbit;
mod pieces;
mod reason;
mod verdict;

pub use doubt::Doubt;
pub use orbit::{Orbit, OrbitPhase};
pub use reason::LyapunovReason;
pub use verdict::{Lyapunov, LyapunovVerdict, ReturnMap, ReturnPoint};
