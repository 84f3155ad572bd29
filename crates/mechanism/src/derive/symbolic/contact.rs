//! The kinematics of contacts: gap, slip, and how both change.
//!
//! With N the unit normal, r the contact point and w the velocity of a material point at it:
//!
//! ```text
//! point on a surface   g = N·(r − s)                       slip = t·(ṙ − w_s)
//! ball on a surface    g = N·(c − s) − R,  r = c − R N     slip = t·(ċ + ω × (r − c) − w_s)
//! ellipsoid or rim     g = N·(c − s) − h,  r = c − Σ (N·s_k) s_k/h,  h = |(N·s_1, N·s_2, ..)|, slip as of a ball
//! two rounds           N = (c₁ − c₂)/|c₁ − c₂|, g = |c₁ − c₂| − R₁ − R₂,
//!                      slip = t·(ċ₁ − R₁ ω₁ × N − ċ₂ − R₂ ω₂ × N)
//! given                g, slip = d(displacement)/dt or the velocity itself
//! W_N = ∂g/∂q, rate_N = ∂g/∂t, drift_N = d²g/dt² at v̇ = 0
//! W_T = ∂slip/∂v, rate_T = slip at v = 0, drift_T = d slip/dt at v̇ = 0
//! ```
//!
//! with the semi-axes s_k of the ellipsoid, two of a rim: h is the support function of {Σ x_k s_k : |x| = 1}, and r where it is
//! attained. r moves over the body; the slip is that of the material there, and dg/dt = N·(velocity of that material), since
//! the surface is touched along its tangents. A rim that lies flat (h = 0) touches everywhere: its slip is not a number.
//!
//! w_s is the given `velocity`, or that of the carrying body's material point at r, or that of the surface's
//! point s. A plane turning about s adds only what is proportional to the gap to it, and nothing where it closes.
//! The slip is a velocity and need not be the rate of anything. In the plane t = (N_y, −N_x).

use super::algebra::{Algebra, FrameForm};
use super::frames::Frames;
use super::motion::{Motion, material_velocity, spin_cross};
use super::reference::Reference;
use super::terms::{cross, dot, minus, plus, scale};
use crate::derive::error::DeriveError;
use crate::format::{
    Carrier, Constraint, ConstraintValue, Contact, Geometry, Outline, Round, Slip, Space, Surface,
};
use symbolica::atom::{Atom, AtomCore};

/// A function of (t, q) held or watched: value, Jacobian, explicit rate, second rate at v̇ = 0.
pub(super) struct Holonomic {
    pub(super) value: Atom,
    pub(super) jacobian: Vec<Atom>,
    pub(super) rate: Atom,
    pub(super) drift: Atom,
}

/// A velocity linear in v: itself, Jacobian, rate at v̇ = 0.
pub(super) struct Sliding {
    pub(super) velocity: Atom,
    pub(super) jacobian: Vec<Atom>,
    pub(super) drift: Atom,
}

/// A contact: its gap, and its slip in each tangential direction.
pub(super) struct ContactEquations {
    pub(super) gap: Holonomic,
    pub(super) slips: Vec<Sliding>,
}

/// What the contacts are derived from.
pub(super) struct Scene<'a> {
    pub(super) space: Space,
    pub(super) frames: &'a Frames,
    pub(super) motions: &'a [Motion],
    pub(super) reference: &'a Reference,
}

fn holonomic(algebra: &Algebra, value: Atom) -> Holonomic {
    let drift = algebra.rate_of(&algebra.rate_of(&value));
    Holonomic { jacobian: algebra.gradient(&value), rate: algebra.by_time(&value), drift, value }
}

fn sliding(algebra: &Algebra, velocity: Atom) -> Sliding {
    let jacobian = (0..algebra.coordinates()).map(|i| algebra.by_rate(&velocity, i)).collect();
    Sliding { jacobian, drift: algebra.rate_of(&velocity), velocity }
}

/// A bilateral constraint φ(q, t) = 0.
pub(super) fn constraint(
    algebra: &mut Algebra,
    frames: &Frames,
    constraint: &Constraint,
) -> Result<Holonomic, DeriveError> {
    let value = match &constraint.value {
        ConstraintValue::Expression(value) => algebra.atom(value),
        ConstraintValue::Coincidence { points, axis } => {
            let (one, other) = (frames.position(algebra, &points[0])?, frames.position(algebra, &points[1])?);
            minus(&one, &other).swap_remove(*axis)
        }
    };
    Ok(holonomic(algebra, value))
}

