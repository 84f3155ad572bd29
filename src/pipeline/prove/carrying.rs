//! Equilibria of many contacts over sets of states in the plane, where the faces of the cone of all forces are too many: that some
//! edges, as many as there are motions, carry the load; and that they cannot, since it pulls into a motion against which no force acts
//! (Farkas). Both are found at a sample of states, and enough, not necessary: each state of the set has to be served by one of them.
#![allow(non_snake_case)]

use super::balance::{Pair, Resting, chosen};
use super::terms::{Beyond, Stand, Terms};
use crate::num::dense::{dot, norm};
use crate::prove::Formula;
use crate::tape::{Tape, Value};
use nalgebra::{DMatrix, DVector};

/// Choices of edges up to which all are tried at a sample.
const MOST: usize = 20_000;
/// Steps in search of a motion, and the share of its length by which an end may be less far along it.
const STEPS: usize = 4000;
const NEAR: f64 = 1.0 / 16.0;
/// The part of its share at one state that the least weight of a choice has at another one which it serves, too.
const NEARLY: f64 = 0.5;

impl Terms<'_> {
    /// That one of some choices of edges carries the load.
    pub(super) fn carried(&mut self, contacts: &[usize], stand: &Stand) -> Result<Formula, Beyond> {
        let resting = self.resting_on_one_side(contacts, stand)?;
        let (tape, mut choices) = (self.tape(&resting), Vec::<(f64, Vec<usize>)>::new());
        for sample in &stand.samples {
            let acting = Acting::at(&tape, &resting, sample);
            // what is nearly as good here as where it was chosen is not looked for anew
            let serves = |(had, choice): &(f64, Vec<usize>)| {
                acting.least_share(choice).is_some_and(|share| share > NEARLY * had)
            };
            if !choices.iter().any(serves) {
                choices.extend(acting.carrying(resting.free)?);
            }
        }
        Ok(Formula::Any(choices.iter().map(|(_, choice)| self.carries(&resting, choice)).collect()))
    }

    /// That no load pulls into one of some motions against which no force acts.
    pub(super) fn nothing_tips(&mut self, contacts: &[usize], stand: &Stand) -> Result<Formula, Beyond> {
        let resting = self.resting_on_one_side(contacts, stand)?;
        if !resting.fixed.is_empty() {
            return Err("motions that keep constraints are not stated yet");
        }
        let (tape, mut all) = (self.tape(&resting), Vec::new());
        for sample in &stand.samples {
            if let Some(motion) = Acting::at(&tape, &resting, sample).tipping() {
                let tips = self.tips(&resting, &motion);
                all.push(self.not(&tips));
            }
        }
        Ok(Formula::All(all))
    }

    /// Forces that are sought at a sample of states press on sides that are known.
    fn resting_on_one_side(&mut self, contacts: &[usize], stand: &Stand) -> Result<Resting, Beyond> {
        match &self.sides(contacts)[..] {
            [sides] => self.resting(contacts, sides, stand),
            _ => Err(
                "it has too many contacts to look at each side on which those with friction that are held from both press: hold their friction at 0",
            ),
        }
    }

    /// That the edges of a choice, with the constraints, add up to the load with weights above zero. Where both edges of a contact are chosen, the
    /// same is said of its force (n, t): μ n > |t|, by determinants without μ.
    fn carries(&mut self, resting: &Resting, choice: &[usize]) -> Formula {
        let whole = |pair: &&Pair| pair.edges.iter().all(|edge| choice.contains(edge));
        let pairs: Vec<&Pair> = resting.pairs.iter().filter(whole).collect();
        let single = |edge: &&usize| !pairs.iter().any(|pair| pair.edges.contains(edge));
        let singles = choice.iter().filter(single).map(|&i| &resting.edges[i]);
        let forces = pairs.iter().flat_map(|pair| [&pair.normal, &pair.tangent]);
        let columns: Vec<&Vec<Value>> = resting.fixed.iter().chain(forces).chain(singles).collect();
        let A: Vec<Vec<Value>> =
            (0..columns.len()).map(|row| columns.iter().map(|column| column[row]).collect()).collect();
        let solved = self.solved(&A, &resting.load);
        let (forces, weights) = solved.unknowns[resting.fixed.len()..].split_at(2 * pairs.len());
        let builder = self.quantities.builder();
        let mut above = weights.to_vec();
        for (pair, force) in pairs.iter().zip(forces.chunks_exact(2)) {
            let most = builder.mul(pair.mu, force[0]);
            above.extend([builder.add(most, force[1]), builder.sub(most, force[1])]);
        }
        self.with_sign_of(solved.determinant, &above)
    }

    /// That all forces push along a motion and the load pulls against them: M a + h = W λ has h on the left.
    fn tips(&mut self, resting: &Resting, motion: &[f64]) -> Formula {
        let builder = self.quantities.builder();
        let motion: Vec<Value> = motion.iter().map(|&x| builder.constant(x)).collect();
        let pushes: Vec<Value> = resting.edges.iter().map(|edge| builder.dot(edge, &motion)).collect();
        let held = builder.dot(&resting.load, &motion);
        let mut all = vec![self.negative(held)];
        all.extend(pushes.into_iter().map(|push| self.positive(push)));
        Formula::All(all)
    }

    /// What acts, as a tape.
    fn tape(&mut self, Resting { edges, fixed, load, .. }: &Resting) -> Tape {
        let all: Vec<Value> = fixed.iter().chain(edges).flatten().chain(load).copied().collect();
        self.quantities.builder().clone().finish(&all)
    }
}

