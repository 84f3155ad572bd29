//! Lagrange's equations d/dt ∂T/∂v − ∂T/∂q + ∂V/∂q = F as M v̇ + h = 0, h = B + G − F.
//!
//! For a body with mass m, inertia I, Jacobians J of its centre and J_ω of its angular velocity (body frame),
//! accelerations a and α at v̇ = 0:
//!
//! ```text
//! M = m JᵀJ + J_ωᵀ I J_ω
//! B = m Jᵀa + J_ωᵀ (I α + ω × I ω)
//! G = −m Jᵀg
//! F = (∂r/∂q)ᵀ f          force f at the point r
//!     J_ω0ᵀ τ             torque τ, J_ω0 in the inertial frame
//! ```
//!
//! which equals Lagrange's equations and keeps the chain's structure. For energies given directly,
//!
//! ```text
//! M = ∂²T/∂v∂v,  B = d/dt ∂T/∂v at v̇ = 0 − ∂T/∂q,  G = ∂V/∂q .
//! ```

use super::algebra::Algebra;
use super::frames::Frames;
use super::function::Operation;
use super::motion::{Motion, Rigid, motion};
use super::quaternion::Quaternion;
use super::terms::{Terms, cross, dot, minus};
use crate::derive::error::DeriveError;
use crate::expression::{Expr, Node, Symbol};
use crate::format::{Body, Force, Inertia, Mechanism, Pose, Rotation};
use symbolica::atom::{Atom, AtomCore};

/// M (lower triangle by rows), the parts of h, and the energies.
pub(super) struct Dynamics {
    pub(super) mass: Vec<Terms>,
    pub(super) inertial: Vec<Terms>,
    pub(super) potential: Vec<Terms>,
    pub(super) applied: Vec<Terms>,
    pub(super) kinetic_energy: Terms,
    pub(super) potential_energy: Terms,
}

fn empty(count: usize) -> Vec<Terms> {
    (0..count).map(|_| Terms::default()).collect()
}

/// The equations of motion, and the motion of the bodies they came from.
pub(super) fn dynamics(
    algebra: &mut Algebra,
    mechanism: &Mechanism,
    frames: &Frames,
    is_link: impl Fn(usize) -> bool,
) -> Result<(Dynamics, Vec<Motion>), DeriveError> {
    let n = algebra.coordinates();
    let mut equations = Dynamics {
        mass: empty(n * (n + 1) / 2),
        inertial: empty(n),
        potential: empty(n),
        applied: empty(n),
        kinetic_energy: Terms::default(),
        potential_energy: Terms::default(),
    };
    let gravity = algebra.atoms(&mechanism.gravity);
    let mut motions = Vec::new();
    for (i, body) in mechanism.bodies.iter().enumerate() {
        if let (true, Some(place)) = (is_link(i), frames.bodies[i]) {
            motions.push(Motion::of_frame(algebra, &frames.all[place]));
            continue;
        }
        let (motion, rigid) = motion(algebra, mechanism, frames, body)?;
        let mass = algebra.atom(&body.mass);
        equations.translation(&mass, &gravity, &motion.position, &rigid);
        let inertia = inertia(algebra, body);
        equations.rotation(&inertia, &rigid);
        motions.push(motion);
    }
    equations.energies(algebra, mechanism);
    for pose in mechanism.frames.iter().map(|f| &f.pose).chain(mechanism.bodies.iter().map(|b| &b.pose)) {
        equations.length_of_quaternion(algebra, mechanism, pose);
    }
    for force in &mechanism.forces {
        equations.force(algebra, force, frames, &motions)?;
    }
    Ok((equations, motions))
}

/// The inertia matrix in the body frame; 1×1 in the plane.
pub(super) fn inertia(algebra: &mut Algebra, body: &Body) -> Vec<Vec<Atom>> {
    match &body.inertia {
        Inertia::Scalar(about) => vec![vec![algebra.atom(about)]],
        Inertia::Diagonal(principal) => {
            let principal = algebra.atoms(principal);
            let entry = |i: usize, j: usize| if i == j { principal[i].clone() } else { Atom::num(0) };
            (0..3).map(|i| (0..3).map(|j| entry(i, j)).collect()).collect()
        }
        Inertia::Full(rows) => rows.iter().map(|row| algebra.atoms(row)).collect(),
    }
}

impl Dynamics {
    /// m JᵀJ, m Jᵀa, −m Jᵀg and the energies of the centre of mass.
    fn translation(&mut self, mass: &Atom, gravity: &[Atom], position: &[Atom], rigid: &Rigid) {
        let half = mass / Atom::num(2);
        for (c, row) in rigid.centre.jacobian.iter().enumerate() {
            self.quadratic(mass, row, row);
            let velocity = &rigid.centre.velocity[c];
            self.kinetic_energy.push(&half, velocity, velocity);
            for (i, entry) in row.iter().enumerate() {
                self.inertial[i].push(mass, entry, &rigid.centre.acceleration[c]);
            }
            let Some(pull) = gravity.get(c) else { continue };
            let lift = -pull.clone();
            self.potential_energy.push(mass, &lift, &position[c]);
            for (i, entry) in row.iter().enumerate() {
                self.potential[i].push(mass, entry, &lift);
            }
        }
    }

