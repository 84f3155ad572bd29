//! Which modes of one contact in the plane are consistent, from signs alone [CV16 Tables 1 to 3]: the closed form of what the other files find
//! for any contacts; no allocation, made for maps and for motions.
//!
//! With σ+ = p+ a + k+ b and σ− = p− a − k− b, so that in stick μλ_N + λ_T = −σ+/Δ and μλ_N − λ_T = σ−/Δ:
//!
//! | mode | at u ≠ 0 | at u = 0 |
//! |---|---|---|
//! | F | b > 0 | b > 0 |
//! | P | b p+ < 0 (u > 0) | b p+ < 0 and p+ σ+ > 0 |
//! | N | b p− < 0 (u < 0) | b p− < 0 and p− σ− < 0 |
//! | T | – | σ+ < 0 < σ− |

use super::verdict::{Consistency, Verdict};
use crate::contact::{Cell, Column, Friction, Gains, Mode, ModeSet, Planar, Row, Scaled, Sign};
use crate::num::Tol;
use serde::{Deserialize, Serialize};

/// What can actually follow, after normal stability and impact without collision [CV16 Table 3].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Outcome {
    /// Lift-off.
    #[serde(rename = "free")]
    Free,
    /// Slip with u > 0.
    #[serde(rename = "slip+")]
    SlipPos,
    /// Slip with u < 0.
    #[serde(rename = "slip-")]
    SlipNeg,
    /// Stick.
    #[serde(rename = "stick")]
    Stick,
    /// Impact without collision.
    #[serde(rename = "iwc")]
    Iwc,
    /// Impact.
    #[serde(rename = "impact")]
    Impact,
}

impl From<Mode> for Outcome {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Free => Self::Free,
            Mode::SlipPos => Self::SlipPos,
            Mode::SlipNeg => Self::SlipNeg,
            Mode::Stick => Self::Stick,
        }
    }
}

impl Outcome {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::SlipPos => "slip+",
            Self::SlipNeg => "slip-",
            Self::Stick => "stick",
            Self::Iwc => "iwc",
            Self::Impact => "impact",
        }
    }
}

/// The signs that decide everything about a resting contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs {
    /// b.
    pub b: Sign,
    /// p+, p−.
    pub p: [Sign; 2],
    /// σ+, σ−.
    pub sigma: [Sign; 2],
}

impl Signs {
    /// The signs of a local problem.
    pub fn of(planar: &Planar, friction: Friction, tol: &Tol) -> Self {
        Self::from_gains(planar, &planar.gains(friction), tol)
    }

    /// The signs from gains already computed.
    pub fn from_gains(planar: &Planar, gains: &Gains, tol: &Tol) -> Self {
        let sign = |x: Scaled| x.sign(tol.marginal);
        Self {
            b: sign(Scaled { value: planar.b, scale: planar.b_scale }),
            p: gains.p.map(sign),
            sigma: gains.sigma.map(sign),
        }
    }

    /// Consistency of a mode in a column; `None` where the mode is not kinematically admissible.
    pub fn consistency(&self, mode: Mode, column: Column) -> Option<Consistency> {
        use Consistency as C;
        match (mode, column) {
            (Mode::Free, _) => Some(C::positive(self.b)),
            (Mode::SlipPos, Column::I) => Some(self.pressed(0)),
            // u̇ = σ+/p+ > 0   [CV16 (16)]
            (Mode::SlipPos, Column::II) => {
                Some(self.pressed(0).and(C::positive(self.p[0].times(self.sigma[0]))))
            }
            (Mode::SlipNeg, Column::III) => Some(self.pressed(1)),
            // u̇ = σ−/p− < 0   [CV16 (20)]
            (Mode::SlipNeg, Column::II) => {
                Some(self.pressed(1).and(C::positive(self.p[1].times(self.sigma[1]).flip())))
            }
            // interior of the friction cone   [CV16 (22)]
            (Mode::Stick, Column::II) => {
                Some(C::positive(self.sigma[0].flip()).and(C::positive(self.sigma[1])))
            }
            (Mode::SlipPos, Column::III) | (Mode::SlipNeg, Column::I) | (Mode::Stick, _) => None,
        }
    }

