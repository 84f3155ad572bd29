//! One closed contact in the plane: κ in closed form, the same bits as by elimination.

use super::{ContactMotion, SmoothError, SmoothMotion, SmoothWork};
use crate::model::{Block, Kernel};
use crate::num::dense::packed_len;

/// Where the blocks begin that this reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    accelerations: usize,
    delassus: usize,
    response: usize,
    free: usize,
}

impl Places {
    pub(super) fn of(kernel: &Kernel) -> Self {
        let start = |block: Block| kernel.range(block).start;
        Self {
            accelerations: start(Block::FreeContactAcceleration),
            delassus: start(Block::Delassus),
            response: start(Block::Response),
            free: start(Block::FreeAcceleration),
        }
    }
}

/// The one contact that has a force.
#[inline]
pub(super) fn only_closed(contacts: &[ContactMotion]) -> Option<usize> {
    if let [motion] = contacts {
        return (*motion != ContactMotion::Free).then_some(0);
    }
    let mut closed = contacts.iter().enumerate().filter(|(_, motion)| **motion != ContactMotion::Free);
    let (contact, _) = closed.next()?;
    closed.next().is_none().then_some(contact)
}

impl SmoothMotion {
    /// λ of the one closed contact of a mechanism in the plane, and v̇ = v̇₀ + M⁻¹Wᵀλ.
    #[inline(always)]
    pub(super) fn solve_alone(
        &self,
        contact: usize,
        motion: &ContactMotion,
        work: &mut SmoothWork,
    ) -> Result<(), SmoothError> {
        let row = 2 * contact;
        let SmoothWork { values, forces: all, vdot, .. } = work;
        let (numbers, n) = (self.kernel.numbers(values), vdot.len());
        let Places { accelerations, delassus, response, free } = self.places;
        let c = &numbers[accelerations + row..][..2];
        let (first, second) = (delassus + packed_len(row) + row, delassus + packed_len(row + 1) + row);
        let (own, [coupled, across]) = (numbers[first], [numbers[second], numbers[second + 1]]);
        let found = match *motion {
            ContactMotion::Slips { along, friction } => {
                let force = [friction.normal(), -friction.tangential() * along[0]];
                let gain = force[0] * own + force[1] * coupled;
                let size = -c[0] / gain;
                (gain.abs() > 0.0).then_some([force[0] * size, force[1] * size])
            }
            _ => held([[own, coupled], [coupled, across]], [c[0], c[1]], self.singular),
        };
        let Some(forces) = found else { return Err(SmoothError::Forces { contact }) };
        if all.len() > 2 {
            all.fill(0.0);
        }
        all[row..row + 2].copy_from_slice(&forces);
        let (vdot, free) = (&mut vdot[..n], &numbers[free..][..n]);
        let (normal, tangent) =
            (&numbers[response + row * n..][..n], &numbers[response + (row + 1) * n..][..n]);
        for i in 0..n {
            vdot[i] = free[i] + forces[0] * normal[i] + forces[1] * tangent[i];
        }
        Ok(())
    }
}

/// The forces that hold a contact: D λ = −c₀, by elimination with the larger pivot of the first column; none where a pivot is
/// zero against its column.
#[inline]
fn held(D: [[f64; 2]; 2], free: [f64; 2], singular: f64) -> Option<[f64; 2]> {
    let columns = [0, 1].map(|k| D[0][k].abs().max(D[1][k].abs()));
    let is_pivot = |x: f64, k: usize| x.abs() > singular * columns[k] && x.is_finite();
    let swap = D[1][0].abs() > D[0][0].abs();
    let (first, second) = if swap { (D[1], D[0]) } else { (D[0], D[1]) };
    let (one, two) = if swap { (-free[1], -free[0]) } else { (-free[0], -free[1]) };
    let factor = second[0] / first[0];
    let left = second[1] - factor * first[1];
    if !(is_pivot(first[0], 0) && is_pivot(left, 1)) {
        return None;
    }
    let tangential = (two - factor * one) / left;
    Some([(one - first[1] * tangential) / first[0], tangential])
}

#[cfg(test)]
mod tests {
    use super::held;
    use crate::num::Tol;
    use crate::simulate::smooth::eliminate::eliminate;

    #[test]
    fn what_holds_is_that_of_elimination_to_the_last_bit() {
        let singular = Tol::default().dependent;
        let cases = [
            ([[2.0, 0.3], [0.3, 1.0]], [0.1, -0.7]),
            ([[0.1, 0.3], [0.3, 1.7]], [-9.81, 1.3]),
            ([[1.0, -1.0], [-1.0, 1.0]], [1.0, 2.0]),
            ([[0.0, 0.5], [0.5, 0.0]], [3.0, -0.1]),
            ([[1.0, f64::NAN], [f64::NAN, 1.0]], [1.0, 2.0]),
        ];
        for (D, free) in cases {
            let (mut matrix, mut rhs) = (D.concat(), free.map(|x: f64| -x));
            let solved = eliminate(&mut matrix, &mut rhs, &mut [0.0; 2], singular);
            let expected = if solved.is_ok() { Some(rhs.map(f64::to_bits)) } else { None };
            assert_eq!(held(D, free, singular).map(|x| x.map(f64::to_bits)), expected, "{D:?}");
        }
    }
}
