//! The plans in use. What every row is good for: docs/solvers.md.

use super::{Begin, Method, Only, Plan, Row, Work};
use crate::coulomb::solver::ProximalPoint;
use std::borrow::Cow;

const OPENING: &[Row] = &[
    Row::new(Method::GaussSeidel, Work::Iterations(2)),
    Row { only: Only::Contacts(100), ..Row::new(Method::AlartCurnier, Work::Iterations(20)) },
    Row { only: Only::Step(CHEAP), ..Row::new(proximal(1e-3, 10.0, 1.0), Work::Iterations(100)) },
];

const ROUNDS: &[Row] = &[
    Row::new(Method::Accelerated(3.0), share(1.0)),
    Row::new(Method::AlartCurnier, Work::Share(0.5, 12)),
    Row::new(proximal(1e-3, 10.0, 1.0), share(0.5)),
    Row { begin: Begin::Zero, ..Row::new(Method::FischerBurmeister, share(0.25)) },
    Row::new(Method::FischerBurmeister, share(0.5)),
];

/// Newton steps that cost at most as much as so many sweeps come before them.
const CHEAP: f64 = 16.0;

const fn proximal(start: f64, factor: f64, rho: f64) -> Method {
    Method::Proximal(ProximalPoint { start, factor, rho })
}

const fn share(share: f64) -> Work {
    Work::Share(share, usize::MAX)
}

const DEFAULT: Plan = Plan {
    opening: Cow::Borrowed(OPENING),
    rounds: Cow::Borrowed(ROUNDS),
    sweeps: 100,
    growth: 2,
    count: 10,
};

/// From a force that is near: in the plane and for few contacts mostly a few Newton steps suffice, smoothed ones where these do
/// not; many contacts in space, whose forces are not unique, need the proximal method (`docs/sessions.md`).
const NEAR: Plan = Plan {
    opening: Cow::Borrowed(&[
        Row { only: Only::Contacts(100), ..Row::new(Method::GaussSeidel, Work::Iterations(1)) },
        Row { only: Only::Plane, ..Row::new(Method::AlartCurnier, Work::Iterations(8)) },
        Row { only: Only::Plane, ..Row::new(Method::FischerBurmeister, Work::Iterations(30)) },
        Row { only: Only::Contacts(100), ..Row::new(Method::AlartCurnier, Work::Iterations(8)) },
        Row::new(proximal(1e-3, 10.0, 1.0), Work::Iterations(40)),
    ]),
    rounds: Cow::Borrowed(&[]),
    sweeps: 0,
    growth: 1,
    count: 0,
};

impl Default for Plan {
    fn default() -> Self {
        DEFAULT
    }
}

impl Plan {
    /// For few contacts, of which all solutions can be listed: no more than what solves most problems that have a solution.
    #[must_use]
    pub fn brief() -> Self {
        Self { count: 4, ..DEFAULT }
    }

    /// From a force that is near.
    pub(super) fn near() -> Self {
        NEAR
    }
}
