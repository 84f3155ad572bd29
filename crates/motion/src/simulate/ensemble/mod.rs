//! Many motions over random or gridded conditions: what is drawn for each run, who follows it, one row each.
//!
//! | file | subject |
//! |---|---|
//! | `plan` | how many runs there are, and what each of them is given |
//! | `in_order` | work on all cores, results in order |
//! | `row` | the row of a run |
//! | `summary` | how many ended how |

mod in_order;
mod plan;
mod row;
mod summary;

pub use crate::num::random::uniform;
pub use in_order::in_order;
pub use plan::{Axis, Chunk, Distribution, Plan};
pub use row::{
    ColumnKind, ENSEMBLE_SCHEMA, Ensemble, EnsembleCell, EnsembleColumn, EnsembleRow, RunStatus, columns,
};
pub use summary::{EventCount, Range, Summary};
