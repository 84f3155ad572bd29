//! `mechan bench`: experiments of the papers that measure time.

use super::form::{ReportForm, Written};
use super::gauge::Gauge;
use super::interrupt::{INTERRUPTED, flag};
use super::output::Terminal;
use super::{Answer, Failure};
use crate::pipeline::{Positive, SceneFault, Usage, run_granular};
use crate::plot::{GranularPlot, granular_picture};
use crate::report::granular_document;
use crate::scene::granular::{GranularMethod, GranularOptions, GranularProgress};
use clap::Args;
use clap::builder::PossibleValuesParser;

#[derive(Args, Debug)]
#[command(
    after_help = "granular: beads that fall into a box [ACLM11 6]: Table 1, times over contacts (Fig. 8), the fixed point for frictions from \
0.1 to 0.9 (Fig. 9). All of it takes some minutes. Methods: gradient and gradient-cold (the paper's successive approximations with a projected \
gradient, from the forces of the step before or from none), facets (with interior points and four facets), interior (on Coulomb's cones), \
automatic and automatic-cold (the usual choice of `mechan run`)."
)]
pub(super) struct Arguments {
    /// Which experiment
    #[arg(value_parser = PossibleValuesParser::new(["granular"]))]
    experiment: String,
    /// Numbers of beads, with commas
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_values_t = [150, 300, 600])]
    beads: Vec<usize>,
    /// Steps of every run [default: those of the paper]
    #[arg(long, value_name = "K")]
    steps: Option<u64>,
    /// Which methods, with commas [default: all]
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    methods: Vec<String>,
    /// Backward error to reach by the usual choice
    #[arg(long, value_name = "T", default_value_t = 0.001, allow_negative_numbers = true)]
    tolerance: f64,
    /// What the first places of the beads depend on
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// `table` (Table 1 and Fig. 8) or `friction` (Fig. 9) alone
    #[arg(long, value_name = "PART", value_parser = PossibleValuesParser::new(["table", "friction"]))]
    only: Option<String>,
    /// A picture (.svg or .png): `time`, as Fig. 8, or `friction`, as Fig. 9; repeatable
    #[arg(long, value_name = "NAME[=FILE]")]
    plot: Vec<String>,
    #[command(flatten)]
    form: ReportForm,
}

/// Exit status 130 if it was interrupted.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    arguments.form.check(Written::Json)?;
    let plots = arguments.plot.iter().map(|text| text.parse::<GranularPlot>().map_err(Usage::Plot));
    let plots = plots.collect::<Result<Vec<_>, _>>()?;
    let options = options(arguments)?;
    let mut gauge: Option<Gauge<'_>> = None;
    let mut told = |progress: &GranularProgress| {
        let GranularProgress { part, parts: [done, all], steps: [step, of] } = progress;
        let gauge = gauge.get_or_insert_with(|| Gauge::new(terminal, "parts", *all));
        gauge.tell_with(*done, || format!(", {part}: step {step} of {of}"));
    };
    let study = run_granular(&options, flag(), &mut told)?;
    if let Some(gauge) = &gauge {
        gauge.clear();
    }
    for plot in &plots {
        let path = plot.path();
        granular_picture(&study, plot).map_err(Usage::Plot)?.write(&path)?;
        terminal.note(&format!("mechan: {} written", path.display()));
    }
    arguments.form.write(|| granular_document(&study), || serde_json::to_string_pretty(&study))?;
    Ok(if study.complete { 0 } else { INTERRUPTED })
}

fn options(arguments: &Arguments) -> Result<GranularOptions, Failure> {
    let methods = arguments.methods.iter().map(|name| name.parse().map_err(SceneFault::Method));
    let mut methods = methods.collect::<Result<Vec<GranularMethod>, _>>()?;
    if methods.is_empty() {
        methods.extend(GranularMethod::all());
    }
    if !(arguments.tolerance.is_finite() && arguments.tolerance > 0.0) {
        return Err(Usage::Positive { what: Positive::Tolerance, found: arguments.tolerance }.into());
    }
    let only = |part: &str| arguments.only.as_deref().is_none_or(|only| only == part);
    Ok(GranularOptions {
        beads: if only("table") { arguments.beads.clone() } else { Vec::new() },
        steps: arguments.steps,
        methods,
        tolerance: arguments.tolerance,
        friction: only("friction").then(|| GranularOptions::beads_of_friction(&arguments.beads)),
        seed: arguments.seed,
    })
}
