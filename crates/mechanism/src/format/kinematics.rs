//! Where named points are and how bodies turn, as definitions: `position(P, x)`, `velocity(P, x)` and `omega(BODY)` of an
//! expression stand for these and their rates.
//!
//! Of a frame or body with its parent's origin o' and axes e'_k, and as seen from there its own origin r and rotation L:
//!
//! ```text
//! plane   angle = angle' + α                o = o' + R(angle') r
//! space   e_k = Σ_m e'_m L_mk               o = o' + Σ_m e'_m r_m               ω = ½ Σ_k e_k × ė_k
//! ```
//!
//! The last holds for axes that stay orthonormal: from ė_k = ω × e_k follows Σ_k e_k × (ω × e_k) = 3ω − ω.

use super::frames::AXES;
use super::mechanism::{Mechanism, Space};
use super::placement::{Carrier, Placed, Pose, Rotation};
use crate::diag::Span;
use crate::expression::{BinaryOp, DefinitionName, Expr, Function, Node, mentions_motion};
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::borrow::Cow;

/// The frames, bodies and points that have definitions, and where these begin among all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbering {
    pub(super) space: Space,
    pub(super) first: usize,
    pub(super) frames: usize,
    pub(super) bodies: usize,
    pub(super) points: usize,
}

impl Numbering {
    /// Of frames, bodies and points by their names.
    pub(super) fn new(space: Space, first: usize, [frames, bodies, points]: [&[String]; 3]) -> Self {
        Numbering { space, first, frames: frames.len(), bodies: bodies.len(), points: points.len() }
    }

    /// Definitions of one frame or body: its angle or axes, then its origin.
    fn of_carrier(self) -> usize {
        match self.space {
            Space::Plane => 3,
            Space::Space => 12,
        }
    }

    fn carrier(self, carrier: Carrier) -> usize {
        let place = match carrier {
            Carrier::Frame(i) => i,
            Carrier::Body(i) => self.frames + i,
        };
        self.first + place * self.of_carrier()
    }

    /// Of the plane.
    fn angle(self, carrier: Carrier) -> Expr {
        definition(self.carrier(carrier))
    }

    /// Of space: a component of an axis.
    fn axis(self, carrier: Carrier, k: usize, i: usize) -> usize {
        self.carrier(carrier) + 3 * k + i
    }

    fn origin(self, carrier: Carrier, i: usize) -> Expr {
        let turned = self.of_carrier() - self.space.dimension();
        definition(self.carrier(carrier) + turned + i)
    }

    /// How many there are.
    pub(super) fn count(self) -> usize {
        let spins = match self.space {
            Space::Plane => 0,
            Space::Space => 3 * self.bodies,
        };
        (self.frames + self.bodies) * self.of_carrier() + self.points * self.space.dimension() + spins
    }
}

/// The names of the definitions, in their order. A file cannot give such names.
pub(super) fn names(space: Space, [frames, bodies, points]: [&[String]; 3]) -> Vec<DefinitionName> {
    let mut names: Vec<String> = Vec::new();
    let all = AXES.map(|(name, _)| name);
    let axes = &all[..space.dimension()];
    let carriers = frames.iter().map(|f| format!("frame {f}")).chain(bodies.iter().cloned());
    for carrier in carriers {
        match space {
            Space::Plane => names.push(format!("angle({carrier})")),
            Space::Space => {
                let pairs = all.iter().flat_map(|k| all.iter().map(move |i| (k, i)));
                names.extend(pairs.map(|(k, i)| format!("axis({carrier}, {k}, {i})")));
            }
        }
        names.extend(axes.iter().map(|i| format!("origin({carrier}, {i})")));
    }
    names.extend(points.iter().flat_map(|p| axes.iter().map(move |i| format!("position({p}, {i})"))));
    if space == Space::Space {
        names.extend(bodies.iter().flat_map(|b| all.iter().map(move |i| format!("omega({b}, {i})"))));
    }
    let has_rates = |name: &str| name.starts_with("omega(");
    names
        .into_iter()
        .map(|name| DefinitionName { has_rates: has_rates(&name), switches: false, name })
        .collect()
}

/// Whether a definition stands for the place or the turn of something, not for an expression of the file.
pub(super) fn is_of_motion(name: &str) -> bool {
    name.contains('(')
}

