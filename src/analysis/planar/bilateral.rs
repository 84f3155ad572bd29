//! A bilateral contact: the gap is held at zero by a normal force of either sign, |λ_T| ≤ μ|λ_N| (Painlevé–Klein
//! type). In slip s, v̇ = 0 reads b + C λ_N − s μ B |λ_N| = 0, so that λ_N = −b/p_s if that is positive and
//! λ_N = −b/p_{−s} if that is negative: with both gains positive exactly one holds, with one negative none or two.
//! The paradox needs μ|B| > C.

use super::response::{Acceleration, Force};
use crate::contact::{Column, Friction, Mode, Planar, Scaled, Sign, Slip};
use crate::num::Tol;
use crate::predict::Verdict;
use serde::{Deserialize, Serialize};

/// A motion of a bilateral contact that satisfies the friction law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BilateralMode {
    /// Slip or stick.
    pub mode: Mode,
    /// Its force; λ_N may be negative.
    pub force: Force,
    /// Its accelerations.
    pub acceleration: Acceleration,
    /// Gap acceleration per unit of its normal force: p_s for λ_N > 0, p_{−s} for λ_N < 0, Δ/A in stick.
    pub gain: f64,
}

/// What a bilateral contact can do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bilateral {
    /// Every motion that satisfies the friction law.
    pub modes: Vec<BilateralMode>,
    /// None, one, or several.
    pub verdict: Verdict,
    /// μ|B| > C: slip one way has no motion or two.
    pub paradox: Sign,
}

/// The motions of a bilateral contact with the slip of a column.
pub fn bilateral(planar: &Planar, friction: Friction, column: Column, tol: &Tol) -> Bilateral {
    let mut found = Search { modes: Vec::new(), marginal: Marginal::No };
    for slip in admissible(column) {
        for side in [Slip::Pos, Slip::Neg] {
            found.try_slip(planar, friction, column, [slip, side], tol);
        }
    }
    if column == Column::II {
        found.try_stick(planar, friction, tol);
    }
    let verdict = match (found.marginal, found.modes.len()) {
        (Marginal::Yes, _) => Verdict::Marginal,
        (Marginal::No, 0) => Verdict::Inconsistent,
        (Marginal::No, 1) => Verdict::Consistent,
        (Marginal::No, _) => Verdict::Indeterminate,
    };
    let excess = friction.tangential * planar.B.abs() - friction.normal * planar.C;
    let scale = friction.tangential * planar.B.abs() + friction.normal * planar.C;
    let paradox = Scaled { value: excess, scale }.sign(tol.marginal);
    Bilateral { modes: found.modes, verdict, paradox }
}

fn admissible(column: Column) -> impl Iterator<Item = Slip> {
    let slips = match column {
        Column::I => [Some(Slip::Pos), None],
        Column::II => [Some(Slip::Pos), Some(Slip::Neg)],
        Column::III => [Some(Slip::Neg), None],
    };
    slips.into_iter().flatten()
}

#[derive(Clone, Copy)]
enum Marginal {
    Yes,
    No,
}

struct Search {
    modes: Vec<BilateralMode>,
    marginal: Marginal,
}

impl Search {
    /// Slip `slip` with a normal force of the sign of `side`: friction −s μ |λ_N| is that of a unilateral contact
    /// which slips the way s·side, with λ_N = −b/p of that way.
    fn try_slip(
        &mut self,
        planar: &Planar,
        friction: Friction,
        column: Column,
        [slip, side]: [Slip; 2],
        tol: &Tol,
    ) {
        let way = if slip == side { Slip::Pos } else { Slip::Neg };
        let gains = planar.gains(friction);
        let (p, b) = (gains.p(way), Scaled { value: planar.b, scale: planar.b_scale });
        // side·λ_N = −side·b/p > 0
        let holds = [b.sign(tol.marginal).times(p.sign(tol.marginal)).flip(), side_sign(side)];
        let pressed = holds[0].times(holds[1]);
        // s·u̇ > 0 from rest; u̇ = σ/p of that way
        let sigma = gains.sigma[way as usize].sign(tol.marginal);
        let starts = match column {
            Column::II => sigma.times(p.sign(tol.marginal)).times(side_sign(slip)),
            Column::I | Column::III => Sign::Positive,
        };
        let mode = if slip == Slip::Pos { Mode::SlipPos } else { Mode::SlipNeg };
        self.judge([pressed, starts], || {
            let (N, T) = planar.slip_force(friction, way);
            let (u, _) = planar.acceleration(N, T);
            let gain = planar.normal_gain(friction, way);
            BilateralMode { mode, force: Force { N, T }, acceleration: Acceleration { u, v: 0.0 }, gain }
        });
    }

