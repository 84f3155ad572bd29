//! What is said of equations that cannot be solved, or can be solved in more than one way.

use super::equations::{Equations, Row, Unknown};
use crate::analysis::Sizes;
use crate::contact::Sign;
use crate::diag::Diagnostic;
use crate::format::ResolvedState;
use crate::pipeline::states::fault;
use crate::report::significant;

impl Equations<'_> {
    /// That the search ended off an equation.
    pub(super) fn unreached(&self, state: &ResolvedState, sizes: &Sizes<'_>) -> Option<Diagnostic> {
        let (row, left) = self
            .rows
            .iter()
            .map(|row| (*row, self.scaled(*row, state, sizes)))
            .filter(|(_, left)| left.sign(self.asked.tol.closed) != Sign::Marginal)
            .max_by(|(_, a), (_, b)| (a.value / a.scale).abs().total_cmp(&(b.value / b.scale).abs()))?;
        let what = format!("{} stays {}", self.called(row), significant(left.value));
        let message = format!("the start leads nowhere: {what}, nearest at {}", self.place(state));
        let hint = "begin elsewhere: give these numbers other values under `q` and `v`; or solve for others, that change it";
        Some(fault("M311", self.asked.spec, message, hint))
    }

    /// That the equations do not determine what they are to.
    pub(super) fn undetermined(&self, rank: usize) -> Diagnostic {
        let names: Vec<String> = self.required().iter().map(|u| format!("`{}`", self.name(*u))).collect();
        let equations = match rank {
            0 if self.asked.spec.solve.equations.is_empty() => {
                "no closed contact and no constraint".to_string()
            }
            0 => "no independent equation".to_string(),
            1 => "one independent equation".to_string(),
            n => format!("{n} independent equations"),
        };
        let kind = match self.asked.spec.solve.velocities.as_slice() {
            [] => "coordinates",
            _ => "numbers",
        };
        let message = format!("{equations} cannot determine {} {kind}: {}", names.len(), names.join(", "));
        let hint = "list under `closed` the contacts that they are to close, or take some out of `solve`";
        fault("M312", self.asked.spec, message, hint)
    }

    /// That there is another solution.
    pub(super) fn another(&self, other: &ResolvedState) -> Diagnostic {
        let spec = self.asked.spec;
        let message =
            format!("the equations of state `{}` have another solution: {}", spec.name, self.place(other));
        let found = Diagnostic::warning("M316", message).with_span(spec.span);
        let found = found.with_path(format!("states.{}", spec.name));
        found.with_hint("the one that is used is that to which the values under `q` and `v` lead")
    }

    fn called(&self, row: Row) -> String {
        let mechanism = &self.asked.loaded.mechanism;
        match row {
            Row::Gap(c) => format!("the gap of contact `{}`", mechanism.contacts[c].name),
            Row::Constraint(c) => format!("constraint `{}`", mechanism.constraints[c].name),
            Row::GapRate(c) => format!("the normal velocity of contact `{}`", mechanism.contacts[c].name),
            Row::ConstraintRate(c) => format!("the rate of constraint `{}`", mechanism.constraints[c].name),
            Row::Own(i) => {
                let span = self.asked.spec.solve.equations[i].span;
                let text = self.asked.loaded.source.text.get(span.start..span.end).unwrap_or_default();
                format!("equation {} (`{text}`)", i + 1)
            }
        }
    }

    fn name(&self, unknown: Unknown) -> String {
        let name = |k: usize| &self.asked.loaded.mechanism.coordinates[k].name;
        match unknown {
            Unknown::Coordinate(k) => name(k).clone(),
            Unknown::Velocity(k) => format!("dot({})", name(k)),
        }
    }

    /// The numbers that are solved for.
    fn place(&self, state: &ResolvedState) -> String {
        let at = |u: &Unknown| format!("{} = {}", self.name(*u), significant(u.of(state)));
        self.required().iter().map(at).collect::<Vec<_>>().join(", ")
    }
}
