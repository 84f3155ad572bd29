//! Forces that are not unique in space, of modes whose directions of slip are known.
//!
//! The unknowns are |λ_N| of a slipping contact, |λ_N|, λ_T of a sticking one, all in cones K; E x = g says that the held rows have no
//! acceleration, and H x ≥ d that gaps open and slips set in where they must. The range of c·x is found by a cone program, and its outer
//! bounds are verified: for any y and z ≥ 0,
//!
//!   c·x ≥ g·y + d·z − Σ δᵢ λ_Nᵢ,   where δᵢ is what c − Eᵀy − Hᵀz lacks to lie in the dual cone at contact i,
//!
//! with outward rounding, and Σ λ_N has such a bound of its own. What the solver says is thus believed nowhere.

use super::cone_program::{ConeProgram, Optimum};
use super::{ForceSet, Forces, UNBOUNDED};
use crate::num::{Interval, Real, Tol};
use crate::predict::contacts::Contacts;
use crate::predict::mode::Mode;
use clarabel::solver::SupportedConeT;

/// The unknown forces of a contact.
#[derive(Clone, Copy, Debug)]
struct Block {
    contact: usize,
    /// Sign of λ_N.
    side: f64,
    /// The force per unit of the one unknown of a contact that slips; one that sticks has three.
    ray: Option<[f64; 3]>,
}

impl Block {
    fn width(&self) -> usize {
        if self.ray.is_some() { 1 } else { 3 }
    }
}

/// A program over the forces of a combination, loads being one.
pub(super) struct Program<'a> {
    contacts: &'a Contacts,
    /// In the order of the columns.
    blocks: Vec<Block>,
    /// Rows without acceleration.
    held: Vec<usize>,
    /// [E | g], then [H | d].
    equal: Vec<(Vec<f64>, f64)>,
    above: Vec<(Vec<f64>, f64)>,
    columns: usize,
}

/// The forces of a combination of contacts whose friction is finite where they stick.
pub(super) fn force_set(contacts: &Contacts, modes: &[Mode], tol: &Tol) -> ForceSet {
    let program = Program::new(contacts, modes, tol);
    if program.columns == 0 {
        return ForceSet::Unknown;
    }
    let refuted = || if program.refuted(tol) { ForceSet::Empty } else { ForceSet::Unknown };
    let Some((centre, room)) = program.centre() else { return refuted() };
    let total: f64 = program.normal().iter().zip(&centre).map(|(n, x)| n * x).sum();
    // forces that are rounding against the load are at the border, however far inside their cones they point
    let room = if total.abs() > tol.marginal { room / total.abs() } else { 0.0 };
    if room < -tol.marginal.sqrt() {
        return refuted();
    }
    let forces = program.forces(&centre);
    if !program.holds(&forces, tol) {
        return ForceSet::Unknown;
    }
    // forces that are not unique may still leave a contact where it is: then it is neither free nor slipping
    let is_inside = room > tol.marginal.sqrt() && program.rises(&forces, tol);
    // inside of all cones forces that are more than their equations are not unique
    let is_bounded = contacts.bounds_forces || !is_inside || program.equal.len() >= program.columns;
    let has_one_motion = program.has_one_motion(tol);
    let most = if is_bounded || !has_one_motion { program.total() } else { f64::INFINITY };
    let found = Forces {
        ranges: program.ranges(is_bounded.then_some(most)),
        moving: if has_one_motion { Vec::new() } else { program.moving(most, tol) },
        shown: forces.iter().map(|x| x * contacts.load).collect(),
    };
    if is_inside { ForceSet::Inside(found) } else { ForceSet::Edge(found) }
}

