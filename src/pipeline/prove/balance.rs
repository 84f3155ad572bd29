//! Equilibria over sets of states in the plane: forces in the friction cones, and of the constraints, that hold the whole mechanism
//! [CV16 6.4]. The load is inside the cone of all forces if it is on the inner side of each of its faces: of each choice of edges that
//! spans a plane with all other edges on one side.

#![allow(non_snake_case)]

use super::modes::any;
use super::terms::{Beyond, Stand, Terms};
use crate::model::Output;
use crate::prove::Formula;
use crate::tape::Value;

/// Choices of edges up to which a balance is stated, and edges.
const MOST: usize = 128;
const EDGES: usize = 16;

/// A balance of forces.
pub(super) struct Balance {
    /// There are forces.
    pub(super) holds: Formula,
    /// There are none, and the load is not on the border of what they can carry.
    pub(super) fails: Formula,
    /// The edges span all generalised forces.
    pub(super) determined: Formula,
}

/// The two edges of a contact with friction, by their places, and what they are made of: W_N ± μ W_T.
pub(super) struct Pair {
    pub(super) edges: [usize; 2],
    pub(super) normal: Vec<Value>,
    pub(super) tangent: Vec<Value>,
    pub(super) mu: Value,
}

/// What acts on a mechanism at rest.
pub(super) struct Resting {
    /// Generalised forces along the edges of the friction cones.
    pub(super) edges: Vec<Vec<Value>>,
    pub(super) pairs: Vec<Pair>,
    /// Those of the constraints.
    pub(super) fixed: Vec<Vec<Value>>,
    /// What all of them have to balance.
    pub(super) load: Vec<Value>,
    /// Directions that constraints leave.
    pub(super) free: usize,
}

