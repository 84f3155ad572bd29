//! The motion of a mechanism as a film: bodies and surfaces where the q-expressions of the file put them, at its samples and events.

use super::film::{Actor, Film, Note, Painted, Placed, turn};
use super::mesh::Mesh;
use crate::format::{Geometry, Mechanism, Outline, Round, Space};
use crate::plot::fault::PlotFault;
use crate::plot::mechanism::keys::{Key, keys};
use crate::plot::mechanism::place::{Instant, Pose, Vector, dot, length, minus, plus, times, unit};
use crate::plot::mechanism::scenery::{Flat, Scenery};
use crate::plot::mechanism::shape::{Part, shapes};
use crate::plot::style::{Colour, TRACKS};
use crate::simulate::trajectory::Trajectory;

/// Thickness of what is flat, width of bars, radius of points, depth and margin of surfaces: shares of the size of the bodies.
const THICK: f64 = 0.08;
const BAR: f64 = 0.05;
const POINT: f64 = 0.06;
const FLOOR: f64 = 0.03;
const DEEP: f64 = 0.6;
const MARGIN: f64 = 0.75;
/// The largest turn of a body from keyframe to keyframe, rad: a viewer takes the shorter way.
const LARGEST: f64 = 1.0;
/// Parts of the time between two samples in which turns are looked at, at first and at most; as many keyframes there may be between them.
const LOOKS: usize = 8;
const BETWEEN: usize = 256;
/// Growth of a turn, seen in twice the parts, up to which it is the same.
const MORE: f64 = 1.01;

/// The motion of a mechanism as the bytes of a `.glb` file; `parameters` are those of the motion, in the order of the mechanism. Keyframes are its
/// samples and its events, with more between them, on lines between the coordinates, where a body turns by more than a radian.
///
/// # Errors
/// [`PlotFault`] if the motion has no samples, lacks a coordinate of the mechanism, or if there is nothing to draw.
pub fn motion_gltf(
    mechanism: &Mechanism,
    parameters: &[f64],
    trajectory: &Trajectory,
) -> Result<Vec<u8>, PlotFault> {
    let placed = |geometry: &Geometry| !matches!(geometry, Geometry::Direct { .. });
    if mechanism.bodies.is_empty() && !mechanism.contacts.iter().any(|c| placed(&c.geometry)) {
        return Err(PlotFault::NothingToDraw);
    }
    let cast = Cast { mechanism, parameters };
    let keys = cast.turned(keys(mechanism, trajectory)?);
    Ok(cast.film(&keys, trajectory).bytes())
}

/// A mechanism with the parameters of its motion.
struct Cast<'a> {
    mechanism: &'a Mechanism,
    parameters: &'a [f64],
}

