//! Impacts of a contact in space, by integration over the normal impulse.
//!
//! Slip follows [`super::path`]; where it ends, the contact sticks for the rest if its cone allows, ‖A⁻¹B‖ ≤ μ, and otherwise slips
//! on along the one invariant direction that leads away from rest: there is exactly one, because −μû then minimises the strictly convex
//! ½ fᵀA f + fᵀB over ‖f‖ ≤ μ. Both are straight, and p > 0 on both (A, B, C is positive definite), so that every impact ends.
//!
//! Compression is where v < 0, restitution where v > 0. Newton's law ends the impact at v⁺ = −e v⁻, Poisson's where the normal impulse
//! of restitution is e times that of compression, the energetic one where its work is −e² times that of compression. If p < 0 on the way out
//! presses the bodies together once more, that counts as compression, too.

use super::local::Spatial;
use super::path::{Point, Series};
use crate::contact::{Friction, Restitution};
use crate::num::{Tol, bracketed_root};
use serde::{Deserialize, Serialize};

/// What the contact point does during a part of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpatialPhase {
    /// It slips.
    Slip,
    /// It sticks.
    Stick,
}

/// How an impact begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Approach {
    /// With a gap rate; 0 for an impact without collision.
    Rate(f64),
    /// Where p has just fallen to 0, and goes on falling as the slip turns.
    Jam,
}

/// An impact in space.
#[derive(Clone, Debug, PartialEq)]
pub struct SpatialImpact {
    /// Gap rate before.
    pub approach: f64,
    /// Slip after.
    pub slip: [f64; 2],
    /// Gap rate after.
    pub rebound: f64,
    /// Normal impulse.
    pub normal: f64,
    /// Tangential impulse.
    pub tangential: [f64; 2],
    /// Kinetic energy lost.
    pub energy_loss: f64,
    /// What the contact point does, in order.
    pub phases: Vec<SpatialPhase>,
    /// How often the bodies are pressed together: 1, unless p < 0 on the way out.
    pub compressions: usize,
}

/// Steps of the way at most.
const STEPS: usize = 10_000;
/// Turning of the direction of slip, relative to its terms, that is rounding.
const STRAIGHT: f64 = 8.0 * f64::EPSILON;
/// Places of a step at which its end is looked for.
const PLACES: usize = 8;

impl Spatial {
    /// The impact from a slip; none if there is none, and with infinite friction.
    pub fn impact(
        &self,
        friction: Friction,
        law: Restitution,
        slip: [f64; 2],
        approach: Approach,
        tol: &Tol,
    ) -> Option<SpatialImpact> {
        let rate = match approach {
            Approach::Rate(rate) => rate,
            Approach::Jam => 0.0,
        };
        let s = slip[0].hypot(slip[1]);
        let falls = s > 0.0 && self.normal_gain(friction, slip.map(|u| u / s)).value < 0.0;
        let begins = match approach {
            Approach::Rate(rate) => rate < 0.0 || (rate <= 0.0 && falls),
            Approach::Jam => s > 0.0,
        };
        let newton_at_rest = matches!(law, Restitution::Newton(_)) && rate >= 0.0;
        if !begins || friction.is_infinite() || newton_at_rest {
            return None;
        }
        let start = Point { phi: slip[1].atan2(slip[0]), s, v: rate, P: 0.0, W: 0.0, T: [0.0; 2] };
        let way = ImpactSetting { contact: self, friction, tol, speed: s.hypot(rate) };
        way.follow(start, law)
    }
}

/// Why a contact that approaches has no impact.
pub fn no_impact(friction: Friction) -> &'static str {
    match friction.is_infinite() {
        true => "an impact meets a contact of infinite friction",
        false => "the impact in space does not end",
    }
}

/// What stays the same on the way.
struct ImpactSetting<'a> {
    contact: &'a Spatial,
    friction: Friction,
    tol: &'a Tol,
    /// Size of the velocities.
    speed: f64,
}

/// Impulse and work of the parts of an impact that are over.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    P: f64,
    W: f64,
}

/// How far the law has come.
#[derive(Clone, Copy, Debug)]
struct Account {
    law: Restitution,
    /// Gap rate before.
    approach: f64,
    compressed: Part,
    restored: Part,
    /// Where the present part began.
    since: Part,
    compressing: bool,
    compressions: usize,
}

impl Account {
    /// What rises through zero where the present part ends.
    fn ends(&self, p: &Point) -> f64 {
        if self.compressing { p.v } else { -self.missing(p) }
    }

