//! A rectangle with two scales, its frame, ticks and labels.

use super::canvas::{Anchor, Canvas, Look, Text};
use super::formula::plain;
use super::scale::{Range, Scale, Ticks};
use super::style::{AXIS, Colour, LABEL, SMALL, text_width};

/// Length of a tick.
const TICK: f64 = 3.0;

/// A panel: x to the right, y up.
pub(super) struct Panel {
    pub(super) x: Scale,
    pub(super) y: Scale,
}

/// Ticks for a height or width on the page.
pub(super) fn ticks(range: Range, length: f64, spacing: f64) -> Ticks {
    Ticks::new(range, (length / spacing).floor().max(3.0) as usize)
}

/// Spacing of ticks on a vertical axis.
pub(super) const VERTICAL: f64 = 26.0;

/// Spacing of ticks on a horizontal axis.
pub(super) const HORIZONTAL: f64 = 52.0;

/// The width that the labels of a vertical axis take.
pub(super) fn label_width(ticks: &Ticks) -> f64 {
    ticks.labels.iter().map(|l| text_width(l, SMALL)).fold(0.0, f64::max)
}

impl Panel {
    /// With its ranges between the sides and between the ends of a part of the page, of which the vertical axis takes some at the left.
    pub(super) fn beside_axis([left, right]: [f64; 2], [top, bottom]: [f64; 2], [x, y]: [Range; 2]) -> Self {
        let left = left + label_width(&ticks(y, bottom - top, VERTICAL)) + LEFT;
        Self { x: Scale { data: x, page: [left, right] }, y: Scale { data: y, page: [bottom, top] } }
    }

    pub(super) fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        if x.is_finite() && y.is_finite() { [self.x.at(x), self.y.at(y)] } else { [f64::NAN; 2] }
    }

    pub(super) fn corner(&self) -> [f64; 2] {
        [self.x.page[0], self.y.page[1]]
    }

    pub(super) fn size(&self) -> [f64; 2] {
        [self.x.page[1] - self.x.page[0], self.y.page[0] - self.y.page[1]]
    }

    pub(super) fn frame(&self, canvas: &mut Canvas) {
        canvas.rectangle(self.corner(), self.size(), Look::line(Colour::GREY, AXIS));
    }

    /// Ticks and labels at the left, and a name without marks.
    pub(super) fn left_axis(&self, canvas: &mut Canvas, name: &str) {
        self.left_formula(canvas, &plain(name));
    }

    /// Ticks and labels at the left, and a name with marks for subscripts.
    pub(super) fn left_formula(&self, canvas: &mut Canvas, name: &str) {
        let ticks = ticks(self.y.data, self.size()[1], VERTICAL);
        let words = &shortened(&noted(name, &ticks), self.size()[1] / text_width("n", SMALL));
        let size = LABEL.min(LABEL * self.size()[1] / text_width(words, LABEL).max(1.0)).max(SMALL * 0.8);
        self.marked_left(canvas, ticks.at.iter().copied().zip(&ticks.labels), (words, size));
    }

    /// Marks at the left with their words, and a name of some size with marks for subscripts beside them.
    pub(super) fn marked_left<'w>(
        &self,
        canvas: &mut Canvas,
        marks: impl Iterator<Item = (f64, &'w String)>,
        (name, size): (&str, f64),
    ) {
        let ([left, top], mut width) = (self.corner(), 0.0_f64);
        for (at, words) in marks {
            let y = self.y.at(at);
            canvas.line([left - TICK, y], [left, y], Look::line(Colour::GREY, AXIS));
            let at = [left - TICK - 2.0, y + SMALL * 0.35];
            canvas.text(Text { words, at, anchor: Anchor::End, size: SMALL, colour: Colour::INK });
            width = width.max(text_width(words, SMALL));
        }
        let at = [left - TICK - 2.0 - width - 5.0, top + self.size()[1] / 2.0];
        let text = Text { words: name, at, anchor: Anchor::Middle, size, colour: Colour::INK };
        canvas.turned_formula(text, -90.0);
    }

    /// Ticks below, with labels if the axis has a name.
    pub(super) fn lower_axis(&self, canvas: &mut Canvas, name: Option<&str>) {
        self.lower(canvas, name.map(plain).as_deref());
    }

    /// Ticks and labels below, and a name with marks for subscripts.
    pub(super) fn lower_formula(&self, canvas: &mut Canvas, name: &str) {
        self.lower(canvas, Some(name));
    }

    fn lower(&self, canvas: &mut Canvas, name: Option<&str>) {
        let ticks = ticks(self.x.data, self.size()[0], HORIZONTAL);
        let name = name.map(|name| noted(name, &ticks));
        self.marked_below(canvas, ticks.at.iter().copied().zip(&ticks.labels), name.as_deref());
    }

    /// Marks below; their words, and a name with marks for subscripts, if there is one.
    pub(super) fn marked_below<'w>(
        &self,
        canvas: &mut Canvas,
        marks: impl Iterator<Item = (f64, &'w String)>,
        name: Option<&str>,
    ) {
        let bottom = self.y.page[0];
        for (at, words) in marks {
            let x = self.x.at(at);
            canvas.line([x, bottom], [x, bottom + TICK], Look::line(Colour::GREY, AXIS));
            if name.is_some() {
                let at = [x, bottom + TICK + SMALL + 1.0];
                canvas.text(Text { words, at, anchor: Anchor::Middle, size: SMALL, colour: Colour::INK });
            }
        }
        if let Some(words) = name {
            let at = [self.corner()[0] + self.size()[0] / 2.0, bottom + TICK + SMALL + LABEL + 4.0];
            canvas.formula(Text { words, at, anchor: Anchor::Middle, size: LABEL, colour: Colour::INK });
        }
    }
}

/// A name without its middle where it is longer than some letters.
fn shortened(name: &str, letters: f64) -> String {
    let count = name.chars().count();
    let kept = (letters * 1.2) as usize / 2;
    if count <= 2 * kept {
        return name.to_owned();
    }
    let start: String = name.chars().take(kept).collect();
    let end: String = name.chars().skip(count - kept).collect();
    format!("{start}…{end}")
}

/// The height below a panel whose axis has a name.
pub(super) const LOWER: f64 = TICK + SMALL + LABEL + 9.0;

/// The width at the left of a panel beside its tick labels.
pub(super) const LEFT: f64 = TICK + 2.0 + 5.0 + LABEL + 3.0;

fn noted(name: &str, ticks: &Ticks) -> String {
    match &ticks.note {
        Some(note) => format!("{name}  ({note})"),
        None => name.to_owned(),
    }
}
