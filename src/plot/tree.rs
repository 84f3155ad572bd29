//! The tree of futures: time to the right, a line per motion in the colours of its modes, forks with what is chosen and why.

use super::Picture;
use super::canvas::{Anchor, Canvas, Look, Text};
use super::curve::column;
use super::fault::PlotFault;
use super::modes;
use super::panel::{LOWER, Panel};
use super::scale::{Range, Scale};
use super::style::{Colour, HAIR, SMALL, TINY, WIDTH, fitted, mode_colour, text_width};
use crate::simulate::trajectory::{FutureNode, Futures, Trajectory};

/// The tallest and the lowest row of a leaf.
const ROW: [f64; 2] = [34.0, 6.0];

/// The height that rows share before they become lower.
const TALL: f64 = 900.0;

/// Rows lower than this have no reasons, and half as low no words at all.
const ROOM: f64 = 26.0;

/// Space at the left, and at the right for what becomes of a motion.
const SIDES: [f64; 2] = [16.0, 76.0];

/// Where the tree begins.
const TOP: f64 = 26.0;

/// Weight of a line of modes.
const WEIGHT: f64 = 3.0;

/// A node with its place: when it begins and ends, and the height of its line in rows.
struct Placed<'f> {
    node: &'f FutureNode,
    span: [f64; 2],
    row: f64,
    children: Vec<usize>,
}

/// Draws the tree.
///
/// # Errors
/// [`PlotFault::NoMotions`] if it has none.
pub fn tree(futures: &Futures) -> Result<Picture, PlotFault> {
    let placed = placed(futures);
    let root = placed.first().ok_or(PlotFault::NoMotions)?;
    let time = Range::of(placed.iter().flat_map(|p| p.span)).ok_or(PlotFault::NoSamples)?;
    let leaves = placed.iter().filter(|p| p.children.is_empty()).count() as f64;
    let row = (TALL / leaves).clamp(ROW[1], ROW[0]);
    let bottom = TOP + leaves * row + 4.0;
    let panel = Panel {
        x: Scale { data: time, page: [SIDES[0], WIDTH - SIDES[1]] },
        y: Scale { data: Range { lo: leaves - 0.5, hi: -0.5 }, page: [TOP + leaves * row, TOP] },
    };
    let Trajectory { mechanism, state, .. } = &root.node.trajectory;
    let mut canvas =
        Canvas::new([WIDTH, bottom + LOWER], format!("{mechanism}, state {state}: what may follow"));
    let trajectories: Vec<&Trajectory> = futures.nodes.iter().map(|n| &n.trajectory).collect();
    modes::legend(&mut canvas, &trajectories, [SIDES[0], 12.0], 1.0);
    if !futures.complete {
        let at = [WIDTH - 6.0, 12.0];
        let words = "not all followed";
        canvas.text(Text { words, at, anchor: Anchor::End, size: TINY, colour: Colour::GREY });
    }
    forks(&mut canvas, &panel, &placed);
    for (i, place) in placed.iter().enumerate() {
        canvas.explained(&explanation(place.node), |canvas| {
            line(canvas, &panel, place);
            words(canvas, &panel, &placed, i, row);
        });
    }
    let lower = Panel { y: Scale { page: [bottom, TOP], ..panel.y }, ..panel };
    canvas.line([SIDES[0], bottom], [WIDTH - SIDES[1], bottom], Look::line(Colour::GREY, HAIR));
    lower.lower_axis(&mut canvas, Some("t"));
    Ok(canvas.finish())
}

/// All nodes with their places; leaves get a row each from above, a fork the middle of its outermost children.
fn placed(futures: &Futures) -> Vec<Placed<'_>> {
    let mut placed: Vec<Placed> = Vec::with_capacity(futures.nodes.len());
    let mut roots = Vec::new();
    for (i, node) in futures.nodes.iter().enumerate() {
        let parent = node.parent.and_then(|p| futures.nodes[..i].iter().position(|n| n.id == p));
        let start = parent.map_or(0.0, |p| placed[p].span[1]);
        match parent {
            Some(parent) => placed[parent].children.push(i),
            None => roots.push(i),
        }
        placed.push(Placed { node, span: span(&node.trajectory, start), row: 0.0, children: Vec::new() });
    }
    let mut next = 0.0;
    let mut stack: Vec<usize> = roots.into_iter().rev().collect();
    while let Some(i) = stack.pop() {
        if placed[i].children.is_empty() {
            placed[i].row = next;
            next += 1.0;
        }
        stack.extend(placed[i].children.iter().rev().copied());
    }
    for i in (0..placed.len()).rev() {
        if let (Some(first), Some(last)) = (placed[i].children.first(), placed[i].children.last()) {
            placed[i].row = placed[*first].row.midpoint(placed[*last].row);
        }
    }
    placed
}

