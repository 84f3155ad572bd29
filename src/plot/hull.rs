//! The convex hull of points.

use crate::num::InOrder;

/// Its corners by the first two coordinates, counter-clockwise (Andrew's monotone chain); a corner that stands out by a turn of at most `noise`,
/// twice the area of a triangle, is none. Fewer than three different points are returned in order.
pub(super) fn hull<const D: usize>(points: &[[f64; D]], noise: f64) -> Vec<[f64; D]> {
    let mut sorted = points.to_vec();
    sorted.put_in_order(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let half = |ordered: &mut dyn Iterator<Item = [f64; D]>| {
        let mut chain: Vec<[f64; D]> = Vec::new();
        for p in ordered {
            while let [.., a, b] = chain[..] {
                if turn(a, b, p) > noise {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    [half(&mut sorted.iter().copied()), half(&mut sorted.iter().rev().copied())].concat()
}

/// Twice the area of the triangle a, b, c; positive to the left.
fn turn<const D: usize>(a: [f64; D], b: [f64; D], c: [f64; D]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::hull;

    #[test]
    fn a_hull_has_the_corners_of_a_square_and_no_other_point() {
        let points = [[0.0, 0.0], [1.0, 0.0], [0.5, 0.5], [1.0, 1.0], [0.0, 1.0], [0.5, 0.0]];
        assert_eq!(hull(&points, 0.0), [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    }

    #[test]
    fn the_hull_of_a_square_with_points_inside_is_the_square() {
        let points = [[0.0, 0.0], [1.0, 1.0], [0.5, 0.4], [1.0, 0.0], [0.0, 1.0], [0.2, 0.7]];
        assert_eq!(hull(&points, 0.0), [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    }
}
