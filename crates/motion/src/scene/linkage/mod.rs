//! Mechanisms among the bodies of a scene, in minimal coordinates. Every link is a body of the scene, placed by q; of the problem of a
//! step a mechanism has a dense block: M̂ and v_free of its step without contact \[J99\] ([`Flight`]), and for a point r of a link
//!
//! d·ṙ = Σⱼ (d·∂c/∂qⱼ + (r × d)·ωⱼ) vⱼ + what of the pose goes with t alone,
//!
//! by dual numbers through the poses of the file, where contacts are looked for. The contacts of its own file have gaps and rows from its
//! equations.

mod contacts;
mod fit;

use super::body::{Body, Posed, Solid};
use super::detect::SceneContact;
use super::simulation::SceneError;
use super::vector::{Vector, dot, inside, quaternion};
use crate::coulomb::Request;
use crate::diag::Diagnostic;
use crate::format::Mechanism;
use crate::format::scene::Scene;
use crate::model::{Model, State};
use crate::num::dense;
use crate::stepping::{
    Discretisation, Equations, Flight, Mechanics, MechanicsMemory, Moreau, Point, SchemeName, StepError,
    StepLaw,
};
use contacts::OwnContacts;

pub use fit::passing;

/// A mechanism that is ready to move among bodies.
#[derive(Clone, Debug)]
pub struct SceneMechanism {
    /// What its file says.
    pub mechanism: Mechanism,
    /// Its equations.
    pub model: Model,
    /// Where it begins; the time of the scene is added to that of the state.
    pub start: State,
    /// The laws of the contacts of its file.
    pub laws: Vec<StepLaw>,
}

/// A velocity as a function of those of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// By each rate.
    pub(super) slopes: Vec<f64>,
    /// What does not come from them.
    pub(super) explicit: f64,
}

/// A mechanism in motion.
#[derive(Debug)]
pub(super) struct Linkage {
    pub(super) name: String,
    mechanism: Mechanism,
    equations: Equations,
    start: State,
    laws: Vec<StepLaw>,
    /// Its place among the kinds of bodies, and its first body.
    kind: usize,
    pub(super) first: usize,
    /// What its links are.
    solids: Vec<Solid>,
    point: Point,
    scheme: Moreau,
    memory: Option<MechanicsMemory>,
    /// The step without contact, and v at the end of the step.
    pub(super) flight: Flight,
    next: Vec<f64>,
    /// Where contacts are looked for: velocity and rate of rotation of each link for a unit of each rate, then for that of t.
    twists: Vec<[Vector; 2]>,
    own: OwnContacts,
    /// The links that each of these presses against each other, as far as it is known.
    pressed: Vec<[Option<usize>; 2]>,
}

impl Linkage {
    /// The mechanism of a place in the scene, whose links are the bodies from `first` on.
    ///
    /// # Errors
    /// `M606` where the scene cannot carry it.
    pub(super) fn new(
        scene: &Scene,
        (number, first): (usize, usize),
        given: &SceneMechanism,
    ) -> Result<Self, Diagnostic> {
        let named = &scene.mechanisms[number];
        if let Some(fault) = fit::unfit(scene, named, given) {
            return Err(fault);
        }
        let SceneMechanism { mechanism, model, start, laws } = given.clone();
        let equations = Equations::new(&model);
        let solid = |link| fit::solid(&mechanism, link, &start.parameters).unwrap_or(Solid::POINT);
        let solids = (0..mechanism.bodies.len()).map(solid).collect();
        let at = (start.t, &start.q[..], &start.parameters[..]);
        let pressed = mechanism.contacts.iter().map(|contact| mechanism.pressed(contact, at)).collect();
        let course = &scene.course;
        let usual = Discretisation::new(SchemeName::Moreau, course.step);
        let discretisation = Discretisation { theta: course.theta, ..usual };
        Ok(Self {
            name: named.name.clone(),
            scheme: Moreau::new(equations.layout(), &discretisation, Request::default()),
            point: Point { t: start.t, q: start.q.clone(), v: start.v.clone() },
            next: start.v.clone(),
            kind: scene.groups.len() + number,
            memory: None,
            flight: Flight::default(),
            twists: Vec::new(),
            own: OwnContacts::default(),
            pressed,
            solids,
            mechanism,
            equations,
            start,
            laws,
            first,
        })
    }

