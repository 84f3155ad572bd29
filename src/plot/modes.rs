//! What contacts do, over time: bands behind the data for one contact, a strip each for several, and their legend.

use super::canvas::{Anchor, Canvas, Look, Text};
use super::panel::Panel;
use super::scale::Scale;
use super::style::{BAND, Colour, SMALL, TINY, fitted, mode_colour, text_width};
use crate::simulate::trajectory::{PhaseSpan, Trajectory};

/// Height of a strip with its space.
const STRIP: f64 = 8.0;

/// The width that the name of a contact may take.
const NAME: f64 = 90.0;

/// Size of a swatch.
const SWATCH: f64 = 8.0;

/// The names of the contacts.
pub(super) fn contacts(trajectory: &Trajectory) -> Vec<&str> {
    let longest = trajectory.phases.iter().max_by_key(|p| p.mode.0.len());
    longest.map_or_else(Vec::new, |p| p.mode.0.iter().map(|(name, _)| name.as_str()).collect())
}

/// The modes that occur, in the order of their first time.
fn modes<'t>(trajectories: &[&'t Trajectory]) -> Vec<&'t str> {
    let mut found = Vec::new();
    let phases = trajectories.iter().flat_map(|t| &t.phases);
    for (_, mode) in phases.flat_map(|p| &p.mode.0) {
        if !found.contains(&mode.as_ref()) {
            found.push(mode.as_ref());
        }
    }
    found
}

/// Spans with one mode of a contact, neighbours of the same mode joined.
pub(super) fn spans<'t>(trajectory: &'t Trajectory, contact: &str) -> Vec<(f64, f64, &'t str)> {
    let mut spans: Vec<(f64, f64, &str)> = Vec::new();
    for PhaseSpan { t0, t1, mode, .. } in &trajectory.phases {
        let Some(mode) = mode.get(contact) else { continue };
        match spans.last_mut() {
            Some(last) if last.2 == mode.as_ref() && last.1 >= t0.0 => last.1 = t1.0,
            _ => spans.push((t0.0, t1.0, mode)),
        }
    }
    spans
}

/// Bands behind the data of a panel, where there is one contact.
pub(super) fn bands(canvas: &mut Canvas, trajectory: &Trajectory, panel: &Panel) {
    let [contact] = contacts(trajectory)[..] else { return };
    let ([_, top], [_, height]) = (panel.corner(), panel.size());
    for (from, to, mode) in spans(trajectory, contact) {
        let Some(colour) = mode_colour(mode) else { continue };
        stretch(canvas, &panel.x, [from, to], [top, height], Look::filled(colour).at_opacity(BAND));
    }
}

fn stretch(canvas: &mut Canvas, scale: &Scale, [from, to]: [f64; 2], [top, height]: [f64; 2], look: Look) {
    let [left, right] = [from, to].map(|t| scale.at(t).clamp(scale.page[0], scale.page[1]));
    if right > left {
        canvas.rectangle([left, top], [right - left, height], look);
    }
}

/// The height of the strips: none for a single contact, whose modes are bands.
pub(super) fn strips_height(trajectory: &Trajectory) -> f64 {
    match contacts(trajectory).len() {
        0 | 1 => 0.0,
        several => several as f64 * STRIP + 4.0,
    }
}

/// The width of the names beside the strips.
pub(super) fn names_width(trajectory: &Trajectory) -> f64 {
    let contacts = contacts(trajectory);
    if contacts.len() < 2 {
        return 0.0;
    }
    contacts.iter().map(|c| text_width(c, TINY)).fold(0.0, f64::max).min(NAME)
}

/// A strip for each of several contacts, from `top` down.
pub(super) fn strips(canvas: &mut Canvas, trajectory: &Trajectory, scale: &Scale, top: f64) {
    let contacts = contacts(trajectory);
    if contacts.len() < 2 {
        return;
    }
    for (row, contact) in contacts.into_iter().enumerate() {
        let y = top + row as f64 * STRIP;
        let [left, right] = scale.page;
        canvas.rectangle([left, y], [right - left, STRIP - 2.0], Look::line(Colour::PALE, 0.4));
        for (from, to, mode) in spans(trajectory, contact) {
            let Some(colour) = mode_colour(mode) else { continue };
            stretch(canvas, scale, [from, to], [y, STRIP - 2.0], Look::filled(colour));
        }
        let at = [left - 4.0, y + STRIP - 2.5];
        let words = &fitted(contact, NAME, TINY);
        canvas.text(Text { words, at, anchor: Anchor::End, size: TINY, colour: Colour::INK });
    }
}

/// The height of the legend.
pub(super) const LEGEND: f64 = 14.0;

/// Swatches of the modes that occur, from `left`; says the contact if there is one.
pub(super) fn legend(
    canvas: &mut Canvas,
    trajectories: &[&Trajectory],
    [left, baseline]: [f64; 2],
    opacity: f64,
) {
    let mut x = left;
    let contacts = trajectories.iter().map(|t| contacts(t)).max_by_key(Vec::len).unwrap_or_default();
    if let [contact] = contacts[..] {
        x += canvas.say(&format!("{}:", fitted(contact, NAME, SMALL)), [x, baseline], SMALL) + 4.0;
    }
    for mode in modes(trajectories) {
        let look = match mode_colour(mode) {
            Some(colour) => Look::line(Colour::GREY, 0.4).with_fill(colour).at_opacity(opacity),
            None => Look::line(Colour::GREY, 0.4),
        };
        canvas.rectangle([x, baseline - SWATCH + 0.8], [SWATCH, SWATCH], look);
        x += SWATCH + 3.0;
        x += canvas.say(mode, [x, baseline], SMALL) + 8.0;
    }
}
