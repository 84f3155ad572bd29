//! Bodies, surfaces, arrows, and the words beside them.

use super::contacts::Touching;
use super::layout::Layout;
use super::scene::Scene;
use crate::format::Space;
use crate::plot::canvas::{Anchor, Canvas, Look, Text};
use crate::plot::formula::plain;
use crate::plot::labels::{Label, Places};
use crate::plot::mechanism::place::{Vector, dot, length, minus, plus, times};
use crate::plot::mechanism::projected::{Projected, Skin, paint};
use crate::plot::mechanism::surfaces::{Sheet, grid, hatched_line};
use crate::plot::scale::short;
use crate::plot::style::{Colour, LABEL, SMALL, TINY};

/// Contacts up to which each has its name.
const NAMED: usize = 6;

/// Contacts up to which each force has its number.
const NUMBERED: usize = 4;

/// Arrows shorter than this share of the longest are left out.
const FAINT: f64 = 0.001;

/// Words with their size and colour, a place, and the side of it on which they rather stand.
struct Waiting {
    words: String,
    size: f64,
    colour: Colour,
    at: [f64; 2],
    rather: [f64; 2],
}

/// Words that wait until everything is drawn.
pub(super) struct Words {
    places: Option<Places>,
    waiting: Vec<Waiting>,
    /// Frictions whose cones are named.
    named: Vec<f64>,
}

impl Words {
    pub(super) fn new(layout: &Layout) -> Self {
        let [width, height] = layout.size;
        let places = Places::new([3.0, 3.0], [width - 3.0, height - 3.0]);
        Self { places: Some(places), waiting: Vec::new(), named: Vec::new() }
    }

    /// No words.
    pub(super) fn none() -> Self {
        Self { places: None, waiting: Vec::new(), named: Vec::new() }
    }

    fn say(&mut self, words: String, (size, colour): (f64, Colour), at: [f64; 2], rather: [f64; 2]) {
        self.waiting.push(Waiting { words, size, colour, at, rather });
    }

    fn avoid(&mut self, points: &[[f64; 2]]) {
        if let Some(places) = &mut self.places {
            places.avoid(points);
        }
    }

    /// A line of some half width.
    fn avoid_bar(&mut self, points: &[[f64; 2]], half: f64) {
        for pair in points.windows(2) {
            let [x, y] = direction(pair[0], pair[1]);
            for side in [-half, half] {
                let moved = [0, 1].map(|k: usize| [pair[k][0] - side * y, pair[k][1] + side * x]);
                self.avoid(&moved);
            }
        }
    }

    /// The friction of a cone at the end of its right edge, once for each number.
    pub(super) fn cone(&mut self, contact: &Touching, [left, apex, right]: [[f64; 2]; 3]) {
        self.avoid(&[left, apex, right]);
        if !self.named.iter().any(|mu| mu.to_bits() == contact.mu.to_bits()) {
            self.named.push(contact.mu);
            let way = direction(apex, right);
            self.say(format!("μ = {}", short(contact.mu)), (SMALL, Colour::BROWN), right, way);
        }
    }

    pub(super) fn write(mut self, canvas: &mut Canvas, layout: &Layout, scene: &Scene) {
        if scene.view.space == Space::Space {
            triad(canvas, layout, scene);
        }
        let Some(places) = &mut self.places else { return };
        if scene.view.space == Space::Space {
            places.take([26.0, layout.size[1] - 24.0], [22.0, 22.0]);
        }
        for (centre, _) in &scene.centres {
            let r = layout.sizes.centre;
            places.take(layout.panel.at(scene.view.of(*centre)), [r, r]);
        }
        for Waiting { words, size, colour, at, rather } in &self.waiting {
            let label = Label { words, size: *size, colour: *colour };
            places.write(canvas, label, *at, *rather);
        }
    }
}

fn direction(from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    let length = (to[0] - from[0]).hypot(to[1] - from[1]);
    if length > 0.0 { [(to[0] - from[0]) / length, (to[1] - from[1]) / length] } else { [0.0, -1.0] }
}

/// The inertial axes, in a corner.
fn triad(canvas: &mut Canvas, layout: &Layout, scene: &Scene) {
    let origin = [22.0, layout.size[1] - 20.0];
    for (k, words) in ["x", "y", "z"].into_iter().enumerate() {
        let mut axis = [0.0; 3];
        axis[k] = 1.0;
        let [x, y] = scene.view.of(axis);
        let at = |length: f64| [origin[0] + length * x, origin[1] - length * y];
        canvas.arrow(origin, at(16.0), (Colour::GREY, 0.8));
        let [x, y] = at(21.0);
        let at = [x, y + TINY * 0.35];
        canvas.text(Text { words, at, anchor: Anchor::Middle, size: TINY, colour: Colour::GREY });
    }
}

