//! `mechan map`: a quantity of a state over two ranges, with the boundaries between its regions.

use super::form::ReportForm;
use super::gauge::Gauge;
use super::interrupt;
use super::output::Terminal;
use super::{Answer, derive::model_of};
use crate::analysis::map::{Cell, Interrupted};
use crate::pipeline::{
    Failure, MapOptions, MapProgress, MapStage, MapStudy, MapWatch, check_map_file, check_part_file,
    illustrate_map, load, map_into, write_map_part,
};
use crate::report::map_document;
use clap::Args;
use std::num::NonZeroUsize;

#[derive(Args, Debug)]
#[command(
    after_help = "Quantities: verdict, equilibrium (strong, ambiguous, none), lyapunov (stable, unstable, ambiguous, none, undecided), growth, and of a \
contact p, p_plus, p_minus, a, b, effective_restitution, mu_min; or an expression of parameters, coordinates and the numbers among these.\n\
Boundaries are roots along the edges of the grid, joined inside its squares; what fits between the points of the grid is not seen.\n\
--output NAME.csv writes the cells, and the boundaries to NAME.boundaries.csv; .json everything; .svg and .png the picture."
)]
pub(super) struct Arguments {
    /// Mechanism file (YAML) or model file (JSON); `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The state whose expressions are evaluated at each point [default: the first]
    #[arg(long, value_name = "NAME")]
    state: Option<String>,
    /// Override a parameter, a coordinate or `dot(x)` everywhere; repeatable
    #[arg(long, value_name = "NAME=EXPR")]
    set: Vec<String>,
    /// What varies to the right: a parameter, a coordinate or `dot(x)`, N values from LO to HI
    #[arg(long, value_name = "NAME=LO:HI:N", allow_hyphen_values = true)]
    x: String,
    /// What varies upwards
    #[arg(long, value_name = "NAME=LO:HI:N", allow_hyphen_values = true)]
    y: String,
    /// What is mapped
    #[arg(long, value_name = "QUANTITY", default_value = "verdict", allow_hyphen_values = true)]
    quantity: String,
    /// The contact whose number is mapped [default: the only one]
    #[arg(long, value_name = "NAME")]
    contact: Option<String>,
    /// A number at which regions part; repeatable [default: 1 for growth and effective_restitution, none for mu_min, 0 for others]
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    level: Vec<f64>,
    /// The I-th of N parts of the rows, for several machines, into --output PART.json; `mechan merge` joins them
    #[arg(long, value_name = "I/N")]
    chunk: Option<String>,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    form: ReportForm,
}

/// Exit status 0: that a state cannot be analysed at some points is an answer; 130 where it was interrupted.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    arguments.form.file().map(check_map_file).transpose()?;
    if arguments.chunk.is_some() {
        check_part_file(arguments.form.file())?;
    }
    let loaded = load(&arguments.file)?;
    terminal.loaded(&loaded);
    let model = model_of(&loaded, terminal)?;
    let study = MapStudy::new(&loaded, &model, &options(arguments))?;
    let form = &arguments.form;
    let keep = form.is_json() || form.is_html();
    let map = match form.file() {
        Some(path) if arguments.chunk.is_some() => {
            study.check_kept("a part with everything")?;
            let (stop, row) = (interrupt::flag(), &mut |_: f64, _: &[Cell]| Ok(()));
            let map =
                watched(terminal, |progress| study.follow(MapWatch { progress, stop, row, keep: true }))?;
            write_map_part(&study, &map, path)?;
            terminal.notice(&format!("{} written", path.display()));
            map
        }
        Some(path) => {
            let into =
                |progress: &mut Progress<'_>| map_into(&study, path, (interrupt::flag(), keep), progress);
            let (map, files) = watched(terminal, into)?;
            for written in files {
                terminal.notice(&format!("{} written", written.display()));
            }
            form.show(|| map_document(&map), || serde_json::to_string(&map))?;
            map
        }
        None => {
            if keep {
                study.check_kept(if form.is_json() { "JSON" } else { "a page" })?;
            }
            let (stop, row) = (interrupt::flag(), &mut |_: f64, _: &[Cell]| Ok(()));
            let map = watched(terminal, |progress| study.follow(MapWatch { progress, stop, row, keep }))?;
            let document = || map_document(&map).with_pictures(form.pictures(|| illustrate_map(&map)));
            form.write(document, || serde_json::to_string(&map))?;
            map
        }
    };
    Ok(map.interrupted.map_or(0, |Interrupted { rows, of }| {
        terminal.warning(&format!("interrupted: {rows} of {of} rows of the map are done"));
        interrupt::INTERRUPTED
    }))
}

/// Who is told how far it is.
type Progress<'p> = dyn FnMut(MapProgress) + 'p;

/// What `compute` finds, with a gauge while it does.
fn watched<T>(
    terminal: &Terminal,
    compute: impl FnOnce(&mut Progress<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut gauge: Option<(MapStage, Gauge<'_>)> = None;
    let found = compute(&mut |MapProgress { stage, done, of }| {
        let what = match stage {
            MapStage::Points => "points",
            MapStage::Boundaries => "pieces of the last boundaries",
        };
        let (_, gauge) = match &mut gauge {
            Some(known) if known.0 == stage => known,
            other => other.insert((stage, Gauge::new(terminal, what, of))),
        };
        gauge.tell(done);
    });
    if let Some((_, gauge)) = gauge {
        gauge.clear();
    }
    found
}

fn options(arguments: &Arguments) -> MapOptions {
    MapOptions {
        state: arguments.state.clone(),
        set: arguments.set.clone(),
        x: arguments.x.clone(),
        y: arguments.y.clone(),
        quantity: arguments.quantity.clone(),
        contact: arguments.contact.clone(),
        levels: arguments.level.clone(),
        threads: arguments.threads.map(NonZeroUsize::get),
        chunk: arguments.chunk.clone(),
    }
}
