//! What the colours of a map mean.

use super::proven::STRIP;
use super::{UNDEFINED, colour};
use crate::analysis::map::{Cell, Class, MapOutcome};
use crate::plot::canvas::{Anchor, Canvas, Look, Text};
use crate::plot::scale::Range;
use crate::plot::style::{Colour, HAIR, SMALL, WIDTH, text_width};

/// Height of a line of the legend.
const LINE: f64 = 14.0;
/// Side of a sample of colour.
const SAMPLE: f64 = 8.0;
/// Shades to each side of a level.
const SHADES: f64 = 16.0;
/// Share of the numbers that may lie beyond each end of the shades: near a pole they have no bounds.
const BEYOND: f64 = 0.02;
/// Most numbers that the ends of the shades are taken from.
const SAMPLED: usize = 100_000;

/// A word and its colour.
type Sample = (&'static str, Colour);

/// What colours mean; beside shades, what has none.
pub(super) enum Legend {
    Words(Vec<Sample>),
    /// Nothing anywhere, and why.
    Nowhere(String),
    Shades(Shades, Option<Sample>),
}

/// The shades of a number: blue above the level, vermilion below it.
pub(super) struct Shades {
    lo: f64,
    level: f64,
    hi: f64,
    /// Whether numbers lie below the level, not only beyond the end of the shades.
    two_sided: bool,
}

impl Shades {
    fn of(map: &MapOutcome, [first, last]: [f64; 2]) -> Option<Self> {
        let count: usize = map.cells.iter().map(Vec::len).sum();
        let cells = map.cells.iter().flatten().step_by(count.div_ceil(SAMPLED).max(1));
        let mut numbers: Vec<f64> = cells.filter_map(Cell::value).collect();
        numbers.sort_by(f64::total_cmp);
        let at =
            |share: f64| numbers.get((numbers.len().max(1) - 1).min((numbers.len() as f64 * share) as usize));
        let range = Range::of([at(BEYOND), at(1.0 - BEYOND)].into_iter().flatten().copied())?;
        let parts = map.levels.iter().copied().find(|level| (first..=last).contains(level));
        let level = parts.unwrap_or(range.lo);
        let two_sided = parts.is_some();
        Some(Self { lo: range.lo.min(level), level, hi: range.hi.max(level), two_sided })
    }

    /// The shade of a number: steps, so that neighbours become one rectangle; none is on both sides of the level.
    pub(super) fn step(&self, x: f64) -> i32 {
        let far = (self.hi - self.level).max(self.level - self.lo);
        let steps = (((x - self.level).abs() / far).min(1.0) * SHADES).ceil() as i32;
        match (x < self.level, self.two_sided) {
            (true, true) => -1 - steps,
            (true, false) => 0,
            (false, _) => steps,
        }
    }

    pub(super) fn colour_of(step: i32) -> Colour {
        let (end, steps) = if step < 0 { (Colour::VERMILION, -1 - step) } else { (Colour::BLUE, step) };
        Colour::PAPER.towards(end, 0.04 + 0.86 * f64::from(steps) / SHADES)
    }

    fn bar(&self, canvas: &mut Canvas, left: f64, right: f64) {
        let (width, top) = (right - left, 6.0);
        let steps = 4.0 * SHADES;
        let each = width / steps;
        for k in 0..steps as usize {
            let x = self.lo + (self.hi - self.lo) * (k as f64 + 0.5) / steps;
            let colour = Self::colour_of(self.step(x));
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

/// Words where there is no value, and where there is no proof.
const NOTHING: &str = "nothing said";
const UNPROVEN: &str = "not proven";

impl Legend {
    pub(super) fn of(map: &MapOutcome) -> Option<Self> {
        let unproven = map.certified.as_ref().map(|_| (UNPROVEN, STRIP));
        if let Some(ends) = map.tally.ends {
            let undefined = (map.missing.count > 0).then_some((NOTHING, UNDEFINED));
            return Some(Self::Shades(Shades::of(map, ends)?, unproven.or(undefined)));
        }
        let mut classes: Vec<Class> = map.tally.words.keys().map(|word| Class::Word(word)).collect();
        let between = map.patches.iter().map(|patch| patch.class);
        let undefined = (map.missing.count > 0).then_some(Class::Undefined);
        for class in between.chain(undefined) {
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        classes.sort_by_key(|class| *class == Class::Undefined);
        let named = |class: Class| match class {
            Class::Word(word) => (word, colour(class).unwrap_or(UNDEFINED)),
            Class::Undefined | Class::Above(_) => (NOTHING, UNDEFINED),
        };
        match classes[..] {
            [] => None,
            [Class::Undefined] => Some(Self::Nowhere(nowhere(map))),
            _ => Some(Self::Words(classes.into_iter().map(named).chain(unproven).collect())),
        }
    }

    /// Places of the samples with their words, line by line.
    fn places(samples: &[Sample], left: f64) -> Vec<([f64; 2], Sample)> {
        let (mut x, mut y) = (left, LINE * 0.5);
        let mut found = Vec::new();
        for &(word, colour) in samples {
            let width = sample_width(word);
            if x + width > WIDTH - 10.0 && x > left {
                (x, y) = (left, y + LINE);
            }
            found.push(([x, y], (word, colour)));
            x += width + 10.0;
        }
        found
    }

    pub(super) fn height(&self, left: f64) -> f64 {
        match self {
            Self::Words(words) => Self::places(words, left).last().map_or(0.0, |([_, y], _)| y + LINE * 0.5),
            Self::Nowhere(_) => LINE,
            Self::Shades(..) => 2.0 * LINE,
        }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, left: f64) {
        match self {
            Self::Words(samples) => {
                Self::places(samples, left).into_iter().for_each(|(at, named)| sample(canvas, at, named));
            }
            Self::Nowhere(why) => {
                sample(canvas, [left, LINE * 0.5], (NOTHING, UNDEFINED));
                label(
                    canvas,
                    why,
                    [left + sample_width(NOTHING) + 10.0, LINE * 0.5 + 4.0 + SMALL * 0.35],
                    Anchor::Start,
                );
            }
            Self::Shades(shades, beside) => {
                let right = WIDTH - 10.0 - beside.map_or(0.0, |(word, _)| sample_width(word) + 12.0);
                shades.bar(canvas, left, right);
                beside.iter().for_each(|named| sample(canvas, [right + 12.0, 6.0], *named));
            }
        }
    }
}

/// At how many points there is no number, and why.
fn nowhere(map: &MapOutcome) -> String {
    let count = map.missing.count;
    let reasons = map.missing.reasons.iter().map(|(word, count)| format!("{word} at {count}"));
    match reasons.collect::<Vec<_>>().join(", ") {
        reasons if reasons.is_empty() => format!("at any of {count} points"),
        reasons => format!("at any of {count} points: {reasons}"),
    }
}

fn sample_width(word: &str) -> f64 {
    SAMPLE + 4.0 + text_width(word, SMALL)
}

/// A sample of a colour with its word; that of nothing is hatched.
fn sample(canvas: &mut Canvas, [x, y]: [f64; 2], (word, fill): (&str, Colour)) {
    let top = y + 4.0 - SAMPLE * 0.5;
    let look = Look::line(Colour::GREY, HAIR);
    canvas.rectangle([x, top], [SAMPLE, SAMPLE], look.with_fill(fill));
    if word == NOTHING {
        canvas.line([x, top + SAMPLE], [x + SAMPLE, top], look);
    }
    label(canvas, word, [x + SAMPLE + 4.0, y + 4.0 + SMALL * 0.35], Anchor::Start);
}

fn label(canvas: &mut Canvas, words: &str, at: [f64; 2], anchor: Anchor) {
    canvas.text(Text { words, at, anchor, size: SMALL, colour: Colour::INK });
}
