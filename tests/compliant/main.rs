//! Compliant motions against closed forms, independent integrations, conservation laws and the rigid theory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

mod beyond_jam;
mod ends;
mod feet;
mod impact;
#[cfg(all(feature = "program", feature = "derive"))]
mod library;
mod linear;
mod motions;
mod portrait;
mod springs;
mod study;

use mechan::analysis::Names;
use mechan::contact::{Compliance, Hold, Laws};
use mechan::contact::{Friction, Restitution};
use mechan::model::{Model, ModelFile, State};
use mechan::simulate::Beginning;
use mechan::simulate::compliant::{Compliant, Motion, Options};
use mechan::simulate::trajectory::{Columns, Trajectory};
use mechan::stepping::PointFunction;

/// A mechanism with its laws, ready to run.
pub(crate) struct Subject {
    pub(crate) model: Model,
    pub(crate) names: Names,
    pub(crate) laws: Vec<Laws>,
    pub(crate) state: State,
    pub(crate) closed: Vec<usize>,
}

fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

pub(crate) fn laws(mu: f64, stiffness: f64, damping: f64) -> Laws {
    Laws {
        friction: Friction::new(mu).unwrap(),
        restitution: Restitution::Newton(0.0),
        tangential: 0.0,
        compliance: Compliance::new(stiffness, damping).unwrap(),
        hold: Hold::Unilateral,
    }
}

impl Subject {
    /// The rod with m = l = g = 1, tip closed, at an angle, with a slip of the tip and an angular velocity.
    pub(crate) fn rod(theta: f64, (u, v, omega): (f64, f64, f64), laws: Laws) -> Self {
        let file = ModelFile::read(include_str!("../../benches/models/painleve_rod.json")).unwrap();
        let mu = laws.friction.mu();
        let (s, c) = theta.sin_cos();
        Self {
            model: file.model,
            names: Names {
                coordinates: named(&["x", "y", "theta"]),
                parameters: named(&["m", "l", "g", "alpha", "I", "mu", "e", "F_x", "F_y", "T"]),
                contacts: named(&["tip"]),
            },
            laws: vec![laws],
            state: State {
                t: 0.0,
                q: vec![0.0, s, theta],
                v: vec![u + omega * s, v + omega * c, omega],
                parameters: vec![1.0, 1.0, 1.0, 3.0, 1.0 / 3.0, mu, 0.5, 0.0, 0.0, 0.0],
            },
            closed: vec![0],
        }
    }

    pub(crate) fn ask<T>(&self, ask: impl FnOnce(&Compliant, &Beginning<'_>) -> T) -> T {
        self.ask_where(&[], ask)
    }

    /// With what must be positive for contacts to close.
    fn ask_where<T>(
        &self,
        active: &[Option<PointFunction<'_>>],
        ask: impl FnOnce(&Compliant, &Beginning<'_>) -> T,
    ) -> T {
        let held = |i: usize| format!("held{i}");
        let constraints: Vec<String> = (0..self.model.layout().constraints).map(held).collect();
        let begin = Beginning {
            mechanism: "test",
            name: "test",
            names: &self.names,
            constraints: &constraints,
            columns: &Columns::new(self.model.layout(), &self.names, &constraints),
            state: &self.state,
            length: 0.0,
            closed: &self.closed,
            laws: &self.laws,
            active,
        };
        ask(&Compliant::new(&self.model), &begin)
    }

    pub(crate) fn run(&self, options: &Options<'_>) -> Motion {
        self.ask(|compliant, begin| compliant.run(begin, options).unwrap())
    }

    /// One contact that closes only where this is positive.
    pub(crate) fn run_where(&self, active: PointFunction<'_>, options: &Options<'_>) -> Motion {
        self.ask_where(&[Some(active)], |compliant, begin| compliant.run(begin, options).unwrap())
    }
}

/// The column of a name.
pub(crate) fn column(trajectory: &Trajectory, name: &str) -> Vec<f64> {
    let i = trajectory.columns.iter().position(|c| c == name).unwrap();
    trajectory.rows.iter().map(|row| row[i].0).collect()
}