impl<'a> Cast<'a> {
    fn at<'k>(&self, key: &'k Key) -> Instant<'k>
    where
        'a: 'k,
    {
        key.of(self.mechanism, self.parameters)
    }

    /// The keys with others between them where bodies turn far.
    fn turned(&self, keys: Vec<Key>) -> Vec<Key> {
        let mut all: Vec<Key> = Vec::with_capacity(keys.len());
        let begin = keys[0].t;
        for key in keys {
            if let Some(before) = all.last() {
                let count = ((self.turn_between(before, &key) / LARGEST).ceil() as usize).min(BETWEEN);
                let more: Vec<Key> =
                    (1..count).map(|k| before.toward(&key, k as f64 / count as f64)).collect();
                for one in more {
                    let last = all.last().map_or(f64::NEG_INFINITY, |last| last.t);
                    if (one.t - begin) as f32 > (last - begin) as f32
                        && (key.t - begin) as f32 > (one.t - begin) as f32
                    {
                        all.push(one);
                    }
                }
            }
            all.push(key);
        }
        all
    }

    /// How far some body turns from one key to the next, rad, seen in so many parts that more of them show no more.
    fn turn_between(&self, from: &Key, to: &Key) -> f64 {
        let (mut looks, mut seen) = (LOOKS, self.turn_in(LOOKS, from, to));
        while looks < BETWEEN {
            let closer = self.turn_in(2 * looks, from, to);
            if closer <= seen * MORE {
                break;
            }
            (looks, seen) = (2 * looks, closer);
        }
        seen
    }

    fn turn_in(&self, parts: usize, from: &Key, to: &Key) -> f64 {
        let keys: Vec<Key> = (0..=parts).map(|k| from.toward(to, k as f64 / parts as f64)).collect();
        let turns = self.mechanism.bodies.iter().map(|body| {
            let poses: Vec<Pose> = keys.iter().map(|key| self.at(key).pose(body)).collect();
            poses.windows(2).map(|pair| angle(&pair[0], &pair[1])).sum::<f64>()
        });
        turns.filter(|turn| turn.is_finite()).fold(0.0, f64::max)
    }

    fn film(&self, keys: &[Key], trajectory: &Trajectory) -> Film {
        let Self { mechanism, .. } = *self;
        let instants: Vec<Instant> = keys.iter().map(|key| self.at(key)).collect();
        let begin = keys[0].t;
        let parts = shapes(mechanism, &instants[0]);
        let size = self.size(&parts, &instants);
        let style = Style { size, space: mechanism.space };
        let mut film = Film {
            title: format!("{}, state {}", trajectory.mechanism, trajectory.state),
            times: keys.iter().map(|key| key.t - begin).collect(),
            looks: Vec::new(),
            actors: Vec::new(),
            up: up(mechanism, &instants[0]),
            notes: notes(trajectory, begin),
        };
        for (number, (body, parts)) in mechanism.bodies.iter().zip(&parts).enumerate() {
            let look = parts.iter().flat_map(|part| style.part(part, number)).collect();
            let placed = instants.iter().map(|at| of_pose(&at.pose(body))).collect();
            film.add(body.name.clone(), look, placed);
        }
        let loose =
            mechanism.contacts.iter().flat_map(|c| c.geometry.rounds().into_iter().map(move |r| (c, r)));
        for (contact, Round { centre, outline, body }) in loose {
            if let (Some(centre), None, Outline::Ball(radius)) = (centre, body, outline) {
                let look =
                    style.part(&Part::Round([0.0; 3], instants[0].value(radius)), mechanism.bodies.len());
                let placed = instants.iter().map(|at| Placed { place: at.point(centre), turn: STILL });
                film.add(format!("{}: disc", contact.name), look, placed.collect());
            }
        }
        let scenery = Scenery::of(mechanism, &instants, &instants);
        let standing = scenery.standing.iter().map(|flat| vec![*flat]);
        for flats in standing.chain(scenery.moving) {
            // one that is not known at some moment has no place then
            let placed: Vec<Placed> = flats.iter().map(of_flat).collect();
            if placed.len() == 1 || placed.len() == film.times.len() {
                film.add("surface".to_string(), vec![style.floor(&flats[0])], placed);
            }
        }
        film
    }

    /// The largest body, or, of points alone, how far they go.
    fn size(&self, parts: &[Vec<Part>], instants: &[Instant]) -> f64 {
        let spread = |points: &[Vector]| {
            (0..3).fold(0.0_f64, |most, k| {
                let ends = points
                    .iter()
                    .fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], p| [lo.min(p[k]), hi.max(p[k])]);
                most.max(ends[1] - ends[0])
            })
        };
        let own = parts.iter().map(|parts| spread(&parts.iter().flat_map(Part::corners).collect::<Vec<_>>()));
        let own = own.filter(|x| x.is_finite()).fold(0.0, f64::max);
        let centres =
            || instants.iter().flat_map(|at| self.mechanism.bodies.iter().map(|body| at.pose(body).centre));
        match own {
            own if own > 0.0 => own,
            _ => Some(spread(&centres().collect::<Vec<_>>()))
                .filter(|x| x.is_finite() && *x > 0.0)
                .unwrap_or(1.0),
        }
    }
}

const STILL: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

impl Film {
    /// Something with a look of its own; what is nowhere at some moment is left out.
    fn add(&mut self, name: String, look: Vec<Painted>, placed: Vec<Placed>) {
        let known = placed.iter().all(|p| p.place.iter().chain(&p.turn).all(|x| x.is_finite()));
        if known && !placed.is_empty() {
            let mut actor = Actor { name, look: self.looks.len(), scale: [1.0; 3], placed };
            actor.settle();
            self.looks.push(look);
            self.actors.push(actor);
        }
    }
}

/// The angle from one pose to another.
fn angle(from: &Pose, to: &Pose) -> f64 {
    let trace: f64 = from.axes.iter().zip(to.axes).map(|(a, b)| dot(*a, b)).sum();
    (0.5 * (trace - 1.0)).clamp(-1.0, 1.0).acos()
}

