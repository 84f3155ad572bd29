//! One combination of modes: its forces and accelerations, whether every contact's law holds, and why   [CV16 Table 1].
//!
//! With independent rows the equations have one solution, K y = −c; where K is singular although the rows are
//! independent, a gain such as p vanishes and no finite force is defined. Dependent rows leave forces open: see [`forces`](super::forces).

use super::contacts::{Basis, Contacts, Motion};
use super::forces::{ForceSet, Forces};
use super::mode::Mode;
use super::reason::{JointReason, Reason};
use super::verdict::Consistency;
use crate::contact::{Scaled, Sign};
use crate::num::Tol;
use crate::num::dense::norm;
use nalgebra::{DMatrix, DVector};

/// A judged combination. Forces and accelerations are those of the mechanism, N and T (N, T1, T2) of each contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// What each contact does.
    pub modes: Vec<Mode>,
    /// Whether the laws hold; `Marginal`: with an equality.
    pub consistency: Consistency,
    /// Whether it could not be decided.
    pub open: bool,
    /// Forces, NaN where none are defined.
    pub forces: Vec<Scaled>,
    /// Accelerations under them.
    pub accelerations: Vec<Scaled>,
    /// Range of each force, if they are not unique; infinite where no bound is proven.
    pub ranges: Option<Vec<[f64; 2]>>,
    /// Rows whose acceleration depends on the choice of forces, with its range.
    pub moving: Vec<(usize, [f64; 2])>,
    /// Whether its forces are those of the contacts' stiffnesses, in the limit of rigidity, because the accelerations depend on the choice.
    pub by_stiffness: bool,
    /// Why.
    pub why: JointReason,
}

/// Rounding of the direction of a slip.
const DIRECTION: f64 = 1024.0 * f64::EPSILON;

/// The columns of a combination: contact and force per unit.
type Column = (usize, [f64; 3]);

impl Contacts {
    /// Judges a combination in which all directions of slip with friction are known.
    pub fn judge(&self, modes: &[Mode], tol: &Tol) -> Judgement {
        self.judge_unless(modes, || None, tol)
    }

    /// The same; one with forces that are not unique only if nothing excludes it.
    pub(super) fn judge_unless(
        &self,
        modes: &[Mode],
        excluded: impl FnOnce() -> Option<ForceSet>,
        tol: &Tol,
    ) -> Judgement {
        let mut judged = self.undirected(modes, excluded, tol);
        let open = |i: usize| matches!(modes[i], Mode::Slip { .. }) && modes[i].direction().is_none();
        if judged.has_forces() {
            for i in (0..modes.len()).filter(|&i| open(i) && self.friction(i).is_zero()) {
                judged.modes[i] = modes[i].directed(judged.setting_in(i, tol));
            }
        }
        judged
    }

    /// The same without the direction in which a contact without friction begins to slip.
    fn undirected(
        &self,
        modes: &[Mode],
        excluded: impl FnOnce() -> Option<ForceSet>,
        tol: &Tol,
    ) -> Judgement {
        let held = self.held_rows(modes);
        let basis = self.basis(&held, tol.dependent);
        if basis.others.is_empty() {
            return self.determined(modes, &held, tol);
        }
        if let Some(why) = self.contradiction(&basis, tol) {
            return self.without_forces(modes, Consistency::No, why);
        }
        match excluded().unwrap_or_else(|| self.force_set(modes, &basis, tol)) {
            ForceSet::Inside(forces) => {
                let judged =
                    self.underdetermined(modes, Consistency::Yes, (&forces, JointReason::Holds), tol);
                self.with_stiffness(judged, &basis, tol)
            }
            ForceSet::Edge(forces) => {
                self.underdetermined(modes, Consistency::Marginal, (&forces, JointReason::Edge), tol)
            }
            ForceSet::Still(contact) => {
                self.without_forces(modes, Consistency::No, JointReason::Still { contact })
            }
            ForceSet::Empty => self.without_forces(modes, Consistency::No, JointReason::NoForces),
            ForceSet::Unknown => self.undecided(modes),
        }
    }

    /// A row that follows from others and is asked for another acceleration than theirs.
    pub(super) fn contradiction(&self, basis: &Basis, tol: &Tol) -> Option<JointReason> {
        basis.others.iter().find_map(|(row, multipliers)| {
            let (left, size) = self.left_of(*row, &basis.rows, multipliers);
            let acceleration = left * self.unit[*row];
            (left.abs() > tol.marginal * size)
                .then(|| JointReason::Contradicts { contact: self.contact_of(*row), acceleration })
        })
    }

