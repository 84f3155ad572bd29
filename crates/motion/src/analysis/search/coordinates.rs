//! Which variables a search has: those of the domain on which the answer depends, and the coordinates that the equations
//! determine. What neither the domain nor the equations fix is asked for.
//!
//! * An equation with a coordinate of its own, which neither φ nor another equation reads and along which it grows (or falls)
//!   at a rate that is bounded away from zero, can be met everywhere: it is put aside, and the coordinate follows.
//! * The other coordinates that are not in the domain must be matched with equations, one each.
//! * Their ranges: a whole turn where the tape proves the period 2π, otherwise what the equations leave of the whole line.

use super::linear::linear_bounds;
use crate::num::{InOrder, Interval, Real, Tol};
use crate::tape::{Enclosure, Tape};
use std::f64::consts::PI;

/// The variables of a search.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Tape inputs that vary.
    pub slots: Vec<usize>,
    /// Their ranges.
    pub sides: Vec<Interval>,
    /// Outputs of the equations that are kept.
    pub kept: Vec<usize>,
    /// Coordinates that follow, each with the equation it meets, in the order in which to solve.
    pub following: Vec<(usize, usize)>,
    /// Coordinates that no equation is left for: to be named in the domain.
    pub needs: Vec<usize>,
    /// Coordinates that equations determine, within no bounds that are found: to be named, too.
    pub unbounded: Vec<usize>,
    /// Whether the equations are proven to have no solution in the domain.
    pub empty: bool,
}

impl Plan {
    /// Coordinates to be named in the domain.
    pub fn asked(&self) -> &[usize] {
        if self.needs.is_empty() { &self.unbounded } else { &self.needs }
    }
}

/// What a plan is made from.
pub struct Structure<'s> {
    /// Output 0 is φ, the others are equations.
    pub tape: &'s Tape,
    /// All tape inputs.
    pub inputs: &'s [f64],
    /// Tape inputs that are coordinates.
    pub coordinates: std::ops::Range<usize>,
    /// Ranges of tape inputs, from the domain.
    pub ranges: &'s [(usize, Interval)],
    /// Coordinates that equations are left for first, in this order.
    pub first: &'s [usize],
}

