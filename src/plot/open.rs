//! Where a claim stays open, or fails: the shadows of the parts of a box on pairs of its sides. The darker a place, the more of what lies behind it is
//! open.

use super::Picture;
use super::canvas::{Anchor, Canvas, Look, Text};
use super::panel::{LOWER, Panel};
use super::scale::Range;
use super::style::{Colour, DATA, HAIR, SMALL, WIDTH, region_colour, text_width};
use super::tiles::{Tile, tiles};

/// Heights of a panel that is alone, and of one among others.
const HIGH: f64 = 240.0;
const LOW: f64 = 130.0;
/// Room between panels, and above the first.
const GAP: f64 = 12.0;
const TOP: f64 = 26.0;
/// Squares along a side of a panel.
const SQUARES: usize = 96;
/// Shades of what is open.
const SHADES: usize = 4;
/// Half the size of the mark of a state.
const MARK: f64 = 4.0;

/// Draws the open parts of a box with these sides, which are shares of them; at a point of the box the claim fails.
pub fn open_parts(
    title: &str,
    sides: &[(String, [f64; 2])],
    open: &[Vec<[f64; 2]>],
    fails: Option<&[f64]>,
) -> Picture {
    let pairs: Vec<[usize; 2]> =
        (0..sides.len()).step_by(2).map(|j| [j, if j + 1 < sides.len() { j + 1 } else { 0 }]).collect();
    let (columns, height) = if pairs.len() > 1 { (2, LOW) } else { (1, HIGH) };
    let rows = pairs.len().div_ceil(columns);
    let row = height + LOWER + GAP;
    let mut canvas = Canvas::new([WIDTH, TOP + rows as f64 * row], title);
    legend(&mut canvas, !open.is_empty(), fails.is_some());
    for (k, &[x, y]) in pairs.iter().enumerate() {
        let width = (WIDTH - 10.0) / columns as f64;
        let left = 4.0 + (k % columns) as f64 * width;
        let top = TOP + (k / columns) as f64 * row;
        let range = |j: usize| Range { lo: sides[j].1[0], hi: sides[j].1[1] };
        let panel = Panel::beside_axis([left, left + width - GAP], [top, top + height], [range(x), range(y)]);
        let all_is_known = fails.is_none();
        canvas.clipped(panel.corner(), panel.size(), |canvas| {
            shadows(canvas, &panel, [x, y], (open, all_is_known))
        });
        if let Some(point) = fails {
            cross(&mut canvas, panel.at([point[x], point[y]]));
        }
        panel.frame(&mut canvas);
        panel.lower_axis(&mut canvas, Some(&sides[x].0));
        // one side alone has nothing upwards
        if x != y {
            panel.left_axis(&mut canvas, &sides[y].0);
        }
    }
    canvas.finish()
}

fn shade(step: usize) -> Colour {
    if step == 0 {
        region_colour("consistent")
    } else {
        Colour::PALE.towards(Colour::INK, step as f64 / SHADES as f64)
    }
}

/// Of each square the share of what lies behind it that is open.
fn shares([x, y]: [usize; 2], open: &[Vec<[f64; 2]>]) -> Vec<f64> {
    let mut found = vec![0.0; SQUARES * SQUARES];
    let size = SQUARES as f64;
    let squares = |[lo, hi]: [f64; 2]| {
        let first = ((lo * size).floor() as usize).min(SQUARES - 1);
        first..((hi * size).ceil() as usize).clamp(first + 1, SQUARES)
    };
    let inside = |[lo, hi]: [f64; 2], square: usize| {
        let from = square as f64;
        ((hi * size).min(from + 1.0) - (lo * size).max(from)).max(0.0)
    };
    for part in open {
        let behind = part.iter().enumerate().filter(|(j, _)| *j != x && *j != y);
        let share: f64 = behind.map(|(_, [lo, hi])| hi - lo).product();
        // one side alone is drawn as a band
        let up = if x == y { [0.0, 1.0] } else { part[y] };
        for j in squares(up) {
            for i in squares(part[x]) {
                found[j * SQUARES + i] += share * inside(part[x], i) * inside(up, j);
            }
        }
    }
    found
}

fn shadows(
    canvas: &mut Canvas,
    panel: &Panel,
    pair: [usize; 2],
    (open, all_is_known): (&[Vec<[f64; 2]>], bool),
) {
    let shares = shares(pair, open);
    let step = |i: usize, j: usize| {
        let share = shares[j * SQUARES + i];
        let step = ((share * SHADES as f64).ceil() as usize).clamp(usize::from(share > 0.0), SHADES);
        (step > 0 || all_is_known).then_some(step)
    };
    let ([left, top], [width, height]) = (panel.corner(), panel.size());
    for Tile { class, x, y } in tiles([SQUARES; 2], step) {
        let at = |k: usize, length: f64| length * k as f64 / SQUARES as f64;
        let corner = [left + at(x[0], width), top + height - at(y[1], height)];
        let size = [at(x[1] - x[0], width), at(y[1] - y[0], height)];
        // a hair closes what renderers leave between neighbours
        canvas.rectangle(corner, size, Look::line(shade(class), HAIR).with_fill(shade(class)));
    }
}

/// A state at which the claim fails.
fn cross(canvas: &mut Canvas, [x, y]: [f64; 2]) {
    for sign in [1.0, -1.0] {
        canvas.line([x - MARK, y - sign * MARK], [x + MARK, y + sign * MARK], Look::line(Colour::RED, DATA));
    }
}

fn legend(canvas: &mut Canvas, is_open: bool, fails: bool) {
    let mut entries: Vec<(Colour, &str)> = Vec::new();
    if !fails {
        entries.push((shade(0), "proven"));
    }
    if is_open && !fails {
        entries.push((shade(1), "a little of it open"));
        entries.push((shade(SHADES), "all of it"));
    }
    let mut x = 8.0;
    for (colour, words) in entries {
        canvas.rectangle([x, 8.0], [SMALL, SMALL], Look::filled(colour));
        canvas.say(words, [x + SMALL + 4.0, 8.0 + SMALL - 1.0], SMALL);
        x += SMALL + 16.0 + text_width(words, SMALL);
    }
    if fails {
        cross(canvas, [x + MARK, 8.0 + MARK]);
        let text = Text {
            words: "here it fails",
            at: [x + 14.0, 16.0],
            anchor: Anchor::Start,
            size: SMALL,
            colour: Colour::INK,
        };
        canvas.text(text);
    }
}
