//! The stroboscopic picture of a motion: bodies at some times from pale to dark, surfaces hatched, paths of contact points.
//! Everything stands where the q-expressions of the mechanism put it; no equation of motion is needed.

mod draw;
mod ground;

use super::Picture;
use super::curve::column;
use super::fault::PlotFault;
use super::mechanism::place::Instant;
use super::mechanism::scenery::{Scenery, tracks};
use super::mechanism::shape::{rounds, shapes};
use super::mechanism::view::View;
use crate::format::{Geometry, Mechanism, Outline};
use crate::simulate::trajectory::Trajectory;

/// Times at which the bodies are drawn.
const TIMES: usize = 12;

/// t and q of a sample.
type Sample = (f64, Vec<f64>);

/// Draws a mechanism at some twelve times of its motion.
///
/// `parameters` are those of the motion, in the order of the mechanism.
///
/// # Errors
/// [`PlotFault`] if the motion has no samples, lacks a coordinate of the mechanism, or if there is nothing to draw.
pub fn motion(
    mechanism: &Mechanism,
    parameters: &[f64],
    trajectory: &Trajectory,
) -> Result<Picture, PlotFault> {
    let placed = |geometry: &Geometry| !matches!(geometry, Geometry::Direct { .. });
    if mechanism.bodies.is_empty() && !mechanism.contacts.iter().any(|c| placed(&c.geometry)) {
        return Err(PlotFault::NothingToDraw);
    }
    let samples = samples(mechanism, trajectory)?;
    let instants: Vec<Instant> =
        samples.iter().map(|(t, q)| Instant { mechanism, t: *t, q, parameters }).collect();
    let strobe: Vec<Instant> = strobe(&samples).into_iter().map(|i| instants[i]).collect();
    let start = instants[0];
    let view = View::new(mechanism.space, start.vector(&mechanism.gravity));
    let shapes = shapes(mechanism, &start);
    let mut picture = draw::Scene::new(view, [start.t, instants[instants.len() - 1].t]);
    for now in &strobe {
        picture.start_layer();
        for (body, parts) in mechanism.bodies.iter().zip(&shapes) {
            picture.body(&now.pose(body), parts);
        }
        for round in mechanism.contacts.iter().flat_map(rounds).filter(|r| r.body.is_none()) {
            if let (Some(centre), Outline::Ball(radius)) = (&round.centre, &round.outline) {
                picture.loose_round(now.point(centre), now.value(radius));
            }
        }
    }
    picture.tracks(tracks(mechanism, &instants));
    picture.scenery(Scenery::of(mechanism, &strobe, &instants));
    let title = format!("{}, state {}: the motion", trajectory.mechanism, trajectory.state);
    Ok(picture.finish(title))
}

/// The samples whose time and coordinates are all known.
fn samples(mechanism: &Mechanism, trajectory: &Trajectory) -> Result<Vec<Sample>, PlotFault> {
    let times = column(trajectory, "t")?;
    let coordinates = mechanism.coordinates.iter().map(|c| column(trajectory, &c.name));
    let coordinates = coordinates.collect::<Result<Vec<_>, _>>()?;
    let all = times.iter().enumerate().map(|(i, t)| (*t, coordinates.iter().map(|x| x[i]).collect()));
    let known: Vec<Sample> =
        all.filter(|(t, q): &Sample| t.is_finite() && q.iter().all(|x| x.is_finite())).collect();
    if known.is_empty() { Err(PlotFault::NoSamples) } else { Ok(known) }
}

/// The samples nearest to equally spaced times, each once.
fn strobe(samples: &[Sample]) -> Vec<usize> {
    let (first, last) = (samples[0].0, samples[samples.len() - 1].0);
    let mut chosen: Vec<usize> = (0..TIMES)
        .map(|k| first + (last - first) * k as f64 / (TIMES - 1) as f64)
        .map(|t| {
            let after = samples.partition_point(|s| s.0 < t).min(samples.len() - 1);
            let before = after.saturating_sub(1);
            if (samples[before].0 - t).abs() < (samples[after].0 - t).abs() { before } else { after }
        })
        .collect();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::strobe;

    #[test]
    fn the_strobe_is_even_and_takes_first_and_last() {
        let samples: Vec<_> = (0..=1100).map(|k| (f64::from(k) / 100.0, Vec::new())).collect();
        assert_eq!(strobe(&samples), (0..12).map(|k| 100 * k).collect::<Vec<_>>());
        assert_eq!(strobe(&samples[..3]), [0, 1, 2]);
        assert_eq!(strobe(&samples[..1]), [0]);
    }
}
