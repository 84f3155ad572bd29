//! The search: nodes are refuted or divided until none is left, or the programs are used up.

use super::certificate::is_refuted;
use super::kinematic::is_blocked;
use super::node::Node;
use crate::analysis::space::SpaceWord;
use crate::analysis::space::several::{System, Ways};
use crate::num::{Interval, Tol};
use std::f64::consts::PI;

/// Nodes that are examined at most.
const NODES: usize = 6000;

/// What a contact of infinite friction does.
const FATES: [SpaceWord; 3] = [SpaceWord::Free, SpaceWord::Slip, SpaceWord::Stick];

/// Which motions are to be refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analysis::space::several) enum About {
    /// All.
    Everything,
    /// Those that leave an equilibrium.
    Leaving,
}

/// What is not refuted.
#[derive(Clone, Debug)]
pub(in crate::analysis::space::several) struct Remains {
    nodes: Vec<Node>,
    /// Nodes that were examined.
    pub(in crate::analysis::space::several) examined: usize,
}

impl Remains {
    /// Whether everything is refuted.
    pub(in crate::analysis::space::several) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether motions of a word may remain.
    pub(in crate::analysis::space::several) fn permits(&self, word: &[SpaceWord]) -> bool {
        self.nodes.iter().any(|node| node.permits(word))
    }

    /// The largest angle between given directions and those that remain of a word.
    pub(in crate::analysis::space::several) fn spread(
        &self,
        word: &[SpaceWord],
        directions: &[Option<f64>],
    ) -> f64 {
        let leaving: Vec<usize> = (0..word.len()).filter(|&i| directions[i].is_some()).collect();
        let off =
            |arc: &Interval, phi: f64| (arc.middle() - phi).sin().atan2((arc.middle() - phi).cos()).abs();
        let farthest = |arcs: Vec<Interval>| {
            let pairs = arcs.iter().zip(directions.iter().flatten());
            pairs.map(|(arc, &phi)| off(arc, phi) + 0.5 * arc.width()).fold(0.0, f64::max)
        };
        self.boxes(word, &leaving).into_iter().map(farthest).fold(0.0, f64::max).min(PI)
    }

    /// Where the directions of the contacts of a word that leave rest may lie.
    pub(in crate::analysis::space::several) fn boxes(
        &self,
        word: &[SpaceWord],
        leaving: &[usize],
    ) -> Vec<Vec<Interval>> {
        let nodes = self.nodes.iter().filter(|node| node.permits(word));
        nodes.map(|node| node.arcs(leaving)).collect()
    }
}

/// What is left of the motions of contacts that push only.
pub(in crate::analysis::space::several) fn refuted(system: &System, about: About, tol: &Tol) -> Remains {
    let mut remains = Remains { nodes: Vec::new(), examined: 0 };
    let rough: Vec<usize> = (0..system.contacts()).filter(|&i| system.mu[i].is_infinite()).collect();
    for choice in 0..3_usize.pow(rough.len() as u32) {
        let word = |k: usize| FATES[choice / 3_usize.pow(k as u32) % 3];
        let of = |wanted: SpaceWord| {
            let chosen = rough.iter().enumerate().filter(move |(k, _)| word(*k) == wanted);
            chosen.map(|(_, &i)| i).collect::<Vec<usize>>()
        };
        if !rough.iter().enumerate().all(|(k, &i)| system.options(i).contains(&word(k))) {
            continue;
        }
        match system.without_tangents(&of(SpaceWord::Stick), tol) {
            Some(mut system) => {
                of(SpaceWord::Slip).into_iter().for_each(|i| system.ways[i] = Ways::Slipping);
                let lifting = of(SpaceWord::Free).into_iter();
                lifting.for_each(|i| (system.mu[i], system.ways[i]) = (0.0, Ways::Lifting));
                search(&system, about, &mut remains, tol);
            }
            None => remains.nodes.extend(Node::roots(system)),
        }
    }
    remains
}

fn search(system: &System, about: About, remains: &mut Remains, tol: &Tol) {
    let mut stack = match about {
        About::Everything => Node::roots(system),
        About::Leaving => Node::leaders(system),
    };
    while let Some(node) = stack.pop() {
        if remains.examined == NODES {
            remains.nodes.push(node);
            continue;
        }
        remains.examined += 1;
        let refutable = || node.is_pointed(system) && is_refuted(system, &node, tol);
        if is_blocked(system, &node, tol) || refutable() {
            continue;
        }
        match node.divided(system, tol.narrow_arcs) {
            Some(parts) => stack.extend(parts),
            None => remains.nodes.push(node),
        }
    }
}