impl<'a> Program<'a> {
    pub(super) fn new(contacts: &'a Contacts, modes: &[Mode], tol: &Tol) -> Self {
        let block = |(contact, &mode): (usize, &Mode)| {
            let ray = |mode| contacts.rays(contact, mode).first().map(|ray| ray.force);
            match mode {
                Mode::Free => None,
                Mode::Slip { side, .. } => Some(Block { contact, side, ray: ray(mode) }),
                Mode::Stick { side } => Some(Block { contact, side, ray: None }),
            }
        };
        let blocks: Vec<Block> = modes.iter().enumerate().filter_map(block).collect();
        let columns = blocks.iter().map(Block::width).sum();
        let held = contacts.held_rows(modes);
        // rows that follow from the others say the same, or are rounding
        let independent = contacts.basis(&held, tol.dependent).rows;
        let mut program = Self { contacts, blocks, held, equal: Vec::new(), above: Vec::new(), columns };
        program.ask(&independent);
        for rise in modes.iter().enumerate().filter_map(|(i, &mode)| contacts.rise(i, mode)) {
            let mut row = vec![0.0; columns];
            for (line, factor) in rise.terms().map(|(line, factor)| (program.row(line), factor)) {
                row.iter_mut().zip(line).for_each(|(sum, x)| *sum += factor * x);
            }
            program.above.push((row, -rise.of(|row| program.free(row))));
        }
        program
    }

    /// Asks these rows to have no acceleration.
    fn ask(&mut self, rows: &[usize]) {
        self.equal = rows.iter().map(|&row| (self.row(row), -self.free(row))).collect();
    }

    /// The acceleration of a row without forces, in units of the load.
    fn free(&self, row: usize) -> f64 {
        self.contacts.c[row] / self.contacts.load.max(f64::MIN_POSITIVE)
    }

    /// A row of D times the unknown forces.
    fn row(&self, row: usize) -> Vec<f64> {
        let entry = |contact: usize, k: usize| self.contacts.D[(row, self.contacts.normal(contact) + k)];
        let of = |block: &Block| match block.ray {
            Some(ray) => vec![(0..3).map(|k| entry(block.contact, k) * ray[k]).sum()],
            None => {
                vec![block.side * entry(block.contact, 0), entry(block.contact, 1), entry(block.contact, 2)]
            }
        };
        self.blocks.iter().flat_map(of).collect()
    }

