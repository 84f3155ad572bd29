//! Two sliding contacts, Fig. 14 of \[CV16\]: the columns p₁ and p₂ of P in v̈ = b + P λ_N and the load −b as directions, and which modes are
//! consistent for loads in each of the six sectors.

use super::Picture;
use super::canvas::{Canvas, Look};
use super::formula::{formula_width, plain};
use super::labels::{Label, Places, half, room};
use super::style::{Colour, HAIR, LABEL, SMALL, TINY, WIDTH, verdict_fill, verdict_ink};
use crate::predict::{LoadSector, TwoContacts};

/// Radius of the picture.
const RADIUS: f64 = 100.0;
/// Length of the vectors.
const VECTOR: f64 = 82.0;

/// Draws the vectors of two contacts of these names.
pub fn vectors(title: &str, two: &TwoContacts, sectors: &[LoadSector], names: [&str; 2]) -> Picture {
    let size = [WIDTH, 2.0 * RADIUS + 56.0];
    let centre = [0.5 * WIDTH, RADIUS + 34.0];
    let mut canvas = Canvas::new(size, title);
    let mut places = Places::new([3.0, 3.0], [WIDTH - 3.0, size[1] - 3.0]);
    let at = |angle: f64, radius: f64| {
        let (sin, cos) = angle.sin_cos();
        [centre[0] + radius * cos, centre[1] - radius * sin]
    };
    let [b1, b2] = two.b.map(|x| x.value);
    let response = two.response.map(|row| row.map(|x| x.value));
    for sector in sectors {
        canvas.polygon(&pie(centre, &at, sector), Look::filled(verdict_fill(sector.verdict)));
        canvas.line(centre, at(sector.from, RADIUS), Look::line(Colour::GREY, HAIR));
    }
    canvas.circle(centre, RADIUS, Look::line(Colour::GREY, HAIR));
    for k in 0..4 {
        let ray = [centre, at(std::f64::consts::FRAC_PI_2 * f64::from(k), RADIUS)];
        canvas.path(&ray, Look::line(Colour::GREY, HAIR));
        places.avoid(&ray);
    }
    axis_names(&mut canvas, centre, names, &mut places);
    let arrows = [
        ("p_1", response[0][0], response[1][0], Colour::INK),
        ("p_2", response[0][1], response[1][1], Colour::INK),
        ("−b", -b1, -b2, Colour::BLUE),
    ];
    for (_, x, y, colour) in arrows {
        if x.hypot(y) > 0.0 {
            let tip = at(y.atan2(x), VECTOR);
            canvas.arrow(centre, tip, (colour, 1.7));
            places.avoid(&[centre, tip]);
        }
    }
    for (i, sector) in sectors.iter().enumerate() {
        modes(&mut canvas, (centre, &at), (i + 1, sector), &mut places);
    }
    for (words, x, y, colour) in arrows {
        if x.hypot(y) > 0.0 {
            let way = y.atan2(x);
            let label = Label { words, size: LABEL, colour };
            places.write(&mut canvas, label, at(way, VECTOR), [way.cos(), -way.sin()]);
        }
    }
    if let Some(class) = two.subclass.as_ref().or(two.class.as_ref()) {
        canvas.say(&format!("class {class}"), [8.0, 14.0], SMALL);
    }
    canvas.finish()
}

/// A sector of the circle.
fn pie(centre: [f64; 2], at: &impl Fn(f64, f64) -> [f64; 2], sector: &LoadSector) -> Vec<[f64; 2]> {
    let count = ((sector.to - sector.from) / 0.1).ceil().max(1.0) as usize;
    let along = |k: usize| sector.from + (sector.to - sector.from) * k as f64 / count as f64;
    std::iter::once(centre).chain((0..=count).map(|k| at(along(k), RADIUS))).collect()
}

/// What the axes are: gap accelerations of the contacts.
fn axis_names(canvas: &mut Canvas, [x, y]: [f64; 2], [first, second]: [&str; 2], places: &mut Places) {
    let right = format!("gap of {}", plain(first));
    let up = format!("gap of {}", plain(second));
    let grey = |words| Label { words, size: TINY, colour: Colour::GREY };
    let wide = 0.5 * formula_width(&right, TINY);
    places.put(canvas, grey(&right), [(x + RADIUS + 6.0 + wide).min(WIDTH - 4.0 - wide), y]);
    places.put(canvas, grey(&up), [x, y - RADIUS - 8.0]);
}

/// The number of a sector and its modes.
fn modes(
    canvas: &mut Canvas,
    (centre, at): ([f64; 2], &impl Fn(f64, f64) -> [f64; 2]),
    (number, sector): (usize, &LoadSector),
    places: &mut Places,
) {
    let colour = verdict_ink(sector.verdict);
    let words = if sector.modes.is_empty() { "none".to_owned() } else { sector.modes.join(", ") };
    let words = format!("{number}: {words}");
    let middle = sector.from.midpoint(sector.to);
    for size in [SMALL, TINY] {
        if let Some(place) = room(&pie(centre, at, sector), half(&words, size), places) {
            places.put(canvas, Label { words: &words, size, colour }, place);
            return;
        }
    }
    let out = [middle.cos(), -middle.sin()];
    places.write(canvas, Label { words: &words, size: TINY, colour }, at(middle, RADIUS), out);
}