    /// Stick: n|λ_T| < t|λ_N|, either sign of λ_N: σ+ and σ− of opposite signs.
    fn try_stick(&mut self, planar: &Planar, friction: Friction, tol: &Tol) {
        let sigma = planar.gains(friction).sigma.map(|sigma| sigma.sign(tol.marginal));
        self.judge([sigma[0].times(sigma[1]).flip(), Sign::Positive], || {
            let (N, T) = planar.stick_force();
            let still = Acceleration { u: 0.0, v: 0.0 };
            BilateralMode {
                mode: Mode::Stick,
                force: Force { N, T },
                acceleration: still,
                gain: planar.stick_gain(),
            }
        });
    }

    fn judge(&mut self, conditions: [Sign; 2], solution: impl FnOnce() -> BilateralMode) {
        if conditions.contains(&Sign::Negative) {
            return;
        }
        if conditions.contains(&Sign::Marginal) {
            self.marginal = Marginal::Yes;
            return;
        }
        self.modes.push(solution());
    }
}

fn side_sign(side: Slip) -> Sign {
    match side {
        Slip::Pos => Sign::Positive,
        Slip::Neg => Sign::Negative,
    }
}

#[cfg(test)]
mod tests {
    use super::bilateral;
    use crate::contact::{Column, Friction, Mode, Planar, Sign};
    use crate::num::Tol;
    use crate::predict::Verdict;

    /// All (λ_N, λ_T, mode) that satisfy the law, by trying every sign of λ_N and of slip.
    fn by_hand(planar: &Planar, mu: f64, column: Column) -> Vec<(Mode, f64)> {
        let Planar { A, B, C, a, b, .. } = *planar;
        let mut found = Vec::new();
        for (mode, s) in [(Mode::SlipPos, 1.0), (Mode::SlipNeg, -1.0)] {
            for side in [1.0, -1.0] {
                let N = -b / (C - s * side * mu * B);
                let udot = a + B * N - s * mu * N.abs() * A;
                let admissible = match column {
                    Column::I => s > 0.0,
                    Column::II => s * udot > 0.0,
                    Column::III => s < 0.0,
                };
                if N * side > 0.0 && admissible {
                    found.push((mode, N));
                }
            }
        }
        let (N, T) = ((B * a - A * b) / (A * C - B * B), (B * b - C * a) / (A * C - B * B));
        if column == Column::II && T.abs() < mu * N.abs() {
            found.push((Mode::Stick, N));
        }
        found
    }

    #[test]
    fn bilateral_modes_are_those_of_the_law() {
        let mut checked = 0;
        for B in [-0.9, -0.3, 0.2, 0.8] {
            for mu in [0.1, 0.9, 1.4, 2.9] {
                for a in [-5.0, -0.9, -0.2, 0.3, 1.3, 4.1] {
                    for (b, column) in
                        [-1.0, 1.0].into_iter().flat_map(|b| Column::ALL.map(|column| (b, column)))
                    {
                        let planar = Planar::new(1.1, B, 0.9, a, b);
                        let found = bilateral(&planar, Friction::new(mu).unwrap(), column, &Tol::default());
                        let expected = by_hand(&planar, mu, column);
                        assert_eq!(
                            found.modes.len(),
                            expected.len(),
                            "{planar:?} {mu} {column:?} {found:?} {expected:?}"
                        );
                        for (mode, (name, N)) in found.modes.iter().zip(&expected) {
                            assert!(mode.mode == *name && (mode.force.N - N).abs() < 1e-9 * (1.0 + N.abs()));
                        }
                        checked += expected.len();
                    }
                }
            }
        }
        assert!(checked > 300);
    }

    #[test]
    fn paradox_has_no_motion_or_two() {
        let verdict = |b: f64| {
            let planar = Planar::new(1.0, 0.9, 1.0, 0.0, b);
            let found = bilateral(&planar, Friction::new(2.0).unwrap(), Column::I, &Tol::default());
            (found.verdict, found.paradox)
        };
        assert_eq!(verdict(-1.0), (Verdict::Inconsistent, Sign::Positive));
        assert_eq!(verdict(1.0), (Verdict::Indeterminate, Sign::Positive));
        let mild = Planar::new(1.0, 0.3, 1.0, 0.0, -1.0);
        let found = bilateral(&mild, Friction::new(2.0).unwrap(), Column::I, &Tol::default());
        assert_eq!((found.verdict, found.paradox), (Verdict::Consistent, Sign::Negative));
    }
}
