//! A body that follows the hand. The point that is held goes as near to its target as the coordinates allow, by Newton steps of least
//! kinetic energy (with the diagonal of M); closed contacts stay closed and open ones do not pass through their surfaces, constraints hold. Then velocities
//! change by the least that keeps rates at zero which were zero.

use super::engine::Fault;
use super::question::Situation;
use super::ways::{Rows, Ways, explicit, spec};
use crate::format::ResolvedState;
use crate::pipeline::Derived;
use crate::plot::{Grip, Posture, Window};
use nalgebra::{DMatrix, DVector};
use serde::Serialize;
use serde_json::Value;

/// Newton steps towards the hand, and onto contacts and constraints.
const STEPS: usize = 24;
const CLOSING: usize = 12;

/// How often a step is halved that leads to no state.
const HALVINGS: usize = 5;

/// The farthest that one step goes, in units of the page, and how near is near enough.
const FARTHEST: f64 = 60.0;
const NEAR: f64 = 0.25;

/// Damping of a step over the size of its matrix.
const DAMPING: f64 = 0.001;

/// What is drawn where.
pub(super) struct Pull {
    pub(super) window: Window,
    pub(super) grip: Grip,
    pub(super) place: [f64; 2],
    pub(super) lift: bool,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub(super) struct Moved {
    pub(super) at: Situation,
    /// How far gaps and constraints are missed.
    pub(super) residual: f64,
}

/// The body under a place of the picture; null if there is none.
pub(super) fn grip(
    derived: &Derived,
    at: &Situation,
    window: &Window,
    place: [f64; 2],
) -> Result<Value, Fault> {
    if !window.is_sound() {
        return Err(Fault::Question("a window that shows nothing".to_string()));
    }
    let at = if spec(derived, at)?.solve.is_empty() { at.clone() } else { explicit(derived, at)? };
    let numbers = Ways::new(derived, &at)?.numbers(&[])?;
    Ok(serde_json::to_value(posture(derived, &numbers).grip(window, place))?)
}

fn posture<'a>(derived: &'a Derived, numbers: &'a ResolvedState) -> Posture<'a> {
    let mechanism = derived.mechanism();
    Posture { mechanism, t: numbers.t, q: &numbers.q, parameters: &numbers.parameters }
}

/// The situation after a body was drawn.
pub(super) fn drag(derived: &Derived, at: &Situation, pull: &Pull) -> Result<Moved, Fault> {
    if !pull.window.is_sound() || pull.place.iter().any(|x| !x.is_finite()) {
        return Err(Fault::Question("a place in a window that shows something".to_string()));
    }
    let is_whole = pull.lift || !spec(derived, at)?.solve.is_empty();
    let at = if is_whole { explicit(derived, at)? } else { at.clone() };
    let mut ways = Ways::new(derived, &at)?;
    let before = ways.numbers(&[])?;
    let start = ways.rows(&before);
    let mut held = if pull.lift { Vec::new() } else { closed(derived, &start, &before) };
    let names = ways.coordinates(None);
    loop {
        let mut hand = Hand { ways: &mut ways, names: &names, held: &held };
        let found = hand.follow(pull, &before, &start)?;
        let numbers = ways.numbers(&found)?;
        let sunk = sunk(derived, &ways.rows(&numbers), &numbers, &held);
        if sunk.is_empty() || held.len() >= start.gaps.len() {
            return with_rates(ways, found, (&start, &held), None);
        }
        held.extend(sunk);
    }
}

/// The situation after a number was set.
pub(super) fn keep(derived: &Derived, at: &Situation, (name, value): (&str, f64)) -> Result<Moved, Fault> {
    let is_whole = !spec(derived, at)?.solve.is_empty();
    let at = if is_whole { explicit(derived, at)? } else { at.clone() };
    let mut ways = Ways::new(derived, &at)?;
    let before = ways.numbers(&[])?;
    let start = ways.rows(&before);
    let held = closed(derived, &start, &before);
    let own = [(name.to_string(), value)];
    let at = ways.with(&own);
    let mut ways = Ways::new(derived, &at)?;
    let names = ways.coordinates(Some(name));
    let mut hand = Hand { ways: &mut ways, names: &names, held: &held };
    let mut u = hand.begin()?;
    let is_met = hand.close(&mut u, &start.masses)?;
    round(&mut u);
    let found = if is_met { hand.named(&u) } else { Vec::new() };
    with_rates(ways, found, (&start, &held), Some(name))
}

/// How small a gap is zero, in the units of the mechanism.
fn small(numbers: &ResolvedState) -> f64 {
    let size = numbers.q.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    f64::EPSILON.sqrt() * size
}

/// Contacts that touch and do not separate.
fn closed(derived: &Derived, rows: &Rows, numbers: &ResolvedState) -> Vec<usize> {
    let least = small(numbers);
    let touches = |c: &usize| {
        let held = derived.mechanism().contacts[*c].bilateral;
        rows.gaps[*c].abs() <= least && (held || rows.gap_rates[*c] <= least)
    };
    (0..rows.gaps.len()).filter(touches).collect()
}

/// Contacts below their surfaces that are not held yet.
fn sunk(derived: &Derived, rows: &Rows, numbers: &ResolvedState, held: &[usize]) -> Vec<usize> {
    let contacts = &derived.mechanism().contacts;
    let least = small(numbers);
    let passes = |c: usize| contacts[c].active.is_some() || contacts[c].bilateral;
    (0..rows.gaps.len()).filter(|c| !held.contains(c) && !passes(*c) && rows.gaps[*c] < -least).collect()
}

/// Coordinates that are moved.
struct Hand<'h, 'd> {
    ways: &'h mut Ways<'d>,
    names: &'h [(usize, String)],
    /// Contacts that stay closed.
    held: &'h [usize],
}

impl Hand<'_, '_> {
    fn named(&self, u: &[f64]) -> Vec<(String, f64)> {
        self.names.iter().map(|(_, name)| name.clone()).zip(u.iter().copied()).collect()
    }

