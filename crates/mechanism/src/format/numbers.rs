//! The values of a mechanism at its default parameters: finite, and inside their ranges.

use super::geometry::{Geometry, Outline};
use super::kinematics::is_of_motion;
use super::mechanism::{Contact, Force, Inertia, Mechanism};
use super::placement::Carrier;
use super::reader::Places;
use crate::diag::Diagnostic;
use crate::expression::{Expr, Symbol};
use crate::num::Tol;

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Finite,
    NotNegative,
    Positive,
    Fraction,
}

impl Bound {
    /// The bound in words, if the value is outside.
    pub(super) fn violated(self, x: f64) -> Option<&'static str> {
        match self {
            Bound::Finite => None,
            Bound::NotNegative if x >= 0.0 => None,
            Bound::Positive if x > 0.0 => None,
            Bound::Fraction if (0.0..=1.0).contains(&x) => None,
            Bound::NotNegative => Some("a number >= 0"),
            Bound::Positive => Some("a number > 0"),
            Bound::Fraction => Some("a number from 0 to 1"),
        }
    }
}

/// Whether a value uses a parameter that is not finite; then that parameter is the fault.
pub(super) fn is_consequence(expr: &Expr, parameters: &[f64]) -> bool {
    let mut spoiled = false;
    expr.for_each_symbol(&mut |symbol, _| {
        if let Symbol::Parameter(i) = symbol {
            spoiled |= parameters.get(i).is_some_and(|x| !x.is_finite());
        }
    });
    spoiled
}

/// Everything that is wrong at the default parameters, and names that are not used.
pub(super) fn check(mechanism: &Mechanism, places: &Places) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut parameters = Vec::new();
    for p in &mechanism.parameters {
        let x = p.value.eval_parametric(&parameters);
        if !is_consequence(&p.value, &parameters) {
            found.extend(fault(&format!("parameters.{}", p.name), &p.value, x, Bound::Finite));
        }
        parameters.push(x);
    }
    mechanism.for_each_expression(&mut |x| found.extend(undefined_constant(x)));
    if !found.is_empty() {
        found.dedup_by(|later, first| later.span == first.span);
        return found;
    }
    for (path, value, bound) in bounded(mechanism) {
        found.extend(fault(&path, value, value.eval_parametric(&parameters), bound));
    }
    found.extend(mechanism.contacts.iter().filter_map(|c| zero_normal(c, &parameters)));
    found.extend(mechanism.bodies.iter().filter_map(|b| asymmetric(&b.name, &b.inertia, &parameters)));
    for r in &mechanism.domain {
        let (lo, hi) = (r.lo.eval_parametric(&parameters), r.hi.eval_parametric(&parameters));
        if lo >= hi {
            let message = format!("the range from {lo} to {hi} is empty, expected the lower end first");
            found.push(
                Diagnostic::error("M212", message).with_span(r.lo.span.join(r.hi.span)).with_path("domain"),
            );
        }
    }
    found.extend(unused(mechanism, places));
    found
}

/// A part without names that has no value, at whatever state.
fn undefined_constant(expr: &Expr) -> Option<Diagnostic> {
    let (part, x) = expr.undefined_constant()?;
    let found = Diagnostic::error("M213", format!("this is {x} at every state, expected a finite number"));
    Some(found.with_span(part.span))
}

fn fault(path: &str, expr: &Expr, x: f64, bound: Bound) -> Option<Diagnostic> {
    let name = path.rsplit('.').next().unwrap_or(path);
    let (code, message) = match bound.violated(x) {
        _ if !x.is_finite() => ("M213", format!("{name} is {x}, expected a finite number")),
        None => return None,
        Some(range) => ("M012", format!("{name} is {x}, expected {range}")),
    };
    Some(Diagnostic::error(code, message).with_span(expr.span).with_path(path))
}

