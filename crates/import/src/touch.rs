//! Where links may touch the ground: the balls and the lowest points of their geometry.

use super::chain::Chain;
use super::inertia::Solid;
use super::options::{GroundContact, ImportOptions, matches};
use super::pose::{Pose, Vector};
use super::robot::{Link, Robot, Shape, WORLD};
use crate::diag::{Diagnostic, nearest};

/// A candidate for a contact with the ground.
#[derive(Clone, Debug)]
pub(super) struct Contact {
    pub(super) name: String,
    /// The link after merging that carries it.
    pub(super) link: usize,
    /// In the link's axes.
    pub(super) at: Vector,
    /// None: a point.
    pub(super) radius: Option<f64>,
    pub(super) friction: Option<f64>,
}

/// Points whose heights differ by less than this part of the shape's size are equally low.
const EQUALLY_LOW: f64 = 1024.0 * f64::EPSILON;

/// The contacts that are asked for; `poses` are those of the links at home.
pub(super) fn contacts(
    robot: &Robot,
    poses: &[Pose],
    options: &ImportOptions,
    faults: &mut Vec<Diagnostic>,
) -> Vec<Contact> {
    if !options.ground {
        if let Some((name, _)) = options.contacts.first() {
            let message = format!("`{name}` has nothing to touch");
            faults.push(Diagnostic::error("M511", message).with_hint("add --ground, the plane z = 0"));
        }
        return vec![];
    }
    if options.contacts.is_empty() {
        return round(at_the_ends(robot, poses, faults), robot, faults);
    }
    let mut found = Vec::new();
    for (pattern, touch) in &options.contacts {
        let meant: Vec<&str> = all_names(robot).filter(|name| matches(pattern, name)).collect();
        if meant.is_empty() {
            faults.push(unknown(robot, pattern));
        }
        for (name, place) in meant.iter().filter_map(|name| Some((name, find(robot, name)?))) {
            found.extend(of_link(robot, name, place, *touch, poses, faults));
        }
    }
    round(found, robot, faults)
}

/// Balls have a radius above zero.
fn round(contacts: Vec<Contact>, robot: &Robot, faults: &mut Vec<Diagnostic>) -> Vec<Contact> {
    for contact in &contacts {
        if let Some(radius) = contact.radius.filter(|r| *r <= 0.0) {
            let message = format!("the radius of `{}` is {radius}, expected a number > 0", contact.name);
            faults.push(Diagnostic::error("M504", message).with_span(robot.links[contact.link].span));
        }
    }
    contacts
}

fn unknown(robot: &Robot, name: &str) -> Diagnostic {
    let fault = Diagnostic::error("M511", format!("there is no link `{name}`"));
    fault.with_close(nearest(name, all_names(robot)))
}

/// The names of all links of the description.
fn all_names(robot: &Robot) -> impl Iterator<Item = &str> {
    let names =
        robot.links.iter().flat_map(|l| std::iter::once(&l.name).chain(l.merged.iter().map(|(n, _)| n)));
    names.map(String::as_str)
}

/// The link that carries a link of the description, and the place of the latter in it.
fn find(robot: &Robot, name: &str) -> Option<(usize, Pose)> {
    robot.links.iter().enumerate().find_map(|(l, link)| {
        if link.name == name {
            return Some((l, Pose::HERE));
        }
        link.merged.iter().find(|(merged, _)| merged == name).map(|(_, pose)| (l, *pose))
    })
}

fn shapes<'a>(link: &'a Link, name: &'a str) -> impl Iterator<Item = &'a Shape> {
    link.shapes.iter().filter(move |s| s.of == name)
}

/// Centres and radii of the balls of a shape, in the link.
fn balls(shape: &Shape) -> Vec<(Vector, f64)> {
    match shape.solid {
        Solid::Sphere { radius } => vec![(shape.pose.origin, radius)],
        Solid::Capsule { radius, half } => {
            [-half, half].map(|z| (shape.pose.point([0.0, 0.0, z]), radius)).into()
        }
        Solid::Cylinder { .. } | Solid::Box { .. } | Solid::Ellipsoid { .. } | Solid::Mesh => vec![],
    }
}

