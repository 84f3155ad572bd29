//! A validated mechanism: what the file says, every name resolved, every shape checked, nothing derived.

use super::geometry::Geometry;
use super::placement::{Frame, Placed, Pose};
use crate::diag::{Diagnostic, Span};
use crate::expression::{Expr, Symbol};
use serde::{Deserialize, Serialize};

/// Plane or space: how many components a vector has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// Vectors `[x, y]`.
    Plane,
    /// Vectors `[x, y, z]`.
    Space,
}

impl Space {
    /// Number of components of a vector.
    pub fn dimension(self) -> usize {
        match self {
            Space::Plane => 2,
            Space::Space => 3,
        }
    }

    /// The word of the format.
    pub fn word(self) -> &'static str {
        match self {
            Space::Plane => "plane",
            Space::Space => "space",
        }
    }

    /// Number of tangential directions of a contact.
    pub fn tangents(self) -> usize {
        self.dimension() - 1
    }
}

/// One mechanism file, validated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mechanism {
    /// Identifier, the default name of outputs.
    pub name: String,
    /// One line for reports.
    pub title: Option<String>,
    /// A paragraph for reports.
    pub description: Option<String>,
    /// Where the mechanism comes from.
    pub references: Vec<String>,
    /// Plane or space.
    pub space: Space,
    /// Parameters in file order; each may use the earlier ones.
    pub parameters: Vec<Parameter>,
    /// Generalised coordinates q in file order.
    pub coordinates: Vec<Coordinate>,
    /// Gravity vector; parameter expressions; zero if the file has none.
    pub gravity: Vec<Expr>,
    /// Named expressions in file order; each may use the earlier ones.
    #[serde(default)]
    pub definitions: Definitions,
    /// Frames in file order; a parent may stand after its children.
    #[serde(default)]
    pub frames: Vec<Frame>,
    /// Points with names, in file order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<NamedPoint>,
    /// Bodies in file order.
    pub bodies: Vec<Body>,
    /// Energies added to those of the bodies.
    pub energy: Energy,
    /// Applied forces.
    pub forces: Vec<Force>,
    /// Bilateral constraints φ(q, t) = 0.
    pub constraints: Vec<Constraint>,
    /// Unilateral frictional contacts in file order.
    pub contacts: Vec<Contact>,
    /// Named states; a file without any has one called `origin`.
    pub states: Vec<StateSpec>,
    /// Ranges used by maps and searches.
    pub domain: Vec<Range>,
    /// Claims about all states of the domain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<FileClaim>,
}

/// A claim that a file makes of its mechanism.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileClaim {
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Its path of keys.
    pub path: String,
    /// What is wrong with it; as with a state, everything else can be asked of the mechanism all the same.
    pub faults: Vec<Diagnostic>,
}

/// A parameter and its default value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Name in expressions.
    pub name: String,
    /// Unit, for reports.
    pub unit: Option<String>,
    /// Description, for reports.
    pub description: Option<String>,
    /// Value: an expression in earlier parameters.
    pub value: Expr,
}

/// A generalised coordinate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coordinate {
    /// Name in expressions.
    pub name: String,
    /// Unit, for reports.
    pub unit: Option<String>,
    /// Description, for reports.
    pub description: Option<String>,
}

/// A point with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedPoint {
    /// Name.
    pub name: String,
    /// Where it is.
    pub place: Placed,
}

/// Expressions with names, which other expressions use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Definitions {
    /// Their names.
    pub names: Vec<String>,
    /// What they stand for.
    pub values: Vec<Expr>,
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Mass.
    pub mass: Expr,
    /// Inertia about the centre of mass.
    pub inertia: Inertia,
    /// Its centre of mass and its axes.
    pub pose: Pose,
    /// What it looks like, if the file says so.
    #[serde(default)]
    pub shape: Option<Shape>,
}

/// What a body looks like, in its own axes about its centre of mass; parameter expressions. For pictures, and for what it meets in scenes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A line between two points.
    Segment(Vec<Vec<Expr>>),
    /// Lines from point to point.
    Polyline(Vec<Vec<Expr>>),
    /// A closed outline; in space a face.
    Polygon(Vec<Vec<Expr>>),
    /// A disc in the plane or a ball in space, by its radius.
    Round(Expr),
    /// A box along the body's axes, by its sizes.
    Box(Vec<Expr>),
}

/// Inertia about the centre of mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "one per body, read once: a box would only be in the way")]
pub enum Inertia {
    /// Plane; zero (a point mass) if the file has none.
    Scalar(Expr),
    /// Space: principal moments in the body frame.
    Diagonal([Expr; 3]),
    /// Space: full matrix in the body frame.
    Full([[Expr; 3]; 3]),
}

/// Energies given directly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// Kinetic energy, quadratic in `dot()`.
    pub kinetic: Option<Expr>,
    /// Potential energy.
    pub potential: Option<Expr>,
}

