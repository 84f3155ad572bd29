//! From one impact with both contacts closed to the next: every phase has a constant acceleration, so all times are roots of linear and
//! quadratic equations.

use super::alone::Alone;
use super::doubt::Doubt;
use super::joint::{After, Joint, MOST_OUTCOMES, Sliding};
use super::nearby::{Nearby, Vector, along, dot, length, scaled};
use crate::num::Tol;

/// Phases between two impacts with both contacts closed.
const MOST: usize = 12;

/// A phase, or an impact, of a motion near the equilibrium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Phase {
    /// The contact that closes is struck while both are closed; the slip there after it, none if it is held.
    Struck { hits: usize, opens: bool, slip: f64 },
    /// A contact comes down while the other is open.
    Lands { contact: usize, slip_ended: bool },
    /// One contact slides, the other is open.
    Slides { contact: usize, sign: f64 },
    /// One contact sticks, the other is open.
    Sticks { contact: usize },
    /// Both are open.
    Flies,
    /// Both slide.
    Both { way: f64 },
}

impl Phase {
    fn code(self) -> u64 {
        let side = |sign: f64| {
            if sign > 0.0 {
                1
            } else if sign < 0.0 {
                2
            } else {
                0
            }
        };
        match self {
            Self::Struck { hits, opens, slip } => 1 + hits as u64 + 2 * u64::from(opens) + 4 * side(slip),
            Self::Lands { contact, slip_ended } => 13 + contact as u64 + 2 * u64::from(slip_ended),
            Self::Slides { contact, sign } => 17 + contact as u64 + 2 * u64::from(sign < 0.0),
            Self::Sticks { contact } => 21 + contact as u64,
            Self::Flies => 23,
            Self::Both { way } => 24 + u64::from(way < 0.0),
        }
    }
}

/// A phase with its time and the velocity after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) phase: Phase,
    pub(super) time: f64,
    pub(super) z: Vector,
    /// The gaps after it.
    pub(super) gaps: [f64; 2],
}

/// Where a motion goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// Both contacts are closed again, this one at rest on its surface, the other one closing.
    Strikes { rests: usize, z: Vector },
    /// Everything rests.
    Rests,
    /// It cannot be said.
    Doubtful(Doubt),
}

/// The phases of a motion and its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Path {
    /// The phases, if they were to be kept.
    pub(super) steps: Option<Vec<Step>>,
    /// A number that tells the sequence of phases and the end.
    pub(super) code: u64,
    /// Phases.
    count: usize,
    /// Time.
    pub(super) time: f64,
    /// How many impulses satisfy the law of the first impact.
    pub(super) choices: usize,
    /// The end.
    pub(super) end: End,
}

impl Path {
    fn new(steps: Option<Vec<Step>>) -> Self {
        Self { steps, code: 0, count: 0, time: 0.0, choices: 1, end: End::Rests }
    }
}

/// All that is needed to follow motions near an equilibrium.
#[derive(Clone, Debug)]
pub(super) struct Motions {
    pub(super) nearby: Nearby,
    pub(super) alone: [Alone; 2],
    pub(super) joint: Joint,
    pub(super) tol: Tol,
}

/// A motion on its way.
struct FollowedMotion {
    z: Vector,
    gaps: [f64; 2],
    path: Path,
}

impl FollowedMotion {
    fn moved(&mut self, motions: &Motions, phase: Phase, time: f64, acceleration: &Vector) {
        for i in [0, 1] {
            let (v, a) = (dot(&motions.nearby.N[i], &self.z), dot(&motions.nearby.N[i], acceleration));
            self.gaps[i] += time * (v + 0.5 * time * a);
        }
        self.z = along(&self.z, time, acceleration);
        self.note(phase, time);
    }

    fn note(&mut self, phase: Phase, time: f64) {
        if let Some(steps) = &mut self.path.steps {
            steps.push(Step { phase, time, z: self.z, gaps: self.gaps });
        }
        self.path.code = self.path.code.wrapping_mul(31).wrapping_add(phase.code());
        self.path.time += time;
        self.path.count += 1;
    }
}

/// What comes next.
enum Next {
    /// This contact is closed, the other one open; the sign of its slip, or none where that is to be seen from its velocity.
    Alone(usize, f64),
    /// Both are open.
    Open,
    End(End),
}

impl Motions {
    pub(super) fn new(nearby: Nearby, tol: Tol) -> Result<Self, Doubt> {
        let zero = tol.marginal;
        let alone = [Alone::new(&nearby, 0, zero)?, Alone::new(&nearby, 1, zero)?];
        let joint = Joint::new(&nearby, zero);
        Ok(Self { nearby, alone, joint, tol })
    }

    /// The motion from an impact with both contacts closed, gap `rests` being at rest; of several impulses that satisfy the impact law
    /// one is chosen.
    pub(super) fn follow(&self, rests: usize, z: &Vector, choice: usize) -> Path {
        self.followed(rests, z, choice, None)
    }

    /// The same with its phases.
    pub(super) fn follow_by_phases(&self, rests: usize, z: &Vector) -> Path {
        self.followed(rests, z, 0, Some(Vec::new()))
    }

    fn followed(&self, rests: usize, z: &Vector, choice: usize, steps: Option<Vec<Step>>) -> Path {
        let mut going = FollowedMotion { z: *z, gaps: [0.0; 2], path: Path::new(steps) };
        let next = self.impact(&mut going, rests, choice);
        self.to_its_end(going, next)
    }