fn numbered(name: &str, k: usize, count: usize) -> String {
    if count == 1 { name.to_string() } else { format!("{name}_{}", k + 1) }
}

/// The balls of the links on which nothing hangs, and of those without a ball the lowest points.
fn at_the_ends(robot: &Robot, poses: &[Pose], faults: &mut Vec<Diagnostic>) -> Vec<Contact> {
    let (mut found, mut meshes) = (Vec::new(), Vec::new());
    for (l, link) in robot.links.iter().enumerate().skip(1) {
        if robot.links.iter().skip(1).any(|other| other.parent == l) {
            continue;
        }
        // a foot that is fixed to a shin touches, and not the shin
        let outer = link.shapes.iter().any(|s| s.of != link.name && s.solid != Solid::Mesh);
        let own = |s: &&Shape| !outer || s.of != link.name;
        let balls: Vec<_> = link
            .shapes
            .iter()
            .filter(own)
            .flat_map(|s| balls(s).into_iter().map(move |(at, r)| (s, at, Some(r))))
            .collect();
        let places = if balls.is_empty() {
            let all = link
                .shapes
                .iter()
                .filter(own)
                .flat_map(|s| extremes(s, &poses[l]).into_iter().map(move |at| (s, at)));
            lowest_of(all.collect(), &poses[l]).into_iter().map(|(s, at)| (s, at, None)).collect()
        } else {
            balls
        };
        if places.is_empty() && is_of_meshes(link) {
            meshes.push(format!("`{}`", link.shapes.last().map_or(&link.name, |s| &s.of)));
        }
        for (i, (shape, at, radius)) in places.iter().enumerate() {
            let count = |part: &[(&Shape, Vector, Option<f64>)]| {
                part.iter().filter(|(s, ..)| s.of == shape.of).count()
            };
            let name = numbered(&shape.of, count(&places[..i]), count(&places));
            found.push(Contact { name, link: l, at: *at, radius: *radius, friction: shape.friction });
        }
    }
    tell_of_missing(&found, &meshes, faults);
    found
}

/// Whether a link has geometry, and none but meshes.
fn is_of_meshes(link: &Link) -> bool {
    !link.shapes.is_empty() && link.shapes.iter().all(|s| s.solid == Solid::Mesh)
}

/// Tells of ends that touch nothing.
fn tell_of_missing(found: &[Contact], meshes: &[String], faults: &mut Vec<Diagnostic>) {
    let hint = "name the links that do: --contact LINK:point, LINK:ball or LINK:point:X,Y,Z";
    if !meshes.is_empty() {
        let message = format!(
            "{} has no geometry but meshes, which are not looked at: nothing of it touches the ground",
            meshes.join(", ")
        );
        let message = if meshes.len() > 1 {
            message.replacen("has no", "have no", 1).replace("of it", "of them")
        } else {
            message
        };
        faults.push(
            Diagnostic::warning("M512", message).with_hint("give its points: --contact LINK:point:X,Y,Z"),
        );
    } else if found.is_empty() {
        let message = "no link at an end of the tree has geometry: nothing touches the ground";
        faults.push(Diagnostic::warning("M511", message).with_hint(hint));
    }
}

fn of_link(
    robot: &Robot,
    name: &str,
    (l, place): (usize, Pose),
    touch: GroundContact,
    poses: &[Pose],
    faults: &mut Vec<Diagnostic>,
) -> Vec<Contact> {
    if l == WORLD {
        faults.push(Diagnostic::error(
            "M511",
            format!("link `{name}` is fixed to the world and does not touch the ground"),
        ));
        return vec![];
    }
    let link = &robot.links[l];
    let friction = shapes(link, name).find_map(|s| s.friction);
    let points: Vec<(Vector, Option<f64>)> = match touch {
        GroundContact::At(at) => vec![(place.point(at), None)],
        GroundContact::Ball => shapes(link, name).flat_map(balls).map(|(at, r)| (at, Some(r))).collect(),
        GroundContact::Point => lowest(link, name, &poses[l]).into_iter().map(|at| (at, None)).collect(),
    };
    if points.is_empty() && touch == GroundContact::Ball {
        let fault = Diagnostic::error("M511", format!("link `{name}` has no ball or capsule for a contact"));
        faults.push(
            fault.with_hint(format!("take points instead: --contact {name}:point or {name}:point:X,Y,Z")),
        );
    } else if points.is_empty() {
        let message = format!("link `{name}` has no geometry but meshes: its origin is the contact point");
        faults.push(
            Diagnostic::warning("M512", message)
                .with_hint(format!("give the point: --contact {name}:point:X,Y,Z")),
        );
        return vec![Contact { name: name.to_string(), link: l, at: place.origin, radius: None, friction }];
    }
    let count = points.len();
    let contact =
        |(k, (at, radius))| Contact { name: numbered(name, k, count), link: l, at, radius, friction };
    points.into_iter().enumerate().map(contact).collect()
}

