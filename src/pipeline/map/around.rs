//! The verdict around a state: the friction of its contact upwards, something of the domain to the right, all else as the state says. For states on
//! one unilateral contact of the plane whose friction is a parameter; coordinates go before velocities, and these before parameters, and what
//! changes no verdict is passed over.

use super::ask::MapStudy;
use super::field::{Field, FieldWork, Said, Sought};
use super::quantity::{Quantity, WordOf};
use super::quick::{Asked, Quick};
use crate::analysis::StateOutcome;
use crate::analysis::map::{Cell, Class, MapAxis, MapOutcome, Point, edge};
use crate::expression::{Node, Symbol};
use crate::format::{Mechanism, Override, StateSpec};
use crate::model::Model;
use crate::num::{Tol, numbers};
use crate::pipeline::Loaded;
use crate::pipeline::inputs::symbol_name;
use crate::pipeline::states::{parse_overrides, state_kernel};
use crate::pipeline::units::unit_of;
use crate::predict::Verdict;
use crate::simulate::ensemble::Chunk;

/// Values on each axis; more where the state's own region is not seen with fewer.
const VALUES: [usize; 2] = [41, 161];
/// Share of the values that must have a verdict.
const SAID: f64 = 0.3;
/// How far a range that ends before the state goes on beyond it, over its width.
const BEYOND: f64 = 0.08;
/// Where friction ends without a range of its own, over that of the state, and at least.
const TWICE: f64 = 2.0;
const LEAST: f64 = 1.0;

/// A map with a state in it.
pub(in crate::pipeline) struct Around {
    pub(in crate::pipeline) map: MapOutcome,
    /// Where the state is.
    pub(in crate::pipeline) at: Point,
    /// The next changes of verdict, along the axes.
    pub(in crate::pipeline) changes: Vec<Change>,
}

/// Where the verdict is another one along an axis, all else as in the state.
pub(in crate::pipeline) struct Change {
    pub(in crate::pipeline) name: String,
    pub(in crate::pipeline) unit: Option<String>,
    /// Whether above the value, or below it.
    pub(in crate::pipeline) above: bool,
    pub(in crate::pipeline) value: f64,
    pub(in crate::pipeline) verdict: &'static str,
}

/// The map around a state that was analysed under what is set; none where there is nothing to see.
pub(in crate::pipeline) fn around(
    (loaded, model): (&Loaded, &Model),
    set: &[String],
    state: &StateOutcome,
) -> Option<Around> {
    let mechanism = &loaded.mechanism;
    let [closed] = &state.closed[..] else { return None };
    let contact = mechanism.contacts.iter().position(|c| c.name == *closed && !c.bilateral)?;
    let Node::Symbol(friction @ Symbol::Parameter(_)) = mechanism.contacts[contact].friction.node else {
        return None;
    };
    let verdict = state.prospect.verdict?;
    if state.prospect.resolved.iter().any(|word| word == "impact") {
        return None;
    }
    let spec = mechanism.states.iter().find(|spec| spec.name == state.state)?;
    let spec = StateSpec { closed: Some(vec![contact]), ..spec.clone() };
    let set = parse_overrides(loaded, set).ok()?;
    let parameters: Vec<f64> = mechanism
        .parameters
        .iter()
        .map(|p| state.parameters.get(&p.name).map_or(f64::NAN, |x| x.0))
        .collect();
    let ranges = mechanism.domain_values(&parameters).ok()?;
    let mu = value(mechanism, state, friction)?;
    let own = ranges.iter().find(|range| range.0 == friction);
    let up = own.map_or([0.0, (TWICE * mu).max(LEAST)], |range| [range.1, range.2]);
    let mut others: Vec<_> = ranges.iter().filter(|range| range.0 != friction).collect();
    others.sort_by_key(|range| rank(range.0));
    let about = MapRequest { loaded, model, spec: &spec, set: &set, verdict };
    others.into_iter().find_map(|&(symbol, lo, hi)| {
        let at = [value(mechanism, state, symbol)?, mu];
        let sides = [(symbol, [lo, hi]), (friction, up)];
        let sides = [0, 1].map(|k| (sides[k].0, reaching(sides[k].1, at[k])));
        about.drawn(sides, at)
    })
}

/// Coordinates first.
fn rank(symbol: Symbol) -> usize {
    match symbol {
        Symbol::Coordinate(_) => 0,
        Symbol::Rate(_) => 1,
        Symbol::Time | Symbol::Parameter(_) => 2,
    }
}

/// A finite number of a state.
fn value(mechanism: &Mechanism, state: &StateOutcome, of: Symbol) -> Option<f64> {
    let coordinate = |i: usize| mechanism.coordinates[i].name.as_str();
    let found = match of {
        Symbol::Time => Some(&state.t),
        Symbol::Coordinate(i) => state.q.get(coordinate(i)),
        Symbol::Rate(i) => state.v.get(coordinate(i)),
        Symbol::Parameter(i) => state.parameters.get(&mechanism.parameters[i].name),
    };
    found.map(|x| x.0).filter(|x| x.is_finite())
}

