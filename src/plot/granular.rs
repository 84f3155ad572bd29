//! The study of beads in a box: times over contacts, a cloud of points a method, and the fixed point's criterion over its programs, a line
//! a friction; both in powers of ten.

use super::Picture;
use super::canvas::{Canvas, Look};
use super::decades::axes;
use super::fault::PlotFault;
use super::panel::{HORIZONTAL, ticks};
use super::request::named_file;
use super::scale::{Range, Scale};
use super::style::{AXIS, Colour, DATA, TINY, WIDTH};
use crate::scene::granular::{GranularOutcome, GranularRun};
use std::path::PathBuf;
use std::str::FromStr;

/// Which picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Time,
    Friction,
}

/// A picture of the study, with the file it goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GranularPlot {
    kind: Kind,
    file: Option<PathBuf>,
}

impl GranularPlot {
    /// The file.
    pub fn path(&self) -> PathBuf {
        let own = match self.kind {
            Kind::Time => "granular_time.svg",
            Kind::Friction => "granular_friction.svg",
        };
        self.file.clone().unwrap_or_else(|| own.into())
    }
}

impl FromStr for GranularPlot {
    type Err = PlotFault;

    fn from_str(text: &str) -> Result<Self, PlotFault> {
        let (name, file) = named_file(text)?;
        match name {
            "time" => Ok(Self { kind: Kind::Time, file }),
            "friction" => Ok(Self { kind: Kind::Friction, file }),
            _ => Err(PlotFault::unknown("picture", name, ["time", "friction"])),
        }
    }
}

const HEIGHT: f64 = 220.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 8.0;
const RIGHT: f64 = 10.0;
/// Height of a row of the legend, and its columns.
const ROW: f64 = 12.0;
const COLUMNS: usize = 2;
/// Radius of a point, and the most points of a cloud.
const POINT: f64 = 1.3;
const POINTS: usize = 400;

/// Points of one colour with their name.
struct Series {
    name: String,
    colour: Colour,
    points: Vec<[f64; 2]>,
}

/// Draws the study.
///
/// # Errors
/// [`PlotFault::NoSamples`] if it has nothing of that kind.
pub fn granular_picture(study: &GranularOutcome, plot: &GranularPlot) -> Result<Picture, PlotFault> {
    let (series, names) = match plot.kind {
        Kind::Time => (times(study), ["contacts", "time a step, ms"]),
        Kind::Friction => (criteria(study), ["convex programs", "‖F(s) − s‖ / (‖s‖ + 1)"]),
    };
    let all = || series.iter().flat_map(|series| &series.points);
    let range = |k: usize| Range::ends(all().map(|p| p[k])).map(|range| range.opened().padded(0.04));
    let (Some(x), Some(y)) = (range(0), range(1)) else { return Err(PlotFault::NoSamples) };
    let x = Scale { data: x, page: [LEFT, WIDTH - RIGHT] };
    let y = Scale { data: y, page: [TOP + HEIGHT, TOP] };
    let rows = series.len().div_ceil(columns(plot.kind));
    let size = [WIDTH, TOP + HEIGHT + 34.0 + ROW * rows as f64 + 4.0];
    let mut canvas = Canvas::new(size, format!("beads in a box: {} over {}", names[1], names[0]));
    let lower = ticks(x.data, WIDTH - RIGHT - LEFT, HORIZONTAL);
    let lower: Vec<_> = lower.at.into_iter().zip(lower.labels).collect();
    axes(&mut canvas, (&x, &lower), (&y, 1), names);
    for series in &series {
        let page = series.points.iter().map(|[a, b]| [x.at(*a), y.at(*b)]);
        match plot.kind {
            Kind::Time => {
                let look = Look::filled(series.colour).at_opacity(0.55);
                page.for_each(|at| canvas.circle(at, POINT, look));
            }
            Kind::Friction => {
                let page: Vec<_> = page.collect();
                canvas.path(&page, Look::line(series.colour, DATA));
                page.iter().for_each(|at| canvas.circle(*at, POINT, Look::filled(series.colour)));
            }
        }
    }
    canvas.rectangle([LEFT, TOP], [WIDTH - RIGHT - LEFT, HEIGHT], Look::line(Colour::GREY, AXIS));
    legend(&mut canvas, &series, columns(plot.kind));
    Ok(canvas.finish())
}

fn columns(kind: Kind) -> usize {
    match kind {
        Kind::Time => COLUMNS,
        Kind::Friction => 2 * COLUMNS + 1,
    }
}

/// The times of the most beads, in powers of ten, thinned out evenly.
fn times(study: &GranularOutcome) -> Vec<Series> {
    let most = study.runs.iter().map(|run| run.beads.beads).max();
    let runs = study.runs.iter().filter(|run| Some(run.beads.beads) == most);
    let series = |run: &GranularRun| {
        let seen = run.steps.iter().filter(|step| step.contacts > 0 && step.time_ms > 0.0);
        let points: Vec<_> = seen.map(|step| [step.contacts as f64, step.time_ms.log10()]).collect();
        let stride = points.len().div_ceil(POINTS).max(1);
        let points = points.into_iter().step_by(stride).collect();
        Series { name: run.words.to_owned(), colour: method_colour(run.method), points }
    };
    runs.map(series).collect()
}

fn method_colour(method: &str) -> Colour {
    match method {
        "gradient" => Colour::VERMILION,
        "gradient-cold" => Colour::AMBER,
        "facets" => Colour::PURPLE,
        "interior" => Colour::BLUE,
        "automatic" => Colour::GREEN,
        _ => Colour::SKY,
    }
}

/// The fixed point's criteria in powers of ten.
fn criteria(study: &GranularOutcome) -> Vec<Series> {
    let logs = study.friction.iter().flat_map(|friction| &friction.logs);
    let series = |log: &crate::scene::granular::FrictionLog| {
        let numbered = log.criteria.iter().enumerate().filter(|(_, x)| **x > 0.0);
        let points = numbered.map(|(k, x)| [(k + 1) as f64, x.log10()]).collect();
        let colour = Colour::SKY.towards(Colour::RED, log.friction);
        Series { name: format!("μ = {}", log.friction), colour, points }
    };
    logs.map(series).collect()
}

fn legend(canvas: &mut Canvas, series: &[Series], columns: usize) {
    let (top, width) = (TOP + HEIGHT + 34.0 + ROW / 2.0, (WIDTH - 12.0) / columns as f64);
    for (i, series) in series.iter().enumerate() {
        let (x, y) = (10.0 + (i % columns) as f64 * width, top + (i / columns) as f64 * ROW);
        canvas.circle([x, y], 2.0 * POINT, Look::filled(series.colour));
        canvas.say(&series.name, [x + 7.0, y + TINY * 0.35], TINY);
    }
}
