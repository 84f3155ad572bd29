//! The right-hand side of a smooth motion: v̇ and the contact forces while every contact is free, sticks or slips.
//!
//! With c = c₀ + D λ the accelerations of the contact rows and v̇ = v̇₀ + M⁻¹Wᵀλ, a free contact has no force, a sticking one
//! the forces that make all of its c vanish, and one that slips along the unit vector û the force κ (n, −t û) of
//! [`Friction`], μ = t/n, that makes its normal acceleration vanish: as many unknowns as equations, P κ = −c₀. For one
//! slipping contact P is p± = C ∓ μB and κ = −b/p   [CV16 (13)-(20)]; for one that sticks P is D and κ as in [CV16 (21)].
//!
//! Rows that follow from others, as those of a body on two feet that stick, leave forces open while the motion is unique: λ has
//! then the least sum of squares (`redundant`). Where the motion is not unique either they may be those of the contacts' stiffnesses
//! (`springs`).
//!
//! One kernel serves all combinations, in the plane and in space, with any number of contacts; P is solved on numbers with
//! pivoting, since it is neither symmetric nor definite (`eliminate`); one contact in the plane needs no more than two numbers
//! and goes a shorter way to the same (`alone`). The rest of what events need is in the kernel's blocks.

mod alone;
mod eliminate;
mod error;
mod motion;
mod onset;
mod redundant;
mod springs;

pub use error::SmoothError;
pub use motion::ContactMotion;

use crate::model::{Block, Kernel, Layout, Model, Values};
use crate::num::Tol;
use eliminate::eliminate;
use onset::Onset;
use redundant::Redundant;
pub(in crate::simulate) use redundant::{complete, orthogonalise, rank};
pub(in crate::simulate) use springs::Springs;

/// A pivot below this share of its column makes the rounding of later ones larger than what tells whether they vanish.
const DOUBTFUL: f64 = 1.0 / 1024.0;

/// The smooth motions of a mechanism.
#[derive(Clone, Debug)]
pub struct SmoothMotion {
    kernel: Kernel,
    places: alone::Places,
    /// A pivot below this share of its column's largest entry is zero.
    singular: f64,
}

/// An evaluated right-hand side and its memory.
#[derive(Clone, Debug)]
pub struct SmoothWork {
    values: Values<f64>,
    unknowns: Vec<Unknown>,
    /// P by rows, κ, and the force of each contact row.
    matrix: Vec<f64>,
    columns: Vec<f64>,
    solution: Vec<f64>,
    forces: Vec<f64>,
    vdot: Vec<f64>,
    onset: Onset,
    redundant: Redundant,
    /// Where accelerations depend on forces that are not unique.
    pub(in crate::simulate) springs: Springs,
}

/// A force along a direction of a contact, and the contact row whose acceleration vanishes.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    row: usize,
    /// The contact's first row.
    first: usize,
    force: [f64; 3],
}

impl SmoothMotion {
    /// Blocks that every right-hand side needs.
    const NEEDED: [Block; 4] =
        [Block::FreeAcceleration, Block::Response, Block::FreeContactAcceleration, Block::Delassus];

    /// The motions of a model; the blocks `also` are evaluated along, for events and outputs.
    pub fn new(model: &Model, also: &[Block]) -> Self {
        let slip: &[Block] = if model.layout().tangents > 1 { &[Block::Slip] } else { &[] };
        let kernel = model.kernel(&[&Self::NEEDED[..], slip, also].concat());
        let places = alone::Places::of(&kernel);
        Self { kernel, places, singular: Tol::default().dependent }
    }

    /// The same as machine code, for long motions.
    #[must_use]
    pub fn compiled(self) -> Self {
        Self { kernel: self.kernel.compiled(), ..self }
    }

    /// The same, made beside the first evaluations.
    #[must_use]
    pub fn compiled_beside(self) -> Self {
        Self { kernel: self.kernel.compiled_beside(), ..self }
    }

    /// What is evaluated.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Memory of [`SmoothMotion::solve`] at these parameters.
    ///
    /// # Panics
    /// If there is another number of them than the model's.
    pub fn work(&self, parameters: &[f64]) -> SmoothWork {
        let (rows, n) = (self.kernel.rows(), self.kernel.layout().coordinates);
        let mut values = self.kernel.values();
        self.kernel.set_parameters(parameters, &mut values);
        SmoothWork {
            values,
            unknowns: Vec::with_capacity(rows),
            matrix: vec![0.0; rows * rows],
            columns: vec![0.0; rows],
            solution: vec![0.0; rows],
            forces: vec![0.0; rows],
            vdot: vec![0.0; n],
            onset: Onset::new(self.kernel.layout().contacts),
            redundant: Redundant::new(rows),
            springs: Springs::default(),
        }
    }

    /// The same memory for other parameters.
    pub(in crate::simulate) fn renew(&self, parameters: &[f64], work: &mut SmoothWork) {
        self.kernel.set_parameters(parameters, &mut work.values);
        work.redundant.clear();
        work.forces.fill(0.0);
        work.vdot.fill(0.0);
    }

