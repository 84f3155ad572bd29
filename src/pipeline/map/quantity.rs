//! What is mapped: a name of the list, or an expression of parameters, coordinates, velocities and the numbers of the list.

use super::fault::MapFault;
use crate::analysis::RestDepth;
use crate::diag::{Diagnostic, nearest};
use crate::expression::{Allow, Env, Expr, Names, Scope, SourceMap, Symbol, parse};
use crate::format::{Mechanism, Space};

/// Names of quantities, words first.
pub const QUANTITIES: [&str; 11] = [
    "verdict",
    "equilibrium",
    "lyapunov",
    "growth",
    "p",
    "p_plus",
    "p_minus",
    "a",
    "b",
    "effective_restitution",
    "mu_min",
];

/// Words of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordOf {
    Verdict,
    Equilibrium,
    Lyapunov,
}

/// Numbers of a state, most of them of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberOf {
    Growth,
    P,
    PPlus,
    PMinus,
    A,
    B,
    EffectiveRestitution,
    MuMin,
}

impl NumberOf {
    /// In the order of their names in [`QUANTITIES`].
    pub(super) const ALL: [Self; 8] = [
        Self::Growth,
        Self::P,
        Self::PPlus,
        Self::PMinus,
        Self::A,
        Self::B,
        Self::EffectiveRestitution,
        Self::MuMin,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Growth => "growth",
            Self::P => "p",
            Self::PPlus => "p_plus",
            Self::PMinus => "p_minus",
            Self::A => "a",
            Self::B => "b",
            Self::EffectiveRestitution => "effective_restitution",
            Self::MuMin => "mu_min",
        }
    }

    fn is_of_a_contact(self) -> bool {
        self != Self::Growth
    }

    fn is_of_the_plane(self) -> bool {
        matches!(self, Self::PPlus | Self::PMinus | Self::A)
    }

    /// Where regions part, if nothing else is said.
    fn level(self) -> Option<f64> {
        match self {
            Self::Growth | Self::EffectiveRestitution => Some(1.0),
            Self::P | Self::PPlus | Self::PMinus | Self::A | Self::B => Some(0.0),
            Self::MuMin => None,
        }
    }
}

/// What is mapped.
#[derive(Clone, Debug)]
pub(super) enum Quantity {
    Word(WordOf),
    Number(NumberOf),
    /// With the numbers that it uses.
    Expression {
        expr: Expr,
        uses: Vec<NumberOf>,
        definitions: Vec<Expr>,
    },
}

impl Quantity {
    /// From its name or its text. In an expression a name of the mechanism's own goes before one of the list.
    pub(super) fn parse(mechanism: &Mechanism, text: &str) -> Result<Self, MapFault> {
        let text = text.trim();
        let found = match text {
            "verdict" => Self::Word(WordOf::Verdict),
            "equilibrium" => Self::Word(WordOf::Equilibrium),
            "lyapunov" => Self::Word(WordOf::Lyapunov),
            _ => match NumberOf::ALL.into_iter().find(|number| number.name() == text) {
                Some(number) => Self::Number(number),
                None => expression(mechanism, text)?,
            },
        };
        let of_plane = found.uses().into_iter().find(|number| number.is_of_the_plane());
        match of_plane.filter(|_| mechanism.space != Space::Plane) {
            Some(number) => Err(MapFault::PlaneOnly { quantity: number.name() }),
            None => Ok(found),
        }
    }

    pub(super) fn uses(&self) -> Vec<NumberOf> {
        match self {
            Self::Word(_) => Vec::new(),
            Self::Number(number) => vec![*number],
            Self::Expression { uses, .. } => uses.clone(),
        }
    }

    pub(super) fn is_of_a_contact(&self) -> bool {
        self.uses().into_iter().any(NumberOf::is_of_a_contact)
    }

    pub(super) fn is_word(&self) -> bool {
        matches!(self, Self::Word(_))
    }

    /// Where regions part, if nothing else is said.
    pub(super) fn levels(&self) -> Vec<f64> {
        match self {
            Self::Word(_) => Vec::new(),
            Self::Number(number) => number.level().into_iter().collect(),
            Self::Expression { .. } => vec![0.0],
        }
    }

    /// What has to be known of an equilibrium.
    pub(super) fn depth(&self) -> RestDepth {
        let asks = matches!(self, Self::Word(WordOf::Equilibrium | WordOf::Lyapunov))
            || self.uses().contains(&NumberOf::Growth);
        if asks { RestDepth::Stability } else { RestDepth::Nothing }
    }
}

fn expression(mechanism: &Mechanism, text: &str) -> Result<Quantity, MapFault> {
    let mechanism = &*mechanism.with_motion_for(text);
    let names = mechanism.names();
    let n = names.coordinates.len();
    let numbers = NumberOf::ALL.map(|number| number.name().to_string());
    let all = Names { coordinates: names.coordinates.iter().cloned().chain(numbers).collect(), ..names };
    let scope =
        Scope { rates: Allow::Only((0..n).collect()), smooth: false, ..Scope::position(&all, "a quantity") };
    let refused = |faults: Vec<Diagnostic>| MapFault::Quantity {
        text: text.to_string(),
        fault: Box::new(faults.into_iter().next().unwrap_or_else(|| Diagnostic::error("M304", "no value"))),
        close: nearest(text, super::QUANTITIES.iter().copied()),
    };
    let expr = parse(text, &scope, &SourceMap::From(0)).map_err(refused)?;
    let mut uses = Vec::new();
    expr.for_each_symbol(&mut |symbol, _| {
        if let Symbol::Coordinate(i) = symbol
            && let Some(number) = i.checked_sub(n).and_then(|i| NumberOf::ALL.get(i))
            && !uses.contains(number)
        {
            uses.push(*number);
        }
    });
    Ok(Quantity::Expression { expr, uses, definitions: mechanism.definitions.values.clone() })
}

/// The value of an expression at a state; numbers that it does not use are not asked for. `coordinates` is memory.
pub(super) fn evaluated(
    (expr, definitions): (&Expr, &[Expr]),
    uses: &[NumberOf],
    env: Env<'_, f64>,
    number: impl Fn(NumberOf) -> f64,
    coordinates: &mut Vec<f64>,
) -> f64 {
    coordinates.clear();
    coordinates.extend_from_slice(env.q);
    coordinates.extend(NumberOf::ALL.map(|of| if uses.contains(&of) { number(of) } else { f64::NAN }));
    expr.eval(&Env { q: coordinates, definitions, ..env })
}
