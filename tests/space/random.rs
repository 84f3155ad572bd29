//! Random contacts whose 3×3 mobility is positive definite.

use mechan::analysis::space::{Contact, ContactStatus, SpaceMode};
use mechan::contact::Friction;
use mechan::contact::Hold;
use mechan::contact::space::Spatial;
use mechan::predict::ModeName;

/// Numbers in [−1, 1) from a linear congruence, so that a failure can be repeated.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Mobilities L Lᵀ + 0.02, free accelerations of any sign.
    pub(crate) fn numbers(&mut self) -> Spatial {
        let L: [[f64; 3]; 3] = [0; 3].map(|_| [0; 3].map(|_| self.roll()));
        let D = |i: usize, j: usize| {
            (0..3).map(|k| L[i][k] * L[j][k]).sum::<f64>() + if i == j { 0.02 } else { 0.0 }
        };
        let A = [[D(0, 0), D(0, 1)], [D(1, 0), D(1, 1)]];
        Spatial::new(A, [D(0, 2), D(1, 2)], D(2, 2), [self.roll(), self.roll()], self.roll())
    }

    pub(crate) fn friction(&mut self) -> Friction {
        Friction::new(1.5 * (1.0 + self.roll())).unwrap()
    }

    pub(crate) fn at_rest(&mut self) -> Contact {
        Contact {
            numbers: self.numbers(),
            friction: self.friction(),
            hold: Hold::Unilateral,
            stands: ContactStatus::Resting,
        }
    }
}

/// λ_N, λ_T1, λ_T2 of a mode.
pub(crate) fn force(mode: &SpaceMode) -> [f64; 3] {
    [0, 1, 2].map(|k| mode.judged.forces[k].value)
}

/// Free, slip or stick.
pub(crate) fn word(mode: &SpaceMode) -> ModeName {
    mode.judged.modes[0].name(2)
}