/// When a motion begins and ends; one without samples is an instant.
fn span(trajectory: &Trajectory, start: f64) -> [f64; 2] {
    let samples = column(trajectory, "t").unwrap_or_default();
    let phases = trajectory.phases.iter().flat_map(|p| [p.t0.0, p.t1.0]);
    let ends = Range::ends(samples.into_iter().chain(phases));
    ends.map_or([start; 2], |Range { lo, hi }| [lo, hi])
}

fn forks(canvas: &mut Canvas, panel: &Panel, placed: &[Placed]) {
    for place in placed {
        let [x, y] = panel.at([place.span[1], place.row]);
        for child in &place.children {
            let [to, height] = panel.at([placed[*child].span[0], placed[*child].row]);
            canvas.path(&[[x, y], [x, height], [to, height]], Look::line(Colour::GREY, 0.8));
        }
        if !place.children.is_empty() {
            canvas.circle([x, y], 2.4, Look::filled(Colour::INK));
        }
    }
}

/// The line of a motion: what each contact does, side by side.
fn line(canvas: &mut Canvas, panel: &Panel, place: &Placed) {
    let trajectory = &place.node.trajectory;
    let [[left, y], [right, _]] = place.span.map(|t| panel.at([t, place.row]));
    canvas.line([left, y], [right, y], Look::line(Colour::PALE, 1.2));
    let contacts = modes::contacts(trajectory);
    let weight = WEIGHT / (contacts.len().max(1) as f64).sqrt();
    for (k, contact) in contacts.iter().enumerate() {
        let height = y + (k as f64 - (contacts.len() - 1) as f64 / 2.0) * (weight + 0.6);
        for (from, to, mode) in modes::spans(trajectory, contact) {
            if let Some(colour) = mode_colour(mode) {
                let [from, to] = [from, to].map(|t| panel.x.at(t));
                canvas.line([from, height], [to, height], Look::line(colour, weight));
            }
        }
    }
}

/// The choice above the beginning of a line, the reason below, and at a leaf what becomes of it.
fn words(canvas: &mut Canvas, panel: &Panel, placed: &[Placed], i: usize, row: f64) {
    let place = &placed[i];
    let [left, y] = panel.at([place.span[0], place.row]);
    if place.children.is_empty() && row > TINY {
        let at = [panel.x.at(place.span[1]) + 5.0, y + SMALL * 0.35];
        canvas.say(place.node.trajectory.status.name(), at, SMALL);
    }
    if row < ROOM / 2.0 || is_cramped(panel, placed, i) {
        return;
    }
    let width = room(panel, placed, i);
    let say = |canvas: &mut Canvas, words: &str, below: f64, size: f64, colour: Colour| {
        let words = &fitted(words, width, size);
        canvas.text(Text { words, at: [left + 4.5, y + below], anchor: Anchor::Start, size, colour });
    };
    say(canvas, &choices(panel, placed, i), -WEIGHT - 1.5, SMALL, Colour::INK);
    if row >= ROOM {
        say(canvas, &place.node.reason, WEIGHT + TINY + 0.5, TINY, Colour::GREY);
    }
}

/// The width that words about a motion may take: to the edge, or to the next line in its row.
fn room(panel: &Panel, placed: &[Placed], i: usize) -> f64 {
    let Placed { span, children, .. } = &placed[i];
    let [left, right] = span.map(|t| panel.x.at(t));
    let end = if children.is_empty() { WIDTH - 4.0 } else { right };
    end - left - 5.5
}

/// Whether a motion's line is shorter than what it is called, with the next in its way.
fn is_cramped(panel: &Panel, placed: &[Placed], i: usize) -> bool {
    let words = placed[i].node.choice.as_deref().unwrap_or_default();
    room(panel, placed, i) < text_width(words, SMALL)
}

/// What is chosen, after what cramped ones before it in its row had no room to say.
fn choices(panel: &Panel, placed: &[Placed], i: usize) -> String {
    let own = placed[i].node.choice.clone().unwrap_or_default();
    let before = placed[..i].iter().position(|p| p.children.first() == Some(&i));
    match before.filter(|p| is_cramped(panel, placed, *p)) {
        Some(parent) => format!("{} → {own}", choices(panel, placed, parent)),
        None => own,
    }
}

fn explanation(node: &FutureNode) -> String {
    let mut words = node.choice.clone().unwrap_or_else(|| "the beginning".to_owned());
    if let Some(event) = node.event {
        words = format!("{}: {words}", event.name());
    }
    if !node.reason.is_empty() {
        words = format!("{words} ({})", node.reason);
    }
    format!("{words}; {}", node.trajectory.status.name())
}
