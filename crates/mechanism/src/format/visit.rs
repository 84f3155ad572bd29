//! Every expression of a mechanism, once, in file order; those of states and domain apart.

use super::geometry::{Geometry, Round, Slip, Surface};
use super::kinematics::is_of_motion;
use super::mechanism::{Body, ConstraintValue, Contact, Force, Inertia, Mechanism, Shape};
use super::placement::{Carrier, Placed, Pose, Rotation};
use crate::expression::{DefinitionName, Expr, Names, Node, Symbol};

impl Mechanism {
    /// The names of the parameters and coordinates.
    pub fn names(&self) -> Names {
        Names {
            parameters: self.parameters.iter().map(|p| p.name.clone()).collect(),
            coordinates: self.coordinates.iter().map(|c| c.name.clone()).collect(),
            definitions: self.definitions.named(),
        }
    }

    /// Calls `visit` for every expression outside states and domain.
    pub fn for_each_expression<'m>(&'m self, visit: &mut impl FnMut(&'m Expr)) {
        self.parameters.iter().for_each(|p| visit(&p.value));
        self.gravity.iter().for_each(&mut *visit);
        self.definitions.of_the_file().for_each(&mut *visit);
        self.frames.iter().for_each(|f| pose(&f.pose, visit));
        placed(self.points.iter().map(|p| &p.place), visit);
        self.bodies.iter().for_each(|b| body(b, visit));
        self.energy.kinetic.iter().chain(&self.energy.potential).for_each(&mut *visit);
        self.forces.iter().for_each(|f| force(f, visit));
        self.constraints.iter().for_each(|c| constraint(&c.value, visit));
        self.contacts.iter().for_each(|c| contact(c, visit));
    }

    /// Which definitions the equations of motion are made of.
    pub fn needed_definitions(&self) -> Vec<bool> {
        let mut used = vec![false; self.definitions.values.len()];
        self.for_each_expression(&mut |x| x.for_each_definition(&mut |i, _| used[i] = true));
        self.definitions.needed(used)
    }

    /// The quaternions whose four parts are coordinates, by their indices.
    pub fn quaternions(&self) -> impl Iterator<Item = [usize; 4]> {
        let poses = self.frames.iter().map(|f| &f.pose).chain(self.bodies.iter().map(|b| &b.pose));
        poses.filter_map(|pose| {
            let Rotation::Quaternion(parts) = &pose.rotation else { return None };
            let coordinate = |x: &Expr| match x.node {
                Node::Symbol(Symbol::Coordinate(i)) => Some(i),
                _ => None,
            };
            let indices: Vec<usize> = parts.iter().filter_map(coordinate).collect();
            <[usize; 4]>::try_from(indices).ok()
        })
    }

    /// Whether something is given by components in a frame or on a body.
    pub fn carries(&self, carrier: Carrier) -> bool {
        let mut found = false;
        self.for_each_carrier(&mut |c| found |= c == carrier);
        found
    }

    /// Calls `visit` for every frame or body in which something is given by components.
    pub(super) fn for_each_carrier(&self, visit: &mut impl FnMut(Carrier)) {
        let mut axes_seen: Vec<usize> = Vec::new();
        let mut placed = |p: &Placed| p.carrier.into_iter().for_each(&mut *visit);
        for force in &self.forces {
            match force {
                Force::Point { point, force } => [point, force].into_iter().for_each(&mut placed),
                Force::Torque { torque, .. } => placed(torque),
                Force::Spring { ends, .. } => ends.iter().for_each(&mut placed),
                Force::Coordinate { .. } | Force::Torsion { .. } => {}
            }
        }
        for c in &self.constraints {
            if let ConstraintValue::Coincidence { points, .. } = &c.value {
                points.iter().for_each(&mut placed);
            }
        }
        for c in &self.contacts {
            c.tangents.iter().flatten().for_each(&mut placed);
            match &c.geometry {
                Geometry::Point { point, surface } => {
                    [point, &surface.point, &surface.normal].into_iter().for_each(&mut placed);
                }
                Geometry::Round { round, surface } => {
                    let all = [&surface.point, &surface.normal].into_iter().chain(&round.centre);
                    all.for_each(&mut placed);
                    axes_seen.extend(round.body.filter(|_| !round.outline.semi_axes().is_empty()));
                }
                Geometry::RoundPair { round, other } => {
                    round.centre.iter().chain(&other.centre).for_each(&mut placed);
                }
                Geometry::Direct { .. } => {}
            }
        }
        let surfaces = self.contacts.iter().filter_map(|c| match &c.geometry {
            // a surface of a body is given in inertial components
            Geometry::Point { surface, .. } | Geometry::Round { surface, .. } => {
                surface.carrier.filter(|carrier| matches!(carrier, Carrier::Frame(_)))
            }
            Geometry::RoundPair { .. } | Geometry::Direct { .. } => None,
        });
        axes_seen.into_iter().map(Carrier::Body).chain(surfaces).for_each(visit);
    }

    /// Calls `visit` for every expression in states and domain.
    pub fn for_each_value<'m>(&'m self, visit: &mut impl FnMut(&'m Expr)) {
        for s in &self.states {
            visit(&s.t);
            [&s.parameters, &s.q, &s.v].into_iter().flatten().for_each(|(_, x)| visit(x));
            s.solve.equations.iter().for_each(&mut *visit);
        }
        self.domain.iter().flat_map(|r| [&r.lo, &r.hi]).for_each(visit);
    }
}

