//! `mechan merge`: parts of an ensemble or of a map, made with `--chunk`, into one.

use super::Answer;
use super::form::{ReportForm, Written, ends};
use super::output::Terminal;
use crate::pipeline::{Failure, Parts, check_map_file, illustrate_map, merge_maps, write_json, write_map};
use crate::report::{DataFile, PART_ROWS, data_cells, data_columns, ensemble_document, map_document};
use crate::simulate::ensemble::{ENSEMBLE_SCHEMA, Ensemble, Summary};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Parts that `mechan ensemble --chunk I/N --output PART.csv` (or `.parquet`) wrote, each with its question beside it, or
    /// `mechan map --chunk I/N --output PART.json`; in any order
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    form: ReportForm,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    if arguments.parts.iter().any(|path| ends(path, &["json"])) {
        return maps(arguments, terminal);
    }
    arguments.form.check(Written::Tables)?;
    let parts = Parts::open(&arguments.parts)?;
    let [mechanism, state] = parts.identity().names().map(String::from);
    let mut summary = Summary::new(parts.columns());
    let document = |summary: &Summary| ensemble_document([&mechanism, &state], summary);
    match arguments.form.data_file() {
        Some(path) if !ends(path, &["json"]) => {
            parts.spare(path)?;
            into_file(&parts, path, &mut summary)?;
            terminal.note(&format!("mechan: {} written", path.display()));
            let statuses = || serde_json::to_string_pretty(&summary.statuses);
            arguments.form.show(|| document(&summary), statuses)?;
        }
        json => {
            let mut rows = Vec::new();
            parts.rows(|cells| {
                summary.include(&cells);
                rows.push(cells);
                Ok(())
            })?;
            let columns = parts.columns().iter().map(|column| column.name.clone()).collect();
            let whole = Ensemble {
                schema: ENSEMBLE_SCHEMA.into(),
                mechanism: mechanism.clone(),
                state: state.clone(),
                columns,
                rows,
            };
            match json {
                Some(path) => write_json(path, "the ensemble", &whole)?,
                None => arguments.form.write(|| document(&summary), || serde_json::to_string(&whole))?,
            }
        }
    }
    Ok(0)
}

/// The whole of the parts of a map, in every form that `mechan map` has.
fn maps(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let form = &arguments.form;
    form.file().map(check_map_file).transpose()?;
    let map = merge_maps(&arguments.parts)?;
    let text = || serde_json::to_string(&map);
    match form.file() {
        Some(path) => {
            for written in write_map(&map, path)? {
                terminal.notice(&format!("{} written", written.display()));
            }
            form.show(|| map_document(&map), text)?;
        }
        None => {
            form.write(|| map_document(&map).with_pictures(form.pictures(|| illustrate_map(&map))), text)?
        }
    }
    Ok(0)
}

fn into_file(parts: &Parts, path: &Path, summary: &mut Summary) -> Result<(), Failure> {
    // a part that is not whole is found before anything is written
    parts.rows(|_| Ok(()))?;
    let mut file = DataFile::in_parts(path, data_columns(parts.columns()), PART_ROWS)?;
    parts.rows(|cells| {
        summary.include(&cells);
        Ok(file.append(&data_cells(&cells))?)
    })?;
    file.finish()?;
    parts.identity().write(path).map_err(Failure::unwritable(path))
}