/// An applied force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Force {
    /// A force at an inertial-frame point that moves with q.
    Point {
        /// Where it acts.
        point: Placed,
        /// Its components.
        force: Placed,
    },
    /// A torque on a body: one component in the plane, three (inertial frame) in space.
    Torque {
        /// Index of the body.
        body: usize,
        /// Components; in the plane one.
        torque: Placed,
    },
    /// A generalised force on one coordinate.
    Coordinate {
        /// Index of the coordinate.
        coordinate: usize,
        /// Its value.
        value: Expr,
    },
    /// A spring with a damper along the line of two points.
    Spring {
        /// Its ends.
        ends: [Placed; 2],
        /// k, a parameter expression: the energy is k (length − rest)²/2.
        stiffness: Expr,
        /// Its length without force; may depend on q and t.
        rest: Expr,
        /// c, a parameter expression: the damper pulls with c times the rate of the length.
        damping: Expr,
        /// The largest force of both together, a parameter expression; the spring has no energy then.
        limit: Option<Expr>,
    },
    /// A spring with a damper against the change of an angle.
    Torsion {
        /// The angle, or any function of q.
        angle: Expr,
        /// k, a parameter expression: the energy is k (angle − rest)²/2.
        stiffness: Expr,
        /// The angle without torque; may depend on t.
        rest: Expr,
        /// c, a parameter expression.
        damping: Expr,
        /// The largest torque of both together, a parameter expression; the spring has no energy then.
        limit: Option<Expr>,
    },
}

/// A bilateral constraint: one equation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Constraint {
    /// Name.
    pub name: String,
    /// φ(q, t), zero on the constraint.
    pub value: ConstraintValue,
}

/// What is zero on a constraint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConstraintValue {
    /// An expression.
    Expression(Expr),
    /// A component of the distance of two points that are one.
    Coincidence {
        /// The points.
        points: Box<[Placed; 2]>,
        /// Which component, in inertial axes.
        axis: usize,
    },
}

/// A unilateral (or bilateral) frictional contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Name.
    pub name: String,
    /// How gap and slip are defined.
    pub geometry: Geometry,
    /// Space only: the two tangents, if the file gives them.
    pub tangents: Option<[Placed; 2]>,
    /// Coulomb coefficient: an expression in parameters.
    pub friction: Expr,
    /// Restitution law and coefficient.
    pub restitution: Restitution,
    /// The contact can close only while this is positive; may use velocities. None: always.
    #[serde(default)]
    pub active: Option<Expr>,
    /// Held closed by a normal force of either sign.
    pub bilateral: bool,
    /// Compliance of the regularised contact.
    pub compliance: Compliance,
}

/// Restitution law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RestitutionLaw {
    /// v⁺ = −e v⁻.
    Newton,
    /// Impulse of restitution = e × impulse of compression.
    Poisson,
    /// Work of restitution = −e² × work of compression.
    Energetic,
}

/// Restitution law with its coefficient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Restitution {
    /// Which law.
    pub law: RestitutionLaw,
    /// e, in [0, 1].
    pub value: Expr,
    /// Tangential coefficient of time-stepping schemes, in [0, 1].
    #[serde(default = "Expr::zero")]
    pub tangential: Expr,
}

/// k and d of λ_N = max(0, −(k y + d ẏ)), and the stiffness of sticking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compliance {
    /// k > 0.
    pub stiffness: Expr,
    /// d > 0.
    pub damping: Expr,
    /// Stiffness along the surface, > 0; none: friction is that of a rigid contact.
    #[serde(default)]
    pub tangential_stiffness: Option<Expr>,
}

/// A named state as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateSpec {
    /// Name.
    pub name: String,
    /// Description.
    pub description: Option<String>,
    /// Time.
    pub t: Expr,
    /// Coordinates in the order written: (index, value); missing ones are 0.
    pub q: Vec<(usize, Expr)>,
    /// Velocities in the order written: (index of the coordinate, value); missing ones are 0.
    pub v: Vec<(usize, Expr)>,
    /// Closed contacts, if the file lists them.
    pub closed: Option<Vec<usize>>,
    /// What the closed contacts, the constraints and equations of the state's own determine.
    #[serde(default)]
    pub solve: Solve,
    /// Parameters overridden for this state.
    pub parameters: Vec<(usize, Expr)>,
    /// The place of the state's key in the file.
    pub span: Span,
}

/// Numbers of a state that are solved for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Solve {
    /// Coordinates.
    pub coordinates: Vec<usize>,
    /// Velocities, by the indices of their coordinates.
    pub velocities: Vec<usize>,
    /// What is zero, beside the gaps of closed contacts and the constraints.
    pub equations: Vec<Expr>,
}

impl Solve {
    /// Whether nothing is solved for.
    pub fn is_empty(&self) -> bool {
        self.unknowns() == 0
    }

    /// How many numbers are.
    pub fn unknowns(&self) -> usize {
        self.coordinates.len() + self.velocities.len()
    }
}

/// A range of a coordinate, a velocity or a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// What varies.
    pub variable: Symbol,
    /// Lower end, a parameter expression.
    pub lo: Expr,
    /// Upper end, a parameter expression.
    pub hi: Expr,
}
