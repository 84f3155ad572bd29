//! What is proven of a map: rectangles all over which a class holds, and those that stay open.

use super::cell::Class;
use super::outcome::MapOutcome;
use crate::num::Number;
use serde::Serialize;

/// Proven regions of a map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Certified {
    /// One for each class that holds somewhere.
    pub regions: Vec<CertifiedRegion>,
    /// Share of the map's area of which nothing is proven.
    pub undecided: Number,
    /// Whether that is so little that it lies along boundaries; otherwise the search ended before, and it may lie anywhere.
    pub thin: bool,
    /// Parts of the area that were looked at.
    pub boxes: usize,
    /// What the state holds along both axes.
    pub held: Vec<(String, String)>,
    /// Equations that a second derivation from the file could not be compared in, in words.
    pub not_compared: Vec<&'static str>,
    /// Points of the grid in proven regions.
    pub points: u64,
    /// How many of these have a value of another class, found by the analysis of single states: none, or one of both is wrong.
    pub contradicted: u64,
    /// All of the area.
    #[serde(skip)]
    pub rectangles: Vec<Rectangle>,
}

/// A class and where it is proven.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CertifiedRegion {
    /// What holds there, as `mechan prove` is asked it.
    pub claim: String,
    /// Share of the map's area.
    pub area: Number,
    /// The certificate, which `mechan-check` reads.
    pub certificate: serde_json::Value,
}

/// A part of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// What is proven of all of it; none if nothing is.
    pub class: Option<Class>,
    /// Its ends along x and y.
    pub ends: [[f64; 2]; 2],
}

impl Certified {
    /// The same with the points of a map's grid in it.
    #[must_use]
    pub fn compared(&self, map: &MapOutcome) -> Self {
        let within = |values: &[Number], [lo, hi]: [f64; 2]| {
            values.partition_point(|x| x.0 < lo)..values.partition_point(|x| x.0 <= hi)
        };
        let mut seen: Vec<Vec<bool>> = map.cells.iter().map(|row| vec![false; row.len()]).collect();
        let (mut points, mut contradicted) = (0, 0);
        let proven = self.rectangles.iter().filter_map(|part| part.class.map(|class| (class, part.ends)));
        for (class, [x, y]) in proven.filter(|(class, _)| *class != Class::Undefined) {
            for j in within(&map.y.values[..map.cells.len()], y) {
                for i in within(&map.x.values, x) {
                    let cell = &map.cells[j][i];
                    if !std::mem::replace(&mut seen[j][i], true)
                        && cell.class(&map.levels) != Class::Undefined
                    {
                        points += 1;
                        contradicted += u64::from(cell.class(&map.levels) != class);
                    }
                }
            }
        }
        Certified { points, contradicted, ..self.clone() }
    }
}
