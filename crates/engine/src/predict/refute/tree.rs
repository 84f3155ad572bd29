//! The search: nodes are refuted or divided until none is left, or the programs are used up.

use super::certificate::is_refuted;
use super::kinematic::is_blocked;
use super::node::{Node, Options};
use crate::num::{Interval, Tol, halt};
use crate::predict::contacts::Contacts;
use crate::predict::mode::Mode;
use std::f64::consts::PI;

/// Nodes that are examined at most.
const NODES: usize = 6000;
/// Nodes too narrow to be divided after which nothing more is hoped for: motions fill a line or a surface of directions there.
const NARROW: usize = 64;
/// Contacts beyond which trees rarely end if some of them begin to slip: then this number of nodes of that many contacts, and fewer as each takes
/// longer; if none does, so many for each, of which a third are wanted.
const FEW: usize = 6;
const OF_MORE: usize = 750;
const OF_EACH: usize = 20;

/// Which motions are to be refuted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target<'a> {
    /// All.
    Everything,
    /// Those beside one with these modes, in which no contact begins to slip.
    Beside(&'a [Mode]),
}

/// What is not refuted.
#[derive(Clone, Debug)]
pub(crate) struct Unrefuted {
    nodes: Vec<Node>,
    /// Nodes that were examined.
    pub(crate) examined: usize,
}

impl Unrefuted {
    /// Whether everything is refuted.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether motions of a combination may remain.
    pub(crate) fn permits(&self, modes: &[Mode]) -> bool {
        self.nodes.iter().any(|node| node.permits(modes))
    }

    /// The largest angle between the directions of modes and those that remain of their combination.
    pub(crate) fn spread(&self, modes: &[Mode], directed: &[Mode]) -> f64 {
        let directions: Vec<[f64; 2]> = directed.iter().filter_map(|mode| mode.direction()).collect();
        let leaving: Vec<usize> =
            (0..directed.len()).filter(|&i| directed[i].direction().is_some()).collect();
        let off = |arc: &Interval, [c, s]: [f64; 2]| {
            let (sin, cos) = arc.middle().sin_cos();
            (sin * c - cos * s).atan2(cos * c + sin * s).abs()
        };
        let farthest = |arcs: Vec<Interval>| {
            let pairs = arcs.iter().zip(&directions);
            pairs.map(|(arc, &along)| off(arc, along) + 0.5 * arc.width()).fold(0.0, f64::max)
        };
        self.boxes(modes, &leaving).into_iter().map(farthest).fold(0.0, f64::max).min(PI)
    }

    /// Where the directions of the contacts of a combination that leave rest may lie.
    pub(crate) fn boxes(&self, modes: &[Mode], leaving: &[usize]) -> Vec<Vec<Interval>> {
        let nodes = self.nodes.iter().filter(|node| node.permits(modes));
        nodes.map(|node| node.arcs(leaving)).collect()
    }
}

/// What is left of the motions of contacts with these modes.
pub(crate) fn refuted(contacts: &Contacts, modes: &[Vec<Mode>], about: Target<'_>, tol: &Tol) -> Unrefuted {
    let mut remains = Unrefuted { nodes: Vec::new(), examined: 0 };
    let infinite: Vec<usize> = (0..contacts.len()).filter(|&i| contacts.friction(i).is_infinite()).collect();
    for chosen in fates(modes, &infinite) {
        let sticking: Vec<usize> = infinite
            .iter()
            .zip(&chosen)
            .filter(|(_, mode)| matches!(mode, Mode::Stick { .. }))
            .map(|(&i, _)| i)
            .collect();
        let Some(reduced) = contacts.without_tangents(&sticking, tol) else {
            remains.nodes.extend(Node::roots(&Options { contacts, modes }));
            continue;
        };
        let mut own = modes.to_vec();
        infinite.iter().zip(&chosen).for_each(|(&i, &mode)| own[i] = vec![mode]);
        search(&Options { contacts: &reduced, modes: &own }, about, &mut remains, tol);
    }
    remains
}

/// All combinations of the modes of some contacts.
fn fates(modes: &[Vec<Mode>], contacts: &[usize]) -> Vec<Vec<Mode>> {
    contacts.iter().fold(vec![Vec::new()], |found, &i| {
        let longer =
            |fate: &Vec<Mode>| modes[i].iter().map(|&mode| [&fate[..], &[mode]].concat()).collect::<Vec<_>>();
        found.iter().flat_map(longer).collect()
    })
}

fn search(options: &Options<'_>, about: Target<'_>, remains: &mut Unrefuted, tol: &Tol) {
    let mut stack = match about {
        Target::Everything => Node::roots(options),
        Target::Beside(known) => Node::beside(options, known, tol),
    };
    let leaves = |i: usize| options.modes[i].iter().any(|&mode| options.contacts.leaves(i, mode));
    let nodes = match options.contacts.len() {
        ..=FEW => NODES,
        count if !(0..count).any(leaves) => OF_EACH * count,
        count => OF_MORE * FEW.pow(3) / count.pow(3),
    };
    let before = remains.nodes.len();
    while let Some(node) = stack.pop() {
        if halt::is_wanted() || remains.examined >= nodes || remains.nodes.len() - before >= NARROW {
            remains.nodes.push(node);
            continue;
        }
        remains.examined += 1;
        let refutable = || node.is_pointed(options) && is_refuted(options, &node, tol);
        if is_blocked(options, &node, tol) || refutable() {
            continue;
        }
        match node.divided(options, tol) {
            Some(parts) => stack.extend(parts),
            None => remains.nodes.push(node),
        }
    }
}
