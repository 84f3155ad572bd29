//! The links and joints of a URDF as one tree: names that are there twice or not at all, links with two parents, circles, roots.

use super::urdf::Edge;
use super::xml::Element;
use crate::diag::{Diagnostic, nearest};
use std::collections::BTreeMap;

/// A link in the order of the tree.
pub(super) struct Step {
    pub(super) link: usize,
    /// The joint that carries it.
    pub(super) joint: Option<usize>,
    /// The step of its parent.
    pub(super) parent: Option<usize>,
}

/// Links in an order in which parents precede children, both as the file has them; empty where it is no tree.
pub(super) fn order(
    root: Element<'_>,
    links: &[(&str, Element<'_>)],
    edges: &[Edge<'_>],
    faults: &mut Vec<Diagnostic>,
) -> Vec<Step> {
    let before = faults.len();
    let index = unique(links.iter().copied(), "link", faults);
    let joints = edges.iter().map(|e| (e.element.word("name").unwrap_or_default(), e.element));
    unique(joints, "joint", faults);
    let Some(carried) = carriers(links, edges, &index, faults) else { return vec![] };
    let roots: Vec<usize> = (0..links.len()).filter(|&l| carried[l].is_none()).collect();
    if links.is_empty() {
        faults.push(Diagnostic::error("M503", "the robot has no links").with_span(root.span()));
    }
    for &other in roots.iter().skip(1) {
        let message =
            format!("links `{}` and `{}` both have no joint above them", links[roots[0]].0, links[other].0);
        let fault = Diagnostic::error("M507", message).with_span(links[other].1.span());
        faults.push(fault.with_hint("a robot is one tree: join them, or import them one by one"));
    }
    let steps = walk(&roots, edges, &index);
    if faults.len() == before && steps.len() < links.len() {
        faults.push(circle(links, edges, &index, &carried, &steps));
    }
    if faults.len() == before { steps } else { vec![] }
}

/// Names with their places in the list.
fn unique<'a>(
    named: impl Iterator<Item = (&'a str, Element<'a>)>,
    what: &str,
    faults: &mut Vec<Diagnostic>,
) -> BTreeMap<&'a str, usize> {
    let mut index = BTreeMap::new();
    for (i, (name, element)) in named.enumerate() {
        if index.insert(name, i).is_some() {
            let message = format!("two {what}s are called `{name}`");
            faults.push(Diagnostic::error("M506", message).with_span(element.span_of("name")));
        }
    }
    index
}

/// Of every link the joint that carries it.
fn carriers(
    links: &[(&str, Element<'_>)],
    edges: &[Edge<'_>],
    index: &BTreeMap<&str, usize>,
    faults: &mut Vec<Diagnostic>,
) -> Option<Vec<Option<usize>>> {
    let before = faults.len();
    let mut carried: Vec<Option<usize>> = vec![None; links.len()];
    for (j, edge) in edges.iter().enumerate() {
        let name = edge.element.word("name").unwrap_or_default();
        for (tag, link) in [("parent", edge.parent), ("child", edge.child)] {
            if !index.contains_key(link) {
                let place = edge.element.child(tag).map_or(edge.element.span(), |c| c.span_of("link"));
                let fault = Diagnostic::error(
                    "M506",
                    format!("joint `{name}` names the {tag} link `{link}`, which there is not"),
                );
                let known = nearest(link, index.keys().copied());
                faults.push(fault.with_span(place).with_close(known));
            }
        }
        let Some(&child) = index.get(edge.child) else { continue };
        match carried[child] {
            None => carried[child] = Some(j),
            Some(first) => {
                let first = edges[first].element.word("name").unwrap_or_default();
                let message = format!("link `{}` hangs on the joints `{first}` and `{name}`", edge.child);
                let fault = Diagnostic::error("M507", message).with_span(edge.element.span());
                faults.push(fault.with_hint(
                    "URDF has no closed loops: cut one joint, and close the loop in the mechanism file by a constraint `coincident`",
                ));
            }
        }
    }
    (faults.len() == before).then_some(carried)
}

/// Depth first from the roots, children in the order of the joints; no recursion, as chains may be long.
fn walk(roots: &[usize], edges: &[Edge<'_>], index: &BTreeMap<&str, usize>) -> Vec<Step> {
    let mut below: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (j, edge) in edges.iter().enumerate() {
        if let (Some(&parent), Some(&child)) = (index.get(edge.parent), index.get(edge.child)) {
            below.entry(parent).or_default().push((j, child));
        }
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut open: Vec<Step> =
        roots.iter().rev().map(|&link| Step { link, joint: None, parent: None }).collect();
    while let Some(step) = open.pop() {
        let parent = Some(steps.len());
        let children = below.remove(&step.link).unwrap_or_default();
        open.extend(children.into_iter().rev().map(|(j, link)| Step { link, joint: Some(j), parent }));
        steps.push(step);
    }
    steps
}

/// Which joints make a circle: from a link that no root reaches, upwards until one comes again.
fn circle(
    links: &[(&str, Element<'_>)],
    edges: &[Edge<'_>],
    index: &BTreeMap<&str, usize>,
    carried: &[Option<usize>],
    steps: &[Step],
) -> Diagnostic {
    let reached = |l: usize| steps.iter().any(|s| s.link == l);
    let mut at = (0..links.len()).find(|&l| !reached(l)).unwrap_or_default();
    let mut seen = vec![];
    while !seen.contains(&at) {
        seen.push(at);
        let above = carried[at].and_then(|j| index.get(edges[j].parent));
        at = above.copied().unwrap_or(at);
    }
    let first = seen.iter().position(|&l| l == at).unwrap_or_default();
    let names: Vec<&str> = seen[first..].iter().chain([&at]).map(|&l| links[l].0).collect();
    Diagnostic::error("M507", format!("links hang on each other in a circle: {}", names.join(" on ")))
        .with_span(links[at].1.span())
}