    /// λ_N = −b/p > 0 in slip.
    fn pressed(&self, slip: usize) -> Consistency {
        Consistency::positive(self.b.times(self.p[slip]).flip())
    }

    /// Modes whose consistency is `wanted`.
    pub fn modes(&self, column: Column, wanted: Consistency) -> ModeSet {
        Mode::ALL.into_iter().filter(|&mode| self.consistency(mode, column) == Some(wanted)).collect()
    }

    /// The verdict; marginal signs are tried both ways, and only if the answer depends on them is it marginal.
    pub fn verdict(&self, column: Column) -> Verdict {
        if self.is_decided() {
            return verdict_of(self.modes(column, Consistency::Yes));
        }
        let mut verdicts = self.resolutions().map(|signs| verdict_of(signs.modes(column, Consistency::Yes)));
        let first = verdicts.next().unwrap_or(Verdict::Marginal);
        if verdicts.all(|verdict| verdict == first) { first } else { Verdict::Marginal }
    }

    fn is_decided(&self) -> bool {
        self.fields().iter().all(|&sign| sign != Sign::Marginal)
    }

    fn fields(&self) -> [Sign; 5] {
        [self.b, self.p[0], self.p[1], self.sigma[0], self.sigma[1]]
    }

    /// Every way to give the marginal signs a value that some state nearby has.
    fn resolutions(&self) -> impl Iterator<Item = Self> + '_ {
        let fields = self.fields();
        (0..32_u8).filter_map(move |bits| {
            let candidate =
                [0, 1, 2, 3, 4].map(|i| if bits >> i & 1 == 1 { Sign::Positive } else { Sign::Negative });
            let agrees =
                fields.iter().zip(&candidate).all(|(&own, &new)| own == Sign::Marginal || own == new);
            let [b, p_pos, p_neg, sigma_pos, sigma_neg] = candidate;
            let signs = Self { b, p: [p_pos, p_neg], sigma: [sigma_pos, sigma_neg] };
            (agrees && signs.is_possible()).then_some(signs)
        })
    }

    /// At most one p is negative [CV16 (11)], and σ+ p− − σ− p+ = b (k+ p− + k− p+) = 2μΔ b has the sign of b.
    fn is_possible(&self) -> bool {
        let (first, second) = (self.sigma[0].times(self.p[1]), self.sigma[1].times(self.p[0]));
        let forced = match (first, second) {
            (Sign::Positive, Sign::Negative) => Some(Sign::Positive),
            (Sign::Negative, Sign::Positive) => Some(Sign::Negative),
            _ => None,
        };
        self.p != [Sign::Negative; 2] && forced.is_none_or(|sign| sign == self.b)
    }

    /// The cell of Tables 2 and 3; `None` if b or a p is marginal.
    pub fn cell(&self, column: Column) -> Option<Cell> {
        use Sign::{Negative, Positive};
        let row = match (self.b, self.p[0], self.p[1]) {
            (Positive, Positive, Positive) => Row::I,
            (Positive, Positive, Negative) => Row::Ii,
            (Positive, Negative, Positive) => Row::Iii,
            (Negative, Positive, Positive) => Row::Iv,
            (Negative, Positive, Negative) => Row::V,
            (Negative, Negative, Positive) => Row::Vi,
            _ => return None,
        };
        Some(Cell { row, column })
    }

    /// Whether an impact without collision can start: slip with a negative gain [CV16 section 3.2].
    pub fn permits_iwc(&self, column: Column) -> bool {
        match column {
            Column::I => self.p[0] == Sign::Negative,
            Column::II => false,
            Column::III => self.p[1] == Sign::Negative,
        }
    }

    /// What can follow: consistent modes without those that compliance makes violently unstable (slip with p < 0),
    /// and impact without collision [CV16 Table 3]. Marginal modes count as long as their force is defined.
    pub fn resolved(&self, column: Column) -> impl Iterator<Item = Outcome> + '_ {
        let stable = move |&mode: &Mode| {
            let holds = !matches!(self.consistency(mode, column), None | Some(Consistency::No));
            holds && self.slip_gain_sign(mode) == Sign::Positive
        };
        let iwc = self.permits_iwc(column).then_some(Outcome::Iwc);
        Mode::ALL.into_iter().filter(stable).map(Outcome::from).chain(iwc)
    }

    /// Sign of the p that decides the normal stability of a mode; Δ/A > 0 in stick.
    pub fn slip_gain_sign(&self, mode: Mode) -> Sign {
        match mode {
            Mode::Free | Mode::Stick => Sign::Positive,
            Mode::SlipPos => self.p[0],
            Mode::SlipNeg => self.p[1],
        }
    }
}