    fn begin(&self) -> Result<Vec<f64>, Fault> {
        let numbers = self.ways.numbers(&[])?;
        Ok(self.names.iter().map(|(i, _)| numbers.q[*i]).collect())
    }

    /// Gaps that stay zero, then constraints.
    fn missed(&mut self, u: &[f64]) -> Result<DVector<f64>, Fault> {
        let numbers = self.ways.numbers(&self.named(u))?;
        let rows = self.ways.rows(&numbers);
        let gaps = self.held.iter().map(|c| rows.gaps[*c]);
        Ok(DVector::from_vec(gaps.chain(rows.constraints.iter().copied()).collect()))
    }

    fn place(&mut self, pull: &Pull, u: &[f64]) -> Result<DVector<f64>, Fault> {
        let numbers = self.ways.numbers(&self.named(u))?;
        let seen = posture(self.ways.derived, &numbers).seen(&pull.window, &pull.grip);
        let [x, y] = seen.ok_or_else(|| Fault::Question("what is held has no place".to_string()))?;
        Ok(DVector::from_vec(vec![x, y]))
    }

    /// A Jacobian by central differences, with columns over the square roots of masses.
    fn jacobian(
        &mut self,
        u: &[f64],
        masses: &[f64],
        mut of: impl FnMut(&mut Self, &[f64]) -> Result<DVector<f64>, Fault>,
    ) -> Result<DMatrix<f64>, Fault> {
        let mut columns = Vec::with_capacity(u.len());
        for j in 0..u.len() {
            let step = f64::EPSILON.cbrt() * u[j].abs().max(1.0);
            let mut at = |sign: f64| {
                let mut moved = u.to_vec();
                moved[j] += sign * step;
                of(self, &moved)
            };
            let slope = (at(1.0)? - at(-1.0)?) / (2.0 * step);
            columns.push(slope / self.weight(j, masses));
        }
        Ok(if columns.is_empty() { DMatrix::zeros(0, 0) } else { DMatrix::from_columns(&columns) })
    }

    fn weight(&self, j: usize, masses: &[f64]) -> f64 {
        let mass = masses[self.names[j].0];
        if mass > 0.0 && mass.is_finite() { mass.sqrt() } else { 1.0 }
    }

    /// Newton's method onto what is missed; whether it came there.
    fn close(&mut self, u: &mut [f64], masses: &[f64]) -> Result<bool, Fault> {
        let mut last = f64::INFINITY;
        for _ in 0..CLOSING {
            let missed = self.missed(u)?;
            let size = missed.amax();
            if missed.is_empty() || size <= f64::EPSILON || (size >= last && size <= f64::EPSILON.sqrt()) {
                return Ok(true);
            }
            if u.is_empty() || !size.is_finite() {
                return Ok(false);
            }
            last = size;
            let slopes = self.jacobian(u, masses, Self::missed)?;
            let Some(step) = least(&slopes, &missed) else { return Ok(false) };
            (0..u.len()).for_each(|j| u[j] -= step[j] / self.weight(j, masses));
        }
        Ok(last <= f64::EPSILON.sqrt())
    }

    /// The step along which the held point goes a way, as far as contacts and constraints let it.
    fn step(
        &mut self,
        pull: &Pull,
        u: &[f64],
        masses: &[f64],
        way: &DVector<f64>,
    ) -> Result<Option<DVector<f64>>, Fault> {
        let shows = self.jacobian(u, masses, |hand, u| hand.place(pull, u))?;
        let free = match self.missed(u)?.is_empty() {
            true => DMatrix::identity(u.len(), u.len()),
            false => along(&self.jacobian(u, masses, Self::missed)?),
        };
        let shows = &shows * &free;
        let mut square = &shows * shows.transpose();
        let damping = DAMPING * square.trace();
        (0..2).for_each(|k| square[(k, k)] += damping);
        Ok(square.lu().solve(way).map(|force| &free * (shows.transpose() * force)))
    }

