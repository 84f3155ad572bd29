//! Equilibria over sets of states in the plane: forces in the friction cones, and of the constraints, that hold the whole mechanism
//! [CV16 6.4]. The load is inside the cone of all forces if it is on the inner side of each of its faces: of each choice of edges that
//! spans a plane with all other edges on one side.

#![allow(non_snake_case)]

use super::terms::{Beyond, Stand, Terms};
use crate::model::Output;
use crate::prove::Formula;
use crate::tape::Value;

/// Planes up to which a balance is stated.
const MOST: usize = 128;

/// A balance of forces.
pub(super) struct Balance {
    /// There are forces.
    pub(super) holds: Formula,
    /// The edges span all generalised forces.
    pub(super) determined: Formula,
}

impl Terms<'_> {
    /// Forces that keep a mechanism at rest.
    pub(super) fn balance(&mut self, contacts: &[usize], stand: &Stand) -> Result<Balance, Beyond> {
        self.planar()?;
        if contacts.is_empty() {
            return Err("no contact is closed");
        }
        if !contacts.iter().all(|&c| self.rests(c, stand)) {
            return Err(
                "an equilibrium is asked of a state at rest: name one with --state, without ranges of velocities",
            );
        }
        let edges = self.edges(contacts)?;
        let n = self.quantities.layout().coordinates;
        let fixed: Vec<Vec<Value>> = self
            .quantities
            .output(Output::ConstraintJacobian)
            .chunks_exact(n.max(1))
            .map(<[Value]>::to_vec)
            .collect();
        let load = self.quantities.output(Output::Bias);
        let free = n.saturating_sub(fixed.len());
        if edges.len() < free {
            return Err(
                "its closed contacts have fewer forces than it has coordinates: it is at rest at single states at most",
            );
        }
        let planes: Vec<u32> =
            (0..1_u32 << edges.len().min(16)).filter(|set| set.count_ones() as usize + 1 == free).collect();
        if planes.len() > MOST || edges.len() > 16 {
            return Err("it has too many coordinates and contacts");
        }
        let (mut holds, mut determined) = (Vec::new(), Vec::new());
        for plane in planes {
            let (inside, outside): (Vec<usize>, Vec<usize>) =
                (0..edges.len()).partition(|i| plane >> i & 1 == 1);
            let side = |terms: &mut Self, beyond: &[Value]| {
                let columns = fixed.iter().chain(inside.iter().map(|&i| &edges[i])).map(Vec::as_slice);
                let rows: Vec<Vec<Value>> = columns.chain([beyond]).map(<[Value]>::to_vec).collect();
                terms.determinant(&rows)
            };
            let sides: Vec<Value> = outside.iter().map(|&i| side(self, &edges[i])).collect();
            let own = side(self, &load);
            let above: Vec<Formula> = sides.iter().map(|&side| self.positive(side)).collect();
            let below: Vec<Formula> = sides.iter().map(|&side| self.negative(side)).collect();
            let (forth, back) = (self.positive(own), self.negative(own));
            determined.extend(above.iter().chain(&below).cloned());
            // all others on one side: the load too
            holds.push(Formula::Any([below, vec![forth]].concat()));
            holds.push(Formula::Any([above, vec![back]].concat()));
        }
        Ok(Balance { holds: Formula::All(holds), determined: Formula::Any(determined) })
    }

    /// W_N ± μ W_T of each contact, W_N without friction.
    fn edges(&mut self, contacts: &[usize]) -> Result<Vec<Vec<Value>>, Beyond> {
        if contacts.iter().any(|&c| self.mechanism.contacts[c].bilateral) {
            return Err("a contact that is held closed from both sides has forces that are not stated yet");
        }
        let n = self.quantities.layout().coordinates;
        let (normal, tangent) = (Output::NormalJacobian, Output::TangentJacobian);
        let [normal, tangent] = [normal, tangent].map(|output| self.quantities.output(output));
        let mut found = Vec::new();
        for &contact in contacts {
            let of = |rows: &[Value]| rows[contact * n..(contact + 1) * n].to_vec();
            let (W, across) = (of(&normal), of(&tangent));
            if self.is_smooth(contact) {
                found.push(W);
                continue;
            }
            let mu = self.friction(contact);
            let builder = self.quantities.builder();
            let across: Vec<Value> = across.into_iter().map(|x| builder.mul(mu, x)).collect();
            found.push(W.iter().zip(&across).map(|(&x, &y)| builder.add(x, y)).collect());
            found.push(W.iter().zip(&across).map(|(&x, &y)| builder.sub(x, y)).collect());
        }
        Ok(found)
    }
}
