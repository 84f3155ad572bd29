//! Chatter: impacts with flights between them, forward (Zeno) and in reverse [CV16 section 3.3].
//!
//! Flight of duration T = 2v⁺/(−b) (28), b < 0; u ← u⁺ + aT, v ← −v⁺. After an impact that ends in stick the next
//! one has u⁻/|v⁻| = 2a/|b| exactly, so the sequence is geometric with the ratio (29)
//! e_eff = v⁺(u⁻ = 2a/|b|, v⁻ = −1): complete chatter if e_eff < 1, reverse chatter if e_eff > 1.
//! A sequence that keeps slipping is geometric with the ratio e, as every law then gives v⁺ = −e v⁻.

use crate::contact::{Column, Friction, Mode, Planar, Restitution};
use crate::impact::{Impact, Velocity, impact};
use crate::num::Tol;
use crate::predict::{Consistency, Signs};
use serde::{Deserialize, Serialize};

/// The chatter that a contact permits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chatter {
    /// u⁻/|v⁻| = 2a/|b| of each impact of the sequence.
    pub slip_ratio: f64,
    /// e_eff: ratio of successive gap rates.
    pub effective_restitution: f64,
    /// Whether the impact at that ratio ends in stick, so that the sequence repeats itself.
    pub ends_in_stick: bool,
    /// What the sequence does.
    pub kind: ChatterKind,
}

/// What a chattering sequence does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChatterKind {
    /// e_eff < 1: infinitely many impacts in finite time, then contact.
    Complete,
    /// e_eff = 1 within the tolerance.
    Marginal,
    /// e_eff > 1: bounces grow; backwards in time they accumulate.
    Reverse,
}

/// Chatter at a contact that is pressed (b < 0); `None` otherwise, also within the tolerance of b = 0.
pub fn chatter(planar: &Planar, friction: Friction, law: Restitution, tol: &Tol) -> Option<Chatter> {
    if planar.b >= -tol.marginal * planar.b_scale {
        return None;
    }
    let slip_ratio = 2.0 * planar.a / planar.b.abs();
    let hit = impact(planar, friction, law, Velocity { u: slip_ratio, v: -1.0 }, tol)?;
    let ends_in_stick = hit.post.u.abs() <= tol.rest * slip_ratio.abs();
    let effective_restitution = hit.post.v;
    let kind = if (effective_restitution - 1.0).abs() <= tol.marginal {
        ChatterKind::Marginal
    } else if effective_restitution > 1.0 {
        ChatterKind::Reverse
    } else {
        ChatterKind::Complete
    };
    Some(Chatter { slip_ratio, effective_restitution, ends_in_stick, kind })
}

/// How a sequence that starts with a given impact goes on, a and b being constant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ending", rename_all = "snake_case")]
pub enum Sequence {
    /// Contact is established at the Zeno time.
    Zeno {
        /// Time from the first impact to the accumulation point.
        time: f64,
        /// Slip then; 0 if the contact sticks or turns.
        slip: f64,
        /// Ratio of successive gap rates towards the end.
        ratio: f64,
    },
    /// The first impact already establishes contact: v⁺ = 0.
    Immediate {
        /// Slip after it.
        slip: f64,
    },
    /// The bounces do not die out: ratio 1 within the tolerance, or larger.
    Persistent {
        /// Ratio of successive gap rates.
        ratio: f64,
    },
    /// Not settled within the allowed number of impacts.
    Unsettled {
        /// Number of impacts followed.
        impacts: usize,
    },
}

/// Follows the impacts that start with `pre`; `None` if b ≥ 0 or the contact does not approach.
pub fn sequence(
    planar: &Planar,
    friction: Friction,
    law: Restitution,
    pre: Velocity,
    tol: &Tol,
) -> Option<Sequence> {
    let pressed = chatter(planar, friction, law, tol)?;
    let (mut w, mut time) = (pre, 0.0);
    let first = impact(planar, friction, law, pre, tol)?;
    if first.post.v <= tol.marginal * (pre.v.abs() + pre.u.abs()) {
        return Some(Sequence::Immediate { slip: first.post.u });
    }
    for _ in 0..tol.chatter_impacts {
        let hit = impact(planar, friction, law, w, tol)?;
        let post = hit.post;
        if post.u.abs() <= tol.rest * w.u.abs() && pressed.ends_in_stick {
            return Some(geometric(time, flight_time(planar, post), pressed.effective_restitution, 0.0, tol));
        }
        if post.v <= tol.marginal * pre.v.abs() {
            return Some(Sequence::Zeno { time, slip: post.u, ratio: post.v / w.v.abs() });
        }
        let flight = flight_time(planar, post);
        if let Some(slip) = slip_that_lasts(planar, &hit, flight) {
            let ratio = law.coefficient();
            return Some(geometric(time, flight, ratio, slip, tol));
        }
        time += flight;
        w = Velocity { u: post.u + planar.a * flight, v: -post.v };
    }
    Some(Sequence::Unsettled { impacts: tol.chatter_impacts })
}

/// The slip at the Zeno time of a sequence that never stops slipping: changes of the slip shrink by e from bounce to
/// bounce, so that their sum bounds whether it stops. `None` if it might.
fn slip_that_lasts(planar: &Planar, hit: &Impact, flight: f64) -> Option<f64> {
    let remaining = 1.0 - hit.restitution.coefficient();
    let (collision, drift) = (hit.post.u - hit.pre.u, planar.a * flight);
    let lasts = hit.second.is_none() && collision.abs() + drift.abs() < remaining * hit.pre.u.abs();
    lasts.then(|| hit.pre.u + (collision + drift) / remaining)
}

/// T = 2v⁺/(−b)   [CV16 (28)].
fn flight_time(planar: &Planar, post: Velocity) -> f64 {
    2.0 * post.v / -planar.b
}

/// The sum of flights that shrink by a constant ratio.
fn geometric(elapsed: f64, flight: f64, ratio: f64, slip: f64, tol: &Tol) -> Sequence {
    if ratio >= 1.0 - tol.marginal {
        return Sequence::Persistent { ratio };
    }
    Sequence::Zeno { time: elapsed + flight / (1.0 - ratio), slip, ratio }
}

/// Whether reverse chatter can start when a slipping contact comes to stick [CV16 section 5.3].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Stick is not consistent: no slip ends in stick here.
    NoStick,
    /// e_eff < 1: every disturbance dies out.
    Excluded,
    /// e_eff > 1 and stick is consistent. Necessary; \[NDC11\] gives further inequalities, which \[CV16\] does not
    /// print, and finds that the details of the compliance then decide.
    Possible,
    /// On the boundary of one of the conditions.
    Marginal,
}

/// Whether reverse chatter can be triggered at a slip-to-stick transition; `None` where there is no chatter.
pub fn trigger(planar: &Planar, friction: Friction, law: Restitution, tol: &Tol) -> Option<Trigger> {
    let found = chatter(planar, friction, law, tol)?;
    let stick = Signs::of(planar, friction, tol).consistency(Mode::Stick, Column::II);
    Some(match (stick, found.kind) {
        (None | Some(Consistency::No), _) => Trigger::NoStick,
        (_, ChatterKind::Complete) => Trigger::Excluded,
        (Some(Consistency::Yes), ChatterKind::Reverse) => Trigger::Possible,
        (Some(Consistency::Marginal), ChatterKind::Reverse) | (Some(_), ChatterKind::Marginal) => {
            Trigger::Marginal
        }
    })
}