    /// The coordinates after a step, or after the part of it that leads to a state; none if no part does.
    fn taken(&mut self, pull: &Pull, u: &[f64], masses: &[f64], step: &DVector<f64>) -> Option<Vec<f64>> {
        let mut share = 1.0;
        for _ in 0..HALVINGS {
            let mut next: Vec<f64> =
                (0..u.len()).map(|j| u[j] + share * step[j] / self.weight(j, masses)).collect();
            let is_met = matches!(self.close(&mut next, masses), Ok(true));
            if is_met && self.place(pull, &next).is_ok() {
                return Some(next);
            }
            share *= 0.5;
        }
        None
    }

    /// The coordinates at which the point that is held is nearest to its target.
    fn follow(
        &mut self,
        pull: &Pull,
        before: &ResolvedState,
        start: &Rows,
    ) -> Result<Vec<(String, f64)>, Fault> {
        let masses = &start.masses;
        let mut u: Vec<f64> = self.names.iter().map(|(i, _)| before.q[*i]).collect();
        let target = DVector::from_vec(pull.place.to_vec());
        for _ in 0..STEPS {
            let mut way = &target - self.place(pull, &u)?;
            let far = way.norm();
            if far <= NEAR || u.is_empty() {
                break;
            }
            way *= (FARTHEST / far).min(1.0);
            // where the state's expressions end, so does the way
            let Ok(Some(step)) = self.step(pull, &u, masses, &way) else { break };
            let Some(next) = self.taken(pull, &u, masses, &step) else { break };
            u = next;
            if (&target - self.place(pull, &u)?).norm() >= far - NEAR * 0.1 {
                break;
            }
        }
        self.close(&mut u, masses)?;
        round(&mut u);
        Ok(self.named(&u))
    }
}

/// What Newton's method leaves of a zero is zero: nothing else would be small against it.
fn round(u: &mut [f64]) {
    u.iter_mut().filter(|x| x.abs() <= f64::EPSILON).for_each(|x| *x = 0.0);
}

/// The shortest solution of J x = b in the sense of least squares.
fn least(slopes: &DMatrix<f64>, missed: &DVector<f64>) -> Option<DVector<f64>> {
    let svd = slopes.clone().svd(true, true);
    let least = f64::EPSILON.sqrt() * svd.singular_values.max();
    svd.solve(missed, least).ok()
}

/// The projector onto directions along which nothing is missed.
fn along(slopes: &DMatrix<f64>) -> DMatrix<f64> {
    let svd = slopes.clone().svd(false, true);
    let least = f64::EPSILON.sqrt() * svd.singular_values.max();
    let n = slopes.ncols();
    let mut free = DMatrix::identity(n, n);
    if let Some(ways) = &svd.v_t {
        for (k, size) in svd.singular_values.iter().enumerate() {
            if *size > least {
                let row = ways.row(k);
                free -= row.transpose() * row;
            }
        }
    }
    free
}

/// The situation with velocities that keep rates at zero which were zero.
fn with_rates(
    mut ways: Ways<'_>,
    mut moved: Vec<(String, f64)>,
    (start, held): (&Rows, &[usize]),
    but: Option<&str>,
) -> Result<Moved, Fault> {
    let numbers = ways.numbers(&moved)?;
    let least_rate = small(&numbers);
    let rests = |c: &&usize| start.gap_rates[**c].abs() <= least_rate;
    let resting: Vec<usize> = held.iter().filter(rests).copied().collect();
    let names = ways.rates(but);
    let missed = |ways: &mut Ways<'_>, moved: &[(String, f64)]| -> Result<DVector<f64>, Fault> {
        let numbers = ways.numbers(moved)?;
        let rows = ways.rows(&numbers);
        let rates = resting.iter().map(|c| rows.gap_rates[*c]);
        Ok(DVector::from_vec(rates.chain(rows.constraint_rates.iter().copied()).collect()))
    };
    for _ in 0..2 {
        let now = missed(&mut ways, &moved)?;
        if now.is_empty() || now.amax() <= f64::EPSILON || names.is_empty() {
            break;
        }
        let v = ways.numbers(&moved)?.v;
        let weights: Vec<f64> =
            names.iter().map(|(i, _)| start.masses[*i].max(f64::MIN_POSITIVE).sqrt()).collect();
        let mut columns = Vec::new();
        for (k, (i, name)) in names.iter().enumerate() {
            // rates are linear in the velocities
            let mut one = moved.clone();
            one.push((name.clone(), v[*i] + 1.0));
            columns.push((missed(&mut ways, &one)? - &now) / weights[k]);
        }
        let Some(step) = least(&DMatrix::from_columns(&columns), &now) else { break };
        moved.retain(|(name, _)| names.iter().all(|(_, known)| known != name));
        moved.extend(
            names.iter().enumerate().map(|(k, (i, name))| (name.clone(), v[*i] - step[k] / weights[k])),
        );
    }
    let numbers = ways.numbers(&moved)?;
    let rows = ways.rows(&numbers);
    let residual = held.iter().map(|c| rows.gaps[*c].abs()).chain(rows.constraints.iter().map(|x| x.abs()));
    Ok(Moved { residual: residual.fold(0.0, f64::max), at: ways.with(&moved) })
}
