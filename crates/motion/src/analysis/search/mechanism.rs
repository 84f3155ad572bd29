//! The landscape of a derived mechanism: φ = Σ (B_k/C)² with C = n·z, B_k = t_k·z, where K z = (n, 0) is the saddle point
//! system of M and the constraints, K = [[M, Jᵀ], [J, 0]].
//!
//! With approximate solutions z̃ and ỹ_k of K y_k = (t_k, 0), and r = n − K z̃, C = z̃·(2n − K z̃) + r·(z − z̃), in which the
//! last term is of second order and the entries of n and K occur once; B likewise. By the implicit function theorem
//! dB_k − ρ dC = (y_k − 2ρz)·dn + z·dt_k − (y_k − ρz)·dK z with ρ = B_k/C, so that the derivatives of φ are those of the
//! entries, weighted. Where K varies too much for its solutions to be enclosed as a whole, M factored step by step may still
//! give a bound: both are taken, and what both allow.

use super::landscape::{Landscape, regular};
use super::saddle::{Enclosed, Solution};
use crate::model::{ContactConfiguration, Kernel, Layout};
use crate::num::{Interval, Real, dense::packed_len};
use crate::tape::Enclosure;

const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };

/// Which numbers of a mechanism vary.
pub(super) struct Mechanism<'m> {
    /// φ and the equations, M being factored step by step.
    factored: Enclosure,
    forms: Enclosure,
    layout: Layout,
    /// Rows of J among the forms.
    constraints: usize,
    kernel: &'m Kernel,
    /// All tape inputs, and the places of the variables among them.
    inputs: &'m [f64],
    slots: &'m [usize],
    /// Equations that are kept, counted from 1.
    kept: &'m [usize],
    /// The contact over the last box; none if K was not proven regular, or C positive, all over it.
    local: Option<Local>,
}

/// z, y_k, ρ_k and C over a box.
struct Local {
    normal: Solution,
    tangents: Vec<(Solution, Interval)>,
    C: Interval,
}

impl<'m> Mechanism<'m> {
    /// A contact of which the inputs `slots` vary.
    pub(super) fn new(
        configuration: &ContactConfiguration,
        kernel: &'m Kernel,
        inputs: &'m [f64],
        slots: &'m [usize],
        kept: &'m [usize],
    ) -> Self {
        let forms = Enclosure::new(configuration.forms(), inputs, slots);
        let factored = Enclosure::new(configuration.tape(), inputs, slots);
        let layout = *kernel.layout();
        let constraints = layout.constraints + configuration.rails();
        Mechanism { factored, forms, layout, constraints, kernel, inputs, slots, kept, local: None }
    }

    /// Place of the first entry of n, of the t_k, of J, and of the equations among the forms.
    fn places(&self) -> [usize; 4] {
        let (Layout { coordinates: n, tangents, .. }, constraints) = (self.layout, self.constraints);
        let normal = packed_len(n);
        [normal, normal + n, normal + (1 + tangents) * n, normal + (1 + tangents + constraints) * n]
    }

    /// A row of length n, with zeros for the constraints.
    fn row(&self, first: usize) -> Vec<Interval> {
        let n = self.layout.coordinates;
        let size = n + self.constraints;
        (0..size).map(|i| if i < n { self.forms.output(first + i) } else { ZERO }).collect()
    }

    fn saddle(&self) -> Option<Enclosed> {
        let (n, jacobian) = (self.layout.coordinates, self.places()[2]);
        let size = n + self.constraints;
        let entry = |place: usize| {
            let (i, j) = ((place / size).max(place % size), (place / size).min(place % size));
            match (i < n, j < n) {
                (true, _) => self.forms.output(packed_len(i) + j),
                (false, true) => self.forms.output(jacobian + (i - n) * n + j),
                (false, false) => ZERO,
            }
        };
        Enclosed::new(size, (0..size * size).map(entry).collect())
    }

    fn solve(&self) -> Option<Local> {
        let saddle = self.saddle()?;
        let [normal, tangent, ..] = self.places();
        let n = self.row(normal);
        let z = saddle.solve(&n);
        let C = product(&saddle, (&n, &z), (&n, &z));
        if C.lo <= 0.0 {
            return None;
        }
        let along = |k: usize| {
            let t = self.row(tangent + k * self.layout.coordinates);
            let y = saddle.solve(&t);
            let B = product(&saddle, (&n, &z), (&t, &y));
            (y, B / C)
        };
        let tangents = (0..self.layout.tangents).map(along).collect();
        Some(Local { normal: z, tangents, C })
    }