    /// What the law still asks of restitution: gap rate, impulse or work.
    fn missing(&self, p: &Point) -> f64 {
        let (P, W) = (self.restored.P + p.P - self.since.P, self.restored.W + p.W - self.since.W);
        match self.law {
            Restitution::Newton(e) => -e * self.approach - p.v,
            Restitution::Poisson(e) => e * self.compressed.P - P,
            Restitution::Energetic(e) => -e * e * self.compressed.W - W,
        }
    }

    /// Turns from compression to restitution, or back.
    fn turn(&mut self, p: &Point) {
        let part = if self.compressing { &mut self.compressed } else { &mut self.restored };
        part.P += p.P - self.since.P;
        part.W += p.W - self.since.W;
        self.since = Part { P: p.P, W: p.W };
        self.compressing = !self.compressing;
        self.compressions += usize::from(self.compressing);
    }
}

/// How a step ended.
enum Stop {
    /// Nothing happened.
    No,
    /// v changed its sign.
    Turn,
    /// The law is satisfied.
    End,
}

/// A part of the way on which the ratio of the impulses does not change: slip and gap rate are linear in the normal impulse.
struct Line {
    /// The direction of slip.
    phi: f64,
    /// Λ_T' over P.
    ratio: [f64; 2],
    /// s' over P.
    along: f64,
    /// v' over P.
    rate: f64,
}

impl Line {
    fn at(&self, from: &Point, P: f64) -> Point {
        Point {
            phi: self.phi,
            s: from.s + P * self.along,
            v: from.v + P * self.rate,
            P: from.P + P,
            W: from.W + P * (from.v + 0.5 * P * self.rate),
            T: [0, 1].map(|i| from.T[i] + P * self.ratio[i]),
        }
    }

    /// The normal impulse to the end of the present part of the impact; infinite if that does not come.
    fn end(&self, from: &Point, account: &Account) -> f64 {
        let missing = account.missing(from).max(0.0);
        let P = match account.law {
            // from v = 0 with p < 0 the bodies are pressed together first
            _ if account.compressing && self.rate <= 0.0 => f64::INFINITY,
            _ if account.compressing => -from.v / self.rate,
            _ if missing <= 0.0 => 0.0,
            Restitution::Newton(_) => missing / self.rate,
            Restitution::Poisson(_) => missing,
            // v P + ½ p P² = W
            Restitution::Energetic(_) => {
                2.0 * missing / (from.v + (from.v * from.v + 2.0 * self.rate * missing).sqrt())
            }
        };
        if P >= 0.0 { P } else { f64::INFINITY }
    }

    /// To the end of the slip, to that of the part, or to where v changes its sign, whichever comes first.
    fn step(&self, from: &Point, account: &Account) -> (Point, Stop) {
        let over = |value: f64, fall: f64| if fall > 0.0 { value / fall } else { f64::INFINITY };
        let rest = over(from.s, -self.along);
        let back = if account.compressing { f64::INFINITY } else { over(from.v, -self.rate) };
        let end = self.end(from, account);
        if rest < end.min(back) {
            return (Point { s: 0.0, ..self.at(from, rest) }, Stop::No);
        }
        let stop = if account.compressing || back < end { Stop::Turn } else { Stop::End };
        let point = self.at(from, end.min(back));
        (if matches!(stop, Stop::Turn) { Point { v: 0.0, ..point } } else { point }, stop)
    }
}

