//! Phase portraits of the fast contact dynamics, Fig. 12 of \[CV16\]: y = ε²Y, ẏ = εV, u = u₀ + εU in the time t/ε,
//!
//! Y′ = V, V′ = b + B λ_T + C λ_N, U′ = a + A λ_T + B λ_N, λ_N = max(0, −(kY + dV)) for Y < 0,
//!
//! with A, B, C, a, b constant. At a slip u₀ ≠ 0 the motion is that of (Y, V) alone: panels A to D are cells I(iv), I(iii), I(i) and
//! I(vi), in the order of the text, which fixes A and C. At u₀ = 0 the contact sticks, slips and turns: E and F are cell II(iii)
//! without and with stick. In each mode the motion is known in closed form; modes end where a sign changes.

use super::oscillator::Oscillator;
use crate::contact::Compliance;
use crate::contact::{Friction, Mode, Planar, Slip};
use crate::num::bracketed_root;
use crate::predict::{Complex, eigenvalues};

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// A, B, C, a, b.
    pub planar: Planar,
    /// Friction.
    pub friction: Friction,
    /// k and d.
    pub compliance: Compliance,
    /// Direction of the slip u₀; none if it is 0.
    pub slip: Option<Slip>,
}

/// A portrait.
#[derive(Clone, Debug, PartialEq)]
pub struct FastPortrait {
    /// Equilibria with a force, of each mode that has one.
    pub equilibria: Vec<Equilibrium>,
    /// λ_N at which a contact at rest begins to slip, a/k₊ or −a/k₋: to the side of smaller forces it slips.
    pub switching: Option<f64>,
    /// A curve from each start.
    pub curves: Vec<Curve>,
}

/// A point at which the contact presses and rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equilibrium {
    /// Mode.
    pub mode: Mode,
    /// Y < 0.
    pub Y: f64,
    /// On the time t/ε, that of larger real part, or positive imaginary part, first.
    pub eigenvalues: [Complex; 2],
}

/// A motion of (Y, V).
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Points at equal times and where modes change.
    pub points: Vec<CurvePoint>,
    /// Where it goes.
    pub fate: Fate,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// t/ε.
    pub time: f64,
    /// (Y, V, U).
    pub at: [f64; 3],
    /// Mode from here on.
    pub mode: Mode,
}

/// Where a curve goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It ends on the way up without force, and b > 0.
    LiftsOff,
    /// It ends deeper than ever and on the way down, in a mode with p < 0.
    Impact,
    /// It ends at a stable equilibrium of this mode.
    Settles(Mode),
    /// None of these within its time.
    Open,
}

/// Numbers of a portrait.
struct Drawing {
    /// Distance to an equilibrium, over its depth, at which a curve has settled.
    settled: f64,
    /// Most changes of mode of a curve.
    changes: usize,
}

const DRAWING: Drawing = Drawing { settled: 0.01, changes: 1000 };

impl Scene {
    /// The portrait with curves from these (Y, V) over a time, in so many equal parts.
    pub fn portrait(&self, starts: &[[f64; 2]], duration: f64, parts: usize) -> FastPortrait {
        let equilibria: Vec<Equilibrium> =
            self.modes().into_iter().filter_map(|mode| self.equilibrium(mode)).collect();
        let curves = starts.iter().map(|start| self.curve(*start, (duration, parts), &equilibria)).collect();
        FastPortrait { equilibria, switching: self.switching(), curves }
    }

    /// The modes in which the contact can press.
    fn modes(&self) -> Vec<Mode> {
        match self.slip {
            Some(slip) => vec![slip.into()],
            None => vec![Mode::SlipPos, Mode::SlipNeg, Mode::Stick],
        }
    }

