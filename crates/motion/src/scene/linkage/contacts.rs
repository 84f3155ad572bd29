//! The contacts that a mechanism's own file declares, where contacts are looked for.

use super::Row;
use crate::expression::Env;
use crate::format::{Mechanism, Seen};
use crate::model::{Block, Output};
use crate::num::Tol;
use crate::scene::body::Posed;
use crate::scene::detect::{Other, SceneContact};
use crate::scene::vector::{Vector, length, minus};
use crate::stepping::{Mechanics, Point, StepError};

/// The contacts of a file.
#[derive(Debug, Default)]
pub(super) struct OwnContacts {
    /// The rows of all of them, normal first, and what they have beside them.
    rows: Vec<f64>,
    rates: Vec<f64>,
    /// Rows of each.
    dim: usize,
    /// Those whose gaps are not positive, with their gaps.
    near: Vec<(usize, f64)>,
    /// Those of them that are active.
    pub(super) found: Vec<SceneContact>,
}

impl OwnContacts {
    /// Takes gaps and rows at a point that the present one leads to.
    pub(super) fn look(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        (now, at): (&Point, &Point),
    ) -> Result<(), StepError> {
        self.near.clear();
        if mechanics.laws().is_empty() {
            return Ok(());
        }
        // a gap that is the rounding of what it comes from is none
        mechanics.look(now)?;
        let noise: Vec<f64> = mechanics.gap_sizes().iter().map(|x| Tol::default().noise * x).collect();
        mechanics.look(at)?;
        mechanics.evaluate(at.t, &at.q, &at.v)?;
        self.near.extend(mechanics.gaps().iter().copied().enumerate().filter(|&(c, gap)| gap <= noise[c]));
        self.rows.clear();
        self.rows.extend_from_slice(mechanics.force(Block::ContactJacobian));
        self.rates.clear();
        self.dim = 1 + mechanics.layout().tangents;
        let slips = mechanics.force(Output::SlipRate).chunks_exact(mechanics.layout().tangents);
        for (rate, slips) in mechanics.force(Output::GapRate).iter().zip(slips) {
            self.rates.push(*rate);
            self.rates.extend_from_slice(slips);
        }
        Ok(())
    }

    /// Row k of a contact by n rates.
    pub(super) fn row(&self, (contact, k): (usize, usize), n: usize) -> Row {
        let row = contact * self.dim + k;
        Row { slopes: self.rows[row * n..(row + 1) * n].to_vec(), explicit: self.rates[row] }
    }

    /// Finds those that are active, with their places; the links are the bodies from `first` on, and of each contact it is known which it
    /// presses.
    pub(super) fn place(
        &mut self,
        mechanism: &Mechanism,
        (at, parameters): (&Point, &[f64]),
        (first, posed, pressed): (usize, &[Posed], &[[Option<usize>; 2]]),
    ) {
        let definitions = &mechanism.definitions.values;
        let env = Env { t: at.t, q: &at.q, v: &at.v, parameters, definitions };
        let seen = Seen { mechanism, env };
        self.found.clear();
        for &(number, gap) in &self.near {
            let contact = &mechanism.contacts[number];
            if contact.active.as_ref().is_some_and(|active| seen.value(active) <= 0.0) {
                continue;
            }
            // gap and slip that are given as functions have neither place nor normal
            let place = seen.touching(contact).unwrap_or(posed[0].centre);
            let link = pressed[number][0].unwrap_or_else(|| nearest(posed, place));
            self.found.push(SceneContact {
                body: first + link,
                other: Other::Declared(number),
                feature: number as u32,
                gap,
                normal: seen.normal(contact).unwrap_or_default(),
                arms: [minus(place, posed[link].centre), place],
            });
        }
    }
}

/// The link with the nearest centre.
fn nearest(posed: &[Posed], place: Vector) -> usize {
    let far = |link: &usize| length(minus(posed[*link].centre, place));
    (0..posed.len()).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or_default()
}
