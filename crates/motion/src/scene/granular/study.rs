//! The study: every method on every number of beads, then one friction after the other.

use super::beads::{Beads, beads};
use super::clock::Clock;
use super::friction::{FRICTIONS, FrictionStudy, PAPER, log};
use super::method::GranularMethod;
use super::printed::{PRINTED, PrintedRow};
use crate::scene::simulation::{Options, SceneError, Simulation};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is asked of the study.
#[derive(Clone, Debug, PartialEq)]
pub struct GranularOptions {
    /// Numbers of beads; empty: no table.
    pub beads: Vec<usize>,
    /// Steps of every run; without, those that the paper printed for the projected gradient.
    pub steps: Option<u64>,
    /// How they are solved.
    pub methods: Vec<GranularMethod>,
    /// Backward error at which the usual choice stops.
    pub tolerance: f64,
    /// Beads of the study of friction; none: it is left out.
    pub friction: Option<usize>,
    /// What the first places depend on.
    pub seed: u64,
}

impl GranularOptions {
    /// The paper's beads of the study of friction, or the most of some if these are fewer.
    #[must_use]
    pub fn beads_of_friction(beads: &[usize]) -> usize {
        beads.iter().copied().max().map_or(PAPER[0], |most| most.min(PAPER[0]))
    }
}

/// A step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GranularStep {
    /// Its contacts.
    pub contacts: usize,
    /// Time of the whole step, ms: contacts, problem, solution. Of the thread where the system tells it, else of the wall.
    pub time_ms: f64,
    /// Convex programs; 0 where there is no fixed point.
    pub programs: usize,
    /// ‖F(s) − s‖ / (‖s‖ + 1), n times the left-hand side of [ACLM11 (6.1)], at its end; 0 where there is no fixed point.
    pub criterion: f64,
    /// The backward error of Coulomb's law, without units.
    pub backward_error: f64,
}

/// A run of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GranularRun {
    /// What it was.
    #[serde(flatten)]
    pub beads: Beads,
    /// Name of the method.
    pub method: &'static str,
    /// The same in words.
    pub words: &'static str,
    /// Whether the method is a fixed point of convex programs.
    pub fixed_point: bool,
    /// Contacts a step.
    pub contacts: f64,
    /// Convex programs a step that has contacts; none where there is no fixed point.
    pub programs: Option<f64>,
    /// Steps at whose end that was above ε; none where there is no fixed point.
    pub unmet: Option<usize>,
    /// Time a step, ms.
    pub time_ms: f64,
    /// Median of the backward errors of the steps that have contacts.
    pub backward_error: f64,
    /// Its steps.
    pub steps: Vec<GranularStep>,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GranularOutcome {
    /// [`GRANULAR_SCHEMA`](super::GRANULAR_SCHEMA).
    pub schema: &'static str,
    /// Whether all that was asked for is there.
    pub complete: bool,
    /// What the paper printed.
    pub printed: Vec<PrintedRow>,
    /// Every method on every number of beads.
    pub runs: Vec<GranularRun>,
    /// The fixed point for one friction after the other.
    pub friction: Option<FrictionStudy>,
}

/// How far a part of the study is.
#[derive(Clone, Debug, PartialEq)]
pub struct GranularProgress {
    /// Which part.
    pub part: String,
    /// Parts that are done, and all of them.
    pub parts: [u64; 2],
    /// Steps that are done, and all of them.
    pub steps: [u64; 2],
}

/// Steps where neither caller nor paper says.
const STEPS: u64 = 300;

