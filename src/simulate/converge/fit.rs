//! The slope of errors over steps, in logarithms.

/// Least squares through (ln h, ln error) of the errors above `floor`; none of fewer than two.
pub fn slope(points: &[(f64, f64)], floor: f64) -> Option<f64> {
    let usable: Vec<(f64, f64)> = points
        .iter()
        .filter(|(h, error)| *h > 0.0 && *error > floor && error.is_finite())
        .map(|(h, error)| (h.ln(), error.ln()))
        .collect();
    let count = usable.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| usable.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let spread: f64 = usable.iter().map(|p| (p.0 - x).powi(2)).sum();
    let joint: f64 = usable.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    (usable.len() > 1 && spread > 0.0).then(|| joint / spread)
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn a_power_has_its_exponent_and_rounding_is_left_out() {
        let mut points: Vec<(f64, f64)> = [0.4, 0.2, 0.1, 0.05].map(|h: f64| (h, 3.0 * h.powi(4))).to_vec();
        points.extend([(0.025, 1e-16), (0.0125, 3e-16)]);
        assert!((slope(&points, 1e-15).unwrap() - 4.0).abs() < 1e-12);
        assert!(slope(&points, 0.0).unwrap() > 4.5);
        assert_eq!(slope(&points[..1], 0.0), None);
        assert_eq!(slope(&[], 0.0), None);
    }
}