    /// J_ωᵀ I J_ω, J_ωᵀ(I α + ω × I ω) and ½ ωᵀ I ω.
    fn rotation(&mut self, inertia: &[Vec<Atom>], rigid: &Rigid) {
        let spin = &rigid.body_spin;
        for (a, row) in inertia.iter().enumerate() {
            for (b, entry) in row.iter().enumerate() {
                let half = entry / Atom::num(2);
                self.kinetic_energy.push(&half, &spin.velocity[a], &spin.velocity[b]);
                self.quadratic(entry, &spin.jacobian[a], &spin.jacobian[b]);
                for (i, column) in spin.jacobian[a].iter().enumerate() {
                    self.inertial[i].push(entry, column, &spin.acceleration[b]);
                }
            }
        }
        if let [_, _, _] = spin.velocity[..] {
            let momentum: Vec<Atom> = inertia.iter().map(|row| dot(row, &spin.velocity)).collect();
            for (a, moment) in cross(&spin.velocity, &momentum).iter().enumerate() {
                for (i, column) in spin.jacobian[a].iter().enumerate() {
                    self.inertial[i].push(&Atom::num(1), column, moment);
                }
            }
        }
    }

    /// weight · leftᵀ right into the lower triangle of M. The factor of the smaller index is the left one: in a
    /// chain it is the one that more bodies share.
    fn quadratic(&mut self, weight: &Atom, left: &[Atom], right: &[Atom]) {
        let places = (0..left.len()).flat_map(|i| (0..=i).map(move |j| (i, j)));
        for ((i, j), terms) in places.zip(&mut self.mass) {
            terms.push(weight, &left[j], &right[i]);
        }
    }

    /// Energies given directly.
    fn energies(&mut self, algebra: &mut Algebra, mechanism: &Mechanism) {
        if let Some(kinetic) = &mechanism.energy.kinetic {
            let kinetic = algebra.atom(kinetic);
            self.kinetic(algebra, &kinetic);
        }
        if let Some(potential) = &mechanism.energy.potential {
            let potential = algebra.atom(potential);
            self.potential(algebra, &potential);
        }
    }

    /// T, quadratic in the velocities.
    fn kinetic(&mut self, algebra: &Algebra, kinetic: &Atom) {
        let momenta: Vec<Atom> = (0..algebra.coordinates()).map(|i| algebra.by_rate(kinetic, i)).collect();
        let one = Atom::num(1);
        let places = (0..momenta.len()).flat_map(|i| (0..=i).map(move |j| (i, j)));
        for ((i, j), terms) in places.zip(&mut self.mass) {
            terms.push(&one, &one, &algebra.by_rate(&momenta[i], j));
        }
        for (i, momentum) in momenta.iter().enumerate() {
            let inertial = algebra.rate_of(momentum) - algebra.by_coordinate(kinetic, i);
            self.inertial[i].push(&one, &one, &inertial);
        }
        self.kinetic_energy.push(&one, &one, kinetic);
    }

    /// V.
    fn potential(&mut self, algebra: &Algebra, potential: &Atom) {
        let one = Atom::num(1);
        for (i, force) in algebra.gradient(potential).iter().enumerate() {
            self.potential[i].push(&one, &one, force);
        }
        self.potential_energy.push(&one, &one, potential);
    }

    /// ½ J (d|e|/dt)² of a quaternion whose four parts are coordinates, with J = 4/3 of the sum of the moments of inertia
    /// of what it turns, so that M is as well conditioned along |e| as across it.
    fn length_of_quaternion(&mut self, algebra: &mut Algebra, mechanism: &Mechanism, pose: &Pose) {
        let Rotation::Quaternion(parts) = &pose.rotation else { return };
        let is_coordinate = |x: &Expr| matches!(x.node, Node::Symbol(Symbol::Coordinate(_)));
        if !parts.iter().all(is_coordinate) {
            return;
        }
        let inertia = moments(algebra, mechanism, pose) * Atom::num(4) / Atom::num(3);
        let quaternion = Quaternion::new(algebra.atoms(parts.as_slice()));
        let rates: Vec<Atom> = quaternion.parts.iter().map(|x| algebra.rate_of(x)).collect();
        let along = dot(&quaternion.parts, &rates);
        let kinetic = inertia * &along * &along / (quaternion.square() * Atom::num(2));
        self.kinetic(algebra, &kinetic);
    }

