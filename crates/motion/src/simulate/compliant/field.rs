//! The equations of motion with compliant contacts while none of them changes what it does.
//!
//! A pressed contact has λ_N = −(k y/ε² + d ẏ/ε)   [CV16 (30), (31)] with y = ε²Y, ẏ = εV; one that slips λ_T = −μ λ_N û; those
//! that stick the λ_T that keep their u̇ at zero, D_TT λ_T = −(a + D_TN λ_N + ..): true stick, without creep. Then q̈ and the
//! accelerations of all contact rows follow as for rigid contacts. The same code in dual numbers gives the Jacobian.

use super::Compliant;
use super::hold::{Held, stick};
use super::interior::InteriorForces;
use super::places::Places;
use super::tolerance::GATHERS;
use crate::contact::Laws;
use crate::model::{Block, Kernel, Output, Values};
use crate::num::{Dual, Real, dense};
use crate::simulate::drive::{Drive, DriveWork, Moving};
use crate::simulate::integrate::System;
use crate::simulate::smooth::{ContactMotion, SmoothError};

/// What the contacts do and by which laws.
#[derive(Clone, Debug)]
pub(super) struct Regime<'a> {
    pub(super) laws: &'a [Laws],
    pub(super) eps: f64,
    pub(super) motions: Vec<ContactMotion>,
    /// Sign of each normal force: −1 where a bilateral contact pulls.
    pub(super) pull: Vec<f64>,
    /// The independent rows of those that stick.
    pub(super) held: Held,
}

/// An evaluated right-hand side.
#[derive(Clone, Debug)]
pub(super) struct Evaluated<T> {
    pub(super) values: Values<T>,
    /// λ of each contact row.
    pub(super) forces: Vec<T>,
    pub(super) vdot: Vec<T>,
    /// Accelerations of the contact rows.
    pub(super) rows: Vec<T>,
    /// ẋ of the tangential springs.
    pub(super) stretching: Vec<T>,
    /// How fast the ends of those slip that do.
    pub(super) sliding: Vec<T>,
    /// Rows that stick, the parts of the forces that they bear, and the equations of those that are held.
    pub(super) stuck: Vec<usize>,
    pub(super) parts: Vec<f64>,
    pub(super) matrix: Vec<T>,
    pub(super) rhs: Vec<T>,
}

impl<T: Real> Evaluated<T> {
    fn new(kernel: &Kernel, places: Places, parameters: &[f64]) -> Self {
        let zero = T::from_f64(0.0);
        let (rows, tangents) = (kernel.rows(), places.m * places.d);
        let mut values = kernel.values();
        kernel.set_parameters(parameters, &mut values);
        Self {
            values,
            forces: vec![zero; rows],
            vdot: vec![zero; places.n],
            rows: vec![zero; rows],
            stretching: vec![zero; tangents],
            sliding: vec![zero; places.m],
            stuck: Vec::with_capacity(tangents),
            parts: Vec::with_capacity(tangents),
            matrix: vec![zero; dense::packed_len(tangents)],
            rhs: vec![zero; tangents],
        }
    }
}

/// The right-hand side with its memory.
#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) places: Places,
    pub(super) regime: Regime<'a>,
    /// Time at which the integrator's is 0.
    pub(super) origin: f64,
    pub(super) now: Evaluated<f64>,
    along: Evaluated<Dual>,
    point: Vec<Dual>,
    pub(super) evaluations: usize,
    /// Time of the evaluation.
    time: f64,
    drive: Option<(&'a Drive, DriveWork)>,
    reactions: Vec<f64>,
    pub(super) margin: InteriorForces,
}

impl<'a> Field<'a> {
    pub(super) fn new(compliant: &'a Compliant, parameters: &[f64], laws: &'a [Laws], eps: f64) -> Self {
        let Compliant { kernel, drive } = compliant;
        let sprung = laws.iter().any(|laws| laws.compliance.tangential_stiffness.is_some());
        let places = Places::new(kernel.layout(), sprung);
        Self {
            kernel,
            places,
            regime: Regime {
                laws,
                eps,
                motions: vec![ContactMotion::Free; places.m],
                pull: vec![1.0; places.m],
                held: Held::new(places.m * places.d),
            },
            margin: InteriorForces::default(),
            origin: 0.0,
            now: Evaluated::new(kernel, places, parameters),
            along: Evaluated::new(kernel, places, parameters),
            point: vec![Dual::fixed(0.0); places.len()],
            evaluations: 0,
            time: 0.0,
            drive: drive.as_ref().map(|drive| (drive, drive.work(parameters))),
            reactions: vec![0.0; kernel.layout().constraints],
        }
    }

    /// Forces and accelerations at a point, left in `now`.
    pub(super) fn evaluate(&mut self, t: f64, z: &[f64]) -> Result<(), SmoothError> {
        self.evaluations += 1;
        let n = self.places.n;
        self.time = self.origin + t;
        self.kernel.solve_at(self.time, &z[..n], &z[n..2 * n], &mut self.now.values)?;
        self.regime.apply(self.kernel, self.places, z, &mut self.now)
    }