fn of_pose(pose: &Pose) -> Placed {
    Placed { place: pose.centre, turn: turn(pose.axes) }
}

fn of_flat(flat: &Flat) -> Placed {
    let [(a, _), (b, _)] = flat.along;
    Placed { place: flat.point, turn: turn([a, b, flat.normal]) }
}

/// Against gravity; in the plane, and without gravity, as pictures have it.
fn up(mechanism: &Mechanism, at: &Instant) -> Vector {
    let gravity = at.vector(&mechanism.gravity);
    match mechanism.space {
        Space::Plane => [0.0, 1.0, 0.0],
        Space::Space if length(gravity) > 0.0 => unit(times(gravity, -1.0)),
        Space::Space => [0.0, 0.0, 1.0],
    }
}

fn notes(trajectory: &Trajectory, begin: f64) -> Vec<Note> {
    let what = |event: &crate::simulate::trajectory::Event| match &event.contact {
        Some(contact) => format!("{} {contact}", event.kind.name()),
        None => event.kind.name().to_string(),
    };
    trajectory.events.iter().map(|event| Note { t: event.t.0 - begin, what: what(event) }).collect()
}

/// How things are drawn whose bodies have a size.
struct Style {
    size: f64,
    space: Space,
}

impl Style {
    /// A part of a body. Parts of the plane are a little less thick from body to body, so that what overlaps does not flicker.
    fn part(&self, part: &Part, body: usize) -> Vec<Painted> {
        let colour = TRACKS[body % TRACKS.len()].towards(Colour::PAPER, 0.25);
        let thick = self.size * THICK * (1.0 - 0.05 * (body % 8) as f64);
        let (normal, bar) = ([0.0, 0.0, 1.0], self.size * BAR);
        match part {
            Part::Path(points) => {
                let deep = if self.space == Space::Plane { thick } else { bar };
                let bars = points.windows(2).map(|pair| Mesh::bar([pair[0], pair[1]], [bar, deep], normal));
                vec![Painted::solid(bars.fold(Mesh::default(), Mesh::with), colour)]
            }
            Part::Face(outline) => vec![Painted::solid(Mesh::plate(outline, thick), colour)],
            Part::Solid(faces) => vec![Painted::solid(Mesh::of_faces(faces), colour)],
            Part::Round(centre, radius) if self.space == Space::Plane => {
                // a spoke along the first axis shows how it turns
                let spoke = [*centre, plus(*centre, [*radius, 0.0, 0.0])];
                let spoke = Mesh::bar(spoke, [0.06 * radius, 1.04 * thick], normal);
                let disc = Mesh::disc(*centre, *radius, thick, normal);
                vec![Painted::solid(disc, colour), Painted::solid(spoke, Colour::SLATE)]
            }
            Part::Round(centre, radius) => eighths(*centre, [*radius; 3], colour),
            Part::Ellipsoid(centre, radii) => eighths(*centre, *radii, colour),
            Part::Point => eighths([0.0; 3], [self.size * POINT; 3], colour),
        }
    }

    /// A slab below a surface, in its own axes, as far as contacts go on it and a margin more.
    fn floor(&self, flat: &Flat) -> Painted {
        let margin = self.size * MARGIN;
        let mut sides = flat.along.map(|(_, [lo, hi])| [lo - margin, hi + margin]);
        if self.space == Space::Plane {
            sides[1] = [-self.size * DEEP / 2.0, self.size * DEEP / 2.0];
        }
        let (thick, middle) = (self.size * FLOOR, sides.map(|[lo, hi]| 0.5 * (lo + hi)));
        let [a, b] = sides.map(|[lo, hi]| 0.5 * (hi - lo));
        let halves = [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, 0.5 * thick]];
        let centre = minus([middle[0], middle[1], 0.0], [0.0, 0.0, 0.5 * thick]);
        Painted::solid(Mesh::cuboid(centre, halves), Colour::PALE)
    }
}

/// An ellipsoid of two shades, so that one sees how it turns.
pub(super) fn eighths(centre: Vector, radii: [f64; 3], colour: Colour) -> Vec<Painted> {
    let shades = [colour, colour.towards(Colour::PAPER, 0.5)];
    let half = |which: usize| Painted::solid(Mesh::ellipsoid(centre, radii, which), shades[which]);
    vec![half(0), half(1)]
}
