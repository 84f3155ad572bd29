//! A scene in motion, step by step.

use super::body::{Body, Posed};
use super::detect::{Detector, SceneContact};
use super::incremental::Given;
use super::linkage::{self, Linkage, SceneMechanism};
use super::overlap::Overlaps;
use super::place;
use super::reason::{StepReason, step_reason};
use super::state::{self, State, StateFault};
use super::surface::{Obstacle, Pose, obstacles};
use super::vector::{Vector, along, length, minus};
use crate::coulomb::solver::SolverName;
use crate::coulomb::{Outcome, Problem, ProblemError, Request, Session, Solution, Start};
use crate::diag::Diagnostic;
use crate::format::scene::{Law, Overlapping, Scene};
use crate::num::Tol;
use crate::num::team::cores;
use crate::stepping::StepError;
use serde::Serialize;
use std::time::Instant;

/// How the steps are solved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// One solver instead of the automatic choice.
    pub solver: Option<SolverName>,
    /// Residual to reach [default: that of the scene, or `Tol::scene`].
    pub tolerance: Option<f64>,
    /// Iterations of the solver chosen by name.
    pub iterations: Option<usize>,
    /// Every step begins at no force.
    pub cold: bool,
    /// Threads for steps with many contacts [default: every core]; nothing in a run depends on it but the time it takes.
    pub threads: Option<usize>,
}

/// Iterations of a solver chosen by name, if nobody says.
const ITERATIONS: usize = 10_000;

/// What happened in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Number of the step, from 1.
    pub step: u64,
    /// Time at its end, s.
    pub t: f64,
    /// Contacts of its incremental problem.
    pub contacts: usize,
    /// Iterations of all solvers.
    pub iterations: usize,
    /// The solver that found the forces.
    pub solver: &'static str,
    /// Residual of its incremental problem.
    pub residual: f64,
    /// Time of the whole step, ms.
    pub time_ms: f64,
    /// At its end, J.
    pub energy_kinetic: f64,
    /// At its end, J.
    pub energy_potential: f64,
    /// The deepest overlap where contacts were looked for, m.
    pub penetration: f64,
    /// Contacts that began at the force of the step before.
    pub warm: usize,
    /// Whether the tolerance was reached.
    pub solved: bool,
}

/// A body that moved farther in a step than from its centre to its surface: it may have passed through something.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fast {
    /// The step.
    pub step: u64,
    /// The body, as in messages.
    pub body: String,
    /// How far it moved, m.
    pub moved: f64,
    /// From its centre to its surface, m.
    pub core: f64,
}

/// Why a step could not be taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// Its problem is none.
    #[error("{0}")]
    Problem(ProblemError),
    /// A surface is nowhere at a time.
    #[error("the motion of surface `{surface}` is not a number at t = {t}")]
    Motion {
        /// The surface.
        surface: String,
        /// The time, s.
        t: f64,
    },
    /// A mechanism has no step.
    #[error("mechanism `{mechanism}`: {error}")]
    Mechanism {
        /// The mechanism.
        mechanism: String,
        /// Why.
        error: StepError,
    },
    /// Positions or velocities are beyond the range of numbers.
    #[error("positions or velocities are not finite after step {step}: the time step may be too long")]
    NotFinite {
        /// The step.
        step: u64,
    },
}

/// A scene in motion.
#[derive(Debug)]
pub struct Simulation {
    scene: Scene,
    solver: Option<SolverName>,
    iterations: usize,
    start: Start,
    /// Free bodies, then the links of the mechanisms.
    bodies: Vec<Body>,
    linkages: Vec<Linkage>,
    links: Vec<String>,
    obstacles: Vec<Obstacle>,
    laws: Vec<Law>,
    step: u64,
    unsolved: u64,
    fast: Option<Fast>,
    session: Session,
    detector: Detector,
    posed: Vec<Posed>,
    poses: Vec<Pose>,
    free: Vec<(Vector, Vector)>,
    touches: Vec<SceneContact>,
    known: Vec<u64>,
    overlaps: Overlaps,
}

