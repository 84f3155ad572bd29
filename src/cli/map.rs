//! `mechan map`: a quantity of a state, or of the motion from it, over two ranges, with the boundaries between its regions.

use super::form::ReportForm;
use super::gauge::Gauge;
use super::interrupt::{self, flag, heard};
use super::motion::HowArguments;
use super::output::{Terminal, write_result};
use super::{Answer, derive::model_of};
use crate::analysis::map::{Cell, Certified, Interrupted, MapOutcome};
use crate::pipeline::{
    Failure, MapFault, MapOptions, MapProgress, MapStage, MapStudy, MapWatch, OutcomeOptions, Recorded,
    Usage, certify_map, check_map_file, check_part_file, illustrate_map, load, part_into, recorded_into,
};
use crate::prove::Budget;
use crate::report::map_document;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Quantities: verdict, equilibrium (strong, ambiguous, none), lyapunov (stable, unstable, ambiguous, none, undecided), growth, and of a \
contact p, p_plus, p_minus, a, b, effective_restitution, mu_min; or an expression of parameters, coordinates and the numbers among these.\n\
--outcome EXPR maps the end of each motion: `x`, `first(jam)`, `count(impact, tip)`, `least(tip.gap)`, `sign(theta)` ..; null, counted by reason, where the motion has no such number.\n\
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
    /// Follow the motion from each point and map this at its end, an expression as in --stop, with `first(KIND)`, the time of the first event of a
    /// kind, and `count(KIND)`, how many there are; of one contact `first(KIND, CONTACT)`; `least(CONTACT.gap)` is its least gap over the motion
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, conflicts_with_all = ["quantity", "contact"])]
    outcome: Option<String>,
    /// The time at which each motion of --outcome ends, in seconds [default: 5 after it begins]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    t_end: Option<f64>,
    #[command(flatten)]
    how: HowArguments,
    /// The contact whose number is mapped [default: the only one]
    #[arg(long, value_name = "NAME")]
    contact: Option<String>,
    /// A number at which regions part; repeatable [default: 1 for growth and effective_restitution, none for mu_min, 0 for others]
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    level: Vec<f64>,
    /// Prove what each region has: all over it, by claims as `mechan prove` has them, with the strip that stays open and its area; of verdict, p,
    /// p_plus, p_minus, a, b and expressions of these at one contact in the plane
    #[arg(long, conflicts_with_all = ["outcome", "chunk", "resume"])]
    certified: bool,
    /// Parts of the area after which the strip of --certified is left as it is
    #[arg(long = "boxes", value_name = "N", requires = "certified", default_value_t = Budget::default().parts)]
    parts: usize,
    /// Write the certificates of --certified into this folder, region-1.json and so on in the order of the report
    #[arg(long, value_name = "DIR", requires = "certified")]
    certificates: Option<PathBuf>,
    /// The I-th of N parts of the rows, for several machines, into --output PART.json; `mechan merge` joins them
    #[arg(long, value_name = "I/N")]
    chunk: Option<String>,
    /// Go on where an earlier run with this --output and this question ended; those of --outcome can always be, others if they had --resume, too
    #[arg(long, requires = "output")]
    resume: bool,
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
    if let (None, Some(option)) = (&arguments.outcome, of_motions(arguments)) {
        return Err(Usage::from(MapFault::OfOutcome { option }).into());
    }
    let loaded = load(&arguments.file)?;
    terminal.loaded(&loaded);
    let model = model_of(&loaded, terminal)?;
    let options = options(arguments);
    let study = MapStudy::new(&loaded, &model, &options)?;
    let map = heard(|| {
        let study = match arguments.certified {
            true => {
                study.check_kept("--certified")?;
                terminal.progress("proving regions");
                let certified = certify_map(&loaded, &model, &study, &options, arguments.parts)?;
                write_certificates(&certified, arguments.certificates.as_deref(), terminal)?;
                study.with_certified(certified)
            }
            false => study,
        };
        computed(arguments, &study, terminal)
    })?;
    Ok(map.interrupted.map_or(0, |Interrupted { rows, of }| {
        terminal.warning(&format!("interrupted: {rows} of {of} rows of the map are done"));
        interrupt::INTERRUPTED
    }))
}

/// The certificates of regions, in their order.
fn write_certificates(
    certified: &Certified,
    folder: Option<&Path>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(Failure::unwritable(folder))?;
    for (k, region) in certified.regions.iter().enumerate() {
        let path = folder.join(format!("region-{}.json", k + 1));
        let text =
            serde_json::to_string(&region.certificate).map_err(Failure::unprintable("the certificate"))?;
        write_result(&(text + "\n"), Some(&path))?;
        terminal.notice(&format!("{} written", path.display()));
    }
    Ok(())
}

/// The map, written where it should go.
fn computed(arguments: &Arguments, study: &MapStudy<'_>, terminal: &Terminal) -> Result<MapOutcome, Failure> {
    let form = &arguments.form;
    let keep = form.is_json() || form.is_html();
    let recorded = match (arguments.resume, &arguments.outcome) {
        (true, _) => Recorded::Resumed,
        (false, Some(_)) => Recorded::Anew,
        (false, None) => Recorded::Not,
    };
    Ok(match form.file() {
        Some(path) if arguments.chunk.is_some() => {
            let into = |progress: &mut Progress<'_>| part_into(study, path, (flag(), recorded), progress);
            let map = watched(terminal, into)?;
            terminal.notice(&format!("{} written", path.display()));
            map
        }
        Some(path) => {
            let into =
                |progress: &mut Progress<'_>| recorded_into(study, path, (flag(), keep, recorded), progress);
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
            let mut row = |_: f64, _: &[Cell]| Ok(());
            let follow = |progress: &mut Progress<'_>| {
                study.follow(MapWatch { progress, stop: flag(), row: &mut row, keep })
            };
            let map = watched(terminal, follow)?;
            let document = || map_document(&map).with_pictures(form.pictures(|| illustrate_map(&map)));
            form.write(document, || serde_json::to_string(&map))?;
            map
        }
    })
}

/// An option of motions that is given.
fn of_motions(arguments: &Arguments) -> Option<&'static str> {
    arguments.t_end.map(|_| "--t-end").or_else(|| arguments.how.given())
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
        outcome: arguments.outcome.as_ref().map(|text| OutcomeOptions {
            text: text.clone(),
            t_end: arguments.t_end,
            motion: arguments.how.options(),
        }),
        contact: arguments.contact.clone(),
        levels: arguments.level.clone(),
        threads: arguments.threads.map(NonZeroUsize::get),
        chunk: arguments.chunk.clone(),
    }
}
