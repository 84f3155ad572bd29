//! Every expression of a mechanism, once, in file order; those of states and domain apart.

use super::mechanism::{
    Body, Contact, Force, Geometry, Inertia, Mechanism, Rotation, Round, Shape, Slip, Surface,
};
use crate::expression::{Expr, Names};

impl Mechanism {
    /// The names of the parameters and coordinates.
    pub fn names(&self) -> Names {
        Names {
            parameters: self.parameters.iter().map(|p| p.name.clone()).collect(),
            coordinates: self.coordinates.iter().map(|c| c.name.clone()).collect(),
        }
    }

    /// Calls `visit` for every expression outside states and domain.
    pub fn for_each_expression<'m>(&'m self, visit: &mut impl FnMut(&'m Expr)) {
        self.parameters.iter().for_each(|p| visit(&p.value));
        self.gravity.iter().for_each(&mut *visit);
        self.bodies.iter().for_each(|b| body(b, visit));
        self.energy.kinetic.iter().chain(&self.energy.potential).for_each(&mut *visit);
        self.forces.iter().for_each(|f| force(f, visit));
        self.constraints.iter().for_each(|c| visit(&c.value));
        self.contacts.iter().for_each(|c| contact(c, visit));
    }

    /// Calls `visit` for every expression in states and domain.
    pub fn for_each_value<'m>(&'m self, visit: &mut impl FnMut(&'m Expr)) {
        for s in &self.states {
            visit(&s.t);
            [&s.parameters, &s.q, &s.v].into_iter().flatten().for_each(|(_, x)| visit(x));
        }
        self.domain.iter().flat_map(|r| [&r.lo, &r.hi]).for_each(visit);
    }
}

fn body<'m>(b: &'m Body, visit: &mut impl FnMut(&'m Expr)) {
    visit(&b.mass);
    match &b.inertia {
        Inertia::Scalar(x) => visit(x),
        Inertia::Diagonal(d) => d.iter().for_each(&mut *visit),
        Inertia::Full(rows) => rows.iter().flatten().for_each(&mut *visit),
    }
    b.position.iter().for_each(&mut *visit);
    match &b.rotation {
        Rotation::Angle(x) => visit(x),
        Rotation::Sequence(list) => list.iter().for_each(|r| visit(&r.angle)),
    }
    b.shape.iter().flat_map(Shape::numbers).for_each(visit);
}

fn force<'m>(f: &'m Force, visit: &mut impl FnMut(&'m Expr)) {
    match f {
        Force::Point { point, force } => point.iter().chain(force).for_each(visit),
        Force::Torque { torque, .. } => torque.iter().for_each(visit),
        Force::Coordinate { value, .. } => visit(value),
    }
}

fn contact<'m>(c: &'m Contact, visit: &mut impl FnMut(&'m Expr)) {
    match &c.geometry {
        Geometry::Point { point, surface: s } => {
            point.iter().for_each(&mut *visit);
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
    c.tangents.iter().flatten().flatten().for_each(&mut *visit);
    let laws = [&c.friction, &c.restitution.value, &c.restitution.tangential].into_iter();
    let compliance = [&c.compliance.stiffness, &c.compliance.damping].into_iter();
    laws.chain(&c.active).chain(compliance).chain(&c.compliance.tangential_stiffness).for_each(visit);
}

fn surface<'m>(s: &'m Surface, visit: &mut impl FnMut(&'m Expr)) {
    s.point.iter().chain(&s.normal).chain(s.velocity.iter().flatten()).for_each(visit);
}

fn round<'m>(r: &'m Round, visit: &mut impl FnMut(&'m Expr)) {
    r.centre.iter().flatten().chain([&r.radius]).for_each(visit);
}
