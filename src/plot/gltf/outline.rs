//! An outline of the plane as triangles: ears are cut off, one after the other.

/// Twice the area of a triangle, positive if it is counter-clockwise.
fn area([a, b, c]: [[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Twice the area of an outline.
pub(super) fn signed_area(points: &[[f64; 2]]) -> f64 {
    let next = |k: usize| points[(k + 1) % points.len()];
    points.iter().enumerate().map(|(k, p)| p[0] * next(k)[1] - p[1] * next(k)[0]).sum()
}

/// Triangles of a simple outline, counter-clockwise, by the numbers of its points; of one that crosses itself, some.
pub(super) fn triangles(points: &[[f64; 2]]) -> Vec<[usize; 3]> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    if signed_area(points) < 0.0 {
        left.reverse();
    }
    let mut found = Vec::new();
    while left.len() > 3 {
        let corner =
            |k: usize| [left[(k + left.len() - 1) % left.len()], left[k], left[(k + 1) % left.len()]];
        let is_ear = |k: &usize| {
            let ear = corner(*k);
            let [a, b, c] = ear.map(|i| points[i]);
            let inside =
                |p: [f64; 2]| area([a, b, p]) >= 0.0 && area([b, c, p]) >= 0.0 && area([c, a, p]) >= 0.0;
            area([a, b, c]) > 0.0 && !left.iter().any(|&i| !ear.contains(&i) && inside(points[i]))
        };
        // points on a line, and outlines that cross themselves, have no ear
        let flat = |k: &usize| area(corner(*k).map(|i| points[i])).abs() <= 0.0;
        let next = (0..left.len()).find(is_ear).or_else(|| (0..left.len()).find(flat)).unwrap_or(0);
        found.push(corner(next));
        left.remove(next);
    }
    found.extend(<[usize; 3]>::try_from(left));
    found.retain(|triangle| area(triangle.map(|i| points[i])) > 0.0);
    found
}

#[cfg(test)]
mod tests {
    use super::{area, signed_area, triangles};

    #[test]
    fn triangles_cover_an_outline_that_is_not_convex() {
        // an L, a star, and an L the other way round with a point on one of its sides
        let ell = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        let star = (0..10).map(|k| {
            let (sin, cos) = (0.2 * std::f64::consts::PI * f64::from(k)).sin_cos();
            let r = if k % 2 == 0 { 1.0 } else { 0.4 };
            [r * cos, r * sin]
        });
        let mut back = ell.to_vec();
        back.insert(1, [1.5, 0.0]);
        back.reverse();
        for points in [ell.to_vec(), star.collect(), back] {
            let found = triangles(&points);
            let sum: f64 = found.iter().map(|t| area(t.map(|i| points[i]))).sum();
            assert!((sum - signed_area(&points).abs()).abs() < 1e-12, "{found:?}");
            assert!(found.iter().all(|t| area(t.map(|i| points[i])) > 0.0));
        }
    }
}
