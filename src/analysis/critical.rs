//! The least friction with a paradox over a box of configurations and parameters: min C/|B|, that is, the maximum
//! of φ = (B/C)².
//!
//! Branch and bound on enclosures, which cannot miss the optimum: φ is evaluated over whole boxes in interval
//! arithmetic, a box is dropped only if its proven upper bound lies below an attained value, and the search ends when
//! no box is left that could be better by more than the stated gap. Bounds are the intersection of the natural
//! enclosure and the mean-value form, with derivatives from dual numbers over intervals; a derivative of one sign
//! moves a box to its face. The attained point is then polished by Newton's method. Samples alone could miss a narrow
//! valley; a Lipschitz constant would have to be guessed; this takes both from the equations themselves.

use super::local::ContactView;
use crate::contact::Slip;
use crate::model::Singular;
use crate::num::{Dual, Interval, Real, Tol};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A, B, C of a contact as a function of the searched variables.
pub trait Mobility {
    /// A, B, C at a point (or over a box).
    ///
    /// # Errors
    /// [`Singular`] if M cannot be factored.
    fn mobility<T: Real>(&self, x: &[T]) -> Result<[T; 3], Singular>;
}

/// The least friction over a box.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GlobalLeast {
    /// μ at which p first vanishes, attained at `at`.
    pub mu: f64,
    /// Direction of slip there.
    pub slip: Slip,
    /// The configuration.
    pub at: Vec<f64>,
    /// No configuration of the box has a paradox below this friction: proven with outward rounding.
    pub certified_lower: f64,
    /// Boxes examined.
    pub boxes: usize,
}

/// The least friction over a box of variables; `None` if B vanishes in it everywhere.
///
/// # Errors
/// [`Singular`] if M cannot be factored where the optimum was sought.
pub fn global_least_friction<M: Mobility>(
    model: &M,
    domain: &[Interval],
    tol: &Tol,
) -> Result<Option<GlobalLeast>, Singular> {
    let mut search = Search::start(model, domain)?;
    let (mut boxes, mut bound) = (0, f64::INFINITY);
    while let Some(region) = search.heap.pop() {
        bound = region.bound;
        let settled = bound <= search.best.0 * (1.0 + tol.search_gap);
        if settled || boxes >= tol.search_boxes {
            break;
        }
        boxes += 1;
        search.split(region)?;
        bound = search.heap.peek().map_or(search.best.0, |region| region.bound);
    }
    search.polish()?;
    let (value, at) = search.best;
    if value <= 0.0 {
        return Ok(None);
    }
    let [_, B, _] = model.mobility(&at)?;
    let slip = if B > 0.0 { Slip::Pos } else { Slip::Neg };
    // 1/√ decreases: outward rounding downward
    let certified_lower = (1.0 / bound.max(value).sqrt().next_up()).next_down();
    Ok(Some(GlobalLeast { mu: 1.0 / value.sqrt(), slip, at, certified_lower, boxes }))
}

struct Region {
    sides: Vec<Interval>,
    bound: f64,
}

impl PartialEq for Region {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Region {}

impl PartialOrd for Region {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Region {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

struct Search<'m, M> {
    model: &'m M,
    domain: Vec<Interval>,
    heap: BinaryHeap<Region>,
    /// Largest φ found, and where.
    best: (f64, Vec<f64>),
}

impl<'m, M: Mobility> Search<'m, M> {
    fn start(model: &'m M, domain: &[Interval]) -> Result<Self, Singular> {
        let middle: Vec<f64> = domain.iter().map(|side| side.middle()).collect();
        let best = (objective(model, &middle)?, middle);
        let mut search = Self { model, domain: domain.to_vec(), heap: BinaryHeap::new(), best };
        search.add(domain.to_vec());
        Ok(search)
    }

    /// Bounds a box and keeps it unless it cannot be better.
    fn add(&mut self, mut sides: Vec<Interval>) {
        let bound = self.bound(&mut sides);
        let middle: Vec<f64> = sides.iter().map(|side| side.middle()).collect();
        if let Ok(value) = objective(self.model, &middle)
            && value > self.best.0
        {
            self.best = (value, middle);
        }
        if bound > self.best.0 {
            self.heap.push(Region { sides, bound });
        }
    }

    /// Halves the widest side, relative to the domain.
    fn split(&mut self, region: Region) -> Result<(), Singular> {
        let relative = |i: &usize| {
            let whole = self.domain[*i].width();
            if whole > 0.0 { region.sides[*i].width() / whole } else { 0.0 }
        };
        let widest = (0..region.sides.len()).max_by(|i, j| relative(i).total_cmp(&relative(j)));
        let Some(i) = widest else { return Ok(()) };
        let (side, middle) = (region.sides[i], region.sides[i].middle());
        if !(side.lo < middle && middle < side.hi) {
            // a single point of the number line: its value is its bound
            return objective(self.model, &region.sides.iter().map(|s| s.middle()).collect::<Vec<_>>())
                .map(|_| ());
        }
        for half in [Interval::new(side.lo, middle), Interval::new(middle, side.hi)] {
            let mut sides = region.sides.clone();
            sides[i] = half;
            self.add(sides);
        }
        Ok(())
    }

