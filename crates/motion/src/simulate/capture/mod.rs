//! Event capturing of higher order [A09 Alg. 1]: Runge-Kutta steps of order p on the index-1 dynamics (72), (73) with a
//! constant set of closed contacts, and where that set changes within a step, a rough location of the event in a critical
//! step of length C hᵖ⁺¹, which Moreau's scheme (16) crosses.
//!
//! | file | subject |
//! |---|---|
//! | `run` | a motion on its grid, step by step |
//! | `step` | a smooth step, and the numbers that end it |
//! | `locate` | the critical step within a step |
//! | `cross` | the step across it: Moreau's where something is struck |
//! | `decide` | what closed contacts do next |
//! | `shown` | that nothing falls and rises again within a step |
//! | `path` | what a motion passes through, for errors |
//!
//! At each stage the forces follow from the accelerations (the λᵢ of (73)), so that a stage is one evaluation of the smooth
//! motion with every contact free, sticking or slipping; the method is then the Runge-Kutta method on an ordinary differential
//! equation and has its order. With Coulomb friction the set that is constant is that of the contacts' modes.
//!
//! Where this differs from the paper: γ has the term Ġᵀv, which (71), (72) leave out and which is zero in their examples; a
//! contact counts as closed after an impact only if it does not part (with g ≤ 0 alone, as in Algorithm 1, one that has just
//! rebounded would be held); and a contact whose next flight would be shorter than the critical step stays closed, which ends
//! accumulations of impacts. Critical steps in which nothing is struck are passed with the forces that act where they begin, whose impulses
//! (16) finds where they are unique; impulses of a step that is struck are all those that the rule of joint impacts has.

mod cross;
mod decide;
mod locate;
mod path;
mod run;
mod shown;
mod step;

pub use path::{Path, Point};
pub use run::{Captured, DEFAULT_CRITICAL, Grid};
