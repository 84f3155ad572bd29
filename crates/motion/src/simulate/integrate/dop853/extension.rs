//! The continuous extension of a step, its own of order 7 or that of a step which another method made.

use super::tableau::{EXTENSION, EXTENSION_STAGES, TIMES};
use super::{Dop853, Flow, LANES, Lanes};

impl Dop853 {
    /// Takes a step of length h that another method made from the same begin: its end, and y at two places within it.
    pub fn adopt(&mut self, h: f64, end: &[f64], inner: [(f64, &[f64]); 2]) {
        (self.h, self.within) = (h, Some(inner.map(|(share, _)| share)));
        self.end.as_flattened_mut()[..self.n].copy_from_slice(end);
        for (own, (_, y)) in self.inner.iter_mut().zip(inner) {
            own.as_flattened_mut()[..self.n].copy_from_slice(y);
        }
    }

    /// Prepares [`Dop853::at`] for the step that arrived.
    ///
    /// # Errors
    /// As [`Flow::rate`].
    pub fn extend<F: Flow>(&mut self, flow: &mut F, t: f64) -> Result<(), F::Error> {
        let (width, h, within) = (self.y.len(), self.h, self.within);
        for (i, row) in EXTENSION_STAGES.iter().enumerate().filter(|_| within.is_none()) {
            let stage = 13 + i;
            self.fill_stage(row);
            self.rate_within(flow, t + TIMES[stage] * self.h, stage)?;
        }
        for place in 0..width {
            let (y, end) = (self.y[place], self.end[place]);
            let (first, last) = (self.k[place], self.k[12 * width + place]);
            for i in 0..LANES {
                let (rise, first, last) = (end[i] - y[i], h * first[i], h * last[i]);
                let bend = first - rise;
                let low = [y[i], rise, bend, rise - last - bend];
                low.iter().enumerate().for_each(|(d, &x)| self.dense[d * width + place][i] = x);
            }
            for (d, row) in EXTENSION.iter().enumerate() {
                self.dense[(4 + d) * width + place] = match within {
                    None => self.combined(row, place).map(|x| x * h),
                    Some(_) => [0.0; LANES],
                };
            }
            within.iter().for_each(|&shares| self.bend_through(shares, place));
        }
        Ok(())
    }

    /// Lets the numbers at a place go through those within the step: a polynomial of degree 5.
    fn bend_through(&mut self, shares: [f64; 2], place: usize) {
        let width = self.y.len();
        for i in 0..LANES {
            let c: [f64; 4] = std::array::from_fn(|d| self.dense[d * width + place][i]);
            let [first, second] = [0, 1].map(|which: usize| {
                let (s, r) = (shares[which], 1.0 - shares[which]);
                let cubic = c[0] + s * (c[1] + r * (c[2] + s * c[3]));
                (self.inner[which][place][i] - cubic) / (s * r * s * r)
            });
            let slope = (second - first) / (shares[1] - shares[0]);
            self.dense[4 * width + place][i] = first - shares[0] * slope;
            self.dense[5 * width + place][i] = slope;
        }
    }

    /// y at a share of the step.
    pub fn at(&self, share: f64, y: &mut [f64]) {
        let (s, r, width) = (share, 1.0 - share, self.y.len());
        for (place, y) in y[..self.n].chunks_mut(LANES).enumerate() {
            let c: [&Lanes; 8] = std::array::from_fn(|d| &self.dense[d * width + place]);
            let value = |i: usize| {
                let inner = c[4][i] + s * (c[5][i] + r * (c[6][i] + s * c[7][i]));
                c[0][i] + s * (c[1][i] + r * (c[2][i] + s * (c[3][i] + r * inner)))
            };
            let values: Lanes = std::array::from_fn(value);
            y.copy_from_slice(&values[..y.len()]);
        }
    }
}