    /// V′ without force, and the gain of λ_N.
    fn normal(&self, mode: Mode) -> (f64, f64) {
        let Planar { A, B, a, b, .. } = self.planar;
        match mode {
            Mode::Free => (b, 0.0),
            Mode::Stick => (b - B * a / A, self.planar.stick_gain()),
            Mode::SlipPos => (b, self.planar.normal_gain(self.friction, Slip::Pos)),
            Mode::SlipNeg => (b, self.planar.normal_gain(self.friction, Slip::Neg)),
        }
    }

    /// Where forces balance; in slip at u₀ = 0 only if the slip then grows in its direction, in stick only within the cone.
    fn equilibrium(&self, mode: Mode) -> Option<Equilibrium> {
        let (push, p) = self.normal(mode);
        let force = -push / p;
        let holds = match (mode, self.slip) {
            (Mode::Stick, _) => self.sticks(force),
            (Mode::SlipPos, None) => self.slip_rate(Slip::Pos, force) > 0.0,
            (Mode::SlipNeg, None) => self.slip_rate(Slip::Neg, force) < 0.0,
            _ => true,
        };
        let Y = -force / self.compliance.stiffness;
        (holds && force > 0.0 && force.is_finite()).then(|| Equilibrium {
            mode,
            Y,
            eigenvalues: eigenvalues(p, self.compliance),
        })
    }

    /// |λ_T| ≤ μ λ_N in stick.
    fn sticks(&self, force: f64) -> bool {
        let Planar { A, B, a, .. } = self.planar;
        (a + B * force).abs() <= self.friction.mu() * A * force
    }

    /// U′ in slip.
    fn slip_rate(&self, slip: Slip, force: f64) -> f64 {
        self.planar.a - slip.sign() * self.planar.slip_gain(self.friction, slip) * force
    }

    fn switching(&self) -> Option<f64> {
        let slip = if self.planar.a > 0.0 { Slip::Pos } else { Slip::Neg };
        let force = slip.sign() * self.planar.a / self.planar.slip_gain(self.friction, slip);
        (self.slip.is_none() && force > 0.0 && force.is_finite()).then_some(force)
    }

    fn force(&self, [Y, V, _]: [f64; 3]) -> f64 {
        -(self.compliance.stiffness * Y + self.compliance.damping * V)
    }

    /// A mode's motion from a point.
    fn flow(&self, mode: Mode, [Y, V, U]: [f64; 3], time: f64) -> [f64; 3] {
        let (push, p) = self.normal(mode);
        let a = self.planar.a;
        if mode == Mode::Free {
            return [Y + time * (V + 0.5 * push * time), V + push * time, U + a * time];
        }
        // about the balance of forces
        let centre = push / (p * self.compliance.stiffness);
        let oscillator = Oscillator { p, compliance: self.compliance };
        let [depth, rate] = oscillator.at([Y - centre, V], time);
        let impulse = (rate - V - push * time) / p;
        let slip = match mode {
            Mode::SlipPos => a * time - self.planar.slip_gain(self.friction, Slip::Pos) * impulse,
            Mode::SlipNeg => a * time + self.planar.slip_gain(self.friction, Slip::Neg) * impulse,
            Mode::Free | Mode::Stick => 0.0,
        };
        [centre + depth, rate, U + slip]
    }

    /// Positive while a mode lasts.
    fn lasts(&self, mode: Mode, at: [f64; 3]) -> f64 {
        let force = self.force(at);
        let forward = |sign: f64| if self.slip.is_some() { force } else { force.min(sign * at[2]) };
        let Planar { A, B, a, .. } = self.planar;
        match mode {
            // as a contact: open while Y > 0 or the force is not positive
            Mode::Free => at[0].max(-force),
            Mode::SlipPos => forward(1.0),
            Mode::SlipNeg => forward(-1.0),
            Mode::Stick => force.min(self.friction.mu() * A * force - (a + B * force).abs()),
        }
    }