/// What stands for a definition until all that it is made of has been read.
pub(super) fn not_yet(name: &DefinitionName) -> Expr {
    if name.has_rates { plain(Node::DefinitionRate(0)) } else { Expr::zero() }
}

/// What the definitions stand for.
pub(super) fn values(mechanism: &Mechanism, numbering: Numbering) -> Vec<Expr> {
    let poses = mechanism.frames.iter().map(|f| &f.pose).chain(mechanism.bodies.iter().map(|b| &b.pose));
    let mut values: Vec<Expr> = Vec::with_capacity(numbering.count());
    for pose in poses {
        match numbering.space {
            Space::Plane => values.push(angle(numbering, pose)),
            Space::Space => values.extend(axes(numbering, pose)),
        }
        let parent = pose.parent.map(Carrier::Frame);
        values.extend(place(numbering, parent, &pose.origin));
    }
    for point in &mechanism.points {
        let Placed { carrier, components } = &point.place;
        values.extend(place(numbering, *carrier, components));
    }
    if numbering.space == Space::Space {
        values.extend((0..mechanism.bodies.len()).flat_map(|b| spin(numbering, Carrier::Body(b))));
    }
    values
}

impl Mechanism {
    /// The mechanism with the definitions that an expression needs which is not of the file.
    pub fn with_motion_for(&self, text: &str) -> Cow<'_, Self> {
        if !mentions_motion(text) || self.definitions.names.iter().any(|name| is_of_motion(name)) {
            return Cow::Borrowed(self);
        }
        let frames: Vec<String> = self.frames.iter().map(|f| f.name.clone()).collect();
        let bodies: Vec<String> = self.bodies.iter().map(|b| b.name.clone()).collect();
        let points: Vec<String> = self.points.iter().map(|p| p.name.clone()).collect();
        let all: [&[String]; 3] = [&frames, &bodies, &points];
        let numbering = Numbering::new(self.space, self.definitions.values.len(), all);
        let mut more = self.clone();
        let named = names(self.space, all);
        more.definitions.names.extend(named.into_iter().map(|d| d.name));
        more.definitions.values.extend(values(self, numbering));
        Cow::Owned(more)
    }
}

fn angle(numbering: Numbering, pose: &Pose) -> Expr {
    let own = match &pose.rotation {
        Rotation::Angle(angle) => angle.clone(),
        Rotation::Sequence(_) | Rotation::Quaternion(_) => Expr::zero(),
    };
    match pose.parent {
        Some(parent) => sum(numbering.angle(Carrier::Frame(parent)), own),
        None => own,
    }
}

/// The components of the axes, axis by axis.
fn axes(numbering: Numbering, pose: &Pose) -> Vec<Expr> {
    let own = columns(&pose.rotation);
    let Some(parent) = pose.parent.map(Carrier::Frame) else { return own.into_iter().flatten().collect() };
    let component = |column: &[Expr; 3], i: usize| {
        let along = |m: usize| product(definition(numbering.axis(parent, m, i)), column[m].clone());
        (0..3).map(along).fold(Expr::zero(), sum)
    };
    own.iter().flat_map(|column| (0..3).map(move |i| component(column, i))).collect()
}

/// A rotation by columns.
fn columns(rotation: &Rotation) -> [[Expr; 3]; 3] {
    let unit = |k: usize| std::array::from_fn(|i| Expr::integer(i64::from(i == k)));
    let mut axes: [[Expr; 3]; 3] = std::array::from_fn(unit);
    match rotation {
        Rotation::Angle(_) => axes,
        Rotation::Sequence(turns) => {
            for turn in turns {
                let (j, k) = ((turn.axis + 1) % 3, (turn.axis + 2) % 3);
                let [sin, cos] = [Function::Sin, Function::Cos].map(|f| call(f, turn.angle.clone()));
                let mix = |a: &Expr, x: &Expr, b: &Expr, y: &Expr| {
                    sum(product(a.clone(), x.clone()), product(b.clone(), y.clone()))
                };
                let (old_j, old_k) = (axes[j].clone(), axes[k].clone());
                let minus = negative(sin.clone());
                axes[j] = std::array::from_fn(|i| mix(&cos, &old_j[i], &sin, &old_k[i]));
                axes[k] = std::array::from_fn(|i| mix(&cos, &old_k[i], &minus, &old_j[i]));
            }
            axes
        }
        Rotation::Quaternion(parts) => of_quaternion(parts),
    }
}

