//! A panel whose vertical axis counts powers of ten: lines through it, labels and names.

use super::canvas::{Anchor, Canvas, Look, Text};
use super::scale::{Range, Scale, superscript};
use super::style::{Colour, HAIR, LABEL, SMALL};

/// Whole powers of ten in a range, some of them where there are many.
pub(super) fn decades(range: Range, least: i32) -> Vec<i32> {
    let (low, high) = (range.lo.ceil() as i32, range.hi.floor() as i32);
    let step = least.max((high - low) / 10 + 1);
    (low..=high).filter(|power| power.rem_euclid(if high - low > 4 { step } else { 1 }) == 0).collect()
}

/// A power of ten in words.
pub(super) fn power_of_ten(power: i32) -> String {
    format!("10{}", superscript(power))
}

/// The grid of a panel with its labels: below at the places that are given, at the left at every `least` powers of ten.
pub(super) fn axes(
    canvas: &mut Canvas,
    (x, lower): (&Scale, &[(f64, String)]),
    (y, least): (&Scale, i32),
    [across, up]: [&str; 2],
) {
    let ([left, right], [bottom, top]) = (x.page, y.page);
    let hair = Look::line(Colour::PALE, HAIR);
    for (place, words) in lower {
        let at = x.at(*place);
        canvas.line([at, top], [at, bottom], hair);
        let at = [at, bottom + SMALL + 3.0];
        canvas.text(Text { words, at, anchor: Anchor::Middle, size: SMALL, colour: Colour::INK });
    }
    for power in decades(y.data, least) {
        let at = y.at(f64::from(power));
        canvas.line([left, at], [right, at], hair);
        let words = &power_of_ten(power);
        let at = [left - 4.0, at + SMALL * 0.35];
        canvas.text(Text { words, at, anchor: Anchor::End, size: SMALL, colour: Colour::INK });
    }
    let named = |words, at| Text { words, at, anchor: Anchor::Middle, size: LABEL, colour: Colour::INK };
    canvas.text(named(across, [(left + right) / 2.0, bottom + SMALL + LABEL + 7.0]));
    canvas.turned_text(named(up, [LABEL + 2.0, (top + bottom) / 2.0]), -90.0);
}