    /// v̇ and the contact forces at a state, left in `work`, forces that are not unique with the least sum of squares. Does not
    /// allocate.
    ///
    /// # Errors
    /// [`SmoothError`] if M cannot be factored or no finite forces are defined.
    ///
    /// # Panics
    /// If `q`, `v` or `contacts` have another length than the model's, or `work` is another motion's.
    pub fn solve(
        &self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        contacts: &[ContactMotion],
        work: &mut SmoothWork,
    ) -> Result<(), SmoothError> {
        self.kernel.solve_at(t, q, v, &mut work.values)?;
        self.solve_again(contacts, work)
    }

    /// The same at y = (q, v).
    #[inline]
    pub(super) fn solve_at_point(
        &self,
        t: f64,
        y: &[f64],
        contacts: &[ContactMotion],
        work: &mut SmoothWork,
    ) -> Result<(), SmoothError> {
        self.kernel.solve_at_point(t, y, &mut work.values)?;
        self.solve_again(contacts, work)
    }

    /// The same at the state that was evaluated last, if the contacts do something else there.
    #[inline]
    pub(super) fn solve_again(
        &self,
        contacts: &[ContactMotion],
        work: &mut SmoothWork,
    ) -> Result<(), SmoothError> {
        assert_eq!(contacts.len(), self.kernel.layout().contacts, "contacts of the model");
        work.redundant.clear();
        if self.kernel.layout().tangents == 1
            && let Some(contact) = alone::only_closed(contacts)
        {
            let solved = self.solve_alone(contact, &contacts[contact], work);
            // a contact whose velocities are tied to each other sticks in many ways
            if solved.is_ok() || contacts[contact] != ContactMotion::Sticks {
                return solved;
            }
        }
        self.solve_together(contacts, work)
    }

    /// The same for any number of contacts.
    #[inline(never)]
    fn solve_together(&self, contacts: &[ContactMotion], work: &mut SmoothWork) -> Result<(), SmoothError> {
        self.find_unknowns(contacts, work);
        match work.unknowns[..] {
            [] => {}
            [unknown] => self.solve_one(unknown, work)?,
            _ => self.solve_all(work)?,
        }
        self.accelerate(1.0, work);
        Ok(())
    }

    /// The same in the time τ of dt = p dτ, for the one contact that is closed and slips: leaves p v̇ and p λ in `work`, which
    /// stay finite as p → 0, and returns p   [CV16 (32)].
    ///
    /// # Errors
    /// As [`SmoothMotion::solve`]; [`SmoothError::Forces`] if not exactly one contact slips and the others are free.
    ///
    /// # Panics
    /// As [`SmoothMotion::solve`].
    pub(super) fn solve_rescaled(
        &self,
        t: f64,
        y: &[f64],
        contacts: &[ContactMotion],
        work: &mut SmoothWork,
    ) -> Result<f64, SmoothError> {
        assert_eq!(contacts.len(), self.kernel.layout().contacts, "contacts of the model");
        self.kernel.solve_at_point(t, y, &mut work.values)?;
        work.redundant.clear();
        self.find_unknowns(contacts, work);
        let &[unknown] = &work.unknowns[..] else {
            return Err(SmoothError::Forces { contact: 0 });
        };
        let gain = self.gain(unknown.row, &unknown, work);
        work.solution[0] = -self.kernel.block(&work.values, Block::FreeContactAcceleration)[unknown.row];
        self.accelerate(gain, work);
        Ok(gain)
    }

    /// The unknown forces at the state that was evaluated last. A slip that turns has its direction there, while it is slow that of its onset.
    fn find_unknowns(&self, contacts: &[ContactMotion], work: &mut SmoothWork) {
        work.unknowns.clear();
        work.onset.clear();
        for (contact, &motion) in contacts.iter().enumerate() {
            let ContactMotion::Turns { along, slow, friction, pull } = motion else {
                add_unknowns(self.kernel.layout(), contact, motion, &mut work.unknowns);
                continue;
            };
            let slip = self.kernel.block(&work.values, Block::Slip);
            let [one, two] = [slip[2 * contact], slip[2 * contact + 1]];
            let speed = one.hypot(two);
            let fast = speed > slow;
            let [one, two] = if fast { [one / speed, two / speed] } else { along };
            if !fast {
                work.onset.add(work.unknowns.len(), -pull * friction.tangential(), along);
            }
            let slips = ContactMotion::Slips { along: [pull * one, pull * two], friction };
            add_unknowns(self.kernel.layout(), contact, slips, &mut work.unknowns);
        }
        if !work.onset.is_empty() {
            self.balance(work);
        }
    }