/// The lowest points of a link's geometry when the link is at `pose`: all that are equally low.
fn lowest(link: &Link, name: &str, pose: &Pose) -> Vec<Vector> {
    let all = shapes(link, name).flat_map(|s| extremes(s, pose).into_iter().map(move |at| (s, at)));
    lowest_of(all.collect(), pose).into_iter().map(|(_, at)| at).collect()
}

/// Those of some points that are lowest when their link is at `pose`.
fn lowest_of<'s>(candidates: Vec<(&'s Shape, Vector)>, pose: &Pose) -> Vec<(&'s Shape, Vector)> {
    let height = |(_, at): &(&Shape, Vector)| pose.point(*at)[2];
    let Some(least) = candidates.iter().map(height).min_by(f64::total_cmp) else { return vec![] };
    let size = candidates.iter().map(|at| height(at) - least).fold(least.abs(), f64::max);
    candidates.into_iter().filter(|at| height(at) - least <= EQUALLY_LOW * size).collect()
}

/// Points of a shape, in the link, among which the lowest is. The rim of a cylinder that stands is represented by four points.
fn extremes(shape: &Shape, pose: &Pose) -> Vec<Vector> {
    // downwards, in the shape's axes
    let world = pose.then(&shape.pose);
    let down: Vector = std::array::from_fn(|k| -world.rotation[2][k]);
    let local: Vec<Vector> = match shape.solid {
        Solid::Sphere { radius } => vec![down.map(|x| radius * x)],
        Solid::Capsule { radius, half } => {
            [-half, half].map(|z| [radius * down[0], radius * down[1], radius * down[2] + z]).into()
        }
        Solid::Box { half } => corners(half),
        Solid::Cylinder { radius, half } => {
            let across = down[0].hypot(down[1]);
            let rim: Vec<[f64; 2]> = if across > EQUALLY_LOW {
                vec![[down[0] / across, down[1] / across]]
            } else {
                vec![[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
            };
            [-half, half]
                .iter()
                .flat_map(|z| rim.iter().map(move |[x, y]| [radius * x, radius * y, *z]))
                .collect()
        }
        Solid::Ellipsoid { half } => {
            let length = (0..3).map(|k| (half[k] * down[k]).powi(2)).sum::<f64>().sqrt();
            vec![std::array::from_fn(|k| half[k] * half[k] * down[k] / length)]
        }
        Solid::Mesh => vec![],
    };
    local.into_iter().map(|x| super::pose::tidied(shape.pose.point(x))).collect()
}

fn corners([x, y, z]: Vector) -> Vec<Vector> {
    let signs = [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]];
    [-z, z].iter().flat_map(|z| signs.map(|[a, b]| [a * x, b * y, *z])).collect()
}

/// The height of the lowest contact at given coordinates.
pub(super) fn lowest_gap(chain: &Chain, contacts: &[Contact], values: &[f64]) -> Option<f64> {
    let poses = chain.poses(values);
    let gap = |c: &Contact| {
        let seat = &chain.seats[c.link];
        let pose = seat.frame.map_or(Pose::HERE, |f| poses[f]);
        pose.point(seat.point(c.at))[2] - c.radius.unwrap_or(0.0)
    };
    contacts.iter().map(gap).min_by(f64::total_cmp)
}
