//! The motion as an animated picture: frames that are shown one after the other by a style sheet, without a script.

use super::draw::{Scene, TOP};
use crate::format::Space;
use crate::num::InOrder;
use crate::plot::canvas::{Canvas, Look};
use crate::plot::mechanism::projected::{Projected, Skin, paint};
use crate::plot::panel::Panel;
use crate::plot::picture::Picture;
use crate::plot::style::{Colour, SMALL, TINY, WIDTH};
use crate::report::significant;

/// Shortest and longest time that the motion takes on the page, s; the last frame stays this long.
const SHOWN: [f64; 2] = [2.0, 20.0];
const REST: f64 = 0.8;
/// Share of the motion for which an event is named.
const NAMED: f64 = 0.08;

/// What happened when.
pub(super) struct Mark {
    pub(super) t: f64,
    pub(super) words: String,
}

/// How fast a motion of some time is shown: one, or a round number by which it is slower or faster.
pub(super) struct Pace {
    /// Time on the page over time of the motion.
    pub(super) slow: f64,
}

impl Pace {
    pub(super) fn of(span: f64) -> Self {
        let wanted = (SHOWN[0] / span).max((SHOWN[1] / span).min(1.0));
        let decade = 10_f64.powf(wanted.log10().floor());
        let round = |x: f64| {
            [1.0, 2.0, 5.0, 10.0].into_iter().find(|k| k * decade >= x * (1.0 - f64::EPSILON.sqrt()))
        };
        // what is too long is shown faster, and no faster than it has to be
        let slow = if wanted < 1.0 {
            1.0 / (1.0 / wanted).ceil()
        } else {
            round(wanted).map_or(wanted, |k| k * decade)
        };
        Self { slow }
    }

    pub(super) fn words(&self) -> String {
        match self.slow {
            slow if slow > 1.0 => format!("{} times slower than it is", significant(slow)),
            slow if slow < 1.0 => format!("{} times faster than it is", significant(1.0 / slow)),
            _ => "as fast as it is".to_string(),
        }
    }
}

impl Scene {
    /// The picture; a layer for each time, which are equally far from each other.
    pub(super) fn animated(self, title: String, marks: &[Mark]) -> Picture {
        let panel = self.panel();
        let bottom = panel.y.page[0] + self.below();
        let mut canvas = Canvas::new([WIDTH, bottom], title);
        let [begin, end] = self.times;
        let (span, count) = (end - begin, self.layers.len());
        let pace = Pace::of(span);
        let step = span * pace.slow / count as f64;
        canvas.frames(count, step, REST);
        canvas.clipped(panel.corner(), panel.size(), |canvas| {
            self.scenery.standing.iter().for_each(|flat| self.standing(canvas, &panel, flat));
        });
        self.around(&mut canvas, &panel);
        self.line_of_time(&mut canvas, &panel, marks);
        let words = pace.words();
        for (i, layer) in self.layers.iter().enumerate() {
            let t = begin + span * i as f64 / (count - 1).max(1) as f64;
            canvas.frame(i, (i as f64 * step, i + 1 == count), |canvas| {
                canvas
                    .clipped(panel.corner(), panel.size(), |canvas| self.moment(canvas, &panel, (i, layer)));
                let named = marks.iter().rfind(|mark| mark.t <= t && t - mark.t <= NAMED * span);
                let event = named.map(|mark| format!(", {}", mark.words)).unwrap_or_default();
                canvas.say(
                    &format!("t = {}, {words}{event}", significant(t)),
                    [panel.corner()[0], 14.0],
                    SMALL,
                );
                let x = self.place_of(&panel, t);
                canvas.rectangle([x - 1.0, TOP - 6.0], [2.0, 5.0], Look::filled(Colour::INK));
            });
        }
        canvas.finish()
    }

    /// One time: surfaces that move, and bodies from far to near.
    fn moment(&self, canvas: &mut Canvas, panel: &Panel, (i, layer): (usize, &Vec<(f64, Projected)>)) {
        let colour = Colour::SLATE;
        for flat in self.scenery.moving.iter().filter_map(|flats| flats.get(i)) {
            self.moving(canvas, panel, flat, (colour, true));
        }
        let mut order: Vec<&(f64, Projected)> = layer.iter().collect();
        order.put_in_order(|a, b| a.0.total_cmp(&b.0));
        order.into_iter().for_each(|(_, seen)| paint(canvas, panel, seen, Skin::line(colour)));
    }

    /// Where a time is on the line above the panel.
    fn place_of(&self, panel: &Panel, t: f64) -> f64 {
        let [begin, end] = self.times;
        let share = if end > begin { (t - begin) / (end - begin) } else { 0.0 };
        panel.corner()[0] + share * panel.size()[0]
    }

    /// The line of time above the panel, with a mark at each event, which says what it is to who points at it.
    fn line_of_time(&self, canvas: &mut Canvas, panel: &Panel, marks: &[Mark]) {
        let ([left, _], [width, _]) = (panel.corner(), panel.size());
        canvas.line([left, TOP - 3.5], [left + width, TOP - 3.5], Look::line(Colour::PALE, 1.0));
        for mark in marks {
            let x = self.place_of(panel, mark.t);
            canvas.explained(&format!("{} at t = {}", mark.words, significant(mark.t)), |canvas| {
                canvas.line([x, TOP - TINY], [x, TOP - 1.0], Look::line(Colour::VERMILION, 1.0));
            });
        }
    }

    /// Room below the panel.
    fn below(&self) -> f64 {
        if self.view.space == Space::Plane { crate::plot::panel::LOWER } else { 8.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::Pace;

    #[test]
    fn motions_are_shown_as_fast_as_they_are_if_one_can_follow() {
        for (span, words) in [
            (2.0, "as fast as it is"),
            (19.0, "as fast as it is"),
            (1.0, "2 times slower than it is"),
            (0.3, "10 times slower than it is"),
            (0.001, "2000 times slower than it is"),
            (100.0, "5 times faster than it is"),
            (90.0, "5 times faster than it is"),
        ] {
            assert_eq!(Pace::of(span).words(), words, "{span}");
        }
    }
}
