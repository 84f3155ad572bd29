//! Accelerations and forces by one dense system for all contacts that are closed, from the numbers of the derived tape.

use super::case::Case;
use mechan::Derived;
use mechan::contact::Restitution;
use mechan::expression::Env;
use mechan::format::RestitutionLaw;
use mechan::model::{Layout, Output};
use mechan::tape::Scratch;
use nalgebra::{DMatrix, DVector};
use std::rc::Rc;

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Doing {
    Free,
    Stick,
    /// In the plane: the sign of the slip.
    Slip(f64),
    /// In space: along the slip at the state.
    Slides,
}

impl Doing {
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "free" => Self::Free,
            "stick" => Self::Stick,
            "slip+" => Self::Slip(1.0),
            "slip-" => Self::Slip(-1.0),
            "slip" => Self::Slides,
            other => panic!("{other}"),
        }
    }
}

/// Accelerations and forces of a state in a mode.
pub(crate) struct Solved {
    pub(crate) vdot: Vec<f64>,
    /// Normal force and tangential forces of each contact.
    pub(crate) forces: Vec<[f64; 3]>,
    /// Changes of the forces that change no acceleration; empty where forces are unique.
    pub(crate) undetermined: Vec<Vec<[f64; 3]>>,
    /// What the equations miss, relative to their terms: 0 but for rounding, unless rows that depend on each other disagree.
    pub(crate) missed: f64,
}

/// A mechanism with its numbers.
pub(crate) struct Equations {
    derived: Rc<Derived>,
    pub(crate) layout: Layout,
    pub(crate) names: Vec<String>,
    pub(crate) contacts: Vec<String>,
    pub(crate) friction: Vec<f64>,
    pub(crate) laws: Vec<Restitution>,
    pub(crate) parameters: Vec<f64>,
    scratch: Scratch<f64>,
    inputs: Vec<f64>,
    out: Vec<f64>,
}

/// Pivots below this share of the largest are those of rows that depend on each other.
const DEPENDENT: f64 = 1e-9;

impl Equations {
    pub(crate) fn new(case: &Case, parameters: &[f64]) -> Self {
        let derived = case.derived();
        let mechanism = derived.mechanism();
        let number = |e: &mechan::expression::Expr| e.eval_parametric(parameters);
        let law = |c: &mechan::format::Contact| {
            let e = number(&c.restitution.value);
            match c.restitution.law {
                RestitutionLaw::Newton => Restitution::Newton(e),
                RestitutionLaw::Poisson => Restitution::Poisson(e),
                RestitutionLaw::Energetic => Restitution::Energetic(e),
            }
        };
        let layout = *derived.model().layout();
        Self {
            layout,
            names: mechanism.coordinates.iter().map(|c| c.name.clone()).collect(),
            contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
            friction: mechanism.contacts.iter().map(|c| number(&c.friction)).collect(),
            laws: mechanism.contacts.iter().map(law).collect(),
            parameters: parameters.to_vec(),
            scratch: derived.model().tape().scratch(),
            inputs: vec![0.0; layout.inputs()],
            out: vec![0.0; layout.outputs()],
            derived,
        }
    }

    /// Whether a contact is active wherever its body is.
    pub(crate) fn is_always_active(&self, contact: usize) -> bool {
        self.derived.mechanism().contacts[contact].active.is_none()
    }

    /// Whether a contact is active at (t, q, v).
    pub(crate) fn is_active(&self, contact: usize, t: f64, y: &[f64]) -> bool {
        let mechanism = self.derived.mechanism();
        let (q, v) = y.split_at(y.len() / 2);
        let env = Env { t, q, v, parameters: &self.parameters, definitions: &mechanism.definitions.values };
        mechanism.contacts[contact].active.as_ref().is_none_or(|active| active.eval(&env) > 0.0)
    }

    pub(crate) fn n(&self) -> usize {
        self.layout.coordinates
    }

    /// Evaluates everything at a state (q, v).
    pub(crate) fn at(&mut self, t: f64, y: &[f64]) {
        let n = y.len();
        self.inputs[0] = t;
        self.inputs[1..=n].copy_from_slice(y);
        self.inputs[n + 1..].copy_from_slice(&self.parameters);
        self.derived.model().tape().eval(&self.inputs, &mut self.out, &mut self.scratch);
    }

    pub(crate) fn block(&self, output: Output) -> &[f64] {
        &self.out[self.layout.range(output)]
    }

    fn v(&self) -> &[f64] {
        let n = self.n();
        &self.inputs[1 + n..1 + 2 * n]
    }