    /// The rate (v, v̇) of y = (q, v), for integrators.
    ///
    /// # Errors
    /// As [`SmoothMotion::solve`].
    ///
    /// # Panics
    /// As [`SmoothMotion::solve`], and if `rate` is shorter than `y`.
    pub fn rate(
        &self,
        t: f64,
        y: &[f64],
        contacts: &[ContactMotion],
        rate: &mut [f64],
        work: &mut SmoothWork,
    ) -> Result<(), SmoothError> {
        let n = self.kernel.layout().coordinates;
        let (q, v) = y.split_at(n);
        self.solve(t, (q, v), contacts, work)?;
        rate[..n].copy_from_slice(v);
        rate[n..2 * n].copy_from_slice(&work.vdot);
        Ok(())
    }

    /// The gain of an unknown force in the row of an equation: an entry of P.
    #[inline]
    fn gain(&self, row: usize, unknown: &Unknown, work: &SmoothWork) -> f64 {
        let entry = |k: usize| unknown.force[k] * self.kernel.delassus(&work.values, row, unknown.first + k);
        (1..=self.kernel.layout().tangents).fold(entry(0), |sum, k| sum + entry(k))
    }

    /// κ = −b/p.
    #[inline]
    fn solve_one(&self, unknown: Unknown, work: &mut SmoothWork) -> Result<(), SmoothError> {
        let free = self.kernel.block(&work.values, Block::FreeContactAcceleration)[unknown.row];
        let gain = self.gain(unknown.row, &unknown, work);
        work.solution[0] = -free / gain;
        if gain.abs() > 0.0 { Ok(()) } else { Err(self.undetermined(unknown)) }
    }

    fn solve_all(&self, work: &mut SmoothWork) -> Result<(), SmoothError> {
        let size = work.unknowns.len();
        for i in 0..size {
            let row = work.unknowns[i].row;
            work.solution[i] = -self.kernel.block(&work.values, Block::FreeContactAcceleration)[row];
            for j in 0..size {
                work.matrix[i * size + j] = self.gain(row, &work.unknowns[j], work);
            }
        }
        let SmoothWork { matrix, columns, solution, .. } = work;
        let columns = &mut columns[..size];
        match eliminate(&mut matrix[..size * size], &mut solution[..size], columns, self.singular) {
            Ok(least) if least > DOUBTFUL || self.independent(self.singular, work) == size => Ok(()),
            Ok(_) => self.solve_redundant(0, work),
            Err(stopped) => self.solve_redundant(stopped, work),
        }
    }

    #[cold]
    fn undetermined(&self, unknown: Unknown) -> SmoothError {
        SmoothError::Forces { contact: unknown.first / (1 + self.kernel.layout().tangents) }
    }

    /// λ from κ, and v̇ = c v̇₀ + M⁻¹Wᵀλ.
    #[inline]
    fn accelerate(&self, factor: f64, work: &mut SmoothWork) {
        let (n, rows) = (work.vdot.len(), 1 + self.kernel.layout().tangents);
        let response = self.kernel.block(&work.values, Block::Response);
        let free = self.kernel.block(&work.values, Block::FreeAcceleration);
        work.forces.fill(0.0);
        for (unknown, &size) in work.unknowns.iter().zip(&work.solution) {
            let forces = &mut work.forces[unknown.first..unknown.first + rows];
            forces.iter_mut().zip(unknown.force).for_each(|(sum, force)| *sum += force * size);
        }
        for (i, vdot) in work.vdot.iter_mut().enumerate() {
            let mut sum = factor * free[i];
            // the rows of a contact are those of its first unknown force
            for unknown in work.unknowns.iter().filter(|unknown| unknown.row == unknown.first) {
                for row in unknown.first..unknown.first + rows {
                    sum += work.forces[row] * response[row * n + i];
                }
            }
            *vdot = sum;
        }
    }
}

impl SmoothWork {
    /// v̇.
    pub fn acceleration(&self) -> &[f64] {
        &self.vdot
    }

    /// λ of each contact row: N, T (N, T1, T2) of each contact in turn.
    pub fn forces(&self) -> &[f64] {
        &self.forces
    }

    /// The force of a contact that slips, per unit: (n, −t û).
    pub(in crate::simulate) fn slipping(&self, first: usize) -> Option<[f64; 3]> {
        self.unknowns.iter().find(|unknown| unknown.first == first).map(|unknown| unknown.force)
    }

    /// The evaluated blocks of the motion's kernel.
    pub fn values(&self) -> &Values<f64> {
        &self.values
    }
}

/// The unknown forces of a contact: of a sticking one each row for itself.
fn add_unknowns(layout: &Layout, contact: usize, motion: ContactMotion, unknowns: &mut Vec<Unknown>) {
    let first = contact * (1 + layout.tangents);
    let force = |k: usize| match motion {
        ContactMotion::Slips { along: [one, two], friction } => {
            // friction opposes slip   [CV16 (13), (39)]
            let (normal, tangential) = friction.parts();
            [normal, -tangential * one, -tangential * two]
        }
        ContactMotion::Free | ContactMotion::Sticks | ContactMotion::Turns { .. } => {
            std::array::from_fn(|i| f64::from(u8::from(i == k)))
        }
    };
    let rows = 0..motion.unknowns(layout.tangents);
    unknowns.extend(rows.map(|k| Unknown { row: first + k, first, force: force(k) }));
}
