//! Two contacts near an equilibrium by time-stepping: w⁺ = w + h c + D Λ with the impulses of 0 ≤ Λ_N ⊥ v⁺ ≥ 0 and Coulomb's law at the
//! contacts whose gap is closed, all combinations of modes tried one by one. Shares nothing with the return map.

use nalgebra::{DMatrix, DVector};

pub(crate) struct Steps {
    pub(crate) D: DMatrix<f64>,
    pub(crate) c: DVector<f64>,
    pub(crate) mu: [f64; 2],
    pub(crate) w: DVector<f64>,
    pub(crate) gaps: [f64; 2],
}

/// What a contact is taken to do in a step.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Free,
    Slip(f64),
    Stick,
}

const MODES: [Mode; 4] = [Mode::Free, Mode::Slip(1.0), Mode::Slip(-1.0), Mode::Stick];

impl Steps {
    pub(crate) fn new(D: &[f64], c: &[f64], mu: [f64; 2], w: &[f64]) -> Self {
        Self {
            D: DMatrix::from_row_slice(4, 4, D),
            c: DVector::from_column_slice(c),
            mu,
            w: DVector::from_column_slice(w),
            gaps: [0.0; 2],
        }
    }

    /// √(wᵀD⁺w), the speed in the metric of kinetic energy.
    pub(crate) fn speed(&self) -> f64 {
        let inverse = self.D.clone().pseudo_inverse(1e-9).unwrap();
        self.w.dot(&(inverse * &self.w)).sqrt()
    }

    pub(crate) fn step(&mut self, h: f64) {
        let free = &self.w + h * &self.c;
        let closed = [0, 1].map(|i| self.gaps[i] + 0.5 * h * self.w[2 * i] <= 0.0);
        self.w = self.after(&free, closed);
        for i in 0..2 {
            self.gaps[i] += h * self.w[2 * i];
            if closed[i] && self.w[2 * i].abs() < 1e-12 {
                self.gaps[i] = self.gaps[i].min(0.0);
            }
        }
    }

    fn after(&self, free: &DVector<f64>, closed: [bool; 2]) -> DVector<f64> {
        let modes = |i: usize| if closed[i] { &MODES[..] } else { &MODES[..1] };
        let size = free.norm();
        let mut pairs: Vec<[Mode; 2]> =
            modes(0).iter().flat_map(|&first| modes(1).iter().map(move |&second| [first, second])).collect();
        // of several impulses those at one contact, then what ends the motion, as the map has them
        pairs.sort_by_key(|pair| pair.iter().all(|mode| *mode != Mode::Free));
        for pair in pairs {
            if pair.iter().all(|mode| *mode != Mode::Free) && self.can_stop(free) {
                return DVector::zeros(4);
            }
            if let Some(impulse) = self.impulse(free, pair) {
                let after = free + &self.D * &impulse;
                if self.holds(&after, &impulse, closed, pair, 1e-9 * size) {
                    return after;
                }
            }
        }
        assert!(self.can_stop(free), "no impulse satisfies the law");
        DVector::zeros(4)
    }

    /// The equations of the modes, by least squares: v⁺ = 0 where pressed, u⁺ = 0 in stick, Λ_T = −s μ Λ_N in slip.
    fn impulse(&self, free: &DVector<f64>, modes: [Mode; 2]) -> Option<DVector<f64>> {
        let (mut A, mut b) = (DMatrix::zeros(4, 4), DVector::zeros(4));
        for (i, mode) in modes.into_iter().enumerate() {
            let (N, T) = (2 * i, 2 * i + 1);
            if mode == Mode::Free {
                (A[(N, N)], A[(T, T)]) = (1.0, 1.0);
                continue;
            }
            A.set_row(N, &self.D.row(N));
            b[N] = -free[N];
            match mode {
                Mode::Slip(sign) => (A[(T, N)], A[(T, T)]) = (sign * self.mu[i], 1.0),
                _ => {
                    A.set_row(T, &self.D.row(T));
                    b[T] = -free[T];
                }
            }
        }
        if modes == [Mode::Stick; 2] {
            return None;
        }
        A.lu().solve(&b)
    }

    fn holds(
        &self,
        after: &DVector<f64>,
        impulse: &DVector<f64>,
        closed: [bool; 2],
        modes: [Mode; 2],
        zero: f64,
    ) -> bool {
        (0..2).all(|i| {
            let (v, u, N, T) = (after[2 * i], after[2 * i + 1], impulse[2 * i], impulse[2 * i + 1]);
            match modes[i] {
                Mode::Free => !closed[i] || v >= -zero,
                Mode::Slip(sign) => N >= -zero && sign * u >= -zero,
                Mode::Stick => N >= -zero && T.abs() <= self.mu[i] * N + zero,
            }
        })
    }

    /// Whether impulses inside the cones end the motion: D Λ = −w leaves one free number.
    fn can_stop(&self, free: &DVector<f64>) -> bool {
        let svd = self.D.clone().svd(true, true);
        let one = svd.solve(&-free, 1e-9).unwrap();
        let V = svd.v_t.unwrap();
        let least =
            (0..4).min_by(|&i, &j| svd.singular_values[i].total_cmp(&svd.singular_values[j])).unwrap();
        let null = V.row(least).transpose();
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for i in 0..2 {
            for sign in [1.0, -1.0] {
                let room = |x: &DVector<f64>| self.mu[i] * x[2 * i] + sign * x[2 * i + 1];
                let (at, rate) = (room(&one) + 1e-9 * one.norm(), room(&null));
                if rate > 0.0 {
                    low = low.max(-at / rate);
                } else {
                    high = high.min(-at / rate);
                }
            }
        }
        low <= high
    }
}
