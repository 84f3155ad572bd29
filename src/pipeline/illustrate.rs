//! What a page shows beside its numbers: equations in print; states, motions, maps and studies in pictures.

use super::{
    Failure, Loaded, ProvedClaim, SimulateOptions, Usage, draw_futures, draw_motion, state_pictures,
    thumbnail,
};
use crate::analysis::map::MapOutcome;
use crate::analysis::{Analysis, StateOutcome};
use crate::derive::Equations;
use crate::model::Model;
use crate::plot::{self, ConvergencePlot, Picture, Plot, PlotRequest};
use crate::prove::Verdict;
use crate::report::{self, Figure, Illustrations, StateFigures};
use crate::simulate::converge::Convergence;
use crate::simulate::trajectory::{Futures, Trajectory};

/// The illustrations of an analysis, `set` being what it was made with; without equations where they cannot be had.
pub fn illustrate(
    (loaded, model): (&Loaded, &Model),
    (analysis, set): (&Analysis, &[String]),
    equations: Option<&Equations>,
) -> Illustrations {
    let printed =
        |equations: &Equations| report::Equations { text: equations.to_text(), latex: equations.to_latex() };
    let figures = |state: &StateOutcome| {
        let pictures = state_pictures((loaded, model), (analysis, set), state);
        let figure = pictures
            .into_iter()
            .map(|drawn| Figure { caption: drawn.caption, svg: drawn.picture.svg().to_owned() });
        let thumbnail = thumbnail(loaded, state).map(|picture| picture.svg().to_owned());
        (state.state.clone(), StateFigures { thumbnail, figures: figure.collect() })
    };
    Illustrations { equations: equations.map(printed), states: analysis.outcomes().map(figures).collect() }
}

/// A picture with what it shows; none where it cannot be drawn.
fn figure(caption: impl Into<String>, drawn: Result<Picture, Failure>) -> Option<Figure> {
    let picture = drawn.ok()?;
    Some(Figure { caption: caption.into(), svg: picture.svg().to_owned() })
}

/// The pictures of a motion: the mechanism along it, its coordinates, and the forces of its contacts over time.
pub fn illustrate_motion(
    mechanism: (&Loaded, &Model),
    options: &SimulateOptions,
    trajectory: &Trajectory,
) -> Vec<Figure> {
    let drawn = |plot: Plot| draw_motion(&PlotRequest { plot, file: None }, mechanism, options, trajectory);
    let names = |wanted: &dyn Fn(&str) -> bool| -> Vec<String> {
        trajectory.columns.iter().filter(|name| wanted(name)).map(|name| name.to_string()).collect()
    };
    let coordinates: Vec<String> =
        mechanism.0.mechanism.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect();
    let (rates, forces) = (names(&|name| name.starts_with("dot(")), names(&|name| name.ends_with(".N")));
    let over_time = |caption: &str, columns: Vec<String>| {
        let few = (1..=MOST_CURVES).contains(&columns.len());
        few.then(|| figure(caption, drawn(Plot::TimeSeries(columns)))).flatten()
    };
    [
        figure("The mechanism along its motion, from pale to dark", drawn(Plot::Motion)),
        over_time("Coordinates over time", coordinates),
        over_time("Velocities over time", rates),
        over_time("Normal forces over time", forces),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Most curves of one picture that can be told apart.
const MOST_CURVES: usize = 4;

/// The pictures of every motion that may follow: their tree, and the mechanism along the first that last.
pub fn illustrate_futures(
    mechanism: (&Loaded, &Model),
    options: &SimulateOptions,
    futures: &Futures,
) -> Vec<Figure> {
    let request = PlotRequest { plot: Plot::Tree, file: None };
    let tree = figure("Every motion that may follow", draw_futures(&request, mechanism, options, futures));
    let along = PlotRequest { plot: Plot::Motion, file: None };
    let lasting = futures.nodes.iter().filter(|node| lasts(&node.trajectory));
    let motions = lasting.take(MOST_MOTIONS).filter_map(|node| {
        let drawn = draw_motion(&along, mechanism, options, &node.trajectory);
        figure(format!("Motion {}, from pale to dark", node.id), drawn)
    });
    tree.into_iter().chain(motions).collect()
}

/// Motions of a tree that are drawn.
const MOST_MOTIONS: usize = 4;

/// Whether a motion has more than one instant.
fn lasts(trajectory: &Trajectory) -> bool {
    trajectory.phases.iter().any(|phase| phase.t1.0 > phase.t0.0)
}

/// The picture of a map.
pub fn illustrate_map(map: &MapOutcome) -> Vec<Figure> {
    let caption = format!("{} over {} and {}", map.quantity, map.x.name, map.y.name);
    figure(caption, plot::map(map).map_err(|fault| Usage::Plot(fault).into())).into_iter().collect()
}

/// Where claims that are not proven are open, or fail.
pub fn illustrate_claims(mechanism: &str, claims: &[ProvedClaim]) -> Vec<Figure> {
    let unproven = claims.iter().filter(|claim| claim.proof.verdict != Verdict::Proven);
    let drawn = |claim: &ProvedClaim| {
        let (caption, picture) = (format!("{}: {}", claim.claim, claim.answer()), claim.picture(mechanism)?);
        Some(Figure { caption, svg: picture.svg().to_owned() })
    };
    unproven.filter_map(drawn).collect()
}

/// The pictures of a study of convergence: errors over steps, and over work.
pub fn illustrate_convergence(study: &Convergence) -> Vec<Figure> {
    let drawn = |(name, caption): (&str, &str)| {
        let plot: ConvergencePlot = name.parse().ok()?;
        figure(caption, plot::convergence(study, &plot).map_err(|fault| Usage::Plot(fault).into()))
    };
    [("order", "Errors over the length of a step"), ("work", "Errors over evaluations")]
        .into_iter()
        .filter_map(drawn)
        .collect()
}