fn verdict_of(modes: ModeSet) -> Verdict {
    Verdict::of(modes.len())
}

#[cfg(test)]
mod tests {
    use super::{Consistency, Signs, Verdict};
    use crate::contact::{Column, Friction, ModeSet, Planar};
    use crate::num::Tol;

    fn signs(planar: Planar, mu: f64) -> Signs {
        Signs::of(&planar, Friction::new(mu).unwrap(), &Tol::default())
    }

    fn letters(modes: ModeSet) -> String {
        modes.to_string()
    }

    #[test]
    fn painleve_slip_is_inconsistent_when_pressed_and_indeterminate_when_lifted() {
        // uniform rod at 45°: A = 5/2, B = 3/2, C = 5/2; p+ < 0 for mu > 5/3
        let pressed = signs(Planar::new(2.5, 1.5, 2.5, 0.0, -1.0), 2.0);
        assert_eq!(pressed.verdict(Column::I), Verdict::Inconsistent);
        let lifted = signs(Planar::new(2.5, 1.5, 2.5, 0.0, 1.0), 2.0);
        assert_eq!(lifted.verdict(Column::I), Verdict::Indeterminate);
        assert_eq!(letters(lifted.modes(Column::I, Consistency::Yes)), "FP");
    }

    #[test]
    fn grazing_contact_without_paradox_is_consistent() {
        let grazing = signs(Planar::new(2.0, 0.1, 1.0, 0.3, 0.0), 0.5);
        assert_eq!(grazing.verdict(Column::I), Verdict::Consistent);
        assert_eq!(letters(grazing.modes(Column::I, Consistency::Marginal)), "FP");
    }

    #[test]
    fn friction_cone_edge_is_consistent_either_way() {
        // block on an incline at the friction angle: b = −cos, a = sin, mu = tan
        let (s, c) = 0.4_f64.sin_cos();
        let edge = signs(Planar::new(1.0, 0.0, 1.0, s, -c), s / c);
        assert_eq!(edge.verdict(Column::II), Verdict::Consistent);
        assert_eq!(edge.consistency(crate::contact::Mode::Stick, Column::II), Some(Consistency::Marginal));
    }

    #[test]
    fn slip_at_vanishing_gain_is_marginal() {
        let edge = signs(Planar::new(2.5, 1.5, 2.5, 0.0, -1.0), 5.0 / 3.0);
        assert_eq!(edge.verdict(Column::I), Verdict::Marginal);
        assert!(edge.cell(Column::I).is_none());
    }

    #[test]
    fn frictionless_contact_slides_the_way_it_is_pushed() {
        let sliding = signs(Planar::new(1.0, 0.0, 1.0, -0.2, -1.0), 0.0);
        assert_eq!(letters(sliding.modes(Column::II, Consistency::Yes)), "N");
        let resting = signs(Planar::new(1.0, 0.0, 1.0, 0.0, -1.0), 0.0);
        assert_eq!(resting.verdict(Column::II), Verdict::Consistent);
    }

    #[test]
    fn infinite_friction_is_the_limit_of_large_friction() {
        for (a, b) in [(1.0, -1.0), (-1.0, -1.0), (3.0, 1.0), (-3.0, 1.0), (-4.0, -1.0)] {
            for B in [-0.9, 0.3, 0.7] {
                let planar = Planar::new(2.0, B, 1.0, a, b);
                let (limit, large) = (signs(planar, f64::INFINITY), signs(planar, 1e7));
                for column in Column::ALL {
                    assert_eq!(limit.cell(column), large.cell(column));
                    assert_eq!(limit.modes(column, Consistency::Yes), large.modes(column, Consistency::Yes));
                }
            }
        }
    }
}