impl Scene {
    pub(super) fn surfaces(&self, canvas: &mut Canvas, layout: &Layout) {
        let sheet = Sheet { panel: &layout.panel, view: &self.view };
        for (flat, reach) in &self.flats {
            match self.view.space {
                Space::Plane => hatched_line(canvas, sheet, flat, reach[0], Colour::GREY),
                Space::Space => {
                    grid(canvas, sheet, flat, (*reach, self.size / 4.0), Colour::GREY);
                    self.shadows(canvas, layout, (flat.point, flat.normal));
                }
            }
        }
    }

    /// Where bodies are above a surface in space.
    fn shadows(&self, canvas: &mut Canvas, layout: &Layout, (point, normal): (Vector, Vector)) {
        for corners in self.corners.iter().filter(|corners| corners.len() == 2) {
            let foot = |p: &Vector| minus(*p, times(normal, dot(normal, minus(*p, point))));
            let points: Vec<[f64; 2]> =
                corners.iter().map(|p| layout.panel.at(self.view.of(foot(p)))).collect();
            canvas.path(&points, Look::line(Colour::GREY, 0.7 * layout.sizes.bar).at_opacity(0.25));
        }
    }

    pub(super) fn bodies(&self, canvas: &mut Canvas, layout: &Layout, words: &mut Words) {
        let skin = Skin {
            colour: Colour::SLATE,
            bar: layout.sizes.bar,
            outline: 1.4,
            point: 0.8 * layout.sizes.bar,
        };
        for seen in &self.parts {
            paint(canvas, &layout.panel, seen, skin);
            let outline: Vec<[f64; 2]> = seen.extent().iter().map(|p| layout.panel.at(*p)).collect();
            if matches!(seen, Projected::Path(_)) {
                words.avoid_bar(&outline, 0.5 * layout.sizes.bar);
            } else if matches!(seen, Projected::Face(..)) {
                words.avoid(&outline);
            }
        }
    }

    pub(super) fn centres_of_mass(&self, canvas: &mut Canvas, layout: &Layout) {
        for (centre, _) in &self.centres {
            self.centre_of_mass(canvas, layout, *centre);
        }
    }

    /// A circle in quarters.
    fn centre_of_mass(&self, canvas: &mut Canvas, layout: &Layout, centre: Vector) {
        let [x, y] = layout.panel.at(self.view.of(centre));
        let r = layout.sizes.centre;
        canvas.circle([x, y], r, Look::line(Colour::SLATE, 0.9).with_fill(Colour::PAPER));
        for quarter in [0.0, 180.0_f64] {
            let rim = (0..=4).map(|k| (quarter + 22.5 * f64::from(k)).to_radians().sin_cos());
            let mut wedge = vec![[x, y]];
            wedge.extend(rim.map(|(sin, cos)| [x + r * cos, y - r * sin]));
            canvas.polygon(&wedge, Look::filled(Colour::SLATE));
        }
    }

    pub(super) fn arrows(&self, canvas: &mut Canvas, layout: &Layout, words: &mut Words) {
        self.weight(canvas, layout, words);
        self.slips(canvas, layout, words);
        self.flights(canvas, layout, words);
        self.forces(canvas, layout, words);
        self.names(layout, words);
    }

    /// Gravity at each centre of mass.
    fn weight(&self, canvas: &mut Canvas, layout: &Layout, words: &mut Words) {
        let size = length(self.gravity);
        if size <= 0.0 {
            return;
        }
        let way = Layout::turned(self.view.of(times(self.gravity, 1.0 / size)));
        for (i, (centre, _)) in self.centres.iter().enumerate() {
            let at = layout.panel.at(self.view.of(*centre));
            let from = [0, 1].map(|k| at[k] + (layout.sizes.centre + 1.0) * way[k]);
            let to = [0, 1].map(|k| from[k] + layout.sizes.gravity * way[k]);
            canvas.arrow(from, to, (Colour::GREY, 1.1));
            words.avoid(&[from, to]);
            if i == 0 {
                words.say("g".to_owned(), (SMALL, Colour::GREY), to, way);
            }
        }
    }

