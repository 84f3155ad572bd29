//! Slipping states of a derived mechanism by one coordinate and its rate: the family in which [`super::jam_friction`]
//! searches.

use super::jam_friction::SlipFamily;
use crate::analysis::local::{ContactView, PlanarModel};
use crate::num::Dual;

/// States that differ in one coordinate and its rate; another coordinate follows so that the contact stays closed.
#[derive(Clone, Debug)]
pub struct ContactFamily<'m> {
    view: ContactView<'m>,
    q: Vec<f64>,
    v: Vec<f64>,
    varied: usize,
    follower: usize,
}

impl<'m> ContactFamily<'m> {
    /// The family through (`q`, `v`) along coordinate `varied`; the follower is the other coordinate on which the gap
    /// depends most. `None` if the gap depends on no other coordinate.
    pub fn new(view: ContactView<'m>, q: &[f64], v: &[f64], varied: usize) -> Option<Self> {
        let family = Self { view, q: q.to_vec(), v: v.to_vec(), varied, follower: varied };
        let slope = |k: usize| family.gap_along(q, k).map_or(0.0, |gap| gap.eps.abs());
        let others = (0..q.len()).filter(|&k| k != varied);
        let follower = others.max_by(|&i, &j| slope(i).total_cmp(&slope(j)).then(j.cmp(&i)))?;
        (slope(follower) > 0.0).then(|| Self { follower, ..family.clone() })
    }

    /// The gap and its derivative along one coordinate.
    fn gap_along(&self, q: &[f64], k: usize) -> Option<Dual<f64>> {
        let moving = |(i, &x): (usize, &f64)| Dual::new(x, if i == k { 1.0 } else { 0.0 });
        let q: Vec<Dual<f64>> = q.iter().enumerate().map(moving).collect();
        let v: Vec<Dual<f64>> = self.v.iter().map(|&x| Dual::fixed(x)).collect();
        self.view.local(Dual::fixed(0.0), &q, &v).ok().map(|local| local.gap)
    }

    /// Closes the gap by the follower: Newton's method, to the last bit that it changes.
    fn closed(&self, mut q: Vec<f64>) -> Vec<f64> {
        let mut last = f64::INFINITY;
        while let Some(gap) = self.gap_along(&q, self.follower)
            && gap.re.abs() < last
            && gap.eps.abs() > 0.0
        {
            last = gap.re.abs();
            q[self.follower] -= gap.re / gap.eps;
        }
        q
    }

    /// Gap rate at a velocity.
    fn gap_rate(&self, q: &[f64], v: &[f64]) -> f64 {
        self.view.local(0.0, q, v).map_or(f64::NAN, |local| local.v)
    }
}

impl<'m> SlipFamily for ContactFamily<'m> {
    type Model = ContactView<'m>;

    fn model(&self) -> &ContactView<'m> {
        &self.view
    }

    fn state(&self, theta: f64, omega: f64) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (self.q.clone(), self.v.clone());
        q[self.varied] = theta;
        let q = self.closed(q);
        v[self.varied] = omega;
        // the gap rate is affine in the follower's velocity
        v[self.follower] = 1.0;
        let with = self.gap_rate(&q, &v);
        v[self.follower] = 0.0;
        let without = self.gap_rate(&q, &v);
        v[self.follower] = -without / (with - without);
        (q, v)
    }
}