    /// Names of its links.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.mechanism.bodies.iter().map(|body| format!("{}.{}", self.name, body.name))
    }

    /// Its links as bodies where they are; their inertia is in its M.
    pub(super) fn bodies(&self) -> impl Iterator<Item = Body> {
        let (mechanism, parameters) = (&self.mechanism, &self.start.parameters);
        let Point { t, q, v } = &self.point;
        let moving = mechanism.moving(&mechanism.bodies, (*t, q, parameters), (1.0, v));
        moving.into_iter().zip(&mechanism.bodies).zip(&self.solids).map(|((moving, body), &solid)| {
            let (axes, [velocity, spin]) = (moving.still(), moving.twist());
            Body {
                centre: axes.origin,
                turned: quaternion(axes.axes),
                velocity,
                spin: if matches!(solid, Solid::Box(_)) { inside(&axes.axes, spin) } else { spin },
                ..Body::resting(solid, self.kind, (body.mass.eval_parametric(parameters), [0.0; 3]))
            }
        })
    }

    /// Kinetic and potential energy.
    pub(super) fn energies(&self) -> [f64; 2] {
        self.equations.energies_at(&self.point, &self.start.parameters)
    }

    /// Looks where links and contacts of the file are after a time at the present velocities.
    ///
    /// # Errors
    /// [`SceneError::Mechanism`].
    pub(super) fn look(&mut self, time: f64) -> Result<Vec<Posed>, SceneError> {
        let Point { t, q, v } = &self.point;
        let there = q.iter().zip(v).map(|(q, v)| q + time * v).collect();
        let at = Point { t: t + time, q: there, v: v.clone() };
        let posed = self.pose(&at);
        let mut own = std::mem::take(&mut self.own);
        let now = self.point.clone();
        let looked = self.compute(|mechanics, _| own.look(mechanics, (&now, &at)));
        own.place(&self.mechanism, (&at, &self.start.parameters), (self.first, &posed, &self.pressed));
        self.own = own;
        looked.map(|()| posed)
    }

    /// The links at a point, with their velocities for unit rates.
    fn pose(&mut self, at: &Point) -> Vec<Posed> {
        let (mechanism, n) = (&self.mechanism, at.q.len());
        let place = (at.t, &at.q[..], &self.start.parameters[..]);
        self.twists.resize(mechanism.bodies.len() * (n + 1), [[0.0; 3]; 2]);
        let mut moved = Vec::new();
        for rate in 0..=n {
            let unit = |k: usize| if k == rate { 1.0 } else { 0.0 };
            let rates: Vec<f64> = (0..n).map(unit).collect();
            moved = mechanism.moving(&mechanism.bodies, place, (unit(n), &rates));
            moved.iter().enumerate().for_each(|(k, m)| self.twists[k * (n + 1) + rate] = m.twist());
        }
        let posed = moved.iter().zip(&self.solids).map(|(moved, &solid)| {
            let axes = moved.still();
            Posed { solid, centre: axes.origin, axes: axes.axes }
        });
        posed.collect()
    }

    /// Computes the step without contact.
    ///
    /// # Errors
    /// [`SceneError::Mechanism`].
    pub(super) fn fly(&mut self, h: f64) -> Result<(), SceneError> {
        let (point, mut flight) = (self.point.clone(), std::mem::take(&mut self.flight));
        let flown = self.compute(|mechanics, scheme| scheme.fly(mechanics, (&point, h), &mut flight));
        self.next = flight.velocity(&flight.free);
        self.flight = flight;
        flown
    }

    /// Something about its equations, in the memory that is there.
    fn compute(
        &mut self,
        work: impl FnOnce(&mut Mechanics<'_>, &mut Moreau) -> Result<(), StepError>,
    ) -> Result<(), SceneError> {
        let Self { equations, laws, start, scheme, .. } = self;
        let memory = self.memory.take().unwrap_or_else(|| MechanicsMemory::new(equations));
        let active = vec![None; laws.len()];
        let mut mechanics = Mechanics::resumed(memory, equations, &start.parameters, laws, &active);
        let done = work(&mut mechanics, scheme);
        self.memory = Some(mechanics.into_memory());
        done.map_err(|error| SceneError::Mechanism { mechanism: self.name.clone(), error })
    }

    /// Its own contacts whose gaps are not positive where contacts are looked for.
    pub(super) fn touches(&self) -> &[SceneContact] {
        &self.own.found
    }

    /// What a link meets in an own contact: another link, or what has the name of the contact.
    pub(super) fn met(&self, contact: usize) -> &str {
        let link = self.pressed[contact][1].map(|link| &self.mechanism.bodies[link].name);
        link.unwrap_or(&self.mechanism.contacts[contact].name)
    }

    /// Name and law of an own contact.
    pub(super) fn own(&self, contact: usize) -> (&str, &StepLaw) {
        (&self.mechanism.contacts[contact].name, &self.laws[contact])
    }

    /// Row k of an own contact by all rates, and what does not come from them.
    pub(super) fn own_row(&self, contact: usize, k: usize) -> Row {
        self.own.row((contact, k), self.point.v.len())
    }

    /// The row of a link that is pushed along d, with the torque `turning`.
    pub(super) fn link_row(&self, body: usize, d: Vector, turning: Vector) -> Row {
        let all = self.point.v.len() + 1;
        let twists = &self.twists[(body - self.first) * all..][..all];
        let mut slopes: Vec<f64> = twists.iter().map(|[v, spin]| dot(d, *v) + dot(turning, *spin)).collect();
        let explicit = slopes.pop().unwrap_or_default();
        Row { slopes, explicit }
    }

    /// The velocity of a row at the beginning of the step.
    pub(super) fn before(&self, row: &Row) -> f64 {
        dense::dot(&row.slopes, &self.point.v) + row.explicit
    }

    /// Takes the unknowns at the end of the step.
    pub(super) fn take(&mut self, y: &[f64]) {
        self.next = self.flight.velocity(y);
    }

    /// q_{k+1} = q_k + h((1 − θ) v_k + θ v_{k+1}), `since` seconds after the begin; whether all of it is numbers.
    pub(super) fn move_on(&mut self, h: f64, theta: f64, since: f64) -> bool {
        let Self { point, next, start, .. } = self;
        for ((q, v), next) in point.q.iter_mut().zip(&mut point.v).zip(next) {
            *q += h * ((1.0 - theta) * *v + theta * *next);
            *v = *next;
        }
        point.t = start.t + since;
        point.q.iter().chain(&point.v).all(|x| x.is_finite())
    }

    /// q and v.
    pub(super) fn state(&self) -> Vec<f64> {
        self.point.q.iter().chain(&self.point.v).copied().collect()
    }

    /// Goes on from q and v, `since` seconds after the begin.
    pub(super) fn resume(&mut self, numbers: &[f64], since: f64) {
        let (q, v) = numbers.split_at(self.point.q.len());
        self.point = Point { t: self.start.t + since, q: q.to_vec(), v: v.to_vec() };
    }
}

/// The mechanisms of a scene, their links among the bodies.
///
/// # Errors
/// `M605` for one that is not given, `M606` for one that the scene cannot carry.
pub(super) fn linkages(
    scene: &Scene,
    given: &[SceneMechanism],
    bodies: &mut Vec<Body>,
) -> Result<Vec<Linkage>, Vec<Diagnostic>> {
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for (number, named) in scene.mechanisms.iter().enumerate() {
        let Some(mechanism) = given.get(number) else {
            let message = format!("mechanism `{}` is not given", named.name);
            faults.push(Diagnostic::error("M605", message).with_span(named.span));
            continue;
        };
        match Linkage::new(scene, (number, bodies.len()), mechanism) {
            Ok(linkage) => {
                bodies.extend(linkage.bodies());
                all.push(linkage);
            }
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}

#[cfg(test)]
mod tests;
