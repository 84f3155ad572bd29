//! The stroboscopic picture of a motion: bodies at some times from pale to dark, surfaces hatched, paths of contact points.
//! Everything stands where the q-expressions of the mechanism put it; no equation of motion is needed.

mod animated;
mod draw;
mod ground;

use super::Picture;
use super::curve::column;
use super::fault::PlotFault;
use super::mechanism::keys::{Key, keys};
use super::mechanism::place::Instant;
use super::mechanism::scenery::{Scenery, tracks};
use super::mechanism::shape::shapes;
use super::mechanism::springs::springs;
use super::mechanism::view::View;
use crate::format::{Geometry, Mechanism, Outline};
use crate::simulate::trajectory::Trajectory;
use animated::Mark;

/// Times at which the bodies are drawn.
const TIMES: usize = 12;

/// Frames of an animation, and parts of bodies in all of them.
const FRAMES: usize = 150;
const PARTS: usize = 20_000;

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
    check_drawn(mechanism)?;
    let samples = samples(mechanism, trajectory)?;
    let instants: Vec<Instant> =
        samples.iter().map(|(t, q)| Instant { mechanism, t: *t, q, parameters }).collect();
    let strobe: Vec<Instant> = strobe(&samples).into_iter().map(|i| instants[i]).collect();
    let mut picture = scene(mechanism, &strobe, &instants);
    picture.tracks(tracks(mechanism, &instants));
    let title = format!("{}, state {}: the motion", trajectory.mechanism, trajectory.state);
    Ok(picture.finish(title))
}

/// Draws a mechanism in motion: an SVG that shows one time after the other, in the time that the motion takes or a stated share of it, with its
/// events. Places between samples and events are on straight lines between the coordinates.
///
/// # Errors
/// As [`motion`].
pub fn animated_motion(
    mechanism: &Mechanism,
    parameters: &[f64],
    trajectory: &Trajectory,
) -> Result<Picture, PlotFault> {
    check_drawn(mechanism)?;
    let keys = keys(mechanism, trajectory)?;
    if keys.len() < 2 {
        return Err(PlotFault::NoSamples);
    }
    let parts: usize = shapes(mechanism, &keys[0].of(mechanism, parameters)).iter().map(Vec::len).sum();
    let frames = frames(&keys, FRAMES.min(PARTS / parts.max(1)).max(2));
    let instants: Vec<Instant> = frames.iter().map(|key| key.of(mechanism, parameters)).collect();
    let marks = trajectory.events.iter().map(|event| {
        let contact = event.contact.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        Mark { t: event.t.0, words: format!("{}{contact}", event.kind.name()) }
    });
    let title = format!("{}, state {}: the motion", trajectory.mechanism, trajectory.state);
    Ok(scene(mechanism, &instants, &instants).animated(title, &marks.collect::<Vec<_>>()))
}

/// That there is something to be seen.
fn check_drawn(mechanism: &Mechanism) -> Result<(), PlotFault> {
    let placed = |geometry: &Geometry| !matches!(geometry, Geometry::Direct { .. });
    if mechanism.bodies.is_empty() && !mechanism.contacts.iter().any(|c| placed(&c.geometry)) {
        return Err(PlotFault::NothingToDraw);
    }
    Ok(())
}

/// Bodies at the times of the strobe, and surfaces as far as the motion goes.
fn scene(mechanism: &Mechanism, strobe: &[Instant], motion: &[Instant]) -> draw::Scene {
    let (start, end) = (motion[0], motion[motion.len() - 1]);
    let view = View::new(mechanism.space, start.vector(&mechanism.gravity));
    let shapes = shapes(mechanism, &start);
    let mut picture = draw::Scene::new(view, [start.t, end.t]);
    for now in strobe {
        picture.start_layer();
        for (body, parts) in mechanism.bodies.iter().zip(&shapes) {
            picture.body(&now.pose(body), parts);
        }
        for round in mechanism.rounds().filter(|r| r.body.is_none()) {
            if let (Some(centre), Outline::Ball(radius)) = (&round.centre, &round.outline) {
                picture.loose_round(now.point(centre), now.value(radius));
            }
        }
        springs(now, &view).into_iter().for_each(|coil| picture.spring(coil));
    }
    picture.scenery(Scenery::of(mechanism, strobe, motion));
    picture
}

/// Equal times from the first of several keys to the last, on lines between the keys.
fn frames(keys: &[Key], count: usize) -> Vec<Key> {
    let (first, last) = (&keys[0], &keys[keys.len() - 1]);
    let at = |k: usize| {
        let t = first.t + (last.t - first.t) * k as f64 / (count - 1) as f64;
        let after = keys.partition_point(|key| key.t < t).clamp(1, keys.len() - 1);
        let [low, high] = [&keys[after - 1], &keys[after]];
        low.toward(high, ((t - low.t) / (high.t - low.t)).clamp(0.0, 1.0))
    };
    (0..count).map(at).collect()
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
    use super::{Key, frames, strobe};

    #[test]
    fn frames_lie_on_the_lines_between_keys() {
        let key = |t: f64, x: f64| Key { t, q: vec![x] };
        let found = frames(&[key(1.0, 0.0), key(1.5, 1.0), key(3.0, -2.0)], 5);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-15;
        for (key, (t, x)) in found.iter().zip([(1.0, 0.0), (1.5, 1.0), (2.0, 0.0), (2.5, -1.0), (3.0, -2.0)])
        {
            assert!(near(key.t, t) && near(key.q[0], x), "{key:?}");
        }
    }

    #[test]
    fn the_strobe_is_even_and_takes_first_and_last() {
        let samples: Vec<_> = (0..=1100).map(|k| (f64::from(k) / 100.0, Vec::new())).collect();
        assert_eq!(strobe(&samples), (0..12).map(|k| 100 * k).collect::<Vec<_>>());
        assert_eq!(strobe(&samples[..3]), [0, 1, 2]);
        assert_eq!(strobe(&samples[..1]), [0]);
    }
}