    pub(super) fn undecided(&self, modes: &[Mode]) -> Judgement {
        Judgement { open: true, ..self.without_forces(modes, Consistency::Marginal, JointReason::Unknown) }
    }

    pub(super) fn without_forces(
        &self,
        modes: &[Mode],
        consistency: Consistency,
        why: JointReason,
    ) -> Judgement {
        let none = vec![Scaled { value: f64::NAN, scale: 0.0 }; self.c.len()];
        Judgement::new(modes, consistency, (none.clone(), none), why)
    }

    fn underdetermined(
        &self,
        modes: &[Mode],
        consistency: Consistency,
        (forces, why): (&Forces, JointReason),
        tol: &Tol,
    ) -> Judgement {
        // what is small against the largest force is its rounding
        let largest = forces.shown.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let sizes = vec![largest; forces.shown.len()];
        let mut judged = self.under(modes, &forces.shown, &sizes);
        let wide = |[low, high]: &[f64; 2]| high - low > tol.marginal * largest;
        let unique = !forces.ranges.iter().any(wide);
        let range = |(row, &[low, high]): (usize, &[f64; 2])| {
            // outwards: what is proven stays proven
            [outward(low / self.unit[row], -1.0), outward(high / self.unit[row], 1.0)]
        };
        judged.ranges = (!unique).then(|| forces.ranges.iter().enumerate().map(range).collect());
        let moved = |&(row, range): &(usize, [f64; 2])| (row, range.map(|x| x * self.unit[row]));
        judged.moving = forces.moving.iter().map(moved).collect();
        Judgement { consistency, why, ..judged }
    }

    /// A combination under forces, in the mechanism's units; what it sets to zero is zero.
    pub(super) fn under(&self, modes: &[Mode], forces: &[f64], force_sizes: &[f64]) -> Judgement {
        let (mut values, sizes) = self.accelerations(forces, force_sizes);
        self.held_rows(modes).into_iter().for_each(|row| values[row] = 0.0);
        let scaled = |x: f64, size: f64, unit: f64| Scaled { value: x * unit, scale: size * unit };
        let rows = || self.unit.iter().enumerate();
        let forces = rows().map(|(i, unit)| scaled(forces[i], force_sizes[i], 1.0 / unit)).collect();
        let accelerations = rows().map(|(i, unit)| scaled(values[i], sizes[i], *unit)).collect();
        Judgement::new(modes, Consistency::Yes, (forces, accelerations), JointReason::Holds)
    }

    /// The columns of the unknowns: the weight of a slip's ray, each row of a sticking contact.
    pub(super) fn unknowns(&self, modes: &[Mode]) -> Vec<Column> {
        let unit = |k: usize| std::array::from_fn(|i| f64::from(u8::from(i == k)));
        let mut columns = Vec::with_capacity(self.dim() * modes.len());
        for (contact, &mode) in modes.iter().enumerate() {
            match mode {
                Mode::Free => {}
                Mode::Slip { .. } => {
                    columns.extend(self.rays(contact, mode).iter().map(|ray| (contact, ray.force)));
                }
                Mode::Stick { .. } => columns.extend((0..self.dim()).map(|k| (contact, unit(k)))),
            }
        }
        columns
    }

    /// Acceleration of a row per unit of a column.
    fn effect(&self, row: usize, (contact, force): &Column) -> f64 {
        let first = self.normal(*contact);
        (0..self.dim()).map(|k| self.D[(row, first + k)] * force[k]).sum()
    }

    /// K: what the unknowns do to the rows that are held.
    pub(super) fn system(&self, held: &[usize], columns: &[Column]) -> DMatrix<f64> {
        DMatrix::from_fn(held.len(), columns.len(), |i, k| self.effect(held[i], &columns[k]))
    }

    /// The sign of det K with pulls counted as negative pushes; none if it is zero within the tolerance.
    pub(super) fn orientation(&self, modes: &[Mode], tol: &Tol) -> Option<Sign> {
        let held = self.held_rows(modes);
        let K = self.system(&held, &self.unknowns(modes));
        let inverse = K.clone().try_inverse()?;
        let pulls =
            modes.iter().filter(|mode| matches!(mode, Mode::Slip { side, .. } if *side < 0.0)).count();
        let positive = (K.determinant() > 0.0) == pulls.is_multiple_of(2);
        let sign = if positive { Sign::Positive } else { Sign::Negative };
        (largest(&inverse) * tol.marginal < 1.0).then_some(sign)
    }

