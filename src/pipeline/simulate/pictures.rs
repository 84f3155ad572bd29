//! Pictures of motions, by the names that a user gives them.

use super::ask::{SimulateOptions, Simulation};
use super::compliant::scene;
use crate::model::Model;
use crate::pipeline::units::{column_unit, units_of};
use crate::pipeline::{Failure, Loaded, Usage};
use crate::plot::{self, Picture, Plot, PlotFault, PlotRequest};
use crate::report::write_whole;
use crate::simulate::trajectory::{Futures, Trajectory};
use std::path::Path;

/// A picture of a motion from the state that the options name.
///
/// # Errors
/// [`Failure`] if there is no such picture of it.
pub fn draw_motion(
    request: &PlotRequest,
    (loaded, model): (&Loaded, &Model),
    options: &SimulateOptions,
    trajectory: &Trajectory,
) -> Result<Picture, Failure> {
    let units = units_of(&loaded.mechanism);
    let unit = |column: &str| units.as_ref().and_then(|units| column_unit(units, column));
    let drawn = match &request.plot {
        Plot::TimeSeries(columns) => {
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            plot::time_series_in(trajectory, &columns, unit)
        }
        Plot::Phase(coordinate) => plot::phase_in(trajectory, coordinate, unit),
        Plot::Motion | Plot::Animation => {
            let state = Simulation::new(loaded, model, options)?.start.state;
            let draw = if request.plot == Plot::Motion { plot::motion } else { plot::animated_motion };
            draw(&loaded.mechanism, &state.parameters, trajectory)
        }
        Plot::Tree => Err(PlotFault::NoMotions),
        Plot::Portrait => return draw_portrait(loaded, model, options),
    };
    Ok(drawn.map_err(Usage::Plot)?)
}

/// Writes a motion from the state that the options name to a `.glb` file.
///
/// # Errors
/// [`Failure`] if there is nothing to draw, or the file cannot be written.
pub fn write_gltf(
    loaded: &Loaded,
    model: &Model,
    options: &SimulateOptions,
    (trajectory, path): (&Trajectory, &Path),
) -> Result<(), Failure> {
    let state = Simulation::new(loaded, model, options)?.start.state;
    let bytes = plot::motion_gltf(&loaded.mechanism, &state.parameters, trajectory).map_err(Usage::Plot)?;
    write_whole(path, &bytes).map_err(Failure::unwritable(path))
}

/// A picture of a study of compliance: the portrait of its state.
///
/// # Errors
/// As [`draw_motion`].
pub fn draw_study(
    request: &PlotRequest,
    (loaded, model): (&Loaded, &Model),
    options: &SimulateOptions,
) -> Result<Picture, Failure> {
    match request.plot {
        Plot::Portrait => draw_portrait(loaded, model, options),
        Plot::TimeSeries(_) | Plot::Phase(_) | Plot::Motion | Plot::Animation | Plot::Tree => {
            Err(Usage::Plot(PlotFault::Study).into())
        }
    }
}

fn draw_portrait(loaded: &Loaded, model: &Model, options: &SimulateOptions) -> Result<Picture, Failure> {
    let Simulation { subject, start, .. } = Simulation::new(loaded, model, options)?;
    let scene = scene(loaded, model, (&subject, &start))?.ok_or(Usage::Plot(PlotFault::NoPortrait))?;
    let title = format!("{}, state {}: its contact's fast dynamics", subject.mechanism, start.name);
    Ok(plot::portrait(&scene, &title).map_err(Usage::Plot)?)
}

/// A picture of the tree of motions, or of the first of them.
///
/// # Errors
/// As [`draw_motion`].
pub fn draw_futures(
    request: &PlotRequest,
    mechanism: (&Loaded, &Model),
    options: &SimulateOptions,
    futures: &Futures,
) -> Result<Picture, Failure> {
    match (&request.plot, futures.nodes.first()) {
        (Plot::Tree, _) => Ok(plot::tree(futures).map_err(Usage::Plot)?),
        (_, Some(first)) => draw_motion(request, mechanism, options, &first.trajectory),
        (_, None) => Err(Usage::Plot(PlotFault::NoMotions).into()),
    }
}
