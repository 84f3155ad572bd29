//! A quantity over two ranges: regions of words, or shades of a number about a level, with the boundaries between.

use super::Picture;
use super::canvas::{Anchor, Canvas, Look, Text};
use super::fault::PlotFault;
use super::panel::{LEFT, LOWER, Panel, VERTICAL, label_width, ticks};
use super::scale::{Range, Scale};
use super::style::{Colour, DATA, HAIR, SMALL, WIDTH, region_colour, text_width};
use crate::analysis::map::{Cell, Class, Level, MapOutcome, Patch};

/// Height of the panel.
const HEIGHT: f64 = 260.0;
/// Height of a line of the legend.
const LINE: f64 = 14.0;
/// Side of a sample of colour.
const SAMPLE: f64 = 8.0;
/// Shades to each side of a level.
const SHADES: f64 = 16.0;
/// Share of the numbers that may lie beyond each end of the shades: near a pole they have no bounds.
const BEYOND: f64 = 0.02;

/// Draws a map.
///
/// # Errors
/// [`PlotFault::NothingMapped`] if nothing is said anywhere.
pub fn map(map: &MapOutcome) -> Result<Picture, PlotFault> {
    let ends = |values: &[crate::num::Number]| Range::of(values.iter().map(|x| x.0));
    let (x, y) = ends(&map.x.values).zip(ends(&map.y.values)).ok_or(PlotFault::NothingMapped)?;
    let legend = Legend::of(map).ok_or(PlotFault::NothingMapped)?;
    let left = label_width(&ticks(y, HEIGHT, VERTICAL)) + LEFT;
    let top = 8.0 + legend.height(left);
    let panel = Panel {
        x: Scale { data: x, page: [left, WIDTH - 10.0] },
        y: Scale { data: y, page: [top + HEIGHT, top] },
    };
    let title = format!("{}, state {}: {}", map.mechanism, map.state, map.quantity);
    let mut canvas = Canvas::new([WIDTH, top + HEIGHT + LOWER], title);
    legend.draw(&mut canvas, left);
    let (corner, size) = (panel.corner(), panel.size());
    canvas.clipped(corner, size, |canvas| {
        match &legend {
            Legend::Words(_) => regions(canvas, &panel, &map.patches),
            Legend::Shades(shades) => shaded(canvas, &panel, map, shades),
        }
        for boundary in &map.boundaries {
            let look = match boundary.level {
                Level::Edge => Look::line(Colour::GREY, HAIR).dashed("3 2"),
                Level::Number(_) | Level::Words(_) => Look::line(Colour::INK, DATA),
            };
            for line in &boundary.lines {
                let points: Vec<_> = line.iter().map(|p| panel.at(p.map(|x| x.0))).collect();
                canvas.path(&points, look);
            }
        }
    });
    panel.frame(&mut canvas);
    panel.left_axis(&mut canvas, &map.y.name);
    panel.lower_axis(&mut canvas, Some(&map.x.name));
    Ok(canvas.finish())
}

/// Patches in their colours; squares of one class side by side are one rectangle.
fn regions(canvas: &mut Canvas, panel: &Panel, patches: &[Patch]) {
    let mut open: Option<Patch> = None;
    for patch in patches {
        match &mut open {
            Some(run) if continues(run, patch) => {
                run.corners[1] = patch.corners[1];
                run.corners[2] = patch.corners[2];
            }
            _ => {
                if let Some(run) = open.replace(patch.clone()) {
                    region(canvas, panel, &run);
                }
            }
        }
    }
    if let Some(run) = open {
        region(canvas, panel, &run);
    }
}

/// Whether a rectangle goes on to the right of another one.
fn continues(run: &Patch, next: &Patch) -> bool {
    let rectangle = |p: &Patch| {
        p.corners.len() == 4
            && p.corners[0][1].to_bits() == p.corners[1][1].to_bits()
            && p.corners[2][1].to_bits() == p.corners[3][1].to_bits()
            && p.corners[0][0].to_bits() == p.corners[3][0].to_bits()
            && p.corners[1][0].to_bits() == p.corners[2][0].to_bits()
    };
    let same = |a: [f64; 2], b: [f64; 2]| a.map(f64::to_bits) == b.map(f64::to_bits);
    run.class == next.class
        && rectangle(run)
        && rectangle(next)
        && same(run.corners[1], next.corners[0])
        && same(run.corners[2], next.corners[3])
}

fn region(canvas: &mut Canvas, panel: &Panel, patch: &Patch) {
    if let Class::Word(word) = patch.class {
        let corners: Vec<_> = patch.corners.iter().map(|p| panel.at(*p)).collect();
        let colour = region_colour(word);
        // a hair of the same colour closes what renderers leave between neighbours
        canvas.polygon(&corners, Look::line(colour, HAIR).with_fill(colour));
    }
}

/// A rectangle around each point of the grid; neighbours of one shade are one.
fn shaded(canvas: &mut Canvas, panel: &Panel, map: &MapOutcome, shades: &Shades) {
    let borders = |values: &[crate::num::Number]| {
        let mut found = vec![values[0].0];
        found.extend(values.windows(2).map(|pair| 0.5 * (pair[0].0 + pair[1].0)));
        found.push(values[values.len() - 1].0);
        found
    };
    let (x, y) = (borders(&map.x.values), borders(&map.y.values));
    for (j, row) in map.cells.iter().enumerate() {
        let colours: Vec<Option<Colour>> =
            row.iter().map(|cell| cell.value().map(|x| shades.colour(x))).collect();
        let mut start = 0;
        for end in 1..=row.len() {
            if end == row.len() || colours[end] != colours[start] {
                if let Some(colour) = colours[start] {
                    let [x0, y0] = panel.at([x[start], y[j + 1]]);
                    let [x1, y1] = panel.at([x[end], y[j]]);
                    let look = Look::line(colour, HAIR).with_fill(colour);
                    canvas.rectangle([x0, y0], [x1 - x0, y1 - y0], look);
                }
                start = end;
            }
        }
    }
}

