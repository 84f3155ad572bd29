//! A run of a scene as a film: frames are kept as it goes, as many as fit.

use super::film::{Actor, Film, Painted, Placed, turn};
use super::mechanism::eighths;
use super::mesh::Mesh;
use crate::format::Space;
use crate::plot::mechanism::place::{Vector, cross, dot, length, minus, plus, times, unit};
use crate::plot::style::Colour;
use crate::scene::{Piece, Pose, Simulation, Solid};

/// Frames at most, and numbers in all of them: 16 megabytes.
const FRAMES: u64 = 1000;
const NUMBERS: u64 = 4_000_000;
/// Thickness of what is flat and of surfaces, over the size of the largest body; margin of planes over that of all.
const THICK: f64 = 0.3;
const FLOOR: f64 = 0.1;
const MARGIN: f64 = 0.1;
/// Of walls that would hide what they hold.
const CLEAR: f64 = 0.25;

/// The frames of a run.
pub struct SceneFilm {
    times: Vec<f64>,
    /// By body, then by surface.
    placed: Vec<Vec<Placed>>,
    /// Steps from frame to frame.
    every: u64,
    steps: u64,
    /// Where bodies were.
    ends: [[f64; 2]; 3],
}

impl SceneFilm {
    /// Of a run of so many steps, which begins where the scene is.
    #[must_use]
    pub fn new(simulation: &Simulation, steps: u64) -> Self {
        let actors = simulation.bodies().len() + simulation.scene().surfaces.len();
        let frames = FRAMES.min((NUMBERS / (7 * actors as u64)).max(2));
        let mut film = Self {
            times: Vec::new(),
            placed: vec![Vec::new(); actors],
            every: steps.div_ceil(frames).max(1),
            steps,
            ends: [[f64::INFINITY, f64::NEG_INFINITY]; 3],
        };
        film.take(simulation);
        film
    }

    /// Looks at a scene after a step, and keeps what it sees if a frame is due.
    pub fn look(&mut self, simulation: &Simulation) {
        if simulation.step().is_multiple_of(self.every) || simulation.step() == self.steps {
            self.take(simulation);
        }
    }

    fn take(&mut self, simulation: &Simulation) {
        let t = simulation.time(simulation.step());
        let begin = self.times.first().copied().unwrap_or(t);
        // in single precision times have to grow
        if self.times.last().is_some_and(|last| (t - begin) as f32 <= (last - begin) as f32) {
            return;
        }
        self.times.push(t);
        let bodies = simulation.bodies().iter().map(|body| Placed { place: body.centre, turn: body.turned });
        let poses = simulation.poses().unwrap_or_default();
        let surfaces =
            (0..simulation.scene().surfaces.len()).map(|k| of_pose(poses.get(k).unwrap_or(&Pose::FIXED)));
        self.placed.iter_mut().zip(bodies.chain(surfaces)).for_each(|(all, placed)| all.push(placed));
        for body in simulation.bodies() {
            let reach = body.solid.reach();
            for (end, x) in self.ends.iter_mut().zip(body.centre) {
                *end = [end[0].min(x - reach), end[1].max(x + reach)];
            }
        }
    }

    /// The bytes of a `.glb` file.
    #[must_use]
    pub fn bytes(&self, simulation: &Simulation) -> Vec<u8> {
        let scene = simulation.scene();
        let begin = self.times[0];
        let largest = simulation.bodies().iter().map(|body| body.solid.reach()).fold(0.0, f64::max);
        let up = match scene.space {
            Space::Plane => [0.0, 1.0, 0.0],
            Space::Space if length(scene.gravity) > 0.0 => unit(times(scene.gravity, -1.0)),
            Space::Space => [0.0, 0.0, 1.0],
        };
        let set = Set { space: scene.space, size: largest, up, ends: self.ends };
        let mut film = Film {
            title: scene.title.clone().unwrap_or_else(|| scene.name.clone()),
            times: self.times.iter().map(|t| t - begin).collect(),
            looks: set.looks(),
            actors: Vec::new(),
            up,
            notes: Vec::new(),
        };
        for (number, (body, placed)) in simulation.bodies().iter().zip(&self.placed).enumerate() {
            let (look, scale) = set.scaled(body.solid);
            let name = simulation.name_of(number);
            film.actors.push(Actor { name, look, scale, placed: placed.clone() });
        }
        for (number, surface) in scene.surfaces.iter().enumerate() {
            let own = simulation.obstacles().iter().filter(|obstacle| obstacle.surface == number);
            let placed = self.placed[simulation.bodies().len() + number].clone();
            let look = own.map(|obstacle| set.piece(&obstacle.piece)).collect();
            film.looks.push(look);
            film.actors.push(Actor {
                name: surface.name.clone(),
                look: film.looks.len() - 1,
                scale: [1.0; 3],
                placed,
            });
        }
        film.actors.iter_mut().for_each(Actor::settle);
        film.bytes()
    }
}

