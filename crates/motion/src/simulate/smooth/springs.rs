//! Forces on which accelerations depend and which they do not determine, as those of a box that slides and turns on four corners: those of the
//! contacts' stiffnesses in the limit of rigidity, as the engine has them ([`predict`](crate::predict)). With deflections δ = D z of the rows, z in
//! the independent ones, λ = k δ where a contact is pressed, and A K D z = −c.

use super::eliminate::eliminate;
use super::{SmoothMotion, SmoothWork, Unknown};
use crate::contact::Laws;
use crate::model::Block;

/// Stiffnesses, which contacts are pressed, and the memory of finding their forces.
#[derive(Clone, Debug, Default)]
pub(in crate::simulate) struct Springs {
    /// Whether forces that are not unique are theirs.
    pub(in crate::simulate) active: bool,
    /// Of each contact row.
    stiffness: Vec<f64>,
    /// Contacts that are pressed; others have no force, and no gap either.
    pub(in crate::simulate) pressed: Vec<bool>,
    /// Contacts whose springs along the surface act; others have no friction where they stick.
    pub(in crate::simulate) gripping: Vec<bool>,
    /// The normal force that the spring of each contact has, or would have.
    pub(in crate::simulate) pressure: Vec<f64>,
    /// K D by unknowns, A K D by rows, z.
    give: Vec<f64>,
    matrix: Vec<f64>,
    columns: Vec<f64>,
    solution: Vec<f64>,
}

impl Springs {
    /// Those of contacts with these laws.
    pub(in crate::simulate) fn new(laws: &[Laws], tangents: usize) -> Self {
        let rows = laws.len() * (1 + tangents);
        let mut springs = Self {
            active: false,
            stiffness: Vec::with_capacity(rows),
            pressed: vec![true; laws.len()],
            gripping: vec![true; laws.len()],
            pressure: vec![0.0; laws.len()],
            give: vec![0.0; rows * rows],
            matrix: vec![0.0; rows * rows],
            columns: vec![0.0; rows],
            solution: vec![0.0; rows],
        };
        springs.begin(laws, tangents);
        springs
    }

    /// The same memory for other laws.
    pub(in crate::simulate) fn begin(&mut self, laws: &[Laws], tangents: usize) {
        let own = |row: usize| laws[row / (1 + tangents)].compliance.stiffness_along(row % (1 + tangents));
        self.active = false;
        self.stiffness.clear();
        self.stiffness.extend((0..laws.len() * (1 + tangents)).map(own));
        self.pressed.fill(true);
        self.gripping.fill(true);
        self.pressure.fill(0.0);
    }
}

impl Unknown {
    /// The row whose deflection makes the force, and the force there per unit.
    fn spring(&self) -> (usize, f64) {
        let part = (0..self.force.len()).find(|&k| self.force[k].abs() > 0.0).unwrap_or(0);
        (self.first + part, self.force[part])
    }
}

impl SmoothMotion {
    /// κ of springs, of these independent rows among those that are held; false if they do not determine them.
    pub(super) fn solve_springs(&self, independent: &[usize], work: &mut SmoothWork) -> bool {
        let (rank, size, dim) = (independent.len(), work.unknowns.len(), 1 + self.kernel.layout().tangents);
        let mut springs = std::mem::take(&mut work.springs);
        let row = |i: usize| work.unknowns[independent[i]].row;
        for k in 0..size {
            let (own, force) = work.unknowns[k].spring();
            let acts = springs.pressed[own / dim] && (own % dim == 0 || springs.gripping[own / dim]);
            let stiffness = if acts { springs.stiffness[own] } else { 0.0 };
            for j in 0..rank {
                springs.give[k * rank + j] =
                    stiffness * self.kernel.delassus(&work.values, own, row(j)) / force;
            }
        }
        let free = self.kernel.block(&work.values, Block::FreeContactAcceleration);
        for i in 0..rank {
            springs.solution[i] = -free[row(i)];
            for j in 0..rank {
                let through =
                    |k: usize| self.gain(row(i), &work.unknowns[k], work) * springs.give[k * rank + j];
                springs.matrix[i * rank + j] = (0..size).map(through).sum();
            }
        }
        let Springs { matrix, solution, columns, .. } = &mut springs;
        let (matrix, z, columns) = (&mut matrix[..rank * rank], &mut solution[..rank], &mut columns[..rank]);
        let solved = eliminate(matrix, z, columns, self.singular).is_ok();
        let z = &springs.solution[..rank];
        for k in 0..size {
            let give = &springs.give[k * rank..(k + 1) * rank];
            work.solution[k] = give.iter().zip(z).map(|(give, z)| give * z).sum();
        }
        for (contact, pressure) in springs.pressure.iter_mut().enumerate() {
            let part = |j: usize| self.kernel.delassus(&work.values, contact * dim, row(j)) * z[j];
            *pressure = springs.stiffness[contact * dim] * (0..rank).map(part).sum::<f64>();
        }
        work.springs = springs;
        solved
    }
}