impl super::Definitions {
    /// The names as expressions see them.
    pub fn named(&self) -> Vec<DefinitionName> {
        let mut named: Vec<DefinitionName> = Vec::with_capacity(self.names.len());
        for (name, value) in self.names.iter().zip(&self.values) {
            let (mut has_rates, mut switches) = (false, false);
            look(value, &mut |node| match node {
                Node::Symbol(Symbol::Rate(_)) | Node::DefinitionRate(_) => has_rates = true,
                Node::Definition(i) => {
                    has_rates |= named.get(*i).is_some_and(|d| d.has_rates);
                    switches |= named.get(*i).is_some_and(|d| d.switches);
                }
                Node::Call(function, _) => switches |= function.switches(),
                Node::Number(_) | Node::Pi | Node::Symbol(_) | Node::Negate(_) | Node::Binary(..) => {}
            });
            named.push(DefinitionName { name: name.clone(), has_rates, switches });
        }
        named
    }

    /// What the definitions of the file stand for, without those of places and turns.
    pub(super) fn of_the_file(&self) -> impl Iterator<Item = &Expr> {
        let named = self.names.iter().zip(&self.values);
        named.filter(|(name, _)| !is_of_motion(name)).map(|(_, value)| value)
    }

    /// Those of the file, those that are used, and what they are made of: each is made of earlier ones.
    fn needed(&self, used: Vec<bool>) -> Vec<bool> {
        let mut needed = used;
        for i in (0..needed.len()).rev() {
            needed[i] |= !is_of_motion(&self.names[i]);
            if needed[i] {
                self.values[i].for_each_definition(&mut |j, _| needed[j] = true);
            }
        }
        needed
    }
}

/// Calls `visit` for every part.
fn look(expr: &Expr, visit: &mut impl FnMut(&Node)) {
    visit(&expr.node);
    expr.parts().for_each(|part| look(part, visit));
}

fn pose<'m>(p: &'m Pose, visit: &mut impl FnMut(&'m Expr)) {
    p.origin.iter().for_each(&mut *visit);
    match &p.rotation {
        Rotation::Angle(x) => visit(x),
        Rotation::Sequence(list) => list.iter().for_each(|r| visit(&r.angle)),
        Rotation::Quaternion(parts) => parts.iter().for_each(visit),
    }
}

fn placed<'m>(all: impl IntoIterator<Item = &'m Placed>, visit: &mut impl FnMut(&'m Expr)) {
    all.into_iter().flat_map(|p| &p.components).for_each(visit);
}

fn constraint<'m>(c: &'m ConstraintValue, visit: &mut impl FnMut(&'m Expr)) {
    match c {
        ConstraintValue::Expression(x) => visit(x),
        // its other components stand beside it
        ConstraintValue::Coincidence { points, axis } if *axis == 0 => placed(points.iter(), visit),
        ConstraintValue::Coincidence { .. } => {}
    }
}

fn body<'m>(b: &'m Body, visit: &mut impl FnMut(&'m Expr)) {
    visit(&b.mass);
    match &b.inertia {
        Inertia::Scalar(x) => visit(x),
        Inertia::Diagonal(d) => d.iter().for_each(&mut *visit),
        Inertia::Full(rows) => rows.iter().flatten().for_each(&mut *visit),
    }
    pose(&b.pose, visit);
    b.shape.iter().flat_map(Shape::numbers).for_each(visit);
}

fn force<'m>(f: &'m Force, visit: &mut impl FnMut(&'m Expr)) {
    match f {
        Force::Point { point, force } => placed([point, force], visit),
        Force::Torque { torque, .. } => placed([torque], visit),
        Force::Coordinate { value, .. } => visit(value),
        Force::Spring { ends, stiffness, rest, damping, limit } => {
            placed(ends, visit);
            [stiffness, rest, damping].into_iter().chain(limit).for_each(visit);
        }
        Force::Torsion { angle, stiffness, rest, damping, limit } => {
            [angle, stiffness, rest, damping].into_iter().chain(limit).for_each(visit);
        }
    }
}

fn contact<'m>(c: &'m Contact, visit: &mut impl FnMut(&'m Expr)) {
    match &c.geometry {
        Geometry::Point { point, surface: s } => {
            placed([point], visit);
            surface(s, visit);
        }
        Geometry::Round { round: r, surface: s } => {
            round(r, visit);
            surface(s, visit);
        }
        Geometry::RoundPair { round: r, other } => {
            round(r, visit);
            round(other, visit);
        }
        Geometry::Direct { gap, slip: Slip::Displacement(list) | Slip::Velocity(list) } => {
            visit(gap);
            list.iter().for_each(&mut *visit);
        }
    }
    placed(c.tangents.iter().flatten(), visit);
    let laws = [&c.friction, &c.restitution.value, &c.restitution.tangential].into_iter();
    let compliance = [&c.compliance.stiffness, &c.compliance.damping].into_iter();
    laws.chain(&c.active).chain(compliance).chain(&c.compliance.tangential_stiffness).for_each(visit);
}

fn surface<'m>(s: &'m Surface, visit: &mut impl FnMut(&'m Expr)) {
    placed([&s.point, &s.normal].into_iter().chain(&s.velocity), visit);
}

fn round<'m>(r: &'m Round, visit: &mut impl FnMut(&'m Expr)) {
    placed(&r.centre, visit);
    r.outline.radii().iter().for_each(visit);
}