    /// An upper bound of φ over a box; sides along which φ is monotone shrink to the better face. The mean-value form
    /// goes from the middle to a point one variable after the other, so that a side may shrink once it is passed.
    fn bound(&self, sides: &mut [Interval]) -> f64 {
        let natural = enclosure(self.model, sides);
        if natural.hi <= self.best.0 {
            return natural.hi;
        }
        let middle: Vec<Interval> = sides.iter().map(|side| Interval::from_f64(side.middle())).collect();
        let mut mean = enclosure(self.model, &middle);
        for i in 0..sides.len() {
            let slope = self.slope(sides, i);
            mean = mean + slope * (sides[i] - middle[i]);
            if slope.lo >= 0.0 {
                sides[i] = Interval::from_f64(sides[i].hi);
            } else if slope.hi <= 0.0 {
                sides[i] = Interval::from_f64(sides[i].lo);
            }
        }
        natural.hi.min(mean.hi)
    }

    /// ∂φ/∂xᵢ over a box.
    fn slope(&self, sides: &[Interval], i: usize) -> Interval {
        let zero = Interval::from_f64(0.0);
        let moving = |(j, &side): (usize, &Interval)| {
            Dual::new(side, if j == i { Interval::from_f64(1.0) } else { zero })
        };
        let x: Vec<Dual<Interval>> = sides.iter().enumerate().map(moving).collect();
        self.model.mobility(&x).map_or(Interval::WHOLE, |[_, B, C]| {
            if C.re.lo > 0.0 { square(B / C).eps } else { Interval::WHOLE }
        })
    }

    /// Newton's method from the best point, as long as it improves.
    fn polish(&mut self) -> Result<(), Singular> {
        loop {
            let Some(step) = self.newton_step()? else { return Ok(()) };
            let clamp = |((x, dx), side): ((&f64, &f64), &Interval)| (x + dx).clamp(side.lo, side.hi);
            let x: Vec<f64> = self.best.1.iter().zip(&step).zip(&self.domain).map(clamp).collect();
            let value = objective(self.model, &x)?;
            if value.is_nan() || value <= self.best.0 {
                return Ok(());
            }
            self.best = (value, x);
        }
    }

    /// −H⁻¹g over the variables that are not held by their bounds.
    fn newton_step(&self) -> Result<Option<Vec<f64>>, Singular> {
        let x = &self.best.1;
        let inside = |&i: &usize| self.domain[i].lo < x[i] && x[i] < self.domain[i].hi;
        let free: Vec<usize> = (0..x.len()).filter(inside).collect();
        let m = free.len();
        if m == 0 {
            return Ok(None);
        }
        let (mut gradient, mut hessian) = (nalgebra::DVector::zeros(m), nalgebra::DMatrix::zeros(m, m));
        for (row, &i) in free.iter().enumerate() {
            for (column, &j) in free.iter().enumerate() {
                let moving = |(k, &x): (usize, &f64)| {
                    let rate = |along: usize| if k == along { 1.0 } else { 0.0 };
                    Dual::new(Dual::new(x, rate(i)), Dual::fixed(rate(j)))
                };
                let point: Vec<Dual<Dual<f64>>> = x.iter().enumerate().map(moving).collect();
                let [_, B, C] = self.model.mobility(&point)?;
                let value = square(B / C);
                gradient[row] = value.re.eps;
                hessian[(row, column)] = value.eps.eps;
            }
        }
        let solution = hessian.lu().solve(&gradient).filter(|step| step.iter().all(|x| x.is_finite()));
        Ok(solution.map(|solution| {
            let mut step = vec![0.0; x.len()];
            for (k, &i) in free.iter().enumerate() {
                step[i] = -solution[k];
            }
            step
        }))
    }
}

fn square<T: Real>(x: T) -> T {
    x.powi(2)
}

/// φ = (B/C)².
fn objective<M: Mobility>(model: &M, x: &[f64]) -> Result<f64, Singular> {
    let [_, B, C] = model.mobility(x)?;
    Ok(square(B / C))
}

/// φ over a box, also bounded by A/C since B² < AC.
fn enclosure<M: Mobility>(model: &M, sides: &[Interval]) -> Interval {
    model.mobility(sides).map_or(Interval::WHOLE, |[A, B, C]| {
        if C.lo <= 0.0 {
            return Interval::WHOLE;
        }
        let direct = square(B / C);
        Interval::new(direct.lo.max(0.0), direct.hi.min((A / C).hi).max(direct.lo.max(0.0)))
    })
}

/// Searched variables of a derived mechanism: tape inputs that vary, the others fixed.
#[derive(Clone, Debug)]
pub struct DomainView<'m> {
    /// The contact.
    pub view: ContactView<'m>,
    /// All tape inputs: t, q, q̇, parameters.
    pub inputs: Vec<f64>,
    /// Places in `inputs` of the searched variables, in the order of the box.
    pub slots: Vec<usize>,
}

impl Mobility for DomainView<'_> {
    fn mobility<T: Real>(&self, x: &[T]) -> Result<[T; 3], Singular> {
        let mut inputs: Vec<T> = self.inputs.iter().map(|&x| T::from_f64(x)).collect();
        for (&slot, &x) in self.slots.iter().zip(x) {
            inputs[slot] = x;
        }
        let local = self.view.local_at(&inputs)?;
        Ok([local.A, local.B, local.C])
    }
}
