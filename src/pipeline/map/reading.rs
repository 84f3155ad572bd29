//! The value of a quantity in what is said about a state.

use super::quantity::{NumberOf, Quantity, WordOf, evaluated};
use crate::analysis::map::Cell;
use crate::analysis::several::RestOutcome;
use crate::analysis::{ContactOutcome, Decided, LocalOutcome, Prospect, StateOutcome};
use crate::equilibrium::{Condition, Equilibrium, LyapunovVerdict};
use crate::expression::Env;
use crate::model::State;

/// The value of a quantity; numbers of a contact are those of `contact`.
pub(super) fn read(
    quantity: &Quantity,
    outcome: &StateOutcome,
    state: &State,
    contact: Option<&str>,
) -> Cell {
    let number = |of: NumberOf| number(of, outcome, contact).unwrap_or(f64::NAN);
    match quantity {
        Quantity::Word(WordOf::Verdict) => {
            outcome.prospect.verdict.map_or(Cell::Undefined, |verdict| Cell::Word(verdict.name()))
        }
        Quantity::Word(WordOf::Equilibrium) => named(equilibrium(&outcome.prospect)),
        Quantity::Word(WordOf::Lyapunov) => named(lyapunov(&outcome.prospect)),
        Quantity::Number(of) => Cell::number(number(*of)),
        Quantity::Expression { expr, uses, definitions } => {
            let State { t, q, v, parameters } = state;
            let env = Env { t: *t, q, v, parameters, definitions: &[] };
            Cell::number(evaluated((expr, definitions), uses, env, number, &mut Vec::new()))
        }
    }
}

/// The value of a quantity that is decided without a report; none of others.
pub(super) fn read_decided(quantity: &Quantity, Decided { verdict, strength }: &Decided) -> Option<Cell> {
    match quantity {
        Quantity::Word(WordOf::Verdict) => Some(Cell::Word(verdict.name())),
        Quantity::Word(WordOf::Equilibrium) => {
            let word = (*strength)?.map_or("none", |[weak, strong]| self::strength(weak, strong));
            Some(Cell::Word(word))
        }
        _ => None,
    }
}

/// Whether [`read_decided`] has values of a quantity.
pub(super) fn is_decided(quantity: &Quantity) -> bool {
    matches!(quantity, Quantity::Word(WordOf::Verdict | WordOf::Equilibrium))
}

/// Weak and strong stability as a word.
fn strength(weak: Condition, strong: Condition) -> &'static str {
    match (weak, strong) {
        (Condition::Fails, _) => "none",
        (Condition::Holds, Condition::Holds) => "strong",
        (Condition::Holds, Condition::Fails) => "ambiguous",
        (Condition::Unknown, _) | (_, Condition::Unknown) => "unknown",
        (Condition::Marginal, _) | (_, Condition::Marginal) => "marginal",
    }
}

fn named(word: Option<&'static str>) -> Cell {
    word.map_or(Cell::Undefined, Cell::Word)
}

/// An equilibrium on one contact in the plane, if the state is one; none in space, where of one contact alone nothing is said.
fn on_one(prospect: &Prospect) -> Option<Option<&Equilibrium>> {
    match prospect.plane() {
        Some(plane) => Some(plane.equilibrium.as_ref()),
        None => prospect.several.as_ref().map(|_| None),
    }
}

fn equilibrium(prospect: &Prospect) -> Option<&'static str> {
    Some(match (&prospect.rest, on_one(prospect)?) {
        (Some(rest), _) => strength(rest.weak, rest.strong),
        (None, Some(one)) => strength(Condition::Holds, one.unambiguous),
        (None, None) => "none",
    })
}

fn lyapunov(prospect: &Prospect) -> Option<&'static str> {
    Some(match (&prospect.rest, on_one(prospect)?) {
        (Some(rest), _) => small_motions(rest),
        (None, Some(one)) => match (one.lyapunov_stable, one.unambiguous) {
            (Condition::Holds, _) => "stable",
            (Condition::Fails, Condition::Fails) => "ambiguous",
            (Condition::Fails, _) => "unstable",
            (Condition::Marginal | Condition::Unknown, _) => "undecided",
        },
        (None, None) => "none",
    })
}

/// Of an equilibrium on several contacts: `ambiguous` is unstable because another mode takes over at once.
fn small_motions(rest: &RestOutcome) -> &'static str {
    match rest.standing.as_ref().map(|standing| standing.lyapunov.verdict) {
        Some(LyapunovVerdict::Stable) => "stable",
        Some(LyapunovVerdict::Unstable) if rest.ambiguous_with.is_empty() => "unstable",
        Some(LyapunovVerdict::Unstable) => "ambiguous",
        Some(LyapunovVerdict::Undecided) => "undecided",
        // nothing is said of small motions in space
        None if strength(rest.weak, rest.strong) == "none" => "none",
        None => "undecided",
    }
}

fn number(of: NumberOf, outcome: &StateOutcome, contact: Option<&str>) -> Option<f64> {
    if of == NumberOf::Growth {
        return outcome.prospect.rest.as_ref()?.standing.as_ref()?.lyapunov.growth.map(|x| x.0);
    }
    let name = contact?;
    let contact = outcome.contacts.get(name)?;
    match of {
        NumberOf::P => Some(contact.p_slip.shown),
        NumberOf::MuMin => Some(contact.mu_min.shown),
        NumberOf::EffectiveRestitution => {
            outcome.prospect.plane()?;
            Some(outcome.prospect.impact.get(name)?.effective_restitution.0)
        }
        NumberOf::PPlus | NumberOf::PMinus | NumberOf::A | NumberOf::B => Some(local(of, contact)),
        NumberOf::Growth => None,
    }
}

fn local(of: NumberOf, contact: &ContactOutcome) -> f64 {
    let found = match (&contact.local, of) {
        (LocalOutcome::Plane { p_plus, .. }, NumberOf::PPlus) => p_plus,
        (LocalOutcome::Plane { p_minus, .. }, NumberOf::PMinus) => p_minus,
        (LocalOutcome::Plane { a, .. }, NumberOf::A) => a,
        (LocalOutcome::Plane { b, .. } | LocalOutcome::Space { b, .. }, NumberOf::B) => b,
        _ => return f64::NAN,
    };
    found.shown
}