    /// The same where what sticks may have changed: the rows that are held are chosen anew.
    pub(super) fn evaluate_anew(&mut self, t: f64, z: &[f64]) -> Result<(), SmoothError> {
        self.place(t, z)?;
        self.regime.held.rows.clear();
        self.renew();
        self.evaluate(t, z)
    }

    /// The blocks of a point alone.
    pub(super) fn place(&mut self, t: f64, z: &[f64]) -> Result<(), SmoothError> {
        let n = self.places.n;
        Ok(self.kernel.solve_at(self.origin + t, &z[..n], &z[n..2 * n], &mut self.now.values)?)
    }

    /// The sign of the slip acceleration of a contact in the plane at the evaluated point along a direction, where it plainly has one.
    pub(super) fn gathers(&self, contact: usize, along: f64) -> Option<f64> {
        let row = self.places.rows(contact).start + 1;
        let free = self.kernel.block(&self.now.values, Block::FreeContactAcceleration)[row];
        let gain = |other: usize| self.kernel.delassus(&self.now.values, row, other);
        let forces = self.now.forces.iter().enumerate();
        let terms = forces.map(|(other, force)| (gain(other) * force).abs()).sum::<f64>() + free.abs();
        let rate = along * self.now.rows[row];
        (rate.abs() > GATHERS * terms).then_some(rate.signum())
    }

    /// Power of the normal forces, of friction at all contacts, and of everything else: applied forces, and what moves by
    /// prescription.
    pub(super) fn powers(&mut self, z: &[f64]) -> Powers {
        let mut powers = self.applied(z);
        let of = |output: Output| self.kernel.block(&self.now.values, output);
        if !self.reactions.is_empty() {
            self.kernel.reactions_under(&self.now.values, &self.now.forces, &mut self.reactions);
            powers.work -= dense::dot(of(Output::ConstraintRate), &self.reactions);
        }
        if let Some((drive, memory)) = &mut self.drive {
            let (q, v) = z[..2 * self.places.n].split_at(self.places.n);
            let moving = Moving { t: self.time, q, v, vdot: &self.now.vdot, factor: 1.0 };
            let blocks = [Output::MassMatrix, Output::Inertial, Output::Potential].map(of);
            powers.work += drive.power(&moving, blocks, memory);
        }
        powers
    }

    fn applied(&self, z: &[f64]) -> Powers {
        let mut powers = Powers::default();
        let of = |block: Block| self.kernel.block(&self.now.values, block);
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        for contact in 0..self.places.m {
            let force = &self.now.forces[self.places.rows(contact)];
            powers.normal += force[0] * z[self.places.ydot(contact)];
            let along = dot(&force[1..], &z[self.places.slip(contact)]);
            let lost = self.friction(contact, z).unwrap_or(along);
            powers.friction += lost;
            powers.normal += along - lost;
            // what the surface moves by prescription
            let d = self.places.d;
            powers.work -= force[0] * of(GAP_RATE)[contact];
            powers.work -= dot(&force[1..], &of(SLIP_RATE)[contact * d..(contact + 1) * d]);
        }
        powers.work += dot(of(APPLIED), &z[self.places.n..2 * self.places.n]);
        powers
    }

    /// Power of friction where a tangential spring stores the rest.
    fn friction(&self, contact: usize, z: &[f64]) -> Option<f64> {
        self.regime.spring(contact)?;
        let force = &self.now.forces[self.places.rows(contact)][1..];
        Some(match self.regime.motions[contact] {
            ContactMotion::Free | ContactMotion::Sticks => 0.0,
            ContactMotion::Slips { along, .. } | ContactMotion::Turns { along, .. } => {
                let direction = direction(&z[self.places.stretch(contact)], along);
                let pressed: f64 = force.iter().zip(direction).map(|(force, along)| force * along).sum();
                pressed * self.now.sliding[contact]
            }
        })
    }
}

pub(super) const GAP_RATE: Block = Block::Model(Output::GapRate);
pub(super) const SLIP_RATE: Block = Block::Model(Output::SlipRate);
pub(super) const APPLIED: Block = Block::Model(Output::Applied);

/// Powers, or works, by where they go; those of tangential springs count with the normal forces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Powers {
    pub(super) work: f64,
    pub(super) friction: f64,
    pub(super) normal: f64,
}

