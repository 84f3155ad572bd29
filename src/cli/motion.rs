//! What is asked of motions by every command that follows some.

use crate::pipeline::{GivenState, Scheme, SimulateOptions};
use crate::simulate::event::{Hyperstatic, Limits};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

#[derive(Args, Debug)]
pub(super) struct MotionArguments {
    /// Mechanism file (YAML) or model file (JSON); `-` is standard input
    #[arg(value_name = "FILE")]
    pub(super) file: String,
    /// The state it begins at [default: the first]
    #[arg(long, value_name = "NAME")]
    state: Option<String>,
    /// Override a parameter, a coordinate or `dot(x)`; repeatable
    #[arg(long, value_name = "NAME=EXPR")]
    set: Vec<String>,
    /// The time at which it ends, in seconds
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    t_end: f64,
    #[command(flatten)]
    pub(super) how: HowArguments,
}

/// How motions are followed.
#[derive(Args, Debug)]
pub(super) struct HowArguments {
    /// How it is computed [default: event; compliant where several --eps are given]
    #[arg(long, value_name = "NAME", value_parser = schemes())]
    scheme: Option<Scheme>,
    /// Length of a time step, in seconds, of the schemes that need it
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    step: Option<f64>,
    /// Where in a time step forces are taken, from 0 (explicit) to 1, of time-stepping schemes [default: 1/2]
    #[arg(long, value_name = "THETA", allow_negative_numbers = true)]
    theta: Option<f64>,
    /// How far ahead of a time step gaps are predicted, in steps from 0 to 1, of Moreau's schemes [default: 1/2]
    #[arg(long, value_name = "GAMMA", allow_negative_numbers = true)]
    gamma: Option<f64>,
    /// Of the compliant scheme: forces are those of a spring 1/eps^2; several, with commas, ask what follows as eps -> 0
    #[arg(long, value_name = "E1,E2,..", value_delimiter = ',', allow_negative_numbers = true)]
    pub(super) eps: Vec<f64>,
    /// Error per step, relative to each number's own size [default: 1e-10]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    rtol: Option<f64>,
    /// The same in the units of each number, beside that [default: 0]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    atol: Option<f64>,
    /// What to follow where several motions are possible: a mode, `iwc`, `iwc(NAME)` or `impact(WORD)`; repeatable, the first that is possible is taken
    #[arg(long, value_name = "NAME")]
    future: Vec<String>,
    /// Where accelerations depend on forces that are not unique: go on with those of the contacts' stiffnesses in the limit of rigidity, or stop
    #[arg(long, value_name = "RULE", default_value = "go", value_parser = rules())]
    hyperstatic: Hyperstatic,
    /// End where this expression falls through zero; may use `dot(x)` and columns such as `tip.N`
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    stop: Option<String>,
    /// Events after which it is cut short
    #[arg(long, value_name = "N", default_value_t = Limits::default().events)]
    max_events: usize,
    /// Steps after which it is cut short
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps)]
    max_steps: usize,
}

fn rules() -> impl TypedValueParser<Value = Hyperstatic> {
    PossibleValuesParser::new(Hyperstatic::ALL.map(Hyperstatic::word))
        .map(|word| Hyperstatic::of(&word).unwrap_or_default())
}

/// The schemes by their names, each with what it is.
fn schemes() -> impl TypedValueParser<Value = Scheme> {
    let known = Scheme::all().map(|scheme| PossibleValue::new(scheme.word()).help(scheme.summary()));
    PossibleValuesParser::new(known).try_map(|word| word.parse::<Scheme>())
}

impl MotionArguments {
    pub(super) fn options(&self) -> SimulateOptions {
        SimulateOptions {
            state: self.state.clone(),
            set: self.set.clone(),
            t_end: self.t_end,
            ..self.how.options()
        }
    }
}

impl HowArguments {
    /// The first option that is given, if one is.
    pub(super) fn given(&self) -> Option<&'static str> {
        let usual = Limits::default();
        let options = [
            ("--scheme", self.scheme.is_some()),
            ("--step", self.step.is_some()),
            ("--theta", self.theta.is_some()),
            ("--gamma", self.gamma.is_some()),
            ("--eps", !self.eps.is_empty()),
            ("--rtol", self.rtol.is_some()),
            ("--atol", self.atol.is_some()),
            ("--future", !self.future.is_empty()),
            ("--hyperstatic", self.hyperstatic != Hyperstatic::default()),
            ("--stop", self.stop.is_some()),
            ("--max-events", self.max_events != usual.events),
            ("--max-steps", self.max_steps != usual.steps),
        ];
        options.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// What is asked of a motion that begins and ends somewhere.
    pub(super) fn options(&self) -> SimulateOptions {
        // only compliant contacts have an ε to be followed
        let usual = if self.eps.len() > 1 { Scheme::Compliant } else { Scheme::Event };
        SimulateOptions {
            state: None,
            set: Vec::new(),
            scheme: self.scheme.unwrap_or(usual),
            eps: self.eps.clone(),
            t_end: f64::NAN,
            step: self.step,
            theta: self.theta,
            gamma: self.gamma,
            rtol: self.rtol,
            atol: self.atol,
            samples: None,
            times: None,
            given: GivenState::default(),
            futures: self.future.clone(),
            hyperstatic: self.hyperstatic,
            stop: self.stop.clone(),
            limits: Limits { steps: self.max_steps, events: self.max_events },
        }
    }
}
