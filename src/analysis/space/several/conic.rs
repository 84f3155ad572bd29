//! The data of a cone program over contact forces.

use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT;

/// A x + s = b with s in cones.
#[derive(Default)]
pub(super) struct Conic {
    triplets: (Vec<usize>, Vec<usize>, Vec<f64>),
    pub(super) b: Vec<f64>,
    pub(super) cones: Vec<SupportedConeT<f64>>,
}

impl Conic {
    pub(super) fn push(&mut self, entries: &[(usize, f64)], offset: f64) {
        for &(j, a) in entries {
            self.triplets.0.push(self.b.len());
            self.triplets.1.push(j);
            self.triplets.2.push(a);
        }
        self.b.push(offset);
    }

    /// The forces of each contact in their cone, as far from its boundary as the variable `room` says, if there is one.
    pub(super) fn append_cones(&mut self, blocks: &[(usize, bool)], mu: &[f64], room: Option<usize>) {
        let mut at = 0;
        for &(i, sticks) in blocks {
            let normal = if sticks { -mu[i] } else { -1.0 };
            let entries: Vec<(usize, f64)> =
                std::iter::once((at, normal)).chain(room.map(|room| (room, 1.0))).collect();
            self.push(&entries, 0.0);
            if sticks {
                self.push(&[(at + 1, -1.0)], 0.0);
                self.push(&[(at + 2, -1.0)], 0.0);
                self.cones.push(SupportedConeT::SecondOrderConeT(3));
                at += 3;
            } else {
                self.cones.push(SupportedConeT::NonnegativeConeT(1));
                at += 1;
            }
        }
    }

    pub(super) fn matrix(&self, columns: usize) -> CscMatrix<f64> {
        let (rows, cols, vals) = self.triplets.clone();
        CscMatrix::new_from_triplets(self.b.len(), columns, rows, cols, vals)
    }
}
