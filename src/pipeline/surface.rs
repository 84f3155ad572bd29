//! States below a surface: one rule for all commands.
//!
//! Typed numbers are rounded: 0.866 for √3/2 may put the tip of a rod 27 µm below its floor. Where the depth is no more than that
//! explains ([`Tol::typed`] of the mechanism's own length), the state is put onto the surface: it is the nearest one, in the metric of
//! kinetic energy, that is below no surface and that keeps closed contacts and constraints; its velocities change by the least of
//! kinetic energy that keeps rates at zero that were. A note says how far. Deeper, it is no state of the rigid mechanism. A contact with
//! `active` may be below its surface: it passes through while it is not active.

use super::states::{fault, state_of};
use super::{Failure, Loaded};
use crate::analysis::Sizes;
use crate::contact::{Scaled, Sign};
use crate::diag::Diagnostic;
use crate::format::{ResolvedState, StateSpec};
use crate::model::{Block, Kernel, Output, Values};
use crate::num::{Magnitude, Tol, dense};
use crate::report::significant;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// Newton steps, and sweeps through the rows in each.
const STEPS: usize = 20;
const SWEEPS: usize = 10_000;

/// A state that was put onto its surfaces.
pub(super) struct Put {
    pub(super) resolved: ResolvedState,
    /// The contacts that were below theirs.
    pub(super) contacts: Vec<usize>,
    pub(super) note: Diagnostic,
}

/// The length that depths below surfaces are compared with: the mechanism's own; of point masses the furthest that they are in any direction of
/// a contact, or the largest terms of a gap.
fn length(sizes: &Sizes<'_>, q: &[f64]) -> f64 {
    if sizes.length() > 0.0 {
        return sizes.length();
    }
    let rows = [Output::NormalJacobian, Output::TangentJacobian].map(|output| sizes.block(output));
    let rows = rows.into_iter().flat_map(|block| block.chunks(q.len()));
    let ways = rows.map(|row| row.iter().zip(q).map(|(w, q)| (w.value * q).abs()).sum::<f64>());
    let gaps = sizes.block(Output::Gap).iter().map(|gap| gap.size);
    ways.chain(gaps).fold(0.0, f64::max)
}

