//! A derived model against the independent route of `finite`, block by block.

use super::finite::{self, At};
use mechan::format::Mechanism;
use mechan::model::{Model, Output};

/// Differences of order eight over steps of 4e-3 are good to about 1e-11 of the scale of what is differenced, twice
/// nested to about 1e-8.
const CLOSE: f64 = 1e-7;

/// All outputs of a model at a point.
pub fn outputs(model: &Model, at: &At) -> Vec<f64> {
    let inputs: Vec<f64> =
        std::iter::once(at.t).chain(at.q.clone()).chain(at.v.clone()).chain(at.p.clone()).collect();
    let mut values = vec![0.0; model.layout().outputs()];
    model.tape().eval(&inputs, &mut values, &mut model.tape().scratch());
    values
}

/// Compares every output block; returns the first disagreement. `reference` is the first state, where the default
/// tangents in space are chosen.
pub fn disagreement(m: &Mechanism, model: &Model, at: &At, reference: &At) -> Option<String> {
    let (layout, values) = (model.layout(), outputs(model, at));
    Output::ALL.into_iter().find_map(|output| {
        let expected = expected(m, at, reference, output);
        let found = &values[layout.range(output)];
        let scale = expected.iter().fold(1.0_f64, |s, x| s.max(x.abs()));
        let same = expected.len() == found.len()
            && expected.iter().zip(found).all(|(a, b)| (a - b).abs() <= CLOSE * scale);
        (!same).then(|| {
            format!("{}: {output:?}\n found    {found:?}\n expected {expected:?}\n at {at:?}", m.name)
        })
    })
}

fn expected(m: &Mechanism, at: &At, reference: &At, output: Output) -> Vec<f64> {
    let (n, contacts, d) = (0..at.q.len(), 0..m.contacts.len(), 0..m.space.tangents());
    let axis = |c: usize| finite::default_axis(m, reference, c);
    let at_rest = At { v: vec![0.0; at.v.len()], ..at.clone() };
    let constraints = || (0..m.constraints.len()).map(|c| finite::constraint(m, at, c));
    let potential = |i: usize| finite::potential_gradient(m, at, i);
    match output {
        Output::MassMatrix => {
            let mass = finite::mass_matrix(m, at);
            n.flat_map(|i| mass[i][..=i].to_vec()).collect()
        }
        Output::Bias => n.map(|i| finite::bias(m, at, i)).collect(),
        Output::Inertial => {
            n.map(|i| finite::bias(m, at, i) + finite::applied(m, at, i) - potential(i)).collect()
        }
        Output::Potential => n.map(potential).collect(),
        Output::Applied => n.map(|i| finite::applied(m, at, i)).collect(),
        Output::KineticEnergy => vec![finite::kinetic(m, at)],
        Output::PotentialEnergy => vec![finite::potential(m, at)],
        Output::Gap => contacts.map(|c| finite::gap(m, at, c)).collect(),
        Output::NormalJacobian => {
            contacts.flat_map(|c| n.clone().map(move |i| finite::normal_jacobian(m, at, c, i))).collect()
        }
        Output::GapRate => contacts.map(|c| finite::gap_rate(m, at, c)).collect(),
        Output::NormalDrift => contacts.map(|c| finite::normal_drift(m, at, c)).collect(),
        Output::TangentJacobian => contacts
            .flat_map(|c| d.clone().map(move |k| (c, k)))
            .flat_map(|(c, k)| n.clone().map(move |i| (c, k, i)))
            .map(|(c, k, i)| finite::tangent_jacobian(m, at, c, axis(c), i)[k])
            .collect(),
        Output::SlipRate => contacts.flat_map(|c| finite::slip(m, &at_rest, c, axis(c))).collect(),
        Output::TangentDrift => contacts
            .flat_map(|c| d.clone().map(move |k| (c, k)))
            .map(|(c, k)| finite::tangent_drift(m, at, c, axis(c), k))
            .collect(),
        Output::Constraint => constraints().map(|c| c.0).collect(),
        Output::ConstraintJacobian => constraints().flat_map(|c| c.1).collect(),
        Output::ConstraintRate => constraints().map(|c| c.2).collect(),
        Output::ConstraintDrift => constraints().map(|c| c.3).collect(),
    }
}

/// q̇·h + q̇·M v̇ = dT/dt + dV/dt − F·q̇ for scleronomic mechanisms: with v̇ = 0 the left is d/dt of T + V at v̇ = 0.
pub fn power_balance(m: &Mechanism, model: &Model, at: &At) -> f64 {
    let values = outputs(model, at);
    let block = |o: Output| &values[model.layout().range(o)];
    let power: f64 = block(Output::Bias)
        .iter()
        .zip(block(Output::Applied))
        .zip(&at.v)
        .map(|((h, f), v)| (h + f) * v)
        .sum();
    power - finite::energy_rate(m, at)
}