/// Runs the study until it is done or `stop` is set; what is done then is told.
///
/// # Errors
/// [`SceneError`].
pub fn granular(
    options: &GranularOptions,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&GranularProgress),
) -> Result<GranularOutcome, SceneError> {
    let frictions: &[f64] = if options.friction.is_some() { &FRICTIONS } else { &[] };
    let tasks: Vec<_> =
        options.beads.iter().flat_map(|n| options.methods.iter().map(move |m| (*n, *m))).collect();
    let all = (tasks.len() + frictions.len()) as u64;
    let mut runs = Vec::new();
    for (done, (number, method)) in tasks.iter().enumerate() {
        let mut telling = |steps| {
            let part = format!("{number} beads, {}", method.words());
            observe(&GranularProgress { part, parts: [done as u64, all], steps });
        };
        let of = Beads::new(*number, FRICTION, options.seed);
        let Some(run) = run(&of, *method, options, stop, &mut telling)? else { break };
        runs.push(run);
    }
    let mut logs = Vec::new();
    let number = options.friction.unwrap_or(PAPER[0]);
    let contacts = (PAPER[1] * number).div_ceil(PAPER[0]).min(PAPER[1]);
    for (done, friction) in frictions.iter().enumerate() {
        let (part, parts) = (format!("friction {friction}"), [(tasks.len() + done) as u64, all]);
        observe(&GranularProgress { part, parts, steps: [0, 1] });
        let of = Beads::new(number, *friction, options.seed);
        logs.extend(log(&of, (contacts, options.steps.unwrap_or(STEPS)), stop)?);
    }
    let complete = !stop.load(Ordering::Relaxed);
    let friction = options.friction.map(|beads| FrictionStudy {
        beads,
        contacts,
        epsilon: FrictionStudy::DEFAULT_EPSILON,
        logs,
    });
    let schema = super::GRANULAR_SCHEMA;
    Ok(GranularOutcome { schema, complete, printed: PRINTED.to_vec(), runs, friction })
}

/// Friction of [ACLM11 Table 1].
const FRICTION: f64 = 0.3;

/// Steps that the paper printed for so many beads.
fn printed_steps(beads: usize) -> u64 {
    PRINTED.iter().find(|row| row.beads == beads).map_or(STEPS, |row| row.steps)
}

/// A run of the table; none if it was asked to stop.
fn run(
    of: &Beads,
    method: GranularMethod,
    options: &GranularOptions,
    stop: &AtomicBool,
    observe: &mut dyn FnMut([u64; 2]),
) -> Result<Option<GranularRun>, SceneError> {
    let steps = options.steps.unwrap_or_else(|| printed_steps(of.beads));
    let scene = beads(of, steps, options.tolerance);
    let Ok(mut simulation) = Simulation::new(&scene, &Options::default()) else { return Ok(None) };
    let mut rows = Vec::new();
    for done in 0..steps {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let (mut criteria, mut backward_error) = (Vec::new(), 0.0);
        let clock = Clock::start();
        let record = simulation.advance_by(&mut |session| {
            let (outcome, found) = method.solve(session);
            criteria = found.map(|found| found.criteria).unwrap_or_default();
            backward_error = session.solution().backward_error.whole;
            outcome
        })?;
        let time_ms = clock.elapsed_ms();
        rows.push(GranularStep {
            contacts: record.contacts,
            time_ms,
            programs: criteria.len(),
            criterion: criteria.last().copied().unwrap_or(0.0),
            backward_error,
        });
        observe([done + 1, steps]);
    }
    Ok(Some(summed(of, method, rows)))
}

fn summed(of: &Beads, method: GranularMethod, steps: Vec<GranularStep>) -> GranularRun {
    let touched: Vec<&GranularStep> = steps.iter().filter(|step| step.contacts > 0).collect();
    let mean = |values: &mut dyn Iterator<Item = f64>, of: usize| values.sum::<f64>() / of.max(1) as f64;
    let mut errors: Vec<f64> = touched.iter().map(|step| step.backward_error).collect();
    errors.sort_by(f64::total_cmp);
    let epsilon = crate::coulomb::solver::fixed_point::Stopping::default().epsilon;
    let fixed_point = method.is_fixed_point();
    let programs = mean(&mut touched.iter().map(|step| step.programs as f64), touched.len());
    let unmet = touched.iter().filter(|step| step.criterion > epsilon).count();
    GranularRun {
        beads: *of,
        method: method.name(),
        words: method.words(),
        fixed_point,
        contacts: mean(&mut steps.iter().map(|step| step.contacts as f64), steps.len()),
        programs: fixed_point.then_some(programs),
        unmet: fixed_point.then_some(unmet),
        time_ms: mean(&mut steps.iter().map(|step| step.time_ms), steps.len()),
        backward_error: errors.get(errors.len() / 2).copied().unwrap_or(0.0),
        steps,
    }
}