impl Simulation {
    /// A scene at its beginning.
    ///
    /// # Errors
    /// Faults of the scene that show when its bodies are placed: M601 to M604, and M301 for a surface that is nowhere.
    pub fn new(scene: &Scene, options: &Options) -> Result<Self, Vec<Diagnostic>> {
        Self::with(scene, &[], options)
    }

    /// The same with the mechanisms that the scene names, in its order.
    ///
    /// # Errors
    /// As [`Simulation::new`]; M605 where there are fewer than it names, M606 for one that it cannot carry.
    pub fn with(
        scene: &Scene,
        mechanisms: &[SceneMechanism],
        options: &Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut bodies = place::place(scene)?;
        let linkages = linkage::linkages(scene, mechanisms, &mut bodies)?;
        let links: Vec<String> = linkages.iter().flat_map(Linkage::names).collect();
        let obstacles = obstacles(&scene.surfaces);
        let poses = poses(scene, 0.0).map_err(|error| vec![Diagnostic::error("M301", error.to_string())])?;
        let faults = place::overlaps(scene, (&bodies, &links), (&obstacles, &poses));
        if !faults.is_empty() {
            return Err(faults);
        }
        let tolerance = options.tolerance.or(scene.course.tolerance).unwrap_or(Tol::default().scene);
        let threads = options.threads.unwrap_or_else(cores);
        let (kinds, members) = (scene.groups.len() + scene.mechanisms.len(), scene.members().count());
        let laws = (0..kinds).flat_map(|a| (0..members).map(move |b| (a, b)));
        Ok(Self {
            solver: options.solver,
            iterations: options.iterations.unwrap_or(ITERATIONS),
            start: if options.cold { Start::Cold } else { Start::Warm },
            bodies,
            linkages,
            links,
            obstacles,
            laws: laws.map(|(a, b)| scene.law_of(a, b)).collect(),
            step: 0,
            unsolved: 0,
            fast: None,
            session: Session::empty(Request { tolerance, threads, ..Request::default() }),
            detector: Detector::default(),
            posed: Vec::new(),
            poses,
            free: Vec::new(),
            touches: Vec::new(),
            known: Vec::new(),
            overlaps: Overlaps::default(),
            scene: scene.clone(),
        })
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Steps that were taken.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Kinetic and potential energy of all bodies, J.
    #[must_use]
    pub fn energy(&self) -> [f64; 2] {
        let gravity = self.scene.gravity;
        let free = &self.bodies[..self.free_bodies()];
        let own: [f64; 2] =
            [free.iter().map(Body::kinetic).sum(), free.iter().map(|body| body.potential(gravity)).sum()];
        self.linkages.iter().fold(own, |[kinetic, potential], linkage| {
            let [more_kinetic, more_potential] = linkage.energies();
            [kinetic + more_kinetic, potential + more_potential]
        })
    }

    /// Steps that were not solved to the tolerance.
    pub fn unsolved(&self) -> u64 {
        self.unsolved
    }

    /// The first body that was too fast for the step.
    pub fn fast(&self) -> Option<&Fast> {
        self.fast.as_ref()
    }

    /// The bodies as they are; those of mechanisms are the last.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// How many bodies are free.
    pub(super) fn free_bodies(&self) -> usize {
        self.bodies.len() - self.links.len()
    }

    /// What a body is called.
    pub fn name_of(&self, body: usize) -> String {
        place::describe(&self.scene, (&self.bodies, &self.links), body)
    }

    /// What a link meets in a contact that the file of its mechanism declares: another link, or what is called as the contact.
    pub(super) fn declared(&self, link: usize, contact: usize) -> String {
        let of = self.linkages.iter().rfind(|linkage| linkage.first <= link);
        of.map_or_else(String::new, |linkage| format!("{}.{}", linkage.name, linkage.met(contact)))
    }

    /// The pieces of the surfaces, at rest.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// Where the surfaces are at the present time.
    ///
    /// # Errors
    /// [`SceneError::Motion`].
    pub fn poses(&self) -> Result<Vec<Pose>, SceneError> {
        poses(&self.scene, self.time(self.step))
    }

    /// The contacts of the last step.
    pub fn touches(&self) -> &[SceneContact] {
        &self.touches
    }

    /// Where a contact of the last step was found.
    pub fn place_of(&self, touch: &SceneContact) -> Vector {
        along(self.posed[touch.body].centre, 1.0, touch.arms[0])
    }

    /// The incremental problem of the last step that had contacts.
    pub fn problem(&self) -> &Problem {
        self.session.problem()
    }

    /// Its solution, if the last step had contacts.
    pub fn solution(&self) -> Option<&Solution> {
        (!self.touches.is_empty()).then(|| self.session.solution())
    }

    /// Why the last step's problem has a solution, if that needs no computing.
    pub fn reason(&self) -> Option<StepReason> {
        step_reason(&self.given(), &self.touches)
    }

    /// The time after some steps.
    pub fn time(&self, step: u64) -> f64 {
        step as f64 * self.scene.course.step
    }

    /// Takes a step.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn advance(&mut self) -> Result<Record, SceneError> {
        let (solver, iterations, start) = (self.solver, self.iterations, self.start);
        self.advance_by(&mut |session| match solver {
            Some(name) => session.solve_with(&*name.solver(), iterations, start).outcome,
            None => automatic(session, start),
        })
    }