/// What acts at a state: forces along edges and of constraints, and the load.
struct Acting {
    fixed: Vec<Vec<f64>>,
    edges: Vec<Vec<f64>>,
    load: Vec<f64>,
}

impl Acting {
    /// At the inputs of a tape.
    fn at(tape: &Tape, Resting { edges, fixed, load, .. }: &Resting, inputs: &[f64]) -> Self {
        let mut outputs = vec![0.0; tape.outputs()];
        tape.eval(inputs, &mut outputs, &mut tape.scratch());
        let mut columns = outputs.chunks_exact(load.len()).map(<[f64]>::to_vec);
        let fixed = columns.by_ref().take(fixed.len()).collect();
        let edges = columns.by_ref().take(edges.len()).collect();
        Acting { fixed, edges, load: columns.next().unwrap_or_default() }
    }

    /// The choice of so many edges whose least weight is the greatest share of all, if it is above zero, with that share.
    fn carrying(&self, count: usize) -> Result<Option<(f64, Vec<usize>)>, Beyond> {
        let choices = chosen(self.edges.len(), count, MOST)?;
        let best = choices.into_iter().filter_map(|choice| Some((self.least_share(&choice)?, choice)));
        let best = best.max_by(|a, b| a.0.total_cmp(&b.0));
        Ok(best.filter(|(share, _)| *share > 0.0))
    }

    fn least_share(&self, choice: &[usize]) -> Option<f64> {
        let columns = self.fixed.iter().chain(choice.iter().map(|&i| &self.edges[i]));
        let columns: Vec<DVector<f64>> = columns.map(|column| DVector::from_column_slice(column)).collect();
        let weights = DMatrix::from_columns(&columns).lu().solve(&DVector::from_column_slice(&self.load))?;
        let weights = &weights.as_slice()[self.fixed.len()..];
        let sum: f64 = weights.iter().map(|w| w.abs()).sum();
        let least = weights.iter().fold(f64::INFINITY, |least: f64, &w| least.min(w));
        (least / sum).is_finite().then_some(least / sum)
    }

    /// A motion along which all edges push, and against which the load does: nearest to the origin of what they span, by Gilbert's method in
    /// coordinates that are measured by what edges have in them.
    fn tipping(&self) -> Option<Vec<f64>> {
        let n = self.load.len();
        let size = |k: usize| self.edges.iter().fold(0.0, |most: f64, edge| most.max(edge[k].abs()));
        let sizes: Vec<f64> = (0..n).map(size).map(|size| if size > 0.0 { size } else { 1.0 }).collect();
        let against: Vec<f64> = self.load.iter().map(|x| -x).collect();
        let scaled = |vector: &Vec<f64>| -> Vec<f64> {
            let scaled: Vec<f64> = vector.iter().zip(&sizes).map(|(x, size)| x / size).collect();
            let length = norm(&scaled);
            scaled.into_iter().map(|x| if length > 0.0 { x / length } else { 0.0 }).collect()
        };
        let ends: Vec<Vec<f64>> = self.edges.iter().chain([&against]).map(scaled).collect();
        let mut motion = ends.last()?.clone();
        for _ in 0..STEPS {
            let end = ends.iter().min_by(|a, b| dot(a, &motion).total_cmp(&dot(b, &motion)))?;
            let way: Vec<f64> = end.iter().zip(&motion).map(|(e, x)| e - x).collect();
            let (gained, length) = (-dot(&way, &motion), dot(&way, &way));
            if gained <= NEAR * dot(&motion, &motion) || length <= 0.0 {
                break;
            }
            let share = (gained / length).min(1.0);
            motion.iter_mut().zip(&way).for_each(|(x, way)| *x += share * way);
        }
        let apart = ends.iter().all(|end| dot(end, &motion) > 0.0);
        // a few digits are enough
        let shown = || motion.iter().zip(&sizes).map(|(x, size)| f64::from((x / size) as f32)).collect();
        apart.then(shown)
    }
}
