//! Coulomb's problem u = W r + q of contacts some of which hold in ways that it does not know: on both sides, or with infinite friction. Each way
//! in which those may hold is tried: a bilateral contact pressed on one side or the other, one of infinite friction held fast or open. What is held fast is eliminated,
//! and the rest is a problem with finite friction in which every contact only pushes.

use crate::contact::Friction;
use crate::coulomb::{Outcome, Problem, Request, Session, Start};
use crate::linear::Sparse;
use crate::num::Tol;
use crate::predict::combinations;
use nalgebra::{DMatrix, DVector};

/// How a contact holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grip {
    pub(super) friction: Friction,
    pub(super) bilateral: bool,
    /// The direction of its slip, against which its friction then acts whatever its acceleration.
    pub(super) along: Option<[f64; 2]>,
}

/// A way in which a contact holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// It pushes along its normal times this sign, or not at all.
    Pressed(f64),
    /// All its rows are held.
    Fast,
    /// It does nothing.
    Open,
}

impl Grip {
    fn ways(&self) -> &'static [Way] {
        match (self.bilateral, self.friction.is_infinite()) {
            (false, false) => &[Way::Pressed(1.0)],
            (true, false) => &[Way::Pressed(1.0), Way::Pressed(-1.0)],
            (false, true) => &[Way::Fast, Way::Open],
            (true, true) => &[Way::Fast],
        }
    }
}

/// A solution, or why there is none.
pub(super) type Found = Result<(Vec<f64>, Vec<f64>), String>;

/// Ways in which contacts hold that are tried at most.
const WAYS: usize = 4096;

/// r and u of some contacts, `dim` rows each; W by its entries.
pub(super) fn solve(grips: &[Grip], q: &[f64], W: impl Fn(usize, usize) -> f64, tol: &Tol) -> Found {
    let m = q.len();
    if m == 0 {
        return Ok((Vec::new(), Vec::new()));
    }
    let W = DMatrix::from_fn(m, m, W);
    let q = DVector::from_column_slice(q);
    // the first contact changes first
    let options: Vec<Vec<Way>> = grips.iter().rev().map(|grip| grip.ways().to_vec()).collect();
    let mut failure = "contacts hold in too many ways".to_string();
    for mut ways in combinations(&options).take(WAYS) {
        ways.reverse();
        let trial = Trial { grips, ways: &ways, dim: m / grips.len(), tol };
        match trial.solve(&W, &q) {
            Ok(found) => return Ok(found),
            Err(reason) => failure = reason,
        }
    }
    Err(failure)
}

struct Trial<'t> {
    grips: &'t [Grip],
    ways: &'t [Way],
    dim: usize,
    tol: &'t Tol,
}