/// The state put onto its surfaces; none if it is below none.
///
/// # Errors
/// [`Failure::Input`] if it is below one by more than rounding explains, or if nothing puts it onto all of them.
pub(super) fn put_onto(
    loaded: &Loaded,
    kernel: &Kernel,
    spec: &StateSpec,
    (resolved, sizes): (&ResolvedState, &Sizes<'_>),
    tol: &Tol,
) -> Result<Option<Put>, Failure> {
    let sunk: Vec<usize> = (0..loaded.mechanism.contacts.len())
        .filter(|&c| may_not_pass(loaded, c) && sizes.gap(c).sign(tol.closed) == Sign::Negative)
        .collect();
    if sunk.is_empty() {
        return Ok(None);
    }
    let refused = |diagnostics| Failure::Input { source: loaded.source.clone(), diagnostics };
    let limit = tol.typed * length(sizes, &resolved.q);
    let deep: Vec<Diagnostic> = sunk
        .iter()
        .filter(|&&c| -sizes.gap(c).value > limit)
        .map(|&c| below(loaded, spec, (sizes, c), limit))
        .collect();
    if !deep.is_empty() {
        return Err(refused(deep));
    }
    let stuck = || refused(sunk.iter().map(|&c| held_below(loaded, spec, sizes.gap(c), c)).collect());
    let surfaces = Surfaces::new(loaded, kernel, (resolved, sizes), tol).ok_or_else(stuck)?;
    let put = surfaces.put(resolved, sizes).ok_or_else(stuck)?;
    let note = noted(loaded, spec, (sizes, &sunk), surfaces.moves(resolved, &put));
    Ok(Some(Put { resolved: put, contacts: sunk, note }))
}

/// Whether the gap of a contact is never negative.
fn may_not_pass(loaded: &Loaded, contact: usize) -> bool {
    let contact = &loaded.mechanism.contacts[contact];
    contact.active.is_none() && !contact.bilateral
}

/// One gap or constraint.
#[derive(Clone, Copy)]
enum Row {
    /// A gap that is not to be negative, or one that stays zero.
    Gap(usize, Stays),
    Constraint(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stays {
    Zero,
    Open,
}

/// What a state near the given one has to satisfy.
struct Surfaces<'a> {
    kernel: &'a Kernel,
    tol: &'a Tol,
    rows: Vec<Row>,
    /// What each is small against.
    scales: Vec<f64>,
    /// The factor L of M = L Lᵀ: the length of a step δ is that of Lᵀδ.
    metric: Cholesky<f64, Dyn>,
}

impl<'a> Surfaces<'a> {
    /// None where M is not positive definite.
    fn new(
        loaded: &Loaded,
        kernel: &'a Kernel,
        (resolved, sizes): (&ResolvedState, &Sizes<'_>),
        tol: &'a Tol,
    ) -> Option<Self> {
        let mechanism = &loaded.mechanism;
        let zero = |x: Scaled| x.sign(tol.closed) == Sign::Marginal;
        let listed = |c: usize| resolved.closed.as_ref().is_some_and(|all| all.contains(&c));
        let gap = |c: usize| match zero(sizes.gap(c)) && (listed(c) || mechanism.contacts[c].bilateral) {
            true => Some(Row::Gap(c, Stays::Zero)),
            false => may_not_pass(loaded, c).then_some(Row::Gap(c, Stays::Open)),
        };
        let gaps = (0..mechanism.contacts.len()).filter_map(gap);
        let constraints = (0..mechanism.constraints.len()).filter(|&i| zero(sizes.constraint(i)));
        let rows: Vec<Row> = gaps.chain(constraints.map(Row::Constraint)).collect();
        let scale = |row: &Row| match *row {
            Row::Gap(c, _) => sizes.gap(c).scale,
            Row::Constraint(i) => sizes.constraint(i).scale,
        };
        let scales = rows.iter().map(|row| Some(scale(row)).filter(|s| *s > 0.0).unwrap_or(1.0)).collect();
        let (n, packed) = (resolved.q.len(), sizes.block(Output::MassMatrix));
        let entry = |i: usize, j: usize| packed[dense::packed_place(i, j)].value;
        let metric = Cholesky::new(DMatrix::from_fn(n, n, entry))?;
        Some(Self { kernel, tol, rows, scales, metric })
    }

    /// The nearest state on the right side of all surfaces, by Newton steps of which each is the least of kinetic energy.
    fn put(&self, resolved: &ResolvedState, sizes: &Sizes<'_>) -> Option<ResolvedState> {
        let mut state = resolved.clone();
        let mut values = self.kernel.values();
        for _ in 0..STEPS {
            let (residual, jacobian) = self.evaluate(&state, &mut values);
            // rows as they are where the step from the given state is none: what has pressed may let go again
            let back = DVector::from_fn(state.q.len(), |k, _| resolved.q[k] - state.q[k]);
            let lambda = self.multipliers(&jacobian, &(&residual + &jacobian * back));
            let presses = |i: usize| lambda[i] > 0.0 && residual[i] > self.tol.noise;
            if self.worst(&residual) <= self.tol.noise && !(0..residual.len()).any(presses) {
                break;
            }
            let step = self.shortened(&jacobian) * lambda;
            let step = self.metric.l().transpose().solve_upper_triangular(&step)?;
            state.q.iter_mut().zip(&resolved.q).zip(step.iter()).for_each(|((q, q0), d)| *q = q0 + d);
        }
        let (residual, jacobian) = self.evaluate(&state, &mut values);
        if self.worst(&residual).is_nan() || self.worst(&residual) > self.tol.closed {
            return None;
        }
        for k in 0..state.q.len() {
            state.magnitudes[1 + k] = Magnitude::new(state.q[k], state.magnitudes[1 + k].size);
        }
        self.keep_rates(&mut state, sizes, (&values, &residual, &jacobian))?;
        Some(state)
    }

    /// The rows and their derivatives, each against its scale.
    fn evaluate(&self, state: &ResolvedState, values: &mut Values<f64>) -> (DVector<f64>, DMatrix<f64>) {
        self.kernel.evaluate(&state_of(state).inputs(), values);
        let n = state.q.len();
        let of = |output: Output| self.kernel.block(values, output);
        let value = |i: usize| match self.rows[i] {
            Row::Gap(c, _) => of(Output::Gap)[c],
            Row::Constraint(c) => of(Output::Constraint)[c],
        };
        let slope = |i: usize, k: usize| match self.rows[i] {
            Row::Gap(c, _) => of(Output::NormalJacobian)[c * n + k],
            Row::Constraint(c) => of(Output::ConstraintJacobian)[c * n + k],
        };
        let rows = self.rows.len();
        (
            DVector::from_fn(rows, |i, _| value(i) / self.scales[i]),
            DMatrix::from_fn(rows, n, |i, k| slope(i, k) / self.scales[i]),
        )
    }

    /// Whether a row may be positive.
    fn is_open(&self, row: usize) -> bool {
        matches!(self.rows[row], Row::Gap(_, Stays::Open))
    }

    /// How far the rows are missed at most; NaN if that is not known.
    fn worst(&self, residual: &DVector<f64>) -> f64 {
        let miss = |i: usize| if self.is_open(i) { (-residual[i]).max(0.0) } else { residual[i].abs() };
        match residual.iter().all(|r| r.is_finite()) {
            true => (0..residual.len()).map(miss).fold(0.0, f64::max),
            false => f64::NAN,
        }
    }

    /// (J L⁻ᵀ)ᵀ.
    fn shortened(&self, jacobian: &DMatrix<f64>) -> DMatrix<f64> {
        let columns = jacobian.transpose();
        self.metric.l().solve_lower_triangular(&columns).unwrap_or(columns)
    }

    /// λ of the least step M⁻¹Jᵀλ that satisfies the linearised rows: λ ≥ 0 of open ones, by Gauss-Seidel. It bears rows that depend on
    /// each other, as those of four feet.
    fn multipliers(&self, jacobian: &DMatrix<f64>, residual: &DVector<f64>) -> DVector<f64> {
        let short = self.shortened(jacobian);
        let matrix = short.transpose() * &short;
        let none = self.tol.singular * matrix.diagonal().max();
        let mut lambda = DVector::zeros(residual.len());
        for _ in 0..SWEEPS {
            let mut largest = 0.0_f64;
            for i in 0..residual.len() {
                let diagonal = matrix[(i, i)];
                // what nothing moves
                if diagonal.is_nan() || diagonal <= none {
                    continue;
                }
                let miss = residual[i] + matrix.row(i).transpose().dot(&lambda);
                let free: f64 = lambda[i] - miss / diagonal;
                let next = if self.is_open(i) { free.max(0.0) } else { free };
                largest = largest.max(diagonal * (next - lambda[i]).abs());
                lambda[i] = next;
            }
            if largest <= f64::EPSILON {
                break;
            }
        }
        lambda
    }

    /// Rates of the rows on their surfaces that were zero stay what they were.
    fn keep_rates(
        &self,
        state: &mut ResolvedState,
        sizes: &Sizes<'_>,
        (values, residual, jacobian): (&Values<f64>, &DVector<f64>, &DMatrix<f64>),
    ) -> Option<()> {
        let rate = |row: &Row| match *row {
            Row::Gap(c, _) => (sizes.gap_rate(c), self.kernel.block(values, Block::GapVelocity)[c]),
            Row::Constraint(c) => {
                (sizes.constraint_rate(c), self.kernel.block(values, Block::ConstraintVelocity)[c])
            }
        };
        let kept: Vec<(usize, f64, bool)> = (0..self.rows.len())
            .filter(|&i| residual[i].abs() <= self.tol.closed)
            .map(|i| (i, rate(&self.rows[i])))
            .filter(|(_, (before, _))| before.sign(self.tol.rest) == Sign::Marginal)
            .map(|(i, (before, now))| {
                let miss = before.value - now;
                (i, miss / self.scales[i], miss.abs() > self.tol.noise * before.scale)
            })
            .collect();
        if !kept.iter().any(|(_, _, changed)| *changed) {
            return Some(());
        }
        let rows: Vec<usize> = kept.iter().map(|(i, _, _)| *i).collect();
        let right = DVector::from_iterator(kept.len(), kept.iter().map(|(_, miss, _)| *miss));
        let short = self.shortened(&jacobian.select_rows(&rows)).transpose();
        let svd = short.try_svd(true, true, f64::EPSILON, SWEEPS)?;
        let least = self.tol.closed * svd.singular_values.max();
        let change = svd.solve(&right, least).ok()?;
        let change = self.metric.l().transpose().solve_upper_triangular(&change)?;
        let n = state.q.len();
        for k in 0..n {
            state.v[k] += change[k];
            state.magnitudes[1 + n + k] = Magnitude::new(state.v[k], state.magnitudes[1 + n + k].size);
        }
        Some(())
    }

    /// By how much each coordinate and each velocity has changed; changes that are rounding beside the others are 0.
    fn moves(&self, from: &ResolvedState, to: &ResolvedState) -> [Vec<f64>; 2] {
        [(&from.q, &to.q), (&from.v, &to.v)].map(|(from, to)| {
            let change = DVector::from_iterator(from.len(), from.iter().zip(to).map(|(a, b)| b - a));
            let size = (self.metric.l().transpose() * &change).norm();
            let factor = self.metric.l_dirty();
            let own = |k: usize| factor.row(k).columns(0, k + 1).norm() * change[k].abs();
            (0..from.len()).map(|k| if own(k) > self.tol.closed * size { change[k] } else { 0.0 }).collect()
        })
    }
}

/// That the state was put onto its surfaces.
fn noted(
    loaded: &Loaded,
    spec: &StateSpec,
    (sizes, sunk): (&Sizes<'_>, &[usize]),
    [q, v]: [Vec<f64>; 2],
) -> Diagnostic {
    let mechanism = &loaded.mechanism;
    let depth = |&c: &usize| {
        format!(
            "contact `{}` is {} below its surface",
            mechanism.contacts[c].name,
            significant(-sizes.gap(c).value)
        )
    };
    let depths: Vec<String> = sunk.iter().map(depth).collect();
    let named = |changes: &[f64], rate: bool| -> Vec<String> {
        let names = mechanism.coordinates.iter().map(|c| &c.name).zip(changes);
        let word = |(name, change): (&String, &f64)| match rate {
            true => format!("dot({name}) by {}", significant(*change)),
            false => format!("{name} by {}", significant(*change)),
        };
        names.filter(|(_, change)| **change != 0.0).map(word).collect()
    };
    let moves = [named(&q, false), named(&v, true)].concat();
    let message = format!(
        "{}, which rounding explains: state `{}` is put onto it, {}",
        depths.join(", "),
        spec.name,
        moves.join(", ")
    );
    let found = Diagnostic::warning("M315", message).with_span(spec.span);
    let found = found.with_path(format!("states.{}", spec.name));
    match remedy(loaded, (sizes, sunk)) {
        Some(solve) => found.with_hint(format!("{solve} close the gap to the last digit")),
        None => found,
    }
}

/// That a state is too deep below a surface.
fn below(loaded: &Loaded, spec: &StateSpec, (sizes, contact): (&Sizes<'_>, usize), limit: f64) -> Diagnostic {
    let (name, gap) = (&loaded.mechanism.contacts[contact].name, sizes.gap(contact).value);
    let message = format!(
        "contact `{name}` is {} below its surface in state `{}`, more than the {} that rounding explains",
        significant(-gap),
        spec.name,
        significant(limit)
    );
    let solve = remedy(loaded, (sizes, &[contact]));
    let solve = solve.map(|solve| format!(", or close it by {solve}")).unwrap_or_default();
    fault("M314", spec, message, &format!("choose q with a gap of 0 or more{solve}"))
}

/// That nothing moves a state onto its surfaces.
fn held_below(loaded: &Loaded, spec: &StateSpec, gap: Scaled, contact: usize) -> Diagnostic {
    let message = format!(
        "contact `{}` is {} below its surface in state `{}`, and no state near it is below none",
        loaded.mechanism.contacts[contact].name,
        significant(-gap.value),
        spec.name
    );
    fault("M314", spec, message, "choose q with a gap of 0 or more")
}

/// What to write for contacts to be closed: `closed: [tip]` and `solve: [y]`, with the coordinates that move their gaps most easily while
/// the constraints are kept.
pub(super) fn remedy(loaded: &Loaded, (sizes, contacts): (&Sizes<'_>, &[usize])) -> Option<String> {
    let mechanism = &loaded.mechanism;
    let n = mechanism.coordinates.len();
    let gaps = contacts.iter().map(|&c| &sizes.block(Output::NormalJacobian)[c * n..(c + 1) * n]);
    let constraints = sizes.block(Output::ConstraintJacobian).chunks_exact(n);
    let mass = |k: usize| sizes.block(Output::MassMatrix)[k * (k + 1) / 2 + k].value;
    let mut rows: Vec<Vec<f64>> = gaps
        .chain(constraints)
        .map(|row| row.iter().enumerate().map(|(k, w)| w.value / mass(k).sqrt()).collect())
        .collect();
    let (mut found, mut first) = (Vec::new(), 0.0_f64);
    // elimination by the largest entry; what is left of rows that depend on others is rounding
    while !rows.is_empty() {
        let entries = rows
            .iter()
            .enumerate()
            .flat_map(|(i, row)| row.iter().enumerate().map(move |(k, x)| (i, k, x.abs())));
        let (i, k, largest) = entries.filter(|(_, _, x)| x.is_finite()).max_by(|a, b| a.2.total_cmp(&b.2))?;
        first = first.max(largest);
        if largest <= Tol::default().closed * first {
            break;
        }
        let pivot = rows.swap_remove(i);
        for row in &mut rows {
            let share = row[k] / pivot[k];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= share * p);
            row[k] = 0.0;
        }
        found.push(k);
    }
    found.sort_unstable();
    let closed: Vec<&str> = contacts.iter().map(|&c| mechanism.contacts[c].name.as_str()).collect();
    let solve: Vec<&str> = found.iter().map(|&k| mechanism.coordinates[k].name.as_str()).collect();
    let closed =
        if closed.is_empty() { String::new() } else { format!("`closed: [{}]` and ", closed.join(", ")) };
    Some(format!("{closed}`solve: [{}]`", solve.join(", ")))
}