    fn determined(&self, modes: &[Mode], held: &[usize], tol: &Tol) -> Judgement {
        let columns = self.unknowns(modes);
        let K = self.system(held, &columns);
        let inverse = match K.clone().try_inverse() {
            Some(inverse) if largest(&inverse) * tol.marginal < 1.0 => inverse,
            _ => return self.singular(modes, &columns, &K, tol),
        };
        let (mut forces, mut sizes) = (vec![0.0; self.c.len()], vec![0.0; self.c.len()]);
        // a coefficient that is zero but for rounding is rounded as the largest is
        let rounded = largest(&inverse) * f64::EPSILON / tol.marginal;
        for (k, &(contact, parts)) in columns.iter().enumerate() {
            // so is a part of a direction, which velocities give
            let slips = matches!(modes[contact], Mode::Slip { .. });
            let turned = if slips { norm(&parts[1..self.dim()]) * DIRECTION / tol.marginal } else { 0.0 };
            let (y, size) = held.iter().enumerate().fold((0.0, 0.0), |(y, size), (i, &row)| {
                let weight = inverse[(k, i)];
                (y - weight * self.c[row], size + weight.abs().max(rounded) * self.sizes[row])
            });
            for (j, part) in parts[..self.dim()].iter().enumerate() {
                forces[self.normal(contact) + j] += part * y;
                sizes[self.normal(contact) + j] += part.abs().max(if j > 0 { turned } else { 0.0 }) * size;
            }
        }
        let mut judged = self.under(modes, &forces, &sizes);
        (judged.consistency, judged.why) = self.laws(&judged, tol);
        judged
    }

    /// No finite force: forces grow without bound along the null vector of K as the state is approached. If that violates a law
    /// either way, the combination is not consistent nearby.
    fn singular(&self, modes: &[Mode], columns: &[Column], K: &DMatrix<f64>, tol: &Tol) -> Judgement {
        let Some(V) = K.clone().svd(false, true).v_t else { return self.undecided(modes) };
        let null: DVector<f64> = V.row(V.nrows() - 1).transpose();
        let direction = |sign: f64| {
            let mut forces = vec![0.0; self.c.len()];
            for (k, &(contact, parts)) in columns.iter().enumerate() {
                let first = self.normal(contact);
                (0..self.dim()).for_each(|j| forces[first + j] += sign * null[k] * parts[j]);
            }
            let sizes: Vec<f64> = forces.iter().map(|x| x.abs()).collect();
            let unloaded = self.unloaded();
            unloaded.laws(&unloaded.under(modes, &forces, &sizes), tol).0
        };
        let possible = [1.0, -1.0].into_iter().any(|sign| direction(sign) != Consistency::No);
        let consistency = if possible { Consistency::Marginal } else { Consistency::No };
        self.without_forces(modes, consistency, JointReason::Singular)
    }

    /// Every condition of a combination under its forces; the first that fails, or else the first that is zero, says why.
    pub(super) fn laws(&self, judged: &Judgement, tol: &Tol) -> (Consistency, JointReason) {
        let mut worst = (Consistency::Yes, JointReason::Holds);
        for contact in 0..judged.modes.len() {
            for (condition, asked) in self.conditions(judged, contact).into_iter().flatten() {
                match condition.sign(tol.marginal) {
                    Sign::Positive => {}
                    Sign::Negative => {
                        return (Consistency::No, self.reason(judged, contact, asked, Consistency::No));
                    }
                    Sign::Marginal if worst.0 == Consistency::Yes => {
                        let why = self.reason(judged, contact, asked, Consistency::Marginal);
                        worst = (Consistency::Marginal, why);
                    }
                    Sign::Marginal => {}
                }
            }
        }
        worst
    }