    /// Takes a step whose problem `method` solves.
    ///
    /// # Errors
    /// [`SceneError`].
    pub(super) fn advance_by(
        &mut self,
        method: &mut dyn FnMut(&mut Session) -> Outcome,
    ) -> Result<Record, SceneError> {
        let begun = clock();
        let (h, theta) = (self.scene.course.step, self.scene.course.theta);
        self.look(h * (1.0 - theta))?;
        let gravity = self.scene.gravity;
        self.free.clear();
        let free = self.free_bodies();
        self.free.extend(self.bodies[..free].iter().map(|body| body.free(h, gravity)));
        self.linkages.iter_mut().try_for_each(|linkage| linkage.fly(h))?;
        let (warm, solved) = self.solve(method)?;
        self.move_on(h, theta)?;
        self.part(h);
        self.unsolved += u64::from(!solved);
        let solution = self.solution();
        let [energy_kinetic, energy_potential] = self.energy();
        Ok(Record {
            step: self.step,
            t: self.time(self.step),
            contacts: self.touches.len(),
            iterations: solution.map_or(0, |s| s.iterations),
            solver: solution.map_or("none", |s| s.solver),
            residual: solution.map_or(0.0, |s| s.residual.relative),
            energy_kinetic,
            energy_potential,
            penetration: self.touches.iter().map(|touch| -touch.gap).fold(0.0, f64::max),
            warm,
            solved,
            time_ms: begun.map_or(0.0, |begun| begun.elapsed().as_secs_f64() * 1e3),
        })
    }

    /// Looks for contacts after a time at the present velocities.
    fn look(&mut self, time: f64) -> Result<(), SceneError> {
        self.posed.clear();
        let free = self.free_bodies();
        self.posed.extend(self.bodies[..free].iter().map(|body| {
            let (centre, turned) = body.moved(time, body.velocity, body.spin);
            body.posed(centre, turned)
        }));
        for linkage in &mut self.linkages {
            self.posed.extend(linkage.look(time)?);
        }
        self.poses = poses(&self.scene, self.time(self.step) + time)?;
        let dim = self.scene.space.dimension();
        // what lies on something is in contact whichever way its gap is rounded: else it falls for a step, and is caught in the next
        let far = self.posed.iter().map(|body| length(body.centre) + body.solid.reach()).fold(0.0, f64::max);
        let near = Tol::default().noise * far;
        let found = self.detector.contacts(&self.posed, (&self.obstacles, &self.poses), dim, near);
        let groups = self.scene.groups.len();
        self.touches.clear();
        self.touches.extend(found.iter().filter(|touch| touch.is_between(&self.bodies, groups)));
        self.linkages.iter().for_each(|linkage| self.touches.extend_from_slice(linkage.touches()));
        Ok(())
    }

