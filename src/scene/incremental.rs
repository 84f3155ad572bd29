//! The incremental problem of a step: M v + f = Hᵀ r, u = H v + w [ACLM11 (4)] with M block-diagonal, f = −M v_free, and for a contact
//! of body a with b, normal n towards a, arms r_a and r_b,
//!
//! u_d = d·(v_a − v_b) + (r_a × d)·ω_a − (r_b × d)·ω_b for d = n and the tangents,
//!
//! of which w has the velocity of a surface and e u_N before the step: Newton's law by Moreau's rule, u_N⁺ + e u_N⁻ ≥ 0.

use super::body::{Body, Posed, Solid};
use super::detect::{Other, SceneContact};
use super::surface::{Obstacle, Pose};
use super::vector::{Vector, cross, dot, inside, length, tangents};
use crate::coulomb::Draft;
use crate::format::scene::Law;
use crate::linear::Sparse;
use crate::num::Tol;

/// What a step is made of.
pub(super) struct Given<'a> {
    /// 2 or 3.
    pub(super) dim: usize,
    pub(super) bodies: &'a [Body],
    /// Where contacts were looked for.
    pub(super) posed: &'a [Posed],
    /// Velocity and spin of each body without contact.
    pub(super) free: &'a [(Vector, Vector)],
    pub(super) obstacles: &'a [Obstacle],
    pub(super) poses: &'a [Pose],
    /// Laws between groups followed by surfaces, row by row.
    pub(super) laws: &'a [Law],
    pub(super) groups: usize,
}

impl Given<'_> {
    /// Numbers of a body's velocity.
    fn own(&self) -> usize {
        if self.dim == 2 { 3 } else { 6 }
    }

    /// Writes the problem of these contacts.
    pub(super) fn write(&self, touches: &[SceneContact], draft: &mut Draft) {
        let Draft { dim, keys, mu, global } = draft;
        *dim = self.dim;
        keys.clear();
        keys.extend(touches.iter().map(|touch| touch.key(self.bodies.len())));
        mu.clear();
        mu.extend(touches.iter().map(|touch| self.law(touch).friction));
        self.inertia(&mut global.M, &mut global.f);
        global.Ht.clear(self.own() * self.bodies.len());
        global.w.clear();
        for touch in touches {
            self.rows(touch, &mut global.Ht, &mut global.w);
        }
    }

    fn inertia(&self, M: &mut Sparse, f: &mut Vec<f64>) {
        M.clear(self.own() * self.bodies.len());
        f.clear();
        for (body, (velocity, spin)) in self.bodies.iter().zip(self.free) {
            let moving = (0..self.dim).map(|k| (body.mass, velocity[k]));
            let first = if self.dim == 2 { 2 } else { 0 };
            let turning = (first..3).map(|k| (body.inertia[k], spin[k]));
            for (inertia, v) in moving.chain(turning) {
                M.push(f.len(), inertia);
                M.end_column();
                f.push(-inertia * v);
            }
        }
    }

    /// The law of a contact.
    pub(super) fn law(&self, touch: &SceneContact) -> Law {
        let other = match touch.other {
            Other::Body(other) => self.bodies[other].group,
            Other::Piece(piece) => self.groups + self.obstacles[piece].surface,
        };
        let members = self.laws.len() / self.groups;
        self.laws[self.bodies[touch.body].group * members + other]
    }

    /// The columns of Hᵀ of a contact, and its part of w.
    fn rows(&self, touch: &SceneContact, Ht: &mut Sparse, w: &mut Vec<f64>) {
        let n = touch.normal;
        let frame = match self.dim {
            2 => [n, [n[1], -n[0], 0.0], [0.0; 3]],
            _ => {
                let [s, t] = tangents(n);
                [n, s, t]
            }
        };
        let e = self.law(touch).restitution;
        for (row, &d) in frame[..self.dim].iter().enumerate() {
            let mut before = self.part(Ht, touch.body, (d, touch.arms[0]), 1.0);
            let mut own = 0.0;
            match touch.other {
                Other::Body(other) => before += self.part(Ht, other, (d, touch.arms[1]), -1.0),
                Other::Piece(piece) => {
                    own = -dot(d, self.poses[self.obstacles[piece].surface].velocity_at(touch.arms[1]));
                }
            }
            Ht.end_column();
            w.push(if row == 0 { own + e * (before + own) } else { own });
        }
    }

    /// Adds the entries of one body to a column of Hᵀ; the velocity that it has along the row before the step.
    fn part(&self, Ht: &mut Sparse, number: usize, (d, arm): (Vector, Vector), sign: f64) -> f64 {
        let (body, base) = (&self.bodies[number], self.own() * number);
        let turning = self.turning(number, d, arm);
        let mut u = 0.0;
        let mut add = |row: usize, entry: f64, v: f64| {
            if entry.abs() > 0.0 {
                Ht.push(row, sign * entry);
                u += sign * entry * v;
            }
        };
        (0..self.dim).for_each(|k| add(base + k, d[k], body.velocity[k]));
        match self.dim {
            2 => add(base + 2, turning[2], body.spin[2]),
            _ => (0..3).for_each(|k| add(base + 3 + k, turning[k], body.spin[k])),
        }
        u
    }

    /// How the rate along d of the point at an arm of a body goes with its spin.
    pub(super) fn turning(&self, number: usize, d: Vector, arm: Vector) -> Vector {
        // a normal through the centre turns nothing, and rounding should not either
        let central = matches!(self.bodies[number].solid, Solid::Round(_))
            && dot(arm, d).abs() >= (1.0 - Tol::default().noise) * length(arm);
        if central { [0.0; 3] } else { inside(&self.posed[number].axes, cross(arm, d)) }
    }

    /// The velocity of a body in the numbers of a solution.
    pub(super) fn velocity(&self, v: &[f64], number: usize) -> (Vector, Vector) {
        let own = &v[self.own() * number..self.own() * (number + 1)];
        match own {
            [x, y, spin] => ([*x, *y, 0.0], [0.0, 0.0, *spin]),
            [x, y, z, a, b, c] => ([*x, *y, *z], [*a, *b, *c]),
            _ => ([0.0; 3], [0.0; 3]),
        }
    }
}
