//! Anderson's mixing: the next s is the combination of the last F(s) that would make the combined F(s) − s least.

use crate::num::dense::norm;

/// The last few (F(s), F(s) − s).
#[derive(Default)]
pub(super) struct Mixing {
    history: Vec<(Vec<f64>, Vec<f64>)>,
    last: f64,
}

impl Mixing {
    /// The next s after s and F(s); the history is dropped whenever |F(s) − s| has grown.
    pub(super) fn next(&mut self, s: Vec<f64>, f: Vec<f64>, depth: usize) -> Vec<f64> {
        let g: Vec<f64> = f.iter().zip(&s).map(|(f, s)| f - s).collect();
        let size = norm(&g);
        if size > 2.0 * self.last {
            self.history.clear();
        }
        self.last = size;
        self.history.push((f.clone(), g));
        if self.history.len() > depth + 1 {
            self.history.remove(0);
        }
        self.mixed().unwrap_or(f)
    }

    /// F_k − Σ γ_j (F_k − F_j) with γ from least squares on g_k − Σ γ_j (g_k − g_j), clipped to s ≥ 0.
    fn mixed(&self) -> Option<Vec<f64>> {
        let (latest, earlier) = self.history.split_last()?;
        if earlier.is_empty() {
            return None;
        }
        let columns: Vec<Vec<f64>> = earlier.iter().map(|e| minus(&latest.1, &e.1)).collect();
        let n = latest.1.len();
        let A = nalgebra::DMatrix::from_fn(n, columns.len(), |i, j| columns[j][i]);
        let g = nalgebra::DVector::from_column_slice(&latest.1);
        let gamma =
            A.svd(true, true).solve(&g, latest.1.len() as f64 * f64::EPSILON * norm(&latest.1)).ok()?;
        let mut s = latest.0.clone();
        for (e, gamma) in earlier.iter().zip(gamma.iter()) {
            s.iter_mut().zip(&latest.0).zip(&e.0).for_each(|((s, a), b)| *s -= gamma * (a - b));
        }
        s.iter_mut().for_each(|s| *s = s.max(0.0));
        s.iter().all(|s| s.is_finite()).then_some(s)
    }
}

fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