/// What colours mean.
enum Legend {
    Words(Vec<Option<&'static str>>),
    Shades(Shades),
}

/// The shades of a number: blue above the level, vermilion below it.
struct Shades {
    lo: f64,
    level: f64,
    hi: f64,
}

impl Shades {
    fn colour(&self, x: f64) -> Colour {
        let far = (self.hi - self.level).max(self.level - self.lo);
        // steps, so that neighbours become one rectangle; none is on both sides of the level
        let share = ((x - self.level).abs() / far).min(1.0);
        let share = (share * SHADES).ceil() / SHADES;
        let end = if x < self.level { Colour::VERMILION } else { Colour::BLUE };
        Colour::PAPER.towards(end, 0.04 + 0.86 * share)
    }
}

impl Legend {
    fn of(map: &MapOutcome) -> Option<Self> {
        let mut numbers: Vec<f64> =
            map.cells.iter().flatten().filter_map(Cell::value).filter(|x| !x.is_nan()).collect();
        numbers.sort_by(f64::total_cmp);
        if let [first, .., last] | [first @ last] = numbers[..] {
            let at = |share: f64| numbers[((numbers.len() - 1) as f64 * share).round() as usize];
            let range = Range::of([at(BEYOND), at(1.0 - BEYOND)])?;
            let level = map.levels.iter().copied().find(|level| (first..=last).contains(level));
            let level = level.unwrap_or(range.lo);
            return Some(Self::Shades(Shades { lo: range.lo.min(level), level, hi: range.hi.max(level) }));
        }
        let mut words: Vec<Option<&'static str>> = Vec::new();
        let in_cells = map.cells.iter().flatten().map(|cell| match cell {
            Cell::Word(word) => Some(*word),
            Cell::Number(_) | Cell::Undefined => None,
        });
        let between = map.patches.iter().map(|patch| match patch.class {
            Class::Word(word) => Some(word),
            Class::Above(_) | Class::Undefined => None,
        });
        for word in in_cells.chain(between) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words.iter().any(Option::is_some).then_some(Self::Words(words))
    }

    /// Places of the samples with their words, line by line.
    fn places(words: &[Option<&'static str>], left: f64) -> Vec<([f64; 2], &'static str)> {
        let (mut x, mut y) = (left, LINE * 0.5);
        let mut found = Vec::new();
        for word in words {
            let word = word.unwrap_or("nothing said");
            let width = SAMPLE + 4.0 + text_width(word, SMALL);
            if x + width > WIDTH - 10.0 && x > left {
                (x, y) = (left, y + LINE);
            }
            found.push(([x, y], word));
            x += width + 10.0;
        }
        found
    }

    fn height(&self, left: f64) -> f64 {
        match self {
            Self::Words(words) => Self::places(words, left).last().map_or(0.0, |([_, y], _)| y + LINE * 0.5),
            Self::Shades(_) => 2.0 * LINE,
        }
    }

    fn draw(&self, canvas: &mut Canvas, left: f64) {
        match self {
            Self::Words(words) => {
                for (([x, y], word), known) in Self::places(words, left).into_iter().zip(words) {
                    let fill = known.map_or(Colour::PAPER, region_colour);
                    let look = Look::line(Colour::GREY, HAIR).with_fill(fill);
                    canvas.rectangle([x, y + 4.0 - SAMPLE * 0.5], [SAMPLE, SAMPLE], look);
                    label(canvas, word, [x + SAMPLE + 4.0, y + 4.0 + SMALL * 0.35], Anchor::Start);
                }
            }
            Self::Shades(shades) => shades.bar(canvas, left),
        }
    }
}

fn label(canvas: &mut Canvas, words: &str, at: [f64; 2], anchor: Anchor) {
    canvas.text(Text { words, at, anchor, size: SMALL, colour: Colour::INK });
}

impl Shades {
    fn bar(&self, canvas: &mut Canvas, left: f64) {
        let (width, top) = (WIDTH - 10.0 - left, 6.0);
        let steps = 4.0 * SHADES;
        let each = width / steps;
        for k in 0..steps as usize {
            let x = self.lo + (self.hi - self.lo) * (k as f64 + 0.5) / steps;
            let colour = self.colour(x);
            let look = Look::line(colour, HAIR).with_fill(colour);
            canvas.rectangle([left + k as f64 * each, top], [each, SAMPLE], look);
        }
        let at = |x: f64| left + width * (x - self.lo) / (self.hi - self.lo);
        let mut ends = vec![(self.lo, Anchor::Start), (self.hi, Anchor::End)];
        if at(self.level) > left + width * 0.2 && at(self.level) < left + width * 0.8 {
            ends.push((self.level, Anchor::Middle));
        }
        for (x, anchor) in ends {
            let words = crate::report::significant(x).replace('-', "−");
            label(canvas, &words, [at(x), top + SAMPLE + SMALL + 2.0], anchor);
        }
    }
}
