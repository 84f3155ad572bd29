//! The slope of errors over steps, in logarithms.

/// Runs that are fitted at least, if there are as many.
const LEAST: usize = 4;

/// Which runs are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fitted {
    /// Every one: errors that depend on where in a step an impact falls average out over many.
    All,
    /// The finer half: of a method of higher order the coarse steps show terms beyond the first.
    FinerHalf,
}

/// Least squares through (ln h, ln error) of the errors above `floor`, the longest step first; none of fewer than two.
pub fn slope(points: &[(f64, f64)], floor: f64, fitted: Fitted) -> Option<f64> {
    let mut usable: Vec<(f64, f64)> = points
        .iter()
        .filter(|(h, error)| *h > 0.0 && *error > floor && error.is_finite())
        .map(|(h, error)| (h.ln(), error.ln()))
        .collect();
    if fitted == Fitted::FinerHalf {
        let kept = usable.len().div_ceil(2).max(LEAST).min(usable.len());
        usable.drain(..usable.len() - kept);
    }
    let count = usable.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| usable.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let spread: f64 = usable.iter().map(|p| (p.0 - x).powi(2)).sum();
    let joint: f64 = usable.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    (usable.len() > 1 && spread > 0.0).then(|| joint / spread)
}

#[cfg(test)]
mod tests {
    use super::{Fitted, slope};

    #[test]
    fn a_power_has_its_exponent_and_rounding_is_left_out() {
        let mut points: Vec<(f64, f64)> = [0.4, 0.2, 0.1, 0.05].map(|h: f64| (h, 3.0 * h.powi(4))).to_vec();
        points.extend([(0.025, 1e-16), (0.0125, 3e-16)]);
        assert!((slope(&points, 1e-15, Fitted::All).unwrap() - 4.0).abs() < 1e-12);
        assert!(slope(&points, 0.0, Fitted::All).unwrap() > 4.5);
        assert_eq!(slope(&points[..1], 0.0, Fitted::All), None);
        assert_eq!(slope(&[], 0.0, Fitted::All), None);
    }

    #[test]
    fn coarse_steps_do_not_count_where_the_finer_half_is_fitted() {
        let rest = |h: f64| h.powi(4) * (1.0 + 20.0 * h);
        let points: Vec<(f64, f64)> = (0..10).map(|k| 0.5_f64.powi(k)).map(|h| (h, rest(h))).collect();
        let [all, finer] =
            [Fitted::All, Fitted::FinerHalf].map(|fitted| slope(&points, 0.0, fitted).unwrap());
        assert!(all > 4.4 && (finer - 4.0).abs() < 0.2, "{all} {finer}");
        assert_eq!(slope(&points[..3], 0.0, Fitted::All), slope(&points[..3], 0.0, Fitted::FinerHalf));
    }
}
