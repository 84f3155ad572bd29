//! The incremental problem of a step: M v + f = Hᵀ r, u = H v + w [ACLM11 (4)] with M block-diagonal, f = −M v_free, and for a contact
//! of body a with b, normal n towards a, arms r_a and r_b,
//!
//! u_d = d·(v_a − v_b) + (r_a × d)·ω_a − (r_b × d)·ω_b for d = n and the tangents,
//!
//! of which w has the velocity of a surface and e u_N before the step: Newton's law by Moreau's rule, u_N⁺ + e u_N⁻ ≥ 0. After the free bodies
//! every mechanism has a block of M and its own unknowns, of which the velocities of its links are functions ([`Linkage`]).

use super::body::{Body, Posed, Solid};
use super::detect::{Other, SceneContact};
use super::linkage::{Linkage, Row};
use super::surface::{Obstacle, Pose};
use super::vector::{Vector, cross, dot, inside, length, tangents};
use crate::coulomb::Draft;
use crate::format::scene::Law;
use crate::linear::Sparse;
use crate::num::{Tol, dense};

/// What a step is made of.
pub(super) struct Given<'a> {
    /// 2 or 3.
    pub(super) dim: usize,
    pub(super) bodies: &'a [Body],
    /// Where contacts were looked for.
    pub(super) posed: &'a [Posed],
    /// Velocity and spin of each free body without contact; links are the bodies after these.
    pub(super) free: &'a [(Vector, Vector)],
    pub(super) linkages: &'a [Linkage],
    pub(super) obstacles: &'a [Obstacle],
    pub(super) poses: &'a [Pose],
    /// Laws between kinds of bodies followed by surfaces, row by row.
    pub(super) laws: &'a [Law],
    /// Groups and mechanisms.
    pub(super) kinds: usize,
}

