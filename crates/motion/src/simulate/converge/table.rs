//! A smooth piece through points of a motion: the polynomial through the six nearest, so that with points as close as those of a
//! converged motion its error is below theirs.

use super::reference::Sample;

/// Points of a polynomial at most.
const NODES: usize = 6;

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Time.
    pub t: f64,
    /// q, v.
    pub at: Sample,
}

/// Points in order of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    nodes: Vec<Node>,
}

impl Table {
    /// Through points in order of time; of equal times the last.
    pub fn new(mut nodes: Vec<Node>) -> Option<Self> {
        nodes.dedup_by(|next, kept| {
            let same = next.t <= kept.t;
            if same {
                std::mem::swap(next, kept);
            }
            same
        });
        (!nodes.is_empty()).then_some(Self { nodes })
    }

    /// Its points.
    pub fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    /// Where it begins.
    pub fn begin(&self) -> f64 {
        self.nodes[0].t
    }

    /// Its value.
    pub fn at(&self, t: f64) -> Sample {
        let after = self.nodes.partition_point(|node| node.t < t);
        let count = NODES.min(self.nodes.len());
        let first = after.saturating_sub(NODES / 2).min(self.nodes.len() - count);
        let nodes = &self.nodes[first..first + count];
        if let Some(node) = nodes.iter().find(|node| (node.t - t).abs() <= 0.0) {
            return node.at.clone();
        }
        let weight = |i: usize| {
            let others = (0..count).filter(|&j| j != i);
            others.map(|j| (t - nodes[j].t) / (nodes[i].t - nodes[j].t)).product::<f64>()
        };
        let weights: Vec<f64> = (0..count).map(weight).collect();
        let mean = |of: &dyn Fn(&Sample, usize) -> f64, k: usize| {
            nodes.iter().zip(&weights).map(|(node, w)| w * of(&node.at, k)).sum::<f64>()
        };
        let n = nodes[0].at.q.len();
        Sample {
            q: (0..n).map(|k| mean(&|sample, k| sample.q[k], k)).collect(),
            v: (0..n).map(|k| mean(&|sample, k| sample.v[k], k)).collect(),
        }
    }
}
