//! Impacts that follow each other faster and faster: recognised by their ratio, and ended at the limit of the geometric
//! series once what is left of it can no longer be seen.
//!
//! With ratio r of successive gap rates and a last flight T the rest takes T r/(1 − r). The impulses of that rest add up to
//! those of a plastic impact now and of persistent contact until then: Σ(1 + e)v_j = v + |b| Σ T_j.

use crate::simulate::trajectory::EventDetail;

/// Share of the time since the first impact that the rest of a series may take when it is summed up: what it still moves is
/// of second order in it.
const UNSEEN: f64 = 1.0 / 1048576.0;
/// Ratios that are averaged at most, and impacts before the first statement.
const AVERAGED: usize = 32;
const FEWEST: usize = 4;

/// A series of impacts of one contact with nothing else between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Series {
    contact: Option<usize>,
    times: Vec<f64>,
    rebounds: Vec<f64>,
    /// Of each impact its rebound as a share of its approach.
    own: Vec<f64>,
}

/// The end of a series.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limit {
    /// Zeno time.
    pub(super) t: f64,
    /// The contact that is closed then.
    pub(super) contact: usize,
    pub(super) detail: EventDetail,
}

impl Series {
    /// Something else happened.
    pub(super) fn interrupt(&mut self) {
        self.contact = None;
        self.times.clear();
        self.rebounds.clear();
        self.own.clear();
    }

    /// Another impact; the limit if its rest can be summed up, or its hops can no longer be seen.
    pub(super) fn add(
        &mut self,
        contact: usize,
        t: f64,
        (approach, rebound): (f64, f64),
        seen: bool,
    ) -> Option<Limit> {
        if self.contact != Some(contact) {
            self.interrupt();
            self.contact = Some(contact);
        }
        self.times.push(t);
        self.rebounds.push(rebound);
        self.own.push(rebound / approach);
        let ratio = self.ratio()?;
        let last = self.times.len() - 1;
        let flight = self.times[last] - self.times[last - 1];
        let rest = flight * ratio / (1.0 - ratio);
        let elapsed = t - self.times[0];
        (ratio < 1.0 && (rest <= UNSEEN * elapsed || !seen)).then(|| Limit {
            t: t + rest,
            contact,
            detail: EventDetail::Chatter { ratio: ratio.into(), impacts: last + 1 },
        })
    }

    /// Mean ratio of the last rebounds.
    fn ratio(&self) -> Option<f64> {
        let last = self.rebounds.len().checked_sub(1).filter(|&last| last >= FEWEST)?;
        let back = AVERAGED.min(last);
        Some((self.rebounds[last] / self.rebounds[last - back]).powf(1.0 / back as f64))
    }

    /// Whether the bounces grow by what the impacts do, and not only by what happens between them: a plate that is shaken feeds energy in.
    pub(super) fn grows(&self) -> bool {
        let Some(ratio) = self.ratio() else { return false };
        let back = AVERAGED.min(self.own.len() - 1);
        let gained: f64 = self.own[self.own.len() - back..].iter().map(|ratio| ratio.ln()).sum();
        ratio > 1.0 && gained > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::Series;

    #[test]
    fn a_geometric_series_ends_at_its_sum() {
        for e in [0.3_f64, 0.9, 0.999] {
            let (mut series, mut t, mut v) = (Series::default(), 1.0, 1.0);
            let limit = loop {
                let approach = v;
                v *= e;
                if let Some(limit) = series.add(0, t, (approach, v), true) {
                    break limit;
                }
                t += 2.0 * v;
            };
            let exact = 1.0 + 2.0 * e / (1.0 - e);
            assert!((limit.t - exact).abs() < 1e-9 * exact, "{e}: {} {exact}", limit.t);
        }
    }
    #[test]
    fn bounces_that_grow_between_impacts_are_no_reverse_chatter() {
        for (own, fed, expected) in [(0.6, 2.0, false), (1.1, 1.0, true), (1.1, 0.8, false)] {
            let (mut series, mut v) = (Series::default(), 1.0);
            for k in 0..12 {
                let approach = fed * v;
                v = own * approach;
                assert!(series.add(0, f64::from(k), (approach, v), true).is_none() || !expected);
            }
            assert_eq!(series.grows(), expected, "{own} {fed}");
        }
    }
}
