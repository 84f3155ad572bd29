//! `mechan derive`: the equations of motion in print, as code, or as a model file.

use super::Answer;
use super::output::{Terminal, write_result};
use crate::derive::{Equations, Wording};
use crate::model::{Cache, CodeNames, Language, Model, ModelFile, code};
use crate::pipeline::{
    Derivation, Deriver, Failure, Loaded, LoadedScene, code_parameters, derive_equations, derive_model, load,
    load_scene,
};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Mechanism file (YAML) or model file (JSON); `-` is standard input
    file: String,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write everything out in coordinates (text, latex and json), with no named subexpressions
    #[arg(long)]
    expand: bool,
    /// Write to a file
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Simplified equations, as a textbook has them
    Text,
    /// The same for LaTeX
    #[value(alias = "tex")]
    Latex,
    /// The same as strings, with the names of everything
    Json,
    /// A NumPy function
    #[value(alias = "py")]
    Python,
    /// A function with SymPy expressions
    Sympy,
    /// A CasADi function
    Casadi,
    /// A C function
    C,
    /// A Rust function
    #[value(alias = "rs")]
    Rust,
    /// A function for MATLAB or Octave, one file
    #[value(alias = "m", alias = "octave")]
    Matlab,
    /// A Julia module
    #[value(alias = "jl")]
    Julia,
    /// A model file, which is analysed without deriving
    Model,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let loaded = load(&arguments.file)?;
    terminal.loaded(&loaded);
    let wording = if arguments.expand { Wording::Expanded } else { Wording::Short };
    let equations = || equations_of(&loaded, terminal, wording);
    let text = match arguments.format {
        Format::Text => equations()?.to_text(),
        Format::Latex => equations()?.to_latex(),
        Format::Json => equations()?.to_json().map_err(Failure::unprintable("the equations"))?,
        Format::Python => generated(&loaded, terminal, Language::Python)?,
        Format::Sympy => generated(&loaded, terminal, Language::SymPy)?,
        Format::Casadi => generated(&loaded, terminal, Language::Casadi)?,
        Format::Matlab => generated(&loaded, terminal, Language::Matlab)?,
        Format::Julia => generated(&loaded, terminal, Language::Julia)?,
        Format::C => generated(&loaded, terminal, Language::C)?,
        Format::Rust => generated(&loaded, terminal, Language::Rust)?,
        Format::Model => model_file(&loaded, terminal)?,
    };
    write_result(&text, arguments.output.as_deref())?;
    Ok(0)
}

/// How this command line obtains equations.
pub(super) fn deriver<'a>(
    terminal: &Terminal,
    progress: &'a dyn Fn(&str),
    notice: &'a dyn Fn(&str),
) -> Result<Deriver<'a>, Failure> {
    let cache = if terminal.no_cache() { Cache::none() } else { Cache::for_user() };
    let by = if cfg!(feature = "derive") { Deriver::this_program()?.by } else { Derivation::Nobody };
    Ok(Deriver { by, cache, progress, notice })
}

/// The model of a loaded mechanism, derived if need be.
pub(super) fn model_of(loaded: &Loaded, terminal: &Terminal) -> Result<Model, Failure> {
    let (progress, notice) = (|m: &str| terminal.progress(m), |m: &str| terminal.notice(m));
    derive_model(loaded, &deriver(terminal, &progress, &notice)?)
}

/// A scene with the equations of its mechanisms, derived if need be.
pub(super) fn scene_of(file: &str, terminal: &Terminal) -> Result<LoadedScene, Failure> {
    let (progress, notice) = (|m: &str| terminal.progress(m), |m: &str| terminal.notice(m));
    load_scene(file)?.derive(&deriver(terminal, &progress, &notice)?)
}

/// The equations of a loaded mechanism in print, derived if need be.
pub(super) fn equations_of(
    loaded: &Loaded,
    terminal: &Terminal,
    wording: Wording,
) -> Result<Equations, Failure> {
    let (progress, notice) = (|m: &str| terminal.progress(m), |m: &str| terminal.notice(m));
    derive_equations(loaded, &deriver(terminal, &progress, &notice)?, wording)
}

fn generated(loaded: &Loaded, terminal: &Terminal, language: Language) -> Result<String, Failure> {
    let model = model_of(loaded, terminal)?;
    let mechanism = &loaded.mechanism;
    let names = CodeNames {
        mechanism: mechanism.name.clone(),
        coordinates: mechanism.coordinates.iter().map(|c| c.name.clone()).collect(),
        parameters: code_parameters(loaded)?,
        constraints: mechanism.constraints.iter().map(|c| c.name.clone()).collect(),
        contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
    };
    Ok(code(&model, &names, language))
}

fn model_file(loaded: &Loaded, terminal: &Terminal) -> Result<String, Failure> {
    let model = model_of(loaded, terminal)?;
    ModelFile::new(loaded.source.text.clone(), model).write().map_err(Failure::unprintable("the model"))
}
