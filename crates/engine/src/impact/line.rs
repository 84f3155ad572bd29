//! The straight lines of an impact in the impulse plane, and where each restitution law ends it.

use super::phase::{Impulse, Phase, Velocity};
use crate::contact::{Friction, Mode, Planar, Restitution, Slip};

/// A direction of the impact: rates along the piece, per unit of its own parameter.
#[derive(Clone, Copy, Debug)]
struct Ray {
    kind: Mode,
    du: f64,
    dv: f64,
    dN: f64,
    dT: f64,
}

impl Ray {
    /// Slip: λ_T = −s μ λ_N, so u' = −s k, v' = p, all times n.
    fn slip(planar: &Planar, friction: Friction, slip: Slip) -> Self {
        let (n, T) = (friction.normal(), -slip.sign() * friction.tangential());
        Self {
            kind: slip.into(),
            du: planar.A * T + planar.B * n,
            dv: planar.B * T + planar.C * n,
            dN: n,
            dT: T,
        }
    }

    /// Stick: λ_T = −(B/A) λ_N, so u' = 0, v' = Δ/A.
    fn stick(planar: &Planar) -> Self {
        let dT = -planar.B / planar.A;
        Self { kind: Mode::Stick, du: 0.0, dv: planar.stick_gain(), dN: 1.0, dT }
    }

    /// What the contact does once its slip is zero: stick if |B| ≤ μA, else slip the way B pushes.
    fn from_rest(planar: &Planar, friction: Friction) -> Self {
        let bound = friction.tangential() * planar.A;
        let push = friction.normal() * planar.B;
        if push > bound {
            Self::slip(planar, friction, Slip::Pos)
        } else if push < -bound {
            Self::slip(planar, friction, Slip::Neg)
        } else {
            Self::stick(planar)
        }
    }
}

/// The path of an impact, not yet ended.
pub(super) struct Line {
    pre: Velocity,
    first: Ray,
    second: Ray,
    /// Length of the first piece; infinite if the slip never ends.
    length: f64,
    /// Gap rate at the end of the first piece; infinite if it has none.
    v_s: f64,
}

/// Where a law ends the impact.
pub(super) enum End {
    /// On the first piece.
    Single {
        /// P_c.
        compression: f64,
        /// v⁺.
        v: f64,
    },
    /// On the second piece, which began in compression.
    InCompression {
        /// P_c.
        compression: f64,
        /// v⁺.
        v: f64,
        /// Normal impulse of the second piece.
        rest: f64,
    },
    /// On the second piece, which began in restitution.
    InRestitution {
        /// P_c.
        compression: f64,
        /// v⁺.
        v: f64,
        /// Normal impulse of the second piece.
        rest: f64,
    },
}

impl Line {
    pub(super) fn new(planar: &Planar, friction: Friction, pre: Velocity) -> Self {
        let second = Ray::from_rest(planar, friction);
        let first = if pre.u > 0.0 {
            Ray::slip(planar, friction, Slip::Pos)
        } else if pre.u < 0.0 {
            Ray::slip(planar, friction, Slip::Neg)
        } else {
            second
        };
        let ends = pre.u * first.du < 0.0;
        let length = if ends { -pre.u / first.du } else { f64::INFINITY };
        let v_s = if ends { pre.v + first.dv * length } else { f64::INFINITY };
        Self { pre, first, second, length, v_s }
    }

    /// Velocity before the impact.
    pub(super) fn pre(&self) -> Velocity {
        self.pre
    }

    /// Whether the first piece ends.
    pub(super) fn slip_ends(&self) -> bool {
        self.length.is_finite()
    }

    /// The limit in which the first piece leaves the gap rate as it is.
    pub(super) fn without_gain(self) -> Self {
        Self { first: Ray { dv: 0.0, ..self.first }, v_s: self.pre.v, ..self }
    }

    /// What the contact does first.
    pub(super) fn kind(&self) -> Mode {
        self.first.kind
    }

    /// Whether the second piece is stick.
    pub(super) fn sticks(&self) -> bool {
        self.second.kind == Mode::Stick
    }

    /// P_s: normal impulse of the first piece.
    fn impulse_to_rest(&self) -> f64 {
        self.length * self.first.dN
    }

