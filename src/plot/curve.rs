//! A column of a trajectory as a curve: samples and events in one sequence, broken where the column jumps.

use super::fault::PlotFault;
use crate::simulate::trajectory::{Event, EventKind, Trajectory};

/// A break in a curve.
const BREAK: [f64; 2] = [f64::NAN; 2];

/// Where a break is, without a number.
pub(super) fn is_break(point: &[f64; 2]) -> bool {
    point.iter().any(|x| !x.is_finite())
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind<'n> {
    /// A coordinate: continuous, known at events.
    Coordinate(&'n str),
    /// Its velocity: known after each event, and jumps at impacts.
    Velocity(&'n str),
    /// A gap: continuous.
    Gap,
    /// Anything else: may jump at every event.
    Other,
}

/// The samples of a column.
///
/// # Errors
/// [`PlotFault::Unknown`].
pub(super) fn column(trajectory: &Trajectory, name: &str) -> Result<Vec<f64>, PlotFault> {
    let index = trajectory.columns.iter().position(|c| c == name);
    // one who asks for a picture by a name that is none is told of these, too
    let known =
        || trajectory.columns.iter().map(String::as_str).chain(["motion", "animation", "tree", "portrait"]);
    let index = index.ok_or_else(|| PlotFault::unknown("column", name, known().collect::<Vec<_>>()))?;
    Ok(trajectory.rows.iter().map(|row| row.get(index).map_or(f64::NAN, |x| x.0)).collect())
}

/// The column's numbers over time; where it jumps or is not defined, the curve is broken.
pub(super) fn curve(trajectory: &Trajectory, name: &str) -> Result<Vec<[f64; 2]>, PlotFault> {
    let (times, values) = (column(trajectory, "t")?, column(trajectory, name)?);
    let kind = kind(trajectory, name);
    let samples = times.iter().copied().zip(values);
    Ok(joined(trajectory, &times, samples.map(|(t, x)| [t, x]), |event| at_event(event, kind)))
}

/// A coordinate and its velocity along the motion.
pub(super) fn portrait(trajectory: &Trajectory, coordinate: &str) -> Result<Vec<[f64; 2]>, PlotFault> {
    let velocity = format!("dot({coordinate})");
    let (places, rates) = (column(trajectory, coordinate)?, column(trajectory, &velocity)?);
    let samples = places.into_iter().zip(rates).map(|(x, v)| [x, v]);
    let at_event = |event: &Event| {
        let after = event.q.get(coordinate).zip(event.v.get(coordinate)).map(|(x, v)| [x.0, v.0]);
        jumps(event.kind).then_some(BREAK).into_iter().chain(after).collect()
    };
    Ok(joined(trajectory, &column(trajectory, "t")?, samples, at_event))
}

/// Samples and events in order of time; of one time, the sample first.
fn joined(
    trajectory: &Trajectory,
    times: &[f64],
    samples: impl Iterator<Item = [f64; 2]>,
    at_event: impl Fn(&Event) -> Vec<[f64; 2]>,
) -> Vec<[f64; 2]> {
    let mut events = trajectory.events.iter().peekable();
    let mut points = Vec::with_capacity(times.len());
    for (t, sample) in times.iter().zip(samples) {
        while let Some(event) = events.next_if(|e| e.t.0 < *t) {
            points.extend(at_event(event));
        }
        points.push(sample);
    }
    points.extend(events.flat_map(at_event));
    points
}

fn kind<'n>(trajectory: &Trajectory, name: &'n str) -> Kind<'n> {
    let is_coordinate = |x: &str| trajectory.columns.iter().any(|c| *c == format!("dot({x})"));
    match name.strip_prefix("dot(").and_then(|rest| rest.strip_suffix(')')) {
        Some(x) => Kind::Velocity(x),
        None if is_coordinate(name) => Kind::Coordinate(name),
        None if name.ends_with(".gap") => Kind::Gap,
        None => Kind::Other,
    }
}

fn at_event(event: &Event, kind: Kind) -> Vec<[f64; 2]> {
    let known = |value: Option<&crate::num::Number>| value.map(|x| [event.t.0, x.0]);
    match kind {
        Kind::Coordinate(x) => known(event.q.get(x)).into_iter().collect(),
        Kind::Velocity(x) if jumps(event.kind) => {
            std::iter::once(BREAK).chain(known(event.v.get(x))).collect()
        }
        Kind::Velocity(x) => known(event.v.get(x)).into_iter().collect(),
        Kind::Gap => Vec::new(),
        Kind::Other => vec![BREAK],
    }
}

/// Whether velocities may jump.
fn jumps(kind: EventKind) -> bool {
    match kind {
        EventKind::Impact | EventKind::Iwc | EventKind::ChatterEnd | EventKind::Touch => true,
        EventKind::LiftOff
        | EventKind::Stick
        | EventKind::Slip
        | EventKind::Reversal
        | EventKind::Jam
        | EventKind::NotUnique
        | EventKind::Inconsistent
        | EventKind::Indeterminate
        | EventKind::Stop
        | EventKind::End => false,
    }
}

/// Curves with more points than this are thinned.
const MANY: usize = 4000;

/// Steps of the page within which a thinned curve keeps first, lowest, highest and last point.
const GRAIN: f64 = 0.25;

/// A curve on the page with no more points than can be told apart; its extremes stay.
pub(super) fn thinned(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    if points.len() <= MANY {
        return points;
    }
    let step = |p: &[f64; 2]| (is_break(p), (p[0] / GRAIN).floor() as i64);
    let mut kept = Vec::new();
    for run in points.chunk_by(|a, b| step(a) == step(b)) {
        let by_height = |a: &(usize, &[f64; 2]), b: &(usize, &[f64; 2])| a.1[1].total_cmp(&b.1[1]);
        let lowest = run.iter().enumerate().min_by(by_height).map_or(0, |(i, _)| i);
        let highest = run.iter().enumerate().max_by(by_height).map_or(0, |(i, _)| i);
        let mut indices = [0, lowest, highest, run.len() - 1];
        indices.sort_unstable();
        let mut last = None;
        for i in indices {
            if last != Some(i) {
                kept.push(run[i]);
            }
            last = Some(i);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn thinning_keeps_extremes_and_order() {
        let mut points: Vec<[f64; 2]> =
            (0..100_000).map(|i| [f64::from(i) / 1000.0, (f64::from(i) / 500.0).sin()]).collect();
        points[77_777][1] = 5.0;
        points[33_333] = [f64::NAN; 2];
        let few = thinned(points.clone());
        assert!(few.len() < 2000, "{}", few.len());
        assert!(few.contains(&points[77_777]) && few.contains(&points[0]) && few.contains(&points[99_999]));
        let times: Vec<f64> = few.iter().map(|p| p[0]).filter(|t| t.is_finite()).collect();
        assert!(times.is_sorted() && times.len() + 1 == few.len(), "one break stays");
    }
}
