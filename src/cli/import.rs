//! `mechan import`: a robot description as a mechanism file.

use super::Answer;
use super::output::{Terminal, file, write_result};
use crate::import::{Base, DEFAULT_GROUND_FRICTION, GroundContact, ImportOptions};
use crate::pipeline::{Failure, Usage, import_robot};
use crate::report::write_whole;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Robot description: URDF, or MJCF (MuJoCo); `-` is standard input
    file: String,
    /// Write to a file, which appears complete or not at all
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Write over a file that exists
    #[arg(long, requires = "output")]
    force: bool,
    /// Name of the mechanism, in place of the robot's
    #[arg(long, value_parser = name)]
    name: Option<String>,
    /// How the root of a URDF is held; by default free if it has mass and is not called `world`
    #[arg(long, value_enum)]
    base: Option<Held>,
    /// A ground, the plane z = 0; without --contact the balls, capsules or lowest points at the ends of the tree may touch it
    #[arg(long)]
    ground: bool,
    /// LINK:ball, LINK:point (the lowest points of its geometry) or LINK:point:X,Y,Z (in the link's axes) may touch the ground;
    /// `*` stands for any letters; repeatable
    #[arg(long, value_name = "LINK:HOW", value_parser = contact, allow_hyphen_values = true)]
    contact: Vec<(String, GroundContact)>,
    /// Friction at the ground, in place of the description's
    #[arg(long, value_name = "MU", value_parser = friction, help = format!("Friction at the ground, in place of the description's or {DEFAULT_GROUND_FRICTION}"))]
    friction: Option<f64>,
    /// Limits of joints become contacts
    #[arg(long)]
    limits: bool,
    /// Hold a joint, at a value other than 0 if given; `*` stands for any letters; repeatable
    #[arg(long, value_name = "JOINT[=VALUE]", value_parser = fixed)]
    fix: Vec<(String, f64)>,
    /// Motors hold the joints at home: springs with dampers, as strong as the inertia and the weight at each joint ask for
    #[arg(long)]
    hold: bool,
    /// The value of a joint in the state `home`; `*` stands for any letters; repeatable
    #[arg(long, value_name = "JOINT=VALUE", value_parser = value)]
    home: Vec<(String, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Held {
    /// To the world
    Fixed,
    /// Not at all: place and attitude are coordinates
    Free,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let output = arguments.output.as_deref().and_then(file);
    if let Some(path) = output.filter(|path| path.exists() && !arguments.force) {
        return Err(Usage::Exists { file: path.display().to_string() }.into());
    }
    let options = ImportOptions {
        name: arguments.name.clone(),
        base: arguments.base.map(|held| match held {
            Held::Fixed => Base::Fixed,
            Held::Free => Base::Free,
        }),
        contacts: arguments.contact.clone(),
        ground: arguments.ground,
        friction: arguments.friction,
        limits: arguments.limits,
        fixed: arguments.fix.clone(),
        hold: arguments.hold,
        home: arguments.home.clone(),
    };
    let (imported, source) = import_robot(&arguments.file, &options)?;
    terminal.warnings(&source, &imported.warnings);
    terminal.notice(&imported.summary);
    match output {
        Some(path) => write_whole(path, imported.text.as_bytes()).map_err(Failure::unwritable(path))?,
        None => write_result(&imported.text, None)?,
    }
    Ok(0)
}

fn name(text: &str) -> Result<String, String> {
    let valid = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.starts_with(|c: char| c.is_ascii_alphabetic());
    if valid {
        Ok(text.to_string())
    } else {
        Err("expected letters, digits and `_`, a letter first".to_string())
    }
}

fn number(text: &str) -> Result<f64, String> {
    let read = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    read.ok_or_else(|| format!("`{text}` is not a finite number"))
}

fn friction(text: &str) -> Result<f64, String> {
    number(text).and_then(|mu| if mu >= 0.0 { Ok(mu) } else { Err("expected a number >= 0".to_string()) })
}

fn contact(text: &str) -> Result<(String, GroundContact), String> {
    let fault = || "expected LINK:ball, LINK:point or LINK:point:X,Y,Z".to_string();
    if let Some(link) = text.strip_suffix(":ball") {
        return Ok((link.to_string(), GroundContact::Ball));
    }
    if let Some(link) = text.strip_suffix(":point") {
        return Ok((link.to_string(), GroundContact::Point));
    }
    let (link, place) = text.rsplit_once(":point:").ok_or_else(fault)?;
    let numbers: Vec<f64> = place.split(',').map(number).collect::<Result<_, _>>()?;
    let at = numbers.try_into().map_err(|_| fault())?;
    Ok((link.to_string(), GroundContact::At(at)))
}

fn value(text: &str) -> Result<(String, f64), String> {
    let (joint, value) = text.rsplit_once('=').ok_or("expected JOINT=VALUE")?;
    Ok((joint.to_string(), number(value)?))
}

fn fixed(text: &str) -> Result<(String, f64), String> {
    if text.contains('=') { value(text) } else { Ok((text.to_string(), 0.0)) }
}