    /// The generalised forces of an applied force.
    fn force(
        &mut self,
        algebra: &mut Algebra,
        force: &Force,
        frames: &Frames,
        motions: &[Motion],
    ) -> Result<(), DeriveError> {
        match force {
            Force::Point { point, force } => {
                let (point, force) = (frames.position(algebra, point)?, frames.direction(algebra, force)?);
                let jacobian: Vec<Vec<Atom>> = point.iter().map(|x| algebra.gradient(x)).collect();
                self.work(&jacobian, &force);
            }
            Force::Torque { body, torque } => {
                let torque = frames.direction(algebra, torque)?;
                let motion = motions.get(*body);
                let motion =
                    motion.ok_or_else(|| DeriveError::Shape { what: "the list of bodies".into() })?;
                self.work(&motion.spin_jacobian, &torque);
            }
            Force::Coordinate { coordinate, value } => {
                let value = algebra.atom(value);
                self.applied[*coordinate].push(&Atom::num(1), &Atom::num(1), &value);
            }
            Force::Spring { ends, stiffness, rest, damping, limit } => {
                let (one, other) = (frames.position(algebra, &ends[0])?, frames.position(algebra, &ends[1])?);
                let between = minus(&one, &other);
                let square = dot(&between, &between);
                let [stiffness, rest, damping] = [stiffness, rest, damping].map(|x| algebra.atom(x));
                if rest.is_zero() && damping.is_zero() && limit.is_none() {
                    // smooth where the ends meet too
                    self.potential(algebra, &(stiffness * square / Atom::num(2)));
                } else {
                    let length = algebra.sqrt(square);
                    self.spring(algebra, &length, [stiffness, rest, damping], limit.as_ref());
                }
            }
            Force::Torsion { angle, stiffness, rest, damping, limit } => {
                let angle = algebra.atom(angle);
                let strengths = [stiffness, rest, damping].map(|x| algebra.atom(x));
                self.spring(algebra, &angle, strengths, limit.as_ref());
            }
        }
        Ok(())
    }

    /// V = k (s − s₀)²/2 and F = −c ṡ ∂s/∂q of a spring and damper along s; of a motor, whose force is bounded, F = f ∂s/∂q with
    /// f = −k (s − s₀) − c ṡ within ± its limit.
    fn spring(
        &mut self,
        algebra: &mut Algebra,
        s: &Atom,
        [stiffness, rest, damping]: [Atom; 3],
        limit: Option<&Expr>,
    ) {
        let (stretch, damper) = (s - rest, -(damping * algebra.rate_of(s)));
        let pull = match limit {
            Some(limit) => {
                let limit = algebra.atom(limit);
                let below = algebra.apply(Operation::Min, vec![limit.clone(), damper - stiffness * stretch]);
                algebra.apply(Operation::Max, vec![-limit, below])
            }
            None => {
                self.potential(algebra, &(stiffness * stretch.pow(2) / Atom::num(2)));
                damper
            }
        };
        for (terms, slope) in self.applied.iter_mut().zip(algebra.gradient(s)) {
            terms.push(&Atom::num(1), &slope, &pull);
        }
    }

    /// Jᵀ f.
    fn work(&mut self, jacobian: &[Vec<Atom>], force: &[Atom]) {
        for (row, component) in jacobian.iter().zip(force) {
            for (terms, entry) in self.applied.iter_mut().zip(row) {
                terms.push(&Atom::num(1), entry, component);
            }
        }
    }

    /// h_i = B_i + G_i − F_i as one sum.
    pub(super) fn bias(&self, i: usize) -> Terms {
        let mut bias = Terms::default();
        for term in self.inertial[i].0.iter().chain(&self.potential[i].0) {
            bias.push(&term.weight, &term.left, &term.right);
        }
        for term in &self.applied[i].0 {
            bias.push(&term.weight, &term.left, &-term.right.clone());
        }
        bias
    }
}

/// The sum of the moments of inertia, about its origin and in no particular axes, of what a pose turns: bodies in its frame
/// and the frames below.
fn moments(algebra: &mut Algebra, mechanism: &Mechanism, pose: &Pose) -> Atom {
    let mut sum = Atom::num(0);
    for body in &mechanism.bodies {
        let parent = |p: &&Pose| p.parent.and_then(|i| mechanism.frames.get(i)).map(|f| &f.pose);
        let above = std::iter::successors(Some(&body.pose), parent);
        if !above.into_iter().any(|p| std::ptr::eq(p, pose)) {
            continue;
        }
        let inertia = inertia(algebra, body);
        sum = (0..inertia.len()).fold(sum, |sum, i| sum + &inertia[i][i]);
        if !std::ptr::eq(&body.pose, pose) {
            let centre = algebra.atoms(&body.pose.origin);
            if centre.iter().all(|x| algebra.is_constant(x)) {
                sum += algebra.atom(&body.mass) * dot(&centre, &centre) * Atom::num(2);
            }
        }
    }
    sum
}

/// A body whose equations follow along the tree of frames.
pub(super) struct Link {
    /// Its place among the frames.
    pub(super) place: usize,
    pub(super) mass: Atom,
    /// In its own axes; 1×1 in the plane.
    pub(super) inertia: Vec<Vec<Atom>>,
}

/// The bodies that are links.
pub(super) fn links(
    algebra: &mut Algebra,
    mechanism: &Mechanism,
    frames: &Frames,
    is_link: impl Fn(usize) -> bool,
) -> Vec<Link> {
    let mut links = Vec::new();
    for (i, body) in mechanism.bodies.iter().enumerate() {
        if let (true, Some(place)) = (is_link(i), frames.bodies[i]) {
            links.push(Link { place, mass: algebra.atom(&body.mass), inertia: inertia(algebra, body) });
        }
    }
    links
}