/// R = 1 + (2 e eᵀ − 2 e·e + 2 e₀ [e×])/|e|², by columns, of a quaternion (e₀, e) of any length.
fn of_quaternion(parts: &[Expr; 4]) -> [[Expr; 3]; 3] {
    let of = |a: usize, b: usize| product(parts[a].clone(), parts[b].clone());
    let square = (0..4).map(|a| of(a, a)).fold(Expr::zero(), sum);
    let over = |x: Expr| {
        plain(Node::Binary(
            BinaryOp::Divide,
            Box::new(product(Expr::integer(2), x)),
            Box::new(square.clone()),
        ))
    };
    let entry = |row: usize, column: usize| {
        if row == column {
            let others = (0..3).filter(|&m| m != row).map(|m| of(1 + m, 1 + m)).fold(Expr::zero(), sum);
            return sum(Expr::integer(1), negative(over(others)));
        }
        let third = 3 - row - column;
        let turned = of(0, 1 + third);
        // [e×] has −e₃ at (1, 2), e₂ at (1, 3), −e₁ at (2, 3)
        let turned = if (column + 3 - row) % 3 == 1 { negative(turned) } else { turned };
        over(sum(of(1 + row, 1 + column), turned))
    };
    std::array::from_fn(|column| std::array::from_fn(|row| entry(row, column)))
}

/// The inertial components of a point that is carried.
fn place(numbering: Numbering, carrier: Option<Carrier>, components: &[Expr]) -> Vec<Expr> {
    let Some(carrier) = carrier else { return components.to_vec() };
    let origin = |i: usize| numbering.origin(carrier, i);
    match (numbering.space, components) {
        (Space::Plane, [x, y]) => {
            let angle = numbering.angle(carrier);
            let [sin, cos] = [Function::Sin, Function::Cos].map(|f| call(f, angle.clone()));
            let turned = |a: &Expr, b: Expr| sum(product(a.clone(), x.clone()), product(b, y.clone()));
            vec![
                sum(origin(0), turned(&cos, negative(sin.clone()))),
                sum(origin(1), turned(&sin, cos.clone())),
            ]
        }
        _ => {
            let along = |i: usize, m: usize| {
                product(definition(numbering.axis(carrier, m, i)), components[m].clone())
            };
            (0..components.len())
                .map(|i| (0..components.len()).map(|m| along(i, m)).fold(origin(i), sum))
                .collect()
        }
    }
}

/// ω of a body of space.
fn spin(numbering: Numbering, body: Carrier) -> Vec<Expr> {
    let component = |i: usize| {
        let (j, l) = ((i + 1) % 3, (i + 2) % 3);
        let axis = |k: usize, i: usize| definition(numbering.axis(body, k, i));
        let rate = |k: usize, i: usize| plain(Node::DefinitionRate(numbering.axis(body, k, i)));
        let turn = |k: usize| sum(product(axis(k, j), rate(k, l)), negative(product(axis(k, l), rate(k, j))));
        let half = plain(Node::Number(BigRational::new(1.into(), 2.into())));
        product(half, (0..3).map(turn).fold(Expr::zero(), sum))
    };
    (0..3).map(component).collect()
}

fn plain(node: Node) -> Expr {
    Expr { node, span: Span::default() }
}

fn definition(i: usize) -> Expr {
    plain(Node::Definition(i))
}

fn call(function: Function, x: Expr) -> Expr {
    plain(Node::Call(function, vec![x]))
}

fn is_zero(x: &Expr) -> bool {
    matches!(&x.node, Node::Number(n) if n.is_zero())
}

fn negative(x: Expr) -> Expr {
    if is_zero(&x) { x } else { plain(Node::Negate(Box::new(x))) }
}

fn sum(x: Expr, y: Expr) -> Expr {
    match (is_zero(&x), is_zero(&y)) {
        (true, _) => y,
        (_, true) => x,
        (false, false) => plain(Node::Binary(BinaryOp::Add, Box::new(x), Box::new(y))),
    }
}

fn product(x: Expr, y: Expr) -> Expr {
    let is_one = |x: &Expr| matches!(&x.node, Node::Number(n) if n.is_one());
    if is_zero(&x) || is_one(&y) {
        return x;
    }
    if is_zero(&y) || is_one(&x) {
        return y;
    }
    plain(Node::Binary(BinaryOp::Multiply, Box::new(x), Box::new(y)))
}
