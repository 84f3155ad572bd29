//! `mechan check`: every problem of every file and of its states, nothing else.

use super::Answer;
use super::derive::{model_of, scene_of};
use super::output::{Terminal, write_result};
use crate::diag::Diagnostic;
use crate::format::lacking;
use crate::pipeline::{
    Failure, Loaded, RunOptions, SceneRun, check_states, check_unplaced, is_scene_file, load,
};
use clap::Args;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Mechanism files (YAML), model files (JSON) or scenes (YAML); `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Do not derive the equations: whether the states lie where they claim to is not checked
    #[arg(long)]
    no_derive: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let mut worst = 0;
    for file in &arguments.files {
        if is_scene_file(file) {
            worst = worst.max(check_scene(file, terminal)?);
            continue;
        }
        match check(file, arguments.no_derive, terminal) {
            Ok((loaded, odd)) => {
                terminal.loaded(&loaded);
                terminal.warnings(&loaded.source, &odd);
                if let Some((missing, all)) = lacking(&loaded.mechanism) {
                    terminal.note(&format!(
                        "{file}: dimensions are not checked: {missing} of {all} parameters and coordinates have no unit"
                    ));
                }
                write_result(&format!("{file}: ok\n"), None)?;
            }
            Err(failure) => {
                terminal.failure(&failure);
                worst = worst.max(failure.exit_status());
            }
        }
    }
    Ok(worst)
}

/// A scene, with its bodies placed.
fn check_scene(file: &str, terminal: &Terminal) -> Answer {
    let checked = scene_of(file, terminal).and_then(|loaded| {
        SceneRun::new(&loaded, RunOptions::default())?;
        Ok(loaded)
    });
    match checked {
        Ok(loaded) => {
            terminal.warnings(&loaded.source, &loaded.warnings);
            write_result(&format!("{file}: ok\n"), None)?;
            Ok(0)
        }
        Err(failure) => {
            terminal.failure(&failure);
            Ok(failure.exit_status())
        }
    }
}

fn check(file: &str, no_derive: bool, terminal: &Terminal) -> Result<(Loaded, Vec<Diagnostic>), Failure> {
    let loaded = load(file)?;
    let unplaced = check_unplaced(&loaded);
    if no_derive || !(cfg!(feature = "derive") || loaded.model.is_some()) {
        return unplaced.map(|()| (loaded, Vec::new()));
    }
    // of a mechanism without equations that is all that can be said
    let model = model_of(&loaded, terminal).or_else(|failure| unplaced.and(Err(failure)))?;
    let odd = check_states(&loaded, &model)?;
    Ok((loaded, odd))
}
