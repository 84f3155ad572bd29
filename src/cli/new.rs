//! `mechan new`: a commented starter file, or a mechanism of the library under a name of one's own.

use super::Answer;
use super::output::write_result;
use crate::format::Starter;
use crate::format::scene::scene_starter;
use crate::pipeline::{Failure, Usage, shipped_or_else};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Name of the mechanism: letters, digits and `_`, a letter first
    name: String,
    /// What it is like
    #[arg(long, value_enum, conflicts_with = "from", default_value_t = Like::Rod)]
    like: Like,
    /// Start from this mechanism of the library
    #[arg(long, value_name = "SHIPPED")]
    from: Option<String>,
    /// Write to a file that does not exist yet
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Like {
    /// A rod that slides on the ground: positions written out
    Rod,
    /// An arm that pushes a block: frames, springs, a surface that moves
    Arm,
    /// A walker with knees: a tree of frames, states solved onto their contacts
    Walker,
    /// A linkage closed by a joint
    Linkage,
    /// A body in space with an arm: quaternions
    Space,
    /// A scene of many bodies, for `mechan run`
    Scene,
}

impl Like {
    fn text(self, name: &str) -> String {
        let starter = match self {
            Like::Scene => return scene_starter(name),
            Like::Rod => Starter::Rod,
            Like::Arm => Starter::Arm,
            Like::Walker => Starter::Walker,
            Like::Linkage => Starter::Linkage,
            Like::Space => Starter::Space,
        };
        starter.text(name)
    }
}

pub(super) fn run(arguments: &Arguments) -> Answer {
    let name = &arguments.name;
    let valid = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !valid {
        return Err(Usage::Name(name.clone()).into());
    }
    if let Some(path) = arguments.output.as_ref().filter(|p| p.exists()) {
        return Err(Usage::Exists { file: path.display().to_string() }.into());
    }
    let text = match &arguments.from {
        None => arguments.like.text(name),
        Some(from) => shipped_or_else(from)?.text_as(name).map_err(|e| Failure::file(from, e))?,
    };
    write_result(&text, arguments.output.as_deref())?;
    Ok(0)
}
