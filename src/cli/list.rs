//! `mechan list`: the mechanisms that travel with the program.

use super::Answer;
use super::form::{ReportForm, Written};
use crate::pipeline::library;
use crate::report::library_document;
use clap::Args;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    form: ReportForm,
}

pub(super) fn run(arguments: &Arguments) -> Answer {
    arguments.form.check(Written::Json)?;
    let outcome = library()?;
    arguments.form.write(|| library_document(&outcome), || serde_json::to_string_pretty(&outcome))?;
    Ok(0)
}