impl Terms<'_> {
    /// Forces that keep a mechanism at rest, with contacts that press on any of their sides.
    pub(super) fn balance(&mut self, contacts: &[usize], stand: &Stand) -> Result<Balance, Beyond> {
        let (mut holds, mut fails, mut determined) = (Vec::new(), Vec::new(), Formula::Any(Vec::new()));
        for sides in self.sides(contacts) {
            let one = self.balance_on(contacts, &sides, stand)?;
            holds.push(one.holds);
            fails.push(one.fails);
            // on either side the edges span the same
            determined = one.determined;
        }
        Ok(Balance { holds: any(holds), fails: Formula::All(fails), determined })
    }

    fn balance_on(&mut self, contacts: &[usize], sides: &[f64], stand: &Stand) -> Result<Balance, Beyond> {
        let Resting { edges, fixed, load, free, .. } = self.resting(contacts, sides, stand)?;
        let (mut holds, mut fails, mut determined) = (Vec::new(), Vec::new(), Vec::new());
        let planes = free.checked_sub(1).map_or(Ok(Vec::new()), |count| chosen(edges.len(), count, MOST))?;
        for inside in planes {
            let outside: Vec<usize> = (0..edges.len()).filter(|i| !inside.contains(i)).collect();
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
            let [none_above, none_below] = [&above, &below].map(|some| self.not(&Formula::Any(some.clone())));
            fails.extend([
                Formula::All(vec![none_below, back.clone()]),
                Formula::All(vec![none_above, forth.clone()]),
            ]);
            // all others on one side: the load too
            holds.push(Formula::Any([below, vec![forth]].concat()));
            holds.push(Formula::Any([above, vec![back]].concat()));
        }
        let (holds, determined) = (Formula::All(holds), Formula::Any(determined));
        Ok(Balance { holds, fails: Formula::Any(fails), determined })
    }

    /// What acts on a mechanism at rest whose contacts press on these sides.
    pub(super) fn resting(
        &mut self,
        contacts: &[usize],
        sides: &[f64],
        stand: &Stand,
    ) -> Result<Resting, Beyond> {
        self.planar()?;
        if contacts.is_empty() {
            return Err("no contact is closed");
        }
        if !contacts.iter().all(|&c| self.rests(c, stand)) {
            return Err(
                "an equilibrium is asked of a state at rest: name one with --state, without ranges of velocities",
            );
        }
        let ((edges, pairs), fixed) = (self.edges(contacts, sides), self.quantities.constraint_rows());
        self.suppose_independent(&fixed);
        let load = self.quantities.output(Output::Bias);
        let free = load.len().saturating_sub(fixed.len());
        if edges.len() < free {
            return Err(
                "its closed contacts have fewer forces than it has coordinates: it is at rest at single states at most",
            );
        }
        Ok(Resting { edges, pairs, fixed, load, free })
    }

    /// Whether a balance can be stated face by face.
    pub(super) fn has_few_faces(&mut self, contacts: &[usize]) -> bool {
        let edges = self.edges(contacts, &vec![1.0; contacts.len()]).0.len();
        self.motions().checked_sub(1).is_none_or(|count| chosen(edges, count, MOST).is_ok())
    }

    /// From now on rows are taken to be independent, where rails are among them: constraints are.
    fn suppose_independent(&mut self, rows: &[Vec<Value>]) {
        if self.rails.is_empty() {
            return;
        }
        let builder = self.quantities.builder();
        let products = |row: &Vec<Value>| rows.iter().map(|other| builder.dot(row, other)).collect();
        let gram: Vec<Vec<Value>> = rows.iter().map(products).collect();
        let size = self.determinant(&gram);
        let independent = self.positive(size);
        if !self.supposed.contains(&independent) {
            self.supposed.push(independent);
        }
    }

    /// Of no choice of edges, one more than their forces determine, are the weights that add up to nothing all of one sign: by the signs of the
    /// determinants without one of them. Where they are, these forces cancel each other, and the contacts wedge   [ACLM11 (5.1)].
    pub(super) fn nothing_cancels(&mut self, contacts: &[usize]) -> Result<Formula, Beyond> {
        self.planar()?;
        let mut all = Vec::new();
        for sides in self.sides(contacts) {
            all.extend(self.nothing_cancels_on(contacts, &sides)?);
        }
        Ok(Formula::All(all))
    }

    fn nothing_cancels_on(&mut self, contacts: &[usize], sides: &[f64]) -> Result<Vec<Formula>, Beyond> {
        let ((edges, _), fixed) = (self.edges(contacts, sides), self.quantities.constraint_rows());
        let count = self.motions() + 1;
        let mut all = Vec::new();
        for chosen in chosen(edges.len(), count, MOST)? {
            let columns: Vec<&Vec<Value>> = fixed.iter().chain(chosen.iter().map(|&i| &edges[i])).collect();
            let mut weights = Vec::new();
            for without in fixed.len()..columns.len() {
                let rest = columns.iter().enumerate().filter(|(k, _)| *k != without);
                let rows: Vec<Vec<Value>> = rest.map(|(_, row)| (*row).clone()).collect();
                let weight = self.determinant(&rows);
                weights.push(if without % 2 == 0 { weight } else { self.quantities.builder().neg(weight) });
            }
            let cancel = weights.split_first().map(|(first, rest)| self.with_sign_of(*first, rest));
            all.extend(cancel.map(|cancel| self.not(&cancel)));
        }
        Ok(all)
    }

    /// W_N ± μ W_T of each contact, W_N without friction; of those that press on the other side −W_N. Forces of rails are among the constraints.
    fn edges(&mut self, contacts: &[usize], sides: &[f64]) -> (Vec<Vec<Value>>, Vec<Pair>) {
        let n = self.quantities.layout().coordinates;
        let (normal, tangent) = (Output::NormalJacobian, Output::TangentJacobian);
        let [normal, tangent] = [normal, tangent].map(|output| self.quantities.output(output));
        let (mut found, mut pairs) = (Vec::new(), Vec::new());
        for (&contact, &side) in contacts.iter().zip(sides) {
            if self.is_rail(contact) {
                continue;
            }
            let of = |rows: &[Value]| rows[contact * n..(contact + 1) * n].to_vec();
            let (mut W, tangent) = (of(&normal), of(&tangent));
            if side < 0.0 {
                W.iter_mut().for_each(|x| *x = self.quantities.builder().neg(*x));
            }
            if self.is_smooth(contact) {
                found.push(W);
                continue;
            }
            let mu = self.friction(contact);
            let builder = self.quantities.builder();
            let across: Vec<Value> = tangent.iter().map(|&x| builder.mul(mu, x)).collect();
            found.push(W.iter().zip(&across).map(|(&x, &y)| builder.add(x, y)).collect());
            found.push(W.iter().zip(&across).map(|(&x, &y)| builder.sub(x, y)).collect());
            pairs.push(Pair { edges: [found.len() - 2, found.len() - 1], normal: W, tangent, mu });
        }
        (found, pairs)
    }
}

/// All choices of so many edges, if there are at most so many of them.
pub(super) fn chosen(edges: usize, count: usize, most: usize) -> Result<Vec<Vec<usize>>, Beyond> {
    let sets = (0..1_u32 << edges.min(EDGES)).filter(|set| set.count_ones() as usize == count);
    let found: Vec<Vec<usize>> = sets.map(|set| (0..edges).filter(|i| set >> i & 1 == 1).collect()).collect();
    let few = found.len() <= most && edges <= EDGES;
    if few { Ok(found) } else { Err("it has too many coordinates and contacts") }
}