/// A range with a state in it.
fn reaching([lo, hi]: [f64; 2], at: f64) -> [f64; 2] {
    let beyond = BEYOND * (hi.max(at) - lo.min(at));
    [if at < lo { at - beyond } else { lo }, if at > hi { at + beyond } else { hi }]
}

/// What is asked.
struct MapRequest<'a> {
    loaded: &'a Loaded,
    model: &'a Model,
    spec: &'a StateSpec,
    set: &'a [Override],
    verdict: Verdict,
}

impl MapRequest<'_> {
    /// The map between some ends; none where it does not show the state's verdict at the state, or nothing else anywhere.
    fn drawn(&self, sides: [(Symbol, [f64; 2]); 2], at: Point) -> Option<Around> {
        let here = Cell::Word(self.verdict.name());
        let borders = matches!(self.verdict, Verdict::Marginal | Verdict::Undecided);
        for count in VALUES {
            let study = self.study(sides, count)?;
            let mut work = study.field.work();
            if study.field.value(&mut work, at).ok()? != here {
                return None;
            }
            let map = study.collect(|_| ()).ok()?;
            let said = (map.tally.points - map.tally.undefined) as f64;
            if map.tally.words.len() < 2 || said < SAID * map.tally.points as f64 {
                return None;
            }
            if borders {
                return Some(Around { map, at, changes: Vec::new() });
            }
            if map.shown(at) == Some(here.class(&[])) {
                let changes = (0..2).flat_map(|k| study.changes(&mut work, at, k)).collect();
                return Some(Around { map, at, changes });
            }
        }
        None
    }

    fn study(&self, sides: [(Symbol, [f64; 2]); 2], count: usize) -> Option<MapStudy<'_>> {
        let (tol, quantity) = (Tol::default(), Quantity::Word(WordOf::Verdict));
        let Self { loaded, model, spec, set, .. } = *self;
        let varied = sides.map(|(symbol, _)| symbol);
        let asked = Asked { spec, set, varied, quantity: &quantity, contact: None, steady: true };
        let quick = Some(Quick::new(&loaded.mechanism, model, &asked, &tol)?);
        let axes = sides.map(|(symbol, ends)| axis(&loaded.mechanism, symbol, ends, count));
        let targets = [0, 1].map(|k| (varied[k], axes[k].name.clone()));
        let (set, kernel) = (set.to_vec(), state_kernel(model, &tol));
        let sought = Sought::Said(Box::new(Said { kernel, quantity, contact: None, quick }));
        let field = Field { loaded, spec, set, targets, tol, sought };
        Some(MapStudy {
            field,
            axes,
            levels: Vec::new(),
            threads: 1,
            quantity: "verdict".into(),
            chunk: Chunk::WHOLE,
            rows: 0..count,
            certified: None,
        })
    }
}

fn axis(mechanism: &Mechanism, symbol: Symbol, [lo, hi]: [f64; 2], count: usize) -> MapAxis {
    let name = symbol_name(mechanism, symbol);
    let last = (count - 1) as f64;
    let values: Vec<f64> =
        (0..count).map(|k| lo + (hi - lo) * (k as f64 / last)).map(|x| x.clamp(lo, hi)).collect();
    MapAxis { name, unit: unit_of(mechanism, symbol), scale: None, values: numbers(&values) }
}

impl MapStudy<'_> {
    /// The next changes of verdict from a point along an axis, to both sides.
    fn changes(&self, work: &mut FieldWork, at: Point, k: usize) -> Vec<Change> {
        let values: Vec<f64> = self.axes[k].values.iter().map(|x| x.0).collect();
        let below: Vec<f64> = values.iter().rev().copied().filter(|x| *x < at[k]).collect();
        let above: Vec<f64> = values.iter().copied().filter(|x| *x > at[k]).collect();
        let found = [(below, false), (above, true)].map(|(way, above)| {
            let (value, verdict) = self.change(work, at, (k, &way))?;
            let MapAxis { name, unit, .. } = self.axes[k].clone();
            Some(Change { name, unit, above, value, verdict })
        });
        found.into_iter().flatten().collect()
    }

    /// The first change of verdict on the way over some values, and what it becomes; none if nothing is said before that.
    fn change(
        &self,
        work: &mut FieldWork,
        at: Point,
        (k, way): (usize, &[f64]),
    ) -> Option<(f64, &'static str)> {
        let mut value = |point: Point| self.field.value(work, point).unwrap_or(Cell::Undefined);
        let mut last = (at, value(at));
        for x in way {
            let mut point = at;
            point[k] = *x;
            let next = (point, value(point));
            if next.1.class(&[]) != last.1.class(&[]) {
                let found = edge([last, next], &[], &self.field.tol, &mut value);
                let mark = found.marks.first()?;
                let Class::Word(word) = mark.to else { return None };
                return Some((mark.at[k], word));
            }
            last = next;
        }
        None
    }
}
