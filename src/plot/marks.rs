//! Events on a time axis: a line each as long as they can be told apart, labels where there is room, and how many are left out.

use super::canvas::{Anchor, Canvas, Look, Text};
use super::scale::Scale;
use super::style::{Colour, HAIR, TINY, text_width};
use crate::simulate::trajectory::{Event, EventKind, Trajectory};

/// Height of a row of labels.
const ROW: f64 = TINY + 1.5;

/// Rows of labels.
const ROWS: usize = 3;

/// Lines closer than this are drawn as one.
const APART: f64 = 1.2;

/// More lines than this are drawn as a shade.
const CROWD: usize = 30;

/// Space between two labels of a row.
const GAP: f64 = 4.0;

/// Labels of neighbours of one kind that are closer than this share one.
const NEAR: f64 = 18.0;

/// A label above the axis.
#[derive(Clone, Debug, PartialEq)]
struct Label {
    words: String,
    x: f64,
    row: usize,
}

/// Where the marks stand on the page.
pub(super) struct Marks {
    lines: Vec<f64>,
    labels: Vec<Label>,
    left_out: usize,
}

/// Events of one kind side by side.
struct Cluster {
    words: String,
    first: f64,
    last: f64,
    count: usize,
}

impl Marks {
    /// The marks of all events but the end of the time that was asked for.
    pub(super) fn new(trajectory: &Trajectory, scale: &Scale) -> Self {
        let several = contacts(trajectory) > 1;
        let events: Vec<(f64, String)> = trajectory
            .events
            .iter()
            .filter(|e| e.kind != EventKind::End && (scale.data.lo..=scale.data.hi).contains(&e.t.0))
            .map(|e| (scale.at(e.t.0), words(e, several)))
            .collect();
        let mut lines: Vec<f64> = Vec::new();
        for (x, _) in &events {
            if lines.last().is_none_or(|last| x - last >= APART) {
                lines.push(*x);
            }
        }
        let (labels, left_out) = placed(clusters(&events), scale.page);
        Self { lines, labels, left_out }
    }

    /// The height that the labels take.
    pub(super) fn height(&self) -> f64 {
        let rows = self.labels.iter().map(|l| l.row + 1).max().unwrap_or(0);
        rows as f64 * ROW + if rows > 0 { 2.0 } else { 0.0 }
    }

    /// Draws the labels above `top` and the lines from there to `bottom`.
    pub(super) fn draw(&self, canvas: &mut Canvas, top: f64, bottom: f64, right: f64) {
        let look = if self.lines.len() > CROWD {
            Look::line(Colour::PALE, HAIR / 2.0)
        } else {
            Look::line(Colour::GREY, HAIR).dashed("2 2.2")
        };
        for x in &self.lines {
            canvas.line([*x, top], [*x, bottom], look);
        }
        for Label { words, x, row } in &self.labels {
            let at = [*x, top - 2.5 - *row as f64 * ROW];
            canvas.text(Text { words, at, anchor: Anchor::Middle, size: TINY, colour: Colour::INK });
        }
        if self.left_out > 0 {
            let words = format!("{} more", self.left_out);
            let at = [right, top - 2.5 - ROWS as f64 * ROW];
            canvas.text(Text { words: &words, at, anchor: Anchor::End, size: TINY, colour: Colour::GREY });
        }
    }

    /// The height of the line that says how many labels are left out.
    pub(super) fn remainder_height(&self) -> f64 {
        if self.left_out > 0 { ROWS as f64 * ROW + ROW - self.height() + 2.0 } else { 0.0 }
    }
}

fn contacts(trajectory: &Trajectory) -> usize {
    trajectory.phases.iter().map(|p| p.mode.0.len()).max().unwrap_or(0)
}

fn words(event: &Event, several: bool) -> String {
    match &event.contact {
        Some(contact) if several => format!("{} {contact}", event.kind.name()),
        _ => event.kind.name().to_owned(),
    }
}

fn clusters(events: &[(f64, String)]) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = Vec::new();
    for (x, words) in events {
        match clusters.last_mut() {
            Some(c) if c.words == *words && x - c.last < NEAR => {
                c.last = *x;
                c.count += 1;
            }
            _ => clusters.push(Cluster { words: words.clone(), first: *x, last: *x, count: 1 }),
        }
    }
    clusters
}

/// Labels in the lowest row with room, and how many events have none.
fn placed(clusters: Vec<Cluster>, [left, right]: [f64; 2]) -> (Vec<Label>, usize) {
    let mut ends = [f64::NEG_INFINITY; ROWS];
    let (mut labels, mut left_out) = (Vec::new(), 0);
    for Cluster { words, first, last, count } in clusters {
        let words = if count > 1 { format!("{words} ×{count}") } else { words };
        let half = text_width(&words, TINY) / 2.0;
        let x = (first.midpoint(last)).min(right - half).max(left + half);
        match ends.iter().position(|end| *end + GAP <= x - half) {
            Some(row) => {
                ends[row] = x + half;
                labels.push(Label { words, x, row });
            }
            None => left_out += count,
        }
    }
    (labels, left_out)
}

#[cfg(test)]
mod tests {
    use super::{Cluster, GAP, ROWS, TINY, clusters, placed, text_width};

    #[test]
    fn labels_never_overlap_and_none_is_forgotten() {
        let kinds = ["impact", "lift-off", "stick", "slip"];
        let events: Vec<(f64, String)> = (0..1000_u32)
            .map(|i| (300.0 * f64::from(i) / 1000.0, kinds[i as usize % 4].to_owned()))
            .collect();
        let clusters = clusters(&events);
        assert_eq!(clusters.iter().map(|c| c.count).sum::<usize>(), 1000);
        let (labels, left_out) = placed(clusters, [0.0, 300.0]);
        assert_eq!(labels.len() + left_out, 1000);
        for (i, a) in labels.iter().enumerate() {
            assert!(a.row < ROWS);
            for b in labels[i + 1..].iter().filter(|b| b.row == a.row) {
                let room = (text_width(&a.words, TINY) + text_width(&b.words, TINY)) / 2.0 + GAP;
                assert!((b.x - a.x).abs() >= room - 1e-9, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn neighbours_of_one_kind_share_a_label() {
        let events: Vec<(f64, String)> = (0..50).map(|i| (f64::from(i), "impact".to_owned())).collect();
        let (labels, left_out) = placed(clusters(&events), [0.0, 300.0]);
        assert_eq!((labels.len(), left_out), (1, 0));
        assert_eq!(labels[0].words, "impact ×50");
    }

    #[test]
    fn a_label_stays_on_the_page() {
        let cluster = Cluster { words: "inconsistent".to_owned(), first: 299.0, last: 299.0, count: 1 };
        let (labels, _) = placed(vec![cluster], [0.0, 300.0]);
        assert!(labels[0].x + text_width("inconsistent", TINY) / 2.0 <= 300.0);
    }
}
