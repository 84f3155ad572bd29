//! The stages of an implicit step: z = h (A ⊗ I) f(y + z) by simplified Newton iterations,
//! (I − h A ⊗ J) Δz = h (A ⊗ I) f(y + z) − z   [HW96 (IV.8.3), (IV.8.4)].

use super::super::{Flow, lu};
use super::{FixedError, Tableau};

/// Most iterations of a step.
const ITERATIONS: usize = 25;
/// Iterations of a step beyond which the Jacobian is evaluated again for the next.
const SLOW: usize = 6;

/// How far the stages are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stages {
    /// Within rounding of the solution.
    Found,
    /// Not yet.
    Open,
    /// They never will be.
    Lost,
}

/// The iteration with its memory. Stages without a row in A, as the first of Lobatto IIIA, are no unknowns.
#[derive(Clone, Debug)]
pub(super) struct Newton {
    n: usize,
    moving: usize,
    /// The first stage that is unknown.
    first: usize,
    /// z, f and Δz of the unknown stages, one after the other.
    z: Vec<f64>,
    k: Vec<f64>,
    change: Vec<f64>,
    trial: Vec<f64>,
    jacobian: Vec<f64>,
    /// Whether the Jacobian is one of this motion, and serves.
    known: bool,
    /// I − h A ⊗ J by rows, factored, and its h.
    matrix: Vec<f64>,
    pivots: Vec<usize>,
    factored: Option<f64>,
    sizes: Vec<f64>,
}

impl Newton {
    pub(super) fn new(tableau: &Tableau, n: usize, moving: usize) -> Self {
        let stages = tableau.weights.len();
        let first = usize::from(tableau.matrix[0].iter().all(|a| a.abs() <= 0.0));
        let unknowns = (stages - first) * n;
        Self {
            n,
            moving,
            first,
            z: vec![0.0; unknowns],
            k: vec![0.0; unknowns],
            change: vec![0.0; unknowns],
            trial: vec![0.0; n],
            jacobian: vec![0.0; n * moving],
            known: false,
            matrix: vec![0.0; unknowns * unknowns],
            pivots: vec![0; unknowns],
            factored: None,
            sizes: vec![0.0; moving],
        }
    }

    pub(super) fn measure(&mut self, sizes: impl Iterator<Item = f64>) {
        self.sizes.iter_mut().zip(sizes).for_each(|(old, size)| *old = size);
    }

    pub(super) fn forget(&mut self) {
        self.known = false;
    }

    pub(super) fn step<F: Flow>(
        &mut self,
        flow: &mut F,
        tableau: &Tableau,
        (t, y, rate): (f64, &[f64], &[f64]),
        h: f64,
        end: &mut [f64],
    ) -> Result<(), FixedError<F::Error>> {
        let fresh = !self.known;
        if fresh {
            self.differentiate(flow, (t, y, rate), h).map_err(FixedError::Flow)?;
        }
        let begin = (t, y, rate);
        if !self.solve(flow, tableau, begin, h)? {
            if fresh {
                return Err(FixedError::Stages);
            }
            self.differentiate(flow, begin, h).map_err(FixedError::Flow)?;
            if !self.solve(flow, tableau, begin, h)? {
                return Err(FixedError::Stages);
            }
        }
        // stiffly accurate: the last stage is the end
        let last = &self.z[self.z.len() - self.n..];
        end.iter_mut().zip(y.iter().zip(last)).for_each(|(end, (y, z))| *end = y + z);
        Ok(())
    }

    /// ∂f/∂y by differences, each over a step that is small against what the number is and does.
    fn differentiate<F: Flow>(
        &mut self,
        flow: &mut F,
        (t, y, rate): (f64, &[f64], &[f64]),
        h: f64,
    ) -> Result<(), F::Error> {
        let (n, moving) = (self.n, self.moving);
        let mut shifted = vec![0.0; n];
        self.trial.copy_from_slice(y);
        for j in 0..moving {
            let size = y[j].abs().max((h * rate[j]).abs());
            let size = if size > 0.0 { size } else { 1.0 };
            let shift = f64::EPSILON.sqrt() * size;
            self.trial[j] = y[j] + shift;
            let shift = self.trial[j] - y[j];
            flow.rate(t, &self.trial, &mut shifted)?;
            self.trial[j] = y[j];
            for i in 0..n {
                self.jacobian[i * moving + j] = (shifted[i] - rate[i]) / shift;
            }
        }
        self.known = true;
        self.factored = None;
        Ok(())
    }

