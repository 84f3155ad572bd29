//! The bodies of a scene where they begin. Every size and place is drawn by counting, so that it depends on the seed, the group and
//! the body's number in it alone.

use super::body::{Body, Solid};
use super::detect::{Detector, Other};
use super::surface::{Obstacle, Pose};
use super::vector::{Vector, along, dot, length, minus, rotation};
use crate::diag::{Diagnostic, Span};
use crate::format::scene::{BodyShape, Group, Placement, Scene, Sizes};
use crate::num::Tol;
use crate::num::random::uniform;

/// Places that are tried for a body before a box counts as full.
const TRIES: u64 = 2000;
/// Draws of a normal distribution outside its range after which the middle of the range is taken.
const DRAWS: u64 = 1000;
/// Room in a cell of a grid beyond the largest body, as a share of it.
const ROOM: f64 = 0.05;
/// Faults of one kind that are told one by one.
const TOLD: usize = 10;

/// The bodies of all groups at rest where they begin.
///
/// # Errors
/// `M601` for bodies that overlap, `M602` for those in a surface, `M603` where there is no room, `M604` without bodies.
pub(super) fn place(scene: &Scene) -> Result<Vec<Body>, Vec<Diagnostic>> {
    let (mut bodies, mut faults) = (Vec::new(), Vec::new());
    for (number, group) in scene.groups.iter().enumerate() {
        let solids: Vec<Solid> = (0..group.count).map(|k| solid(scene, group, k as u64)).collect();
        let before = bodies.len();
        match centres(scene, group, &solids, &bodies) {
            Ok(centres) => bodies.extend(solids.iter().zip(centres).map(|(solid, centre)| {
                let body = Body::resting(*solid, number, solid.inertia(group.matter, scene.space));
                Body {
                    centre,
                    turned: rotation(group.turn),
                    velocity: group.velocity,
                    spin: group.spin,
                    ..body
                }
            })),
            Err(fault) => faults.push(fault),
        }
        debug_assert!(bodies.len() <= before + group.count);
    }
    if bodies.is_empty() && scene.mechanisms.is_empty() && faults.is_empty() {
        faults.push(Diagnostic::error("M604", "the scene has no bodies").with_path("groups"));
    }
    if faults.is_empty() { Ok(bodies) } else { Err(faults) }
}

/// Everything that overlaps at the beginning.
pub(super) fn overlaps(
    scene: &Scene,
    (bodies, links): (&[Body], &[String]),
    (obstacles, poses): (&[Obstacle], &[Pose]),
) -> Vec<Diagnostic> {
    let posed: Vec<_> = bodies.iter().map(Body::here).collect();
    let mut detector = Detector::default();
    let touches = detector.contacts(&posed, (obstacles, poses), scene.space.dimension(), 0.0);
    let tol = Tol::default().closed;
    let meeting = touches.iter().filter(|touch| touch.is_between(bodies, scene.groups.len()));
    let deep = meeting.filter(|touch| {
        let other = match touch.other {
            Other::Body(other) => bodies[other].solid.core(),
            Other::Piece(_) | Other::Declared(_) => f64::INFINITY,
        };
        touch.gap < -tol * (bodies[touch.body].solid.core().min(other) + length(bodies[touch.body].centre))
    });
    let mut faults = Vec::new();
    let (mut pairs, mut walls) = (0, 0);
    for touch in deep {
        let (span, path) = owner(scene, bodies[touch.body].group);
        let name = |body: usize| describe(scene, (bodies, links), body);
        let (code, count, message) = match touch.other {
            Other::Body(other) => (
                "M601",
                &mut pairs,
                format!("{} and {} overlap by {:.3e} m", name(touch.body), name(other), -touch.gap),
            ),
            Other::Piece(piece) => {
                let surface = &scene.surfaces[obstacles[piece].surface].name;
                let message = format!(
                    "{} is {:.3e} m inside or behind surface `{surface}`",
                    name(touch.body),
                    -touch.gap
                );
                ("M602", &mut walls, message)
            }
            Other::Declared(_) => continue,
        };
        *count += 1;
        if *count <= TOLD {
            faults.push(Diagnostic::error(code, message).with_span(span).with_path(path));
        }
    }
    for (code, count) in [("M601", pairs), ("M602", walls)] {
        if count > TOLD {
            let message = match code {
                "M601" => format!("{} more pairs of bodies overlap", count - TOLD),
                _ => format!("{} more bodies are inside or behind surfaces", count - TOLD),
            };
            faults.push(Diagnostic::error(code, message).with_path("groups"));
        }
    }
    faults
}

/// Where the scene tells of a kind of bodies.
fn owner(scene: &Scene, kind: usize) -> (Span, String) {
    match (scene.groups.get(kind), scene.mechanisms.get(kind.wrapping_sub(scene.groups.len()))) {
        (Some(group), _) => (group.span, format!("groups.{}", group.name)),
        (None, Some(mechanism)) => (mechanism.span, format!("mechanisms.{}", mechanism.name)),
        (None, None) => (Span::default(), "groups".to_owned()),
    }
}