fn of_pose(pose: &Pose) -> Placed {
    let axis = |k: usize| pose.turned(std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 }));
    Placed { place: pose.now([0.0; 3]), turn: turn([axis(0), axis(1), axis(2)]) }
}

/// What the things of a scene look like.
struct Set {
    space: Space,
    /// Of the largest body.
    size: f64,
    up: Vector,
    ends: [[f64; 2]; 3],
}

impl Set {
    /// A round body and a box of size one, which all others are scaled from.
    fn looks(&self) -> Vec<Vec<Painted>> {
        let normal = [0.0, 0.0, 1.0];
        let round = match self.space {
            Space::Space => eighths([0.0; 3], [1.0; 3], Colour::SKY),
            Space::Plane => {
                let spoke = Mesh::bar([[0.0; 3], [1.0, 0.0, 0.0]], [0.06, 1.04], normal);
                let disc = Mesh::disc([0.0; 3], 1.0, 1.0, normal);
                vec![Painted::solid(disc, Colour::SKY), Painted::solid(spoke, Colour::SLATE)]
            }
        };
        let edges = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        vec![round, vec![Painted::solid(Mesh::cuboid([0.0; 3], edges), Colour::SKY)]]
    }

    fn scaled(&self, solid: Solid) -> (usize, Vector) {
        let thick = self.size * THICK;
        match (solid, self.space) {
            (Solid::Round(radius), Space::Space) => (0, [radius; 3]),
            (Solid::Round(radius), Space::Plane) => (0, [radius, radius, thick]),
            (Solid::Box(halves), Space::Space) => (1, halves),
            (Solid::Box([a, b, _]), Space::Plane) => (1, [a, b, 0.5 * thick]),
        }
    }

    /// A piece of a surface, where it is at rest.
    fn piece(&self, piece: &Piece) -> Painted {
        let (thick, normal) = (self.size * FLOOR, [0.0, 0.0, 1.0]);
        let deep = 4.0 * self.size * THICK;
        match piece {
            Piece::Plane(point, outward) => self.plane(*point, *outward, (thick, deep)),
            Piece::Wall([a, b], _) => {
                Painted::solid(Mesh::bar([*a, *b], [thick, deep], normal), Colour::PALE)
            }
            Piece::Plate(centre, [a, b]) => {
                let across = unit(cross(*a, *b));
                Painted::solid(Mesh::cuboid(*centre, [*a, *b, times(across, 0.5 * thick)]), Colour::PALE)
            }
            Piece::Circle(centre, radius) => {
                let line = [[*radius, -0.5 * deep], [*radius, 0.5 * deep]];
                Painted::solid(Mesh::shell(*centre, normal, line), Colour::PALE)
            }
            Piece::Shell(origin, axis, line, _) => {
                let mesh = Mesh::shell(*origin, *axis, *line);
                Painted { mesh, colour: Colour::GREY, opacity: CLEAR }
            }
        }
    }

    /// A slab behind a plane, as far as bodies were; walls and ceilings can be seen through.
    fn plane(&self, point: Vector, normal: Vector, (thick, deep): (f64, f64)) -> Painted {
        let middle = self.ends.map(|[lo, hi]| 0.5 * (lo + hi));
        let foot = minus(middle, times(normal, dot(minus(middle, point), normal)));
        let other = if normal[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let a = match self.space {
            Space::Plane => [normal[1], -normal[0], 0.0],
            Space::Space => unit(cross(normal, other)),
        };
        let b = cross(normal, a);
        let reach = |direction: Vector| {
            let own: f64 =
                self.ends.iter().zip(direction).map(|([lo, hi], d)| 0.5 * (hi - lo) * d.abs()).sum();
            own * (1.0 + MARGIN) + self.size
        };
        let wide = if self.space == Space::Plane { 0.5 * deep } else { reach(b) };
        let centre = plus(foot, times(normal, -0.5 * thick));
        let mesh = Mesh::cuboid(centre, [times(a, reach(a)), times(b, wide), times(normal, 0.5 * thick)]);
        let is_floor = self.space == Space::Plane || dot(normal, self.up) > 0.5;
        Painted { mesh, colour: Colour::PALE, opacity: if is_floor { 1.0 } else { CLEAR } }
    }
}