    /// The mode at a point where another ends.
    fn mode(&self, at: [f64; 3]) -> Mode {
        let force = self.force(at);
        if at[0] > 0.0 || force < 0.0 || (force <= 0.0 && self.planar.b > 0.0) {
            return Mode::Free;
        }
        match self.slip {
            Some(slip) => slip.into(),
            None if at[2] > 0.0 => Mode::SlipPos,
            None if at[2] < 0.0 => Mode::SlipNeg,
            None if self.sticks(force) => Mode::Stick,
            None if self.planar.a + self.planar.B * force > 0.0 => Mode::SlipPos,
            None => Mode::SlipNeg,
        }
    }

    fn curve(&self, [Y, V]: [f64; 2], (duration, parts): (f64, usize), equilibria: &[Equilibrium]) -> Curve {
        let (mut at, mut time, mut changes) = ([Y, V, 0.0], 0.0, 0);
        let mut mode = self.mode(at);
        let mut points = vec![CurvePoint { time, at, mode }];
        for part in 1..=parts {
            let end = duration * part as f64 / parts as f64;
            while time < end && changes < DRAWING.changes {
                let next = self.flow(mode, at, end - time);
                if self.lasts(mode, next) >= 0.0 {
                    (at, time) = (next, end);
                    continue;
                }
                let last =
                    bracketed_root((0.0, end - time), 0.0, |t| self.lasts(mode, self.flow(mode, at, t)));
                (at, time, changes) = (self.flow(mode, at, last), time + last, changes + 1);
                (at, mode) = self.change(mode, at);
                points.push(CurvePoint { time, at, mode });
            }
            points.push(CurvePoint { time: end, at, mode });
        }
        let fate = self.fate(&points, equilibria);
        Curve { points, fate }
    }

    /// What a point is exactly at the end of a mode, and the mode that follows.
    fn change(&self, mode: Mode, at: [f64; 3]) -> ([f64; 3], Mode) {
        let force = self.force(at);
        let ended = match mode {
            Mode::SlipPos => at[2] <= 0.0,
            Mode::SlipNeg => at[2] >= 0.0,
            Mode::Free | Mode::Stick => false,
        };
        let rests = self.slip.is_none() && ended && force > 0.0;
        let at = if rests { [at[0], at[1], 0.0] } else { at };
        let Planar { A, B, a, .. } = self.planar;
        let next = match mode {
            Mode::Free => self.mode([at[0].min(0.0), at[1], at[2]]),
            Mode::Stick
                if force > 0.0
                    && self.friction.mu() * A * force
                        < (a + B * force).abs() * (1.0 + f64::EPSILON.sqrt()) =>
            {
                if a + B * force > 0.0 {
                    Mode::SlipPos
                } else {
                    Mode::SlipNeg
                }
            }
            Mode::SlipPos | Mode::SlipNeg if rests => self.mode(at),
            Mode::SlipPos | Mode::SlipNeg | Mode::Stick => Mode::Free,
        };
        (at, next)
    }

    fn fate(&self, points: &[CurvePoint], equilibria: &[Equilibrium]) -> Fate {
        let Some(last) = points.last() else { return Fate::Open };
        let near = |e: &&Equilibrium| {
            let size = e.Y.abs();
            e.mode == last.mode
                && e.eigenvalues[0].re < 0.0
                && (last.at[0] - e.Y).abs() < DRAWING.settled * size
                && last.at[1].abs()
                    < DRAWING.settled * size * (self.compliance.stiffness * self.planar.C).sqrt()
        };
        let (_, p) = self.normal(last.mode);
        let deepest = points.iter().all(|point| point.at[0] >= last.at[0]);
        match last.mode {
            Mode::Free if self.planar.b > 0.0 && last.at[0] > 0.0 && last.at[1] > 0.0 => Fate::LiftsOff,
            Mode::SlipPos | Mode::SlipNeg if p < 0.0 && deepest && last.at[1] < 0.0 => Fate::Impact,
            mode => equilibria.iter().find(near).map_or(Fate::Open, |_| Fate::Settles(mode)),
        }
    }
}