    /// The slip of each closed contact, along its surface; of one that approaches, its velocity.
    pub(super) fn slips(&self, canvas: &mut Canvas, layout: &Layout, words: &mut Words) {
        let speed = |c: &Touching| if c.approaches() { c.speed().hypot(c.gap_rate) } else { c.speed() };
        let closed = || self.contacts.iter().filter(|c| c.is_closed);
        let fastest = closed().map(speed).fold(0.0, f64::max);
        for contact in closed().filter(|c| speed(c) > 0.0) {
            let velocity = if contact.approaches() { contact.gap_rate } else { 0.0 };
            let along = self.view.of(contact.frame.vector(velocity, &contact.slip));
            let share = 0.35 + 0.65 * speed(contact) / fastest;
            let length = layout.sizes.velocity * share / speed(contact);
            let step = Layout::turned(along.map(|x| x * length));
            let foot = layout.panel.at(self.view.of(contact.frame.place));
            let into = Layout::turned(self.view.of(times(contact.frame.normal, -1.0)));
            let below = if contact.approaches() || self.view.space == Space::Space {
                0.0
            } else {
                layout.sizes.below
            };
            // what approaches comes from where it was
            let back = if contact.approaches() { 1.0 } else { 0.0 };
            let from = [0, 1].map(|k| foot[k] + below * into[k] - back * step[k]);
            let to = [0, 1].map(|k| from[k] + step[k]);
            canvas.arrow(from, to, (Colour::BLUE, 1.7));
            words.avoid(&[from, to]);
            let name = match (&contact.slip[..], contact.approaches()) {
                ([u], false) => format!("u = {}", short(*u)),
                (_, false) => format!("|u| = {}", short(contact.speed())),
                ([u], true) => format!("u = {}, v = {}", short(*u), short(contact.gap_rate)),
                (_, true) => format!("|u| = {}, v = {}", short(contact.speed()), short(contact.gap_rate)),
            };
            let (at, rather) =
                if contact.approaches() { (from, direction(to, from)) } else { (to, direction(from, to)) };
            words.say(name, (SMALL, Colour::BLUE), at, rather);
        }
    }

    /// Velocities of centres of mass where no contact is closed.
    fn flights(&self, canvas: &mut Canvas, layout: &Layout, words: &mut Words) {
        let fastest = self.centres.iter().map(|(_, v)| length(*v)).fold(0.0, f64::max);
        if self.contacts.iter().any(|c| c.is_closed) || fastest <= 0.0 || !fastest.is_finite() {
            return;
        }
        for (centre, velocity) in self.centres.iter().filter(|(_, v)| length(*v) > FAINT * fastest) {
            let from = layout.panel.at(self.view.of(*centre));
            let step = self.view.of(times(*velocity, layout.sizes.velocity / fastest));
            let [x, y] = Layout::turned(step);
            let to = [from[0] + x, from[1] + y];
            canvas.arrow(from, to, (Colour::BLUE, 1.7));
            words.avoid(&[from, to]);
            let name = format!("v = {}", short(length(*velocity)));
            words.say(name, (SMALL, Colour::BLUE), to, direction(from, to));
        }
    }

    /// The forces of the first consistent mode.
    fn forces(&self, canvas: &mut Canvas, layout: &Layout, words: &mut Words) {
        let largest = self.contacts.iter().map(Touching::force_size).fold(0.0, f64::max);
        if largest <= 0.0 {
            return;
        }
        let several = self.contacts.iter().filter(|c| c.force_size() > FAINT * largest).count() > 1;
        for contact in self.contacts.iter().filter(|c| c.force_size() > FAINT * largest) {
            let Some((normal, along)) = &contact.force else { continue };
            let from = layout.panel.at(self.view.of(contact.frame.place));
            let scale = layout.sizes.force / (largest * layout.unit);
            let along: Vec<f64> = along.iter().map(|x| x * scale).collect();
            let end = plus(contact.frame.place, contact.frame.vector(normal * scale, &along));
            let to = layout.panel.at(self.view.of(end));
            // seen on dark bodies, too
            canvas.line(from, to, Look::line(Colour::PAPER, 3.2).at_opacity(0.8));
            canvas.arrow(from, to, (Colour::BROWN, 1.7));
            words.avoid(&[from, to]);
            if self.contacts.iter().filter(|c| c.is_closed).count() > NUMBERED {
                continue;
            }
            let name = if several {
                short(contact.force_size())
            } else {
                format!("λ = {}", short(contact.force_size()))
            };
            words.say(name, (SMALL, Colour::BROWN), to, direction(from, to));
        }
    }

    /// Names of closed contacts, if there are several.
    fn names(&self, layout: &Layout, words: &mut Words) {
        let closed: Vec<&Touching> = self.contacts.iter().filter(|c| c.is_closed).collect();
        for contact in closed.iter().filter(|_| (2..=NAMED).contains(&closed.len())) {
            let at = layout.panel.at(self.view.of(contact.frame.place));
            let into = Layout::turned(self.view.of(times(contact.frame.normal, -1.0)));
            words.say(plain(&contact.name), (SMALL.min(LABEL), Colour::INK), at, into);
        }
    }
}