impl Structure<'_> {
    /// The plan of a search.
    pub fn plan(&self, tol: &Tol) -> Plan {
        let mut plan = Plan { kept: (1..self.tape.outputs()).collect(), ..Plan::default() };
        while let Some((slot, equation)) = self.own_coordinate(&plan.kept) {
            plan.kept.retain(|&e| e != equation);
            plan.following.insert(0, (slot, equation));
        }
        let open: Vec<usize> = self
            .coordinates
            .clone()
            .filter(|&slot| self.is_open(slot) && self.matters(slot, &plan.kept))
            .collect();
        plan.needs = self.unmatched(&open, &plan.kept);
        let ranged = self.ranges.iter().filter(|(slot, _)| self.matters(*slot, &plan.kept));
        let mut variables: Vec<(usize, Interval)> = ranged.copied().collect();
        variables.extend(open.iter().map(|&slot| (slot, self.open_range(slot))));
        variables.put_in_order_of(|v| v.0);
        (plan.slots, plan.sides) = variables.into_iter().unzip();
        self.bound(&mut plan, tol);
        plan
    }

    /// Whether a coordinate is not in the domain.
    fn is_open(&self, slot: usize) -> bool {
        self.ranges.iter().all(|range| range.0 != slot)
    }

    /// Whether φ or a kept equation reads an input.
    fn matters(&self, slot: usize, kept: &[usize]) -> bool {
        let reads = self.tape.reads(slot);
        reads[0] || kept.iter().any(|&e| reads[e])
    }

    /// The whole turn of a coordinate in which everything has the period 2π, or the whole line.
    fn open_range(&self, slot: usize) -> Interval {
        let periodic = self.tape.is_periodic(slot).iter().all(|&p| p);
        if periodic { Interval::new(-PI.next_up(), PI.next_up()) } else { Interval::WHOLE }
    }

    /// A coordinate and the only kept equation that reads it, if that can be met by it whatever the others are.
    fn own_coordinate(&self, kept: &[usize]) -> Option<(usize, usize)> {
        self.coordinates.clone().filter(|&slot| self.is_open(slot)).find_map(|slot| {
            let reads = self.tape.reads(slot);
            let mut readers = kept.iter().copied().filter(|&e| reads[e]);
            let (equation, another) = (readers.next()?, readers.next());
            let own = !reads[0] && another.is_none() && self.grows(equation, slot);
            own.then_some((slot, equation))
        })
    }

    /// Whether ∂h/∂x is bounded away from zero for all values of the coordinates and over the ranges.
    fn grows(&self, equation: usize, slot: usize) -> bool {
        let mut slots: Vec<usize> = self.coordinates.clone().filter(|&slot| self.is_open(slot)).collect();
        let mut sides: Vec<Interval> = slots.iter().map(|&slot| self.open_range(slot)).collect();
        slots.extend(self.ranges.iter().map(|range| range.0));
        sides.extend(self.ranges.iter().map(|range| range.1));
        let mut enclosure = Enclosure::new(self.tape, self.inputs, &slots);
        enclosure.enclose(&sides);
        let slopes = enclosure.gradient(&[(equation, Interval::from_f64(1.0))]);
        slots.iter().zip(slopes).any(|(&other, slope)| other == slot && !slope.contains(0.0))
    }

    /// Coordinates that no equation is left for: a largest matching, after those that come first the last coordinates first.
    fn unmatched(&self, open: &[usize], kept: &[usize]) -> Vec<usize> {
        let reads: Vec<Vec<bool>> = open.iter().map(|&slot| self.tape.reads(slot)).collect();
        let edges: Vec<Vec<usize>> =
            reads.iter().map(|r| (0..kept.len()).filter(|&e| r[kept[e]]).collect()).collect();
        let mut owner: Vec<Option<usize>> = vec![None; kept.len()];
        let mut needs = Vec::new();
        let first = self.first.iter().filter_map(|first| open.iter().position(|slot| slot == first));
        let others = (0..open.len()).rev().filter(|&i| !self.first.contains(&open[i]));
        for i in first.chain(others) {
            let mut seen = vec![false; kept.len()];
            if !augment(i, &edges, &mut owner, &mut seen) {
                needs.push(open[i]);
            }
        }
        needs.put_in_order_of(|slot| *slot);
        needs
    }

    /// Narrows the ranges by the equations; coordinates that stay unbounded are asked for.
    fn bound(&self, plan: &mut Plan, tol: &Tol) {
        let mut enclosure = Enclosure::new(self.tape, self.inputs, &plan.slots);
        for _ in 0..tol.search_passes {
            match enclosure.contract(&plan.kept, &plan.sides) {
                None => plan.empty = true,
                Some(sides) if sides != plan.sides => plan.sides = sides,
                Some(_) => break,
            }
        }
        while !plan.empty && self.bound_together(plan, &mut enclosure) {}
        let unbounded = plan.slots.iter().zip(&plan.sides).filter(|(_, side)| !side.is_bounded());
        let unbounded: Vec<usize> = unbounded.map(|(&slot, _)| slot).collect();
        if !plan.empty && plan.needs.is_empty() {
            plan.unbounded = unbounded;
        }
    }

    /// Bounds some coordinates by as many equations that are linear in them, if there are such.
    fn bound_together(&self, plan: &mut Plan, enclosure: &mut Enclosure) -> bool {
        let unbounded: Vec<usize> = (0..plan.slots.len()).filter(|&k| !plan.sides[k].is_bounded()).collect();
        let reads: Vec<Vec<bool>> = unbounded.iter().map(|&k| self.tape.reads(plan.slots[k])).collect();
        let of = |e: usize| (0..unbounded.len()).filter(|&k| reads[k][e]).collect::<Vec<usize>>();
        for &equation in &plan.kept {
            let own = of(equation);
            let within = |e: &usize| {
                let others = of(*e);
                !others.is_empty() && others.iter().all(|k| own.contains(k))
            };
            let equations: Vec<usize> = plan.kept.iter().copied().filter(within).take(own.len()).collect();
            let places: Vec<usize> = own.iter().map(|&k| unbounded[k]).collect();
            if places.is_empty() || equations.len() < places.len() {
                continue;
            }
            if let Some(found) = linear_bounds(enclosure, &plan.sides, &places, &equations) {
                places.iter().zip(found).for_each(|(&k, side)| plan.sides[k] = plan.sides[k].intersect(side));
                return true;
            }
        }
        false
    }
}

/// Gives coordinate `i` an equation, moving others if they have a choice.
fn augment(i: usize, edges: &[Vec<usize>], owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for &e in &edges[i] {
        if !std::mem::replace(&mut seen[e], true)
            && owner[e].is_none_or(|other| augment(other, edges, owner, seen))
        {
            owner[e] = Some(i);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