    pub(super) fn end(&self, law: Restitution) -> End {
        let (e, speed) = (law.coefficient(), -self.pre.v);
        if self.v_s < 0.0 {
            self.end_after_compression(law)
        } else if self.v_s >= e * speed {
            // all laws agree on a straight line: v⁺ = −e v⁻
            End::Single { compression: self.straight_compression(), v: e * speed }
        } else {
            self.end_after_restitution(law)
        }
    }

    /// P_c on the first piece.
    fn straight_compression(&self) -> f64 {
        -self.pre.v * self.first.dN / self.first.dv
    }

    /// P_c = P_s − v_s/p₂, W_c = ½(v⁻ + v_s)P_s − v_s²/(2p₂).
    pub(super) fn end_after_compression(&self, law: Restitution) -> End {
        let (P_s, v_s, gain) = (self.impulse_to_rest(), self.v_s, self.second.dv / self.second.dN);
        let compression = P_s - v_s / gain;
        let work = 0.5 * (self.pre.v + v_s) * P_s - v_s * v_s / (2.0 * gain);
        let v = match law {
            Restitution::Newton(e) => -e * self.pre.v,
            Restitution::Poisson(e) => gain * e * compression,
            Restitution::Energetic(e) => e * (-2.0 * gain * work).max(0.0).sqrt(),
        };
        End::InCompression { compression, v, rest: (v - v_s) / gain }
    }

    /// Poisson ends at (1 + e) P_c; the energetic law at v⁺² = v_s² + (p₂/p₁)(e² v⁻² − v_s²).
    fn end_after_restitution(&self, law: Restitution) -> End {
        let (v_s, gain) = (self.v_s, self.second.dv / self.second.dN);
        let compression = self.straight_compression();
        let ratio = gain * self.first.dN / self.first.dv;
        let v = match law {
            Restitution::Newton(e) => -e * self.pre.v,
            Restitution::Poisson(e) => v_s + gain * ((1.0 + e) * compression - self.impulse_to_rest()),
            Restitution::Energetic(e) => {
                let target = e * self.pre.v;
                (v_s * v_s + ratio * (target * target - v_s * v_s)).max(0.0).sqrt()
            }
        };
        End::InRestitution { compression, v, rest: (v - v_s) / gain }
    }

    /// The first piece, of the given length.
    pub(super) fn first_phase(&self, length: f64, end: &End) -> Phase {
        let stop = match end {
            End::Single { v, .. } => Velocity { u: self.pre.u + self.first.du * length, v: *v },
            End::InCompression { .. } | End::InRestitution { .. } => Velocity { u: 0.0, v: self.v_s },
        };
        phase(&self.first, length, stop)
    }

    /// The second piece, of normal impulse `P`.
    pub(super) fn second_phase(&self, P: f64, end: &End) -> Phase {
        let length = P / self.second.dN;
        phase(&self.second, length, Velocity { u: self.second.du * length, v: end.velocity() })
    }
}

fn phase(ray: &Ray, length: f64, end: Velocity) -> Phase {
    Phase { kind: ray.kind, impulse: Impulse { N: ray.dN * length, T: ray.dT * length }, end }
}

impl End {
    fn velocity(&self) -> f64 {
        match *self {
            Self::Single { v, .. } | Self::InCompression { v, .. } | Self::InRestitution { v, .. } => v,
        }
    }

    /// P_c.
    pub(super) fn compression(&self) -> f64 {
        match *self {
            Self::Single { compression, .. }
            | Self::InCompression { compression, .. }
            | Self::InRestitution { compression, .. } => compression,
        }
    }

    /// Length of the first piece.
    pub(super) fn first_impulse(&self, line: &Line) -> f64 {
        match *self {
            Self::Single { v, .. } => (v - line.pre.v) / line.first.dv,
            Self::InCompression { .. } | Self::InRestitution { .. } => line.length,
        }
    }

    /// Normal impulse of the second piece, if there is one.
    pub(super) fn second_impulse(&self) -> Option<f64> {
        match *self {
            Self::Single { .. } => None,
            Self::InCompression { rest, .. } | Self::InRestitution { rest, .. } => Some(rest),
        }
    }
}