    fn factor(&mut self, tableau: &Tableau, h: f64) -> bool {
        if self.factored.is_some_and(|known| known.total_cmp(&h).is_eq()) {
            return true;
        }
        let (n, moving, first) = (self.n, self.moving, self.first);
        let stages = tableau.weights.len() - first;
        let width = stages * n;
        self.matrix.fill(0.0);
        for (i, j) in (0..stages).flat_map(|i| (0..stages).map(move |j| (i, j))) {
            let a = h * tableau.matrix[first + i][first + j];
            for row in 0..n {
                let place = (i * n + row) * width + j * n;
                for column in 0..moving {
                    self.matrix[place + column] = -a * self.jacobian[row * moving + column];
                }
            }
        }
        (0..width).for_each(|i| self.matrix[i * width + i] += 1.0);
        self.factored = lu::factor(&mut self.matrix, &mut self.pivots).then_some(h);
        self.factored.is_some()
    }

    fn solve<F: Flow>(
        &mut self,
        flow: &mut F,
        tableau: &Tableau,
        (t, y, rate): (f64, &[f64], &[f64]),
        h: f64,
    ) -> Result<bool, FixedError<F::Error>> {
        if !self.factor(tableau, h) {
            return Ok(false);
        }
        self.guess(tableau, rate, h);
        let mut before = f64::INFINITY;
        for iteration in 0..ITERATIONS {
            self.evaluate(flow, tableau, (t, y), h).map_err(FixedError::Flow)?;
            self.correct(tableau, rate, h);
            let size = self.size(y, rate, h);
            match judge(size, before) {
                Stages::Found => {
                    self.known = iteration < SLOW;
                    return Ok(true);
                }
                Stages::Lost => return Ok(false),
                Stages::Open => before = size,
            }
        }
        // numbers that are nothing but rounding never settle
        Ok(before <= f64::EPSILON.sqrt())
    }

    /// zᵢ = cᵢ h f(y).
    fn guess(&mut self, tableau: &Tableau, rate: &[f64], h: f64) {
        for (i, z) in self.z.chunks_exact_mut(self.n).enumerate() {
            let c = tableau.nodes[self.first + i];
            z.iter_mut().zip(rate).for_each(|(z, rate)| *z = c * h * rate);
        }
    }

    fn evaluate<F: Flow>(
        &mut self,
        flow: &mut F,
        tableau: &Tableau,
        (t, y): (f64, &[f64]),
        h: f64,
    ) -> Result<(), F::Error> {
        let Self { n, first, z, k, trial, .. } = self;
        for (i, (z, k)) in z.chunks_exact(*n).zip(k.chunks_exact_mut(*n)).enumerate() {
            trial.iter_mut().zip(y.iter().zip(z)).for_each(|(x, (y, z))| *x = y + z);
            flow.rate(t + tableau.nodes[*first + i] * h, trial, k)?;
        }
        Ok(())
    }

    fn correct(&mut self, tableau: &Tableau, rate: &[f64], h: f64) {
        let (n, first) = (self.n, self.first);
        for i in 0..self.z.len() / n {
            let row = &tableau.matrix[first + i];
            for x in 0..n {
                let known: f64 = row[..first].iter().map(|a| a * rate[x]).sum();
                let sum: f64 = row[first..].iter().enumerate().map(|(j, a)| a * self.k[j * n + x]).sum();
                self.change[i * n + x] = h * (known + sum) - self.z[i * n + x];
            }
        }
        lu::solve(&self.matrix, &self.pivots, &mut self.change);
        self.z.iter_mut().zip(&self.change).for_each(|(z, change)| *z += change);
    }

    /// The largest change over the size of its number's terms; numbers that f does not depend on follow the others.
    fn size(&mut self, y: &[f64], rate: &[f64], h: f64) -> f64 {
        let (n, moving) = (self.n, self.moving);
        let mut largest = 0.0_f64;
        for x in 0..moving {
            let own = |of: &[f64]| of.iter().skip(x).step_by(n).fold(0.0, |size: f64, z| size.max(z.abs()));
            let terms = self.jacobian[x * moving..(x + 1) * moving].iter().zip(y);
            let driven: f64 = terms.map(|(j, y)| (j * y).abs()).sum();
            let size = self.sizes[x] + y[x].abs() + h * (rate[x].abs() + driven) + own(&self.z);
            let change = own(&self.change);
            if change.is_nan() {
                return f64::INFINITY;
            }
            if size > 0.0 {
                largest = largest.max(change / size);
            }
        }
        largest
    }
}

/// Rounding is reached where changes are a few roundings, or no longer shrink and are near it.
fn judge(size: f64, before: f64) -> Stages {
    let (rounding, stalls) = (4.0 * f64::EPSILON, size > 0.5 * before);
    let near = f64::EPSILON.powf(0.75);
    if size <= rounding || stalls && size <= near {
        Stages::Found
    } else if !size.is_finite() || stalls && size > 2.0 * before && size > 1.0 {
        Stages::Lost
    } else {
        Stages::Open
    }
}