    pub(super) fn given(&self) -> Given<'_> {
        Given {
            dim: self.scene.space.dimension(),
            bodies: &self.bodies,
            posed: &self.posed,
            free: &self.free,
            linkages: &self.linkages,
            obstacles: &self.obstacles,
            poses: &self.poses,
            laws: &self.laws,
            kinds: self.scene.groups.len() + self.linkages.len(),
        }
    }

    /// The velocities at the end of the step, in the place of those without contact; how many contacts had a force to begin at, and whether
    /// the tolerance was reached.
    fn solve(
        &mut self,
        method: &mut dyn FnMut(&mut Session) -> Outcome,
    ) -> Result<(usize, bool), SceneError> {
        if self.touches.is_empty() {
            self.known.clear();
            return Ok((0, true));
        }
        let mut session = std::mem::replace(&mut self.session, Session::empty(Request::default()));
        let written = session.write(|draft| self.given().write(&self.touches, draft));
        let outcome = written.map(|()| method(&mut session));
        self.session = session;
        let solved = outcome.map_err(SceneError::Problem)? == Outcome::Solved;
        let before = std::mem::take(&mut self.known);
        let bodies = self.bodies.len();
        self.known.extend(self.touches.iter().map(|touch| touch.key(bodies)));
        self.known.sort_unstable();
        let warm = self.known.iter().filter(|key| before.binary_search(key).is_ok()).count();
        let v = &self.session.solution().v;
        let given = self.given();
        let found = (0..self.free.len()).map(|number| given.velocity(v, number)).collect();
        let of_linkages = (0..self.linkages.len()).map(|k| given.unknowns(v, k).to_vec());
        let of_linkages: Vec<Vec<f64>> = of_linkages.collect();
        self.free = found;
        self.linkages.iter_mut().zip(of_linkages).for_each(|(linkage, y)| linkage.take(&y));
        Ok((if self.start == Start::Warm { warm } else { 0 }, solved))
    }

    /// q_{k+1} = q_k + h((1 − θ) v_k + θ v_{k+1}).
    fn move_on(&mut self, h: f64, theta: f64) -> Result<(), SceneError> {
        self.step += 1;
        let mut fast = None;
        for (number, (body, (velocity, spin))) in self.bodies.iter_mut().zip(&self.free).enumerate() {
            let mean = |a: Vector, b: Vector| std::array::from_fn(|k| (1.0 - theta) * a[k] + theta * b[k]);
            let (mean_velocity, mean_spin) = (mean(body.velocity, *velocity), mean(body.spin, *spin));
            let (centre, turned) = body.moved(h, mean_velocity, mean_spin);
            let (moved, core) = (h * length(mean_velocity), body.solid.core());
            if moved > core && fast.is_none() {
                fast = Some((number, moved, core));
            }
            *body = Body { centre, turned, velocity: *velocity, spin: *spin, ..*body };
            if !centre.iter().chain(velocity).chain(&turned).chain(spin).all(|x| x.is_finite()) {
                return Err(SceneError::NotFinite { step: self.step });
            }
        }
        let since = self.time(self.step);
        for linkage in &mut self.linkages {
            if !linkage.move_on(h, theta, since) {
                return Err(SceneError::NotFinite { step: self.step });
            }
            for (number, now) in (linkage.first..).zip(linkage.bodies()) {
                let body = &mut self.bodies[number];
                let (moved, core) = (length(minus(now.centre, body.centre)), now.solid.core());
                if core > 0.0 && moved > core && fast.is_none() {
                    fast = Some((number, moved, core));
                }
                *body = now;
            }
        }
        if let Some((number, moved, core)) = fast.filter(|_| self.fast.is_none()) {
            self.fast = Some(Fast { step: self.step, body: self.name_of(number), moved, core });
        }
        Ok(())
    }

    /// Takes back overlaps that last, unless the scene keeps them.
    fn part(&mut self, h: f64) {
        if self.scene.course.overlaps == Overlapping::Keep || self.touches.is_empty() {
            return;
        }
        let mut overlaps = std::mem::take(&mut self.overlaps);
        let shifts = overlaps.take_back(self, h);
        for (body, (shift, turn)) in self.bodies.iter_mut().zip(shifts) {
            (body.centre, body.turned) = body.moved(1.0, *shift, *turn);
        }
        self.overlaps = overlaps;
    }

    /// What the run can go on from.
    pub fn state(&self) -> State {
        let forces = self.solution().map(|solution| solution.r.clone()).unwrap_or_default();
        let bodies = self.bodies.len();
        State {
            step: self.step,
            bodies: self.bodies.iter().map(state::numbers).collect(),
            mechanisms: self.linkages.iter().map(Linkage::state).collect(),
            keys: self.touches.iter().map(|touch| touch.key(bodies)).collect(),
            impulses: forces,
            unsolved: self.unsolved,
        }
    }

    /// Goes on from a state.
    ///
    /// # Errors
    /// [`StateFault`].
    pub fn resume(&mut self, from: &State) -> Result<(), StateFault> {
        from.check(self.bodies.len(), self.scene.space.dimension())?;
        let own = self.linkages.iter().map(|linkage| linkage.state().len());
        if !own.eq(from.mechanisms.iter().map(Vec::len)) {
            return Err(StateFault::Mechanisms);
        }
        self.bodies.iter_mut().zip(&from.bodies).for_each(|(body, numbers)| state::set(body, numbers));
        (self.step, self.unsolved) = (from.step, from.unsolved);
        let since = self.time(self.step);
        for (linkage, numbers) in self.linkages.iter_mut().zip(&from.mechanisms) {
            linkage.resume(numbers, since);
            (linkage.first..).zip(linkage.bodies()).for_each(|(number, body)| self.bodies[number] = body);
        }
        self.known.clone_from(&from.keys);
        self.known.sort_unstable();
        self.session.remember(&from.keys, &from.impulses).map_err(|_| StateFault::Forces)
    }
}