    pub(crate) fn gap(&self, contact: usize) -> f64 {
        self.block(Output::Gap)[contact]
    }

    pub(crate) fn normal(&self, contact: usize) -> &[f64] {
        let n = self.n();
        &self.block(Output::NormalJacobian)[contact * n..(contact + 1) * n]
    }

    pub(crate) fn tangent(&self, contact: usize, k: usize) -> &[f64] {
        let (n, i) = (self.n(), contact * self.layout.tangents + k);
        &self.block(Output::TangentJacobian)[i * n..(i + 1) * n]
    }

    /// The gap rate at velocities that are not those of the state.
    pub(crate) fn rate_at(&self, contact: usize, v: &[f64]) -> f64 {
        dot(self.normal(contact), v) + self.block(Output::GapRate)[contact]
    }

    pub(crate) fn slip_at(&self, contact: usize, k: usize, v: &[f64]) -> f64 {
        dot(self.tangent(contact, k), v) + self.block(Output::SlipRate)[contact * self.layout.tangents + k]
    }

    pub(crate) fn rate(&self, contact: usize) -> f64 {
        self.rate_at(contact, self.v())
    }

    pub(crate) fn slip(&self, contact: usize) -> [f64; 2] {
        let mut slip = [0.0; 2];
        (0..self.layout.tangents).for_each(|k| slip[k] = self.slip_at(contact, k, self.v()));
        slip
    }

    pub(crate) fn energy(&self) -> [f64; 2] {
        [self.block(Output::KineticEnergy)[0], self.block(Output::PotentialEnergy)[0]]
    }

    pub(crate) fn mass_matrix(&self) -> DMatrix<f64> {
        let packed = self.block(Output::MassMatrix);
        DMatrix::from_fn(self.n(), self.n(), |i, j| {
            let (i, j) = (i.max(j), i.min(j));
            packed[i * (i + 1) / 2 + j]
        })
    }

    /// M⁻¹ under the bilateral constraints: velocities that impulses cause.
    pub(crate) fn mobility(&self) -> DMatrix<f64> {
        let (n, c) = (self.n(), self.layout.constraints);
        let mut whole = DMatrix::zeros(n + c, n + c);
        whole.view_mut((0, 0), (n, n)).copy_from(&self.mass_matrix());
        let J = self.block(Output::ConstraintJacobian);
        for k in 0..c {
            for i in 0..n {
                (whole[(n + k, i)], whole[(i, n + k)]) = (J[k * n + i], J[k * n + i]);
            }
        }
        whole.try_inverse().map_or_else(|| DMatrix::zeros(n, n), |x| x.view((0, 0), (n, n)).into_owned())
    }

    /// Accelerations and forces at the state where every contact does what is said.
    pub(crate) fn solve(&self, doing: &[Doing]) -> Solved {
        let (n, d) = (self.n(), self.layout.tangents);
        let minus = |x: &[f64]| -DVector::from_row_slice(x);
        let J = self.block(Output::ConstraintJacobian);
        let (mut rows, mut pulls, mut drifts, mut owners) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for k in 0..self.layout.constraints {
            let row = DVector::from_row_slice(&J[k * n..(k + 1) * n]);
            rows.push(row.clone());
            pulls.push(row);
            drifts.push(self.block(Output::ConstraintDrift)[k]);
            owners.push(None);
        }
        for (c, doing) in doing.iter().enumerate() {
            let tangent = |k: usize| DVector::from_row_slice(self.tangent(c, k));
            let normal = DVector::from_row_slice(self.normal(c));
            let Some(along) = self.along(c, *doing) else { continue };
            let pull = (0..d).fold(normal.clone(), |sum, k| sum - tangent(k) * (self.friction[c] * along[k]));
            rows.push(normal);
            pulls.push(pull);
            drifts.push(self.block(Output::NormalDrift)[c]);
            owners.push(Some((c, 0, along)));
            if *doing == Doing::Stick {
                for k in 0..d {
                    rows.push(tangent(k));
                    pulls.push(tangent(k));
                    drifts.push(self.block(Output::TangentDrift)[c * d + k]);
                    owners.push(Some((c, k + 1, along)));
                }
            }
        }
        let M = self.mass_matrix().cholesky().expect("a mass matrix");
        let free = M.solve(&minus(self.block(Output::Bias)));
        if rows.is_empty() {
            let none = vec![[0.0; 3]; doing.len()];
            return Solved {
                vdot: free.as_slice().to_vec(),
                forces: none,
                undetermined: Vec::new(),
                missed: 0.0,
            };
        }
        let (R, F) = (DMatrix::from_columns(&rows).transpose(), DMatrix::from_columns(&pulls));
        let caused = M.solve(&F);
        let A = &R * &caused;
        let wanted = -(DVector::from_vec(drifts) + &R * &free);
        let (x, kernel, missed) = least(A, &wanted, (&R * &free).amax() + free.amax());
        let vdot = free + caused * &x;
        let spread = |x: &DVector<f64>| self.spread(x, &owners);
        Solved {
            vdot: vdot.as_slice().to_vec(),
            forces: spread(&x),
            undetermined: kernel.iter().map(spread).collect(),
            missed,
        }
    }

