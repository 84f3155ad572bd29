//! Robot descriptions as mechanism files: URDF and the common part of MJCF, MuJoCo's format.
//!
//! A description is read into a tree of links; links that are fixed to others become part of them; the tree becomes
//! frames of the format, and these are written with comments for what could not be carried over.
//! Derives nothing and looks at no mesh.
#![doc = include_str!("../README.md")]

mod acting;
mod chain;
mod check;
mod hold;
mod home;
mod inertia;
mod linear;
mod mjcf;
mod motors;
mod names;
mod options;
mod pose;
mod robot;
mod text;
mod touch;
mod tree;
mod urdf;
mod write;
mod xml;

pub use options::{Base, DEFAULT_GROUND_FRICTION, GroundContact, ImportOptions};

use mechan_language::{diag, expression};
use mechan_num as num;

use crate::diag::{Diagnostic, Source};
use chain::Chain;
use names::{Names, identifier};
use pose::Pose;
use robot::{Joint, Motion, Robot};
use touch::Contact;
use write::Page;
use xml::Element;

/// A mechanism file that was made of a description.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The text of the mechanism file.
    pub text: String,
    /// What the reader should know about the description.
    pub warnings: Vec<Diagnostic>,
    /// What was made, in one line.
    pub summary: String,
}

/// Makes a mechanism file of a robot description.
///
/// # Errors
/// Everything that is wrong with it, each with its place: codes M5xx.
pub fn import(source: &Source, options: &ImportOptions) -> Result<Imported, Vec<Diagnostic>> {
    let document = xml::parse(source).map_err(|fault| vec![fault])?;
    let root = Element(document.root_element());
    let mut faults = Vec::new();
    let (kind, robot) = read(root, &mut faults)?;
    stop_at_errors(&faults)?;
    check::described(&robot, &mut faults);
    let mut robot = robot;
    if kind == URDF {
        held(&mut robot, options, &mut faults);
    }
    hold::hold(&mut robot, &options.fixed, &mut faults);
    stop_at_errors(&faults)?;
    let robot = robot.merged();
    check::moved(&robot, &mut faults);
    if robot.links.iter().all(|l| l.joints.is_empty()) {
        let fault = Diagnostic::error("M508", "nothing of the robot moves").with_span(root.span());
        faults.push(fault.with_hint("let its root go with --base free"));
    }
    stop_at_errors(&faults)?;
    let text = page(source, kind, &robot, options, &mut faults)?;
    let summary = summary(&robot);
    Ok(Imported { text, warnings: faults, summary })
}

const URDF: &str = "URDF";

fn stop_at_errors(faults: &[Diagnostic]) -> Result<(), Vec<Diagnostic>> {
    if faults.iter().any(Diagnostic::is_error) { Err(faults.to_vec()) } else { Ok(()) }
}

fn read(root: Element<'_>, faults: &mut Vec<Diagnostic>) -> Result<(&'static str, Robot), Vec<Diagnostic>> {
    match root.tag() {
        "robot" => Ok((URDF, urdf::read(root, faults))),
        "mujoco" => Ok(("MJCF", mjcf::read(root, faults))),
        other => {
            let message = format!("the text is about <{other}>, expected <robot> (URDF) or <mujoco> (MJCF)");
            Err(vec![Diagnostic::error("M502", message).with_span(root.span())])
        }
    }
}

/// Gives the root of a URDF its freedom, or not.
fn held(robot: &mut Robot, options: &ImportOptions, faults: &mut Vec<Diagnostic>) {
    let Some(root) = robot.links.get(1) else { return };
    let (name, span) = (root.name.clone(), root.span);
    // the root with all that is fixed to it
    let mut rigid = vec![false; robot.links.len()];
    rigid[1] = true;
    for l in 2..robot.links.len() {
        rigid[l] = rigid[robot.links[l].parent] && robot.links[l].joints.is_empty();
    }
    let heavy = (1..rigid.len()).any(|l| rigid[l] && robot.links[l].inertial.is_some_and(|i| i.mass > 0.0));
    let base = options.base.unwrap_or(if heavy && name != "world" { Base::Free } else { Base::Fixed });
    if options.base.is_none() {
        let (how, why, other) = match base {
            Base::Free => ("moves freely", "as it has mass", "fixed"),
            Base::Fixed => ("is fixed to the world", "as it has no mass or is called `world`", "free"),
        };
        let message = format!("the root link `{name}` {how}, {why}; --base {other} says otherwise");
        faults.push(Diagnostic::warning("M512", message).with_span(span));
    }
    if base == Base::Free {
        robot.links[1].joints.push(Joint::new(name, span, Motion::Free));
    }
}

