//! The mechanism at a state: bodies, surfaces, friction cones of closed contacts, the forces of the first consistent mode, velocities of
//! slip and gravity; and the same small, without words, for a table.

mod cone;
mod contacts;
mod grip;
mod layout;
mod scene;
mod words;

use super::Picture;
use super::canvas::Canvas;
use super::fault::PlotFault;
use crate::analysis::StateOutcome;
use crate::format::Mechanism;
pub use grip::{Grip, Posture};
use layout::Layout;
pub use layout::Window;
use scene::Scene;
use words::Words;

/// Draws a mechanism at a state.
///
/// # Errors
/// [`PlotFault::NothingToDraw`] if neither a body nor a contact has a place.
pub fn state(title: &str, mechanism: &Mechanism, outcome: &StateOutcome) -> Result<Picture, PlotFault> {
    Ok(state_within(title, mechanism, outcome, None)?.0)
}

/// The same through a window that was drawn through before, or through one of its own; also which it was.
///
/// # Errors
/// As [`state`].
pub fn state_within(
    title: &str,
    mechanism: &Mechanism,
    outcome: &StateOutcome,
    window: Option<Window>,
) -> Result<(Picture, Window), PlotFault> {
    let scene = Scene::of(mechanism, outcome).ok_or(PlotFault::NothingToDraw)?;
    let layout = match window.filter(|window| window.shows(&scene)) {
        Some(window) => Layout::through(&scene, window),
        None => Layout::wide(&scene),
    };
    if !layout.window().is_sound() {
        return Err(PlotFault::Afar);
    }
    let mut canvas = Canvas::new(layout.size, title);
    let mut words = Words::new(&layout);
    scene.surfaces(&mut canvas, &layout);
    scene.bodies(&mut canvas, &layout, &mut words);
    scene.cones(&mut canvas, &layout, &mut words);
    scene.centres_of_mass(&mut canvas, &layout);
    scene.arrows(&mut canvas, &layout, &mut words);
    words.write(&mut canvas, &layout, &scene);
    Ok((canvas.finish(), layout.window()))
}

/// Draws a mechanism at a state, 120 by 80 units and without words.
///
/// # Errors
/// As [`state`].
pub fn thumbnail(title: &str, mechanism: &Mechanism, outcome: &StateOutcome) -> Result<Picture, PlotFault> {
    let scene = Scene::of(mechanism, outcome).ok_or(PlotFault::NothingToDraw)?;
    let layout = Layout::small(&scene);
    let mut canvas = Canvas::new(layout.size, title);
    scene.surfaces(&mut canvas, &layout);
    scene.bodies(&mut canvas, &layout, &mut Words::none());
    scene.centres_of_mass(&mut canvas, &layout);
    scene.slips(&mut canvas, &layout, &mut Words::none());
    Ok(canvas.finish())
}
