//! The visual language of every picture: sizes, type, line weights and colours. The colours are those of Okabe and Ito, which
//! readers of any colour vision tell apart; sizes are in units of which a column of a two-column paper is 360 wide.

use crate::predict::Verdict;
use std::fmt;

/// Width of a picture.
pub(super) const WIDTH: f64 = 360.0;

/// Size of labels.
pub(super) const LABEL: f64 = 10.0;

/// Size of tick labels and legends.
pub(super) const SMALL: f64 = 8.5;

/// Size of marks on events.
pub(super) const TINY: f64 = 7.5;

/// Weight of data lines.
pub(super) const DATA: f64 = 1.3;

/// Weight of axes.
pub(super) const AXIS: f64 = 0.7;

/// Weight of what only guides the eye.
pub(super) const HAIR: f64 = 0.5;

/// Opacity of bands behind data.
pub(super) const BAND: f64 = 0.22;

/// A colour by its red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour(pub(super) [u8; 3]);

impl Colour {
    pub(super) const INK: Self = Self([0x22, 0x22, 0x22]);
    pub(super) const GREY: Self = Self([0x77, 0x77, 0x77]);
    pub(super) const PALE: Self = Self([0xcc, 0xcc, 0xcc]);
    pub(super) const PAPER: Self = Self([0xff, 0xff, 0xff]);
    pub(super) const BLUE: Self = Self([0x00, 0x72, 0xb2]);
    pub(super) const SKY: Self = Self([0x56, 0xb4, 0xe9]);
    pub(super) const GREEN: Self = Self([0x00, 0x9e, 0x73]);
    pub(super) const VERMILION: Self = Self([0xd5, 0x5e, 0x00]);
    pub(super) const PURPLE: Self = Self([0xcc, 0x79, 0xa7]);
    /// Friction: cones.
    pub(super) const AMBER: Self = Self([0xe6, 0x9f, 0x00]);
    /// Contact forces, and words on amber.
    pub(super) const BROWN: Self = Self([0x8a, 0x5a, 0x00]);
    pub(super) const RED: Self = Self([0xb3, 0x26, 0x1e]);
    pub(super) const VIOLET: Self = Self([0x7b, 0x3f, 0xa6]);
    /// Bodies.
    pub(super) const SLATE: Self = Self([0x33, 0x41, 0x55]);
    /// Words on green.
    pub(super) const PINE: Self = Self([0x00, 0x6b, 0x4e]);

    /// A share from this colour to another.
    pub(super) fn towards(self, other: Self, share: f64) -> Self {
        let mix = |k: usize| {
            let (from, to) = (f64::from(self.0[k]), f64::from(other.0[k]));
            (from + (to - from) * share.clamp(0.0, 1.0)).round() as u8
        };
        Self([mix(0), mix(1), mix(2)])
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The colour of what a contact does; an open contact has none.
pub(super) fn mode_colour(mode: &str) -> Option<Colour> {
    match mode {
        "free" => None,
        "slip+" | "slip" | "slip+ pulled" => Some(Colour::BLUE),
        "slip-" | "slip- pulled" => Some(Colour::VERMILION),
        "stick" => Some(Colour::GREEN),
        _ => Some(Colour::PURPLE),
    }
}

/// The colour of a region of a map: green where things are determined and stay, amber where several things may happen, red where none can
/// or small pushes grow, greys where there is nothing to judge or it cannot be.
pub(super) fn region_colour(word: &str) -> Colour {
    match word {
        "consistent" | "strong" | "stable" => Colour::GREEN.towards(Colour::PAPER, 0.45),
        "inconsistent" | "unstable" => Colour::RED.towards(Colour::PAPER, 0.35),
        "indeterminate" | "ambiguous" => Colour::AMBER.towards(Colour::PAPER, 0.35),
        "marginal" => Colour::INK.towards(Colour::PAPER, 0.45),
        "none" => Colour::PALE.towards(Colour::PAPER, 0.65),
        _ => Colour::PALE,
    }
}

/// The colour of a mark in a region of a map.
pub(super) fn region_ink(word: &str) -> Colour {
    match word {
        "consistent" | "strong" | "stable" => Colour::PINE,
        "inconsistent" | "unstable" => Colour::RED,
        "indeterminate" | "ambiguous" => Colour::BROWN,
        _ => Colour::GREY,
    }
}

/// The colour of a verdict in words and marks: green consistent, red inconsistent, amber indeterminate, grey undecided.
pub(super) fn verdict_ink(verdict: Verdict) -> Colour {
    match verdict {
        Verdict::Consistent => Colour::PINE,
        Verdict::Inconsistent => Colour::RED,
        Verdict::Indeterminate => Colour::BROWN,
        Verdict::Marginal | Verdict::Undecided => Colour::GREY,
    }
}

/// The colour of a verdict's regions.
pub(super) fn verdict_fill(verdict: Verdict) -> Colour {
    let (colour, paler) = match verdict {
        Verdict::Consistent => (Colour::GREEN, 0.86),
        Verdict::Inconsistent => (Colour::RED, 0.76),
        Verdict::Indeterminate => (Colour::AMBER, 0.72),
        Verdict::Marginal | Verdict::Undecided => (Colour::GREY, 0.8),
    };
    colour.towards(Colour::PAPER, paler)
}

/// Colours of the paths of contacts, in turn.
pub(super) const TRACKS: [Colour; 4] = [Colour::VERMILION, Colour::BLUE, Colour::GREEN, Colour::PURPLE];

/// Dashes of these paths, another one each time that the colours begin anew.
pub(super) const DASHES: [Option<&str>; 4] = [None, Some("4 2.5"), Some("1 2.5"), Some("6 2 1 2")];

/// The colour of a body at a share of the motion's time, from pale to dark.
pub(super) fn time_colour(share: f64) -> Colour {
    Colour([0xc8, 0xd2, 0xdc]).towards(Colour([0x1b, 0x2a, 0x3a]), share)
}

/// A unit with its powers raised: `m/s^2` is m/s².
pub(super) fn unit_words(unit: &str) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let mut words = String::new();
    let mut raised = false;
    for c in unit.chars() {
        match (c, c.to_digit(10)) {
            ('^', _) => raised = true,
            ('-', _) if raised => words.push('⁻'),
            (_, Some(digit)) if raised => words.push(RAISED[digit as usize % 10]),
            (c, _) => {
                raised = false;
                words.push(c);
            }
        }
    }
    words
}

/// What an axis shows, with its unit if there is one.
pub(super) fn in_unit(name: &str, unit: Option<&str>) -> String {
    match unit.filter(|unit| !unit.is_empty() && *unit != "1") {
        Some(unit) => format!("{name} ({})", unit_words(unit)),
        None => name.to_owned(),
    }
}

/// Width of a text at a size: by classes of letters of DejaVu Sans, which is wider than what most readers see.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let width = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' | ' ' | '(' | ')' => 0.36,
        'f' | 'r' | 't' | '-' => 0.42,
        'm' | 'w' | 'M' | 'W' | '—' | '×' => 0.9,
        'A'..='Z' => 0.7,
        _ => 0.62,
    };
    size * text.chars().map(width).sum::<f64>()
}

/// A text cut to a width.
pub(super) fn fitted(words: &str, width: f64, size: f64) -> String {
    if text_width(words, size) <= width {
        return words.to_owned();
    }
    let mut kept = String::new();
    for c in words.chars() {
        kept.push(c);
        if text_width(&kept, size) + text_width("…", size) > width {
            kept.pop();
            break;
        }
    }
    if kept.is_empty() { kept } else { kept + "…" }
}