/// What a row has beside H y: all of its velocity before the step, and what of that at the end does not come from the unknowns y.
#[derive(Clone, Copy, Debug, Default)]
struct Beside {
    before: f64,
    rest: f64,
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
        global.Ht.clear(global.f.len());
        global.w.clear();
        for touch in touches {
            self.rows(touch, &mut global.Ht, &mut global.w);
        }
    }

    fn inertia(&self, M: &mut Sparse, f: &mut Vec<f64>) {
        M.clear(self.base(self.linkages.len()));
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
        for Linkage { flight, .. } in self.linkages {
            let base = f.len();
            for row in flight.matrix.rows() {
                let entries = row.iter().enumerate().filter(|(_, x)| x.abs() > 0.0 || x.is_nan());
                entries.for_each(|(k, x)| M.push(base + k, *x));
                M.end_column();
                f.push(-dense::dot(row, &flight.free));
            }
        }
    }

    /// The first unknown of a mechanism; after the last one, the number of all.
    fn base(&self, linkage: usize) -> usize {
        let before = self.linkages[..linkage].iter().map(|linkage| linkage.flight.free.len());
        self.own() * self.free.len() + before.sum::<usize>()
    }

    /// The mechanism of a link; none of a free body.
    fn linkage_of(&self, body: usize) -> Option<usize> {
        (body >= self.free.len()).then(|| self.bodies[body].group + self.linkages.len() - self.kinds)
    }

    /// The law of a contact.
    pub(super) fn law(&self, touch: &SceneContact) -> Law {
        let other = match touch.other {
            Other::Body(other) => self.bodies[other].group,
            Other::Piece(piece) => self.kinds + self.obstacles[piece].surface,
            Other::Declared(contact) => {
                let declared = self.linkage_of(touch.body).map(|k| *self.linkages[k].own(contact).1);
                let [friction, restitution] =
                    declared.map_or([0.0; 2], |law| [law.friction, law.restitution]);
                return Law { friction, restitution };
            }
        };
        let members = self.laws.len() / self.kinds;
        self.laws[self.bodies[touch.body].group * members + other]
    }

    /// Whether a link is one of the two that touch.
    pub(super) fn is_of_link(&self, touch: &SceneContact) -> bool {
        let other = matches!(touch.other, Other::Body(other) if other >= self.free.len());
        touch.body >= self.free.len() || other
    }

    /// Whether w is zero at a contact.
    pub(super) fn may_stand(&self, touch: &SceneContact) -> bool {
        let (mut Ht, mut w) = (Sparse::default(), Vec::new());
        self.rows(touch, &mut Ht, &mut w);
        w.iter().all(|w| w.abs() <= 0.0)
    }

    /// The columns of Hᵀ of a contact, and its part of w.
    fn rows(&self, touch: &SceneContact, Ht: &mut Sparse, w: &mut Vec<f64>) {
        if let Other::Declared(contact) = touch.other {
            return self.declared(touch.body, contact, (Ht, w));
        }
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
            let mut beside = Beside::default();
            self.part(Ht, (touch.body, d, touch.arms[0]), 1.0, &mut beside);
            match touch.other {
                Other::Body(other) => self.part(Ht, (other, d, touch.arms[1]), -1.0, &mut beside),
                Other::Piece(piece) => {
                    let own = dot(d, self.surface_velocity(piece, touch.arms[1]));
                    beside.before -= own;
                    beside.rest -= own;
                }
                Other::Declared(_) => {}
            }
            Ht.end_column();
            w.push(if row == 0 { beside.rest + e * beside.before } else { beside.rest });
        }
    }

    /// The same of a contact that a mechanism's own file declares, with restitution along its tangents too.
    fn declared(&self, body: usize, contact: usize, (Ht, w): (&mut Sparse, &mut Vec<f64>)) {
        let Some(number) = self.linkage_of(body) else { return };
        let linkage = &self.linkages[number];
        let (_, law) = linkage.own(contact);
        for k in 0..self.dim {
            let mut beside = Beside::default();
            self.add(Ht, (number, &linkage.own_row(contact, k)), 1.0, &mut beside);
            Ht.end_column();
            let e = if k == 0 { law.restitution } else { law.tangential };
            w.push(beside.rest + e * beside.before);
        }
    }

    /// Adds the entries of a mechanism to a column of Hᵀ.
    fn add(&self, Ht: &mut Sparse, (number, row): (usize, &Row), sign: f64, beside: &mut Beside) {
        let (linkage, base) = (&self.linkages[number], self.base(number));
        let mut entries = Vec::new();
        let offset = linkage.flight.row(&row.slopes, &mut entries);
        for (k, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.abs() > 0.0) {
            Ht.push(base + k, sign * entry);
        }
        beside.before += sign * linkage.before(row);
        beside.rest += sign * (row.explicit + offset);
    }

    /// Adds the entries of a body that is pushed along d at an arm to a column of Hᵀ.
    fn part(
        &self,
        Ht: &mut Sparse,
        (number, d, arm): (usize, Vector, Vector),
        sign: f64,
        beside: &mut Beside,
    ) {
        let (body, base) = (&self.bodies[number], self.own() * number);
        let torque = self.torque(number, d, arm);
        if let Some(linkage) = self.linkage_of(number) {
            let row = self.linkages[linkage].link_row(number, d, torque);
            return self.add(Ht, (linkage, &row), sign, beside);
        }
        let turning = inside(&self.posed[number].axes, torque);
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
        beside.before += u;
    }

    /// The unknowns of a mechanism in the numbers of a solution.
    pub(super) fn unknowns<'v>(&self, v: &'v [f64], linkage: usize) -> &'v [f64] {
        &v[self.base(linkage)..self.base(linkage + 1)]
    }

    /// Velocity of a surface, by the number of its piece, at a place.
    pub(super) fn surface_velocity(&self, piece: usize, place: Vector) -> Vector {
        self.poses[self.obstacles[piece].surface].velocity_at(place)
    }

    /// What a unit force along d at an arm of a body turns it by.
    fn torque(&self, number: usize, d: Vector, arm: Vector) -> Vector {
        // a normal through the centre turns nothing, and rounding should not either
        let central = matches!(self.bodies[number].solid, Solid::Round(_))
            && dot(arm, d).abs() >= (1.0 - Tol::default().noise) * length(arm);
        if central { [0.0; 3] } else { cross(arm, d) }
    }

    /// How the rate along d of the point at an arm of a free body goes with its spin.
    pub(super) fn turning(&self, number: usize, d: Vector, arm: Vector) -> Vector {
        inside(&self.posed[number].axes, self.torque(number, d, arm))
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