/// Every value in parameters alone, with its path and bound.
fn bounded(mechanism: &Mechanism) -> Vec<(String, &Expr, Bound)> {
    let mut all: Vec<(String, &Expr, Bound)> = Vec::new();
    all.extend(mechanism.gravity.iter().map(|x| ("gravity".to_owned(), x, Bound::Finite)));
    for b in &mechanism.bodies {
        all.push((format!("bodies.{}.mass", b.name), &b.mass, Bound::NotNegative));
        let inertia = format!("bodies.{}.inertia", b.name);
        match &b.inertia {
            Inertia::Scalar(x) => all.push((inertia, x, Bound::NotNegative)),
            Inertia::Diagonal(d) => all.extend(d.iter().map(|x| (inertia.clone(), x, Bound::NotNegative))),
            Inertia::Full(rows) => {
                all.extend(rows.iter().flatten().map(|x| (inertia.clone(), x, Bound::Finite)))
            }
        }
        if let Some(shape) = &b.shape {
            let path = format!("bodies.{}.shape.{}", b.name, shape.key(mechanism.space));
            all.extend(shape.numbers().map(|x| (path.clone(), x, shape.bound())));
        }
    }
    for (i, force) in mechanism.forces.iter().enumerate() {
        let (Force::Spring { stiffness, damping, limit, .. }
        | Force::Torsion { stiffness, damping, limit, .. }) = force
        else {
            continue;
        };
        all.push((format!("forces[{i}].stiffness"), stiffness, Bound::NotNegative));
        all.push((format!("forces[{i}].damping"), damping, Bound::NotNegative));
        all.extend(limit.iter().map(|limit| (format!("forces[{i}].limit"), limit, Bound::NotNegative)));
    }
    for c in &mechanism.contacts {
        let path = |key: &str| format!("contacts.{}.{key}", c.name);
        all.extend(laws(c).map(|(key, x, bound)| (path(key), x, bound)));
        match &c.geometry {
            Geometry::Round { round, .. } => all.extend(radii(&round.outline, &path)),
            Geometry::RoundPair { round, other } => {
                all.extend(radii(&round.outline, &path));
                all.extend(radii(&other.outline, &|key| path(&format!("surface.{key}"))));
            }
            Geometry::Point { .. } | Geometry::Direct { .. } => {}
        }
    }
    for r in &mechanism.domain {
        all.extend([&r.lo, &r.hi].map(|x| ("domain".to_owned(), x, Bound::Finite)));
    }
    all
}

/// The radii of a round body: a ball may be a point, a rim without radius has no edge.
fn radii<'m>(
    outline: &'m Outline,
    path: &impl Fn(&str) -> String,
) -> impl Iterator<Item = (String, &'m Expr, Bound)> {
    let bound = match outline {
        Outline::Ball(_) => Bound::NotNegative,
        Outline::Rim { .. } | Outline::Ellipsoid(_) => Bound::Positive,
    };
    let path = path(outline.key());
    outline.radii().iter().map(move |x| (path.clone(), x, bound))
}

/// The numbers of a contact's laws, with their keys and bounds.
pub(super) fn laws(c: &Contact) -> impl Iterator<Item = (&'static str, &Expr, Bound)> {
    [
        ("friction", &c.friction, Bound::NotNegative),
        ("restitution.value", &c.restitution.value, Bound::Fraction),
        ("restitution.tangential", &c.restitution.tangential, Bound::Fraction),
        ("compliance.stiffness", &c.compliance.stiffness, Bound::Positive),
        ("compliance.damping", &c.compliance.damping, Bound::Positive),
    ]
    .into_iter()
    .chain(
        c.compliance
            .tangential_stiffness
            .iter()
            .map(|x| ("compliance.tangential_stiffness", x, Bound::Positive)),
    )
}

fn zero_normal(c: &Contact, parameters: &[f64]) -> Option<Diagnostic> {
    let normal = match &c.geometry {
        Geometry::Point { surface, .. } | Geometry::Round { surface, .. } => &surface.normal,
        Geometry::RoundPair { .. } | Geometry::Direct { .. } => return None,
    };
    let parts = c.tangents.iter().flatten().chain([normal]);
    for vector in parts.map(|p| &p.components).filter(|v| v.iter().all(Expr::is_parametric)) {
        if vector.iter().all(|x| x.eval_parametric(parameters).abs() <= 0.0) {
            let span = vector.iter().fold(vector.first()?.span, |s, x| s.join(x.span));
            let found = Diagnostic::error("M211", "the vector is zero, expected a direction").with_span(span);
            return Some(found.with_path(format!("contacts.{}", c.name)));
        }
    }
    None
}

