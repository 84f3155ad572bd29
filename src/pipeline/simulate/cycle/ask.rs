//! A periodic motion as a question.

use super::fault::{CycleFault, Halt};
use super::returns::{Point, Returns, surface_kernel};
use super::symmetry::Symmetry;
use crate::analysis::{ByName, Names};
use crate::model::Model;
use crate::num::{Tol, halt, numbers};
use crate::pipeline::simulate::ask::{SimulateOptions, asked_state};
use crate::pipeline::simulate::stop::RowExpression;
use crate::pipeline::simulate::subject::{Start, Subject};
use crate::pipeline::states::{parse_overrides, state_kernel};
use crate::pipeline::{Failure, FileFault, Loaded, Usage};
use crate::simulate::cycle::{AGAIN, CYCLE_SCHEMA, Cycle, FixedPoint, RTOL, fixed_point};
use crate::simulate::event::{EventDriven, Memory};

/// What is asked of a periodic motion.
#[derive(Clone, Debug, Default)]
pub struct CycleOptions {
    /// State, overrides, tolerances, budgets; `t_end` is the longest time of a return.
    pub motion: SimulateOptions,
    /// The section: where this expression of t, coordinates and velocities falls through zero.
    pub section: String,
    /// `x=-x, ..`: the motion between two returns is the image of that between the two before. Where it never leads back to where it
    /// began, as the renaming of legs after a step along a slope, a return is a period modulo the symmetry.
    pub symmetry: Option<String>,
}

/// The longest time of a return if nobody says, s.
pub const DEFAULT_WAIT: f64 = 1000.0;

/// The periodic motion near a state.
///
/// # Errors
/// [`Failure`] if an option makes no sense, or there is no such motion: no return, no convergence, a multiplier that is 1.
pub fn cycle(loaded: &Loaded, model: &Model, options: &CycleOptions) -> Result<Cycle, Failure> {
    match periodic(loaded, model, options) {
        // motions that were cut short have no return
        _ if halt::is_wanted() => Err(Failure::Interrupted { what: "a periodic motion" }),
        Ok(found) => Ok(found),
        Err(Halt::Failed(failure)) => Err(failure),
        Err(Halt::Fault(fault)) if fault.is_usage() => Err(Usage::Cycle(Box::new(fault)).into()),
        Err(Halt::Fault(fault)) => Err(Failure::file(&loaded.source.name, FileFault::Cycle(Box::new(fault)))),
    }
}

fn periodic(loaded: &Loaded, model: &Model, options: &CycleOptions) -> Result<Cycle, Halt> {
    let (subject, motions) = (Subject::new(loaded, model, None)?, EventDriven::new(model));
    subject.check_samples(&options.motion)?;
    let mut returns = returns(loaded, model, (&subject, &motions), options)?;
    let now = (returns.start.state.t, &returns.start.state.parameters[..]);
    let order = returns.symmetry.order(returns.start.state.q.len(), now);
    let first = if order.is_some() { returns.first()? } else { returns.first_step()? };
    let t = returns.start.state.t;
    let found = fixed_point(
        first,
        |z: &[f64], like: &Point| returns.next(z, like, t),
        |at, then| returns.surface(at, then),
    )?;
    let period = order.unwrap_or(1) as f64 * found.returned.t;
    again(&returns, &found, period)?;
    Ok(shown(&returns, &found, (order, period), options)?)
}

fn returns<'r>(
    loaded: &Loaded,
    model: &Model,
    (subject, motions): (&'r Subject, &'r EventDriven),
    options: &CycleOptions,
) -> Result<Returns<'r>, Halt> {
    let mechanism = &loaded.mechanism;
    let spec = asked_state(loaded, &options.motion)?;
    let overrides = parse_overrides(loaded, &options.motion.set)?;
    let kernel = state_kernel(model, &Tol::default());
    let start = Start::at(loaded, &kernel, spec, &overrides)?;
    let plain = &subject.columns[..1 + 2 * mechanism.coordinates.len()];
    let section = RowExpression::parse(mechanism, plain, &options.section)
        .map_err(|fault| CycleFault::Section { text: options.section.clone(), fault: Box::new(fault) })?;
    let symmetry = options.symmetry.as_deref().map(|text| Symmetry::parse(mechanism, text));
    let wait = if options.motion.t_end > 0.0 { options.motion.t_end } else { DEFAULT_WAIT };
    Ok(Returns {
        subject,
        motions,
        kernel: surface_kernel(model),
        section,
        symmetry: symmetry.transpose()?.unwrap_or_default(),
        start,
        options: SimulateOptions {
            samples: Some(0),
            rtol: Some(options.motion.rtol.unwrap_or(RTOL)),
            ..options.motion.clone()
        },
        wait,
        dead: 0.0,
        sizes: Vec::new(),
    })
}

/// That the return a period later is the same, as far as multipliers let it.
fn again(returns: &Returns<'_>, found: &FixedPoint<Point>, period: f64) -> Result<(), Halt> {
    let point = returns.next(&found.z, &found.returned, returns.start.state.t + period)?;
    let miss = point.z.iter().zip(&found.z).zip(&returns.sizes).map(|((a, b), size)| ((a - b) / size).abs());
    let miss = miss.fold(0.0, f64::max);
    let growth = found.multipliers.first().map_or(1.0, |m| m[0].hypot(m[1]).max(1.0));
    if miss <= AGAIN * growth { Ok(()) } else { Err(CycleFault::Phase { miss }.into()) }
}

fn shown(
    returns: &Returns<'_>,
    found: &FixedPoint<Point>,
    (order, period): (Option<usize>, f64),
    options: &CycleOptions,
) -> Result<Cycle, Failure> {
    let t = returns.start.state.t;
    let start = returns.start_at(&found.z, &found.returned, t);
    let asked =
        SimulateOptions { t_end: t + period, samples: options.motion.samples, ..returns.options.clone() };
    let ending =
        returns.subject.run_until((returns.motions, &mut Memory::default()), (&start, None), &asked, None)?;
    let Names { coordinates, .. } = &returns.subject.names;
    let named = |x: &[f64]| ByName::new(coordinates.iter().map(String::as_str), numbers(x));
    Ok(Cycle {
        schema: CYCLE_SCHEMA.into(),
        mechanism: returns.subject.mechanism.clone(),
        state: returns.start.name.clone(),
        period: period.into(),
        returns: order.unwrap_or(1),
        step: order.is_none(),
        q: named(&start.state.q),
        v: named(&start.state.v),
        multipliers: found
            .multipliers
            .iter()
            .map(|&m| power(m, order.unwrap_or(1)).map(Into::into))
            .collect(),
        residual: found.residual.into(),
        iterations: found.iterations,
        trajectory: ending.trajectory,
    })
}

/// A power of a complex number.
fn power([re, im]: [f64; 2], order: usize) -> [f64; 2] {
    (0..order).fold([1.0, 0.0], |[a, b], _| [a * re - b * im, a * im + b * re])
}
