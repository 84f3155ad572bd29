//! The course of an impact in the plane: regions 1 to 10 of Fig. 10 of \[CV16\], as signs.
//!
//! In slip s the gap rate grows by p and the slip shrinks by k = μA − sB per unit normal impulse, so that the slip ends at the gap rate
//! v⁻ + p|u⁻|/k. Odd numbers are those of s > 0:
//!
//! * 1, 2 it does not end: p > 0 and p|u⁻| > (1 + e) k|v⁻|;
//! * 3, 4 (stick), 7, 8 (reversal) in restitution: k > 0 and k|v⁻| < p|u⁻| < (1 + e) k|v⁻|;
//! * 5, 6 (stick), 9, 10 (reversal) in compression: k > 0 and p|u⁻| < k|v⁻|;
//!
//! and then it sticks if the other direction's k is positive, too, else the slip reverses.
#![allow(non_snake_case)]

use super::terms::{Beyond, Terms};
use crate::model::Block;
use crate::prove::Formula;

impl Terms<'_> {
    /// What is assumed, an approach, and that the impact is of a region.
    pub(super) fn region(&mut self, contact: usize, region: u8) -> Result<(Vec<Formula>, Formula), Beyond> {
        self.planar()?;
        self.strikes_alone()?;
        let e = self.expression(&self.mechanism.contacts[contact].restitution.value, &[]);
        let odd = region % 2 == 1;
        let u = self.slip(contact)[0];
        let rate = self.quantities.rates(Block::GapVelocity)[contact];
        let row = self.row(contact);
        let [B, A] = [row, row + 1].map(|column| self.quantities.mobility(row + 1, column));
        let [plus, minus] = self.plus_and_minus(contact);
        let mu = self.friction(contact);
        let builder = self.quantities.builder();
        let holding = builder.mul(mu, A);
        let (right, left) = (builder.sub(holding, B), builder.add(holding, B));
        let ((k, other), p) = if odd { ((right, left), plus) } else { ((left, right), minus) };
        let (speed, approach) = (if odd { u } else { builder.neg(u) }, builder.neg(rate));
        let (risen, ended) = (builder.mul(p, speed), builder.mul(k, approach));
        let one = builder.constant(1.0);
        let more = builder.add(one, e);
        let whole = builder.mul(more, ended);
        let (past, left_over) = (builder.sub(risen, ended), builder.sub(whole, risen));
        let reversal = builder.neg(other);
        let (beyond, short) = (builder.neg(left_over), builder.neg(past));
        let course = match region.div_ceil(2) {
            1 => vec![p, beyond],
            2 => vec![k, past, left_over, other],
            3 => vec![k, short, other],
            4 => vec![k, past, left_over, reversal],
            _ => vec![k, short, reversal],
        };
        let claimed = [vec![speed], course].concat().into_iter().map(|value| self.positive(value)).collect();
        Ok((vec![self.positive(approach)], Formula::All(claimed)))
    }
}