    /// The direction of slip; zero for stick, none without contact.
    fn along(&self, contact: usize, doing: Doing) -> Option<[f64; 2]> {
        match doing {
            Doing::Free => None,
            Doing::Stick => Some([0.0; 2]),
            Doing::Slip(sign) => Some([sign, 0.0]),
            Doing::Slides => {
                let slip = self.slip(contact);
                let size = slip[0].hypot(slip[1]).max(f64::MIN_POSITIVE);
                Some([slip[0] / size, slip[1] / size])
            }
        }
    }

    /// Forces of each contact from the unknowns.
    fn spread(&self, x: &DVector<f64>, owners: &[Option<(usize, usize, [f64; 2])>]) -> Vec<[f64; 3]> {
        let mut forces = vec![[0.0; 3]; self.layout.contacts];
        for (x, owner) in x.iter().zip(owners) {
            let Some((c, part, along)) = *owner else { continue };
            forces[c][part] += x;
            if part == 0 {
                (0..2).for_each(|k| forces[c][1 + k] -= self.friction[c] * along[k] * x);
            }
        }
        forces
    }
}

/// The solution of least size of a system whose rows may depend on each other, what does not change it, and what it misses.
pub(crate) fn least(
    A: DMatrix<f64>,
    wanted: &DVector<f64>,
    scale: f64,
) -> (DVector<f64>, Vec<DVector<f64>>, f64) {
    let lu = A.clone().full_piv_lu();
    let u = lu.u();
    let pivot = |i: usize| u[(i, i)].abs();
    let largest = (0..u.nrows()).map(pivot).fold(0.0, f64::max);
    if (0..u.nrows()).all(|i| pivot(i) > DEPENDENT * largest)
        && let Some(x) = lu.solve(wanted)
    {
        return (x, Vec::new(), 0.0);
    }
    let (turned, V) = orthogonal_columns(&A);
    let sizes: Vec<f64> = turned.column_iter().map(|column| column.norm()).collect();
    let size = sizes.iter().fold(0.0, |m: f64, x| m.max(*x));
    let is_small = |i: &usize| sizes[*i] <= DEPENDENT * size;
    let mut x = DVector::zeros(A.ncols());
    for i in (0..sizes.len()).filter(|i| !is_small(i)) {
        x += V.column(i) * (turned.column(i).dot(wanted) / (sizes[i] * sizes[i]));
    }
    let missed = (&A * &x - wanted).amax() / (wanted.amax() + size * x.amax() + scale).max(f64::MIN_POSITIVE);
    let kernel = (0..sizes.len()).filter(is_small).map(|i| V.column(i).into_owned()).collect();
    (x, kernel, missed)
}

/// A V with columns that are orthogonal to each other, and V: Jacobi's rotations of pairs (Hestenes 1958). The decomposition of
/// `nalgebra` is now and then wrong in the third digit where rows depend on each other.
fn orthogonal_columns(A: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
    let (mut B, n) = (A.clone(), A.ncols());
    let mut V = DMatrix::identity(n, n);
    for _ in 0..60 {
        let mut turned = false;
        for (i, j) in (0..n).flat_map(|j| (0..j).map(move |i| (i, j))) {
            let (a, b) = (B.column(i).norm_squared(), B.column(j).norm_squared());
            let c = B.column(i).dot(&B.column(j));
            if c.abs() <= 1e-15 * (a * b).sqrt() {
                continue;
            }
            turned = true;
            let zeta = (b - a) / (2.0 * c);
            let tan = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
            let cos = 1.0 / tan.hypot(1.0);
            for M in [&mut B, &mut V] {
                for k in 0..M.nrows() {
                    let (x, y) = (M[(k, i)], M[(k, j)]);
                    (M[(k, i)], M[(k, j)]) = (cos * (x - tan * y), cos * (tan * x + y));
                }
            }
        }
        if !turned {
            break;
        }
    }
    (B, V)
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