/// The equations of a contact.
pub(super) fn contact(
    algebra: &mut Algebra,
    scene: &Scene<'_>,
    contact: &Contact,
) -> Result<ContactEquations, DeriveError> {
    let (gap, slips) = match &contact.geometry {
        Geometry::Point { point, surface } => {
            let point = scene.frames.position(algebra, point)?;
            let plane = Plane::new(algebra, scene, surface)?;
            let gap = dot(&plane.normal, &minus(&point, &plane.point));
            let velocity: Vec<Atom> = point.iter().map(|x| algebra.rate_of(x)).collect();
            let relative = minus(&velocity, &plane.velocity(algebra, scene, surface, &point)?);
            (gap, scene.slips(algebra, contact, &plane.normal, &relative)?)
        }
        Geometry::Round { round, surface } => {
            let body = RoundBody::new(algebra, scene, round)?;
            let plane = Plane::new(algebra, scene, surface)?;
            let (depth, arm) = deepest(algebra, scene, round, &plane.normal)?;
            let gap = dot(&plane.normal, &minus(&body.centre, &plane.point)) - depth;
            let point = plus(&body.centre, &arm);
            let relative =
                minus(&body.velocity(algebra, &arm), &plane.velocity(algebra, scene, surface, &point)?);
            (gap, scene.slips(algebra, contact, &plane.normal, &relative)?)
        }
        Geometry::RoundPair { round, other } => pair(algebra, scene, contact, round, other)?,
        Geometry::Direct { gap, slip } => (algebra.atom(gap), direct(algebra, slip)),
    };
    Ok(ContactEquations {
        gap: holonomic(algebra, gap),
        slips: slips.into_iter().map(|s| sliding(algebra, s)).collect(),
    })
}

fn pair(
    algebra: &mut Algebra,
    scene: &Scene<'_>,
    contact: &Contact,
    round: &Round,
    other: &Round,
) -> Result<(Atom, Vec<Atom>), DeriveError> {
    let (one, two) = (RoundBody::new(algebra, scene, round)?, RoundBody::new(algebra, scene, other)?);
    let between = minus(&one.centre, &two.centre);
    let distance = length(algebra, scene.reference, &between);
    let normal: Vec<Atom> = between.iter().map(|x| x / &distance).collect();
    let opposite: Vec<Atom> = normal.iter().map(|x| -x.clone()).collect();
    let (depth, arm) = deepest(algebra, scene, round, &normal)?;
    let (height, other_arm) = deepest(algebra, scene, other, &opposite)?;
    let gap = distance - depth - height;
    let first = one.velocity(algebra, &arm);
    let second = two.velocity(algebra, &other_arm);
    let slips = scene.slips(algebra, contact, &normal, &minus(&first, &second))?;
    Ok((gap, slips))
}

fn direct(algebra: &mut Algebra, slip: &Slip) -> Vec<Atom> {
    match slip {
        Slip::Displacement(displacements) => {
            algebra.atoms(displacements).iter().map(|x| algebra.rate_of(x)).collect()
        }
        Slip::Velocity(velocities) => algebra.atoms(velocities),
    }
}

/// A plane surface.
struct Plane {
    point: Vec<Atom>,
    normal: Vec<Atom>,
}

impl Plane {
    fn new(algebra: &mut Algebra, scene: &Scene<'_>, surface: &Surface) -> Result<Self, DeriveError> {
        let normal = algebra.atoms(&surface.normal.components);
        let point = scene.frames.position(algebra, &surface.point)?;
        // of unit length where it is given, so that turning it with a frame adds nothing
        let normal = unit(algebra, scene.reference, &normal);
        Ok(Plane { point, normal: scene.frames.seen(&surface.normal, normal)? })
    }

    /// The velocity of the surface's material at `at`.
    fn velocity(
        &self,
        algebra: &mut Algebra,
        scene: &Scene<'_>,
        surface: &Surface,
        at: &[Atom],
    ) -> Result<Vec<Atom>, DeriveError> {
        match (&surface.velocity, surface.carrier) {
            (Some(velocity), _) => scene.frames.direction(algebra, velocity),
            (None, Some(Carrier::Body(body))) => Ok(material_velocity(scene.motion(body)?, at)),
            (None, Some(carrier @ Carrier::Frame(_))) => {
                let frame = scene.frames.carrier(carrier)?;
                Ok(material_velocity(&Motion::of_frame(algebra, frame), at))
            }
            (None, None) => Ok(self.point.iter().map(|x| algebra.rate_of(x)).collect()),
        }
    }
}

/// How far a round body reaches from its centre against a direction, and where.
fn deepest(
    algebra: &mut Algebra,
    scene: &Scene<'_>,
    round: &Round,
    normal: &[Atom],
) -> Result<(Atom, Vec<Atom>), DeriveError> {
    if let Outline::Ball(radius) = &round.outline {
        let radius = algebra.atom(radius);
        let arm = scale(&-radius.clone(), normal);
        return Ok((radius, arm));
    }
    let body = round.body.ok_or_else(|| DeriveError::Shape { what: "the body of a rim".into() })?;
    let frame = scene.frames.carrier(Carrier::Body(body))?;
    let mut semi_axes = Vec::new();
    for (axis, radius) in round.outline.semi_axes() {
        semi_axes.push(scale(&algebra.atom(radius), &frame.axes[axis]));
    }
    let along: Vec<Atom> = semi_axes.iter().map(|s| dot(normal, s)).collect();
    let depth = match algebra.way {
        FrameForm::Kept => length(algebra, scene.reference, &along),
        // what people read: of a rim that turns about its axis the angle about it falls out
        FrameForm::Expanded => {
            let square = algebra.pythagoras_cos(&algebra.pythagoras(&dot(&along, &along).expand()));
            algebra.sqrt(square)
        }
    };
    let zero = vec![Atom::num(0); normal.len()];
    let arm = along.iter().zip(&semi_axes).fold(zero, |sum, (x, s)| minus(&sum, &scale(&(x / &depth), s)));
    Ok((depth, arm))
}

