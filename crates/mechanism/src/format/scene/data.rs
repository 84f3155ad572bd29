//! A scene that passed all checks. Vectors have three components; the third is zero in the plane.

use crate::diag::Span;
use crate::expression::Expr;
use crate::format::Space;

/// A scene of many bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Identifier.
    pub name: String,
    /// One line.
    pub title: Option<String>,
    /// A paragraph.
    pub description: Option<String>,
    /// Discs and boxes in the plane, or spheres and boxes in space.
    pub space: Space,
    /// m/s².
    pub gravity: [f64; 3],
    /// What random sizes and places depend on.
    pub seed: u64,
    /// Values of the parameters, which motions may use.
    pub parameters: Vec<f64>,
    /// Groups of bodies, in the order of the file.
    pub groups: Vec<Group>,
    /// Mechanisms among them.
    pub mechanisms: Vec<MechanismUse>,
    /// External surfaces.
    pub surfaces: Vec<Surface>,
    /// Friction and restitution where no pair says otherwise.
    pub law: Law,
    /// Those of pairs; the last one that fits counts.
    pub pairs: Vec<PairLaw>,
    /// How it is stepped.
    pub course: StepPlan,
}

/// Steps of time.
#[derive(Clone, Debug, PartialEq)]
pub struct StepPlan {
    /// Length of a step, s.
    pub step: f64,
    /// Number of steps.
    pub steps: u64,
    /// θ of Moreau's scheme.
    pub theta: f64,
    /// One solver instead of the automatic choice.
    pub solver: Option<String>,
    /// Residual to reach.
    pub tolerance: Option<f64>,
    /// What becomes of overlaps.
    pub overlaps: Overlapping,
}

/// What becomes of overlaps that last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlapping {
    /// Bodies are moved apart.
    #[default]
    TakeBack,
    /// They stay, as in Moreau's scheme.
    Keep,
}

/// Bodies of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// What they are.
    pub shape: BodyShape,
    /// How many.
    pub count: usize,
    /// How heavy.
    pub matter: Matter,
    /// Where they begin.
    pub place: Placement,
    /// The first velocity of their centres, m/s.
    pub velocity: [f64; 3],
    /// Their first angular velocity, rad/s; about the third axis in the plane.
    pub spin: [f64; 3],
    /// How boxes are turned at first: a rotation vector, rad.
    pub turn: [f64; 3],
}

/// A mechanism that moves among the bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct MechanismUse {
    /// Its name in the scene.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// Its file, seen from that of the scene, or its name in the library.
    pub file: String,
    /// The state in which it begins, if not the first of the file.
    pub state: Option<String>,
    /// What is other than the state and the file say.
    pub set: Vec<Setting>,
}

/// A value of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// A parameter, a coordinate, or the rate of one.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// Its value.
    pub value: f64,
}

/// Shape of the bodies of a group.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyShape {
    /// A disc in the plane, a sphere in space, by radii.
    Round(Sizes),
    /// A box by its edges, all of them scaled by random factors.
    Box {
        /// Lengths of the edges, m.
        edges: [f64; 3],
        /// Factors.
        scale: Sizes,
    },
}

/// A distribution of sizes.
#[derive(Clone, Debug, PartialEq)]
pub enum Sizes {
    /// All alike.
    Constant(f64),
    /// Between two values.
    Uniform([f64; 2]),
    /// Normal, drawn again outside a range.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        deviation: f64,
        /// Least and largest.
        range: [f64; 2],
    },
    /// These in turn.
    List(Vec<f64>),
}

/// How heavy bodies are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Matter {
    /// kg/m³, kg/m² in the plane.
    Density(f64),
    /// kg each.
    Mass(f64),
}

/// Where the bodies of a group begin.
#[derive(Clone, Debug, PartialEq)]
pub enum Placement {
    /// In the cells of a grid that fills a box from below, moved at random by a part of the room that is left.
    Grid {
        /// Lower corner.
        from: [f64; 3],
        /// Upper corner.
        to: [f64; 3],
        /// Side of a cell; by default a twentieth more than the largest body.
        spacing: Option<f64>,
        /// From 0 to 1: of the room that a body has in its cell.
        jitter: f64,
    },
    /// Anywhere in a box where no body is yet.
    Random {
        /// Lower corner.
        from: [f64; 3],
        /// Upper corner.
        to: [f64; 3],
    },
    /// Centres one by one.
    At(Vec<[f64; 3]>),
    /// One on the other.
    Column {
        /// Foot of the first body.
        base: [f64; 3],
        /// Which way.
        direction: [f64; 3],
        /// Room between neighbours.
        gap: f64,
    },
}

/// An external surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// What it is at rest.
    pub shape: SurfaceShape,
    /// How it moves.
    pub motion: Option<SurfaceMotion>,
}

/// Shape of a surface before it moves.
#[derive(Clone, Debug, PartialEq)]
pub enum SurfaceShape {
    /// Everything behind the plane is solid.
    Plane {
        /// A point of it.
        point: [f64; 3],
        /// Unit normal, out of the solid.
        normal: [f64; 3],
    },
    /// Thin walls from point to point, in the plane.
    Walls(Vec<[f64; 3]>),
    /// The inside of a circle, in the plane.
    Circle {
        /// Centre.
        centre: [f64; 3],
        /// Radius.
        radius: f64,
    },
    /// A thin plate, in space.
    Plate {
        /// Centre.
        centre: [f64; 3],
        /// Half of each edge.
        halves: [[f64; 3]; 2],
    },
    /// A thin shell of revolution, in space: a line of points (radius, height) turned about an axis.
    Revolved {
        /// Where the height is zero.
        origin: [f64; 3],
        /// Unit vector.
        axis: [f64; 3],
        /// From point to point.
        profile: Vec<[f64; 2]>,
    },
    /// Several planes: the inside of a box.
    Inside(Vec<([f64; 3], [f64; 3])>),
}

/// A rigid motion x = c + d(t) + R(φ(t)) (X − c).
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceMotion {
    /// d: expressions of t, m.
    pub displacement: [Option<Expr>; 3],
    /// c.
    pub centre: [f64; 3],
    /// Unit vector of the rotation.
    pub axis: [f64; 3],
    /// φ: an expression of t, rad.
    pub angle: Option<Expr>,
    /// Constant velocity beside d, m/s.
    pub velocity: [f64; 3],
    /// Constant rate beside φ, rad/s.
    pub rate: f64,
}

/// Friction and restitution of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Newton's coefficient.
    pub restitution: f64,
}

/// The law between two kinds of things.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairLaw {
    /// Places in the list of [`Scene::members`].
    pub between: [usize; 2],
    /// Friction, where it differs.
    pub friction: Option<f64>,
    /// Restitution, where it differs.
    pub restitution: Option<f64>,
}

impl Scene {
    /// Names of what has laws of contact: groups, then mechanisms, then surfaces.
    pub fn members(&self) -> impl Iterator<Item = &str> {
        let groups = self.groups.iter().map(|group| group.name.as_str());
        let mechanisms = self.mechanisms.iter().map(|mechanism| mechanism.name.as_str());
        groups.chain(mechanisms).chain(self.surfaces.iter().map(|surface| surface.name.as_str()))
    }

    /// The law between two of [`Scene::members`].
    pub fn law_of(&self, a: usize, b: usize) -> Law {
        let fits = |pair: &&PairLaw| pair.between == [a, b] || pair.between == [b, a];
        self.pairs.iter().filter(fits).fold(self.law, |law, pair| Law {
            friction: pair.friction.unwrap_or(law.friction),
            restitution: pair.restitution.unwrap_or(law.restitution),
        })
    }
}
