//! Orders of accuracy: errors of motions against a reference, as [A09 2.1] measures them, and how they fall with the step.
//!
//! | file | subject |
//! |---|---|
//! | `reference` | a motion as pieces that can be evaluated anywhere, and its jumps |
//! | `closed_form` | pieces in closed form, of decoupled linear motions with one frictionless contact |
//! | `table`, `traced` | pieces through points of a converged motion |
//! | `measure` | grid norms (21), uniform norm, Hausdorff distance of filled-in graphs (20) |
//! | `fit` | slopes |
//! | `study` | the outcome, in the shape of the machine-readable output |

mod closed_form;
mod fit;
mod measure;
mod reference;
mod study;
mod table;
mod traced;

pub use closed_form::{ClosedForm, closed_form};
pub use fit::{Fitted, slope};
pub use measure::{Errors, measure};
pub use reference::{Jump, Piece, Reference, ReferenceKind, Sample};
pub use study::{
    CONVERGENCE_SCHEMA, Convergence, ErrorsOf, ReferenceSummary, Run, SchemeStudy, Unfinished, summarised,
};
pub use table::{Node, Table};
pub use traced::{Tracer, captured_pieces};
