//! A second derivation: the equations of a model against the energies and geometry of its file, exactly.
//!
//! | file | subject |
//! |---|---|
//! | `residue` | numbers modulo a prime, with angles |
//! | `motion` | energies and forces |
//! | `contact` | gaps, slips and constraints |
//!
//! All that is derived, M, h, gaps and slips with their Jacobians and drifts, is computed at random points from the file by dual numbers, and from the
//! model by its tape. It shares expressions and poses with the rest, and nothing with the algebra that derived the model.

mod contact;
mod motion;
mod residue;

use crate::format::Mechanism;
use crate::model::{Model, Output};
use motion::At;
use residue::Residue;
use std::collections::BTreeSet;

/// Points that are drawn until all is compared: roots are missing at some.
const DRAWN: usize = 40;

/// What a second derivation says of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// All equations are the same functions. Two that differ, as rational functions of degree up to a million in what was drawn, would have passed
    /// with a chance below 10⁻¹².
    Agrees,
    /// Some cannot be compared, since they have functions that are not rational.
    Open(Vec<Output>),
    /// Some are not what the file says.
    Differs(Vec<Output>),
}

/// What a block of equations is.
pub fn words(output: Output) -> &'static str {
    match output {
        Output::MassMatrix => "the mass matrix",
        Output::Bias => "the generalised forces",
        Output::Gap => "gaps",
        Output::NormalJacobian | Output::GapRate => "rates of gaps",
        Output::NormalDrift => "accelerations of gaps",
        Output::TangentJacobian | Output::SlipRate => "slips",
        Output::TangentDrift => "accelerations of slips",
        Output::Constraint => "constraints",
        Output::ConstraintJacobian | Output::ConstraintRate => "rates of constraints",
        Output::ConstraintDrift => "accelerations of constraints",
        Output::KineticEnergy => "the kinetic energy",
        Output::PotentialEnergy => "the potential energy",
        Output::Inertial => "inertial forces",
        Output::Potential => "forces with a potential",
        Output::Applied => "applied forces",
    }
}

/// Compares a model with the file that it was derived from.
pub fn agreement(mechanism: &Mechanism, model: &Model) -> Agreement {
    let axes: Vec<usize> = mechanism.contacts.iter().map(|contact| mechanism.tangent_axis(contact)).collect();
    let (mut seed, mut differs) = (0, BTreeSet::new());
    let mut seen = [false; Output::ALL.len()];
    for _ in 0..DRAWN {
        let at = drawn(mechanism, &mut seed);
        let inputs: Vec<Residue> =
            std::iter::once(at.t).chain(at.q.iter().chain(&at.v).chain(&at.parameters).copied()).collect();
        let mut found = vec![Residue::drawn(0, 0); model.layout().outputs()];
        model.tape().eval(&inputs, &mut found, &mut model.tape().scratch());
        for (k, output) in Output::ALL.into_iter().enumerate() {
            if seen[k] {
                continue;
            }
            let expected = expected(&at, &axes, output);
            let found = &found[model.layout().range(output)];
            let agree = expected.iter().zip(found).map(|(a, b)| a.agrees(*b));
            let agree: Vec<Option<bool>> = agree.collect();
            if expected.len() != found.len() || agree.contains(&Some(false)) {
                differs.insert(k);
            }
            seen[k] = !agree.contains(&None);
        }
        if !seen.contains(&false) {
            break;
        }
    }
    let named = |which: &dyn Fn(usize) -> bool| -> Vec<Output> {
        Output::ALL.into_iter().enumerate().filter(|(k, _)| which(*k)).map(|(_, output)| output).collect()
    };
    let open = named(&|k| !seen[k]);
    match (differs.is_empty(), open.is_empty()) {
        (false, _) => Agreement::Differs(named(&|k| differs.contains(&k))),
        (true, false) => Agreement::Open(open),
        (true, true) => Agreement::Agrees,
    }
}

/// A point, by the next numbers of a sequence (splitmix64).
fn drawn<'m>(mechanism: &'m Mechanism, seed: &mut u64) -> At<'m, Residue> {
    let mut next = || {
        *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut some = |count: usize| (0..count).map(|_| Residue::drawn(next(), next())).collect::<Vec<_>>();
    let n = mechanism.coordinates.len();
    let (t, q, v, parameters) = (some(1)[0], some(n), some(n), some(mechanism.parameters.len()));
    At { mechanism, t, q, v, parameters }
}

/// A block of a model's outputs, from the file.
fn expected(at: &At<'_, Residue>, axes: &[usize], output: Output) -> Vec<Residue> {
    let n = 0..at.q.len();
    let (contacts, constraints) = (0..axes.len(), 0..at.mechanism.constraints.len());
    let slips = |of: &dyn Fn(usize, usize) -> Vec<Residue>| -> Vec<Residue> {
        axes.iter().enumerate().flat_map(|(c, &axis)| of(c, axis)).collect()
    };
    let rows = |count: std::ops::Range<usize>, of: &dyn Fn(usize, usize) -> Residue| -> Vec<Residue> {
        count.flat_map(|c| n.clone().map(move |i| (c, i))).map(|(c, i)| of(c, i)).collect()
    };
    match output {
        Output::MassMatrix => n.flat_map(|i| (0..=i).map(move |j| at.mass(i, j))).collect(),
        Output::Bias => n.map(|i| at.inertial(i) + at.potential_force(i) - at.applied(i)).collect(),
        Output::Inertial => n.map(|i| at.inertial(i)).collect(),
        Output::Potential => n.map(|i| at.potential_force(i)).collect(),
        Output::Applied => n.map(|i| at.applied(i)).collect(),
        Output::KineticEnergy => vec![at.kinetic()],
        Output::PotentialEnergy => vec![at.potential()],
        Output::Gap => contacts.map(|c| at.gap(c)).collect(),
        Output::NormalJacobian => rows(contacts, &|c, i| at.along_coordinate(i).gap(c).eps),
        Output::GapRate => contacts.map(|c| at.along_time().gap(c).eps).collect(),
        Output::NormalDrift => contacts.map(|c| at.along().along().gap(c).eps.eps).collect(),
        Output::TangentJacobian => tangent_rows(at, axes),
        Output::SlipRate => slips(&|c, axis| at.resting().slip(c, axis)),
        Output::TangentDrift => {
            slips(&|c, axis| at.along().slip(c, axis).into_iter().map(|x| x.eps).collect())
        }
        Output::Constraint => constraints.map(|c| at.constraint(c)).collect(),
        Output::ConstraintJacobian => rows(constraints, &|c, i| at.along_coordinate(i).constraint(c).eps),
        Output::ConstraintRate => constraints.map(|c| at.along_time().constraint(c).eps).collect(),
        Output::ConstraintDrift => constraints.map(|c| at.along().along().constraint(c).eps.eps).collect(),
    }
}

/// ∂γ/∂v, by differences that are exact for a linear function.
fn tangent_rows(at: &At<'_, Residue>, axes: &[usize]) -> Vec<Residue> {
    let row = |c: usize, axis: usize, k: usize| {
        let slip = |at: &At<'_, Residue>| at.slip(c, axis)[k];
        (0..at.q.len()).map(move |i| slip(&at.faster(i, 1.0)) - slip(at)).collect::<Vec<_>>()
    };
    let tangents = at.mechanism.space.tangents();
    axes.iter().enumerate().flat_map(|(c, &axis)| (0..tangents).flat_map(move |k| row(c, axis, k))).collect()
}
