//! Heaps of bodies of any size, as contact kinematics: walls of bricks in the plane, lattices of balls in space.

use mechan::existence::{Kinematics, Rows};

/// What holds a heap at its sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sides {
    /// Nothing.
    Free,
    /// Two walls, the right one with this velocity along x (negative squeezes).
    Walls(f64),
}

/// A growing list of contacts between bodies with `3` (plane) or `6` (space) velocities each.
struct Contacts {
    dim: usize,
    triplets: Vec<(usize, usize, f64)>,
    w: Vec<f64>,
}

impl Contacts {
    fn new(dim: usize) -> Self {
        Self { dim, triplets: Vec::new(), w: Vec::new() }
    }

    /// Contact at `arm`, relative to the centre of `body` (sign 1) or its partner (sign −1), along an orthonormal frame.
    fn side(&mut self, body: usize, sign: f64, frame: &[[f64; 3]], arm: [f64; 3]) {
        let first = self.w.len() - self.dim;
        for (k, e) in frame.iter().enumerate() {
            // e·(V + Ω × arm) = e·V + (arm × e)·Ω
            let moment = cross(arm, *e);
            let row: Vec<f64> = match self.dim {
                2 => vec![e[0], e[1], moment[2]],
                _ => e.iter().chain(&moment).copied().collect(),
            };
            let size = row.len();
            let entry = |(j, x): (usize, f64)| (first + k, body * size + j, sign * x);
            self.triplets.extend(row.into_iter().enumerate().map(entry));
        }
    }

    fn open(&mut self, w: &[f64]) {
        self.w.extend(&w[..self.dim]);
    }

    fn finish(self, bodies: usize, mu: f64) -> Kinematics {
        let columns = bodies * if self.dim == 2 { 3 } else { 6 };
        let contacts = self.w.len() / self.dim;
        let jacobian = Rows::from_triplets(self.w.len(), columns, &self.triplets);
        Kinematics { dim: self.dim, H: jacobian, w: self.w, mu: vec![mu; contacts] }
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

const UP: [[f64; 3]; 2] = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
const RIGHT: [[f64; 3]; 2] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// A wall of `rows` courses of `columns` bricks (2 × 1, running bond: alternate courses shifted by half a brick),
/// every brick on four points of the course below (two at the free ends), and touching its right neighbour at two.
pub(crate) fn brick_wall(rows: usize, columns: usize, mu: f64, sides: Sides) -> Kinematics {
    let mut contacts = Contacts::new(2);
    let brick = |i: usize, j: usize| i * columns + j;
    for i in 0..rows {
        for j in 0..columns {
            bed(&mut contacts, i, j, columns, &brick);
            head(&mut contacts, i, j, columns, &brick, sides);
        }
    }
    contacts.finish(rows * columns, mu)
}

/// The bed joint of brick (i, j): points at −1, 0⁻, 0⁺, 1 of its lower face, as far as bricks are below.
fn bed(contacts: &mut Contacts, i: usize, j: usize, columns: usize, brick: &dyn Fn(usize, usize) -> usize) {
    for x in [-0.875, -0.125, 0.125, 0.875] {
        // Even courses are shifted to the right by half a brick (1.0) against odd ones.
        let shift = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let below = if x * shift > 0.0 { j as i64 + shift as i64 } else { j as i64 };
        if i > 0 && (below < 0 || below >= columns as i64) {
            continue;
        }
        contacts.open(&[0.0, 0.0]);
        contacts.side(brick(i, j), 1.0, &UP, [x, -0.5, 0.0]);
        if i > 0 {
            let offset = 2.0 * (below as f64 - j as f64) - shift;
            contacts.side(brick(i - 1, below as usize), -1.0, &UP, [x - offset, 0.5, 0.0]);
        }
    }
}

/// The head joint at the right of brick (i, j), and the walls at the ends of the course.
fn head(
    contacts: &mut Contacts,
    i: usize,
    j: usize,
    columns: usize,
    brick: &dyn Fn(usize, usize) -> usize,
    sides: Sides,
) {
    for y in [-0.375, 0.375] {
        if j + 1 < columns {
            contacts.open(&[0.0, 0.0]);
            contacts.side(brick(i, j + 1), 1.0, &RIGHT, [-1.0, y, 0.0]);
            contacts.side(brick(i, j), -1.0, &RIGHT, [1.0, y, 0.0]);
        }
        let Sides::Walls(speed) = sides else { continue };
        if j == 0 {
            contacts.open(&[0.0, 0.0]);
            contacts.side(brick(i, j), 1.0, &RIGHT, [-1.0, y, 0.0]);
        }
        if j + 1 == columns {
            contacts.open(&[speed, 0.0]);
            contacts.side(brick(i, j), -1.0, &RIGHT, [1.0, y, 0.0]);
        }
    }
}

const AXES: [[[f64; 3]; 3]; 3] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
];

/// size³ balls of radius 1/2 in a cubic lattice on the ground z = 0, touching their neighbours; with walls, the
/// ends of the first axis are held.
pub(crate) fn ball_lattice(size: usize, mu: f64, sides: Sides) -> Kinematics {
    let mut contacts = Contacts::new(3);
    let ball = |p: [usize; 3]| (p[0] * size + p[1]) * size + p[2];
    for k in 0..size.pow(3) {
        let p = [k / (size * size), k / size % size, k % size];
        for (axis, frame) in AXES.iter().enumerate() {
            let arm = |sign: f64| frame[0].map(|x| sign * 0.5 * x);
            if p[axis] > 0 {
                let mut below = p;
                below[axis] -= 1;
                contacts.open(&[0.0; 3]);
                contacts.side(ball(p), 1.0, frame, arm(-1.0));
                contacts.side(ball(below), -1.0, frame, arm(1.0));
            } else if axis == 2 || (axis == 0 && sides != Sides::Free) {
                contacts.open(&[0.0; 3]);
                contacts.side(ball(p), 1.0, frame, arm(-1.0));
            }
            if let (Sides::Walls(speed), 0, true) = (sides, axis, p[axis] + 1 == size) {
                contacts.open(&[speed, 0.0, 0.0]);
                contacts.side(ball(p), -1.0, frame, arm(1.0));
            }
        }
    }
    contacts.finish(size.pow(3), mu)
}
