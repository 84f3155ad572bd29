//! Errors of schemes over their steps, or over their work, in logarithms: a curve each, with its fitted slope in the legend.

use super::Picture;
use super::canvas::{Canvas, Look};
use super::decades::{axes, decades, power_of_ten};
use super::fault::PlotFault;
use super::request::named_file;
use super::scale::{Range, Scale};
use super::style::{AXIS, Colour, DATA, TINY, WIDTH, text_width};
use crate::simulate::converge::{Convergence, Errors, ErrorsOf, SchemeStudy};
use std::path::PathBuf;
use std::str::FromStr;

/// What errors are drawn over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorAxis {
    Steps,
    Work,
}

/// A norm by its name.
type Norm = (&'static str, fn(&Errors) -> f64);

const NORMS: [Norm; 4] = [
    ("hausdorff", |errors| errors.hausdorff.0),
    ("l1", |errors| errors.l1.0),
    ("l2", |errors| errors.l2.0),
    ("max", |errors| errors.uniform.0),
];

/// A picture of a study, with the file it goes to.
#[derive(Clone, Debug)]
pub struct ConvergencePlot {
    over: ErrorAxis,
    velocities: bool,
    norm: Norm,
    name: String,
    /// The file, if it is named.
    pub file: Option<PathBuf>,
}

impl ConvergencePlot {
    /// Its name as part of a file's.
    pub fn stem(&self) -> String {
        self.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }

    fn error(&self, of: &ErrorsOf) -> f64 {
        (self.norm.1)(if self.velocities { &of.v } else { &of.q })
    }
}

impl FromStr for ConvergencePlot {
    type Err = PlotFault;

    fn from_str(text: &str) -> Result<Self, PlotFault> {
        let (name, file) = named_file(text)?;
        let (over, of) = name.split_once(':').unwrap_or((name, "q.max"));
        let over = match over {
            "order" => ErrorAxis::Steps,
            "work" => ErrorAxis::Work,
            _ => return Err(PlotFault::unknown("picture", over, ["order", "work"])),
        };
        let (part, norm) = of.split_once('.').unwrap_or((of, "max"));
        let norm = if norm == "uniform" { "max" } else { norm };
        let found = NORMS.into_iter().find(|known| known.0 == norm);
        let norm =
            found.ok_or_else(|| PlotFault::unknown("norm", norm, NORMS.iter().map(|known| known.0)))?;
        let velocities = match part {
            "q" => false,
            "v" => true,
            _ => return Err(PlotFault::unknown("part", part, ["q", "v"])),
        };
        Ok(Self { over, velocities, norm, name: name.to_string(), file })
    }
}

const HEIGHT: f64 = 250.0;
const LEFT: f64 = 50.0;
const TOP: f64 = 8.0;
const RIGHT: f64 = 10.0;
/// Most columns and row height of the legend, and size of marks.
const COLUMNS: usize = 3;
const ROW: f64 = 12.0;
const MARK: f64 = 2.3;
/// Errors below this are drawn on it: rounding.
const LEAST: f64 = f64::EPSILON * f64::EPSILON;

/// Draws a study.
///
/// # Errors
/// [`PlotFault::NoSamples`] if there is no run to draw.
pub fn convergence(study: &Convergence, plot: &ConvergencePlot) -> Result<Picture, PlotFault> {
    let curves: Vec<Vec<[f64; 2]>> = study.studies.iter().map(|scheme| curve(scheme, plot)).collect();
    let all = || curves.iter().flatten();
    let range = |k: usize| Range::ends(all().map(|p| p[k])).map(|r| r.opened().padded(0.04));
    let (Some(x), Some(y)) = (range(0), range(1)) else { return Err(PlotFault::NoSamples) };
    let x = Scale { data: x, page: [LEFT, WIDTH - RIGHT] };
    let y = Scale { data: y, page: [TOP + HEIGHT, TOP] };
    let rows = study.studies.len().div_ceil(columns(study, plot));
    let bottom = TOP + HEIGHT + 34.0 + rows as f64 * ROW + 4.0;
    let title = format!("{}, state {}: {}", study.mechanism, study.state, plot.name);
    let mut canvas = Canvas::new([WIDTH, bottom], title);
    let names = names(plot);
    axes(&mut canvas, (&x, &lower_ticks(x.data)), (&y, 2), names.each_ref().map(String::as_str));
    for (scheme, points) in study.studies.iter().zip(&curves) {
        let page: Vec<[f64; 2]> = points.iter().map(|[a, b]| [x.at(*a), y.at(*b)]).collect();
        let colour = colour(&scheme.scheme);
        canvas.path(&page, dashed(Look::line(colour, DATA), scheme));
        page.iter().for_each(|at| mark(&mut canvas, *at, scheme.order, colour));
    }
    canvas.rectangle([LEFT, TOP], [WIDTH - RIGHT - LEFT, HEIGHT], Look::line(Colour::GREY, AXIS));
    legend(&mut canvas, study, plot);
    Ok(canvas.finish())
}

/// The points of a scheme, in powers of ten.
fn curve(scheme: &SchemeStudy, plot: &ConvergencePlot) -> Vec<[f64; 2]> {
    let across = |run: &crate::simulate::converge::Run| match plot.over {
        ErrorAxis::Steps => run.h.0,
        ErrorAxis::Work => run.evaluations as f64,
    };
    let points = scheme.runs.iter().map(|run| [across(run), plot.error(&run.errors).max(LEAST)]);
    points.filter(|p| p.iter().all(|x| *x > 0.0 && x.is_finite())).map(|p| p.map(f64::log10)).collect()
}

/// What the axes are called.
fn names(plot: &ConvergencePlot) -> [String; 2] {
    let across = match plot.over {
        ErrorAxis::Steps => "step h, s",
        ErrorAxis::Work => "evaluations of the right-hand side",
    };
    let part = if plot.velocities { "velocities" } else { "positions" };
    [across.to_owned(), format!("error of {part}, {}", plot.norm.0)]
}

/// Places on the lower axis with their labels: powers of ten, and where they are few, twice and five times those.
fn lower_ticks(range: Range) -> Vec<(f64, String)> {
    let powers = decades(range, 1);
    let own = powers.iter().map(|&power| (f64::from(power), power_of_ten(power)));
    if powers.len() > 2 {
        return own.collect();
    }
    let around = range.lo.floor() as i32..=range.hi.floor() as i32;
    let between = around.flat_map(|power| [2, 5].map(|factor| (power, factor)));
    let between = between.map(|(power, factor)| {
        let place = f64::from(power) + f64::from(factor).log10();
        (place, format!("{factor}·{}", power_of_ten(power)))
    });
    own.chain(between.filter(|(place, _)| (range.lo..=range.hi).contains(place))).collect()
}

fn legend(canvas: &mut Canvas, study: &Convergence, plot: &ConvergencePlot) {
    let columns = columns(study, plot);
    let (top, width) = (TOP + HEIGHT + 34.0 + ROW / 2.0, (WIDTH - 8.0) / columns as f64);
    let rows = study.studies.len().div_ceil(columns);
    for (i, scheme) in study.studies.iter().enumerate() {
        let (x, y) = (6.0 + (i / rows) as f64 * width, top + (i % rows) as f64 * ROW);
        let colour = colour(&scheme.scheme);
        canvas.line([x, y], [x + 16.0, y], dashed(Look::line(colour, DATA), scheme));
        mark(canvas, [x + 8.0, y], scheme.order, colour);
        let words = &super::style::fitted(&named(scheme, plot), width - 20.0, TINY);
        let wide = canvas.say(words, [x + 20.0, y + TINY * 0.35], TINY);
        debug_assert!(wide <= width, "a legend's column");
    }
}

/// A scheme with its slope.
fn named(scheme: &SchemeStudy, plot: &ConvergencePlot) -> String {
    let slope = plot.error(&scheme.slopes);
    let slope = if slope.is_finite() { format!(" {slope:.2}") } else { String::new() };
    format!("{}{slope}", scheme.scheme)
}

/// Columns of the legend: as many as its longest entry allows.
fn columns(study: &Convergence, plot: &ConvergencePlot) -> usize {
    let widths = study.studies.iter().map(|scheme| text_width(&named(scheme, plot), TINY));
    let widest = 24.0 + widths.fold(0.0, f64::max);
    (1..=COLUMNS).rev().find(|&columns| widest * columns as f64 <= WIDTH - 8.0).unwrap_or(1)
}

/// A colour for each family of schemes.
fn colour(scheme: &str) -> Colour {
    match scheme.split('-').next() {
        Some("radau") => Colour::VERMILION,
        Some("lobatto") => Colour::BLUE,
        Some("herk") => Colour::GREEN,
        Some("schatzman") => Colour::PURPLE,
        Some("event") => Colour::GREY,
        Some("compliant") => Colour::SKY,
        _ => Colour::INK,
    }
}

fn dashed(look: Look, scheme: &SchemeStudy) -> Look {
    match scheme.scheme.as_str() {
        "moreau-projected" => look.dashed("4 2"),
        "moreau-adaptive" => look.dashed("1 2"),
        "moreau-heuristic" => look.dashed("3 2 1 2 1 2"),
        "moreau-jean" => look.dashed("6 2 1 2"),
        _ => look,
    }
}

/// A mark for each order.
fn mark(canvas: &mut Canvas, [x, y]: [f64; 2], order: u32, colour: Colour) {
    let look = Look::filled(colour);
    let corners = |points: &[[f64; 2]]| -> Vec<[f64; 2]> {
        points.iter().map(|[dx, dy]| [x + MARK * dx, y + MARK * dy]).collect()
    };
    match order {
        1 => canvas.circle([x, y], MARK * 0.6, look),
        2 => canvas.circle([x, y], MARK, look),
        3 => canvas.polygon(&corners(&[[0.0, -1.2], [1.1, 0.8], [-1.1, 0.8]]), look),
        4 => canvas.polygon(&corners(&[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]), look),
        5 => canvas.polygon(&corners(&[[0.0, -1.3], [1.3, 0.0], [0.0, 1.3], [-1.3, 0.0]]), look),
        _ => canvas.circle([x, y], MARK, Look::line(colour, AXIS).with_fill(Colour::PAPER)),
    }
}