    /// What must be positive at a contact.
    fn conditions(&self, judged: &Judgement, contact: usize) -> [Option<(Scaled, Asked)>; 2] {
        let (mode, row) = (judged.modes[contact], self.normal(contact));
        let (normal, tangent) = (judged.forces[row], &judged.forces[row + 1..row + self.dim()]);
        let friction = self.friction(contact);
        let (n, t) = friction.parts();
        let pressed = Scaled { value: mode.side() * normal.value, scale: normal.scale };
        let rise = self.rise(contact, mode).map(|rise| {
            let value = rise.of(|row| judged.accelerations[row].value);
            (Scaled { value, scale: rise.size(|row| judged.accelerations[row].scale) }, Asked::Law)
        });
        match mode {
            Mode::Free => [None, rise],
            // with infinite friction λ_N is 0 and the friction force tells
            Mode::Slip { along, .. } if friction.is_infinite() => {
                let value = -along.iter().zip(tangent).map(|(along, T)| along * T.value).sum::<f64>();
                [Some((Scaled { value, scale: size_of(tangent) }, Asked::Law)), rise]
            }
            Mode::Slip { .. } => [Some((pressed, Asked::Law)), rise],
            Mode::Stick { .. } => {
                let room = Scaled {
                    value: t * pressed.value - n * length_of(tangent),
                    scale: t * normal.scale + n * size_of(tangent),
                };
                let room = (!friction.is_infinite()).then_some((room, Asked::Cone));
                [Some((pressed, Asked::Law)), room]
            }
        }
    }

    fn reason(
        &self,
        judged: &Judgement,
        contact: usize,
        asked: Asked,
        consistency: Consistency,
    ) -> JointReason {
        let (mode, row, mu) = (judged.modes[contact], self.normal(contact), self.friction(contact).mu());
        let along = |numbers: &[Scaled]| -> f64 {
            let tangents = numbers[row + 1..row + self.dim()].iter().map(|x| x.or_zero());
            match mode.direction() {
                // in the plane along the tangent, as all its numbers
                _ if self.tangents == 1 => tangents.sum(),
                Some(along) => tangents.zip(along).map(|(x, along)| x * along).sum(),
                None => norm(&tangents.collect::<Vec<f64>>()),
            }
        };
        let (N, T) = (judged.forces[row].or_zero(), along(&judged.forces));
        match asked {
            Asked::Cone => JointReason::Cone { contact, lambda_T: T, bound: mu * N.abs() },
            Asked::Law => {
                let [v, u] = [judged.accelerations[row].or_zero(), along(&judged.accelerations)];
                let pulls = match mode {
                    // λ_N tends to 0 with infinite friction; the friction force keeps its sign
                    Mode::Slip { along, .. } if self.friction(contact).is_infinite() => {
                        let forward = if self.tangents == 1 { along[0] } else { 1.0 };
                        forward * T > 0.0
                    }
                    _ => N * mode.side() < 0.0,
                };
                let reason = Reason::of(mode, consistency, (N * mode.side(), pulls), [u, v]);
                JointReason::Contact { contact, reason }
            }
        }
    }
}

/// Which condition of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    /// Its normal force or its acceleration.
    Law,
    /// Its friction cone.
    Cone,
}

fn largest(x: &DMatrix<f64>) -> f64 {
    x.iter().fold(0.0, |size, x| if x.is_nan() { f64::INFINITY } else { size.max(x.abs()) })
}

/// The length of a vector, and the size of its terms.
fn length_of(x: &[Scaled]) -> f64 {
    x.iter().fold(0.0_f64, |sum, x| sum.hypot(x.value))
}

fn size_of(x: &[Scaled]) -> f64 {
    x.iter().map(|x| x.scale).sum()
}

/// The next number in a direction, but for those that are exact.
fn outward(x: f64, sign: f64) -> f64 {
    match (x.abs() <= 0.0 || x.is_infinite(), sign > 0.0) {
        (true, _) => x,
        (false, true) => x.next_up(),
        (false, false) => x.next_down(),
    }
}

impl Judgement {
    /// With unique forces and accelerations, by row.
    pub fn new(
        modes: &[Mode],
        consistency: Consistency,
        (forces, accelerations): (Vec<Scaled>, Vec<Scaled>),
        why: JointReason,
    ) -> Self {
        Self {
            modes: modes.to_vec(),
            consistency,
            open: false,
            forces,
            accelerations,
            ranges: None,
            moving: Vec::new(),
            by_stiffness: false,
            why,
        }
    }

    /// Whether its laws hold, equalities with finite forces included.
    pub fn is_consistent(&self) -> bool {
        self.consistency != Consistency::No && self.has_forces()
    }

    /// Whether its forces are defined.
    pub fn has_forces(&self) -> bool {
        self.forces.iter().all(|force| !force.value.is_nan())
    }