fn asymmetric(body: &str, inertia: &Inertia, parameters: &[f64]) -> Option<Diagnostic> {
    let Inertia::Full(rows) = inertia else { return None };
    let at = |i: usize, j: usize| rows[i][j].eval_parametric(parameters);
    let size = (0..9).map(|k| at(k / 3, k % 3).abs()).fold(0.0, f64::max);
    let differ =
        |&(i, j): &(usize, usize)| (at(i, j) - at(j, i)).abs() > Tol::default().asymmetry_noise * size;
    let (i, j) = [(0, 1), (0, 2), (1, 2)].into_iter().find(differ)?;
    let message = format!("the inertia is not symmetric: {} and {}", at(i, j), at(j, i));
    let found = Diagnostic::error("M214", message).with_span(rows[j][i].span);
    Some(found.with_path(format!("bodies.{body}.inertia")))
}

/// Warnings about names that nothing uses.
fn unused(mechanism: &Mechanism, places: &Places) -> Vec<Diagnostic> {
    let mut used: Vec<Symbol> = mechanism.forces.iter().filter_map(pushed).collect();
    let mut defined: Vec<usize> = Vec::new();
    let mut note = |x: &Expr| {
        x.for_each_symbol(&mut |symbol, _| used.push(symbol));
        x.for_each_definition(&mut |i, _| defined.push(i));
    };
    mechanism.for_each_expression(&mut note);
    mechanism.for_each_value(&mut note);
    let parameters = mechanism.parameters.iter().zip(&places.parameters).enumerate();
    let idle = parameters.filter(|(i, _)| !used.contains(&Symbol::Parameter(*i))).map(|(_, (p, span))| {
        let found = Diagnostic::warning("M215", format!("parameter `{}` is not used", p.name));
        found.with_span(*span).with_path(format!("parameters.{}", p.name))
    });
    let coordinates = mechanism.coordinates.iter().zip(&places.coordinates).enumerate();
    let is_used = |i: usize| used.contains(&Symbol::Coordinate(i)) || used.contains(&Symbol::Rate(i));
    let still = coordinates.filter(|(i, _)| !is_used(*i)).map(|(i, (c, span))| {
        let found = Diagnostic::warning("M215", format!("coordinate `{}` is not used", c.name));
        let found = found.with_span(*span).with_path(format!("coordinates[{i}]"));
        found.with_hint("nothing has inertia along it: the mass matrix is singular")
    });
    let definitions = mechanism.definitions.names.iter().zip(&places.definitions).enumerate();
    let definitions = definitions.filter(|(_, (name, _))| !is_of_motion(name));
    let undefined = definitions.filter(|(i, _)| !defined.contains(i)).map(|(_, (name, span))| {
        let found = Diagnostic::warning("M215", format!("definition `{name}` is not used"));
        found.with_span(*span).with_path(format!("definitions.{name}"))
    });
    let carried = carried(mechanism);
    let frames = mechanism.frames.iter().zip(&places.frames).enumerate();
    let empty = frames.filter(|(i, _)| !carried.contains(i)).map(|(_, (frame, span))| {
        let found = Diagnostic::warning("M215", format!("frame `{}` is not used", frame.name));
        found.with_span(*span).with_path(format!("frames.{}", frame.name))
    });
    idle.chain(still).chain(undefined).chain(empty).collect()
}

/// The frames that something is given in.
fn carried(mechanism: &Mechanism) -> Vec<usize> {
    let poses = mechanism.frames.iter().map(|f| &f.pose).chain(mechanism.bodies.iter().map(|b| &b.pose));
    let mut found: Vec<usize> = poses.filter_map(|pose| pose.parent).collect();
    found.extend(mechanism.points.iter().filter_map(|p| match p.place.carrier {
        Some(Carrier::Frame(i)) => Some(i),
        Some(Carrier::Body(_)) | None => None,
    }));
    mechanism.for_each_carrier(&mut |carrier| {
        if let Carrier::Frame(i) = carrier {
            found.push(i);
        }
    });
    found
}

/// The coordinate that a generalised force acts on.
fn pushed(force: &Force) -> Option<Symbol> {
    match force {
        Force::Coordinate { coordinate, .. } => Some(Symbol::Coordinate(*coordinate)),
        Force::Point { .. } | Force::Torque { .. } | Force::Spring { .. } | Force::Torsion { .. } => None,
    }
}