impl Trial<'_> {
    fn solve(&self, W: &DMatrix<f64>, q: &DVector<f64>) -> Found {
        let (W, q) = self.turned(W, q);
        let rows = |wanted: fn(&Way) -> bool| -> Vec<usize> {
            let contacts = self.ways.iter().enumerate().filter(|(_, way)| wanted(way));
            contacts.flat_map(|(c, _)| c * self.dim..(c + 1) * self.dim).collect()
        };
        let fast = rows(|way| *way == Way::Fast);
        let pressed = rows(|way| matches!(way, Way::Pressed(_)));
        let part = |rows: &[usize], columns: &[usize]| {
            DMatrix::from_fn(rows.len(), columns.len(), |i, j| W[(rows[i], columns[j])])
        };
        let of = |x: &DVector<f64>, rows: &[usize]| {
            DVector::from_iterator(rows.len(), rows.iter().map(|&row| x[row]))
        };
        // r_F = −W_FF⁻¹ (q_F + W_FR r_R)
        let (mut held, mut answer) = (DVector::zeros(0), DMatrix::zeros(0, pressed.len()));
        if !fast.is_empty() {
            let inverse = part(&fast, &fast).svd(true, true).pseudo_inverse(self.tol.dependent);
            let inverse = inverse.map_err(ToString::to_string)?;
            held = -(&inverse * of(&q, &fast));
            answer = -(inverse * part(&fast, &pressed));
        }
        let coupled = part(&pressed, &fast);
        let pushed = self
            .coulomb(&(part(&pressed, &pressed) + &coupled * &answer), of(&q, &pressed) + &coupled * &held)?;
        let held = held + answer * &pushed;
        let mut r = DVector::zeros(q.len());
        pressed
            .iter()
            .zip(pushed.iter())
            .chain(fast.iter().zip(held.iter()))
            .for_each(|(&row, x)| r[row] = *x);
        let u = &W * &r + q;
        self.accept(&W, &r, &u)?;
        Ok(self.turned_back(&r, &u))
    }

    /// W and q with normals turned to the sides on which contacts are pressed, and with friction along slips in the columns of normals.
    fn turned(&self, W: &DMatrix<f64>, q: &DVector<f64>) -> (DMatrix<f64>, DVector<f64>) {
        let (mut W, mut q) = (W.clone(), q.clone());
        for (c, way) in self.ways.iter().enumerate() {
            let Way::Pressed(side) = *way else { continue };
            let normal = c * self.dim;
            W.column_mut(normal).scale_mut(side);
            W.row_mut(normal).scale_mut(side);
            q[normal] *= side;
        }
        for (c, grip) in self.grips.iter().enumerate() {
            let (Some(along), Way::Pressed(_)) = (grip.along, self.ways[c]) else { continue };
            let normal = c * self.dim;
            for k in 1..self.dim {
                let drag = W.column(normal + k) * (grip.friction.mu() * along[k - 1]);
                let mut column = W.column_mut(normal);
                column -= drag;
            }
        }
        (W, q)
    }

    /// r and u along the contacts' own normals.
    fn turned_back(&self, r: &DVector<f64>, u: &DVector<f64>) -> (Vec<f64>, Vec<f64>) {
        let (mut r, mut u) = (r.as_slice().to_vec(), u.as_slice().to_vec());
        for (c, way) in self.ways.iter().enumerate() {
            if let Way::Pressed(side) = *way {
                r[c * self.dim] *= side;
                u[c * self.dim] *= side;
            }
        }
        (r, u)
    }

    /// The problem of the contacts that are pressed.
    fn coulomb(&self, W: &DMatrix<f64>, q: DVector<f64>) -> Result<DVector<f64>, String> {
        let m = q.len();
        if m == 0 {
            return Ok(q);
        }
        let pressed = self.grips.iter().zip(self.ways).filter(|(_, way)| matches!(way, Way::Pressed(_)));
        let friction = pressed.map(|(grip, _)| if grip.along.is_some() { 0.0 } else { grip.friction.mu() });
        let dense: Vec<Vec<f64>> = (0..m).map(|i| (0..m).map(|j| W[(i, j)]).collect()).collect();
        let W = Sparse::from_dense("D", &dense, m).map_err(|error| error.to_string())?;
        let problem = Problem::local(self.dim, friction.collect(), &W, q.as_slice().to_vec());
        let request = Request { tolerance: self.tol.motion, ..Request::default() };
        let session = problem.map_err(|error| error.to_string())?;
        let mut session = Session::new(session, request).map_err(|error| error.to_string())?;
        let solution = session.solve(Start::Cold);
        if solution.outcome == Outcome::Solved || solution.residual.relative <= self.tol.solved {
            return Ok(DVector::from_column_slice(&solution.r));
        }
        Err(format!("residual {:e}", solution.residual.relative))
    }

    /// Whether contacts do hold in these ways.
    fn accept(&self, W: &DMatrix<f64>, r: &DVector<f64>, u: &DVector<f64>) -> Result<(), String> {
        let size = |row: usize| -> f64 {
            W.row(row).iter().zip(r.iter()).map(|(w, r)| (w * r).abs()).sum::<f64>() + u[row].abs()
        };
        for (c, (grip, way)) in self.grips.iter().zip(self.ways).enumerate() {
            let row = c * self.dim;
            let band = self.tol.motion * size(row);
            let holds = match way {
                Way::Pressed(_) => !grip.bilateral || u[row].abs() <= self.tol.solved * size(row),
                Way::Fast => grip.bilateral || r[row] * W[(row, row)] >= -band,
                Way::Open => u[row] >= -band,
            };
            if !holds {
                return Err("no way in which contacts hold satisfies their laws".to_string());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
