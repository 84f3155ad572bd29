//! Outcomes as text, Markdown, HTML and JSON: one [`Document`] per report, from which as much as is wanted is chosen, and four
//! renderings; tables as data files. No physics.

mod analysis;
mod choice;
mod compliance;
mod convergence;
mod cycle;
mod data_file;
mod document;
mod ensemble;
mod formulas;
mod granular;
mod html;
mod library;
mod map;
mod markdown;
mod number;
mod run;
mod solution;
mod survey;
mod text;
mod trajectory;
mod trajectory_file;
mod whole_file;

pub(crate) use analysis::why;
pub use analysis::{Illustrations, StateFigures, analysis_document, illustrated_document};
pub use choice::{Choice, SECTIONS, UnknownSection};
pub use compliance::study_document;
pub use convergence::convergence_document;
pub use cycle::cycle_document;
pub use data_file::{DataCell, DataColumn, DataFault, DataFile, DataKind, DataRows, PART_ROWS, RowsFault};
pub use document::{Block, Cell, Depth, Document, Equations, Figure, Matrix, Section, Table, Tone};
pub use ensemble::{data_cells, data_columns, ensemble_cells, ensemble_document};
pub use granular::granular_document;
pub(crate) use html::symbol;
pub use html::{render_html, render_html_part};
pub use library::{LibraryLine, LibraryOutcome, library_document};
pub use map::{map_document, not_compared};
pub use markdown::render_markdown;
pub use number::significant;
pub use run::run_document;
pub use solution::{
    FacetedOutcome, FamilyOutcome, PointOutcome, SOLUTION_SCHEMA, SolutionOutcome, SolvedView, StepExistence,
    solution_document, solution_warnings, summary_document,
};
pub use survey::survey_table_document;
pub use text::{render_text, render_text_in};
pub use trajectory::{futures_document, trajectory_document};
pub use trajectory_file::write_trajectory;
pub use whole_file::write_whole;