    /// ∂φ by every form.
    fn weights(&self, local: &Local) -> Vec<(usize, Interval)> {
        let n = self.layout.coordinates;
        let [normal, tangent, jacobian, equations] = self.places();
        let mut weights: Vec<(usize, Interval)> = (0..equations).map(|place| (place, ZERO)).collect();
        let mut add = |place: usize, x: Interval| weights[place].1 = weights[place].1 + x;
        let two = Interval::from_f64(2.0);
        for (k, (y, ratio)) in local.tangents.iter().enumerate() {
            let gain = two * *ratio / local.C;
            let size = y.middle.len();
            let z: Vec<Interval> = (0..size).map(|i| local.normal.at(i)).collect();
            let w: Vec<Interval> = (0..size).map(|i| y.at(i) - *ratio * z[i]).collect();
            let pair = |i: usize, j: usize| if i == j { w[i] * z[i] } else { w[i] * z[j] + w[j] * z[i] };
            for i in 0..n {
                add(normal + i, gain * (w[i] - *ratio * z[i]));
                add(tangent + k * n + i, gain * z[i]);
                (0..=i).for_each(|j| add(packed_len(i) + j, -(gain * pair(i, j))));
                (n..size).for_each(|a| add(jacobian + (a - n) * n + i, -(gain * pair(a, i))));
            }
        }
        weights
    }

    /// All inputs with the variables in their places.
    fn inputs_at(&self, x: &[f64]) -> Vec<f64> {
        let mut inputs = self.inputs.to_vec();
        self.slots.iter().zip(x).for_each(|(&slot, &x)| inputs[slot] = x);
        inputs
    }
}

/// n·K⁻¹t from the solutions of K z = n and K y = t.
fn product(
    saddle: &Enclosed,
    (n, z): (&[Interval], &Solution),
    (t, y): (&[Interval], &Solution),
) -> Interval {
    let linear = |x: &[f64], b: &[Interval]| {
        x.iter().zip(b).fold(ZERO, |sum, (&x, &b)| sum + Interval::from_f64(x) * b)
    };
    let second = z.residual.iter().zip(&y.error).fold(ZERO, |sum, (&r, &e)| sum + r * e);
    linear(&y.middle, n) + linear(&z.middle, t) - saddle.form(&y.middle, &z.middle) + second
}

impl Landscape for Mechanism<'_> {
    fn equations(&self) -> usize {
        self.kept.len()
    }

    fn enclose(&mut self, sides: &[Interval]) {
        self.factored.enclose(sides);
        self.forms.enclose(sides);
        self.local = self.solve();
    }

    fn height(&self) -> Interval {
        let stepwise = self.factored.output(0);
        self.local.as_ref().map_or(stepwise, |local| {
            stepwise.intersect(local.tangents.iter().fold(ZERO, |sum, (_, ratio)| sum + ratio.square()))
        })
    }

    fn equation(&self, i: usize) -> Interval {
        self.factored.output(self.kept[i])
    }

    fn slopes(&mut self, weights: &[f64]) -> Vec<Interval> {
        let seed = |(place, &w): (usize, &f64)| (w != 0.0).then(|| (place, Interval::from_f64(w)));
        let places = std::iter::once(0).chain(self.kept.iter().copied());
        let seeds: Vec<(usize, Interval)> = places.zip(weights).filter_map(seed).collect();
        let stepwise = self.factored.gradient(&seeds);
        let Some(local) = self.local.as_ref().filter(|_| weights[0] != 0.0) else { return stepwise };
        let (first, weight) = (self.places()[3], Interval::from_f64(weights[0]));
        let equations = self.kept.iter().map(|&equation| first + equation - 1).zip(&weights[1..]);
        let mut seeds: Vec<(usize, Interval)> = equations.filter_map(seed).collect();
        seeds.extend(self.weights(local).into_iter().map(|(place, x)| (place, weight * x)));
        let whole = self.forms.gradient(&seeds);
        stepwise.into_iter().zip(whole).map(|(one, other)| one.intersect(other)).collect()
    }

    fn admits(&self, x: &[f64]) -> bool {
        regular(self.kernel, &self.inputs_at(x), &mut self.kernel.values())
    }
}
