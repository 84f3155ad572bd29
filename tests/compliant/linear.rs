//! Mechanisms with constant matrices, whose motions are known by hand.

use super::{Subject, named};
use mechan::analysis::Names;
use mechan::contact::Laws;
use mechan::model::{Layout, Model, Output, State};
use mechan::tape::{Builder, Value};

/// M q̈ = −K q + f + Wᵀλ with diagonal M and K and constant rows.
pub(crate) struct Linear {
    pub(crate) masses: Vec<f64>,
    pub(crate) stiffness: Vec<f64>,
    /// Forces with a potential.
    pub(crate) forces: Vec<f64>,
    /// Rows N, T (N, T1, T2) of each contact.
    pub(crate) contacts: Vec<Vec<Vec<f64>>>,
}

impl Linear {
    pub(crate) fn model(&self) -> Model {
        let (n, m) = (self.masses.len(), self.contacts.len());
        let tangents = self.contacts[0].len() - 1;
        let layout = Layout { coordinates: n, parameters: 0, constraints: 0, contacts: m, tangents };
        let mut b = Builder::new(layout.inputs());
        let q: Vec<Value> = (0..n).map(|i| b.input(1 + i)).collect();
        let v: Vec<Value> = (0..n).map(|i| b.input(1 + n + i)).collect();
        let mut outputs = Vec::new();
        for output in Output::ALL {
            outputs.extend(self.output(&mut b, output, &q, &v, layout.len(output)));
        }
        Model::new(layout, b.finish(&outputs)).unwrap()
    }

    fn output(&self, b: &mut Builder, output: Output, q: &[Value], v: &[Value], len: usize) -> Vec<Value> {
        let n = q.len();
        let mut numbers = |x: Vec<f64>| x.into_iter().map(|x| b.constant(x)).collect::<Vec<_>>();
        match output {
            Output::MassMatrix => numbers(
                (0..n)
                    .flat_map(|i| (0..=i).map(move |j| (i, j)))
                    .map(|(i, j)| if i == j { self.masses[i] } else { 0.0 })
                    .collect(),
            ),
            Output::NormalJacobian => {
                numbers(self.contacts.iter().flat_map(|rows| rows[0].clone()).collect())
            }
            Output::TangentJacobian => {
                numbers(self.contacts.iter().flat_map(|rows| rows[1..].concat()).collect())
            }
            Output::Gap => self.contacts.iter().map(|rows| sum(b, &rows[0], q)).collect(),
            Output::Bias | Output::Potential => (0..n)
                .map(|i| {
                    let spring = sum(b, &[self.stiffness[i]], &q[i..=i]);
                    let force = b.constant(self.forces[i]);
                    b.sub(spring, force)
                })
                .collect(),
            Output::KineticEnergy => vec![squares(b, &self.masses, v)],
            Output::PotentialEnergy => {
                let (spring, force) = (squares(b, &self.stiffness, q), sum(b, &self.forces, q));
                vec![b.sub(spring, force)]
            }
            _ => numbers(vec![0.0; len]),
        }
    }

    pub(crate) fn subject(&self, q: &[f64], v: &[f64], laws: Laws, closed: &[usize]) -> Subject {
        let names = |what: &str, count: usize| (0..count).map(|i| format!("{what}{i}")).collect();
        Subject {
            model: self.model(),
            names: Names {
                coordinates: names("q", q.len()),
                parameters: named(&[]),
                contacts: names("c", self.contacts.len()),
            },
            laws: vec![laws; self.contacts.len()],
            state: State { t: 0.0, q: q.to_vec(), v: v.to_vec(), parameters: Vec::new() },
            closed: closed.to_vec(),
        }
    }
}

/// Σ weightᵢ xᵢ.
fn sum(b: &mut Builder, weights: &[f64], x: &[Value]) -> Value {
    let zero = b.constant(0.0);
    weights.iter().zip(x).fold(zero, |total, (&weight, &x)| {
        let weight = b.constant(weight);
        let term = b.mul(weight, x);
        b.add(total, term)
    })
}

/// ½ Σ weightᵢ xᵢ².
fn squares(b: &mut Builder, weights: &[f64], x: &[Value]) -> Value {
    let halves: Vec<f64> = weights.iter().map(|w| 0.5 * w).collect();
    let squared: Vec<Value> = x.iter().map(|&x| b.mul(x, x)).collect();
    sum(b, &halves, &squared)
}
