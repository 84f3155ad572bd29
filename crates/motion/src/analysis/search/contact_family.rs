//! Slipping states of a derived mechanism by one coordinate and its rate: the family in which [`super::jam_friction`]
//! searches. The contact stays closed and the constraints hold, in position and in velocity: as many other coordinates
//! follow as there are equations.

use super::jam_friction::SlipFamily;
use super::linear::Basis;
use crate::analysis::local::{ContactView, PlanarModel};
use crate::contact::Slip;
use crate::model::{Block, Output};
use crate::num::{Tol, dense};

/// States that differ in one coordinate and its rate; others follow so that the contact stays closed.
#[derive(Clone, Debug)]
pub struct ContactFamily<'m> {
    view: ContactView<'m>,
    q: Vec<f64>,
    v: Vec<f64>,
    varied: usize,
    followers: Vec<usize>,
    /// A coordinate that enters by its rate alone, and only into the slip.
    carrier: Option<usize>,
    tol: Tol,
}

/// Residuals and derivatives of the gap and the constraints.
struct Equations {
    values: Vec<f64>,
    jacobian: Vec<Vec<f64>>,
    /// Explicit rates.
    rates: Vec<f64>,
}

impl<'m> ContactFamily<'m> {
    /// Blocks that the kernel must have beside [`ContactView::NEEDED`].
    pub const NEEDED: [Block; 5] = [
        Block::Model(Output::NormalJacobian),
        Block::Model(Output::Constraint),
        Block::Model(Output::ConstraintJacobian),
        Block::Model(Output::ConstraintRate),
        Block::Model(Output::TangentJacobian),
    ];

    /// The family through (`q`, `v`) along coordinate `varied`. `None` if the gap and the constraints do not determine as
    /// many other coordinates near `q`.
    pub fn new(view: ContactView<'m>, q: &[f64], v: &[f64], varied: usize) -> Option<Self> {
        let tol = Tol::default();
        let start =
            Self { view, q: q.to_vec(), v: v.to_vec(), varied, followers: Vec::new(), carrier: None, tol };
        let basis = start.basis(&start.equations(q))?;
        let carrier = (0..q.len()).find(|&k| k != varied && start.only_carries(k));
        Some(Self { followers: basis.columns, carrier, ..start })
    }

    /// Coordinates that are held although the equations of motion read them.
    pub fn held(&self) -> Vec<usize> {
        let fixed = |k: &usize| *k != self.varied && !self.followers.contains(k);
        (0..self.q.len()).filter(fixed).filter(|&k| self.reads(1 + k)).collect()
    }

    /// Whether anything but the gap velocity and the slip depends on an input.
    fn reads(&self, input: usize) -> bool {
        let kernel = self.view.kernel;
        let (rate, slip) = (kernel.range(Block::GapVelocity), kernel.range(Block::Slip));
        let counts = |place: &usize| !rate.contains(place) && !slip.contains(place);
        let reads = kernel.tape().reads(input);
        reads.iter().enumerate().any(|(place, &reads)| reads && counts(&place))
    }

    /// Whether a coordinate and its rate enter nothing but the slip.
    fn only_carries(&self, k: usize) -> bool {
        !self.reads(1 + k) && !self.reads(1 + self.q.len() + k)
    }

    /// Which coordinates follow: never the varied one.
    fn basis(&self, equations: &Equations) -> Option<Basis> {
        let weights: Vec<f64> = (0..self.q.len()).map(|k| if k == self.varied { 0.0 } else { 1.0 }).collect();
        Basis::new(&equations.jacobian, &weights)
    }

    fn equations(&self, q: &[f64]) -> Equations {
        let kernel = self.view.kernel;
        let inputs: Vec<f64> = std::iter::once(0.0)
            .chain(q.iter().chain(&self.v).chain(self.view.parameters).copied())
            .collect();
        let mut values = kernel.values();
        kernel.evaluate(&inputs, &mut values);
        let (n, contact) = (q.len(), self.view.contact);
        let block = |output| kernel.block(&values, output);
        let normal = &block(Output::NormalJacobian)[contact * n..(contact + 1) * n];
        let held = block(Output::ConstraintJacobian).chunks_exact(n);
        Equations {
            values: [&block(Output::Gap)[contact..=contact], block(Output::Constraint)].concat(),
            jacobian: std::iter::once(normal).chain(held).map(<[f64]>::to_vec).collect(),
            rates: [&block(Output::GapRate)[contact..=contact], block(Output::ConstraintRate)].concat(),
        }
    }

    /// The followers near those of the family's state: Newton's method, to the last bit that it changes.
    fn closed(&self, mut q: Vec<f64>) -> Option<Vec<f64>> {
        let mut last = f64::INFINITY;
        for _ in 0..self.tol.root_steps {
            let equations = self.equations(&q);
            let step = Basis::on(&self.followers, &equations.jacobian)?.correction(&equations.values);
            let size = step.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
            if size >= last || size == 0.0 {
                return Some(q);
            }
            last = size;
            self.followers.iter().zip(step).for_each(|(&k, step)| q[k] += step);
        }
        None
    }

    /// The rates of the followers for the rates of the others.
    fn follow(&self, q: &[f64], v: &mut [f64]) -> Option<()> {
        let equations = self.equations(q);
        self.followers.iter().for_each(|&k| v[k] = 0.0);
        let rows = equations.jacobian.iter().zip(&equations.rates);
        let left: Vec<f64> = rows.map(|(row, rate)| dense::dot(row, v) + rate).collect();
        let rates = Basis::on(&self.followers, &equations.jacobian)?.correction(&left);
        self.followers.iter().zip(rates).for_each(|(&k, rate)| v[k] = rate);
        Some(())
    }

    fn slip(&self, q: &[f64], v: &[f64]) -> Option<f64> {
        self.view.local(0.0, q, v).ok().map(|local| local.u)
    }
}

impl<'m> SlipFamily for ContactFamily<'m> {
    type Model = ContactView<'m>;

    fn model(&self) -> &ContactView<'m> {
        &self.view
    }

    fn state(&self, theta: f64, omega: f64) -> Option<(Vec<f64>, Vec<f64>)> {
        let (mut q, mut v) = (self.q.clone(), self.v.clone());
        q[self.varied] = theta;
        let q = self.closed(q)?;
        v[self.varied] = omega;
        self.follow(&q, &mut v)?;
        Some((q, v))
    }

    /// The carrier turns the slip where there is one; otherwise the rate ω decides it.
    fn sliding(&self, q: &[f64], v: &[f64], slip: Slip) -> Option<Vec<f64>> {
        let u = self.slip(q, v)?;
        if u * slip.sign() > 0.0 {
            return Some(v.to_vec());
        }
        let k = self.carrier?;
        let mut v = v.to_vec();
        v[k] += 1.0;
        let slope = self.slip(q, &v)? - u;
        v[k] += (slip.sign() - u) / slope - 1.0;
        (self.slip(q, &v)? * slip.sign() > 0.0).then_some(v)
    }
}