impl Regime<'_> {
    /// λ_N of a contact by its spring and damper, of either sign.
    pub(super) fn elastic<T: Real>(&self, contact: usize, y: T, ydot: T) -> T {
        let law = self.laws[contact].compliance;
        let scaled = |x: f64| T::from_f64(x / self.eps);
        -(scaled(law.stiffness / self.eps) * y + scaled(law.damping) * ydot)
    }

    /// Forces and accelerations from the evaluated blocks.
    fn apply<T: Real>(
        &self,
        kernel: &Kernel,
        places: Places,
        z: &[T],
        work: &mut Evaluated<T>,
    ) -> Result<(), SmoothError> {
        work.stuck.clear();
        for (contact, &motion) in self.motions.iter().enumerate() {
            let rows = places.rows(contact);
            work.forces[rows.clone()].fill(T::from_f64(0.0));
            if motion == ContactMotion::Free {
                continue;
            }
            let normal = self.elastic(contact, z[places.y(contact)], z[places.ydot(contact)]);
            work.forces[rows.start] = normal;
            match motion {
                ContactMotion::Slips { along, friction } | ContactMotion::Turns { along, friction, .. } => {
                    let sprung = self.spring(contact).is_some();
                    let followed = if sprung { places.stretch(contact) } else { places.slip(contact) };
                    let direction = direction(&z[followed], along);
                    let limit = T::from_f64(friction.mu() * self.pull[contact]) * normal;
                    for k in 0..places.d {
                        work.forces[rows.start + 1 + k] = -(limit * direction[k]);
                    }
                }
                ContactMotion::Free | ContactMotion::Sticks => match self.spring(contact) {
                    None => work.stuck.extend(rows.start + 1..rows.end),
                    Some(k_T) => {
                        let pull_back = T::from_f64(self.pull_back(k_T));
                        for (k, place) in places.stretch(contact).enumerate() {
                            work.forces[rows.start + 1 + k] = pull_back * z[place];
                        }
                    }
                },
            }
        }
        stick(kernel, places, self, work)?;
        kernel.acceleration_under(&work.values, &work.forces, &mut work.vdot);
        for row in 0..work.rows.len() {
            work.rows[row] = row_acceleration(kernel, work, row);
        }
        // what sticks keeps its slip to the last digit
        work.stuck.iter().for_each(|&row| work.rows[row] = T::from_f64(0.0));
        self.stretch(places, z, work);
        Ok(())
    }
}

/// Unit vector of a slip: in the plane ±1 as the phase began, in space along it.
pub(super) fn direction<T: Real>(slip: &[T], along: [f64; 2]) -> [T; 2] {
    let given = along.map(T::from_f64);
    match *slip {
        [one, two] => {
            let size = (one * one + two * two).sqrt();
            if size.value() > 0.0 { [one / size, two / size] } else { given }
        }
        _ => given,
    }
}

pub(super) fn row_acceleration<T: Real>(kernel: &Kernel, work: &Evaluated<T>, row: usize) -> T {
    let free = kernel.block(&work.values, Block::FreeContactAcceleration)[row];
    let term = |j: usize| kernel.delassus(&work.values, row, j) * work.forces[j];
    (0..work.forces.len()).fold(free, |sum, j| sum + term(j))
}

/// (q̇, q̈, and of each contact ẏ, ÿ, u̇, ẋ).
fn fill<T: Real>(places: Places, z: &[T], work: &Evaluated<T>, mut set: impl FnMut(usize, T)) {
    let n = places.n;
    (0..n).for_each(|i| set(i, z[n + i]));
    (0..n).for_each(|i| set(n + i, work.vdot[i]));
    for contact in 0..places.m {
        let row = places.rows(contact).start;
        set(places.y(contact), z[places.ydot(contact)]);
        set(places.ydot(contact), work.rows[row]);
        places.slip(contact).enumerate().for_each(|(k, place)| set(place, work.rows[row + 1 + k]));
        let stretching = &work.stretching[contact * places.d..];
        places.stretch(contact).zip(stretching).for_each(|(place, &rate)| set(place, rate));
    }
}

impl System for Field<'_> {
    type Error = SmoothError;

    fn rate(&mut self, t: f64, z: &[f64], rate: &mut [f64]) -> Result<(), SmoothError> {
        self.evaluate(t, z)?;
        fill(self.places, z, &self.now, |i, x| rate[i] = x);
        Ok(())
    }

    fn jacobian(&mut self, t: f64, z: &[f64], jacobian: &mut [f64]) -> Result<(), SmoothError> {
        let (places, size) = (self.places, self.places.len());
        let n = places.n;
        self.evaluations += 2 * n;
        for (x, &z) in self.point.iter_mut().zip(z) {
            *x = Dual::fixed(z);
        }
        for column in 0..size {
            self.point[column].eps = 1.0;
            // the kernel does not read what stands behind q and q̇
            if column <= 2 * n {
                let (q, v) = (&self.point[..n], &self.point[n..2 * n]);
                self.kernel.solve_at(Dual::fixed(self.origin + t), q, v, &mut self.along.values)?;
            }
            self.regime.apply(self.kernel, places, &self.point, &mut self.along)?;
            fill(places, &self.point, &self.along, |row, x| jacobian[row * size + column] = x.eps);
            self.point[column].eps = 0.0;
        }
        Ok(())
    }
}
