//! Outcomes as text, Markdown, HTML and JSON: one [`Document`] per report, four renderings; tables as data files. No physics.

mod analysis;
mod compliance;
mod convergence;
mod critical;
mod cycle;
mod data_file;
mod document;
mod ensemble;
mod html;
mod library;
mod map;
mod markdown;
mod next_step;
mod number;
mod prospect;
mod several;
mod solution;
mod space;
mod space_several;
mod standing;
mod text;
mod trajectory;
mod trajectory_file;
mod units;
mod whole_file;

pub use analysis::analysis_document;
pub use compliance::study_document;
pub use convergence::convergence_document;
pub use cycle::cycle_document;
pub use data_file::{DataCell, DataColumn, DataFault, DataFile, DataKind, DataRows, PART_ROWS, RowsFault};
pub use document::{Block, Cell, Document, Matrix, Table};
pub use ensemble::{data_cells, data_columns, ensemble_cells, ensemble_document};
pub use html::render_html;
pub use library::{LibraryLine, LibraryOutcome, library_document};
pub use map::map_document;
pub use markdown::render_markdown;
pub use number::significant;
pub use prospect::survey_table_document;
pub use solution::{
    FacetedOutcome, FamilyOutcome, PointOutcome, SOLUTION_SCHEMA, SolutionOutcome, SolvedView, StepExistence,
    solution_document, solution_warnings, summary_document,
};
pub use text::render_text;
pub use trajectory::{futures_document, trajectory_document};
pub use trajectory_file::write_trajectory;
pub use whole_file::write_whole;
