//! Where each of several claims holds that exclude each other, over two ranges.

use super::ask::{Question, Setting};
use super::outcome::{NoCertificate, checked};
use super::{ProveFault, ProveOptions, compared};
use crate::model::Model;
use crate::pipeline::{Failure, Loaded, Usage};
use crate::prove::{Region, certificate, survey};
use serde_json::Value;
use std::thread;

/// Open share at which it is enough.
pub(in crate::pipeline) const ENOUGH: f64 = 0.0001;

/// What is proven over two ranges.
pub(in crate::pipeline) struct Regions {
    /// The certificates, in the order of the claims; why there is none.
    pub(in crate::pipeline) certificates: Vec<Result<Value, NoCertificate>>,
    /// All parts, by the numbers at their ends along both ranges.
    pub(in crate::pipeline) parts: Vec<(Region, [[f64; 2]; 2])>,
    /// Parts that were looked at.
    pub(in crate::pipeline) boxes: usize,
    /// Equations that a second derivation from the file could not be compared in, in words.
    pub(in crate::pipeline) uncompared: Vec<&'static str>,
    /// What was held, with its value, and what follows its text in the state, with that.
    pub(in crate::pipeline) held: Vec<(String, String)>,
}

/// Looks where each of the claims of `options` holds, which exclude each other, over its two boxes.
pub(in crate::pipeline) fn regions(
    loaded: &Loaded,
    model: &Model,
    options: &ProveOptions,
) -> Result<Regions, Failure> {
    let uncompared = compared(loaded, model)?;
    let setting = Setting::new(loaded, model, options)?;
    let asked = options.claims.iter().map(|claim| setting.question(claim, &[]));
    let questions = asked.collect::<Result<Vec<_>, _>>().map_err(Usage::from)?;
    let Some(first) = questions.first() else { return Err(Usage::from(ProveFault::NoClaim).into()) };
    questions.iter().try_for_each(|question| plain(question, first))?;
    let values = first.held.iter().filter_map(|&i| first.value(i)).map(|(name, x)| (name, x.to_string()));
    let held = first.texts.iter().cloned().chain(values).collect();
    setting.check_held(loaded, model, first, options)?;
    let statements: Vec<_> = questions.iter().map(|question| question.statement.clone()).collect();
    let found = survey(&statements, &options.budget, ENOUGH);
    if found.regions.iter().all(|part| part.0 == Region::Nothing) {
        return Err(first.beyond(NOWHERE).into());
    }
    let name = loaded.mechanism.name.as_str();
    let written = |(question, proof): (&Question, crate::prove::Proof)| {
        let written = certificate(&question.subject(name, &options.given), &question.statement, &proof);
        checked(proof, written).1
    };
    let certificates: Vec<_> = thread::scope(|scope| {
        let running = questions.iter().zip(found.proofs).map(|pair| scope.spawn(move || written(pair)));
        let running: Vec<_> = running.collect();
        running.into_iter().map(|thread| thread.join().unwrap_or(Err(NoCertificate::Ended))).collect()
    });
    let axes: [Axis; 2] = [0, 1].map(|k| Axis::new(first, k));
    let place = |(region, shares): (Region, Vec<[f64; 2]>)| {
        let region = match region {
            // what the checker does not accept is not proven
            Region::Claim(k) if certificates[k].is_err() => Region::Open,
            region => region,
        };
        (region, [0, 1].map(|k| axes[k].ends(&shares)))
    };
    let parts = found.regions.into_iter().map(place).collect();
    Ok(Regions { certificates, parts, boxes: found.parts, uncompared, held })
}

const DETERMINED: &str =
    "gaps or constraints determine a number on which it depends, and not by an equation that is linear in it";
const TIED: &str = "gaps, constraints or their rates tie the axes of the map together";
const NOWHERE: &str = "it is about states whose contact slips, and at no point of the map does it";

/// That nothing varies but the two ranges, and the same in all claims.
fn plain(question: &Question, first: &Question) -> Result<(), Usage> {
    if !question.open.is_empty() {
        return Err(question.beyond(DETERMINED));
    }
    if !question.statement.zero.is_empty() {
        return Err(question.beyond(TIED));
    }
    if question.sufficient.is_some() || question.statement.varying() != first.statement.varying() {
        return Err(question.beyond("it is not shown on regions"));
    }
    Ok(())
}

/// A range as an axis.
struct Axis {
    /// Which of the inputs that vary it is; none if nothing depends on it.
    side: Option<usize>,
    lo: f64,
    hi: f64,
}

impl Axis {
    fn new(question: &Question, k: usize) -> Self {
        let (name, lo, hi) = &question.ranges[k];
        let varying = question.statement.varying();
        let side = varying.iter().position(|&i| question.names[i] == *name);
        Axis { side, lo: lo.enclosed().middle(), hi: hi.enclosed().middle() }
    }

    fn ends(&self, shares: &[[f64; 2]]) -> [f64; 2] {
        let shares = self.side.map_or([0.0, 1.0], |side| shares[side]);
        shares.map(|share| self.lo + (self.hi - self.lo) * share)
    }
}