    /// Both slide with unit speed, until they stop or one opens at once.
    pub(super) fn slide_on(&self, way: f64) -> End {
        let z = scaled(way, &self.nearby.level);
        let mut going = FollowedMotion { z, gaps: [0.0; 2], path: Path::new(None) };
        let next = self.slide(&mut going, way);
        self.to_its_end(going, next).end
    }

    fn to_its_end(&self, mut going: FollowedMotion, mut next: Next) -> Path {
        let end = loop {
            next = match next {
                Next::End(end) => break end,
                _ if going.path.count >= MOST => break End::Doubtful(Doubt::Long),
                Next::Alone(contact, slip) => self.on_one(&mut going, contact, slip),
                Next::Open => self.fly(&mut going),
            };
        };
        going.path.end = end;
        let last = match end {
            End::Strikes { rests, .. } => 26 + rests as u64,
            End::Rests => 28,
            End::Doubtful(_) => 29,
        };
        going.path.code = going.path.code.wrapping_mul(31).wrapping_add(last);
        going.path
    }

    fn impact(&self, going: &mut FollowedMotion, rests: usize, choice: usize) -> Next {
        let hits = 1 - rests;
        let found = self.joint.struck(&self.nearby, rests, &going.z);
        going.path.choices = found.count;
        match found.after[choice.min(MOST_OUTCOMES - 1)] {
            None => Next::End(End::Doubtful(Doubt::NoImpact)),
            Some(After::Rest) => {
                going.z = [0.0; 3];
                going.note(Phase::Struck { hits, opens: false, slip: 0.0 }, 0.0);
                Next::End(End::Rests)
            }
            Some(After::Opens { slip, z }) => {
                going.z = z;
                going.note(Phase::Struck { hits, opens: true, slip }, 0.0);
                Next::Alone(hits, slip)
            }
            Some(After::Slides { z, way }) => {
                going.z = z;
                going.note(Phase::Struck { hits, opens: false, slip: way }, 0.0);
                self.slide(going, way)
            }
        }
    }

    fn slide(&self, going: &mut FollowedMotion, way: f64) -> Next {
        match self.joint.sliding(&self.nearby, way, self.tol.marginal) {
            Err(doubt) => Next::End(End::Doubtful(doubt)),
            Ok(Sliding::One { closed }) => Next::Alone(closed, self.nearby.signs(way)[closed]),
            Ok(Sliding::Both { rate }) if rate < 0.0 => {
                let time = length(&going.z) / -rate;
                going.z = [0.0; 3];
                going.note(Phase::Both { way }, time);
                Next::End(End::Rests)
            }
            Ok(Sliding::Both { .. }) => Next::End(End::Doubtful(Doubt::Leaves)),
        }
    }

    /// One contact closed, slipping with a sign or at rest, until the other one closes or the slip ends.
    fn on_one(&self, going: &mut FollowedMotion, contact: usize, slip: f64) -> Next {
        let alone = &self.alone[contact];
        if alone.lifts {
            return Next::Open;
        }
        let slip = if slip == 0.0 { alone.sets_in } else { slip };
        let (acceleration, phase) = match slip {
            0.0 => (alone.at_rest(), Phase::Sticks { contact }),
            sign => (alone.in_slip(sign), Phase::Slides { contact, sign }),
        };
        let T = &self.nearby.T[contact];
        let (u, rate) = (slip * dot(T, &going.z), slip * dot(T, acceleration));
        let stops = (slip != 0.0 && rate < 0.0).then(|| u.max(0.0) / -rate);
        let closes = self.closing(going, 1 - contact, acceleration);
        match (stops, closes) {
            (None, None) => Next::End(End::Doubtful(Doubt::Leaves)),
            (Some(stop), close) if close.is_none_or(|close| stop < close) => {
                going.moved(self, phase, stop, acceleration);
                Next::Alone(contact, 0.0)
            }
            (_, Some(close)) => {
                going.moved(self, phase, close, acceleration);
                going.gaps = [0.0; 2];
                Next::End(End::Strikes { rests: contact, z: going.z })
            }
            (Some(_), None) => Next::End(End::Doubtful(Doubt::Leaves)),
        }
    }

    /// Both open, until one closes.
    fn fly(&self, going: &mut FollowedMotion) -> Next {
        let free = &self.nearby.free;
        let times = [0, 1].map(|i| self.closing(going, i, free).unwrap_or(f64::INFINITY));
        let first = usize::from(times[1] < times[0]);
        if times[first].is_infinite() {
            return Next::End(End::Doubtful(Doubt::Leaves));
        }
        going.moved(self, Phase::Flies, times[first], free);
        going.gaps[first] = 0.0;
        let (z, slip_ended) = self.alone[first].struck(&self.nearby, first, &going.z);
        going.z = z;
        going.note(Phase::Lands { contact: first, slip_ended }, 0.0);
        let u = dot(&self.nearby.T[first], &z);
        Next::Alone(first, if u.abs() <= self.nearby.small * length(&z) { 0.0 } else { u.signum() })
    }

    /// The time in which a gap closes.
    fn closing(&self, going: &FollowedMotion, contact: usize, acceleration: &Vector) -> Option<f64> {
        let N = &self.nearby.N[contact];
        let (g, v, a) = (going.gaps[contact].max(0.0), dot(N, &going.z), dot(N, acceleration));
        let (discriminant, starts) = (v * v - 2.0 * a * g, g > 0.0 || v > 0.0);
        match () {
            () if !starts || discriminant < 0.0 => None,
            () if a < 0.0 && v > 0.0 => Some((v + discriminant.sqrt()) / -a),
            () if a < 0.0 || v < 0.0 => Some(2.0 * g / (discriminant.sqrt() - v)),
            () => None,
        }
    }
}