    /// Whether its motion is that of another choice of the forces of a combination: some of its contacts have no force, and open no more than they
    /// close; or all do the same, along directions of their own.
    pub(super) fn is_choice_of(&self, other: &Self, tol: &Tol) -> bool {
        let opens = |i: usize| self.modes[i] == Mode::Free && other.modes[i].is_closed();
        let alike = || self.modes.iter().zip(&other.modes).all(|(own, other)| own.is_alike(*other));
        ((0..self.modes.len()).any(opens) || !self.by_stiffness && alike())
            && (0..self.modes.len()).all(|i| match (self.modes[i], other.modes[i]) {
                (Mode::Free, Mode::Free) => true,
                (Mode::Free, _) => self.keeps_gap(i, tol),
                (_, other) => other.is_closed(),
            })
    }

    /// Whether the gap of a contact has no acceleration.
    pub(super) fn keeps_gap(&self, contact: usize, tol: &Tol) -> bool {
        self.accelerations[contact * (1 + self.tangents())].sign(tol.marginal) == Sign::Marginal
    }

    /// The largest difference of an acceleration from those of another combination, which may depend on its forces, relative to the largest of both.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let shown = other.accelerations.iter().map(|x| x.value).enumerate();
        let ends = other.moving.iter().flat_map(|&(row, range)| range.map(|end| (row, end)));
        let pairs = shown.chain(ends).map(|(row, value)| (self.accelerations[row].value, value));
        let over = |(most, largest): (f64, f64), (x, y): (f64, f64)| {
            (most.max((x - y).abs()), largest.max(x.abs()).max(y.abs()))
        };
        let (most, largest) = pairs.fold((0.0, 0.0), over);
        most / largest
    }

    /// The largest difference of an acceleration between forces that satisfy the laws, relative to the largest acceleration; none if they do not
    /// matter.
    pub fn spread(&self) -> Option<f64> {
        let ends = self.moving.iter().flat_map(|(_, range)| range).copied();
        let all = self.accelerations.iter().map(|x| x.value).chain(ends);
        let largest = all.fold(0.0_f64, |size, x| size.max(x.abs()));
        self.moving.iter().map(|(_, [low, high])| (high - low) / largest).reduce(f64::max)
    }

    /// Directions along the surface of each contact.
    pub(super) fn tangents(&self) -> usize {
        self.forces.len().checked_div(self.modes.len()).map_or(1, |dim| dim - 1)
    }

    /// The direction of a contact's slip acceleration; zero where it has none, or one that its forces do not determine.
    fn setting_in(&self, contact: usize, tol: &Tol) -> [f64; 2] {
        let first = contact * (1 + self.tangents()) + 1;
        let rows = first..first + self.tangents();
        let own = &self.accelerations[rows.clone()];
        let open = self.moving.iter().any(|(row, [low, high])| rows.contains(row) && low * high <= 0.0);
        let still = own.iter().all(|x| x.sign(tol.marginal) == Sign::Marginal);
        match Motion::along(&own.iter().map(|x| x.value).collect::<Vec<f64>>()) {
            Motion::Slipping(along) if !open && !still => along,
            _ => [0.0; 2],
        }
    }

    /// Whether all contacts stay where they are: they stick, or have no friction and no acceleration.
    pub fn stays(&self) -> bool {
        let dim = 1 + self.tangents();
        let still = |i: usize| {
            let own = &self.accelerations[i * dim + 1..(i + 1) * dim];
            own.iter().all(|x| x.sign(Tol::default().marginal) == Sign::Marginal)
        };
        self.modes.iter().enumerate().all(|(i, mode)| match mode {
            Mode::Stick { .. } => true,
            Mode::Slip { .. } => mode.direction().is_none() && still(i),
            Mode::Free => false,
        })
    }

    /// Whether two combinations have the same accelerations of the contacts; where there are none they do not.
    pub fn has_motion_of(&self, other: &Self, tol: &Tol) -> bool {
        // what a solver finds is as good as its residual
        let by_solver =
            [self, other].iter().any(|judged| judged.why == JointReason::Solver || judged.ranges.is_some());
        let band = if by_solver && self.tangents() > 1 { tol.marginal.sqrt() } else { 2.0 * tol.marginal };
        self.accelerations.iter().zip(&other.accelerations).all(|(x, y)| {
            let size = x.scale.max(y.scale);
            (x.value - y.value).abs() <= band * size
        })
    }
}
