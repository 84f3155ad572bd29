//! Who is where when, and what they look like.

use super::mesh::Mesh;
use crate::plot::mechanism::place::{Vector, cross, dot, unit};
use crate::plot::style::Colour;
use crate::scene::Quaternion;
pub(super) use crate::scene::vector::quaternion as turn;

/// A mesh in one colour, of which some may be seen through.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Painted {
    pub(super) mesh: Mesh,
    pub(super) colour: Colour,
    /// From 0, which nobody sees, to 1.
    pub(super) opacity: f64,
}

impl Painted {
    pub(super) fn solid(mesh: Mesh, colour: Colour) -> Self {
        Self { mesh, colour, opacity: 1.0 }
    }
}

/// Where something is, and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) place: Vector,
    /// The real part first.
    pub(super) turn: Quaternion,
}

/// A body or a surface.
pub(super) struct Actor {
    pub(super) name: String,
    /// By its number in the film.
    pub(super) look: usize,
    /// Its size where its look has size one, along its axes.
    pub(super) scale: Vector,
    /// At each time, or once if it never moves.
    pub(super) placed: Vec<Placed>,
}

/// What happened.
pub(super) struct Note {
    pub(super) t: f64,
    pub(super) what: String,
}

/// A motion to be shown.
pub(super) struct Film {
    pub(super) title: String,
    /// s, from 0.
    pub(super) times: Vec<f64>,
    /// What actors look like: several may look the same.
    pub(super) looks: Vec<Vec<Painted>>,
    pub(super) actors: Vec<Actor>,
    /// Against gravity.
    pub(super) up: Vector,
    pub(super) notes: Vec<Note>,
}

impl Actor {
    /// Leaves one place of an actor that never moves, and signs of rotations by which each is the near one of the one before.
    pub(super) fn settle(&mut self) {
        for k in 1..self.placed.len() {
            let before = self.placed[k - 1].turn;
            let now = &mut self.placed[k].turn;
            if before.iter().zip(*now).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
                *now = now.map(|x| -x);
            }
        }
        if self.placed.iter().all(|placed| *placed == self.placed[0]) {
            self.placed.truncate(1);
        }
    }
}

/// The rotation by which a direction becomes that of y.
pub(super) fn upright(up: Vector) -> Quaternion {
    // where it is y already nothing turns, so that the plane is seen from the front
    if dot(up, [0.0, 1.0, 0.0]) > 1.0 - f64::EPSILON.sqrt() {
        return [1.0, 0.0, 0.0, 0.0];
    }
    let right = if up[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let toward = unit(cross(right, up));
    let right = cross(up, toward);
    // rows that lead from the axes of the mechanism to those of the viewer
    let rows = [right, up, toward];
    turn([0, 1, 2].map(|k| rows.map(|row| row[k])))
}

#[cfg(test)]
mod tests {
    use super::{Actor, Placed, turn, upright};
    use crate::format::Axes;
    use crate::plot::mechanism::place::{Vector, cross, length, minus, plus, times};

    /// v + 2 w u × v + 2 u × (u × v), the rotation of a vector by a quaternion.
    fn rotated([w, x, y, z]: [f64; 4], v: Vector) -> Vector {
        let u = [x, y, z];
        let once = times(cross(u, v), 2.0);
        plus(v, plus(times(once, w), cross(u, once)))
    }

    #[test]
    fn turns_are_those_of_the_axes() {
        for angles in
            [[0.0; 3], [0.4, 0.7, -1.1], [3.1, 0.2, 0.1], [0.1, 3.1, 0.2], [0.1, 0.2, 3.1], [2.0, -3.0, 1.5]]
        {
            let axes = (0..3).fold(Axes::inertial(), |axes, k| axes.about(k, angles[k])).axes;
            let q = turn(axes);
            for (k, axis) in axes.into_iter().enumerate() {
                let own: Vector = std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
                assert!(length(minus(rotated(q, own), axis)) < 1e-14);
            }
        }
        for up in [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, -0.6, 0.8], [0.0, -1.0, 0.0]] {
            assert!(length(minus(rotated(upright(up), up), [0.0, 1.0, 0.0])) < 1e-14, "{up:?}");
        }
    }

    #[test]
    fn signs_follow_each_other_and_what_stands_still_is_there_once() {
        let placed = |turn| Placed { place: [0.0; 3], turn };
        let own = |turns: &[[f64; 4]]| {
            let placed = turns.iter().map(|turn| placed(*turn)).collect();
            let mut actor = Actor { name: String::new(), look: 0, scale: [1.0; 3], placed };
            actor.settle();
            actor.placed
        };
        assert_eq!(own(&[[1.0, 0.0, 0.0, 0.0], [-0.6, -0.8, 0.0, 0.0]])[1], placed([0.6, 0.8, 0.0, 0.0]));
        assert_eq!(own(&[[1.0, 0.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0]]).len(), 1);
    }
}