fn page(
    source: &Source,
    kind: &'static str,
    robot: &Robot,
    options: &ImportOptions,
    faults: &mut Vec<Diagnostic>,
) -> Result<String, Vec<Diagnostic>> {
    let mut names = Names::default();
    ["g", "mu"].iter().for_each(|n| drop(names.unique(n)));
    let chain = chain::chain(robot, &mut names);
    let mut home = home::home(robot, &chain, options, faults);
    let contacts = touch::contacts(robot, &poses(robot, &chain, &home), options, faults);
    stop_at_errors(faults)?;
    home::stand(robot, &chain, &contacts, &mut home);
    if !is_finite(robot, &chain, &home) {
        let message = "what follows from the numbers of the description is not finite: some are too large";
        faults.push(Diagnostic::error("M504", message));
    }
    stop_at_errors(faults)?;
    let motors = {
        let poses = poses(robot, &chain, &home);
        motors::Home { robot, chain: &chain, contacts: &contacts, values: &home, poses: &poses }
            .motors(options.hold, &mut names)
    };
    let mut states = vec![("home".to_string(), home)];
    states.extend(robot.states.iter().filter_map(|s| home::configuration(robot, &chain, s)));
    let mut taken = Names::default();
    let contacts: Vec<Contact> = contacts.into_iter().map(|c| with_friction(c, options)).collect();
    let page = Page {
        source,
        kind,
        name: options.name.clone().unwrap_or_else(|| identifier(&robot.name)),
        robot,
        chain: &chain,
        contact_names: contacts.iter().map(|c| taken.unique(&c.name)).collect(),
        common_friction: contacts.iter().any(|c| c.friction.is_none()),
        contacts: &contacts,
        friction: options.friction.unwrap_or(DEFAULT_GROUND_FRICTION),
        limits: options.limits,
        hold: options.hold,
        motors,
        states,
    };
    Ok(page.write())
}

/// Whether everything that will be written is a number.
fn is_finite(robot: &Robot, chain: &Chain, home: &[f64]) -> bool {
    let inertial = |i: &inertia::Inertial| {
        let parts = i.centre.iter().chain(i.inertia.as_flattened()).chain([&i.mass]);
        parts.into_iter().all(|x| x.is_finite())
    };
    let linear = |x: &linear::Linear| x.constant.is_finite() && x.terms.values().all(|f| f.is_finite());
    robot.links.iter().filter_map(|l| l.inertial.as_ref()).all(inertial)
        && chain.frames.iter().flat_map(|f| &f.origin).all(linear)
        && chain.values.values().all(linear)
        && home.iter().all(|x| x.is_finite())
}

/// The user's friction, if any, instead of the description's.
fn with_friction(contact: Contact, options: &ImportOptions) -> Contact {
    Contact { friction: contact.friction.filter(|_| options.friction.is_none()), ..contact }
}

/// Where the links are.
fn poses(robot: &Robot, chain: &Chain, values: &[f64]) -> Vec<Pose> {
    let frames = chain.poses(values);
    let pose = |seat: &chain::Seat| seat.frame.map_or(Pose::HERE, |f| frames[f].then(&Pose::at(seat.shift)));
    let all: Vec<Pose> = chain.seats.iter().map(pose).collect();
    debug_assert_eq!(all.len(), robot.links.len());
    all
}

fn summary(robot: &Robot) -> String {
    let joints: Vec<&Joint> = robot.links.iter().flat_map(|l| &l.joints).collect();
    let count = |is: fn(&Joint) -> bool| joints.iter().filter(|j| is(j)).count();
    let mass: f64 = robot.links.iter().skip(1).filter_map(|l| l.inertial).map(|i| i.mass).sum();
    let free = count(|j| j.motion == Motion::Free);
    let held = if free > 0 { "free" } else { "held" };
    format!(
        "{}: {held}, {} links that move, {} joints, {} of them following others, {mass:.4} kg",
        robot.name,
        robot.links.len() - 1,
        joints.len() - free,
        count(|j| j.mimic.is_some()),
    )
}
