//! Outcomes as text, Markdown, HTML and JSON. One [`Document`] per report, four renderings; no physics.

mod analysis;
mod critical;
mod document;
mod html;
mod markdown;
mod next_step;
mod number;
mod prospect;
mod solution;
mod text;
mod whole_file;

pub use analysis::analysis_document;
pub use document::{Block, Cell, Document, Matrix, Table};
pub use html::render_html;
pub use markdown::render_markdown;
pub use number::significant;
pub use prospect::survey_table_document;
pub use solution::{
    FacetedOutcome, FamilyOutcome, PointOutcome, SOLUTION_SCHEMA, SolutionOutcome, SolvedView, StepExistence,
    solution_document, solution_warnings, summary_document,
};
pub use text::render_text;
pub use whole_file::write_whole;
