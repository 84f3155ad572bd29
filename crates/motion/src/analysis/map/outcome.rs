//! A map in the shape of the machine-readable output (`mechan.map/1`).

use super::Point;
use super::cell::{Cell, Class};
use super::certified::Certified;
use super::square::{Patch, Segment, holds};
use super::tally::Tally;
use crate::num::Number;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The `schema` of a map.
pub const MAP_SCHEMA: &str = "mechan.map/1";

/// A quantity over two ranges.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapOutcome {
    /// [`MAP_SCHEMA`].
    pub schema: Cow<'static, str>,
    /// Name of the mechanism.
    pub mechanism: String,
    /// Name of the state.
    pub state: String,
    /// What varies to the right.
    pub x: MapAxis,
    /// What varies upwards.
    pub y: MapAxis,
    /// What is mapped.
    pub quantity: String,
    /// The motions at whose ends it is taken, if it is a number of motions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<MapMotion>,
    /// The contact whose quantity it is, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// Values at the points of the grid: rows of increasing y, each in the order of x; none of a map that goes to a table row by row.
    pub cells: Vec<Vec<Cell>>,
    /// Lines between regions.
    pub boundaries: Vec<Boundary>,
    /// What is proven of its regions, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certified: Option<Certified>,
    /// Points where nothing is said.
    pub missing: Missing,
    /// How far it came, if it was stopped: `y` ends there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<Interrupted>,
    /// What is said of all points.
    #[serde(skip)]
    pub tally: Tally,
    /// Regions in squares of the grid that boundaries cross, for pictures.
    #[serde(skip)]
    pub patches: Vec<Patch>,
    /// The pieces that the boundaries are joined of, for parts that become a whole.
    #[serde(skip)]
    pub segments: Vec<Segment>,
    /// Levels of a number, for pictures.
    #[serde(skip)]
    pub levels: Vec<f64>,
}

/// What varies along an axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapAxis {
    /// Its name.
    pub name: String,
    /// Its unit, for pictures; none of a mere number.
    #[serde(skip)]
    pub unit: Option<String>,
    /// `log` if its values lie at equal ratios.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<&'static str>,
    /// Its values.
    pub values: Vec<Number>,
}

impl MapOutcome {
    /// What the map shows at a point: the class of the square of the grid around it, or of the part of that square; none outside the ranges.
    pub fn shown(&self, point: Point) -> Option<Class> {
        let place = |axis: &MapAxis, x: f64| {
            let next =
                axis.values.partition_point(|value| value.0 <= x).min(axis.values.len().saturating_sub(1));
            (axis.values.first()?.0 <= x && x <= axis.values.last()?.0 && next > 0).then(|| next - 1)
        };
        let (i, j) = (place(&self.x, point[0])?, place(&self.y, point[1])?);
        let class = |i: usize, j: usize| Some(self.cells.get(j)?.get(i)?.class(&self.levels));
        let corners = [class(i, j)?, class(i + 1, j)?, class(i, j + 1)?, class(i + 1, j + 1)?];
        if corners.iter().all(|corner| *corner == corners[0]) {
            return Some(corners[0]);
        }
        self.patches.iter().find(|patch| holds(&patch.corners, point)).map(|patch| patch.class)
    }
}

impl MapAxis {
    /// A value as a place between the ends in which the axis is even.
    pub fn even(&self, x: f64) -> f64 {
        if self.scale.is_some() { x.ln() } else { x }
    }

    /// The value at such a place.
    pub fn back(&self, place: f64) -> f64 {
        match (self.scale, self.values.first(), self.values.last()) {
            (Some(_), Some(lo), Some(hi)) => place.exp().clamp(lo.0, hi.0),
            _ => place,
        }
    }
}

/// A map that was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Interrupted {
    /// Rows that are done, from the lowest.
    pub rows: usize,
    /// Rows that were asked for.
    pub of: usize,
}

/// Points where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// How many.
    pub count: u64,
    /// Why the first of them could not be analysed, if it could not.
    pub reason: Option<String>,
    /// How many of them have no number of a motion for which reason, by [`Lack::name`](super::Lack::name).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<&'static str, u64>,
}

impl Missing {
    /// Of what is said of all points.
    pub fn of(tally: &Tally, reason: Option<String>) -> Self {
        Self { count: tally.undefined, reason, reasons: tally.lacks.clone() }
    }
}

/// The motions whose outcomes are mapped.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapMotion {
    /// How they are computed.
    pub scheme: &'static str,
    /// When they end, s.
    pub t_end: Number,
    /// The expression at whose fall through zero they end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
}

/// Lines of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Boundary {
    /// Of what.
    pub quantity: String,
    /// The level that the number passes there, or the words on its sides.
    pub level: Level,
    /// The lines, each from point to point; a closed one ends where it begins.
    pub lines: Vec<Vec<[Number; 2]>>,
}

/// What a boundary parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Level {
    /// Numbers below and above this one.
    Number(Number),
    /// Two words; none where nothing is said.
    Words([Option<&'static str>; 2]),
    /// Numbers from none, or a jump.
    Edge,
}
