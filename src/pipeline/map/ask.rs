//! A map as a question: everything that was asked for, checked.

use super::fault::MapFault;
use super::field::{Field, Said, Sought};
use super::outcome::{OutcomeField, OutcomeOptions};
use super::quantity::Quantity;
use super::quick::{Asked, Quick};
use crate::analysis::map::{Certified, MapAxis, MapMotion};
use crate::expression::Symbol;
use crate::format::{Override, StateSpec};
use crate::model::Model;
use crate::num::{Tol, numbers};
use crate::pipeline::simulate::{chunk, gridded};
use crate::pipeline::states::{parse_overrides, resolve, select_states, state_kernel, unknown_state};
use crate::pipeline::units::unit_of;
use crate::pipeline::{Failure, Loaded, Usage};
use crate::simulate::ensemble::{Axis, Chunk, Distribution, Plan};
use std::ops::Range;

/// What is asked of a map.
#[derive(Clone, Debug, Default)]
pub struct MapOptions {
    /// Name of the state; the first if absent.
    pub state: Option<String>,
    /// `name=expr` overrides that hold everywhere.
    pub set: Vec<String>,
    /// `name=LO:HI:N` or `name=log:LO:HI:N`, to the right.
    pub x: String,
    /// The same upwards.
    pub y: String,
    /// One of [`QUANTITIES`](super::QUANTITIES), or an expression.
    pub quantity: String,
    /// The number of the motion from each point that is mapped, instead of a quantity of the state.
    pub outcome: Option<OutcomeOptions>,
    /// The contact whose number it is; the only one if absent.
    pub contact: Option<String>,
    /// Numbers at which regions part; those of the quantity if empty.
    pub levels: Vec<f64>,
    /// Threads; as many as there are cores if absent.
    pub threads: Option<usize>,
    /// `I/N`: the I-th of N parts of the rows, for [`write_map_part`](super::write_map_part).
    pub chunk: Option<String>,
}

/// A map, ready to be computed: the mechanism is compiled once, and all threads share it.
pub struct MapStudy<'l> {
    pub(super) field: Field<'l>,
    pub(super) axes: [MapAxis; 2],
    pub(super) levels: Vec<f64>,
    pub(super) threads: usize,
    pub(super) quantity: String,
    pub(super) chunk: Chunk,
    /// Those that are computed.
    pub(super) rows: Range<usize>,
    /// What is proven of its regions.
    pub(super) certified: Option<Certified>,
}

/// Most points that are kept, some 32 bytes each.
const MOST_KEPT: u64 = 20_000_000;

impl<'l> MapStudy<'l> {
    /// Of a mechanism.
    ///
    /// # Errors
    /// [`Failure`] if the options make no sense. A point where the state cannot be analysed has no value.
    pub fn new(loaded: &'l Loaded, model: &Model, options: &MapOptions) -> Result<Self, Failure> {
        let refused = |fault| Failure::from(Usage::from(fault));
        let (spec, set, tol) =
            (asked(loaded, options)?, parse_overrides(loaded, &options.set)?, Tol::default());
        let parameters = resolve(loaded, spec, &set)?.parameters;
        let range = |option, text| ranged(loaded, &parameters, option, text).map_err(refused);
        let [(x, first), (y, second)] = [range("--x", &options.x)?, range("--y", &options.y)?];
        if x == y {
            return Err(refused(MapFault::Same { name: first.name }));
        }
        let chunk = options.chunk.as_deref().map(chunk).transpose().map_err(Usage::from)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let about = About { loaded, model, spec, set: &set, varied: [x, y], tol };
        let (sought, levels) = about.sought(options)?;
        let chunk = chunk.unwrap_or(Chunk::WHOLE);
        let axes = [mapped(loaded, x, &first), mapped(loaded, y, &second)];
        let Range { start, end } = chunk.range(axes[1].values.len() as u64);
        Ok(Self {
            axes,
            field: Field { loaded, spec, targets: [(x, first.name), (y, second.name)], set, tol, sought },
            levels,
            threads: options.threads.unwrap_or(cores),
            quantity: options
                .outcome
                .as_ref()
                .map_or(&options.quantity, |asked| &asked.text)
                .trim()
                .to_string(),
            chunk,
            rows: start as usize..end as usize,
            certified: None,
        })
    }

    /// The same with what is proven of its regions, with which its points are compared.
    #[must_use]
    pub fn with_certified(self, certified: Certified) -> Self {
        Self { certified: Some(certified), ..self }
    }

    /// The columns of its table: what varies, and the quantity.
    pub fn columns(&self) -> [String; 3] {
        let [x, y] = self.axes.each_ref().map(|axis| axis.name.clone());
        [x, y, self.quantity.clone()]
    }

    /// Whether the quantity has words, not numbers.
    pub fn has_words(&self) -> bool {
        match &self.field.sought {
            Sought::Said(said) => said.quantity.is_word(),
            Sought::Outcome(_) => false,
        }
    }

    /// The motions whose outcomes it has, if it has them.
    pub(super) fn motion(&self) -> Option<MapMotion> {
        match &self.field.sought {
            Sought::Said(_) => None,
            Sought::Outcome(outcome) => Some(outcome.motion()),
        }
    }

    /// The values to the right.
    pub fn across(&self) -> Vec<f64> {
        self.axes[0].values.iter().map(|x| x.0).collect()
    }

    /// Number of points of its part.
    pub fn points(&self) -> u64 {
        self.axes[0].values.len() as u64 * self.rows.len() as u64
    }

