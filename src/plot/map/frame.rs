//! The panel of a map with its axes, linear or logarithmic.

use crate::analysis::map::{MapAxis, MapOutcome};
use crate::plot::canvas::Canvas;
use crate::plot::formula::quantity;
use crate::plot::panel::{LEFT, Panel, VERTICAL, label_width, ticks};
use crate::plot::scale::{Range, Scale, superscript};
use crate::plot::style::{LABEL, SMALL, WIDTH, in_unit, text_width};

/// Decades below which an axis has ticks between powers of ten.
const FEW: f64 = 3.0;

/// Most powers of ten with a label.
const LABELS: i32 = 7;

/// Powers of ten that are written as plain numbers.
const PLAIN: std::ops::RangeInclusive<i32> = -3..=3;

/// Where the points of a map are on the page.
pub(super) struct Frame<'m> {
    panel: Panel,
    axes: [&'m MapAxis; 2],
}

impl<'m> Frame<'m> {
    /// Of a map, with its upper end where `top` says for its left end; none without two values on each axis.
    pub(super) fn new(map: &'m MapOutcome, height: f64, top: impl Fn(f64) -> f64) -> Option<Self> {
        let (axes, ends) = ([&map.x, &map.y], |axis: &MapAxis| Range::of(even(axis)));
        let (x, y) = ends(axes[0]).zip(ends(axes[1])).filter(|_| map.cells.len() > 1)?;
        let labels = match axes[1].scale {
            Some(_) => marks(y).iter().map(|(_, label)| text_width(label, SMALL)).fold(0.0, f64::max),
            None => label_width(&ticks(y, height, VERTICAL)),
        };
        let left = labels + LEFT;
        let top = top(left);
        let panel = Panel {
            x: Scale { data: x, page: [left, WIDTH - 10.0] },
            y: Scale { data: y, page: [top + height, top] },
        };
        Some(Self { panel, axes })
    }

    /// A point on the page.
    pub(super) fn at(&self, point: [f64; 2]) -> [f64; 2] {
        self.panel.at(std::array::from_fn(|k| self.axes[k].even(point[k])))
    }

    pub(super) fn corner(&self) -> [f64; 2] {
        self.panel.corner()
    }

    pub(super) fn size(&self) -> [f64; 2] {
        self.panel.size()
    }

    /// The sides of a square of the grid on the page.
    pub(super) fn steps(&self) -> [f64; 2] {
        std::array::from_fn(|k| self.size()[k] / (self.axes[k].values.len().max(2) - 1) as f64)
    }

    /// The frame and its axes.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        self.panel.frame(canvas);
        let [x, y] = self.axes;
        match x.scale {
            Some(_) => {
                let marks = marks(self.panel.x.data);
                self.panel.marked_below(
                    canvas,
                    marks.iter().map(|(at, words)| (*at, words)),
                    Some(&named(x)),
                );
            }
            None => self.panel.lower_formula(canvas, &named(x)),
        }
        match y.scale {
            Some(_) => {
                let marks = marks(self.panel.y.data);
                let marks = marks.iter().map(|(at, words)| (*at, words));
                self.panel.marked_left(canvas, marks, (&named(y), LABEL));
            }
            None => self.panel.left_formula(canvas, &named(y)),
        }
    }
}

/// A name with its unit, as a formula.
fn named(axis: &MapAxis) -> String {
    in_unit(&quantity(&axis.name), axis.unit.as_deref())
}

/// The ends of an axis where it is even.
fn even(axis: &MapAxis) -> impl Iterator<Item = f64> {
    [axis.values.first(), axis.values.last()].into_iter().flatten().map(|x| axis.even(x.0))
}

/// Ticks of a logarithmic axis, with their labels: 1, 2 and 5 times powers of ten, over many decades some powers alone.
fn marks(range: Range) -> Vec<(f64, String)> {
    let ten = std::f64::consts::LN_10;
    let (lo, hi) = ((range.lo / ten).floor() as i32, (range.hi / ten).ceil() as i32);
    let few = range.width() < FEW * ten;
    let step = ((hi - lo) / LABELS + 1) as usize;
    let powers = (lo..=hi).step_by(if few { 1 } else { step });
    let within = |place: f64| {
        let slack = 64.0 * f64::EPSILON * range.width();
        (range.lo - slack..=range.hi + slack).contains(&place)
    };
    let found = |multiples: &[i32]| -> Vec<(f64, String)> {
        let all = powers.clone().flat_map(|power| multiples.iter().map(move |&m| (m, power)));
        let placed = all.map(|(m, power)| (f64::from(m).ln() + f64::from(power) * ten, worded(m, power)));
        placed.filter(|(place, _)| within(*place)).collect()
    };
    match few {
        true if found(&[1, 2, 5]).len() > 1 => found(&[1, 2, 5]),
        true => found(&[1, 2, 3, 4, 5, 6, 7, 8, 9]),
        false => found(&[1]),
    }
}

fn worded(multiple: i32, power: i32) -> String {
    match (multiple, power) {
        (_, power) if PLAIN.contains(&power) => {
            let decimals = (-power).max(0) as usize;
            format!("{:.decimals$}", f64::from(multiple) * 10_f64.powi(power))
        }
        (1, power) => format!("10{}", superscript(power)),
        (multiple, power) => format!("{multiple}×10{}", superscript(power)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Range, marks};

    fn labels(lo: f64, hi: f64) -> Vec<String> {
        marks(Range { lo: lo.ln(), hi: hi.ln() }).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_of_logarithmic_axes_are_round() {
        assert_eq!(labels(0.01, 3.0), ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2"]);
        assert_eq!(labels(1e-6, 1e6).len(), 7);
        assert_eq!(labels(1e-6, 1e-4), ["10⁻⁶", "2×10⁻⁶", "5×10⁻⁶", "10⁻⁵", "2×10⁻⁵", "5×10⁻⁵", "10⁻⁴"]);
        assert_eq!(labels(3.0, 4.5), ["3", "4"]);
        for (at, label) in marks(Range { lo: 0.02_f64.ln(), hi: 50_f64.ln() }) {
            assert!((at.exp() - label.parse::<f64>().unwrap()).abs() < 1e-9 * at.exp());
        }
    }
}