/// A body by the name of its group and its number in it, from 1; one of those at the end, which are links, by its own.
pub(super) fn describe(scene: &Scene, (bodies, links): (&[Body], &[String]), body: usize) -> String {
    let free = bodies.len() - links.len();
    if let Some(link) = body.checked_sub(free) {
        return links[link].clone();
    }
    let group = bodies[body].group;
    let first = bodies.partition_point(|other| other.group < group);
    format!("{} {}", scene.groups[group].name, body - first + 1)
}

fn solid(scene: &Scene, group: &Group, number: u64) -> Solid {
    match &group.shape {
        BodyShape::Round(sizes) => Solid::Round(size(sizes, (scene.seed, &group.name), number)),
        BodyShape::Box { edges, scale } => {
            let factor = size(scale, (scene.seed, &group.name), number);
            Solid::Box(edges.map(|edge| 0.5 * factor * edge))
        }
    }
}

fn size(sizes: &Sizes, (seed, name): (u64, &str), number: u64) -> f64 {
    match sizes {
        Sizes::Constant(x) => *x,
        Sizes::Uniform([low, high]) => low + (high - low) * uniform(seed, number, &format!("{name}.size")),
        Sizes::List(list) => list[number as usize % list.len()],
        Sizes::Normal { mean, deviation, range: [low, high] } => {
            let draw = |k: u64| {
                // Box and Muller, one of the two
                let [a, b] = ["a", "b"].map(|part| uniform(seed, number, &format!("{name}.size.{k}{part}")));
                let radius = (-2.0 * (1.0 - a).ln()).sqrt();
                mean + deviation * radius * crate::num::Real::sin_cos(std::f64::consts::TAU * b).1
            };
            let inside = (0..DRAWS).map(draw).find(|x| (*low..=*high).contains(x));
            inside.unwrap_or(0.5 * (low + high))
        }
    }
}

fn centres(
    scene: &Scene,
    group: &Group,
    solids: &[Solid],
    there: &[Body],
) -> Result<Vec<Vector>, Diagnostic> {
    let full = |room: usize, message: &str| {
        let message = format!("{message}: {} of {} bodies of `{}` fit", room, group.count, group.name);
        let found = Diagnostic::error("M603", message).with_span(group.span);
        found
            .with_path(format!("groups.{}.place", group.name))
            .with_hint("make the box larger, or the bodies fewer")
    };
    match &group.place {
        Placement::At(centres) => Ok(centres.clone()),
        Placement::Column { base, direction, gap } => Ok(column(group, solids, (*base, *direction, *gap))),
        Placement::Grid { from, to, spacing, jitter } => {
            let largest = solids.iter().map(|s| s.reach()).fold(0.0, f64::max);
            let side = spacing.unwrap_or(2.0 * (1.0 + ROOM) * largest);
            let dim = scene.space.dimension();
            let count = |k: usize| {
                if k < dim { ((to[k] - from[k]) / side + Tol::default().closed) as usize } else { 1 }
            };
            let counts = [count(0), count(1), count(2)];
            let room = counts.iter().product::<usize>();
            if room < group.count {
                return Err(full(room, &format!("the grid has {counts:?} cells of {side} m")));
            }
            let drawn = |number: usize, k: usize| {
                2.0 * uniform(scene.seed, number as u64, &format!("{}.{k}", group.name)) - 1.0
            };
            let centre = |number: usize| {
                let across =
                    [number % counts[0], number / counts[0] % counts[1], number / counts[0] / counts[1]];
                // rows fill from the lower corner up
                let free = (0.5 * side - solids[number].reach()).max(0.0) * jitter;
                std::array::from_fn(|k| match k < dim {
                    true => from[k] + side * (across[k] as f64 + 0.5) + free * drawn(number, k),
                    false => 0.0,
                })
            };
            Ok((0..group.count).map(centre).collect())
        }
        Placement::Random { from, to } => random(scene, group, solids, (there, *from, *to))
            .map_err(|room| full(room, "there is no more room")),
    }
}

/// Each on the one before, by their extents along the direction.
fn column(group: &Group, solids: &[Solid], (base, direction, gap): (Vector, Vector, f64)) -> Vec<Vector> {
    let axes = super::vector::axes(rotation(group.turn));
    let extent = |solid: &Solid| match solid {
        Solid::Round(radius) => *radius,
        Solid::Box(halves) => (0..3).map(|k| halves[k] * dot(axes[k], direction).abs()).sum(),
    };
    let mut height = 0.0;
    let place = |solid: &Solid| {
        let half = extent(solid);
        let centre = along(base, height + half, direction);
        height += 2.0 * half + gap;
        centre
    };
    solids.iter().map(place).collect()
}

