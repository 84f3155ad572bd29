//! The checker against exact arithmetic, against certificates of every answer, and against damaged ones.

mod answers;
mod arithmetic;
mod damaged;
mod exact;
mod functions;
mod models;
mod mutations;
mod oracle;
mod program;