/// A round body: where it is and how it turns.
struct RoundBody {
    centre: Vec<Atom>,
    spin: Option<Vec<Atom>>,
}

impl RoundBody {
    fn new(algebra: &mut Algebra, scene: &Scene<'_>, round: &Round) -> Result<Self, DeriveError> {
        let motion = round.body.map(|body| scene.motion(body)).transpose()?;
        let centre = match (&round.centre, motion) {
            (Some(centre), _) => scene.frames.position(algebra, centre)?,
            (None, Some(motion)) => motion.position.clone(),
            (None, None) => return Err(DeriveError::Shape { what: "the centre of a disc".into() }),
        };
        Ok(RoundBody { centre, spin: motion.map(|m| m.spin.clone()) })
    }

    /// ċ + ω × arm.
    fn velocity(&self, algebra: &Algebra, arm: &[Atom]) -> Vec<Atom> {
        let centre: Vec<Atom> = self.centre.iter().map(|x| algebra.rate_of(x)).collect();
        match &self.spin {
            Some(spin) => plus(&centre, &spin_cross(spin, arm)),
            None => centre,
        }
    }
}

impl Scene<'_> {
    fn motion(&self, body: usize) -> Result<&Motion, DeriveError> {
        self.motions.get(body).ok_or_else(|| DeriveError::Shape { what: "the list of bodies".into() })
    }

    /// The components of a relative velocity along the tangents.
    fn slips(
        &self,
        algebra: &mut Algebra,
        contact: &Contact,
        normal: &[Atom],
        velocity: &[Atom],
    ) -> Result<Vec<Atom>, DeriveError> {
        let tangents = match (self.space, &contact.tangents) {
            (Space::Plane, _) => vec![vec![normal[1].clone(), -normal[0].clone()]],
            (Space::Space, Some([first, second])) => {
                let first = self.frames.direction(algebra, first)?;
                let second = self.frames.direction(algebra, second)?;
                self.given_tangents(algebra, normal, [&first, &second])
            }
            (Space::Space, None) => self.default_tangents(algebra, normal)?,
        };
        Ok(tangents.iter().map(|t| dot(t, velocity)).collect())
    }

    /// The projection of the first inertial axis that is not within 30 degrees of the normal (at the first state,
    /// where the normal moves), and normal × that.
    fn default_tangents(
        &self,
        algebra: &mut Algebra,
        normal: &[Atom],
    ) -> Result<Vec<Vec<Atom>>, DeriveError> {
        let values = self.reference.values(algebra, normal)?;
        let far = |x: &f64| x.abs() < 0.75_f64.sqrt();
        let axis = values.iter().position(far).unwrap_or(0);
        let e: Vec<Atom> = (0..3).map(|i| Atom::num(i64::from(i == axis))).collect();
        let first = unit(algebra, self.reference, &minus(&e, &scale(&normal[axis], normal)));
        let second = cross(normal, &first);
        Ok(vec![first, second])
    }

    /// The given tangents, orthonormalised within the tangent plane.
    fn given_tangents(
        &self,
        algebra: &mut Algebra,
        normal: &[Atom],
        [first, second]: [&[Atom]; 2],
    ) -> Vec<Vec<Atom>> {
        let first = unit(algebra, self.reference, &minus(first, &scale(&dot(first, normal), normal)));
        let second = minus(second, &scale(&dot(second, normal), normal));
        let second = unit(algebra, self.reference, &minus(&second, &scale(&dot(&second, &first), &first)));
        vec![first, second]
    }
}

/// |v|; where sin² + cos² = 1 makes an integer of its square, the root of that. Only what has such a value at one point is multiplied
/// out to see: for a tangent that is orthonormalised against a moving normal that took 40 s of 40.6.
fn length(algebra: &mut Algebra, reference: &Reference, v: &[Atom]) -> Atom {
    let square = dot(v, v);
    let value = reference.value_beside(algebra, &square).unwrap_or(f64::NAN);
    // more than rounding; what is not a number decides nothing
    if (value - value.round()).abs() > f64::EPSILON.sqrt() * value.abs().max(1.0) {
        return algebra.sqrt(square);
    }
    let short = algebra.pythagoras(&square.expand());
    let square = if i64::try_from(short.as_view()).is_ok() { short } else { square };
    algebra.sqrt(square)
}

/// v/|v|.
fn unit(algebra: &mut Algebra, reference: &Reference, v: &[Atom]) -> Vec<Atom> {
    let length = length(algebra, reference, v);
    v.iter().map(|x| x / &length).collect()
}
