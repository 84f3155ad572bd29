//! No reverse chatter: of a pressed contact in the plane whose bounces end in stick, e_eff ≤ 1   [CV16 (29)].
//!
//! With A, B, C of the contact, Δ = AC − B², s the sign of a, p and k = μA ∓ B those of slip s, and ρ = 2|a|/(|b| k): an impact at
//! u⁻/|v⁻| = 2|a|/|b| stops slipping at the gap rate v_s = −1 + pρ. Multiplied by y = |b| k > 0, V = y v_s = 2|a| p − y. Then
//!
//! * energetic: p e_eff² = e²[p v_s² + (Δ/A)(1 − v_s²)] for v_s < 0, p v_s² + (Δ/A)(e² − v_s²) for 0 ≤ v_s < e;
//! * Poisson: e_eff = e[1 + (Δ/A − p) ρ] for v_s < 0, p e_eff = −p + (Δ/A)(1 + e) − p (Δ/A − p) ρ for 0 ≤ v_s < e;
//! * e beyond that, and with Newton's law.
#![allow(non_snake_case)]

use super::terms::{Beyond, Terms};
use crate::format::RestitutionLaw;
use crate::prove::Formula;
use crate::tape::Value;

/// The numbers of one direction of slip, and e.
struct Way {
    p: Value,
    /// |a|.
    a: Value,
    y: Value,
    V: Value,
    e: Value,
    A: Value,
    /// Δ = AC − B².
    D: Value,
}

impl Terms<'_> {
    /// What is assumed, b < 0 and |B| < μA, and that e_eff ≤ 1.
    pub(super) fn no_reverse_chatter(&mut self, contact: usize) -> Result<(Vec<Formula>, Formula), Beyond> {
        let mechanism = self.mechanism;
        let restitution = &mechanism.contacts[contact].restitution;
        let e = self.expression(&restitution.value, &[]);
        let row = self.row(contact);
        let [C, B, A] =
            [(row, row), (row, row + 1), (row + 1, row + 1)].map(|(i, j)| self.quantities.mobility(i, j));
        let mu = self.friction(contact);
        let [plus, minus] = self.plus_and_minus(contact);
        let (a, b) = (self.free(contact, 1), self.free(contact, 0));
        let builder = self.quantities.builder();
        let (against, pressing, backward) = (builder.neg(b), builder.neg(b), builder.neg(a));
        let holding = builder.mul(mu, A);
        let [right, left] = [builder.sub(holding, B), builder.add(holding, B)];
        let (whole, square) = (builder.mul(A, C), builder.mul(B, B));
        let D = builder.sub(whole, square);
        let assumed = vec![self.positive(against), self.positive(right), self.positive(left)];
        let mut ways = Vec::new();
        for (p, k, size, other) in [(plus, right, a, backward), (minus, left, backward, a)] {
            let builder = self.quantities.builder();
            let y = builder.mul(pressing, k);
            let (twice, p_a) = (builder.constant(2.0), builder.mul(size, p));
            let rate = builder.mul(twice, p_a);
            let V = builder.sub(rate, y);
            let way = Way { p, a: size, y, V, e, A, D };
            let not = self.non_negative(other);
            let bounded = match restitution.law {
                RestitutionLaw::Newton => self.at_most_one(e),
                RestitutionLaw::Energetic => self.energetic(&way),
                RestitutionLaw::Poisson => self.poisson(&way),
            };
            ways.push(Formula::Any(vec![not, bounded]));
        }
        Ok((assumed, Formula::All(ways)))
    }

    fn non_negative(&mut self, value: Value) -> Formula {
        Formula::NonNegative(self.atom(value))
    }

    fn at_most_one(&mut self, e: Value) -> Formula {
        let builder = self.quantities.builder();
        let one = builder.constant(1.0);
        let rest = builder.sub(one, e);
        self.non_negative(rest)
    }

    /// The three cases of v_s, each with what it asks for.
    fn by_rate(&mut self, way: &Way, compression: Formula, restitution: Formula) -> Formula {
        let builder = self.quantities.builder();
        let above = builder.mul(way.e, way.y);
        let (beyond, below) = (builder.sub(way.V, above), builder.neg(way.V));
        let (rising, falling) = (self.non_negative(way.V), self.positive(below));
        let (past, before) = (self.non_negative(beyond), {
            let less = self.quantities.builder().neg(beyond);
            self.positive(less)
        });
        let slipping = self.at_most_one(way.e);
        Formula::All(vec![
            Formula::Any(vec![rising, compression]),
            Formula::Any(vec![falling, past, restitution]),
            Formula::Any(vec![before, slipping]),
        ])
    }

    /// y² A (p − p e_eff²) has the sign of p.
    fn energetic(&mut self, way: &Way) -> Formula {
        let &Way { p, y, V, e, A, D, .. } = way;
        let builder = self.quantities.builder();
        let [y2, V2, e2] = [y, V, e].map(|x| builder.mul(x, x));
        let pA = builder.mul(p, A);
        let (all, kept) = (builder.mul(y2, pA), builder.mul(V2, pA));
        // p v_s² + (Δ/A)(reach − v_s²), multiplied by y² A
        let reached = builder.mul(e2, y2);
        let [compressed, restored] = [y2, reached].map(|reach| {
            let lost = builder.sub(reach, V2);
            let won = builder.mul(D, lost);
            builder.add(kept, won)
        });
        let compressed = builder.mul(e2, compressed);
        let [first, second] = [compressed, restored].map(|sum| builder.sub(all, sum));
        let (against, opposite) = (builder.neg(p), builder.neg(first));
        let forward = Formula::All(vec![self.positive(p), self.non_negative(first)]);
        let backward = Formula::All(vec![self.positive(against), self.non_negative(opposite)]);
        let restitution = self.non_negative(second);
        self.by_rate(way, Formula::Any(vec![forward, backward]), restitution)
    }

    /// 1 − e_eff, multiplied by yA, or by pyA.
    fn poisson(&mut self, way: &Way) -> Formula {
        let &Way { p, a, y, e, A, D, .. } = way;
        let builder = self.quantities.builder();
        let (yA, pA, two) = (builder.mul(y, A), builder.mul(p, A), builder.constant(2.0));
        let rest = builder.sub(D, pA);
        let twice = builder.mul(two, a);
        let gained = builder.mul(rest, twice);
        let sum = builder.add(yA, gained);
        let grown = builder.mul(e, sum);
        let first = builder.sub(yA, grown);
        // 2 p y A − Δ (1 + e) y + (Δ − pA) 2|a| p
        let one = builder.constant(1.0);
        let more = builder.add(one, e);
        let (twice_p, restored, lost) = (builder.mul(two, p), builder.mul(D, more), builder.mul(gained, p));
        let (all, restored) = (builder.mul(twice_p, yA), builder.mul(restored, y));
        let left = builder.sub(all, restored);
        let second = builder.add(left, lost);
        let (compression, restitution) = (self.non_negative(first), self.non_negative(second));
        self.by_rate(way, compression, restitution)
    }
}
