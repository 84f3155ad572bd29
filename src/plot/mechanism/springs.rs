//! Springs between points, as coils of some turns that get longer and shorter with them.

use super::place::{Instant, length, minus, plus, times};
use super::projected::Projected;
use super::view::View;
use crate::format::Force;

/// Turns of a coil; its half width over the length without force, or over the present one where that is none; what of the present length is
/// straight at either end.
const TURNS: usize = 6;
const WIDE: f64 = 0.06;
const STRAIGHT: f64 = 0.12;

/// A spring as the viewer sees it.
pub(in crate::plot) struct Coil {
    /// The way of the wire.
    pub(in crate::plot) seen: Projected,
    pub(in crate::plot) nearness: f64,
    pub(in crate::plot) ends: [[f64; 3]; 2],
}

/// The springs at an instant; one whose ends meet, or lie behind each other, is not seen.
pub(in crate::plot) fn springs(at: &Instant, view: &View) -> Vec<Coil> {
    let coil = |force: &Force| match force {
        Force::Spring { ends, rest, .. } => {
            let ends = ends.each_ref().map(|end| at.point(end));
            let own = at.value(rest);
            let long = length(minus(ends[1], ends[0]));
            let width = WIDE * if own > 0.0 && own.is_finite() { own } else { long };
            let wire = wire(ends.map(|end| view.of(end)), width)?;
            let nearness = view.nearness(times(plus(ends[0], ends[1]), 0.5));
            Some(Coil { seen: Projected::Line(wire), nearness, ends })
        }
        Force::Point { .. } | Force::Torque { .. } | Force::Coordinate { .. } | Force::Torsion { .. } => None,
    };
    at.mechanism.forces.iter().filter_map(coil).collect()
}

/// From end to end on the page, in zigzags of a half width.
fn wire([from, to]: [[f64; 2]; 2], width: f64) -> Option<Vec<[f64; 2]>> {
    let way = [to[0] - from[0], to[1] - from[1]];
    let long = way[0].hypot(way[1]);
    let is_seen = long > 0.0 && long.is_finite();
    if !is_seen {
        return None;
    }
    let across = [-way[1] / long, way[0] / long];
    let at = |share: f64, beside: f64| [0, 1].map(|k| from[k] + share * way[k] + beside * across[k]);
    let corner = |k: usize| {
        let share = STRAIGHT + (1.0 - 2.0 * STRAIGHT) * (k as f64 + 0.5) / (2 * TURNS) as f64;
        at(share, if k.is_multiple_of(2) { width } else { -width })
    };
    let ends = [at(0.0, 0.0), at(STRAIGHT, 0.0), at(1.0 - STRAIGHT, 0.0), at(1.0, 0.0)];
    Some(
        ends[..2]
            .iter()
            .copied()
            .chain((0..2 * TURNS).map(corner))
            .chain(ends[2..].iter().copied())
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::{TURNS, wire};

    #[test]
    fn a_coil_goes_from_end_to_end_and_is_as_wide_as_it_was() {
        for to in [[4.0, 3.0], [0.8, 0.6]] {
            let found = wire([[0.0, 0.0], to], 0.1).unwrap();
            assert_eq!((found.len(), found[0], found[found.len() - 1]), (2 * TURNS + 4, [0.0, 0.0], to));
            let long: f64 = to[0].hypot(to[1]);
            let beside = found.iter().map(|p| (p[1] * to[0] - p[0] * to[1]) / long);
            let (lo, hi) = beside.fold((0.0_f64, 0.0_f64), |(lo, hi), x| (lo.min(x), hi.max(x)));
            assert!((lo + 0.1).abs() < 1e-12 && (hi - 0.1).abs() < 1e-12, "{lo} {hi}");
            let along: Vec<f64> = found.iter().map(|p| p[0] * to[0] + p[1] * to[1]).collect();
            assert!(along.is_sorted());
        }
        assert!(wire([[1.0, 2.0], [1.0, 2.0]], 0.1).is_none());
        assert!(wire([[1.0, 2.0], [f64::NAN, 2.0]], 0.1).is_none());
    }
}
