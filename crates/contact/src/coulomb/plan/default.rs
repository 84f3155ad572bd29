//! The plans in use. What every row is good for: benches/README.md.

use super::{Begin, Method, Only, Plan, Row, Work};
use crate::coulomb::solver::{ProximalPoint, Task};
use crate::coulomb::tolerance::METHODS;
use std::borrow::Cow;

const OPENING: &[Row] = &[
    Row::new(Method::GaussSeidel, Work::Iterations(2)),
    Row { only: Only::Contacts(FEW), ..Row::new(Method::AlartCurnier, Work::Iterations(20)) },
    Row {
        only: Only::Step(CHEAP, METHODS.loose),
        ..Row::new(Method::Proximal(HASTIEST), Work::Iterations(100))
    },
];

const ROUNDS: &[Row] = &[
    Row::new(Method::Accelerated(1.0), share(1.0)),
    Row { only: Only::Beyond(FEW), ..Row::new(Method::Multipliers, share(2.0)) },
    // where a few contacts have no solution the path goes to forces without bound, whose velocities rounding hides
    Row { begin: Begin::Zero, only: Only::Beyond(FEW), ..Row::new(Method::Smoothed, share(2.0)) },
    Row::new(Method::AlartCurnier, Work::Share(0.2, 12)),
    Row::new(Method::Proximal(PROXIMAL), share(0.35)),
    Row { begin: Begin::Zero, ..Row::new(Method::FischerBurmeister, share(0.25)) },
    Row::new(Method::FischerBurmeister, share(0.25)),
];

/// Newton steps that cost at most as much as so many sweeps come before them.
const CHEAP: f64 = 10.0;

const PROXIMAL: ProximalPoint = ProximalPoint { start: 1e-3, factor: 10.0, rho: 1.0, patience: usize::MAX };

/// Before any sweeps to speak of: on long chains of contacts the steps may lead nowhere, which shows after a few of them.
pub(super) const HASTY: ProximalPoint = ProximalPoint { patience: 15, ..PROXIMAL };

/// On the recorded problems that such steps solve, five make the residual a tenth; on heaps they do not.
const HASTIEST: ProximalPoint = ProximalPoint { patience: 5, ..PROXIMAL };

const fn share(share: f64) -> Work {
    Work::Share(share, usize::MAX)
}

const DEFAULT: Plan = Plan {
    opening: Cow::Borrowed(OPENING),
    rounds: Cow::Borrowed(ROUNDS),
    sweeps: 100,
    of_path: 0.33,
    dear: CHEAP,
    growth: 2,
    count: 9,
};

/// From a force that is near, in the plane and for few contacts: mostly a few Newton steps suffice.
const NEAR: Plan = Plan {
    opening: Cow::Borrowed(&[
        Row { only: Only::Contacts(FEW), ..Row::new(Method::GaussSeidel, Work::Iterations(1)) },
        Row::new(Method::AlartCurnier, Work::Iterations(8)),
        Row::new(Method::FischerBurmeister, Work::Iterations(30)),
    ]),
    ..NOTHING
};

/// From a force that is near, for many contacts in space, whose forces are not unique.
const NEAR_IN_A_CROWD: Plan =
    Plan { opening: Cow::Borrowed(&[Row::new(Method::Proximal(PROXIMAL), Work::Iterations(40))]), ..NOTHING };

const NOTHING: Plan = Plan {
    opening: Cow::Borrowed(&[]),
    rounds: Cow::Borrowed(&[]),
    sweeps: 0,
    of_path: 0.0,
    dear: f64::INFINITY,
    growth: 1,
    count: 0,
};

/// Up to so many contacts Newton steps are tried at once.
pub(crate) const FEW: usize = 100;

impl Default for Plan {
    fn default() -> Self {
        DEFAULT
    }
}

impl Plan {
    /// For few contacts, of which all solutions can be listed: no more than what solves most problems that have a solution.
    #[must_use]
    pub fn brief() -> Self {
        Self { count: 3, ..DEFAULT }
    }

    /// From a force that is near.
    pub(super) fn near(task: &Task<'_>) -> Self {
        if task.mu.len() <= FEW || task.local.W.block_size() == 2 { NEAR } else { NEAR_IN_A_CROWD }
    }
}