impl ImpactSetting<'_> {
    fn follow(&self, start: Point, law: Restitution) -> Option<SpatialImpact> {
        let mut account = Account {
            law,
            approach: start.v,
            compressed: Part::default(),
            restored: Part::default(),
            since: Part::default(),
            compressing: true,
            compressions: 1,
        };
        let (mut point, mut phases) = (start, Vec::new());
        for _ in 0..STEPS {
            if point.s <= f64::EPSILON * self.speed {
                let (end, phase) = self.straight(point, &mut account)?;
                phases.push(phase);
                return Some(self.outcome(&start, &end, &account, phases));
            }
            if phases.is_empty() {
                phases.push(SpatialPhase::Slip);
            }
            let (next, stop) = match self.line_of_slip(&point) {
                Some(line) => line.step(&point, &account),
                None => {
                    let series = Series::at(self.contact, self.friction.mu(), &point, self.speed);
                    self.step(&series, &account)
                }
            };
            point = next;
            match stop {
                Stop::No => {}
                Stop::Turn => {
                    account.turn(&point);
                    if !account.compressing && account.missing(&point) <= 0.0 {
                        return Some(self.outcome(&start, &point, &account, phases));
                    }
                }
                Stop::End => return Some(self.outcome(&start, &point, &account, phases)),
            }
        }
        None
    }

    /// As far as the series reaches, or to the first event.
    fn step(&self, series: &Series, account: &Account) -> (Point, Stop) {
        let mut before = 0.0;
        let first = series.point(before);
        let mut signs = (account.ends(&first), first.v);
        for i in 1..=PLACES {
            let here = series.reach * i as f64 / PLACES as f64;
            let point = series.point(here);
            let now = (account.ends(&point), point.v);
            if signs.0 < 0.0 && now.0 >= 0.0 {
                let stop = if account.compressing { Stop::Turn } else { Stop::End };
                return (root(series, before, here, |p| account.ends(p)), stop);
            }
            if !account.compressing && signs.1 > 0.0 && now.1 <= 0.0 {
                return (root(series, before, here, |p| -p.v), Stop::Turn);
            }
            (before, signs) = (here, now);
        }
        (series.point(series.reach), Stop::No)
    }

    /// The rest of the impact from slip zero.
    fn straight(&self, from: Point, account: &mut Account) -> Option<(Point, SpatialPhase)> {
        let held = self.contact.held();
        let (phase, line) = match self.way_out(held) {
            None => (SpatialPhase::Stick, Line { phi: 0.0, ratio: held, along: 0.0, rate: self.rate(held) }),
            Some(phi) => (SpatialPhase::Slip, self.line(phi)),
        };
        let mut point = Point { s: 0.0, ..from };
        if account.compressing {
            point = Point { v: 0.0, ..line.at(&point, line.end(&point, account)) };
            account.turn(&point);
        }
        let P = line.end(&point, account);
        let end = if P > 0.0 { line.at(&point, P) } else { point };
        end.v.is_finite().then_some((end, phase))
    }

    /// The way on where the direction of slip has come to one that draws it to itself and no longer changes.
    fn line_of_slip(&self, point: &Point) -> Option<Line> {
        let (sin, cos) = point.phi.sin_cos();
        let ([[Axx, Axy], [_, Ayy]], [B1, B2], mu) = (self.contact.A, self.contact.B, self.friction.mu());
        let turns = B2 * cos - B1 * sin - mu * (Axy * (cos * cos - sin * sin) + (Ayy - Axx) * sin * cos);
        let draws =
            -(B1 * cos + B2 * sin) + mu * (4.0 * Axy * sin * cos + (Axx - Ayy) * (cos * cos - sin * sin));
        let size = self.contact.coupling() + mu * self.contact.tangential_mobility();
        (turns.abs() <= STRAIGHT * size && draws < 0.0).then(|| self.line(point.phi))
    }

    /// Slip along a direction that does not change.
    fn line(&self, phi: f64) -> Line {
        let (sin, cos) = phi.sin_cos();
        let ratio = [cos, sin].map(|part| -self.friction.mu() * part);
        let driven = self.contact.tangential(ratio);
        let [x, y] = [0, 1].map(|i| self.contact.B[i] + driven[i]);
        Line { phi, ratio, along: x * cos + y * sin, rate: self.rate(ratio) }
    }

    /// dv/dP under a ratio of the impulses.
    fn rate(&self, ratio: [f64; 2]) -> f64 {
        self.contact.C + self.contact.B[0] * ratio[0] + self.contact.B[1] * ratio[1]
    }

    /// The direction in which slip goes on from rest; none if the contact sticks.
    fn way_out(&self, held: [f64; 2]) -> Option<f64> {
        if held[0].hypot(held[1]) <= self.friction.mu() {
            return None;
        }
        let out = self.contact.invariant_directions(self.friction, self.tol);
        // λ_N = 1/p there: where p < 0, û·u̇ has the sign of a pull
        let pressed = out.list.into_iter().filter(|d| d.gain.value > 0.0 && d.along.value > 0.0);
        let best = pressed.max_by(|x, y| x.along.value.total_cmp(&y.along.value));
        best.map(|d| d.phi)
    }

    fn outcome(
        &self,
        start: &Point,
        end: &Point,
        account: &Account,
        phases: Vec<SpatialPhase>,
    ) -> SpatialImpact {
        let (before, slip) = (start.slip(), end.slip());
        // T⁺ − T⁻ = ½ Λ·(u⁺ + u⁻)
        let tangential: f64 = (0..2).map(|i| end.T[i] * (before[i] + slip[i])).sum();
        SpatialImpact {
            approach: start.v,
            slip,
            rebound: end.v,
            normal: end.P,
            tangential: end.T,
            energy_loss: -0.5 * (end.P * (start.v + end.v) + tangential),
            phases,
            compressions: account.compressions,
        }
    }
}

/// Where a function that is negative at `low` and not at `high` rises through zero.
fn root(series: &Series, low: f64, high: f64, f: impl Fn(&Point) -> f64) -> Point {
    series.point(bracketed_root((low, high), 0.0, |sigma| -f(&series.point(sigma))))
}

#[cfg(test)]
mod tests;