/// One after the other where nothing is yet [random sequential addition]; how many fitted if not all do.
fn random(
    scene: &Scene,
    group: &Group,
    solids: &[Solid],
    (there, from, to): (&[Body], Vector, Vector),
) -> Result<Vec<Vector>, usize> {
    let dim = scene.space.dimension();
    let mut taken = OccupiedCells::new(there, solids);
    let mut found = Vec::with_capacity(solids.len());
    for (number, solid) in solids.iter().enumerate() {
        let reach = solid.reach();
        let draw = |attempt: u64| -> Vector {
            std::array::from_fn(|k| {
                let room = to[k] - from[k] - 2.0 * reach;
                let name = format!("{}.place.{attempt}.{k}", group.name);
                let share = uniform(scene.seed, number as u64, &name);
                if k < dim { from[k] + reach + room * share } else { 0.0 }
            })
        };
        if (0..dim).any(|k| to[k] - from[k] < 2.0 * reach) {
            return Err(found.len());
        }
        let Some(centre) = (0..TRIES).map(draw).find(|x| taken.is_free(*x, reach)) else {
            return Err(found.len());
        };
        taken.add(centre, reach);
        found.push(centre);
    }
    Ok(found)
}

/// Balls that are taken, by cells.
struct OccupiedCells {
    side: f64,
    cells: std::collections::BTreeMap<[i64; 3], Vec<(Vector, f64)>>,
}

impl OccupiedCells {
    fn new(there: &[Body], solids: &[Solid]) -> Self {
        let reach = there.iter().map(|b| &b.solid).chain(solids).map(|s| s.reach()).fold(0.0, f64::max);
        let mut taken = Self { side: 2.0 * reach, cells: Default::default() };
        there.iter().for_each(|body| taken.add(body.centre, body.solid.reach()));
        taken
    }

    fn cell(&self, x: Vector) -> [i64; 3] {
        x.map(|x| (x / self.side).floor() as i64)
    }

    fn add(&mut self, x: Vector, reach: f64) {
        self.cells.entry(self.cell(x)).or_default().push((x, reach));
    }

    fn is_free(&self, x: Vector, reach: f64) -> bool {
        let [i, j, k] = self.cell(x);
        let around = |c: i64| c - 1..=c + 1;
        around(i).all(|i| {
            around(j).all(|j| {
                let row = self.cells.range([i, j, k - 1]..=[i, j, k + 1]);
                row.flat_map(|(_, balls)| balls).all(|(y, other)| length(minus(x, *y)) >= reach + other)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Source;
    use crate::format::scene::read_scene;

    fn scene(place: &str, sphere: &str, count: usize) -> Scene {
        let text = format!(
            "scene: 1\nname: s\nspace: space\nfriction: 0.3\nstep: 0.01\nsteps: 1\ngroups:\n  g: {{sphere: {sphere}, count: {count}, mass: 1, place: {place}}}\n"
        );
        read_scene(&Source::new("s", text)).unwrap().scene
    }

    #[test]
    fn random_places_are_apart_and_inside_and_depend_on_the_seed_alone() {
        let mut scene = scene("{random: {from: [0, 0, 0], to: [1, 1, 1]}}", "{uniform: [0.04, 0.06]}", 250);
        let bodies = place(&scene).unwrap();
        assert!(overlaps(&scene, (&bodies, &[]), (&[], &[])).is_empty());
        let inside = |b: &Body| b.centre.iter().all(|x| *x >= b.solid.reach() && *x <= 1.0 - b.solid.reach());
        assert!(bodies.iter().all(inside));
        assert_eq!(bodies, place(&scene).unwrap());
        scene.seed = 2;
        assert_ne!(bodies, place(&scene).unwrap());
    }

    #[test]
    fn what_does_not_fit_is_said() {
        for place_in in
            ["{random: {from: [0, 0, 0], to: [1, 1, 1]}}", "{grid: {from: [0, 0, 0], to: [1, 1, 1]}}"]
        {
            let faults = place(&scene(place_in, "0.2", 100)).unwrap_err();
            assert_eq!(faults[0].code, "M603", "{faults:?}");
        }
    }

    #[test]
    fn overlaps_are_found() {
        let scene = scene("{at: [[0, 0, 0], [0.15, 0, 0], [1, 0, 0]]}", "0.1", 3);
        let faults = overlaps(&scene, (&place(&scene).unwrap(), &[]), (&[], &[]));
        assert_eq!(faults.len(), 1);
        assert!(faults[0].code == "M601" && faults[0].message.contains("g 1 and g 2"), "{faults:?}");
    }

    #[test]
    fn normal_sizes_have_their_mean_and_deviation() {
        let sizes = Sizes::Normal { mean: 1.0, deviation: 0.1, range: [0.5, 1.5] };
        let n = 4000;
        let drawn: Vec<f64> = (0..n).map(|k| size(&sizes, (3, "g"), k)).collect();
        let mean = drawn.iter().sum::<f64>() / n as f64;
        let deviation = (drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64).sqrt();
        // five standard deviations of mean and deviation
        assert!((mean - 1.0).abs() < 0.5 / (n as f64).sqrt(), "{mean}");
        assert!((deviation - 0.1).abs() < 0.5 / (2.0 * n as f64).sqrt(), "{deviation}");
    }
}