    /// That the whole map may be kept, for a file with all of it.
    ///
    /// # Errors
    /// [`Failure::Usage`] for more points than that.
    pub fn check_kept(&self, what: &str) -> Result<(), Failure> {
        match self.points() {
            points if points > MOST_KEPT => {
                Err(Usage::from(MapFault::Kept { what: what.to_string(), points, most: MOST_KEPT }).into())
            }
            _ => Ok(()),
        }
    }

    /// The name of its state.
    pub fn state(&self) -> &str {
        &self.field.spec.name
    }
}

/// What a map is of.
struct About<'l, 'a> {
    loaded: &'l Loaded,
    model: &'a Model,
    spec: &'l StateSpec,
    set: &'a [Override],
    varied: [Symbol; 2],
    tol: Tol,
}

impl<'l> About<'l, '_> {
    /// What is mapped, and where its regions part.
    fn sought(&self, options: &MapOptions) -> Result<(Sought<'l>, Vec<f64>), Failure> {
        let refused = |fault| Failure::from(Usage::from(fault));
        let Self { loaded, model, spec, set, varied, tol } = *self;
        if let Some(asked) = &options.outcome {
            let field = OutcomeField::new((loaded, model), (spec, set), asked)?;
            let levels = given_levels(options).map_err(refused)?;
            let levels = if levels.is_empty() { vec![0.0] } else { levels };
            return Ok((Sought::Outcome(Box::new(field)), levels));
        }
        let quantity = Quantity::parse(&loaded.mechanism, &options.quantity).map_err(refused)?;
        let contact = contact(loaded, &quantity, options).map_err(refused)?;
        let levels = levels(&quantity, options).map_err(refused)?;
        let asked =
            Asked { spec, set, varied, quantity: &quantity, contact: contact.as_deref(), steady: false };
        let quick = Quick::new(&loaded.mechanism, model, &asked, &tol);
        let kernel = state_kernel(model, &tol).compiled();
        Ok((Sought::Said(Box::new(Said { kernel, quantity, contact, quick })), levels))
    }
}

fn asked<'l>(loaded: &'l Loaded, options: &MapOptions) -> Result<&'l StateSpec, Failure> {
    let named: Vec<String> = options.state.iter().cloned().collect();
    let found = select_states(loaded, &named)?.into_iter().next();
    Ok(found.ok_or_else(|| unknown_state(loaded, options.state.as_deref().unwrap_or_default()))?)
}

fn ranged(
    loaded: &Loaded,
    parameters: &[f64],
    option: &'static str,
    text: &str,
) -> Result<(Symbol, Axis), MapFault> {
    let found = gridded(&loaded.mechanism, parameters, text);
    let (symbol, axis) = found.map_err(|fault| MapFault::Range { option, fault })?;
    let text = || text.to_string();
    match axis.spread {
        Distribution::Grid(points) | Distribution::GridLog(points) if points > MOST_VALUES => {
            Err(MapFault::Long { option, text: text(), most: MOST_VALUES })
        }
        Distribution::Grid(2..) | Distribution::GridLog(2..) if axis.lo < axis.hi => Ok((symbol, axis)),
        Distribution::Grid(2..) | Distribution::GridLog(2..) => {
            Err(MapFault::Empty { option, text: text(), at: axis.lo })
        }
        _ => Err(MapFault::Points { option, text: text() }),
    }
}

/// Most values on an axis.
const MOST_VALUES: u64 = 1_000_000;

fn mapped(loaded: &Loaded, of: Symbol, axis: &Axis) -> MapAxis {
    let plan = Plan { axes: vec![axis.clone()], each: 1, seed: 0 };
    let values: Vec<f64> = (0..plan.runs().unwrap_or(0)).flat_map(|k| plan.values(k)).collect();
    let scale = matches!(axis.spread, Distribution::GridLog(_)).then_some("log");
    let unit = unit_of(&loaded.mechanism, of);
    MapAxis { name: axis.name.clone(), unit, scale, values: numbers(&values) }
}

/// The contact whose numbers are asked for, if any are.
fn contact(loaded: &Loaded, quantity: &Quantity, options: &MapOptions) -> Result<Option<String>, MapFault> {
    let contacts: Vec<String> = loaded.mechanism.contacts.iter().map(|c| c.name.clone()).collect();
    match (&options.contact, &contacts[..]) {
        (Some(name), _) if !contacts.contains(name) => {
            Err(MapFault::Contact { name: name.clone(), contacts })
        }
        _ if !quantity.is_of_a_contact() => Ok(None),
        (Some(name), _) => Ok(Some(name.clone())),
        (None, [only]) => Ok(Some(only.clone())),
        (None, _) => Err(MapFault::NoContact { quantity: options.quantity.clone(), contacts }),
    }
}

fn levels(quantity: &Quantity, options: &MapOptions) -> Result<Vec<f64>, MapFault> {
    if options.levels.is_empty() {
        return Ok(quantity.levels());
    }
    if quantity.is_word() {
        return Err(MapFault::WordLevel { quantity: options.quantity.clone() });
    }
    given_levels(options)
}

/// Those of the options, in order.
fn given_levels(options: &MapOptions) -> Result<Vec<f64>, MapFault> {
    if let Some(level) = options.levels.iter().find(|level| !level.is_finite()) {
        return Err(MapFault::Level { level: *level });
    }
    let mut levels = options.levels.clone();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    Ok(levels)
}