fn poses(scene: &Scene, t: f64) -> Result<Vec<Pose>, SceneError> {
    let pose = |surface: &crate::format::scene::Surface| {
        let pose = Pose::of(surface, t, &scene.parameters);
        if pose.is_finite() { Ok(pose) } else { Err(SceneError::Motion { surface: surface.name.clone(), t }) }
    };
    scene.surfaces.iter().map(pose).collect()
}

/// Sweeps with momentum: from the forces of the step before a few of them suffice, where Newton steps on as many contacts, whose
/// forces are not unique, cost a hundred times more each. Few contacts that resist them, as those of walls of bricks, are tried by everything
/// that there is, which is cheaper than sweeps to the end.
pub(super) fn automatic(session: &mut Session, start: Start) -> Outcome {
    let is_solved = |solution: &Solution| solution.outcome == Outcome::Solved;
    let few = session.problem().contacts() <= FEW;
    if few && (is_solved(session.solve_swept(start)) || is_solved(session.solve(start))) {
        return Outcome::Solved;
    }
    session.solve_heap(start).outcome
}

/// Up to so many contacts everything is tried.
const FEW: usize = 200;

/// The present; in a browser there is no clock.
fn clock() -> Option<Instant> {
    (!cfg!(target_family = "wasm")).then(Instant::now)
}