    /// λ of all contacts.
    fn forces(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.contacts.c.len()];
        let mut at = 0;
        for block in &self.blocks {
            let first = self.contacts.normal(block.contact);
            match block.ray {
                Some(ray) => (0..3).for_each(|k| out[first + k] = ray[k] * x[at]),
                None => {
                    out[first] = block.side * x[at];
                    out[first + 1..first + 3].copy_from_slice(&x[at + 1..at + 3]);
                }
            }
            at += block.width();
        }
        out
    }

    /// A functional of λ, as one of the unknowns.
    pub(super) fn functional(&self, factor: &[f64]) -> Vec<f64> {
        let of = |block: &Block| {
            let first = self.contacts.normal(block.contact);
            match block.ray {
                Some(ray) => vec![(0..3).map(|k| factor[first + k] * ray[k]).sum()],
                None => vec![block.side * factor[first], factor[first + 1], factor[first + 2]],
            }
        };
        self.blocks.iter().flat_map(of).collect()
    }

    /// E x = g, H x ≥ d, and each contact's forces in its cone, with the variable `room` as distance from its boundary if there is one.
    fn constraints(&self, room: Option<usize>) -> ConeProgram {
        let mut data = ConeProgram::default();
        let dense = |row: &[f64], sign: f64| -> Vec<(usize, f64)> {
            row.iter().enumerate().map(|(j, a)| (j, sign * a)).collect()
        };
        self.equal.iter().for_each(|(row, g)| data.push(dense(row, 1.0).into_iter(), *g));
        data.close(SupportedConeT::ZeroConeT);
        self.above.iter().for_each(|(row, d)| data.push(dense(row, -1.0).into_iter(), -d));
        data.close(SupportedConeT::NonnegativeConeT);
        let mut at = 0;
        for block in &self.blocks {
            let slope = self.slope(block);
            data.push([(at, -slope)].into_iter().chain(room.map(|room| (room, 1.0))), 0.0);
            if block.ray.is_none() {
                data.push([(at + 1, -1.0)].into_iter(), 0.0);
                data.push([(at + 2, -1.0)].into_iter(), 0.0);
            }
            data.close(if block.ray.is_some() {
                SupportedConeT::NonnegativeConeT
            } else {
                SupportedConeT::SecondOrderConeT
            });
            at += block.width();
        }
        if let Some(room) = room {
            // contacts that squeeze a body could keep any
            data.push([(room, 1.0)].into_iter(), 1.0);
            data.close(SupportedConeT::NonnegativeConeT);
        }
        data
    }

    /// μ of a contact that sticks, in the units of the rows; 1 of one that slips.
    fn slope(&self, block: &Block) -> f64 {
        let [n, t] = self.contacts.cone(block.contact);
        if block.ray.is_some() { 1.0 } else { t / n }
    }

    /// Minimises c·x − t, where each contact keeps the distance t ≤ 1 from the boundary of its cone if `with_margin`.
    fn solve(&self, c: &[f64], with_margin: bool) -> Option<Optimum> {
        let mut objective = c.to_vec();
        if with_margin {
            objective.push(-1.0);
        }
        // as well as it can: what it says is checked in any case
        let best = Tol::default().inner_program;
        self.constraints(with_margin.then_some(self.columns)).minimise(&objective, best)
    }

    /// Forces with the most room, against a small price of their sum so that they stay finite, and the room.
    fn centre(&self) -> Option<(Vec<f64>, f64)> {
        let price = Tol::default().tilt;
        let sum: Vec<f64> = self.normal().iter().map(|x| price * x).collect();
        let Optimum { mut x, .. } = self.solve(&sum, true).filter(|optimum| optimum.feasible)?;
        let room = x.pop()?;
        Some((x, room))
    }

    /// Σ |λ_N|, of slip the weight of its ray.
    fn normal(&self) -> Vec<f64> {
        let of = |block: &Block| if block.ray.is_some() { vec![1.0] } else { vec![1.0, 0.0, 0.0] };
        self.blocks.iter().flat_map(of).collect()
    }

    /// Acceleration of a row under forces, and the size of its terms.
    fn acceleration(&self, row: usize, forces: &[f64]) -> (f64, f64) {
        let terms = forces.iter().enumerate().map(|(j, x)| self.contacts.D[(row, j)] * x);
        let size = self.contacts.sizes[row] / self.contacts.load.max(f64::MIN_POSITIVE);
        terms.fold((self.free(row), size), |(sum, size), x| (sum + x, size + x.abs()))
    }

    /// Whether forces hold the modes to the tolerance: accelerations against the sizes of their terms.
    fn holds(&self, forces: &[f64], tol: &Tol) -> bool {
        self.held.iter().all(|&row| {
            let (sum, size) = self.acceleration(row, forces);
            sum.abs() <= tol.solved * size
        })
    }

    /// Whether gaps open and slips set in where they must.
    fn rises(&self, forces: &[f64], tol: &Tol) -> bool {
        let scale = self.acceleration_scale(forces);
        let x = self.unknowns_of(forces);
        self.above.iter().all(|(row, d)| {
            let value: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum::<f64>() - d;
            value > tol.solved * scale
        })
    }

    fn acceleration_scale(&self, forces: &[f64]) -> f64 {
        (0..forces.len()).map(|row| self.acceleration(row, forces).1).fold(0.0, f64::max)
    }

    /// The unknowns that forces are made of.
    fn unknowns_of(&self, forces: &[f64]) -> Vec<f64> {
        let of = |block: &Block| {
            let first = self.contacts.normal(block.contact);
            match block.ray {
                Some(ray) => {
                    let place = (0..3).max_by(|&i, &j| ray[i].abs().total_cmp(&ray[j].abs())).unwrap_or(0);
                    vec![forces[first + place] / ray[place]]
                }
                None => vec![block.side * forces[first], forces[first + 1], forces[first + 2]],
            }
        };
        self.blocks.iter().flat_map(of).collect()
    }

    /// c·x ≥ g·y + d·z − Σ δᵢ λ_Nᵢ: the first part, and the δ of each contact.
    fn weak_duality(&self, c: &[f64], optimum: &Optimum) -> (f64, Vec<f64>) {
        let exact = Interval::from_f64;
        let mut left: Vec<Interval> = c.iter().map(|&x| exact(x)).collect();
        let mut value = exact(0.0);
        let (equal, above) = optimum.z.split_at(self.equal.len());
        let multipliers = equal.iter().map(|y| -y).chain(above.iter().map(|z| z.max(0.0)));
        for ((row, offset), y) in self.equal.iter().chain(&self.above).zip(multipliers) {
            value = value + exact(y) * exact(*offset);
            left.iter_mut().zip(row).for_each(|(left, &a)| *left = *left - exact(y) * exact(a));
        }
        let mut at = 0;
        let lack = |block: &Block| {
            let lacking = match block.ray {
                Some(_) => -left[at],
                None => {
                    let [N, T1, T2] = [0, 1, 2].map(|k| left[at + k]);
                    exact(self.slope(block)) * (T1.square() + T2.square()).sqrt() - N
                }
            };
            at += block.width();
            lacking.hi.max(0.0)
        };
        (value.lo, self.blocks.iter().map(lack).collect())
    }

    /// A verified upper bound of Σ λ_N; ∞ if there is none.
    pub(super) fn total(&self) -> f64 {
        let opposite: Vec<f64> = self.normal().iter().map(|x| -x).collect();
        let Some(optimum) = self.solve(&opposite, false).filter(|o| o.feasible) else { return f64::INFINITY };
        let (value, lacking) = self.weak_duality(&opposite, &optimum);
        let worst = lacking.into_iter().fold(0.0, f64::max);
        // −S ≥ value − worst S
        if worst < 0.5 {
            (-value).max(0.0) / (1.0 - worst) * (1.0 + 4.0 * f64::EPSILON)
        } else {
            f64::INFINITY
        }
    }

    /// Verified bounds of a functional of the unknowns, where Σ λ_N ≤ `most`.
    pub(super) fn range(&self, c: &[f64], most: f64) -> [f64; 2] {
        let bound = |c: &[f64]| {
            let Some(optimum) = self.solve(c, false).filter(|o| o.feasible) else { return f64::NEG_INFINITY };
            let (value, lacking) = self.weak_duality(c, &optimum);
            let worst = lacking.into_iter().fold(0.0, f64::max);
            if worst <= 0.0 { value } else { (value - worst * most).next_down() }
        };
        let opposite: Vec<f64> = c.iter().map(|x| -x).collect();
        [bound(c), -bound(&opposite)]
    }

    /// Verified bounds of each force, where Σ λ_N ≤ `most`; without it none but its side.
    fn ranges(&self, most: Option<f64>) -> Vec<[f64; 2]> {
        let each = |row: usize| {
            let factor: Vec<f64> =
                (0..self.contacts.c.len()).map(|j| f64::from(u8::from(j == row))).collect();
            let c = self.functional(&factor);
            if c.iter().all(|c| c.abs() <= 0.0) {
                return [0.0; 2];
            }
            let [low, high] = most.map_or(UNBOUNDED, |most| self.range(&c, most));
            let side = self.blocks.iter().find(|block| 3 * block.contact == row).map(|block| block.side);
            // on its side a contact does not do the opposite
            match side {
                Some(side) if side > 0.0 => [low.max(0.0), high],
                Some(_) => [low, high.min(0.0)],
                None => [low, high],
            }
        };
        let load = self.contacts.load;
        (0..self.contacts.c.len()).map(|row| each(row).map(|x| x * load)).collect()
    }

    /// Rows that are not held whose accelerations depend on the choice of forces, with bounds.
    fn moving(&self, most: f64, tol: &Tol) -> Vec<(usize, [f64; 2])> {
        let contacts = self.contacts;
        let depends = |row: usize| {
            let [low, high] = self.range(&self.row(row), most);
            let wide = high - low > tol.marginal.sqrt();
            wide.then(|| (row, [low, high].map(|x| x * contacts.load + contacts.c[row])))
        };
        (0..contacts.c.len()).filter(|row| !self.held.contains(row)).filter_map(depends).collect()
    }

    /// Whether all forces of these equations have the same accelerations: every row follows from the held ones in the unknowns.
    fn has_one_motion(&self, tol: &Tol) -> bool {
        let rows: Vec<Vec<f64>> = self.equal.iter().map(|(row, _)| row.clone()).collect();
        let all = (0..self.contacts.c.len()).filter(|row| !self.held.contains(row)).map(|row| self.row(row));
        let rank = |rows: &[Vec<f64>]| {
            let mut kept: Vec<Vec<f64>> = Vec::new();
            for row in rows {
                let size = crate::num::dense::norm(row);
                let mut left = row.clone();
                for other in &kept {
                    let along: f64 = left.iter().zip(other).map(|(x, y)| x * y).sum();
                    left.iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
                }
                let length = crate::num::dense::norm(&left);
                if length > tol.dependent.sqrt() * size {
                    kept.push(left.iter().map(|x| x / length).collect());
                }
            }
            kept.len()
        };
        let known = rank(&rows);
        all.into_iter().all(|row| rank(&[&rows[..], &[row]].concat()) == known)
    }

    /// Whether it is proven that no forces hold the modes: y, z with Eᵀy + Hᵀz ∈ −K* and g·y + d·z > 0 for all forces up to a bound that
    /// is a thousand times what acts.
    fn refuted(&self, tol: &Tol) -> bool {
        let none = vec![0.0; self.columns];
        // the multipliers of the program with room: where its optimum is negative they separate
        let Some(optimum) = self.solve(&none, true) else { return false };
        let (value, lacking) = self.weak_duality(&none, &optimum);
        let contacts = self.contacts;
        let acting: f64 = self
            .blocks
            .iter()
            .map(|block| contacts.normal(block.contact))
            .filter(|&row| contacts.D[(row, row)] > 0.0)
            .map(|row| contacts.sizes[row] / contacts.D[(row, row)] / contacts.load.max(f64::MIN_POSITIVE))
            .sum();
        let worst = lacking.into_iter().fold(0.0, f64::max);
        value - worst * acting / tol.marginal.sqrt() > 0.0
    }
}

/// Whether all forces that keep what these modes hold have the same accelerations; bounds of forces are not asked.
pub(crate) fn has_one_motion(contacts: &Contacts, modes: &[Mode], tol: &Tol) -> bool {
    Program::new(contacts, modes, tol).has_one_motion(tol)
}

/// Normal forces alone that keep all contacts without acceleration, to the tolerance; on these sides of what is held.
pub(crate) fn frictionless(contacts: &Contacts, sides: &[f64], tol: &Tol) -> Option<Vec<f64>> {
    let smooth = contacts.smooth();
    let modes: Vec<Mode> = sides.iter().map(|&side| Mode::Slip { along: [0.0; 2], side }).collect();
    let mut program = Program::new(&smooth, &modes, tol);
    program.held = (0..contacts.c.len()).collect();
    let independent = smooth.basis(&program.held, tol.dependent).rows;
    program.ask(&independent);
    let (x, _) = program.centre()?;
    let pressed: Vec<f64> = x.iter().map(|x| x.max(0.0)).collect();
    let forces = program.forces(&pressed);
    let told = |(row, x): (usize, &f64)| x * contacts.load / contacts.unit[row];
    program.holds(&forces, tol).then(|| forces.iter().enumerate().map(told).collect())
}
